//! The Python package: a thin layer over the other crates that makes no decisions of its own.
//!
//! Moves and positions are text, as in the other crates; moves also have action numbers for machine
//! learning. Errors become exceptions with the messages of the crates below.

mod analysis;
mod arena;
mod background;
mod bot;
mod counts;
mod errors;
mod game;
mod game_args;
mod image;
mod pickling;
mod position;
mod record;
mod report;
mod search_args;
mod solve;
mod tablebase;
mod ugi;
mod vector;

use numpy::{PyArray1, PyArrayMethods};
use pyo3::prelude::*;

/// The compiled part of the package. Import `noughts` instead.
#[pymodule]
fn _noughts(module: &Bound<'_, PyModule>) -> PyResult<()> {
    // Import NumPy first, and create an array: otherwise the `numpy` crate looks for NumPy when the
    // first array is needed, and panics if it is missing or the import is interrupted.
    let py = module.py();
    py.import("numpy")?;
    drop(PyArray1::<u8>::zeros(py, 0, false).try_readwrite());
    module.add("__version__", env!("CARGO_PKG_VERSION"))?;
    errors::add(module)?;
    module.add_class::<game::Game>()?;
    module.add_class::<position::Position>()?;
    module.add_class::<vector::Vector>()?;
    module.add_class::<record::Record>()?;
    module.add_class::<bot::Bot>()?;
    module.add_class::<analysis::Analysis>()?;
    module.add_class::<tablebase::Tablebase>()?;
    module.add_function(wrap_pyfunction!(game::variants, module)?)?;
    module.add_function(wrap_pyfunction!(record::read_records, module)?)?;
    module.add_function(wrap_pyfunction!(bot::bots, module)?)?;
    module.add_function(wrap_pyfunction!(solve::solve, module)?)?;
    module.add_function(wrap_pyfunction!(analysis::analyze, module)?)?;
    module.add_function(wrap_pyfunction!(search_args::check_limits, module)?)?;
    module.add_function(wrap_pyfunction!(report::value_symbol, module)?)?;
    module.add_class::<ugi::PythonUgiSession>()?;
    module.add_function(wrap_pyfunction!(ugi::centipawns, module)?)?;
    arena::add(module)?;
    Ok(())
}

/// The arena's launcher for external bots: the same file, loaded without the package and
/// NumPy.
#[pymodule]
fn _launcher(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(arena::launch_bot, module)?)
}
