//! What is said of positions and moves: reports, solutions, and moves with their values.

#![expect(
    clippy::needless_pass_by_value,
    reason = "what is unpickled is handed over by Python"
)]

use std::fmt::{self, Write as _};
use std::time::Duration;

use noughts_engine::{ExactValue, GameValue, SearchReport as Thought, Value};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyString, PyTuple, PyType};

use crate::errors::NoughtsError;

/// A value as Python sees it: a word if it is proved, a number if it is a guess.
#[derive(IntoPyObject)]
pub(crate) enum Worth {
    Proved(&'static str),
    Guessed(f64),
}

impl Worth {
    pub(crate) fn of(value: Value) -> Worth {
        match value {
            Value::Exact(exact) => Worth::Proved(exact.game_value().as_str()),
            Value::Estimate { .. } => Worth::Guessed(points(value)),
        }
    }
}

/// The expected result, from −1 to 1.
fn points(value: Value) -> f64 {
    let points = value.expected_result();
    if points.is_finite() {
        // No minus before a zero.
        points.clamp(-1.0, 1.0) + 0.0
    } else {
        0.0
    }
}

fn plies(value: Value) -> Option<u32> {
    value.exact().and_then(ExactValue::plies)
}

/// A value apart, to be pickled: its word or number, its plies, its error.
type Apart = (Option<Worth>, Option<u32>, Option<f64>);

fn apart(value: Option<Value>) -> Apart {
    match value {
        None => (None, None, None),
        Some(value @ Value::Estimate { error, .. }) => (Some(Worth::of(value)), None, Some(error)),
        Some(value) => (Some(Worth::of(value)), plies(value), None),
    }
}

/// What [`apart`] took apart.
fn whole(
    given: &Bound<'_, PyAny>,
    plies: Option<u32>,
    error: Option<f64>,
) -> PyResult<Option<Value>> {
    if given.is_none() {
        return Ok(None);
    }
    if let Ok(word) = given.cast::<PyString>() {
        let verdict = match &*word.to_cow()? {
            "win" => GameValue::Win,
            "draw" => GameValue::Draw,
            "loss" => GameValue::Loss,
            _ => return Err(NoughtsError::new_err("a value is 'win', 'draw' or 'loss'")),
        };
        return Ok(Some(Value::Exact(match (verdict, plies) {
            (GameValue::Win, Some(plies)) => ExactValue::win(plies),
            (GameValue::Loss, Some(plies)) => ExactValue::loss(plies),
            (verdict, _) => ExactValue::without_distance(verdict),
        })));
    }
    match given.extract() {
        Ok(mean) => Ok(Some(Value::Estimate {
            mean,
            error: error.unwrap_or(1.0),
        })),
        Err(_) => Err(PyTypeError::new_err("a value is a word or a number")),
    }
}

/// `win in 5`, `+0.12 ± 0.03`, `unknown`.
struct Words(Option<Value>);

impl fmt::Display for Words {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            Some(value) => value.fmt(f),
            None => f.write_str("unknown"),
        }
    }
}

/// `'win', plies=5` or `0.123`, for reprs.
struct Shown(Option<Value>);

impl fmt::Display for Shown {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Some(value) = self.0 else {
            return f.write_str("None");
        };
        match Worth::of(value) {
            Worth::Proved(word) => write!(f, "'{word}'")?,
            Worth::Guessed(points) => write!(f, "{points:.3}")?,
        }
        match plies(value) {
            Some(plies) => write!(f, ", plies={plies}"),
            None => Ok(()),
        }
    }
}

/// A line of moves, cut where it gets long.
fn shortened(line: &[String]) -> String {
    const MOST: usize = 8;
    let mut text = line[..line.len().min(MOST)].join(" ");
    if line.len() > MOST {
        text += " …";
    }
    text
}

/// A move and what it is worth to the one who makes it.
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
    /// A move with a proved value, or one that could not be found.
    pub(crate) fn proved(mv: String, value: Option<ExactValue>) -> Ranked {
        Ranked {
            line: vec![mv.clone()],
            mv,
            value: value.map(Value::Exact),
            nodes: 0,
        }
    }
}

/// What a [`Ranked`] is pickled as.
type RankedParts = (String, Apart, u64, Vec<String>);

#[pymethods]
impl Ranked {
    /// The move.
    #[getter]
    #[pyo3(name = "move")]
    fn mv(&self) -> &str {
        &self.mv
    }

    /// `'win'`, `'draw'` or `'loss'` where that is proved, else the expected result from −1
    /// to 1; `None` where nothing is known.
    #[getter]
    fn value(&self) -> Option<Worth> {
        self.value.map(Worth::of)
    }

    /// Is the value proved?
    #[getter]
    fn exact(&self) -> bool {
        self.value.is_some_and(|value| value.exact().is_some())
    }

