//! Boards and analysis results as SVG: plain functions of a position, for every front end
//! that shows pictures. Nothing here decides what is legal. Only SVG documents
//! contain colors: elsewhere classes name what an element is, and the page's style sheet
//! decides how it looks.

mod buttons;
mod drawing;
mod labels;
mod mnk;
mod nested;
mod plot;
mod replay;
mod svg;
mod svg_document;
mod thumbnail;
mod tic_tac_two;
mod value_overlay;

use maud::{Markup, html};
use noughts_rules::AnyGameState;

pub use plot::{PlotPoint, plot, value_bar};
pub use replay::{ReplayBoard, replay_board};
pub use svg_document::{light_svg_document, svg_document, svg_document_with_prompt};
pub use thumbnail::thumbnail;
pub use value_overlay::value_overlay;

use drawing::{DrawOptions, draw_board};

/// The board of a page, or the subboard at `path`: the picture and, on top of it, a grid of
/// labeled buttons.
#[must_use]
pub fn board(state: &AnyGameState, path: &str) -> Markup {
    interactive_board(state, path, true)
}

/// The same board where no move can be made: an ended game, or an earlier position.
#[must_use]
pub fn read_only_board(state: &AnyGameState, path: &str) -> Markup {
    interactive_board(state, path, false)
}

fn interactive_board(state: &AnyGameState, path: &str, playable: bool) -> Markup {
    let options = DrawOptions {
        path,
        playable,
        with_buttons: true,
    };
    draw_board(state, options).interactive_svg(state)
}

/// The boards around the one that is shown, as buttons. Empty unless the board is nested at
/// least three levels deep.
#[must_use]
pub fn breadcrumbs(state: &AnyGameState, path: &str) -> Markup {
    state
        .nested()
        .map_or(html! {}, |board| nested::breadcrumbs(board, path))
}

/// A miniature of the whole board that highlights the part that is shown. Empty for the same
/// boards as [`breadcrumbs`].
#[must_use]
pub fn minimap(state: &AnyGameState, path: &str) -> Markup {
    state
        .nested()
        .map_or(html! {}, |board| nested::minimap(board, path))
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test may panic")]
mod tests;
