//! The Elo difference between two bots with error bars: the figures of fastchess's result block,
//! computed the same way.

use serde::Serialize;
use skillratings::elo::{EloRating, expected_score as expected};
use statrs::distribution::{ContinuousCDF, Normal};

use super::Z95;
use super::pentanomial::Pentanomial;

/// One standard deviation of a game's result, in normalized Elo.
pub(super) const NELO: f64 = 800.0 / std::f64::consts::LN_10;

/// Estimates computed from a tally. A figure that can't be computed (no games, no variance) is NaN,
/// and infinite if one bot won all points; both are `null` in JSON. The bounds of the Elo
/// difference are always meaningful.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct EloEstimate {
    /// The difference in (logistic) Elo.
    pub elo: f64,
    /// Half the width of the 95% interval; NaN if the interval is one-sided.
    pub elo_error: f64,
    /// The lower bound of the interval: infinite if the difference isn't bounded from below. If
    /// only this bound is finite, the difference exceeds it with 95% confidence.
    pub elo_low: f64,
    /// The upper bound, likewise.
    pub elo_high: f64,
    /// The difference in normalized Elo, which is relative to the spread of the results.
    pub nelo: f64,
    /// Half the width of its 95% interval.
    pub nelo_error: f64,
    /// The likelihood of superiority, from 0 to 1.
    pub los: f64,
    /// The share of points, from 0 to 1.
    pub score: f64,
    /// The share of pairs in which both bots scored the same, from 0 to 1.
    pub draw_ratio: f64,
    /// Pairs won over pairs lost.
    pub pairs_ratio: f64,
    /// Pairs with a win and a loss over pairs with two draws.
    pub wl_dd_ratio: f64,
}

/// The expected score of a player who is this many Elo stronger.
///
/// ```
/// use noughts_arena::statistics::expected_score;
/// assert_eq!(expected_score(0.0), 0.5);
/// assert!((expected_score(400.0) - 10.0 / 11.0).abs() < 1e-12);
/// ```
#[must_use]
pub fn expected_score(elo: f64) -> f64 {
    expected(&EloRating { rating: elo }, &EloRating { rating: 0.0 }).0
}

/// The inverse of [`expected_score`]. NaN outside 0 to 1.
pub(crate) fn elo_from_score(score: f64) -> f64 {
    // Subtracting from 0.0 avoids −0 for an even score.
    0.0 - 400.0 * (1.0 / score - 1.0).log10()
}

/// The error probability of a one-sided interval.
const ONE_SIDED: f64 = 0.05;
/// The corresponding quantile of the normal distribution.
const Z_ONE_SIDED: f64 = 1.644_853_626_951_472;

/// The 95% interval of the expected score, from this many independent results.
///
/// This is fastchess's normal approximation if that stays strictly between 0 and 1 and the variance
/// isn't 0. Otherwise (few results, or nearly all the same) the interval is one-sided: its bound is
/// the smaller of the bound of Wilson's score interval and the bound that follows from the results
/// that never occurred.
pub(super) fn score_interval(score: f64, variance: f64, count: f64) -> (f64, f64) {
    let error = Z95 * (variance / count).sqrt();
    if variance > 0.0 && score - error > 0.0 && score + error < 1.0 {
        return (score - error, score + error);
    }
    let lower_bound = |score: f64| {
        let z = Z_ONE_SIDED * Z_ONE_SIDED / count;
        let spread = (score * (1.0 - score) / count + z / (4.0 * count)).sqrt();
        let wilson = (score + z / 2.0 - Z_ONE_SIDED * spread) / (1.0 + z);
        wilson.min(score * ONE_SIDED.powf(1.0 / count)).max(0.0)
    };
    match score {
        _ if score > 0.5 => (lower_bound(score), 1.0),
        _ if score < 0.5 => (0.0, 1.0 - lower_bound(1.0 - score)),
        // Nothing but even results: both sides are bounded the same way.
        _ if count > 0.0 => {
            let seen = (ONE_SIDED / 2.0).powf(1.0 / count);
            (0.5 * seen, 1.0 - 0.5 * seen)
        }
        _ => (0.0, 1.0),
    }
}

/// The likelihood of superiority (LOS) given these results.
fn likelihood_of_superiority(score: f64, variance: f64, count: f64) -> f64 {
    if count > 0.0 && variance == 0.0 {
        // Without variance: the probability that an equal bot wouldn't win this many results in a
        // row.
        let in_a_row = 0.5f64.powf(count);
        return match score {
            _ if score > 0.5 => 1.0 - in_a_row,
            _ if score < 0.5 => in_a_row,
            _ => 0.5,
        };
    }
    Normal::standard().cdf((score - 0.5) / (variance / count).sqrt())
}

