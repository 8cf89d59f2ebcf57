//! A game being played: a position with its history.

use std::collections::HashMap;

use crate::error::Refusal;
use crate::game::Game;
use crate::outcome::{Ending, Outcome, Player};
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
pub struct Play<G: Game> {
    game: G,
    start: G::Position,
    position: G::Position,
    moves: Vec<G::Move>,
    /// How often each position has occurred, in games where one can come back.
    seen: HashMap<G::Position, u32>,
}

/// So many occurrences of a position end the game.
const REPETITIONS: u32 = 3;

impl<G: Game> Play<G> {
    /// A game from its start.
    pub fn new(game: G) -> Play<G> {
        let start = game.start();
        Play::from_position(game, start)
    }

    /// A game from some position, which counts as its first occurrence.
    pub fn from_position(game: G, start: G::Position) -> Play<G> {
        let mut play = Play {
            game,
            position: start.clone(),
            start,
            moves: Vec::new(),
            seen: HashMap::new(),
        };
        play.note();
        play
    }

    fn note(&mut self) {
        if G::REPEATS {
            *self.seen.entry(self.position.clone()).or_default() += 1;
        }
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
        self.seen.get(position).copied().unwrap_or_default()
    }

    fn repeated(&self) -> bool {
        G::REPEATS
            && self
                .seen
                .get(&self.position)
                .is_some_and(|&times| times >= REPETITIONS)
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
        self.game.pieces(&self.start) + self.moves.len()
    }

    /// Who moves next.
    pub fn side(&self) -> Player {
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
    pub fn check(&self, mv: G::Move) -> Result<(), Refusal> {
        match self.outcome() {
            Some(outcome) => Err(Refusal::game_over(outcome)),
            None => self.game.check(&self.position, mv),
        }
    }

    /// Makes a move, or refuses it and leaves the game as it was.
    ///
    /// # Errors
    /// Why the move was refused.
    pub fn play(&mut self, mv: G::Move) -> Result<(), Refusal> {
        self.check(mv)?;
        self.game.apply(&mut self.position, mv);
        self.moves.push(mv);
        self.note();
        Ok(())
    }

    /// The game turned or mirrored by a symmetry of its board, its history with it.
    #[must_use]
    pub fn image(&self, symmetry: Symmetry) -> Play<G> {
        let game = self.game.clone();
        let mut image = Play::from_position(game, self.game.map_position(&self.start, symmetry));
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
        *self = Play::from_position(self.game.clone(), self.start.clone());
        self.replay(moves);
        Some(mv)
    }
}
