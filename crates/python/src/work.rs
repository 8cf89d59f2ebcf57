//! Long work: on a thread of its own, with Python free meanwhile, and Ctrl-C heard.

use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::Duration;

use noughts_engine::{StopFlag, catch_panic};
use pyo3::prelude::*;

use crate::errors::{BotError, Raise};

/// Searches recurse, and threads begin with less stack than programs.
pub(crate) const STACK: usize = 32 << 20;

/// So often somebody looks whether the person has lost patience.
pub(crate) const GLANCE: Duration = Duration::from_millis(20);

/// Does the work and waits for it. A signal whose handler raises (Ctrl-C) stops it: the work
/// is to obey the flag.
pub(crate) fn aside<T: Send>(
    py: Python<'_>,
    stop: &StopFlag,
    work: impl FnOnce() -> T + Send,
) -> PyResult<T> {
    watched(py, stop, work, |_| Ok(()))
}

/// The same; `meanwhile` is called now and then on the caller's own thread, and once when
/// the work is done. An exception of it stops the work.
pub(crate) fn watched<T: Send>(
    py: Python<'_>,
    stop: &StopFlag,
    work: impl FnOnce() -> T + Send,
    mut meanwhile: impl FnMut(Python<'_>) -> PyResult<()> + Send,
) -> PyResult<T> {
    let mut look = |py: Python<'_>| {
        py.check_signals()?;
        meanwhile(py)
    };
    let (done, exception) = py.detach(|| {
        thread::scope(|scope| {
            let (tell, told) = mpsc::channel();
            let begun = thread::Builder::new()
                .stack_size(STACK)
                .spawn_scoped(scope, move || {
                    // Nobody hangs up before there is an answer.
                    let _ = tell.send(catch_panic(work));
                });
            let thread = match begun {
                Ok(thread) => thread,
                Err(error) => {
                    let sentence = format!("the system has no thread left to think on: {error}");
                    return (Err(sentence), None);
                }
            };
            let mut exception = None;
            let done = loop {
                match told.recv_timeout(GLANCE) {
                    Ok(done) => break done,
                    Err(RecvTimeoutError::Disconnected) => {
                        break Err("the work went away".to_owned());
                    }
                    Err(RecvTimeoutError::Timeout) if exception.is_some() => {}
                    Err(RecvTimeoutError::Timeout) => match Python::try_attach(&mut look) {
                        Some(Ok(())) => {}
                        Some(Err(error)) => {
                            exception = Some(error);
                            stop.stop();
                        }
                        // Python itself is going away.
                        None => stop.stop(),
                    },
                }
            };
            // Its panics have been caught. Whoever comes back from here leaves no thread.
            let _ = thread.join();
            (done, exception)
        })
    });
    if let Some(exception) = exception {
        return Err(exception);
    }
    let done = broken(done)?;
    look(py)?;
    Ok(done)
}

/// What came of work that may have panicked.
pub(crate) fn broken<T>(done: Result<T, String>) -> PyResult<T> {
    done.map_err(|panic| format!("something broke down that never should: {panic}"))
        .raise::<BotError>()
}
