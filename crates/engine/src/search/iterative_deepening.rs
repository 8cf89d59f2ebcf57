//! Iterative deepening: alpha-beta one ply deeper at a time, on all threads, until the budget is
//! spent.

use std::cmp::Reverse;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use super::SearchContext;
use super::alpha_beta::{AlphaBetaSearcher, INFINITE, SearchMode, proved_value};
use crate::evaluation::expected_result;
use crate::limits::{Budget, SearchLimits, StopFlag};
use crate::parallel;
use crate::report::{RankedMove, SearchReport};
use crate::search_game::SearchGame;
use crate::sort::sort_by_key;
use crate::value::{ExactValue, Value};

/// The maximum depth; complete searches end by themselves.
const MAX_DEPTH: u32 = 120;

/// The interval between reports during the first iteration over all moves.
const FIRST_ITERATION_REPORT_INTERVAL: Duration = Duration::from_millis(200);

/// A root move and its score in the last iteration that reached it.
#[derive(Clone, Copy)]
pub(crate) struct RootMove<M> {
    pub(crate) mv: M,
    pub(crate) score: i32,
}

fn max_depth(budget: &Budget) -> u32 {
    budget.limits().depth.unwrap_or(MAX_DEPTH).min(MAX_DEPTH)
}

/// Runs a search on this thread while helper threads fill the transposition table for it.
fn with_helpers<G: SearchGame>(
    context: &SearchContext<G>,
    position: &G::Position,
    moves: &[G::Move],
    budget: &Budget,
    mut search: impl FnMut(&mut AlphaBetaSearcher<'_, G>) -> SearchReport<G::Move>,
) -> SearchReport<G::Move> {
    let node_count = AtomicU64::new(0);
    // Raised when the main thread is done.
    let done = StopFlag::new();
    let help = |helper: usize| {
        let helper_budget =
            Budget::start(SearchLimits::NONE, &done).with_turn(budget.turn().cloned());
        let mut searcher = AlphaBetaSearcher::new(context, &helper_budget, SearchMode::Play);
        searcher.shared_nodes = Some(&node_count);
        let mut root_moves = new_root_moves(moves);
        // Every other helper starts one ply deeper, so that the threads don't do the same work.
        for depth in 1 + helper as u32 % 2..=max_depth(budget) {
            if iterate(context, &mut searcher, position, &mut root_moves, depth).is_none() {
                break;
            }
        }
        node_count.fetch_add(searcher.uncounted_nodes(), Ordering::Relaxed);
    };
    let mut report = SearchReport::empty();
    parallel::with_helpers(context.threads.saturating_sub(1), &help, &mut || {
        let mut searcher = AlphaBetaSearcher::new(context, budget, SearchMode::Play);
        searcher.shared_nodes = Some(&node_count);
        report = search(&mut searcher);
        done.stop();
    });
    report
}

fn new_root_moves<M: Copy>(moves: &[M]) -> Vec<RootMove<M>> {
    let score = -INFINITE;
    moves.iter().map(|&mv| RootMove { mv, score }).collect()
}

/// Searches these moves, of which there must be at least one.
pub(crate) fn deepen<G: SearchGame>(
    context: &SearchContext<G>,
    position: &G::Position,
    moves: &[G::Move],
    budget: &Budget,
    on_report: &mut dyn FnMut(&SearchReport<G::Move>),
) -> SearchReport<G::Move> {
    with_helpers(context, position, moves, budget, |searcher| {
        let mut root_moves = new_root_moves(moves);
        let mut report = SearchReport::empty();
        report.best = moves.first().copied();
        report.pv = report.best.into_iter().collect();
        let max_plies = context.game.max_plies_left(position);
        let mut previous = None;
        for depth in 1..=max_depth(budget) {
            let score = iterate(context, searcher, position, &mut root_moves, depth);
            // Even an incomplete iteration's best move is better than nothing.
            report.best = Some(root_moves[0].mv);
            report.nodes = searcher.nodes_of_all_threads();
            let Some(score) = score else {
                if root_moves[0].score > -INFINITE && report.pv.first() != report.best.as_ref() {
                    report.pv = principal_variation(context, position, root_moves[0].mv, depth);
                }
                break;
            };
            report.depth = depth;
            report.pv = principal_variation(context, position, root_moves[0].mv, depth);
            let is_complete = max_plies.is_some_and(|max_plies| depth >= max_plies);
            report.value = to_value(score, previous, is_complete);
            previous = Some(expected_result(score));
            on_report(&report);
            if proved_value(score).is_some()
                || is_complete
                || moves.len() == 1 && budget.limits().depth.is_none()
            {
                break;
            }
        }
        report.nodes = searcher.nodes_of_all_threads();
        report
    })
}

/// Converts a score to a value. `previous` is the expected result of the previous iteration.
fn to_value(score: i32, previous: Option<f64>, is_complete: bool) -> Value {
    match proved_value(score) {
        Some(exact) => Value::Exact(ExactValue::without_distance(exact.game_value())),
        None if is_complete => Value::Exact(ExactValue::DRAW),
        None => {
            let mean = expected_result(score);
            // The change since the previous iteration, but never certain.
            let error = previous.map_or(1.0, |previous| (mean - previous).abs());
            Value::estimate(mean, error.clamp(0.1, 1.0))
        }
    }
}

/// Like [`deepen`], but finds the value of every move and not only the best one: each move gets a
/// full-window search, which takes longer.
pub(crate) fn deepen_every_move<G: SearchGame>(
    context: &SearchContext<G>,
    position: &G::Position,
    moves: &[G::Move],
    budget: &Budget,
    on_report: &mut dyn FnMut(&SearchReport<G::Move>),
) -> SearchReport<G::Move> {
    with_helpers(context, position, moves, budget, |searcher| {
        let game = &context.game;
        let mut ranked: Vec<(i32, RankedMove<G::Move>)> = moves
            .iter()
            .map(|&mv| (-INFINITE, RankedMove::new(mv, Value::UNKNOWN, 0)))
            .collect();
        let max_plies = game.max_plies_left(position);
        let mut report = SearchReport::empty();
        let mut last_report = Duration::ZERO;
        for depth in 1..=max_depth(budget) {
            let is_complete = max_plies.is_some_and(|max_plies| depth >= max_plies);
            for i in 0..ranked.len() {
                let (score, ranked_move) = &mut ranked[i];
                // The result is proved; finding its distance is up to the caller.
                if ranked_move.value.exact().is_some() {
                    continue;
                }
                let next = game.after(position, ranked_move.mv);
                let same_side = game.side(&next) == game.side(position);
                let nodes = searcher.nodes();
                let (left, beta) = (depth as i32 - 1, INFINITE);
                let found = searcher.search_child(&next, same_side, left, -INFINITE, beta, 0);
                if searcher.is_stopped() {
                    break;
                }
                let previous = (depth > 1).then(|| expected_result(*score));
                *score = found;
                ranked_move.value = to_value(found, previous, is_complete);
                ranked_move.nodes += searcher.nodes() - nodes;
                ranked_move.pv = principal_variation(context, position, ranked_move.mv, depth);
                // On the largest boards the first iteration takes seconds.
                if depth == 1 && budget.elapsed() >= last_report + FIRST_ITERATION_REPORT_INTERVAL {
                    last_report = budget.elapsed();
                    report.nodes = searcher.nodes_of_all_threads();
                    let mut so_far = ranked[..=i].to_vec();
                    summarize(&mut report, &mut so_far, false);
                    on_report(&report);
                }
            }
            let stopped = searcher.is_stopped();
            if !stopped {
                report.depth = depth;
            }
            report.nodes = searcher.nodes_of_all_threads();
            let all_proved = ranked
                .iter()
                .all(|(_, ranked)| ranked.value.exact().is_some());
            summarize(&mut report, &mut ranked, all_proved);
            on_report(&report);
            if stopped || all_proved {
                break;
            }
        }
        report
    })
}

/// Sorts the moves by score and updates the report. `all_proved` means that every move is proved.
fn summarize<M: Copy>(
    report: &mut SearchReport<M>,
    ranked: &mut Vec<(i32, RankedMove<M>)>,
    all_proved: bool,
) {
    sort_by_key(ranked, |&(score, _)| Reverse(score));
    report.moves = ranked.iter().map(|(_, ranked)| ranked.clone()).collect();
    if let Some((_, best)) = ranked.first() {
        report.best = Some(best.mv);
        report.pv = best.pv.clone();
        report.value = match all_proved {
            true => best.value,
            false => best.value.as_lower_bound(),
        };
    }
}

/// One iteration over all moves; afterwards the best one is first in `root_moves`. `None` if it was
/// stopped.
fn iterate<G: SearchGame>(
    context: &SearchContext<G>,
    searcher: &mut AlphaBetaSearcher<'_, G>,
    position: &G::Position,
    root_moves: &mut [RootMove<G::Move>],
    depth: u32,
) -> Option<i32> {
    let game = &context.game;
    let (mut alpha, beta) = (-INFINITE, INFINITE);
    let full_depth = depth as i32 - 1;
    for i in 0..root_moves.len() {
        let next = game.after(position, root_moves[i].mv);
        let same_side = game.side(&next) == game.side(position);
        let score = if i == 0 {
            searcher.search_child(&next, same_side, full_depth, alpha, beta, 0)
        } else {
            let score = searcher.search_child(&next, same_side, full_depth, alpha, alpha + 1, 0);
            if score > alpha && !searcher.is_stopped() {
                searcher.search_child(&next, same_side, full_depth, alpha, beta, 0)
            } else {
                score
            }
        };
        if searcher.is_stopped() {
            return None;
        }
        root_moves[i].score = score;
        if score > alpha {
            alpha = score;
            root_moves[..=i].rotate_right(1);
        }
    }
    Some(alpha)
}

/// The principal variation from the transposition table.
fn principal_variation<G: SearchGame>(
    context: &SearchContext<G>,
    position: &G::Position,
    first: G::Move,
    depth: u32,
) -> Vec<G::Move> {
    let mut pv = vec![first];
    let mut position = context.game.after(position, first);
    while pv.len() < depth as usize {
        let number = context
            .transposition_table
            .probe(context.game.hash(&position))
            .and_then(|entry| entry.best_index);
        let Some(mv) = number.and_then(|n| context.game.nth_move(&position, usize::from(n))) else {
            break;
        };
        pv.push(mv);
        context.game.apply(&mut position, mv);
    }
    pv
}
