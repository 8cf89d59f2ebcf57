//! The notation of another program: uttt.ai's digits for `ultimate`.

use std::ops::Range;

use super::text::Fields;
use super::{Depth, Nested, NestedPosition};
use crate::error::{SetupError, SetupFaultKinds};
use crate::formats::{digit_mark, mark_digit};
use crate::outcome::{Outcome, Side};
use crate::setup::check_parsed;
use crate::view::Owner;

impl<D: Depth> Nested<D> {
    /// The position as the 93 digits of uttt.ai, which plays `ultimate`: 81 cells, 9 board results, the side to move, the
    /// board to play in (9: anywhere), the result.
    pub(super) fn uttt_digits(&self, position: &NestedPosition<D>) -> String {
        let marks = self.marks(position);
        let results = (0..9).map(|board| {
            let is_full = position.boards.is_full(board);
            result_digit(self.owner(position, 1, board), is_full)
        });
        let target = self.target(position.turn);
        let sent_to = target.filter(|&board| self.is_target_playable(&position.boards, board));
        let cells = marks.iter().map(|&mark| mark_digit(mark));
        let digits = cells.chain(results).chain([
            position.turn.side as u8 + 1,
            sent_to.map_or(9, |board| board as u8),
            outcome_digit(position.turn.outcome),
        ]);
        digits.map(|digit| char::from(b'0' + digit)).collect()
    }

    /// Parses such digits and checks the redundant ones against the rules.
    pub(super) fn parse_uttt_digits(&self, text: &str) -> Result<NestedPosition<D>, SetupError> {
        let digits: Vec<u8> = text.bytes().map(|b| b.wrapping_sub(b'0')).collect();
        if digits.len() != 93 {
            let reason = format!("a uttt.ai state has 93 digits, not {}", digits.len());
            return Err(SetupError::single(SetupFaultKinds::SHAPE, &reason));
        }
        let (fields, side, faults) = parse_uttt(&digits);
        let check = |side, faults: &mut SetupError| self.set_up(&fields, side, faults);
        let position = check_parsed(faults, side, check)?;
        let expected = self.uttt_digits(&position);
        let mut faults = SetupError::default();
        let differs = |range: Range<usize>| expected.get(range.clone()) != text.get(range);
        if differs(81..90) {
            let results = &expected[81..90];
            faults.add(
                SetupFaultKinds::DETAILS,
                format!("to match the cells, the board results must be {results}"),
            );
        }
        if differs(91..92) {
            faults.add(
                SetupFaultKinds::DETAILS,
                "the board to play in is won or full, so it must be 9 (anywhere)",
            );
        }
        if differs(92..93) {
            let result = &expected[92..93];
            faults.add(
                SetupFaultKinds::LINES,
                format!("to match the boards, the result must be {result}"),
            );
        }
        faults.into_result(position)
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

/// Parses 93 digits. The caller, who knows the rules, checks the redundant ones.
fn parse_uttt(digits: &[u8]) -> (Fields, Side, SetupError) {
    let mut faults = SetupError::default();
    let (cells, rest) = digits.split_at(81);
    let (results, rest) = rest.split_at(9);
    let mut limit = |digits: &[u8], most: u8, kind, reason: &str| {
        if digits.iter().any(|&digit| digit > most) {
            faults.add(kind, reason);
        }
    };
    limit(
        cells,
        2,
        SetupFaultKinds::LETTERS,
        "cells must be 0 (empty), 1 (X) or 2 (O)",
    );
    limit(
        results,
        3,
        SetupFaultKinds::DETAILS,
        "board results must be 0 (open), 1 (X), 2 (O) or 3 (drawn)",
    );
    limit(
        &rest[2..],
        3,
        SetupFaultKinds::LINES,
        "the result must be 0 (open), 1 (X), 2 (O) or 3 (draw)",
    );
    let side = digit_mark(rest[0]).flatten();
    if side.is_none() {
        faults.add(
            SetupFaultKinds::SIDE,
            "the side to move must be 1 (X) or 2 (O)",
        );
    }
    let mark = |&digit: &u8| digit_mark(digit).flatten();
    let owner = |digit: &u8| mark(digit).map_or(Owner::Nobody, Owner::One);
    let fields = Fields {
        marks: cells.iter().map(mark).collect(),
        owners: Some(results.iter().map(owner).collect()),
        trail: match rest[1] {
            board @ 0..=8 => (board.into(), 1),
            _ => (0, 0),
        },
        extra: false,
    };
    (fields, side.unwrap_or(Side::X), faults)
}
