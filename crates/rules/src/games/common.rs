//! What files of games share: lines of cells, cells of 3×3 boards, positions of two players' marks, and texts of positions.

use std::fmt;
use std::marker::PhantomData;

use crate::bitboard::{Bitboard, nth_bit, set_bits};
use crate::bitboard9::{self, LINES};
use crate::error::SetupError;
use crate::hash::PositionHasher;
pub use crate::notation::quoted;
use crate::notation::{cell_text, parse_cell};
use crate::outcome::{Outcome, Side};
pub use crate::setup::{
    FieldReader, MARK_LETTERS, boards_text, check_counts, check_last_move, check_lines,
    check_parity, mark_letter, parse_cells_and_side, parse_position, read_mark,
};
use crate::symmetry::SquareSymmetry;
use crate::view::{BoardShape, Place, Target};

/// Every line of exactly `length` neighboring cells in a row, column or diagonal of a board, as indices in reading
/// order.
#[must_use]
pub fn lines_of_length(columns: u8, rows: u8, length: u8) -> Vec<Vec<usize>> {
    let (columns, rows) = (i32::from(columns), i32::from(rows));
    let mut lines = Vec::new();
    for row in 0..rows {
        for column in 0..columns {
            for (right, down) in [(1, 0), (0, 1), (1, 1), (-1, 1)] {
                let reach = i32::from(length) - 1;
                let end = (column + right * reach, row + down * reach);
                // A line of one cell has no direction, so it counts once.
                let is_duplicate = length == 1 && (right, down) != (1, 0);
                if (0..columns).contains(&end.0) && (0..rows).contains(&end.1) && !is_duplicate {
                    let cell = |n| ((row + down * n) * columns + column + right * n) as usize;
                    lines.push((0..=reach).map(cell).collect());
                }
            }
        }
    }
    lines
}

/// The same as sets of bits, for boards of at most 64 cells.
#[must_use]
pub fn line_masks(columns: u8, rows: u8, length: u8) -> Vec<u64> {
    let lines = lines_of_length(columns, rows, length).into_iter();
    lines
        .map(|line| line.iter().fold(0, |mask, cell| mask | 1 << cell))
        .collect()
}

/// All cells of a 3×3 board, as a set of bits.
pub const ALL_NINE: u16 = 0b111_111_111;

/// A cell of a 3×3 board, numbered in reading order from 0.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Cell9(u8);

impl Cell9 {
    /// The cell with this number; `None` from 9 on.
    #[must_use]
    pub fn new(number: usize) -> Option<Cell9> {
        (number < 9).then_some(Cell9(number as u8))
    }

    /// Its number.
    #[must_use]
    #[inline]
    pub fn number(self) -> usize {
        self.0.into()
    }

    /// The set of only this cell: its number is the number of the bit.
    #[must_use]
    #[inline]
    pub fn bit(self) -> u16 {
        1 << (self.0 & 15)
    }

    /// The cell with this name.
    #[must_use]
    pub fn parse(name: &str) -> Option<Cell9> {
        let (column, row) = parse_cell(name, 3, 3)?;
        Some(Cell9(3 * row + column))
    }

    /// The cell that a place of a single 3×3 board is; `None` if it isn't a cell.
    #[must_use]
    pub fn at(place: Place) -> Option<Cell9> {
        let number = usize::try_from(place.index).ok()?;
        (place.level == 1).then(|| Cell9::new(number)).flatten()
    }

    /// The place that it is.
    #[must_use]
    pub fn place(self) -> Place {
        Place::new(1, self.0.into())
    }

    /// The target of a tap on it.
    #[must_use]
    pub fn target(self) -> Target {
        Target::Place(self.place())
    }

    /// Where a symmetry of the board moves it.
    #[must_use]
    pub fn map(self, symmetry: SquareSymmetry) -> Cell9 {
        let (column, row) = symmetry.apply(self.0 % 3, self.0 / 3, 3, 3);
        Cell9(3 * row + column)
    }
}

/// The name: `b2`.
impl fmt::Display for Cell9 {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&cell_text(self.0 % 3, self.0 / 3))
    }
}

/// The cells of a set, in reading order.
#[inline]
pub fn cells_in(set: u16) -> impl Iterator<Item = Cell9> {
    set_bits((set & ALL_NINE).into()).map(|bit| Cell9(bit as u8))
}

/// The n-th cell of a set.
#[must_use]
#[inline]
pub fn nth_cell_in(set: u16, n: usize) -> Option<Cell9> {
    let set = set & ALL_NINE;
    let is_there = n < set.count_ones() as usize;
    is_there.then(|| Cell9(nth_bit(set.into(), n as u32) as u8))
}

/// Does a set of cells of a 3×3 board contain a line?
#[must_use]
#[inline]
pub fn has_line_of_three(set: u16) -> bool {
    bitboard9::has_line((set & ALL_NINE).into())
}

