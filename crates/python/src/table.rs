//! The exact table of Tic-Tac-Two.

use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, SystemTime};

use noughts_engine::tablebase::{
    self, Progress, Stage, Tablebase as Tabled, TablebaseError as Trouble,
};
use noughts_engine::{StopFlag, Tablebases, data_folder};
use noughts_rules::{AnyGameState, Game as _, TicTacTwo, Variant};
use pyo3::exceptions::{PyTypeError, PyUserWarning};
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyDict, PyType};

use crate::errors::{Raise, TableError};
use crate::position::Position;
use crate::report::{Ranked, Solution};
use crate::word::kind;
use crate::{given, work};

/// The table with the value of every position of `tic-tac-two`.
///
/// `open` reads one that was built, by `build` or by the command line (`noughts tablebase
/// build tic-tac-two`): both look in the same place. Bots, `solve` and `analyse` use it by
/// themselves.
///
/// >>> import noughts
/// >>> try:
/// ...     table = noughts.Table.open("no such folder/tic-tac-two.table")
/// ... except noughts.TableError as error:
/// ...     print(error)
/// there is no no such folder/tic-tac-two.table; noughts.Table.build() makes one
#[pyclass(frozen, module = "noughts")]
pub(crate) struct Table {
    tables: Tablebases,
}

/// The table that was last used without being named, and how to see that it is still the same.
struct Kept {
    path: PathBuf,
    changed: Option<SystemTime>,
    bytes: u64,
    tables: Tablebases,
}

static KEPT: Mutex<Option<Kept>> = Mutex::new(None);

/// The tables to use: the one given, none for `False`, and otherwise the one that was built.
pub(crate) fn given(
    py: Python<'_>,
    variant: Variant,
    tables: Option<&Bound<'_, PyAny>>,
) -> PyResult<Tablebases> {
    if let Some(given) = tables {
        if let Ok(table) = given.cast::<Table>() {
            return Ok(table.get().tables.clone());
        }
        match given.cast::<PyBool>() {
            Ok(wanted) if wanted.is_true() => {}
            Ok(_) => return Ok(Tablebases::default()),
            Err(_) => {
                return Err(PyTypeError::new_err(format!(
                    "tables must be a noughts.Table, None for the one that was built, or False for none, not {}",
                    kind(given)
                )));
            }
        }
    }
    // Reading a table takes a moment: only where there is one.
    if !tablebase::SUPPORTED_VARIANTS.contains(&variant) {
        return Ok(Tablebases::default());
    }
    let Some(folder) = data_folder(None) else {
        return Ok(Tablebases::default());
    };
    let path = tablebase::tablebase_path(&folder);
    let Ok(seen) = path.metadata() else {
        return Ok(Tablebases::default());
    };
    let (changed, bytes) = (seen.modified().ok(), seen.len());
    // Never held while Python is let go of: nobody waits for it for long.
    let kept = || KEPT.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(kept) = &*kept()
        && kept.path == path
        && kept.changed == changed
        && kept.bytes == bytes
    {
        return Ok(kept.tables.clone());
    }
    let (tables, problem) = py.detach(|| Tablebases::open(&folder));
    if let Some(problem) = problem {
        let sentence = format!("{problem}; going on without the table");
        let sentence = std::ffi::CString::new(sentence).unwrap_or_default();
        PyErr::warn(py, &py.get_type::<PyUserWarning>(), &sentence, 1)?;
    }
    *kept() = Some(Kept {
        path,
        changed,
        bytes,
        tables: tables.clone(),
    });
    Ok(tables)
}

/// The file that was named, or the usual one.
fn file(path: Option<PathBuf>) -> PyResult<PathBuf> {
    let usual = || data_folder(None).map(|folder| tablebase::tablebase_path(&folder));
    path.or_else(usual)
        .ok_or("there is no home folder to keep data in; name a file, or set NOUGHTS_DATA")
        .raise::<TableError>()
}

/// The error, and what to do about it.
fn hinted(path: &Path, error: &Trouble) -> String {
    match error {
        Trouble::Read { source, .. } if source.kind() == std::io::ErrorKind::NotFound => {
            format!(
                "there is no {}; noughts.Table.build() makes one",
                path.display()
            )
        }
        Trouble::Read { .. } | Trouble::Write { .. } | Trouble::Stopped { .. } => error.to_string(),
        _ => format!("{error}; noughts.Table.build(force=True) makes a new one"),
    }
}

