//! `best`: the strongest bot that every variant has, as far as was measured:
//! tables, strategies and proofs, and then `alpha-beta`.

use noughts_rules::Play;

use crate::bot::{Bot, Settings};
use crate::bots::alpha_beta::AlphaBeta;
use crate::family::Family;
use crate::limits::Budget;
use crate::report::Report;
use crate::tablebase::Tables;

/// Plays as well as it can.
pub(crate) struct Best<G: Family> {
    alpha_beta: AlphaBeta<G>,
    tables: Tables,
    /// Has it said that a table is missing? Once is enough.
    told: bool,
}

impl<G: Family> Best<G> {
    pub(crate) fn new(game: &G, settings: &Settings) -> Best<G> {
        Best {
            alpha_beta: AlphaBeta::new(game, settings),
            tables: settings.tables.clone(),
            told: false,
        }
    }
}

impl<G: Family> Bot<G> for Best<G> {
    fn think(
        &mut self,
        play: &Play<G>,
        budget: &Budget,
        watch: &mut dyn FnMut(&Report<G::Move>),
    ) -> Report<G::Move> {
        let mut report = self.alpha_beta.think(play, budget, watch);
        if report.value.exact().is_none() && !self.told {
            self.told = true;
            report.note = play.game().missing_table(&self.tables).or(report.note);
        }
        report
    }

    fn memory(&self) -> usize {
        self.alpha_beta.memory()
    }
}
