//! The exceptions. A bad argument raises a subclass of `ValueError` defined here; an argument of the
//! wrong type raises Python's `TypeError`.

use std::fmt::Display;

use pyo3::create_exception;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

/// Converts the error of a `Result` into a Python exception.
pub(crate) trait Raise<T> {
    /// Turns an error into an exception of type `E` with the same message.
    fn raise<E: Exception>(self) -> PyResult<T>;
}

/// The exception types of this package.
pub(crate) trait Exception {
    fn with_message(message: String) -> PyErr;
}

macro_rules! exceptions {
    ($($name:ident: $base:ty, $doc:literal;)+) => {
        $(
            create_exception!(noughts, $name, $base, $doc);

            impl Exception for $name {
                fn with_message(message: String) -> PyErr {
                    $name::new_err(message)
                }
            }
        )+
    };
}

exceptions! {
    NoughtsError: PyValueError, "The base class of this package's errors.";
    VariantError: NoughtsError,
        "The game doesn't exist. The message says which part of its name is wrong.";
    PositionError: NoughtsError,
        "The position isn't valid in this game. The message lists everything that is wrong with it.";
    IllegalMove: NoughtsError,
        "The move is illegal, or isn't a move of this game. The message says why.";
    BotError: NoughtsError, "The bot doesn't exist, doesn't play this game, or crashed.";
    RecordError: NoughtsError, "The record of a game is invalid.";
    TablebaseError: NoughtsError, "A tablebase is missing or corrupted, or can't be built.";
    GameError: NoughtsError,
        "A game written in Python returned something that it can't. The message names the method.";
    PlanError: NoughtsError, "The match or tournament can't be played with these arguments.";
}

impl<T, S: Display> Raise<T> for Result<T, S> {
    fn raise<E: Exception>(self) -> PyResult<T> {
        self.map_err(|error| E::with_message(error.to_string()))
    }
}
