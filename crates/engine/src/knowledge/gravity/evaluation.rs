//! The evaluation of upright boards: open lines, and threats that come true once the other columns are full.

use noughts_rules::games::gravity::{Gravity, GravityPosition};
use noughts_rules::{Bitboard, Game, Side};

use crate::evaluation::Evaluation;

/// Counts open lines and threats.
///
/// When all columns but one are full, the players fill that one in turns, and who gets which cell is known from the
/// start: in Connect Four, X the odd rows from the bottom and O the even ones. A threat on a cell of one's own decides the game
/// unless something else does earlier.
#[derive(Clone, Debug)]
pub struct GravityEvaluation<const W: usize> {
    /// The cells that each side gets in the last column.
    last_cells: [Bitboard<W>; 2],
}

/// The value of a cell that completes a line, in hundredths of a logit.
const THREAT: i32 = 30;

/// The value of a line without discs of the opponent, if two and if three or more are missing.
const OPEN_LINES: [i32; 2] = [8, 2];

/// The value of a threat on a cell that the player gets in the end, and how much less for every row above the lowest.
const LAST_CELL_THREAT: i32 = 120;
const HEIGHT_COST: i32 = 8;

/// The value of being the side to move.
const TEMPO: i32 = 8;

/// Bits for the number of discs on a line.
const COUNT_BITS: usize = 4;

impl<const W: usize> GravityEvaluation<W> {
    /// The evaluation for this game's board.
    #[must_use]
    pub fn new(game: &Gravity<W>) -> GravityEvaluation<W> {
        let (columns, rows, _) = game.size();
        // The discs in all other columns, then those below.
        let others = (usize::from(columns) - 1) * usize::from(rows);
        let cells_of = |side: Side| {
            let heights =
                (0..usize::from(rows)).filter(|height| (others + height) % 2 == side as usize);
            heights.fold(Bitboard::EMPTY, |cells, height| {
                cells.union(game.bottom().shift_up(height))
            })
        };
        GravityEvaluation {
            last_cells: Side::BOTH.map(cells_of),
        }
    }

    /// The value of a side's discs to itself, except for threats on its last cells.
    pub(super) fn potential(
        &self,
        game: &Gravity<W>,
        position: &GravityPosition<W>,
        side: Side,
    ) -> i32 {
        let mine = position.marks(side);
        let open = game.cells().difference(position.marks(side.other()));
        let threats = game
            .completing_cells(mine)
            .intersection(open)
            .difference(mine);
        let mut score = THREAT * threats.len() as i32;
        let (stride, line) = (game.stride(), usize::from(game.size().2));
        for step in [1, stride, stride + 1, stride - 1] {
            // Where open lines start, and how many discs are on them, in binary.
            let mut starts = open;
            let mut counts = [Bitboard::EMPTY; COUNT_BITS];
            for n in 0..line {
                starts = starts.intersection(open.shift_down(n * step));
                let mut carry = mine.shift_down(n * step);
                for bit in &mut counts {
                    let next = bit.intersection(carry);
                    *bit = bit.union(carry).difference(next);
                    carry = next;
                }
            }
            let with_count = |count: usize| {
                let bits = counts.iter().enumerate();
                bits.fold(starts, |lines, (i, &bit)| match count >> i & 1 {
                    1 => lines.intersection(bit),
                    _ => lines.difference(bit),
                })
            };
            for (missing, value) in (2..).zip(OPEN_LINES) {
                if let Some(count) = line.checked_sub(missing) {
                    score += value * with_count(count).len() as i32;
                }
            }
        }
        score
    }

    /// The value of the threats on last cells, for X. In each column the lowest one counts; others can't be reached.
    fn last_cells_score(&self, game: &Gravity<W>, position: &GravityPosition<W>) -> i32 {
        let empty = game.cells().difference(position.occupied());
        let threats = Side::BOTH.map(|side| {
            let threats = game.completing_cells(position.marks(side));
            let last = self.last_cells[side as usize];
            threats.intersection(last).intersection(empty)
        });
        let all = threats[0].union(threats[1]);
        if all.is_empty() {
            return 0;
        }
        let mut best = [0; 2];
        for column in 0..game.size().0 {
            let Some(lowest) = all.intersection(game.column_cells(column)).nth(0) else {
                continue;
            };
            let height = (lowest % game.stride()) as i32;
            let value = (LAST_CELL_THREAT - HEIGHT_COST * height).max(HEIGHT_COST);
            let owner = usize::from(!threats[0].contains(lowest));
            best[owner] = value.max(best[owner]);
        }
        // A threat of X disturbs those of O, because O has to avoid its column.
        match best {
            [0, o] => -o,
            [x, o] => x - o / 4,
        }
    }
}

impl<const W: usize> Evaluation<Gravity<W>> for GravityEvaluation<W> {
    fn evaluate(&self, game: &Gravity<W>, position: &GravityPosition<W>) -> i32 {
        let [x, o] = Side::BOTH.map(|side| self.potential(game, position, side));
        let score = x - o + self.last_cells_score(game, position);
        TEMPO
            + match game.side(position) {
                Side::X => score,
                Side::O => -score,
            }
    }
}
