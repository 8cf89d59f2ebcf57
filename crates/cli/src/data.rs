//! Where the program keeps its data: the same flag, variable and default for every command.

use std::path::PathBuf;

use clap::Args;
use noughts_engine::Tablebases;

use crate::error::Error;
use crate::output;

/// The folder of the program's data.
#[derive(Args, Clone)]
pub(crate) struct DataArgs {
    /// Where tables and games are kept [default: NOUGHTS_DATA, or else the system's place for a program's data].
    #[arg(long = "data", value_name = "DIR", global = true)]
    dir: Option<PathBuf>,
}

impl DataArgs {
    /// The folder, which need not exist yet.
    pub(crate) fn dir(&self) -> Result<PathBuf, Error> {
        // The variable is not read through clap: it would name the flag in every line on
        // usage while the variable is set.
        noughts_engine::data_folder(self.dir.clone()).ok_or_else(|| {
            Error::Failure(
                "there is no home folder to keep data in; name a place with --data DIR or NOUGHTS_DATA"
                    .into(),
            )
        })
    }

    /// The exact tables that were built. One that cannot be used is named on standard
    /// error; bots and solvers do without it.
    pub(crate) fn open_tablebases(&self) -> Tablebases {
        let Ok(dir) = self.dir() else {
            return Tablebases::default();
        };
        let (tables, problem) = Tablebases::open(&dir);
        if let Some(problem) = problem {
            output::print_stderr(&format!("warning: {problem}; going on without the table"));
        }
        tables
    }
}