/// Each line that a set of cells of a 3×3 board contains, as a set.
pub fn lines_in(set: u16) -> impl Iterator<Item = u16> {
    let lines = LINES.into_iter().map(|line| line as u16);
    lines.filter(move |line| set & line == *line)
}

/// The places of each line that a set of cells of a 3×3 board contains.
#[must_use]
pub fn places_of_lines(set: u16) -> Vec<Vec<Place>> {
    let places = |line| cells_in(line).map(Cell9::place).collect();
    lines_in(set).map(places).collect()
}

/// A set of cells of a 3×3 board, rotated or reflected.
#[must_use]
pub fn map_set(set: u16, symmetry: SquareSymmetry) -> u16 {
    bitboard9::transform(set.into(), symmetry) as u16
}

/// The lines whose cells are all in a set, as places on the level of the cells.
pub fn complete_lines(
    lines: &[Vec<usize>],
    level: u8,
    contains: impl Fn(usize) -> bool,
) -> Vec<Vec<Place>> {
    let is_complete = |line: &&Vec<usize>| line.iter().all(|&cell| contains(cell));
    let places = |line: &Vec<usize>| {
        let cells = line.iter();
        cells.map(|&cell| Place::new(level, cell as u32)).collect()
    };
    lines.iter().filter(is_complete).map(places).collect()
}

/// A position of a game in which the players fill cells with their marks in turn: a bitboard for each side. Which bit a
/// cell has is up to the game. `M` is the type of the game's moves, which makes the positions of each game a type of
/// their own:
///
/// ```compile_fail,E0308
/// use noughts_rules::{Game, Mnk, games::gravity::SmallGravity};
/// let position = SmallGravity::connect_four().start();
/// Mnk::classic().outcome(&position);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct MarkPosition<M, const W: usize> {
    pub(super) marks: [Bitboard<W>; 2],
    pub(super) side: Side,
    pub(super) outcome: Option<Outcome>,
    pub(super) moves: PhantomData<M>,
}

impl<M, const W: usize> MarkPosition<M, W> {
    /// The empty board.
    pub(super) const START: MarkPosition<M, W> = MarkPosition {
        marks: [Bitboard::EMPTY; 2],
        side: Side::X,
        outcome: None,
        moves: PhantomData,
    };

    /// The marks of a side.
    #[must_use]
    #[inline]
    pub fn marks(&self, side: Side) -> Bitboard<W> {
        self.marks[side.index()]
    }

    /// All marks.
    #[must_use]
    #[inline]
    pub fn occupied(&self) -> Bitboard<W> {
        self.marks[0].union(self.marks[1])
    }

    /// The mark on a cell.
    pub(super) fn mark_on(&self, bit: usize) -> Option<Side> {
        let mut sides = Side::BOTH.into_iter();
        sides.find(|side| self.marks[side.index()].contains(bit))
    }

    /// The position with every mark moved to another bit.
    pub(super) fn map(&self, image: impl Fn(usize) -> usize) -> MarkPosition<M, W> {
        let map_set = |marks: Bitboard<W>| {
            let mut images = Bitboard::EMPTY;
            marks.iter().for_each(|bit| images.insert(image(bit)));
            images
        };
        MarkPosition {
            marks: self.marks.map(map_set),
            ..*self
        }
    }

    pub(super) fn hash(&self) -> u64 {
        let mut hasher = PositionHasher::new();
        for word in self.marks.iter().flat_map(|marks| marks.0) {
            hasher.add(word);
        }
        hasher.add(self.side as u64);
        hasher.finish()
    }

    /// The text of the position; `bit` is that of a cell.
    pub(super) fn text(&self, shape: &BoardShape, bit: impl Fn(usize) -> usize) -> String {
        let cells = 0..shape.count_cells() as usize;
        let marks: Vec<_> = cells.map(|cell| self.mark_on(bit(cell))).collect();
        let cells = boards_text(&marks, shape, mark_letter);
        format!("{cells} {}", self.side.letter())
    }

    /// The position with these marks, with its faults. A line wins; `bit` is that of a cell.
    pub(super) fn set_up(
        marks: &[Option<Side>],
        side: Side,
        bit: impl Fn(usize) -> usize,
        has_line: impl Fn(Bitboard<W>) -> bool,
        faults: &mut SetupError,
    ) -> MarkPosition<M, W> {
        let mut position = MarkPosition {
            side,
            ..MarkPosition::START
        };
        for (cell, owner) in marks.iter().enumerate() {
            if let Some(owner) = owner {
                position.marks[owner.index()].insert(bit(cell));
            }
        }
        let [x, o] = position.marks.map(|marks| marks.len() as usize);
        check_counts(x, o, side, faults);
        let lines = position.marks.map(has_line);
        check_lines(lines, side, faults);
        position.outcome = match lines {
            [true, _] => Some(Outcome::Win(Side::X)),
            [_, true] => Some(Outcome::Win(Side::O)),
            _ if x + o == marks.len() => Some(Outcome::Draw),
            _ => None,
        };
        position
    }
}
