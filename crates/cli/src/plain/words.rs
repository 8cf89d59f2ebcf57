//! The words that players can say, and what a move looks like in their mouths.
//! Turns what is typed into the project's notation; whether that is a legal move,
//! the rules say.

use noughts_rules::{AnyPlay, RefusalKind, Variant};

/// A word that works at any question.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Word {
    Quit,
    Help,
    Rules,
    Board,
    Read,
    Moves,
    Hint,
    Record,
    Undo,
    Redo,
    Draw,
    Resign,
}

impl Word {
    const ALL: [(Word, &'static [&'static str], &'static str); 12] = [
        (Word::Help, &["help", "?"], "this list"),
        (Word::Rules, &["rules"], "the rules of this game"),
        (Word::Board, &["board"], "the board as it stands"),
        (
            Word::Read,
            &["read"],
            "the board in words, without a drawing",
        ),
        (Word::Moves, &["moves"], "the moves that are legal now"),
        (Word::Hint, &["hint"], "a good move, and what it is worth"),
        (
            Word::Undo,
            &["undo"],
            "take a move back; against a computer, to your own last decision",
        ),
        (Word::Redo, &["redo"], "make again what was taken back"),
        (
            Word::Draw,
            &["draw"],
            "offer a draw; another person is asked, a computer plays on",
        ),
        (Word::Resign, &["resign"], "give the game up"),
        (
            Word::Record,
            &["record", "records"],
            "what the players have won, lost and tied",
        ),
        (
            Word::Quit,
            &["q", "quit", "exit"],
            "leave; a game that is running is kept and can be resumed",
        ),
    ];

    /// The word, in any case.
    pub(super) fn of(text: &str) -> Option<Word> {
        let text = text.to_lowercase();
        let is = |(_, spellings, _): &&(Word, &[&str], &str)| spellings.contains(&text.as_str());
        Word::ALL.iter().find(is).map(|(word, ..)| *word)
    }

    /// Does it change a running game?
    pub(super) fn is_step(self) -> bool {
        matches!(self, Word::Undo | Word::Redo | Word::Draw | Word::Resign)
    }

    /// Each word with what it does, a line each.
    pub(super) fn list() -> impl Iterator<Item = String> {
        Word::ALL
            .iter()
            .map(|(_, spellings, does)| format!("{}: {does}.", spellings.join(" or ")))
    }
}

/// What to say where [`yes_or_no`] finds neither.
pub(super) const YES_OR_NO: &str = "the answer is y for yes or n for no";

pub(super) fn yes_or_no(text: &str) -> Option<bool> {
    match text.to_lowercase().as_str() {
        "y" | "yes" => Some(true),
        "n" | "no" => Some(false),
        _ => None,
    }
}

/// What to say where nothing was said.
pub(super) const EMPTY: &str = "an empty line is no answer here";

/// Rows and columns, where the board is flat.
pub(super) fn size(variant: Variant) -> Option<(u8, u8)> {
    match variant {
        Variant::Mnk(options) => {
            let (columns, rows, _) = options.size();
            Some((rows, columns))
        }
        Variant::TicTacTwo(options) => Some((options.board(), options.board())),
        Variant::Nested(_) => None,
    }
}

/// What was typed as a move in the project's notation: `row column` on flat boards,
/// and notation in any case, with blanks or without.
///
/// # Errors
/// Two numbers that are no row and column of the board.
pub(super) fn notation(text: &str, variant: Variant) -> Result<String, String> {
    if let (Some(size), Some((row, column))) = (size(variant), two_numbers(text)) {
        return cell(row, column, size);
    }
    let text = text.to_lowercase();
    Ok(text.split_whitespace().collect())
}

/// What was typed as a legal move, in the project's notation.
///
/// # Errors
/// Why it is none; what is no move at all is quoted as it was typed.
pub(super) fn legal(text: &str, play: &AnyPlay) -> Result<String, String> {
    let mv = notation(text, play.variant())?;
    match play.check(&mv) {
        Ok(()) => Ok(mv),
        Err(refusal) if refusal.kind == RefusalKind::NotAMove => {
            Err(play.check(text).err().unwrap_or(refusal).to_string())
        }
        Err(refusal) => Err(refusal.to_string()),
    }
}

