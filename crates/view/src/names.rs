//! Names and descriptions for screen readers.

use noughts_rules::{AnyGameState, BoardShape, BoardView, CellView, Owner, Piece, Place, Side};

use super::layout::{Arrangement, Layout};

/// The nine places of a board of 3×3.
const PLACE_NAMES: [&str; 9] = [
    "top left",
    "top",
    "top right",
    "left",
    "center",
    "right",
    "bottom left",
    "bottom",
    "bottom right",
];

/// What is drawn: `Ultimate: 3 by 3 boards of 3 by 3 cells`.
pub(super) fn description(state: &AnyGameState, layout: &Layout) -> String {
    let (view, title) = (state.view(), state.variant().title());
    let shape = view.shape();
    if layout.shown != Place::BOARD {
        return format!("{title}: board {}", view.place_name(layout.shown));
    }
    let size = |level: u8| {
        let (columns, rows) = shape.size_at(level).unwrap_or((1, 1));
        format!("{columns} by {rows}")
    };
    let mut text = match (shape.depth(), Arrangement::of(&shape)) {
        (0 | 1, _) => format!("{title}: {} board", size(0)),
        (2, Arrangement::SideBySide) => {
            let boards = noughts_text::plural(shape.parts_at(0) as usize, "board");
            format!("{title}: {boards} of {} cells", size(1))
        }
        (2, _) => format!("{title}: {} boards of {} cells", size(0), size(1)),
        (depth, _) => format!("{title}: {} board, nested {depth} levels deep", size(0)),
    };
    if let Some(frame) = view.frame() {
        let [first, last] = [frame.first, frame.last].map(|place| shape.column_row(place));
        let span = |first: u8, last: u8| u32::from(last.saturating_sub(first)) + 1;
        text += &format!(
            ", {} by {} {}",
            span(first.0, last.0),
            span(first.1, last.1),
            frame.name
        );
    }
    text
}

/// A place in words: `b2`, `board 2, b2`, or, where places aren't named by column and row, `center, top left`.
fn place_words(view: &dyn BoardView, shape: &BoardShape, place: Place) -> String {
    let name = view.place_name(place);
    if !view.has_coordinates() {
        return path_words(shape, place);
    }
    match shape.parent(place) {
        Some(board) if place.level == shape.depth() && shape.count_places(board.level) > 1 => name
            .trim_start_matches(|c: char| c.is_ascii_digit())
            .to_owned(),
        _ => name,
    }
}

fn path_words(shape: &BoardShape, place: Place) -> String {
    let (column, row) = shape.column_row(place);
    let words = match place
        .level
        .checked_sub(1)
        .and_then(|level| shape.size_at(level))
    {
        Some((3, 3)) => PLACE_NAMES[usize::from(row % 3 * 3 + column % 3)].to_owned(),
        _ => format!("column {}, row {}", column + 1, row + 1),
    };
    match shape.parent(place) {
        Some(parent) if parent.level > 0 => format!("{}, {words}", path_words(shape, parent)),
        _ => words,
    }
}

/// The last part of a cell's name in words, and the board around it: `board center won by X`.
fn cell_place(view: &dyn BoardView, shape: &BoardShape, cell: Place) -> String {
    let Some(board) = shape.parent(cell).filter(|board| board.level > 0) else {
        return place_words(view, shape, cell);
    };
    let around = format!("board {}", place_words(view, shape, board));
    let state = board_state(&view.cell(board)).map_or(String::new(), |state| format!(" {state}"));
    let words = place_words(view, shape, cell);
    let inside = words.rsplit(", ").next().unwrap_or_default();
    format!("{around}{state}, {inside}")
}

fn board_state(contents: &CellView) -> Option<&'static str> {
    match contents.owner {
        Owner::One(Side::X) => Some("won by X"),
        Owner::One(Side::O) => Some("won by O"),
        Owner::Both => Some("won by both"),
        Owner::Nobody => contents.is_dead.then_some("out of play"),
    }
}

/// What is on a cell: `large O on small X`.
fn pieces_words(pieces: &[Piece]) -> String {
    let Some(top) = pieces.first() else {
        return "empty".into();
    };
    let all: Vec<String> = pieces.iter().map(Piece::to_string).collect();
    let fading = if top.is_fading {
        ", about to vanish"
    } else {
        ""
    };
    format!("{}{fading}", all.join(" on "))
}

/// What a touch on a cell does.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum CellAction {
    /// Nothing that is legal.
    None,
    /// A move goes here.
    Legal,
    /// The piece here can be moved.
    CanMove,
    /// A piece lands there.
    LandsOn(Place),
}

/// `board center, top left, empty, legal`.
pub(super) fn cell_name(
    view: &dyn BoardView,
    layout: &Layout,
    cell: Place,
    pieces: &[Piece],
    action: CellAction,
) -> String {
    let mut name = cell_place(view, &layout.shape, cell);
    name = format!("{name}, {}", pieces_words(pieces));
    if let Some(frame) = view.frame() {
        let side = match super::picture::is_in_frame(layout, &frame, cell) {
            true => "inside",
            false => "outside",
        };
        name += &format!(", {side} the {}", frame.name);
    }
    match action {
        CellAction::None => {}
        CellAction::Legal => name += ", legal",
        CellAction::CanMove => name += ", can move",
        CellAction::LandsOn(place) => {
            name += &format!(
                ", legal, lands on {}",
                place_words(view, &layout.shape, place)
            );
        }
    }
    name
}

/// `board center, top left, won by X, open`.
pub(super) fn board_name(
    view: &dyn BoardView,
    shape: &BoardShape,
    board: Place,
    open: bool,
) -> String {
    let state = board_state(&view.cell(board)).unwrap_or_else(|| {
        match view.count_open_cells(board) as usize {
            0 => "full",
            cells if cells == shape.cells_of(board).len() => "empty",
            _ => "in progress",
        }
    });
    let open = if open { ", open" } else { "" };
    format!("board {}, {state}{open}", place_words(view, shape, board))
}
