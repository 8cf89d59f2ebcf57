//! `random`: plays a uniformly random legal move.

use noughts_rules::{Game, GameState};
use rand_xoshiro::Xoshiro256PlusPlus;

use super::levels;
use crate::limits::Budget;
use crate::report::SearchReport;

/// Plays a random legal move.
pub(crate) fn choose<G: Game>(
    state: &GameState<G>,
    _: &Budget,
    rng: &mut Xoshiro256PlusPlus,
) -> SearchReport<G::Move> {
    let report = levels::random_move_report(state, rng);
    SearchReport { nodes: 1, ..report }
}
