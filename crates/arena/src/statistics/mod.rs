//! Statistics of results: Elo, ratings and the SPRT. Pure functions of counts that know nothing
//! about bots, boards or clocks.
//!
//! The two games of a pair start from the same opening and aren't independent, so pairs are
//! counted, by the points the first bot scored in them (the pentanomial model).

mod elo;
mod glicko;
mod pentanomial;
mod ratings;
mod results;
mod sprt;

#[cfg(test)]
pub(crate) mod tests;

pub(crate) use elo::elo_from_score;
pub use elo::{EloEstimate, expected_score};
pub use glicko::{PlayerRating, glicko_ratings};
pub use pentanomial::{GamePair, Pentanomial};
pub use ratings::{Pairing, Rating, Ratings, fit_ratings};
pub use results::{FaultCounts, HeadToHead, Results};
pub use sprt::{Decision, SprtError, SprtState};

/// The quantile of the normal distribution for a 95% interval.
pub(crate) const Z95: f64 = 1.959_963_984_540_054;
