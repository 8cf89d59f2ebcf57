//! The data directory, with the same flag, variable and default for every command.

use std::path::PathBuf;

use clap::Args;
use noughts_engine::Tablebases;

use crate::error::CliError;
use crate::output;

/// The folder of the program's data.
#[derive(Args, Clone)]
pub(crate) struct DataArgs {
    /// Folder for players, games and tablebases [default: NOUGHTS_DATA, or the system's folder for application data]
    #[arg(long = "data", value_name = "DIR", global = true)]
    dir: Option<PathBuf>,
}

impl DataArgs {
    /// The directory. It may not exist yet.
    pub(crate) fn dir(&self) -> Result<PathBuf, CliError> {
        // Not read through clap, which would list the flag in every usage line while the
        // variable is set.
        noughts_engine::data_folder(self.dir.clone()).ok_or_else(|| {
            CliError::Failure(
                "no home folder found to store data in; choose a folder with --data DIR or NOUGHTS_DATA"
                    .into(),
            )
        })
    }

    /// Opens the tablebases that have been built. If one can't be used, this prints a warning, and
    /// bots and solvers do without it.
    pub(crate) fn open_tablebases(&self) -> Tablebases {
        let Ok(dir) = self.dir() else {
            return Tablebases::default();
        };
        let (tablebases, error) = Tablebases::open(&dir);
        if let Some(error) = error {
            output::print_stderr(&format!(
                "warning: {error}; continuing without the tablebase"
            ));
        }
        tablebases
    }
}
