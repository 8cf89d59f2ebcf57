//! A game being played: a position with its history.

use std::collections::HashMap;

use crate::error::MoveError;
use crate::game::Game;
use crate::outcome::{Ending, Outcome, Side};
use crate::symmetry::Symmetry;

/// A game in progress: where it began, the moves made, where it stands. Knows
/// what a position alone cannot: that it has occurred for the third time.
///
/// ```
/// use noughts_rules::{Ending, Game, Play, TicTacTwo};
///
/// let mut play = Play::new(TicTacTwo::standard());
/// // Two pieces each, then the grid goes to and fro.
/// for text in ["b2", "c2", "d3", "c4", "@b3", "@c3", "@b3", "@c3", "@b3", "@c3", "@b3", "@c3"] {
///     let mv = play.game().parse_move(text)?;
///     if play.play(mv).is_err() {
///         break;
///     }
/// }
/// assert_eq!(play.ending(), Some(Ending::Repetition));
/// # Ok::<(), noughts_rules::Refusal>(())
/// ```
#[derive(Clone, Debug)]
pub struct GameState<G: Game> {
    game: G,
    start: G::Position,
    position: G::Position,
    moves: Vec<G::Move>,
    repetitions: RepetitionCounter<G>,
}

/// How often each position has occurred in a game where one can come back: the rule of
/// repetition, for those who keep a position without its whole [`Play`]. In other games it
/// stays empty and costs nothing.
///
/// ```
/// use noughts_rules::{Game, Occurrences, TicTacTwo};
/// let start = TicTacTwo::standard().start();
/// let mut seen = Occurrences::<TicTacTwo>::default();
/// for times in 1..=3 {
///     seen.note(&start);
///     assert_eq!(seen.of(&start), times);
/// }
/// assert!(seen.ends_at(&start));
/// ```
#[derive(Clone, Debug)]
pub struct RepetitionCounter<G: Game>(HashMap<G::Position, u32>);

/// So many occurrences of a position end the game.
const REPETITIONS: u32 = 3;

impl<G: Game> Default for RepetitionCounter<G> {
    fn default() -> RepetitionCounter<G> {
        RepetitionCounter(HashMap::new())
    }
}

impl<G: Game> RepetitionCounter<G> {
    /// The position is on the board now.
    #[inline]
    pub fn record(&mut self, position: &G::Position) {
        if G::CAN_REPEAT {
            *self.0.entry(position.clone()).or_default() += 1;
        }
    }

    /// How often it has been there.
    #[must_use]
    pub fn count(&self, position: &G::Position) -> u32 {
        self.0.get(position).copied().unwrap_or_default()
    }

    /// Is the game a draw now that this position is there (again)?
    #[inline]
    #[must_use]
    pub fn is_draw_by_repetition(&self, position: &G::Position) -> bool {
        G::CAN_REPEAT && self.count(position) >= REPETITIONS
    }

    /// Forgets all, for another game.
    pub fn clear(&mut self) {
        self.0.clear();
    }
}

impl<G: Game> GameState<G> {
    /// A game from its start.
    pub fn new(game: G) -> GameState<G> {
        let start = game.start();
        GameState::from_position(game, start)
    }

    /// A game from some position, which counts as its first occurrence.
    pub fn from_position(game: G, start: G::Position) -> GameState<G> {
        let mut play = GameState {
            game,
            position: start.clone(),
            start,
            moves: Vec::new(),
            repetitions: RepetitionCounter::default(),
        };
        play.note();
        play
    }

    fn note(&mut self) {
        self.repetitions.record(&self.position);
    }

    /// How often this position has occurred in the game so far; always 0 in games
    /// where none can come back. With the third time the game is a draw.
    ///
    /// ```
    /// use noughts_rules::{Game, Play, TicTacTwo};
    /// let mut play = Play::new(TicTacTwo::standard());
    /// // Two pieces each, then the grid goes there and back.
    /// for text in ["b2", "c2", "d3", "c4", "@b3", "@c3"] {
    ///     play.play(play.game().parse_move(text)?)?;
    /// }
    /// assert_eq!(play.occurrences(play.position()), 2);
    /// # Ok::<(), noughts_rules::Refusal>(())
    /// ```
    pub fn occurrences(&self, position: &G::Position) -> u32 {
        self.repetitions.count(position)
    }

