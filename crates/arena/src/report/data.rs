//! The JSON that the page's script reads: games as changes, in a compact form.

use std::collections::HashMap;

use noughts_engine::{GameValue, Value};
use noughts_rules::{Outcome, Side};
use noughts_view::ReplayBoard;
use serde::Serialize;

use super::changes::game_changes;
use crate::plan::Plan;
use crate::played_game::{EndReason, MoveInfo, PlayedGame};

/// Longer games are listed, but can't be replayed.
pub(super) const MAX_REPLAY_PLIES: usize = 20_000;

/// The root object.
#[derive(Serialize)]
struct ReplayData<'a> {
    bots: Vec<&'a str>,
    reasons: Vec<&'static str>,
    board: BoardData,
    /// The boards before the first move.
    starts: Vec<String>,
    games: Vec<GameRow>,
}

/// The places of the board.
#[derive(Serialize)]
struct BoardData {
    /// For each level, the places on a board.
    squares: Vec<Vec<[f64; 3]>>,
    /// The color of each sprite.
    colors: String,
}

/// A game: its number, 2 × round + swapped, X, O, result, reason, opening plies, number of moves,
/// index of the start, moves, changes, times in tenths of milliseconds, values, note.
#[derive(Serialize)]
struct GameRow(
    u64,
    u64,
    u32,
    u32,
    u8,
    u8,
    usize,
    usize,
    usize,
    String,
    String,
    String,
    String,
    #[serde(skip_serializing_if = "Option::is_none")] Option<String>,
);

/// The JSON, safe inside a script element whatever the bots' names are. The board gets the sprites that it needs.
pub(super) fn replay_json(plan: &Plan, games: &[&PlayedGame], board: &mut ReplayBoard) -> String {
    let mut starts: Vec<String> = Vec::new();
    let mut indices: HashMap<String, usize> = HashMap::new();
    let games = games
        .iter()
        .map(|game| {
            let plies = game.state.ply();
            let (mut moves, mut steps, mut start) = (String::new(), String::new(), String::new());
            if plies <= MAX_REPLAY_PLIES {
                let changes = game_changes(&game.state, board);
                moves = game.state.moves().join(" ");
                steps = changes.plies.join(" ");
                start = changes.start;
            }
            let start = *indices.entry(start).or_insert_with_key(|start| {
                starts.push(start.clone());
                starts.len() - 1
            });
            GameRow(
                plan.game_number(&game.key),
                2 * u64::from(game.key.round) + u64::from(game.key.swapped),
                game.key.bot(Side::X),
                game.key.bot(Side::O),
                match game.outcome {
                    Outcome::Win(Side::X) => 0,
                    Outcome::Win(Side::O) => 1,
                    Outcome::Draw => 2,
                },
                game.reason as u8,
                game.opening_plies,
                plies,
                start,
                moves,
                steps,
                times_text(&game.move_info),
                values_text(&game.move_info),
                game.note.clone(),
            )
        })
        .collect();
    let data = ReplayData {
        bots: plan.bots.iter().map(|bot| bot.name.as_str()).collect(),
        reasons: EndReason::ALL.map(EndReason::label).into(),
        board: BoardData {
            squares: board.squares(),
            colors: board.colors(),
        },
        starts,
        games,
    };
    let text = serde_json::to_string(&data).unwrap_or_else(|_| "null".into());
    text.replace('<', "\\u003c")
}

/// Times in tenths of milliseconds; empty if all are 0.
fn times_text(moves: &[MoveInfo]) -> String {
    let tenths = |mv: &MoveInfo| mv.took.as_micros() / 100;
    match moves.iter().all(|mv| tenths(mv) == 0) {
        true => String::new(),
        false => joined(moves, |mv| tenths(mv).to_string()),
    }
}

/// Values in hundredths; `W`, `D` and `L` if proved; `.` if unknown; empty if none is known.
fn values_text(moves: &[MoveInfo]) -> String {
    if moves.iter().all(|mv| mv.value.is_none()) {
        return String::new();
    }
    joined(moves, |mv| match mv.value {
        Some(Value::Exact(exact)) => match exact.game_value() {
            GameValue::Win => "W".into(),
            GameValue::Draw => "D".into(),
            GameValue::Loss => "L".into(),
        },
        Some(Value::Estimate { mean, .. }) if mean.is_finite() => {
            ((mean.clamp(-1.0, 1.0) * 100.0).round() as i8).to_string()
        }
        Some(Value::Estimate { .. }) | None => ".".into(),
    })
}

fn joined(moves: &[MoveInfo], text: impl Fn(&MoveInfo) -> String) -> String {
    moves.iter().map(text).collect::<Vec<_>>().join(" ")
}
