//! Boards, and what is known of them, as SVG: plain functions over a position, for every
//! front end that shows pictures. Nothing here decides what is legal, and nothing but
//! [`file()`] is in colour: classes say what a thing is, the page's style sheet how it looks.

mod buttons;
mod drawing;
mod labels;
mod mnk;
mod nested;
mod plot;
mod svg;
mod svg_document;
mod thumbnail;
mod tic_tac_two;
mod value_overlay;

use maud::{Markup, html};
use noughts_rules::AnyGameState;

pub use plot::{MistakeSeverity, PlotPoint, plot, value_bar};
pub use svg_document::{light_svg_document, svg_document};
pub use thumbnail::thumbnail;
pub use value_overlay::{value_label, value_overlay};

use drawing::{DrawOptions, draw_board};

/// The board of a page, or the board at `path` inside it: the picture and, above it,
/// a grid of named buttons.
#[must_use]
pub fn board(play: &AnyGameState, path: &str) -> Markup {
    let wish = DrawOptions {
        path,
        playable: true,
        with_buttons: true,
    };
    draw_board(play, wish).interactive_svg(play)
}

/// The same where nobody can move: a game that was resigned, or the past of one.
#[must_use]
pub fn read_only_board(play: &AnyGameState, path: &str) -> Markup {
    let wish = DrawOptions {
        path,
        playable: false,
        with_buttons: true,
    };
    draw_board(play, wish).interactive_svg(play)
}

/// Where one is inside a deep board: the boards around the one that is shown, as
/// buttons. Nothing for others.
#[must_use]
pub fn breadcrumbs(play: &AnyGameState, path: &str) -> Markup {
    play.nested()
        .map_or(html! {}, |play| nested::breadcrumbs(play, path))
}

/// The same as a miniature of the whole board.
#[must_use]
pub fn minimap(play: &AnyGameState, path: &str) -> Markup {
    play.nested()
        .map_or(html! {}, |play| nested::minimap(play, path))
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test may panic")]
mod tests;
