//! Talks in which the store stops keeping things half-way.

use std::collections::VecDeque;
use std::io::{self, BufRead, Read};

use noughts_rules::Variant;

use super::*;
use crate::participant_arg::who;
use noughts_session::GameAction;

/// Lines to say; at the word `!close` the store closes for good.
struct Lines<'a> {
    left: VecDeque<&'a str>,
    line: Vec<u8>,
    keeper: &'a StoreHandle,
}

impl BufRead for Lines<'_> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        while self.line.is_empty() {
            match self.left.pop_front() {
                None => break,
                Some("!close") => self.keeper.block_on(self.keeper.store().close()),
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

/// What is said to these lines where nothing fails.
fn said(seats: [Option<&str>; 2], lines: &[&str]) -> String {
    let (said, failure) = talked(seats, lines);
    assert_eq!(failure, None, "{said}");
    said
}

/// What is said to these lines, and why it failed if it did.
fn talked(seats: [Option<&str>; 2], lines: &[&str]) -> (String, Option<String>) {
    let keeper = StoreHandle::in_memory().expect("a store in memory");
    talked_over(&keeper, seats, lines)
}

/// The same over games that are there already.
fn talked_over(
    keeper: &StoreHandle,
    seats: [Option<&str>; 2],
    lines: &[&str],
) -> (String, Option<String>) {
    let mut input = Lines {
        left: lines.iter().copied().collect(),
        line: Vec::new(),
        keeper,
    };
    let wishes = PlainOptions {
        variant: Some(Variant::CLASSIC),
        start: None,
        seats: seats.map(|seat| seat.map(|seat| who(seat).unwrap())),
        limits: SearchLimits::NONE,
        seed: 1,
        threads: 1,
        ascii: true,
    };
    let mut output = anstream::StripStream::new(Vec::new());
    let tables = |_| Tablebases::default();
    let done = run(wishes, keeper, &tables, &mut input, &mut output, "");
    let failure = done.err().map(|error| match error {
        Error::Failure(sentence) => sentence,
        other => panic!("{other:?}"),
    });
    (String::from_utf8(output.into_inner()).unwrap(), failure)
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

/// Whoever gives up has not played: the program must not end as if all were well.
#[test]
fn a_game_that_cannot_be_begun_is_tried_again_or_fails() {
    for end in [&["n"][..], &["q"], &[]] {
        let lines = [&["Ada", "easy", "!close", "y", "y"][..], end].concat();
        let (said, failure) = talked([None, None], &lines);
        let sorry = "Sorry: the game cannot be begun: ";
        assert_eq!(said.matches(sorry).count(), 2, "{said}");
        assert!(said.ends_with("Goodbye, Ada.\n"), "{said}");
        let failure = failure.expect("a failure");
        assert!(
            failure.starts_with("the game cannot be begun: "),
            "{failure}"
        );
    }
}

/// Each game is called by its own number, also where the list is cut short.
#[test]
fn a_game_beyond_the_list_can_be_resumed() {
    let keeper = StoreHandle::in_memory().expect("a store in memory");
    let store = keeper.store();
    for _ in 0..11 {
        let seats = ["Ada", "Bob"].map(|name| Participant::Player(Name::new(name).unwrap()));
        let begun = keeper.block_on(Session::start(store, Variant::CLASSIC, seats));
        let step = GameAction::Move("b2".into());
        let moved = keeper.block_on(begun.unwrap().apply(store, step)).unwrap();
        keeper.block_on(moved.release(store)).unwrap();
    }
    let lines = ["12", "0", "1", "a1", "q"];
    let (said, _) = talked_over(&keeper, [None, None], &lines);
    assert!(said.contains("\n11: classic"), "{said}");
    assert!(!said.contains("\n1: classic"), "{said}");
    assert_eq!(said.matches("Refused: ").count(), 2, "{said}");
    assert!(said.contains("Bob plays a1."), "{said}");
    let game = keeper
        .block_on(store.game(noughts_store::GameId(1)))
        .unwrap();
    assert_eq!(game.unwrap().moves.len(), 2);
}

#[test]
fn two_computers_without_a_store_fail_at_once() {
    let keeper = StoreHandle::in_memory().expect("a store in memory");
    keeper.block_on(keeper.store().close());
    let wishes = PlainOptions {
        variant: None,
        start: None,
        seats: [Some(who("easy").unwrap()), Some(who("hard").unwrap())],
        limits: SearchLimits::NONE,
        seed: 1,
        threads: 1,
        ascii: true,
    };
    let (mut input, mut output) = (&b""[..], Vec::new());
    let tables = |_| Tablebases::default();
    let done = run(wishes, &keeper, &tables, &mut input, &mut output, "");
    assert!(
        matches!(&done, Err(Error::Failure(why)) if why.starts_with("the game cannot be begun")),
        "{done:?}"
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
