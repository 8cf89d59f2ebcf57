//! Positions of games written in Python.

use std::cmp::Ordering;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::sync::{Arc, OnceLock};

use noughts_rules::{DynMove, DynPosition, Outcome, Side};
use pyo3::prelude::*;

use super::OwnGame;

/// A position: the game's own object, and what the game has said about it. Two positions are the same if their texts are.
#[derive(Clone)]
pub(super) struct PyPosition(Arc<Inner>);

struct Inner {
    game: &'static OwnGame,
    /// `None` after an exception.
    object: Option<Py<PyAny>>,
    side: Side,
    /// How many moves led here, to notice games that never end.
    plies: u32,
    text: OnceLock<String>,
    expansion: OnceLock<Expansion>,
    cells: OnceLock<Vec<i16>>,
}

/// The outcome and the moves.
pub(super) struct Expansion {
    pub(super) outcome: Option<Outcome>,
    pub(super) moves: Vec<DynMove>,
}

/// The object, for the position of a type-erased game.
pub(super) fn object(py: Python<'_>, position: &DynPosition) -> Option<Py<PyAny>> {
    let position = position.downcast_ref::<PyPosition>()?;
    Some(position.object()?.clone_ref(py))
}

impl PyPosition {
    pub(super) fn new(
        game: &'static OwnGame,
        (object, is_x): (Py<PyAny>, bool),
        plies: u32,
    ) -> PyPosition {
        let side = if is_x { Side::X } else { Side::O };
        PyPosition::of(game, Some(object), side, plies)
    }

    /// Stands for a position that an exception prevented.
    pub(super) fn failed(game: &'static OwnGame) -> PyPosition {
        PyPosition::of(game, None, Side::X, 0)
    }

    fn of(game: &'static OwnGame, object: Option<Py<PyAny>>, side: Side, plies: u32) -> PyPosition {
        PyPosition(Arc::new(Inner {
            game,
            object,
            side,
            plies,
            text: OnceLock::new(),
            expansion: OnceLock::new(),
            cells: OnceLock::new(),
        }))
    }

    pub(super) fn object(&self) -> Option<&Py<PyAny>> {
        self.0.object.as_ref()
    }

    pub(super) fn side(&self) -> Side {
        self.0.side
    }

    pub(super) fn plies(&self) -> u32 {
        self.0.plies
    }

    /// The text, which is part of its identity; empty after an exception.
    pub(super) fn text(&self) -> &str {
        remember(&self.0.text, || self.0.game.text_of(self)).map_or("", String::as_str)
    }

    /// `None` after an exception.
    pub(super) fn expansion(&self) -> Option<&Expansion> {
        remember(&self.0.expansion, || self.0.game.expand(self))
    }

    /// The cells as `_own_game.py` encodes them; `None` after an exception, and in games without a board.
    pub(super) fn cells(&self) -> Option<&[i16]> {
        remember(&self.0.cells, || self.0.game.cells_of(self)).map(Vec::as_slice)
    }
}

/// The value, computed unless it is known. It isn't computed while the lock is held, because that may wait for the GIL,
/// and a thread that has the GIL may wait for the lock.
fn remember<T>(lock: &OnceLock<T>, compute: impl FnOnce() -> Option<T>) -> Option<&T> {
    if lock.get().is_none() {
        let _ = lock.set(compute()?);
    }
    lock.get()
}

impl PartialEq for PyPosition {
    fn eq(&self, other: &PyPosition) -> bool {
        Arc::ptr_eq(&self.0, &other.0) || self.text() == other.text()
    }
}

impl Eq for PyPosition {}

impl PartialOrd for PyPosition {
    fn partial_cmp(&self, other: &PyPosition) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for PyPosition {
    fn cmp(&self, other: &PyPosition) -> Ordering {
        self.text().cmp(other.text())
    }
}

impl Hash for PyPosition {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.text().hash(state);
    }
}

impl fmt::Debug for PyPosition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.text())
    }
}