/// The table that is there, if all its blocks can be read; none where one is to be built.
fn found(path: &Path) -> Result<Option<Tabled>, Trouble> {
    match Tabled::open(path).and_then(|table| table.summary().map(|_| table)) {
        Ok(table) => Ok(Some(table)),
        Err(Trouble::Read { source, .. }) if source.kind() == std::io::ErrorKind::NotFound => {
            Ok(None)
        }
        Err(Trouble::Truncated { .. } | Trouble::Corrupted { .. }) => Ok(None),
        Err(error) => Err(error),
    }
}

fn cores() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

/// Does long work; a function of the caller's hears how far it has come.
fn told<T: Send>(
    py: Python<'_>,
    progress: Option<&Bound<'_, PyAny>>,
    work: impl FnOnce(&StopFlag, &(dyn Fn(Progress) + Sync)) -> T + Send,
) -> PyResult<T> {
    if let Some(progress) = progress
        && !progress.is_callable()
    {
        return Err(PyTypeError::new_err(format!(
            "progress must be a function of a word and a number from 0 to 1, not {}",
            kind(progress)
        )));
    }
    let progress = progress.map(|progress| progress.clone().unbind());
    let latest: Mutex<Option<Progress>> = Mutex::new(None);
    let lock = || latest.lock().unwrap_or_else(PoisonError::into_inner);
    let stop = StopFlag::new();
    let watch = |now: Progress| *lock() = Some(now);
    work::watched(
        py,
        &stop,
        || work(&stop, &watch),
        |py| {
            let news = lock().take();
            if let (Some(progress), Some(news)) = (&progress, news) {
                let stage = match news.stage {
                    Stage::Solving => "solving",
                    Stage::Packing => "packing",
                    Stage::Unpacking => "unpacking",
                    Stage::Checking => "checking",
                };
                let done = news.done as f64 / news.total.max(1) as f64;
                progress.call1(py, (stage, done.clamp(0.0, 1.0)))?;
            }
            Ok(())
        },
    )
}

impl Table {
    fn of(table: Tabled) -> Table {
        Table {
            tables: table.into(),
        }
    }

    fn table(&self) -> PyResult<&Tabled> {
        let table = self.tables.tic_tac_two(&TicTacTwo::standard());
        table.ok_or("there is no table").raise::<TableError>()
    }
}

#[pymethods]
impl Table {
    /// Where tables are looked for: `NOUGHTS_DATA`, or else the system's place for a
    /// program's data, as on the command line.
    ///
    /// >>> noughts.Table.usual_path().name
    /// 'tic-tac-two.table'
    #[staticmethod]
    fn usual_path() -> PyResult<PathBuf> {
        file(None)
    }

    /// Opens the table in this file, or the usual one. A `TableError` says what is wrong with
    /// it; damage to single parts of the file is only seen when they are asked for.
    #[classmethod]
    #[pyo3(signature = (path = None, /))]
    fn open(_class: &Bound<'_, PyType>, py: Python<'_>, path: Option<PathBuf>) -> PyResult<Table> {
        let path = file(path)?;
        let opened = py.detach(|| Tabled::open(&path));
        let opened = opened.map_err(|error| hinted(&path, &error));
        Ok(Table::of(opened.raise::<TableError>()?))
    }

