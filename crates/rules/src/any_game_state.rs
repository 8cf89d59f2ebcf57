//! One type over all games, for front ends: moves and positions are text.

use crate::drawing::Drawing;
use crate::error::{FaultKinds, MoveError, SetupError};
use crate::game::Game;
use crate::game_state::GameState;
use crate::mnk::{LargeMnk, Mnk};
use crate::nested::{D1, D2, D3, DynDepth, Nested, NestedGameState, Rule5a, Ultimate};
use crate::outcome::{Ending, Outcome, Side};
use crate::perft;
use crate::setup::{Owner, Setup};
use crate::symmetry::Symmetry;
use crate::tic_tac_two::TicTacTwo;
use crate::variant::Variant;

/// A game in progress of any variant.
///
/// ```
/// use noughts_rules::AnyPlay;
///
/// let mut play = AnyPlay::new("classic".parse()?);
/// for mv in ["b2", "a1", "c1", "a3"] {
///     play.play(mv)?;
/// }
/// assert_eq!(play.draw().to_string().lines().collect::<Vec<_>>(), [
///     "    a   b   c",
///     "  ┌───┬───┬───┐",
///     "1 │ O │ · │ X │",
///     "  ├───┼───┼───┤",
///     "2 │ · │ X │ · │",
///     "  ├───┼───┼───┤",
///     "3 │(O)│ · │ · │",
///     "  └───┴───┴───┘",
/// ]);
/// assert_eq!(play.position_text(), "o.x/.x./o.. x");
/// assert_eq!(play.legal_moves(), ["a2", "b1", "b3", "c2", "c3"]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
#[allow(
    clippy::large_enum_variant,
    reason = "one for each game in progress, never many"
)]
pub enum AnyGameState {
    /// A flat board that fits one word.
    Mnk(GameState<Mnk>),
    /// A larger flat board.
    LargeMnk(GameState<LargeMnk>),
    /// Tic-Tac-Two.
    TicTacTwo(GameState<TicTacTwo>),
    /// Ultimate tic-tac-toe.
    Ultimate(GameState<Nested<Ultimate>>),
    /// `ception:5a`.
    Rule5a(GameState<Nested<Rule5a>>),
    /// A nested board of depth 1.
    Nested1(GameState<Nested<D1>>),
    /// A nested board of depth 2 with other rules.
    Nested2(GameState<Nested<D2>>),
    /// A nested board of depth 3.
    Nested3(GameState<Nested<D3>>),
    /// A deeper nested board.
    NestedDeep(GameState<Nested<DynDepth>>),
}

