//! The generalized SPRT (sequential probability ratio test) on game pairs, in normalized Elo.
//!
//! Each hypothesis fixes t = (μ − ½)/σ of a pair's score. For each, the maximum-likelihood
//! distribution of pairs with that t is computed (M. Van den Bergh, *Comments on Normalized Elo*,
//! section 4.1); the log-likelihood ratio of the two is compared with Wald's bounds.

use serde::{Deserialize, Serialize};

use super::elo::{NELO, SCORES, mean_and_variance};
use crate::plan::Sprt;

/// The decision of an SPRT.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Decision {
    /// Undecided.
    #[default]
    GoOn,
    /// H0 is accepted: the difference is closer to `elo0`.
    H0,
    /// H1 is accepted: the difference is closer to `elo1`.
    H1,
}

impl Decision {
    /// The accepted hypothesis: `H0` or `H1`.
    #[must_use]
    pub const fn accepted(self) -> Option<&'static str> {
        match self {
            Decision::GoOn => None,
            Decision::H0 => Some("H0"),
            Decision::H1 => Some("H1"),
        }
    }
}

/// Invalid parameters of an SPRT.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum SprtError {
    /// `elo0` isn't less than `elo1`, or one is out of range.
    #[error("elo0 must be less than elo1, and both must be from -2000 to 2000")]
    Bounds,
    /// `alpha` or `beta` is out of range.
    #[error("alpha and beta must be above 0, and their sum must be below 1")]
    Errors,
}

/// The count assumed for a category that didn't occur: its share must not be 0.
const MISSING_COUNT: f64 = 1e-3;

/// The maximum number of iterations. Normally about ten are needed.
const MAX_ITERATIONS: usize = 500;

/// The iteration has converged when no share changes by more than this.
const CONVERGED: f64 = 1e-11;

impl Sprt {
    /// Checks the parameters.
    ///
    /// # Errors
    /// What is wrong with them.
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

    /// H0 is accepted at or below this LLR.
    #[must_use]
    pub fn lower(&self) -> f64 {
        (self.beta / (1.0 - self.alpha)).ln()
    }

    /// H1 is accepted at or above this LLR.
    #[must_use]
    pub fn upper(&self) -> f64 {
        ((1.0 - self.beta) / self.alpha).ln()
    }

    /// The decision for an LLR.
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

    /// The LLR as a fraction of the bound on its side; negative on the side of H0.
    #[must_use]
    pub fn fraction(&self, llr: f64) -> f64 {
        if llr < 0.0 {
            -(llr / self.lower())
        } else {
            llr / self.upper()
        }
    }

    /// The log-likelihood ratio of pairs, counted as in [`Pentanomial::pairs`](super::Pentanomial::pairs).
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
        let counts = pairs.map(|count| {
            if count == 0 {
                MISSING_COUNT
            } else {
                count as f64
            }
        });
        let all: f64 = counts.iter().sum();
        let shares = counts.map(|count| count / all);
        let t = |nelo: f64| nelo * std::f64::consts::SQRT_2 / NELO;
        let p0 = most_likely_distribution(&shares, t(self.elo0));
        let p1 = most_likely_distribution(&shares, t(self.elo1));
        let ratios = p1.iter().zip(p0).map(|(p1, p0)| (p1 / p0).ln());
        all * ratios.zip(shares).map(|(r, share)| r * share).sum::<f64>()
    }
}

