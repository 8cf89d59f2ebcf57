//! Numbers the positions of any game by listing everything that can be reached from the start, up to symmetry.

use std::collections::HashMap;

use noughts_rules::Game;

use super::code::Code;
use super::{PositionGraph, Successor, outcome_code};

/// How long a list may become.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ListLimits {
    pub(crate) positions: usize,
    pub(crate) moves: usize,
}

/// What became of a list that was to be continued.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Listing {
    /// All positions are listed.
    Complete,
    /// Stopped; it can be continued.
    Stopped,
    /// There are more positions or moves than allowed.
    TooLong,
}

/// The positions of a game, numbered in the order in which they were found, and their moves.
pub(crate) struct PositionList<G: Game> {
    game: G,
    positions: Vec<G::Position>,
    /// By hash: the last position with it.
    last_with_hash: HashMap<u64, u32>,
    /// By number: the position before with the same hash, or [`NONE`].
    same_hash: Vec<u32>,
    /// By number: where the moves start. Only for positions whose moves are listed.
    move_starts: Vec<usize>,
    /// The positions after the moves: numbers times two, plus one if the same player moves again.
    moves: Vec<u32>,
}

const NONE: u32 = u32::MAX;

/// The most positions that a list can have.
pub(crate) const MAX_POSITIONS: usize = 1 << 31;

impl<G: Game> PositionList<G> {
    /// A list of the start alone.
    pub(crate) fn new(game: &G) -> PositionList<G> {
        let mut list = PositionList {
            game: game.clone(),
            positions: Vec::new(),
            last_with_hash: HashMap::new(),
            same_hash: Vec::new(),
            move_starts: Vec::new(),
            moves: Vec::new(),
        };
        list.add(&game.start());
        list
    }

    /// Lists more positions, until all are there. `should_stop` is called now and then.
    pub(crate) fn extend(
        &mut self,
        limits: ListLimits,
        should_stop: &mut dyn FnMut(usize) -> bool,
    ) -> Listing {
        /// Positions between two calls of `should_stop`.
        const INTERVAL: usize = 256;
        while self.move_starts.len() < self.positions.len() {
            let number = self.move_starts.len();
            if number.is_multiple_of(INTERVAL) && should_stop(number) {
                return Listing::Stopped;
            }
            self.move_starts.push(self.moves.len());
            let position = self.positions[number].clone();
            let side = self.game.side(&position);
            for mv in self.game.moves(&position) {
                let next = self.game.after(&position, mv);
                let same_side = self.game.side(&next) == side;
                let next = self.add(&next);
                self.moves.push(2 * next + u32::from(same_side));
            }
            if self.positions.len() > limits.positions.min(MAX_POSITIONS)
                || self.moves.len() > limits.moves
            {
                return Listing::TooLong;
            }
        }
        Listing::Complete
    }

    /// The number of a position, which gets one if it has none.
    fn add(&mut self, position: &G::Position) -> u32 {
        let position = self.game.representative(position);
        let hash = self.game.hash(&position);
        if let Some(number) = self.find(&position, hash) {
            return number;
        }
        let number = self.positions.len() as u32;
        self.positions.push(position);
        let earlier = self.last_with_hash.insert(hash, number);
        self.same_hash.push(earlier.unwrap_or(NONE));
        number
    }

    fn find(&self, representative: &G::Position, hash: u64) -> Option<u32> {
        let mut number = *self.last_with_hash.get(&hash)?;
        while self.positions[number as usize] != *representative {
            number = self.same_hash[number as usize];
            if number == NONE {
                return None;
            }
        }
        Some(number)
    }

    /// The number of a position, if it or an image of it is listed.
    pub(crate) fn number(&self, position: &G::Position) -> Option<usize> {
        let position = self.game.representative(position);
        let found = self.find(&position, self.game.hash(&position));
        found.map(|number| number as usize)
    }

    /// The positions, by number: of symmetric ones only the representative.
    pub(crate) fn positions(&self) -> &[G::Position] {
        &self.positions
    }
}

impl<G: Game> PositionGraph for PositionList<G> {
    fn len(&self) -> usize {
        self.positions.len()
    }

    fn known_code(&self, number: usize) -> Option<Code> {
        let position = &self.positions[number];
        let outcome = self.game.outcome(position)?;
        Some(outcome_code(&self.game, position, outcome))
    }

    fn visit_successors(&self, number: usize, visit: &mut dyn FnMut(Successor) -> bool) {
        let end = self.move_starts.get(number + 1);
        let end = end.copied().unwrap_or(self.moves.len());
        for &next in &self.moves[self.move_starts[number]..end] {
            let successor = Successor {
                number: (next / 2) as usize,
                same_side: next % 2 == 1,
            };
            if !visit(successor) {
                return;
            }
        }
    }
}
