//! The data directory, with the same flag, variable and default for every command.

use std::path::{Path, PathBuf};

use clap::Args;
use etcetera::base_strategy::{BaseStrategy as _, choose_native_strategy};
use noughts_engine::Tablebases;
use noughts_engine::tablebase::TablebaseError;
use noughts_rules::Variant;

use crate::error::CliError;
use crate::output;
use crate::store_handle::StoreHandle;

/// The folder of the program's data.
#[derive(Args, Clone, Default)]
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
        let variable = || std::env::var_os("NOUGHTS_DATA").map(PathBuf::from);
        let chosen = self.dir.clone().or_else(variable);
        if let Some(folder) = chosen.filter(|folder| !folder.as_os_str().is_empty()) {
            return Ok(folder);
        }
        match choose_native_strategy() {
            Ok(directories) => Ok(directories.data_dir().join("noughts")),
            Err(_) => Err(CliError::Failure(
                "no home folder found to store data in; choose a folder with --data DIR or NOUGHTS_DATA"
                    .into(),
            )),
        }
    }

    /// Opens this variant's tablebase, if it has been built. If it can't be used, this prints a warning, and bots and
    /// solvers do without it.
    pub(crate) fn open_tablebases_for(&self, variant: Variant) -> Tablebases {
        self.open_with_warnings(|dir| Tablebases::open_variant(dir, variant))
    }

    /// The same with all tablebases that have been built.
    pub(crate) fn open_tablebases(&self) -> Tablebases {
        self.open_with_warnings(Tablebases::open)
    }

    fn open_with_warnings(
        &self,
        open: impl FnOnce(&Path) -> (Tablebases, Vec<TablebaseError>),
    ) -> Tablebases {
        let Ok(dir) = self.dir() else {
            return Tablebases::default();
        };
        let (tablebases, errors) = open(&dir);
        for error in errors {
            output::print_stderr(&format!(
                "warning: {error}; continuing without the tablebase"
            ));
        }
        tablebases
    }
}

/// The arguments of commands about stored players and games.
#[derive(Args)]
pub(crate) struct StoreArgs {
    /// Print the result as one line of JSON
    #[arg(long)]
    pub(crate) json: bool,

    #[command(flatten)]
    data: DataArgs,
}

impl StoreArgs {
    /// Opens the store, and creates it if it doesn't exist.
    pub(crate) fn open(&self) -> Result<StoreHandle, CliError> {
        StoreHandle::open(&self.data.dir()?)
    }

    /// Opens the store for reading, which also works on a full or read-only disk.
    pub(crate) fn open_read_only(&self) -> Result<StoreHandle, CliError> {
        StoreHandle::open_read_only(&self.data.dir()?)
    }
}
