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

/// Runs the launcher of an external bot until it ends, and returns its exit code.
#[pyfunction]
pub(crate) fn launch_bot(py: Python<'_>) -> u8 {
    py.detach(noughts_arena::run_launcher)
}

/// Sets the command that runs [`launch_bot`] in its own process.
#[pyfunction]
fn set_launcher(command: Vec<OsString>) {
    noughts_arena::set_launcher_command(command);
}

/// Adds the arena's classes and functions to the module.
pub(crate) fn add(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<result::Tournament>()?;
    module.add_function(wrap_pyfunction!(run::arena_run, module)?)?;
    module.add_function(wrap_pyfunction!(check::arena_check, module)?)?;
    module.add_function(wrap_pyfunction!(set_launcher, module)?)?;
    statistics::add(module)
}
