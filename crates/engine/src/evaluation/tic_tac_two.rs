//! The evaluation of Tic-Tac-Two: lines inside the grid and inside the grids one step away.

use noughts_rules::{Game, TicTacTwo};

use super::Evaluation;

/// Counts lines of three without a piece of the opponent, inside the current grid and the grids it
/// can move to next.
#[derive(Clone, Copy, Debug)]
pub struct TicTacTwoEvaluation;

/// The value of a line by the number of one's own pieces on it.
const GRID_LINE_VALUES: [i32; 4] = [0, 4, 24, 0];
const ADJACENT_GRID_LINE_VALUES: [i32; 4] = [0, 1, 7, 0];

/// The value of being the side to move.
const TEMPO: i32 = 12;

/// Bit offsets between the cells of a line, for bits `8 · row + column`.
const STEPS: [u32; 4] = [1, 8, 9, 7];

/// The value of one player's lines of three inside the grid minus the opponent's, by the number of
/// pieces on a line.
pub(crate) fn line_score(mine: u64, theirs: u64, grid: u64, values: [i32; 4]) -> i32 {
    let mut score = 0;
    for step in STEPS {
        // Cells where a line of three can start inside the grid.
        let mut starts = grid & grid >> step & grid >> (2 * step);
        while starts != 0 {
            let start = starts & starts.wrapping_neg();
            starts &= starts - 1;
            let line = start | start << step | start << (2 * step);
            match ((line & mine).count_ones(), (line & theirs).count_ones()) {
                (m, 0) => score += values[m as usize & 3],
                (0, y) => score -= values[y as usize & 3],
                _ => {}
            }
        }
    }
    score
}

impl Evaluation<TicTacTwo> for TicTacTwoEvaluation {
    fn evaluate(&self, game: &TicTacTwo, position: &<TicTacTwo as Game>::Position) -> i32 {
        let me = game.side(position);
        let (mine, theirs) = (position.pieces(me), position.pieces(me.other()));
        let lines = |center, values| line_score(mine, theirs, game.grid_cells_at(center), values);
        let mut score = TEMPO + lines(position.center(), GRID_LINE_VALUES);
        let mut grids = game.grid_moves(position.center());
        while grids != 0 {
            let center = grids.trailing_zeros() as u8;
            grids &= grids - 1;
            score += lines(center, ADJACENT_GRID_LINE_VALUES);
        }
        score
    }
}
