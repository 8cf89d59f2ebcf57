//! Games as CSV, one line each.

use std::fmt::Write as _;
use std::time::Duration;

use noughts_rules::{Outcome, Side};

use super::{bot_name, in_plan_order, round_text};
use crate::plan::Plan;
use crate::played_game::PlayedGame;

/// The games as CSV, one line each, in the order of the plan. Text is quoted. A `'` precedes text
/// that a spreadsheet would take for a formula (text that starts with `=`, `+`, `-`, `@`, a tab or
/// a carriage return).
///
/// Columns: `number` (the number in the plan, from 1), `round` (`3.1` and `3.2` are the games of
/// the third pair), `x`, `o`, `result` (`1-0`, `0-1`, `1/2-1/2`), `reason`, `plies`, `opening` (the
/// position or moves it started with), `x_ms` and `o_ms` (the sum over all moves), `x_longest_ms`,
/// `o_longest_ms`, `moves`, `note`.
#[must_use]
pub fn render_csv(plan: &Plan, games: &[PlayedGame]) -> String {
    let mut text = String::from(
        "number,round,x,o,result,reason,plies,opening,x_ms,o_ms,x_longest_ms,o_longest_ms,moves,note\n",
    );
    for game in in_plan_order(games) {
        let moves = game.state.moves();
        let [x, o] = [Side::X, Side::O].map(|side| total_and_longest(game, side));
        let _ = writeln!(
            text,
            "{},{},{},{},{},{},{},{},{},{},{},{},{},{}",
            plan.game_number(&game.key),
            round_text(game),
            quoted(bot_name(plan, game.key.bot(Side::X))),
            quoted(bot_name(plan, game.key.bot(Side::O))),
            result_text(game.outcome),
            game.reason,
            moves.len(),
            quoted(&opening_text(game, &moves)),
            millis_text(x.0),
            millis_text(o.0),
            millis_text(x.1),
            millis_text(o.1),
            quoted(&moves.join(" ")),
            quoted(game.note.as_deref().unwrap_or_default()),
        );
    }
    text
}

pub(super) const fn result_text(outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::Win(Side::X) => "1-0",
        Outcome::Win(Side::O) => "0-1",
        Outcome::Draw => "1/2-1/2",
    }
}

/// The starting position, if it isn't the usual one, and the moves of the opening.
fn opening_text(game: &PlayedGame, moves: &[String]) -> String {
    let mut parts = Vec::new();
    if !game.state.has_standard_start() {
        parts.push(game.state.start_text());
    }
    parts.extend(moves.iter().take(game.opening_plies).cloned());
    parts.join(" ")
}

/// The total and the longest time of a side's moves.
fn total_and_longest(game: &PlayedGame, side: Side) -> (Duration, Duration) {
    let sides = game.state.move_sides().into_iter().skip(game.opening_plies);
    let times = game
        .move_info
        .iter()
        .zip(sides)
        .filter(|(_, mover)| *mover == side);
    times.fold(
        (Duration::ZERO, Duration::ZERO),
        |(all, longest), (mv, _)| (all.saturating_add(mv.took), longest.max(mv.took)),
    )
}

fn millis_text(time: Duration) -> String {
    format!("{:.3}", time.as_secs_f64() * 1e3)
}

fn quoted(text: &str) -> String {
    let guard = if text.starts_with(['=', '+', '-', '@', '\t', '\r']) {
        "'"
    } else {
        ""
    };
    format!("\"{guard}{}\"", text.replace('"', "\"\""))
}
