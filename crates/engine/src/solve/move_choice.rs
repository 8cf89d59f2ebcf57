//! Chooses the move to play when the position's value is proved, and finds the continuation.

use std::cmp::Reverse;

use super::Prover;
use crate::limits::{Budget, SearchLimits};
use crate::report::{RankedMove, SearchNote, SearchReport};
use crate::search::iterative_deepening::deepen;
use crate::search::{SearchContext, SearchHeuristics as _};
use crate::search_game::SearchGame;
use crate::sort::sort_by_key;
use crate::value::{ExactValue, GameValue, Value};

/// Longer lines are truncated.
const MAX_PV_LEN: usize = 60;

/// Node limit for counting the opponent's losing replies.
const TRAP_COUNTING_NODES: u64 = 200_000;

/// Tries to prove the position's value within `part` of the budget. On success returns the move:
/// the fastest win, the slowest loss, or, among moves that keep the draw, the one that is hardest
/// to answer. Otherwise returns the nodes spent.
pub(crate) fn prove_move<G: SearchGame>(
    context: &SearchContext<G>,
    position: &G::Position,
    part: &Budget,
    whole: &Budget,
    on_report: &mut dyn FnMut(&SearchReport<G::Move>),
) -> Result<SearchReport<G::Move>, u64> {
    let mut prover = Prover::new(context);
    let Some(value) = prover.value(position, part) else {
        return Err(prover.nodes());
    };
    let chosen = match value.game_value() {
        GameValue::Draw => drawing_moves(&mut prover, position, part).and_then(|moves| {
            choose_drawing_move(&mut prover, position, &moves, part, whole, on_report)
        }),
        _ => proved_move(&mut prover, position, value, part),
    };
    let Some(mut report) = chosen else {
        return Err(prover.nodes());
    };
    report.value = Value::Exact(value);
    report.depth = value.plies().unwrap_or(report.depth);
    report.nodes = report.nodes.max(prover.nodes());
    Ok(report)
}

/// Among moves that keep the draw, chooses the one after which most replies lose if that can be
/// counted quickly, otherwise the one that a search with the rest of the budget prefers.
pub(crate) fn choose_drawing_move<G: SearchGame>(
    prover: &mut Prover<'_, G>,
    position: &G::Position,
    moves: &[G::Move],
    part: &Budget,
    whole: &Budget,
    on_report: &mut dyn FnMut(&SearchReport<G::Move>),
) -> Option<SearchReport<G::Move>> {
    if let [only] = moves {
        return Some(SearchReport::from_move(*only, prover.nodes()));
    }
    let limited = prover.node_budget(TRAP_COUNTING_NODES, part);
    if let Some(mv) = hardest_to_answer(prover, position, moves, &limited) {
        return Some(SearchReport::from_move(mv, prover.nodes()));
    }
    let nodes_spent = prover.nodes();
    let remaining = whole.sub_budget(SearchLimits {
        nodes: whole
            .limits()
            .nodes
            .map(|max| max.saturating_sub(nodes_spent)),
        depth: Some(whole.limits().depth.unwrap_or(u32::MAX).min(DRAW_DEPTH)),
        time: whole.time_left().map(|left| left / 2),
    });
    let mut report = deepen(prover.context(), position, moves, &remaining, on_report);
    report.nodes += nodes_spent;
    Some(report)
}

/// The draw is already certain, so a shallow search is enough.
const DRAW_DEPTH: u32 = 8;

/// The move after which the largest share of replies loses.
fn hardest_to_answer<G: SearchGame>(
    prover: &mut Prover<'_, G>,
    position: &G::Position,
    moves: &[G::Move],
    budget: &Budget,
) -> Option<G::Move> {
    let game = prover.game();
    let side = game.side(position);
    let mut best: Option<((f64, i32), G::Move)> = None;
    for &mv in moves {
        let (next, _) = prover.after(position, mv);
        let replies = game.moves(&next);
        let mut traps = 0;
        for &reply in &replies {
            let reply_value = prover.move_game_value(&next, reply, budget)?;
            let our_win = GameValue::Win.backed_up(game.side(&next) == side);
            traps += u32::from(reply_value == our_win);
        }
        let losing_share = f64::from(traps) / replies.len().max(1) as f64;
        let rank = (
            losing_share,
            prover.context().heuristics.move_score(game, position, mv),
        );
        if best.is_none_or(|(best, _)| rank > best) {
            best = Some((rank, mv));
        }
    }
    best.map(|(_, mv)| mv)
}

/// Node limit for finding the distance of a win that is already proved.
const DISTANCE_NODES: u64 = 50_000;

