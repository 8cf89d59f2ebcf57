//! Not for playing: judges every move of a position, for analysis.

use std::cmp::Reverse;

use noughts_rules::Play;

use crate::bot::{Bot, Settings};
use crate::bots::alpha_beta::by_table;
use crate::family::Family;
use crate::limits::Budget;
use crate::report::Report;
use crate::search::deepening::compare;
use crate::search::{Lore, Tactics as _};

/// At most this many moves are compared. Boards with more are so large that a search of
/// each would take hours, and a list of them a lot of memory.
pub(crate) const MOST_COMPARED: usize = 10_000;

/// The moves to compare: all of them, or those that promise most.
fn most_promising<G: Family>(
    lore: &Lore<G>,
    position: &G::Position,
    mut moves: Vec<G::Move>,
) -> Vec<G::Move> {
    if moves.len() > MOST_COMPARED {
        let game = &lore.game;
        moves.sort_by_key(|&mv| Reverse(lore.tactics.promise(game, position, mv)));
        moves.truncate(MOST_COMPARED);
        moves.shrink_to_fit();
    }
    moves
}

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
        let moves = most_promising(lore, position, play.legal_moves());
        if moves.is_empty() {
            return Report::empty();
        }
        compare(lore, position, &moves, budget, watch)
    }
}