    fn repeated(&self) -> bool {
        self.repetitions.is_draw_by_repetition(&self.position)
    }

    /// The rules.
    pub fn game(&self) -> &G {
        &self.game
    }

    /// Where the game began.
    pub fn start(&self) -> &G::Position {
        &self.start
    }

    /// Where it stands.
    pub fn position(&self) -> &G::Position {
        &self.position
    }

    /// The moves made.
    pub fn moves(&self) -> &[G::Move] {
        &self.moves
    }

    /// How many moves led here: those made, and those that the start's pieces
    /// stand for.
    pub fn ply(&self) -> usize {
        self.game.count_pieces(&self.start) + self.moves.len()
    }

    /// Who moves next.
    pub fn side(&self) -> Side {
        self.game.side(&self.position)
    }

    /// The result, once the game is over.
    pub fn outcome(&self) -> Option<Outcome> {
        let by_position = self.game.outcome(&self.position);
        by_position.or_else(|| self.repeated().then_some(Outcome::Draw))
    }

    /// How the game ended.
    pub fn ending(&self) -> Option<Ending> {
        let by_position = self.game.ending(&self.position);
        by_position.or_else(|| self.repeated().then_some(Ending::Repetition))
    }

    /// The legal moves; none once the game is over.
    pub fn legal_moves(&self) -> Vec<G::Move> {
        if self.outcome().is_some() {
            return Vec::new();
        }
        self.game.moves(&self.position)
    }

    /// Is this move legal, and if not, why not?
    ///
    /// # Errors
    /// The reason.
    pub fn check(&self, mv: G::Move) -> Result<(), MoveError> {
        match self.outcome() {
            Some(outcome) => Err(MoveError::game_over(outcome)),
            None => self.game.check(&self.position, mv),
        }
    }

    /// Makes a move, or refuses it and leaves the game as it was.
    ///
    /// # Errors
    /// Why the move was refused.
    pub fn play(&mut self, mv: G::Move) -> Result<(), MoveError> {
        self.check(mv)?;
        self.game.apply(&mut self.position, mv);
        self.moves.push(mv);
        self.note();
        Ok(())
    }

    /// The game turned or mirrored by a symmetry of its board, its history with it.
    #[must_use]
    pub fn transformed(&self, symmetry: Symmetry) -> GameState<G> {
        let game = self.game.clone();
        let mut image =
            GameState::from_position(game, self.game.map_position(&self.start, symmetry));
        let moves = self.moves.iter();
        image.replay(moves.map(|&mv| self.game.map_move(mv, symmetry)).collect());
        image
    }

    /// Makes moves that are known to be legal.
    fn replay(&mut self, moves: Vec<G::Move>) {
        for &mv in &moves {
            self.game.apply(&mut self.position, mv);
            self.note();
        }
        self.moves = moves;
    }

    /// Takes the last move back and gives it.
    ///
    /// ```
    /// use noughts_rules::{Game, Mnk, Play};
    /// let mut play = Play::new(Mnk::classic());
    /// let centre = play.game().parse_move("b2")?;
    /// play.play(centre)?;
    /// // . . .      . . .
    /// // . x .  ->  . . .
    /// // . . .      . . .
    /// assert_eq!(play.undo(), Some(centre));
    /// assert_eq!(play.position(), play.start());
    /// # Ok::<(), noughts_rules::Refusal>(())
    /// ```
    pub fn undo(&mut self) -> Option<G::Move> {
        let mv = self.moves.pop()?;
        // Replaying is cheap, and no move needs to know how to unmake itself.
        let moves = std::mem::take(&mut self.moves);
        *self = GameState::from_position(self.game.clone(), self.start.clone());
        self.replay(moves);
        Some(mv)
    }
}
