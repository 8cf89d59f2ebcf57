//! Heuristics for m,n,k games: every window of k cells through a cell counts for a player who has
//! marks in it, as long as the opponent has none.

use noughts_rules::{Game, Mnk, MnkMove, MnkPosition};

use super::{LevelHeuristics, MoveMerit, SkillLevel};

/// Each additional mark in a window multiplies its value by this factor, so it outweighs nearly any
/// number of windows with one mark less.
const MARK_FACTOR: f64 = 6.0;

/// The value of denying a window to the opponent, relative to extending one's own.
const DENIAL_WEIGHT: f64 = 0.8;

/// The longest run of cells through a cell along one direction.
const MAX_RUN: usize = 31;

impl<const W: usize> LevelHeuristics for Mnk<W> {
    fn classic_center(&self) -> Option<MnkMove> {
        let options = self.options();
        (options.size() == (3, 3, 3) && !options.is_misere())
            .then(|| self.move_at(1, 1))
            .flatten()
    }

    fn opponent_would_win_at(&self, position: &MnkPosition<W>, mv: MnkMove) -> bool {
        let opponent = self.side(position).other();
        self.completing_moves(position, opponent)
            .any(|win| win == mv)
    }

    fn merit(&self, position: &MnkPosition<W>, mv: MnkMove, skill: SkillLevel) -> MoveMerit {
        let (columns, rows, line) = self.options().size();
        let k = usize::from(line);
        let me = self.side(position);
        let marks = [me, me.other()].map(|side| position.marks(side));
        let (col, row) = self.column_row(mv);
        let marks_at = |col: i32, row: i32| {
            let bit = row as usize * (usize::from(columns) + 1) + col as usize;
            marks.map(|set| set[bit / 64] >> (bit % 64) & 1 == 1)
        };
        let on_board = |col: i32, row: i32| {
            (0..i32::from(columns)).contains(&col) && (0..i32::from(rows)).contains(&row)
        };
        let mut gain = 0.0;
        for (right, down) in [(1, 0), (0, 1), (1, 1), (1, -1)] {
            // The cells along this direction, with the cell of the move itself left empty.
            let mut cells = [[false; 2]; MAX_RUN];
            let mut length = 0;
            let steps = 1 - k as i32..k as i32;
            for step in steps {
                let (col, row) = (i32::from(col) + step * right, i32::from(row) + step * down);
                if on_board(col, row) {
                    cells[length] = marks_at(col, row);
                    length += 1;
                }
            }
            for window in cells[..length].windows(k) {
                let count =
                    |player_index: usize| window.iter().filter(|cell| cell[player_index]).count();
                let (mine, theirs) = (count(0), count(1));
                if theirs == 0 {
                    gain += MARK_FACTOR.powi(mine as i32);
                } else if mine == 0 && skill == SkillLevel::Experienced {
                    gain += DENIAL_WEIGHT * MARK_FACTOR.powi(theirs as i32);
                }
            }
        }
        // In misère games, extending or blocking a line is bad.
        let gain = if self.options().is_misere() {
            -gain
        } else {
            gain
        };
        MoveMerit { boards: 0, gain }
    }
}
