//! What a bot reports about a position and its moves.

use std::time::Duration;

use crate::value::Value;

/// A report with moves as text lists at most this many: all cells of a board of depth 3. The
/// deepest boards have half a million moves, and listing them would take hundreds of megabytes.
pub const MAX_LISTED_MOVES: usize = 729;

/// The result of a search, final or intermediate. `M` is the game's move type, or text for front
/// ends.
#[derive(Clone, PartialEq, Debug)]
pub struct SearchReport<M> {
    /// The move to make; `None` if the game is over.
    pub best: Option<M>,
    /// The value for the side to move.
    pub value: Value,
    /// The principal variation, starting with the best move.
    pub pv: Vec<M>,
    /// What is known about individual moves, best first. Empty if the bot doesn't compare them. As
    /// text, at most [`MAX_LISTED_MOVES`].
    pub moves: Vec<RankedMove<M>>,
    /// Completed search depth in plies; 0 where that is meaningless.
    pub depth: u32,
    /// Positions searched, or random games played.
    pub nodes: u64,
    /// Time used.
    pub elapsed: Duration,
    /// A note for the player, as a sentence.
    pub note: Option<String>,
}

/// A move and its value for the side that makes it.
#[derive(Clone, PartialEq, Debug)]
pub struct RankedMove<M> {
    /// The move.
    pub mv: M,
    /// Its value.
    pub value: Value,
    /// Nodes spent on this move.
    pub nodes: u64,
    /// The principal variation, starting with this move.
    pub pv: Vec<M>,
}

impl<M> SearchReport<M> {
    /// A report without a move or a known value.
    #[must_use]
    pub fn empty() -> SearchReport<M> {
        SearchReport {
            best: None,
            value: Value::UNKNOWN,
            pv: Vec::new(),
            moves: Vec::new(),
            depth: 0,
            nodes: 0,
            elapsed: Duration::ZERO,
            note: None,
        }
    }

    /// Converts moves to text, keeping at most [`MAX_LISTED_MOVES`].
    #[must_use]
    pub fn to_text(&self, format_move: impl Fn(&M) -> String) -> SearchReport<String> {
        let format_all = |moves: &[M]| moves.iter().map(&format_move).collect::<Vec<String>>();
        SearchReport {
            pv: format_all(&self.pv),
            moves: self
                .moves
                .iter()
                .take(MAX_LISTED_MOVES)
                .map(|ranked| RankedMove {
                    pv: format_all(&ranked.pv),
                    value: ranked.value,
                    nodes: ranked.nodes,
                    mv: format_move(&ranked.mv),
                })
                .collect(),
            best: self.best.as_ref().map(&format_move),
            value: self.value,
            depth: self.depth,
            nodes: self.nodes,
            elapsed: self.elapsed,
            note: self.note.clone(),
        }
    }
}

impl<M: Copy> SearchReport<M> {
    /// A move chosen without evaluating it.
    #[must_use]
    pub fn from_move(mv: M, nodes: u64) -> SearchReport<M> {
        SearchReport {
            best: Some(mv),
            pv: vec![mv],
            nodes,
            ..SearchReport::empty()
        }
    }
}
