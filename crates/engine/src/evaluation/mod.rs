//! Judging positions that were not searched to the end: one trait, one file for
//! each family. Search knows nothing of what stands behind it.

mod flat;
mod grid;
mod nested;
mod network;

use noughts_rules::Game;

pub use flat::FlatLines;
pub use grid::GridLines;
pub use nested::NestedBoards;
pub(crate) use nested::PLACES;
pub use network::{Network, NetworkError};

/// How good a position looks, without searching.
pub trait Evaluation<G: Game>: Clone + Send + Sync {
    /// The position as it looks to the side to move, within ±[`LIMIT`]: hundredths
    /// of a logit, so that [`expected`] makes an expected result of it. The game is
    /// not over.
    fn evaluate(&self, game: &G, position: &G::Position) -> i32;
}

/// No evaluation goes beyond this.
pub const LIMIT: i32 = 100_000;

/// The expected result, from −1 to 1, of an evaluation.
#[must_use]
pub fn expected(evaluation: i32) -> f64 {
    (f64::from(evaluation) / 200.0).tanh()
}