/// The move of a known strategy, if the strategy decides the position. Otherwise returns the nodes spent trying.
pub(crate) fn move_by_strategy<G: SearchGame>(
    context: &SearchContext<G>,
    position: &G::Position,
    budget: &Budget,
) -> Result<SearchReport<G::Move>, u64> {
    let proof = context.game.strategy_proof(position, budget)?;
    // Close to the end the distance can be found too, and with it a shorter win.
    let remaining = budget.after_nodes(proof.nodes);
    let mut prover = Prover::new(context);
    let limited = prover.node_budget(DISTANCE_NODES, &remaining);
    let found = prover.distance(position, proof.game_value, 1, proof.max_plies, &limited);
    if let Some(value) = found
        && let Some(mut report) = proved_move(&mut prover, position, value, &remaining)
    {
        report.depth = value.plies().unwrap_or(0);
        report.nodes += proof.nodes;
        return Ok(report);
    }
    let nodes = proof.nodes + prover.nodes();
    let mut report = SearchReport::from_move(proof.mv.ok_or(nodes)?, nodes);
    report.value = Value::Exact(ExactValue::without_distance(proof.game_value));
    report.depth = proof.max_plies;
    report.note = Some(SearchNote::ProvedByStrategy {
        max_plies: proof.max_plies,
    });
    Ok(report)
}

/// The move and the PV of a position that is known to be won or lost.
pub(crate) fn proved_move<G: SearchGame>(
    prover: &mut Prover<'_, G>,
    position: &G::Position,
    value: ExactValue,
    budget: &Budget,
) -> Option<SearchReport<G::Move>> {
    let mv = best_move(prover, position, value, budget)?;
    let mut report = SearchReport::from_move(mv, prover.nodes());
    report.value = Value::Exact(value);
    report.pv = principal_variation(prover, position, mv, value, budget);
    Some(report)
}

/// Every move with its tablebase value; `None` if a position isn't in a tablebase.
pub(crate) fn rank_by_tablebase<G: SearchGame>(
    context: &SearchContext<G>,
    position: &G::Position,
) -> Option<Vec<RankedMove<G::Move>>> {
    let game = &context.game;
    context.tablebases.probe(game, position)?;
    let mut ranked = Vec::new();
    for mv in game.moves(position) {
        let next = game.after(position, mv);
        let same_side = game.side(&next) == game.side(position);
        let value = match game.outcome(&next) {
            Some(outcome) => ExactValue::from_outcome(outcome, game.side(&next)),
            None => context.tablebases.probe(game, &next)?,
        };
        let value = Value::Exact(value.backed_up(same_side));
        ranked.push(RankedMove::new(mv, value, 1));
    }
    sort_by_key(&mut ranked, |ranked| Reverse(ranked.value.exact()));
    Some(ranked)
}

/// A move whose value equals the position's value.
pub(crate) fn best_move<G: SearchGame>(
    prover: &mut Prover<'_, G>,
    position: &G::Position,
    value: ExactValue,
    budget: &Budget,
) -> Option<G::Move> {
    let mut best: Option<(ExactValue, G::Move)> = None;
    let hint = prover.hint(position);
    let mut moves = prover.game().moves(position);
    // Trying the search's best move first usually makes the others unnecessary.
    sort_by_key(&mut moves, |&mv| Some(mv) != hint);
    for mv in moves {
        let known = match value.game_value() {
            // It is enough to ask whether this move wins as soon.
            GameValue::Win if value.plies().is_some() => {
                match prover.wins_within(position, mv, value.plies()?, budget)? {
                    true => return Some(mv),
                    false => continue,
                }
            }
            GameValue::Win => match prover.move_game_value(position, mv, budget)? {
                GameValue::Win => return Some(mv),
                _ => continue,
            },
            _ => prover.move_value(position, mv, budget)?,
        };
        if known == value {
            return Some(mv);
        }
        if best.is_none_or(|(best, _)| known > best) {
            best = Some((known, mv));
        }
    }
    best.map(|(_, mv)| mv)
}

/// The moves that keep the draw.
fn drawing_moves<G: SearchGame>(
    prover: &mut Prover<'_, G>,
    position: &G::Position,
    budget: &Budget,
) -> Option<Vec<G::Move>> {
    let mut drawing = Vec::new();
    for mv in prover.game().moves(position) {
        if prover.move_game_value(position, mv, budget)? == GameValue::Draw {
            drawing.push(mv);
        }
    }
    (!drawing.is_empty()).then_some(drawing)
}

/// The PV of a won or lost game under best play.
fn principal_variation<G: SearchGame>(
    prover: &mut Prover<'_, G>,
    position: &G::Position,
    first: G::Move,
    mut value: ExactValue,
    budget: &Budget,
) -> Vec<G::Move> {
    let game = prover.game().clone();
    let mut pv = vec![first];
    let mut current = position.clone();
    let mut mv = first;
    loop {
        let side = game.side(&current);
        game.apply(&mut current, mv);
        let Some(plies) = value.plies().and_then(|plies| plies.checked_sub(1)) else {
            return pv;
        };
        if plies == 0 || pv.len() >= MAX_PV_LEN {
            return pv;
        }
        let wins = (value.game_value() == GameValue::Win) == (game.side(&current) == side);
        value = if wins {
            ExactValue::win(plies)
        } else {
            ExactValue::loss(plies)
        };
        match best_move(prover, &current, value, budget) {
            Some(next) => mv = next,
            None => return pv,
        }
        pv.push(mv);
    }
}
