//! `noughts.Tablebase`: the tablebase of a variant in which positions can repeat.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, SystemTime};

use etcetera::base_strategy::{BaseStrategy as _, choose_native_strategy};
use noughts_engine::tablebase::{
    self, BuildProgress, BuildStage, Tablebase as TablebaseFile, TablebaseError as FileError,
};
use noughts_engine::{ExactValue, SearchNote, StopFlag, Tablebases};
use noughts_rules::{Game, GameState, GameVisitor, Variant};
use pyo3::exceptions::{PyTypeError, PyUserWarning};
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyDict, PyType};

use crate::errors::{Raise, TablebaseError};
use crate::game_args::{describe_type, parse_variant};
use crate::position::Position;
use crate::{background, report, search_args};

/// The tablebase of a variant in which positions can repeat, such as `tic-tac-two`: the exact value of every position.
///
/// Build it once with `build` or from the command line (`noughts tablebase build tic-tac-two`);
/// both use the same file, and `open` opens it. Bots, `solve` and `analyze` use it automatically.
///
/// >>> import noughts
/// >>> try:
/// ...     table = noughts.Tablebase.open("gobblers", "no such folder/gobblers.table")
/// ... except noughts.TablebaseError as error:
/// ...     print(error)
/// no such folder/gobblers.table doesn't exist; build it with noughts.Tablebase.build("gobblers", "no such folder/gobblers.table")
#[pyclass(frozen, module = "noughts")]
pub(crate) struct Tablebase {
    variant: Variant,
    tablebases: Tablebases,
}

/// A file's path, modification time and length, to detect changes.
type FileState = (PathBuf, Option<SystemTime>, u64);

/// The default tablebases as last loaded.
static CACHE: Mutex<BTreeMap<(usize, Variant), (FileState, Tablebases)>> =
    Mutex::new(BTreeMap::new());

/// Distinguishes the rules of a Python class from those of an older class with the same name.
fn rules_id(variant: Variant) -> usize {
    std::ptr::from_ref(variant.info()) as usize
}

/// The tablebases to use: those of a `noughts.Tablebase`, none for `False`, and otherwise those in the data
/// folder.
pub(crate) fn parse_tablebase(
    py: Python<'_>,
    variant: Variant,
    tablebase: Option<&Bound<'_, PyAny>>,
) -> PyResult<Tablebases> {
    if let Some(value) = tablebase {
        if let Ok(table) = value.cast::<Tablebase>() {
            let table = table.get();
            if variant == table.variant {
                table.check_is_for(variant)?;
            }
            return Ok(table.tablebases.clone());
        }
        match value.cast::<PyBool>() {
            Ok(use_default) if use_default.is_true() => {}
            Ok(_) => return Ok(Tablebases::default()),
            Err(_) => {
                return Err(PyTypeError::new_err(format!(
                    "tablebase must be a noughts.Tablebase, None (the default tablebase) or False (no tablebase), not {value}",
                    value = describe_type(value)
                )));
            }
        }
    }
    let Some(folder) = data_folder() else {
        return Ok(Tablebases::default());
    };
    let path = tablebase::tablebase_path(&folder, variant);
    let Ok(metadata) = path.metadata() else {
        return Ok(Tablebases::default());
    };
    let file = (path, metadata.modified().ok(), metadata.len());
    // Never held while the GIL is released, so that waiting for it can't deadlock.
    let cache = || CACHE.lock().unwrap_or_else(PoisonError::into_inner);
    let key = (rules_id(variant), variant);
    if let Some((cached, tablebases)) = cache().get(&key)
        && *cached == file
    {
        return Ok(tablebases.clone());
    }
    let (tablebases, errors) = py.detach(|| Tablebases::open_variant(&folder, variant));
    for error in errors {
        let message = format!("{error}; continuing without the tablebase");
        let message = std::ffi::CString::new(message).unwrap_or_default();
        PyErr::warn(py, &py.get_type::<PyUserWarning>(), &message, 1)?;
    }
    cache().insert(key, (file, tablebases.clone()));
    Ok(tablebases)
}

