//! Bots against bots. What is asked for is checked and made ready by `noughts/arena.py`;
//! here it is played by the arena, with players of Python among its own.

mod check;
mod games;
mod guest;
mod pickled;
mod report;
mod run;
mod statistics;
mod terms;

use std::ffi::OsString;
use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::time::Duration;

use pyo3::prelude::*;

/// How often one looks whether somebody has pressed Ctrl-C.
const GLANCE: Duration = Duration::from_millis(50);

/// What comes next, while Python may do something else; nothing for now: nothing.
fn next<T: Send>(py: Python<'_>, receiver: &mut Receiver<T>) -> Option<Result<T, Gone>> {
    match py.detach(move || receiver.recv_timeout(GLANCE)) {
        Ok(heard) => Some(Ok(heard)),
        Err(RecvTimeoutError::Timeout) => None,
        Err(RecvTimeoutError::Disconnected) => Some(Err(Gone)),
    }
}

/// Whoever was to say something is there no more.
struct Gone;

/// A time from Python. What is no time is none.
fn seconds(number: f64) -> Duration {
    let most = 1e9;
    Duration::try_from_secs_f64(number.clamp(0.0, most)).unwrap_or_default()
}

/// The life of the launcher of an outside bot; returns its exit code.
#[pyfunction]
pub(crate) fn launch_bot(py: Python<'_>) -> u8 {
    py.detach(noughts_arena::run_launcher)
}

/// Sets the command that runs [`launch_bot`] in a process of its own.
#[pyfunction]
fn set_launcher(command: Vec<OsString>) {
    noughts_arena::set_launcher_command(command);
}

/// Puts everything into the module.
pub(crate) fn add(module: &Bound<'_, PyModule>) -> PyResult<()> {
    let py = module.py();
    module.add("Result", py.get_type::<report::ArenaResult>())?;
    module.add("PlayedGame", py.get_type::<games::ArenaGame>())?;
    module.add_function(wrap_pyfunction!(run::arena_run, module)?)?;
    module.add_function(wrap_pyfunction!(check::arena_check, module)?)?;
    module.add_function(wrap_pyfunction!(guest::arena_share, module)?)?;
    module.add_function(wrap_pyfunction!(set_launcher, module)?)?;
    statistics::add(module)
}
