//! Games behind a pointer: those that share one compiled copy of search, and those from outside this crate. Slower
//! than a type of their own, and otherwise the same.

use std::any::Any;
use std::cmp::Ordering;
use std::collections::HashMap;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::ops::ControlFlow;
use std::sync::{Arc, OnceLock};

use crate::any_game_state::AnyGameState;
use crate::drawing::Drawing;
use crate::error::{MoveError, SetupError};
use crate::game::Game;
use crate::game_state::GameState;
use crate::outcome::{Ending, Outcome, Side};
use crate::symmetry::Symmetry;
use crate::variant::Variant;
use crate::view::{BoardShape, CellView, Frame, Piece, Place, Target};

/// Any game, type-erased.
///
/// ```
/// use noughts_rules::{DynGame, Game, Mnk, perft};
/// let game = DynGame::new(Mnk::classic());
/// assert_eq!(perft(&game, &game.start(), 4), 3024);
/// ```
#[derive(Clone, Debug)]
pub struct DynGame(Arc<dyn ErasedGame>);

/// A position of a [`DynGame`].
pub struct DynPosition(Box<dyn ErasedPosition>);

/// A move of a [`DynGame`]: its action number.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct DynMove(u32);

impl DynMove {
    /// The move with this number.
    #[must_use]
    pub const fn new(number: u32) -> DynMove {
        DynMove(number)
    }

    /// The number.
    #[must_use]
    pub const fn number(self) -> u32 {
        self.0
    }
}

impl DynGame {
    /// The game behind a pointer.
    pub fn new<G: Game>(game: G) -> DynGame {
        let actions = game.actions();
        let numbers = (0..).zip(&actions).map(|(n, &mv)| (mv, n)).collect();
        DynGame::with_numbers(game, ListedMoves { actions, numbers })
    }

    /// A game that numbers its moves itself, perhaps only while it is played: `actions` lists those that have a number
    /// so far, in the order of their numbers.
    pub fn with_numbered_moves<G: Game<Move = DynMove>>(game: G) -> DynGame {
        DynGame::with_numbers(game, OwnNumbers)
    }

    fn with_numbers<G: Game>(game: G, numbers: impl MoveNumbers<G>) -> DynGame {
        let start = OnceLock::new();
        DynGame(Arc::new(NumberedGame {
            game,
            numbers,
            start,
        }))
    }

    /// The game, if it is of this type.
    ///
    /// ```
    /// use noughts_rules::{DynGame, LargeMnk, Mnk};
    /// let game = DynGame::new(Mnk::classic());
    /// assert!(game.downcast_ref::<Mnk>().is_some() && game.downcast_ref::<LargeMnk>().is_none());
    /// ```
    #[must_use]
    pub fn downcast_ref<G: Game>(&self) -> Option<&G> {
        self.0.as_any().downcast_ref()
    }

    /// A game in progress at its start, for [`GameInfo::start`](crate::GameInfo).
    pub fn start_of<G: Game>(game: G) -> AnyGameState {
        AnyGameState::Other(GameState::new(DynGame::new(game)))
    }
}

impl DynPosition {
    /// The position, if it is of this type.
    #[must_use]
    pub fn downcast_ref<P: 'static>(&self) -> Option<&P> {
        (*self.0).as_any().downcast_ref()
    }
}

trait ErasedPosition: Any + Send + Sync + fmt::Debug {
    fn clone_box(&self) -> Box<dyn ErasedPosition>;
    fn compare(&self, other: &dyn ErasedPosition) -> Ordering;
    fn is_equal(&self, other: &dyn ErasedPosition) -> bool;
    fn hash_into(&self, hasher: &mut dyn Hasher);
    fn as_any(&self) -> &dyn Any;
    fn as_any_mut(&mut self) -> &mut dyn Any;
}

impl<P: Clone + Ord + Hash + fmt::Debug + Send + Sync + 'static> ErasedPosition for P {
    fn clone_box(&self) -> Box<dyn ErasedPosition> {
        Box::new(self.clone())
    }

    fn compare(&self, other: &dyn ErasedPosition) -> Ordering {
        // Positions of different games are never compared; the order only has to be one.
        other
            .as_any()
            .downcast_ref()
            .map_or(Ordering::Less, |other| self.cmp(other))
    }

    fn is_equal(&self, other: &dyn ErasedPosition) -> bool {
        other.as_any().downcast_ref() == Some(self)
    }

    fn hash_into(&self, mut hasher: &mut dyn Hasher) {
        self.hash(&mut hasher);
    }

    fn as_any(&self) -> &dyn Any {
        self
    }

    fn as_any_mut(&mut self) -> &mut dyn Any {
        self
    }
}

