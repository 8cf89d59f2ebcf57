//! Parses what a player types: names of variants and bots, and moves, in any unambiguous
//! spelling, converted to the canonical one. Stored games, records, UGI and the API don't use this.

use noughts_engine::{BotKind, UnknownBotError};
use noughts_rules::{AnyGameState, Family, MoveErrorKind, Variant};

/// Aliases of variants, with the canonical name.
const ALIASES: [(&str, &str); 9] = [
    ("ttt", "classic"),
    ("tictactoe", "classic"),
    ("tic-tac-toe", "classic"),
    ("3x3", "classic"),
    ("uttt", "ultimate"),
    ("ultimate-tic-tac-toe", "ultimate"),
    ("gomoku", "mnk:15,15,5"),
    ("five", "mnk:15,15,5"),
    ("tictactwo", "tic-tac-two"),
];

/// The families as players name them.
const FAMILIES: [&str; 6] = [
    "classic",
    "misere",
    "mnk",
    "tic-tac-two",
    "ultimate",
    "ception",
];

/// The variant with this name or alias, ignoring case and accents.
///
/// ```
/// use noughts_rules::Variant;
/// use noughts_session::player_input;
///
/// assert_eq!(player_input::parse_variant("Tic-Tac-Toe"), Ok(Variant::CLASSIC));
/// assert_eq!(player_input::parse_variant("Misère"), Ok(Variant::MISERE));
/// assert!(player_input::parse_variant("ultimat").unwrap_err().ends_with("did you mean ultimate?"));
/// ```
///
/// # Errors
/// Which part of the name is wrong, what is allowed there, and the most similar name.
pub fn parse_variant(text: &str) -> Result<Variant, String> {
    let name = normalize(text);
    let (family, options) = match name.split_once(':') {
        Some((family, options)) => (family, Some(options)),
        None => (name.as_str(), None),
    };
    let alias = ALIASES.iter().find(|(alias, _)| *alias == family);
    let family = alias.map_or(family, |(_, canonical)| *canonical);
    let canonical = match options {
        Some(options) => format!("{family}:{options}"),
        None => family.to_owned(),
    };
    let parsed: Result<Variant, _> = canonical.parse();
    parsed.map_err(|error| match suggest_variant(text) {
        Some(name) => format!("{reason}; did you mean {name}?", reason = error.reason()),
        None => error.reason(),
    })
}

/// The canonical name that was probably meant by an unknown name.
#[must_use]
pub fn suggest_variant(text: &str) -> Option<&'static str> {
    let name = normalize(text);
    let family = name.split(':').next().unwrap_or_default();
    if FAMILIES.contains(&family) {
        // The family is known, so something else is wrong.
        return None;
    }
    // Among names at the same distance the first wins. The aliases of classic come first, so
    // `tic-tac-too` suggests classic rather than tic-tac-two.
    let families = FAMILIES.map(|name| (name, name));
    let (distance, name) = ALIASES
        .into_iter()
        .chain(families)
        .map(|(name, canonical)| (strsim::levenshtein(family, name), canonical))
        .min_by_key(|(distance, _)| *distance)?;
    // Up to a third of the letters may be wrong.
    (3 * distance <= family.chars().count()).then_some(name)
}

/// The bot with this name, ignoring case.
///
/// ```
/// use noughts_engine::BotKind;
/// use noughts_session::player_input;
///
/// assert_eq!(player_input::parse_bot("Best"), Ok(BotKind::Best));
/// ```
///
/// # Errors
/// No bot has this name.
pub fn parse_bot(name: &str) -> Result<BotKind, UnknownBotError> {
    name.to_lowercase().parse()
}

/// Lower case, without accents, with `-` for spaces.
fn normalize(text: &str) -> String {
    let letters = text.trim().chars().flat_map(char::to_lowercase);
    let letters = letters.filter(|letter| !('\u{300}'..='\u{36f}').contains(letter));
    letters
        .map(|letter| match letter {
            'à'..='å' => 'a',
            'è'..='ë' => 'e',
            'ì'..='ï' => 'i',
            'ò'..='ö' => 'o',
            'ù'..='ü' => 'u',
            ' ' | '_' => '-',
            letter => letter,
        })
        .collect()
}

