//! Iterative deepening: alpha-beta one ply deeper each time, on all threads, for
//! as long as the budget lasts.

use std::cmp::Reverse;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use super::SearchContext;
use super::alpha_beta::{INFINITE, SearchMode, Searcher, proved_value};
use crate::evaluation::expected_result;
use crate::limits::{Budget, SearchLimits, StopFlag};
use crate::report::{RankedMove, SearchReport};
use crate::search_game::SearchGame;
use crate::value::{ExactValue, GameValue, Value};

/// No search looks further ahead; complete searches end by themselves.
const DEEPEST: u32 = 120;

/// While every move gets its first look, a report comes this often.
const FIRST_LOOK: Duration = Duration::from_millis(200);

/// A move at the root and what it scored in the last iteration that reached it.
#[derive(Clone, Copy)]
pub(crate) struct RootMove<M> {
    pub(crate) mv: M,
    pub(crate) score: i32,
}

/// Searches deeper and deeper among these moves, of which there is at least one.
pub(crate) fn deepen<G: SearchGame>(
    lore: &SearchContext<G>,
    position: &G::Position,
    moves: &[G::Move],
    budget: &Budget,
    watch: &mut dyn FnMut(&SearchReport<G::Move>),
) -> SearchReport<G::Move> {
    with_helpers(lore, position, moves, budget, |counted| {
        lead(lore, position, moves, budget, counted, watch)
    })
}

/// The same for whoever wants to know what each of the moves is worth, not only
/// which is best: every one gets a search of its own, which takes longer.
pub(crate) fn deepen_every_move<G: SearchGame>(
    lore: &SearchContext<G>,
    position: &G::Position,
    moves: &[G::Move],
    budget: &Budget,
    watch: &mut dyn FnMut(&SearchReport<G::Move>),
) -> SearchReport<G::Move> {
    with_helpers(lore, position, moves, budget, |counted| {
        lead_all(lore, position, moves, budget, counted, watch)
    })
}

fn deepest(budget: &Budget) -> u32 {
    budget.limits().depth.unwrap_or(DEEPEST).min(DEEPEST)
}

/// Runs a search on this thread while others fill the table for it.
fn with_helpers<G: SearchGame>(
    lore: &SearchContext<G>,
    position: &G::Position,
    moves: &[G::Move],
    budget: &Budget,
    lead: impl FnOnce(&AtomicU64) -> SearchReport<G::Move>,
) -> SearchReport<G::Move> {
    let counted = AtomicU64::new(0);
    // The helpers stop when the first thread does.
    let over = StopFlag::new();
    std::thread::scope(|scope| {
        for helper in 1..lore.threads {
            let (counted, over) = (&counted, over.clone());
            scope.spawn(move || {
                let own =
                    Budget::start(SearchLimits::NONE, &over).with_turn(budget.turn().cloned());
                let mut searcher = searcher(lore, &own).with_shared_node_count(counted);
                let mut order = roots(moves);
                // Every other thread is a ply ahead, so that they do not do the same.
                for depth in 1 + helper as u32 % 2..=deepest(budget) {
                    if iterate(lore, &mut searcher, position, &mut order, depth).is_none() {
                        break;
                    }
                }
                counted.fetch_add(searcher.uncounted_nodes(), Ordering::Relaxed);
            });
        }
        let report = lead(&counted);
        over.stop();
        report
    })
}

fn roots<M: Copy>(moves: &[M]) -> Vec<RootMove<M>> {
    let score = -INFINITE;
    moves.iter().map(|&mv| RootMove { mv, score }).collect()
}

fn searcher<'a, G: SearchGame>(lore: &'a SearchContext<G>, budget: &'a Budget) -> Searcher<'a, G> {
    Searcher::new(
        &lore.game,
        &lore.evaluation,
        &lore.heuristics,
        &lore.transposition_table,
        budget,
        SearchMode::Play,
    )
}

/// The thread that reports.
fn lead<G: SearchGame>(
    lore: &SearchContext<G>,
    position: &G::Position,
    moves: &[G::Move],
    budget: &Budget,
    counted: &AtomicU64,
    watch: &mut dyn FnMut(&SearchReport<G::Move>),
) -> SearchReport<G::Move> {
    let mut searcher = searcher(lore, budget).with_shared_node_count(counted);
    let mut order = roots(moves);
    let mut report = SearchReport::empty();
    report.best = moves.first().copied();
    report.pv = report.best.into_iter().collect();
    let most = lore.game.max_plies_left(position);
    let mut before = None;
    for depth in 1..=deepest(budget) {
        let score = iterate(lore, &mut searcher, position, &mut order, depth);
        // What an iteration broken off has found is still better than nothing.
        report.best = Some(order[0].mv);
        report.nodes = counted.load(Ordering::Relaxed) + searcher.uncounted_nodes();
        let Some(score) = score else {
            if order[0].score > -INFINITE && report.pv.first() != report.best.as_ref() {
                report.pv = line(lore, position, order[0].mv, depth);
            }
            break;
        };
        report.depth = depth;
        report.pv = line(lore, position, order[0].mv, depth);
        let complete = most.is_some_and(|most| depth >= most);
        report.value = judged(score, before, complete);
        before = Some(expected_result(score));
        watch(&report);
        if proved_value(score).is_some()
            || complete
            || moves.len() == 1 && budget.limits().depth.is_none()
        {
            break;
        }
    }
    report.nodes = counted.load(Ordering::Relaxed) + searcher.uncounted_nodes();
    report
}

