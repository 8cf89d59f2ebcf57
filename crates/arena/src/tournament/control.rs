//! Stops a tournament from another thread.

use std::fmt;
use std::sync::atomic::{AtomicU8, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Stops a tournament. Clones share their state.
///
/// ```
/// use noughts_arena::{StopRequest, TournamentControl};
/// let control = TournamentControl::new();
/// assert_eq!(control.stop_request(), None);
/// assert_eq!(control.stop(), StopRequest::Finish);
/// assert_eq!(control.stop(), StopRequest::Now);
/// assert_eq!(control.stop_request(), Some(StopRequest::Now));
/// ```
#[derive(Clone, Default)]
pub struct TournamentControl(Arc<ControlState>);

#[derive(Default)]
struct ControlState {
    times: AtomicU8,
    wake: Mutex<Option<Box<dyn Fn() + Send>>>,
}

/// A request to stop.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum StopRequest {
    /// No more games start; running games are finished.
    Finish,
    /// Running games end without a result.
    Now,
}

impl TournamentControl {
    /// No stop is requested yet.
    #[must_use]
    pub fn new() -> TournamentControl {
        TournamentControl::default()
    }

    /// Requests a stop: the first call finishes running games, further calls stop them immediately.
    /// Returns what was requested.
    pub fn stop(&self) -> StopRequest {
        let more = |times: u8| Some(times.saturating_add(1));
        let before = self
            .0
            .times
            .fetch_update(Ordering::SeqCst, Ordering::SeqCst, more);
        self.wake();
        match before {
            Ok(0) => StopRequest::Finish,
            _ => StopRequest::Now,
        }
    }

    /// The current request.
    #[must_use]
    pub fn stop_request(&self) -> Option<StopRequest> {
        match self.0.times.load(Ordering::SeqCst) {
            0 => None,
            1 => Some(StopRequest::Finish),
            _ => Some(StopRequest::Now),
        }
    }

    fn wake(&self) {
        if let Some(wake) = &*self.hook() {
            wake();
        }
    }

    fn hook(&self) -> MutexGuard<'_, Option<Box<dyn Fn() + Send>>> {
        self.0.wake.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl fmt::Debug for TournamentControl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Control")
            .field(&self.stop_request())
            .finish()
    }
}

/// While this exists, a stop request wakes the tournament.
pub(super) struct WakeGuard<'a>(&'a TournamentControl);

impl<'a> WakeGuard<'a> {
    pub(super) fn new(
        control: &'a TournamentControl,
        wake: impl Fn() + Send + 'static,
    ) -> WakeGuard<'a> {
        *control.hook() = Some(Box::new(wake));
        WakeGuard(control)
    }
}

impl Drop for WakeGuard<'_> {
    fn drop(&mut self) {
        self.0.hook().take();
    }
}
