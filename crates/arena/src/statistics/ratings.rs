//! One rating for each of many bots, most likely given all their games.
//!
//! The model is Bradley and Terry's on the Elo scale; a draw is half a win and half a
//! loss. So that somebody who won all games has a rating with an end, everybody also
//! has one drawn game against the mean of all (the only prior).
//!
//! Errors are sandwich estimates with the pair as the unit: what the results of a pair
//! really vary by, however often draws come and however alike the two games of an
//! opening end, instead of what the model would have them vary by.

use serde::Serialize;

use super::Z95;
use super::elo::expected_score;
use super::pentanomial::Tally;

/// What two bots, by their numbers, made of each other, as the first sees it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Pairing {
    /// One.
    pub first: usize,
    /// The other.
    pub second: usize,
    /// Their pairs.
    pub tally: Tally,
}

/// A bot's rating, the mean of its group being 0.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct Rating {
    /// In Elo.
    pub elo: f64,
    /// Half of its interval of 95 %, against the mean of its group. Without end for a
    /// bot that has not met anybody.
    pub error: f64,
}

/// The ratings of a field.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Ratings {
    /// By number.
    pub bots: Vec<Rating>,
    /// Who can be compared with whom: bots of different groups have not met, not even
    /// by others. The groups by their first bot; one group where all is well.
    pub groups: Vec<Vec<usize>>,
}

/// Drawn games that everybody has against the mean.
const PRIOR: f64 = 1.0;

/// A pair's results are taken to vary as the model has it this many pairs long: a few
/// pairs that ended alike do not make an error of 0.
const BELIEF: f64 = 1.0;

/// One Elo in units of the logistic curve.
const UNIT: f64 = std::f64::consts::LN_10 / 400.0;

/// The ratings of so many bots from what they made of each other.
///
/// ```
/// use noughts_arena::statistics::{Encounter, Tally, ratings};
/// let tally = Tally { pairs: [2, 5, 10, 12, 8], ..Tally::default() };
/// let ratings = ratings(2, &[Encounter { first: 0, second: 1, tally }]);
/// assert!(ratings.bots[0].elo > 0.0);
/// assert!((ratings.bots[0].elo + ratings.bots[1].elo).abs() < 1e-9);
/// ```
#[must_use]
pub fn fit_ratings(bots: usize, encounters: &[Pairing]) -> Ratings {
    let met: Vec<Pairing> = encounters
        .iter()
        .filter(|met| met.first < bots && met.second < bots && met.first != met.second)
        .filter(|met| met.tally.pair_count() > 0)
        .map(|met| Pairing {
            // A pair that was played again says nothing new.
            tally: Tally {
                pairs: met.tally.distinct_pairs(),
                ..Tally::default()
            },
            ..*met
        })
        .collect();
    let met: Vec<&Pairing> = met.iter().collect();
    let groups = groups(bots, &met);
    let nobody = Rating {
        elo: 0.0,
        error: f64::INFINITY,
    };
    let mut all = vec![nobody; bots];
    for group in &groups {
        if group.len() > 1 {
            let inside = |met: &&&Pairing| group.contains(&met.first);
            let met: Vec<&Pairing> = met.iter().filter(inside).copied().collect();
            for (&bot, rating) in group.iter().zip(fit(group, &met)) {
                all[bot] = rating;
            }
        }
    }
    Ratings { bots: all, groups }
}

/// Bots that have met, directly or by others.
fn groups(bots: usize, met: &[&Pairing]) -> Vec<Vec<usize>> {
    let mut group: Vec<usize> = (0..bots).collect();
    for met in met {
        let (one, other) = (group[met.first], group[met.second]);
        let (low, high) = (one.min(other), one.max(other));
        for number in &mut group {
            if *number == high {
                *number = low;
            }
        }
    }
    let mut groups: Vec<Vec<usize>> = Vec::new();
    let mut known = vec![None; bots];
    for bot in 0..bots {
        match known[group[bot]] {
            Some(at) => {
                let group: &mut Vec<usize> = &mut groups[at];
                group.push(bot);
            }
            None => {
                known[group[bot]] = Some(groups.len());
                groups.push(vec![bot]);
            }
        }
    }
    groups
}

