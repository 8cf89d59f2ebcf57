//! What a bot says of its move.

use std::time::Duration;

use crate::value::Value;

/// A report as text lists at most this many moves: all cells of a board of depth 3. The
/// deepest boards have half a million moves, and a list of them would take hundreds of
/// megabytes.
pub const MAX_LISTED_MOVES: usize = 729;

/// A bot's answer, also in the making. `M` is the game's move, or text for front
/// ends.
#[derive(Clone, PartialEq, Debug)]
pub struct SearchReport<M> {
    /// The move to make; none when the game is over.
    pub best: Option<M>,
    /// What the position is worth to the side to move.
    pub value: Value,
    /// The expected course of the game, the move first.
    pub pv: Vec<M>,
    /// What is known of single moves, the best first. Empty where the bot does
    /// not compare them. As text at most [`MOST_LISTED`].
    pub moves: Vec<RankedMove<M>>,
    /// How many plies ahead everything was seen; 0 where that means nothing.
    pub depth: u32,
    /// Positions looked at, or random games played.
    pub nodes: u64,
    /// How long it took.
    pub elapsed: Duration,
    /// Something that the person should know, as a sentence.
    pub note: Option<String>,
}

/// One move and what it is worth to the one who makes it.
#[derive(Clone, PartialEq, Debug)]
pub struct RankedMove<M> {
    /// The move.
    pub mv: M,
    /// Its value.
    pub value: Value,
    /// How much of the search went into it.
    pub nodes: u64,
    /// The expected course of the game, the move first.
    pub pv: Vec<M>,
}

impl<M> SearchReport<M> {
    /// A report that knows nothing.
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

    /// The same with moves as text, no more than [`MOST_LISTED`] of them.
    #[must_use]
    pub fn to_text(&self, form: impl Fn(&M) -> String) -> SearchReport<String> {
        let all = |moves: &[M]| moves.iter().map(&form).collect::<Vec<String>>();
        SearchReport {
            pv: all(&self.pv),
            moves: self
                .moves
                .iter()
                .take(MAX_LISTED_MOVES)
                .map(|ranked| RankedMove {
                    pv: all(&ranked.pv),
                    value: ranked.value,
                    nodes: ranked.nodes,
                    mv: form(&ranked.mv),
                })
                .collect(),
            best: self.best.as_ref().map(&form),
            value: self.value,
            depth: self.depth,
            nodes: self.nodes,
            elapsed: self.elapsed,
            note: self.note.clone(),
        }
    }
}

impl<M: Copy> SearchReport<M> {
    /// A move chosen without judging it.
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
