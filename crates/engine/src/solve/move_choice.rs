//! A proved move: what to play when the value is known, and how the game goes on.

use super::Prover;
use crate::limits::{Budget, SearchLimits};
use crate::report::{RankedMove, SearchReport};
use crate::search::iterative_deepening::deepen;
use crate::search::{SearchContext, SearchHeuristics as _};
use crate::search_game::SearchGame;
use crate::value::{ExactValue, GameValue, Value};

/// Longer lines are cut: nobody reads them.
const LONGEST_LINE: usize = 60;

/// Counting the opponent's mistakes may take so many nodes.
const TRAPS: u64 = 200_000;

/// Tries to prove what the position is worth within `part` of the budget, and if
/// it can, gives the move: the fastest win, the slowest loss, or, of the moves
/// that keep a draw, the one that is hardest to answer.
pub(crate) fn prove_move<G: SearchGame>(
    lore: &SearchContext<G>,
    position: &G::Position,
    part: &Budget,
    whole: &Budget,
    watch: &mut dyn FnMut(&SearchReport<G::Move>),
) -> Result<SearchReport<G::Move>, u64> {
    let mut prover = Prover::new(lore);
    let Some(value) = prover.value(position, part) else {
        return Err(prover.nodes());
    };
    let chosen = match value.game_value() {
        GameValue::Draw => drawing(&mut prover, position, part).and_then(|moves| {
            choose_drawing_move(&mut prover, position, &moves, part, whole, watch)
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

/// Of several moves that keep a draw: the one after which most of the opponent's
/// answers lose, if that is quickly counted, else what looks best to a search with
/// the rest of the budget.
pub(crate) fn choose_drawing_move<G: SearchGame>(
    prover: &mut Prover<'_, G>,
    position: &G::Position,
    moves: &[G::Move],
    part: &Budget,
    whole: &Budget,
    watch: &mut dyn FnMut(&SearchReport<G::Move>),
) -> Option<SearchReport<G::Move>> {
    if let [only] = moves {
        return Some(SearchReport::from_move(*only, prover.nodes()));
    }
    let few = prover.node_budget(TRAPS, part);
    if let Some(mv) = hardest_to_answer(prover, position, moves, &few) {
        return Some(SearchReport::from_move(mv, prover.nodes()));
    }
    let spent = prover.nodes();
    let rest = whole.sub_budget(SearchLimits {
        nodes: whole.limits().nodes.map(|most| most.saturating_sub(spent)),
        depth: Some(whole.limits().depth.unwrap_or(u32::MAX).min(DRAW_DEPTH)),
        time: whole.time_left().map(|left| left / 2),
    });
    let mut report = deepen(prover.context(), position, moves, &rest, watch);
    report.nodes += spent;
    Some(report)
}

/// A draw is certain already: what looks best need not be searched for long.
const DRAW_DEPTH: u32 = 8;

/// The move after which the largest part of the answers loses.
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
        let answers = game.moves(&next);
        let mut traps = 0;
        for &answer in &answers {
            let theirs = prover.move_game_value(&next, answer, budget)?;
            let wins = if game.side(&next) == side {
                GameValue::Win
            } else {
                GameValue::Loss
            };
            traps += u32::from(theirs == wins);
        }
        let part = f64::from(traps) / answers.len().max(1) as f64;
        let rank = (
            part,
            prover.context().heuristics.move_score(game, position, mv),
        );
        if best.is_none_or(|(best, _)| rank > best) {
            best = Some((rank, mv));
        }
    }
    best.map(|(_, mv)| mv)
}

/// The length of a win that is certain already is looked for with so many nodes.
const FOR_LENGTH: u64 = 50_000;

/// The move that a known strategy gives, if it decides the position: it is walked
/// through anew, within the budget. Else what was spent on trying.
pub(crate) fn move_by_strategy<G: SearchGame>(
    lore: &SearchContext<G>,
    position: &G::Position,
    budget: &Budget,
) -> Result<SearchReport<G::Move>, u64> {
    let plan = lore.game.strategy_proof(position, budget)?;
    // Near its end the win's length can be found, too, and with it a shorter way.
    let rest = budget.after_nodes(plan.nodes);
    let mut prover = Prover::new(lore);
    let few = prover.node_budget(FOR_LENGTH, &rest);
    let found = prover.distance(position, plan.game_value, 1, plan.max_plies, &few);
    if let Some(value) = found
        && let Some(mut report) = proved_move(&mut prover, position, value, &rest)
    {
        report.depth = value.plies().unwrap_or(0);
        report.nodes += plan.nodes;
        return Ok(report);
    }
    let mut report = SearchReport::from_move(plan.mv, plan.nodes + prover.nodes());
    report.value = Value::Exact(ExactValue::without_distance(plan.game_value));
    report.depth = plan.max_plies;
    report.note = Some(format!(
        "proved by walking X's strategy through every defence: at most {} plies",
        plan.max_plies
    ));
    Ok(report)
}

/// The move for a position that is known to be won or lost, and how the game goes
/// on from there.
pub(crate) fn proved_move<G: SearchGame>(
    prover: &mut Prover<'_, G>,
    position: &G::Position,
    value: ExactValue,
    budget: &Budget,
) -> Option<SearchReport<G::Move>> {
    let mv = best_move(prover, position, value, budget)?;
    let mut report = SearchReport::from_move(mv, prover.nodes());
    report.value = Value::Exact(value);
    report.pv = line(prover, position, mv, value, budget);
    Some(report)
}

/// What the tables say of every move; none if one of them is in no table.
pub(crate) fn rank_by_tablebase<G: SearchGame>(
    lore: &SearchContext<G>,
    position: &G::Position,
) -> Option<Vec<RankedMove<G::Move>>> {
    let game = &lore.game;
    game.probe_tablebases(&lore.tablebases, position)?;
    let mut ranked = Vec::new();
    for mv in game.moves(position) {
        let mut next = position.clone();
        game.apply(&mut next, mv);
        let again = game.side(&next) == game.side(position);
        let value = match game.outcome(&next) {
            Some(outcome) => ExactValue::from_outcome(outcome, game.side(&next)),
            None => game.probe_tablebases(&lore.tablebases, &next)?,
        };
        ranked.push(RankedMove {
            mv,
            value: Value::Exact(value.backed_up(again)),
            nodes: 1,
            pv: vec![mv],
        });
    }
    ranked.sort_by_key(|ranked| std::cmp::Reverse(ranked.value.exact()));
    Some(ranked)
}

/// The move that is worth what the position is worth.
pub(crate) fn best_move<G: SearchGame>(
    prover: &mut Prover<'_, G>,
    position: &G::Position,
    value: ExactValue,
    budget: &Budget,
) -> Option<G::Move> {
    let mut best: Option<(ExactValue, G::Move)> = None;
    let hint = prover.hint(position);
    let mut moves = prover.game().moves(position);
    // What the search liked best comes first: the others then need no answer.
    moves.sort_by_key(|&mv| Some(mv) != hint);
    for mv in moves {
        let known = match value.game_value() {
            // A quick question is enough: does this move win as soon?
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

/// The moves that do not lose.
fn drawing<G: SearchGame>(
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

/// How a won or lost game goes on under best play.
fn line<G: SearchGame>(
    prover: &mut Prover<'_, G>,
    position: &G::Position,
    first: G::Move,
    mut value: ExactValue,
    budget: &Budget,
) -> Vec<G::Move> {
    let game = prover.game().clone();
    let mut line = vec![first];
    let mut here = position.clone();
    let mut mv = first;
    loop {
        let side = game.side(&here);
        game.apply(&mut here, mv);
        let Some(plies) = value.plies().and_then(|plies| plies.checked_sub(1)) else {
            return line;
        };
        if plies == 0 || line.len() >= LONGEST_LINE {
            return line;
        }
        let wins = (value.game_value() == GameValue::Win) == (game.side(&here) == side);
        value = if wins {
            ExactValue::win(plies)
        } else {
            ExactValue::loss(plies)
        };
        match best_move(prover, &here, value, budget) {
            Some(next) => mv = next,
            None => return line,
        }
        line.push(mv);
    }
}
