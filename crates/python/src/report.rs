//! Results of searches: `noughts.Report`, `noughts.Solution` and `noughts.Ranked`.

#![expect(
    clippy::needless_pass_by_value,
    reason = "pyo3 extracts the arguments of `_again` as owned values"
)]

use std::fmt::{self, Write as _};
use std::time::Duration;

use noughts_engine::{ExactValue, GameValue, SearchReport, Value};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyString, PyTuple, PyType};

use crate::errors::NoughtsError;

/// A value for Python: a word if it is proved, a number if it is an estimate.
#[derive(IntoPyObject)]
pub(crate) enum PyValue {
    Exact(&'static str),
    Estimate(f64),
}

impl PyValue {
    pub(crate) fn from_value(value: Value) -> PyValue {
        match value {
            Value::Exact(exact) => PyValue::Exact(exact.game_value().as_str()),
            Value::Estimate { .. } => PyValue::Estimate(expected_result(value)),
        }
    }
}

/// The expected result, from −1 to 1.
fn expected_result(value: Value) -> f64 {
    let result = value.expected_result();
    if result.is_finite() {
        // Adding zero turns −0 into 0.
        result.clamp(-1.0, 1.0) + 0.0
    } else {
        0.0
    }
}

fn plies(value: Value) -> Option<u32> {
    value.exact().and_then(ExactValue::plies)
}

/// A value for pickling: its word or number, its plies, its error.
type PickledValue = (Option<PyValue>, Option<u32>, Option<f64>);

fn pickle_value(value: Option<Value>) -> PickledValue {
    match value {
        None => (None, None, None),
        Some(value @ Value::Estimate { error, .. }) => {
            (Some(PyValue::from_value(value)), None, Some(error))
        }
        Some(value) => (Some(PyValue::from_value(value)), plies(value), None),
    }
}

/// The inverse of [`pickle_value`].
fn unpickle_value(
    value: &Bound<'_, PyAny>,
    plies: Option<u32>,
    error: Option<f64>,
) -> PyResult<Option<Value>> {
    if value.is_none() {
        return Ok(None);
    }
    if let Ok(word) = value.cast::<PyString>() {
        let game_value = match &*word.to_cow()? {
            "win" => GameValue::Win,
            "draw" => GameValue::Draw,
            "loss" => GameValue::Loss,
            _ => {
                return Err(NoughtsError::new_err(
                    "value must be 'win', 'draw' or 'loss'",
                ));
            }
        };
        return Ok(Some(Value::Exact(match (game_value, plies) {
            (GameValue::Win, Some(plies)) => ExactValue::win(plies),
            (GameValue::Loss, Some(plies)) => ExactValue::loss(plies),
            (game_value, _) => ExactValue::without_distance(game_value),
        })));
    }
    match value.extract() {
        Ok(mean) => Ok(Some(Value::Estimate {
            mean,
            error: error.unwrap_or(1.0),
        })),
        Err(_) => Err(PyTypeError::new_err("value must be a string or a number")),
    }
}

/// `win in 5`, `+0.12 ± 0.03`, `unknown`.
struct ValueText(Option<Value>);

impl fmt::Display for ValueText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            Some(value) => value.fmt(f),
            None => f.write_str("unknown"),
        }
    }
}

/// `'win', plies=5` or `0.123`, for reprs.
struct ValueRepr(Option<Value>);

impl fmt::Display for ValueRepr {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Some(value) = self.0 else {
            return f.write_str("None");
        };
        match PyValue::from_value(value) {
            PyValue::Exact(word) => write!(f, "'{word}'")?,
            PyValue::Estimate(points) => write!(f, "{points:.3}")?,
        }
        match plies(value) {
            Some(plies) => write!(f, ", plies={plies}"),
            None => Ok(()),
        }
    }
}

/// A line of moves as text, shortened if it is long.
fn shorten_line(line: &[String]) -> String {
    const MAX_MOVES: usize = 8;
    let mut text = line[..line.len().min(MAX_MOVES)].join(" ");
    if line.len() > MAX_MOVES {
        text += " …";
    }
    text
}

/// A move and its value for the player who makes it.
///
/// >>> import noughts
/// >>> position = noughts.Position("classic", "xx./oo./... x")
/// >>> best = noughts.solve(position).moves[0]
/// >>> best
/// noughts.Ranked('c1', value='win', plies=1)
/// >>> best.move, best.value, best.exact, best.plies
/// ('c1', 'win', True, 1)
#[pyclass(frozen, module = "noughts")]
#[derive(Clone, PartialEq)]
pub(crate) struct Ranked {
    mv: String,
    value: Option<Value>,
    nodes: u64,
    line: Vec<String>,
}

