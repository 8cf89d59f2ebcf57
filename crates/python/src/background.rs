//! Runs long computations on their own thread while the GIL is released, and stops them on Ctrl-C.

use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::Duration;

use noughts_engine::{StopFlag, catch_panic};
use noughts_rules::Variant;
use pyo3::prelude::*;

use crate::errors::{BotError, Raise};
use crate::own_game::failure::watch;

/// Searches recurse deeply, and the default stack of a thread is smaller than that of the main thread.
pub(crate) const STACK_BYTES: usize = 32 << 20;

/// How often the caller's thread checks for signals.
pub(crate) const POLL_INTERVAL: Duration = Duration::from_millis(20);

/// The number of cores that this process may use.
pub(crate) fn core_count() -> usize {
    thread::available_parallelism().map_or(1, usize::from)
}

/// Runs `work`, which is about this variant, and waits for it. A signal whose handler raises (Ctrl-C) or an
/// exception in a game written in Python sets the stop flag, which `work` must respect.
pub(crate) fn run_interruptible<T: Send>(
    py: Python<'_>,
    variant: Variant,
    stop: &StopFlag,
    work: impl FnOnce() -> T + Send,
) -> PyResult<T> {
    watch(py, variant, |running| {
        run_with_polling(py, || stop.stop(), |_| work(), |py| running.check(py))
    })
}

/// Like [`run_interruptible`], but also calls `on_poll` on the caller's thread: regularly, whenever
/// `work` calls its argument, and once after the work is done. After a signal or an exception in
/// `on_poll`, calls `stop` regularly until the work ends.
pub(crate) fn run_with_polling<T: Send>(
    py: Python<'_>,
    stop: impl Fn() + Sync,
    work: impl FnOnce(&dyn Fn()) -> T + Send,
    mut on_poll: impl FnMut(Python<'_>) -> PyResult<()> + Send,
) -> PyResult<T> {
    let mut poll = |py: Python<'_>| {
        py.check_signals()?;
        on_poll(py)
    };
    let (result, exception) = py.detach(|| {
        thread::scope(|scope| {
            let (sender, receiver) = mpsc::channel();
            let spawned =
                thread::Builder::new()
                    .stack_size(STACK_BYTES)
                    .spawn_scoped(scope, move || {
                        // The receiver outlives this thread, so sending can't fail.
                        let wake = || drop(sender.send(None));
                        let _ = sender.send(Some(catch_panic(|| work(&wake))));
                    });
            let thread = match spawned {
                Ok(thread) => thread,
                Err(error) => {
                    let message = format!("can't start a thread for the search: {error}");
                    return (Err(message), None);
                }
            };
            let mut exception = None;
            let result = loop {
                match receiver.recv_timeout(POLL_INTERVAL) {
                    Ok(Some(result)) => break result,
                    Err(RecvTimeoutError::Disconnected) => {
                        break Err("the background thread ended early".to_owned());
                    }
                    Ok(None) if exception.is_some() => {}
                    Err(RecvTimeoutError::Timeout) if exception.is_some() => stop(),
                    Ok(None) | Err(RecvTimeoutError::Timeout) => {
                        match Python::try_attach(&mut poll) {
                            Some(Ok(())) => {}
                            Some(Err(error)) => {
                                exception = Some(error);
                                stop();
                            }
                            // The interpreter is shutting down.
                            None => stop(),
                        }
                    }
                }
            };
            // Panics are already caught. Joining guarantees that no thread outlives this call.
            let _ = thread.join();
            (result, exception)
        })
    });
    if let Some(exception) = exception {
        return Err(exception);
    }
    let result = raise_panic(result)?;
    poll(py)?;
    Ok(result)
}

/// The result of work that may have panicked; the message of a panic becomes a `BotError`.
pub(crate) fn raise_panic<T>(result: Result<T, String>) -> PyResult<T> {
    result
        .map_err(|panic| format!("internal error: {panic}; please report this bug"))
        .raise::<BotError>()
}
