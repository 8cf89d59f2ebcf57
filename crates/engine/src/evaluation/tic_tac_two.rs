//! Tic-Tac-Two: lines inside the grid, and inside the grids one step away.

use noughts_rules::{Game, TicTacTwo};

use super::Evaluation;

/// Counts lines of three that the opponent has no piece in, where the grid is and
/// where it could go next.
#[derive(Clone, Copy, Debug)]
pub struct TicTacTwoEvaluation;

/// What one's own pieces on a line are worth: none, one, two.
const HERE: [i32; 3] = [0, 4, 24];
const NEXT: [i32; 3] = [0, 1, 7];

/// What it is worth to be on the move.
const TURN: i32 = 12;

/// The steps of a line over bits `8 · row + column`.
const STEPS: [u32; 4] = [1, 8, 9, 7];

fn lines(mine: u64, yours: u64, grid: u64, worth: [i32; 3]) -> i32 {
    let mut score = 0;
    for step in STEPS {
        // Where a line of three can start inside the grid.
        let mut starts = grid & grid >> step & grid >> (2 * step);
        while starts != 0 {
            let start = starts & starts.wrapping_neg();
            starts &= starts - 1;
            let line = start | start << step | start << (2 * step);
            match ((line & mine).count_ones(), (line & yours).count_ones()) {
                (m, 0) => score += worth.get(m as usize).copied().unwrap_or(0),
                (0, y) => score -= worth.get(y as usize).copied().unwrap_or(0),
                _ => {}
            }
        }
    }
    score
}

impl Evaluation<TicTacTwo> for TicTacTwoEvaluation {
    fn evaluate(&self, game: &TicTacTwo, position: &<TicTacTwo as Game>::Position) -> i32 {
        let me = game.side(position);
        let (mine, yours) = (position.pieces(me), position.pieces(me.other()));
        let mut score = TURN + lines(mine, yours, game.grid_cells_at(position.center()), HERE);
        let mut steps = game.grid_moves(position.center());
        while steps != 0 {
            let centre = steps.trailing_zeros() as u8;
            steps &= steps - 1;
            score += lines(mine, yours, game.grid_cells_at(centre), NEXT);
        }
        score
    }
}
