//! Analyses, hints, reviews and tablebases.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::{MoveValue, PositionValue, Side};

/// A position to analyze.
#[derive(Clone, PartialEq, Serialize, Deserialize, ToSchema, Debug)]
#[serde(deny_unknown_fields)]
pub struct AnalysisRequest {
    /// The variant's name.
    #[schema(max_length = 100)]
    pub variant: String,
    /// The start position as text; the standard one if missing.
    #[schema(max_length = 700000)]
    pub position: Option<String>,
    /// The moves played from there.
    #[schema(max_items = 10000)]
    pub moves: Option<Vec<String>>,
    /// How long to think, in milliseconds; 30000 by default.
    #[schema(minimum = 1, maximum = 60000, example = 500)]
    pub time_ms: Option<u64>,
    /// The path of the board to zoom into, such as `4.0`; empty for the whole board. If present, the lines include `html`.
    #[schema(max_length = 64, pattern = "^[0-9.]*$")]
    pub path: Option<String>,
}

/// The result of an analysis so far: one line of the response.
#[derive(Clone, PartialEq, Serialize, Deserialize, ToSchema, Debug)]
pub struct AnalysisUpdate {
    /// Whether this is the last line: when the position is solved, the time is up, a newer analysis by the same visitor
    /// has replaced this one, or other visitors are waiting (`note` says so).
    pub done: bool,
    /// The side to move.
    pub side: Side,
    /// The value of the position for the side to move.
    #[serde(flatten)]
    pub value: PositionValue,
    /// X's share of the value bar, from 0 to 1; null if nothing is known yet.
    pub share: Option<f64>,
    /// The value in words.
    pub sentence: String,
    /// The best move; null when the game is over.
    pub best: Option<String>,
    /// The principal variation: the best move and the expected replies.
    pub line: Vec<String>,
    /// The values of the moves, best first; at most 729.
    pub moves: Vec<MoveValue>,
    /// The search depth in plies; 0 where it has no meaning.
    pub depth: u32,
    /// The number of positions searched.
    pub nodes: u64,
    /// The time so far.
    pub time_ms: u64,
    /// A note for the user.
    pub note: Option<String>,
    /// Parts of the page by element ID, if they were requested.
    pub html: Option<BTreeMap<String, String>>,
}

/// A recommended move.
#[derive(Clone, PartialEq, Serialize, Deserialize, ToSchema, Debug)]
pub struct Hint {
    /// The move.
    #[serde(rename = "move")]
    pub text: String,
    /// The paths of the places where it is seen to go, as in `choices`.
    pub places: Vec<String>,
    /// Its value for the player who makes it.
    #[serde(flatten)]
    pub value: PositionValue,
    /// The hint in words.
    pub sentence: String,
}

/// A position of a reviewed game: one line of the response. When more is known about a position, its line is sent again.
#[derive(Clone, PartialEq, Serialize, Deserialize, ToSchema, Debug)]
pub struct ReviewedPosition {
    /// The number of moves played.
    pub ply: usize,
    /// The side to move.
    pub side: Side,
    /// The value of the position for the side to move.
    #[serde(flatten)]
    pub value: PositionValue,
    /// The value for X as a short label: `▲3`, `▼4`, `=` or `66%`.
    pub label: String,
    /// The value in words.
    pub value_text: String,
    /// The move that led here; null for the start position.
    #[serde(rename = "move")]
    pub made: Option<String>,
    /// The best move instead of `move`, or `move` itself if it was best.
    pub best: Option<String>,
    /// The principal variation from here, as far as it is known.
    pub line: Vec<String>,
    /// How bad the move that led here was, if it was a mistake.
    pub mistake: Option<MistakeKind>,
    /// An assessment of the move that led here.
    pub sentence: String,
    /// The progress of the review, from 0 to 1.
    pub progress: f64,
    /// Parts of the page by element ID: `value-bar`, the value of this position, and in some lines, including the last,
    /// `plot`, the values over the game.
    pub html: Option<BTreeMap<String, String>>,
}

/// How bad a move was.
#[derive(Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema, Debug)]
#[serde(rename_all = "lowercase")]
pub enum MistakeKind {
    /// Bad by the estimates; not proved.
    Inaccuracy,
    /// Another move is proved to be better.
    Mistake,
    /// The move gave away a proved result.
    Blunder,
}

/// The status of a game's tablebase.
#[derive(Clone, PartialEq, Serialize, Deserialize, ToSchema, Debug)]
pub struct TablebaseInfo {
    /// The status.
    pub status: TablebaseStatus,
    /// The progress of building it, from 0 to 1.
    pub progress: Option<f64>,
    /// Whether you're allowed to build it.
    pub allowed: bool,
    /// The status as a sentence.
    pub sentence: String,
}

/// The status of a tablebase.
#[derive(Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema, Debug)]
#[serde(rename_all = "lowercase")]
pub enum TablebaseStatus {
    /// No tablebase is available for this game.
    None,
    /// It isn't built yet.
    Missing,
    /// It is being built.
    Building,
    /// It's ready and in use.
    Ready,
}
