//! A position in words, for players who use a screen reader. Every line makes sense on its own.

use noughts_rules::{AnyGameState, Family, Owner, Side, Variant, path_text};
use noughts_session::player_input;

/// The board, row by row or board by board. Empty nested boards are left out.
pub(super) fn describe_position(state: &AnyGameState) -> Vec<String> {
    match (state.variant(), player_input::board_size(state.variant())) {
        (Family::Nested(options), _) => board_lines(state, options.depth().into()),
        (Family::TicTacTwo(options), Some((_, columns))) => {
            let mut lines = row_lines(state, columns);
            lines.push(grid_corners(state, options.grid_size() / 2));
            lines
        }
        (_, Some((_, columns))) => row_lines(state, columns),
        _ => Vec::new(),
    }
}

fn row_lines(state: &AnyGameState, columns: u8) -> Vec<String> {
    let cells = state.setup().cells;
    let rows = cells.chunks(columns.max(1).into()).enumerate();
    rows.map(|(row, cells)| format!("Row {}: {}.", row + 1, marks(cells)))
        .collect()
}

/// `X in a, c; O in b`.
fn marks(cells: &[Option<Side>]) -> String {
    let side_marks = |side| {
        let letters = (b'a'..).zip(cells);
        let own_letters = letters.filter(|(_, cell)| **cell == Some(side));
        let own_letters: Vec<String> = own_letters
            .map(|(letter, _)| char::from(letter).into())
            .collect();
        (!own_letters.is_empty()).then(|| format!("{side} in {}", own_letters.join(", ")))
    };
    let both: Vec<String> = Side::BOTH.into_iter().filter_map(side_marks).collect();
    match both.as_slice() {
        [] => "empty".into(),
        both => both.join("; "),
    }
}

/// The corners of the grid.
fn grid_corners(state: &AnyGameState, reach: u8) -> String {
    let (column, row) = state.setup().grid.unwrap_or_default();
    let cell = |column: u8, row: u8| format!("{}{}", char::from(b'a' + column), row + 1);
    let first = cell(column.saturating_sub(reach), row.saturating_sub(reach));
    format!(
        "The grid covers {first} to {last}.",
        last = cell(column + reach, row + reach)
    )
}

fn board_lines(state: &AnyGameState, depth: u32) -> Vec<String> {
    let mut lines = Vec::new();
    for level in 1..depth.saturating_sub(1) {
        for index in 0..9usize.pow(level) {
            if let Some(owner) = owner_text(state, level, index) {
                lines.push(format!("Board {}: {owner}.", path_text(index, level)));
            }
        }
    }
    let level = depth - 1;
    for (index, cells) in state.setup().cells.chunks(9).enumerate() {
        if cells.iter().all(Option::is_none) {
            continue;
        }
        let name = match level {
            0 => "The board".to_owned(),
            _ => format!("Board {}", path_text(index, level)),
        };
        let owner =
            owner_text(state, level, index).map_or_else(String::new, |owner| format!("{owner}; "));
        lines.push(format!("{name}: {owner}{}.", marks(cells)));
    }
    if lines.is_empty() {
        lines.push("The whole board is empty.".into());
    }
    lines
}

fn owner_text(state: &AnyGameState, level: u32, index: usize) -> Option<String> {
    match state.owner(level, index) {
        Owner::Nobody => None,
        Owner::One(side) => Some(format!("won by {side}")),
        Owner::Both => Some("won by both players".into()),
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test may panic")]
mod tests {
    use super::*;

    fn describe(variant: &str, moves: &str) -> Vec<String> {
        let mut state = AnyGameState::new(variant.parse().unwrap());
        for mv in moves.split_whitespace() {
            state.play(mv).unwrap();
        }
        describe_position(&state)
    }

    #[test]
    fn every_mark_is_described_with_its_place() {
        assert_eq!(
            describe("classic", "b2 a1 c1"),
            ["Row 1: X in c; O in a.", "Row 2: X in b.", "Row 3: empty."]
        );
        assert_eq!(
            describe("tic-tac-two", "b2 c2 d3 c4 @b3")[1..],
            [
                "Row 2: X in b; O in c.",
                "Row 3: X in d.",
                "Row 4: O in c.",
                "Row 5: empty.",
                "The grid covers a2 to c4."
            ]
        );
        assert_eq!(describe("ultimate", ""), ["The whole board is empty."]);
        assert_eq!(
            describe("ultimate", "ec ca ab"),
            ["Board a: X in b.", "Board c: O in a.", "Board e: X in c."]
        );
        assert_eq!(
            describe("ception:depth=1", "e a"),
            ["The board: X in e; O in a."]
        );
        assert_eq!(describe("ception:depth=3", "eai"), ["Board ea: X in i."]);
    }

    #[test]
    fn owners_are_named() {
        let moves = "ee eb ba aa ae ei ie ea ai ic ci ia ab be eh hi ii ib bi";
        let lines = describe("ultimate", moves);
        assert_eq!(
            lines.last().unwrap(),
            "Board i: won by O; X in e, i; O in a, b, c."
        );
    }
}
