//! Searching game trees: what alpha-beta and Monte Carlo share, and each of them.
//! Everything here is generic over the game; nothing knows a rule.

pub(crate) mod alpha_beta;
pub mod heuristics;
pub(crate) mod iterative_deepening;
pub(crate) mod mcts;
pub(crate) mod transposition_table;

pub use heuristics::{ForcedMove, SearchHeuristics};
pub use mcts::MctsParams;

use crate::bot::BotSettings;
use crate::evaluation::Evaluation as _;
use crate::search_game::SearchGame;
use crate::tablebase::Tablebases;
use transposition_table::TranspositionTable;

/// What a search works with: the game, what is known of it, and what the search
/// has learned so far.
pub(crate) struct SearchContext<G: SearchGame> {
    pub(crate) game: G,
    pub(crate) evaluation: G::Evaluation,
    pub(crate) heuristics: G::Heuristics,
    pub(crate) tablebases: Tablebases,
    pub(crate) transposition_table: TranspositionTable,
    pub(crate) threads: usize,
}

impl<G: SearchGame> SearchContext<G> {
    /// `plies` bounds how long games can still last: small games need little memory.
    pub(crate) fn new(game: &G, settings: &BotSettings, plies: Option<u32>) -> SearchContext<G> {
        SearchContext {
            game: game.clone(),
            evaluation: game.evaluation(),
            heuristics: game.heuristics(),
            tablebases: settings.tablebases.clone(),
            transposition_table: TranspositionTable::new(settings.memory, plies),
            threads: settings.threads.max(1),
        }
    }

    /// Makes ready what is made when it is first needed, so that no move has to wait.
    pub(crate) fn warmed_up(self) -> SearchContext<G> {
        self.evaluation.evaluate(&self.game, &self.game.start());
        self.transposition_table.preallocate();
        self
    }
}
