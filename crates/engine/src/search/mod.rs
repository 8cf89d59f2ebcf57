//! Game tree search: alpha-beta, Monte Carlo tree search and what they share. Everything is generic
//! over the game.

pub(crate) mod alpha_beta;
pub mod heuristics;
pub(crate) mod iterative_deepening;
pub(crate) mod mcts;
pub(crate) mod proof_search;
pub(crate) mod transposition_table;

pub use heuristics::{ForcedMove, SearchHeuristics};
pub use mcts::MctsParams;
pub use proof_search::{ProofControl, ProofSearch};

use crate::bot::BotSettings;
use crate::evaluation::Evaluation as _;
use crate::search_game::SearchGame;
use crate::tablebase::Tablebases;
use transposition_table::TranspositionTable;

/// What a search works with: the game, its heuristics and tablebases, and the transposition table.
pub(crate) struct SearchContext<G: SearchGame> {
    pub(crate) game: G,
    pub(crate) evaluation: G::Evaluation,
    pub(crate) heuristics: G::Heuristics,
    pub(crate) tablebases: Tablebases,
    pub(crate) transposition_table: TranspositionTable,
    pub(crate) threads: usize,
}

/// Proofs of games that can last at most this many more plies often succeed.
const MAX_PLIES_FOR_PROOF: u32 = 26;

impl<G: SearchGame> SearchContext<G> {
    /// `plies` bounds how long the game can last: short games need little memory.
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

    /// Whether the game is close enough to its end that searching all of it is likely to succeed.
    pub(crate) fn can_search_to_end(&self, position: &G::Position) -> bool {
        let own_search = self.heuristics.proof_search();
        let max_plies = own_search.map_or(MAX_PLIES_FOR_PROOF, ProofSearch::max_plies);
        let plies_left = self.game.max_plies_left(position);
        plies_left.is_some_and(|plies| plies <= max_plies)
    }

    /// For whole games. Initializes everything that is otherwise created on first use, so that no
    /// move has to wait for it.
    pub(crate) fn for_bot(game: &G, settings: &BotSettings) -> SearchContext<G> {
        let context = SearchContext::new(game, settings, game.max_plies_left(&game.start()));
        context.evaluation.evaluate(game, &game.start());
        context.transposition_table.preallocate();
        context
    }
}
