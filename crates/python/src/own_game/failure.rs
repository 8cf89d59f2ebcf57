//! Exceptions in games written in Python. [`noughts_rules::Game`] can't return an error, so the first exception is kept
//! until whatever asked for the rules is done, which raises it. Until then the rules say that the game is over, so that
//! searches end.
//!
//! - Work on the caller's own thread, inside [`catch`], has its exceptions to itself.
//! - Work on several threads is between [`Running::start`] and [`Running::check`]. If several such computations on one
//!   game run at the same time, an exception in any of them may have misled all, so it ends all.

use std::cell::RefCell;
use std::sync::{Mutex, MutexGuard, PoisonError};

use noughts_rules::Variant;
use pyo3::prelude::*;

use super::OwnGame;

#[derive(Default)]
pub(super) struct Failures(Mutex<State>);

#[derive(Default)]
struct State {
    /// The computations on several threads.
    running: usize,
    failure: Option<PyErr>,
}

impl Failures {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

thread_local! {
    /// The exception of the innermost [`catch`] on this thread; `None` outside of any.
    static CAUGHT: RefCell<Option<Option<PyErr>>> = const { RefCell::new(None) };
}

/// Runs work that asks for the rules of games on this thread only, and raises the first exception in them.
pub(crate) fn catch<T>(work: impl FnOnce() -> T) -> PyResult<T> {
    /// Also if the work panics.
    struct Restore(Option<Option<PyErr>>);

    impl Drop for Restore {
        fn drop(&mut self) {
            CAUGHT.set(self.0.take());
        }
    }

    let outer = Restore(CAUGHT.replace(Some(None)));
    let result = work();
    let caught = CAUGHT.take().flatten();
    drop(outer);
    caught.map_or(Ok(result), Err)
}

impl OwnGame {
    /// Keeps an exception, if it is the first.
    pub(super) fn fail(&self, error: PyErr) {
        let on_this_thread = CAUGHT.with_borrow_mut(|caught| match caught {
            Some(slot) => {
                slot.get_or_insert(error);
                None
            }
            None => Some(error),
        });
        let Some(error) = on_this_thread else {
            return;
        };
        let mut state = self.failures.lock();
        if state.running > 0 {
            state.failure.get_or_insert(error);
            return;
        }
        // Nobody waits for it.
        drop(state);
        Python::try_attach(|py| error.write_unraisable(py, None));
    }

    /// Has there been an exception, so that nothing else matters?
    pub(super) fn has_failed(&self) -> bool {
        let here = CAUGHT.with_borrow(|caught| caught.as_ref().map(Option::is_some));
        here.unwrap_or_else(|| self.failures.lock().failure.is_some())
    }
}

/// A computation on several threads that asks for the rules of a game.
pub(crate) struct Running(Option<&'static OwnGame>);

impl Running {
    pub(crate) fn start(variant: Variant) -> Running {
        let game = super::of_variant(variant);
        if let Some(game) = game {
            game.failures.lock().running += 1;
        }
        Running(game)
    }

    /// Raises the exception, if there has been one.
    pub(crate) fn check(&self, py: Python<'_>) -> PyResult<()> {
        let Some(game) = self.0 else {
            return Ok(());
        };
        let failure = game
            .failures
            .lock()
            .failure
            .as_ref()
            .map(|error| error.clone_ref(py));
        failure.map_or(Ok(()), Err)
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        let Some(game) = self.0 else {
            return;
        };
        let mut state = game.failures.lock();
        state.running -= 1;
        if state.running == 0 {
            let failure = state.failure.take();
            drop(state);
            drop(failure);
        }
    }
}

/// Runs work on several threads that asks for the rules of a game, and raises the first exception in them.
pub(crate) fn watch<T>(
    py: Python<'_>,
    variant: Variant,
    work: impl FnOnce(&Running) -> PyResult<T>,
) -> PyResult<T> {
    let running = Running::start(variant);
    let result = work(&running);
    running.check(py)?;
    result
}
