//! Words and names in texts of all games: cells, small numbers, quoted input.

use crate::error::{MoveError, MoveErrorKind};
use crate::outcome::Outcome;

impl MoveError {
    pub(crate) fn game_over(outcome: Outcome) -> MoveError {
        MoveError::new(
            MoveErrorKind::GameOver,
            format!("the game is over: {outcome}"),
        )
    }

    pub(crate) fn cell_taken(cell: &str) -> MoveError {
        MoveError::new(MoveErrorKind::CellTaken, format!("{cell} is taken"))
    }
}

/// User input quoted in a message: short, on one line, in backquotes.
#[must_use]
pub fn quoted(text: &str) -> String {
    format!("`{}`", truncated(text, 24))
}

/// Enough of the user's input to recognize it, on one line.
pub(crate) fn truncated(text: &str, max_chars: usize) -> String {
    let mut short: String = text.chars().map(printable).take(max_chars).collect();
    if text.chars().nth(max_chars).is_some() {
        short.push('…');
    }
    short
}

/// The character, or `?` for one that would affect the terminal or the direction of the
/// surrounding text.
fn printable(c: char) -> char {
    let mark =
        matches!(c, '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}');
    if c.is_control() || mark { '?' } else { c }
}

/// The letter of a column, counted from 0: `a` to `z`, then `aa`, `ab` and so on.
#[must_use]
pub fn column_name(column: u8) -> String {
    let mut letters = Vec::new();
    let mut left = u32::from(column) + 1;
    while let Some(rest) = left.checked_sub(1) {
        letters.push(char::from(b'a' + (rest % 26) as u8));
        left = rest / 26;
    }
    letters.iter().rev().collect()
}

/// The column with these letters, counted from 0, as [`column_name`] writes it.
#[must_use]
pub fn parse_column(text: &str) -> Option<u8> {
    let number = text.bytes().try_fold(0_u32, |number, byte| {
        let letter = byte.is_ascii_lowercase().then(|| byte - b'a')?;
        number.checked_mul(26)?.checked_add(u32::from(letter) + 1)
    });
    u8::try_from(number?.checked_sub(1)?).ok()
}

/// The name of a cell of a flat board: column letter, row number.
pub(crate) fn cell_text(col: u8, row: u8) -> String {
    format!("{}{}", column_name(col), u32::from(row) + 1)
}

/// Parses the name of a cell on a board of this size; returns column and row, from 0.
pub(crate) fn parse_cell(text: &str, columns: u8, rows: u8) -> Option<(u8, u8)> {
    let (letters, digits) = text.split_at(text.find(|c: char| c.is_ascii_digit())?);
    let col = parse_column(letters)?;
    let is_plain = digits.bytes().all(|b| b.is_ascii_digit()) && !digits.starts_with('0');
    let row: u8 = digits.parse().ok()?;
    (is_plain && col < columns && (1..=rows).contains(&row)).then(|| (col, row - 1))
}

/// `columns go from a to c, rows from 1 to 3`, for error messages.
pub(crate) fn cell_range(columns: u8, rows: u8) -> String {
    format!(
        "columns go from a to {last_column}, rows from 1 to {rows}",
        last_column = column_name(columns.saturating_sub(1))
    )
}

/// Small numbers as words.
pub(crate) fn number_word(number: u8) -> String {
    const WORDS: [&str; 11] = [
        "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten",
    ];
    WORDS
        .get(usize::from(number))
        .map_or_else(|| number.to_string(), |word| (*word).to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Guards against cells beyond column z, whose names used to be other characters or overflow.
    #[test]
    fn every_column_has_a_name() {
        for (column, name) in [(0, "a"), (25, "z"), (26, "aa"), (27, "ab"), (255, "iv")] {
            assert_eq!(column_name(column), name);
        }
        for column in 0..=u8::MAX {
            assert_eq!(parse_column(&column_name(column)), Some(column));
            for row in [0, 9, 254] {
                let name = cell_text(column, row);
                let is_inside = column < 255;
                let parsed = parse_cell(&name, 255, 255);
                assert_eq!(parsed, is_inside.then_some((column, row)), "{name}");
            }
        }
        for text in ["", "iw", "A", "a1", "ä", "aaaaaaaaaaaaaaaa"] {
            assert_eq!(parse_column(text), None, "{text}");
        }
        for text in ["", "a", "1", "a0", "a01", "a256", "a1b", "a-1", "ä1", "1a"] {
            assert_eq!(parse_cell(text, 255, 255), None, "{text}");
        }
        assert_eq!(cell_range(0, 0), "columns go from a to a, rows from 1 to 0");
        assert_eq!(
            cell_range(28, 3),
            "columns go from a to ab, rows from 1 to 3"
        );
    }
}