    /// Solves the game and writes the table; where a good one is already, opens that, unless
    /// `force` is set. It takes a minute, 300 MiB of memory and a file of 13 MiB.
    ///
    /// `progress` is called now and then with what is being done, as a word, and how much of
    /// it is, from 0 to 1. Ctrl-C, or an exception of `progress`, stops it, and then all is
    /// as it was. `threads` is as many as the machine has, unless given.
    #[classmethod]
    #[pyo3(signature = (path = None, /, *, threads = None, force = false, progress = None))]
    fn build(
        _class: &Bound<'_, PyType>,
        py: Python<'_>,
        path: Option<PathBuf>,
        threads: Option<&Bound<'_, PyAny>>,
        force: bool,
        progress: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Table> {
        let path = file(path)?;
        let threads = threads.map_or(Ok(cores()), given::threads)?;
        let built = told(py, progress, |stop, watch| {
            let there = if force { None } else { found(&path)? };
            match there {
                Some(table) => Ok(table),
                None => Tabled::build_with_stop_flag(&path, threads, stop, watch),
            }
        })?;
        let built = built.map_err(|error: Trouble| hinted(&path, &error));
        Ok(Table::of(built.raise::<TableError>()?))
    }

    /// Compares every value with those one move on: if that raises nothing, every value is
    /// right. Gives the number of positions.
    #[pyo3(signature = (*, threads = None, progress = None))]
    fn check(
        &self,
        py: Python<'_>,
        threads: Option<&Bound<'_, PyAny>>,
        progress: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<usize> {
        let table = self.table()?;
        let threads = threads.map_or(Ok(cores()), given::threads)?;
        let checked = told(py, progress, |stop, watch| {
            table.check_with_stop_flag(threads, stop, watch)
        })?;
        let checked = checked.map_err(|error| hinted(table.path(), &error));
        checked.raise::<TableError>()
    }

    /// What the table says of a position and its moves. It knows positions, not games: what
    /// has been there twice is not looked at.
    fn probe(&self, position: &Bound<'_, Position>) -> PyResult<Solution> {
        let table = self.table()?;
        let AnyGameState::TicTacTwo(play) = position.get().any() else {
            return Err(other_game(position.get().any().variant()));
        };
        let (game, board) = (play.game(), play.position());
        if game.variant() != Variant::TIC_TAC_TWO {
            return Err(other_game(game.variant()));
        }
        let known = table.probe(board).zip(table.moves(board));
        let (value, moves) = known
            .ok_or_else(|| {
                let path = table.path().display();
                format!("{path} is damaged; noughts.Table.build(force=True) makes a new one")
            })
            .raise::<TableError>()?;
        let moves = moves.into_iter();
        let ranked = |(mv, value)| Ranked::proved(game.move_text(mv), Some(value));
        Ok(Solution {
            value: Some(value),
            moves: moves.map(ranked).collect(),
            nodes: 0,
            elapsed: Duration::ZERO,
            note: None,
        })
    }

    /// What the table says as a whole, by the numbers of pieces of the side to move and of
    /// the other: a list of dictionaries.
    fn summary<'py>(&self, py: Python<'py>) -> PyResult<Vec<Bound<'py, PyDict>>> {
        let table = self.table()?;
        let summary = py.detach(|| table.summary());
        let summary = summary.map_err(|error| hinted(table.path(), &error));
        let layers = summary.raise::<TableError>()?;
        let layers = layers.into_iter().map(|layer| {
            let dict = PyDict::new(py);
            let longest = |plies: u8| (plies > 0).then_some(plies);
            dict.set_item("mine", layer.mine)?;
            dict.set_item("theirs", layer.theirs)?;
            dict.set_item("positions", layer.positions)?;
            dict.set_item("finished", layer.finished)?;
            dict.set_item("wins", layer.wins)?;
            dict.set_item("losses", layer.losses)?;
            dict.set_item("draws", layer.draws)?;
            dict.set_item("longest_win", longest(layer.longest_win))?;
            dict.set_item("longest_loss", longest(layer.longest_loss))?;
            Ok(dict)
        });
        layers.collect()
    }

    /// The file.
    #[getter]
    fn path(&self) -> PyResult<PathBuf> {
        Ok(self.table()?.path().to_path_buf())
    }

    /// How long the file is.
    #[getter]
    fn bytes(&self) -> PyResult<usize> {
        Ok(self.table()?.file_len())
    }

    fn __repr__(&self) -> PyResult<String> {
        Ok(format!(
            "<noughts.Table {}>",
            self.table()?.path().display()
        ))
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, (PathBuf,))> {
        let open = py.get_type::<Table>().getattr("open")?;
        Ok((open, (self.path()?,)))
    }
}

fn other_game(variant: Variant) -> PyErr {
    TableError::new_err(format!("the table is for tic-tac-two, not for {variant}"))
}
