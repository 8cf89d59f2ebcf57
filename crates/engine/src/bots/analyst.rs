//! Not for playing: judges every move of a position, for analysis.

use std::borrow::Cow;
use std::cmp::{Ordering, Reverse};

use noughts_rules::Play;

use crate::bot::{Bot, Settings};
use crate::bots::alpha_beta::by_table;
use crate::bots::history::with_history;
use crate::family::Family;
use crate::limits::Budget;
use crate::report::Report;
use crate::search::deepening::compare;
use crate::search::{Lore, Tactics as _};
use crate::solve::{Repetition, repetition};
use crate::value::Value;

/// At most this many moves are compared. Boards with more are so large that a search of
/// each would take hours, and a list of them a lot of memory.
pub(crate) const MOST_COMPARED: usize = 10_000;

/// The moves to compare: all of them, or those that promise most.
fn most_promising<G: Family>(
    lore: &Lore<G>,
    position: &G::Position,
    mut moves: Vec<G::Move>,
) -> Vec<G::Move> {
    if moves.len() > MOST_COMPARED {
        let game = &lore.game;
        moves.sort_by_key(|&mv| Reverse(lore.tactics.promise(game, position, mv)));
        moves.truncate(MOST_COMPARED);
        moves.shrink_to_fit();
    }
    moves
}

/// Looks up or searches every move.
pub(crate) struct Analyst<G: Family> {
    lore: Lore<G>,
}

impl<G: Family> Analyst<G> {
    pub(crate) fn new(game: &G, settings: &Settings) -> Analyst<G> {
        Analyst {
            lore: Lore::new(game, settings, game.most_plies(&game.start())).ready(),
        }
    }
}

impl<G: Family> Bot<G> for Analyst<G> {
    fn think(
        &mut self,
        play: &Play<G>,
        budget: &Budget,
        watch: &mut dyn FnMut(&Report<G::Move>),
    ) -> Report<G::Move> {
        let (lore, position) = (&self.lore, play.position());
        let legal = play.legal_moves();
        let left_out = legal.len() > MOST_COMPARED;
        let watch = &mut |report: &Report<G::Move>| watch(&sound(play, report, left_out));
        if let Some(report) = by_table(lore, play, budget, watch) {
            return sound(play, &report, left_out).into_owned();
        }
        let moves = most_promising(lore, position, legal);
        if moves.is_empty() {
            return Report::empty();
        }
        let report = compare(lore, position, &moves, budget, watch);
        sound(play, &report, left_out).into_owned()
    }
}

/// A report that claims no more than is known: a move that repeats a position is worth what the
/// game's history makes it, and so is the position; while moves were left out, no draw or loss
/// is proved.
fn sound<'r, G: Family>(
    play: &Play<G>,
    report: &'r Report<G::Move>,
    left_out: bool,
) -> Cow<'r, Report<G::Move>> {
    if report.moves.is_empty() || !G::REPEATS && !left_out {
        return Cow::Borrowed(report);
    }
    let mut report = with_history(play, report);
    let best_repeats = report
        .best
        .is_some_and(|mv| repetition(play, mv) != Repetition::None);
    if best_repeats && report.value.points() > 0.0 {
        report.moves.sort_by(|a, b| by_value(b.value, a.value));
        if let Some(best) = report.moves.first() {
            report.best = Some(best.mv);
            report.line = best.line.clone();
            report.value = best.value;
        }
    }
    let all = !left_out && report.moves.iter().all(|mv| mv.value.exact().is_some());
    if !all && !report.value.is_proved_win() && report.value.exact().is_some() {
        report.value = Value::Estimate {
            mean: report.value.points(),
            error: 0.5,
        };
    }
    Cow::Owned(report)
}

/// The better value for the one who moves; among equals a proof.
fn by_value(one: Value, other: Value) -> Ordering {
    let points = one.points().total_cmp(&other.points());
    points.then_with(|| one.exact().cmp(&other.exact()))
}

#[cfg(test)]
mod tests {
    use noughts_rules::Mnk;

    use super::*;
    use crate::report::Ranked;
    use crate::value::{Exact, Verdict};

    /// Guards against a loss that was called proved although half a million moves were never looked at.
    #[test]
    fn nothing_but_a_win_is_proved_while_moves_are_left_out() {
        let play = Play::new(Mnk::<1>::classic());
        let moves = play.legal_moves();
        for (exact, is_proved) in [
            (Exact::loss(4), false),
            (Exact::DRAW, false),
            (Exact::win(3), true),
        ] {
            let value = Value::Exact(exact);
            let ranked = |&mv| Ranked {
                mv,
                value,
                nodes: 1,
                line: vec![mv],
            };
            let report = Report {
                value,
                moves: moves.iter().map(ranked).collect(),
                ..Report::empty()
            };
            assert_eq!(sound(&play, &report, false).value, value);
            let partial = sound(&play, &report, true).value;
            assert_eq!(partial.exact().is_some(), is_proved, "{exact:?}");
            assert_eq!(exact.verdict() == Verdict::Win, is_proved);
        }
    }
}
