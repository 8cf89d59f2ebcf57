//! stub: any legal move, each as likely as the others.

use noughts_rules::{Game, Play};
use rand_core::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;

use crate::bot::{Bot, Settings};
use crate::limits::Budget;
use crate::report::Report;

/// Plays at random.
pub(crate) struct Mcts {
    rng: Xoshiro256PlusPlus,
}

impl Mcts {
    pub(crate) fn new<G: Game>(_game: &G, settings: &Settings) -> Mcts {
        Mcts {
            rng: Xoshiro256PlusPlus::seed_from_u64(settings.seed),
        }
    }
}

impl<G: Game> Bot<G> for Mcts {
    fn think(
        &mut self,
        play: &Play<G>,
        _: &Budget,
        _: &mut dyn FnMut(&Report<G::Move>),
    ) -> Report<G::Move> {
        match play.game().random_move(play.position(), &mut self.rng) {
            Some(mv) => Report::of_move(mv, 1),
            None => Report::empty(),
        }
    }
}
