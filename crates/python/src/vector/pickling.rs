//! The pickled form of a vector: positions as text, the random generator of every game, and the
//! outputs of the last step.

use noughts_rules::{AnyGameState, Variant};
use numpy::{PyArray1, PyArrayMethods};
use pyo3::prelude::*;

use super::arrays::Arrays;
use super::games::{RngState, Tally, VectorGames};
use crate::errors::{NoughtsError, PositionError, Raise};

/// In order: the initial position and moves of each game; the state of each game's random generator;
/// rewards, ends and actions of the last step; moves, wins of X, wins of O and draws so far; the final
/// positions of the games that ended with the last step.
pub(super) type PickledState<'py> = (
    Vec<(String, Vec<String>)>,
    Vec<Vec<u8>>,
    Bound<'py, PyArray1<f32>>,
    Bound<'py, PyArray1<u8>>,
    Bound<'py, PyArray1<i64>>,
    (u64, u64, u64, u64),
    Vec<(usize, String)>,
);

/// The pickled state of these games.
pub(super) fn save<'py>(
    py: Python<'py>,
    count: usize,
    games: &dyn VectorGames,
    arrays: &Arrays,
) -> PyResult<PickledState<'py>> {
    let mut positions = Vec::with_capacity(count);
    for index in 0..count {
        let game_state = games.state(index).raise::<PositionError>()?;
        positions.push((game_state.start_text(), game_state.moves()));
    }
    let mut finals = Vec::new();
    for (index, game_state) in games.final_states() {
        finals.push((index, game_state.raise::<PositionError>()?.position_text()));
    }
    let rng_states = games.rng_states();
    let Tally { moves, x, o, draws } = games.tally();
    arrays.write(py, |out| {
        Ok((
            positions,
            rng_states
                .iter()
                .map(|rng_state| rng_state.to_vec())
                .collect(),
            PyArray1::from_slice(py, out.rewards),
            PyArray1::from_slice(py, out.ends),
            PyArray1::from_slice(py, out.actions),
            (moves, x, o, draws),
            finals,
        ))
    })
}

/// Restores a pickled state into new games.
pub(super) fn restore(
    py: Python<'_>,
    variant: Variant,
    count: usize,
    games: &mut dyn VectorGames,
    arrays: &Arrays,
    state: PickledState<'_>,
) -> PyResult<()> {
    let malformed_error = || NoughtsError::new_err("this isn't a pickled vector");
    let (positions, rng_states, rewards, ends, actions, (moves, x, o, draws), finals) = state;
    if positions.len() != count || rng_states.len() != count {
        return Err(malformed_error());
    }
    let parse = |text: &str| AnyGameState::from_text(variant, text).raise::<PositionError>();
    for (index, ((start, moves), rng_state)) in positions.iter().zip(&rng_states).enumerate() {
        let mut game_state = parse(start)?;
        for mv in moves {
            game_state.play(mv).map_err(|_| malformed_error())?;
        }
        if game_state.outcome().is_some() {
            return Err(malformed_error());
        }
        games.set_state(index, &game_state);
        let rng_state = RngState::try_from(rng_state.as_slice()).map_err(|_| malformed_error())?;
        games.set_rng_state(index, rng_state);
    }
    for (index, text) in finals {
        games.set_final_state(index, &parse(&text)?);
    }
    games.set_tally(Tally { moves, x, o, draws });
    let borrowed = (
        rewards.try_readonly(),
        ends.try_readonly(),
        actions.try_readonly(),
    );
    let (Ok(rewards), Ok(ends), Ok(actions)) = borrowed else {
        return Err(malformed_error());
    };
    arrays.write(py, |out| {
        games.write_outputs(out);
        let (rewards, ends, actions) = (rewards.as_slice()?, ends.as_slice()?, actions.as_slice()?);
        if [rewards.len(), ends.len(), actions.len()] != [2 * count, count, count] {
            return Err(malformed_error());
        }
        out.rewards.copy_from_slice(rewards);
        out.actions.copy_from_slice(actions);
        for (end, &value) in out.ends.iter_mut().zip(ends) {
            // Python sees this array as booleans, which must be 0 or 1.
            *end = u8::from(value != 0);
        }
        Ok(())
    })
}
