//! `noughts.analyse`: a search in the background that publishes reports as it proceeds.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use noughts_engine::{SearchReport, StopFlag, analysis, catch_panic};
use pyo3::prelude::*;

use crate::errors::{BotError, NoughtsError, Raise};
use crate::position::Position;
use crate::report::Report;
use crate::{background, search_args};

/// Analyzes a position in the background: evaluates every move, and proves what it can. Without
/// a limit, it runs until everything is proved or you stop it.
///
/// The arguments are the same as for `noughts.Bot` and `Bot.choose`.
///
/// >>> import noughts
/// >>> position = noughts.Position("classic", "xox/.o./ox. x")
/// >>> for report in noughts.analyse(position, nodes=1000):
/// ...     pass
/// >>> report.value, [(ranked.move, ranked.value) for ranked in report.moves]
/// ('draw', [('a2', 'draw'), ('c2', 'draw'), ('c3', 'draw')])
#[pyfunction]
#[pyo3(
    signature = (position, /, *, time = None, nodes = None, depth = None, seed = None, threads = None, memory = None, tables = None),
    text_signature = "(position, /, *, time=None, nodes=None, depth=None, seed=0, threads=1, memory=64, tables=None)"
)]
#[expect(clippy::too_many_arguments, reason = "each may be given by name")]
pub(crate) fn analyse(
    py: Python<'_>,
    position: &Bound<'_, Position>,
    time: Option<&Bound<'_, PyAny>>,
    nodes: Option<&Bound<'_, PyAny>>,
    depth: Option<&Bound<'_, PyAny>>,
    seed: Option<&Bound<'_, PyAny>>,
    threads: Option<&Bound<'_, PyAny>>,
    memory: Option<&Bound<'_, PyAny>>,
    tables: Option<&Bound<'_, PyAny>>,
) -> PyResult<Analysis> {
    let state = position.get().state().clone();
    let limits = search_args::parse_limits(time, nodes, depth)?;
    let settings = search_args::parse_settings(py, state.variant(), seed, threads, memory, tables)?;
    let shared = Arc::new(Shared::default());
    let worker = Arc::clone(&shared);
    let thread = thread::Builder::new()
        .stack_size(background::STACK_BYTES)
        .spawn(move || {
            let result = catch_panic(|| {
                let publish = &mut |report: &SearchReport<String>| worker.publish(report);
                analysis::analyze(&state, &settings, limits, &worker.stop, publish);
            });
            worker.finish(result);
        })
        .map_err(|error| format!("can't start a thread for the search: {error}"))
        .raise::<BotError>()?;
    Ok(Analysis {
        shared,
        thread: Mutex::new(Some(thread)),
        last_returned: AtomicU64::new(0),
        process: std::process::id(),
    })
}

/// An analysis in progress: an iterator of reports. Each report includes everything that the
/// earlier ones proved. Iterating waits for the next report; if your code is slow, it skips to
/// the latest one.
///
/// The analysis stops when you call `stop()`, at the end of a `with` block, when the object is
/// garbage-collected, or on Ctrl-C while you wait for a report. Its thread always ends too.
///
/// >>> import noughts
/// >>> with noughts.analyse(noughts.Game("ultimate").start()) as analysis:
/// ...     for report in analysis:
/// ...         if report.depth >= 2:
/// ...             break
/// >>> analysis.running
/// False
/// >>> len(analysis.latest.moves)
/// 81
#[pyclass(frozen, module = "noughts")]
pub(crate) struct Analysis {
    shared: Arc<Shared>,
    thread: Mutex<Option<JoinHandle<()>>>,
    /// The number of the last report that `__next__` returned.
    last_returned: AtomicU64,
    /// The process that started the thread: a forked child doesn't have it.
    process: u32,
}

#[derive(Default)]
struct Shared {
    progress: Mutex<Progress>,
    changed: Condvar,
    stop: StopFlag,
}

#[derive(Default)]
struct Progress {
    latest: Option<SearchReport<String>>,
    reports: u64,
    ended: bool,
    panic_message: Option<String>,
}

