//! `noughts.arena`: matches and tournaments between bots. This module checks the arguments and
//! runs the tournament; `noughts/arena.py` describes its results, and `_python_bot.py` runs
//! the players that are Python objects.

mod check;
mod plan_args;
mod python_player;
mod result;
mod run;
mod statistics;

use std::ffi::OsString;

use pyo3::prelude::*;

pub(crate) use check::arena_check;
pub(crate) use result::Tournament;
pub(crate) use run::arena_run;
pub(crate) use statistics::{
    arena_glicko, arena_ratings, elo_of, estimate, expected_score, sprt_bounds, sprt_llr,
};

/// Runs the launcher of an external bot until it ends, and returns its exit code.
#[pyfunction]
pub(crate) fn launch_bot(py: Python<'_>) -> u8 {
    py.detach(noughts_arena::run_launcher)
}

/// Sets the command that runs [`launch_bot`] in its own process.
#[pyfunction]
pub(crate) fn set_launcher(command: Vec<OsString>) {
    noughts_arena::set_launcher_command(command);
}
