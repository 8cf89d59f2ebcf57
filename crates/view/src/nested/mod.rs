//! Nested boards of any depth. Only what is visible is drawn: a board, two levels below it,
//! and a summary of deeper levels.

mod accessible_names;
mod navigation;
mod picture;
mod viewport;

use noughts_rules::{MoveArea, NestedBoard, path_text};

pub(super) use navigation::{breadcrumbs, minimap};

use super::buttons::{Button, ButtonKind};
use super::drawing::{BoardDrawing, DrawOptions};
use super::svg::{Square, WIDTH};
use viewport::{Viewport, pow9};

pub(super) fn draw(board: &dyn NestedBoard, options: DrawOptions<'_>) -> BoardDrawing {
    let view = Viewport::new(board.depth(), options.path);
    BoardDrawing {
        class: match view.depth > 2 {
            true => "nested deep",
            false => "nested",
        },
        height: WIDTH,
        picture: picture::picture(board, view, options.playable),
        drag_handles: None,
        path: Some(view.path()),
        follow_path: Some(viewport::follow_path(board)),
        button_rows: match options.with_buttons {
            true => button_rows(board, view, options.playable),
            false => Vec::new(),
        },
        description: description(view),
    }
}

fn description(view: Viewport) -> String {
    match (view.depth, view.level) {
        (1, _) => "3 by 3 board".into(),
        (depth, 0) => format!("Nested board, {depth} levels deep"),
        (_, _) => format!("Board {} of the nested board", view.path()),
    }
}

/// The square where a move or board is shown in the view of the board at `path`, if it is.
pub(super) fn square_in_view(board: &dyn NestedBoard, path: &str, target: &str) -> Option<Square> {
    Viewport::new(board.depth(), path).square_of_path(target)
}

/// The buttons, row by row.
fn button_rows(board: &dyn NestedBoard, view: Viewport, playable: bool) -> Vec<Vec<Button>> {
    let level = view.button_level();
    let (size, levels) = match view.is_leaf_board() {
        true => (3, 1),
        false => (9, 2),
    };
    let playable = playable && !board.is_over();
    let first = view.index * pow9(levels);
    let index_at = |col: usize, row: usize| match levels {
        1 => first + row * 3 + col,
        _ => first + (row / 3 * 3 + col / 3) * 9 + row % 3 * 3 + col % 3,
    };
    let areas: Vec<(usize, MoveArea)> = match playable && view.shows_cells() {
        true => board.next_move_areas(&(first..first + pow9(levels)).collect::<Vec<_>>()),
        false => Vec::new(),
    };
    let button = |index: usize| {
        let open = playable && board.accepts_move(level, index);
        let square = view.square(level, index)?;
        if !view.shows_cells() {
            let label = accessible_names::board_name(board, level, index, open);
            let kind = ButtonKind::Board { open };
            return Some(Button::new(path_text(index, level), kind, square, label));
        }
        let mark = board.mark(index);
        let text = path_text(index, level);
        let kind = match level {
            1 => ButtonKind::Cell,
            _ => ButtonKind::NestedCell(path_text(index / 9, level - 1)),
        };
        let label = accessible_names::cell_name(board, index, mark, open);
        let mut button = Button::new(text.clone(), kind, square, label);
        button.mv = open.then_some(text);
        button.piece = mark;
        button.is_last_move = board.last_cell() == Some(index);
        let found = areas.binary_search_by_key(&index, |(cell, _)| *cell);
        button.sends_to = found.ok().and_then(|square| match &areas[square].1 {
            MoveArea::Board(path) if !path.is_empty() => Some(path.clone()),
            MoveArea::Free { inside, .. } => Some(inside.clone()),
            MoveArea::Anywhere => Some(String::new()),
            // A single board of nine cells has nowhere to send to.
            MoveArea::Board(_) | MoveArea::Nowhere => None,
        });
        Some(button)
    };
    let row = |row| {
        (0..size)
            .filter_map(|col| button(index_at(col, row)))
            .collect()
    };
    (0..size).map(row).collect()
}
