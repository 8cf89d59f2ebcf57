//! Analysis: reports that grow while one looks.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use noughts_engine::{SearchReport as Thought, StopFlag, analysis, catch_panic};
use pyo3::prelude::*;

use crate::errors::{BotError, NoughtsError, Raise};
use crate::position::Position;
use crate::report::Report;
use crate::{given, work};

/// Begins to analyse a position, on a thread of its own: every move is judged, and what can be
/// proved is proved. Without a limit it goes on until everything is proved or it is stopped.
///
/// The arguments are those of `noughts.Bot` and `Bot.choose`.
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
    let play = position.get().any().clone();
    let limits = given::limits(time, nodes, depth)?;
    let settings = given::settings(py, play.variant(), seed, threads, memory, tables)?;
    let shared = Arc::new(Shared::default());
    let mine = Arc::clone(&shared);
    let thread = thread::Builder::new()
        .stack_size(work::STACK)
        .spawn(move || {
            let done = catch_panic(|| {
                let publish = &mut |report: &Thought<String>| mine.publish(report);
                analysis::analyze(&play, &settings, limits, &mine.stop, publish);
            });
            mine.end(done);
        })
        .map_err(|error| format!("the system has no thread left to think on: {error}"))
        .raise::<BotError>()?;
    Ok(Analysis {
        shared,
        thread: Mutex::new(Some(thread)),
        seen: AtomicU64::new(0),
        process: std::process::id(),
    })
}

/// A position being analysed: an iterator of reports, each knowing at least what was proved in
/// those before. It waits for the next one; whoever is slow misses some and gets the newest.
///
/// It stops by `stop()`, at the end of a `with` block, when nobody holds it any more, or by
/// Ctrl-C while one waits for a report. No thread is left behind.
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
    /// The reports that were handed out.
    seen: AtomicU64,
    /// A process that was forked off has no part in the thread.
    process: u32,
}

#[derive(Default)]
struct Shared {
    state: Mutex<State>,
    changed: Condvar,
    stop: StopFlag,
}

#[derive(Default)]
struct State {
    latest: Option<Thought<String>>,
    reports: u64,
    ended: bool,
    /// The message of a panic.
    broken: Option<String>,
}

/// What came of waiting.
enum News {
    Report(Thought<String>),
    Ended(Option<String>),
    Late,
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, State> {
        // Nothing panics while it holds the lock.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn publish(&self, report: &Thought<String>) {
        let report = report.clone();
        let mut state = self.lock();
        state.latest = Some(report);
        state.reports += 1;
        self.changed.notify_all();
    }

    fn end(&self, done: Result<(), String>) {
        let mut state = self.lock();
        state.broken = done.err();
        state.ended = true;
        self.changed.notify_all();
    }

    /// Waits for a report that was not seen, so long at most.
    fn wait(&self, seen: &AtomicU64, time: Duration) -> News {
        let until = Instant::now() + time;
        let mut state = self.lock();
        loop {
            if state.reports > seen.load(Ordering::Relaxed)
                && let Some(latest) = &state.latest
            {
                // Under the lock: of several who wait, one gets it.
                seen.store(state.reports, Ordering::Relaxed);
                return News::Report(latest.clone());
            }
            if state.ended {
                return News::Ended(state.broken.take());
            }
            let left = until.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return News::Late;
            }
            let waited = self.changed.wait_timeout(state, left);
            state = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
    }
}

impl Analysis {
    /// Is this the process that began it?
    fn at_home(&self) -> PyResult<()> {
        if std::process::id() == self.process {
            return Ok(());
        }
        Err(NoughtsError::new_err(
            "the analysis belongs to the process that began it",
        ))
    }

    /// Stops it and waits until its thread has gone.
    fn end(&self) {
        self.shared.stop.stop();
        let thread = self.thread.lock();
        let thread = thread.unwrap_or_else(PoisonError::into_inner).take();
        match thread {
            // Its panics have been caught.
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
        self.at_home()?;
        loop {
            let news = py.detach(|| self.shared.wait(&self.seen, work::GLANCE));
            // Also when a report is available: once it is returned, Ctrl-C no longer ends the analysis.
            if let Err(interrupt) = py.check_signals() {
                py.detach(|| self.end());
                return Err(interrupt);
            }
            match news {
                News::Report(thought) => return Ok(Some(Report::of(thought))),
                News::Ended(None) => return Ok(None),
                News::Ended(Some(panic)) => return work::broken(Err(panic)),
                News::Late => {}
            }
        }
    }

    /// The newest report; `None` before the first.
    #[getter]
    fn latest(&self) -> PyResult<Option<Report>> {
        self.at_home()?;
        let latest = self.shared.lock().latest.clone();
        Ok(latest.map(Report::of))
    }

    /// Is it still going on?
    #[getter]
    fn running(&self) -> bool {
        std::process::id() == self.process && !self.shared.lock().ended
    }

    /// Stops it, waits until it has, and gives all that is known (`None` if that is nothing).
    /// What is known is kept; stopping twice does no harm.
    ///
    /// >>> analysis = noughts.analyse(noughts.Game("ultimate").start())
    /// >>> report = analysis.stop()
    /// >>> analysis.running, report.exact
    /// (False, False)
    fn stop(&self, py: Python<'_>) -> PyResult<Option<Report>> {
        self.at_home()?;
        py.detach(|| self.end());
        self.latest()
    }

    fn __enter__(this: Py<Analysis>) -> Py<Analysis> {
        this
    }

    #[pyo3(signature = (*_raised))]
    fn __exit__(&self, py: Python<'_>, _raised: &Bound<'_, pyo3::types::PyTuple>) {
        py.detach(|| self.end());
    }

    fn __repr__(&self) -> String {
        let state = if self.running() { "running" } else { "ended" };
        format!("<noughts.Analysis, {state}>")
    }
}

impl Drop for Analysis {
    fn drop(&mut self) {
        // Others may go on meanwhile. Where Python is at its end there are none.
        if Python::try_attach(|py| py.detach(|| self.end())).is_none() {
            self.end();
        }
    }
}
