//! Searching game trees: what alpha-beta and Monte Carlo share, and each of them.
//! Everything here is generic over the game; nothing knows a rule.

pub(crate) mod alpha_beta;
pub(crate) mod deepening;
pub(crate) mod mcts;
pub(crate) mod table;
pub mod tactics;

pub use mcts::Growth;
pub use tactics::{Tactics, Urgent};

use crate::bot::Settings;
use crate::evaluation::Evaluation as _;
use crate::family::Family;
use crate::tablebase::Tables;
use table::Table;

/// What a search works with: the game, what is known of it, and what the search
/// has learned so far.
pub(crate) struct Lore<G: Family> {
    pub(crate) game: G,
    pub(crate) evaluation: G::Evaluation,
    pub(crate) tactics: G::Tactics,
    pub(crate) tables: Tables,
    pub(crate) table: Table,
    pub(crate) threads: usize,
}

impl<G: Family> Lore<G> {
    /// `plies` bounds how long games can still last: small games need little memory.
    pub(crate) fn new(game: &G, settings: &Settings, plies: Option<u32>) -> Lore<G> {
        Lore {
            game: game.clone(),
            evaluation: game.evaluation(),
            tactics: game.tactics(),
            tables: settings.tables.clone(),
            table: Table::new(settings.memory, plies),
            threads: settings.threads.max(1),
        }
    }

    /// Makes ready what is made when it is first needed, so that no move has to wait.
    pub(crate) fn ready(self) -> Lore<G> {
        self.evaluation.evaluate(&self.game, &self.game.start());
        self.table.ready();
        self
    }
}
