//! Heuristics for Tic-Tac-Two: lines inside the grid; in the opening also the center and the
//! corners. Novices overlook that pieces can move.

use noughts_rules::{Game, Side, TicTacTwo, TicTacTwoMove, TicTacTwoPosition};

use super::{LevelHeuristics, MoveMerit, SkillLevel};
use crate::evaluation::line_score;

/// The value of a line inside the grid that only one player has pieces on, by their number.
const LINE_VALUES: [i32; 4] = [0, 1, 5, 5];

/// In the opening, taking the center outweighs any line...
const CENTER: f64 = 200.0;
/// ...and so does a corner, to a lesser degree.
const CORNER: f64 = 100.0;

impl LevelHeuristics for TicTacTwo {
    fn is_obvious(&self, mv: TicTacTwoMove) -> bool {
        !matches!(mv, TicTacTwoMove::MovePiece(..))
    }

    fn merit(
        &self,
        position: &TicTacTwoPosition,
        mv: TicTacTwoMove,
        skill: SkillLevel,
    ) -> MoveMerit {
        if skill == SkillLevel::Novice {
            return MoveMerit::NONE;
        }
        let me = self.side(position);
        let after = self.after(position, mv);
        let mut gain = line_balance(self, &after, me) - line_balance(self, position, me);
        if self.is_opening(position) {
            gain += opening_bonus(self, position, mv);
        }
        MoveMerit { boards: 0, gain }
    }

    fn considers_replies(&self) -> bool {
        true
    }
}

/// The opening's preferences among cells.
fn opening_bonus(game: &TicTacTwo, position: &TicTacTwoPosition, mv: TicTacTwoMove) -> f64 {
    let TicTacTwoMove::PlacePiece(cell) = mv else {
        return 0.0;
    };
    let ((col, row), (center_col, center_row)) = (cell.column_row(), game.grid_center(position));
    let reach = game.options().grid_size() / 2;
    match (col.abs_diff(center_col), row.abs_diff(center_row)) {
        (0, 0) => CENTER,
        off if off == (reach, reach) => CORNER,
        _ => 0.0,
    }
}

/// The value of this player's lines inside the grid minus the opponent's.
fn line_balance(game: &TicTacTwo, position: &TicTacTwoPosition, side: Side) -> f64 {
    let grid = game.grid_cells_at(position.center());
    let [mine, theirs] = [side, side.other()].map(|side| position.pieces(side));
    f64::from(line_score(mine, theirs, grid, LINE_VALUES))
}
