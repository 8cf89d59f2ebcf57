//! Conversion of arguments that name a game, a move or a symmetry, and text about bad arguments.

use noughts_rules::{AnyGameState, Symmetry, Variant};
use pyo3::exceptions::{PyAttributeError, PyTypeError};
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyString, PyType};

use crate::errors::{IllegalMove, NoughtsError, Raise, VariantError};
use crate::game::Game;
use crate::own_game;
use crate::vector::action_range_message;

/// Accepts a `noughts.Game`, the class of one, or its name.
pub(crate) fn parse_variant(value: &Bound<'_, PyAny>) -> PyResult<Variant> {
    if let Ok(game) = value.cast::<Game>() {
        return Ok(game.get().variant());
    }
    if let Ok(class) = value.cast::<PyType>()
        && let Some(variant) = own_game::variant_of_class(class)?
    {
        return Ok(variant);
    }
    let name = value.cast::<PyString>().map_err(|_| {
        let kind = describe_type(value);
        PyTypeError::new_err(format!(
            "game must be a noughts.Game or the name of one, not {kind}"
        ))
    })?;
    name.to_cow()?.parse::<Variant>().raise::<VariantError>()
}

/// Accepts a move's name or its action number; returns the name.
pub(crate) fn parse_move(state: &AnyGameState, value: &Bound<'_, PyAny>) -> PyResult<String> {
    if let Ok(text) = value.cast::<PyString>() {
        return Ok(text.to_cow()?.into_owned());
    }
    let action = parse_action(state, value)?;
    own_game::require_actions(state.variant())?;
    own_game::failure::catch(|| state.move_from_action(action))?
        .ok_or_else(|| action_out_of_range(state, value))
}

/// The value as an integer, by `__index__`; `None` if it isn't one.
///
/// # Errors
/// Any other exception that `__index__` raises, such as `KeyboardInterrupt`.
pub(crate) fn as_index<'py>(value: &Bound<'py, PyAny>) -> PyResult<Option<Bound<'py, PyAny>>> {
    // `bool` is a subclass of `int`, but never meant as a number.
    if value.is_instance_of::<PyBool>() {
        return Ok(None);
    }
    match value.call_method0("__index__") {
        Ok(number) => Ok(Some(number)),
        Err(error) if is_unsupported(value.py(), &error) => Ok(None),
        Err(error) => Err(error),
    }
}

/// Does the exception only say that the value doesn't support the operation?
pub(crate) fn is_unsupported(py: Python<'_>, error: &PyErr) -> bool {
    error.is_instance_of::<PyTypeError>(py) || error.is_instance_of::<PyAttributeError>(py)
}

fn parse_action(state: &AnyGameState, value: &Bound<'_, PyAny>) -> PyResult<usize> {
    let Some(number) = as_index(value)? else {
        let kind = describe_type(value);
        return Err(PyTypeError::new_err(format!(
            "a move must be a name such as {example:?} or an action number, not {kind}",
            example = state.move_from_action(0).unwrap_or_default()
        )));
    };
    number
        .extract()
        .map_err(|_| action_out_of_range(state, value))
}

fn action_out_of_range(state: &AnyGameState, value: &Bound<'_, PyAny>) -> PyErr {
    let action = repr_for_message(value);
    IllegalMove::new_err(action_range_message(
        action,
        state.variant(),
        state.count_actions(),
    ))
}

/// The board symmetry with this name.
pub(crate) fn parse_symmetry(state: &AnyGameState, name: &str) -> PyResult<Symmetry> {
    symmetries(state)
        .find(|&symmetry| state.symmetry_name(symmetry) == name)
        .ok_or_else(|| {
            const MAX_NAMES: usize = 10;
            let names = symmetries(state).map(|symmetry| state.symmetry_name(symmetry));
            let mut names: Vec<String> = names.take(MAX_NAMES + 1).collect();
            if names.len() > MAX_NAMES {
                names[MAX_NAMES] = "…".into();
            }
            format!(
                "this board has no symmetry {name:?}; its symmetries are {names}",
                names = names.join(", ")
            )
        })
        .raise::<NoughtsError>()
}

/// All symmetries of the board; the identity is the first.
pub(crate) fn symmetries(state: &AnyGameState) -> impl Iterator<Item = Symmetry> + use<> {
    (0..state.count_symmetries()).map(Symmetry)
}

/// The value's `repr` for error messages about bad values: shortened, and never an error itself.
pub(crate) fn repr_for_message(value: &Bound<'_, PyAny>) -> String {
    const MAX_CHARS: usize = 40;
    let text = value.repr().and_then(|text| text.extract::<String>());
    match text {
        Ok(text) if text.chars().count() > MAX_CHARS => {
            text.chars().take(MAX_CHARS).chain(['…']).collect()
        }
        Ok(text) => text,
        Err(_) => describe_type(value),
    }
}

/// The value's type for error messages about bad types: `an object of type list`.
#[pyfunction]
pub(crate) fn describe_type(value: &Bound<'_, PyAny>) -> String {
    let name = value.get_type().name();
    let name = name.and_then(|name| name.extract::<String>());
    format!("an object of type {}", name.unwrap_or_else(|_| "?".into()))
}
