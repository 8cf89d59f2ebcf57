//! m,n,k games.

use std::sync::Arc;

use noughts_rules::{Game, Mnk, MnkMove, MnkPosition, Side, SquareSymmetry};

use crate::bots::levels::{LevelHeuristics, MoveMerit, SkillLevel};
use crate::evaluation::Evaluation;
use crate::search::heuristics::{ForcedMove, SearchHeuristics};
use crate::search_game::SearchGame;

impl<const W: usize> SearchGame for Mnk<W> {
    type Evaluation = MnkEvaluation<W>;
    type Heuristics = MnkHeuristics<W>;

    fn evaluation(&self) -> MnkEvaluation<W> {
        MnkEvaluation::new(self)
    }

    fn winner_moves_last(&self) -> bool {
        !self.options().is_misere()
    }

    fn heuristics(&self) -> MnkHeuristics<W> {
        MnkHeuristics::new(self)
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

// ---- Evaluation: lines that can still be completed ----

/// Counts, for each player, the lines without a mark of the opponent, weighted by the player's own
/// marks.
#[derive(Clone, Debug)]
pub struct MnkEvaluation<const W: usize> {
    lines: Arc<[[u64; W]]>,
    misere: bool,
}

/// The value of a line by the number of missing marks, in hundredths of a logit.
const VALUE_BY_MISSING_MARKS: [i32; 5] = [0, 120, 36, 8, 2];

/// The value of being the side to move.
const TEMPO: i32 = 15;

impl<const W: usize> MnkEvaluation<W> {
    /// The evaluation for this game's board.
    #[must_use]
    pub fn new(game: &Mnk<W>) -> MnkEvaluation<W> {
        MnkEvaluation {
            lines: line_cells(game)
                .iter()
                .map(|cells| cell_set(cells))
                .collect(),
            misere: game.options().is_misere(),
        }
    }
}

impl<const W: usize> Evaluation<Mnk<W>> for MnkEvaluation<W> {
    fn evaluate(&self, game: &Mnk<W>, position: &<Mnk<W> as Game>::Position) -> i32 {
        let me = game.side(position);
        let [mine, theirs] = [me, me.other()].map(|side: Side| position.marks(side));
        let k = usize::from(game.options().size().2);
        let mut score = 0;
        for line in self.lines.iter() {
            let [m, y] = [&mine, &theirs].map(|marks| count_common(line, marks) as usize);
            let line_value =
                |marks: usize| VALUE_BY_MISSING_MARKS.get(k - marks).copied().unwrap_or(0);
            match (m, y) {
                (0, 0) => {}
                (m, 0) => score += line_value(m),
                (0, y) => score -= line_value(y),
                _ => {}
            }
        }
        if self.misere {
            -score / 4
        } else {
            score + TEMPO
        }
    }
}

// ---- Search ----

/// Threats and symmetries of m,n,k games.
#[derive(Clone, Debug)]
pub struct MnkHeuristics<const W: usize> {
    /// Zobrist words for X and for O, by symmetry and cell.
    zobrist: Arc<Vec<Vec<[u64; 2]>>>,
    /// The cells of every line.
    lines: Arc<Vec<[u64; W]>>,
    /// The lines through each cell.
    lines_through: Arc<Vec<Vec<[u64; W]>>>,
    /// The number of cells in a line.
    k: u32,
    misere: bool,
}

/// The bit of a cell, numbered as in the position: with a spare column.
fn cell_bit<const W: usize>(game: &Mnk<W>, mv: MnkMove) -> usize {
    let (col, row) = game.column_row(mv);
    usize::from(row) * (usize::from(game.options().size().0) + 1) + usize::from(col)
}

impl<const W: usize> MnkHeuristics<W> {
    pub(crate) fn new(game: &Mnk<W>) -> MnkHeuristics<W> {
        let (columns, rows, k) = game.options().size();
        let stride = usize::from(columns) + 1;
        let size = stride * usize::from(rows);
        let symmetries = SquareSymmetry::for_board(columns, rows);
        let mut zobrist = vec![vec![[0; 2]; size]; symmetries.len()];
        for row in 0..rows {
            for col in 0..columns {
                let from = usize::from(row) * stride + usize::from(col);
                for (zobrist, symmetry) in zobrist.iter_mut().zip(symmetries) {
                    let (c, r) = symmetry.apply(col, row, columns, rows);
                    let to = (usize::from(r) * stride + usize::from(c)) as u64;
                    zobrist[from] = [mix(2 * to + 1), mix(2 * to + 2)];
                }
            }
        }
        let mut lines = Vec::new();
        let mut lines_through = vec![Vec::new(); size];
        for cells in line_cells(game) {
            let line = cell_set(&cells);
            for cell in cells {
                lines_through[cell].push(line);
            }
            lines.push(line);
        }
        MnkHeuristics {
            zobrist: Arc::new(zobrist),
            lines: Arc::new(lines),
            lines_through: Arc::new(lines_through),
            k: u32::from(k),
            misere: game.options().is_misere(),
        }
    }
}

/// The set of these cells.
pub(crate) fn cell_set<const W: usize>(cells: &[usize]) -> [u64; W] {
    let mut set = [0; W];
    for cell in cells {
        set[cell / 64] |= 1 << (cell % 64);
    }
    set
}

/// The number of common members of two sets.
#[inline]
pub(crate) fn count_common<const W: usize>(a: &[u64; W], b: &[u64; W]) -> u32 {
    let mut count = 0;
    for i in 0..W {
        count += (a[i] & b[i]).count_ones();
    }
    count
}

/// The cells of every possible line, numbered as in the position.
pub(crate) fn line_cells<const W: usize>(game: &Mnk<W>) -> Vec<Vec<usize>> {
    let (columns, rows, k) = game.options().size();
    let (columns, rows, k) = (i32::from(columns), i32::from(rows), i32::from(k));
    let mut lines = Vec::new();
    for row in 0..rows {
        for col in 0..columns {
            for (right, down) in [(1, 0), (0, 1), (1, 1), (-1, 1)] {
                let (c, r) = (col + right * (k - 1), row + down * (k - 1));
                // A line of one cell has no direction, so count it once.
                let is_duplicate = k == 1 && (right, down) != (1, 0);
                if (0..columns).contains(&c) && (0..rows).contains(&r) && !is_duplicate {
                    let cell = |i| ((row + down * i) * (columns + 1) + col + right * i) as usize;
                    lines.push((0..k).map(cell).collect());
                }
            }
        }
    }
    lines
}

/// A hash with evenly distributed bits (the finalizer of SplitMix64).
fn mix(n: u64) -> u64 {
    let mut word = n.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    word = (word ^ word >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    word = (word ^ word >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    word ^ word >> 31
}

impl<const W: usize> SearchHeuristics<Mnk<W>> for MnkHeuristics<W> {
    #[inline]
    fn proof_key(&self, _: &Mnk<W>, position: &MnkPosition<W>) -> u64 {
        // The minimum over all symmetric images is the canonical key.
        let mut keys = [0u64; SquareSymmetry::ALL.len()];
        let keys = &mut keys[..self.zobrist.len()];
        for side in Side::BOTH {
            for (i, mut word) in position.marks(side).into_iter().enumerate() {
                while word != 0 {
                    let cell = i * 64 + word.trailing_zeros() as usize;
                    word &= word - 1;
                    for (key, zobrist) in keys.iter_mut().zip(self.zobrist.iter()) {
                        *key ^= zobrist[cell][side as usize];
                    }
                }
            }
        }
        let canonical = keys.iter().copied().min().unwrap_or_default();
        // The side to move follows from the marks.
        mix(canonical)
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
        // Lines with marks of only one side count more the more marks they have, for completing as
        // well as for blocking them.
        let [x, o] = Side::BOTH.map(|side| position.marks(side));
        let mut score = 0;
        for line in &self.lines_through[cell_bit(game, mv)] {
            let weight = match (count_common(line, &x), count_common(line, &o)) {
                (marks, 0) | (0, marks) => 1 << marks.min(8),
                _ => 0,
            };
            score += weight;
        }
        if self.misere { -score } else { score }
    }

    #[inline]
    fn can_win(&self, game: &Mnk<W>, position: &MnkPosition<W>, side: Side, plies: u32) -> bool {
        // In misère games it is the opponent who has to complete a line.
        let maker = if self.misere { side.other() } else { side };
        let (mine, theirs) = (position.marks(maker), position.marks(maker.other()));
        let maker_moves = game.side(position) == maker;
        let plies = plies.min(game.count_moves(position) as u32);
        let moves = (plies + u32::from(maker_moves)) / 2;
        // Erdős–Selfridge: a line without a mark of the opponent has weight 2⁻ⁿ, where n is the
        // number of missing cells. If the total is less than 1 (½ if the maker moves next), a
        // breaker who always takes the heaviest cell prevents every line. The sum here is scaled by
        // 2ᵏ.
        let threshold = if self.misere {
            1
        } else {
            1u64 << if maker_moves { self.k - 1 } else { self.k }
        };
        let (mut weight, mut in_time) = (0, false);
        for line in self.lines.iter() {
            if count_common(line, &theirs) == 0 {
                let marks = count_common(line, &mine);
                weight += 1u64 << marks;
                in_time |= self.k - marks <= moves;
                if in_time && weight >= threshold {
                    return true;
                }
            }
        }
        false
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
