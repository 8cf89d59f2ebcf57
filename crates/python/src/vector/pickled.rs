//! What a vector is pickled as: the positions as text, as everywhere else, the chance of
//! every game, and what the last step has brought.

use noughts_rules::{AnyGameState, Variant};
use numpy::{PyArray1, PyArrayMethods};
use pyo3::prelude::*;

use super::arrays::Arrays;
use super::games::{Chance, Games, Tally};
use crate::errors::{NoughtsError, PositionError, Raise};

/// One after the other: where the games started, and the moves since; the chance of each
/// game; rewards, ends and actions of the last step; moves, wins of X and of O, and draws so
/// far; the last positions of the games that ended with the last step.
pub(super) type State<'py> = (
    Vec<(String, Vec<String>)>,
    Vec<Vec<u8>>,
    Bound<'py, PyArray1<f32>>,
    Bound<'py, PyArray1<u8>>,
    Bound<'py, PyArray1<i64>>,
    (u64, u64, u64, u64),
    Vec<(usize, String)>,
);

/// What is to be remembered of these games.
pub(super) fn save<'py>(
    py: Python<'py>,
    count: usize,
    games: &dyn Games,
    arrays: &Arrays,
) -> PyResult<State<'py>> {
    let mut positions = Vec::with_capacity(count);
    for index in 0..count {
        let play = games.play(index).raise::<PositionError>()?;
        positions.push((play.start_text(), play.moves()));
    }
    let mut finals = Vec::new();
    for (index, play) in games.finals() {
        finals.push((index, play.raise::<PositionError>()?.position_text()));
    }
    let chances = games.chances();
    let Tally { moves, x, o, draws } = games.tally();
    arrays.write(py, |out| {
        Ok((
            positions,
            chances.iter().map(|chance| chance.to_vec()).collect(),
            PyArray1::from_slice(py, out.rewards),
            PyArray1::from_slice(py, out.ends),
            PyArray1::from_slice(py, out.actions),
            (moves, x, o, draws),
            finals,
        ))
    })
}

/// Puts all of it back into new games.
pub(super) fn restore(
    py: Python<'_>,
    variant: Variant,
    count: usize,
    games: &mut dyn Games,
    arrays: &Arrays,
    state: State<'_>,
) -> PyResult<()> {
    let damaged = || NoughtsError::new_err("these are not the parts of a pickled vector");
    let (positions, chances, rewards, ends, actions, (moves, x, o, draws), finals) = state;
    if positions.len() != count || chances.len() != count {
        return Err(damaged());
    }
    let read = |text: &str| AnyGameState::from_text(variant, text).raise::<PositionError>();
    for (index, ((start, moves), chance)) in positions.iter().zip(&chances).enumerate() {
        let mut play = read(start)?;
        for mv in moves {
            play.play(mv).map_err(|_| damaged())?;
        }
        if play.outcome().is_some() {
            return Err(damaged());
        }
        games.set(index, &play);
        let chance = Chance::try_from(chance.as_slice()).map_err(|_| damaged())?;
        games.set_chance(index, chance);
    }
    for (index, text) in finals {
        games.set_final(index, &read(&text)?);
    }
    games.set_tally(Tally { moves, x, o, draws });
    let lent = (
        rewards.try_readonly(),
        ends.try_readonly(),
        actions.try_readonly(),
    );
    let (Ok(rewards), Ok(ends), Ok(actions)) = lent else {
        return Err(damaged());
    };
    arrays.write(py, |out| {
        games.show(out);
        let (rewards, ends, actions) = (rewards.as_slice()?, ends.as_slice()?, actions.as_slice()?);
        if [rewards.len(), ends.len(), actions.len()] != [2 * count, count, count] {
            return Err(damaged());
        }
        out.rewards.copy_from_slice(rewards);
        out.actions.copy_from_slice(actions);
        for (end, &given) in out.ends.iter_mut().zip(ends) {
            // Python sees truth values, of which there are two.
            *end = u8::from(given != 0);
        }
        Ok(())
    })
}
