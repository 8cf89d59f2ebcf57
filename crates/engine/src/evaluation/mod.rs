//! Static evaluation of positions: one trait, with one implementation per game family. Search
//! depends only on the trait.

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
pub(crate) use tic_tac_two::line_score;

/// Evaluates a position without searching.
pub trait Evaluation<G: Game>: Clone + Send + Sync {
    /// The evaluation for the side to move, within ±[`MAX_EVALUATION`], in hundredths of a logit,
    /// so that [`expected_result`] converts it to an expected result. The game must not be over.
    fn evaluate(&self, game: &G, position: &G::Position) -> i32;
}

/// For games without knowledge of their own: every position is even.
#[derive(Clone, Copy, Debug)]
pub struct PlainEvaluation;

impl<G: Game> Evaluation<G> for PlainEvaluation {
    fn evaluate(&self, _: &G, _: &G::Position) -> i32 {
        0
    }
}

/// The maximum absolute value of an evaluation.
pub const MAX_EVALUATION: i32 = 100_000;

/// Converts an evaluation to an expected result from −1 to 1.
#[must_use]
pub fn expected_result(evaluation: i32) -> f64 {
    (f64::from(evaluation) / 200.0).tanh()
}