/// The folder of the command line's data: `NOUGHTS_DATA`, or the system's default location. `None` if there is no
/// home folder.
fn data_folder() -> Option<PathBuf> {
    match std::env::var_os("NOUGHTS_DATA").filter(|folder| !folder.is_empty()) {
        Some(folder) => Some(folder.into()),
        None => Some(choose_native_strategy().ok()?.data_dir().join("noughts")),
    }
}

/// The note, with advice on how to build a tablebase.
pub(crate) fn note_with_hint(note: &SearchNote) -> String {
    match note {
        SearchNote::MissingTablebase(variant) => {
            let build = build_call(*variant, None, false);
            format!("{note}; build it with {build}")
        }
        SearchNote::CorruptedTablebase(variant) => {
            let build = build_call(*variant, None, true);
            format!("{note}; rebuild it with {build}")
        }
        _ => note.to_string(),
    }
}

/// The path of a variant's tablebase in the data folder.
fn default_path(variant: Variant) -> Option<PathBuf> {
    data_folder().map(|folder| tablebase::tablebase_path(&folder, variant))
}

/// The given path, or that of the variant's default tablebase.
fn path_or_default(variant: Variant, path: Option<PathBuf>) -> PyResult<PathBuf> {
    path.or_else(|| default_path(variant))
        .ok_or("no data folder: the home folder is unknown; pass a path, or set NOUGHTS_DATA")
        .raise::<TablebaseError>()
}

/// The call that builds the tablebase at this path, or replaces the file there.
fn build_call(variant: Variant, path: Option<&Path>, force: bool) -> String {
    let is_default =
        path.is_none_or(|path| default_path(variant).is_some_and(|default| default == path));
    let path = path.filter(|_| !is_default).map(|path| format!("{path:?}"));
    let force = force.then(|| "force=True".to_owned());
    let args = [Some(format!("\"{variant}\"")), path, force];
    let args: Vec<String> = args.into_iter().flatten().collect();
    format!("noughts.Tablebase.build({args})", args = args.join(", "))
}

/// The error, with advice on how to fix it.
fn message_with_hint(variant: Variant, path: &Path, error: &FileError) -> String {
    match error {
        error if error.is_not_found() => {
            format!(
                "{path} doesn't exist; build it with {build}",
                path = path.display(),
                build = build_call(variant, Some(path), false)
            )
        }
        FileError::Read { .. }
        | FileError::Write { .. }
        | FileError::Stopped { .. }
        | FileError::NotNeeded { .. }
        | FileError::TooLarge { .. }
        | FileError::TooLong { .. } => error.to_string(),
        _ => format!(
            "{error}; rebuild it with {build}",
            build = build_call(variant, Some(path), true)
        ),
    }
}

