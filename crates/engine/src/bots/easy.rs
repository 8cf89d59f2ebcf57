//! `easy`: a beginner. Takes a win that stares one in the face; else weighs two
//! moves that come to mind. On the classic board, any move.

use noughts_rules::Play;
use rand_xoshiro::Xoshiro256PlusPlus;

use super::levels::{self, Eye, Levels};
use crate::bot::{Bot, Settings};
use crate::limits::Budget;
use crate::report::Report;

/// So many moves come to mind.
const IDEAS: usize = 2;

/// Plays like a beginner.
pub(crate) struct Easy {
    rng: Xoshiro256PlusPlus,
}

impl Easy {
    pub(crate) fn new(settings: &Settings) -> Easy {
        Easy {
            rng: levels::generator(settings),
        }
    }
}

impl<G: Levels> Bot<G> for Easy {
    fn think(
        &mut self,
        play: &Play<G>,
        budget: &Budget,
        _: &mut dyn FnMut(&Report<G::Move>),
    ) -> Report<G::Move> {
        let (game, position) = (play.game(), play.position());
        if game.classic_middle().is_some() || budget.is_over() {
            return levels::any_move(play, &mut self.rng);
        }
        if let Some(mv) = game.find_win(position, Eye::Plain) {
            return levels::winning(mv, 1);
        }
        let mut best = None;
        for _ in 0..IDEAS {
            let Some(mv) = game.random_move(position, &mut self.rng) else {
                break;
            };
            let merit = game.merit(position, mv, Eye::Plain);
            if best.is_none_or(|(most, _)| merit > most) {
                best = Some((merit, mv));
            }
        }
        match best {
            Some((_, mv)) => Report::of_move(mv, IDEAS as u64),
            None => Report::empty(),
        }
    }
}
