//! One type for all games, for front ends: moves and positions are text.

use crate::drawing::Drawing;
use crate::error::{MoveError, SetupError};
use crate::game::Game;
use crate::game_state::GameState;
use crate::outcome::{Ending, Outcome, Side};
use crate::perft;
use crate::symmetry::Symmetry;
use crate::variant::Variant;
use crate::view::{BoardView, Target};

/// Where more moves than this can be legal in some position, they aren't all listed.
const MAX_LISTED_ACTIONS: usize = 5000;

macro_rules! define_any_game_state {
    ([$(#[$attribute:meta])*] $($case:ident: $game:ty,)*) => {
        $(#[$attribute])*
        #[derive(Clone, Debug)]
        #[allow(
            clippy::large_enum_variant,
            reason = "there is only one value for each game in progress"
        )]
        pub enum AnyGameState {
            $(
                #[doc = concat!("A game of the type `", stringify!($case), "`.")]
                $case(GameState<$game>),
            )*
        }

        $(
            impl From<GameState<$game>> for AnyGameState {
                fn from(state: GameState<$game>) -> AnyGameState {
                    AnyGameState::$case(state)
                }
            }
        )*
    };
}

for_each_game_type!(define_any_game_state [
    /// A game in progress of any variant.
    ///
    /// ```
    /// use noughts_rules::AnyGameState;
    ///
    /// let mut state = AnyGameState::new("classic".parse()?);
    /// for mv in ["b2", "a1", "c1", "a3"] {
    ///     state.play(mv)?;
    /// }
    /// assert_eq!(state.render().to_string().lines().collect::<Vec<_>>(), [
    ///     "    a   b   c",
    ///     "  ┌───┬───┬───┐",
    ///     "1 │ O │ · │ X │",
    ///     "  ├───┼───┼───┤",
    ///     "2 │ · │ X │ · │",
    ///     "  ├───┼───┼───┤",
    ///     "3 │(O)│ · │ · │",
    ///     "  └───┴───┴───┘",
    /// ]);
    /// assert_eq!(state.position_text(), "o.x/.x./o.. x");
    /// assert_eq!(state.legal_moves(), ["a2", "b1", "b3", "c2", "c3"]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
]);

/// A computation on a game in progress that is generic over [`Game`]: how generic code is
/// called on an [`AnyGameState`].
pub trait GameVisitor {
    /// The result of the computation.
    type Output;

    /// Runs the computation.
    fn visit<G: Game>(self, state: &GameState<G>) -> Self::Output;
}

macro_rules! match_game_type {
    ([$any:expr, $state:ident, $do:expr] $($case:ident: $game:ty,)*) => {
        match $any {
            $(AnyGameState::$case($state) => $do,)*
        }
    };
}

/// Evaluates the same expression for every game.
macro_rules! each {
    ($any:expr, $state:ident => $do:expr) => {
        for_each_game_type!(match_game_type [$any, $state, $do])
    };
}

impl AnyGameState {
    /// A game from its start.
    #[must_use]
    pub fn new(variant: Variant) -> AnyGameState {
        (variant.info().start)(variant)
    }

    /// A game that starts from a position given as text.
    ///
    /// ```
    /// use noughts_rules::{AnyGameState, Outcome, Side, Variant};
    /// // x x x
    /// // o o .      A finished position is valid, too.
    /// // . . .
    /// let state = AnyGameState::from_text(Variant::CLASSIC, "xxx/oo./... o")?;
    /// assert_eq!(state.outcome(), Some(Outcome::Win(Side::X)));
    /// # Ok::<(), noughts_rules::SetupError>(())
    /// ```
    ///
    /// # Errors
    /// Every reason why the text isn't a position of the variant.
    pub fn from_text(variant: Variant, text: &str) -> Result<AnyGameState, SetupError> {
        let mut state = AnyGameState::new(variant);
        each!(&mut state, state => {
            let start = state.game().parse(text)?;
            *state = GameState::from_position(state.game().clone(), start);
        });
        Ok(state)
    }

    /// What a person sees of the game, and how they make a move.
    // Inlined, every crate that calls it would compile a copy of each game's view.
    #[inline(never)]
    #[must_use]
    pub fn view(&self) -> &dyn BoardView {
        each!(self, state => state)
    }

    /// Runs generic code on the game.
    pub fn visit<V: GameVisitor>(&self, visitor: V) -> V::Output {
        each!(self, state => visitor.visit(state))
    }

    /// The variant.
    #[must_use]
    pub fn variant(&self) -> Variant {
        each!(self, state => state.game().variant())
    }

    /// The side to move.
    #[must_use]
    pub fn side(&self) -> Side {
        each!(self, state => state.side())
    }

    /// The result, once the game is over.
    #[must_use]
    pub fn outcome(&self) -> Option<Outcome> {
        each!(self, state => state.outcome())
    }

    /// How the game ended.
    #[must_use]
    pub fn ending(&self) -> Option<Ending> {
        each!(self, state => state.ending())
    }

    /// How many moves led here.
    #[must_use]
    pub fn ply(&self) -> usize {
        each!(self, state => state.ply())
    }

    /// How many moves were made from the starting position.
    #[must_use]
    pub fn move_count(&self) -> usize {
        each!(self, state => state.moves().len())
    }

    /// The position as one line of text.
    #[must_use]
    pub fn position_text(&self) -> String {
        each!(self, state => state.game().text(state.position()))
    }

    /// The position the game started from, as text.
    #[must_use]
    pub fn start_text(&self) -> String {
        each!(self, state => state.game().text(state.start()))
    }

    /// The game at the position that it started from.
    #[must_use]
    pub fn restarted(&self) -> AnyGameState {
        each!(self, state => state.restarted().into())
    }

    /// Did the game start from the variant's standard starting position?
    #[must_use]
    pub fn has_standard_start(&self) -> bool {
        each!(self, state => *state.start() == state.game().start())
    }

    /// The legal moves, sorted as text.
    #[must_use]
    pub fn legal_moves(&self) -> Vec<String> {
        let mut moves = each!(self, state => move_texts(state.game(), &state.legal_moves()));
        moves.sort_unstable();
        moves
    }

    /// How many legal moves there are.
    #[must_use]
    pub fn count_moves(&self) -> usize {
        if self.outcome().is_some() {
            return 0;
        }
        each!(self, state => state.game().count_moves(state.position()))
    }

    /// An upper bound on the number of plies left; `None` where positions can repeat.
    #[must_use]
    pub fn max_plies_left(&self) -> Option<u32> {
        each!(self, state => state.game().max_plies_left(state.position()))
    }

    /// The moves made.
    #[must_use]
    pub fn moves(&self) -> Vec<String> {
        each!(self, state => move_texts(state.game(), state.moves()))
    }

    /// The side that made each move.
    ///
    /// ```
    /// use noughts_rules::{AnyGameState, Side, Variant};
    /// let mut state = AnyGameState::new(Variant::CLASSIC);
    /// state.play("b2")?;
    /// state.play("a1")?;
    /// // o . .
    /// // . x .
    /// // . . .
    /// assert_eq!(state.move_sides(), [Side::X, Side::O]);
    /// # Ok::<(), noughts_rules::MoveError>(())
    /// ```
    #[must_use]
    pub fn move_sides(&self) -> Vec<Side> {
        each!(self, state => sides_of_moves(state))
    }

    /// The last move made.
    #[must_use]
    pub fn last_move(&self) -> Option<String> {
        each!(self, state => {
            let mv = state.moves().last()?;
            Some(state.game().move_text(*mv))
        })
    }

    /// Is this move legal, and if not, why not?
    ///
    /// ```
    /// use noughts_rules::{AnyGameState, Variant};
    /// // x . .
    /// // . . .
    /// // . . .
    /// let state = AnyGameState::from_text(Variant::CLASSIC, "x../.../... o")?;
    /// assert_eq!(state.check("b2"), Ok(()));
    /// assert_eq!(state.check("a1").unwrap_err().to_string(), "a1 is taken");
    /// # Ok::<(), noughts_rules::SetupError>(())
    /// ```
    ///
    /// # Errors
    /// Why it would be rejected.
    pub fn check(&self, text: &str) -> Result<(), MoveError> {
        each!(self, state => {
            if let Some(outcome) = state.outcome() {
                return Err(MoveError::game_over(outcome));
            }
            state.check(state.game().parse_move(text)?)
        })
    }

    /// Makes a move, or rejects it and leaves the game unchanged.
    ///
    /// # Errors
    /// Why the move was rejected.
    pub fn play(&mut self, text: &str) -> Result<(), MoveError> {
        each!(self, state => {
            if let Some(outcome) = state.outcome() {
                return Err(MoveError::game_over(outcome));
            }
            let mv = state.game().parse_move(text)?;
            state.play(mv)
        })
    }

    /// The size of the action space (see [`Game::count_actions`]).
    #[must_use]
    pub fn count_actions(&self) -> usize {
        each!(self, state => state.game().count_actions())
    }

    /// Every move that can be legal in some position, in the order of the action numbers, with the taps that make it. `None`
    /// if there are too many to list.
    #[must_use]
    pub fn actions(&self) -> Option<Vec<(String, Vec<Target>)>> {
        if self.count_actions() > MAX_LISTED_ACTIONS {
            return None;
        }
        Some(each!(self, state => {
            let (game, position) = (state.game(), state.position());
            let actions = game.actions().into_iter();
            actions.map(|mv| (game.move_text(mv), game.taps_in(position, mv))).collect()
        }))
    }

    /// The action number of a move, legal or not.
    ///
    /// ```
    /// use noughts_rules::{AnyGameState, Variant};
    /// // 0 1 2
    /// // 3 4 5
    /// // 6 7 8
    /// let state = AnyGameState::new(Variant::CLASSIC);
    /// assert_eq!(state.action("c1")?, 2);
    /// assert_eq!(state.move_from_action(2).as_deref(), Some("c1"));
    /// assert_eq!(state.move_from_action(9), None);
    /// # Ok::<(), noughts_rules::MoveError>(())
    /// ```
    ///
    /// # Errors
    /// An explanation of what a move of this game looks like.
    pub fn action(&self, text: &str) -> Result<usize, MoveError> {
        each!(self, state => Ok(state.game().action(state.game().parse_move(text)?)))
    }

    /// The move with this action number, legal or not.
    #[must_use]
    pub fn move_from_action(&self, action: usize) -> Option<String> {
        each!(self, state => {
            let mv = state.game().move_from_action(action)?;
            Some(state.game().move_text(mv))
        })
    }

    /// The action numbers of the legal moves, in ascending order.
    #[must_use]
    pub fn legal_actions(&self) -> Vec<usize> {
        let mut actions: Vec<usize> = each!(self, state => {
            let moves = state.legal_moves().into_iter();
            moves.map(|mv| state.game().action(mv)).collect()
        });
        actions.sort_unstable();
        actions
    }

    /// The shape of the observation (see [`Game::observation_shape`]).
    #[must_use]
    pub fn observation_shape(&self) -> Vec<usize> {
        each!(self, state => state.game().observation_shape())
    }

    /// The observation of the side to move, as zeros and ones (see [`Game::write_observation`]).
    ///
    /// ```
    /// use noughts_rules::{AnyGameState, Variant};
    /// // x . .
    /// // . . .      O is to move: the opponent's marks are the second plane.
    /// // . . .
    /// let state = AnyGameState::from_text(Variant::CLASSIC, "x../.../... o")?;
    /// assert_eq!(state.observation_shape(), [2, 3, 3]);
    /// assert_eq!(state.observation()[9..], [1, 0, 0, 0, 0, 0, 0, 0, 0]);
    /// assert_eq!(state.action_mask(), [0, 1, 1, 1, 1, 1, 1, 1, 1]);
    /// # Ok::<(), noughts_rules::SetupError>(())
    /// ```
    #[must_use]
    pub fn observation(&self) -> Vec<u8> {
        let mut planes = vec![0; self.observation_shape().iter().product()];
        each!(self, state => state.game().write_observation(state.position(), &mut planes));
        planes
    }

    /// The planes of the observation from the other side's point of view (see [`Game::opponents_planes`]).
    #[must_use]
    pub fn opponents_planes(&self, side: Side) -> Vec<usize> {
        each!(self, state => state.game().opponents_planes(side))
    }

    /// The action mask: 1 for every legal action, 0 for the others. All zeros once the game is
    /// over.
    #[must_use]
    pub fn action_mask(&self) -> Vec<i8> {
        let mut mask = vec![0; self.count_actions()];
        if self.outcome().is_none() {
            each!(self, state => state.game().write_action_mask(state.position(), &mut mask));
        }
        mask
    }

    /// The game and its history, rotated or reflected.
    ///
    /// ```
    /// use noughts_rules::{AnyGameState, SquareSymmetry, Variant};
    /// let mut state = AnyGameState::new(Variant::CLASSIC);
    /// state.play("a1")?;
    /// // x . .      . . x
    /// // . . .  ->  . . .
    /// // . . .      . . .
    /// let image = state.transformed(SquareSymmetry::Rotate90.into());
    /// assert_eq!(image.position_text(), "..x/.../... o");
    /// assert_eq!(image.moves(), ["c1"]);
    /// # Ok::<(), noughts_rules::MoveError>(())
    /// ```
    #[must_use]
    pub fn transformed(&self, symmetry: Symmetry) -> AnyGameState {
        let mut image = self.clone();
        if symmetry.0 < self.count_symmetries() {
            each!(&mut image, state => *state = state.transformed(symmetry));
        }
        image
    }

    /// Undoes the last move and returns it.
    pub fn undo(&mut self) -> Option<String> {
        each!(self, state => {
            let mv = state.undo()?;
            Some(state.game().move_text(mv))
        })
    }

    /// How often the current position has occurred in this game, including now.
    ///
    /// ```
    /// use noughts_rules::{AnyGameState, Variant};
    /// let mut state = AnyGameState::new(Variant::TIC_TAC_TWO);
    /// for mv in ["b2", "d2", "b4", "d4"] {
    ///     state.play(mv)?;
    /// }
    /// assert_eq!(state.occurrences(), 1);
    /// // Both move the grid away and back: the same board and side to move.
    /// for mv in ["@b3", "@c3"] {
    ///     state.play(mv)?;
    /// }
    /// assert_eq!(state.occurrences(), 2);
    /// # Ok::<(), noughts_rules::MoveError>(())
    /// ```
    #[must_use]
    pub fn occurrences(&self) -> u32 {
        each!(self, state => state.occurrences(state.position()))
    }

    /// A 64-bit hash of the whole position.
    #[must_use]
    pub fn hash(&self) -> u64 {
        each!(self, state => state.game().hash(state.position()))
    }

    /// How many symmetries the board has, including the identity.
    #[must_use]
    pub fn count_symmetries(&self) -> u32 {
        each!(self, state => state.game().count_symmetries())
    }

    /// The name of a symmetry of the board.
    #[must_use]
    pub fn symmetry_name(&self, symmetry: Symmetry) -> String {
        each!(self, state => state.game().symmetry_name(symmetry))
    }

    /// The digits of another program's format, in games that have one.
    pub(crate) fn digits(&self) -> Option<String> {
        each!(self, state => state.game().to_digits(state.position()))
    }

    /// The position as JSON lists, in games that have this format.
    pub(crate) fn lists(&self) -> Option<String> {
        each!(self, state => state.game().to_lists(state.position()))
    }

    /// Counts the games of `depth` moves from here (see [`perft`](crate::perft())). There are
    /// none once the game is over, even if only by repetition.
    #[must_use]
    pub fn perft(&self, depth: u32) -> u64 {
        if self.outcome().is_some() {
            return u64::from(depth == 0);
        }
        each!(self, state => perft::perft(state.game(), state.position(), depth))
    }

    /// The same count below each legal move, sorted by the text of the move.
    ///
    /// ```
    /// use noughts_rules::{AnyGameState, Variant};
    /// // x o x
    /// // o x o      X wins immediately with a3 or c3.
    /// // . . .
    /// let state = AnyGameState::from_text(Variant::CLASSIC, "xox/oxo/... x")?;
    /// let counts = [("a3".into(), 0), ("b3".into(), 2), ("c3".into(), 0)];
    /// assert_eq!(state.divide(2), counts);
    /// # Ok::<(), noughts_rules::SetupError>(())
    /// ```
    #[must_use]
    pub fn divide(&self, depth: u32) -> Vec<(String, u64)> {
        if self.outcome().is_some() {
            return Vec::new();
        }
        let mut leaves: Vec<(String, u64)> = each!(self, state => {
            let game = state.game();
            let divided = perft::divide(game, state.position(), depth).into_iter();
            divided.map(|(mv, leaves)| (game.move_text(mv), leaves)).collect()
        });
        leaves.sort_unstable();
        leaves
    }

    /// The board drawn in text.
    #[must_use]
    pub fn render(&self) -> Drawing {
        self.render_as(self.outcome().is_none())
    }

    /// The same for a game that is over, however it ended: no cell is marked as legal.
    ///
    /// ```
    /// use noughts_rules::{AnyGameState, Variant};
    /// // X has resigned.
    /// let state = AnyGameState::from_text(Variant::CLASSIC, "x../.o./... x")?;
    /// assert!(state.render().to_string().contains('·'));
    /// assert!(!state.render_ended().to_string().contains('·'));
    /// # Ok::<(), noughts_rules::SetupError>(())
    /// ```
    #[must_use]
    pub fn render_ended(&self) -> Drawing {
        self.render_as(false)
    }

    fn render_as(&self, is_ongoing: bool) -> Drawing {
        each!(self, state => {
            state.game().render(state.position(), state.moves().last().copied(), is_ongoing)
        })
    }

    /// What the side to move may do, as a sentence fragment; empty once the game is over.
    ///
    /// ```
    /// use noughts_rules::{AnyGameState, Variant};
    /// // x o x
    /// // o x o
    /// // . . .
    /// let state = AnyGameState::from_text(Variant::CLASSIC, "xox/oxo/... x")?;
    /// assert_eq!(state.instruction(), "take an empty cell; 3 in a row wins");
    /// # Ok::<(), noughts_rules::SetupError>(())
    /// ```
    #[must_use]
    pub fn instruction(&self) -> String {
        match self.outcome() {
            Some(_) => String::new(),
            None => each!(self, state => state.game().prompt(state.position())),
        }
    }
}

fn move_texts<G: Game>(game: &G, moves: &[G::Move]) -> Vec<String> {
    moves.iter().map(|&mv| game.move_text(mv)).collect()
}

fn sides_of_moves<G: Game>(state: &GameState<G>) -> Vec<Side> {
    let game = state.game();
    let mut position = state.start().clone();
    let sides = state.moves().iter().map(|&mv| {
        let side = game.side(&position);
        game.apply(&mut position, mv);
        side
    });
    sides.collect()
}
