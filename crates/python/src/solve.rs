//! `noughts.solve`: exact values of positions.

use std::time::{Duration, Instant};

use noughts_engine::StopFlag;
use noughts_engine::solve::solve_any;
use pyo3::Borrowed;
use pyo3::prelude::*;

use crate::position::Position;
use crate::report::{Ranked, Solution};
use crate::{background, search_args};

/// The time limit unless another is given, as on the command line.
const DEFAULT_TIME: Duration = Duration::from_secs(10);

/// The `time` argument: missing, or given, where `None` means no limit.
pub(crate) enum TimeArg<'py> {
    Default,
    Given(Option<Bound<'py, PyAny>>),
}

impl<'py> TimeArg<'py> {
    fn value(&self) -> Option<&Bound<'py, PyAny>> {
        match self {
            TimeArg::Default => None,
            TimeArg::Given(time) => time.as_ref(),
        }
    }
}

impl<'py> FromPyObject<'_, 'py> for TimeArg<'py> {
    type Error = PyErr;

    fn extract(value: Borrowed<'_, 'py, PyAny>) -> PyResult<TimeArg<'py>> {
        let time = (!value.is_none()).then(|| value.to_owned());
        Ok(TimeArg::Given(time))
    }
}

/// Finds the exact value of a position and of each of its moves. Values that can't be proved
/// within the limits are unknown, never estimated.
///
/// The default time limit is ten seconds. `time=None` removes it; press Ctrl-C to stop. For the
/// same result on every machine, pass `nodes` and `time=None`, and use one thread.
///
/// `memory` is in MiB. `tables` is a `noughts.Table`, `None` for the default tablebase (if you
/// have built it), or `False` for none.
///
/// >>> import noughts
/// >>> solution = noughts.solve(noughts.Game("classic").start())
/// >>> solution.value, solution.best
/// ('draw', 'a1')
/// >>> solution = noughts.solve(noughts.Game("ultimate").start(), nodes=1000, time=None)
/// >>> print(solution.value)
/// None
#[pyfunction]
#[pyo3(
    signature = (position, /, *, time = TimeArg::Default, nodes = None, threads = None, memory = None, tables = None),
    text_signature = "(position, /, *, time=10.0, nodes=None, threads=1, memory=64, tables=None)"
)]
#[expect(
    clippy::needless_pass_by_value,
    reason = "pyo3 extracts an owned value"
)]
pub(crate) fn solve<'py>(
    py: Python<'py>,
    position: &Bound<'py, Position>,
    time: TimeArg<'py>,
    nodes: Option<&Bound<'py, PyAny>>,
    threads: Option<&Bound<'py, PyAny>>,
    memory: Option<&Bound<'py, PyAny>>,
    tables: Option<&Bound<'py, PyAny>>,
) -> PyResult<Solution> {
    let state = position.get().state();
    let mut limits = search_args::parse_limits(time.value(), nodes, None)?;
    if let TimeArg::Default = time {
        limits.time = Some(DEFAULT_TIME);
    }
    let settings = search_args::parse_settings(py, state.variant(), None, threads, memory, tables)?;
    let started = Instant::now();
    let stop = StopFlag::new();
    let result =
        background::run_interruptible(py, &stop, || solve_any(state, &settings, limits, &stop))?;
    let moves = result.moves.into_iter();
    Ok(Solution {
        value: result.value,
        moves: moves
            .map(|(mv, value)| Ranked::from_exact(mv, value))
            .collect(),
        nodes: result.nodes,
        elapsed: started.elapsed(),
        note: result.note,
    })
}
