//! Adapts results to the game's history: where positions can repeat, the third occurrence is a
//! draw. Tablebases and search know only positions; the bots take the history into account here.

use noughts_rules::GameState;

use crate::limits::{Budget, SearchLimits};
use crate::report::SearchReport;
use crate::search::SearchContext;
use crate::search::iterative_deepening::deepen;
use crate::search_game::SearchGame;
use crate::solve::{Repetition, rank_by_tablebase, repetition};
use crate::value::{ExactValue, Value};

/// Whether this move leads to a position that hasn't occurred in the game.
pub(crate) fn is_new_position<G: SearchGame>(state: &GameState<G>, mv: G::Move) -> bool {
    // Without repetitions there is nothing to look up; checking half a million moves of a deep
    // board would take seconds.
    if !state.game().can_repeat() {
        return true;
    }
    let next = state.game().after(state.position(), mv);
    state.occurrences(&next) == 0
}

/// An advantage smaller than this isn't worth repeating a position for.
const REPETITION_MARGIN: f64 = 0.15;

/// Searches these moves. If the best one repeats a position without winning, looks for a new move
/// that is about as good.
pub(crate) fn deepen_avoiding_repetition<G: SearchGame>(
    context: &SearchContext<G>,
    state: &GameState<G>,
    moves: &[G::Move],
    budget: &Budget,
    on_report: &mut dyn FnMut(&SearchReport<G::Move>),
) -> SearchReport<G::Move> {
    let position = state.position();
    if !state.game().can_repeat() {
        return deepen(context, position, moves, budget, on_report);
    }
    let mut new_moves = moves.to_vec();
    new_moves.retain(|&mv| is_new_position(state, mv));
    if new_moves.is_empty() || new_moves.len() == moves.len() {
        return deepen(context, position, moves, budget, on_report);
    }
    let first_part = budget.sub_budget(SearchLimits {
        time: budget.time_left().map(|left| left.mul_f64(0.6)),
        nodes: budget.limits().nodes.map(|nodes| nodes / 5 * 3),
        depth: budget.limits().depth,
    });
    let mut report = deepen(context, position, moves, &first_part, on_report);
    let is_repeating = report.best.is_some_and(|mv| !new_moves.contains(&mv));
    if is_repeating && !report.value.is_proved_win() {
        let remaining = budget.after_nodes(report.nodes);
        let other = deepen(context, position, &new_moves, &remaining, on_report);
        let nodes = report.nodes + other.nodes;
        if other.value.expected_result() >= report.value.expected_result() - REPETITION_MARGIN {
            report = other;
        }
        report.nodes = nodes;
    }
    report
}

/// Nodes for finding another winning move.
const ALTERNATIVE_NODES: u64 = 20_000;

/// If the best move looks like a win but ends in a draw by repetition, or lets the opponent end the
/// game that way, replaces it by another move that is better than a draw. If there is none,
/// corrects the value.
pub(crate) fn avoid_repetition<G: SearchGame>(
    context: &SearchContext<G>,
    state: &GameState<G>,
    budget: &Budget,
    mut report: SearchReport<G::Move>,
) -> SearchReport<G::Move> {
    let Some(best) = report.best.filter(|_| state.game().can_repeat()) else {
        return report;
    };
    let best_repetition = repetition(state, best);
    if best_repetition == Repetition::None {
        return report;
    }
    let position = state.position();
    let mut others = state.legal_moves();
    others.retain(|&mv| repetition(state, mv) == Repetition::None);
    if report.value.expected_result() > 0.0 && !others.is_empty() {
        let other = match rank_by_tablebase(context, position) {
            Some(ranked) => {
                let found = ranked
                    .into_iter()
                    .find(|ranked| others.contains(&ranked.mv));
                found.map(|ranked| SearchReport {
                    best: Some(ranked.mv),
                    value: ranked.value,
                    pv: ranked.pv,
                    ..SearchReport::empty()
                })
            }
            None => {
                let limited =
                    Budget::start(SearchLimits::nodes(ALTERNATIVE_NODES), budget.stop_flag());
                Some(deepen(context, position, &others, &limited, &mut |_| {}))
            }
        };
        if let Some(other) = other.filter(|other| other.value.expected_result() > 0.0) {
            report.best = other.best;
            report.pv = other.pv;
            // Without a tablebase only this search's own result is known.
            report.value = other.value;
            report.nodes += other.nodes;
            return report;
        }
    }
    match best_repetition {
        Repetition::Immediate => {
            report.value = Value::Exact(ExactValue::DRAW);
            report.pv = vec![best];
        }
        _ if report.value.expected_result() > 0.0 => {
            report.value = Value::estimate(report.value.expected_result() / 2.0, 0.5);
        }
        _ => {}
    }
    report
}

/// Adapts a report to the game's history: lines stop where the game ends, a move that ends the game
/// by repetition is a draw, and a move that lets the opponent do so isn't a proved win.
pub(crate) fn adjust_for_history<G: SearchGame>(
    state: &GameState<G>,
    report: &SearchReport<G::Move>,
) -> SearchReport<G::Move> {
    let mut report = report.clone();
    truncate_line(state, &mut report.pv);
    for ranked in &mut report.moves {
        truncate_line(state, &mut ranked.pv);
        match repetition(state, ranked.mv) {
            Repetition::Immediate => ranked.value = Value::Exact(ExactValue::DRAW),
            Repetition::OnReply if ranked.value.is_proved_win() => {
                ranked.value = Value::estimate(0.5, 0.5);
            }
            Repetition::OnReply | Repetition::None => {}
        }
    }
    report
}

/// Truncates a line where the game ends.
fn truncate_line<G: SearchGame>(state: &GameState<G>, line: &mut Vec<G::Move>) {
    let mut state = state.clone();
    let played = line
        .iter()
        .take_while(|&&mv| state.outcome().is_none() && state.play(mv).is_ok());
    let length = played.count();
    line.truncate(length);
}