impl Clone for DynPosition {
    fn clone(&self) -> DynPosition {
        DynPosition((*self.0).clone_box())
    }
}

impl PartialEq for DynPosition {
    fn eq(&self, other: &DynPosition) -> bool {
        (*self.0).is_equal(&*other.0)
    }
}

impl Eq for DynPosition {}

impl PartialOrd for DynPosition {
    fn partial_cmp(&self, other: &DynPosition) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for DynPosition {
    fn cmp(&self, other: &DynPosition) -> Ordering {
        (*self.0).compare(&*other.0)
    }
}

impl Hash for DynPosition {
    fn hash<H: Hasher>(&self, state: &mut H) {
        (*self.0).hash_into(state);
    }
}

impl fmt::Debug for DynPosition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// The numbers of a game's moves.
trait MoveNumbers<G: Game>: fmt::Debug + Send + Sync + 'static {
    fn number(&self, mv: G::Move) -> DynMove;
    fn mv(&self, number: DynMove) -> Option<G::Move>;
    fn count(&self, game: &G) -> usize;
}

/// The moves in a list that never changes.
#[derive(Debug)]
struct ListedMoves<M> {
    actions: Vec<M>,
    numbers: HashMap<M, u32>,
}

impl<G: Game> MoveNumbers<G> for ListedMoves<G::Move> {
    fn number(&self, mv: G::Move) -> DynMove {
        debug_assert!(self.numbers.contains_key(&mv), "{mv:?} is an action");
        DynMove(self.numbers.get(&mv).copied().unwrap_or(u32::MAX))
    }

    fn mv(&self, number: DynMove) -> Option<G::Move> {
        self.actions.get(number.0 as usize).copied()
    }

    fn count(&self, _: &G) -> usize {
        self.actions.len()
    }
}

/// The moves are numbers already.
#[derive(Debug)]
struct OwnNumbers;

impl<G: Game<Move = DynMove>> MoveNumbers<G> for OwnNumbers {
    fn number(&self, mv: DynMove) -> DynMove {
        mv
    }

    fn mv(&self, number: DynMove) -> Option<DynMove> {
        Some(number)
    }

    fn count(&self, game: &G) -> usize {
        game.count_actions()
    }
}

/// A game with its moves by number.
#[derive(Debug)]
struct NumberedGame<G: Game, N> {
    game: G,
    numbers: N,
    /// The start, which replaces a position of another game.
    start: OnceLock<G::Position>,
}

impl<G: Game, N: MoveNumbers<G>> NumberedGame<G, N> {
    fn number(&self, mv: G::Move) -> DynMove {
        self.numbers.number(mv)
    }

    fn mv(&self, number: DynMove) -> Option<G::Move> {
        self.numbers.mv(number)
    }

    /// The position; that of another game counts as the start.
    fn position<'a>(&'a self, position: &'a DynPosition) -> &'a G::Position {
        position.downcast_ref().unwrap_or_else(|| {
            debug_assert!(false, "a position of another game");
            self.start.get_or_init(|| self.game.start())
        })
    }
}

fn erased<P: ErasedPosition + 'static>(position: P) -> DynPosition {
    DynPosition(Box::new(position))
}

