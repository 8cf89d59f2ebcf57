//! `noughts.Table`: the tablebase of Tic-Tac-Two.

use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, SystemTime};

use noughts_engine::tablebase::{self, BuildProgress, BuildStage, Tablebase, TablebaseError};
use noughts_engine::{StopFlag, Tablebases, data_folder};
use noughts_rules::{AnyGameState, Game as _, TicTacTwo, Variant};
use pyo3::exceptions::{PyTypeError, PyUserWarning};
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyDict, PyType};

use crate::errors::{Raise, TableError};
use crate::game_args::describe_type;
use crate::position::Position;
use crate::report::{Ranked, Solution};
use crate::{background, search_args};

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
    tablebases: Tablebases,
}

/// The default tablebase as last loaded, with the file's metadata to detect changes.
struct CachedTablebases {
    path: PathBuf,
    modified: Option<SystemTime>,
    file_len: u64,
    tablebases: Tablebases,
}

static CACHE: Mutex<Option<CachedTablebases>> = Mutex::new(None);

/// The tablebases to use: those of a `noughts.Table`, none for `False`, and otherwise those in the data
/// folder.
pub(crate) fn parse_tables(
    py: Python<'_>,
    variant: Variant,
    tables: Option<&Bound<'_, PyAny>>,
) -> PyResult<Tablebases> {
    if let Some(value) = tables {
        if let Ok(table) = value.cast::<Table>() {
            return Ok(table.get().tablebases.clone());
        }
        match value.cast::<PyBool>() {
            Ok(use_default) if use_default.is_true() => {}
            Ok(_) => return Ok(Tablebases::default()),
            Err(_) => {
                return Err(PyTypeError::new_err(format!(
                    "tables must be a noughts.Table, None for the one that was built, or False for none, not {}",
                    describe_type(value)
                )));
            }
        }
    }
    // Loading takes a moment, so only do it for variants that have a tablebase.
    if !tablebase::SUPPORTED_VARIANTS.contains(&variant) {
        return Ok(Tablebases::default());
    }
    let Some(folder) = data_folder(None) else {
        return Ok(Tablebases::default());
    };
    let path = tablebase::tablebase_path(&folder);
    let Ok(metadata) = path.metadata() else {
        return Ok(Tablebases::default());
    };
    let (modified, file_len) = (metadata.modified().ok(), metadata.len());
    // Never held while the GIL is released, so that waiting for it can't deadlock.
    let cache = || CACHE.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(cached) = &*cache()
        && cached.path == path
        && cached.modified == modified
        && cached.file_len == file_len
    {
        return Ok(cached.tablebases.clone());
    }
    let (tablebases, error) = py.detach(|| Tablebases::open(&folder));
    if let Some(error) = error {
        let message = format!("{error}; going on without the table");
        let message = std::ffi::CString::new(message).unwrap_or_default();
        PyErr::warn(py, &py.get_type::<PyUserWarning>(), &message, 1)?;
    }
    *cache() = Some(CachedTablebases {
        path,
        modified,
        file_len,
        tablebases: tablebases.clone(),
    });
    Ok(tablebases)
}

/// The given path, or that of the default tablebase.
fn path_or_default(path: Option<PathBuf>) -> PyResult<PathBuf> {
    let default = || data_folder(None).map(|folder| tablebase::tablebase_path(&folder));
    path.or_else(default)
        .ok_or("there is no home folder to keep data in; name a file, or set NOUGHTS_DATA")
        .raise::<TableError>()
}

/// The error, with advice on how to fix it.
fn message_with_hint(path: &Path, error: &TablebaseError) -> String {
    match error {
        TablebaseError::Read { source, .. } if source.kind() == std::io::ErrorKind::NotFound => {
            format!(
                "there is no {}; noughts.Table.build() makes one",
                path.display()
            )
        }
        TablebaseError::Read { .. }
        | TablebaseError::Write { .. }
        | TablebaseError::Stopped { .. } => error.to_string(),
        _ => format!("{error}; noughts.Table.build(force=True) makes a new one"),
    }
}

/// The existing tablebase if all its blocks can be read; `None` if a new one has to be built.
fn find_existing(path: &Path) -> Result<Option<Tablebase>, TablebaseError> {
    match Tablebase::open(path).and_then(|table| table.summary().map(|_| table)) {
        Ok(table) => Ok(Some(table)),
        Err(TablebaseError::Read { source, .. })
            if source.kind() == std::io::ErrorKind::NotFound =>
        {
            Ok(None)
        }
        Err(TablebaseError::Truncated { .. } | TablebaseError::Corrupted { .. }) => Ok(None),
        Err(error) => Err(error),
    }
}

fn core_count() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

