//! What the page's script is given: games as changes, in as few bytes as is easy.

use std::collections::HashMap;
use std::time::Duration;

use noughts_engine::{GameValue, Value};
use noughts_rules::{Outcome, Side, Variant};
use serde::Serialize;

use super::changes::game_changes;
use crate::plan::Plan;
use crate::played_game::{EndReason, MoveInfo, PlayedGame};

/// Longer games are listed, but not shown move by move.
pub(super) const LONGEST: usize = 20_000;

/// Everything the script knows.
#[derive(Serialize)]
struct Data<'a> {
    bots: Vec<&'a str>,
    reasons: Vec<&'static str>,
    board: Board,
    /// What boards look like before the first move.
    starts: Vec<String>,
    games: Vec<Game>,
}

/// How the board is drawn.
#[derive(Serialize)]
#[serde(rename_all = "lowercase", tag = "kind")]
enum Board {
    Flat { columns: u8, rows: u8 },
    Two { columns: u8, rows: u8, grid: u8 },
    Nested { depth: u8 },
}

/// A game: its number, pair and which of it, X, O, result, reason, moves of the opening, number of
/// moves, start, moves, changes, times in tenths of milliseconds, values, note.
#[derive(Serialize)]
struct Game(
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

/// What the script reads, safe inside a script element whatever bots are called.
pub(super) fn replay_json(plan: &Plan, games: &[&PlayedGame]) -> String {
    let mut starts: Vec<String> = Vec::new();
    let mut known: HashMap<String, usize> = HashMap::new();
    let games = games
        .iter()
        .map(|game| {
            let plies = game.state.ply();
            let (mut moves, mut steps, mut start) = (String::new(), String::new(), String::new());
            if plies <= LONGEST {
                let changes = game_changes(&game.state);
                moves = game.state.moves().join(" ");
                steps = changes.plies.join(" ");
                start = changes.start;
            }
            let start = *known.entry(start).or_insert_with_key(|start| {
                starts.push(start.clone());
                starts.len() - 1
            });
            Game(
                plan.game_number(&game.key),
                2 * u64::from(game.key.round) + u64::from(game.key.swapped),
                game.key.bot(Side::X),
                game.key.bot(Side::O),
                match game.outcome {
                    Outcome::Win(Side::X) => 0,
                    Outcome::Win(Side::O) => 1,
                    Outcome::Draw => 2,
                },
                place(game.reason),
                game.opening_plies,
                plies,
                start,
                moves,
                steps,
                times(&game.move_info),
                values(&game.move_info),
                game.note.clone(),
            )
        })
        .collect();
    let data = Data {
        bots: plan.bots.iter().map(|bot| bot.name.as_str()).collect(),
        reasons: EndReason::ALL.map(reason_label).to_vec(),
        board: board(plan),
        starts,
        games,
    };
    let text = serde_json::to_string(&data).unwrap_or_else(|_| "null".into());
    text.replace('<', "\\u003c")
}

fn place(reason: EndReason) -> u8 {
    (0..)
        .zip(EndReason::ALL)
        .find(|(_, other)| *other == reason)
        .map_or(0, |(place, _)| place)
}

fn board(plan: &Plan) -> Board {
    match plan.variant.parse::<Variant>() {
        Ok(Variant::Mnk(options)) => {
            let (columns, rows, _) = options.size();
            Board::Flat { columns, rows }
        }
        Ok(Variant::TicTacTwo(options)) => Board::Two {
            columns: options.board_size(),
            rows: options.board_size(),
            grid: options.grid_size(),
        },
        Ok(Variant::Nested(options)) => Board::Nested {
            depth: options.depth(),
        },
        Err(_) => Board::Flat {
            columns: 3,
            rows: 3,
        },
    }
}

/// How games end, for people.
pub(super) const fn reason_label(reason: EndReason) -> &'static str {
    match reason {
        EndReason::Line => "a line",
        EndReason::DoubleLine => "a line of both",
        EndReason::NoMove => "no move left",
        EndReason::MostBoards => "most boards",
        EndReason::Repetition => "repetition",
        EndReason::Timeout => "time ran out",
        EndReason::IllegalMove => "an illegal move",
        EndReason::Crash => "a crash",
        EndReason::ProtocolError => "a broken protocol",
        EndReason::StartFailure => "a failed start",
        EndReason::MoveLimit => "the move limit",
        EndReason::ExactValue => "its exact value",
        EndReason::Agreement => "agreement of both",
    }
}

/// Tenths of milliseconds in base 36.
fn times(moves: &[MoveInfo]) -> String {
    let tenth = |took: Duration| u64::try_from(took.as_micros() / 100).unwrap_or(u64::MAX);
    let texts: Vec<String> = moves.iter().map(|mv| base36(tenth(mv.took))).collect();
    if texts.iter().all(|text| text == "0") {
        return String::new();
    }
    texts.join(" ")
}

/// Hundredths in base 36; `W`, `D` and `L` where it is proved; `.` where nothing is known.
fn values(moves: &[MoveInfo]) -> String {
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
