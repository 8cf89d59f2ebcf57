//! What the side to move can do.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::Side;

/// The legal moves.
#[derive(Clone, PartialEq, Serialize, Deserialize, ToSchema, Debug)]
pub struct Choices {
    /// The number of legal moves.
    pub count: usize,
    /// The legal moves; null if there are more than 300, and empty if the game is over.
    pub moves: Option<Vec<Choice>>,
    /// Nested games: the paths of the boards that can be played in. A board that is entirely open stands for all boards
    /// inside it; an empty path is the whole board.
    pub open: Option<Vec<String>>,
}

/// A legal move and its consequences.
#[derive(Clone, PartialEq, Serialize, Deserialize, ToSchema, Debug, Default)]
pub struct Choice {
    /// The move.
    #[serde(rename = "move")]
    pub text: String,
    /// What the move does; `mark` if missing.
    #[serde(default, skip_serializing_if = "ChoiceKind::is_mark")]
    pub kind: ChoiceKind,
    /// The cell that a piece moves from.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub from: Option<String>,
    /// The cell that a piece is placed on or moves to, or the grid's new center. Missing for `mark`, where it is the
    /// move itself.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub to: Option<String>,
    /// Nested games: the path of the board that the opponent is sent to; empty for any board.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sends: Option<String>,
    /// m,n,k games and Tic-Tac-Two: the lines of either side that the move completes.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub lines: Vec<CompletedLine>,
}

/// What a move does.
#[derive(Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema, Debug, Default)]
#[serde(rename_all = "lowercase")]
pub enum ChoiceKind {
    /// Marks a cell.
    #[default]
    Mark,
    /// Places a piece from the hand.
    Place,
    /// Moves a piece from one cell to another.
    Piece,
    /// Moves the grid.
    Grid,
}

impl ChoiceKind {
    #[allow(
        clippy::trivially_copy_pass_by_ref,
        reason = "the signature that serde calls"
    )]
    fn is_mark(&self) -> bool {
        *self == ChoiceKind::Mark
    }
}

/// A completed line.
#[derive(Clone, PartialEq, Serialize, Deserialize, ToSchema, Debug)]
pub struct CompletedLine {
    /// The side that owns it.
    pub side: Side,
    /// Its cells.
    pub cells: Vec<String>,
}
