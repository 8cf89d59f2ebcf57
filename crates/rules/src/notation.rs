//! Parsing and formatting shared by all games: fields, groups, cell names.

use crate::error::{MoveError, MoveErrorKind, SetupError, SetupFaultKinds};
use crate::outcome::{Outcome, Side};

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

/// The name of a cell of a flat board: column letter, row number.
pub(crate) fn cell_text(col: u8, row: u8) -> String {
    format!("{}{}", char::from(b'a' + col), row + 1)
}

/// Parses the name of a cell on a board of this size; returns column and row, from 0.
pub(crate) fn parse_cell(text: &str, columns: u8, rows: u8) -> Option<(u8, u8)> {
    let mut chars = text.chars();
    let letter = chars.next()?;
    let col = u8::try_from(letter).ok()?.checked_sub(b'a')?;
    let digits = chars.as_str();
    let is_plain = digits.bytes().all(|b| b.is_ascii_digit()) && !digits.starts_with('0');
    let row: u8 = digits.parse().ok()?;
    (is_plain && col < columns && (1..=rows).contains(&row)).then(|| (col, row - 1))
}

/// `columns go from a to c, rows from 1 to 3`, for error messages.
pub(crate) fn cell_range(columns: u8, rows: u8) -> String {
    format!(
        "columns go from a to {last_column}, rows from 1 to {rows}",
        last_column = char::from(b'a' + columns - 1)
    )
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

/// Parses the fields of a position's text one by one and collects every fault instead of
/// stopping at the first.
pub struct FieldReader<'a> {
    fields: std::vec::IntoIter<&'a str>,
    /// What was wrong so far.
    pub faults: SetupError,
}

impl<'a> FieldReader<'a> {
    /// Splits the text into fields; `what` names all of them in the error message.
    #[must_use]
    pub fn new(text: &'a str, min_fields: usize, max_fields: usize, what: &str) -> FieldReader<'a> {
        let mut faults = SetupError::default();
        let fields: Vec<&str> = text.split(' ').collect();
        if fields.iter().any(|field| field.is_empty()) {
            faults.add(
                SetupFaultKinds::FIELDS,
                "fields must be separated by exactly one space, with none at the start or end",
            );
        } else if !(min_fields..=max_fields).contains(&fields.len()) {
            faults.add(
                SetupFaultKinds::FIELDS,
                format!(
                    "expected these fields: {what}; found {found}",
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

    /// The next field; empty if it is missing.
    pub fn next_field(&mut self) -> &'a str {
        self.fields.next().unwrap_or_default()
    }

    /// `count` groups of `size` marks. `what` names the groups.
    pub fn cells(&mut self, what: &str, count: usize, size: usize) -> Vec<Option<Side>> {
        let field = self.fields.next().unwrap_or_default();
        self.groups(
            field,
            what,
            count,
            size,
            "x, o and .",
            None,
            |letter| match letter {
                '.' => Some(None),
                _ => Side::from_letter(letter).map(Some),
            },
        )
    }

    /// A letter that can't be parsed is reported and counts as `blank`.
    #[allow(
        clippy::too_many_arguments,
        reason = "private, with two callers that differ in every argument"
    )]
    pub(crate) fn groups<T: Copy>(
        &mut self,
        field: &str,
        what: &str,
        count: usize,
        size: usize,
        allowed: &str,
        blank: T,
        read: impl Fn(char) -> Option<T>,
    ) -> Vec<T> {
        let mut items = Vec::new();
        let mut unknown = String::new();
        let (mut found, mut misfit) = (0, None);
        for group in field.split('/') {
            found += 1;
            let letters = group.chars().count();
            if letters != size && misfit.is_none() {
                misfit = Some((found, letters));
            }
            for letter in group.chars() {
                let item = read(letter);
                if item.is_none() && unknown.chars().count() < 5 && !unknown.contains(letter) {
                    unknown.push(letter);
                }
                items.push(item.unwrap_or(blank));
            }
        }
        if found != count {
            self.faults.add(
                SetupFaultKinds::SHAPE,
                format!("the {what} must be {count} groups separated by `/`, not {found}"),
            );
        }
        if let Some((group, letters)) = misfit {
            self.faults.add(
                SetupFaultKinds::SHAPE,
                format!("group {group} of the {what} must have {size} characters, not {letters}"),
            );
        }
        if !unknown.is_empty() {
            self.faults.add(
                SetupFaultKinds::LETTERS,
                format!(
                    "the {what} can only contain {allowed}, not {unknown}",
                    unknown = quoted(&unknown)
                ),
            );
        }
        items
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
