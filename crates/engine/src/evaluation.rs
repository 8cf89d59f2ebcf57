//! Static evaluation of positions. Search depends only on the trait.

use noughts_rules::Game;

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
