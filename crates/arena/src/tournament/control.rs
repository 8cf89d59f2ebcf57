//! How a tournament is asked to stop, from another thread.

use std::fmt;
use std::sync::atomic::{AtomicU8, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Stops a tournament. Clones share it.
///
/// ```
/// use noughts_arena::{Asked, Control};
/// let control = Control::new();
/// assert_eq!(control.asked(), None);
/// assert_eq!(control.stop(), Asked::Finish);
/// assert_eq!(control.stop(), Asked::Now);
/// assert_eq!(control.asked(), Some(Asked::Now));
/// ```
#[derive(Clone, Default)]
pub struct TournamentControl(Arc<Inner>);

#[derive(Default)]
struct Inner {
    times: AtomicU8,
    wake: Mutex<Option<Box<dyn Fn() + Send>>>,
}

/// What was asked for.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum StopRequest {
    /// No game begins any more; those that run are finished.
    Finish,
    /// Running games end without a result.
    Now,
}

impl TournamentControl {
    /// Nothing is asked for yet.
    #[must_use]
    pub fn new() -> TournamentControl {
        TournamentControl::default()
    }

    /// Asks: the first time to finish running games, then to stop at once. Says which.
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

    /// What was asked for.
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

/// For as long as it lives, whoever asks wakes the tournament.
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
