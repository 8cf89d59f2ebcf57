//! `easy`: a beginner. Takes an obvious win; otherwise compares two random moves. On the classic
//! board, plays any move.

use noughts_rules::GameState;
use rand_xoshiro::Xoshiro256PlusPlus;

use super::levels::{self, LevelHeuristics, SkillLevel};
use crate::limits::Budget;
use crate::report::SearchReport;

/// Number of random moves to compare.
const CANDIDATES: usize = 2;

/// Plays like a beginner.
pub(crate) fn choose<G: LevelHeuristics>(
    state: &GameState<G>,
    budget: &Budget,
    rng: &mut Xoshiro256PlusPlus,
) -> SearchReport<G::Move> {
    let (game, position) = (state.game(), state.position());
    if game.classic_center().is_some() || budget.should_stop() {
        return levels::random_move_report(state, rng);
    }
    if let Some(mv) = game.find_win(position, SkillLevel::Novice) {
        return levels::winning_move_report(mv, 1);
    }
    let mut best = None;
    for _ in 0..CANDIDATES {
        let Some(mv) = game.random_move(position, rng) else {
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
