//! The sequential test: the generalised SPRT on pairs, in normalised Elo.
//!
//! Both hypotheses say how large t = (μ − ½)/σ of a pair's score is. For each, the most
//! likely distribution of pairs with that t is found (M. Van den Bergh, *Comments on
//! Normalized Elo*, section 4.1); the log-likelihood ratio of the two is compared with
//! Wald's bounds.

use serde::{Deserialize, Serialize};

use super::elo::NELO;
use super::pentanomial::Tally;
use crate::plan::Sprt;

/// What the test says.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Decision {
    /// Nothing yet.
    #[default]
    GoOn,
    /// It is better by no more than the lower bound.
    H0,
    /// It is better by at least the upper bound.
    H1,
}

/// A test that cannot be run.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum SprtError {
    /// The hypotheses are the same or the wrong way round.
    #[error("elo0 must be less than elo1, and both from -2000 to 2000")]
    Bounds,
    /// Errors that cannot be.
    #[error("alpha and beta must be above 0, and together below 1")]
    Errors,
}

/// The points of a pair, of 1.
const SCORES: [f64; 5] = [0.0, 0.25, 0.5, 0.75, 1.0];

/// What a kind of pair counts that did not come up: its share must not be 0.
const NONE: f64 = 1e-3;

/// Most steps of an iteration. It stands after ten or so.
const STEPS: usize = 500;

/// Shares that changed by less than this stand.
const STANDS: f64 = 1e-11;

impl Sprt {
    /// Can this be tested?
    ///
    /// # Errors
    /// What is wrong with it.
    pub fn check(&self) -> Result<(), SprtError> {
        let fits = |elo: f64| (-2000.0..=2000.0).contains(&elo);
        if !(self.elo0 < self.elo1 && fits(self.elo0) && fits(self.elo1)) {
            return Err(SprtError::Bounds);
        }
        if !(self.alpha > 0.0 && self.beta > 0.0 && self.alpha + self.beta < 1.0) {
            return Err(SprtError::Errors);
        }
        Ok(())
    }

    /// At or below this LLR the answer is H0.
    #[must_use]
    pub fn lower(&self) -> f64 {
        (self.beta / (1.0 - self.alpha)).ln()
    }

    /// At or above this LLR the answer is H1.
    #[must_use]
    pub fn upper(&self) -> f64 {
        ((1.0 - self.beta) / self.alpha).ln()
    }

    /// What an LLR says.
    ///
    /// ```
    /// use noughts_arena::{Sprt, statistics::Decision};
    /// let sprt = Sprt { elo0: 0.0, elo1: 2.0, alpha: 0.05, beta: 0.05 };
    /// assert_eq!(sprt.decide(2.94), Decision::GoOn);
    /// assert_eq!(sprt.decide(2.95), Decision::H1);
    /// assert_eq!(sprt.decide(-2.95), Decision::H0);
    /// ```
    #[must_use]
    pub fn decide(&self, llr: f64) -> Decision {
        if llr >= self.upper() {
            Decision::H1
        } else if llr <= self.lower() {
            Decision::H0
        } else {
            Decision::GoOn
        }
    }

    /// How far the LLR is on its way to the bound on its side, of 1; below 0 on the
    /// side of H0.
    #[must_use]
    pub fn fraction(&self, llr: f64) -> f64 {
        if llr < 0.0 {
            -(llr / self.lower())
        } else {
            llr / self.upper()
        }
    }

    /// The log-likelihood ratio of pairs: lost twice, a loss and a draw, as many points
    /// as the other, a win and a draw, won twice.
    ///
    /// ```
    /// use noughts_arena::Sprt;
    /// let sprt = Sprt { elo0: 0.0, elo1: 2.0, alpha: 0.05, beta: 0.05 };
    /// let llr = sprt.llr(&[379, 10170, 21828, 10640, 343]);
    /// assert_eq!(format!("{llr:.2}"), "2.95");
    /// ```
    #[must_use]
    pub fn llr(&self, pairs: &[u64; 5]) -> f64 {
        if pairs.iter().all(|&count| count == 0) {
            return 0.0;
        }
        let counts = pairs.map(|count| if count == 0 { NONE } else { count as f64 });
        let all: f64 = counts.iter().sum();
        let shares = counts.map(|count| count / all);
        let t = |nelo: f64| nelo * std::f64::consts::SQRT_2 / NELO;
        let p0 = most_likely(&shares, t(self.elo0));
        let p1 = most_likely(&shares, t(self.elo1));
        let ratios = p1.iter().zip(p0).map(|(p1, p0)| (p1 / p0).ln());
        all * ratios.zip(shares).map(|(r, share)| r * share).sum::<f64>()
    }
}

fn mean_and_deviation(p: &[f64; 5]) -> (f64, f64) {
    let mean: f64 = p.iter().zip(SCORES).map(|(p, a)| p * a).sum();
    let variance: f64 = p
        .iter()
        .zip(SCORES)
        .map(|(p, a)| p * (a - mean).powi(2))
        .sum();
    (mean, variance.sqrt())
}

