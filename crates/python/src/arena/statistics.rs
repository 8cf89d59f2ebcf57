//! The arena's statistics, for results from any source.

use noughts_arena::Sprt;
use noughts_arena::statistics::{
    EloEstimate, Pairing, Pentanomial, RatedGame, RatedResult, expected_score, fit_ratings,
    glicko_ratings,
};
use pyo3::prelude::*;

use crate::errors::{PlanError, Raise};

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

fn tally(pairs: [u64; 5]) -> Pentanomial {
    Pentanomial {
        pairs,
        ..Pentanomial::default()
    }
}

/// Estimates Elo from counts of game pairs.
#[pyfunction]
fn arena_estimate(pairs: [u64; 5]) -> Figures {
    to_figures(&tally(pairs).estimate())
}

/// Estimates Elo from single games.
#[pyfunction]
fn arena_estimate_games(wins: u64, draws: u64, losses: u64) -> Figures {
    to_figures(&EloEstimate::from_games(wins, draws, losses))
}

/// Returns the log-likelihood ratio of game pairs.
#[pyfunction]
fn arena_llr(pairs: [u64; 5], elo0: f64, elo1: f64) -> PyResult<f64> {
    let sprt = Sprt {
        elo0,
        elo1,
        alpha: 0.05,
        beta: 0.05,
    };
    sprt.check().raise::<PlanError>()?;
    Ok(sprt.llr(&pairs))
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
fn arena_ratings(bots: usize, met: Vec<(usize, usize, [u64; 5])>) -> Vec<(f64, f64)> {
    let is_valid = |&(first, second, _): &(usize, usize, _)| first < bots && second < bots;
    let pairings: Vec<Pairing> = met
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
#[allow(
    clippy::needless_pass_by_value,
    reason = "pyo3 extracts an owned value"
)]
#[pyfunction]
fn arena_glicko(games: Vec<(String, String, f64)>) -> Vec<(String, f64, f64, f64, u64)> {
    let rated_games = games.iter().map(|(first, second, points)| RatedGame {
        first,
        second,
        result: match points {
            points if *points > 0.5 => RatedResult::Win,
            points if *points < 0.5 => RatedResult::Loss,
            _ => RatedResult::Draw,
        },
    });
    glicko_ratings(rated_games)
        .into_iter()
        .map(|player| {
            let deviation = player.deviation;
            (
                player.name,
                player.rating,
                deviation,
                player.volatility,
                player.games,
            )
        })
        .collect()
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