/// Runs long work in the background and reports its progress to a Python callback.
fn run_with_progress<T: Send>(
    py: Python<'_>,
    progress: Option<&Bound<'_, PyAny>>,
    work: impl FnOnce(&StopFlag, &(dyn Fn(BuildProgress) + Sync)) -> T + Send,
) -> PyResult<T> {
    if let Some(progress) = progress
        && !progress.is_callable()
    {
        return Err(PyTypeError::new_err(format!(
            "progress must be a function of a word and a number from 0 to 1, not {}",
            describe_type(progress)
        )));
    }
    let progress = progress.map(|progress| progress.clone().unbind());
    let latest: Mutex<Option<BuildProgress>> = Mutex::new(None);
    let lock = || latest.lock().unwrap_or_else(PoisonError::into_inner);
    let stop = StopFlag::new();
    let on_progress = |now: BuildProgress| *lock() = Some(now);
    background::run_with_polling(
        py,
        &stop,
        || work(&stop, &on_progress),
        |py| {
            let progress_now = lock().take();
            if let (Some(progress), Some(progress_now)) = (&progress, progress_now) {
                let stage = match progress_now.stage {
                    BuildStage::Solving => "solving",
                    BuildStage::Packing => "packing",
                    BuildStage::Unpacking => "unpacking",
                    BuildStage::Checking => "checking",
                };
                let done = progress_now.done as f64 / progress_now.total.max(1) as f64;
                progress.call1(py, (stage, done.clamp(0.0, 1.0)))?;
            }
            Ok(())
        },
    )
}

impl Table {
    fn from_tablebase(tablebase: Tablebase) -> Table {
        Table {
            tablebases: tablebase.into(),
        }
    }

    fn tablebase(&self) -> PyResult<&Tablebase> {
        let table = self.tablebases.tic_tac_two(&TicTacTwo::standard());
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
        path_or_default(None)
    }

    /// Opens the table in this file, or the usual one. A `TableError` says what is wrong with
    /// it; damage to single parts of the file is only seen when they are asked for.
    #[classmethod]
    #[pyo3(signature = (path = None, /))]
    fn open(_class: &Bound<'_, PyType>, py: Python<'_>, path: Option<PathBuf>) -> PyResult<Table> {
        let path = path_or_default(path)?;
        let opened = py.detach(|| Tablebase::open(&path));
        let opened = opened.map_err(|error| message_with_hint(&path, &error));
        Ok(Table::from_tablebase(opened.raise::<TableError>()?))
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
        let path = path_or_default(path)?;
        let threads = threads.map_or(Ok(core_count()), search_args::parse_threads)?;
        let built = run_with_progress(py, progress, |stop, on_progress| {
            let existing = if force { None } else { find_existing(&path)? };
            match existing {
                Some(table) => Ok(table),
                None => Tablebase::build_with_stop_flag(&path, threads, stop, on_progress),
            }
        })?;
        let built = built.map_err(|error: TablebaseError| message_with_hint(&path, &error));
        Ok(Table::from_tablebase(built.raise::<TableError>()?))
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
        let table = self.tablebase()?;
        let threads = threads.map_or(Ok(core_count()), search_args::parse_threads)?;
        let checked = run_with_progress(py, progress, |stop, on_progress| {
            table.check_with_stop_flag(threads, stop, on_progress)
        })?;
        let checked = checked.map_err(|error| message_with_hint(table.path(), &error));
        checked.raise::<TableError>()
    }

    /// What the table says of a position and its moves. It knows positions, not games: what
    /// has been there twice is not looked at.
    fn probe(&self, position: &Bound<'_, Position>) -> PyResult<Solution> {
        let table = self.tablebase()?;
        let AnyGameState::TicTacTwo(state) = position.get().state() else {
            return Err(wrong_variant_error(position.get().state().variant()));
        };
        let (game, board) = (state.game(), state.position());
        if game.variant() != Variant::TIC_TAC_TWO {
            return Err(wrong_variant_error(game.variant()));
        }
        let known = table.probe(board).zip(table.moves(board));
        let (value, moves) = known
            .ok_or_else(|| {
                let path = table.path().display();
                format!("{path} is damaged; noughts.Table.build(force=True) makes a new one")
            })
            .raise::<TableError>()?;
        let moves = moves.into_iter();
        let ranked = |(mv, value)| Ranked::from_exact(game.move_text(mv), Some(value));
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
        let table = self.tablebase()?;
        let summary = py.detach(|| table.summary());
        let summary = summary.map_err(|error| message_with_hint(table.path(), &error));
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
        Ok(self.tablebase()?.path().to_path_buf())
    }

    /// How long the file is.
    #[getter]
    fn bytes(&self) -> PyResult<usize> {
        Ok(self.tablebase()?.file_len())
    }

    fn __repr__(&self) -> PyResult<String> {
        Ok(format!(
            "<noughts.Table {}>",
            self.tablebase()?.path().display()
        ))
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, (PathBuf,))> {
        let open = py.get_type::<Table>().getattr("open")?;
        Ok((open, (self.path()?,)))
    }
}

fn wrong_variant_error(variant: Variant) -> PyErr {
    TableError::new_err(format!("the table is for tic-tac-two, not for {variant}"))
}
