//! The bots, one per file. The search algorithms are in `search/`, proofs in `solve/`.

pub(crate) mod alpha_beta;
pub(crate) mod analyzer;
pub(crate) mod easy;
pub(crate) mod game_history;
pub(crate) mod hard;
pub(crate) mod levels;
pub(crate) mod mcts;
pub(crate) mod medium;
pub(crate) mod monte_carlo;
pub(crate) mod negamax;
pub(crate) mod perfect;
pub(crate) mod random;

use noughts_rules::{Game, GameState};
use rand_xoshiro::Xoshiro256PlusPlus;

use crate::bot::{Bot, BotSettings};
use crate::limits::Budget;
use crate::report::SearchReport;
use crate::search::SearchContext;
use crate::search_game::SearchGame;

/// A bot that keeps nothing between moves except its random generator.
pub(crate) struct LevelBot<G: Game> {
    pub(crate) rng: Xoshiro256PlusPlus,
    pub(crate) choose: fn(&GameState<G>, &Budget, &mut Xoshiro256PlusPlus) -> SearchReport<G::Move>,
}

impl<G: Game> Bot<G> for LevelBot<G> {
    fn think(
        &mut self,
        state: &GameState<G>,
        budget: &Budget,
        _: &mut dyn FnMut(&SearchReport<G::Move>),
    ) -> SearchReport<G::Move> {
        (self.choose)(state, budget, &mut self.rng)
    }
}

/// How a [`SearchBot`] chooses its move.
type SearchFn<G, M> = fn(
    &SearchContext<G>,
    &GameState<G>,
    &Budget,
    &mut dyn FnMut(&SearchReport<M>),
) -> SearchReport<M>;

/// A bot that keeps the transposition table between moves.
pub(crate) struct SearchBot<G: SearchGame> {
    pub(crate) context: SearchContext<G>,
    search: SearchFn<G, G::Move>,
    /// Whether to mention a missing tablebase; it is mentioned only once.
    notes_missing_tablebase: bool,
}

impl<G: SearchGame> SearchBot<G> {
    pub(crate) fn new(
        game: &G,
        settings: &BotSettings,
        search: SearchFn<G, G::Move>,
        notes_missing_tablebase: bool,
    ) -> SearchBot<G> {
        SearchBot {
            context: SearchContext::for_bot(game, settings),
            search,
            notes_missing_tablebase,
        }
    }
}

/// Mentions, once, a tablebase that exact play would need.
fn mention_missing_tablebase<G: SearchGame>(
    is_pending: &mut bool,
    context: &SearchContext<G>,
    report: &mut SearchReport<G::Move>,
) {
    if *is_pending
        && report.value.exact().is_none()
        && let Some(note) = context.tablebases.missing_note(&context.game)
    {
        *is_pending = false;
        report.note = Some(note);
    }
}

impl<G: SearchGame> Bot<G> for SearchBot<G> {
    fn think(
        &mut self,
        state: &GameState<G>,
        budget: &Budget,
        on_report: &mut dyn FnMut(&SearchReport<G::Move>),
    ) -> SearchReport<G::Move> {
        self.context.transposition_table.new_search();
        let mut report = (self.search)(&self.context, state, budget, on_report);
        mention_missing_tablebase(
            &mut self.notes_missing_tablebase,
            &self.context,
            &mut report,
        );
        report
    }

    fn memory_usage(&self) -> usize {
        self.context.transposition_table.memory_usage()
    }
}
