//! Talks in which the store stops keeping things half-way.

use std::collections::VecDeque;
use std::io::{self, BufRead, Read};

use noughts_rules::Variant;

use super::*;
use crate::game::who;

/// Lines to say; at the word `!close` the store closes for good.
struct Lines<'a> {
    left: VecDeque<&'a str>,
    line: Vec<u8>,
    keeper: &'a Keeper,
}

impl BufRead for Lines<'_> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        while self.line.is_empty() {
            match self.left.pop_front() {
                None => break,
                Some("!close") => self.keeper.wait(self.keeper.store().close()),
                Some(line) => self.line = format!("{line}\n").into(),
            }
        }
        Ok(&self.line)
    }

    fn consume(&mut self, bytes: usize) {
        self.line.drain(..bytes);
    }
}

impl Read for Lines<'_> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        let read = self.fill_buf()?.read(into)?;
        self.consume(read);
        Ok(read)
    }
}

/// What is said to these lines.
fn said(seats: [Option<&str>; 2], lines: &[&str]) -> String {
    let keeper = Keeper::unsaved().expect("a store in memory");
    let mut input = Lines {
        left: lines.iter().copied().collect(),
        line: Vec::new(),
        keeper: &keeper,
    };
    let wishes = Wishes {
        variant: Some(Variant::CLASSIC),
        seats: seats.map(|seat| seat.map(|seat| who(seat).unwrap())),
        limits: Limits::NONE,
        seed: 1,
        threads: 1,
        ascii: true,
    };
    let mut output = anstream::StripStream::new(Vec::new());
    let tables = |_| Tables::default();
    let done = play(wishes, &keeper, &tables, &mut input, &mut output, "");
    assert!(done.is_ok());
    String::from_utf8(output.into_inner()).unwrap()
}

#[test]
fn a_move_that_cannot_be_kept_is_not_made_and_asked_for_again() {
    let people = [Some("human:Ada"), Some("human:Bob")];
    let said = said(
        people,
        &["b2", "!close", "a1", "read", "undo", "resign", "y"],
    );
    let (before, after) = said.split_once("Refused:").expect("a refusal");
    assert!(before.contains("Ada plays b2."), "{said}");
    assert!(
        after.starts_with(" it could not be kept, so it was not made"),
        "{said}"
    );
    assert!(!said.contains("Bob plays a1."), "{said}");
    assert!(after.contains("Row 1: empty.\nRow 2: X in b.\n"), "{said}");
    assert_eq!(said.matches("it was not made").count(), 3, "{said}");
    assert!(!said.contains("(X) wins"), "{said}");
    assert!(said.ends_with("Goodbye, Ada and Bob.\n"), "{said}");
}

#[test]
fn a_game_that_cannot_be_begun_is_tried_again_or_left() {
    let said = said([None, None], &["Ada", "easy", "!close", "y", "y", "n"]);
    assert_eq!(said.matches("Sorry: ").count(), 2, "{said}");
    assert!(
        said.ends_with("Try again? (y or n)\nGoodbye, Ada.\n"),
        "{said}"
    );
}

/// A record that cannot be read keeps nobody from sitting down.
#[test]
fn a_record_that_cannot_be_read_is_said_to_be_so() {
    let said = said([None, None], &["!close", "Ada", "q"]);
    assert!(
        said.contains("Welcome, Ada. Your record cannot be read: "),
        "{said}"
    );
}
