//! `random`: plays a uniformly random legal move.

use noughts_rules::{Game, GameState};
use rand_core::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;

use crate::bot::{Bot, BotSettings};
use crate::limits::Budget;
use crate::report::SearchReport;

/// Plays uniformly random legal moves.
pub(crate) struct Random {
    rng: Xoshiro256PlusPlus,
}

impl Random {
    pub(crate) fn new(settings: &BotSettings) -> Random {
        Random {
            rng: Xoshiro256PlusPlus::seed_from_u64(settings.seed),
        }
    }
}

impl<G: Game> Bot<G> for Random {
    fn think(
        &mut self,
        state: &GameState<G>,
        _: &Budget,
        _: &mut dyn FnMut(&SearchReport<G::Move>),
    ) -> SearchReport<G::Move> {
        match state.game().random_move(state.position(), &mut self.rng) {
            Some(mv) => SearchReport::from_move(mv, 1),
            None => SearchReport::empty(),
        }
    }
}
