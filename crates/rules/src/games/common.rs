//! What files of games share: lines of cells, cells of 3×3 boards, position text of one or more boards, and faults of
//! setups.

use std::fmt;

use crate::bitboard::{nth_bit, set_bits};
use crate::bitboard9;
use crate::error::{SetupError, SetupFaultKinds};
pub use crate::notation::{FieldReader, quoted};
use crate::notation::{cell_text, parse_cell};
use crate::outcome::Side;
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

/// The eight lines of a 3×3 board whose cells are numbered in reading order, as sets of bits.
pub const LINES_OF_THREE: [u16; 8] = [
    0b000_000_111,
    0b000_111_000,
    0b111_000_000,
    0b001_001_001,
    0b010_010_010,
    0b100_100_100,
    0b100_010_001,
    0b001_010_100,
];

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

/// The places of each line that a set of cells of a 3×3 board contains.
#[must_use]
pub fn places_of_lines(set: u16) -> Vec<Vec<Place>> {
    let lines = LINES_OF_THREE.into_iter();
    lines
        .filter(|line| set & line == *line)
        .map(|line| cells_in(line).map(Cell9::place).collect())
        .collect()
}

/// A set of cells of a 3×3 board, rotated or reflected.
#[must_use]
pub fn map_set(set: u16, symmetry: SquareSymmetry) -> u16 {
    bitboard9::transform(set.into(), symmetry) as u16
}

/// The cells of all boards in one field: rows joined by `/`, boards by `//`.
#[must_use]
pub fn boards_text<T>(cells: &[T], shape: &BoardShape, letter: impl Fn(&T) -> char) -> String {
    let last = shape.depth().saturating_sub(1);
    let columns = usize::from(shape.size_at(last).map_or(1, |(columns, _)| columns)).max(1);
    let size = (shape.parts_at(last) as usize).max(1);
    let boards = cells.chunks(size).map(|board| {
        let rows = board
            .chunks(columns)
            .map(|row| row.iter().map(&letter).collect::<String>());
        rows.collect::<Vec<_>>().join("/")
    });
    boards.collect::<Vec<_>>().join("//")
}

/// Parses the field that [`boards_text`] writes. `read` returns `None` for a letter that isn't allowed, which counts as
/// `blank`; `allowed` names those that are. The result always has the right number of cells.
pub fn parse_boards<T: Copy>(
    reader: &mut FieldReader<'_>,
    shape: &BoardShape,
    allowed: &str,
    blank: T,
    read: impl Fn(char) -> Option<T>,
) -> Vec<T> {
    let field = reader.next_field();
    let last = shape.depth().saturating_sub(1);
    let (columns, rows) = shape.size_at(last).unwrap_or((1, 1));
    let (columns, rows) = (usize::from(columns), usize::from(rows));
    let count = shape.count_places(last) as usize;
    let mut cells = vec![blank; shape.count_cells() as usize];
    let faults = &mut reader.faults;
    let boards: Vec<&str> = field.split("//").collect();
    if boards.len() != count {
        let found = boards.len();
        faults.add(
            SetupFaultKinds::SHAPE,
            format!("the position must have {count} boards separated by `//`, not {found}"),
        );
    }
    let mut unknown = String::new();
    for (n, board) in boards.iter().enumerate() {
        let which = match count {
            1 => String::new(),
            _ => format!(" of board {}", n + 1),
        };
        let lines: Vec<&str> = board.split('/').collect();
        if lines.len() != rows {
            let found = lines.len();
            faults.add(
                SetupFaultKinds::SHAPE,
                format!("there must be {rows} rows{which} separated by `/`, not {found}"),
            );
        }
        for (row, line) in lines.iter().enumerate() {
            let found = line.chars().count();
            if found != columns {
                let row = row + 1;
                faults.add(
                    SetupFaultKinds::SHAPE,
                    format!("row {row}{which} must have {columns} characters, not {found}"),
                );
            }
            for (column, letter) in line.chars().enumerate() {
                match read(letter) {
                    Some(value) if column < columns && row < rows && n < count => {
                        cells[(n * rows + row) * columns + column] = value;
                    }
                    Some(_) => {}
                    None if unknown.chars().count() < 5 && !unknown.contains(letter) => {
                        unknown.push(letter);
                    }
                    None => {}
                }
            }
        }
    }
    if !unknown.is_empty() {
        faults.add(
            SetupFaultKinds::LETTERS,
            format!(
                "the position can only contain {allowed}, not {unknown}",
                unknown = crate::notation::quoted(&unknown)
            ),
        );
    }
    cells
}

