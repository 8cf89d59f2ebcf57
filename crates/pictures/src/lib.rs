//! Boards, and what is known of them, as SVG: plain functions over a position, for every
//! front end that shows pictures. Nothing here decides what is legal, and nothing but
//! [`file()`] is in colour: classes say what a thing is, the page's style sheet how it looks.

mod cells;
mod file;
mod flat;
mod labels;
mod nested;
mod pen;
mod plot;
mod sheet;
mod thumb;
mod tints;
mod two;

use maud::{Markup, html};
use noughts_rules::AnyPlay;

pub use file::{file, plain_file};
pub use plot::{Mistake, Point, plot, value_bar};
pub use thumb::thumbnail;
pub use tints::{sign, tints};

use sheet::{Wish, sheet};

/// The board of a page, or the board at `path` inside it: the picture and, above it,
/// a grid of named buttons.
#[must_use]
pub fn board(play: &AnyPlay, path: &str) -> Markup {
    let wish = Wish {
        path,
        live: true,
        buttons: true,
    };
    sheet(play, wish).page(play)
}

/// The same where nobody can move: a game that was resigned, or the past of one.
#[must_use]
pub fn past(play: &AnyPlay, path: &str) -> Markup {
    let wish = Wish {
        path,
        live: false,
        buttons: true,
    };
    sheet(play, wish).page(play)
}

/// Where one is inside a deep board: the boards around the one that is shown, as
/// buttons. Nothing for others.
#[must_use]
pub fn crumbs(play: &AnyPlay, path: &str) -> Markup {
    play.nested()
        .map_or(html! {}, |play| nested::crumbs(play, path))
}

/// The same as a miniature of the whole board.
#[must_use]
pub fn mini(play: &AnyPlay, path: &str) -> Markup {
    play.nested()
        .map_or(html! {}, |play| nested::mini(play, path))
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test may panic")]
mod tests;