/// The existing tablebase if all its blocks can be read; `None` if a new one has to be built.
fn find_existing(variant: Variant, path: &Path) -> Result<Option<TablebaseFile>, FileError> {
    match TablebaseFile::open(variant, path).and_then(|table| table.summary().map(|_| table)) {
        Ok(table) => Ok(Some(table)),
        Err(error) if error.is_not_found() => Ok(None),
        Err(FileError::Truncated { .. } | FileError::Corrupted { .. }) => Ok(None),
        Err(error) => Err(error),
    }
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
            "progress must be a function that takes a stage and a number from 0 to 1, not {value}",
            value = describe_type(progress)
        )));
    }
    let progress = progress.map(|progress| progress.clone().unbind());
    let latest: Mutex<Option<BuildProgress>> = Mutex::new(None);
    let lock = || latest.lock().unwrap_or_else(PoisonError::into_inner);
    let stop = StopFlag::new();
    let on_progress = |now: BuildProgress| *lock() = Some(now);
    background::run_with_polling(
        py,
        || stop.stop(),
        |_| work(&stop, &on_progress),
        |py| {
            let progress_now = lock().take();
            if let (Some(progress), Some(progress_now)) = (&progress, progress_now) {
                let stage = match progress_now.stage {
                    BuildStage::Listing => "listing",
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

impl From<TablebaseFile> for Tablebase {
    fn from(file: TablebaseFile) -> Tablebase {
        Tablebase {
            variant: file.variant(),
            tablebases: file.into(),
        }
    }
}

impl Tablebase {
    fn tablebase(&self) -> PyResult<&TablebaseFile> {
        (self.tablebases.get(self.variant))
            .ok_or("the tablebase isn't loaded")
            .raise::<TablebaseError>()
    }

    /// Checks that it belongs to this variant, with these rules.
    fn check_is_for(&self, variant: Variant) -> PyResult<()> {
        let known = self.variant;
        let message = match known == variant {
            true if rules_id(known) == rules_id(variant) => return Ok(()),
            true => {
                let build = build_call(variant, None, true);
                format!(
                    "{known} has been redefined since the tablebase was opened; rebuild it with {build}"
                )
            }
            false => format!("the tablebase is for {known}, not for {variant}"),
        };
        Err(TablebaseError::new_err(message))
    }
}

/// The value of a position and of its moves, with their texts.
type ProbedMoves = (ExactValue, Vec<(String, ExactValue)>);

struct ProbeMoves<'a>(&'a TablebaseFile);

impl GameVisitor for ProbeMoves<'_> {
    type Output = Option<ProbedMoves>;

    fn visit<G: Game>(self, state: &GameState<G>) -> Self::Output {
        let (game, position) = (state.game(), state.position());
        let moves = self.0.moves(game, position)?.into_iter();
        let moves = moves.map(|(mv, value)| (game.move_text(mv), value));
        Some((self.0.probe(position)?, moves.collect()))
    }
}

#[pymethods]
impl Tablebase {
    /// Returns the default path of a game's tablebase: in `NOUGHTS_DATA`, or else in the platform's
    /// folder for application data, as on the command line.
    ///
    /// >>> noughts.Tablebase.default_path("morris").name
    /// 'morris.table'
    #[staticmethod]
    fn default_path(game: &Bound<'_, PyAny>) -> PyResult<PathBuf> {
        path_or_default(parse_variant(game)?, None)
    }

    /// Opens the tablebase of a game at `path`, or at the default path. Raises `TablebaseError` if the file is
    /// missing or invalid; corruption inside a block is only detected when that block is read.
    #[classmethod]
    #[pyo3(signature = (game, path = None))]
    fn open(
        _class: &Bound<'_, PyType>,
        py: Python<'_>,
        game: &Bound<'_, PyAny>,
        path: Option<PathBuf>,
    ) -> PyResult<Tablebase> {
        let variant = parse_variant(game)?;
        let path = path_or_default(variant, path)?;
        let opened = py.detach(|| TablebaseFile::open(variant, &path));
        let opened = opened.map_err(|error| message_with_hint(variant, &path, &error));
        opened.raise::<TablebaseError>().map(Tablebase::from)
    }

    /// Solves a game in which positions can repeat and writes the tablebase to `path`, or to the default path. If a valid one
    /// already exists, opens it, unless `force` is set.
    ///
    /// `progress` is called from time to time with the stage, such as `'solving'`, and the
    /// fraction done, from 0 to 1. Ctrl-C or an exception in `progress` cancels the build and
    /// leaves existing files unchanged. `threads` defaults to the number of cores.
    #[classmethod]
    #[pyo3(signature = (game, path = None, *, threads = None, force = false, progress = None))]
    fn build(
        _class: &Bound<'_, PyType>,
        py: Python<'_>,
        game: &Bound<'_, PyAny>,
        path: Option<PathBuf>,
        threads: Option<&Bound<'_, PyAny>>,
        force: bool,
        progress: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Tablebase> {
        let variant = parse_variant(game)?;
        let path = path_or_default(variant, path)?;
        let threads = threads.map_or(Ok(background::core_count()), search_args::parse_threads)?;
        let built = run_with_progress(py, progress, |stop, on_progress| {
            let existing = if force {
                None
            } else {
                find_existing(variant, &path)?
            };
            match existing {
                Some(table) => Ok(table),
                None => TablebaseFile::build(variant, &path, threads, stop, on_progress),
            }
        })?;
        let built = built.map_err(|error: FileError| message_with_hint(variant, &path, &error));
        built.raise::<TablebaseError>().map(Tablebase::from)
    }

    /// Verifies every value against the values one move later, and returns the number of
    /// positions. Raises `TablebaseError` if a value is wrong.
    #[pyo3(signature = (*, threads = None, progress = None))]
    fn check(
        &self,
        py: Python<'_>,
        threads: Option<&Bound<'_, PyAny>>,
        progress: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<usize> {
        let table = self.tablebase()?;
        let threads = threads.map_or(Ok(background::core_count()), search_args::parse_threads)?;
        let checked = run_with_progress(py, progress, |stop, on_progress| {
            table.check(threads, stop, on_progress)
        })?;
        let checked =
            checked.map_err(|error| message_with_hint(self.variant, table.path(), &error));
        checked.raise::<TablebaseError>()
    }

    /// Looks up a position and its moves. The tablebase ignores draws by repetition.
    fn probe<'py>(&self, position: &Bound<'py, Position>) -> PyResult<Bound<'py, PyAny>> {
        let table = self.tablebase()?;
        let state = position.get().state();
        self.check_is_for(state.variant())?;
        let known = state.visit(ProbeMoves(table));
        let (value, moves) = known
            .ok_or_else(|| match table.is_corrupted() {
                true => {
                    let build = build_call(self.variant, Some(table.path()), true);
                    let path = table.path().display();
                    format!("{path} is corrupted; rebuild it with {build}")
                }
                false => {
                    "the position can't be reached from the start, so it isn't in the tablebase"
                        .into()
                }
            })
            .raise::<TablebaseError>()?;
        let moves = moves.into_iter().map(|(mv, value)| (mv, Some(value)));
        report::to_solution(position.py(), Some(value), moves, 0, Duration::ZERO, None)
    }

    /// Returns statistics as a list of dictionaries: one for each number of pieces of the side to
    /// move (`mine`) and of the other side (`theirs`) if the tablebase is divided by them, as that of `tic-tac-two` is;
    /// otherwise a single one, in which both are `None`.
    fn summary<'py>(&self, py: Python<'py>) -> PyResult<Vec<Bound<'py, PyDict>>> {
        let table = self.tablebase()?;
        let summary = py.detach(|| table.summary());
        let summary =
            summary.map_err(|error| message_with_hint(self.variant, table.path(), &error));
        let layers = summary.raise::<TablebaseError>()?;
        let layers = layers.into_iter().map(|layer| {
            let dict = PyDict::new(py);
            let longest = |plies: u32| (plies > 0).then_some(plies);
            dict.set_item("mine", layer.pieces.map(|(mine, _)| mine))?;
            dict.set_item("theirs", layer.pieces.map(|(_, theirs)| theirs))?;
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

    /// The name of the game.
    #[getter]
    fn game(&self) -> String {
        self.variant.to_string()
    }

    /// The path of the file.
    #[getter]
    fn path(&self) -> PyResult<PathBuf> {
        Ok(self.tablebase()?.path().to_path_buf())
    }

    /// The size of the file in bytes.
    #[getter]
    fn bytes(&self) -> PyResult<u64> {
        Ok(self.tablebase()?.file_len())
    }

    fn __repr__(&self) -> PyResult<String> {
        Ok(format!(
            "<noughts.Tablebase {}>",
            self.tablebase()?.path().display()
        ))
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, (String, PathBuf))> {
        let open = py.get_type::<Tablebase>().getattr("open")?;
        Ok((open, (self.game(), self.path()?)))
    }
}
