//! Typed moves. The words of a move name what would be touched to make it, in the same order, so every game gets the
//! same spellings: `B2`, `2 2`, `(2, 2)` or `2b` for a cell, wherever a cell stands in a move.

use noughts_rules::{
    AnyGameState, BoardShape, BoardView, MoveErrorKind, Place, TapResult, Target, column_name,
    parse_column,
};

/// What somebody typed who may have to type more.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum MovePart {
    /// A legal move in canonical notation.
    Move(String),
    /// The start of one or more legal moves, and what continues it.
    Start {
        /// What was touched so far.
        taps: Vec<Target>,
        /// What can be touched next.
        next: Vec<Target>,
    },
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
    match parse_next_part(text, state, &[])? {
        MovePart::Move(mv) => Ok(mv),
        MovePart::Start { taps, .. } => {
            let choices = state.view().choices().unwrap_or_default();
            let mut complete = choices.iter().filter(|(_, all)| all.starts_with(&taps));
            let example = complete.next().map_or("", |(mv, _)| mv);
            let typed = quoted(text);
            Err(format!("{typed} is only part of a move such as {example}"))
        }
    }
}

/// Parses a move, or the start of one, that may continue what was touched before. A whole move is accepted as well, and
/// so is the start of another move if the text doesn't continue the first one.
///
/// ```
/// use noughts_rules::{AnyGameState, Target, Variant};
/// use noughts_session::player_input::{MovePart, parse_next_part};
///
/// let text = "...../.xo../.ox../...../..... x @c3";
/// let state = AnyGameState::from_text(Variant::TIC_TAC_TWO, text)?;
/// let Ok(MovePart::Start { taps, .. }) = parse_next_part("@", &state, &[]) else {
///     panic!("the grid can be moved");
/// };
/// assert_eq!(taps, [Target::Frame]);
/// // A piece could be placed on d3, too, but the grid comes first.
/// assert!(state.check("d3").is_ok());
/// for text in ["d3", "right", "3 4", "@d3"] {
///     let move_part = parse_next_part(text, &state, &taps);
///     assert_eq!(move_part, Ok(MovePart::Move("@d3".into())));
/// }
/// # Ok::<(), noughts_rules::SetupError>(())
/// ```
///
/// # Errors
/// Why no legal move is written like this. If it isn't a move at all, it is quoted as typed.
pub fn parse_next_part(
    text: &str,
    state: &AnyGameState,
    before: &[Target],
) -> Result<MovePart, String> {
    let as_typed = state.check(text);
    if as_typed.is_ok() && before.is_empty() {
        return Ok(MovePart::Move(text.to_owned()));
    }
    let view = state.view();
    let words = split_words(text);
    let mut meant = Vec::new();
    if !before.is_empty() {
        let directed = neighbor(view, text, before);
        meant.extend(directed.map(|target| [before, &[target]].concat()));
    }
    // A direction that leads nowhere doesn't start another move.
    let is_directed = !meant.is_empty();
    for (words, before) in [(&words, before), (&words, &[])] {
        Reader::new(view).read(words, before.to_vec(), &mut meant);
    }
    let mut start = None;
    let mut rejection = None;
    for taps in meant {
        match view.tap(&taps) {
            TapResult::Move(mv) => return Ok(MovePart::Move(mv)),
            TapResult::Partial(next)
                if start.is_none() && (taps.starts_with(before) || !is_directed) =>
            {
                start = Some(MovePart::Start { taps, next });
            }
            TapResult::Partial(_) => {}
            // The error for the whole text shows what moves look like.
            TapResult::Rejected(error) if error.kind == MoveErrorKind::NotAMove => {}
            TapResult::Rejected(error) => rejection = rejection.or(Some(error)),
        }
    }
    // Games can have moves that aren't written as their taps.
    let compact = text.to_lowercase().split_whitespace().collect::<String>();
    if start.is_none() && state.check(&compact).is_ok() {
        return Ok(MovePart::Move(compact));
    }
    if let Some(start) = start {
        return Ok(start);
    }
    let Err(as_typed) = as_typed else {
        return Ok(MovePart::Move(text.to_owned()));
    };
    let is_known = as_typed.kind != MoveErrorKind::NotAMove;
    Err(match (rejection, out_of_range(view, &words)) {
        (Some(rejection), _) if !is_known || !before.is_empty() => rejection.to_string(),
        (None, Some(range)) => range,
        _ => as_typed.to_string(),
    })
}

