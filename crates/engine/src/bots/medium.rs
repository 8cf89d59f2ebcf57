//! `medium`: wins if it can, leaves no obvious win, and takes what a move gains immediately. On the
//! classic board: the center, then a block.

use noughts_rules::GameState;
use rand_xoshiro::Xoshiro256PlusPlus;

use super::levels::{self, LevelHeuristics, ReplyThreat, SkillLevel, ThreatFinder};
use crate::limits::Budget;
use crate::report::SearchReport;

/// Takes wins and blocks obvious threats.
pub(crate) fn choose<G: LevelHeuristics>(
    state: &GameState<G>,
    budget: &Budget,
    rng: &mut Xoshiro256PlusPlus,
) -> SearchReport<G::Move> {
    let (game, position) = (state.game(), state.position());
    let skill = SkillLevel::Novice;
    if let Some(report) = levels::immediate_move(state, budget, skill, rng) {
        return report;
    }
    let me = game.side(position);
    let moves = levels::candidates_by_merit(game, position, SkillLevel::Novice, rng);
    let mut threats = ThreatFinder::new(SkillLevel::Novice);
    // The best move so far: the least danger, and the first among equals.
    let mut best: Option<(ReplyThreat, G::Move)> = None;
    let mut nodes = 1;
    for &(_, mv) in &moves {
        let danger = threats.danger(game, &game.after(position, mv), me);
        nodes += 1;
        if best.is_none_or(|(least_danger, _)| danger < least_danger) {
            best = Some((danger, mv));
        }
        if danger == ReplyThreat::None || budget.is_spent_now(nodes) {
            break;
        }
    }
    SearchReport::from_optional_move(best.map(|(_, mv)| mv), nodes)
}
