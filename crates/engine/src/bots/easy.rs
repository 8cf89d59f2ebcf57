//! `easy`: a beginner. Takes a win that stares one in the face; else weighs two
//! moves that come to mind. On the classic board, any move.

use noughts_rules::GameState;
use rand_xoshiro::Xoshiro256PlusPlus;

use super::levels::{self, LevelHeuristics, SkillLevel};
use crate::bot::{Bot, BotSettings};
use crate::limits::Budget;
use crate::report::SearchReport;

/// So many moves come to mind.
const IDEAS: usize = 2;

/// Plays like a beginner.
pub(crate) struct Easy {
    rng: Xoshiro256PlusPlus,
}

impl Easy {
    pub(crate) fn new(settings: &BotSettings) -> Easy {
        Easy {
            rng: levels::seeded_rng(settings),
        }
    }
}

impl<G: LevelHeuristics> Bot<G> for Easy {
    fn think(
        &mut self,
        play: &GameState<G>,
        budget: &Budget,
        _: &mut dyn FnMut(&SearchReport<G::Move>),
    ) -> SearchReport<G::Move> {
        let (game, position) = (play.game(), play.position());
        if game.classic_center().is_some() || budget.should_stop() {
            return levels::random_move_report(play, &mut self.rng);
        }
        if let Some(mv) = game.find_win(position, SkillLevel::Novice) {
            return levels::winning_move_report(mv, 1);
        }
        let mut best = None;
        for _ in 0..IDEAS {
            let Some(mv) = game.random_move(position, &mut self.rng) else {
                break;
            };
            let merit = game.merit(position, mv, SkillLevel::Novice);
            if best.is_none_or(|(most, _)| merit > most) {
                best = Some((merit, mv));
            }
        }
        match best {
            Some((_, mv)) => SearchReport::from_move(mv, IDEAS as u64),
            None => SearchReport::empty(),
        }
    }
}
