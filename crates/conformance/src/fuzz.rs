//! What must hold whatever the bytes: shared by the fuzz targets and the tests.
//!
//! Each function reads its bytes as one sort of input and panics where a promise is
//! broken. Bytes that are no text are read with replacement characters in their place.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::ops::ControlFlow;

use noughts_rules::{
    AnyGameState, DynDepth, Game, GameState, Nested, Outcome, Owner, Record, Setup, SetupError,
    Side, Variant, Visitor,
};

/// Variants of every family, each chosen by one capital letter, `A` for the first.
/// Names are lower case, so that an input can give any other variant by its name and
/// a line break instead.
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

/// The deepest board that is played on: a move on a deeper one takes too long for
/// millions of inputs.
const DEEPEST: u8 = 4;

/// How many of a position's moves are made, and how many of the positions behind them
/// are written and read. Small boards have no more moves than that.
const MOVES_MADE: usize = 81;
const MOVES_WRITTEN: usize = 6;

/// How many moves, legal or not, are tried in a position.
const PROBES: u64 = 9;

/// Reading a variant's name. A name that is read prints as a name that reads as the
/// same variant and prints the same; a refusal is one line.
pub fn variant(data: &[u8]) {
    let name = text_of(data);
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

/// Reading a position: a variant, then the position's text; behind a `!`, bytes that
/// a set-up board is made of, which need not make sense.
///
/// An accepted position is written and read again as itself, in every form it has; its
/// moves are counted, listed, picked and made alike; it can be drawn. A refusal has
/// reasons, on one line.
pub fn position(data: &[u8]) {
    let Some((variant, rest)) = split_variant(data) else {
        return;
    };
    let read = match rest.strip_prefix(b"!") {
        Some(bytes) => {
            if !can_be_played(variant) {
                return;
            }
            let setup = setup_of(bytes);
            // Also what is no position has a text.
            check_line(&AnyGameState::new(variant).visit(Written(&setup)));
            AnyGameState::from_setup(variant, &setup)
        }
        None => AnyGameState::from_text(variant, &text_of(rest)),
    };
    match read {
        Ok(mut play) => {
            let next = play.visit(Standing);
            check_forms(&play);
            check_shown(&play);
            // The picture with a last move in it.
            if let Some(mv) = next
                && play.hash().is_multiple_of(4)
            {
                assert_eq!(play.play(&mv), Ok(()));
                check_shown(&play);
            }
        }
        Err(error) => check_faults(&error),
    }
}

/// Reading and making moves: a variant, then one move to a line, from the start on.
///
/// A move that is read has the very text that was read. It is made if it is among the
/// legal moves, otherwise refused in one line, and nothing has changed.
pub fn moves(data: &[u8]) {
    let Some((variant, rest)) = split_variant(data) else {
        return;
    };
    if !can_be_played(variant) {
        return;
    }
    let text = text_of(rest);
    let play = AnyGameState::new(variant);
    play.visit(Lines {
        text: &text,
        any: play.clone(),
    });
}

/// Reading records of games. What is read is written as a text that reads as the same
/// games and is written the same; an error has its line, and is one line.
pub fn record(data: &[u8]) {
    let text = text_of(data);
    // The deepest boards take a thousand times longer, so few of them are read.
    let deep = text.contains("depth=5") || text.contains("depth=6");
    if deep && !data.len().is_multiple_of(64) {
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

/// Playing: a variant, then bytes that say what to do next: to make one of the legal
/// moves, to try some text as a move, or to take a move back.
///
/// At every step the moves are counted and listed alike, and the game is over when
/// there are none; taking back restores what was before; positions are written and
/// read again as themselves. In the end the type for any depth has played the same
/// game, and the game can be kept as a record.
pub fn play(data: &[u8]) {
    let Some((variant, bytes)) = split_variant(data) else {
        return;
    };
    if can_be_played(variant) {
        AnyGameState::new(variant).visit(Walk(bytes));
    }
}

// ---- what the bytes say ----

fn text_of(data: &[u8]) -> Cow<'_, str> {
    String::from_utf8_lossy(data)
}

/// The variant that the input begins with, and what follows.
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

fn can_be_played(variant: Variant) -> bool {
    !matches!(variant, Variant::Nested(options) if options.depth() > DEEPEST)
}

/// The name of some move, which may be legal or not.
fn probe(variant: Variant, seed: u64) -> String {
    // The low bits of a small number would choose the same every time.
    let mut rest = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 16;
    let mut below = |n: u8| {
        let chosen = rest % u64::from(n);
        rest /= u64::from(n);
        chosen as u8
    };
    match variant {
        Variant::Mnk(options) => {
            let (columns, rows, _) = options.size();
            cell(below(columns), below(rows))
        }
        Variant::TicTacTwo(options) => {
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
        Variant::Nested(options) => {
            let letters = (0..options.depth()).map(|_| char::from(b'a' + below(9)));
            letters.collect()
        }
    }
}

fn cell(column: u8, row: u8) -> String {
    format!("{}{}", char::from(b'a' + column), row + 1)
}

/// A set-up board with anything in its fields: side, extra move, the sizes of what is
/// optional, and then the fields themselves, the cells last.
fn setup_of(bytes: &[u8]) -> Setup {
    let mut bytes = bytes.iter().copied();
    let flags = bytes.next().unwrap_or_default();
    let mark = |byte: u8| match byte {
        b'x' => Some(Side::X),
        b'o' => Some(Side::O),
        _ => None,
    };
    let mut setup = Setup::new(0);
    if flags & 1 != 0 {
        setup.side = Side::O;
    }
    setup.extra = flags & 2 != 0;
    if flags & 4 != 0 {
        setup.grid = bytes.next().zip(bytes.next());
    }
    if flags & 8 != 0 {
        let count = bytes.next().unwrap_or_default();
        let owners = bytes.by_ref().take(count.into());
        setup.owners = Some(
            owners
                .map(|byte| match byte {
                    b'*' => Owner::Both,
                    _ => mark(byte).map_or(Owner::Nobody, Owner::One),
                })
                .collect(),
        );
    }
    if flags & 16 != 0 {
        let count = bytes.next().unwrap_or_default();
        setup.trail = bytes.by_ref().take(count.into()).collect();
    }
    setup.cells = bytes.map(mark).collect();
    setup
}

// ---- what must hold ----

/// Something for people to read: there is something, and it is one line.
fn check_line(text: &str) {
    assert!(!text.is_empty());
    assert!(!text.contains(char::is_control), "{text:?}");
}

fn check_faults(error: &SetupError) {
    assert!(error.reasons().next().is_some());
    assert!(!error.kinds().is_empty(), "{error}");
    check_line(&error.to_string());
}

/// A position is written, and what is written is read as that position.
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

/// Counting and listing moves agree; there are none exactly when the game is over.
fn check_moves<G: Game>(play: &GameState<G>) -> Vec<G::Move> {
    let (game, position) = (play.game(), play.position());
    let moves = game.moves(position);
    assert_eq!(game.count_moves(position), moves.len());
    assert_eq!(game.nth_move(position, moves.len()), None);
    assert_eq!(game.outcome(position).is_none(), !moves.is_empty());
    assert_eq!(game.ending(position).is_none(), !moves.is_empty());
    assert_eq!(play.outcome().is_some(), play.ending().is_some());
    if play.outcome().is_some() {
        // By repetition, too, though the position itself has moves.
        assert_eq!(play.legal_moves(), []);
        return Vec::new();
    }
    moves
}

/// A move is allowed exactly if it is listed, for a move of this game chosen by `seed`.
fn check_probe<G: Game>(play: &GameState<G>, moves: &[G::Move], seed: u64) {
    let text = probe(play.game().variant(), seed);
    match play.game().parse_move(&text) {
        Ok(mv) => assert_eq!(play.check(mv).is_ok(), moves.contains(&mv), "{text}"),
        Err(refusal) => panic!("{text}: {refusal}"),
    }
}

/// Where a field of a position changes, its hash changes.
fn check_hash<G: Game>(game: &G, position: &G::Position) {
    let mut setup = game.setup(position);
    let hash = game.hash(position);
    match hash % 4 {
        0 => setup.extra = !setup.extra,
        1 => setup.side = setup.side.other(),
        2 => {
            let Some(letter) = setup.trail.last_mut() else {
                return;
            };
            *letter = (*letter + 1) % 9;
        }
        _ => {
            let Some(cell) = setup.cells.iter_mut().find(|cell| cell.is_some()) else {
                return;
            };
            *cell = cell.map(Side::other);
        }
    }
    if let Ok(other) = game.position(&setup) {
        assert!(other != *position);
        assert_ne!(game.hash(&other), hash, "{}", game.text(&other));
    }
}

/// Other people's notations and the set-up board give the same position again.
fn check_forms(play: &AnyGameState) {
    let (variant, text) = (play.variant(), play.position_text());
    let again = AnyGameState::from_setup(variant, &play.setup());
    assert_eq!(again.map(|play| play.position_text()), Ok(text.clone()));
    if let Ok(lists) = play.to_lists() {
        let again = AnyGameState::from_text(variant, &lists);
        assert_eq!(again.map(|play| play.position_text()), Ok(text));
    }
    if let Ok(digits) = play.to_digits() {
        // The digits of `ultimate` do not say where a free move was sent to.
        let again = AnyGameState::from_text(variant, &digits);
        let again = again.map(|again| (again.to_digits(), again.count_moves()));
        assert_eq!(again, Ok((Ok(digits), play.count_moves())));
    }
}

fn check_shown(play: &AnyGameState) {
    check_line(&play.prompt());
    let drawing = play.render();
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
        // The usual tags are moved to the front.
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

/// The same game played with the type that takes any depth.
fn check_deep<G: Game>(play: &GameState<G>) {
    let game = play.game();
    let Variant::Nested(options) = game.variant() else {
        return;
    };
    let Some(deep) = Nested::<DynDepth>::new(options) else {
        panic!("{} has no depth", game.variant());
    };
    let (mut here, mut there) = (play.start().clone(), deep.start());
    for &mv in play.moves() {
        assert_eq!(deep.count_moves(&there), game.count_moves(&here));
        let text = game.move_text(mv);
        match deep.parse_move(&text) {
            Ok(same) if deep.check(&there, same).is_ok() => deep.apply(&mut there, same),
            _ => panic!("{text} is refused in {}", deep.text(&there)),
        }
        game.apply(&mut here, mv);
        assert_eq!(deep.side(&there), game.side(&here));
        assert_eq!(deep.outcome(&there), game.outcome(&here));
    }
    assert_eq!(deep.hash(&there), game.hash(play.position()));
}

// ---- the same for every game ----

/// The text of a set-up board.
struct Written<'a>(&'a Setup);

impl Visitor for Written<'_> {
    type Output = String;

    fn visit<G: Game>(self, play: &GameState<G>) -> String {
        play.game().setup_text(self.0)
    }
}

/// Checks a position and those one move on; gives one of the moves.
struct Standing;

impl Visitor for Standing {
    type Output = Option<String>;

    fn visit<G: Game>(self, play: &GameState<G>) -> Option<String> {
        let (game, position) = (play.game(), play.position());
        check_text(game, position);
        let moves = check_moves(play);
        let hash = game.hash(position);
        check_hash(game, position);
        for n in 0..PROBES {
            check_probe(play, &moves, hash.wrapping_add(n));
        }
        let made = moves.len().div_ceil(MOVES_MADE).max(1);
        let written = moves.len().div_ceil(MOVES_WRITTEN).max(1);
        // Which ones depends on the position, so that in the long run all have their turn.
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
struct Lines<'a> {
    text: &'a str,
    /// The same game for front ends.
    any: AnyGameState,
}

impl Visitor for Lines<'_> {
    type Output = ();

    fn visit<G: Game>(mut self, start: &GameState<G>) {
        let mut play = start.clone();
        for line in self.text.split('\n').take(most_steps(start).min(16)) {
            let before = play.position().clone();
            let made = try_move(&mut play, line);
            match self.any.play(line) {
                Ok(()) => assert!(made, "{line:?}"),
                Err(refusal) => {
                    assert!(!made, "{line:?}");
                    check_line(&refusal.to_string());
                    assert!(*play.position() == before, "{line:?}");
                }
            }
            assert_eq!(self.any.hash(), play.game().hash(play.position()));
            assert_eq!(self.any.ply(), play.ply());
            check_row_column(self.any.variant(), line);
        }
    }
}

/// Reads a move and makes it if it is legal; says whether it was.
fn try_move<G: Game>(play: &mut GameState<G>, text: &str) -> bool {
    let game = play.game();
    let mv = match game.parse_move(text) {
        Ok(mv) => mv,
        Err(refusal) => {
            check_line(&refusal.to_string());
            return false;
        }
    };
    assert_eq!(game.move_text(mv), text);
    let legal = play.outcome().is_none() && is_listed(game, play.position(), mv);
    if let Err(refusal) = game.check(play.position(), mv) {
        assert!(!legal, "{text}: {refusal}");
        check_line(&refusal.to_string());
        // Search may do this by mistake: the position means nothing then, but that is all.
        let mut nonsense = play.position().clone();
        game.apply(&mut nonsense, mv);
    }
    let moves = play.moves().len();
    assert_eq!(play.play(mv).is_ok(), legal, "{text}");
    assert_eq!(play.moves().len(), moves + usize::from(legal), "{text}");
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

/// A move that is read as a row and a column is written as such.
fn check_row_column(variant: Variant, text: &str) {
    let Variant::Nested(options) = variant else {
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
        Err(refusal) => check_line(&refusal.to_string()),
    }
}

/// Plays as the bytes say.
struct Walk<'a>(&'a [u8]);

/// From this byte on a move is taken back, or text is tried as a move.
const UNDO: u8 = 0xf0;
const TRY: u8 = 0xf8;

impl Visitor for Walk<'_> {
    type Output = ();

    fn visit<G: Game>(self, start: &GameState<G>) {
        let mut play = start.clone();
        let mut before = Vec::new();
        let mut bytes = self.0;
        let mut steps = 0;
        let most = most_steps(start);
        while let Some((&byte, rest)) = bytes.split_first()
            && steps < most
        {
            bytes = rest;
            let moves = check_moves(&play);
            check_probe(&play, &moves, steps as u64 * 256 + u64::from(byte));
            let now = (play.position().clone(), play.outcome());
            match byte {
                UNDO..TRY => {
                    let text = play.undo().map(|mv| play.game().move_text(mv));
                    assert_eq!(text.is_some(), !before.is_empty());
                    if let Some((position, outcome)) = before.pop() {
                        assert!(*play.position() == position);
                        assert_eq!(play.outcome(), outcome);
                    }
                    assert_eq!(play.moves().len(), before.len());
                }
                TRY.. => {
                    let length = usize::from(byte - TRY).min(bytes.len());
                    let (text, rest) = bytes.split_at(length);
                    bytes = rest;
                    if try_move(&mut play, &text_of(text)) {
                        before.push(now);
                    } else {
                        assert!(*play.position() == now.0);
                    }
                }
                _ if moves.is_empty() => break,
                _ => {
                    let mut n = usize::from(byte);
                    // One byte cannot choose among the moves of a large board.
                    if moves.len() > usize::from(UNDO)
                        && let Some((&low, rest)) = bytes.split_first()
                    {
                        n = n << 8 | usize::from(low);
                        bytes = rest;
                    }
                    let n = n % moves.len();
                    assert_eq!(play.game().nth_move(play.position(), n), Some(moves[n]));
                    assert_eq!(play.play(moves[n]), Ok(()));
                    before.push(now);
                }
            }
            check_repetition(&play, &before);
            steps += 1;
            if steps % 32 == 0 {
                check_text(play.game(), play.position());
            }
        }
        check_moves(&play);
        check_text(play.game(), play.position());
        check_deep(&play);
        check_kept(&play);
    }
}

/// The third occurrence of a position ends the game, where one can come back.
fn check_repetition<G: Game>(play: &GameState<G>, before: &[(G::Position, Option<Outcome>)]) {
    let by_position = play.game().outcome(play.position());
    let earlier = before
        .iter()
        .filter(|(position, _)| position == play.position());
    let repeated = G::CAN_REPEAT && earlier.count() >= 2;
    let expected = by_position.or(repeated.then_some(Outcome::Draw));
    assert_eq!(play.outcome(), expected);
}

/// How long to play: the larger the board, the longer a step takes.
fn most_steps<G: Game>(start: &GameState<G>) -> usize {
    match start.game().count_moves(start.position()) {
        0..=81 => 96,
        82..=729 => 24,
        _ => 6,
    }
}

/// A game that was played can be played again by its text, and kept as a record.
fn check_kept<G: Game>(play: &GameState<G>) {
    let game = play.game();
    // Writing takes longer than playing, so not every game is written.
    if !play.moves().len().is_multiple_of(5) {
        return;
    }
    let mut any = AnyGameState::new(game.variant());
    for &mv in play.moves() {
        assert_eq!(any.play(&game.move_text(mv)), Ok(()));
    }
    assert_eq!(any.hash(), game.hash(play.position()));
    assert_eq!(any.outcome(), play.outcome());
    check_records(&[Record::new(any)]);
}
