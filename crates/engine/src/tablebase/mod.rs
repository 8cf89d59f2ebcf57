//! Exact tables on disk: every position of Tic-Tac-Two with the standard options, solved once
//! and for all. What is looked up while playing comes from here; search does not live here.

mod around;
mod atomic_file;
mod check;
mod code;
mod error;
mod file;
mod graph;
mod numbering;
mod parallel;
mod solver;
mod summary;
mod table;

use std::path::{Path, PathBuf};
use std::sync::Arc;

use noughts_rules::{Game, TicTacTwo, Variant};

pub use error::TablebaseError;
pub use file::VERSION;
pub use summary::LayerSummary;
pub use table::{Progress, Stage, Tablebase};

/// The variants that tables can be built for.
pub const SUPPORTED_VARIANTS: [Variant; 1] = [Variant::TIC_TAC_TWO];

/// Where the table of Tic-Tac-Two lies in the folder of the program's data.
#[must_use]
pub fn tablebase_path(data: &Path) -> PathBuf {
    data.join("tables").join("tic-tac-two.table")
}

/// The tables that were found. Clones share them.
#[derive(Clone, Debug, Default)]
pub struct Tablebases {
    tic_tac_two: Option<Arc<Tablebase>>,
}

impl Tablebases {
    /// The tables in the folder of the program's data, and what is wrong with one that is there
    /// but cannot be used. That there is none is nothing wrong.
    #[must_use]
    pub fn open(data: &Path) -> (Tablebases, Option<TablebaseError>) {
        match Tablebase::open(&tablebase_path(data)) {
            Ok(table) => (table.into(), None),
            Err(TablebaseError::Read { source, .. })
                if source.kind() == std::io::ErrorKind::NotFound =>
            {
                (Tablebases::default(), None)
            }
            Err(error) => (Tablebases::default(), Some(error)),
        }
    }

    /// The table for this game, if it was built.
    #[must_use]
    pub fn tic_tac_two(&self, game: &TicTacTwo) -> Option<&Tablebase> {
        let table = self.tic_tac_two.as_deref()?;
        (game.variant() == Variant::TIC_TAC_TWO).then_some(table)
    }
}

impl From<Tablebase> for Tablebases {
    fn from(table: Tablebase) -> Tablebases {
        Tablebases {
            tic_tac_two: Some(Arc::new(table)),
        }
    }
}
