//! A game in progress: a position with its history.

use std::collections::HashMap;
use std::sync::Arc;

use crate::error::MoveError;
use crate::game::Game;
use crate::outcome::{Ending, Outcome, Side};
use crate::symmetry::Symmetry;

/// A game in progress: its start, the moves made, and the current position. It knows what a
/// position alone can't: whether it has occurred for the third time.
///
/// ```
/// use noughts_rules::{Ending, Game, GameState, TicTacTwo};
///
/// let mut state = GameState::new(TicTacTwo::standard());
/// // Two pieces each, then the grid moves back and forth.
/// for text in ["b2", "c2", "d3", "c4", "@b3", "@c3", "@b3", "@c3", "@b3", "@c3", "@b3", "@c3"] {
///     let mv = state.game().parse_move(text)?;
///     if state.play(mv).is_err() {
///         break;
///     }
/// }
/// assert_eq!(state.ending(), Some(Ending::Repetition));
/// # Ok::<(), noughts_rules::MoveError>(())
/// ```
#[derive(Clone, Debug)]
pub struct GameState<G: Game> {
    game: G,
    /// Shared between copies of the game: a position of depth 6 takes 300 kB, and a server has several copies of a game.
    start: Arc<G::Position>,
    position: Arc<G::Position>,
    moves: Vec<G::Move>,
    repetitions: RepetitionCounter<G>,
}

/// Counts how often each position has occurred, in games where one can occur again. Use it
/// to apply the repetition rule to a position without a whole [`GameState`]. In other games
/// it stays empty and costs nothing.
///
/// ```
/// use noughts_rules::{Game, RepetitionCounter, TicTacTwo};
/// let game = TicTacTwo::standard();
/// let start = game.start();
/// let mut counter = RepetitionCounter::new(&game);
/// for times in 1..=3 {
///     counter.record(&start);
///     assert_eq!(counter.count(&start), times);
/// }
/// assert!(counter.is_draw_by_repetition(&start));
/// ```
#[derive(Clone, Debug)]
pub struct RepetitionCounter<G: Game> {
    counts: HashMap<G::Position, u32>,
    /// Can a position of this game occur again?
    is_active: bool,
}

/// The number of occurrences of a position that ends the game.
pub(crate) const REPETITIONS: u32 = 3;

impl<G: Game> RepetitionCounter<G> {
    /// A counter for this game.
    #[must_use]
    pub fn new(game: &G) -> RepetitionCounter<G> {
        RepetitionCounter {
            counts: HashMap::new(),
            is_active: game.can_repeat(),
        }
    }

    /// Counts one more occurrence of this position.
    #[inline]
    pub fn record(&mut self, position: &G::Position) {
        if self.is_active {
            *self.counts.entry(position.clone()).or_default() += 1;
        }
    }

    /// How often this position has occurred.
    #[must_use]
    pub fn count(&self, position: &G::Position) -> u32 {
        self.counts.get(position).copied().unwrap_or_default()
    }

    /// Is the game a draw by repetition in this position?
    #[inline]
    #[must_use]
    pub fn is_draw_by_repetition(&self, position: &G::Position) -> bool {
        self.is_active && self.count(position) >= REPETITIONS
    }

    /// Resets all counts, for another game.
    pub fn clear(&mut self) {
        self.counts.clear();
    }
}

impl<G: Game> GameState<G> {
    /// A game from its start.
    pub fn new(game: G) -> GameState<G> {
        let start = game.start();
        GameState::from_position(game, start)
    }

    /// A game that starts from this position, which counts as its first occurrence.
    pub fn from_position(game: G, start: G::Position) -> GameState<G> {
        GameState::from_shared_position(game, Arc::new(start))
    }

    fn from_shared_position(game: G, start: Arc<G::Position>) -> GameState<G> {
        let mut state = GameState {
            repetitions: RepetitionCounter::new(&game),
            game,
            position: Arc::clone(&start),
            start,
            moves: Vec::new(),
        };
        state.record_position();
        state
    }

    /// The game at the position that it started from.
    #[must_use]
    pub fn restarted(&self) -> GameState<G> {
        GameState::from_shared_position(self.game.clone(), Arc::clone(&self.start))
    }

    fn record_position(&mut self) {
        self.repetitions.record(&self.position);
    }

