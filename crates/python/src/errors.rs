//! The exceptions. A bad argument raises a subclass of `ValueError` defined here; an argument of the
//! wrong type raises Python's `TypeError`.

use std::fmt::Display;

use pyo3::create_exception;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

create_exception!(
    noughts,
    NoughtsError,
    PyValueError,
    "What every error of this package is."
);
create_exception!(
    noughts,
    VariantError,
    NoughtsError,
    "There is no such game; the sentence says which part of its name is wrong."
);
create_exception!(
    noughts,
    PositionError,
    NoughtsError,
    "This is no position of the game; the sentence gives every reason at once."
);
create_exception!(
    noughts,
    IllegalMove,
    NoughtsError,
    "The move is refused, or is no move of the game; the sentence says why."
);
create_exception!(
    noughts,
    BotError,
    NoughtsError,
    "There is no such bot, or it does not play the game, or it broke down."
);
create_exception!(
    noughts,
    RecordError,
    NoughtsError,
    "The text is no record of a game."
);
create_exception!(
    noughts,
    TableError,
    NoughtsError,
    "An exact table is missing, damaged or cannot be made."
);
create_exception!(
    noughts,
    PlanError,
    NoughtsError,
    "The match or tournament cannot be played as it was described."
);

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
    ($($name:ident),+ $(,)?) => {
        $(impl Exception for $name {
            fn with_message(message: String) -> PyErr {
                $name::new_err(message)
            }
        })+

        /// Adds the exception types to the module.
        pub(crate) fn add(module: &Bound<'_, PyModule>) -> PyResult<()> {
            let py = module.py();
            $(module.add(stringify!($name), py.get_type::<$name>())?;)+
            Ok(())
        }
    };
}

exceptions!(
    NoughtsError,
    VariantError,
    PositionError,
    IllegalMove,
    BotError,
    RecordError,
    TableError,
    PlanError,
);

impl<T, S: Display> Raise<T> for Result<T, S> {
    fn raise<E: Exception>(self) -> PyResult<T> {
        self.map_err(|error| E::with_message(error.to_string()))
    }
}