/// Parses a legal move into canonical notation.
///
/// ```
/// use noughts_rules::{AnyGameState, Variant};
/// use noughts_session::player_input;
///
/// let state = AnyGameState::new(Variant::CLASSIC);
/// for text in ["b1", "B1", "b 1", "1 2", "1,2", "(1, 2)", "1b"] {
///     assert_eq!(player_input::parse_move(text, &state).as_deref(), Ok("b1"), "{text}");
/// }
/// ```
///
/// # Errors
/// Why the text isn't a legal move. If it isn't a move at all, it is quoted as typed.
pub fn parse_move(text: &str, state: &AnyGameState) -> Result<String, String> {
    // The usual case, and the only spelling of some moves.
    let as_typed = match state.check(text) {
        Ok(()) => return Ok(text.to_owned()),
        Err(error) => error,
    };
    if as_typed.kind != MoveErrorKind::NotAMove {
        return Err(as_typed.to_string());
    }
    let Some(mv) = canonical_notation(text, state.variant())? else {
        return Err(as_typed.to_string());
    };
    match state.check(&mv) {
        Ok(()) => Ok(mv),
        Err(error) if error.kind == MoveErrorKind::NotAMove => Err(as_typed.to_string()),
        Err(error) => Err(error.to_string()),
    }
}

/// The canonical notation of a move in any spelling.
///
/// # Errors
/// Two numbers that aren't a row and a column of the board.
fn canonical_notation(text: &str, variant: Variant) -> Result<Option<String>, String> {
    let parts = MoveParts::split(text);
    let Some(size) = board_size(variant) else {
        // Nested boards: letters only.
        return Ok(parts.letters());
    };
    if let Some((row, column)) = parts.numbers() {
        return cell_name(row, column, size).map(Some);
    }
    Ok(match (variant.family(), parts.cells(size).as_slice()) {
        (_, [cell]) => Some(cell.clone()),
        (Family::TicTacTwo(_), [from, to]) => Some(format!("{from}-{to}")),
        (Family::TicTacTwo(_), []) => {
            let center = text.trim().strip_prefix('@');
            let center = center.and_then(|center| parse_cell(center, size));
            center.map(|cell| format!("@{cell}"))
        }
        _ => None,
    })
}

/// The input, split between letters and digits and at spaces and the usual separators of
/// coordinates.
struct MoveParts<'a>(Vec<&'a str>);

