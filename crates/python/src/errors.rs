//! The exceptions. Whatever is wrong with what was given is a `ValueError` of this
//! package's own; a wrong type is Python's `TypeError`.

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

/// The sentence as an exception of this kind.
pub(crate) trait Raise<T> {
    /// Turns an error into a Python exception that says the same.
    fn raise<E: Exception>(self) -> PyResult<T>;
}

/// The kinds of exceptions.
pub(crate) trait Exception {
    /// An exception with this sentence.
    fn with(sentence: String) -> PyErr;
}

macro_rules! exceptions {
    ($($name:ident),+ $(,)?) => {
        $(impl Exception for $name {
            fn with(sentence: String) -> PyErr {
                $name::new_err(sentence)
            }
        })+

        /// Puts them into the module.
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
        self.map_err(|error| E::with(error.to_string()))
    }
}