/// Declares the methods of [`Game`] that games may override, and makes three things of them: the trait `ErasedGame`, how a
/// game of any type implements it, and how [`DynGame`] calls it. Without a body, a method is that of the game, with the
/// argument `position` in the game's own type.
macro_rules! erase {
    ($(
        fn $name:ident(&$this:ident $(, $arg:ident: $type:ty)*) $(-> $result:ty)? $($body:block)? $(;)?
    )*) => {
        /// [`Game`] without type parameters. For the meaning of each method see there.
        trait ErasedGame: fmt::Debug + Send + Sync {
            fn as_any(&self) -> &dyn Any;
            fn visit_moves(
                &self,
                position: &DynPosition,
                visit: &mut dyn FnMut(DynMove) -> ControlFlow<()>,
            ) -> ControlFlow<()>;
            $(fn $name(&self $(, $arg: $type)*) $(-> $result)?;)*
        }

        impl<G: Game, N: MoveNumbers<G>> ErasedGame for NumberedGame<G, N> {
            fn as_any(&self) -> &dyn Any {
                &self.game
            }

            fn visit_moves(
                &self,
                position: &DynPosition,
                visit: &mut dyn FnMut(DynMove) -> ControlFlow<()>,
            ) -> ControlFlow<()> {
                let position = self.position(position);
                self.game.visit_moves(position, |mv| visit(self.number(mv)))
            }

            $(fn $name(&$this $(, $arg: $type)*) $(-> $result)? {
                erase!(@body $this $name($($arg)*) $($body)?)
            })*
        }

        impl Game for DynGame {
            type Position = DynPosition;
            type Move = DynMove;

            fn visit_moves<B>(
                &self,
                position: &DynPosition,
                mut visit: impl FnMut(DynMove) -> ControlFlow<B>,
            ) -> ControlFlow<B> {
                let mut broken = None;
                let _ = self.0.visit_moves(position, &mut |mv| match visit(mv) {
                    ControlFlow::Continue(()) => ControlFlow::Continue(()),
                    ControlFlow::Break(value) => {
                        broken = Some(value);
                        ControlFlow::Break(())
                    }
                });
                broken.map_or(ControlFlow::Continue(()), ControlFlow::Break)
            }

            fn actions(&self) -> Vec<DynMove> {
                (0..self.count_actions() as u32).map(DynMove).collect()
            }

            fn action(&self, mv: DynMove) -> usize {
                mv.0 as usize
            }

            fn move_from_action(&self, action: usize) -> Option<DynMove> {
                (action < self.count_actions()).then_some(DynMove(action as u32))
            }

            $(fn $name(&self $(, $arg: $type)*) $(-> $result)? {
                self.0.$name($($arg),*)
            })*
        }
    };
    (@body $this:ident $name:ident($($arg:ident)*) $body:block) => { $body };
    (@body $this:ident $name:ident($($arg:ident)*)) => {
        $this.game.$name($(erase!(@argument $this $arg $arg)),*)
    };
    (@argument $this:ident $arg:ident position) => { $this.position($arg) };
    (@argument $this:ident $arg:ident $other:ident) => { $arg };
}

