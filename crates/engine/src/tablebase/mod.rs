//! Exact tables on disk: every position of Tic-Tac-Two with the standard options, solved once
//! and for all. What is looked up while playing comes from here; search does not live here.

mod around;
mod check;
mod code;
mod draft;
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

pub use error::TableError;
pub use file::VERSION;
pub use summary::LayerSummary;
pub use table::{Progress, Stage, Table};

/// The variants that tables can be built for.
pub const VARIANTS: [Variant; 1] = [Variant::TIC_TAC_TWO];

/// Where the table of Tic-Tac-Two lies in the folder of the program's data.
#[must_use]
pub fn path_in(data: &Path) -> PathBuf {
    data.join("tables").join("tic-tac-two.table")
}

/// The tables that were found. Clones share them.
#[derive(Clone, Debug, Default)]
pub struct Tables {
    tic_tac_two: Option<Arc<Table>>,
}

impl Tables {
    /// The tables in the folder of the program's data, and what is wrong with one that is there
    /// but cannot be used. That there is none is nothing wrong.
    #[must_use]
    pub fn open(data: &Path) -> (Tables, Option<TableError>) {
        match Table::open(&path_in(data)) {
            Ok(table) => (table.into(), None),
            Err(TableError::Read { source, .. })
                if source.kind() == std::io::ErrorKind::NotFound =>
            {
                (Tables::default(), None)
            }
            Err(error) => (Tables::default(), Some(error)),
        }
    }

    /// The table for this game, if it was built.
    #[must_use]
    pub fn tic_tac_two(&self, game: &TicTacTwo) -> Option<&Table> {
        let table = self.tic_tac_two.as_deref()?;
        (game.variant() == Variant::TIC_TAC_TWO).then_some(table)
    }
}

impl From<Table> for Tables {
    fn from(table: Table) -> Tables {
        Tables {
            tic_tac_two: Some(Arc::new(table)),
        }
    }
}
