//! Games as text files.

use std::collections::BTreeMap;
use std::hash::{DefaultHasher, Hash, Hasher};

use noughts_rules::{AnyGameState, Outcome, Record as Kept, Side};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyType};

use crate::errors::{Raise, RecordError};
use crate::position::Position;

/// A recorded game: its moves, who played it, comments, and the result.
///
/// `result` is `'x'`, `'o'` or `'draw'` where the game ended otherwise than by the rules (by
/// resignation, say). `tags` and `comments` are dictionaries: a comment stands behind as many
/// moves as its key says.
///
/// >>> import noughts
/// >>> position = noughts.Game("classic").position(moves="b2 a1 c1")
/// >>> record = noughts.Record(position, x="Ada", o="Bob", result="x", comments={2: "hm"})
/// >>> print(record)
/// [Variant "classic"]
/// [X "Ada"]
/// [O "Bob"]
/// [Date "????.??.??"]
/// [Result "1-0"]
/// <BLANKLINE>
/// 1. b2 a1 {hm} 2. c1 1-0
/// <BLANKLINE>
/// >>> noughts.read_records(str(record)) == [record]
/// True
#[pyclass(frozen, module = "noughts")]
pub(crate) struct Record {
    record: Kept,
}

impl Record {
    pub(crate) fn make(
        play: &AnyGameState,
        x: Option<&str>,
        o: Option<&str>,
        date: Option<&str>,
        result: Option<&str>,
        tags: Option<&Bound<'_, PyDict>>,
        comments: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Record> {
        let mut record = Kept::new(play.clone());
        let mut tag = |name: &str, value: &str| {
            let set = record.set_tag(name, value);
            // There is no line to speak of.
            set.map_err(|error| error.to_string().replacen("line 1: ", "", 1))
                .raise::<RecordError>()
        };
        for (name, value) in pairs(tags) {
            tag(&name.extract::<String>()?, &value.extract::<String>()?)?;
        }
        for (name, value) in [("X", x), ("O", o), ("Date", date)] {
            if let Some(value) = value {
                tag(name, value)?;
            }
        }
        if let Some(word) = result {
            let outcome = outcome(word)?;
            if let Some(is) = play.outcome()
                && is != outcome
            {
                let sentence =
                    format!("the result is {:?} by the rules, not {word:?}", is.as_str());
                return Err(RecordError::new_err(sentence));
            }
            record.set_result(Some(outcome));
        }
        for (moves, comment) in pairs(comments) {
            let most = play.ply() as u64;
            let moves = crate::given::whole("the key of a comment", &moves, 0, most)?;
            record.set_comment(moves as usize, &comment.extract::<String>()?);
        }
        Ok(Record { record })
    }

    pub(crate) fn to_text(&self) -> String {
        self.record.to_text()
    }
}

/// What is in a dictionary now: what is done with it may change it.
fn pairs<'py>(dict: Option<&Bound<'py, PyDict>>) -> Vec<(Bound<'py, PyAny>, Bound<'py, PyAny>)> {
    dict.map(|dict| dict.iter().collect()).unwrap_or_default()
}

fn outcome(word: &str) -> PyResult<Outcome> {
    let outcome = match word {
        "x" => Ok(Outcome::Win(Side::X)),
        "o" => Ok(Outcome::Win(Side::O)),
        "draw" => Ok(Outcome::Draw),
        _ => Err("a result is 'x', 'o' or 'draw'"),
    };
    outcome.raise::<RecordError>()
}

#[pymethods]
impl Record {
    #[new]
    #[pyo3(signature = (position, /, *, x = None, o = None, date = None, result = None, tags = None, comments = None))]
    fn new(
        position: &Bound<'_, Position>,
        x: Option<&str>,
        o: Option<&str>,
        date: Option<&str>,
        result: Option<&str>,
        tags: Option<&Bound<'_, PyDict>>,
        comments: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Record> {
        Record::make(position.get().any(), x, o, date, result, tags, comments)
    }

    /// Where the game ended, with its moves.
    #[getter]
    fn position(&self) -> Position {
        Position::of(self.record.state().clone())
    }

    /// Who won, by the rules or otherwise: `'x'`, `'o'`, `'draw'`; `None` for an open game.
    #[getter]
    fn result(&self) -> Option<&'static str> {
        self.record.result().map(Outcome::as_str)
    }

    /// Who played X; `None` where that is not said.
    #[getter]
    fn x(&self) -> Option<&str> {
        self.record.tag("X")
    }

    /// Who played O; `None` where that is not said.
    #[getter]
    fn o(&self) -> Option<&str> {
        self.record.tag("O")
    }

    /// When it was played, as written in the record; `None` where that is not said.
    #[getter]
    fn date(&self) -> Option<&str> {
        self.record.tag("Date")
    }

    /// All tags but those that follow from the game.
    #[getter]
    fn tags<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let tags = PyDict::new(py);
        for (name, value) in self.record.tags() {
            tags.set_item(name, value)?;
        }
        Ok(tags)
    }

    /// The comments, by the number of moves before them.
    #[getter]
    fn comments(&self) -> BTreeMap<usize, String> {
        let places = 0..=self.record.state().ply();
        let comments = places.filter_map(|moves| {
            let comment = self.record.comment(moves)?;
            Some((moves, comment.to_owned()))
        });
        comments.collect()
    }

    fn __str__(&self) -> String {
        self.to_text()
    }

    fn __repr__(&self) -> String {
        let play = self.record.state();
        let (x, o) = (self.x().unwrap_or("?"), self.o().unwrap_or("?"));
        let result = self.result().unwrap_or("open");
        let (variant, moves) = (play.variant(), play.ply());
        format!("<noughts.Record {variant}: {x} – {o}, {moves} moves, {result}>")
    }

    fn __eq__(&self, other: &Record) -> bool {
        self.to_text() == other.to_text()
    }

    fn __hash__(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        self.to_text().hash(&mut hasher);
        hasher.finish()
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, (String,))> {
        let again = py.get_type::<Record>().getattr("_again")?;
        Ok((again, (self.to_text(),)))
    }

    /// What was pickled.
    #[classmethod]
    fn _again(_class: &Bound<'_, PyType>, text: &str) -> PyResult<Record> {
        let mut records = read_records(text)?;
        let last = records.pop().ok_or("there is no game in it");
        last.raise::<RecordError>()
    }
}

/// Reads recorded games, one after the other, as `str(record)` writes them.
///
/// >>> import noughts
/// >>> [record] = noughts.read_records('[Variant "classic"] [X "Ada"] 1. b2 a1 2. c1 *')
/// >>> record.x, record.result, record.position.moves
/// ('Ada', None, ('b2', 'a1', 'c1'))
#[pyfunction]
#[pyo3(signature = (text, /))]
pub(crate) fn read_records(text: &str) -> PyResult<Vec<Record>> {
    let records = Kept::parse_all(text).raise::<RecordError>()?;
    let records = records.into_iter();
    Ok(records.map(|record| Record { record }).collect())
}
