//! Games as records, the format that the rest of the program reads.

use std::time::Duration;

use noughts_rules::{Outcome, Record, Side};

use super::{bot_name, in_plan_order, round_text};
use crate::plan::Plan;
use crate::played_game::{EndReason, GameKey, MoveInfo, PlayedGame};

/// The games as records, in the order of the plan: the players, the date if known, the game's
/// number in the plan, the round, the ending (`End` as in saved games, and `Reason` if the arena's
/// differs), and for each move its time and evaluation.
#[must_use]
pub fn render_records(
    plan: &Plan,
    games: &[PlayedGame],
    day: impl Fn(&GameKey) -> Option<String>,
) -> String {
    let records: Vec<Record> = in_plan_order(games)
        .into_iter()
        .map(|game| record(plan, game, day(&game.key)))
        .collect();
    Record::format_all(&records)
}

fn record(plan: &Plan, game: &PlayedGame, day: Option<String>) -> Record {
    let mut record = Record::new(game.state.clone());
    record.set_result(Some(game.outcome));
    let mut tags = vec![
        ("X", bot_name(plan, game.key.bot(Side::X)).to_owned()),
        ("O", bot_name(plan, game.key.bot(Side::O)).to_owned()),
        ("XKind", "bot".into()),
        ("OKind", "bot".into()),
        ("Game", plan.game_number(&game.key).to_string()),
        ("Round", round_text(game)),
        ("End", end_tag(game).into()),
    ];
    tags.extend(day.map(|day| ("Date", day)));
    if end_tag(game) != game.reason.name() {
        tags.push(("Reason", game.reason.to_string()));
    }
    if game.opening_plies > 0 {
        tags.push(("Opening", game.opening_plies.to_string()));
    }
    if let Some(note) = &game.note {
        tags.push(("Note", note.clone()));
    }
    for (tag, value) in tags {
        // These are valid tag names that can't conflict with the game.
        let _ = record.set_tag(tag, &value);
    }
    for (i, mv) in game.move_info.iter().enumerate() {
        record.set_comment(game.opening_plies + i + 1, &comment(mv));
    }
    record
}

/// The ending, as named in saved games.
fn end_tag(game: &PlayedGame) -> &'static str {
    if let Some(ending) = game.state.ending() {
        return EndReason::from(ending).name();
    }
    match (game.reason, game.outcome) {
        (EndReason::Timeout, _) => "time",
        (EndReason::IllegalMove, _) => "illegal-move",
        (EndReason::Crash | EndReason::ProtocolError | EndReason::StartFailure, _) => "crash",
        (_, Outcome::Draw) => "agreed-draw",
        (_, Outcome::Win(_)) => "resigned",
    }
}

/// `[%emt 0:00:00.105] +0.31 ± 0.02, depth 8, 5021 nodes`: only what is known, and no node count
/// alone.
fn comment(mv: &MoveInfo) -> String {
    let mut details = Vec::new();
    details.extend(mv.value.map(|value| value.to_string()));
    details.extend(mv.depth.map(|depth| format!("depth {depth}")));
    if !details.is_empty() {
        details.extend(mv.nodes.map(|nodes| format!("{nodes} nodes")));
    }
    let mut parts = Vec::new();
    if mv.took >= Duration::from_millis(1) {
        parts.push(elapsed_text(mv.took));
    }
    if !details.is_empty() {
        parts.push(details.join(", "));
    }
    parts.join(" ")
}

/// As in PGN and in saved games.
fn elapsed_text(took: Duration) -> String {
    let seconds = took.as_secs();
    format!(
        "[%emt {}:{:02}:{:02}.{:03}]",
        seconds / 3600,
        seconds / 60 % 60,
        seconds % 60,
        took.subsec_millis()
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moves_without_info_have_no_comment() {
        let without_depth = MoveInfo {
            took: Duration::from_micros(30),
            nodes: Some(2),
            ..MoveInfo::default()
        };
        assert_eq!(comment(&without_depth), "");
        let with_depth = MoveInfo {
            depth: Some(3),
            ..without_depth
        };
        assert_eq!(comment(&with_depth), "depth 3, 2 nodes");
    }
}
