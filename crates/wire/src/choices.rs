//! What the side to move can do.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::Side;

/// The legal moves.
///
/// Places have paths: for each level, the index in the board around it in reading order, counted from 0 and joined by
/// points. In nested boards of 3×3, `4.8` is the bottom right cell of the board in the center; the whole board has an empty
/// path.
#[derive(Clone, PartialEq, Serialize, Deserialize, ToSchema, Debug)]
pub struct Choices {
    /// The number of legal moves.
    pub count: usize,
    /// The legal moves; null if there are more than 300, and empty if the game is over.
    pub moves: Option<Vec<Choice>>,
    /// The paths of the boards that can be played in; null if the game has only one board. A board that is entirely open
    /// stands for all boards inside it.
    pub open: Option<Vec<String>>,
    /// The kinds of pieces that moves put on the board: those that can be chosen, or the only one.
    pub pieces: Vec<PieceKind>,
    /// What to ask for after the first taps of a move, by those taps, separated by spaces: `@` or `=m`, for example.
    pub prompts: BTreeMap<String, String>,
}

/// A legal move, how it is made, and its consequences.
#[derive(Clone, PartialEq, Serialize, Deserialize, ToSchema, Debug, Default)]
pub struct Choice {
    /// The move.
    #[serde(rename = "move")]
    pub text: String,
    /// What a player touches to make it, in order: the name of a cell, `=` and the name of a piece, or `@` for the
    /// movable frame.
    pub taps: Vec<String>,
    /// The names of the cells where the piece is seen to go; missing if they are those of `taps`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub lands: Vec<String>,
    /// The path of the board that the next move must go to, in games in which a move decides that; empty for any board.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sends: Option<String>,
    /// The lines of either side that the move completes.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub lines: Vec<CompletedLine>,
}

/// A completed line.
#[derive(Clone, PartialEq, Serialize, Deserialize, ToSchema, Debug)]
pub struct CompletedLine {
    /// The side that owns it.
    pub side: Side,
    /// The paths of its cells or boards.
    pub places: Vec<String>,
}

/// A kind of piece.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema, Debug)]
pub struct PieceKind {
    /// Its name in `taps`.
    pub target: String,
    /// What it is called: `X`, `7`, `large O`.
    pub label: String,
    /// The side that gives it its color.
    pub side: Option<Side>,
}

/// Pieces next to the board that a side can still use.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema, Debug)]
pub struct ReservePieces {
    /// Their kind.
    #[serde(flatten)]
    pub kind: PieceKind,
    /// How many there are.
    pub count: u32,
}