/// Points of a pair, by category, of the first bot.
fn points(category: usize) -> f64 {
    category as f64 / 2.0
}

/// The ratings of a group of bots that have all met.
fn fit(group: &[usize], met: &[&Pairing]) -> Vec<Rating> {
    let n = group.len();
    let place = |bot: usize| group.iter().position(|&other| other == bot).unwrap_or(0);
    let met: Vec<(usize, usize, &Tally)> = met
        .iter()
        .map(|met| (place(met.first), place(met.second), &met.tally))
        .collect();
    let mut r = vec![0.0; n];
    let mut worth = likelihood(&r, &met);
    for _ in 0..200 {
        let (slope, information) = slope_and_information(&r, &met);
        let Some(inverse) = inverse(&information) else {
            break;
        };
        let mut step: Vec<f64> = (0..n)
            .map(|i| (0..n).map(|j| inverse[i][j] * slope[j]).sum())
            .collect();
        let longest = step.iter().fold(0.0, |most: f64, x| most.max(x.abs()));
        if longest > 400.0 {
            step.iter_mut().for_each(|x| *x *= 400.0 / longest);
        }
        // Close by, a whole step is right, and the likelihood too flat to say so. Farther
        // away: as much of it as makes things better.
        let mut part = 1.0;
        loop {
            let next: Vec<f64> = r.iter().zip(&step).map(|(r, x)| r + part * x).collect();
            let value = likelihood(&next, &met);
            if longest < 1.0 || value >= worth || part < 1e-6 {
                (r, worth) = (next, value);
                break;
            }
            part /= 2.0;
        }
        if longest < 1e-9 {
            break;
        }
    }
    let errors = errors(&r, &met);
    let mean = r.iter().sum::<f64>() / n as f64;
    r.iter()
        .zip(errors)
        .map(|(r, error)| Rating {
            elo: r - mean,
            error: Z95 * error,
        })
        .collect()
}

type Met<'a> = (usize, usize, &'a Tally);

/// ln of the expected score, also where that is next to 0.
fn ln_expected(elo: f64) -> f64 {
    let x = elo * UNIT;
    // −ln(1 + e^−x)
    if x < 0.0 {
        x - x.exp().ln_1p()
    } else {
        -(-x).exp().ln_1p()
    }
}

