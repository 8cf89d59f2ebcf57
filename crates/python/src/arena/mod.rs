//! `noughts.arena`: matches and tournaments between bots. `noughts/arena.py` checks the arguments; this
//! module runs the tournament, with Python objects among its players.

mod check;
mod pickling;
mod plan_args;
mod played_game;
mod python_player;
mod result;
mod run;
mod statistics;

use std::ffi::OsString;
use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::time::Duration;

use pyo3::prelude::*;

/// How often the caller's thread checks for signals.
const POLL_INTERVAL: Duration = Duration::from_millis(50);

/// Receives the next message with the GIL released; `None` after [`POLL_INTERVAL`] without one.
fn receive<T: Send>(py: Python<'_>, receiver: &mut Receiver<T>) -> Option<Result<T, Disconnected>> {
    match py.detach(move || receiver.recv_timeout(POLL_INTERVAL)) {
        Ok(message) => Some(Ok(message)),
        Err(RecvTimeoutError::Timeout) => None,
        Err(RecvTimeoutError::Disconnected) => Some(Err(Disconnected)),
    }
}

/// The sending thread has ended.
struct Disconnected;

/// A time from Python, in seconds; an invalid number becomes zero.
fn duration_from_secs(seconds: f64) -> Duration {
    let max = 1e9;
    Duration::try_from_secs_f64(seconds.clamp(0.0, max)).unwrap_or_default()
}

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
    let py = module.py();
    module.add("Result", py.get_type::<result::ArenaResult>())?;
    module.add("PlayedGame", py.get_type::<played_game::ArenaGame>())?;
    module.add_function(wrap_pyfunction!(run::arena_run, module)?)?;
    module.add_function(wrap_pyfunction!(check::arena_check, module)?)?;
    module.add_function(wrap_pyfunction!(python_player::arena_share, module)?)?;
    module.add_function(wrap_pyfunction!(set_launcher, module)?)?;
    statistics::add(module)
}
