//! `medium`: wins if it can, leaves no obvious win, and takes what a move gains immediately. On the
//! classic board: the center, then a block.

use noughts_rules::GameState;
use rand_xoshiro::Xoshiro256PlusPlus;

use super::levels::{self, Danger, LevelHeuristics, SkillLevel, ThreatFinder};
use crate::bot::{Bot, BotSettings};
use crate::limits::Budget;
use crate::report::SearchReport;

/// Takes wins and blocks obvious threats.
pub(crate) struct Medium {
    rng: Xoshiro256PlusPlus,
}

impl Medium {
    pub(crate) fn new(settings: &BotSettings) -> Medium {
        Medium {
            rng: levels::seeded_rng(settings),
        }
    }
}

impl<G: LevelHeuristics> Bot<G> for Medium {
    fn think(
        &mut self,
        state: &GameState<G>,
        budget: &Budget,
        _: &mut dyn FnMut(&SearchReport<G::Move>),
    ) -> SearchReport<G::Move> {
        let (game, position) = (state.game(), state.position());
        if budget.should_stop() {
            return levels::random_move_report(state, &mut self.rng);
        }
        if let Some(center) = game.classic_center() {
            return levels::classic_move(state, center, false, &mut self.rng);
        }
        if let Some(mv) = game.find_win(position, SkillLevel::Novice) {
            return levels::winning_move_report(mv, 1);
        }
        let me = game.side(position);
        let moves = levels::candidates_by_merit(game, position, SkillLevel::Novice, &mut self.rng);
        let mut threats = ThreatFinder::new(SkillLevel::Novice);
        // The best move so far: the least danger, and the first among equals.
        let mut best: Option<(Danger, G::Move)> = None;
        let mut nodes = 1;
        for &(_, mv) in &moves {
            let mut after = position.clone();
            game.apply(&mut after, mv);
            let danger = threats.danger(game, &after, me);
            nodes += 1;
            if best.is_none_or(|(least_danger, _)| danger < least_danger) {
                best = Some((danger, mv));
            }
            if danger == Danger::None || levels::is_budget_spent(budget, nodes) {
                break;
            }
        }
        match best {
            Some((_, mv)) => SearchReport::from_move(mv, nodes),
            None => SearchReport::empty(),
        }
    }
}
