//! What follows from results: the arena's own figures, for results from anywhere.

use noughts_arena::Sprt;
use noughts_arena::statistics::{
    EloEstimate, Pairing, RatedGame, RatedResult, Tally, expected_score, fit_ratings,
    glicko_ratings,
};
use pyo3::prelude::*;

use crate::errors::{PlanError, Raise};

/// Elo, its error, the ends of its interval, normalised Elo, its error, LOS, score, draw
/// ratio, pairs ratio.
type Figures = (f64, f64, f64, f64, f64, f64, f64, f64, f64, f64);

fn figures(estimate: &EloEstimate) -> Figures {
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

fn tally(pairs: [u64; 5]) -> Tally {
    Tally {
        pairs,
        ..Tally::default()
    }
}

/// From pairs, by points.
#[pyfunction]
fn arena_estimate(pairs: [u64; 5]) -> Figures {
    figures(&tally(pairs).estimate())
}

/// From single games.
#[pyfunction]
fn arena_estimate_games(wins: u64, draws: u64, losses: u64) -> Figures {
    figures(&EloEstimate::from_games(wins, draws, losses))
}

/// The log-likelihood ratio of pairs.
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

/// Where a test says H0, and where H1.
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

/// The share of points of somebody so much better.
#[pyfunction]
fn arena_expected_score(elo: f64) -> f64 {
    expected_score(elo)
}

/// Ratings and their errors by number, from who met whom with which pairs.
#[pyfunction]
fn arena_ratings(bots: usize, met: Vec<(usize, usize, [u64; 5])>) -> Vec<(f64, f64)> {
    let inside = |&(first, second, _): &(usize, usize, _)| first < bots && second < bots;
    let encounters: Vec<Pairing> = met
        .into_iter()
        .filter(inside)
        .map(|(first, second, pairs)| Pairing {
            first,
            second,
            tally: tally(pairs),
        })
        .collect();
    let all = fit_ratings(bots, &encounters).bots;
    all.iter()
        .map(|rating| (rating.elo, rating.error))
        .collect()
}

/// Name, rating, deviation, volatility and games of people, from what the first of two
/// made of each game.
#[allow(clippy::needless_pass_by_value, reason = "made from a list for this")]
#[pyfunction]
fn arena_glicko(games: Vec<(String, String, f64)>) -> Vec<(String, f64, f64, f64, u64)> {
    let met = games.iter().map(|(first, second, points)| RatedGame {
        first,
        second,
        result: match points {
            points if *points > 0.5 => RatedResult::Win,
            points if *points < 0.5 => RatedResult::Loss,
            _ => RatedResult::Draw,
        },
    });
    glicko_ratings(met)
        .into_iter()
        .map(|person| {
            let deviation = person.deviation;
            (
                person.name,
                person.rating,
                deviation,
                person.volatility,
                person.games,
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