enum WaitResult {
    Report(SearchReport<String>),
    Ended(Option<String>),
    TimedOut,
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, Progress> {
        // No code panics while it holds the lock.
        self.progress.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn publish(&self, report: &SearchReport<String>) {
        let report = report.clone();
        let mut progress = self.lock();
        progress.latest = Some(report);
        progress.reports += 1;
        self.changed.notify_all();
    }

    fn finish(&self, result: Result<(), String>) {
        let mut progress = self.lock();
        progress.panic_message = result.err();
        progress.ended = true;
        self.changed.notify_all();
    }

    /// Waits for a report that hasn't been returned yet, at most for `timeout`.
    fn wait(&self, last_returned: &AtomicU64, timeout: Duration) -> WaitResult {
        let deadline = Instant::now() + timeout;
        let mut progress = self.lock();
        loop {
            if progress.reports > last_returned.load(Ordering::Relaxed)
                && let Some(latest) = &progress.latest
            {
                // Stored under the lock: if several threads wait, only one gets the report.
                last_returned.store(progress.reports, Ordering::Relaxed);
                return WaitResult::Report(latest.clone());
            }
            if progress.ended {
                return WaitResult::Ended(progress.panic_message.take());
            }
            let remaining = deadline.saturating_duration_since(Instant::now());
            if remaining.is_zero() {
                return WaitResult::TimedOut;
            }
            let waited = self.changed.wait_timeout(progress, remaining);
            progress = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
    }
}

impl Analysis {
    /// Fails in a process other than the one that started the analysis.
    fn check_process(&self) -> PyResult<()> {
        if std::process::id() == self.process {
            return Ok(());
        }
        Err(NoughtsError::new_err(
            "this analysis can only be used in the process that started it",
        ))
    }

    /// Stops the search and waits for its thread to end.
    fn stop_and_join(&self) {
        self.shared.stop.stop();
        let thread = self.thread.lock();
        let thread = thread.unwrap_or_else(PoisonError::into_inner).take();
        match thread {
            // Panics are already caught.
            Some(thread) if std::process::id() == self.process => drop(thread.join()),
            Some(thread) => std::mem::forget(thread),
            None => {}
        }
    }
}

#[pymethods]
impl Analysis {
    fn __iter__(this: Py<Analysis>) -> Py<Analysis> {
        this
    }

    fn __next__(&self, py: Python<'_>) -> PyResult<Option<Report>> {
        self.check_process()?;
        loop {
            let result = py.detach(|| {
                self.shared
                    .wait(&self.last_returned, background::POLL_INTERVAL)
            });
            // Also when a report is available: once it is returned, Ctrl-C no longer ends the analysis.
            if let Err(interrupt) = py.check_signals() {
                py.detach(|| self.stop_and_join());
                return Err(interrupt);
            }
            match result {
                WaitResult::Report(report) => return Ok(Some(Report::from_search(report))),
                WaitResult::Ended(None) => return Ok(None),
                WaitResult::Ended(Some(panic)) => return background::raise_panic(Err(panic)),
                WaitResult::TimedOut => {}
            }
        }
    }

    /// The latest report; `None` before the first one.
    #[getter]
    fn latest(&self) -> PyResult<Option<Report>> {
        self.check_process()?;
        let latest = self.shared.lock().latest.clone();
        Ok(latest.map(Report::from_search))
    }

    /// Whether the analysis is still running.
    #[getter]
    fn running(&self) -> bool {
        std::process::id() == self.process && !self.shared.lock().ended
    }

    /// Stops the analysis, waits for it to end, and returns the latest report (`None` if there
    /// isn't one). Calling it again returns the same report.
    ///
    /// >>> analysis = noughts.analyse(noughts.Game("ultimate").start())
    /// >>> report = analysis.stop()
    /// >>> analysis.running, report.exact
    /// (False, False)
    fn stop(&self, py: Python<'_>) -> PyResult<Option<Report>> {
        self.check_process()?;
        py.detach(|| self.stop_and_join());
        self.latest()
    }

    fn __enter__(this: Py<Analysis>) -> Py<Analysis> {
        this
    }

    #[pyo3(signature = (*_raised))]
    fn __exit__(&self, py: Python<'_>, _raised: &Bound<'_, pyo3::types::PyTuple>) {
        py.detach(|| self.stop_and_join());
    }

    fn __repr__(&self) -> String {
        let state = if self.running() { "running" } else { "ended" };
        format!("<noughts.Analysis, {state}>")
    }
}

impl Drop for Analysis {
    fn drop(&mut self) {
        // Release the GIL while waiting; during interpreter shutdown there is none to release.
        if Python::try_attach(|py| py.detach(|| self.stop_and_join())).is_none() {
            self.stop_and_join();
        }
    }
}
