//! What follows from results: how much better, and how sure. Pure functions of counts;
//! nothing here knows bots, boards or clocks.
//!
//! The two games of a pair begin with the same opening, so they are not independent: a
//! pair is what is counted, by the points that the first bot made in it.

mod elo;
mod glicko;
mod pentanomial;
mod ratings;
mod results;
mod sprt;

#[cfg(test)]
pub(crate) mod tests;

pub use elo::{EloEstimate, expected_score};
pub use glicko::{PlayerRating, RatedGame, RatedResult, glicko_ratings};
pub use pentanomial::{GamePair, Tally};
pub use ratings::{Pairing, Rating, Ratings, fit_ratings};
pub use results::{FaultCounts, HeadToHead, Results};
pub use sprt::{Decision, SprtError, SprtRun, llr_path};

/// How many standard errors an interval of 95 % reaches to each side.
pub(crate) const Z95: f64 = 1.959_963_984_540_054;
