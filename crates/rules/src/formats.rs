//! Notations of other programs: nine digits and JSON lists for the 3×3 board, uttt.ai's
//! digits for `ultimate`, and "row column" pairs.

use crate::any_game_state::AnyGameState;
use crate::error::{SetupError, SetupFaultKinds};
use crate::outcome::{Outcome, Side};
use crate::setup::{Owner, Setup};

/// The position can't be written in this format.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{0}")]
pub struct FormatError(String);

/// Is this text in digits rather than in our own notation?
pub(crate) fn is_digits(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit())
}

/// Is this text a JSON list of lists?
pub(crate) fn is_lists(text: &str) -> bool {
    text.trim_start().starts_with('[')
}

fn mark_digit(mark: Option<Side>) -> u8 {
    mark.map_or(0, |side| side as u8 + 1)
}

fn digit_mark(digit: u8) -> Option<Option<Side>> {
    match digit {
        0 => Some(None),
        1 => Some(Some(Side::X)),
        2 => Some(Some(Side::O)),
        _ => None,
    }
}

/// Parses nine digits: `0` empty, `1` first player, `2` second player.
pub(crate) fn parse_digits(text: &str) -> (Setup, SetupError) {
    let digits: Vec<u8> = text.bytes().map(|b| b.wrapping_sub(b'0')).collect();
    read_nine(&digits)
}

/// Parses a list of three lists of three numbers.
pub(crate) fn parse_lists(text: &str) -> (Setup, SetupError) {
    let Some(lists) = lists_of_numbers(text) else {
        let mut faults = SetupError::default();
        faults.add(
            SetupFaultKinds::SHAPE,
            "expected a list of three lists of three numbers (0, 1 or 2), \
             such as [[0,0,0],[0,1,0],[0,0,0]]",
        );
        return (Setup::new(9), faults);
    };
    let (setup, mut faults) = read_nine(&lists.concat());
    if lists.len() != 3 || lists.iter().any(|row| row.len() != 3) {
        faults.add(
            SetupFaultKinds::SHAPE,
            "expected three lists of three numbers",
        );
    }
    (setup, faults)
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

fn read_nine(digits: &[u8]) -> (Setup, SetupError) {
    let mut faults = SetupError::default();
    let mut setup = Setup::new(0);
    if digits.len() != 9 {
        faults.add(
            SetupFaultKinds::SHAPE,
            format!("expected nine digits, found {found}", found = digits.len()),
        );
    }
    if digits.iter().any(|&digit| digit > 2) {
        faults.add(
            SetupFaultKinds::LETTERS,
            "digits must be 0 (empty), 1 (X) or 2 (O)",
        );
    }
    setup.cells = digits
        .iter()
        .map(|&digit| digit_mark(digit).flatten())
        .collect();
    // The side to move follows from the counts.
    if setup.count(Side::X) > setup.count(Side::O) {
        setup.side = Side::O;
    }
    (setup, faults)
}

/// The result of a board, as uttt.ai encodes it.
fn result_digit(owner: Owner, full: bool) -> u8 {
    match owner {
        Owner::One(side) => side as u8 + 1,
        Owner::Nobody if full => 3,
        Owner::Nobody | Owner::Both => 0,
    }
}

fn outcome_digit(outcome: Option<Outcome>) -> u8 {
    match outcome {
        None => 0,
        Some(Outcome::Win(side)) => side as u8 + 1,
        Some(Outcome::Draw) => 3,
    }
}

/// Formats the 93 digits of uttt.ai: 81 cells, 9 board results, the side to move, the board
/// to play in (9: anywhere), the result.
pub(crate) fn format_uttt(
    setup: &Setup,
    owners: &[Owner; 9],
    sent_to: Option<u8>,
    outcome: Option<Outcome>,
) -> String {
    let cells = setup.cells.iter().map(|&cell| mark_digit(cell));
    let results = owners
        .iter()
        .zip(setup.cells.chunks(9))
        .map(|(&owner, cells)| result_digit(owner, cells.iter().all(Option::is_some)));
    cells
        .chain(results)
        .chain([
            setup.side as u8 + 1,
            sent_to.unwrap_or(9),
            outcome_digit(outcome),
        ])
        .map(|digit| char::from(b'0' + digit))
        .collect()
}

/// Parses 93 digits. The caller, who knows the rules, checks the redundant ones.
pub(crate) fn parse_uttt(text: &str) -> (Setup, SetupError) {
    let mut faults = SetupError::default();
    let mut setup = Setup::new(0);
    let digits: Vec<u8> = text.bytes().map(|b| b.wrapping_sub(b'0')).collect();
    if digits.len() != 93 {
        faults.add(
            SetupFaultKinds::SHAPE,
            format!(
                "a uttt.ai state has 93 digits, not {found}",
                found = digits.len()
            ),
        );
        return (Setup::new(81), faults);
    }
    let (cells, rest) = digits.split_at(81);
    let (results, rest) = rest.split_at(9);
    if cells.iter().any(|&digit| digit > 2) {
        faults.add(
            SetupFaultKinds::LETTERS,
            "cells must be 0 (empty), 1 (X) or 2 (O)",
        );
    }
    if results.iter().any(|&digit| digit > 3) {
        faults.add(
            SetupFaultKinds::OWNERS,
            "board results must be 0 (open), 1 (X), 2 (O) or 3 (drawn)",
        );
    }
    setup.cells = cells
        .iter()
        .map(|&digit| digit_mark(digit).flatten())
        .collect();
    let owner = |&digit: &u8| {
        digit_mark(digit)
            .flatten()
            .map_or(Owner::Nobody, Owner::One)
    };
    setup.owners = Some(results.iter().map(owner).collect());
    match rest {
        [1, ..] => {}
        [2, ..] => setup.side = Side::O,
        _ => faults.add(
            SetupFaultKinds::SIDE,
            "the side to move must be 1 (X) or 2 (O)",
        ),
    }
    if let [_, board @ 0..=8, _] = rest {
        setup.trail = vec![*board];
    }
    if rest.get(2).is_some_and(|&result| result > 3) {
        faults.add(
            SetupFaultKinds::LINES,
            "the result must be 0 (open), 1 (X), 2 (O) or 3 (draw)",
        );
    }
    (setup, faults)
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
        let games = "classic, misere, other mnk:3,3,K games and ultimate";
        (self.digits()).ok_or_else(|| self.format_error("digits", games))
    }

    /// A 3×3 board as a JSON list of lists.
    ///
    /// # Errors
    /// Other games don't have this format.
    pub fn to_lists(&self) -> Result<String, FormatError> {
        let games = "classic, misere and other mnk:3,3,K games";
        (self.lists()).ok_or_else(|| self.format_error("lists", games))
    }

    fn format_error(&self, format_name: &str, games: &str) -> FormatError {
        FormatError(format!(
            "{variant} can't be written as {format_name}; only {games} can",
            variant = self.variant()
        ))
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
