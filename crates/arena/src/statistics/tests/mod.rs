//! Published values, a slow reference computation, properties, and simulations.

mod glicko;
mod properties;
mod published;
mod results;
mod simulation;
mod slow;

use rand_core::{Rng as _, SeedableRng as _};
use rand_xoshiro::Xoshiro256PlusPlus;

use super::{Decision, GamePair, Pentanomial, SprtState};
use crate::plan::Sprt;
use crate::played_game::{EndReason, GameFingerprint, GameKey, GameResult};
use noughts_rules::Outcome;

/// A seeded random number generator.
struct Dice(Xoshiro256PlusPlus);

impl Dice {
    fn new(seed: u64) -> Dice {
        Dice(Xoshiro256PlusPlus::seed_from_u64(seed))
    }

    /// A uniform number from 0 to below 1.
    fn share(&mut self) -> f64 {
        (self.0.next_u64() >> 11) as f64 / (1u64 << 53) as f64
    }

    /// A random category with these probabilities.
    fn category(&mut self, shares: &[f64; 5]) -> u8 {
        let mut rest = self.share();
        for (category, share) in (0..).zip(shares) {
            rest -= share;
            if rest < 0.0 {
                return category;
            }
        }
        4
    }
}

/// A game with a unique fingerprint.
pub(crate) fn new_game(key: GameKey, outcome: Outcome, reason: EndReason) -> GameResult {
    let GameKey {
        round,
        first,
        second,
        swapped,
    } = key;
    let number = u64::from(round) << 32 | u64::from(first) << 17 | u64::from(second) << 1;
    GameResult {
        key,
        outcome,
        reason,
        fingerprint: GameFingerprint(number | u64::from(swapped)),
    }
}

impl FromIterator<GamePair> for Pentanomial {
    fn from_iter<T: IntoIterator<Item = GamePair>>(pairs: T) -> Pentanomial {
        let mut tally = Pentanomial::default();
        pairs.into_iter().for_each(|pair| tally.add(pair));
        tally
    }
}

fn tally(pairs: [u64; 5]) -> Pentanomial {
    Pentanomial {
        pairs,
        ..Pentanomial::default()
    }
}

/// The LLR after each pair (numbered from 1) of a list of categories, up to the decision.
fn llr_path(pairs: &[u8], sprt: &Sprt) -> Vec<(u64, f64)> {
    let mut state = SprtState::new(*sprt);
    let mut path = Vec::with_capacity(pairs.len());
    for &pair in pairs {
        let decision = state.add(pair);
        path.push((state.pairs, state.llr));
        if decision != Decision::GoOn {
            break;
        }
    }
    path
}

/// The factor for the length of soak tests: `NOUGHTS_SOAK=20`.
fn soak() -> u64 {
    let asked = std::env::var("NOUGHTS_SOAK").ok();
    asked.and_then(|times| times.parse().ok()).unwrap_or(10)
}
