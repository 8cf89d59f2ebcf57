//! Stops a tournament from another thread.

use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering};

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
#[derive(Clone, Debug, Default)]
pub struct TournamentControl(Arc<AtomicU8>);

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
            .fetch_update(Ordering::SeqCst, Ordering::SeqCst, more);
        match before {
            Ok(0) => StopRequest::Finish,
            _ => StopRequest::Now,
        }
    }

    /// The current request.
    #[must_use]
    pub fn stop_request(&self) -> Option<StopRequest> {
        match self.0.load(Ordering::SeqCst) {
            0 => None,
            1 => Some(StopRequest::Finish),
            _ => Some(StopRequest::Now),
        }
    }
}
