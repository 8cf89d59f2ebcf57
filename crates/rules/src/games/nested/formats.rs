//! Notations of other programs: uttt.ai's digits for `ultimate`, and CodinGame's "row column" pairs.

use super::text::NestedDetails;
use super::{Depth, Nested, NestedMove, NestedPosition, POWERS};
use crate::error::{MoveError, MoveErrorKind, SetupError, SetupFaultKinds};
use crate::formats::{digit_mark, mark_digit};
use crate::notation::quoted;
use crate::outcome::{Outcome, Side};
use crate::setup::{Owner, Setup};

/// uttt.ai's states and "row column" pairs.
impl<D: Depth> Nested<D> {
    /// The position as the 93 digits of uttt.ai, which plays `ultimate`.
    pub(crate) fn uttt_digits(&self, position: &NestedPosition<D>) -> String {
        let owners = std::array::from_fn(|board| self.owner(position, 1, board));
        let target = self.target(position.turn);
        let sent_to = target.filter(|&board| self.is_target_playable(&position.boards, board));
        format_uttt(
            &self.setup_fields(position),
            &owners,
            sent_to.map(|board| board as u8),
            position.turn.outcome,
        )
    }

    /// Parses such digits and checks the redundant ones against the rules.
    pub(super) fn read_uttt_digits(&self, text: &str) -> (Setup<NestedDetails>, SetupError) {
        let (setup, mut faults) = parse_uttt(text);
        if faults.is_empty()
            && let Ok(position) = self.position_from_setup(&setup)
        {
            let expected = self.uttt_digits(&position);
            let differs =
                |range: std::ops::Range<usize>| expected.get(range.clone()) != text.get(range);
            if differs(81..90) {
                faults.add(
                    SetupFaultKinds::DETAILS,
                    format!(
                        "to match the cells, the board results must be {results}",
                        results = &expected[81..90]
                    ),
                );
            }
            if differs(91..92) {
                faults.add(
                    SetupFaultKinds::DETAILS,
                    "the board to play in is won or full, so it must be 9 (anywhere)",
                );
            }
            if differs(92..93) {
                faults.add(
                    SetupFaultKinds::LINES,
                    format!(
                        "to match the boards, the result must be {result}",
                        result = &expected[92..93]
                    ),
                );
            }
        }
        (setup, faults)
    }

    /// Row and column of a move on the whole board, counted from 0, as used by CodinGame, which
    /// plays `ception:end=most`.
    ///
    /// ```
    /// use noughts_rules::{Game, Nested};
    /// let game = Nested::ultimate();
    /// // The top-left cell of the center board.
    /// let mv = game.parse_move("ea")?;
    /// assert_eq!(game.row_column(mv), (3, 3));
    /// assert_eq!(game.move_at_row_column(3, 3), Some(mv));
    /// # Ok::<(), noughts_rules::MoveError>(())
    /// ```
    #[must_use]
    pub fn row_column(&self, mv: NestedMove) -> (usize, usize) {
        let (mut row, mut col) = (0, 0);
        for letter in (0..self.depth.get()).rev() {
            let place = mv.index() / POWERS[letter as usize] % 9;
            (row, col) = (row * 3 + place / 3, col * 3 + place % 3);
        }
        (row, col)
    }

    /// The move to this row and column of the whole board, counted from 0.
    #[must_use]
    pub fn move_at_row_column(&self, row: usize, column: usize) -> Option<NestedMove> {
        let depth = self.depth.get();
        let side = 3usize.pow(depth);
        (row < side && column < side).then(|| {
            let index = (0..depth).rev().fold(0, |index, letter| {
                let size = 3usize.pow(letter);
                index * 9 + row / size % 3 * 3 + column / size % 3
            });
            NestedMove::from_index(index)
        })
    }

    /// A move as CodinGame's bots write it: `row column`.
    #[must_use]
    pub fn row_column_text(&self, mv: NestedMove) -> String {
        let (row, column) = self.row_column(mv);
        format!("{row} {column}")
    }

    /// Parses such a move.
    ///
    /// # Errors
    /// An explanation of what it must look like.
    pub fn parse_row_column(&self, text: &str) -> Result<NestedMove, MoveError> {
        let mut numbers = text.split_whitespace().map(|n| n.parse::<usize>().ok());
        match (numbers.next(), numbers.next(), numbers.next()) {
            (Some(Some(row)), Some(Some(column)), None) => self.move_at_row_column(row, column),
            _ => None,
        }
        .ok_or_else(|| {
            MoveError::new(
                MoveErrorKind::NotAMove,
                format!(
                    "{text} isn't a move; expected a row and a column from 0 to {last}",
                    text = quoted(text),
                    last = 3usize.pow(self.depth.get()) - 1
                ),
            )
        })
    }
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
fn format_uttt(
    setup: &Setup<NestedDetails>,
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
fn parse_uttt(text: &str) -> (Setup<NestedDetails>, SetupError) {
    let mut faults = SetupError::default();
    let mut setup = Setup::<NestedDetails>::new(0);
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
            SetupFaultKinds::DETAILS,
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
    setup.details.owners = Some(results.iter().map(owner).collect());
    match rest {
        [1, ..] => {}
        [2, ..] => setup.side = Side::O,
        _ => faults.add(
            SetupFaultKinds::SIDE,
            "the side to move must be 1 (X) or 2 (O)",
        ),
    }
    if let [_, board @ 0..=8, _] = rest {
        setup.details.trail = vec![*board];
    }
    if rest.get(2).is_some_and(|&result| result > 3) {
        faults.add(
            SetupFaultKinds::LINES,
            "the result must be 0 (open), 1 (X), 2 (O) or 3 (draw)",
        );
    }
    (setup, faults)
}