fn likelihood(r: &[f64], met: &[Met<'_>]) -> f64 {
    let mut sum = 0.0;
    for &(i, j, tally) in met {
        let made: f64 = tally
            .pairs
            .iter()
            .enumerate()
            .map(|(category, &count)| count as f64 * points(category))
            .sum();
        let all = 2.0 * tally.pair_count() as f64;
        sum += made * ln_expected(r[i] - r[j]) + (all - made) * ln_expected(r[j] - r[i]);
    }
    for &r in r {
        sum += PRIOR / 2.0 * (ln_expected(r) + ln_expected(-r));
    }
    sum
}

fn slope_and_information(r: &[f64], met: &[Met<'_>]) -> (Vec<f64>, Vec<Vec<f64>>) {
    let n = r.len();
    let mut slope = vec![0.0; n];
    let mut information = vec![vec![0.0; n]; n];
    for &(i, j, tally) in met {
        let expected = expected_score(r[i] - r[j]);
        let mut pull = 0.0;
        for (category, &count) in tally.pairs.iter().enumerate() {
            pull += count as f64 * (points(category) - 2.0 * expected);
        }
        slope[i] += UNIT * pull;
        slope[j] -= UNIT * pull;
        let games = 2.0 * tally.pair_count() as f64;
        // Next to 0 or 1 the curve is flat: too flat to divide by.
        let bend = UNIT * UNIT * games * (expected * (1.0 - expected)).max(1e-12);
        information[i][i] += bend;
        information[j][j] += bend;
        information[i][j] -= bend;
        information[j][i] -= bend;
    }
    for i in 0..n {
        let expected = expected_score(r[i]);
        slope[i] += UNIT * PRIOR * (0.5 - expected);
        information[i][i] += UNIT * UNIT * PRIOR * (expected * (1.0 - expected)).max(1e-12);
    }
    (slope, information)
}

/// Standard errors against the mean of all: by how much the ratings vary when pairs vary
/// as they did.
fn errors(r: &[f64], met: &[Met<'_>]) -> Vec<f64> {
    let n = r.len();
    let (_, information) = slope_and_information(r, met);
    let Some(inverse) = inverse(&information) else {
        return vec![f64::INFINITY; n];
    };
    let mut spread = vec![vec![0.0; n]; n];
    let pairs: f64 = met
        .iter()
        .map(|(_, _, tally)| tally.pair_count() as f64)
        .sum();
    // The ratings were fitted to the same pairs, and so these lie too close to them.
    let freedom = pairs / (pairs - (n as f64 - 1.0)).max(1.0);
    for &(i, j, tally) in met {
        let expected = expected_score(r[i] - r[j]);
        let mut squares = 0.0;
        for (category, &count) in tally.pairs.iter().enumerate() {
            squares += count as f64 * (points(category) - 2.0 * expected).powi(2);
        }
        let count = tally.pair_count() as f64;
        let model = 2.0 * expected * (1.0 - expected);
        let variance = (squares * freedom + BELIEF * model) / (count + BELIEF);
        let spread_of = UNIT * UNIT * count * variance;
        spread[i][i] += spread_of;
        spread[j][j] += spread_of;
        spread[i][j] -= spread_of;
        spread[j][i] -= spread_of;
    }
    // Row i of (I − 1/n) A⁻¹: how rating i answers to each bot's results.
    let means: Vec<f64> = (0..n)
        .map(|j| inverse.iter().map(|row| row[j]).sum::<f64>() / n as f64)
        .collect();
    (0..n)
        .map(|i| {
            let answer: Vec<f64> = (0..n).map(|j| inverse[i][j] - means[j]).collect();
            let mut variance = 0.0;
            for (a, row) in answer.iter().zip(&spread) {
                let along: f64 = row.iter().zip(&answer).map(|(s, b)| s * b).sum();
                variance += a * along;
            }
            variance.max(0.0).sqrt()
        })
        .collect()
}

/// The inverse of a symmetric matrix that is positive definite; none if it is not.
fn inverse(matrix: &[Vec<f64>]) -> Option<Vec<Vec<f64>>> {
    let n = matrix.len();
    // Cholesky: the matrix is L Lᵀ.
    let mut lower = vec![vec![0.0; n]; n];
    for i in 0..n {
        for j in 0..=i {
            let known: f64 = (0..j).map(|k| lower[i][k] * lower[j][k]).sum();
            let rest = matrix[i][j] - known;
            if i == j {
                if rest.is_nan() || rest <= 0.0 {
                    return None;
                }
                lower[i][i] = rest.sqrt();
            } else {
                lower[i][j] = rest / lower[j][j];
            }
        }
    }
    let mut inverse = vec![vec![0.0; n]; n];
    for column in 0..n {
        let mut x = vec![0.0; n];
        for i in 0..n {
            let known: f64 = (0..i).map(|k| lower[i][k] * x[k]).sum();
            x[i] = (f64::from(u8::from(i == column)) - known) / lower[i][i];
        }
        for i in (0..n).rev() {
            let known: f64 = (i + 1..n).map(|k| lower[k][i] * x[k]).sum();
            x[i] = (x[i] - known) / lower[i][i];
        }
        for (row, x) in inverse.iter_mut().zip(x) {
            row[column] = x;
        }
    }
    Some(inverse)
}
