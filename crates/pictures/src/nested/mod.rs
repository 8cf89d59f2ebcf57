//! Nested boards of any depth. Only what is visible is drawn: a board with its
//! children and theirs, and of deeper ones a summary.

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

pub(super) fn draw(play: &dyn NestedBoard, wish: DrawOptions<'_>) -> BoardDrawing {
    let view = Viewport::new(play.depth(), wish.path);
    BoardDrawing {
        class: match view.depth > 2 {
            true => "nested deep",
            false => "nested",
        },
        height: WIDTH,
        picture: picture::picture(play, view, wish.playable),
        grid_targets: None,
        drag_handles: None,
        path: Some(view.path()),
        follow_path: Some(viewport::follow_path(play)),
        button_rows: match wish.with_buttons {
            true => rows(play, view, wish.playable),
            false => Vec::new(),
        },
        description: title(view),
    }
}

fn title(view: Viewport) -> String {
    match (view.depth, view.level) {
        (1, _) => "Board of nine cells".into(),
        (depth, 0) => format!("Nested board, {depth} levels deep"),
        (_, _) => format!("Board {} of the nested board", view.path()),
    }
}

/// Where a move or a board is seen in the part at `path`, if it is.
pub(super) fn square_in_view(play: &dyn NestedBoard, path: &str, what: &str) -> Option<Square> {
    Viewport::new(play.depth(), path).square_of_path(what)
}

/// The buttons as they lie, row by row.
fn rows(play: &dyn NestedBoard, view: Viewport, live: bool) -> Vec<Vec<Button>> {
    let level = view.button_level();
    let (side, levels) = match view.is_leaf_board() {
        true => (3, 1),
        false => (9, 2),
    };
    let live = live && !play.is_over();
    let first = view.index * pow9(levels);
    let number = |col: usize, row: usize| match levels {
        1 => first + row * 3 + col,
        _ => first + (row / 3 * 3 + col / 3) * 9 + row % 3 * 3 + col % 3,
    };
    let sent: Vec<(usize, MoveArea)> = match live && view.shows_cells() {
        true => play.next_move_areas(&(first..first + pow9(levels)).collect::<Vec<_>>()),
        false => Vec::new(),
    };
    let button = |index: usize| {
        let open = live && play.accepts_move(level, index);
        let at = view.square(level, index)?;
        if !view.shows_cells() {
            let name = accessible_names::board_name(play, level, index, open);
            let kind = ButtonKind::Board { open };
            return Some(Button::new(path_text(index, level), kind, at, name));
        }
        let mark = play.mark(index);
        let text = path_text(index, level);
        let kind = match level {
            1 => ButtonKind::Cell,
            _ => ButtonKind::NestedCell(path_text(index / 9, level - 1)),
        };
        let name = accessible_names::cell_name(play, index, mark, open);
        let mut button = Button::new(text.clone(), kind, at, name);
        button.mv = open.then_some(text);
        button.piece = mark;
        button.is_last_move = play.last_cell() == Some(index);
        let place = sent.binary_search_by_key(&index, |(cell, _)| *cell);
        button.sends_to = place.ok().and_then(|at| match &sent[at].1 {
            MoveArea::Board(path) if !path.is_empty() => Some(path.clone()),
            MoveArea::Free { inside, .. } => Some(inside.clone()),
            MoveArea::Anywhere => Some(String::new()),
            // A board of nine cells sends nowhere else.
            MoveArea::Board(_) | MoveArea::Nowhere => None,
        });
        Some(button)
    };
    let row = |row| {
        (0..side)
            .filter_map(|col| button(number(col, row)))
            .collect()
    };
    (0..side).map(row).collect()
}
