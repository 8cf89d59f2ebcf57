//! What a bot reports about a position and its moves.

use std::fmt;
use std::time::Duration;

use noughts_rules::Variant;

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
    /// A note for the player.
    pub note: Option<SearchNote>,
}

/// A note about a search. Front ends add what the player can do about it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum SearchNote {
    /// The variant's tablebase hasn't been built.
    MissingTablebase(Variant),
    /// The variant's tablebase is corrupted.
    CorruptedTablebase(Variant),
    /// The variant has no tablebase.
    UnsupportedTablebase(Variant),
    /// The move isn't proved: the search looked this many plies ahead.
    NotProved {
        /// The completed depth; 0 if there was no time to search.
        depth: u32,
    },
    /// A known strategy was checked against every defense.
    ProvedByStrategy {
        /// An upper bound on the distance.
        max_plies: u32,
    },
    /// There are too many moves to compare all of them.
    MovesLeftOut {
        /// The number of compared moves, the most promising ones.
        compared: usize,
        /// The number of legal moves.
        legal: usize,
    },
    /// What the caller wants to say about a search it ended.
    Other(String),
}

impl fmt::Display for SearchNote {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SearchNote::MissingTablebase(variant) => {
                write!(
                    f,
                    "there's no tablebase for {variant} yet, so this value comes from a search"
                )
            }
            SearchNote::CorruptedTablebase(variant) => {
                write!(
                    f,
                    "the {variant} tablebase is corrupted, so this value comes from a search"
                )
            }
            SearchNote::UnsupportedTablebase(variant) => write!(
                f,
                "{variant} has no tablebase, so this value comes from a search"
            ),
            SearchNote::NotProved { depth: 0 } => f.write_str("not proved: no time to search"),
            SearchNote::NotProved { depth: 1 } => f.write_str("not proved: searched 1 move ahead"),
            SearchNote::NotProved { depth } => {
                write!(
                    f,
                    "not proved: searched {depth} moves ahead (both players counted)"
                )
            }
            SearchNote::ProvedByStrategy { max_plies } => write!(
                f,
                "proved by checking X's strategy against every defense: at most {max_plies} moves (both players counted)"
            ),
            SearchNote::MovesLeftOut { compared, legal } => write!(
                f,
                "only the {compared} most promising of {legal} moves are compared"
            ),
            SearchNote::Other(text) => f.write_str(text),
        }
    }
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

impl<M: Clone> RankedMove<M> {
    /// A move without a known continuation.
    pub(crate) fn new(mv: M, value: Value, nodes: u64) -> RankedMove<M> {
        RankedMove {
            pv: vec![mv.clone()],
            mv,
            value,
            nodes,
        }
    }
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
        let listed = self.moves.iter().take(MAX_LISTED_MOVES);
        SearchReport {
            pv: format_all(&self.pv),
            moves: listed
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

    /// The same, or an empty report if there is no move.
    pub(crate) fn from_optional_move(mv: Option<M>, nodes: u64) -> SearchReport<M> {
        mv.map_or_else(SearchReport::empty, |mv| SearchReport::from_move(mv, nodes))
    }
}
