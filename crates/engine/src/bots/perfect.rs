//! `perfect`: exact play wherever it is known or can be proved. Elsewhere it searches and says how
//! deep.

use noughts_rules::GameState;

use crate::bots::alpha_beta::{move_by_tablebase, search_move};
use crate::bots::game_history::avoid_repetition;
use crate::limits::{Budget, SearchLimits};
use crate::report::{SearchNote, SearchReport};
use crate::search::SearchContext;
use crate::search_game::SearchGame;
use crate::solve::{move_by_strategy, prove_move};
use crate::value::ExactValue;

/// In games that last at most this many more plies, most of the budget goes into a proof; in longer
/// ones only short wins and losses are likely to be proved.
const MAX_PLIES_FOR_LONG_PROOF: u32 = 36;
const PROOF_SHARE: f64 = 0.8;
const LONG_GAME_PROOF_SHARE: f64 = 0.3;

/// Without limits a proof may never end and is stopped from outside. A search of this many nodes
/// first ensures a reasonable move.
const FALLBACK_NODES: u64 = 200_000;

/// Probes tablebases, tries a known strategy and a proof, and searches only if these fail.
pub(crate) fn search<G: SearchGame>(
    context: &SearchContext<G>,
    state: &GameState<G>,
    budget: &Budget,
    on_report: &mut dyn FnMut(&SearchReport<G::Move>),
) -> SearchReport<G::Move> {
    let position = state.position();
    if let Some(report) = move_by_tablebase(context, state, budget, on_report) {
        return avoid_repetition(context, state, budget, report);
    }
    let strategy_nodes = match move_by_strategy(context, position, budget) {
        Ok(report) => return report,
        Err(nodes_spent) => nodes_spent,
    };
    let budget = &budget.after_nodes(strategy_nodes);
    let limits = budget.limits();
    let is_unlimited = budget.time_left().is_none() && limits.nodes.is_none();
    let is_short_game = context
        .game
        .max_plies_left(position)
        .is_some_and(|plies| plies <= MAX_PLIES_FOR_LONG_PROOF);
    let fallback = (is_unlimited && !is_short_game).then(|| {
        let limited = budget.at_most_nodes(FALLBACK_NODES);
        search_move(context, state, &limited, 0, on_report)
    });
    if let Some(report) = &fallback
        && report.value.exact().and_then(ExactValue::plies).is_some()
    {
        return report.clone();
    }
    let share = if is_short_game {
        PROOF_SHARE
    } else {
        LONG_GAME_PROOF_SHARE
    };
    let part = budget.sub_budget(SearchLimits {
        time: budget.time_left().map(|left| left.mul_f64(share)),
        nodes: match limits.nodes {
            Some(nodes) => Some((nodes as f64 * share) as u64),
            // With only a depth limit, the proof must still end.
            None => (is_unlimited && limits.depth.is_some()).then_some(FALLBACK_NODES),
        },
        depth: limits.depth,
    });
    let report = match prove_move(context, position, &part, budget, on_report) {
        Ok(report) => report,
        Err(nodes_spent) => match fallback {
            Some(mut report) => {
                report.nodes += nodes_spent;
                report
            }
            None => search_move(context, state, budget, nodes_spent, on_report),
        },
    };
    let mut report = avoid_repetition(context, state, budget, report);
    report.nodes += strategy_nodes;
    if report.value.exact().is_none() {
        let depth = report.depth;
        report.note = Some(SearchNote::NotProved { depth });
    }
    report
}