/// What a score says. `before` is what was expected a ply earlier.
fn judged(score: i32, before: Option<f64>, complete: bool) -> Value {
    match proved_value(score) {
        Some(exact) => Value::Exact(ExactValue::without_distance(exact.game_value())),
        None if complete => Value::Exact(ExactValue::DRAW),
        None => Value::Estimate {
            mean: expected_result(score),
            // How much the last ply has changed, and never sure.
            error: before
                .map_or(1.0, |before| (expected_result(score) - before).abs())
                .clamp(0.1, 1.0),
        },
    }
}

/// The thread that reports on every move.
fn lead_all<G: SearchGame>(
    lore: &SearchContext<G>,
    position: &G::Position,
    moves: &[G::Move],
    budget: &Budget,
    counted: &AtomicU64,
    watch: &mut dyn FnMut(&SearchReport<G::Move>),
) -> SearchReport<G::Move> {
    let game = &lore.game;
    let mut searcher = searcher(lore, budget).with_shared_node_count(counted);
    let mut ranked: Vec<(i32, RankedMove<G::Move>)> = moves
        .iter()
        .map(|&mv| {
            let line = vec![mv];
            let value = Value::UNKNOWN;
            let nodes = 0;
            (
                -INFINITE,
                RankedMove {
                    mv,
                    value,
                    nodes,
                    pv: line,
                },
            )
        })
        .collect();
    let most = game.max_plies_left(position);
    let mut report = SearchReport::empty();
    let mut reported = Duration::ZERO;
    for depth in 1..=deepest(budget) {
        let complete = most.is_some_and(|most| depth >= most);
        for i in 0..ranked.len() {
            let (score, ranked_move) = &mut ranked[i];
            // A win or loss is certain, and its length is somebody else's business.
            if ranked_move.value.exact().is_some() {
                continue;
            }
            let mut next = position.clone();
            game.apply(&mut next, ranked_move.mv);
            let again = game.side(&next) == game.side(position);
            let nodes = searcher.nodes();
            let found =
                searcher.search_child(&next, again, depth as i32 - 1, -INFINITE, INFINITE, 0);
            if searcher.is_stopped() {
                break;
            }
            let before = (depth > 1).then(|| expected_result(*score));
            *score = found;
            ranked_move.value = judged(found, before, complete);
            ranked_move.nodes += searcher.nodes() - nodes;
            ranked_move.pv = line(lore, position, ranked_move.mv, depth);
            // On the largest boards the first look at every move takes seconds.
            if depth == 1 && budget.elapsed() >= reported + FIRST_LOOK {
                reported = budget.elapsed();
                report.nodes = counted.load(Ordering::Relaxed) + searcher.uncounted_nodes();
                let mut so_far = ranked[..=i].to_vec();
                summarize(&mut report, &mut so_far, false);
                watch(&report);
            }
        }
        let stopped = searcher.is_stopped();
        if !stopped {
            report.depth = depth;
        }
        report.nodes = counted.load(Ordering::Relaxed) + searcher.uncounted_nodes();
        let all = ranked
            .iter()
            .all(|(_, ranked)| ranked.value.exact().is_some());
        summarize(&mut report, &mut ranked, all);
        watch(&report);
        if stopped || all {
            break;
        }
    }
    report
}

/// Sorts the moves by their scores and says what they show. `all` is true where every
/// move is decided.
fn summarize<M: Copy>(
    report: &mut SearchReport<M>,
    ranked: &mut [(i32, RankedMove<M>)],
    all: bool,
) {
    ranked.sort_by_key(|&(score, _)| Reverse(score));
    report.moves = ranked.iter().map(|(_, ranked)| ranked.clone()).collect();
    if let Some((_, best)) = ranked.first() {
        report.best = Some(best.mv);
        report.pv = best.pv.clone();
        report.value = match best.value {
            // While others are open, a draw or a loss is only what this move gives.
            Value::Exact(exact) if exact.game_value() != GameValue::Win && !all => {
                Value::Estimate {
                    mean: exact.expected_result(),
                    error: 0.5,
                }
            }
            value => value,
        };
    }
}

/// One iteration over all moves; the best comes first in `order` afterwards. None
/// if it was broken off.
fn iterate<G: SearchGame>(
    lore: &SearchContext<G>,
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
            searcher.search_child(&next, again, full, alpha, beta, 0)
        } else {
            let score = searcher.search_child(&next, again, full, alpha, alpha + 1, 0);
            if score > alpha && !searcher.is_stopped() {
                searcher.search_child(&next, again, full, alpha, beta, 0)
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
fn line<G: SearchGame>(
    lore: &SearchContext<G>,
    position: &G::Position,
    first: G::Move,
    depth: u32,
) -> Vec<G::Move> {
    let mut line = vec![first];
    let mut position = position.clone();
    lore.game.apply(&mut position, first);
    while line.len() < depth as usize {
        let number = lore
            .transposition_table
            .probe(lore.game.hash(&position))
            .and_then(|entry| entry.best_index);
        let Some(mv) = number.and_then(|n| lore.game.nth_move(&position, usize::from(n))) else {
            break;
        };
        line.push(mv);
        lore.game.apply(&mut position, mv);
    }
    line
}
