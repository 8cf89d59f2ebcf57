//! Plain mode with a store that fails in the middle of a run.

use std::collections::VecDeque;
use std::io::{self, BufRead, Read};

use noughts_rules::Variant;

use super::*;
use crate::participant_arg::parse_participant;

/// Input lines; at `!close` the store is closed for good.
struct Lines<'a> {
    remaining: VecDeque<&'a str>,
    line: Vec<u8>,
    store_handle: &'a StoreHandle,
}

impl BufRead for Lines<'_> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        while self.line.is_empty() {
            match self.remaining.pop_front() {
                None => break,
                Some("!close") => self
                    .store_handle
                    .block_on(self.store_handle.store().close()),
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

/// The output for these lines, which must not fail.
fn output_of(seats: [Option<&str>; 2], lines: &[&str]) -> String {
    let (output, failure) = run_lines(seats, lines);
    assert_eq!(failure, None, "{output}");
    output
}

/// The output for these lines, and the failure, if there was one.
fn run_lines(seats: [Option<&str>; 2], lines: &[&str]) -> (String, Option<String>) {
    let store_handle = StoreHandle::in_memory().expect("a store in memory");
    run_lines_with_store(&store_handle, seats, lines)
}

/// The same with a store that may already have games.
fn run_lines_with_store(
    store_handle: &StoreHandle,
    seats: [Option<&str>; 2],
    lines: &[&str],
) -> (String, Option<String>) {
    let mut input = Lines {
        remaining: lines.iter().copied().collect(),
        line: Vec::new(),
        store_handle,
    };
    let options = PlainOptions {
        request: GameRequest {
            variant: Some(Variant::CLASSIC),
            seats: seats.map(|seat| seat.map(|seat| parse_participant(seat).unwrap())),
            start: None,
        },
        limits: SearchLimits::NONE,
        seed: 1,
        threads: 1,
        ascii: true,
    };
    let mut output = anstream::StripStream::new(Vec::new());
    let tablebases = |_| Tablebases::default();
    let result = run(
        options,
        store_handle,
        &tablebases,
        &mut input,
        &mut output,
        "",
    );
    let failure = result.err().map(|error| match error {
        CliError::Failure(sentence) => sentence,
        other => panic!("{other:?}"),
    });
    (String::from_utf8(output.into_inner()).unwrap(), failure)
}

#[test]
fn a_move_that_cannot_be_stored_is_not_made() {
    let players = [Some("human:Ada"), Some("human:Bob")];
    let output = output_of(
        players,
        &["b2", "!close", "a1", "read", "undo", "y", "resign", "y"],
    );
    let (before, after) = output.split_once("Sorry,").expect("a refusal");
    assert!(before.contains("Ada played b2."), "{output}");
    assert!(
        after.starts_with(" the change couldn't be saved, so it wasn't made"),
        "{output}"
    );
    assert!(!output.contains("Bob played a1."), "{output}");
    assert!(
        after.contains("Row 1: empty.\nRow 2: X in b.\n"),
        "{output}"
    );
    assert_eq!(output.matches("it wasn't made").count(), 3, "{output}");
    assert!(!output.contains("(X) wins"), "{output}");
    assert!(output.ends_with("Goodbye, Ada and Bob.\n"), "{output}");
}

/// If the player gives up, no game was played, and the program must not exit with success.
#[test]
fn a_game_that_cannot_be_stored_is_retried_or_fails() {
    for end in [&["n"][..], &["q"], &[]] {
        let lines = [&["Ada", "easy", "!close", "y", "y"][..], end].concat();
        let (output, failure) = run_lines([None, None], &lines);
        let sorry = "Sorry, the game can't be started: ";
        assert_eq!(output.matches(sorry).count(), 2, "{output}");
        assert!(output.ends_with("Goodbye, Ada.\n"), "{output}");
        let failure = failure.expect("a failure");
        assert!(
            failure.starts_with("the game can't be started: "),
            "{failure}"
        );
    }
}

/// Games are identified by their own numbers, also if the list is cut.
#[test]
fn a_game_beyond_the_list_can_be_resumed() {
    let store_handle = StoreHandle::in_memory().expect("a store in memory");
    let store = store_handle.store();
    for _ in 0..11 {
        let seats = ["Ada", "Bob"].map(|name| Participant::Player(Name::new(name).unwrap()));
        let started = store_handle.block_on(Session::start_from(
            store,
            &AnyGameState::new(Variant::CLASSIC),
            seats,
        ));
        let action = GameAction::Move("b2".into());
        let moved = store_handle
            .block_on(started.unwrap().apply(store, action))
            .unwrap();
        store_handle.block_on(moved.release(store)).unwrap();
    }
    let lines = ["12", "0", "1", "a1", "q"];
    let (output, _) = run_lines_with_store(&store_handle, [None, None], &lines);
    assert!(output.contains("\n11: classic"), "{output}");
    assert!(!output.contains("\n1: classic"), "{output}");
    assert_eq!(output.matches("Sorry, ").count(), 2, "{output}");
    assert!(output.contains("Bob played a1."), "{output}");
    let game = store_handle
        .block_on(store.game(noughts_store::GameId(1)))
        .unwrap();
    assert_eq!(game.unwrap().moves.len(), 2);
}

#[test]
fn two_bots_without_a_store_fail_at_once() {
    let store_handle = StoreHandle::in_memory().expect("a store in memory");
    store_handle.block_on(store_handle.store().close());
    let options = PlainOptions {
        request: GameRequest {
            seats: ["easy", "hard"].map(|bot| Some(parse_participant(bot).unwrap())),
            ..GameRequest::default()
        },
        limits: SearchLimits::NONE,
        seed: 1,
        threads: 1,
        ascii: true,
    };
    let (mut input, mut output) = (&b""[..], Vec::new());
    let tablebases = |_| Tablebases::default();
    let result = run(
        options,
        &store_handle,
        &tablebases,
        &mut input,
        &mut output,
        "",
    );
    assert!(
        matches!(&result, Err(CliError::Failure(reason)) if reason.starts_with("the game can't be started")),
        "{result:?}"
    );
}

/// A record that can't be read doesn't keep a player from playing.
#[test]
fn an_unreadable_record_is_reported() {
    let output = output_of([None, None], &["!close", "Ada", "q"]);
    assert!(
        output.contains("Welcome, Ada. Your record can't be read: "),
        "{output}"
    );
}
