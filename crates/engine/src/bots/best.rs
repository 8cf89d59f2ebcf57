//! `best`: the strongest bot for every variant, as measured: tablebases, strategies and proofs,
//! then `alpha-beta`.

use noughts_rules::GameState;

use crate::bot::{Bot, BotSettings};
use crate::bots::alpha_beta::AlphaBeta;
use crate::limits::Budget;
use crate::report::SearchReport;
use crate::search_game::SearchGame;
use crate::tablebase::Tablebases;

/// Uses every source of knowledge available.
pub(crate) struct Best<G: SearchGame> {
    alpha_beta: AlphaBeta<G>,
    tablebases: Tablebases,
    /// Whether the missing tablebase has been mentioned; it is mentioned only once.
    noted_missing_tablebase: bool,
}

impl<G: SearchGame> Best<G> {
    pub(crate) fn new(game: &G, settings: &BotSettings) -> Best<G> {
        Best {
            alpha_beta: AlphaBeta::new(game, settings),
            tablebases: settings.tablebases.clone(),
            noted_missing_tablebase: false,
        }
    }
}

impl<G: SearchGame> Bot<G> for Best<G> {
    fn think(
        &mut self,
        state: &GameState<G>,
        budget: &Budget,
        on_report: &mut dyn FnMut(&SearchReport<G::Move>),
    ) -> SearchReport<G::Move> {
        let mut report = self.alpha_beta.think(state, budget, on_report);
        if report.value.exact().is_none() && !self.noted_missing_tablebase {
            self.noted_missing_tablebase = true;
            report.note = state
                .game()
                .missing_tablebase_note(&self.tablebases)
                .or(report.note);
        }
        report
    }

    fn memory_usage(&self) -> usize {
        self.alpha_beta.memory_usage()
    }
}
