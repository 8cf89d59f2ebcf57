//! Builds the results of searches: the dataclasses of `_reports.py`.

use std::time::Duration;

use noughts_engine::{ExactValue, GameValue, SearchReport, Value};
use noughts_wire::round_estimate;
use pyo3::prelude::*;
use pyo3::types::PyTuple;

use crate::errors::NoughtsError;
use crate::tablebase::note_with_hint;

/// A value for Python: a word if it is proved (or `unknown`), a number if it is an estimate.
#[derive(FromPyObject, IntoPyObject)]
pub(crate) enum ReportedValue {
    Word(String),
    Estimate(f64),
}

impl ReportedValue {
    /// Estimates have four decimals, as in JSON.
    pub(crate) fn new(value: Value) -> ReportedValue {
        match value {
            Value::Exact(exact) => ReportedValue::Word(exact.game_value().as_str().into()),
            Value::Estimate { mean, .. } => ReportedValue::Estimate(round_estimate(mean)),
        }
    }

    /// The value with this distance or error.
    ///
    /// # Errors
    /// It is some other word.
    pub(crate) fn to_value(&self, plies: Option<u32>, error: f64) -> PyResult<Value> {
        let word = match self {
            ReportedValue::Estimate(mean) => return Ok(Value::Estimate { mean: *mean, error }),
            ReportedValue::Word(word) => word,
        };
        Ok(Value::Exact(match (word.as_str(), plies) {
            ("win", Some(plies)) => ExactValue::win(plies),
            ("loss", Some(plies)) => ExactValue::loss(plies),
            ("win", None) => ExactValue::without_distance(GameValue::Win),
            ("loss", None) => ExactValue::without_distance(GameValue::Loss),
            ("draw", _) => ExactValue::DRAW,
            ("unknown", _) => return Ok(Value::UNKNOWN),
            _ => {
                return Err(NoughtsError::new_err(format!(
                    "a value must be 'win', 'draw', 'loss', 'unknown' or a number, not '{word}'"
                )));
            }
        }))
    }
}

/// Returns a value as people read it: `▲5`, `=`, `▼4`, `66%`, `?`.
#[pyfunction]
#[pyo3(signature = (value, plies = None, error = 0.0))]
#[allow(
    clippy::needless_pass_by_value,
    reason = "pyo3 extracts an owned value"
)]
pub(crate) fn value_symbol(
    value: ReportedValue,
    plies: Option<u32>,
    error: f64,
) -> PyResult<String> {
    value.to_value(plies, error).map(noughts_text::value_symbol)
}

fn plies(value: Value) -> Option<u32> {
    value.exact().and_then(ExactValue::plies)
}

fn class<'py>(py: Python<'py>, name: &str) -> PyResult<Bound<'py, PyAny>> {
    py.import("noughts._reports")?.getattr(name)
}

/// A `noughts.Report`.
pub(crate) fn to_report(
    py: Python<'_>,
    report: SearchReport<String>,
) -> PyResult<Bound<'_, PyAny>> {
    let ranked_move = class(py, "RankedMove")?;
    let moves = report.moves.into_iter().map(|ranked| {
        let line = PyTuple::new(py, ranked.pv)?;
        let value = ReportedValue::new(ranked.value);
        ranked_move.call1((ranked.mv, value, plies(ranked.value), ranked.nodes, line))
    });
    let moves: Vec<_> = moves.collect::<PyResult<_>>()?;
    let error = match report.value {
        Value::Exact(_) => 0.0,
        Value::Estimate { error, .. } if error.is_finite() => error.clamp(0.0, 1.0),
        Value::Estimate { .. } => 1.0,
    };
    class(py, "Report")?.call1((
        report.best,
        ReportedValue::new(report.value),
        plies(report.value),
        error,
        PyTuple::new(py, report.pv)?,
        PyTuple::new(py, moves)?,
        report.depth,
        report.nodes,
        milliseconds(report.elapsed),
        report.note.as_ref().map(note_with_hint),
    ))
}

/// A `noughts.Solution`.
pub(crate) fn to_solution(
    py: Python<'_>,
    value: Option<ExactValue>,
    moves: impl IntoIterator<Item = (String, Option<ExactValue>)>,
    nodes: u64,
    elapsed: Duration,
    note: Option<String>,
) -> PyResult<Bound<'_, PyAny>> {
    let word =
        |value: Option<ExactValue>| value.map_or("unknown", |value| value.game_value().as_str());
    let ranked_move = class(py, "RankedMove")?;
    let moves = moves.into_iter().map(|(mv, value)| {
        let line = PyTuple::new(py, [&mv])?;
        ranked_move.call1((mv, word(value), value.and_then(ExactValue::plies), 0, line))
    });
    let moves: Vec<_> = moves.collect::<PyResult<_>>()?;
    class(py, "Solution")?.call1((
        word(value),
        value.and_then(ExactValue::plies),
        PyTuple::new(py, moves)?,
        nodes,
        milliseconds(elapsed),
        note,
    ))
}

fn milliseconds(time: Duration) -> u64 {
    u64::try_from(time.as_millis()).unwrap_or(u64::MAX)
}
