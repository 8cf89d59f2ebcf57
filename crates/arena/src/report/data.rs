//! The JSON that the page's script reads: games as changes, in a compact form.

use std::collections::HashMap;
use std::time::Duration;

use noughts_engine::{GameValue, Value};
use noughts_rules::{Outcome, Side, Variant};
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
    board: BoardShape,
    /// The boards before the first move.
    starts: Vec<String>,
    games: Vec<GameRow>,
}

/// How the board is drawn.
#[derive(Serialize)]
#[serde(rename_all = "lowercase", tag = "kind")]
enum BoardShape {
    Flat { columns: u8, rows: u8 },
    Two { columns: u8, rows: u8, grid: u8 },
    Nested { depth: u8 },
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

/// The JSON, safe inside a script element whatever the bots' names are.
pub(super) fn replay_json(plan: &Plan, games: &[&PlayedGame]) -> String {
    let mut starts: Vec<String> = Vec::new();
    let mut indices: HashMap<String, usize> = HashMap::new();
    let games = games
        .iter()
        .map(|game| {
            let plies = game.state.ply();
            let (mut moves, mut steps, mut start) = (String::new(), String::new(), String::new());
            if plies <= MAX_REPLAY_PLIES {
                let changes = game_changes(&game.state);
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
                reason_index(game.reason),
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
        reasons: EndReason::ALL.map(reason_label).to_vec(),
        board: board_shape(plan),
        starts,
        games,
    };
    let text = serde_json::to_string(&data).unwrap_or_else(|_| "null".into());
    text.replace('<', "\\u003c")
}

fn reason_index(reason: EndReason) -> u8 {
    (0..)
        .zip(EndReason::ALL)
        .find(|(_, other)| *other == reason)
        .map_or(0, |(index, _)| index)
}

fn board_shape(plan: &Plan) -> BoardShape {
    match plan.variant.parse::<Variant>() {
        Ok(Variant::Mnk(options)) => {
            let (columns, rows, _) = options.size();
            BoardShape::Flat { columns, rows }
        }
        Ok(Variant::TicTacTwo(options)) => BoardShape::Two {
            columns: options.board_size(),
            rows: options.board_size(),
            grid: options.grid_size(),
        },
        Ok(Variant::Nested(options)) => BoardShape::Nested {
            depth: options.depth(),
        },
        Err(_) => BoardShape::Flat {
            columns: 3,
            rows: 3,
        },
    }
}

/// How a game ended, for display.
pub(super) const fn reason_label(reason: EndReason) -> &'static str {
    match reason {
        EndReason::Line => "line",
        EndReason::DoubleLine => "both completed a line",
        EndReason::NoMove => "no moves left",
        EndReason::MostBoards => "most boards",
        EndReason::Repetition => "repetition",
        EndReason::Timeout => "timeout",
        EndReason::IllegalMove => "illegal move",
        EndReason::Crash => "crash",
        EndReason::ProtocolError => "protocol error",
        EndReason::StartFailure => "failed to start",
        EndReason::MoveLimit => "move limit",
        EndReason::ExactValue => "exact value (adjudicated)",
        EndReason::Agreement => "agreement (adjudicated)",
    }
}

/// Times in tenths of milliseconds, in base 36.
fn times_text(moves: &[MoveInfo]) -> String {
    let tenth = |took: Duration| u64::try_from(took.as_micros() / 100).unwrap_or(u64::MAX);
    let texts: Vec<String> = moves.iter().map(|mv| base36(tenth(mv.took))).collect();
    if texts.iter().all(|text| text == "0") {
        return String::new();
    }
    texts.join(" ")
}

/// Values in hundredths, in base 36; `W`, `D` and `L` if proved; `.` if unknown.
fn values_text(moves: &[MoveInfo]) -> String {
    if moves.iter().all(|mv| mv.value.is_none()) {
        return String::new();
    }
    let text = |mv: &MoveInfo| match mv.value {
        None => ".".into(),
        Some(Value::Exact(exact)) => match exact.game_value() {
            GameValue::Win => "W".into(),
            GameValue::Draw => "D".into(),
            GameValue::Loss => "L".into(),
        },
        Some(Value::Estimate { mean, .. }) if mean.is_finite() => {
            let hundredths = (mean.clamp(-1.0, 1.0) * 100.0).round();
            let sign = if hundredths < 0.0 { "-" } else { "" };
            format!("{sign}{}", base36(hundredths.abs() as u64))
        }
        Some(Value::Estimate { .. }) => ".".into(),
    };
    let texts: Vec<String> = moves.iter().map(text).collect();
    texts.join(" ")
}

fn base36(mut number: u64) -> String {
    let mut digits = Vec::new();
    loop {
        digits.push(b"0123456789abcdefghijklmnopqrstuvwxyz"[(number % 36) as usize]);
        number /= 36;
        if number == 0 {
            break;
        }
    }
    digits
        .iter()
        .rev()
        .map(|&digit| char::from(digit))
        .collect()
}
