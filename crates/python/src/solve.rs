//! `noughts.solve`: exact values of positions.

use std::time::{Duration, Instant};

use noughts_engine::StopFlag;
use noughts_engine::solve::solve_any;
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::position::Position;
use crate::search_args::SearchOptions;
use crate::tablebase::note_with_hint;
use crate::{background, report};

/// The time limit unless another is given, as on the command line.
const DEFAULT_TIME: Duration = Duration::from_secs(10);

/// Finds the exact value of a position and of each of its moves. Values that can't be proved
/// within the limits are unknown, never estimated.
///
/// The default time limit is ten seconds. `time=None` removes it; press Ctrl-C to stop. For the
/// same result on every machine, pass `nodes` and `time=None`, and use one thread.
///
/// `memory` is in MiB. `tablebase` is a `noughts.Tablebase`, `None` for the default tablebase (if you
/// have built it), or `False` for none.
///
/// >>> import noughts
/// >>> solution = noughts.solve(noughts.Game("classic").start())
/// >>> solution.value, solution.best
/// ('draw', 'a1')
/// >>> solution = noughts.solve(noughts.Game("ultimate").start(), nodes=1000, time=None)
/// >>> solution.value
/// 'unknown'
#[pyfunction]
#[pyo3(
    signature = (position, /, **options),
    text_signature = "(position, /, *, time=10.0, nodes=None, threads=1, memory=64, tablebase=None)"
)]
pub(crate) fn solve<'py>(
    py: Python<'py>,
    position: &Bound<'py, Position>,
    options: Option<&Bound<'py, PyDict>>,
) -> PyResult<Bound<'py, PyAny>> {
    let state = position.get().state();
    let names = ["time", "nodes", "threads", "memory", "tablebase"];
    let parsed = SearchOptions::new(options, &names)?;
    let mut limits = parsed.limits()?;
    // `None` means no limit.
    if !options.is_some_and(|options| options.contains("time").unwrap_or(false)) {
        limits.time = Some(DEFAULT_TIME);
    }
    let settings = parsed.settings(py, state.variant())?;
    let started = Instant::now();
    let stop = StopFlag::new();
    let result = background::run_interruptible(py, state.variant(), &stop, || {
        solve_any(state, &settings, limits, &stop)
    })?;
    let (value, nodes, note) = (result.value, result.nodes, result.note);
    let note = note.as_ref().map(note_with_hint);
    report::to_solution(py, value, result.moves, nodes, started.elapsed(), note)
}
