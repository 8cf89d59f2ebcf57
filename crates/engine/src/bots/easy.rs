//! `easy`: a beginner. Takes an obvious win; otherwise compares two random moves. On the classic
//! board, plays any move.

use noughts_rules::GameState;
use rand_xoshiro::Xoshiro256PlusPlus;

use super::levels::{self, LevelHeuristics, SkillLevel};
use crate::bot::{Bot, BotSettings};
use crate::limits::Budget;
use crate::report::SearchReport;

/// Number of random moves to compare.
const CANDIDATES: usize = 2;

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
        state: &GameState<G>,
        budget: &Budget,
        _: &mut dyn FnMut(&SearchReport<G::Move>),
    ) -> SearchReport<G::Move> {
        let (game, position) = (state.game(), state.position());
        if game.classic_center().is_some() || budget.should_stop() {
            return levels::random_move_report(state, &mut self.rng);
        }
        if let Some(mv) = game.find_win(position, SkillLevel::Novice) {
            return levels::winning_move_report(mv, 1);
        }
        let mut best = None;
        for _ in 0..CANDIDATES {
            let Some(mv) = game.random_move(position, &mut self.rng) else {
                break;
            };
            let merit = game.merit(position, mv, SkillLevel::Novice);
            if best.is_none_or(|(best_merit, _)| merit > best_merit) {
                best = Some((merit, mv));
            }
        }
        match best {
            Some((_, mv)) => SearchReport::from_move(mv, CANDIDATES as u64),
            None => SearchReport::empty(),
        }
    }
}
