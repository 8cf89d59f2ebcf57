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
    let candidates: [_; CANDIDATES] = std::array::from_fn(|_| game.random_move(position, rng));
    let best = candidates
        .into_iter()
        .flatten()
        .map(|mv| (game.merit(position, mv, SkillLevel::Novice, rng), mv))
        .reduce(|best, other| if other.0 > best.0 { other } else { best });
    SearchReport::from_optional_move(best.map(|(_, mv)| mv), CANDIDATES as u64)
}