/// The distribution with this t under which the shares seen are most likely.
fn most_likely(seen: &[f64; 5], t: f64) -> [f64; 5] {
    let mut p = [0.2; 5];
    // Far from 0 a flat distribution is too far from any with this t to begin with.
    if root(seen, &tilts(&p, t)).is_none() {
        p = some_with(t);
    }
    for _ in 0..STEPS {
        let tilts = tilts(&p, t);
        let Some(x) = root(seen, &tilts) else {
            // Overshot: some of the way back to where there was a root.
            let safe = some_with(t);
            for (p, safe) in p.iter_mut().zip(safe) {
                *p = (*p + safe) / 2.0;
            }
            continue;
        };
        let mut change: f64 = 0.0;
        for i in 0..5 {
            let next = seen[i] / (1.0 + x * tilts[i]);
            change = change.max((next - p[i]).abs());
            p[i] = next;
        }
        if change < STANDS {
            break;
        }
    }
    p
}

/// The condition t(p) = t, made straight at p: by how much each score leans against it.
fn tilts(p: &[f64; 5], t: f64) -> [f64; 5] {
    let (mean, deviation) = mean_and_deviation(p);
    SCORES.map(|a| a - 0.5 - t * deviation * (1.0 + ((mean - a) / deviation).powi(2)) / 2.0)
}

/// Where Σ p̂ᵢ aᵢ / (1 + x aᵢ) is 0, between the poles around 0. It falls all the way:
/// Newton's steps, or halves where they would leave the interval.
fn root(seen: &[f64; 5], tilts: &[f64; 5]) -> Option<f64> {
    let least = tilts.iter().copied().fold(f64::INFINITY, f64::min);
    let most = tilts.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    if !(least < 0.0 && most > 0.0 && least.is_finite() && most.is_finite()) {
        return None;
    }
    let (mut low, mut high) = (-1.0 / most, -1.0 / least);
    let mut x = 0.0;
    for _ in 0..200 {
        let (mut value, mut slope) = (0.0, 0.0);
        for (share, tilt) in seen.iter().zip(tilts) {
            let part = tilt / (1.0 + x * tilt);
            value += share * part;
            slope -= share * part * part;
        }
        if value > 0.0 {
            low = x;
        } else {
            high = x;
        }
        let newton = x - value / slope;
        let next = if newton > low && newton < high {
            newton
        } else {
            low.midpoint(high)
        };
        let moved = (next - x).abs();
        x = next;
        if moved <= 1e-14 * (1.0 + x.abs()) {
            break;
        }
    }
    Some(x)
}

/// Some distribution with this t: a flat one, leaning towards winning or losing always.
fn some_with(t: f64) -> [f64; 5] {
    let lean = |w: f64| {
        let mut p = [(1.0 - w) / 5.0; 5];
        p[if t < 0.0 { 0 } else { 4 }] += w;
        p
    };
    let (mut low, mut high) = (0.0, 1.0);
    for _ in 0..60 {
        let w = f64::midpoint(low, high);
        let (mean, deviation) = mean_and_deviation(&lean(w));
        if (mean - 0.5).abs() < t.abs() * deviation {
            low = w;
        } else {
            high = w;
        }
    }
    lean(low)
}

/// A test on its way: pairs in the order of the plan, until it is decided.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct SprtRun {
    sprt: Sprt,
    pairs: [u64; 5],
    llr: f64,
    decision: Decision,
}

impl SprtRun {
    /// Before the first pair.
    #[must_use]
    pub const fn new(sprt: Sprt) -> SprtRun {
        SprtRun {
            sprt,
            pairs: [0; 5],
            llr: 0.0,
            decision: Decision::GoOn,
        }
    }

    /// The next pair, by its category. Once it is decided, no pair counts any more.
    pub fn add(&mut self, category: u8) -> Decision {
        if self.decision == Decision::GoOn {
            self.pairs[usize::from(category.min(4))] += 1;
            self.llr = self.sprt.llr(&self.pairs);
            self.decision = self.sprt.decide(self.llr);
        }
        self.decision
    }

    /// What is tested.
    #[must_use]
    pub const fn sprt(&self) -> &Sprt {
        &self.sprt
    }

    /// The log-likelihood ratio as it stands.
    #[must_use]
    pub const fn llr(&self) -> f64 {
        self.llr
    }

    /// The pairs that counted, by category.
    #[must_use]
    pub const fn pairs(&self) -> &[u64; 5] {
        &self.pairs
    }

    /// How many pairs counted.
    #[must_use]
    pub fn pair_count(&self) -> u64 {
        self.pairs.iter().sum()
    }

    /// What it says.
    #[must_use]
    pub const fn decision(&self) -> Decision {
        self.decision
    }
}

/// The LLR after each pair (its number, from 1) of a list of categories, up to the one
/// that decides.
#[must_use]
pub fn llr_path(pairs: &[u8], sprt: &Sprt) -> Vec<(u64, f64)> {
    let mut walk = SprtRun::new(*sprt);
    let mut path = Vec::with_capacity(pairs.len());
    for &pair in pairs {
        let decision = walk.add(pair);
        path.push((walk.pair_count(), walk.llr()));
        if decision != Decision::GoOn {
            break;
        }
    }
    path
}

impl Tally {
    /// The log-likelihood ratio of these pairs, whatever their order; repeated ones don't
    /// count.
    #[must_use]
    pub fn llr(&self, sprt: &Sprt) -> f64 {
        sprt.llr(&self.distinct_pairs())
    }
}
