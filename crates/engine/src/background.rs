//! A task on its own thread that reports its progress. The reader always gets the latest report: a
//! slow reader skips some, and none are queued.

use std::any::Any;
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::Instant;

use crate::limits::StopFlag;
use crate::report::SearchReport;

/// Searches recurse deeply, and spawned threads get a smaller stack than the main thread.
pub(crate) const STACK_BYTES: usize = 32 << 20;

/// A running task. Dropping it doesn't stop the task.
pub struct BackgroundTask<T> {
    shared: Arc<SharedTask<T>>,
    /// Until it is joined.
    thread: Option<JoinHandle<()>>,
    /// Number of reports that `wait` has returned.
    reports_seen: u64,
    /// Whether `wait` has returned [`TaskEvent::Stopped`].
    stop_reported: bool,
}

/// Stops a task from any thread.
pub struct StopHandle<T>(Arc<SharedTask<T>>);

struct SharedTask<T> {
    state: Mutex<TaskState<T>>,
    changed: Condvar,
    stop: StopFlag,
}

struct TaskState<T> {
    latest: Option<SearchReport<String>>,
    report_count: u64,
    result: Option<Result<T, String>>,
    ended: bool,
}

/// What `wait` returns.
pub enum TaskEvent {
    /// A newer report.
    Report(SearchReport<String>),
    /// The stop flag was raised; returned once.
    Stopped,
    /// The task has ended; returned from then on.
    Ended,
    /// The deadline passed.
    TimedOut,
}

impl<T: Send + 'static> BackgroundTask<T> {
    /// Starts a task. It must respect the stop flag and call the given function with its reports. A
    /// panic in the task becomes its result.
    ///
    /// # Errors
    /// The system can't start another thread.
    pub fn start(
        work: impl FnOnce(&StopFlag, &mut dyn FnMut(&SearchReport<String>)) -> T + Send + 'static,
    ) -> io::Result<BackgroundTask<T>> {
        let shared = Arc::new(SharedTask {
            state: Mutex::new(TaskState {
                latest: None,
                report_count: 0,
                result: None,
                ended: false,
            }),
            changed: Condvar::new(),
            stop: StopFlag::new(),
        });
        let task = Arc::clone(&shared);
        let thread = thread::Builder::new()
            .stack_size(STACK_BYTES)
            .spawn(move || {
                let result = catch_panic(|| work(&task.stop, &mut |report| task.publish(report)));
                let mut state = task.lock();
                state.result = Some(result);
                state.ended = true;
                task.changed.notify_all();
            })?;
        Ok(BackgroundTask {
            shared,
            thread: Some(thread),
            reports_seen: 0,
            stop_reported: false,
        })
    }

    /// Waits for an event, until the deadline if there is one.
    pub fn wait(&mut self, deadline: Option<Instant>) -> TaskEvent {
        let mut state = self.shared.lock();
        loop {
            if state.report_count > self.reports_seen
                && let Some(latest) = &state.latest
            {
                self.reports_seen = state.report_count;
                return TaskEvent::Report(latest.clone());
            }
            if state.ended {
                return TaskEvent::Ended;
            }
            if !self.stop_reported && self.shared.stop.is_stopped() {
                self.stop_reported = true;
                return TaskEvent::Stopped;
            }
            state = match deadline {
                None => self
                    .shared
                    .changed
                    .wait(state)
                    .unwrap_or_else(PoisonError::into_inner),
                Some(deadline) => {
                    let left = deadline.saturating_duration_since(Instant::now());
                    if left.is_zero() {
                        return TaskEvent::TimedOut;
                    }
                    let waited = self.shared.changed.wait_timeout(state, left);
                    waited.unwrap_or_else(PoisonError::into_inner).0
                }
            };
        }
    }

    /// Whether the task hasn't ended.
    #[must_use]
    pub fn is_running(&self) -> bool {
        !self.shared.lock().ended
    }

    /// The latest report.
    #[must_use]
    pub fn latest(&self) -> Option<SearchReport<String>> {
        self.shared.lock().latest.clone()
    }

    /// Takes the task's result once it has ended; if it panicked, an error with the panic message.
    #[must_use]
    pub fn take_result(&self) -> Option<Result<T, String>> {
        self.shared.lock().result.take()
    }

    /// Asks the task to stop.
    pub fn stop(&self) {
        self.shared.stop();
    }

    /// A handle that stops the task from elsewhere.
    #[must_use]
    pub fn stop_handle(&self) -> StopHandle<T> {
        StopHandle(Arc::clone(&self.shared))
    }

    /// Waits until the thread has exited.
    pub fn join(&mut self) {
        if let Some(thread) = self.thread.take() {
            // The thread can't panic: panics of the task are caught.
            let _ = thread.join();
        }
    }
}

impl<T> StopHandle<T> {
    /// Asks the task to stop.
    pub fn stop(&self) {
        self.0.stop();
    }
}

impl<T> SharedTask<T> {
    fn lock(&self) -> MutexGuard<'_, TaskState<T>> {
        // No code panics while it holds the lock.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn publish(&self, report: &SearchReport<String>) {
        let mut state = self.lock();
        state.latest = Some(report.clone());
        state.report_count += 1;
        self.changed.notify_all();
    }

    fn stop(&self) {
        // Raising the flag under the lock ensures that no waiter is between checking the flag and
        // going to sleep.
        let _state = self.lock();
        self.stop.stop();
        self.changed.notify_all();
    }
}

/// Runs a function and converts a panic into an error.
///
/// # Errors
/// The panic message.
pub fn catch_panic<T>(work: impl FnOnce() -> T) -> Result<T, String> {
    // Everything the function was modifying is dropped with it.
    catch_unwind(AssertUnwindSafe(work)).map_err(|panic| panic_message(panic.as_ref()))
}

fn panic_message(panic: &(dyn Any + Send)) -> String {
    let message = panic
        .downcast_ref::<&str>()
        .copied()
        .or_else(|| panic.downcast_ref::<String>().map(String::as_str));
    message.unwrap_or("it panicked").to_owned()
}