    /// How many plies of best play decide it, this move included; `None` for a draw, and
    /// where that is not known.
    #[getter]
    fn plies(&self) -> Option<u32> {
        self.value.and_then(plies)
    }

    /// The value as a number from −1 to 1; `None` where nothing is known.
    #[getter]
    fn points(&self) -> Option<f64> {
        self.value.map(points)
    }

    /// How many positions of the search belong to this move.
    #[getter]
    fn nodes(&self) -> u64 {
        self.nodes
    }

    /// The expected course of the game, this move first.
    #[getter]
    fn line<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        PyTuple::new(py, &self.line)
    }

    fn __repr__(&self) -> String {
        format!("noughts.Ranked('{}', value={})", self.mv, Shown(self.value))
    }

    fn __str__(&self) -> String {
        format!("{}: {}", self.mv, Words(self.value))
    }

    fn __eq__(&self, other: &Ranked) -> bool {
        self == other
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, RankedParts)> {
        let again = py.get_type::<Ranked>().getattr("_again")?;
        let line = self.line.clone();
        Ok((
            again,
            (self.mv.clone(), apart(self.value), self.nodes, line),
        ))
    }

    /// What was pickled.
    #[classmethod]
    fn _again(
        _class: &Bound<'_, PyType>,
        mv: String,
        value: (Bound<'_, PyAny>, Option<u32>, Option<f64>),
        nodes: u64,
        line: Vec<String>,
    ) -> PyResult<Ranked> {
        let value = whole(&value.0, value.1, value.2)?;
        Ok(Ranked {
            mv,
            value,
            nodes,
            line,
        })
    }
}

/// What a bot says of a position: its move, what it expects, and why.
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
    pub(crate) fn of(thought: Thought<String>) -> Report {
        let moves = thought.moves.into_iter().map(|ranked| Ranked {
            mv: ranked.mv,
            value: Some(ranked.value),
            nodes: ranked.nodes,
            line: ranked.pv,
        });
        Report {
            best: thought.best,
            value: thought.value,
            line: thought.pv,
            moves: moves.collect(),
            depth: thought.depth,
            nodes: thought.nodes,
            elapsed: thought.elapsed,
            note: thought.note,
        }
    }

    /// Its move.
    pub(crate) fn into_best(self) -> Option<String> {
        self.best
    }
}

/// What a [`Report`] is pickled as.
type ReportParts<'py> = (
    Option<String>,
    Apart,
    Vec<String>,
    Bound<'py, PyTuple>,
    u32,
    u64,
    f64,
    Option<String>,
);

#[pymethods]
impl Report {
    /// The move to make; `None` once the game is over.
    #[getter]
    fn best(&self) -> Option<&str> {
        self.best.as_deref()
    }

    /// What the position is worth to the side to move: `'win'`, `'draw'` or `'loss'` where
    /// that is proved, else the expected result from −1 to 1.
    #[getter]
    fn value(&self) -> Worth {
        Worth::of(self.value)
    }

    /// Is the value proved?
    #[getter]
    fn exact(&self) -> bool {
        self.value.exact().is_some()
    }

    /// How many plies of best play decide it; `None` for a draw, and where that is not known.
    #[getter]
    fn plies(&self) -> Option<u32> {
        plies(self.value)
    }

    /// The value as a number from −1 to 1, proved or not.
    #[getter]
    fn points(&self) -> f64 {
        points(self.value)
    }

    /// How far off a guessed value may well be; 0 where it is proved, 1 where nothing is
    /// known.
    #[getter]
    fn error(&self) -> f64 {
        match self.value {
            Value::Exact(_) => 0.0,
            Value::Estimate { error, .. } if error.is_finite() => error.clamp(0.0, 1.0),
            Value::Estimate { .. } => 1.0,
        }
    }

