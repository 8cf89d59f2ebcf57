//! Positions, moves and their values.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::{Choices, GameResult, PositionValue, Side};

/// A position: the variant, the start position and the moves played from there.
#[derive(Clone, PartialEq, Serialize, Deserialize, ToSchema, Debug)]
#[serde(deny_unknown_fields)]
pub struct PositionRequest {
    /// The variant's name.
    #[schema(max_length = 100)]
    pub variant: String,
    /// The start position as text; the standard one if missing.
    #[schema(max_length = 700000)]
    pub position: Option<String>,
    /// The moves played from there.
    #[schema(max_items = 10000)]
    pub moves: Option<Vec<String>>,
}

/// A position and how to show it.
#[derive(Clone, PartialEq, Serialize, Deserialize, ToSchema, Debug)]
#[serde(deny_unknown_fields)]
pub struct PositionViewRequest {
    /// The variant's name.
    #[schema(max_length = 100)]
    pub variant: String,
    /// The start position as text; the standard one if missing.
    #[schema(max_length = 700000)]
    pub position: Option<String>,
    /// The moves played from there.
    #[schema(max_items = 10000)]
    pub moves: Option<Vec<String>>,
    /// The path of the board to zoom into, such as `4.0`; empty for the whole board.
    #[schema(max_length = 64, pattern = "^[0-9.]*$")]
    pub path: Option<String>,
    /// The number of moves to show; all of them by default.
    #[schema(minimum = 0, maximum = 10000)]
    pub ply: Option<usize>,
}

/// A position outside of a game.
#[derive(Clone, PartialEq, Serialize, Deserialize, ToSchema, Debug)]
pub struct PositionView {
    /// The variant's name.
    pub variant: String,
    /// How many moves led here, at least: those played, and one for each piece of a start position given as text.
    pub ply: usize,
    /// The side to move; after the game is over, the side that would have moved next.
    pub side: Side,
    /// The position as text; null if it has more than 4096 characters.
    pub position: Option<String>,
    /// The moves played from the start position, including those after the position that is shown. `choices` has the
    /// legal moves.
    pub moves: Vec<String>,
    /// How the board is divided: columns and rows of each level, the outermost first. The last level is the cells.
    pub levels: Vec<(u8, u8)>,
    /// The legal moves.
    pub choices: Choices,
    /// What happens next or how the game ended, as a sentence.
    pub prompt: String,
    /// The result; null if the game isn't over.
    pub outcome: Option<GameResult>,
    /// How the game ended, in one word; null if it isn't over.
    pub ending: Option<String>,
    /// Parts of the page by element ID.
    pub html: BTreeMap<String, String>,
}

/// A position, and what a player touches to move.
#[derive(Clone, PartialEq, Serialize, Deserialize, ToSchema, Debug)]
#[serde(deny_unknown_fields)]
pub struct TapRequest {
    /// The variant's name.
    #[schema(max_length = 100)]
    pub variant: String,
    /// The start position as text; the standard one if missing.
    #[schema(max_length = 700000)]
    pub position: Option<String>,
    /// The moves played from there.
    #[schema(max_items = 10000)]
    pub moves: Option<Vec<String>>,
    /// What was touched, in order, as in `choices`.
    #[schema(max_items = 8)]
    pub taps: Vec<String>,
}

/// What a sequence of taps means.
#[derive(Clone, PartialEq, Serialize, Deserialize, ToSchema, Debug)]
pub struct TapMeaning {
    /// The move that it makes; null if it isn't complete.
    #[serde(rename = "move")]
    pub text: Option<String>,
    /// The targets that continue it.
    pub next: Vec<String>,
    /// What to ask for next; null if the move is complete.
    pub prompt: Option<String>,
}

/// A stored position.
#[derive(Clone, PartialEq, Serialize, Deserialize, ToSchema, Debug)]
pub struct StoredPosition {
    /// 32 hexadecimal digits; equal positions have the same ID.
    pub id: String,
    /// The variant's name.
    pub variant: String,
    /// The start position as text.
    pub position: String,
    /// The moves played from there.
    pub moves: Vec<String>,
}

/// A position and its legal moves.
#[derive(Clone, PartialEq, Serialize, Deserialize, ToSchema, Debug)]
pub struct PositionInfo {
    /// The variant's name.
    pub variant: String,
    /// The position as text.
    pub position: String,
    /// The side to move; after the game is over, the side that would have moved next.
    pub side: Side,
    /// How many moves led here, at least: those played, and one for each piece of a start position given as text.
    pub ply: usize,
    /// The result; null if the game isn't over.
    pub outcome: Option<GameResult>,
    /// The legal moves, sorted as text.
    pub moves: Vec<String>,
}

/// The legal moves of a position.
#[derive(Clone, PartialEq, Serialize, Deserialize, ToSchema, Debug)]
pub struct MoveList {
    /// The variant's name.
    pub variant: String,
    /// The position as text.
    pub position: String,
    /// The legal moves, sorted as text.
    pub moves: Vec<String>,
}

/// A bot's move.
#[derive(Clone, PartialEq, Serialize, Deserialize, ToSchema, Debug)]
pub struct BestMove {
    /// The move.
    #[serde(rename = "move")]
    pub text: String,
    /// Its value.
    #[serde(flatten)]
    pub value: PositionValue,
    /// The number of positions searched.
    pub nodes: u64,
    /// How long the search took.
    pub time_ms: u64,
    /// The principal variation: the move and the expected replies.
    pub line: Vec<String>,
}

/// A move and its value for the player who makes it.
#[derive(Clone, PartialEq, Serialize, Deserialize, ToSchema, Debug)]
pub struct MoveValue {
    /// The move.
    #[serde(rename = "move")]
    pub text: String,
    /// Its value.
    #[serde(flatten)]
    pub value: PositionValue,
    /// The value as a short label: `▲3` wins in 3, `▼4` loses in 4, `=` draws; `66%` is an estimated win chance, and `?`
    /// means that nothing is known yet.
    pub label: String,
}

/// The proved value of a position and of its moves.
#[derive(Clone, PartialEq, Serialize, Deserialize, ToSchema, Debug)]
pub struct SolvedPosition {
    /// `win`, `loss`, `draw` or `unknown`.
    pub value: String,
    /// The number of plies of best play until the win or loss; null for a draw or if it isn't known.
    pub plies: Option<u32>,
    /// The legal moves.
    pub moves: Vec<SolvedMove>,
}

/// A move and its proved value for the player who makes it.
#[derive(Clone, PartialEq, Serialize, Deserialize, ToSchema, Debug)]
pub struct SolvedMove {
    /// The move.
    #[serde(rename = "move")]
    pub text: String,
    /// `win`, `loss`, `draw` or `unknown`.
    pub value: String,
    /// The number of plies until the win or loss, the move included.
    pub plies: Option<u32>,
}