/// The cell of a board of this size that was named: `c3`, `C 3` or `3 3`.
pub(super) fn named_cell(text: &str, size: (u8, u8)) -> Option<String> {
    if let Some((row, column)) = two_numbers(text) {
        return cell(row, column, size).ok();
    }
    let text: String = text.split_whitespace().collect();
    let column = text.get(..1)?;
    let row = text.get(1..).filter(|row| is_number(row))?;
    letter(column)?;
    cell(row, column, size).ok()
}

/// `2 3`, `2,3` or `2, 3`.
pub(super) fn two_numbers(text: &str) -> Option<(&str, &str)> {
    let mut parts = text
        .split(|c: char| c == ',' || c.is_whitespace())
        .filter(|part| !part.is_empty());
    let (row, column) = (parts.next()?, parts.next()?);
    let both = [row, column].iter().all(|part| is_number(part));
    (both && parts.next().is_none()).then_some((row, column))
}

pub(super) fn is_number(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

/// The name of the cell in this row and column, counted from 1. The column may be
/// called by its letter, too.
///
/// # Errors
/// There is no such cell.
pub(super) fn cell(row: &str, column: &str, size: (u8, u8)) -> Result<String, String> {
    let (rows, columns) = size;
    let outside = || {
        format!(
            "rows go from 1 to {rows} and columns from 1 to {columns}, counted from the top left"
        )
    };
    let within = |number: u8, most: u8| (1..=most).contains(&number);
    let row: u8 = row.parse().map_err(|_| outside())?;
    let column = match column.parse() {
        Ok(column) => column,
        Err(_) => letter(column).ok_or_else(outside)?,
    };
    if within(row, rows) && within(column, columns) {
        Ok(format!("{}{row}", char::from(b'a' + column - 1)))
    } else {
        Err(outside())
    }
}

/// The column that a letter names, counted from 1.
fn letter(text: &str) -> Option<u8> {
    match text.as_bytes() {
        [byte] if byte.is_ascii_alphabetic() => Some(byte.to_ascii_lowercase() - b'a' + 1),
        _ => None,
    }
}

/// What to say where [`direction`] finds none.
pub(super) const NO_DIRECTION: &str = "a direction is up, down, left, right or two of these such \
     as up left; n, ne, e, se, s, sw, w or nw; or a digit of a keypad, 8 for up";

/// Where a direction leads: columns to the right, rows down. Words, compass letters
/// or the digits of a keypad.
pub(super) fn direction(text: &str) -> Option<(i8, i8)> {
    const DIRECTIONS: [((i8, i8), &[&str]); 8] = [
        ((0, -1), &["8", "n", "north", "up"]),
        ((1, -1), &["9", "ne", "northeast", "upright", "rightup"]),
        ((1, 0), &["6", "e", "east", "right"]),
        ((1, 1), &["3", "se", "southeast", "downright", "rightdown"]),
        ((0, 1), &["2", "s", "south", "down"]),
        ((-1, 1), &["1", "sw", "southwest", "downleft", "leftdown"]),
        ((-1, 0), &["4", "w", "west", "left"]),
        ((-1, -1), &["7", "nw", "northwest", "upleft", "leftup"]),
    ];
    let text = text.to_lowercase();
    let plain: String = text
        .split(|c: char| c == '-' || c.is_whitespace())
        .collect();
    let is = |(_, names): &&((i8, i8), &[&str])| names.contains(&plain.as_str());
    DIRECTIONS.iter().find(is).map(|(step, _)| *step)
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test may panic")]
mod tests {
    use super::*;

    #[test]
    fn words_are_known_in_any_case_and_are_no_moves() {
        for (word, spellings, _) in Word::ALL {
            for spelling in spellings {
                assert_eq!(Word::of(spelling), Some(word));
                assert_eq!(Word::of(&spelling.to_uppercase()), Some(word));
                // A cell of a nested board is made of these letters.
                assert!(!spelling.chars().all(|c| ('a'..='i').contains(&c)));
            }
        }
        for text in ["", "a", "b2", "quite", "q q", "Ada", "h", "1"] {
            assert_eq!(Word::of(text), None, "{text}");
        }
    }

    #[test]
    fn rows_and_columns_count_from_one() {
        let board: Variant = "mnk:7,5,4".parse().unwrap();
        for (text, cell) in [
            ("1 1", "a1"),
            ("2,3", "c2"),
            ("2 , 3", "c2"),
            ("5\t7", "g5"),
            ("05 007", "g5"),
            ("G5", "g5"),
            ("g 5", "g5"),
            ("3", "3"),
            ("1 2 3", "123"),
            ("1 b", "1b"),
        ] {
            assert_eq!(notation(text, board).as_deref(), Ok(cell), "{text}");
        }
        for text in [
            "0 1",
            "1 0",
            "6 1",
            "1 8",
            "999 1",
            "1 99999999999999999999",
        ] {
            let reason = notation(text, board).unwrap_err();
            assert!(
                reason.contains("rows go from 1 to 5 and columns from 1 to 7"),
                "{reason}"
            );
        }
        assert_eq!(notation("1 2", Variant::ULTIMATE).as_deref(), Ok("12"));
        assert_eq!(
            notation("B2 - C4", Variant::TIC_TAC_TWO).as_deref(),
            Ok("b2-c4")
        );
    }

    #[test]
    fn what_is_no_move_is_quoted_as_it_was_typed() {
        for (variant, texts) in [
            ("classic", &["-1 2", "play b2", "1 1 1", "B9", "b 2 b"][..]),
            ("tic-tac-two", &["b2 - z9", "NW nw", "1 1 1"][..]),
            ("ultimate", &["e e e", "1 1", "EZ"][..]),
        ] {
            let play = AnyPlay::new(variant.parse().unwrap());
            for text in texts {
                let reason = legal(text, &play).unwrap_err();
                assert!(reason.contains(text), "{reason}");
            }
        }
        let play = AnyPlay::new(Variant::TIC_TAC_TWO);
        assert_eq!(legal("C 3", &play).as_deref(), Ok("c3"));
        assert_eq!(legal("3 3", &play).as_deref(), Ok("c3"));
    }

    #[test]
    fn cells_are_told_from_moves() {
        for (text, cell) in [
            ("c3", Some("c3")),
            ("C 3", Some("c3")),
            ("3, 4", Some("d3")),
            ("3", None),
            ("c", None),
            ("f3", None),
            ("nw", None),
            ("@c3", None),
            ("b2-c3", None),
            ("é3", None),
            ("", None),
        ] {
            assert_eq!(named_cell(text, (5, 5)).as_deref(), cell, "{text}");
        }
    }

    #[test]
    fn columns_have_letters_too() {
        for (column, name) in [
            ("1", Ok("a2")),
            ("c", Ok("c2")),
            ("E", Ok("e2")),
            ("f", Err(())),
        ] {
            let found = cell("2", column, (5, 5));
            assert_eq!(found.as_deref().map_err(|_| ()), name, "{column}");
        }
        for (row, column) in [("", "1"), ("2", ""), ("2", "é"), ("-1", "1"), ("2", "ab")] {
            assert!(cell(row, column, (5, 5)).is_err(), "{row} {column}");
        }
    }

    #[test]
    fn every_direction_has_many_names() {
        for (step, names) in [
            ((0, -1), ["8", "n", "UP", "North"]),
            ((1, -1), ["9", "NE", "up right", "north-east"]),
            ((1, 0), ["6", "e", "right", "east"]),
            ((1, 1), ["3", "se", "down-right", "right down"]),
            ((0, 1), ["2", "s", "down", "south"]),
            ((-1, 1), ["1", "sw", "down left", "south west"]),
            ((-1, 0), ["4", "w", "left", "west"]),
            ((-1, -1), ["7", "nw", "up left", "northwest"]),
        ] {
            for name in names {
                assert_eq!(direction(name), Some(step), "{name}");
            }
        }
        for name in ["", "5", "0", "north up", "x", "up up", "77"] {
            assert_eq!(direction(name), None, "{name}");
        }
    }
}
