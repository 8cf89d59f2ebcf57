//! A position in words, for whoever hears the board instead of seeing it. Every
//! line makes sense alone.

use noughts_rules::{AnyGameState, Owner, Side, Variant};
use noughts_session::player_input;

/// The board, row by row or board by board; nested boards without a mark are left out.
pub(super) fn describe_position(play: &AnyGameState) -> Vec<String> {
    match (play.variant(), player_input::board_size(play.variant())) {
        (Variant::Nested(options), _) => boards(play, options.depth().into()),
        (Variant::TicTacTwo(options), Some((_, columns))) => {
            let mut lines = rows(play, columns);
            lines.push(grid(play, options.grid_size() / 2));
            lines
        }
        (_, Some((_, columns))) => rows(play, columns),
        _ => Vec::new(),
    }
}

fn rows(play: &AnyGameState, columns: u8) -> Vec<String> {
    let cells = play.setup().cells;
    let rows = cells.chunks(columns.max(1).into()).enumerate();
    rows.map(|(row, cells)| format!("Row {}: {}.", row + 1, marks(cells)))
        .collect()
}

/// `X in a, c; O in b`.
fn marks(cells: &[Option<Side>]) -> String {
    let of = |player| {
        let letters = (b'a'..).zip(cells);
        let mine = letters.filter(|(_, cell)| **cell == Some(player));
        let mine: Vec<String> = mine.map(|(letter, _)| char::from(letter).into()).collect();
        (!mine.is_empty()).then(|| format!("{player} in {}", mine.join(", ")))
    };
    let both: Vec<String> = Side::BOTH.into_iter().filter_map(of).collect();
    match both.as_slice() {
        [] => "empty".into(),
        both => both.join("; "),
    }
}

/// From which corner to which the grid lies.
fn grid(play: &AnyGameState, reach: u8) -> String {
    let (column, row) = play.setup().grid.unwrap_or_default();
    let cell = |column: u8, row: u8| format!("{}{}", char::from(b'a' + column), row + 1);
    let first = cell(column.saturating_sub(reach), row.saturating_sub(reach));
    format!(
        "The grid lies from {first} to {}.",
        cell(column + reach, row + reach)
    )
}

fn boards(play: &AnyGameState, depth: u32) -> Vec<String> {
    let mut lines = Vec::new();
    for level in 1..depth.saturating_sub(1) {
        for index in 0..9usize.pow(level) {
            if let Some(owner) = owned(play, level, index) {
                lines.push(format!("Board {}: {owner}.", path(index, level)));
            }
        }
    }
    let level = depth - 1;
    for (index, cells) in play.setup().cells.chunks(9).enumerate() {
        if cells.iter().all(Option::is_none) {
            continue;
        }
        let name = match level {
            0 => "The board".to_owned(),
            _ => format!("Board {}", path(index, level)),
        };
        let owner = owned(play, level, index).map_or_else(String::new, |who| format!("{who}; "));
        lines.push(format!("{name}: {owner}{}.", marks(cells)));
    }
    if lines.is_empty() {
        lines.push("The whole board is empty.".into());
    }
    lines
}

fn owned(play: &AnyGameState, level: u32, index: usize) -> Option<String> {
    match play.owner(level, index) {
        Owner::Nobody => None,
        Owner::One(player) => Some(format!("{player} owns it")),
        Owner::Both => Some("both own it".into()),
    }
}

/// The letters of a board, the outermost first.
fn path(index: usize, letters: u32) -> String {
    let letter = |place: u32| {
        let digit = index / 9usize.pow(place) % 9;
        char::from_digit(digit as u32 + 10, 36).unwrap_or('?')
    };
    (0..letters).rev().map(letter).collect()
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test may panic")]
mod tests {
    use super::*;

    fn read(variant: &str, moves: &str) -> Vec<String> {
        let mut play = AnyGameState::new(variant.parse().unwrap());
        for mv in moves.split_whitespace() {
            play.play(mv).unwrap();
        }
        describe_position(&play)
    }

    #[test]
    fn every_mark_is_told_where_it_stands() {
        assert_eq!(
            read("classic", "b2 a1 c1"),
            ["Row 1: X in c; O in a.", "Row 2: X in b.", "Row 3: empty."]
        );
        assert_eq!(
            read("tic-tac-two", "b2 c2 d3 c4 @b3")[1..],
            [
                "Row 2: X in b; O in c.",
                "Row 3: X in d.",
                "Row 4: O in c.",
                "Row 5: empty.",
                "The grid lies from a2 to c4."
            ]
        );
        assert_eq!(read("ultimate", ""), ["The whole board is empty."]);
        assert_eq!(
            read("ultimate", "ec ca ab"),
            ["Board a: X in b.", "Board c: O in a.", "Board e: X in c."]
        );
        assert_eq!(
            read("ception:depth=1", "e a"),
            ["The board: X in e; O in a."]
        );
        assert_eq!(read("ception:depth=3", "eai"), ["Board ea: X in i."]);
    }

    #[test]
    fn owners_are_named() {
        let moves = "ee eb ba aa ae ei ie ea ai ic ci ia ab be eh hi ii ib bi";
        let lines = read("ultimate", moves);
        assert_eq!(
            lines.last().unwrap(),
            "Board i: O owns it; X in e, i; O in a, b, c."
        );
    }
}
