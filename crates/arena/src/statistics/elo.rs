//! How much better one bot is than another, with error bars: the figures of fastchess's
//! result block, computed as it computes them.

use serde::Serialize;
use skillratings::elo::{EloRating, expected_score as expected};
use statrs::distribution::{ContinuousCDF, Normal};

use super::Z95;
use super::pentanomial::Tally;

/// What one normalised Elo is in units of the standard deviation of a game's result.
pub(super) const NELO: f64 = 800.0 / std::f64::consts::LN_10;

/// What is estimated from a tally. A figure that doesn't follow from it (no game, no spread)
/// is not a number, and infinite where one bot made all points; JSON has `null` for both. The
/// bounds of the difference always say what is known.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct EloEstimate {
    /// The difference in (logistic) Elo.
    pub elo: f64,
    /// Half of its interval of 95 %; not a number where the interval has one end only.
    pub elo_error: f64,
    /// The lower end of the interval: infinite where nothing bounds the difference from
    /// below. If only this end is finite, the difference is larger with 95 % certainty.
    pub elo_low: f64,
    /// The upper end, likewise.
    pub elo_high: f64,
    /// The difference in normalised Elo: in units of the spread of the results.
    pub nelo: f64,
    /// Half of its interval of 95 %.
    pub nelo_error: f64,
    /// The likelihood of superiority, of 1.
    pub los: f64,
    /// The share of points, of 1.
    pub score: f64,
    /// The share of pairs in which both made as many points, of 1.
    pub draw_ratio: f64,
    /// Pairs won over pairs lost.
    pub pairs_ratio: f64,
    /// Pairs of a win and a loss over pairs of two draws.
    pub wl_dd_ratio: f64,
}

/// The share of points that somebody so many Elo better makes.
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

/// The other way round. Not a number outside 0 to 1.
pub(super) fn elo_from_score(score: f64) -> f64 {
    // Without this an even score would be −0.
    0.0 - 400.0 * (1.0 / score - 1.0).log10()
}

/// What an interval with one end leaves out.
const ONE_SIDED: f64 = 0.05;
/// How many standard errors that is.
const Z90: f64 = 1.644_853_626_951_472;

/// The interval of 95 % of a share of points, from this many independent results.
///
/// As fastchess has it, by the normal approximation, where that stays between 0 and 1 and
/// there is any spread. Otherwise few results, or nearly all alike, reach one end; then the
/// other end is a bound of its own: the smaller one of Wilson's score interval, and of what
/// the chance of a result can be that never came up.
pub(super) fn score_interval(score: f64, variance: f64, count: f64) -> (f64, f64) {
    let error = Z95 * (variance / count).sqrt();
    if variance > 0.0 && score - error > 0.0 && score + error < 1.0 {
        return (score - error, score + error);
    }
    let lower_bound = |score: f64| {
        let z = Z90 * Z90 / count;
        let spread = (score * (1.0 - score) / count + z / (4.0 * count)).sqrt();
        let wilson = (score + z / 2.0 - Z90 * spread) / (1.0 + z);
        wilson.min(score * ONE_SIDED.powf(1.0 / count)).max(0.0)
    };
    match score {
        _ if score > 0.5 => (lower_bound(score), 1.0),
        _ if score < 0.5 => (0.0, 1.0 - lower_bound(1.0 - score)),
        // Nothing but even results: both sides may have missed as much.
        _ if count > 0.0 => {
            let seen = (ONE_SIDED / 2.0).powf(1.0 / count);
            (0.5 * seen, 1.0 - 0.5 * seen)
        }
        _ => (0.0, 1.0),
    }
}

/// How likely it is that a bot with these results is better.
fn los(score: f64, variance: f64, count: f64) -> f64 {
    if count > 0.0 && variance == 0.0 {
        // No spread to go by: how likely the better one wins this many results in a row.
        let in_a_row = 0.5f64.powf(count);
        return match score {
            _ if score > 0.5 => 1.0 - in_a_row,
            _ if score < 0.5 => in_a_row,
            _ => 0.5,
        };
    }
    Normal::standard().cdf((score - 0.5) / (variance / count).sqrt())
}

/// What follows from so many independent results with this mean and variance; `of_game` is
/// the variance of a single game.
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
        los: los(score, variance, count),
        score,
        draw_ratio: f64::NAN,
        pairs_ratio: f64::NAN,
        wl_dd_ratio: f64::NAN,
    }
}

impl EloEstimate {
    /// From single games that have nothing to do with each other, where pairs are not
    /// known: what is about pairs is not a number, and the draw ratio is that of games.
    ///
    /// ```
    /// use noughts_arena::statistics::Estimate;
    /// let estimate = Estimate::of_games(3, 4, 1);
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

impl Tally {
    /// The share of points and its variance over pairs that repeat no earlier one.
    pub(super) fn mean_and_variance(&self) -> (f64, f64) {
        let pairs = self.distinct_pairs();
        let all = pairs.iter().sum::<u64>() as f64;
        let shares = pairs.map(|count| count as f64 / all);
        let score = |i: usize| i as f64 / 4.0;
        let mean: f64 = shares.iter().enumerate().map(|(i, p)| p * score(i)).sum();
        let variance = shares.iter().enumerate();
        let variance = variance.map(|(i, p)| p * (score(i) - mean).powi(2)).sum();
        (mean, variance)
    }

    /// The share of points over pairs that repeat no earlier one.
    pub(crate) fn distinct_score(&self) -> f64 {
        self.mean_and_variance().0
    }

    /// From where to where the share of points is with 95 % certainty.
    pub(crate) fn score_interval(&self) -> (f64, f64) {
        let (score, variance) = self.mean_and_variance();
        score_interval(
            score,
            variance,
            self.distinct_pairs().iter().sum::<u64>() as f64,
        )
    }

    /// What follows from it.
    ///
    /// ```
    /// use noughts_arena::statistics::Tally;
    /// let tally = Tally { pairs: [1, 11, 47, 25, 16], ..Tally::default() };
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
            // Two games vary half as much as one.
            ..estimate(score, variance, 2.0 * variance, pairs)
        }
    }
}
