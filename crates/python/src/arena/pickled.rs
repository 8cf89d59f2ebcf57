//! What games and results of the arena are pickled as: the plan as JSON, positions and moves
//! as text.

use std::time::Duration;

use noughts_arena::{EndReason, GameKey, MoveInfo, Plan, PlayedGame};
use noughts_engine::{ExactValue, GameValue, Value};
use noughts_rules::{AnyGameState, Outcome, Side};
use pyo3::prelude::*;

use crate::errors::{NoughtsError, Raise};
use crate::word;

/// Round, first, second, swapped.
type PickledKey = (u32, u32, u32, bool);
/// A word where it is proved, and in how many moves; else the mean and its error.
type PickledValue = (Option<String>, Option<u32>, f64, f64);
/// Nanoseconds, the value, depth, nodes.
type PickledMove = (u64, Option<PickledValue>, Option<u32>, Option<u64>);
/// Which game, where it started, the moves, how many are the opening, what is known of the
/// others, the result, the reason, the note.
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

/// The plan as text.
pub(super) fn plan_text(plan: &Plan) -> PyResult<String> {
    serde_json::to_string(plan).raise::<NoughtsError>()
}

/// The plan of such a text.
pub(super) fn read_plan(text: &str) -> PyResult<Plan> {
    serde_json::from_str(text).map_err(|_| damaged())
}

fn damaged() -> PyErr {
    NoughtsError::new_err("these are not the parts of a pickled result of the arena")
}

/// A game as it is pickled.
pub(super) fn save(game: &PlayedGame) -> PickledGame {
    let PlayedGame {
        key,
        state: play,
        opening_plies: opening,
        move_info: moves,
        outcome,
        reason,
        note,
    } = game;
    let moves = moves.iter().map(|made| {
        let MoveInfo {
            took,
            value,
            depth,
            nodes,
        } = *made;
        let nanos = u64::try_from(took.as_nanos()).unwrap_or(u64::MAX);
        (nanos, value.map(save_value), depth, nodes)
    });
    (
        (key.round, key.first, key.second, key.swapped),
        play.start_text(),
        play.moves(),
        *opening,
        moves.collect(),
        outcome.as_str().to_owned(),
        reason.name().to_owned(),
        note.clone(),
    )
}

fn save_value(value: Value) -> PickledValue {
    match value {
        Value::Exact(exact) => {
            let word = exact.game_value().as_str().to_owned();
            (Some(word), exact.plies(), 0.0, 0.0)
        }
        Value::Estimate { mean, error } => (None, None, mean, error),
    }
}

/// The games of a plan that were pickled.
pub(super) fn read(
    py: Python<'_>,
    plan: &Plan,
    games: Vec<PickledGame>,
) -> PyResult<Vec<PlayedGame>> {
    let name = pyo3::types::PyString::new(py, &plan.variant);
    let variant = word::variant(&name)?;
    let bots = u32::try_from(plan.bots.len()).unwrap_or(u32::MAX);
    let read = |game: PickledGame| {
        let (key, start, moves, opening, made, outcome, reason, note) = game;
        let (round, first, second, swapped) = key;
        let key = GameKey {
            round,
            first,
            second,
            swapped,
        };
        let mut play = AnyGameState::from_text(variant, &start).ok()?;
        for mv in &moves {
            play.play(mv).ok()?;
        }
        let made: Option<Vec<MoveInfo>> = made.into_iter().map(read_move).collect();
        let fits = first < bots && second < bots && opening <= moves.len();
        fits.then_some(PlayedGame {
            key,
            state: play,
            opening_plies: opening,
            move_info: made?,
            outcome: read_outcome(&outcome)?,
            reason: EndReason::from_name(&reason)?,
            note,
        })
    };
    let games: Option<Vec<PlayedGame>> = games.into_iter().map(read).collect();
    games.ok_or_else(damaged)
}

fn read_move((nanos, value, depth, nodes): PickledMove) -> Option<MoveInfo> {
    let value = match value {
        None => None,
        Some((None, _, mean, error)) => Some(Value::Estimate { mean, error }),
        Some((Some(word), plies, ..)) => {
            let verdicts = [GameValue::Win, GameValue::Draw, GameValue::Loss];
            let verdict = verdicts.into_iter().find(|one| one.as_str() == word)?;
            Some(Value::Exact(match (verdict, plies) {
                (GameValue::Win, Some(plies)) => ExactValue::win(plies),
                (GameValue::Loss, Some(plies)) => ExactValue::loss(plies),
                (verdict, _) => ExactValue::without_distance(verdict),
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

fn read_outcome(word: &str) -> Option<Outcome> {
    let all = [Outcome::Win(Side::X), Outcome::Win(Side::O), Outcome::Draw];
    all.into_iter().find(|outcome| outcome.as_str() == word)
}
