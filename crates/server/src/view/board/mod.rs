//! Boards as SVG: plain functions over a position. Nothing here decides what is legal,
//! and nothing is in colour: classes say what a thing is, `web/board.css` how it looks.

mod cells;
mod file;
mod flat;
mod labels;
mod nested;
mod pen;
mod plot;
mod qr;
mod sheet;
mod thumb;
mod tints;
mod two;

use maud::{Markup, html};
use noughts_rules::AnyPlay;

pub(crate) use file::{file, png};
pub(crate) use plot::{Mistake, Point, plot, value_bar};
pub(crate) use qr::qr;
pub(crate) use thumb::thumbnail;
pub(crate) use tints::{sign, tints};

use sheet::{Wish, sheet};

/// The board of a page, or the board at `path` inside it: the picture and, above it,
/// a grid of named buttons.
pub(crate) fn board(play: &AnyPlay, path: &str) -> Markup {
    let wish = Wish {
        path,
        live: true,
        buttons: true,
    };
    sheet(play, wish).page(play)
}

/// The same where nobody can move: a game that was resigned, or the past of one.
pub(crate) fn past(play: &AnyPlay, path: &str) -> Markup {
    let wish = Wish {
        path,
        live: false,
        buttons: true,
    };
    sheet(play, wish).page(play)
}

/// Where one is inside a deep board: the boards around the one that is shown, as
/// buttons. Nothing for others.
pub(crate) fn crumbs(play: &AnyPlay, path: &str) -> Markup {
    play.nested()
        .map_or(html! {}, |play| nested::crumbs(play, path))
}

/// The same as a miniature of the whole board.
pub(crate) fn mini(play: &AnyPlay, path: &str) -> Markup {
    play.nested()
        .map_or(html! {}, |play| nested::mini(play, path))
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test may panic")]
mod tests;
