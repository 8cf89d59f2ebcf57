//! A position in words, for players who use a screen reader. Every line makes sense on its own.

use noughts_rules::{BoardView, Owner, Piece, Place, Side, column_name};

/// The board in words: row by row, or board by board, without empty boards; then the frame and the pieces next to
/// the board.
///
/// ```
/// use noughts_rules::{AnyGameState, Variant};
/// let state = AnyGameState::from_text(Variant::CLASSIC, "o.x/.x./... o")?;
/// assert_eq!(
///     noughts_text::describe_board(state.view()),
///     ["Row 1: X in c; O in a.", "Row 2: X in b.", "Row 3: empty."]
/// );
/// # Ok::<(), noughts_rules::SetupError>(())
/// ```
#[must_use]
pub fn describe_board(view: &dyn BoardView) -> Vec<String> {
    let mut lines = match view.shape().depth() == 1 && view.has_coordinates() {
        true => describe_rows(view),
        false => describe_boards(view),
    };
    if let Some(frame) = view.frame() {
        let [first, last] = [frame.first, frame.last].map(|cell| view.place_name(cell));
        lines.push(format!("The {} covers {first} to {last}.", frame.name));
    }
    let reserves = Side::BOTH.map(|side| (side, view.reserve(side)));
    if reserves.iter().any(|(_, pieces)| !pieces.is_empty()) {
        lines.extend(reserves.map(|(side, pieces)| describe_reserve(view, side, &pieces)));
    }
    lines
}

fn describe_rows(view: &dyn BoardView) -> Vec<String> {
    let shape = view.shape();
    let (columns, rows) = shape.size_at(0).unwrap_or_default();
    let lines = (0..rows).map(|row| {
        let cells = (0..columns).map(|column| (column_name(column), shape.cell_at(0, column, row)));
        let pieces = describe_cells(view, cells.collect());
        let pieces = pieces.unwrap_or_else(|| "empty".into());
        format!("Row {}: {pieces}.", row + 1)
    });
    lines.collect()
}

fn describe_boards(view: &dyn BoardView) -> Vec<String> {
    let shape = view.shape();
    let last = shape.depth().saturating_sub(1);
    let mut lines = Vec::new();
    for level in 0..=last {
        for index in 0..shape.count_places(level) {
            let board = Place::new(level, index);
            let name = view.place_name(board);
            let mut facts = Vec::new();
            if level > 0 {
                facts.extend(board_state(view, board));
            }
            if level == last {
                let cells = shape.parts(board).map(|cell| {
                    let full = view.place_name(cell);
                    let short = full.strip_prefix(&name).unwrap_or(&full);
                    (short.to_owned(), cell)
                });
                facts.extend(describe_cells(view, cells.collect()));
            }
            if !facts.is_empty() {
                let board = match name.as_str() {
                    "" => "The board".to_owned(),
                    name => format!("Board {name}"),
                };
                lines.push(format!("{board}: {}.", facts.join("; ")));
            }
        }
    }
    if lines.is_empty() {
        lines.push("The whole board is empty.".into());
    }
    lines
}

/// Whether a board is won, or closed although nobody won it.
fn board_state(view: &dyn BoardView, board: Place) -> Option<String> {
    let state = view.cell(board);
    match state.owner {
        Owner::One(side) => Some(format!("won by {side}")),
        Owner::Both => Some("won by both players".into()),
        Owner::Nobody => state.is_dead.then(|| "closed".into()),
    }
}

/// `X in a, c; O in b`, with these names of cells. `None` if all of them are empty.
fn describe_cells(view: &dyn BoardView, cells: Vec<(String, Place)>) -> Option<String> {
    let kinds = view.pieces();
    let order = |piece: &Piece| {
        let mut kinds = kinds.iter();
        kinds.position(|kind| kind.mark == piece.mark && kind.size == piece.size)
    };
    let mut groups: Vec<(Option<usize>, String, Vec<String>)> = Vec::new();
    for (name, cell) in cells {
        let pieces = view.cell(cell).pieces;
        let Some(top) = pieces.first() else {
            continue;
        };
        let words: Vec<String> = pieces.iter().map(describe_piece).collect();
        let words = words.join(" over ");
        match groups.iter_mut().find(|group| group.1 == words) {
            Some((.., names)) => names.push(name),
            None => groups.push((order(top), words, vec![name])),
        }
    }
    groups.sort();
    let groups: Vec<String> = groups
        .iter()
        .map(|(_, words, names)| format!("{words} in {}", names.join(", ")))
        .collect();
    (!groups.is_empty()).then(|| groups.join("; "))
}

fn describe_piece(piece: &Piece) -> String {
    match piece.is_fading {
        true => format!("{piece}, about to vanish,"),
        false => piece.to_string(),
    }
}

/// `X has 2 small and 1 large in reserve.`
fn describe_reserve(view: &dyn BoardView, side: Side, reserve: &[(u8, u32)]) -> String {
    let kinds = view.pieces();
    let pieces = reserve.iter().filter(|(_, count)| *count > 0);
    let pieces =
        pieces.filter_map(|&(kind, count)| Some(kinds.get(usize::from(kind))?.counted(count)));
    match pieces.collect::<Vec<_>>().as_slice() {
        [] => format!("{side} has nothing in reserve."),
        pieces => format!("{side} has in reserve: {}.", pieces.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use noughts_rules::AnyGameState;

    use super::*;

    fn describe(variant: &str, moves: &str) -> Vec<String> {
        let mut state = AnyGameState::new(variant.parse().expect("a variant"));
        for mv in moves.split_whitespace() {
            state.play(mv).expect("a legal move");
        }
        describe_board(state.view())
    }

    #[test]
    fn every_mark_is_described_with_its_place() {
        assert_eq!(
            describe("tic-tac-two", "b2 c2 d3 c4 @b3")[1..],
            [
                "Row 2: X in b; O in c.",
                "Row 3: X in d.",
                "Row 4: O in c.",
                "Row 5: empty.",
                "The grid covers a2 to c4.",
                "X has in reserve: 2 pieces.",
                "O has in reserve: 2 pieces.",
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
            lines.last().map(String::as_str),
            Some("Board i: won by O; X in e, i; O in a, b, c.")
        );
    }
}
