//! `noughts.Record`: games as text.

use std::collections::BTreeMap;

use noughts_rules::{Outcome, Record as GameRecord, Side};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyType};

use crate::errors::{Raise, RecordError};
use crate::own_game::failure::catch;
use crate::pickling;
use crate::position::Position;

/// A recorded game: its moves, players, comments and result.
///
/// Pass `result` (`'x'`, `'o'` or `'draw'`) if the game didn't end by the rules, for example by
/// resignation. `tags` and `comments` are dictionaries; the key of a comment is the number of
/// moves before it.
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
    record: GameRecord,
}

/// A snapshot of the dictionary's items: Python code that runs during iteration may change it.
fn items<'py>(dict: Option<&Bound<'py, PyDict>>) -> Vec<(Bound<'py, PyAny>, Bound<'py, PyAny>)> {
    dict.map(|dict| dict.iter().collect()).unwrap_or_default()
}

fn parse_outcome(word: &str) -> PyResult<Outcome> {
    let outcome = match word {
        "x" => Ok(Outcome::Win(Side::X)),
        "o" => Ok(Outcome::Win(Side::O)),
        "draw" => Ok(Outcome::Draw),
        _ => Err("result must be 'x', 'o' or 'draw'"),
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
        let state = position.get().state();
        let mut record = catch(|| GameRecord::new(state.clone()))?;
        let mut tag = |name: &str, value: &str| {
            let set = record.set_tag(name, value);
            // The tag doesn't come from a file, so it has no line.
            set.map_err(|error| error.reason).raise::<RecordError>()
        };
        for (name, value) in items(tags) {
            tag(&name.extract::<String>()?, &value.extract::<String>()?)?;
        }
        for (name, value) in [("X", x), ("O", o), ("Date", date)] {
            if let Some(value) = value {
                tag(name, value)?;
            }
        }
        if let Some(word) = result {
            let outcome = parse_outcome(word)?;
            if let Some(actual) = catch(|| state.outcome())?
                && actual != outcome
            {
                let message = format!(
                    "result is {word:?}, but by the rules this game ended with {actual:?}",
                    actual = actual.as_str()
                );
                return Err(RecordError::new_err(message));
            }
            record.set_result(Some(outcome));
        }
        for (moves, comment) in items(comments) {
            let max = state.ply() as u64;
            let moves = crate::search_args::parse_integer("the key of a comment", &moves, 0, max)?;
            record.set_comment(moves as usize, &comment.extract::<String>()?);
        }
        Ok(Record { record })
    }

    /// The last position, with all moves.
    #[getter]
    fn position(&self) -> Position {
        Position::from_state(self.record.state().clone())
    }

    /// The result, by the rules or otherwise: `'x'`, `'o'` or `'draw'`; `None` for an unfinished
    /// game.
    #[getter]
    fn result(&self) -> Option<&'static str> {
        self.record.result().map(Outcome::as_str)
    }

    /// The name of X's player; `None` if the record doesn't include it.
    #[getter]
    fn x(&self) -> Option<&str> {
        self.record.tag("X")
    }

    /// The name of O's player; `None` if the record doesn't include it.
    #[getter]
    fn o(&self) -> Option<&str> {
        self.record.tag("O")
    }

    /// The date, as written in the record; `None` if the record doesn't include it.
    #[getter]
    fn date(&self) -> Option<&str> {
        self.record.tag("Date")
    }

    /// All tags except those that follow from the game.
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
        let plies = 0..=self.record.state().ply();
        let comments = plies.filter_map(|moves| {
            let comment = self.record.comment(moves)?;
            Some((moves, comment.to_owned()))
        });
        comments.collect()
    }

    fn __str__(&self) -> PyResult<String> {
        catch(|| self.record.to_text())
    }

    fn __repr__(&self) -> String {
        let state = self.record.state();
        let (x, o) = (self.x().unwrap_or("?"), self.o().unwrap_or("?"));
        let result = self.result().unwrap_or("unfinished");
        let (variant, moves) = (state.variant(), noughts_text::plural(state.ply(), "move"));
        format!("<noughts.Record {variant}: {x} vs {o}, {moves}, {result}>")
    }

    fn __eq__(&self, other: &Record) -> PyResult<bool> {
        Ok(self.__str__()? == other.__str__()?)
    }

    fn __hash__(&self) -> PyResult<u64> {
        self.__str__().map(pickling::hash)
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, (String,))> {
        let unpickle = py.get_type::<Record>().getattr("_restore")?;
        Ok((unpickle, (self.__str__()?,)))
    }

    /// Restores a pickled record.
    #[classmethod]
    fn _restore(_class: &Bound<'_, PyType>, text: &str) -> PyResult<Record> {
        let mut records = read_records(text)?;
        let last = records.pop().ok_or("the record has no game");
        last.raise::<RecordError>()
    }
}

/// Parses one or more recorded games, in the format that `str(record)` writes.
///
/// >>> import noughts
/// >>> [record] = noughts.read_records('[Variant "classic"] [X "Ada"] 1. b2 a1 2. c1 *')
/// >>> record.x, record.result, record.position.moves
/// ('Ada', None, ('b2', 'a1', 'c1'))
#[pyfunction]
#[pyo3(signature = (text, /))]
pub(crate) fn read_records(text: &str) -> PyResult<Vec<Record>> {
    let records = catch(|| GameRecord::parse_all(text))?.raise::<RecordError>()?;
    let records = records.into_iter();
    Ok(records.map(|record| Record { record }).collect())
}
