//! Properties that hold for arbitrary bytes: shared by the fuzz targets and the tests.
//!
//! Each function interprets its bytes as one kind of input and panics if a property is
//! violated. Invalid UTF-8 is replaced by replacement characters.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::ops::ControlFlow;

use crate::fields::Fields;
use noughts_rules::{
    AnyGameState, DynDepth, Family, Game, GameState, GameVisitor, Nested, NestedOptions, Outcome,
    Record, SetupError, Side, Variant,
};

/// Variants of every family, each selected by one capital letter, `A` for the first. Names are
/// lower case, so an input can instead give any other variant by its name and a line break.
const VARIANTS: [&str; 26] = [
    "classic",
    "misere",
    "mnk:1,1,1",
    "mnk:4,3,3",
    "mnk:3,5,4,misere",
    "mnk:7,7,5",
    "mnk:8,7,4",
    "mnk:9,7,5",
    "mnk:16,16,16",
    "tic-tac-two",
    "tic-tac-two:board=3,pieces=5",
    "tic-tac-two:board=7,pieces=9",
    "tic-tac-two:board=7,grid=5,pieces=3,after=3",
    "ultimate",
    "ception:5a",
    "ception:free=any",
    "ception:5c",
    "ception:5d,end=most",
    "ception:4b",
    "ception:4b,5a,end=most",
    "ception:4b,5c",
    "ception:4b,5d",
    "ception:depth=1",
    "ception:depth=3",
    "ception:4b,5d,depth=3,trail=history",
    "ception:5a,depth=4,trail=history,end=most",
];

/// The deepest board that is played on: a move on a deeper one takes too long for millions of
/// inputs.
const MAX_DEPTH: u8 = 4;

/// How many of a position's moves are made, and how many of the positions after them are
/// formatted and parsed. Small boards don't have more moves than that.
const MOVES_MADE: usize = 81;
const MOVES_WRITTEN: usize = 6;

/// How many moves, legal or not, are tried in a position.
const PROBES: u64 = 9;

/// Parses the name of a variant. The canonical name parses as the same variant; an error is one
/// line.
pub fn variant(data: &[u8]) {
    let name = lossy_text(data);
    match name.parse::<Variant>() {
        Ok(variant) => {
            let canonical = variant.to_string();
            assert_eq!(canonical.parse(), Ok(variant), "{name:?}");
            check_line(&variant.summary());
            assert!(
                canonical.len() <= name.len().max("tic-tac-two".len()),
                "{name:?}"
            );
        }
        Err(error) => check_line(&error.to_string()),
    }
}

/// Parses a position: a variant, then the position's text.
///
/// A valid position is formatted and parsed as itself, in every format it has; counting,
/// listing, indexing and making its moves agree; it can be drawn. An error has reasons, on one
/// line.
pub fn position(data: &[u8]) {
    let Some((variant, rest)) = split_variant(data) else {
        return;
    };
    let read = AnyGameState::from_text(variant, &lossy_text(rest));
    match read {
        Ok(mut state) => {
            let next = state.visit(PositionChecker);
            check_other_formats(&state);
            check_display(&state);
            // The drawing with a last move in it.
            if let Some(mv) = next
                && state.hash().is_multiple_of(4)
            {
                assert_eq!(state.play(&mv), Ok(()));
                check_display(&state);
            }
        }
        Err(error) => check_faults(&error),
    }
}

/// Parses and makes moves: a variant, then one move per line, from the start.
///
/// A move that is parsed prints as the same text. If it is legal, it is made; otherwise it is
/// rejected with a one-line error and nothing changes.
pub fn moves(data: &[u8]) {
    let Some((variant, rest)) = split_variant(data) else {
        return;
    };
    if !is_playable(variant) {
        return;
    }
    let text = lossy_text(rest);
    let state = AnyGameState::new(variant);
    state.visit(MoveTrial {
        text: &text,
        any: state.clone(),
    });
}

/// Parses records. A valid one is formatted as a text that parses as the same games and is
/// formatted the same; an error has a line number, and is one line.
pub fn record(data: &[u8]) {
    let text = lossy_text(data);
    // The deepest boards take a thousand times longer, so few of them are parsed.
    let is_deep = text.contains("depth=5") || text.contains("depth=6");
    if is_deep && !data.len().is_multiple_of(64) {
        return;
    }
    match Record::parse_all(&text) {
        Ok(records) => check_records(&records),
        Err(error) => {
            assert!(
                (1..=text.split('\n').count()).contains(&error.line),
                "{error}"
            );
            check_line(&error.to_string());
        }
    }
}