impl Ranked {
    /// A move with its exact value, or `None` if that is unknown.
    pub(crate) fn from_exact(mv: String, value: Option<ExactValue>) -> Ranked {
        Ranked {
            line: vec![mv.clone()],
            mv,
            value: value.map(Value::Exact),
            nodes: 0,
        }
    }
}

/// Move, value, nodes, line.
type PickledRanked = (String, PickledValue, u64, Vec<String>);

#[pymethods]
impl Ranked {
    /// The move.
    #[getter]
    #[pyo3(name = "move")]
    fn mv(&self) -> &str {
        &self.mv
    }

    /// `'win'`, `'draw'` or `'loss'` if proved, otherwise the expected result from −1 to 1;
    /// `None` if unknown.
    #[getter]
    fn value(&self) -> Option<PyValue> {
        self.value.map(PyValue::from_value)
    }

    /// Whether the value is proved.
    #[getter]
    fn exact(&self) -> bool {
        self.value.is_some_and(|value| value.exact().is_some())
    }

    /// The number of plies until the game is decided with best play, including this move; `None`
    /// for a draw or if unknown.
    #[getter]
    fn plies(&self) -> Option<u32> {
        self.value.and_then(plies)
    }

    /// The value as a number from −1 to 1; `None` if unknown.
    #[getter]
    fn points(&self) -> Option<f64> {
        self.value.map(expected_result)
    }

    /// The number of positions searched below this move.
    #[getter]
    fn nodes(&self) -> u64 {
        self.nodes
    }

    /// The principal variation, starting with this move.
    #[getter]
    fn line<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        PyTuple::new(py, &self.line)
    }

    fn __repr__(&self) -> String {
        format!(
            "noughts.Ranked('{}', value={})",
            self.mv,
            ValueRepr(self.value)
        )
    }

    fn __str__(&self) -> String {
        format!("{}: {}", self.mv, ValueText(self.value))
    }

    fn __eq__(&self, other: &Ranked) -> bool {
        self == other
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, PickledRanked)> {
        let unpickle = py.get_type::<Ranked>().getattr("_again")?;
        let line = self.line.clone();
        Ok((
            unpickle,
            (self.mv.clone(), pickle_value(self.value), self.nodes, line),
        ))
    }

    /// Restores a pickled object.
    #[classmethod]
    fn _again(
        _class: &Bound<'_, PyType>,
        mv: String,
        value: (Bound<'_, PyAny>, Option<u32>, Option<f64>),
        nodes: u64,
        line: Vec<String>,
    ) -> PyResult<Ranked> {
        let value = unpickle_value(&value.0, value.1, value.2)?;
        Ok(Ranked {
            mv,
            value,
            nodes,
            line,
        })
    }
}

/// The result of a search: the best move, its value, and the moves that were compared.
///
/// >>> import noughts
/// >>> position = noughts.Position("classic", "xx./oo./... x")
/// >>> report = noughts.Bot("best", "classic").think(position)
/// >>> report.best, report.value, report.exact, report.plies
/// ('c1', 'win', True, 1)
/// >>> report.line
/// ('c1',)
#[pyclass(frozen, module = "noughts")]
#[derive(PartialEq)]
pub(crate) struct Report {
    best: Option<String>,
    value: Value,
    line: Vec<String>,
    moves: Vec<Ranked>,
    depth: u32,
    nodes: u64,
    elapsed: Duration,
    note: Option<String>,
}

impl Report {
    pub(crate) fn from_search(report: SearchReport<String>) -> Report {
        let moves = report.moves.into_iter().map(|ranked| Ranked {
            mv: ranked.mv,
            value: Some(ranked.value),
            nodes: ranked.nodes,
            line: ranked.pv,
        });
        Report {
            best: report.best,
            value: report.value,
            line: report.pv,
            moves: moves.collect(),
            depth: report.depth,
            nodes: report.nodes,
            elapsed: report.elapsed,
            note: report.note,
        }
    }

    /// The best move.
    pub(crate) fn into_best(self) -> Option<String> {
        self.best
    }
}

/// Best move, value, line, ranked moves, depth, nodes, seconds, note.
type PickledReport<'py> = (
    Option<String>,
    PickledValue,
    Vec<String>,
    Bound<'py, PyTuple>,
    u32,
    u64,
    f64,
    Option<String>,
);

