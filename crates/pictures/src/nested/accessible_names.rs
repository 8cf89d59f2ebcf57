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
        name += match board.owner(depth - 1, cell / 9) {
            Owner::One(Side::X) => " won by X",
            Owner::One(Side::O) => " won by O",
            Owner::Both => " won by both",
            Owner::Nobody => "",
        };
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
    let mut name = format!("board {}", path_name(level, index));
    name += match board.owner(level, index) {
        Owner::One(Side::X) => ", won by X",
        Owner::One(Side::O) => ", won by O",
        Owner::Both => ", won by both",
        Owner::Nobody if open_cells == 0 => ", full",
        Owner::Nobody if open_cells as usize == pow9(board.depth() - level) => ", empty",
        Owner::Nobody => ", in progress",
    };
    if open {
        name += ", open";
    }
    name
}
