//! Exact values of positions.

use std::time::{Duration, Instant};

use noughts_engine::StopFlag;
use noughts_engine::solve::solve_any;
use pyo3::Borrowed;
use pyo3::prelude::*;

use crate::position::Position;
use crate::report::{Ranked, Solution};
use crate::{given, work};

/// What is tried unless something else is asked for, as on the command line.
const PATIENCE: Duration = Duration::from_secs(10);

/// Whether a time was given; `None` is one: no limit.
pub(crate) enum Patience<'py> {
    Usual,
    Given(Option<Bound<'py, PyAny>>),
}

impl<'py> Patience<'py> {
    fn given(&self) -> Option<&Bound<'py, PyAny>> {
        match self {
            Patience::Usual => None,
            Patience::Given(time) => time.as_ref(),
        }
    }
}

impl<'py> FromPyObject<'_, 'py> for Patience<'py> {
    type Error = PyErr;

    fn extract(given: Borrowed<'_, 'py, PyAny>) -> PyResult<Patience<'py>> {
        let time = (!given.is_none()).then(|| given.to_owned());
        Ok(Patience::Given(time))
    }
}

/// Finds the exact value of a position and of each of its moves. What cannot be proved within
/// the limits is unknown, never guessed.
///
/// It tries for ten seconds unless `time` says otherwise; `time=None` sets no limit, and then
/// Ctrl-C ends it. For the same answer on every machine give `nodes`, `time=None` and one
/// thread.
///
/// `memory` is in MiB. `tables` is a `noughts.Table`, `None` for the one that was built (if
/// there is one), or `False` for none.
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
    signature = (position, /, *, time = Patience::Usual, nodes = None, threads = None, memory = None, tables = None),
    text_signature = "(position, /, *, time=10.0, nodes=None, threads=1, memory=64, tables=None)"
)]
#[expect(clippy::needless_pass_by_value, reason = "Python hands it over")]
pub(crate) fn solve<'py>(
    py: Python<'py>,
    position: &Bound<'py, Position>,
    time: Patience<'py>,
    nodes: Option<&Bound<'py, PyAny>>,
    threads: Option<&Bound<'py, PyAny>>,
    memory: Option<&Bound<'py, PyAny>>,
    tables: Option<&Bound<'py, PyAny>>,
) -> PyResult<Solution> {
    let play = position.get().any();
    let mut limits = given::limits(time.given(), nodes, None)?;
    if let Patience::Usual = time {
        limits.time = Some(PATIENCE);
    }
    let settings = given::settings(py, play.variant(), None, threads, memory, tables)?;
    let began = Instant::now();
    let stop = StopFlag::new();
    let found = work::aside(py, &stop, || solve_any(play, &settings, limits, &stop))?;
    let moves = found.moves.into_iter();
    Ok(Solution {
        value: found.value,
        moves: moves.map(|(mv, value)| Ranked::proved(mv, value)).collect(),
        nodes: found.nodes,
        elapsed: began.elapsed(),
        note: found.note,
    })
}
