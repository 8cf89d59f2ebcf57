//! Maximum-likelihood ratings of several bots from all their games.
//!
//! The model is Bradley–Terry on the Elo scale; a draw is half a win and half a loss. The only
//! prior is one drawn game of each bot against the mean, which keeps the rating of a bot that won
//! every game finite.
//!
//! Errors are sandwich estimates with the pair as the unit: they follow the actual variance of the
//! pairs' results, however frequent draws are and however correlated the two games of an opening,
//! instead of the variance the model would assume.

use std::collections::BTreeMap;

use serde::Serialize;

use super::Z95;
use super::elo::expected_score;
use super::pentanomial::Pentanomial;

/// The results between two bots, given by index, from the first one's point of view.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Pairing {
    /// The first bot.
    pub first: usize,
    /// The second bot.
    pub second: usize,
    /// Their pairs.
    pub tally: Pentanomial,
}

/// A bot's rating, relative to the mean of its group.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct Rating {
    /// The rating in Elo.
    pub elo: f64,
    /// Half the width of the 95% interval, relative to the mean of its group. Infinite for a bot
    /// that hasn't played.
    pub error: f64,
}

/// The ratings of all bots of a tournament.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Ratings {
    /// The ratings by bot index.
    pub bots: Vec<Rating>,
    /// Groups of bots that can be compared: bots of different groups have no common opponents, not
    /// even indirectly. Ordered by their first bot; normally there is one group.
    pub groups: Vec<Vec<usize>>,
}

/// The number of drawn games against the mean that each bot is assumed to have.
const PRIOR_DRAWS: f64 = 1.0;

/// The weight of the model's variance, in pairs: a few pairs with the same result must not lead to
/// an error of 0.
const PRIOR_PAIRS: f64 = 1.0;

/// One Elo in units of the logistic function.
const ELO_UNIT: f64 = std::f64::consts::LN_10 / 400.0;

/// Fits the ratings of `bots` bots to their results.
///
/// ```
/// use noughts_arena::statistics::{Pairing, Pentanomial, fit_ratings};
/// let tally = Pentanomial { pairs: [2, 5, 10, 12, 8], ..Pentanomial::default() };
/// let ratings = fit_ratings(2, &[Pairing { first: 0, second: 1, tally }]);
/// assert!(ratings.bots[0].elo > 0.0);
/// assert!((ratings.bots[0].elo + ratings.bots[1].elo).abs() < 1e-9);
/// ```
#[must_use]
pub fn fit_ratings(bots: usize, pairings: &[Pairing]) -> Ratings {
    let pairings: Vec<Pairing> = pairings
        .iter()
        .filter(|pairing| {
            pairing.first < bots && pairing.second < bots && pairing.first != pairing.second
        })
        .filter(|pairing| pairing.tally.pair_count() > 0)
        .map(|pairing| Pairing {
            // A repeated pair isn't evidence.
            tally: Pentanomial {
                pairs: pairing.tally.distinct_pairs(),
                ..Pentanomial::default()
            },
            ..*pairing
        })
        .collect();
    let pairings: Vec<&Pairing> = pairings.iter().collect();
    let groups = connected_groups(bots, &pairings);
    let unrated = Rating {
        elo: 0.0,
        error: f64::INFINITY,
    };
    let mut ratings = vec![unrated; bots];
    for group in &groups {
        if group.len() > 1 {
            let in_group = |pairing: &&&Pairing| group.contains(&pairing.first);
            let pairings: Vec<&Pairing> = pairings.iter().filter(in_group).copied().collect();
            for (&bot, rating) in group.iter().zip(fit_group(group, &pairings)) {
                ratings[bot] = rating;
            }
        }
    }
    Ratings {
        bots: ratings,
        groups,
    }
}

/// The connected components of the graph of opponents.
fn connected_groups(bots: usize, pairings: &[&Pairing]) -> Vec<Vec<usize>> {
    let mut group: Vec<usize> = (0..bots).collect();
    for pairing in pairings {
        let (one, other) = (group[pairing.first], group[pairing.second]);
        let (low, high) = (one.min(other), one.max(other));
        for label in &mut group {
            if *label == high {
                *label = low;
            }
        }
    }
    // Each group is labeled by its first bot.
    let mut groups: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
    for (bot, label) in group.into_iter().enumerate() {
        groups.entry(label).or_default().push(bot);
    }
    groups.into_values().collect()
}