#[pymethods]
impl Report {
    /// The best move; `None` once the game is over.
    #[getter]
    fn best(&self) -> Option<&str> {
        self.best.as_deref()
    }

    /// The value for the side to move: `'win'`, `'draw'` or `'loss'` if proved, otherwise the
    /// expected result from −1 to 1.
    #[getter]
    fn value(&self) -> PyValue {
        PyValue::from_value(self.value)
    }

    /// Whether the value is proved.
    #[getter]
    fn exact(&self) -> bool {
        self.value.exact().is_some()
    }

    /// The number of plies until the game is decided with best play; `None` for a draw or if
    /// unknown.
    #[getter]
    fn plies(&self) -> Option<u32> {
        plies(self.value)
    }

    /// The value as a number from −1 to 1, proved or estimated.
    #[getter]
    fn points(&self) -> f64 {
        expected_result(self.value)
    }

    /// The margin of error of an estimated value; 0 if it is proved, 1 if nothing is known.
    #[getter]
    fn error(&self) -> f64 {
        match self.value {
            Value::Exact(_) => 0.0,
            Value::Estimate { error, .. } if error.is_finite() => error.clamp(0.0, 1.0),
            Value::Estimate { .. } => 1.0,
        }
    }

    /// The principal variation, starting with the best move.
    #[getter]
    fn line<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        PyTuple::new(py, &self.line)
    }

    /// The moves that were compared, with their values, best first. Empty if the bot doesn't
    /// compare moves.
    #[getter]
    fn moves<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        PyTuple::new(py, self.moves.iter().cloned())
    }

    /// The search depth in plies; 0 if the bot has no fixed depth.
    #[getter]
    fn depth(&self) -> u32 {
        self.depth
    }

    /// The number of positions searched, or of random games for bots that play them.
    #[getter]
    fn nodes(&self) -> u64 {
        self.nodes
    }

    /// The time used, in seconds.
    #[getter]
    fn seconds(&self) -> f64 {
        self.elapsed.as_secs_f64()
    }

    /// A remark about the search, as a sentence; usually `None`.
    #[getter]
    fn note(&self) -> Option<&str> {
        self.note.as_deref()
    }

    fn __repr__(&self) -> String {
        let best = match &self.best {
            Some(mv) => format!("'{mv}'"),
            None => "None".into(),
        };
        let mut text = format!(
            "noughts.Report(best={best}, value={}",
            ValueRepr(Some(self.value))
        );
        if self.depth > 0 {
            let _ = write!(text, ", depth={}", self.depth);
        }
        let (nodes, seconds) = (self.nodes, self.elapsed.as_secs_f64());
        let line = shorten_line(&self.line);
        let _ = write!(
            text,
            ", nodes={nodes}, seconds={seconds:.3}, line='{line}')"
        );
        text
    }

    fn __str__(&self) -> String {
        let best = self.best.as_deref().unwrap_or("no move");
        let value = ValueText(Some(self.value));
        format!("{best}: {value}  ({})", shorten_line(&self.line))
    }

    fn __eq__(&self, other: &Report) -> bool {
        self == other
    }

    fn __reduce__<'py>(
        &self,
        py: Python<'py>,
    ) -> PyResult<(Bound<'py, PyAny>, PickledReport<'py>)> {
        let unpickle = py.get_type::<Report>().getattr("_again")?;
        let parts = (
            self.best.clone(),
            pickle_value(Some(self.value)),
            self.line.clone(),
            self.moves(py)?,
            self.depth,
            self.nodes,
            self.seconds(),
            self.note.clone(),
        );
        Ok((unpickle, parts))
    }

    /// Restores a pickled object.
    #[classmethod]
    #[expect(clippy::too_many_arguments, reason = "one argument per pickled field")]
    fn _again(
        _class: &Bound<'_, PyType>,
        best: Option<String>,
        value: (Bound<'_, PyAny>, Option<u32>, Option<f64>),
        line: Vec<String>,
        moves: Vec<Bound<'_, Ranked>>,
        depth: u32,
        nodes: u64,
        seconds: f64,
        note: Option<String>,
    ) -> PyResult<Report> {
        let value = unpickle_value(&value.0, value.1, value.2)?;
        Ok(Report {
            best,
            value: value.unwrap_or(Value::UNKNOWN),
            line,
            moves: moves.iter().map(|ranked| ranked.get().clone()).collect(),
            depth,
            nodes,
            elapsed: duration_from_secs(seconds),
            note,
        })
    }
}

