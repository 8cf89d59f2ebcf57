//! A proved move: what to play when the value is known, and how the game goes on.

use super::Prover;
use crate::family::Family;
use crate::limits::Budget;
use crate::report::{Ranked, Report};
use crate::search::Lore;
use crate::search::deepening::deepen;
use crate::value::{Exact, Value, Verdict};

/// Longer lines are cut: nobody reads them.
const LONGEST_LINE: usize = 60;

/// Tries to prove what the position is worth within `part` of the budget, and if
/// it can, gives the move: the fastest win, the slowest loss, or, of the moves
/// that keep a draw, the one that looks best to a search with what is left.
pub(crate) fn prove<G: Family>(
    lore: &Lore<G>,
    position: &G::Position,
    part: &Budget,
    whole: &Budget,
    watch: &mut dyn FnMut(&Report<G::Move>),
) -> Result<Report<G::Move>, u64> {
    let mut prover = Prover::new(lore);
    let Some(value) = prover.value(position, part) else {
        return Err(prover.nodes());
    };
    let chosen = match value.verdict() {
        Verdict::Draw => drawing(&mut prover, position, part).map(|drawing| {
            let mut report = match drawing.as_slice() {
                [only] => Report::of_move(*only, 0),
                several => deepen(lore, position, several, whole, watch),
            };
            report.nodes += prover.nodes();
            report
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

/// The move for a position that is known to be won or lost, and how the game goes
/// on from there.
pub(crate) fn proved_move<G: Family>(
    prover: &mut Prover<'_, G>,
    position: &G::Position,
    value: Exact,
    budget: &Budget,
) -> Option<Report<G::Move>> {
    let mv = best_move(prover, position, value, budget)?;
    let mut report = Report::of_move(mv, prover.nodes());
    report.value = Value::Exact(value);
    report.line = line(prover, position, mv, value, budget);
    Some(report)
}

/// What the tables say of every move; none if one of them is in no table.
pub(crate) fn look_up<G: Family>(
    lore: &Lore<G>,
    position: &G::Position,
) -> Option<Vec<Ranked<G::Move>>> {
    let game = &lore.game;
    game.known(&lore.tables, position)?;
    let mut ranked = Vec::new();
    for mv in game.moves(position) {
        let mut next = position.clone();
        game.apply(&mut next, mv);
        let again = game.side(&next) == game.side(position);
        let value = match game.outcome(&next) {
            Some(outcome) => Exact::finished(outcome, game.side(&next)),
            None => game.known(&lore.tables, &next)?,
        };
        ranked.push(Ranked {
            mv,
            value: Value::Exact(value.of_move(again)),
            nodes: 1,
            line: vec![mv],
        });
    }
    ranked.sort_by_key(|ranked| std::cmp::Reverse(ranked.value.exact()));
    Some(ranked)
}

/// The move that is worth what the position is worth.
fn best_move<G: Family>(
    prover: &mut Prover<'_, G>,
    position: &G::Position,
    value: Exact,
    budget: &Budget,
) -> Option<G::Move> {
    let mut best: Option<(Exact, G::Move)> = None;
    for mv in prover.game().moves(position) {
        let known = match value.verdict() {
            // A quick question is enough: does this move win as soon?
            Verdict::Win if value.plies().is_some() => {
                match prover.wins_within(position, mv, value.plies()?, budget)? {
                    true => return Some(mv),
                    false => continue,
                }
            }
            Verdict::Win => match prover.verdict_of_move(position, mv, budget)? {
                Verdict::Win => return Some(mv),
                _ => continue,
            },
            _ => prover.value_of_move(position, mv, budget)?,
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
fn drawing<G: Family>(
    prover: &mut Prover<'_, G>,
    position: &G::Position,
    budget: &Budget,
) -> Option<Vec<G::Move>> {
    let mut drawing = Vec::new();
    for mv in prover.game().moves(position) {
        if prover.verdict_of_move(position, mv, budget)? == Verdict::Draw {
            drawing.push(mv);
        }
    }
    (!drawing.is_empty()).then_some(drawing)
}

/// How a won or lost game goes on under best play.
fn line<G: Family>(
    prover: &mut Prover<'_, G>,
    position: &G::Position,
    first: G::Move,
    mut value: Exact,
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
        let wins = (value.verdict() == Verdict::Win) == (game.side(&here) == side);
        value = if wins {
            Exact::win(plies)
        } else {
            Exact::loss(plies)
        };
        match best_move(prover, &here, value, budget) {
            Some(next) => mv = next,
            None => return line,
        }
        line.push(mv);
    }
}
