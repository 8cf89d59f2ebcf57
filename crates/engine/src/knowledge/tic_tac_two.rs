//! Tic-Tac-Two.

use std::ops::ControlFlow;

use noughts_rules::{Game, Outcome, Side, TicTacTwo, TicTacTwoMove, TicTacTwoPosition};
use rand_xoshiro::Xoshiro256PlusPlus;

use crate::bots::levels::{LevelHeuristics, MoveMerit, SkillLevel};
use crate::evaluation::Evaluation;
use crate::search::heuristics::{ForcedMove, SearchHeuristics};
use crate::search_game::SearchGame;

impl SearchGame for TicTacTwo {
    type Evaluation = TicTacTwoEvaluation;
    type Heuristics = TicTacTwoHeuristics;

    fn evaluation(&self) -> TicTacTwoEvaluation {
        TicTacTwoEvaluation
    }

    fn winner_moves_last(&self) -> bool {
        // Moving the grid can complete a line of the opponent.
        false
    }

    fn heuristics(&self) -> TicTacTwoHeuristics {
        TicTacTwoHeuristics
    }

    fn history_len(&self) -> usize {
        3 * 64
    }

    fn history_index(&self, mv: Self::Move) -> usize {
        use noughts_rules::TicTacTwoMove::{MoveGrid, MovePiece, PlacePiece};
        let (kind, cell) = match mv {
            PlacePiece(cell) => (0, cell),
            MoveGrid(cell) => (1, cell),
            MovePiece(_, to) => (2, to),
        };
        let (col, row) = cell.column_row();
        kind * 64 + usize::from(row) * 8 + usize::from(col)
    }
}

// ---- Evaluation: lines inside the grid and inside the grids one step away ----

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

// ---- Search ----

/// Tic-Tac-Two: only immediate wins and a fixed order of move kinds.
#[derive(Clone, Copy, Debug)]
pub struct TicTacTwoHeuristics;

impl SearchHeuristics<TicTacTwo> for TicTacTwoHeuristics {
    fn proof_key(&self, game: &TicTacTwo, position: &TicTacTwoPosition) -> u64 {
        game.hash(position)
    }

    fn forced_move(
        &self,
        game: &TicTacTwo,
        position: &TicTacTwoPosition,
    ) -> ForcedMove<TicTacTwoMove> {
        let me = game.side(position);
        let win = game.visit_moves(position, |mv| {
            match game.outcome(&game.after(position, mv)) {
                Some(Outcome::Win(winner)) if winner == me => ControlFlow::Break(mv),
                _ => ControlFlow::Continue(()),
            }
        });
        win.break_value().map_or(ForcedMove::None, ForcedMove::Win)
    }

    fn move_score(&self, _: &TicTacTwo, _: &TicTacTwoPosition, mv: TicTacTwoMove) -> i32 {
        match mv {
            TicTacTwoMove::PlacePiece(_) => 2,
            TicTacTwoMove::MoveGrid(_) => 1,
            TicTacTwoMove::MovePiece(..) => 0,
        }
    }
}

// ---- Levels ----
//
// Heuristics for Tic-Tac-Two: lines inside the grid; in the opening also the center and the
// corners. Novices overlook that pieces can move.

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
        _: &mut Xoshiro256PlusPlus,
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