/// User input in a message.
fn quoted(text: &str) -> String {
    let short: String = text.chars().take(24).collect();
    match short == text {
        true => format!("`{text}`"),
        false => format!("`{short}…`"),
    }
}

/// More words than any move has.
const MAX_WORDS: usize = 16;

/// The text in lower case, split between letters and digits and at spaces and the usual separators. Empty if there is
/// anything else in it.
fn split_words(text: &str) -> Vec<String> {
    let text = text.trim().to_lowercase();
    let mut words: Vec<String> = Vec::new();
    let mut last_kind = None;
    for c in text.chars() {
        let kind = match c {
            'a'..='z' => Some(0),
            '0'..='9' => Some(1),
            '@' => Some(2),
            // A leading separator is a sign, not a separator.
            '-' | '=' | ',' | ';' | '/' if !words.is_empty() => None,
            '(' | ')' => None,
            c if c.is_whitespace() => None,
            _ => return Vec::new(),
        };
        match words.last_mut() {
            Some(word) if kind.is_some() && kind == last_kind => word.push(c),
            _ if kind.is_some() => words.push(c.into()),
            _ => {}
        }
        last_kind = kind;
    }
    match words.len() > MAX_WORDS {
        true => Vec::new(),
        false => words,
    }
}

/// Reads words as targets.
struct Reader<'a> {
    view: &'a dyn BoardView,
    shape: BoardShape,
}