/// The sum over all pairs of a function of the first bot's points.
fn sum_over_pairs(tally: &Pentanomial, value: impl Fn(f64) -> f64) -> f64 {
    let pairs = tally.pairs.iter().enumerate();
    pairs
        .map(|(category, &count)| count as f64 * value(category as f64 / 2.0))
        .sum()
}

/// Fits the ratings of one connected group by Newton's method.
fn fit_group(group: &[usize], pairings: &[&Pairing]) -> Vec<Rating> {
    let n = group.len();
    let index = |bot: usize| group.iter().position(|&other| other == bot).unwrap_or(0);
    let pairings: Vec<(usize, usize, &Pentanomial)> = pairings
        .iter()
        .map(|pairing| (index(pairing.first), index(pairing.second), &pairing.tally))
        .collect();
    let mut r = vec![0.0; n];
    let mut likelihood = log_likelihood(&r, &pairings);
    for _ in 0..200 {
        let (gradient, information) = gradient_and_information(&r, &pairings);
        let Some(inverse) = inverse(&information) else {
            break;
        };
        let mut step: Vec<f64> = (0..n)
            .map(|i| (0..n).map(|j| inverse[i][j] * gradient[j]).sum())
            .collect();
        let longest = step.iter().fold(0.0, |max: f64, x| max.max(x.abs()));
        if longest > 400.0 {
            step.iter_mut().for_each(|x| *x *= 400.0 / longest);
        }
        // Near the optimum take the full step, since the likelihood is too flat to compare. Farther
        // away halve the step until the likelihood improves.
        let mut fraction = 1.0;
        loop {
            let next: Vec<f64> = r.iter().zip(&step).map(|(r, x)| r + fraction * x).collect();
            let value = log_likelihood(&next, &pairings);
            if longest < 1.0 || value >= likelihood || fraction < 1e-6 {
                (r, likelihood) = (next, value);
                break;
            }
            fraction /= 2.0;
        }
        if longest < 1e-9 {
            break;
        }
    }
    let errors = standard_errors(&r, &pairings);
    let mean = r.iter().sum::<f64>() / n as f64;
    r.iter()
        .zip(errors)
        .map(|(r, error)| Rating {
            elo: r - mean,
            error: Z95 * error,
        })
        .collect()
}

type IndexedPairing<'a> = (usize, usize, &'a Pentanomial);

/// The logarithm of the expected score, also accurate near 0.
fn ln_expected(elo: f64) -> f64 {
    let x = elo * ELO_UNIT;
    // −ln(1 + e^−x)
    if x < 0.0 {
        x - x.exp().ln_1p()
    } else {
        -(-x).exp().ln_1p()
    }
}

