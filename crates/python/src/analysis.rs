//! `noughts.analyze`: a search in the background that publishes reports as it proceeds.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::thread;
use std::time::{Duration, Instant};

use noughts_engine::{BackgroundTask, StopHandle, TaskEvent, analysis};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};

use crate::errors::{BotError, NoughtsError, Raise};
use crate::own_game::failure::Running;
use crate::position::Position;
use crate::search_args::SearchOptions;
use crate::{background, report};

/// Analyzes a position in the background: evaluates every move, and proves what it can. Without
/// a limit, it runs until everything is proved or you stop it.
///
/// The arguments are the same as for `noughts.Bot` and `Bot.choose`.
///
/// >>> import noughts
/// >>> position = noughts.Position("classic", "xox/.o./ox. x")
/// >>> for report in noughts.analyze(position, nodes=1000):
/// ...     pass
/// >>> report.value, [(ranked.move, ranked.value) for ranked in report.moves]
/// ('draw', [('a2', 'draw'), ('c2', 'draw'), ('c3', 'draw')])
#[pyfunction]
#[pyo3(
    signature = (position, /, **options),
    text_signature = "(position, /, *, time=None, nodes=None, depth=None, seed=0, threads=1, memory=64, tablebase=None)"
)]
pub(crate) fn analyze(
    py: Python<'_>,
    position: &Bound<'_, Position>,
    options: Option<&Bound<'_, PyDict>>,
) -> PyResult<Analysis> {
    let state = position.get().state().clone();
    let names = [
        "time",
        "nodes",
        "depth",
        "seed",
        "threads",
        "memory",
        "tablebase",
    ];
    let options = SearchOptions::new(options, &names)?;
    let (limits, settings) = (options.limits()?, options.settings(py, state.variant())?);
    let running = Running::start(state.variant());
    let alive = Arc::new(());
    let ended = Arc::downgrade(&alive);
    let task = BackgroundTask::start(move |stop, publish| {
        analysis::analyze(&state, &settings, limits, stop, publish);
        drop(alive);
    });
    let task = task
        .map_err(|error| format!("can't start a thread for the search: {error}"))
        .raise::<BotError>()?;
    let mut open = OPEN.lock().unwrap_or_else(PoisonError::into_inner);
    open.retain(|(ended, _)| ended.strong_count() > 0);
    open.push((ended, task.stop_handle()));
    Ok(Analysis {
        stop: task.stop_handle(),
        task: Mutex::new(Some(task)),
        running: Mutex::new(Some(running)),
        process: std::process::id(),
    })
}

/// The analyses that may be running.
static OPEN: Mutex<Vec<(Weak<()>, StopHandle<()>)>> = Mutex::new(Vec::new());

/// How long the interpreter's exit waits for analyses to end.
const EXIT_PATIENCE: Duration = Duration::from_secs(5);

/// Stops all analyses when the interpreter exits: after that, a game written in Python would wait for it forever.
#[pyfunction]
pub(crate) fn stop_analyses(py: Python<'_>) {
    let open = std::mem::take(&mut *OPEN.lock().unwrap_or_else(PoisonError::into_inner));
    open.iter().for_each(|(_, task)| task.stop());
    py.detach(|| {
        let deadline = Instant::now() + EXIT_PATIENCE;
        let is_running = || open.iter().any(|(ended, _)| ended.strong_count() > 0);
        while is_running() && Instant::now() < deadline {
            thread::sleep(Duration::from_millis(1));
        }
    });
}

/// An analysis in progress: an iterator of reports. Each report includes everything that the
/// earlier ones proved. Iterating waits for the next report; if your code is slow, it skips to
/// the latest one.
///
/// The analysis stops when you call `stop()`, at the end of a `with` block, when the object is
/// garbage-collected, or on Ctrl-C while you wait for a report. Its thread always ends too.
///
/// >>> import noughts
/// >>> with noughts.analyze(noughts.Game("ultimate").start()) as analysis:
/// ...     for report in analysis:
/// ...         if report.depth >= 2:
/// ...             break
/// >>> analysis.running
/// False
/// >>> len(analysis.latest.moves)
/// 81
#[pyclass(frozen, module = "noughts")]
pub(crate) struct Analysis {
    /// Always there, except in `drop`.
    task: Mutex<Option<BackgroundTask<()>>>,
    stop: StopHandle<()>,
    /// Has the exception of a game written in Python. `None` once the analysis has ended.
    running: Mutex<Option<Running>>,
    /// The process that started the thread: a forked child doesn't have it.
    process: u32,
}

