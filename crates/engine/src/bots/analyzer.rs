//! Not a playing bot: evaluates every move of a position, for analysis.

use std::borrow::Cow;
use std::cmp::{Ordering, Reverse};

use noughts_rules::GameState;

use crate::bot::{Bot, BotSettings};
use crate::bots::alpha_beta::move_by_tablebase;
use crate::bots::game_history::adjust_for_history;
use crate::limits::{Budget, SearchLimits};
use crate::report::SearchReport;
use crate::search::iterative_deepening::deepen_every_move;
use crate::search::mcts::{NODES_PER_SIMULATION, Tree};
use crate::search::{SearchContext, SearchHeuristics as _};
use crate::search_game::{BestSearch, SearchGame};
use crate::solve::{Repetition, repetition};
use crate::sort::{sort_by, sort_by_key};
use crate::value::Value;

/// At most this many moves are compared. On larger boards searching every move would take hours,
/// and the list would take too much memory.
pub(crate) const MAX_COMPARED_MOVES: usize = 10_000;

/// The moves to compare: all of them, or those with the best move-ordering scores.
fn most_promising<G: SearchGame>(
    context: &SearchContext<G>,
    position: &G::Position,
    mut moves: Vec<G::Move>,
) -> Vec<G::Move> {
    if moves.len() > MAX_COMPARED_MOVES {
        let game = &context.game;
        let score = |&mv: &G::Move| context.heuristics.move_score(game, position, mv);
        sort_by_key(&mut moves, |mv| Reverse(score(mv)));
        moves.truncate(MAX_COMPARED_MOVES);
        moves.shrink_to_fit();
    }
    moves
}

/// Probes or searches every move.
pub(crate) struct Analyzer<G: SearchGame> {
    context: SearchContext<G>,
    /// For games that `best` plays by random games, because nothing else values their positions.
    tree: Option<Tree>,
}

impl<G: SearchGame> Analyzer<G> {
    pub(crate) fn new(game: &G, settings: &BotSettings) -> Analyzer<G> {
        let tree_memory = match game.best_search() {
            BestSearch::AlphaBeta => None,
            BestSearch::Mcts => Some(settings.memory / 2),
        };
        let settings = BotSettings {
            memory: settings.memory - tree_memory.unwrap_or(0),
            ..settings.clone()
        };
        Analyzer {
            context: SearchContext::for_bot(game, &settings),
            tree: tree_memory.map(|memory| Tree::new(memory, settings.seed)),
        }
    }
}

impl<G: SearchGame> Bot<G> for Analyzer<G> {
    fn think(
        &mut self,
        state: &GameState<G>,
        budget: &Budget,
        on_report: &mut dyn FnMut(&SearchReport<G::Move>),
    ) -> SearchReport<G::Move> {
        self.context.transposition_table.new_search();
        // A tree has no depth to limit.
        let has_other_limit = budget.limits().depth.is_none() || budget.time_left().is_some();
        let tree = self.tree.as_mut().filter(|_| has_other_limit);
        search(&self.context, tree, state, budget, on_report)
    }

    fn memory_usage(&self) -> usize {
        let tree = self.tree.as_ref().map_or(0, Tree::memory_usage);
        self.context.transposition_table.memory_usage() + tree
    }
}

fn search<G: SearchGame>(
    context: &SearchContext<G>,
    tree: Option<&mut Tree>,
    state: &GameState<G>,
    budget: &Budget,
    on_report: &mut dyn FnMut(&SearchReport<G::Move>),
) -> SearchReport<G::Move> {
    let position = state.position();
    let legal = state.legal_moves();
    let moves_left_out = legal.len() > MAX_COMPARED_MOVES;
    let on_report = &mut |report: &SearchReport<G::Move>| {
        on_report(&limit_claims(state, report, moves_left_out));
    };
    if let Some(report) = move_by_tablebase(context, state, budget, on_report) {
        return limit_claims(state, &report, moves_left_out).into_owned();
    }
    let moves = most_promising(context, position, legal);
    if moves.is_empty() {
        return SearchReport::empty();
    }
    let report = match tree {
        None => deepen_every_move(context, position, &moves, budget, on_report),
        Some(tree) => {
            let simulations = budget.limits().nodes.map(|all| all / NODES_PER_SIMULATION);
            let budget = budget.sub_budget(SearchLimits {
                nodes: simulations.map(|all| all.max(1)),
                ..SearchLimits::NONE
            });
            tree.clear();
            tree.search(
                context,
                position,
                context.game.mcts_params(),
                &budget,
                on_report,
            )
        }
    };
    limit_claims(state, &report, moves_left_out).into_owned()
}

/// Limits a report to what is known: a move that repeats a position, and so the position itself, is
/// valued according to the game's history; while some moves are left out, no draw or loss is
/// proved.
fn limit_claims<'r, G: SearchGame>(
    state: &GameState<G>,
    report: &'r SearchReport<G::Move>,
    moves_left_out: bool,
) -> Cow<'r, SearchReport<G::Move>> {
    if report.moves.is_empty() || !state.game().can_repeat() && !moves_left_out {
        return Cow::Borrowed(report);
    }
    let mut report = adjust_for_history(state, report);
    let best_repeats = report
        .best
        .is_some_and(|mv| repetition(state, mv) != Repetition::None);
    if best_repeats && report.value.expected_result() > 0.0 {
        sort_by(&mut report.moves, |a, b| compare_values(b.value, a.value));
        if let Some(best) = report.moves.first() {
            report.best = Some(best.mv);
            report.pv = best.pv.clone();
            report.value = best.value;
        }
    }
    let all_proved = !moves_left_out && report.moves.iter().all(|mv| mv.value.exact().is_some());
    if !all_proved {
        report.value = report.value.as_lower_bound();
    }
    Cow::Owned(report)
}

/// Orders values for the side to move; among equals, a proved value is greater.
fn compare_values(one: Value, other: Value) -> Ordering {
    let points = one.expected_result().total_cmp(&other.expected_result());
    points.then_with(|| one.exact().cmp(&other.exact()))
}

#[cfg(test)]
mod tests {
    use noughts_rules::Mnk;

    use super::*;
    use crate::report::RankedMove;
    use crate::value::{ExactValue, GameValue};

    /// A loss used to be called proved although half a million moves were never searched.
    #[test]
    fn only_wins_are_proved_while_moves_are_left_out() {
        let state = GameState::new(Mnk::<1>::classic());
        let moves = state.legal_moves();
        for (exact, is_proved) in [
            (ExactValue::loss(4), false),
            (ExactValue::DRAW, false),
            (ExactValue::win(3), true),
        ] {
            let value = Value::Exact(exact);
            let ranked = |&mv| RankedMove {
                mv,
                value,
                nodes: 1,
                pv: vec![mv],
            };
            let report = SearchReport {
                value,
                moves: moves.iter().map(ranked).collect(),
                ..SearchReport::empty()
            };
            assert_eq!(limit_claims(&state, &report, false).value, value);
            let partial = limit_claims(&state, &report, true).value;
            assert_eq!(partial.exact().is_some(), is_proved, "{exact:?}");
            assert_eq!(exact.game_value() == GameValue::Win, is_proved);
        }
    }
}
