//! The evaluation of upright boards: open lines, and threats that come true once the other columns are full.

use noughts_rules::games::gravity::{Gravity, GravityPosition};
use noughts_rules::{Bitboard, Game, Side};

use crate::evaluation::Evaluation;

/// Counts open lines and threats: empty cells that complete a line.
///
/// When all columns but one are full, the players fill that one in turns, and who gets which cell is known from the
/// start: in Connect Four, X the odd rows from the bottom and O the even ones. A threat on such a cell of one's own decides
/// the game unless something else does earlier.
///
/// The weights are a logistic regression over the results of 1,900 solved positions of Connect Four with 14 to 22 discs, in
/// hundredths of a logit.
#[derive(Clone, Debug)]
pub struct GravityEvaluation<const W: usize> {
    /// The cells that each side gets in the last column.
    last_cells: [Bitboard<W>; 2],
}

/// The values of a line without discs of the opponent of which 2 and 3 discs are missing.
const OPEN_LINES: [i32; 2] = [44, 17];

/// For each side, the value of a column in which the lowest threat on a last cell is its own.
const LAST_CELL_THREATS: [i32; 2] = [180, 135];

/// The value of any other threat.
const THREAT: i32 = 60;

/// The value of being the side to move.
const TEMPO: i32 = 160;

/// Bits for the number of discs on an open line.
const MAX_COUNT_BITS: usize = 4;

impl<const W: usize> GravityEvaluation<W> {
    /// The evaluation for this game's board.
    #[must_use]
    pub fn new(game: &Gravity<W>) -> GravityEvaluation<W> {
        let (columns, rows, _) = game.size();
        // The discs in all other columns, then those below.
        let others = (usize::from(columns) - 1) * usize::from(rows);
        let cells_of = |side: Side| {
            let heights = 0..usize::from(rows);
            let heights = heights.filter(|height| (others + height) % 2 == side as usize);
            heights.fold(Bitboard::EMPTY, |cells, height| {
                cells.union(game.bottom().shift_up(height))
            })
        };
        GravityEvaluation {
            last_cells: Side::BOTH.map(cells_of),
        }
    }

    /// The value of a side's open lines and threats to itself, except threats on last cells.
    pub(super) fn potential(
        &self,
        game: &Gravity<W>,
        position: &GravityPosition<W>,
        side: Side,
    ) -> i32 {
        let threats = self.threats(game, position, side);
        let others = threats.difference(self.last_cells[side as usize]);
        let mine = position.marks(side);
        let open = game.cells().difference(position.marks(side.other()));
        let lines = match (game.stride(), game.size().2) {
            // Connect Four: constants make this several times faster.
            (7, 4) => open_lines_value(mine, open, 7, 4),
            (stride, line) => open_lines_value(mine, open, stride, line.into()),
        };
        THREAT * others.len() as i32 + lines
    }

    /// The empty cells that complete a line of this side.
    fn threats(&self, game: &Gravity<W>, position: &GravityPosition<W>, side: Side) -> Bitboard<W> {
        let completing = game.completing_cells(position.marks(side));
        completing.difference(position.occupied())
    }

    /// The value of the threats on last cells, for X. In each column only the lowest one counts: the players don't get to
    /// those above.
    fn last_cells_value(&self, game: &Gravity<W>, position: &GravityPosition<W>) -> i32 {
        let [x, o] = Side::BOTH.map(|side| {
            let threats = self.threats(game, position, side);
            threats.intersection(self.last_cells[side as usize])
        });
        let both = x.union(o);
        if both.is_empty() {
            return 0;
        }
        let columns = (0..game.size().0).map(|column| game.column_cells(column));
        let lowest = columns.filter_map(|cells| both.intersection(cells).nth(0));
        lowest
            .map(|cell| match x.contains(cell) {
                true => LAST_CELL_THREATS[0],
                false => -LAST_CELL_THREATS[1],
            })
            .sum()
    }
}

/// The value of the lines in all directions that are within the open cells. No line is complete.
#[inline(always)]
fn open_lines_value<const W: usize>(
    mine: Bitboard<W>,
    open: Bitboard<W>,
    stride: usize,
    line: usize,
) -> i32 {
    let count_bits = (usize::BITS - (line - 1).leading_zeros()) as usize;
    let mut value = 0;
    for step in [1, stride, stride + 1, stride - 1] {
        // Where open lines start, and how many discs are on each, in binary.
        let mut starts = open;
        let mut counts = [Bitboard::EMPTY; MAX_COUNT_BITS];
        for n in 0..line {
            starts = starts.intersection(open.shift_down(n * step));
            let mut carry = mine.shift_down(n * step);
            for bit in &mut counts[..count_bits] {
                let both = bit.intersection(carry);
                *bit = bit.union(carry).difference(both);
                carry = both;
            }
        }
        for (missing, line_value) in (2..).zip(OPEN_LINES) {
            let Some(count) = line.checked_sub(missing) else {
                continue;
            };
            let bits = counts[..count_bits].iter().enumerate();
            let lines = bits.fold(starts, |lines, (i, &bit)| match count >> i & 1 {
                1 => lines.intersection(bit),
                _ => lines.difference(bit),
            });
            value += line_value * lines.len() as i32;
        }
    }
    value
}

impl<const W: usize> Evaluation<Gravity<W>> for GravityEvaluation<W> {
    fn evaluate(&self, game: &Gravity<W>, position: &GravityPosition<W>) -> i32 {
        let [x, o] = Side::BOTH.map(|side| self.potential(game, position, side));
        let value = x - o + self.last_cells_value(game, position);
        match game.side(position) {
            Side::X => TEMPO + value,
            Side::O => TEMPO - value,
        }
    }
}