erase! {
    fn variant(&self) -> Variant;
    fn can_repeat(&self) -> bool;
    fn start(&self) -> DynPosition { erased(self.game.start()) }
    fn side(&self, position: &DynPosition) -> Side;
    fn outcome(&self, position: &DynPosition) -> Option<Outcome>;
    fn ending(&self, position: &DynPosition) -> Option<Ending>;
    fn count_pieces(&self, position: &DynPosition) -> usize;
    fn max_plies_left(&self, position: &DynPosition) -> Option<u32>;
    fn count_moves(&self, position: &DynPosition) -> usize;
    fn nth_move(&self, position: &DynPosition, n: usize) -> Option<DynMove> {
        let mv = self.game.nth_move(self.position(position), n)?;
        Some(self.number(mv))
    }
    fn apply(&self, position: &mut DynPosition, mv: DynMove) {
        let position = (*position.0).as_any_mut().downcast_mut();
        if let (Some(position), Some(mv)) = (position, self.mv(mv)) {
            self.game.apply(position, mv);
        }
    }
    fn check(&self, position: &DynPosition, mv: DynMove) -> Result<(), MoveError> {
        match self.mv(mv) {
            Some(mv) => self.game.check(self.position(position), mv),
            None => Err(self.game.not_a_move(&format!("move {}", mv.0))),
        }
    }
    fn rejection(&self, position: &DynPosition, mv: DynMove) -> MoveError {
        match self.mv(mv) {
            Some(mv) => self.game.rejection(self.position(position), mv),
            None => self.game.not_a_move(&format!("move {}", mv.0)),
        }
    }
    fn text(&self, position: &DynPosition) -> String;
    fn parse(&self, text: &str) -> Result<DynPosition, SetupError> {
        self.game.parse(text).map(erased)
    }
    fn move_text(&self, mv: DynMove) -> String {
        self.mv(mv).map_or_else(String::new, |mv| self.game.move_text(mv))
    }
    fn parse_move(&self, text: &str) -> Result<DynMove, MoveError> {
        self.game.parse_move(text).map(|mv| self.number(mv))
    }
    fn not_a_move(&self, text: &str) -> MoveError;
    fn hash(&self, position: &DynPosition) -> u64;
    fn count_symmetries(&self) -> u32;
    fn symmetry_name(&self, symmetry: Symmetry) -> String;
    fn map_position(&self, position: &DynPosition, symmetry: Symmetry) -> DynPosition {
        erased(self.game.map_position(self.position(position), symmetry))
    }
    fn map_move(&self, mv: DynMove, symmetry: Symmetry) -> DynMove {
        let image = self.mv(mv).map(|mv| self.game.map_move(mv, symmetry));
        image.map_or(mv, |image| self.number(image))
    }
    fn canonical(&self, position: &DynPosition) -> (DynPosition, Symmetry) {
        let (least, symmetry) = self.game.canonical(self.position(position));
        (erased(least), symmetry)
    }
    fn representative(&self, position: &DynPosition) -> DynPosition {
        erased(self.game.representative(self.position(position)))
    }
    fn count_position_numbers(&self) -> u64;
    fn position_number(&self, position: &DynPosition) -> Option<u64>;
    fn position_from_number(&self, number: u64) -> Option<DynPosition> {
        self.game.position_from_number(number).map(erased)
    }
    fn to_digits(&self, position: &DynPosition) -> Option<String>;
    fn to_lists(&self, position: &DynPosition) -> Option<String>;
    fn count_actions(&self) -> usize { self.numbers.count(&self.game) }
    fn observation_shape(&self) -> Vec<usize>;
    fn write_observation(&self, position: &DynPosition, planes: &mut [u8]);
    fn opponents_planes(&self, side: Side) -> Vec<usize>;
    fn board(&self) -> BoardShape;
    fn cell(&self, position: &DynPosition, place: Place) -> CellView;
    fn taps(&self, mv: DynMove) -> Vec<Target> {
        self.mv(mv).map_or_else(Vec::new, |mv| self.game.taps(mv))
    }
    fn taps_in(&self, position: &DynPosition, mv: DynMove) -> Vec<Target> {
        let mv = self.mv(mv);
        mv.map_or_else(Vec::new, |mv| self.game.taps_in(self.position(position), mv))
    }
    fn pieces(&self) -> Vec<Piece>;
    fn piece_name(&self, piece: u8) -> String;
    fn reserve(&self, position: &DynPosition, side: Side) -> Vec<(u8, u32)>;
    fn frame(&self, position: &DynPosition) -> Option<Frame>;
    fn winning_lines(&self, position: &DynPosition) -> Vec<Vec<Place>>;
    fn changed_places(&self, position: &DynPosition, mv: DynMove) -> Vec<Place> {
        let mv = self.mv(mv);
        mv.map_or_else(Vec::new, |mv| self.game.changed_places(self.position(position), mv))
    }
    fn shown_targets(&self, position: &DynPosition, mv: DynMove) -> Vec<Place> {
        let mv = self.mv(mv);
        mv.map_or_else(Vec::new, |mv| self.game.shown_targets(self.position(position), mv))
    }
    fn place_name(&self, place: Place) -> String;
    fn parse_place(&self, text: &str) -> Option<Place>;
    fn aim(&self, place: Place) -> Place;
    fn accepts_move(&self, position: &DynPosition, place: Place) -> bool;
    fn check_place(&self, position: &DynPosition, place: Place) -> Result<(), MoveError>;
    fn count_open_cells(&self, position: &DynPosition, place: Place) -> u32;
    fn board_after(&self, position: &DynPosition, mv: DynMove) -> Option<Place> {
        self.game.board_after(self.position(position), self.mv(mv)?)
    }
    fn consequence(&self, position: &DynPosition, mv: DynMove) -> Option<String> {
        self.game.consequence(self.position(position), self.mv(mv)?)
    }
    fn tap(
        &self,
        position: &DynPosition,
        taps: &[Target]
    ) -> Result<(Option<DynMove>, Vec<Target>), MoveError> {
        let (mv, next) = self.game.tap(self.position(position), taps)?;
        Ok((mv.map(|mv| self.number(mv)), next))
    }
    fn render(&self, position: &DynPosition, last: Option<DynMove>, is_ongoing: bool) -> Drawing {
        let last = last.and_then(|mv| self.mv(mv));
        self.game.render(self.position(position), last, is_ongoing)
    }
    fn prompt(&self, position: &DynPosition) -> String;
}