impl<'a> Reader<'a> {
    fn new(view: &'a dyn BoardView) -> Reader<'a> {
        Reader {
            view,
            shape: view.shape(),
        }
    }

    /// Adds every sequence of targets that the words can mean after those before them.
    fn read(&self, words: &[String], before: Vec<Target>, found: &mut Vec<Vec<Target>>) {
        if words.is_empty() {
            if !before.is_empty() && !found.contains(&before) {
                found.push(before);
            }
            return;
        }
        for (count, target) in self.first_targets(words) {
            let mut taps = before.clone();
            taps.extend(target);
            self.read(&words[count..], taps, found);
        }
    }

    /// What the first words can mean, with their number.
    fn first_targets(&self, words: &[String]) -> Vec<(usize, Option<Target>)> {
        let view = self.view;
        let mut targets = Vec::new();
        let mut add = |count: usize, target: Option<Target>| {
            targets.extend(target.map(|target| (count, Some(target))));
        };
        // As many words as a cell's name may be split into.
        for count in 1..=words.len().min(usize::from(self.shape.depth()) + 1) {
            let cell = view.parse_cell(&words[..count].concat());
            add(count, cell.map(|cell| Target::Place(view.aim(cell))));
        }
        for (count, cell) in self.coordinates(words) {
            let cell = view.parse_cell(&cell);
            add(count, cell.map(|cell| Target::Place(view.aim(cell))));
        }
        let word = words[0].as_str();
        if view.plays_columns() {
            let column = column_number(word);
            let cell = column.and_then(|column| self.shape.part_at(Place::BOARD, column, 0));
            add(1, cell.map(|cell| Target::Place(view.aim(cell))));
        }
        add(1, self.piece(word));
        match view.frame() {
            Some(frame) if word == "@" || word == frame.name => add(1, Some(Target::Frame)),
            None if word == "@" => targets.push((1, None)),
            _ => {}
        }
        targets
    }

    /// The usual names of cells that the first words can mean, with the number of words: row and column as numbers, or
    /// the row's number before the column's letter; and the board's number before both where there are several.
    fn coordinates(&self, words: &[String]) -> Vec<(usize, String)> {
        if !self.view.has_coordinates() {
            return Vec::new();
        }
        let has_boards = self
            .shape
            .count_places(self.shape.depth().saturating_sub(1))
            > 1;
        let (board, rest) = match words {
            [board, rest @ ..] if has_boards && is_number(board) => (board.as_str(), rest),
            _ if has_boards => return Vec::new(),
            words => ("", words),
        };
        let cell = match rest {
            [row, column, ..] if is_number(row) => row.parse().ok().zip(column_number(column)),
            _ => None,
        };
        let name = |(row, column): (u8, u8)| {
            let column = column_name(column);
            (2 + usize::from(has_boards), format!("{board}{column}{row}"))
        };
        cell.map(name).into_iter().collect()
    }

    /// A kind of piece that the side to move can use, by its name in moves, its mark or its size.
    fn piece(&self, word: &str) -> Option<Target> {
        let view = self.view;
        let kinds = (0..).zip(view.pieces());
        let mut own =
            kinds.filter(|(_, piece)| piece.owner.is_none_or(|owner| owner == view.side()));
        let found = own.find(|(kind, piece)| {
            let size = piece.size.map(noughts_rules::PieceSize::name);
            view.piece_name(*kind) == word || size == Some(word)
        });
        found.map(|(kind, _)| Target::Piece(kind))
    }
}

/// Why numbers that look like coordinates name no cell.
fn out_of_range(view: &dyn BoardView, words: &[String]) -> Option<String> {
    let shape = view.shape();
    let (columns, rows) = shape.size_at(0).filter(|_| shape.depth() == 1)?;
    if !view.has_coordinates() {
        return None;
    }
    let all_numbers = words.iter().all(|word| is_number(word));
    match words.len() {
        1 if all_numbers && view.plays_columns() => Some(format!("columns go from 1 to {columns}")),
        2 if all_numbers => Some(format!(
            "rows go from 1 to {rows} and columns from 1 to {columns}, counted from the top left"
        )),
        _ => None,
    }
}

fn is_number(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

/// The column with these letters, or with this number counted from 1.
fn column_number(text: &str) -> Option<u8> {
    match is_number(text) {
        true => text.parse::<u8>().ok()?.checked_sub(1),
        false => parse_column(text),
    }
}

/// The cell next to where the last tap was, in the direction that the text names.
fn neighbor(view: &dyn BoardView, text: &str, before: &[Target]) -> Option<Target> {
    let (right, down) = parse_direction(text)?;
    let shape = view.shape();
    let from = match before.last()? {
        Target::Frame => view.frame()?.center,
        Target::Place(place) if place.level == shape.depth() => *place,
        _ => return None,
    };
    let (column, row) = shape.column_row(from);
    let column = column.checked_add_signed(right)?;
    let row = row.checked_add_signed(down)?;
    let neighbor = shape.part_at(shape.parent(from)?, column, row)?;
    Some(Target::Place(neighbor))
}

/// Parses a direction: words, compass letters or the digits of a keypad. Returns the step in
/// columns to the right and rows down.
fn parse_direction(text: &str) -> Option<(i8, i8)> {
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
    let normalized: String = text
        .split(|c: char| c == '-' || c.is_whitespace())
        .collect();
    let is = |(_, names): &&((i8, i8), &[&str])| names.contains(&normalized.as_str());
    DIRECTIONS.iter().find(is).map(|(step, _)| *step)
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test may panic")]
mod tests {
    use noughts_rules::{Variant, games};

    use super::*;

    #[test]
    fn every_direction_has_several_names() {
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
                assert_eq!(parse_direction(name), Some(step), "{name}");
            }
        }
        for name in ["", "5", "0", "north up", "x", "up up", "77"] {
            assert_eq!(parse_direction(name), None, "{name}");
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
            ("grid d3", "@d3"),
            ("B2-D4", "b2-d4"),
            ("b2 - d4", "b2-d4"),
            ("b2 d4", "b2-d4"),
            ("2 2 4 4", "b2-d4"),
            ("(2, 2) - (4, 4)", "b2-d4"),
        ] {
            assert_eq!(parse_move(text, &grid).as_deref(), Ok(mv), "{text}");
        }
    }

    /// Any cell of a column stands for it, however it's written: row and column as numbers weren't accepted.
    #[test]
    fn discs_are_dropped_by_column_or_cell() {
        let state = AnyGameState::new("connect-four".parse().unwrap());
        for text in ["d", "D", "4", "d6", "D 1", "1d", "6 4", "6,4", "(1, 4)"] {
            assert_eq!(parse_move(text, &state).as_deref(), Ok("d"), "{text}");
        }
        for text in ["8", "h", "1 8", "2 2 2", "b2=x"] {
            assert!(parse_move(text, &state).is_err(), "{text}");
        }
    }

    /// Whatever the game: upper case, spaces, and rows before columns.
    #[test]
    fn every_move_of_every_game_can_be_typed_loosely() {
        for (variant, _) in games::presets() {
            let mut state = AnyGameState::new(variant);
            for turn in 0..12 {
                let moves = state.legal_moves();
                for mv in moves.iter().step_by(moves.len() / 40 + 1) {
                    let spaced: Vec<String> = mv.chars().map(|c| format!("{c} ")).collect();
                    for typed in [mv.to_uppercase(), format!(" {mv} "), spaced.concat()] {
                        let is_split = mv.contains("10") && typed.contains(' ');
                        let parsed = parse_move(&typed, &state);
                        assert!(
                            is_split || parsed.as_ref() == Ok(mv),
                            "{variant} {typed} {parsed:?}"
                        );
                    }
                    check_parts(&state, mv);
                }
                match moves.get((turn * 7) % moves.len().max(1)) {
                    Some(mv) => state.play(mv).unwrap(),
                    None => break,
                }
            }
        }
    }

    /// A move can be typed target by target.
    fn check_parts(state: &AnyGameState, mv: &str) {
        let view = state.view();
        let taps = view.taps_of(mv).unwrap();
        let mut before = Vec::new();
        for (n, tap) in taps.iter().enumerate() {
            let name = view.target_name(*tap).to_uppercase();
            let name = name.trim_start_matches('=');
            match parse_next_part(name, state, &before).unwrap() {
                MovePart::Move(found) => assert_eq!((found.as_str(), n + 1), (mv, taps.len())),
                MovePart::Start { taps: start, next } => {
                    assert_eq!(start, taps[..=n], "{mv}");
                    assert!(next.contains(&taps[n + 1]), "{mv}");
                    before = start;
                }
            }
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

    /// The error was `no move continues like that`.
    #[test]
    fn words_that_make_no_move_are_quoted_with_examples() {
        for (variant, moves, text) in [
            ("connect-four", "", "d7"),
            ("wild", "", "b2=x=o"),
            ("gobblers", "", "s@m@b2"),
            ("notakto:3", "", "1b2-2b2"),
            ("morris", "a1 b1 b2 a2 c1 c3", "b2-b2"),
        ] {
            let state = played(variant, moves);
            let reason = parse_move(text, &state).unwrap_err();
            assert!(reason.starts_with(&format!("`{text}` isn't a")), "{reason}");
            assert_eq!(reason, state.check(text).unwrap_err().to_string());
        }
    }

    /// As on the page: what doesn't continue a move but starts one restarts it.
    #[test]
    fn another_piece_can_be_chosen_instead() {
        for (variant, moves, first, second) in [
            ("morris", "a1 b1 b2 a3 c1 c3", "b2", "c1"),
            ("gobblers", "", "s", "m"),
            ("wild", "", "b2", "a1"),
        ] {
            let state = played(variant, moves);
            let parse = |text, before: &[Target]| parse_next_part(text, &state, before);
            let Ok(MovePart::Start { taps, .. }) = parse(first, &[]) else {
                panic!("{variant}: {first} starts a move");
            };
            assert_eq!(parse(second, &taps), parse(second, &[]), "{variant}");
            // The same one again changes nothing.
            assert_eq!(parse(first, &taps), parse(first, &[]), "{variant}");
        }
        // A direction, although it is blocked, and not a small piece from the reserve.
        let state = played("gobblers", "s@b2 l@b3");
        let Ok(MovePart::Start { taps, .. }) = parse_next_part("b2", &state, &[]) else {
            panic!("b2 can move");
        };
        assert!(parse_next_part("s", &state, &taps).is_err());
    }

    fn played(variant: &str, moves: &str) -> AnyGameState {
        let mut state = AnyGameState::new(variant.parse().unwrap());
        for mv in moves.split_whitespace() {
            state.play(mv).unwrap();
        }
        state
    }

    #[test]
    fn half_a_move_is_refused_with_an_example() {
        let text = "...../.xo../.ox../...../..... x @c3";
        let state = AnyGameState::from_text(Variant::TIC_TAC_TWO, text).unwrap();
        let reason = parse_move("B2", &state).unwrap_err();
        assert!(
            reason.starts_with("`B2` is only part of a move such as b2-"),
            "{reason}"
        );
    }
}
