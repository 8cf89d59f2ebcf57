//! The arena's statistics, for results from any source.

use noughts_arena::Sprt;
use noughts_arena::statistics::{
    EloEstimate, Pairing, Pentanomial, expected_score, fit_ratings, glicko_ratings,
};
use noughts_rules::{Outcome, Side};
use pyo3::Borrowed;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;

use super::plan_args::parse_integer;
use crate::errors::{PlanError, Raise};
use crate::game_args::describe_type;

/// Elo, its error, the lower and upper end of its interval, normalized Elo, its error, LOS, score,
/// draw ratio, pairs ratio.
type Figures = (f64, f64, f64, f64, f64, f64, f64, f64, f64, f64);

fn to_figures(estimate: &EloEstimate) -> Figures {
    (
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
    )
}

/// An upper bound for counts of games, against overflow.
const MAX_COUNT: u64 = 1_000_000_000_000_000;

/// The number of game pairs by points: 0, ½, 1, 1½ and 2.
struct PairCounts([u64; 5]);

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

/// Estimates Elo from counts of game pairs.
#[pyfunction]
fn arena_estimate(pairs: PairCounts) -> Figures {
    to_figures(&tally(pairs).estimate())
}

/// Estimates Elo from single games.
#[pyfunction]
fn arena_estimate_games(
    wins: &Bound<'_, PyAny>,
    draws: &Bound<'_, PyAny>,
    losses: &Bound<'_, PyAny>,
) -> PyResult<Figures> {
    let estimate = EloEstimate::from_games(
        parse_integer("wins", wins, 0, MAX_COUNT)?,
        parse_integer("draws", draws, 0, MAX_COUNT)?,
        parse_integer("losses", losses, 0, MAX_COUNT)?,
    );
    Ok(to_figures(&estimate))
}

/// Returns the log-likelihood ratio of game pairs.
#[pyfunction]
#[allow(
    clippy::needless_pass_by_value,
    reason = "pyo3 extracts an owned value"
)]
fn arena_llr(pairs: PairCounts, elo0: f64, elo1: f64) -> PyResult<f64> {
    let sprt = Sprt {
        elo0,
        elo1,
        alpha: 0.05,
        beta: 0.05,
    };
    sprt.check().raise::<PlanError>()?;
    Ok(sprt.llr(&pairs.0))
}

/// Returns the bounds at which a test accepts H0 and H1.
#[pyfunction]
fn arena_bounds(alpha: f64, beta: f64) -> PyResult<(f64, f64)> {
    let sprt = Sprt {
        elo0: 0.0,
        elo1: 1.0,
        alpha,
        beta,
    };
    sprt.check().raise::<PlanError>()?;
    Ok((sprt.lower(), sprt.upper()))
}

/// Returns the expected score for a difference in Elo.
#[pyfunction]
fn arena_expected_score(elo: f64) -> f64 {
    expected_score(elo)
}

/// Returns the rating and error of each bot, from the results of all pairings.
#[pyfunction]
fn arena_ratings(bots: usize, pairings: Vec<(usize, usize, PairCounts)>) -> Vec<(f64, f64)> {
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
fn arena_glicko(games: Vec<(String, String, f64)>) -> Vec<(String, f64, f64, f64, u64)> {
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

pub(super) fn add(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(arena_estimate, module)?)?;
    module.add_function(wrap_pyfunction!(arena_estimate_games, module)?)?;
    module.add_function(wrap_pyfunction!(arena_llr, module)?)?;
    module.add_function(wrap_pyfunction!(arena_bounds, module)?)?;
    module.add_function(wrap_pyfunction!(arena_expected_score, module)?)?;
    module.add_function(wrap_pyfunction!(arena_ratings, module)?)?;
    module.add_function(wrap_pyfunction!(arena_glicko, module)?)
}
