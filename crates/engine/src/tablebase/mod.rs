//! Tablebases on disk: the exact value of every position of Tic-Tac-Two with the standard options,
//! computed by retrograde analysis.

mod atomic_file;
mod check;
mod code;
mod error;
mod file;
mod graph;
mod numbering;
mod parallel;
mod piece_moves;
mod solver;
mod summary;
mod table;

use std::path::{Path, PathBuf};
use std::sync::Arc;

use noughts_rules::{Game, TicTacTwo, Variant};

pub use error::TablebaseError;
pub use file::VERSION;
pub use summary::LayerSummary;
pub use table::{BuildProgress, BuildStage, Tablebase};

/// The variants for which tablebases can be built.
pub const SUPPORTED_VARIANTS: [Variant; 1] = [Variant::TIC_TAC_TWO];

/// Where the Tic-Tac-Two tablebase is stored below a folder.
#[must_use]
pub fn tablebase_path(folder: &Path) -> PathBuf {
    folder.join("tables").join("tic-tac-two.table")
}

/// The available tablebases. Clones share them.
#[derive(Clone, Debug, Default)]
pub struct Tablebases {
    tic_tac_two: Option<Arc<Tablebase>>,
}

impl Tablebases {
    /// Opens the tablebases stored below a folder. Also returns an error if a file exists but can't be
    /// used; a missing file isn't an error.
    #[must_use]
    pub fn open(folder: &Path) -> (Tablebases, Option<TablebaseError>) {
        match Tablebase::open(&tablebase_path(folder)) {
            Ok(tablebase) => (tablebase.into(), None),
            Err(error) if error.is_not_found() => (Tablebases::default(), None),
            Err(error) => (Tablebases::default(), Some(error)),
        }
    }

    /// The tablebase for this game, if it was built.
    #[must_use]
    pub fn tic_tac_two(&self, game: &TicTacTwo) -> Option<&Tablebase> {
        let tablebase = self.tic_tac_two.as_deref()?;
        (game.variant() == Variant::TIC_TAC_TWO).then_some(tablebase)
    }
}

impl From<Tablebase> for Tablebases {
    fn from(tablebase: Tablebase) -> Tablebases {
        Tablebases {
            tic_tac_two: Some(Arc::new(tablebase)),
        }
    }
}
