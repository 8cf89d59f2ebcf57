//! Published values, a slow second computation, properties, and simulation.

mod people;
mod properties;
mod published;
mod results;
mod simulation;
mod slow;

use rand_core::{Rng as _, SeedableRng as _};
use rand_xoshiro::Xoshiro256PlusPlus;

use super::Tally;
use crate::played_game::{EndReason, GameFingerprint, GameKey, GameResult};
use noughts_rules::Outcome;

/// Chance with a seed.
struct Dice(Xoshiro256PlusPlus);

impl Dice {
    fn new(seed: u64) -> Dice {
        Dice(Xoshiro256PlusPlus::seed_from_u64(seed))
    }

    /// From 0 to below 1.
    fn share(&mut self) -> f64 {
        (self.0.next_u64() >> 11) as f64 / (1u64 << 53) as f64
    }

    /// One of five, as often as these shares say.
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

/// A game like no other.
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

fn tally(pairs: [u64; 5]) -> Tally {
    Tally {
        pairs,
        ..Tally::default()
    }
}

/// How many times longer the soak tests run: `NOUGHTS_SOAK=20`.
fn soak() -> u64 {
    let asked = std::env::var("NOUGHTS_SOAK").ok();
    asked.and_then(|times| times.parse().ok()).unwrap_or(10)
}
