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
mod options;
mod own_game;
mod pickling;
mod position;
mod record;
mod report;
mod search_args;
mod solve;
mod tablebase;
mod ugi;
mod vector;

use pyo3::pymodule;

/// The compiled part of the package. Import `noughts` instead.
#[pymodule]
mod _noughts {
    use numpy::{PyArray1, PyArrayMethods};
    use pyo3::prelude::*;

    #[pymodule_export]
    use crate::{
        analysis::{Analysis, analyze, stop_analyses},
        arena::{
            Tournament, arena_check, arena_glicko, arena_ratings, arena_run, elo_of, estimate,
            expected_score, set_launcher, sprt_bounds, sprt_llr,
        },
        bot::{Bot, bots},
        errors::{
            BotError, GameError, IllegalMove, NoughtsError, PlanError, PositionError, RecordError,
            TablebaseError, VariantError,
        },
        game::{Game, variants},
        game_args::describe_type,
        options::{game_specs, variant_name},
        own_game::{own_games, register_game},
        position::Position,
        record::{Record, read_records},
        report::value_symbol,
        search_args::check_limits,
        solve::solve,
        tablebase::Tablebase,
        ugi::{PythonUgiSession, centipawns},
        vector::Vector,
    };

    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        // Import NumPy first, and create an array: otherwise the `numpy` crate looks for NumPy when
        // the first array is needed, and panics if it is missing or the import is interrupted.
        let py = module.py();
        py.import("numpy")?;
        drop(PyArray1::<u8>::zeros(py, 0, false).try_readwrite());
        let at_exit = py.import("atexit")?.getattr("register")?;
        at_exit.call1((module.getattr("stop_analyses")?,))?;
        module.add("__version__", env!("CARGO_PKG_VERSION"))
    }
}

/// The arena's launcher for external bots: the same file, loaded without the package and
/// NumPy.
#[pymodule]
mod _launcher {
    #[pymodule_export]
    use crate::arena::launch_bot;
}
