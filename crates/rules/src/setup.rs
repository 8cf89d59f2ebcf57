//! Positions as text: fields, letters in rows, and what can be wrong with them. [`parse_position`] parses the notation of
//! this project, and reports every fault at once. Notations of other programs have parsers of their own, whose results
//! go through the same checks.

use std::ops::RangeInclusive;

use crate::error::{SetupError, SetupFaultKinds};
use crate::notation::quoted;
use crate::outcome::Side;
use crate::view::BoardShape;

/// Parses the text of a position. `read` parses its fields and returns the side to move and everything else that `check`
/// needs to make the position and to add its faults to those of the text. Only certain faults are reported: if the shape is
/// wrong, `check` isn't called, and if the side can't be read, it only adds what would be wrong with either side to move.
/// `fields` is the number of fields allowed, and the names of all of them.
///
/// # Errors
/// Every reason why the text isn't a position.
pub fn parse_position<'a, T, P>(
    text: &'a str,
    fields: (RangeInclusive<usize>, &str),
    read: impl FnOnce(&mut FieldReader<'a>) -> (T, Side),
    check: impl Fn(&T, Side, &mut SetupError) -> P,
) -> Result<P, SetupError> {
    if text.is_empty() {
        let (kind, reason) = (SetupFaultKinds::FIELDS, "the position is empty");
        return Err(SetupError::single(kind, reason));
    }
    let mut reader = FieldReader::new(text, fields);
    let (parsed, side) = read(&mut reader);
    check_parsed(reader.faults, side, |side, faults| {
        check(&parsed, side, faults)
    })
}

/// The second half of [`parse_position`], given the faults of the text.
pub(crate) fn check_parsed<P>(
    mut faults: SetupError,
    side: Side,
    check: impl Fn(Side, &mut SetupError) -> P,
) -> Result<P, SetupError> {
    if faults.kinds().contains(SetupFaultKinds::SHAPE) {
        return Err(faults);
    }
    let mut more = SetupError::default();
    let position = check(side, &mut more);
    if faults.kinds().contains(SetupFaultKinds::SIDE) {
        let mut either = SetupError::default();
        check(side.other(), &mut either);
        more.retain_kinds(either.kinds());
    }
    faults.merge(more);
    faults.into_result(position)
}

/// Parses a position that consists of the letters of a board and the side to move. For `letters` and `read` see
/// [`FieldReader::boards`], for `check` see [`parse_position`].
///
/// # Errors
/// Every reason why the text isn't a position.
pub fn parse_cells_and_side<T: Copy, P>(
    text: &str,
    shape: &BoardShape,
    letters: (&str, T),
    read: impl Fn(char) -> Option<T>,
    check: impl Fn(&[T], Side, &mut SetupError) -> P,
) -> Result<P, SetupError> {
    parse_position(
        text,
        (2..=2, "cells and side"),
        |reader| (reader.boards(shape, letters, read), reader.side()),
        |cells, side, faults| check(cells, side, faults),
    )
}

/// Parses the fields of a position's text one by one and collects every fault instead of stopping at the first.
pub struct FieldReader<'a> {
    fields: std::vec::IntoIter<&'a str>,
    /// What was wrong so far.
    pub faults: SetupError,
}

/// How the letters of a field are arranged: in rows of boards.
struct LetterGrid<'a> {
    boards: usize,
    rows: usize,
    columns: usize,
    /// What the letters are, if they aren't drawn as a board: then rows are called groups.
    groups_of: Option<&'a str>,
}

/// At most this many rows of a wrong length are reported: a deep board has thousands.
const MAX_MISFITS: usize = 5;

/// At most this many letters that aren't allowed are reported.
const MAX_UNKNOWN: usize = 5;

impl<'a> FieldReader<'a> {
    fn new(text: &'a str, (counts, names): (RangeInclusive<usize>, &str)) -> FieldReader<'a> {
        let mut faults = SetupError::default();
        let fields: Vec<&str> = text.split(' ').collect();
        if fields.iter().any(|field| field.is_empty()) {
            faults.add(
                SetupFaultKinds::FIELDS,
                "fields must be separated by exactly one space, with none at the start or end",
            );
        } else if !counts.contains(&fields.len()) {
            faults.add(
                SetupFaultKinds::FIELDS,
                format!(
                    "expected these fields: {names}; found {found}",
                    found = fields.len()
                ),
            );
        }
        let fields: Vec<&str> = fields
            .into_iter()
            .filter(|field| !field.is_empty())
            .collect();
        FieldReader {
            fields: fields.into_iter(),
            faults,
        }
    }

    /// The next field, if there is one.
    pub fn next_if_any(&mut self) -> Option<&'a str> {
        self.fields.next()
    }

    /// The side to move; X if it is unreadable.
    pub fn side(&mut self) -> Side {
        let message = match self.fields.next() {
            Some("x") => return Side::X,
            Some("o") => return Side::O,
            Some(other) => format!(
                "the side to move must be x or o, not {side}",
                side = quoted(other)
            ),
            None => "the side to move (x or o) is missing".into(),
        };
        self.faults.add(SetupFaultKinds::SIDE, message);
        Side::X
    }