/// The exact values of a position and all its moves, as far as they could be proved.
///
/// >>> import noughts
/// >>> solution = noughts.solve(noughts.Position("classic", "xo./.../... x"))
/// >>> solution.value, solution.plies, solution.best
/// ('win', 5, 'a2')
/// >>> print(solution.moves[0], solution.moves[-1], sep="; ")
/// a2: win in 5; c3: draw
#[pyclass(frozen, module = "noughts")]
#[derive(PartialEq)]
pub(crate) struct Solution {
    pub(crate) value: Option<ExactValue>,
    pub(crate) moves: Vec<Ranked>,
    pub(crate) nodes: u64,
    pub(crate) elapsed: Duration,
    pub(crate) note: Option<String>,
}

/// Value, ranked moves, nodes, seconds, note.
type PickledSolution<'py> = (PickledValue, Bound<'py, PyTuple>, u64, f64, Option<String>);

#[pymethods]
impl Solution {
    /// The value for the side to move: `'win'`, `'draw'` or `'loss'`; `None` if it couldn't be
    /// proved within the limits.
    #[getter]
    fn value(&self) -> Option<&'static str> {
        self.value.map(|exact| exact.game_value().as_str())
    }

    /// The number of plies until the game is decided with best play; `None` for a draw or if
    /// unknown.
    #[getter]
    fn plies(&self) -> Option<u32> {
        self.value.and_then(ExactValue::plies)
    }

    /// Whether the value is known.
    #[getter]
    fn solved(&self) -> bool {
        self.value.is_some()
    }

    /// A best move: the first one that is proved to have the position's value; `None` if there
    /// isn't one.
    #[getter]
    fn best(&self) -> Option<&str> {
        let value = Value::Exact(self.value?);
        let mut moves = self.moves.iter();
        let best = moves.find(|ranked| ranked.value == Some(value))?;
        Some(&best.mv)
    }

    /// All legal moves with their values for the player who makes them, best first. Moves of
    /// unknown value come last.
    #[getter]
    fn moves<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        PyTuple::new(py, self.moves.iter().cloned())
    }

    /// The number of positions searched.
    #[getter]
    fn nodes(&self) -> u64 {
        self.nodes
    }

    /// The time used, in seconds.
    #[getter]
    fn seconds(&self) -> f64 {
        self.elapsed.as_secs_f64()
    }

    /// A remark about the search, as a sentence; usually `None`.
    #[getter]
    fn note(&self) -> Option<&str> {
        self.note.as_deref()
    }

    fn __repr__(&self) -> String {
        let value = ValueRepr(self.value.map(Value::Exact));
        let (moves, nodes) = (self.moves.len(), self.nodes);
        let best = match self.best() {
            Some(mv) => format!("'{mv}'"),
            None => "None".into(),
        };
        format!("noughts.Solution(value={value}, best={best}, moves=<{moves}>, nodes={nodes})")
    }

    fn __str__(&self) -> String {
        let mut text = ValueText(self.value.map(Value::Exact)).to_string();
        for ranked in &self.moves {
            let _ = write!(text, "\n{}", ranked.__str__());
        }
        text
    }

    fn __eq__(&self, other: &Solution) -> bool {
        self == other
    }

    fn __reduce__<'py>(
        &self,
        py: Python<'py>,
    ) -> PyResult<(Bound<'py, PyAny>, PickledSolution<'py>)> {
        let unpickle = py.get_type::<Solution>().getattr("_again")?;
        let parts = (
            pickle_value(self.value.map(Value::Exact)),
            self.moves(py)?,
            self.nodes,
            self.seconds(),
            self.note.clone(),
        );
        Ok((unpickle, parts))
    }

    /// Restores a pickled object.
    #[classmethod]
    fn _again(
        _class: &Bound<'_, PyType>,
        value: (Bound<'_, PyAny>, Option<u32>, Option<f64>),
        moves: Vec<Bound<'_, Ranked>>,
        nodes: u64,
        seconds: f64,
        note: Option<String>,
    ) -> PyResult<Solution> {
        let value = unpickle_value(&value.0, value.1, value.2)?;
        Ok(Solution {
            value: value.and_then(Value::exact),
            moves: moves.iter().map(|ranked| ranked.get().clone()).collect(),
            nodes,
            elapsed: duration_from_secs(seconds),
            note,
        })
    }
}

/// Seconds as a duration; an invalid number becomes zero.
fn duration_from_secs(seconds: f64) -> Duration {
    Duration::try_from_secs_f64(seconds).unwrap_or_default()
}