impl Analysis {
    /// Uses the task. The GIL must not be held: the lock may be held until the thread ends, which may need the GIL, if
    /// the game is written in Python.
    fn with_task<T>(&self, work: impl FnOnce(&mut BackgroundTask<()>) -> T) -> Option<T> {
        let mut task = self.task.lock().unwrap_or_else(PoisonError::into_inner);
        task.as_mut().map(work)
    }

    /// Fails in a process other than the one that started the analysis.
    fn check_process(&self) -> PyResult<()> {
        if std::process::id() == self.process {
            return Ok(());
        }
        Err(NoughtsError::new_err(
            "this analysis can only be used in the process that started it",
        ))
    }

    /// Waits for the thread to end. Raises the exception of a game written in Python, once.
    fn end(&self, py: Python<'_>) -> PyResult<()> {
        py.detach(|| self.stop_and_join());
        match self.running().take() {
            Some(running) => running.check(py),
            None => Ok(()),
        }
    }

    fn running(&self) -> MutexGuard<'_, Option<Running>> {
        self.running.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Stops the search and waits for its thread to end.
    fn stop_and_join(&self) {
        if std::process::id() == self.process {
            self.stop.stop();
            self.with_task(BackgroundTask::join);
        }
    }
}

#[pymethods]
impl Analysis {
    fn __iter__(this: Py<Analysis>) -> Py<Analysis> {
        this
    }

    fn __next__<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        self.check_process()?;
        loop {
            let event = py.detach(|| {
                let deadline = Instant::now() + background::POLL_INTERVAL;
                self.with_task(|task| task.wait(Some(deadline)))
            });
            // Also when a report is available: once it is returned, Ctrl-C no longer ends the analysis.
            if let Err(interrupt) = py.check_signals() {
                py.detach(|| self.stop_and_join());
                return Err(interrupt);
            }
            let failed = self
                .running()
                .as_ref()
                .map_or(Ok(()), |running| running.check(py));
            if failed.is_err() {
                self.end(py)?;
            }
            match event {
                Some(TaskEvent::Report(report)) => {
                    return report::to_report(py, report).map(Some);
                }
                Some(TaskEvent::Ended) | None => {
                    self.end(py)?;
                    let result = py.detach(|| self.with_task(|task| task.take_result()).flatten());
                    return background::raise_panic(result.unwrap_or(Ok(()))).map(|()| None);
                }
                Some(TaskEvent::Stopped | TaskEvent::TimedOut) => {}
            }
        }
    }

    /// The latest report; `None` before the first one.
    #[getter]
    fn latest<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        self.check_process()?;
        let latest = py.detach(|| self.with_task(|task| task.latest()).flatten());
        latest
            .map(|latest| report::to_report(py, latest))
            .transpose()
    }

    /// Whether the analysis is still running.
    #[getter]
    #[pyo3(name = "running")]
    fn is_running(&self, py: Python<'_>) -> bool {
        let is_running = || self.with_task(|task| task.is_running()) == Some(true);
        std::process::id() == self.process && py.detach(is_running)
    }

    /// Stops the analysis, waits for it to end, and returns the latest report (`None` if there
    /// isn't one). Calling it again returns the same report.
    ///
    /// >>> analysis = noughts.analyze(noughts.Game("ultimate").start())
    /// >>> report = analysis.stop()
    /// >>> analysis.running, report.exact
    /// (False, False)
    fn stop<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        self.check_process()?;
        self.end(py)?;
        self.latest(py)
    }

    fn __enter__(this: Py<Analysis>) -> Py<Analysis> {
        this
    }

    #[pyo3(signature = (*_raised))]
    fn __exit__(&self, py: Python<'_>, _raised: &Bound<'_, PyTuple>) -> PyResult<()> {
        self.end(py)
    }

    fn __repr__(&self, py: Python<'_>) -> String {
        let state = if self.is_running(py) {
            "running"
        } else {
            "ended"
        };
        format!("<noughts.Analysis, {state}>")
    }
}

impl Drop for Analysis {
    fn drop(&mut self) {
        if std::process::id() != self.process {
            // The thread doesn't exist here, and can't be joined or detached.
            let task = self.task.get_mut();
            std::mem::forget(task.unwrap_or_else(PoisonError::into_inner).take());
            return;
        }
        // Release the GIL while waiting; during interpreter shutdown there is none to release.
        if Python::try_attach(|py| py.detach(|| self.stop_and_join())).is_none() {
            self.stop_and_join();
        }
    }
}
