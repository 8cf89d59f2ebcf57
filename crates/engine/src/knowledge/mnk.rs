//! m,n,k games: lines that can still be completed.

use noughts_rules::games::common::lines_of_length;
use noughts_rules::{Game, Mnk, MnkMove, MnkPosition, Side, SquareSymmetry};
use rand_xoshiro::Xoshiro256PlusPlus;

use super::lines::{Lines, SymmetricKeys};
use crate::bots::levels::{LevelHeuristics, MoveMerit, SkillLevel};
use crate::evaluation::Evaluation;
use crate::search::heuristics::{ForcedMove, SearchHeuristics};
use crate::search_game::SearchGame;

impl<const W: usize> SearchGame for Mnk<W> {
    type Evaluation = MnkEvaluation<W>;
    type Heuristics = MnkHeuristics<W>;

    fn evaluation(&self) -> MnkEvaluation<W> {
        MnkEvaluation {
            lines: lines(self),
            misere: self.options().is_misere(),
        }
    }

    fn winner_moves_last(&self) -> bool {
        !self.options().is_misere()
    }

    fn heuristics(&self) -> MnkHeuristics<W> {
        MnkHeuristics {
            keys: keys(self),
            lines: lines(self),
            misere: self.options().is_misere(),
        }
    }

    fn history_len(&self) -> usize {
        let (columns, rows, _) = self.options().size();
        usize::from(columns) * usize::from(rows)
    }

    #[inline]
    fn history_index(&self, mv: Self::Move) -> usize {
        let (col, row) = self.column_row(mv);
        usize::from(row) * usize::from(self.options().size().0) + usize::from(col)
    }
}

/// The lines that can still be completed.
#[derive(Clone, Debug)]
pub struct MnkEvaluation<const W: usize> {
    lines: Lines<W>,
    misere: bool,
}

/// The value of being the side to move.
const TEMPO: i32 = 15;

impl<const W: usize> Evaluation<Mnk<W>> for MnkEvaluation<W> {
    fn evaluate(&self, game: &Mnk<W>, position: &<Mnk<W> as Game>::Position) -> i32 {
        let me = game.side(position);
        let [mine, theirs] = [me, me.other()].map(|side| position.marks(side).0);
        let score = self.lines.balance(&mine, &theirs);
        if self.misere {
            -score / 4
        } else {
            score + TEMPO
        }
    }
}

/// Threats and symmetries.
#[derive(Clone, Debug)]
pub struct MnkHeuristics<const W: usize> {
    keys: SymmetricKeys,
    lines: Lines<W>,
    misere: bool,
}

/// The bit of a cell, numbered as in the position: with a spare column.
fn cell_bit<const W: usize>(game: &Mnk<W>, mv: MnkMove) -> usize {
    let (col, row) = game.column_row(mv);
    usize::from(row) * (usize::from(game.options().size().0) + 1) + usize::from(col)
}

/// The number of cells, numbered as in the position.
fn count_bits<const W: usize>(game: &Mnk<W>) -> usize {
    let (columns, rows, _) = game.options().size();
    (usize::from(columns) + 1) * usize::from(rows)
}

/// Every possible line.
fn lines<const W: usize>(game: &Mnk<W>) -> Lines<W> {
    let (columns, rows, length) = game.options().size();
    let mut lines = lines_of_length(columns, rows, length);
    for cell in lines.iter_mut().flatten() {
        // Each row before it has a spare column.
        *cell += *cell / usize::from(columns);
    }
    Lines::new(count_bits(game), length.into(), &lines)
}

/// Keys of the images under the symmetries of the board.
fn keys<const W: usize>(game: &Mnk<W>) -> SymmetricKeys {
    let (columns, rows, _) = game.options().size();
    let stride = usize::from(columns) + 1;
    let symmetries = SquareSymmetry::for_board(columns, rows);
    SymmetricKeys::new(count_bits(game), symmetries.len(), |symmetry, cell| {
        let (col, row) = ((cell % stride) as u8, (cell / stride) as u8);
        let (col, row) = symmetries[symmetry].apply(col, row, columns, rows);
        (cell % stride < usize::from(columns)).then(|| usize::from(row) * stride + usize::from(col))
    })
}

impl<const W: usize> SearchHeuristics<Mnk<W>> for MnkHeuristics<W> {
    #[inline]
    fn proof_key(&self, _: &Mnk<W>, position: &MnkPosition<W>) -> u64 {
        self.keys
            .key(&Side::BOTH.map(|side| position.marks(side).0))
    }

    #[inline]
    fn forced_move(&self, game: &Mnk<W>, position: &MnkPosition<W>) -> ForcedMove<MnkMove> {
        if self.misere {
            return ForcedMove::None;
        }
        let me = game.side(position);
        if let Some(win) = game.completing_moves(position, me).next() {
            return ForcedMove::Win(win);
        }
        match game.completing_moves(position, me.other()).next() {
            Some(block) => ForcedMove::OnlyMove(block),
            None => ForcedMove::None,
        }
    }

    #[inline]
    fn move_score(&self, game: &Mnk<W>, position: &MnkPosition<W>, mv: MnkMove) -> i32 {
        let marks = Side::BOTH.map(|side| position.marks(side).0);
        let score = self.lines.move_score(cell_bit(game, mv), &marks);
        if self.misere { -score } else { score }
    }

    #[inline]
    fn can_win(&self, game: &Mnk<W>, position: &MnkPosition<W>, side: Side, plies: u32) -> bool {
        // In misère games it is the opponent who has to complete a line.
        let maker = if self.misere { side.other() } else { side };
        let marks = [maker, maker.other()].map(|side| position.marks(side).0);
        let maker_moves = game.side(position) == maker;
        let plies = plies.min(game.count_moves(position) as u32);
        let moves = (plies + u32::from(maker_moves)) / 2;
        if self.misere {
            self.lines.is_any_left(&marks, moves)
        } else {
            self.lines.can_complete(&marks, maker_moves, moves)
        }
    }
}

// ---- Levels ----
//
// Heuristics for m,n,k games: every window of k cells through a cell counts for a player who has
// marks in it, as long as the opponent has none.

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

    fn merit(
        &self,
        position: &MnkPosition<W>,
        mv: MnkMove,
        skill: SkillLevel,
        _: &mut Xoshiro256PlusPlus,
    ) -> MoveMerit {
        let (columns, rows, line) = self.options().size();
        let k = usize::from(line);
        let me = self.side(position);
        let marks = [me, me.other()].map(|side| position.marks(side).0);
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