/// Plays: a variant, then bytes that determine what to do next: make one of the legal moves,
/// try some text as a move, or undo a move.
///
/// At every step, counting and listing the moves agree, and the game is over if there are none;
/// undoing restores the previous state; positions are formatted and parsed as themselves. At
/// the end, the type for any depth has played the same game, and the game can be written as a
/// record.
pub fn play(data: &[u8]) {
    let Some((variant, bytes)) = split_variant(data) else {
        return;
    };
    if is_playable(variant) {
        AnyGameState::new(variant).visit(BytePlayer(bytes));
    }
}

// ---- decoding the input ----

fn lossy_text(data: &[u8]) -> Cow<'_, str> {
    String::from_utf8_lossy(data)
}

/// The variant at the start of the input, and the rest.
fn split_variant(data: &[u8]) -> Option<(Variant, &[u8])> {
    let (&first, rest) = data.split_first()?;
    let (name, rest) = match first.checked_sub(b'A').map(usize::from) {
        Some(letter) if letter < VARIANTS.len() => (VARIANTS[letter], rest),
        _ => {
            let end = data.iter().position(|&byte| byte == b'\n')?;
            (str::from_utf8(&data[..end]).ok()?, &data[end + 1..])
        }
    };
    Some((name.parse().ok()?, rest))
}

fn is_playable(variant: Variant) -> bool {
    !matches!(variant.family(), Family::Nested(options) if options.depth() > MAX_DEPTH)
}

/// The text of some move, legal or not.
fn probe(variant: Variant, seed: u64) -> String {
    // Without the multiplication, small seeds would all choose the same.
    let mut rest = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 16;
    let mut below = |n: u8| {
        let chosen = rest % u64::from(n);
        rest /= u64::from(n);
        chosen as u8
    };
    match variant.family() {
        Family::Mnk(options) => {
            let (columns, rows, _) = options.size();
            cell(below(columns), below(rows))
        }
        Family::TicTacTwo(options) => {
            let side = options.board_size();
            let kind = below(3);
            let (from, to) = (
                cell(below(side), below(side)),
                cell(below(side), below(side)),
            );
            match kind {
                0 => to,
                1 => format!("@{to}"),
                _ => format!("{from}-{to}"),
            }
        }
        Family::Nested(options) => {
            let letters = (0..options.depth()).map(|_| char::from(b'a' + below(9)));
            letters.collect()
        }
        Family::Other => {
            let state = AnyGameState::new(variant);
            let count = state.count_actions().max(1);
            state
                .move_from_action(rest as usize % count)
                .unwrap_or_default()
        }
    }
}

fn cell(column: u8, row: u8) -> String {
    format!("{}{}", char::from(b'a' + column), row + 1)
}

// ---- properties ----

/// Text for people: not empty, and one line.
fn check_line(text: &str) {
    assert!(!text.is_empty());
    assert!(!text.contains(char::is_control), "{text:?}");
}

fn check_faults(error: &SetupError) {
    assert!(error.reasons().next().is_some());
    assert!(!error.kinds().is_empty(), "{error}");
    check_line(&error.to_string());
}

/// The text of a position parses as the same position.
fn check_text<G: Game>(game: &G, position: &G::Position) {
    let text = game.text(position);
    check_line(&text);
    match game.parse(&text) {
        Ok(read) => {
            assert!(read == *position, "{text} reads as {}", game.text(&read));
            assert_eq!(game.hash(&read), game.hash(position), "{text}");
            assert_eq!(game.text(&read), text);
        }
        Err(error) => panic!("{text} is written, but not read: {error}"),
    }
}

/// Counting and listing the moves agree; there are none if and only if the game is over.
fn check_moves<G: Game>(state: &GameState<G>) -> Vec<G::Move> {
    let (game, position) = (state.game(), state.position());
    let moves = game.moves(position);
    assert_eq!(game.count_moves(position), moves.len());
    assert_eq!(game.nth_move(position, moves.len()), None);
    assert_eq!(game.outcome(position).is_none(), !moves.is_empty());
    assert_eq!(game.ending(position).is_none(), !moves.is_empty());
    assert_eq!(state.outcome().is_some(), state.ending().is_some());
    if state.outcome().is_some() {
        // After a repetition, too, although the position itself has moves.
        assert_eq!(state.legal_moves(), []);
        return Vec::new();
    }
    moves
}