impl<'a> MoveParts<'a> {
    fn split(text: &'a str) -> MoveParts<'a> {
        let text = text.trim();
        let text = text
            .strip_prefix('(')
            .and_then(|text| text.strip_suffix(')'))
            .unwrap_or(text);
        let is_separator = |c: char| c.is_whitespace() || matches!(c, ',' | ';' | '/' | '-');
        let mut parts = Vec::new();
        for word in text.split(is_separator).filter(|word| !word.is_empty()) {
            let is_digit = |byte: u8| byte.is_ascii_digit();
            let mut start = 0;
            for (i, pair) in word.as_bytes().windows(2).enumerate() {
                if is_digit(pair[0]) != is_digit(pair[1]) && word.is_char_boundary(i + 1) {
                    parts.push(&word[start..=i]);
                    start = i + 1;
                }
            }
            parts.push(&word[start..]);
        }
        // A leading separator is a sign, not a separator.
        if text.starts_with(['-', ',', ';', '/']) {
            parts.clear();
        }
        MoveParts(parts)
    }

    /// A row and a column.
    fn numbers(&self) -> Option<(&'a str, &'a str)> {
        match self.0.as_slice() {
            [row, column] if is_number(row) && is_number(column) => Some((row, column)),
            _ => None,
        }
    }

    /// Cells with one letter and one number each.
    fn cells(&self, size: (u8, u8)) -> Vec<String> {
        let parse_pair = |pair: &[&str]| match pair {
            [column, row] | [row, column] if is_number(row) && column_number(column).is_some() => {
                cell_name(row, column, size).ok()
            }
            _ => None,
        };
        let cells: Option<Vec<String>> = self.0.chunks(2).map(parse_pair).collect();
        cells.unwrap_or_default()
    }

    /// The whole input if it consists of letters.
    fn letters(&self) -> Option<String> {
        let text = self.0.concat().to_lowercase();
        let is_alphabetic = text.bytes().all(|byte| byte.is_ascii_lowercase());
        (is_alphabetic && !text.is_empty()).then_some(text)
    }
}

/// The number of rows and columns of a flat board.
#[must_use]
pub fn board_size(variant: Variant) -> Option<(u8, u8)> {
    match variant.family() {
        Family::Mnk(options) => {
            let (columns, rows, _) = options.size();
            Some((rows, columns))
        }
        Family::TicTacTwo(options) => Some((options.board_size(), options.board_size())),
        Family::Nested(_) | Family::Other => None,
    }
}

/// The cell of a board of this size that the text names: `c3`, `C 3`, `3c` or `3 3`.
#[must_use]
pub fn parse_cell(text: &str, size: (u8, u8)) -> Option<String> {
    let parts = MoveParts::split(text);
    if let Some((row, column)) = parts.numbers() {
        return cell_name(row, column, size).ok();
    }
    match parts.cells(size).as_slice() {
        [cell] => Some(cell.clone()),
        _ => None,
    }
}

/// Is it a whole number without a sign?
#[must_use]
pub fn is_number(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

/// The name of the cell in this row and column, counted from 1. The column may also be a letter.
///
/// # Errors
/// The board doesn't have this cell.
pub fn cell_name(row: &str, column: &str, size: (u8, u8)) -> Result<String, String> {
    let (rows, columns) = size;
    let outside_error = || {
        format!(
            "rows go from 1 to {rows} and columns from 1 to {columns}, counted from the top left"
        )
    };
    let is_within = |number: u8, max: u8| (1..=max).contains(&number);
    let row: u8 = row.parse().map_err(|_| outside_error())?;
    let column = match column.parse() {
        Ok(column) => column,
        Err(_) => column_number(column).ok_or_else(outside_error)?,
    };
    if is_within(row, rows) && is_within(column, columns) {
        Ok(format!("{}{row}", char::from(b'a' + column - 1)))
    } else {
        Err(outside_error())
    }
}

/// The number of the column with this letter, counted from 1.
fn column_number(text: &str) -> Option<u8> {
    match text.as_bytes() {
        [byte] if byte.is_ascii_alphabetic() => Some(byte.to_ascii_lowercase() - b'a' + 1),
        _ => None,
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test may panic")]
mod tests {
    use super::*;

    #[test]
    fn variants_have_aliases_in_any_case() {
        for (text, name) in [
            ("classic", "classic"),
            ("Classic", "classic"),
            ("tic-tac-toe", "classic"),
            ("Tic Tac Toe", "classic"),
            ("TTT", "classic"),
            ("3x3", "classic"),
            ("misère", "misere"),
            ("mise\u{300}re", "misere"),
            ("MISÈRE", "misere"),
            ("gomoku", "mnk:15,15,5"),
            ("MNK:4,4,4", "mnk:4,4,4"),
            ("tictactwo:board=7", "tic-tac-two:board=7"),
            ("uttt", "ultimate"),
            ("Ception:5A", "ception:5a"),
        ] {
            let found = parse_variant(text).map(|variant| variant.to_string());
            assert_eq!(found.as_deref(), Ok(name), "{text}");
        }
        for (_, canonical) in ALIASES {
            assert!(canonical.parse::<Variant>().is_ok(), "{canonical}");
        }
    }

    #[test]
    fn a_similar_name_is_suggested_for_an_unknown_one() {
        for (text, name) in [
            ("ultimat", Some("ultimate")),
            ("clasic", Some("classic")),
            ("tik-tak-toe", Some("classic")),
            ("tic-tac-too", Some("classic")),
            ("tic-tac-toes", Some("classic")),
            ("tick-tack-toe", Some("classic")),
            ("tic-tac-twoo", Some("tic-tac-two")),
            ("inception", Some("ception")),
            ("ception:depht=3", None),
            ("mnk:99,1,1", None),
            ("chess", None),
            ("x", None),
            ("", None),
        ] {
            let reason = parse_variant(text).unwrap_err();
            match name {
                Some(name) => {
                    assert!(
                        reason.ends_with(&format!("; did you mean {name}?")),
                        "{reason}"
                    );
                }
                None => assert!(!reason.contains("did you mean"), "{text}: {reason}"),
            }
        }
    }

    /// Every unambiguous spelling of a cell is accepted.
    #[test]
    fn cells_are_accepted_in_every_unambiguous_spelling() {
        let state = AnyGameState::new("mnk:7,5,4".parse().unwrap());
        for (text, cell) in [
            ("1 1", "a1"),
            ("2,3", "c2"),
            ("2 , 3", "c2"),
            ("(2, 3)", "c2"),
            ("2/3", "c2"),
            ("2-3", "c2"),
            ("5\t7", "g5"),
            ("05 007", "g5"),
            ("g5", "g5"),
            ("G5", "g5"),
            ("g 5", "g5"),
            ("G,5", "g5"),
            ("5g", "g5"),
            ("1 b", "b1"),
        ] {
            assert_eq!(parse_move(text, &state).as_deref(), Ok(cell), "{text}");
        }
        for text in [
            "0 1",
            "1 0",
            "6 1",
            "1 8",
            "999 1",
            "1 99999999999999999999",
        ] {
            let reason = parse_move(text, &state).unwrap_err();
            assert!(
                reason.contains("rows go from 1 to 5 and columns from 1 to 7"),
                "{reason}"
            );
        }
    }

    #[test]
    fn moves_of_other_games_are_accepted_in_any_case() {
        let nested = AnyGameState::new(Variant::ULTIMATE);
        for text in ["ei", "EI", "e i", "E,I", "e-i", "e/i"] {
            assert_eq!(parse_move(text, &nested).as_deref(), Ok("ei"), "{text}");
        }
        // Two pieces each, with the grid in the middle.
        let text = "...../.xo../.ox../...../..... x @c3";
        let grid = AnyGameState::from_text(Variant::TIC_TAC_TWO, text).unwrap();
        for (text, mv) in [
            ("D4", "d4"),
            ("4 4", "d4"),
            ("@D3", "@d3"),
            ("@ d3", "@d3"),
            ("@3,4", "@d3"),
            ("B2-D4", "b2-d4"),
            ("b2 - d4", "b2-d4"),
            ("b2 d4", "b2-d4"),
        ] {
            assert_eq!(parse_move(text, &grid).as_deref(), Ok(mv), "{text}");
        }
    }

    #[test]
    fn text_that_is_not_a_move_is_quoted_as_typed() {
        for (variant, texts) in [
            (
                "classic",
                &["-1 2", "play b2", "1 1 1", "B9", "b 2 b", "5", "22", "é2"][..],
            ),
            ("tic-tac-two", &["b2 - z9", "NW nw", "1 1 1"][..]),
            ("ultimate", &["e e e", "1 1", "EZ", "é"][..]),
        ] {
            let state = AnyGameState::new(variant.parse().unwrap());
            for text in texts {
                let reason = parse_move(text, &state).unwrap_err();
                assert!(reason.contains(text), "{reason}");
            }
        }
        let state = AnyGameState::from_text(Variant::CLASSIC, "x../.../... o").unwrap();
        assert_eq!(parse_move("A1", &state), Err("a1 is taken".into()));
    }

    #[test]
    fn cells_are_distinguished_from_moves() {
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
            assert_eq!(parse_cell(text, (5, 5)).as_deref(), cell, "{text}");
        }
    }

    #[test]
    fn columns_may_be_letters() {
        for (column, name) in [
            ("1", Ok("a2")),
            ("c", Ok("c2")),
            ("E", Ok("e2")),
            ("f", Err(())),
        ] {
            let found = cell_name("2", column, (5, 5));
            assert_eq!(found.as_deref().map_err(|_| ()), name, "{column}");
        }
        for (row, column) in [("", "1"), ("2", ""), ("2", "é"), ("-1", "1"), ("2", "ab")] {
            assert!(cell_name(row, column, (5, 5)).is_err(), "{row} {column}");
        }
    }
}