    /// The expected course of the game, the move first.
    #[getter]
    fn line<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        PyTuple::new(py, &self.line)
    }

    /// The moves that were compared, with their values, the best first. Empty where the bot
    /// does not compare them.
    #[getter]
    fn moves<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        PyTuple::new(py, self.moves.iter().cloned())
    }

    /// How many plies ahead everything was seen; 0 where that means nothing.
    #[getter]
    fn depth(&self) -> u32 {
        self.depth
    }

    /// Positions looked at; for bots that play random games: games.
    #[getter]
    fn nodes(&self) -> u64 {
        self.nodes
    }

    /// How long it took.
    #[getter]
    fn seconds(&self) -> f64 {
        self.elapsed.as_secs_f64()
    }

    /// Something to know besides, as a sentence; mostly `None`.
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
            Shown(Some(self.value))
        );
        if self.depth > 0 {
            let _ = write!(text, ", depth={}", self.depth);
        }
        let (nodes, seconds) = (self.nodes, self.elapsed.as_secs_f64());
        let line = shortened(&self.line);
        let _ = write!(
            text,
            ", nodes={nodes}, seconds={seconds:.3}, line='{line}')"
        );
        text
    }

    fn __str__(&self) -> String {
        let best = self.best.as_deref().unwrap_or("no move");
        let value = Words(Some(self.value));
        format!("{best}: {value}  ({})", shortened(&self.line))
    }

    fn __eq__(&self, other: &Report) -> bool {
        self == other
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, ReportParts<'py>)> {
        let again = py.get_type::<Report>().getattr("_again")?;
        let parts = (
            self.best.clone(),
            apart(Some(self.value)),
            self.line.clone(),
            self.moves(py)?,
            self.depth,
            self.nodes,
            self.seconds(),
            self.note.clone(),
        );
        Ok((again, parts))
    }

    /// What was pickled.
    #[classmethod]
    #[expect(clippy::too_many_arguments, reason = "a report has so many parts")]
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
        let value = whole(&value.0, value.1, value.2)?;
        Ok(Report {
            best,
            value: value.unwrap_or(Value::UNKNOWN),
            line,
            moves: moves.iter().map(|ranked| ranked.get().clone()).collect(),
            depth,
            nodes,
            elapsed: duration(seconds),
            note,
        })
    }
}

/// Exact values: of a position, and of every one of its moves, as far as they could be found.
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

/// What a [`Solution`] is pickled as.
type SolutionParts<'py> = (Apart, Bound<'py, PyTuple>, u64, f64, Option<String>);

#[pymethods]
impl Solution {
    /// What the position is worth to the side to move: `'win'`, `'draw'` or `'loss'`; `None`
    /// where that could not be proved in time.
    #[getter]
    fn value(&self) -> Option<&'static str> {
        self.value.map(|exact| exact.game_value().as_str())
    }

    /// How many plies of best play decide it; `None` for a draw, and where that is not known.
    #[getter]
    fn plies(&self) -> Option<u32> {
        self.value.and_then(ExactValue::plies)
    }

    /// Is the value known?
    #[getter]
    fn solved(&self) -> bool {
        self.value.is_some()
    }

    /// The first of the moves that are proved to have the position's value; `None` where
    /// there is none.
    #[getter]
    fn best(&self) -> Option<&str> {
        let value = Value::Exact(self.value?);
        let mut moves = self.moves.iter();
        let best = moves.find(|ranked| ranked.value == Some(value))?;
        Some(&best.mv)
    }

    /// Every legal move with its value for the one who makes it, the best first and those
    /// that remain unknown last.
    #[getter]
    fn moves<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        PyTuple::new(py, self.moves.iter().cloned())
    }

    /// Positions looked at.
    #[getter]
    fn nodes(&self) -> u64 {
        self.nodes
    }

    /// How long it took.
    #[getter]
    fn seconds(&self) -> f64 {
        self.elapsed.as_secs_f64()
    }

    /// Something to know besides, as a sentence; mostly `None`.
    #[getter]
    fn note(&self) -> Option<&str> {
        self.note.as_deref()
    }

    fn __repr__(&self) -> String {
        let value = Shown(self.value.map(Value::Exact));
        let (moves, nodes) = (self.moves.len(), self.nodes);
        let best = match self.best() {
            Some(mv) => format!("'{mv}'"),
            None => "None".into(),
        };
        format!("noughts.Solution(value={value}, best={best}, moves=<{moves}>, nodes={nodes})")
    }

    fn __str__(&self) -> String {
        let mut text = Words(self.value.map(Value::Exact)).to_string();
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
    ) -> PyResult<(Bound<'py, PyAny>, SolutionParts<'py>)> {
        let again = py.get_type::<Solution>().getattr("_again")?;
        let parts = (
            apart(self.value.map(Value::Exact)),
            self.moves(py)?,
            self.nodes,
            self.seconds(),
            self.note.clone(),
        );
        Ok((again, parts))
    }

    /// What was pickled.
    #[classmethod]
    fn _again(
        _class: &Bound<'_, PyType>,
        value: (Bound<'_, PyAny>, Option<u32>, Option<f64>),
        moves: Vec<Bound<'_, Ranked>>,
        nodes: u64,
        seconds: f64,
        note: Option<String>,
    ) -> PyResult<Solution> {
        let value = whole(&value.0, value.1, value.2)?;
        Ok(Solution {
            value: value.and_then(Value::exact),
            moves: moves.iter().map(|ranked| ranked.get().clone()).collect(),
            nodes,
            elapsed: duration(seconds),
            note,
        })
    }
}

/// Seconds from outside; nonsense is no time at all.
fn duration(seconds: f64) -> Duration {
    Duration::try_from_secs_f64(seconds).unwrap_or_default()
}
