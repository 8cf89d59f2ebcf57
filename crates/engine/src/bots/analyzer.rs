//! Not for playing: judges every move of a position, for analysis.

use std::borrow::Cow;
use std::cmp::{Ordering, Reverse};

use noughts_rules::GameState;

use crate::bot::{Bot, BotSettings};
use crate::bots::alpha_beta::move_by_tablebase;
use crate::bots::game_history::adjust_for_history;
use crate::limits::Budget;
use crate::report::SearchReport;
use crate::search::iterative_deepening::deepen_every_move;
use crate::search::{SearchContext, SearchHeuristics as _};
use crate::search_game::SearchGame;
use crate::solve::{Repetition, repetition};
use crate::value::Value;

/// At most this many moves are compared. Boards with more are so large that a search of
/// each would take hours, and a list of them a lot of memory.
pub(crate) const MOST_COMPARED: usize = 10_000;

/// The moves to compare: all of them, or those that promise most.
fn most_promising<G: SearchGame>(
    lore: &SearchContext<G>,
    position: &G::Position,
    mut moves: Vec<G::Move>,
) -> Vec<G::Move> {
    if moves.len() > MOST_COMPARED {
        let game = &lore.game;
        moves.sort_by_key(|&mv| Reverse(lore.heuristics.move_score(game, position, mv)));
        moves.truncate(MOST_COMPARED);
        moves.shrink_to_fit();
    }
    moves
}

/// Looks up or searches every move.
pub(crate) struct Analyzer<G: SearchGame> {
    context: SearchContext<G>,
}

impl<G: SearchGame> Analyzer<G> {
    pub(crate) fn new(game: &G, settings: &BotSettings) -> Analyzer<G> {
        Analyzer {
            context: SearchContext::new(game, settings, game.max_plies_left(&game.start()))
                .warmed_up(),
        }
    }
}

impl<G: SearchGame> Bot<G> for Analyzer<G> {
    fn think(
        &mut self,
        play: &GameState<G>,
        budget: &Budget,
        watch: &mut dyn FnMut(&SearchReport<G::Move>),
    ) -> SearchReport<G::Move> {
        let (lore, position) = (&self.context, play.position());
        let legal = play.legal_moves();
        let left_out = legal.len() > MOST_COMPARED;
        let watch = &mut |report: &SearchReport<G::Move>| watch(&sound(play, report, left_out));
        if let Some(report) = move_by_tablebase(lore, play, budget, watch) {
            return sound(play, &report, left_out).into_owned();
        }
        let moves = most_promising(lore, position, legal);
        if moves.is_empty() {
            return SearchReport::empty();
        }
        let report = deepen_every_move(lore, position, &moves, budget, watch);
        sound(play, &report, left_out).into_owned()
    }
}

/// A report that claims no more than is known: a move that repeats a position is worth what the
/// game's history makes it, and so is the position; while moves were left out, no draw or loss
/// is proved.
fn sound<'r, G: SearchGame>(
    play: &GameState<G>,
    report: &'r SearchReport<G::Move>,
    left_out: bool,
) -> Cow<'r, SearchReport<G::Move>> {
    if report.moves.is_empty() || !G::CAN_REPEAT && !left_out {
        return Cow::Borrowed(report);
    }
    let mut report = adjust_for_history(play, report);
    let best_repeats = report
        .best
        .is_some_and(|mv| repetition(play, mv) != Repetition::None);
    if best_repeats && report.value.expected_result() > 0.0 {
        report.moves.sort_by(|a, b| by_value(b.value, a.value));
        if let Some(best) = report.moves.first() {
            report.best = Some(best.mv);
            report.pv = best.pv.clone();
            report.value = best.value;
        }
    }
    let all = !left_out && report.moves.iter().all(|mv| mv.value.exact().is_some());
    if !all && !report.value.is_proved_win() && report.value.exact().is_some() {
        report.value = Value::Estimate {
            mean: report.value.expected_result(),
            error: 0.5,
        };
    }
    Cow::Owned(report)
}

/// The better value for the one who moves; among equals a proof.
fn by_value(one: Value, other: Value) -> Ordering {
    let points = one.expected_result().total_cmp(&other.expected_result());
    points.then_with(|| one.exact().cmp(&other.exact()))
}

#[cfg(test)]
mod tests {
    use noughts_rules::Mnk;

    use super::*;
    use crate::report::RankedMove;
    use crate::value::{ExactValue, GameValue};

    /// Guards against a loss that was called proved although half a million moves were never looked at.
    #[test]
    fn nothing_but_a_win_is_proved_while_moves_are_left_out() {
        let play = GameState::new(Mnk::<1>::classic());
        let moves = play.legal_moves();
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
            assert_eq!(sound(&play, &report, false).value, value);
            let partial = sound(&play, &report, true).value;
            assert_eq!(partial.exact().is_some(), is_proved, "{exact:?}");
            assert_eq!(exact.game_value() == GameValue::Win, is_proved);
        }
    }
}
