//! Tic-Tac-Two: lines inside the grid, the centre and the corners in the
//! opening. That a piece can be moved is what beginners overlook.

use noughts_rules::{Game, Side, TicTacTwo, TicTacTwoMove, TicTacTwoPosition};

use super::{LevelHeuristics, Merit, SkillLevel};

/// A line inside the grid that only one player has pieces on, by their number.
const LINE: [f64; 3] = [0.0, 1.0, 5.0];

/// More than any lines: first of all, the opening takes the centre, ...
const CENTRE: f64 = 200.0;
/// ... then the corners.
const CORNER: f64 = 100.0;

impl LevelHeuristics for TicTacTwo {
    fn is_obvious(&self, mv: TicTacTwoMove) -> bool {
        !matches!(mv, TicTacTwoMove::MovePiece(..))
    }

    fn merit(&self, position: &TicTacTwoPosition, mv: TicTacTwoMove, eye: SkillLevel) -> Merit {
        if eye == SkillLevel::Novice {
            return Merit::NONE;
        }
        let me = self.side(position);
        let mut after = *position;
        self.apply(&mut after, mv);
        let mut gain = lines(self, &after, me) - lines(self, position, me);
        if self.is_opening(position) {
            gain += place_in_grid(self, position, mv);
        }
        Merit { boards: 0, gain }
    }

    fn considers_replies(&self) -> bool {
        true
    }
}

/// The opening's own order of cells.
fn place_in_grid(game: &TicTacTwo, position: &TicTacTwoPosition, mv: TicTacTwoMove) -> f64 {
    let TicTacTwoMove::PlacePiece(cell) = mv else {
        return 0.0;
    };
    let ((col, row), (centre_col, centre_row)) = (cell.column_row(), game.grid_center(position));
    let reach = game.options().grid_size() / 2;
    match (col.abs_diff(centre_col), row.abs_diff(centre_row)) {
        (0, 0) => CENTRE,
        off if off == (reach, reach) => CORNER,
        _ => 0.0,
    }
}

/// The lines inside the grid that this player has, less those of the opponent.
fn lines(game: &TicTacTwo, position: &TicTacTwoPosition, player: Side) -> f64 {
    let grid = inside(game, position);
    let [mine, theirs] = [player, player.other()].map(|player| position.pieces(player) & grid);
    worth(grid, mine, theirs) - worth(grid, theirs, mine)
}

/// The cells inside the grid: bit `8 · row + column`.
fn inside(game: &TicTacTwo, position: &TicTacTwoPosition) -> u64 {
    let side = u32::from(game.options().grid_size());
    let (col, row) = game.grid_center(position);
    let (left, top) = (u32::from(col) - side / 2, u32::from(row) - side / 2);
    let across = ((1u64 << side) - 1) << left;
    (top..top + side).fold(0, |set, row| set | across << (8 * row))
}

fn worth(grid: u64, mine: u64, theirs: u64) -> f64 {
    let mut sum = 0.0;
    for step in [1, 8, 7, 9] {
        let three = |set: u64| [set, set >> step, set >> (2 * step)];
        let [a, b, c] = three(grid);
        let [s, t, u] = three(theirs);
        let starts = a & b & c & !(s | t | u);
        let [a, b, c] = three(mine);
        let two = a & b | a & c | b & c;
        let one = (a | b | c) & !two;
        sum += LINE[1] * f64::from((one & starts).count_ones());
        sum += LINE[2] * f64::from((two & starts).count_ones());
    }
    sum
}
