//! How much better one bot is than another, with error bars: the figures of fastchess's
//! result block, computed as it computes them.

use serde::Serialize;
use skillratings::elo::{EloRating, expected_score as expected};
use statrs::distribution::{ContinuousCDF, Normal};

use super::Z95;
use super::pentanomial::Tally;

/// What one normalised Elo is in units of the standard deviation of a game's result.
pub(super) const NELO: f64 = 800.0 / std::f64::consts::LN_10;

/// What is estimated from a tally. Where it says nothing (no game, no spread) a figure
/// is not a number, and without end where one bot made all points: fastchess prints the
/// same, and JSON has `null`.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct Estimate {
    /// The difference in (logistic) Elo.
    pub elo: f64,
    /// Half of its interval of 95 %.
    pub elo_error: f64,
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
pub(super) fn elo_of(score: f64) -> f64 {
    // Without this an even score would be −0.
    0.0 - 400.0 * (1.0 / score - 1.0).log10()
}

/// What follows from so many independent results with this mean and variance; `of_game` is
/// the variance of a single game.
fn estimate(score: f64, variance: f64, of_game: f64, count: f64) -> Estimate {
    let error = (variance / count).sqrt();
    let (low, high) = (score - Z95 * error, score + Z95 * error);
    let nelo = |score: f64| (score - 0.5) / of_game.sqrt() * NELO;
    Estimate {
        elo: elo_of(score),
        elo_error: (elo_of(high) - elo_of(low)) / 2.0,
        nelo: nelo(score),
        nelo_error: (nelo(high) - nelo(low)) / 2.0,
        los: Normal::standard().cdf((score - 0.5) / error),
        score,
        draw_ratio: f64::NAN,
        pairs_ratio: f64::NAN,
        wl_dd_ratio: f64::NAN,
    }
}

impl Estimate {
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
    pub fn of_games(wins: u64, draws: u64, losses: u64) -> Estimate {
        let [wins, draws, losses] = [wins, draws, losses].map(|count| count as f64);
        let games = wins + draws + losses;
        let score = (wins + draws / 2.0) / games;
        let parts = [(wins, 1.0), (draws, 0.5), (losses, 0.0)];
        let parts = parts.map(|(count, points): (f64, f64)| count * (points - score).powi(2));
        let variance = parts.iter().sum::<f64>() / games;
        Estimate {
            draw_ratio: draws / games,
            ..estimate(score, variance, variance, games)
        }
    }
}

impl Tally {
    /// The share of points and its variance over pairs.
    pub(super) fn mean_and_variance(&self) -> (f64, f64) {
        let all = self.count() as f64;
        let shares = self.pairs.map(|count| count as f64 / all);
        let score = |i: usize| i as f64 / 4.0;
        let mean: f64 = shares.iter().enumerate().map(|(i, p)| p * score(i)).sum();
        let variance = shares.iter().enumerate();
        let variance = variance.map(|(i, p)| p * (score(i) - mean).powi(2)).sum();
        (mean, variance)
    }

    /// The share of points, and half of its interval of 95 %.
    pub(crate) fn score_and_reach(&self) -> (f64, f64) {
        let (score, variance) = self.mean_and_variance();
        (score, Z95 * (variance / self.count() as f64).sqrt())
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
    pub fn estimate(&self) -> Estimate {
        let pairs = self.count() as f64;
        let (score, variance) = self.mean_and_variance();
        let [ll, ld, even, wd, ww] = self.pairs;
        let single = even.saturating_sub(self.drawn_twice);
        Estimate {
            draw_ratio: even as f64 / pairs,
            pairs_ratio: (wd + ww) as f64 / (ll + ld) as f64,
            wl_dd_ratio: single as f64 / self.drawn_twice as f64,
            // Two games vary half as much as one.
            ..estimate(score, variance, 2.0 * variance, pairs)
        }
    }
}
