//! Accessible names for the cells and boards of a nested game.

use noughts_rules::{NestedBoard, Owner, Side};

use super::viewport::pow9;

/// The nine places of a board, in the order of their letters.
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

fn path_name(level: u32, index: usize) -> String {
    let name = (0..level).rev().map(|up| PLACE_NAMES[index / pow9(up) % 9]);
    name.collect::<Vec<_>>().join(", ")
}

fn won_by(owner: Owner) -> Option<&'static str> {
    match owner {
        Owner::One(Side::X) => Some("won by X"),
        Owner::One(Side::O) => Some("won by O"),
        Owner::Both => Some("won by both"),
        Owner::Nobody => None,
    }
}

/// `board center, top left, empty, legal`.
pub(super) fn cell_name(
    board: &dyn NestedBoard,
    cell: usize,
    mark: Option<Side>,
    legal: bool,
) -> String {
    let depth = board.depth();
    let mut name = String::new();
    if depth > 1 {
        name = format!("board {}", path_name(depth - 1, cell / 9));
        if let Some(won_by) = won_by(board.owner(depth - 1, cell / 9)) {
            name += &format!(" {won_by}");
        }
        name += ", ";
    }
    name += PLACE_NAMES[cell % 9];
    name += match mark {
        Some(Side::X) => ", X",
        Some(Side::O) => ", O",
        None => ", empty",
    };
    if legal {
        name += ", legal";
    }
    name
}

/// `board center, top left, won by X`.
pub(super) fn board_name(board: &dyn NestedBoard, level: u32, index: usize, open: bool) -> String {
    let open_cells = board.count_open_cells(level, index);
    let name = format!("board {}", path_name(level, index));
    let state = won_by(board.owner(level, index)).unwrap_or(match open_cells as usize {
        0 => "full",
        cells if cells == pow9(board.depth() - level) => "empty",
        _ => "in progress",
    });
    let open = if open { ", open" } else { "" };
    format!("{name}, {state}{open}")
}
