//! Not for playing: judges every move of a position, for analysis.

use noughts_rules::Play;

use crate::bot::{Bot, Settings};
use crate::bots::alpha_beta::by_table;
use crate::family::Family;
use crate::limits::Budget;
use crate::report::Report;
use crate::search::Lore;
use crate::search::deepening::compare;

/// Looks up or searches every move.
pub(crate) struct Analyst<G: Family> {
    lore: Lore<G>,
}

impl<G: Family> Analyst<G> {
    pub(crate) fn new(game: &G, settings: &Settings) -> Analyst<G> {
        Analyst {
            lore: Lore::new(game, settings, game.most_plies(&game.start())).ready(),
        }
    }
}

impl<G: Family> Bot<G> for Analyst<G> {
    fn think(
        &mut self,
        play: &Play<G>,
        budget: &Budget,
        watch: &mut dyn FnMut(&Report<G::Move>),
    ) -> Report<G::Move> {
        let (lore, position) = (&self.lore, play.position());
        if let Some(report) = by_table(lore, play, budget, watch) {
            return report;
        }
        let moves = play.legal_moves();
        if moves.is_empty() {
            return Report::empty();
        }
        compare(lore, position, &moves, budget, watch)
    }
}
