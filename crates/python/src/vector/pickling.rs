//! The pickled form of a vector: its games, and the outputs of the last step.

use numpy::{PyArray1, PyArrayMethods};
use pyo3::prelude::*;

use super::arrays::Arrays;
use super::games::{SavedGames, VectorGames};
use crate::counts::Tally;
use crate::errors::NoughtsError;

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
    games: &dyn VectorGames,
    arrays: &Arrays,
) -> PyResult<PickledState<'py>> {
    let saved = games.save();
    let Tally { moves, x, o, draws } = saved.tally;
    arrays.write(py, |out| {
        Ok((
            saved.games,
            saved.rng_states,
            PyArray1::from_slice(py, out.rewards),
            PyArray1::from_slice(py, out.ends),
            PyArray1::from_slice(py, out.actions),
            (moves, x, o, draws),
            saved.finals,
        ))
    })
}

pub(super) fn malformed_error() -> PyErr {
    NoughtsError::new_err("this isn't a pickled vector")
}

/// Restores a pickled state into new games.
pub(super) fn restore(
    py: Python<'_>,
    count: usize,
    games: &mut dyn VectorGames,
    arrays: &Arrays,
    state: PickledState<'_>,
) -> PyResult<()> {
    let (positions, rng_states, rewards, ends, actions, (moves, x, o, draws), finals) = state;
    if positions.len() != count || rng_states.len() != count {
        return Err(malformed_error());
    }
    let saved = SavedGames {
        games: positions,
        rng_states,
        finals,
        tally: Tally { moves, x, o, draws },
    };
    games.restore(saved).ok_or_else(malformed_error)?;
    let borrowed = (
        rewards.try_readonly(),
        ends.try_readonly(),
        actions.try_readonly(),
    );
    let (Ok(rewards), Ok(ends), Ok(actions)) = borrowed else {
        return Err(malformed_error());
    };
    arrays.write(py, |mut out| {
        games.write_outputs(&mut out);
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