/// A game in progress as front ends tell games apart: nested ones are alike, whatever
/// their depth.
#[derive(Clone, Copy)]
pub enum BoardKind<'a> {
    /// A flat board that fits one word.
    Mnk(&'a GameState<Mnk>),
    /// A larger flat board.
    LargeMnk(&'a GameState<LargeMnk>),
    /// Tic-Tac-Two.
    TicTacTwo(&'a GameState<TicTacTwo>),
    /// Boards inside boards.
    Nested(&'a dyn NestedGameState),
}

/// Something to do with a game in progress, whatever its type: how code that is
/// generic over [`Game`] is reached from an [`AnyPlay`].
pub trait Visitor {
    /// What comes of it.
    type Output;

    /// Does it.
    fn visit<G: Game>(self, play: &GameState<G>) -> Self::Output;
}

/// The same expression for every game.
macro_rules! each {
    ($any:expr, $play:ident => $do:expr) => {
        match $any {
            AnyGameState::Mnk($play) => $do,
            AnyGameState::LargeMnk($play) => $do,
            AnyGameState::TicTacTwo($play) => $do,
            AnyGameState::Ultimate($play) => $do,
            AnyGameState::Rule5a($play) => $do,
            AnyGameState::Nested1($play) => $do,
            AnyGameState::Nested2($play) => $do,
            AnyGameState::Nested3($play) => $do,
            AnyGameState::NestedDeep($play) => $do,
        }
    };
}

/// Builds the game of a variant and does something with it.
macro_rules! with_game {
    ($variant:expr, $game:ident => $do:expr) => {{
        match $variant {
            Variant::Mnk(options) => match Mnk::new(options) {
                Some($game) => Some(AnyGameState::Mnk($do)),
                None => match LargeMnk::new(options) {
                    Some($game) => Some(AnyGameState::LargeMnk($do)),
                    None => None,
                },
            },
            Variant::TicTacTwo(options) => {
                let $game = TicTacTwo::new(options);
                Some(AnyGameState::TicTacTwo($do))
            }
            Variant::Nested(options) => {
                if let Some($game) = Nested::<Ultimate>::new(options) {
                    Some(AnyGameState::Ultimate($do))
                } else if let Some($game) = Nested::<Rule5a>::new(options) {
                    Some(AnyGameState::Rule5a($do))
                } else if let Some($game) = Nested::<D1>::new(options) {
                    Some(AnyGameState::Nested1($do))
                } else if let Some($game) = Nested::<D2>::new(options) {
                    Some(AnyGameState::Nested2($do))
                } else if let Some($game) = Nested::<D3>::new(options) {
                    Some(AnyGameState::Nested3($do))
                } else if let Some($game) = Nested::<DynDepth>::new(options) {
                    Some(AnyGameState::NestedDeep($do))
                } else {
                    None
                }
            }
        }
    }};
}

impl AnyGameState {
    /// A game from its start.
    #[must_use]
    pub fn new(variant: Variant) -> AnyGameState {
        let play = with_game!(variant, game => GameState::new(game));
        // Every variant that can be made has a game; the classic one stands in for none.
        play.unwrap_or_else(|| AnyGameState::Mnk(GameState::new(Mnk::classic())))
    }

    /// A game from a position given as text.
    ///
    /// ```
    /// use noughts_rules::{AnyPlay, Outcome, Player, Variant};
    /// // x x x
    /// // o o .      A finished position is a position, too.
    /// // . . .
    /// let play = AnyPlay::from_text(Variant::CLASSIC, "xxx/oo./... o")?;
    /// assert_eq!(play.outcome(), Some(Outcome::Win(Player::X)));
    /// # Ok::<(), noughts_rules::SetupError>(())
    /// ```
    ///
    /// # Errors
    /// Every reason why the text is no position of the variant.
    pub fn from_text(variant: Variant, text: &str) -> Result<AnyGameState, SetupError> {
        let play = with_game!(variant, game => {
            let start = game.parse(text)?;
            GameState::from_position(game, start)
        });
        play.ok_or_else(no_game)
    }

    /// A game from a set-up board.
    ///
    /// # Errors
    /// Every reason why it is no position of the variant.
    pub fn from_setup(variant: Variant, setup: &Setup) -> Result<AnyGameState, SetupError> {
        let play = with_game!(variant, game => {
            let start = game.position(setup)?;
            GameState::from_position(game, start)
        });
        play.ok_or_else(no_game)
    }

    /// Hands the game to code that is generic over it.
    pub fn visit<V: Visitor>(&self, visitor: V) -> V::Output {
        each!(self, play => visitor.visit(play))
    }

    /// The variant.
    #[must_use]
    pub fn variant(&self) -> Variant {
        each!(self, play => play.game().variant())
    }

    /// Who moves next.
    #[must_use]
    pub fn side(&self) -> Side {
        each!(self, play => play.side())
    }

    /// The result, once the game is over.
    #[must_use]
    pub fn outcome(&self) -> Option<Outcome> {
        each!(self, play => play.outcome())
    }

    /// How the game ended.
    #[must_use]
    pub fn ending(&self) -> Option<Ending> {
        each!(self, play => play.ending())
    }

    /// How many moves led here.
    #[must_use]
    pub fn ply(&self) -> usize {
        each!(self, play => play.ply())
    }

    /// The position as one line of text.
    #[must_use]
    pub fn position_text(&self) -> String {
        each!(self, play => play.game().text(play.position()))
    }

    /// The position that the game began with, as text.
    #[must_use]
    pub fn start_text(&self) -> String {
        each!(self, play => play.game().text(play.start()))
    }

    /// Did the game begin with the variant's usual start?
    #[must_use]
    pub fn has_standard_start(&self) -> bool {
        each!(self, play => *play.start() == play.game().start())
    }

    /// The position laid open.
    #[must_use]
    pub fn setup(&self) -> Setup {
        each!(self, play => play.game().setup(play.position()))
    }

    /// Who owns board `index` of `level` of a nested game, level 1 being the nine
    /// outermost boards and `index` counting in the order of paths. Flat boards
    /// have no boards to own.
    ///
    /// ```
    /// use noughts_rules::{AnyPlay, Owner, Player, Variant};
    /// // Board a:  x x x
    /// //           . . .
    /// //           . . .
    /// let text = "xxx....../o..o...../........./........./........./........./........./........./......... - o -";
    /// let play = AnyPlay::from_text(Variant::ULTIMATE, text)?;
    /// assert_eq!(play.owner(1, 0), Owner::One(Player::X));
    /// assert_eq!(play.owner(1, 1), Owner::Nobody);
    /// # Ok::<(), noughts_rules::SetupError>(())
    /// ```
    #[must_use]
    pub fn owner(&self, level: u32, index: usize) -> Owner {
        let nested = self.nested();
        nested.map_or(Owner::Nobody, |play| play.owner(level, index))
    }

    /// The game by the shape of its board.
    ///
    /// ```
    /// use noughts_rules::{AnyPlay, Shape, Variant};
    /// let play = AnyPlay::new(Variant::ULTIMATE);
    /// assert!(matches!(play.shape(), Shape::Nested(board) if board.depth() == 2));
    /// ```
    #[must_use]
    pub fn board_kind(&self) -> BoardKind<'_> {
        match self {
            AnyGameState::Mnk(play) => BoardKind::Mnk(play),
            AnyGameState::LargeMnk(play) => BoardKind::LargeMnk(play),
            AnyGameState::TicTacTwo(play) => BoardKind::TicTacTwo(play),
            AnyGameState::Ultimate(play) => BoardKind::Nested(play),
            AnyGameState::Rule5a(play) => BoardKind::Nested(play),
            AnyGameState::Nested1(play) => BoardKind::Nested(play),
            AnyGameState::Nested2(play) => BoardKind::Nested(play),
            AnyGameState::Nested3(play) => BoardKind::Nested(play),
            AnyGameState::NestedDeep(play) => BoardKind::Nested(play),
        }
    }

    /// The game as one of nested boards, whatever its depth; nothing for flat boards.
    #[must_use]
    pub fn nested(&self) -> Option<&dyn NestedGameState> {
        match self.board_kind() {
            BoardKind::Mnk(_) | BoardKind::LargeMnk(_) | BoardKind::TicTacTwo(_) => None,
            BoardKind::Nested(play) => Some(play),
        }
    }

    /// The legal moves, sorted as text.
    #[must_use]
    pub fn legal_moves(&self) -> Vec<String> {
        let mut moves = each!(self, play => texts(play.game(), &play.legal_moves()));
        moves.sort_unstable();
        moves
    }

    /// How many legal moves there are.
    #[must_use]
    pub fn count_moves(&self) -> usize {
        if self.outcome().is_some() {
            return 0;
        }
        each!(self, play => play.game().count_moves(play.position()))
    }

    /// The moves made.
    #[must_use]
    pub fn moves(&self) -> Vec<String> {
        each!(self, play => texts(play.game(), play.moves()))
    }

    /// Who made each of the moves.
    ///
    /// ```
    /// use noughts_rules::{AnyPlay, Player, Variant};
    /// let mut play = AnyPlay::new(Variant::CLASSIC);
    /// play.play("b2")?;
    /// play.play("a1")?;
    /// // o . .
    /// // . x .
    /// // . . .
    /// assert_eq!(play.sides(), [Player::X, Player::O]);
    /// # Ok::<(), noughts_rules::Refusal>(())
    /// ```
    #[must_use]
    pub fn move_sides(&self) -> Vec<Side> {
        each!(self, play => sides(play))
    }

    /// The last move made.
    #[must_use]
    pub fn last_move(&self) -> Option<String> {
        each!(self, play => {
            let mv = play.moves().last()?;
            Some(play.game().move_text(*mv))
        })
    }

    /// Is this move legal, and if not, why not?
    ///
    /// ```
    /// use noughts_rules::{AnyPlay, Variant};
    /// // x . .
    /// // . . .
    /// // . . .
    /// let play = AnyPlay::from_text(Variant::CLASSIC, "x../.../... o")?;
    /// assert_eq!(play.check("b2"), Ok(()));
    /// assert_eq!(play.check("a1").unwrap_err().to_string(), "a1 is taken");
    /// # Ok::<(), noughts_rules::SetupError>(())
    /// ```
    ///
    /// # Errors
    /// Why it would be refused.
    pub fn check(&self, text: &str) -> Result<(), MoveError> {
        each!(self, play => {
            if let Some(outcome) = play.outcome() {
                return Err(MoveError::game_over(outcome));
            }
            play.check(play.game().parse_move(text)?)
        })
    }

    /// Makes a move, or refuses it and leaves the game as it was.
    ///
    /// # Errors
    /// Why the move was refused.
    pub fn play(&mut self, text: &str) -> Result<(), MoveError> {
        each!(self, play => {
            if let Some(outcome) = play.outcome() {
                return Err(MoveError::game_over(outcome));
            }
            let mv = play.game().parse_move(text)?;
            play.play(mv)
        })
    }

    /// How many numbers there are for moves (see [`Game::count_actions`]).
    #[must_use]
    pub fn count_actions(&self) -> usize {
        each!(self, play => play.game().count_actions())
    }

    /// The number of a move, legal or not.
    ///
    /// ```
    /// use noughts_rules::{AnyPlay, Variant};
    /// // 0 1 2
    /// // 3 4 5
    /// // 6 7 8
    /// let play = AnyPlay::new(Variant::CLASSIC);
    /// assert_eq!(play.action("c1")?, 2);
    /// assert_eq!(play.of_action(2).as_deref(), Some("c1"));
    /// assert_eq!(play.of_action(9), None);
    /// # Ok::<(), noughts_rules::Refusal>(())
    /// ```
    ///
    /// # Errors
    /// What a move of this game looks like.
    pub fn action(&self, text: &str) -> Result<usize, MoveError> {
        each!(self, play => Ok(play.game().action(play.game().parse_move(text)?)))
    }

    /// The move with this number, legal or not.
    #[must_use]
    pub fn move_from_action(&self, action: usize) -> Option<String> {
        each!(self, play => {
            let mv = play.game().move_from_action(action)?;
            Some(play.game().move_text(mv))
        })
    }

    /// The numbers of the legal moves, in ascending order.
    #[must_use]
    pub fn legal_actions(&self) -> Vec<usize> {
        let mut actions: Vec<usize> = each!(self, play => {
            let moves = play.legal_moves().into_iter();
            moves.map(|mv| play.game().action(mv)).collect()
        });
        actions.sort_unstable();
        actions
    }

    /// The shape of what the side to move sees (see [`Game::observation_shape`]).
    #[must_use]
    pub fn observation_shape(&self) -> Vec<usize> {
        each!(self, play => play.game().observation_shape())
    }

    /// What the side to move sees, as zeros and ones (see [`Game::observe`]).
    ///
    /// ```
    /// use noughts_rules::{AnyPlay, Variant};
    /// // x . .
    /// // . . .      O is to move: the other player's marks are the second plane.
    /// // . . .
    /// let play = AnyPlay::from_text(Variant::CLASSIC, "x../.../... o")?;
    /// assert_eq!(play.observation_shape(), [2, 3, 3]);
    /// assert_eq!(play.observation()[9..], [1, 0, 0, 0, 0, 0, 0, 0, 0]);
    /// assert_eq!(play.action_mask(), [0, 1, 1, 1, 1, 1, 1, 1, 1]);
    /// # Ok::<(), noughts_rules::SetupError>(())
    /// ```
    #[must_use]
    pub fn observation(&self) -> Vec<u8> {
        let mut planes = vec![0; self.observation_shape().iter().product()];
        each!(self, play => play.game().write_observation(play.position(), &mut planes));
        planes
    }

    /// Which of the numbered moves are legal, as ones among zeros; none once the game is
    /// over.
    #[must_use]
    pub fn action_mask(&self) -> Vec<i8> {
        let mut mask = vec![0; self.count_actions()];
        if self.outcome().is_none() {
            each!(self, play => play.game().write_action_mask(play.position(), &mut mask));
        }
        mask
    }

    /// The game turned or mirrored, its history with it.
    ///
    /// ```
    /// use noughts_rules::{AnyPlay, Symmetry, Variant};
    /// let mut play = AnyPlay::new(Variant::CLASSIC);
    /// play.play("a1")?;
    /// // x . .      . . x
    /// // . . .  ->  . . .
    /// // . . .      . . .
    /// let image = play.image(Symmetry::Rotate90);
    /// assert_eq!(image.position_text(), "..x/.../... o");
    /// assert_eq!(image.moves(), ["c1"]);
    /// # Ok::<(), noughts_rules::Refusal>(())
    /// ```
    #[must_use]
    pub fn transformed(&self, symmetry: Symmetry) -> AnyGameState {
        let mut image = self.clone();
        if self.symmetries().contains(&symmetry) {
            each!(&mut image, play => *play = play.transformed(symmetry));
        }
        image
    }

    /// Takes the last move back and gives it.
    pub fn undo(&mut self) -> Option<String> {
        each!(self, play => {
            let mv = play.undo()?;
            Some(play.game().move_text(mv))
        })
    }

    /// How often the position has been there in this game, now included.
    ///
    /// ```
    /// use noughts_rules::{AnyPlay, Variant};
    /// let mut play = AnyPlay::new(Variant::TIC_TAC_TWO);
    /// for mv in ["b2", "d2", "b4", "d4"] {
    ///     play.play(mv)?;
    /// }
    /// assert_eq!(play.occurrences(), 1);
    /// // Both move the grid away and back: the same board, and the same one to move.
    /// for mv in ["@b3", "@c3"] {
    ///     play.play(mv)?;
    /// }
    /// assert_eq!(play.occurrences(), 2);
    /// # Ok::<(), noughts_rules::Refusal>(())
    /// ```
    #[must_use]
    pub fn occurrences(&self) -> u32 {
        each!(self, play => play.occurrences(play.position()))
    }

    /// Sixty-four bits over the whole position.
    #[must_use]
    pub fn hash(&self) -> u64 {
        each!(self, play => play.game().hash(play.position()))
    }

    /// The text of the least image of the position under the board's symmetries.
    #[must_use]
    pub fn canonical_text(&self) -> String {
        each!(self, play => {
            let (least, _) = play.game().canonical(play.position());
            play.game().text(&least)
        })
    }

    /// The symmetries of the board.
    #[must_use]
    pub fn symmetries(&self) -> &'static [Symmetry] {
        each!(self, play => play.game().symmetries())
    }

    /// Counts the games of `depth` moves from here (see [`perft`](crate::perft())).
    /// None once the game is over, by repetition, too.
    #[must_use]
    pub fn perft(&self, depth: u32) -> u64 {
        if self.outcome().is_some() {
            return u64::from(depth == 0);
        }
        each!(self, play => perft::perft(play.game(), play.position(), depth))
    }

    /// The same below each legal move, sorted as text.
    ///
    /// ```
    /// use noughts_rules::{AnyPlay, Variant};
    /// // x o x
    /// // o x o      X wins at once with a3 or c3.
    /// // . . .
    /// let play = AnyPlay::from_text(Variant::CLASSIC, "xox/oxo/... x")?;
    /// let counts = [("a3".into(), 0), ("b3".into(), 2), ("c3".into(), 0)];
    /// assert_eq!(play.divide(2), counts);
    /// # Ok::<(), noughts_rules::SetupError>(())
    /// ```
    #[must_use]
    pub fn divide(&self, depth: u32) -> Vec<(String, u64)> {
        if self.outcome().is_some() {
            return Vec::new();
        }
        let mut leaves: Vec<(String, u64)> = each!(self, play => {
            let game = play.game();
            let divided = perft::divide(game, play.position(), depth).into_iter();
            divided.map(|(mv, leaves)| (game.move_text(mv), leaves)).collect()
        });
        leaves.sort_unstable();
        leaves
    }

    /// The board as a picture in text.
    #[must_use]
    pub fn render(&self) -> Drawing {
        let going_on = self.outcome().is_none();
        each!(self, play => {
            play.game().render(play.position(), play.moves().last().copied(), going_on)
        })
    }

    /// Whose move it is and what there is to do; who won, once the game is over.
    ///
    /// ```
    /// use noughts_rules::{AnyPlay, Variant};
    /// let mut play = AnyPlay::new(Variant::ULTIMATE);
    /// play.play("ec")?;
    /// // ┌a──────┬b──────┲c━━━━━━┓
    /// // │       │       ┃ · · · ┃
    /// // │       │       ┃ · · · ┃
    /// // │       │       ┃ · · · ┃
    /// // ├d──────┼e──────╄f━━━━━━┩
    /// assert_eq!(play.prompt(), "O to move: play in board c");
    /// # Ok::<(), noughts_rules::Refusal>(())
    /// ```
    #[must_use]
    pub fn prompt(&self) -> String {
        match (self.outcome(), self.ending_text()) {
            (Some(outcome), Some(how)) => format!("{outcome}: {how}"),
            (Some(outcome), None) => outcome.to_string(),
            _ => format!("{} to move: {}", self.side(), self.instruction()),
        }
    }

    /// What the side to move is to do, as a sentence part; nothing once the game is
    /// over.
    ///
    /// ```
    /// use noughts_rules::{AnyPlay, Variant};
    /// // x o x
    /// // o x o
    /// // . . .
    /// let play = AnyPlay::from_text(Variant::CLASSIC, "xox/oxo/... x")?;
    /// assert_eq!(play.task(), "take an empty cell; 3 in a row wins");
    /// # Ok::<(), noughts_rules::SetupError>(())
    /// ```
    #[must_use]
    pub fn instruction(&self) -> String {
        match self.outcome() {
            Some(_) => String::new(),
            None => each!(self, play => play.game().prompt(play.position())),
        }
    }

    /// How the game ended, in words that say who made a line where that loses.
    ///
    /// ```
    /// use noughts_rules::{AnyPlay, Variant};
    /// // x x x
    /// // o o .      In misère a line loses.
    /// // . . .
    /// let play = AnyPlay::from_text(Variant::MISERE, "xxx/oo./... o")?;
    /// assert_eq!(play.how_it_ended().as_deref(), Some("X has completed a line"));
    /// # Ok::<(), noughts_rules::SetupError>(())
    /// ```
    #[must_use]
    pub fn ending_text(&self) -> Option<String> {
        let misere = matches!(self.variant(), Variant::Mnk(options) if options.is_misere());
        match (self.outcome()?, self.ending()?) {
            (Outcome::Win(winner), Ending::Line) if misere => {
                Some(format!("{} has completed a line", winner.other()))
            }
            (_, ending) => Some(ending.to_string()),
        }
    }
}

fn texts<G: Game>(game: &G, moves: &[G::Move]) -> Vec<String> {
    moves.iter().map(|&mv| game.move_text(mv)).collect()
}

fn sides<G: Game>(play: &GameState<G>) -> Vec<Side> {
    let game = play.game();
    let mut position = play.start().clone();
    let sides = play.moves().iter().map(|&mv| {
        let side = game.side(&position);
        game.apply(&mut position, mv);
        side
    });
    sides.collect()
}

fn no_game() -> SetupError {
    SetupError::single(FaultKinds::SHAPE, "there is no board of this size")
}