/// A move, selected by `seed`, is accepted if and only if it is listed.
fn check_probe<G: Game>(state: &GameState<G>, moves: &[G::Move], seed: u64) {
    let text = probe(state.game().variant(), seed);
    match state.game().parse_move(&text) {
        Ok(mv) => assert_eq!(state.check(mv).is_ok(), moves.contains(&mv), "{text}"),
        Err(error) => panic!("{text}: {error}"),
    }
}

/// If a field of a position changes, its hash changes.
fn check_hash<G: Game>(game: &G, position: &G::Position) {
    let Some(mut fields) = Fields::parse(game.variant(), &game.text(position)) else {
        return;
    };
    let hash = game.hash(position);
    match hash % 4 {
        0 => fields.extra = !fields.extra,
        1 => fields.side = fields.side.other(),
        2 => {
            let Some(letter) = fields.trail.last_mut() else {
                return;
            };
            *letter = (*letter + 1) % 9;
        }
        _ => {
            let Some(cell) = fields.cells.iter_mut().find(|cell| cell.is_some()) else {
                return;
            };
            *cell = cell.map(Side::other);
        }
    }
    // Not every layout has every field: then the text is that of the same position.
    if let Ok(other) = game.parse(&fields.text()) {
        let same = other == *position;
        assert_eq!(game.hash(&other) == hash, same, "{}", game.text(&other));
    }
}

/// The other notations give the same position.
fn check_other_formats(state: &AnyGameState) {
    let (variant, text) = (state.variant(), state.position_text());
    if let Ok(lists) = state.to_lists() {
        let again = AnyGameState::from_text(variant, &lists);
        assert_eq!(again.map(|state| state.position_text()), Ok(text));
    }
    if let Ok(digits) = state.to_digits() {
        // The digits of `ultimate` don't contain the target of a free move.
        let again = AnyGameState::from_text(variant, &digits);
        let again = again.map(|again| (again.to_digits(), again.count_moves()));
        assert_eq!(again, Ok((Ok(digits), state.count_moves())));
    }
}

fn check_display(state: &AnyGameState) {
    if state.outcome().is_none() {
        check_line(&state.instruction());
    }
    let drawing = state.render();
    let rows = drawing.rows().count();
    assert!(rows > 0);
    let ascii = drawing.into_ascii();
    assert_eq!(ascii.rows().count(), rows);
    assert!(
        ascii
            .rows()
            .flatten()
            .all(|glyph| glyph.character.is_ascii())
    );
}

fn check_records(records: &[Record]) {
    let written = Record::format_all(records);
    let again = match Record::parse_all(&written) {
        Ok(again) => again,
        Err(error) => panic!("{written}\nis written, but not read: {error}"),
    };
    assert_eq!(Record::format_all(&again), written);
    assert_eq!(again.len(), records.len(), "{written}");
    for (record, again) in records.iter().zip(&again) {
        let (game, same) = (record.state(), again.state());
        assert_eq!(game.variant(), same.variant());
        assert_eq!(game.start_text(), same.start_text());
        assert_eq!(game.moves(), same.moves());
        assert_eq!(game.position_text(), same.position_text());
        assert_eq!(game.outcome(), same.outcome());
        assert_eq!(record.result(), again.result());
        // The standard tags are moved to the front.
        let tags = |record: &Record| -> BTreeSet<(String, String)> {
            let tags = record.tags();
            tags.map(|(name, value)| (name.into(), value.into()))
                .collect()
        };
        assert_eq!(tags(record), tags(again));
        for moves in 0..=game.moves().len() {
            assert_eq!(record.comment(moves), again.comment(moves));
        }
    }
}