/// Estimates from independent results with this mean and variance; `of_game` is the variance of a
/// single game.
fn estimate(score: f64, variance: f64, of_game: f64, count: f64) -> EloEstimate {
    let (low, high) = score_interval(score, variance, count);
    let (elo_low, elo_high) = (elo_from_score(low), elo_from_score(high));
    let half = (elo_high - elo_low) / 2.0;
    let deviation = of_game.sqrt();
    EloEstimate {
        elo: elo_from_score(score),
        elo_error: if half.is_finite() { half } else { f64::NAN },
        elo_low,
        elo_high,
        nelo: (score - 0.5) / deviation * NELO,
        nelo_error: Z95 * (variance / count).sqrt() / deviation * NELO,
        los: likelihood_of_superiority(score, variance, count),
        score,
        draw_ratio: f64::NAN,
        pairs_ratio: f64::NAN,
        wl_dd_ratio: f64::NAN,
    }
}

impl EloEstimate {
    /// The finite bound of a one-sided interval, after the same in words and as a sign.
    pub(crate) fn one_sided_bound(&self) -> Option<(&'static str, char, f64)> {
        match (self.elo_low.is_finite(), self.elo_high.is_finite()) {
            (true, false) => Some(("at least", '>', self.elo_low)),
            (false, true) => Some(("at most", '<', self.elo_high)),
            _ => None,
        }
    }

    /// Estimates from independent games that aren't paired: figures about pairs are NaN, and the
    /// draw ratio is that of games.
    ///
    /// ```
    /// use noughts_arena::statistics::EloEstimate;
    /// let estimate = EloEstimate::from_games(3, 4, 1);
    /// assert_eq!(estimate.score, 0.625);
    /// assert_eq!(format!("{:.1}", estimate.elo), "88.7");
    /// ```
    #[must_use]
    pub fn from_games(wins: u64, draws: u64, losses: u64) -> EloEstimate {
        let [wins, draws, losses] = [wins, draws, losses].map(|count| count as f64);
        let games = wins + draws + losses;
        let score = (wins + draws / 2.0) / games;
        let parts = [(wins, 1.0), (draws, 0.5), (losses, 0.0)];
        let parts = parts.map(|(count, points): (f64, f64)| count * (points - score).powi(2));
        let variance = parts.iter().sum::<f64>() / games;
        EloEstimate {
            draw_ratio: draws / games,
            ..estimate(score, variance, variance, games)
        }
    }
}

/// The score of a pair by category, from 0 to 1.
pub(super) const SCORES: [f64; 5] = [0.0, 0.25, 0.5, 0.75, 1.0];

/// The mean score and its variance, given the share of each category.
pub(super) fn mean_and_variance(shares: &[f64; 5]) -> (f64, f64) {
    let mean: f64 = shares.iter().zip(SCORES).map(|(p, score)| p * score).sum();
    let squares = shares.iter().zip(SCORES);
    let variance = squares.map(|(p, score)| p * (score - mean).powi(2)).sum();
    (mean, variance)
}

impl Pentanomial {
    /// The mean score and its variance over distinct pairs.
    pub(super) fn mean_and_variance(&self) -> (f64, f64) {
        let pairs = self.distinct_pairs();
        let all = pairs.iter().sum::<u64>() as f64;
        mean_and_variance(&pairs.map(|count| count as f64 / all))
    }

    /// The mean score over distinct pairs.
    pub(crate) fn distinct_score(&self) -> f64 {
        self.mean_and_variance().0
    }

    /// The 95% interval of the expected score.
    pub(crate) fn score_interval(&self) -> (f64, f64) {
        let (score, variance) = self.mean_and_variance();
        let pairs: u64 = self.distinct_pairs().iter().sum();
        score_interval(score, variance, pairs as f64)
    }

    /// Estimates the Elo difference from this tally.
    ///
    /// ```
    /// use noughts_arena::statistics::Pentanomial;
    /// let tally = Pentanomial { pairs: [1, 11, 47, 25, 16], ..Pentanomial::default() };
    /// let estimate = tally.estimate();
    /// assert_eq!(format!("{:.2} +/- {:.2}", estimate.elo, estimate.elo_error), "77.71 +/- 33.03");
    /// ```
    #[must_use]
    pub fn estimate(&self) -> EloEstimate {
        let (score, variance) = self.mean_and_variance();
        let [ll, ld, even, wd, ww] = self.distinct_pairs();
        let pairs = (ll + ld + even + wd + ww) as f64;
        let single = even.saturating_sub(self.drawn_twice);
        EloEstimate {
            draw_ratio: even as f64 / pairs,
            pairs_ratio: (wd + ww) as f64 / (ll + ld) as f64,
            wl_dd_ratio: single as f64 / self.drawn_twice as f64,
            // The variance of a pair's mean score is half that of a single game's.
            ..estimate(score, variance, 2.0 * variance, pairs)
        }
    }
}
