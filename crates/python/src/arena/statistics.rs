//! The arena's statistics, for results from any source.

use noughts_arena::Sprt;
use noughts_arena::statistics::{
    self, EloEstimate, Pairing, Pentanomial, fit_ratings, glicko_ratings,
};
use noughts_rules::{Outcome, Side};
use pyo3::Borrowed;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;

use super::plan_args::parse_integer;
use crate::errors::{PlanError, Raise};
use crate::game_args::describe_type;

/// A `noughts.arena.Estimate`.
fn to_estimate<'py>(py: Python<'py>, estimate: &EloEstimate) -> PyResult<Bound<'py, PyAny>> {
    let class = py.import("noughts.arena")?.getattr("Estimate")?;
    class.call1((
        estimate.elo,
        estimate.elo_error,
        estimate.elo_low,
        estimate.elo_high,
        estimate.nelo,
        estimate.nelo_error,
        estimate.los,
        estimate.score,
        estimate.draw_ratio,
        estimate.pairs_ratio,
    ))
}

/// An upper bound for counts of games, against overflow.
const MAX_COUNT: u64 = 1_000_000_000_000_000;

/// The number of game pairs by points: 0, ½, 1, 1½ and 2.
pub(crate) struct PairCounts([u64; 5]);

impl<'py> FromPyObject<'_, 'py> for PairCounts {
    type Error = PyErr;

    fn extract(value: Borrowed<'_, 'py, PyAny>) -> PyResult<PairCounts> {
        let Ok(counts) = value.try_iter() else {
            return Err(PyTypeError::new_err(format!(
                "pentanomial must be a list of five counts, not {value}",
                value = describe_type(&value)
            )));
        };
        let counts = counts.map(|count| parse_integer("a count of pairs", &count?, 0, MAX_COUNT));
        let counts: Vec<u64> = counts.collect::<PyResult<_>>()?;
        let length = counts.len();
        let counts = counts.try_into().map_err(|_| {
            PlanError::new_err(format!(
                "pentanomial must have five counts (0, ½, 1, 1½ and 2 points), not {length}"
            ))
        })?;
        Ok(PairCounts(counts))
    }
}

fn tally(PairCounts(pairs): PairCounts) -> Pentanomial {
    Pentanomial {
        pairs,
        ..Pentanomial::default()
    }
}

/// Estimates the difference in Elo from pairs of games, with the same formulas as fastchess.
///
/// >>> figures = noughts.arena.estimate([379, 10170, 21828, 10640, 343])
/// >>> print(f"{figures.nelo:.2f} ± {figures.nelo_error:.2f}")
/// 3.05 ± 2.31
#[pyfunction]
pub(crate) fn estimate(py: Python<'_>, pentanomial: PairCounts) -> PyResult<Bound<'_, PyAny>> {
    to_estimate(py, &tally(pentanomial).estimate())
}

/// Estimates the difference in Elo from independent games.
///
/// Pairs of games from the same opening give better estimates; see `estimate`.
///
/// >>> figures = noughts.arena.elo_of(wins=30, draws=40, losses=30)
/// >>> figures.elo, figures.los
/// (0.0, 0.5)
/// >>> print(f"{noughts.arena.elo_of(60, 20, 20).elo:.1f}")
/// 147.2
#[pyfunction]
pub(crate) fn elo_of<'py>(
    py: Python<'py>,
    wins: &Bound<'_, PyAny>,
    draws: &Bound<'_, PyAny>,
    losses: &Bound<'_, PyAny>,
) -> PyResult<Bound<'py, PyAny>> {
    let estimate = EloEstimate::from_games(
        parse_integer("wins", wins, 0, MAX_COUNT)?,
        parse_integer("draws", draws, 0, MAX_COUNT)?,
        parse_integer("losses", losses, 0, MAX_COUNT)?,
    );
    to_estimate(py, &estimate)
}

/// Returns the log-likelihood ratio of "better by `elo1`" to "better by `elo0`", in normalized
/// Elo.
///
/// >>> round(noughts.arena.sprt_llr([379, 10170, 21828, 10640, 343], 0, 2), 2)
/// 2.95
#[pyfunction]
#[allow(
    clippy::needless_pass_by_value,
    reason = "pyo3 extracts an owned value"
)]
pub(crate) fn sprt_llr(pentanomial: PairCounts, elo0: f64, elo1: f64) -> PyResult<f64> {
    let sprt = Sprt {
        elo0,
        elo1,
        alpha: 0.05,
        beta: 0.05,
    };
    sprt.check().raise::<PlanError>()?;
    Ok(sprt.llr(&pentanomial.0))
}

/// Returns the log-likelihood ratios at which an SPRT accepts H0 and H1.
///
/// >>> [round(bound, 3) for bound in noughts.arena.sprt_bounds()]
/// [-2.944, 2.944]
#[pyfunction]
#[pyo3(signature = (alpha = 0.05, beta = 0.05))]
pub(crate) fn sprt_bounds(alpha: f64, beta: f64) -> PyResult<(f64, f64)> {
    let sprt = Sprt {
        elo0: 0.0,
        elo1: 1.0,
        alpha,
        beta,
    };
    sprt.check().raise::<PlanError>()?;
    Ok((sprt.lower(), sprt.upper()))
}

/// Returns the expected share of the points for an advantage of `elo`.
///
/// >>> noughts.arena.expected_score(0)
/// 0.5
/// >>> round(noughts.arena.expected_score(400), 3)
/// 0.909
#[pyfunction]
pub(crate) fn expected_score(elo: f64) -> f64 {
    statistics::expected_score(elo)
}

/// Returns the rating and error of each bot, from the results of all pairings.
#[pyfunction]
pub(crate) fn arena_ratings(
    bots: usize,
    pairings: Vec<(usize, usize, PairCounts)>,
) -> Vec<(f64, f64)> {
    let is_valid = |&(first, second, _): &(usize, usize, _)| first < bots && second < bots;
    let pairings: Vec<Pairing> = pairings
        .into_iter()
        .filter(is_valid)
        .map(|(first, second, pairs)| Pairing {
            first,
            second,
            tally: tally(pairs),
        })
        .collect();
    let ratings = fit_ratings(bots, &pairings).bots;
    ratings
        .iter()
        .map(|rating| (rating.elo, rating.error))
        .collect()
}

/// Returns name, rating, deviation, volatility and number of games of each player, from the first
/// player's points in each game.
#[pyfunction]
pub(crate) fn arena_glicko(games: Vec<(String, String, f64)>) -> Vec<(String, f64, f64, f64, u64)> {
    let rated_games = games.into_iter().map(|(first, second, points)| {
        let outcome = match points {
            points if points > 0.5 => Outcome::Win(Side::X),
            points if points < 0.5 => Outcome::Win(Side::O),
            _ => Outcome::Draw,
        };
        (first, second, outcome)
    });
    let players = glicko_ratings(rated_games).into_iter();
    let figures = players.map(|p| (p.name, p.rating, p.deviation, p.volatility, p.games));
    figures.collect()
}
