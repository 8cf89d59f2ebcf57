//! Games as CSV, one line each.

use std::time::Duration;

use csv::{QuoteStyle, WriterBuilder};
use noughts_rules::{Outcome, Side};

use super::{bot_name, in_plan_order, round_text};
use crate::plan::Plan;
use crate::played_game::PlayedGame;

const COLUMNS: &str =
    "number,round,x,o,result,reason,plies,opening,x_ms,o_ms,x_longest_ms,o_longest_ms,moves,note";

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
    let mut writer = WriterBuilder::new()
        .quote_style(QuoteStyle::NonNumeric)
        .has_headers(false)
        .from_writer(format!("{COLUMNS}\n").into_bytes());
    for game in in_plan_order(games) {
        let moves = game.state.moves();
        let [x, o] = Side::BOTH.map(|side| total_and_longest(game, side));
        let written = writer.serialize((
            plan.game_number(&game.key),
            round_text(game),
            guarded(bot_name(plan, game.key.bot(Side::X))),
            guarded(bot_name(plan, game.key.bot(Side::O))),
            result_text(game.outcome),
            game.reason.name(),
            moves.len(),
            guarded(&opening_text(game, &moves)),
            millis_text(x.0),
            millis_text(o.0),
            millis_text(x.1),
            millis_text(o.1),
            guarded(&moves.join(" ")),
            guarded(game.note.as_deref().unwrap_or_default()),
        ));
        debug_assert!(written.is_ok(), "writing to memory doesn't fail");
    }
    let bytes = writer.into_inner().unwrap_or_default();
    String::from_utf8_lossy(&bytes).into_owned()
}

const fn result_text(outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::Win(Side::X) => "1-0",
        Outcome::Win(Side::O) => "0-1",
        Outcome::Draw => "1/2-1/2",
    }
}

/// The starting position, if it isn't the usual one, and the moves of the opening.
fn opening_text(game: &PlayedGame, moves: &[String]) -> String {
    let start = (!game.state.has_standard_start()).then(|| game.state.start_text());
    let opening = moves.iter().take(game.opening_plies).cloned();
    start
        .into_iter()
        .chain(opening)
        .collect::<Vec<_>>()
        .join(" ")
}

/// The total and the longest time of a side's moves.
fn total_and_longest(game: &PlayedGame, side: Side) -> (Duration, Duration) {
    let times = game.timed_moves().filter(|(mover, _)| *mover == side);
    times.fold(
        (Duration::ZERO, Duration::ZERO),
        |(all, longest), (_, mv)| (all.saturating_add(mv.took), longest.max(mv.took)),
    )
}

fn millis_text(time: Duration) -> String {
    format!("{:.3}", time.as_secs_f64() * 1e3)
}

fn guarded(text: &str) -> String {
    match text.starts_with(['=', '+', '-', '@', '\t', '\r']) {
        true => format!("'{text}"),
        false => text.to_owned(),
    }
}
