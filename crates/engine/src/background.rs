//! Work on a thread of its own that reports on the way. Whoever waits for it
//! always gets the newest report: a slow reader misses some, and none queue up.

use std::any::Any;
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::Instant;

use crate::limits::StopFlag;
use crate::report::SearchReport;

/// Searches recurse, and threads begin with less stack than programs.
pub(crate) const STACK_BYTES: usize = 32 << 20;

/// Work that goes on elsewhere, seen by the one who waits for it. Dropping it
/// does not stop the work.
pub(crate) struct BackgroundTask<T> {
    shared: Arc<Shared<T>>,
    thread: JoinHandle<()>,
    /// The reports that were handed out.
    seen: u64,
    /// Has [`News::Stopped`] been handed out?
    told: bool,
}

/// Stops the work from anywhere.
pub(crate) struct StopHandle<T>(Arc<Shared<T>>);

struct Shared<T> {
    state: Mutex<State<T>>,
    changed: Condvar,
    stop: StopFlag,
}

struct State<T> {
    latest: Option<SearchReport<String>>,
    reports: u64,
    result: Option<Result<T, String>>,
    ended: bool,
}

/// What happened while waiting.
pub(crate) enum TaskEvent {
    /// There is a newer report.
    Report(SearchReport<String>),
    /// Somebody wants it to stop; told once.
    Stopped,
    /// The work has ended; told ever after.
    Ended,
    /// The time is up.
    TimedOut,
}

impl<T: Send + 'static> BackgroundTask<T> {
    /// Begins. The work is to obey the flag and to call the function with what it
    /// finds; a panic ends it, and nothing else.
    ///
    /// # Errors
    /// The system has no thread left.
    pub(crate) fn start(
        work: impl FnOnce(&StopFlag, &mut dyn FnMut(&SearchReport<String>)) -> T + Send + 'static,
    ) -> io::Result<BackgroundTask<T>> {
        let shared = Arc::new(Shared {
            state: Mutex::new(State {
                latest: None,
                reports: 0,
                result: None,
                ended: false,
            }),
            changed: Condvar::new(),
            stop: StopFlag::new(),
        });
        let mine = Arc::clone(&shared);
        let thread = thread::Builder::new()
            .stack_size(STACK_BYTES)
            .spawn(move || {
                let result = catch_panic(|| work(&mine.stop, &mut |report| mine.publish(report)));
                let mut state = mine.lock();
                state.result = Some(result);
                state.ended = true;
                mine.changed.notify_all();
            })?;
        Ok(BackgroundTask {
            shared,
            thread,
            seen: 0,
            told: false,
        })
    }

    /// Waits for something to happen, or until then.
    pub(crate) fn wait(&mut self, until: Option<Instant>) -> TaskEvent {
        let mut state = self.shared.lock();
        loop {
            if state.reports > self.seen
                && let Some(latest) = &state.latest
            {
                self.seen = state.reports;
                return TaskEvent::Report(latest.clone());
            }
            if state.ended {
                return TaskEvent::Ended;
            }
            if !self.told && self.shared.stop.is_stopped() {
                self.told = true;
                return TaskEvent::Stopped;
            }
            state = match until {
                None => self
                    .shared
                    .changed
                    .wait(state)
                    .unwrap_or_else(PoisonError::into_inner),
                Some(until) => {
                    let left = until.saturating_duration_since(Instant::now());
                    if left.is_zero() {
                        return TaskEvent::TimedOut;
                    }
                    let waited = self.shared.changed.wait_timeout(state, left);
                    waited.unwrap_or_else(PoisonError::into_inner).0
                }
            };
        }
    }

    /// The newest report.
    pub(crate) fn latest(&self) -> Option<SearchReport<String>> {
        self.shared.lock().latest.clone()
    }

    /// What came of it, once it has ended; a panic is an error with its message.
    pub(crate) fn take_result(&self) -> Option<Result<T, String>> {
        self.shared.lock().result.take()
    }

    /// Asks the work to stop.
    pub(crate) fn stop(&self) {
        self.shared.stop();
    }

    /// To stop it from elsewhere.
    pub(crate) fn stop_handle(&self) -> StopHandle<T> {
        StopHandle(Arc::clone(&self.shared))
    }

    /// Waits until the thread has gone.
    pub(crate) fn join(self) {
        // Its panics have been caught.
        let _ = self.thread.join();
    }
}

impl<T> StopHandle<T> {
    /// Asks the work to stop.
    pub(crate) fn stop(&self) {
        self.0.stop();
    }
}

impl<T> Shared<T> {
    fn lock(&self) -> MutexGuard<'_, State<T>> {
        // Nothing panics while it holds the lock.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn publish(&self, report: &SearchReport<String>) {
        let mut state = self.lock();
        state.latest = Some(report.clone());
        state.reports += 1;
        self.changed.notify_all();
    }

    fn stop(&self) {
        // Under the lock: nobody can be between asking the flag and falling asleep.
        let _state = self.lock();
        self.stop.stop();
        self.changed.notify_all();
    }
}

/// Does it; a panic becomes an error.
///
/// # Errors
/// The panic's message.
pub fn catch_panic<T>(work: impl FnOnce() -> T) -> Result<T, String> {
    // What the work was changing is dropped with it.
    catch_unwind(AssertUnwindSafe(work)).map_err(|panic| message(panic.as_ref()))
}

fn message(panic: &(dyn Any + Send)) -> String {
    let text = panic
        .downcast_ref::<&str>()
        .copied()
        .or_else(|| panic.downcast_ref::<String>().map(String::as_str));
    text.unwrap_or("it panicked").to_owned()
}
