//! Games written in Python: subclasses of `noughts.Game`.
//!
//! [`PyGame`] calls the methods of the class, through `_own_game.py`, which checks what they return. An exception can't
//! pass through a search, so it is kept in [`failure`], the search is cut short, and the caller raises it.

pub(crate) mod failure;
mod game;
mod moves;
mod position;

use std::sync::{OnceLock, PoisonError, RwLock};

use noughts_rules::{
    AnyGameState, DynGame, GameInfo, GameState, OptionValues, Preset, Termination, Variant, games,
};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyString, PyType};

use crate::errors::{NoughtsError, Raise, VariantError};
use failure::Failures;
use game::PyGame;
use moves::MoveNames;

/// A class that defines a game. It is never freed, like a game of the registry.
pub(crate) struct OwnGame {
    class: Py<PyType>,
    info: &'static GameInfo,
    /// The object whose methods are called: `_own_game.Rules`.
    rules: OnceLock<game::RulesObject>,
    moves: MoveNames,
    failures: Failures,
}

/// All classes, including those that were replaced by newer ones of the same name.
static OWN_GAMES: RwLock<Vec<&'static OwnGame>> = RwLock::new(Vec::new());

fn find(is_meant: impl Fn(&OwnGame) -> bool) -> Option<&'static OwnGame> {
    let games = OWN_GAMES.read().unwrap_or_else(PoisonError::into_inner);
    games.iter().rev().copied().find(|game| is_meant(game))
}

/// The class that defines this variant's game, if it is written in Python.
pub(crate) fn of_variant(variant: Variant) -> Option<&'static OwnGame> {
    let info = variant.info();
    // Classes are never created by the other crates, so most games are found not to be here at once.
    find(|game| std::ptr::eq(game.info, info))
}

/// Are they the same game? Two classes of the same name are not.
pub(crate) fn is_same(one: Variant, other: Variant) -> bool {
    one == other && std::ptr::eq(one.info(), other.info())
}

/// The variant that a subclass of `Game` defines; `None` for other classes.
///
/// # Errors
/// The class lacks some of the rules.
pub(crate) fn variant_of_class(class: &Bound<'_, PyType>) -> PyResult<Option<Variant>> {
    let py = class.py();
    let game_class = py.get_type::<crate::game::Game>();
    if class.is(&game_class) || !class.is_subclass(&game_class)? {
        return Ok(None);
    }
    if let Some(game) = find(|game| game.class.is(class)) {
        return Ok(Some(game.variant()));
    }
    let missing = py.import("noughts._own_game")?;
    let missing = missing.call_method1("missing", (class, game_class))?;
    let missing: Vec<String> = missing.extract()?;
    let missing: Vec<String> = missing.iter().map(|name| format!("{name}()")).collect();
    Err(PyTypeError::new_err(format!(
        "the class {name} isn't a game yet; define {missing}",
        name = class.name()?,
        missing = noughts_text::join_and(&missing)
    )))
}

/// What names a variant's game in a pickle: its name, or its class.
pub(crate) fn pickled_game(py: Python<'_>, variant: Variant) -> Bound<'_, PyAny> {
    match of_variant(variant) {
        Some(game) => game.class.bind(py).clone().into_any(),
        None => PyString::new(py, &variant.to_string()).into_any(),
    }
}

/// The object that describes a position in the game's own terms; `None` in games of other crates.
pub(crate) fn data(state: &AnyGameState) -> Option<Py<PyAny>> {
    let AnyGameState::Other(state) = state else {
        return None;
    };
    state.game().downcast_ref::<PyGame>()?;
    Python::try_attach(|py| position::object(py, state.position()))?
}

/// Fails if the game's moves have no action numbers.
pub(crate) fn require_actions(variant: Variant) -> PyResult<()> {
    match of_variant(variant) {
        Some(game) if !failure::catch(|| game.has_actions())? => Err(format!(
            "{variant} doesn't list its moves, so they have no action numbers; define all_moves() in its class"
        )),
        _ => Ok(()),
    }
    .raise::<NoughtsError>()
}

/// Fails if the game has no board to observe.
pub(crate) fn require_observations(variant: Variant) -> PyResult<()> {
    match of_variant(variant) {
        Some(game) if !failure::catch(|| game.has_cells())? => Err(format!(
            "{variant} has no board, so it can't be observed; define cells(position) in its class"
        )),
        _ => Ok(()),
    }
    .raise::<NoughtsError>()
}

impl OwnGame {
    pub(crate) fn class<'py>(&self, py: Python<'py>) -> &Bound<'py, PyType> {
        self.class.bind(py)
    }

    fn variant(&self) -> Variant {
        // A game without options has the only variant.
        let variant = Variant::new(self.info, OptionValues::default());
        variant.unwrap_or_default()
    }
}

/// Returns the names of all games written in Python.
#[pyfunction]
pub(crate) fn own_games() -> Vec<&'static str> {
    let games = OWN_GAMES.read().unwrap_or_else(PoisonError::into_inner);
    games.iter().map(|game| game.info.name).collect()
}

/// Makes a class a game of the registry. The newest class of a name has it.
#[pyfunction]
pub(crate) fn register_game(
    cls: Bound<'_, PyType>,
    name: &str,
    title: &str,
    summary: &str,
    rules: &str,
) -> PyResult<()> {
    let leak = |text: &str| -> &'static str { Box::leak(text.to_owned().into_boxed_str()) };
    let (name, title, summary) = (leak(name), leak(title), leak(summary));
    // The function that starts a game needs the game, which needs its `GameInfo`.
    let start = Box::leak(Box::new(|variant: Variant| match of_variant(variant) {
        Some(game) => {
            let game = DynGame::with_numbered_moves(PyGame(game));
            AnyGameState::Other(GameState::new(game))
        }
        None => AnyGameState::new(Variant::default()),
    }));
    let presets = Box::leak(Box::new([Preset {
        name,
        aliases: &[],
        values: OptionValues::default(),
        title,
        summary,
        sample: &[],
    }]));
    let info: &'static GameInfo = Box::leak(Box::new(GameInfo {
        rules: leak(rules),
        presets,
        ending_text: |_, termination, _| {
            (termination == Termination::Line).then(|| "by the rules of the game".into())
        },
        ..GameInfo::new(name, title, summary, start)
    }));
    let game: &'static OwnGame = Box::leak(Box::new(OwnGame {
        class: cls.unbind(),
        info,
        rules: OnceLock::new(),
        moves: MoveNames::default(),
        failures: Failures::default(),
    }));
    games::replace(info).raise::<VariantError>()?;
    let mut all = OWN_GAMES.write().unwrap_or_else(PoisonError::into_inner);
    all.push(game);
    Ok(())
}