/// The type for any depth plays the same game.
fn check_dyn_depth<G: Game>(state: &GameState<G>) {
    let game = state.game();
    let Some(options) = NestedOptions::of(game.variant()) else {
        return;
    };
    let Some(dyn_game) = Nested::<DynDepth>::new(options) else {
        panic!("{} has no depth", game.variant());
    };
    let (mut position, mut dyn_position) = (state.start().clone(), dyn_game.start());
    for &mv in state.moves() {
        assert_eq!(
            dyn_game.count_moves(&dyn_position),
            game.count_moves(&position)
        );
        let text = game.move_text(mv);
        match dyn_game.parse_move(&text) {
            Ok(same) if dyn_game.check(&dyn_position, same).is_ok() => {
                dyn_game.apply(&mut dyn_position, same);
            }
            _ => panic!("{text} is refused in {}", dyn_game.text(&dyn_position)),
        }
        game.apply(&mut position, mv);
        assert_eq!(dyn_game.side(&dyn_position), game.side(&position));
        assert_eq!(dyn_game.outcome(&dyn_position), game.outcome(&position));
    }
    assert_eq!(dyn_game.hash(&dyn_position), game.hash(state.position()));
}

// ---- generic over the game ----

/// Checks a position and those after one move; returns one of the moves.
struct PositionChecker;

impl GameVisitor for PositionChecker {
    type Output = Option<String>;

    fn visit<G: Game>(self, state: &GameState<G>) -> Option<String> {
        let (game, position) = (state.game(), state.position());
        check_text(game, position);
        let moves = check_moves(state);
        let hash = game.hash(position);
        check_hash(game, position);
        for n in 0..PROBES {
            check_probe(state, &moves, hash.wrapping_add(n));
        }
        let made = moves.len().div_ceil(MOVES_MADE).max(1);
        let written = moves.len().div_ceil(MOVES_WRITTEN).max(1);
        // The selection depends on the position, so that over many inputs all moves are covered.
        let first = (hash % written as u64) as usize;
        for (n, &mv) in moves.iter().enumerate().skip(first % made).step_by(made) {
            assert_eq!(game.nth_move(position, n), Some(mv));
            assert_eq!(game.check(position, mv), Ok(()));
            let mut next = position.clone();
            game.apply(&mut next, mv);
            assert!(next != *position);
            if n % written == first {
                assert_eq!(game.parse_move(&game.move_text(mv)), Ok(mv));
                check_text(game, &next);
            }
        }
        moves.get(first).map(|&mv| game.move_text(mv))
    }
}

/// Tries each line as a move.
struct MoveTrial<'a> {
    text: &'a str,
    /// The same game as an `AnyGameState`.
    any: AnyGameState,
}

impl GameVisitor for MoveTrial<'_> {
    type Output = ();

    fn visit<G: Game>(mut self, start: &GameState<G>) {
        let mut state = start.clone();
        for line in self.text.split('\n').take(max_steps(start).min(16)) {
            let before = state.position().clone();
            let made = try_move(&mut state, line);
            match self.any.play(line) {
                Ok(()) => assert!(made, "{line:?}"),
                Err(error) => {
                    assert!(!made, "{line:?}");
                    check_line(&error.to_string());
                    assert!(*state.position() == before, "{line:?}");
                }
            }
            assert_eq!(self.any.hash(), state.game().hash(state.position()));
            assert_eq!(self.any.ply(), state.ply());
            check_row_column(self.any.variant(), line);
        }
    }
}

/// Parses a move and makes it if it is legal; returns whether it was.
fn try_move<G: Game>(state: &mut GameState<G>, text: &str) -> bool {
    let game = state.game();
    let mv = match game.parse_move(text) {
        Ok(mv) => mv,
        Err(error) => {
            check_line(&error.to_string());
            return false;
        }
    };
    assert_eq!(game.move_text(mv), text);
    let legal = state.outcome().is_none() && is_listed(game, state.position(), mv);
    if let Err(error) = game.check(state.position(), mv) {
        assert!(!legal, "{text}: {error}");
        check_line(&error.to_string());
        // Search could do this by mistake: the position is meaningless then, but there is no panic.
        let mut nonsense = state.position().clone();
        game.apply(&mut nonsense, mv);
    }
    let moves = state.moves().len();
    assert_eq!(state.play(mv).is_ok(), legal, "{text}");
    assert_eq!(state.moves().len(), moves + usize::from(legal), "{text}");
    legal
}

/// Is this one of the legal moves?
fn is_listed<G: Game>(game: &G, position: &G::Position, mv: G::Move) -> bool {
    let found = game.visit_moves(position, |listed| {
        if listed == mv {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        }
    });
    found.is_break()
}

