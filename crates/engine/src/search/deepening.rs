//! Iterative deepening: alpha-beta one ply deeper each time, on all threads, for
//! as long as the budget lasts.

use std::sync::atomic::{AtomicU64, Ordering};

use super::Lore;
use super::alpha_beta::{INFINITE, Mode, Searcher, decided};
use crate::evaluation::expected;
use crate::family::Family;
use crate::limits::{Budget, Limits, Stop};
use crate::report::Report;
use crate::value::{Exact, Value};

/// No search looks further ahead; complete searches end by themselves.
const DEEPEST: u32 = 120;

/// A move at the root and what it scored in the last iteration that reached it.
#[derive(Clone, Copy)]
pub(crate) struct RootMove<M> {
    pub(crate) mv: M,
    pub(crate) score: i32,
}

/// Searches deeper and deeper among these moves, of which there is at least one.
pub(crate) fn deepen<G: Family>(
    lore: &Lore<G>,
    position: &G::Position,
    moves: &[G::Move],
    budget: &Budget,
    watch: &mut dyn FnMut(&Report<G::Move>),
) -> Report<G::Move> {
    let deepest = budget.limits().depth.unwrap_or(DEEPEST).min(DEEPEST);
    let counted = AtomicU64::new(0);
    // The helpers stop when the first thread does.
    let over = Stop::new();
    let helpers = if budget.limits().nodes.is_some() && lore.threads == 1 {
        0
    } else {
        lore.threads - 1
    };
    std::thread::scope(|scope| {
        for helper in 0..helpers {
            let (counted, over) = (&counted, over.clone());
            scope.spawn(move || {
                let own = Budget::start(Limits::NONE, &over);
                let mut searcher = searcher(lore, &own).count_with(counted);
                let mut order = roots(moves);
                // Every other thread is a ply ahead, so that they do not do the same.
                for depth in 1 + helper as u32 % 2..=deepest {
                    if iterate(lore, &mut searcher, position, &mut order, depth).is_none() {
                        break;
                    }
                }
                counted.fetch_add(searcher.unreported(), Ordering::Relaxed);
            });
        }
        let report = lead(lore, position, moves, budget, deepest, &counted, watch);
        over.stop();
        report
    })
}

fn roots<M: Copy>(moves: &[M]) -> Vec<RootMove<M>> {
    let score = -INFINITE;
    moves.iter().map(|&mv| RootMove { mv, score }).collect()
}

fn searcher<'a, G: Family>(lore: &'a Lore<G>, budget: &'a Budget) -> Searcher<'a, G> {
    Searcher::new(
        &lore.game,
        &lore.evaluation,
        &lore.tactics,
        &lore.table,
        budget,
        Mode::Play,
    )
}

/// The thread that reports.
fn lead<G: Family>(
    lore: &Lore<G>,
    position: &G::Position,
    moves: &[G::Move],
    budget: &Budget,
    deepest: u32,
    counted: &AtomicU64,
    watch: &mut dyn FnMut(&Report<G::Move>),
) -> Report<G::Move> {
    let mut searcher = searcher(lore, budget).count_with(counted);
    let mut order = roots(moves);
    let mut report = Report::empty();
    report.best = moves.first().copied();
    report.line = report.best.into_iter().collect();
    let most = lore.game.most_plies(position);
    let mut before = None;
    for depth in 1..=deepest {
        let score = iterate(lore, &mut searcher, position, &mut order, depth);
        // What an iteration broken off has found is still better than nothing.
        report.best = Some(order[0].mv);
        report.nodes = counted.load(Ordering::Relaxed) + searcher.unreported();
        let Some(score) = score else {
            if order[0].score > -INFINITE && report.line.first() != report.best.as_ref() {
                report.line = line(lore, position, order[0].mv, depth);
            }
            break;
        };
        report.depth = depth;
        report.line = line(lore, position, order[0].mv, depth);
        let complete = most.is_some_and(|most| depth >= most);
        report.value = match decided(score) {
            Some(exact) => Value::Exact(Exact::of_unknown_length(exact.verdict())),
            None if complete => Value::Exact(Exact::DRAW),
            None => Value::Estimate {
                mean: expected(score),
                // How much the last ply has changed, and never sure.
                error: before
                    .map_or(1.0, |before: f64| (expected(score) - before).abs())
                    .max(0.1),
            },
        };
        before = Some(expected(score));
        watch(&report);
        if decided(score).is_some()
            || complete
            || moves.len() == 1 && budget.limits().depth.is_none()
        {
            break;
        }
    }
    report.nodes = counted.load(Ordering::Relaxed) + searcher.unreported();
    report
}

/// One iteration over all moves; the best comes first in `order` afterwards. None
/// if it was broken off.
fn iterate<G: Family>(
    lore: &Lore<G>,
    searcher: &mut Searcher<'_, G>,
    position: &G::Position,
    order: &mut [RootMove<G::Move>],
    depth: u32,
) -> Option<i32> {
    let game = &lore.game;
    let (mut alpha, beta) = (-INFINITE, INFINITE);
    let full = depth as i32 - 1;
    for i in 0..order.len() {
        let mut next = position.clone();
        game.apply(&mut next, order[i].mv);
        let again = game.side(&next) == game.side(position);
        let score = if i == 0 {
            searcher.child(&next, again, full, alpha, beta, 0)
        } else {
            let score = searcher.child(&next, again, full, alpha, alpha + 1, 0);
            if score > alpha && !searcher.is_stopped() {
                searcher.child(&next, again, full, alpha, beta, 0)
            } else {
                score
            }
        };
        if searcher.is_stopped() {
            return None;
        }
        order[i].score = score;
        if score > alpha {
            alpha = score;
            order[..=i].rotate_right(1);
        }
    }
    Some(alpha)
}

/// The expected course of the game as the table has it.
fn line<G: Family>(
    lore: &Lore<G>,
    position: &G::Position,
    first: G::Move,
    depth: u32,
) -> Vec<G::Move> {
    let mut line = vec![first];
    let mut position = position.clone();
    lore.game.apply(&mut position, first);
    while line.len() < depth as usize {
        let number = lore
            .table
            .get(lore.game.hash(&position))
            .and_then(|entry| entry.best);
        let Some(mv) = number.and_then(|n| lore.game.nth_move(&position, usize::from(n))) else {
            break;
        };
        line.push(mv);
        lore.game.apply(&mut position, mv);
    }
    line
}
