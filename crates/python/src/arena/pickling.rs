//! The pickled form of games and results: the plan as JSON, positions and moves as text.

use std::time::Duration;

use noughts_arena::{EndReason, GameKey, MoveInfo, Plan, PlayedGame};
use noughts_engine::{ExactValue, GameValue, Value};
use noughts_rules::{AnyGameState, Outcome, Side};
use pyo3::prelude::*;

use crate::errors::{NoughtsError, Raise};
use crate::game_args;

/// Round, first, second, swapped.
type PickledKey = (u32, u32, u32, bool);
/// The word and plies of an exact value; otherwise the mean and error of an estimate.
type PickledValue = (Option<String>, Option<u32>, f64, f64);
/// Nanoseconds, the value, depth, nodes.
type PickledMove = (u64, Option<PickledValue>, Option<u32>, Option<u64>);
/// Key, initial position, moves, opening plies, info about the other moves, outcome, reason, note.
pub(super) type PickledGame = (
    PickledKey,
    String,
    Vec<String>,
    usize,
    Vec<PickledMove>,
    String,
    String,
    Option<String>,
);

pub(super) fn plan_to_json(plan: &Plan) -> PyResult<String> {
    serde_json::to_string(plan).raise::<NoughtsError>()
}

pub(super) fn plan_from_json(text: &str) -> PyResult<Plan> {
    serde_json::from_str(text).map_err(|_| malformed_error())
}

fn malformed_error() -> PyErr {
    NoughtsError::new_err("this isn't a pickled result of the arena")
}

pub(super) fn pickle_game(game: &PlayedGame) -> PickledGame {
    let PlayedGame {
        key,
        state,
        opening_plies: opening,
        move_info: moves,
        outcome,
        reason,
        note,
    } = game;
    let moves = moves.iter().map(|info| {
        let MoveInfo {
            took,
            value,
            depth,
            nodes,
        } = *info;
        let nanos = u64::try_from(took.as_nanos()).unwrap_or(u64::MAX);
        (nanos, value.map(pickle_value), depth, nodes)
    });
    (
        (key.round, key.first, key.second, key.swapped),
        state.start_text(),
        state.moves(),
        *opening,
        moves.collect(),
        outcome.as_str().to_owned(),
        reason.name().to_owned(),
        note.clone(),
    )
}

fn pickle_value(value: Value) -> PickledValue {
    match value {
        Value::Exact(exact) => {
            let word = exact.game_value().as_str().to_owned();
            (Some(word), exact.plies(), 0.0, 0.0)
        }
        Value::Estimate { mean, error } => (None, None, mean, error),
    }
}

/// Restores and checks the games of a plan.
pub(super) fn unpickle_games(
    py: Python<'_>,
    plan: &Plan,
    games: Vec<PickledGame>,
) -> PyResult<Vec<PlayedGame>> {
    let name = pyo3::types::PyString::new(py, &plan.variant);
    let variant = game_args::parse_variant(&name)?;
    let bots = u32::try_from(plan.bots.len()).unwrap_or(u32::MAX);
    let unpickle = |game: PickledGame| {
        let (key, start, moves, opening, move_info, outcome, reason, note) = game;
        let (round, first, second, swapped) = key;
        let key = GameKey {
            round,
            first,
            second,
            swapped,
        };
        let mut state = AnyGameState::from_text(variant, &start).ok()?;
        for mv in &moves {
            state.play(mv).ok()?;
        }
        let move_info: Option<Vec<MoveInfo>> = move_info.into_iter().map(unpickle_move).collect();
        let is_valid = first < bots && second < bots && opening <= moves.len();
        is_valid.then_some(PlayedGame {
            key,
            state,
            opening_plies: opening,
            move_info: move_info?,
            outcome: parse_outcome(&outcome)?,
            reason: EndReason::from_name(&reason)?,
            note,
        })
    };
    let games: Option<Vec<PlayedGame>> = games.into_iter().map(unpickle).collect();
    games.ok_or_else(malformed_error)
}

fn unpickle_move((nanos, value, depth, nodes): PickledMove) -> Option<MoveInfo> {
    let value = match value {
        None => None,
        Some((None, _, mean, error)) => Some(Value::Estimate { mean, error }),
        Some((Some(word), plies, ..)) => {
            let game_values = [GameValue::Win, GameValue::Draw, GameValue::Loss];
            let game_value = game_values
                .into_iter()
                .find(|value| value.as_str() == word)?;
            Some(Value::Exact(match (game_value, plies) {
                (GameValue::Win, Some(plies)) => ExactValue::win(plies),
                (GameValue::Loss, Some(plies)) => ExactValue::loss(plies),
                (game_value, _) => ExactValue::without_distance(game_value),
            }))
        }
    };
    Some(MoveInfo {
        took: Duration::from_nanos(nanos),
        value,
        depth,
        nodes,
    })
}

fn parse_outcome(word: &str) -> Option<Outcome> {
    let all = [Outcome::Win(Side::X), Outcome::Win(Side::O), Outcome::Draw];
    all.into_iter().find(|outcome| outcome.as_str() == word)
}
