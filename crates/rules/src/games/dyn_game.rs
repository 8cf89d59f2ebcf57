//! Games behind a pointer: those that share one compiled copy of search, and those from outside this crate. Slower
//! than a type of their own, and otherwise the same.

use std::any::Any;
use std::cmp::Ordering;
use std::collections::HashMap;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::ops::ControlFlow;
use std::sync::Arc;

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
        let numbers = ListedMoves { actions, numbers };
        DynGame(Arc::new(NumberedGame { game, numbers }))
    }

    /// A game that numbers its moves itself, perhaps only while it is played: `actions` lists those that have a number
    /// so far, in the order of their numbers.
    pub fn with_numbered_moves<G: Game<Move = DynMove>>(game: G) -> DynGame {
        let numbers = OwnNumbers;
        DynGame(Arc::new(NumberedGame { game, numbers }))
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
struct NumberedGame<G, N> {
    game: G,
    numbers: N,
}

impl<G: Game, N: MoveNumbers<G>> NumberedGame<G, N> {
    fn number(&self, mv: G::Move) -> DynMove {
        self.numbers.number(mv)
    }

    fn mv(&self, number: DynMove) -> Option<G::Move> {
        self.numbers.mv(number)
    }

    /// The position; that of another game counts as the start.
    fn with<R>(&self, position: &DynPosition, act: impl FnOnce(&G::Position) -> R) -> R {
        match (*position.0).as_any().downcast_ref() {
            Some(position) => act(position),
            None => {
                debug_assert!(false, "a position of another game");
                act(&self.game.start())
            }
        }
    }
}

/// [`Game`] without type parameters. For the meaning of each method see there.
trait ErasedGame: fmt::Debug + Send + Sync {
    fn as_any(&self) -> &dyn Any;
    fn variant(&self) -> Variant;
    fn can_repeat(&self) -> bool;
    fn start(&self) -> DynPosition;
    fn side(&self, position: &DynPosition) -> Side;
    fn outcome(&self, position: &DynPosition) -> Option<Outcome>;
    fn ending(&self, position: &DynPosition) -> Option<Ending>;
    fn count_pieces(&self, position: &DynPosition) -> usize;
    fn visit_moves(
        &self,
        position: &DynPosition,
        visit: &mut dyn FnMut(DynMove) -> ControlFlow<()>,
    ) -> ControlFlow<()>;
    fn max_plies_left(&self, position: &DynPosition) -> Option<u32>;
    fn count_moves(&self, position: &DynPosition) -> usize;
    fn nth_move(&self, position: &DynPosition, n: usize) -> Option<DynMove>;
    fn apply(&self, position: &mut DynPosition, mv: DynMove);
    fn check(&self, position: &DynPosition, mv: DynMove) -> Result<(), MoveError>;
    fn hash(&self, position: &DynPosition) -> u64;
    fn count_symmetries(&self) -> u32;
    fn symmetry_name(&self, symmetry: Symmetry) -> String;
    fn map_position(&self, position: &DynPosition, symmetry: Symmetry) -> DynPosition;
    fn map_move(&self, mv: DynMove, symmetry: Symmetry) -> DynMove;
    fn canonical(&self, position: &DynPosition) -> (DynPosition, Symmetry);
    fn representative(&self, position: &DynPosition) -> DynPosition;
    fn count_position_numbers(&self) -> u64;
    fn position_number(&self, position: &DynPosition) -> Option<u64>;
    fn position_from_number(&self, number: u64) -> Option<DynPosition>;
    fn text(&self, position: &DynPosition) -> String;
    fn parse(&self, text: &str) -> Result<DynPosition, SetupError>;
    fn parse_move(&self, text: &str) -> Result<DynMove, MoveError>;
    fn move_text(&self, mv: DynMove) -> String;
    fn count_actions(&self) -> usize;
    fn observation_shape(&self) -> Vec<usize>;
    fn opponents_planes(&self, side: Side) -> Vec<usize>;
    fn write_observation(&self, position: &DynPosition, planes: &mut [u8]);
    fn to_digits(&self, position: &DynPosition) -> Option<String>;
    fn to_lists(&self, position: &DynPosition) -> Option<String>;
    fn board(&self) -> BoardShape;
    fn cell(&self, position: &DynPosition, place: Place) -> CellView;
    fn taps(&self, mv: DynMove) -> Vec<Target>;
    fn taps_in(&self, position: &DynPosition, mv: DynMove) -> Vec<Target>;
    fn pieces(&self) -> Vec<Piece>;
    fn piece_name(&self, piece: u8) -> String;
    fn reserve(&self, position: &DynPosition, side: Side) -> Vec<(u8, u32)>;
    fn frame(&self, position: &DynPosition) -> Option<Frame>;
    fn winning_lines(&self, position: &DynPosition) -> Vec<Vec<Place>>;
    fn changed_places(&self, after: &DynPosition, mv: DynMove) -> Vec<Place>;
    fn place_name(&self, place: Place) -> String;
    fn parse_place(&self, text: &str) -> Option<Place>;
    fn aim(&self, place: Place) -> Place;
    fn check_place(&self, position: &DynPosition, place: Place) -> Result<(), MoveError>;
    fn count_open_cells(&self, position: &DynPosition, place: Place) -> u32;
    fn board_after(&self, position: &DynPosition, mv: DynMove) -> Option<Place>;
    fn consequence(&self, position: &DynPosition, mv: DynMove) -> Option<String>;
    fn accepts_move(&self, position: &DynPosition, place: Place) -> bool;
    fn tap(
        &self,
        position: &DynPosition,
        taps: &[Target],
    ) -> Result<(Option<DynMove>, Vec<Target>), MoveError>;
    fn render(&self, position: &DynPosition, last: Option<DynMove>, is_ongoing: bool) -> Drawing;
    fn prompt(&self, position: &DynPosition) -> String;
}

impl<G: Game, N: MoveNumbers<G>> ErasedGame for NumberedGame<G, N> {
    fn as_any(&self) -> &dyn Any {
        &self.game
    }

    fn variant(&self) -> Variant {
        self.game.variant()
    }

    fn can_repeat(&self) -> bool {
        self.game.can_repeat()
    }

    fn start(&self) -> DynPosition {
        DynPosition(Box::new(self.game.start()))
    }

    fn side(&self, position: &DynPosition) -> Side {
        self.with(position, |position| self.game.side(position))
    }

    fn outcome(&self, position: &DynPosition) -> Option<Outcome> {
        self.with(position, |position| self.game.outcome(position))
    }

    fn ending(&self, position: &DynPosition) -> Option<Ending> {
        self.with(position, |position| self.game.ending(position))
    }

    fn count_pieces(&self, position: &DynPosition) -> usize {
        self.with(position, |position| self.game.count_pieces(position))
    }

    fn visit_moves(
        &self,
        position: &DynPosition,
        visit: &mut dyn FnMut(DynMove) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        self.with(position, |position| {
            self.game.visit_moves(position, |mv| visit(self.number(mv)))
        })
    }

    fn max_plies_left(&self, position: &DynPosition) -> Option<u32> {
        self.with(position, |position| self.game.max_plies_left(position))
    }

    fn count_moves(&self, position: &DynPosition) -> usize {
        self.with(position, |position| self.game.count_moves(position))
    }

    fn nth_move(&self, position: &DynPosition, n: usize) -> Option<DynMove> {
        let mv = self.with(position, |position| self.game.nth_move(position, n))?;
        Some(self.number(mv))
    }

    fn apply(&self, position: &mut DynPosition, mv: DynMove) {
        if let (Some(position), Some(mv)) = ((*position.0).as_any_mut().downcast_mut(), self.mv(mv))
        {
            self.game.apply(position, mv);
        }
    }

    fn check(&self, position: &DynPosition, mv: DynMove) -> Result<(), MoveError> {
        match self.mv(mv) {
            Some(mv) => self.with(position, |position| self.game.check(position, mv)),
            None => Err(self.game.not_a_move(&format!("move {}", mv.0))),
        }
    }

    fn hash(&self, position: &DynPosition) -> u64 {
        self.with(position, |position| self.game.hash(position))
    }

    fn count_symmetries(&self) -> u32 {
        self.game.count_symmetries()
    }

    fn symmetry_name(&self, symmetry: Symmetry) -> String {
        self.game.symmetry_name(symmetry)
    }

    fn map_position(&self, position: &DynPosition, symmetry: Symmetry) -> DynPosition {
        self.with(position, |position| {
            DynPosition(Box::new(self.game.map_position(position, symmetry)))
        })
    }

    fn map_move(&self, mv: DynMove, symmetry: Symmetry) -> DynMove {
        let image = self.mv(mv).map(|mv| self.game.map_move(mv, symmetry));
        image.map_or(mv, |image| self.number(image))
    }

    fn canonical(&self, position: &DynPosition) -> (DynPosition, Symmetry) {
        self.with(position, |position| {
            let (least, symmetry) = self.game.canonical(position);
            (DynPosition(Box::new(least)), symmetry)
        })
    }

    fn representative(&self, position: &DynPosition) -> DynPosition {
        self.with(position, |position| {
            DynPosition(Box::new(self.game.representative(position)))
        })
    }

    fn count_position_numbers(&self) -> u64 {
        self.game.count_position_numbers()
    }

    fn position_number(&self, position: &DynPosition) -> Option<u64> {
        self.with(position, |position| self.game.position_number(position))
    }

    fn position_from_number(&self, number: u64) -> Option<DynPosition> {
        let position = self.game.position_from_number(number)?;
        Some(DynPosition(Box::new(position)))
    }

    fn text(&self, position: &DynPosition) -> String {
        self.with(position, |position| self.game.text(position))
    }

    fn parse(&self, text: &str) -> Result<DynPosition, SetupError> {
        Ok(DynPosition(Box::new(self.game.parse(text)?)))
    }

    fn parse_move(&self, text: &str) -> Result<DynMove, MoveError> {
        Ok(self.number(self.game.parse_move(text)?))
    }

    fn move_text(&self, mv: DynMove) -> String {
        let mv = self.mv(mv);
        mv.map_or_else(String::new, |mv| self.game.move_text(mv))
    }

    fn count_actions(&self) -> usize {
        self.numbers.count(&self.game)
    }

    fn observation_shape(&self) -> Vec<usize> {
        self.game.observation_shape()
    }

    fn opponents_planes(&self, side: Side) -> Vec<usize> {
        self.game.opponents_planes(side)
    }

    fn write_observation(&self, position: &DynPosition, planes: &mut [u8]) {
        self.with(position, |position| {
            self.game.write_observation(position, planes);
        });
    }

    fn to_digits(&self, position: &DynPosition) -> Option<String> {
        self.with(position, |position| self.game.to_digits(position))
    }

    fn to_lists(&self, position: &DynPosition) -> Option<String> {
        self.with(position, |position| self.game.to_lists(position))
    }

    fn board(&self) -> BoardShape {
        self.game.board()
    }

    fn cell(&self, position: &DynPosition, place: Place) -> CellView {
        self.with(position, |position| self.game.cell(position, place))
    }

    fn taps(&self, mv: DynMove) -> Vec<Target> {
        self.mv(mv).map_or_else(Vec::new, |mv| self.game.taps(mv))
    }

    fn taps_in(&self, position: &DynPosition, mv: DynMove) -> Vec<Target> {
        let Some(mv) = self.mv(mv) else {
            return Vec::new();
        };
        self.with(position, |position| self.game.taps_in(position, mv))
    }

    fn pieces(&self) -> Vec<Piece> {
        self.game.pieces()
    }

    fn piece_name(&self, piece: u8) -> String {
        self.game.piece_name(piece)
    }

    fn reserve(&self, position: &DynPosition, side: Side) -> Vec<(u8, u32)> {
        self.with(position, |position| self.game.reserve(position, side))
    }

    fn frame(&self, position: &DynPosition) -> Option<Frame> {
        self.with(position, |position| self.game.frame(position))
    }

    fn winning_lines(&self, position: &DynPosition) -> Vec<Vec<Place>> {
        self.with(position, |position| self.game.winning_lines(position))
    }

    fn changed_places(&self, after: &DynPosition, mv: DynMove) -> Vec<Place> {
        let Some(mv) = self.mv(mv) else {
            return Vec::new();
        };
        self.with(after, |after| self.game.changed_places(after, mv))
    }

    fn place_name(&self, place: Place) -> String {
        self.game.place_name(place)
    }

    fn parse_place(&self, text: &str) -> Option<Place> {
        self.game.parse_place(text)
    }

    fn aim(&self, place: Place) -> Place {
        self.game.aim(place)
    }

    fn check_place(&self, position: &DynPosition, place: Place) -> Result<(), MoveError> {
        self.with(position, |position| self.game.check_place(position, place))
    }

    fn count_open_cells(&self, position: &DynPosition, place: Place) -> u32 {
        self.with(position, |position| {
            self.game.count_open_cells(position, place)
        })
    }

    fn board_after(&self, position: &DynPosition, mv: DynMove) -> Option<Place> {
        let mv = self.mv(mv)?;
        self.with(position, |position| self.game.board_after(position, mv))
    }

    fn consequence(&self, position: &DynPosition, mv: DynMove) -> Option<String> {
        let mv = self.mv(mv)?;
        self.with(position, |position| self.game.consequence(position, mv))
    }

    fn accepts_move(&self, position: &DynPosition, place: Place) -> bool {
        self.with(position, |position| self.game.accepts_move(position, place))
    }

    fn tap(
        &self,
        position: &DynPosition,
        taps: &[Target],
    ) -> Result<(Option<DynMove>, Vec<Target>), MoveError> {
        let (mv, next) = self.with(position, |position| self.game.tap(position, taps))?;
        Ok((mv.map(|mv| self.number(mv)), next))
    }

    fn render(&self, position: &DynPosition, last: Option<DynMove>, is_ongoing: bool) -> Drawing {
        let last = last.and_then(|mv| self.mv(mv));
        self.with(position, |position| {
            self.game.render(position, last, is_ongoing)
        })
    }

    fn prompt(&self, position: &DynPosition) -> String {
        self.with(position, |position| self.game.prompt(position))
    }
}

impl Game for DynGame {
    type Position = DynPosition;
    type Move = DynMove;

    fn variant(&self) -> Variant {
        self.0.variant()
    }

    fn can_repeat(&self) -> bool {
        self.0.can_repeat()
    }

    fn start(&self) -> DynPosition {
        self.0.start()
    }

    fn side(&self, position: &DynPosition) -> Side {
        self.0.side(position)
    }

    fn outcome(&self, position: &DynPosition) -> Option<Outcome> {
        self.0.outcome(position)
    }

    fn ending(&self, position: &DynPosition) -> Option<Ending> {
        self.0.ending(position)
    }

    fn count_pieces(&self, position: &DynPosition) -> usize {
        self.0.count_pieces(position)
    }

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

    fn max_plies_left(&self, position: &DynPosition) -> Option<u32> {
        self.0.max_plies_left(position)
    }

    fn count_moves(&self, position: &DynPosition) -> usize {
        self.0.count_moves(position)
    }

    fn nth_move(&self, position: &DynPosition, n: usize) -> Option<DynMove> {
        self.0.nth_move(position, n)
    }

    fn apply(&self, position: &mut DynPosition, mv: DynMove) {
        self.0.apply(position, mv);
    }

    fn check(&self, position: &DynPosition, mv: DynMove) -> Result<(), MoveError> {
        self.0.check(position, mv)
    }

    fn hash(&self, position: &DynPosition) -> u64 {
        self.0.hash(position)
    }

    fn count_symmetries(&self) -> u32 {
        self.0.count_symmetries()
    }

    fn symmetry_name(&self, symmetry: Symmetry) -> String {
        self.0.symmetry_name(symmetry)
    }

    fn map_position(&self, position: &DynPosition, symmetry: Symmetry) -> DynPosition {
        self.0.map_position(position, symmetry)
    }

    fn map_move(&self, mv: DynMove, symmetry: Symmetry) -> DynMove {
        self.0.map_move(mv, symmetry)
    }

    fn canonical(&self, position: &DynPosition) -> (DynPosition, Symmetry) {
        self.0.canonical(position)
    }

    fn representative(&self, position: &DynPosition) -> DynPosition {
        self.0.representative(position)
    }

    fn count_position_numbers(&self) -> u64 {
        self.0.count_position_numbers()
    }

    fn position_number(&self, position: &DynPosition) -> Option<u64> {
        self.0.position_number(position)
    }

    fn position_from_number(&self, number: u64) -> Option<DynPosition> {
        self.0.position_from_number(number)
    }

    fn text(&self, position: &DynPosition) -> String {
        self.0.text(position)
    }

    fn parse(&self, text: &str) -> Result<DynPosition, SetupError> {
        self.0.parse(text)
    }

    fn parse_move(&self, text: &str) -> Result<DynMove, MoveError> {
        self.0.parse_move(text)
    }

    fn move_text(&self, mv: DynMove) -> String {
        self.0.move_text(mv)
    }

    fn actions(&self) -> Vec<DynMove> {
        (0..self.count_actions() as u32).map(DynMove).collect()
    }

    fn count_actions(&self) -> usize {
        self.0.count_actions()
    }

    fn action(&self, mv: DynMove) -> usize {
        mv.0 as usize
    }

    fn move_from_action(&self, action: usize) -> Option<DynMove> {
        (action < self.count_actions()).then_some(DynMove(action as u32))
    }

    fn observation_shape(&self) -> Vec<usize> {
        self.0.observation_shape()
    }

    fn opponents_planes(&self, side: Side) -> Vec<usize> {
        self.0.opponents_planes(side)
    }

    fn write_observation(&self, position: &DynPosition, planes: &mut [u8]) {
        self.0.write_observation(position, planes);
    }

    fn to_digits(&self, position: &DynPosition) -> Option<String> {
        self.0.to_digits(position)
    }

    fn to_lists(&self, position: &DynPosition) -> Option<String> {
        self.0.to_lists(position)
    }

    fn board(&self) -> BoardShape {
        self.0.board()
    }

    fn cell(&self, position: &DynPosition, place: Place) -> CellView {
        self.0.cell(position, place)
    }

    fn taps(&self, mv: DynMove) -> Vec<Target> {
        self.0.taps(mv)
    }

    fn taps_in(&self, position: &DynPosition, mv: DynMove) -> Vec<Target> {
        self.0.taps_in(position, mv)
    }

    fn pieces(&self) -> Vec<Piece> {
        self.0.pieces()
    }

    fn piece_name(&self, piece: u8) -> String {
        self.0.piece_name(piece)
    }

    fn reserve(&self, position: &DynPosition, side: Side) -> Vec<(u8, u32)> {
        self.0.reserve(position, side)
    }

    fn frame(&self, position: &DynPosition) -> Option<Frame> {
        self.0.frame(position)
    }

    fn winning_lines(&self, position: &DynPosition) -> Vec<Vec<Place>> {
        self.0.winning_lines(position)
    }

    fn changed_places(&self, after: &DynPosition, mv: DynMove) -> Vec<Place> {
        self.0.changed_places(after, mv)
    }

    fn place_name(&self, place: Place) -> String {
        self.0.place_name(place)
    }

    fn parse_place(&self, text: &str) -> Option<Place> {
        self.0.parse_place(text)
    }

    fn aim(&self, place: Place) -> Place {
        self.0.aim(place)
    }

    fn check_place(&self, position: &DynPosition, place: Place) -> Result<(), MoveError> {
        self.0.check_place(position, place)
    }

    fn count_open_cells(&self, position: &DynPosition, place: Place) -> u32 {
        self.0.count_open_cells(position, place)
    }

    fn board_after(&self, position: &DynPosition, mv: DynMove) -> Option<Place> {
        self.0.board_after(position, mv)
    }

    fn consequence(&self, position: &DynPosition, mv: DynMove) -> Option<String> {
        self.0.consequence(position, mv)
    }

    fn accepts_move(&self, position: &DynPosition, place: Place) -> bool {
        self.0.accepts_move(position, place)
    }

    fn tap(
        &self,
        position: &DynPosition,
        taps: &[Target],
    ) -> Result<(Option<DynMove>, Vec<Target>), MoveError> {
        self.0.tap(position, taps)
    }

    fn render(&self, position: &DynPosition, last: Option<DynMove>, is_ongoing: bool) -> Drawing {
        self.0.render(position, last, is_ongoing)
    }

    fn prompt(&self, position: &DynPosition) -> String {
        self.0.prompt(position)
    }
}
