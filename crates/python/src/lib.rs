//! The Python package: a thin shell around the other crates. Nothing is decided here.
//!
//! Moves and positions are text, as everywhere else; moves also have numbers, for
//! programs that learn. Errors are exceptions with the sentences of the crates below.

mod arena;
mod errors;
mod game;
mod position;
mod word;

use pyo3::prelude::*;

/// The compiled part of the package `noughts`, which is what to import.
#[pymodule]
fn _noughts(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add("__version__", env!("CARGO_PKG_VERSION"))?;
    errors::add(module)?;
    module.add_class::<game::Game>()?;
    module.add_class::<position::Position>()?;
    arena::add(module)?;
    Ok(())
}