/// The maximum-likelihood distribution with this t, given the observed shares.
fn most_likely_distribution(observed: &[f64; 5], t: f64) -> [f64; 5] {
    let mut p = [0.2; 5];
    // For large t the uniform distribution is too far from any solution to start with.
    if root(observed, &tilts(&p, t)).is_none() {
        p = any_with_t(t);
    }
    for _ in 0..MAX_ITERATIONS {
        let tilts = tilts(&p, t);
        let Some(x) = root(observed, &tilts) else {
            // Overshot: move back toward a distribution for which there is a root.
            let safe = any_with_t(t);
            for (p, safe) in p.iter_mut().zip(safe) {
                *p = (*p + safe) / 2.0;
            }
            continue;
        };
        let mut change: f64 = 0.0;
        for i in 0..5 {
            let next = observed[i] / (1.0 + x * tilts[i]);
            change = change.max((next - p[i]).abs());
            p[i] = next;
        }
        if change < CONVERGED {
            break;
        }
    }
    p
}

/// The condition t(p) = t linearized at p: its coefficient for each score.
fn tilts(p: &[f64; 5], t: f64) -> [f64; 5] {
    let (mean, variance) = mean_and_variance(p);
    let deviation = variance.sqrt();
    SCORES.map(|a| a - 0.5 - t * deviation * (1.0 + ((mean - a) / deviation).powi(2)) / 2.0)
}

/// The root of Σ p̂ᵢ aᵢ / (1 + x aᵢ) between the poles around 0. The function is decreasing: Newton
/// steps, or bisection where they would leave the interval.
fn root(observed: &[f64; 5], tilts: &[f64; 5]) -> Option<f64> {
    let min = tilts.iter().copied().fold(f64::INFINITY, f64::min);
    let max = tilts.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    if !(min < 0.0 && max > 0.0 && min.is_finite() && max.is_finite()) {
        return None;
    }
    let (mut low, mut high) = (-1.0 / max, -1.0 / min);
    let mut x = 0.0;
    for _ in 0..200 {
        let (mut value, mut slope) = (0.0, 0.0);
        for (share, tilt) in observed.iter().zip(tilts) {
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

/// Some distribution with this t: a mixture of the uniform one and always winning (or losing).
fn any_with_t(t: f64) -> [f64; 5] {
    let lean = |w: f64| {
        let mut p = [(1.0 - w) / 5.0; 5];
        p[if t < 0.0 { 0 } else { 4 }] += w;
        p
    };
    let (mut low, mut high) = (0.0, 1.0);
    for _ in 0..60 {
        let w = f64::midpoint(low, high);
        let (mean, variance) = mean_and_variance(&lean(w));
        if (mean - 0.5).abs() < t.abs() * variance.sqrt() {
            low = w;
        } else {
            high = w;
        }
    }
    lean(low)
}

/// The state of an SPRT, fed with pairs in the order of the plan until it is decided.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct SprtState {
    /// The parameters of the test.
    #[serde(flatten)]
    pub sprt: Sprt,
    /// The log-likelihood ratio.
    pub llr: f64,
    /// H0 is accepted at or below this LLR.
    pub lower: f64,
    /// H1 is accepted at or above this LLR.
    pub upper: f64,
    /// The number of pairs that counted.
    pub pairs: u64,
    /// The decision so far.
    pub decision: Decision,
    /// The pairs that counted, by category.
    #[serde(skip)]
    pub categories: [u64; 5],
    /// The LLR after each pair that counted.
    #[serde(skip)]
    pub history: Vec<f64>,
}

impl SprtState {
    /// Starts without any pair.
    #[must_use]
    pub fn new(sprt: Sprt) -> SprtState {
        SprtState {
            sprt,
            llr: 0.0,
            lower: sprt.lower(),
            upper: sprt.upper(),
            pairs: 0,
            decision: Decision::GoOn,
            categories: [0; 5],
            history: Vec::new(),
        }
    }

    /// Adds the next pair by its category. After the decision pairs are ignored.
    pub fn add(&mut self, category: u8) -> Decision {
        if self.decision == Decision::GoOn {
            self.categories[usize::from(category.min(4))] += 1;
            self.pairs += 1;
            self.llr = self.sprt.llr(&self.categories);
            self.history.push(self.llr);
            self.decision = self.sprt.decide(self.llr);
        }
        self.decision
    }
}
