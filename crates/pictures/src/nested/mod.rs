//! Nested boards of any depth. Only what is visible is drawn: a board with its
//! children and theirs, and of deeper ones a summary.

mod names;
mod picture;
mod view;
mod way;

use noughts_rules::{NestedBoard, Place, path_text};

pub(super) use way::{crumbs, mini};

use super::cells::{Button, Kind};
use super::pen::{Square, WIDTH};
use super::sheet::{Sheet, Wish};
use view::{View, power};

pub(super) fn sheet(play: &dyn NestedBoard, wish: Wish<'_>) -> Sheet {
    let view = View::new(play.depth(), wish.path);
    Sheet {
        kind: match view.depth > 2 {
            true => "nested deep",
            false => "nested",
        },
        height: WIDTH,
        picture: picture::picture(play, view, wish.live),
        places: None,
        grips: None,
        path: Some(view.path()),
        follow: Some(view::follow(play)),
        rows: match wish.buttons {
            true => rows(play, view, wish.live),
            false => Vec::new(),
        },
        title: title(view),
    }
}

fn title(view: View) -> String {
    match (view.depth, view.level) {
        (1, _) => "Board of nine cells".into(),
        (depth, 0) => format!("Nested board, {depth} levels deep"),
        (_, _) => format!("Board {} of the nested board", view.path()),
    }
}

/// Where a move or a board is seen in the part at `path`, if it is.
pub(super) fn spot(play: &dyn NestedBoard, path: &str, what: &str) -> Option<Square> {
    View::new(play.depth(), path).square_of(what)
}

/// The buttons as they lie, row by row.
fn rows(play: &dyn NestedBoard, view: View, live: bool) -> Vec<Vec<Button>> {
    let level = view.button_level();
    let (side, levels) = match view.is_single() {
        true => (3, 1),
        false => (9, 2),
    };
    let live = live && !play.is_over();
    let first = view.index * power(levels);
    let number = |col: usize, row: usize| match levels {
        1 => first + row * 3 + col,
        _ => first + (row / 3 * 3 + col / 3) * 9 + row % 3 * 3 + col % 3,
    };
    let sent: Vec<(usize, Place)> = match live && view.shows_cells() {
        true => play.sends(&(first..first + power(levels)).collect::<Vec<_>>()),
        false => Vec::new(),
    };
    let button = |index: usize| {
        let open = live && play.takes(level, index);
        let at = view.square(level, index)?;
        if !view.shows_cells() {
            let name = names::board(play, level, index, open);
            let kind = Kind::Board { open };
            return Some(Button::new(path_text(index, level), kind, at, name));
        }
        let mark = play.mark(index);
        let text = path_text(index, level);
        let kind = match level {
            1 => Kind::Flat,
            _ => Kind::Inner(path_text(index / 9, level - 1)),
        };
        let name = names::cell(play, index, mark, open);
        let mut button = Button::new(text.clone(), kind, at, name);
        button.mv = open.then_some(text);
        button.piece = mark;
        button.last = play.last() == Some(index);
        let place = sent.binary_search_by_key(&index, |(cell, _)| *cell);
        button.sends = place.ok().and_then(|at| match &sent[at].1 {
            Place::Board(path) if !path.is_empty() => Some(path.clone()),
            Place::Free { inside, .. } => Some(inside.clone()),
            Place::Anywhere => Some(String::new()),
            // A board of nine cells sends nowhere else.
            Place::Board(_) | Place::Nowhere => None,
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
