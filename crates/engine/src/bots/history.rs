//! What has been played already: in games where positions come back, the third
//! time is a draw. Tables and search know positions only; this is where the bots
//! remember the game.

use noughts_rules::Play;

use crate::family::Family;
use crate::limits::{Budget, Limits};
use crate::report::Report;
use crate::search::Lore;
use crate::search::deepening::deepen;
use crate::solve::{Repetition, look_up, repetition};
use crate::value::{Exact, Value, Verdict};

/// Does this move lead to a position that has not been in the game yet?
pub(crate) fn is_new<G: Family>(play: &Play<G>, mv: G::Move) -> bool {
    // Where none comes back there is nothing to look up: half a million moves of a
    // deep board would take seconds.
    if !G::REPEATS {
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
pub(crate) fn deepen_afresh<G: Family>(
    lore: &Lore<G>,
    play: &Play<G>,
    moves: &[G::Move],
    budget: &Budget,
    watch: &mut dyn FnMut(&Report<G::Move>),
) -> Report<G::Move> {
    let position = play.position();
    if !G::REPEATS {
        return deepen(lore, position, moves, budget, watch);
    }
    let fresh: Vec<G::Move> = moves
        .iter()
        .copied()
        .filter(|&mv| is_new(play, mv))
        .collect();
    if fresh.is_empty() || fresh.len() == moves.len() {
        return deepen(lore, position, moves, budget, watch);
    }
    let first = budget.part(Limits {
        time: budget.time_left().map(|left| left.mul_f64(0.6)),
        nodes: budget.limits().nodes.map(|nodes| nodes / 5 * 3),
        depth: budget.limits().depth,
    });
    let mut report = deepen(lore, position, moves, &first, watch);
    let goes_back = report.best.is_some_and(|mv| !fresh.contains(&mv));
    let wins = report
        .value
        .exact()
        .is_some_and(|exact| exact.verdict() == Verdict::Win);
    if goes_back && !wins {
        let rest = budget.after(report.nodes);
        let other = deepen(lore, position, &fresh, &rest, watch);
        let nodes = report.nodes + other.nodes;
        if other.value.points() >= report.value.points() - MARGIN {
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
pub(crate) fn heed<G: Family>(
    lore: &Lore<G>,
    play: &Play<G>,
    budget: &Budget,
    mut report: Report<G::Move>,
) -> Report<G::Move> {
    let Some(best) = report.best.filter(|_| G::REPEATS) else {
        return report;
    };
    let repeats = repetition(play, best);
    if repeats == Repetition::None {
        return report;
    }
    let position = play.position();
    let mut others = play.legal_moves();
    others.retain(|&mv| repetition(play, mv) == Repetition::None);
    if report.value.points() > 0.0 && !others.is_empty() {
        let other = match look_up(lore, position) {
            Some(ranked) => {
                let found = ranked
                    .into_iter()
                    .find(|ranked| others.contains(&ranked.mv));
                found.map(|ranked| Report {
                    best: Some(ranked.mv),
                    value: ranked.value,
                    line: ranked.line,
                    ..Report::empty()
                })
            }
            None => {
                let few = Budget::start(Limits::nodes(SECOND_THOUGHTS), budget.stop());
                Some(deepen(lore, position, &others, &few, &mut |_| {}))
            }
        };
        if let Some(other) = other.filter(|other| other.value.points() > 0.0) {
            report.best = other.best;
            report.line = other.line;
            // Without a table only the verdict of this very search is known.
            report.value = other.value;
            report.nodes += other.nodes;
            return report;
        }
    }
    match repeats {
        Repetition::AtOnce => {
            report.value = Value::Exact(Exact::DRAW);
            report.line = vec![best];
        }
        _ if report.value.points() > 0.0 => {
            report.value = Value::Estimate {
                mean: report.value.points() / 2.0,
                error: 0.5,
            };
        }
        _ => {}
    }
    report
}

/// A report as the game's history makes it: lines end where the game does, a move that ends it as a draw is one, and a
/// move that lets the opponent end it so isn't called a proved win.
pub(crate) fn with_history<G: Family>(play: &Play<G>, report: &Report<G::Move>) -> Report<G::Move> {
    let mut report = report.clone();
    cut(play, &mut report.line);
    for ranked in &mut report.moves {
        cut(play, &mut ranked.line);
        match repetition(play, ranked.mv) {
            Repetition::AtOnce => ranked.value = Value::Exact(Exact::DRAW),
            Repetition::Next if ranked.value.is_proved_win() => {
                ranked.value = Value::Estimate {
                    mean: 0.5,
                    error: 0.5,
                };
            }
            Repetition::Next | Repetition::None => {}
        }
    }
    report
}

/// Ends a line where the game ends.
fn cut<G: Family>(play: &Play<G>, line: &mut Vec<G::Move>) {
    let mut play = play.clone();
    let made = line
        .iter()
        .take_while(|&&mv| play.outcome().is_none() && play.play(mv).is_ok());
    let made = made.count();
    line.truncate(made);
}
