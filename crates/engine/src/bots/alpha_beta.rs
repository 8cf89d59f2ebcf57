//! `alpha-beta` and `best`: iterative deepening that proves what it can. `perfect` builds on it.

use noughts_rules::GameState;

use crate::bots::game_history::{avoid_repetition, deepen_avoiding_repetition, is_new_position};
use crate::limits::{Budget, SearchLimits};
use crate::report::SearchReport;
use crate::search::SearchContext;
use crate::search_game::SearchGame;
use crate::solve::{
    Prover, choose_drawing_move, move_by_strategy, prove_move, proved_move, rank_by_tablebase,
};
use crate::value::{ExactValue, GameValue, Value};

/// Searches, and proves values near the end of the game. For `best`, which also mentions missing
/// tablebases, this is the strongest search for every variant, as measured.
pub(crate) fn search<G: SearchGame>(
    context: &SearchContext<G>,
    state: &GameState<G>,
    budget: &Budget,
    on_report: &mut dyn FnMut(&SearchReport<G::Move>),
) -> SearchReport<G::Move> {
    let report = match resolve(context, state, budget, on_report) {
        Ok(report) => report,
        Err(nodes_spent) => search_move(context, state, budget, nodes_spent, on_report),
    };
    avoid_repetition(context, state, budget, report)
}

/// Searches with what remains of the budget.
pub(crate) fn search_move<G: SearchGame>(
    context: &SearchContext<G>,
    state: &GameState<G>,
    budget: &Budget,
    nodes_spent: u64,
    on_report: &mut dyn FnMut(&SearchReport<G::Move>),
) -> SearchReport<G::Move> {
    let position = state.position();
    let moves = state.legal_moves();
    if moves.is_empty() {
        return SearchReport::empty();
    }
    let remaining = budget.after_nodes(nodes_spent);
    let mut report = deepen_avoiding_repetition(context, state, &moves, &remaining, on_report);
    report.nodes += nodes_spent;
    find_distance(context, position, budget, &mut report);
    report
}

/// The share of the budget that a speculative proof may use.
const PROOF_SHARE: f64 = 0.35;

/// Returns a move from a tablebase, a known strategy, or a proof within part of the budget;
/// otherwise the nodes spent trying.
pub(crate) fn resolve<G: SearchGame>(
    context: &SearchContext<G>,
    state: &GameState<G>,
    budget: &Budget,
    on_report: &mut dyn FnMut(&SearchReport<G::Move>),
) -> Result<SearchReport<G::Move>, u64> {
    let position = state.position();
    if let Some(report) = move_by_tablebase(context, state, budget, on_report) {
        return Ok(report);
    }
    let nodes_spent = match move_by_strategy(context, position, budget) {
        Ok(report) => return Ok(report),
        Err(nodes_spent) => nodes_spent,
    };
    let budget = &budget.after_nodes(nodes_spent);
    if !context.can_search_to_end(position) {
        return Err(nodes_spent);
    }
    let limits = budget.limits();
    let part = budget.sub_budget(SearchLimits {
        time: budget.time_left().map(|left| left.mul_f64(PROOF_SHARE)),
        nodes: limits
            .nodes
            .map(|nodes| (nodes as f64 * PROOF_SHARE) as u64),
        depth: None,
    });
    prove_move(context, position, &part, budget, on_report).map_err(|nodes| nodes + nodes_spent)
}

/// If a win or loss is proved, uses the rest of the budget to find its distance, and the best move
/// for it.
pub(crate) fn find_distance<G: SearchGame>(
    context: &SearchContext<G>,
    position: &G::Position,
    budget: &Budget,
    report: &mut SearchReport<G::Move>,
) {
    let proved = report.value.exact().map(ExactValue::game_value);
    let Some(game_value @ (GameValue::Win | GameValue::Loss)) = proved else {
        return;
    };
    let remaining = budget.sub_budget(SearchLimits {
        nodes: budget
            .limits()
            .nodes
            .map(|max| max.saturating_sub(report.nodes)),
        ..SearchLimits::NONE
    });
    let mut prover = Prover::new(context);
    let plies_left = context.game.max_plies_left(position);
    let max_distance = plies_left.unwrap_or(64).min(1000);
    let Some(value) = prover.distance(position, game_value, 1, max_distance, &remaining) else {
        return;
    };
    if let Some(proved) = proved_move(&mut prover, position, value, &remaining) {
        report.best = proved.best;
        report.pv = proved.pv;
        report.value = proved.value;
    }
    report.nodes += prover.nodes();
}

/// The tablebase's move: the fastest win or the slowest loss; among draws, one that is hard to
/// answer, avoiding positions that have already occurred.
pub(crate) fn move_by_tablebase<G: SearchGame>(
    context: &SearchContext<G>,
    state: &GameState<G>,
    budget: &Budget,
    on_report: &mut dyn FnMut(&SearchReport<G::Move>),
) -> Option<SearchReport<G::Move>> {
    context.tablebases.prepare(&context.game, budget);
    let position = state.position();
    let ranked = rank_by_tablebase(context, position)?;
    let value = ranked.first()?.value;
    let mut best_moves: Vec<G::Move> = ranked
        .iter()
        .take_while(|ranked| ranked.value == value)
        .map(|ranked| ranked.mv)
        .collect();
    if best_moves.iter().any(|&mv| is_new_position(state, mv)) {
        best_moves.retain(|&mv| is_new_position(state, mv));
    }
    let mut report = if value == Value::Exact(ExactValue::DRAW) {
        let prover = &mut Prover::new(context);
        choose_drawing_move(prover, position, &best_moves, budget, budget, on_report)?
    } else {
        let mut report = SearchReport::from_move(*best_moves.first()?, 0);
        report.pv = tablebase_pv(context, position, *best_moves.first()?);
        report
    };
    report.value = value;
    report.nodes += ranked.len() as u64;
    report.moves = ranked;
    Some(report)
}

/// The PV of a won or lost game from the tablebase.
fn tablebase_pv<G: SearchGame>(
    context: &SearchContext<G>,
    position: &G::Position,
    first: G::Move,
) -> Vec<G::Move> {
    let mut pv = vec![first];
    let mut position = context.game.after(position, first);
    // Every move reduces the distance, so the line is no longer than the tablebase's longest win.
    while context.game.outcome(&position).is_none() {
        let ranked = rank_by_tablebase(context, &position).unwrap_or_default();
        let Some(best) = ranked.first().map(|ranked| ranked.mv) else {
            break;
        };
        pv.push(best);
        context.game.apply(&mut position, best);
    }
    pv
}