/// A move that is parsed as a row and a column is formatted as such.
fn check_row_column(variant: Variant, text: &str) {
    let Some(options) = NestedOptions::of(variant) else {
        return;
    };
    let Some(game) = Nested::<DynDepth>::new(options) else {
        return;
    };
    match game.parse_row_column(text) {
        Ok(mv) => {
            assert_eq!(game.parse_row_column(&game.row_column_text(mv)), Ok(mv));
            assert_eq!(game.parse_move(&game.move_text(mv)), Ok(mv));
        }
        Err(error) => check_line(&error.to_string()),
    }
}

/// Plays as the bytes say.
struct BytePlayer<'a>(&'a [u8]);

/// Bytes from `UNDO` on undo a move; those from `TRY` on try text as a move.
const UNDO: u8 = 0xf0;
const TRY: u8 = 0xf8;

impl GameVisitor for BytePlayer<'_> {
    type Output = ();

    fn visit<G: Game>(self, start: &GameState<G>) {
        let mut state = start.clone();
        let mut before = Vec::new();
        let mut bytes = self.0;
        let mut steps = 0;
        let max = max_steps(start);
        while let Some((&byte, rest)) = bytes.split_first()
            && steps < max
        {
            bytes = rest;
            let moves = check_moves(&state);
            check_probe(&state, &moves, steps as u64 * 256 + u64::from(byte));
            let now = (state.position().clone(), state.outcome());
            match byte {
                UNDO..TRY => {
                    let text = state.undo().map(|mv| state.game().move_text(mv));
                    assert_eq!(text.is_some(), !before.is_empty());
                    if let Some((position, outcome)) = before.pop() {
                        assert!(*state.position() == position);
                        assert_eq!(state.outcome(), outcome);
                    }
                    assert_eq!(state.moves().len(), before.len());
                }
                TRY.. => {
                    let length = usize::from(byte - TRY).min(bytes.len());
                    let (text, rest) = bytes.split_at(length);
                    bytes = rest;
                    if try_move(&mut state, &lossy_text(text)) {
                        before.push(now);
                    } else {
                        assert!(*state.position() == now.0);
                    }
                }
                _ if moves.is_empty() => break,
                _ => {
                    let mut n = usize::from(byte);
                    // One byte isn't enough to select a move on a large board.
                    if moves.len() > usize::from(UNDO)
                        && let Some((&low, rest)) = bytes.split_first()
                    {
                        n = n << 8 | usize::from(low);
                        bytes = rest;
                    }
                    let n = n % moves.len();
                    assert_eq!(state.game().nth_move(state.position(), n), Some(moves[n]));
                    assert_eq!(state.play(moves[n]), Ok(()));
                    before.push(now);
                }
            }
            check_repetition(&state, &before);
            steps += 1;
            if steps % 32 == 0 {
                check_text(state.game(), state.position());
            }
        }
        check_moves(&state);
        check_text(state.game(), state.position());
        check_dyn_depth(&state);
        check_record_round_trip(&state);
    }
}

/// The third occurrence of a position ends the game, where one can occur again.
fn check_repetition<G: Game>(state: &GameState<G>, before: &[(G::Position, Option<Outcome>)]) {
    let by_position = state.game().outcome(state.position());
    let earlier = before
        .iter()
        .filter(|(position, _)| position == state.position());
    let repeated = state.game().can_repeat() && earlier.count() >= 2;
    let expected = by_position.or(repeated.then_some(Outcome::Draw));
    assert_eq!(state.outcome(), expected);
}

/// How many steps to make: the larger the board, the longer a step takes.
fn max_steps<G: Game>(start: &GameState<G>) -> usize {
    match start.game().count_moves(start.position()) {
        0..=81 => 96,
        82..=729 => 24,
        _ => 6,
    }
}

/// A game can be replayed from the text of its moves and written as a record.
fn check_record_round_trip<G: Game>(state: &GameState<G>) {
    let game = state.game();
    // Writing takes longer than playing, so not every game is written.
    if !state.moves().len().is_multiple_of(5) {
        return;
    }
    let mut any = AnyGameState::new(game.variant());
    for &mv in state.moves() {
        assert_eq!(any.play(&game.move_text(mv)), Ok(()));
    }
    assert_eq!(any.hash(), game.hash(state.position()));
    assert_eq!(any.outcome(), state.outcome());
    check_records(&[Record::new(any)]);
}
