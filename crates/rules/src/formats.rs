//! Notations of other programs for a 3×3 board: nine digits and JSON lists.

use crate::any_game_state::AnyGameState;
use crate::error::{SetupError, SetupFaultKinds};
use crate::games;
use crate::outcome::Side;
use crate::setup::check_parsed;

/// The position can't be written in this format.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{0}")]
pub struct FormatError(String);

/// Is this text in digits rather than in our own notation?
pub(crate) fn is_digits(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit())
}

/// Is this text in digits or lists rather than in our own notation?
pub(crate) fn is_foreign(text: &str) -> bool {
    is_digits(text) || text.trim_start().starts_with('[')
}

pub(crate) fn mark_digit(mark: Option<Side>) -> u8 {
    mark.map_or(0, |side| side as u8 + 1)
}

pub(crate) fn digit_mark(digit: u8) -> Option<Option<Side>> {
    match digit {
        0 => Some(None),
        1 => Some(Some(Side::X)),
        2 => Some(Some(Side::O)),
        _ => None,
    }
}

/// Parses nine digits, `0` empty, `1` first player, `2` second player, or a list of three lists of three of them. `check` is
/// that of [`parse_cells_and_side`](crate::setup::parse_cells_and_side).
pub(crate) fn parse_foreign<P>(
    text: &str,
    check: impl Fn(&[Option<Side>], Side, &mut SetupError) -> P,
) -> Result<P, SetupError> {
    let mut faults = SetupError::default();
    let digits = if is_digits(text) {
        if text.len() != 9 {
            faults.add(
                SetupFaultKinds::SHAPE,
                format!("expected nine digits, found {found}", found = text.len()),
            );
        }
        text.bytes().map(|b| b.wrapping_sub(b'0')).collect()
    } else {
        let lists = lists_of_numbers(text).unwrap_or_default();
        if lists.len() != 3 || lists.iter().any(|row| row.len() != 3) {
            faults.add(
                SetupFaultKinds::SHAPE,
                "expected a list of three lists of three numbers (0, 1 or 2), \
                 such as [[0,0,0],[0,1,0],[0,0,0]]",
            );
        }
        lists.concat()
    };
    if digits.iter().any(|&digit| digit > 2) {
        faults.add(
            SetupFaultKinds::LETTERS,
            "digits must be 0 (empty), 1 (X) or 2 (O)",
        );
    }
    let marks = digits.iter().map(|&digit| digit_mark(digit).flatten());
    let marks: Vec<Option<Side>> = marks.collect();
    let count = |side| marks.iter().filter(|&&mark| mark == Some(side)).count();
    // The side to move follows from the counts.
    let side = match count(Side::X) > count(Side::O) {
        true => Side::O,
        false => Side::X,
    };
    check_parsed(faults, side, |side, faults| check(&marks, side, faults))
}

/// A JSON list of lists of numbers up to 255.
fn lists_of_numbers(text: &str) -> Option<Vec<Vec<u8>>> {
    const WHITESPACE: [char; 4] = [' ', '\t', '\n', '\r'];
    fn strip_brackets(text: &str) -> Option<&str> {
        let text = text.trim_matches(WHITESPACE).strip_prefix('[')?;
        Some(text.strip_suffix(']')?.trim_matches(WHITESPACE))
    }
    let number = |text: &str| -> Option<u8> {
        let text = text.trim_matches(WHITESPACE);
        let is_plain = is_digits(text) && (text.len() == 1 || !text.starts_with('0'));
        is_plain.then(|| text.parse().ok()).flatten()
    };
    let mut lists = Vec::new();
    for list in strip_brackets(text)?.split_inclusive(']') {
        let list = match lists.is_empty() {
            true => list,
            false => list.trim_start_matches(WHITESPACE).strip_prefix(',')?,
        };
        let numbers = strip_brackets(list)?;
        lists.push(match numbers.is_empty() {
            true => Vec::new(),
            false => numbers.split(',').map(number).collect::<Option<_>>()?,
        });
    }
    Some(lists)
}

impl AnyGameState {
    /// The nine digits of a 3×3 board, or the 93 digits of uttt.ai for `ultimate`.
    ///
    /// ```
    /// use noughts_rules::{AnyGameState, Variant};
    /// // x o .
    /// // . x .
    /// // . . .
    /// let state = AnyGameState::from_text(Variant::CLASSIC, "xo./.x./... o")?;
    /// assert_eq!(state.to_digits().unwrap(), "120010000");
    /// # Ok::<(), noughts_rules::SetupError>(())
    /// ```
    ///
    /// # Errors
    /// Other games don't have this format.
    pub fn to_digits(&self) -> Result<String, FormatError> {
        (self.digits()).ok_or_else(|| self.format_error("digits", AnyGameState::digits))
    }

    /// A 3×3 board as a JSON list of lists.
    ///
    /// # Errors
    /// Other games don't have this format.
    pub fn to_lists(&self) -> Result<String, FormatError> {
        (self.lists()).ok_or_else(|| self.format_error("lists", AnyGameState::lists))
    }

    /// The error for a game without this format; names the built-in presets that have it.
    fn format_error(
        &self,
        name: &str,
        format: impl Fn(&AnyGameState) -> Option<String>,
    ) -> FormatError {
        let names: Vec<&str> = games::built_in_presets()
            .filter(|(variant, _)| format(&AnyGameState::new(*variant)).is_some())
            .map(|(_, preset)| preset.name)
            .collect();
        let variant = self.variant();
        FormatError(match names.split_last() {
            None => format!("{variant} can't be written as {name}"),
            Some((last, others)) => {
                let and = if others.is_empty() { "" } else { " and " };
                let others = others.join(", ");
                format!("{variant} can't be written as {name}, unlike {others}{and}{last}")
            }
        })
    }
}

/// A 3×3 board as nine digits.
pub(crate) fn format_digits(cells: &[Option<Side>]) -> String {
    let digits = cells
        .iter()
        .map(|&cell| char::from(b'0' + mark_digit(cell)));
    digits.collect()
}

/// A 3×3 board as a JSON list of lists.
pub(crate) fn format_lists(cells: &[Option<Side>]) -> String {
    let rows: Vec<String> = cells
        .chunks(3)
        .map(|row| {
            let [a, b, c] = [0, 1, 2].map(|i| mark_digit(row.get(i).copied().flatten()));
            format!("[{a},{b},{c}]")
        })
        .collect();
    format!("[{}]", rows.join(","))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(3_000))]

        /// A JSON parser is the reference.
        #[test]
        fn lists_parse_like_json(text in r"[\[\], \n0-9]{0,12}|\[( ?\[( ?[0-9]{1,3} ?,?){0,4}\] ?,?){0,4}\]") {
            let json: Option<Vec<Vec<u8>>> = serde_json::from_str(&text).ok();
            prop_assert_eq!(lists_of_numbers(&text), json, "{}", text);
        }
    }
}