    /// How often this position has occurred in the game so far; always 0 in games where no
    /// position can occur again. The third occurrence is a draw.
    ///
    /// ```
    /// use noughts_rules::{Game, GameState, TicTacTwo};
    /// let mut state = GameState::new(TicTacTwo::standard());
    /// // Two pieces each, then the grid moves away and back.
    /// for text in ["b2", "c2", "d3", "c4", "@b3", "@c3"] {
    ///     state.play(state.game().parse_move(text)?)?;
    /// }
    /// assert_eq!(state.occurrences(state.position()), 2);
    /// # Ok::<(), noughts_rules::MoveError>(())
    /// ```
    pub fn occurrences(&self, position: &G::Position) -> u32 {
        self.repetitions.count(position)
    }

    fn is_repetition(&self) -> bool {
        self.repetitions.is_draw_by_repetition(&self.position)
    }

    /// The rules.
    pub fn game(&self) -> &G {
        &self.game
    }

    /// The position the game started from.
    pub fn start(&self) -> &G::Position {
        &self.start
    }

    /// The current position.
    pub fn position(&self) -> &G::Position {
        &self.position
    }

    /// The moves made.
    pub fn moves(&self) -> &[G::Move] {
        &self.moves
    }

    /// How many moves led here: those made, plus one for each piece of the starting position.
    pub fn ply(&self) -> usize {
        self.game.count_pieces(&self.start) + self.moves.len()
    }

    /// The side to move.
    pub fn side(&self) -> Side {
        self.game.side(&self.position)
    }

    /// The result, once the game is over.
    pub fn outcome(&self) -> Option<Outcome> {
        let by_position = self.game.outcome(&self.position);
        by_position.or_else(|| self.is_repetition().then_some(Outcome::Draw))
    }

    /// How the game ended.
    pub fn ending(&self) -> Option<Ending> {
        let by_position = self.game.ending(&self.position);
        by_position.or_else(|| self.is_repetition().then_some(Ending::Repetition))
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

    /// Makes a move, or rejects it and leaves the game unchanged.
    ///
    /// # Errors
    /// Why the move was rejected.
    pub fn play(&mut self, mv: G::Move) -> Result<(), MoveError> {
        self.check(mv)?;
        self.apply(mv);
        self.moves.push(mv);
        self.record_position();
        Ok(())
    }

    /// The game and its history, rotated or reflected by a symmetry of the board.
    #[must_use]
    pub fn transformed(&self, symmetry: Symmetry) -> GameState<G> {
        let game = self.game.clone();
        let mut image =
            GameState::from_position(game, self.game.map_position(&self.start, symmetry));
        let moves = self.moves.iter();
        image.replay(moves.map(|&mv| self.game.map_move(mv, symmetry)).collect());
        image
    }

    fn apply(&mut self, mv: G::Move) {
        self.game.apply(Arc::make_mut(&mut self.position), mv);
    }

    /// Makes moves that are known to be legal.
    fn replay(&mut self, moves: Vec<G::Move>) {
        for &mv in &moves {
            self.apply(mv);
            self.record_position();
        }
        self.moves = moves;
    }

    /// Undoes the last move and returns it.
    ///
    /// ```
    /// use noughts_rules::{Game, Mnk, GameState};
    /// let mut state = GameState::new(Mnk::classic());
    /// let center = state.game().parse_move("b2")?;
    /// state.play(center)?;
    /// // . . .      . . .
    /// // . x .  ->  . . .
    /// // . . .      . . .
    /// assert_eq!(state.undo(), Some(center));
    /// assert_eq!(state.position(), state.start());
    /// # Ok::<(), noughts_rules::MoveError>(())
    /// ```
    pub fn undo(&mut self) -> Option<G::Move> {
        let mv = self.moves.pop()?;
        // Replaying is cheap, and this way no game has to implement unmaking a move.
        let moves = std::mem::take(&mut self.moves);
        *self = self.restarted();
        self.replay(moves);
        Some(mv)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::nested::{DeepGame, NestedOptions};

    /// A game of depth 6 used to take 300 kB for each of the four copies of its position in a server.
    #[test]
    fn copies_of_a_game_share_its_positions() {
        let Ok(Some(options)) = "ception:depth=6".parse().map(NestedOptions::of) else {
            panic!("a nested variant");
        };
        let mut state = GameState::new(DeepGame::new(options).expect("a deep game"));
        assert!(std::ptr::eq(state.start(), state.position()));
        let copy = state.clone();
        let mv = state.game().parse_move("abcdef").expect("a move");
        state.play(mv).expect("legal");
        assert_ne!(state.position(), copy.position());
        assert!(std::ptr::eq(state.start(), copy.position()));
        let second = state.clone();
        assert!(std::ptr::eq(state.position(), second.position()));
    }
}
