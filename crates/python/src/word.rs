//! What may be given in more than one way: a game, a move, a symmetry.

use noughts_rules::{AnyGameState, Symmetry, Variant};
use pyo3::exceptions::{PyAttributeError, PyTypeError};
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyString};

use crate::errors::{IllegalMove, NoughtsError, Raise, VariantError};
use crate::game::Game;

/// A game, or its name.
pub(crate) fn variant(given: &Bound<'_, PyAny>) -> PyResult<Variant> {
    if let Ok(game) = given.cast::<Game>() {
        return Ok(game.get().variant());
    }
    let name = given.cast::<PyString>().map_err(|_| {
        let kind = kind(given);
        PyTypeError::new_err(format!("a game is a noughts.Game or its name, not {kind}"))
    })?;
    name.to_cow()?.parse::<Variant>().raise::<VariantError>()
}

/// A move as text: given so, or by its number.
pub(crate) fn mv(play: &AnyGameState, given: &Bound<'_, PyAny>) -> PyResult<String> {
    if let Ok(text) = given.cast::<PyString>() {
        return Ok(text.to_cow()?.into_owned());
    }
    let action = action(play, given)?;
    play.move_from_action(action)
        .ok_or_else(|| beyond(play, given))
}

/// The whole number that something is, if it is one.
///
/// # Errors
/// What comes up while it is asked, such as Ctrl-C: that is not for us to hide.
pub(crate) fn index<'py>(given: &Bound<'py, PyAny>) -> PyResult<Option<Bound<'py, PyAny>>> {
    // True and False are numbers to Python; nobody means them.
    if given.is_instance_of::<PyBool>() {
        return Ok(None);
    }
    match given.call_method0("__index__") {
        Ok(number) => Ok(Some(number)),
        Err(error) if says_no(given.py(), &error) => Ok(None),
        Err(error) => Err(error),
    }
}

/// Does it only say that there is no such thing?
pub(crate) fn says_no(py: Python<'_>, error: &PyErr) -> bool {
    error.is_instance_of::<PyTypeError>(py) || error.is_instance_of::<PyAttributeError>(py)
}

/// A move's number.
fn action(play: &AnyGameState, given: &Bound<'_, PyAny>) -> PyResult<usize> {
    let Some(number) = index(given)? else {
        let kind = kind(given);
        return Err(PyTypeError::new_err(format!(
            "a move is its name, such as {:?}, or its number, not {kind}",
            play.move_from_action(0).unwrap_or_default()
        )));
    };
    number.extract().map_err(|_| beyond(play, given))
}

fn beyond(play: &AnyGameState, given: &Bound<'_, PyAny>) -> PyErr {
    let last = play.count_actions() - 1;
    IllegalMove::new_err(format!(
        "there is no move number {}: those of {} go from 0 to {last}",
        shown(given),
        play.variant()
    ))
}

/// A symmetry of the board by its name.
pub(crate) fn symmetry(play: &AnyGameState, name: &str) -> PyResult<Symmetry> {
    let all = play.symmetries();
    let found = all.iter().find(|symmetry| symmetry.name() == name);
    found
        .copied()
        .ok_or_else(|| {
            let names: Vec<&str> = all.iter().map(|symmetry| symmetry.name()).collect();
            format!(
                "there is no symmetry {name:?} of this board; it has {}",
                names.join(", ")
            )
        })
        .raise::<NoughtsError>()
}

/// What was given, for sentences about wrong values: cut where it gets long, and never an
/// error of its own.
pub(crate) fn shown(given: &Bound<'_, PyAny>) -> String {
    const MOST: usize = 40;
    let text = given.repr().and_then(|text| text.extract::<String>());
    match text {
        Ok(text) if text.chars().count() > MOST => text.chars().take(MOST).chain(['…']).collect(),
        Ok(text) => text,
        Err(_) => kind(given),
    }
}

/// What it is, for sentences about wrong types: `an object of type list`.
pub(crate) fn kind(given: &Bound<'_, PyAny>) -> String {
    let name = given.get_type().name();
    let name = name.and_then(|name| name.extract::<String>());
    format!("an object of type {}", name.unwrap_or_else(|_| "?".into()))
}
