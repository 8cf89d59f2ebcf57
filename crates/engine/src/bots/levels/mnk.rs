//! Flat boards: every stretch of K cells through a cell counts for the player
//! who has marks in it, as long as the other has none.

use noughts_rules::{Game, Mnk, MnkMove, MnkPosition};

use super::{LevelHeuristics, Merit, SkillLevel};

/// Each further mark in a stretch makes it worth so many times more: more than
/// any number of stretches with one mark less, or nearly.
const STEEP: f64 = 6.0;

/// A stretch denied to the opponent, beside one of one's own.
const DENIED: f64 = 0.8;

/// Longest walk from a cell along a line, both ways.
const REACH: usize = 31;

impl<const W: usize> LevelHeuristics for Mnk<W> {
    fn classic_center(&self) -> Option<MnkMove> {
        let options = self.options();
        (options.size() == (3, 3, 3) && !options.is_misere())
            .then(|| self.move_at(1, 1))
            .flatten()
    }

    fn opponent_would_win_at(&self, position: &MnkPosition<W>, mv: MnkMove) -> bool {
        let (columns, _, line) = self.options().size();
        let stride = u32::from(columns) + 1;
        let (col, row) = self.column_row(mv);
        let theirs = position.marks(self.side(position).other());
        // All of a classic board is in the first word.
        let bit = u32::from(row) * stride + u32::from(col);
        let set = theirs[0] | 1u64.wrapping_shl(bit);
        let run = |step: u32| (0..u32::from(line)).fold(set, |run, n| run & set >> (n * step));
        run(1) | run(stride) | run(stride + 1) | run(stride - 1) != 0
    }

    fn merit(&self, position: &MnkPosition<W>, mv: MnkMove, eye: SkillLevel) -> Merit {
        let (columns, rows, line) = self.options().size();
        let k = usize::from(line);
        let me = self.side(position);
        let marks = [me, me.other()].map(|player| position.marks(player));
        let (col, row) = self.column_row(mv);
        let at = |col: i32, row: i32| {
            let bit = row as usize * (usize::from(columns) + 1) + col as usize;
            marks.map(|set| set[bit / 64] >> (bit % 64) & 1 == 1)
        };
        let on_board = |col: i32, row: i32| {
            (0..i32::from(columns)).contains(&col) && (0..i32::from(rows)).contains(&row)
        };
        let mut gain = 0.0;
        for (right, down) in [(1, 0), (0, 1), (1, 1), (1, -1)] {
            // The cells of the walk, this one's own place left empty.
            let mut walk = [[false; 2]; REACH];
            let mut length = 0;
            let steps = 1 - k as i32..k as i32;
            for step in steps {
                let (col, row) = (i32::from(col) + step * right, i32::from(row) + step * down);
                if on_board(col, row) {
                    walk[length] = at(col, row);
                    length += 1;
                }
            }
            for stretch in walk[..length].windows(k) {
                let count = |who: usize| stretch.iter().filter(|cell| cell[who]).count();
                let (mine, theirs) = (count(0), count(1));
                if theirs == 0 {
                    gain += STEEP.powi(mine as i32);
                } else if mine == 0 && eye == SkillLevel::Experienced {
                    gain += DENIED * STEEP.powi(theirs as i32);
                }
            }
        }
        // Where lines lose, whatever builds or stops one is bad.
        let gain = if self.options().is_misere() {
            -gain
        } else {
            gain
        };
        Merit { boards: 0, gain }
    }
}