/// Parses a position that consists of cells and the side to move; `check` makes it and adds its faults. They are added to
/// those of the text, except where these leave open whether they are any: nothing is checked unless the shape is right,
/// and if the side is unreadable, only what is wrong for both sides is reported.
pub fn parse_cells_and_side<T: Copy, P>(
    text: &str,
    shape: &BoardShape,
    (allowed, blank): (&str, T),
    read: impl Fn(char) -> Option<T>,
    check: impl Fn(&[T], Side, &mut SetupError) -> P,
) -> Result<P, SetupError> {
    let letters = (allowed, blank);
    let no_details = (0, "cells and side");
    parse_fields(
        text,
        shape,
        letters,
        read,
        no_details,
        |cells, side, _, faults| check(cells, side, faults),
    )
}

/// The same for positions with this number of fields after the side, which `check` gets as its third argument. Nothing is
/// checked if one of them is missing. `what` names all fields.
pub fn parse_fields<T: Copy, P>(
    text: &str,
    shape: &BoardShape,
    (allowed, blank): (&str, T),
    read: impl Fn(char) -> Option<T>,
    (details, what): (usize, &str),
    check: impl Fn(&[T], Side, &[&str], &mut SetupError) -> P,
) -> Result<P, SetupError> {
    if text.is_empty() {
        let (kind, reason) = (SetupFaultKinds::FIELDS, "the position is empty");
        return Err(SetupError::single(kind, reason));
    }
    let mut reader = FieldReader::new(text, 2 + details, 2 + details, what);
    let cells = parse_boards(&mut reader, shape, allowed, blank, read);
    let side = reader.side();
    let found: Vec<&str> = (0..details).filter_map(|_| reader.next_if_any()).collect();
    let mut faults = reader.faults;
    if faults.kinds().contains(SetupFaultKinds::SHAPE) || found.len() < details {
        return Err(faults);
    }
    let mut more = SetupError::default();
    let position = check(&cells, side, &found, &mut more);
    if faults.kinds().contains(SetupFaultKinds::SIDE) {
        let mut either = SetupError::default();
        check(&cells, side.other(), &found, &mut either);
        more.retain_kinds(either.kinds());
    }
    faults.merge(more);
    faults.into_result(position)
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

/// `x`, `o` or `.`.
#[must_use]
pub fn read_mark(letter: char) -> Option<Option<Side>> {
    match letter {
        '.' => Some(None),
        _ => Side::from_letter(letter).map(Some),
    }
}

/// X must have as many pieces as O if X is to move, and one more if O is.
pub fn check_counts(x: usize, o: usize, side: Side, faults: &mut SetupError) {
    let (is_right, rule) = match side {
        Side::X => (x == o, "as many as O"),
        Side::O => (x == o + 1, "one more than O"),
    };
    if !is_right {
        faults.add(
            SetupFaultKinds::COUNTS,
            format!("with {side} to move, X must have {rule}, but X has {x} and O has {o}"),
        );
    }
}

/// X is to move after an even number of marks, O after an odd one.
pub fn check_parity(marks: usize, side: Side, faults: &mut SetupError) {
    let expected = if marks.is_multiple_of(2) {
        Side::X
    } else {
        Side::O
    };
    if side != expected {
        faults.add(
            SetupFaultKinds::COUNTS,
            format!("with {marks} marks on the board, {expected} must be to move, not {side}"),
        );
    }
}

/// If lines are complete, one cell must lie on all of them: otherwise the game would have ended earlier.
pub fn check_last_move(common_cells: u64, has_line: bool, faults: &mut SetupError) {
    if has_line && common_cells == 0 {
        faults.add(
            SetupFaultKinds::LINES,
            "there are lines without a common cell, but the first line would have ended the game",
        );
    }
}

/// Lines of both players, or of the player to move, can't be: the game would have ended earlier.
pub fn check_lines(lines: [bool; 2], side: Side, faults: &mut SetupError) {
    if lines == [true, true] {
        faults.add(
            SetupFaultKinds::LINES,
            "both players have a line, but the first line would have ended the game",
        );
    } else if lines[side.index()] {
        faults.add(
            SetupFaultKinds::LINES,
            format!("{side} is to move but already has a line, which would have ended the game"),
        );
    }
}
