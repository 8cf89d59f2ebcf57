//! Games as records, which every other part of the program reads.

use std::time::Duration;

use noughts_rules::{Outcome, Record, Side};

use super::{bot_name, in_plan_order, round_text};
use crate::plan::Plan;
use crate::played_game::{EndReason, GameKey, MoveInfo, PlayedGame};

/// The games as records, in the order of the plan: who played, on which day, as far as that
/// is known, the game's number in the plan, the round, how it ended (`End` in the words of
/// saved games, and `Reason` in the arena's where these differ), and behind each move what
/// it took and what its bot thought.
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
        ("End", end(game).into()),
    ];
    tags.extend(day.map(|day| ("Date", day)));
    if end(game) != game.reason.name() {
        tags.push(("Reason", game.reason.to_string()));
    }
    if game.opening_plies > 0 {
        tags.push(("Opening", game.opening_plies.to_string()));
    }
    if let Some(note) = &game.note {
        tags.push(("Note", note.clone()));
    }
    for (tag, value) in tags {
        // These names are tags, and none of them follows from the game.
        let _ = record.set_tag(tag, &value);
    }
    for (i, mv) in game.move_info.iter().enumerate() {
        record.set_comment(game.opening_plies + i + 1, &comment(mv));
    }
    record
}

/// How it ended, in the words that saved games know.
fn end(game: &PlayedGame) -> &'static str {
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

/// `[%emt 0:00:00.105] +0.31 ± 0.02, depth 8, 5021 nodes`: nothing that is not known, and
/// no count of what was looked at where that is all there is.
fn comment(mv: &MoveInfo) -> String {
    let mut thoughts = Vec::new();
    thoughts.extend(mv.value.map(|value| value.to_string()));
    thoughts.extend(mv.depth.map(|depth| format!("depth {depth}")));
    if !thoughts.is_empty() {
        thoughts.extend(mv.nodes.map(|nodes| format!("{nodes} nodes")));
    }
    let mut parts = Vec::new();
    if mv.took >= Duration::from_millis(1) {
        parts.push(elapsed(mv.took));
    }
    if !thoughts.is_empty() {
        parts.push(thoughts.join(", "));
    }
    parts.join(" ")
}

/// As chess's records have it, and our saved games.
fn elapsed(took: Duration) -> String {
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
    fn a_bot_that_says_nothing_leaves_no_remark() {
        let quiet = MoveInfo {
            took: Duration::from_micros(30),
            nodes: Some(2),
            ..MoveInfo::default()
        };
        assert_eq!(comment(&quiet), "");
        let talks = MoveInfo {
            depth: Some(3),
            ..quiet
        };
        assert_eq!(comment(&talks), "depth 3, 2 nodes");
    }
}
