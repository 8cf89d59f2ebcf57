//! A drawn board before it is put into a page, a list or a file: the picture, and
//! what lies over it.

use maud::{Markup, html};
use noughts_rules::{AnyGameState, BoardKind};

use super::buttons::{Button, button_grid};
use super::svg::{Rounded, WIDTH};
use super::{mnk, nested, tic_tac_two};

/// A drawn board.
pub(super) struct BoardDrawing {
    /// `flat`, `two` or `nested`, and `deep` where one can zoom.
    pub(super) class: &'static str,
    pub(super) height: f64,
    pub(super) picture: Markup,
    /// Tic-Tac-Two: places to which the grid may go.
    pub(super) grid_targets: Option<String>,
    /// What can be dragged, above the buttons.
    pub(super) drag_handles: Option<Markup>,
    /// Nested: the path of the board that is shown.
    pub(super) path: Option<String>,
    /// Nested: the board to look at in order to see the next move's place.
    pub(super) follow_path: Option<String>,
    pub(super) button_rows: Vec<Vec<Button>>,
    /// What it is, in words.
    pub(super) description: String,
}

/// What is to be drawn.
#[derive(Clone, Copy)]
pub(super) struct DrawOptions<'a> {
    /// The board inside the whole that is to be shown.
    pub(super) path: &'a str,
    /// Can somebody move? Not in a game that was resigned, nor in the past of one.
    pub(super) playable: bool,
    /// Are buttons wanted, or the picture alone?
    pub(super) with_buttons: bool,
}

pub(super) fn draw_board(play: &AnyGameState, wish: DrawOptions<'_>) -> BoardDrawing {
    match play.board_kind() {
        BoardKind::Mnk(play) => mnk::draw(play, wish),
        BoardKind::LargeMnk(play) => mnk::draw(play, wish),
        BoardKind::TicTacTwo(play) => tic_tac_two::draw(play, wish),
        BoardKind::Nested(play) => nested::draw(play, wish),
    }
}

impl BoardDrawing {
    pub(super) fn view_box(&self) -> String {
        format!("0 0 {} {}", Rounded(WIDTH), Rounded(self.height))
    }

    /// The board of a page.
    pub(super) fn interactive_svg(&self, play: &AnyGameState) -> Markup {
        let over = play.outcome().map(noughts_rules::Outcome::as_str);
        html! {
            svg id="board-svg" class={ "board " (self.class) } viewBox=(self.view_box())
                role="grid" aria-label=(self.description) data-variant=(play.variant())
                data-path=[self.path.as_ref()] data-follow=[self.follow_path.as_ref()]
                data-side=(play.side().letter()) data-over=[over] {
                g class="picture" aria-hidden="true" { (self.picture) }
                g class="tints" id="tints" aria-hidden="true" {}
                g class="preview" aria-hidden="true" {}
                @if let Some(places) = &self.grid_targets {
                    g class="grid-places" data-centres=(places) {}
                }
                (button_grid(&self.button_rows))
                @if let Some(grips) = &self.drag_handles {
                    g class="grips" aria-hidden="true" { (grips) }
                }
            }
        }
    }

    /// The picture alone, in colours of the page.
    pub(super) fn static_svg(&self, class: &str, side: noughts_rules::Side) -> Markup {
        html! {
            svg class={ "board still " (self.class) " " (class) } viewBox=(self.view_box())
                data-side=(side.letter()) aria-hidden="true" focusable="false" {
                g class="picture" { (self.picture) }
            }
        }
    }
}
