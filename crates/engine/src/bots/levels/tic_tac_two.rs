//! Heuristics for Tic-Tac-Two: lines inside the grid; in the opening also the center and the
//! corners. Novices overlook that pieces can move.

use noughts_rules::{Game, Side, TicTacTwo, TicTacTwoMove, TicTacTwoPosition};

use super::{LevelHeuristics, Merit, SkillLevel};

/// The value of a line inside the grid that only one player has pieces on, by their number.
const LINE_VALUE: [f64; 3] = [0.0, 1.0, 5.0];

/// In the opening, taking the center outweighs any line...
const CENTER: f64 = 200.0;
/// ...and so does a corner, to a lesser degree.
const CORNER: f64 = 100.0;

impl LevelHeuristics for TicTacTwo {
    fn is_obvious(&self, mv: TicTacTwoMove) -> bool {
        !matches!(mv, TicTacTwoMove::MovePiece(..))
    }

    fn merit(&self, position: &TicTacTwoPosition, mv: TicTacTwoMove, skill: SkillLevel) -> Merit {
        if skill == SkillLevel::Novice {
            return Merit::NONE;
        }
        let me = self.side(position);
        let mut after = *position;
        self.apply(&mut after, mv);
        let mut gain = line_balance(self, &after, me) - line_balance(self, position, me);
        if self.is_opening(position) {
            gain += opening_bonus(self, position, mv);
        }
        Merit { boards: 0, gain }
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
    let grid = grid_cells(game, position);
    let [mine, theirs] = [side, side.other()].map(|side| position.pieces(side) & grid);
    line_value(grid, mine, theirs) - line_value(grid, theirs, mine)
}

/// The cells inside the grid: bit `8 · row + column`.
fn grid_cells(game: &TicTacTwo, position: &TicTacTwoPosition) -> u64 {
    let size = u32::from(game.options().grid_size());
    let (col, row) = game.grid_center(position);
    let (left, top) = (u32::from(col) - size / 2, u32::from(row) - size / 2);
    let across = ((1u64 << size) - 1) << left;
    (top..top + size).fold(0, |set, row| set | across << (8 * row))
}

fn line_value(grid: u64, mine: u64, theirs: u64) -> f64 {
    let mut sum = 0.0;
    for step in [1, 8, 7, 9] {
        let three = |set: u64| [set, set >> step, set >> (2 * step)];
        let [a, b, c] = three(grid);
        let [s, t, u] = three(theirs);
        let starts = a & b & c & !(s | t | u);
        let [a, b, c] = three(mine);
        let two = a & b | a & c | b & c;
        let one = (a | b | c) & !two;
        sum += LINE_VALUE[1] * f64::from((one & starts).count_ones());
        sum += LINE_VALUE[2] * f64::from((two & starts).count_ones());
    }
    sum
}
