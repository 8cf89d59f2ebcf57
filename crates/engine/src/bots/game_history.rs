//! What has been played already: in games where positions come back, the third
//! time is a draw. Tables and search know positions only; this is where the bots
//! remember the game.

use noughts_rules::GameState;

use crate::limits::{Budget, SearchLimits};
use crate::report::SearchReport;
use crate::search::SearchContext;
use crate::search::iterative_deepening::deepen;
use crate::search_game::SearchGame;
use crate::solve::{Repetition, rank_by_tablebase, repetition};
use crate::value::{ExactValue, GameValue, Value};

/// Does this move lead to a position that has not been in the game yet?
pub(crate) fn is_new_position<G: SearchGame>(play: &GameState<G>, mv: G::Move) -> bool {
    // Where none comes back there is nothing to look up: half a million moves of a
    // deep board would take seconds.
    if !G::CAN_REPEAT {
        return true;
    }
    let mut next = play.position().clone();
    play.game().apply(&mut next, mv);
    play.occurrences(&next) == 0
}

/// What is better by less than this is not worth going round in circles for.
const MARGIN: f64 = 0.15;

/// Deepens among these moves; where the best one goes back to where the game has
/// been, and does not win, another that is about as good is looked for.
pub(crate) fn deepen_avoiding_repetition<G: SearchGame>(
    lore: &SearchContext<G>,
    play: &GameState<G>,
    moves: &[G::Move],
    budget: &Budget,
    watch: &mut dyn FnMut(&SearchReport<G::Move>),
) -> SearchReport<G::Move> {
    let position = play.position();
    if !G::CAN_REPEAT {
        return deepen(lore, position, moves, budget, watch);
    }
    let fresh: Vec<G::Move> = moves
        .iter()
        .copied()
        .filter(|&mv| is_new_position(play, mv))
        .collect();
    if fresh.is_empty() || fresh.len() == moves.len() {
        return deepen(lore, position, moves, budget, watch);
    }
    let first = budget.sub_budget(SearchLimits {
        time: budget.time_left().map(|left| left.mul_f64(0.6)),
        nodes: budget.limits().nodes.map(|nodes| nodes / 5 * 3),
        depth: budget.limits().depth,
    });
    let mut report = deepen(lore, position, moves, &first, watch);
    let goes_back = report.best.is_some_and(|mv| !fresh.contains(&mv));
    let wins = report
        .value
        .exact()
        .is_some_and(|exact| exact.game_value() == GameValue::Win);
    if goes_back && !wins {
        let rest = budget.after_nodes(report.nodes);
        let other = deepen(lore, position, &fresh, &rest, watch);
        let nodes = report.nodes + other.nodes;
        if other.value.expected_result() >= report.value.expected_result() - MARGIN {
            report = other;
        }
        report.nodes = nodes;
    }
    report
}

/// So many nodes find another way to win, if there is one at hand.
const SECOND_THOUGHTS: u64 = 20_000;

/// A move that looked like a win but ends in a draw because the position has been
/// there twice, or lets the opponent end it so, gives way to one that does not, if
/// there is one that is better than a draw. What remains is called what it is.
pub(crate) fn avoid_repetition<G: SearchGame>(
    lore: &SearchContext<G>,
    play: &GameState<G>,
    budget: &Budget,
    mut report: SearchReport<G::Move>,
) -> SearchReport<G::Move> {
    let Some(best) = report.best.filter(|_| G::CAN_REPEAT) else {
        return report;
    };
    let repeats = repetition(play, best);
    if repeats == Repetition::None {
        return report;
    }
    let position = play.position();
    let mut others = play.legal_moves();
    others.retain(|&mv| repetition(play, mv) == Repetition::None);
    if report.value.expected_result() > 0.0 && !others.is_empty() {
        let other = match rank_by_tablebase(lore, position) {
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
                let few = Budget::start(SearchLimits::nodes(SECOND_THOUGHTS), budget.stop_flag());
                Some(deepen(lore, position, &others, &few, &mut |_| {}))
            }
        };
        if let Some(other) = other.filter(|other| other.value.expected_result() > 0.0) {
            report.best = other.best;
            report.pv = other.pv;
            // Without a table only the verdict of this very search is known.
            report.value = other.value;
            report.nodes += other.nodes;
            return report;
        }
    }
    match repeats {
        Repetition::Immediate => {
            report.value = Value::Exact(ExactValue::DRAW);
            report.pv = vec![best];
        }
        _ if report.value.expected_result() > 0.0 => {
            report.value = Value::Estimate {
                mean: report.value.expected_result() / 2.0,
                error: 0.5,
            };
        }
        _ => {}
    }
    report
}

/// A report as the game's history makes it: lines end where the game does, a move that ends it as a draw is one, and a
/// move that lets the opponent end it so isn't called a proved win.
pub(crate) fn adjust_for_history<G: SearchGame>(
    play: &GameState<G>,
    report: &SearchReport<G::Move>,
) -> SearchReport<G::Move> {
    let mut report = report.clone();
    cut(play, &mut report.pv);
    for ranked in &mut report.moves {
        cut(play, &mut ranked.pv);
        match repetition(play, ranked.mv) {
            Repetition::Immediate => ranked.value = Value::Exact(ExactValue::DRAW),
            Repetition::OnReply if ranked.value.is_proved_win() => {
                ranked.value = Value::Estimate {
                    mean: 0.5,
                    error: 0.5,
                };
            }
            Repetition::OnReply | Repetition::None => {}
        }
    }
    report
}

/// Ends a line where the game ends.
fn cut<G: SearchGame>(play: &GameState<G>, line: &mut Vec<G::Move>) {
    let mut play = play.clone();
    let made = line
        .iter()
        .take_while(|&&mv| play.outcome().is_none() && play.play(mv).is_ok());
    let made = made.count();
    line.truncate(made);
}
