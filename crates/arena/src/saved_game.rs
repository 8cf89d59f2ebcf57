//! Games as text and plain numbers, to be stored or sent to another process.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use noughts_engine::{ExactValue, GameValue, Value};
use noughts_rules::{AnyGameState, Outcome, Side, Variant};
use serde::{Deserialize, Serialize};

use crate::played_game::{EndReason, GameKey, MoveInfo, PlayedGame};

/// A game as text and plain numbers.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct SavedGame {
    /// Which game of the plan it is.
    pub key: GameKey,
    /// The starting position, if it isn't the default one.
    pub start: Option<String>,
    /// How many of the moves are the opening.
    pub opening: u64,
    /// All moves, separated by spaces.
    pub moves: String,
    /// The time in nanoseconds, value, depth and nodes of each move after the opening: separated by
    /// commas, and moves by spaces.
    pub details: String,
    /// The result: `x`, `o` or `draw`.
    pub outcome: String,
    /// The name of the [`EndReason`].
    pub reason: String,
    /// Details that the reason doesn't say.
    pub note: Option<String>,
}

impl From<&PlayedGame> for SavedGame {
    fn from(game: &PlayedGame) -> SavedGame {
        let details: Vec<String> = game.move_info.iter().map(details_text).collect();
        SavedGame {
            key: game.key,
            start: (!game.state.has_standard_start()).then(|| game.state.start_text()),
            opening: game.opening_plies as u64,
            moves: game.state.moves().join(" "),
            details: details.join(" "),
            outcome: game.outcome.as_str().into(),
            reason: game.reason.name().into(),
            note: game.note.clone(),
        }
    }
}

impl SavedGame {
    /// Rebuilds the game exactly.
    ///
    /// # Errors
    /// What is wrong with it, as a sentence: another program may have written it.
    pub fn restore(&self, variant: Variant) -> Result<PlayedGame, String> {
        let GameKey {
            round,
            first,
            second,
            ..
        } = self.key;
        let invalid = |what: fmt::Arguments<'_>| {
            format!("the game between {first} and {second} in round {round}: {what}")
        };
        let mut state = match &self.start {
            None => AnyGameState::new(variant),
            Some(text) => AnyGameState::from_text(variant, text)
                .map_err(|error| invalid(format_args!("{error}")))?,
        };
        for (number, mv) in (1..).zip(self.moves.split_whitespace()) {
            state
                .play(mv)
                .map_err(|error| invalid(format_args!("move {number}: {error}")))?;
        }
        let details = self.details.split_whitespace().map(|text| {
            parse_details(text)
                .ok_or_else(|| invalid(format_args!("{text:?} isn't a move's time and value")))
        });
        let move_info = details.collect::<Result<Vec<MoveInfo>, String>>()?;
        let opening = usize::try_from(self.opening).ok();
        let outcomes = [Outcome::Win(Side::X), Outcome::Win(Side::O), Outcome::Draw];
        let outcome = outcomes.into_iter().find(|o| o.as_str() == self.outcome);
        let reason = EndReason::from_word(&self.reason);
        Ok(PlayedGame {
            key: self.key,
            opening_plies: opening
                .filter(|opening| opening.checked_add(move_info.len()) == Some(state.moves().len()))
                .ok_or_else(|| invalid(format_args!("it has moves without details")))?,
            state,
            move_info,
            outcome: outcome
                .ok_or_else(|| invalid(format_args!("{:?} isn't a result", self.outcome)))?,
            reason: reason.ok_or_else(|| {
                let reason = &self.reason;
                invalid(format_args!(
                    "{reason:?} isn't a reason for the end of a game"
                ))
            })?,
            note: self.note.clone(),
        })
    }
}

fn details_text(info: &MoveInfo) -> String {
    let nanos = u64::try_from(info.took.as_nanos()).unwrap_or(u64::MAX);
    let value = info.value.map(value_text).unwrap_or_default();
    let depth = info.depth.map(|n| n.to_string()).unwrap_or_default();
    let nodes = info.nodes.map(|n| n.to_string()).unwrap_or_default();
    format!("{nanos},{value},{depth},{nodes}")
}

fn parse_details(text: &str) -> Option<MoveInfo> {
    fn optional<T>(text: &str, parse: impl Fn(&str) -> Option<T>) -> Option<Option<T>> {
        match text {
            "" => Some(None),
            text => parse(text).map(Some),
        }
    }
    fn number<T: FromStr>(text: &str) -> Option<T> {
        text.parse().ok()
    }
    let parts: Vec<&str> = text.split(',').collect();
    let [nanos, value, depth, nodes] = parts[..] else {
        return None;
    };
    Some(MoveInfo {
        took: Duration::from_nanos(nanos.parse().ok()?),
        value: optional(value, parse_value)?,
        depth: optional(depth, number)?,
        nodes: optional(nodes, number)?,
    })
}

/// `win:5`, `win`, `draw`, or `0.25~0.1` for an estimate and its error. Numbers round-trip exactly.
fn value_text(value: Value) -> String {
    match value {
        Value::Exact(exact) => match exact.plies() {
            Some(plies) => format!("{}:{plies}", exact.game_value().as_str()),
            None => exact.game_value().as_str().into(),
        },
        Value::Estimate { mean, error } => format!("{mean:?}~{error:?}"),
    }
}

fn parse_value(text: &str) -> Option<Value> {
    if let Some((mean, error)) = text.split_once('~') {
        let (mean, error) = (mean.parse().ok()?, error.parse().ok()?);
        return Some(Value::Estimate { mean, error });
    }
    let (word, plies) = match text.split_once(':') {
        Some((word, plies)) => (word, Some(plies.parse().ok()?)),
        None => (text, None),
    };
    let game_value = GameValue::from_word(word)?;
    let is_valid = game_value != GameValue::Draw || plies.is_none();
    is_valid.then(|| Value::Exact(ExactValue::new(game_value, plies)))
}