fn log_likelihood(r: &[f64], pairings: &[IndexedPairing<'_>]) -> f64 {
    let mut sum = 0.0;
    for &(i, j, tally) in pairings {
        let points_scored = sum_over_pairs(tally, |points| points);
        let total = 2.0 * tally.pair_count() as f64;
        sum += points_scored * ln_expected(r[i] - r[j])
            + (total - points_scored) * ln_expected(r[j] - r[i]);
    }
    for &r in r {
        sum += PRIOR_DRAWS / 2.0 * (ln_expected(r) + ln_expected(-r));
    }
    sum
}

fn gradient_and_information(
    r: &[f64],
    pairings: &[IndexedPairing<'_>],
) -> (Vec<f64>, Vec<Vec<f64>>) {
    let n = r.len();
    let mut gradient = vec![0.0; n];
    let mut information = vec![vec![0.0; n]; n];
    for &(i, j, tally) in pairings {
        let expected = expected_score(r[i] - r[j]);
        let residual = sum_over_pairs(tally, |points| points - 2.0 * expected);
        gradient[i] += ELO_UNIT * residual;
        gradient[j] -= ELO_UNIT * residual;
        let games = 2.0 * tally.pair_count() as f64;
        // Near 0 or 1 the curve is too flat to divide by.
        let curvature = ELO_UNIT * ELO_UNIT * games * (expected * (1.0 - expected)).max(1e-12);
        information[i][i] += curvature;
        information[j][j] += curvature;
        information[i][j] -= curvature;
        information[j][i] -= curvature;
    }
    for i in 0..n {
        let expected = expected_score(r[i]);
        gradient[i] += ELO_UNIT * PRIOR_DRAWS * (0.5 - expected);
        information[i][i] +=
            ELO_UNIT * ELO_UNIT * PRIOR_DRAWS * (expected * (1.0 - expected)).max(1e-12);
    }
    (gradient, information)
}

/// Standard errors relative to the mean, from the actual variance of the pairs.
fn standard_errors(r: &[f64], pairings: &[IndexedPairing<'_>]) -> Vec<f64> {
    let n = r.len();
    let (_, information) = gradient_and_information(r, pairings);
    let Some(inverse) = inverse(&information) else {
        return vec![f64::INFINITY; n];
    };
    let mut covariance = vec![vec![0.0; n]; n];
    let pairs: f64 = pairings
        .iter()
        .map(|(_, _, tally)| tally.pair_count() as f64)
        .sum();
    // Corrects for the degrees of freedom: the ratings were fitted to the same pairs.
    let correction = pairs / (pairs - (n as f64 - 1.0)).max(1.0);
    for &(i, j, tally) in pairings {
        let expected = expected_score(r[i] - r[j]);
        let squares = sum_over_pairs(tally, |points| (points - 2.0 * expected).powi(2));
        let count = tally.pair_count() as f64;
        let model = 2.0 * expected * (1.0 - expected);
        let variance = (squares * correction + PRIOR_PAIRS * model) / (count + PRIOR_PAIRS);
        let contribution = ELO_UNIT * ELO_UNIT * count * variance;
        covariance[i][i] += contribution;
        covariance[j][j] += contribution;
        covariance[i][j] -= contribution;
        covariance[j][i] -= contribution;
    }
    // Row i of (I − 1/n) A⁻¹: the sensitivity of rating i to each bot's results.
    let means: Vec<f64> = (0..n)
        .map(|j| inverse.iter().map(|row| row[j]).sum::<f64>() / n as f64)
        .collect();
    (0..n)
        .map(|i| {
            let sensitivity: Vec<f64> = (0..n).map(|j| inverse[i][j] - means[j]).collect();
            let mut variance = 0.0;
            for (a, row) in sensitivity.iter().zip(&covariance) {
                let product: f64 = row.iter().zip(&sensitivity).map(|(s, b)| s * b).sum();
                variance += a * product;
            }
            variance.max(0.0).sqrt()
        })
        .collect()
}

/// The inverse of a symmetric positive definite matrix; `None` if it isn't. By elimination, which
/// needs no pivoting for such matrices.
fn inverse(matrix: &[Vec<f64>]) -> Option<Vec<Vec<f64>>> {
    let n = matrix.len();
    // The matrix, and next to it the identity, which becomes the inverse.
    let unit = |row: usize| (0..n).map(move |column| f64::from(u8::from(row == column)));
    let rows = matrix.iter().enumerate();
    let mut rows: Vec<Vec<f64>> = rows
        .map(|(i, row)| row.iter().copied().chain(unit(i)).collect())
        .collect();
    for i in 0..n {
        let pivot = rows[i][i];
        if pivot.is_nan() || pivot <= 0.0 {
            return None;
        }
        rows[i].iter_mut().for_each(|x| *x /= pivot);
        let done = rows[i].clone();
        for (_, row) in rows.iter_mut().enumerate().filter(|&(j, _)| j != i) {
            let factor = row[i];
            row.iter_mut()
                .zip(&done)
                .for_each(|(x, y)| *x -= factor * y);
        }
    }
    Some(rows.iter().map(|row| row[n..].to_vec()).collect())
}
