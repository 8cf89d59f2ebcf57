//! Boards, the parts of a page that belong to them, and analysis results as SVG and HTML: plain functions of a position, for
//! every front end that shows pictures. Nothing here decides what is legal. Only SVG documents
//! contain colors: elsewhere classes name what an element is, and the page's style sheet
//! decides how it looks.

mod buttons;
mod drawing;
pub mod icons;
mod labels;
mod layout;
mod move_list;
mod moves;
mod names;
mod navigation;
mod picture;
mod pieces;
mod plot;
mod replay;
mod reserve;
mod svg;
mod svg_document;
mod thumbnail;
mod value_overlay;

use maud::Markup;
use noughts_rules::AnyGameState;

pub use move_list::move_list;
pub use navigation::{board_at, breadcrumbs, minimap, path_of};
pub use pieces::piece;
pub use plot::{PlotPoint, plot, value_bar};
pub use replay::{ReplayBoard, last_move_place, replay_board, target_board};
pub use reserve::{both_reserves, reserve};
pub use svg_document::{light_svg_document, svg_document, svg_document_with_prompt};
pub use thumbnail::thumbnail;
pub use value_overlay::value_overlay;

/// The board of a page, or the board inside it at a [path](path_of): the picture and, on top of it, a grid of labeled buttons.
#[must_use]
pub fn board(state: &AnyGameState, path: &str) -> Markup {
    drawing::interactive_board(state, path, true)
}

/// The same board where no move can be made: an ended game, or an earlier position.
#[must_use]
pub fn read_only_board(state: &AnyGameState, path: &str) -> Markup {
    drawing::interactive_board(state, path, false)
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test may panic")]
mod tests;
