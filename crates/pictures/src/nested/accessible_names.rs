//! What a screen reader says of the cells and boards of a nested game.

use noughts_rules::{NestedBoard, Owner, Side};

use super::viewport::pow9;

/// The nine places of a board, in the order of their letters.
const PLACES: [&str; 9] = [
    "top left",
    "top",
    "top right",
    "left",
    "centre",
    "right",
    "bottom left",
    "bottom",
    "bottom right",
];

fn places(level: u32, index: usize) -> String {
    let words = (0..level).rev().map(|up| PLACES[index / pow9(up) % 9]);
    words.collect::<Vec<_>>().join(", ")
}

/// `board centre, top left, empty, legal`.
pub(super) fn cell_name(
    play: &dyn NestedBoard,
    cell: usize,
    mark: Option<Side>,
    legal: bool,
) -> String {
    let depth = play.depth();
    let mut words = String::new();
    if depth > 1 {
        words = format!("board {}", places(depth - 1, cell / 9));
        words += match play.owner(depth - 1, cell / 9) {
            Owner::One(Side::X) => " won by X",
            Owner::One(Side::O) => " won by O",
            Owner::Both => " won by both",
            Owner::Nobody => "",
        };
        words += ", ";
    }
    words += PLACES[cell % 9];
    words += match mark {
        Some(Side::X) => ", X",
        Some(Side::O) => ", O",
        None => ", empty",
    };
    if legal {
        words += ", legal";
    }
    words
}

/// `board centre, top left, won by X`.
pub(super) fn board_name(play: &dyn NestedBoard, level: u32, index: usize, open: bool) -> String {
    let left = play.count_open_cells(level, index);
    let mut words = format!("board {}", places(level, index));
    words += match play.owner(level, index) {
        Owner::One(Side::X) => ", won by X",
        Owner::One(Side::O) => ", won by O",
        Owner::Both => ", won by both",
        Owner::Nobody if left == 0 => ", full",
        Owner::Nobody if left as usize == pow9(play.depth() - level) => ", empty",
        Owner::Nobody => ", begun",
    };
    if open {
        words += ", open";
    }
    words
}
