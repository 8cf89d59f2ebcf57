//! Judging positions that were not searched to the end: one trait, one file for
//! each family. Search knows nothing of what stands behind it.

mod mnk;
mod nested;
mod network;
mod tic_tac_two;

use noughts_rules::Game;

pub use mnk::MnkEvaluation;
pub(crate) use nested::LINE_PLACES;
pub use nested::NestedEvaluation;
pub use network::{Network, NetworkError};
pub use tic_tac_two::TicTacTwoEvaluation;

/// How good a position looks, without searching.
pub trait Evaluation<G: Game>: Clone + Send + Sync {
    /// The position as it looks to the side to move, within ±[`LIMIT`]: hundredths
    /// of a logit, so that [`expected`] makes an expected result of it. The game is
    /// not over.
    fn evaluate(&self, game: &G, position: &G::Position) -> i32;
}

/// No evaluation goes beyond this.
pub const MAX_EVALUATION: i32 = 100_000;

/// The expected result, from −1 to 1, of an evaluation.
#[must_use]
pub fn expected_result(evaluation: i32) -> f64 {
    (f64::from(evaluation) / 200.0).tanh()
}