    /// The letters of all cells, as [`boards_text`] writes them. `read` returns `None` for a letter that isn't allowed.
    /// `letters` names those that are, for the error message, and says what any other counts as. The result always has
    /// the right number of cells.
    pub fn boards<T: Copy>(
        &mut self,
        shape: &BoardShape,
        letters: (&str, T),
        read: impl Fn(char) -> Option<T>,
    ) -> Vec<T> {
        let last = shape.depth().saturating_sub(1);
        let (columns, rows) = shape.size_at(last).unwrap_or((1, 1));
        let grid = LetterGrid {
            boards: shape.count_places(last) as usize,
            rows: rows.into(),
            columns: columns.into(),
            groups_of: None,
        };
        let field = self.fields.next().unwrap_or_default();
        self.letters(field, &grid, letters, read)
    }

    /// Letters in this many groups of nine, as [`join_groups`] writes them.
    pub(crate) fn groups_of_nine<T: Copy>(
        &mut self,
        field: &str,
        (count, what): (usize, &str),
        letters: (&str, T),
        read: impl Fn(char) -> Option<T>,
    ) -> Vec<T> {
        let grid = LetterGrid {
            boards: 1,
            rows: count,
            columns: 9,
            groups_of: Some(what),
        };
        self.letters(field, &grid, letters, read)
    }

    fn letters<T: Copy>(
        &mut self,
        field: &str,
        grid: &LetterGrid<'_>,
        (allowed, blank): (&str, T),
        read: impl Fn(char) -> Option<T>,
    ) -> Vec<T> {
        let LetterGrid {
            boards,
            rows,
            columns,
            groups_of,
        } = *grid;
        let mut letters = vec![blank; boards * rows * columns];
        let mut misfits = 0;
        let mut unknown = String::new();
        let found: Vec<&str> = match boards {
            1 => vec![field],
            _ => field.split("//").collect(),
        };
        let mut misshapen = |reason: String| self.faults.add(SetupFaultKinds::SHAPE, reason);
        if found.len() != boards {
            let found = found.len();
            misshapen(format!(
                "the position must have {boards} boards separated by `//`, not {found}"
            ));
        }
        for (n, board) in found.into_iter().take(boards).enumerate() {
            let (line, lines_of, which) = match groups_of {
                Some(what) => ("group", format!(" of {what}"), format!(" of the {what}")),
                None if boards == 1 => ("row", String::new(), String::new()),
                None => {
                    let which = format!(" of board {}", n + 1);
                    ("row", which.clone(), which)
                }
            };
            let count = board.split('/').count();
            if count != rows {
                let separated = if rows == 1 { "" } else { " separated by `/`" };
                let lines = plural(rows, line);
                misshapen(format!(
                    "there must be {lines}{lines_of}{separated}, not {count}"
                ));
            }
            for (row, text) in board.split('/').enumerate() {
                let mut length = 0;
                for letter in text.chars() {
                    match read(letter) {
                        Some(value) if length < columns && row < rows => {
                            letters[(n * rows + row) * columns + length] = value;
                        }
                        None if unknown.chars().count() < MAX_UNKNOWN
                            && !unknown.contains(letter) =>
                        {
                            unknown.push(letter);
                        }
                        _ => {}
                    }
                    length += 1;
                }
                if length != columns && misfits < MAX_MISFITS {
                    misfits += 1;
                    let number = row + 1;
                    let characters = plural(columns, "character");
                    misshapen(format!(
                        "{line} {number}{which} must have {characters}, not {length}"
                    ));
                }
            }
        }
        if !unknown.is_empty() {
            self.faults.add(
                SetupFaultKinds::LETTERS,
                format!(
                    "the {what} can only contain {allowed}, not {unknown}",
                    what = groups_of.unwrap_or("position"),
                    unknown = quoted(&unknown)
                ),
            );
        }
        letters
    }
}

/// `1 row`, `3 rows`.
fn plural(count: usize, noun: &str) -> String {
    let ending = if count == 1 { "" } else { "s" };
    format!("{count} {noun}{ending}")
}

/// The cells of all boards in one field: rows joined by `/`, boards by `//`.
#[must_use]
pub fn boards_text<T>(cells: &[T], shape: &BoardShape, letter: impl Fn(&T) -> char) -> String {
    let last = shape.depth().saturating_sub(1);
    let columns = usize::from(shape.size_at(last).map_or(1, |(columns, _)| columns));
    let size = (shape.parts_at(last) as usize).max(1);
    let boards = cells.chunks(size);
    let boards: Vec<String> = boards
        .map(|board| join_groups(board, columns, &letter))
        .collect();
    boards.join("//")
}

/// Letters in groups of this size, the groups joined by slashes.
pub(crate) fn join_groups<T>(items: &[T], size: usize, letter: impl Fn(&T) -> char) -> String {
    let mut text = String::with_capacity(items.len() + items.len() / size.max(1) + 1);
    for (i, group) in items.chunks(size.max(1)).enumerate() {
        if i > 0 {
            text.push('/');
        }
        text.extend(group.iter().map(&letter));
    }
    text
}

/// The letters that [`read_mark`] reads, and what one that isn't allowed counts as.
pub const MARK_LETTERS: (&str, Option<Side>) = ("x, o and .", None);

/// `x`, `o` or `.`.
#[must_use]
pub fn read_mark(letter: char) -> Option<Option<Side>> {
    match letter {
        '.' => Some(None),
        _ => Side::from_letter(letter).map(Some),
    }
}

/// The letter of a mark: `x`, `o` or `.`.
#[must_use]
pub fn mark_letter(mark: &Option<Side>) -> char {
    mark.map_or('.', Side::letter)
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
            format!(
                "with {marks} on the board, {expected} must be to move, not {side}",
                marks = plural(marks, "mark")
            ),
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
