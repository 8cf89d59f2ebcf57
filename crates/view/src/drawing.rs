//! A drawn board before it is put into a page, a list or a document: the picture and the
//! buttons on top of it.

use maud::{Markup, html};
use noughts_rules::{AnyGameState, BoardKind};

use super::buttons::{Button, button_grid};
use super::svg::{Rounded, WIDTH};
use super::{mnk, nested, tic_tac_two};

pub(super) struct BoardDrawing {
    /// `flat`, `tic-tac-two` or `nested`; also `deep` if the board can be zoomed.
    pub(super) class: &'static str,
    pub(super) height: f64,
    pub(super) picture: Markup,
    /// Handles for dragging, above the buttons.
    pub(super) drag_handles: Option<Markup>,
    /// Nested: the path of the board that is shown.
    pub(super) path: Option<String>,
    /// Nested: the path of the board to show for the next move.
    pub(super) follow_path: Option<String>,
    pub(super) button_rows: Vec<Vec<Button>>,
    /// A description for screen readers.
    pub(super) description: String,
}

/// What to draw.
#[derive(Clone, Copy)]
pub(super) struct DrawOptions<'a> {
    /// Nested: the path of the subboard to show; empty for the whole board.
    pub(super) path: &'a str,
    /// Can a move be made? Not in an ended game or an earlier position.
    pub(super) playable: bool,
    /// With buttons, or only the picture?
    pub(super) with_buttons: bool,
}

impl DrawOptions<'_> {
    /// Only the picture of the whole board.
    pub(super) const PICTURE: DrawOptions<'static> = DrawOptions {
        path: "",
        playable: false,
        with_buttons: false,
    };
}

pub(super) fn draw_board(state: &AnyGameState, options: DrawOptions<'_>) -> BoardDrawing {
    match state.board_kind() {
        BoardKind::Mnk(state) => mnk::draw(state, options),
        BoardKind::LargeMnk(state) => mnk::draw(state, options),
        BoardKind::TicTacTwo(state) => tic_tac_two::draw(state, options),
        BoardKind::Nested(state) => nested::draw(state, options),
        BoardKind::Other(_) => mnk::draw(
            &noughts_rules::GameState::new(noughts_rules::Mnk::classic()),
            options,
        ),
    }
}

impl BoardDrawing {
    pub(super) fn view_box(&self) -> String {
        format!("0 0 {} {}", Rounded(WIDTH), Rounded(self.height))
    }

    /// The board with its buttons, for a page.
    pub(super) fn interactive_svg(&self, state: &AnyGameState) -> Markup {
        let outcome = state.outcome().map(noughts_rules::Outcome::as_str);
        html! {
            svg id="board-svg" class={ "board " (self.class) } viewBox=(self.view_box())
                role="grid" aria-label=(self.description) data-variant=(state.variant())
                data-path=[self.path.as_ref()] data-follow=[self.follow_path.as_ref()]
                data-side=(state.side().letter()) data-over=[outcome] {
                g class="picture" aria-hidden="true" { (self.picture) }
                g class="tints" id="tints" aria-hidden="true" {}
                g class="preview" aria-hidden="true" {}
                (button_grid(&self.button_rows))
                @if let Some(handles) = &self.drag_handles {
                    g class="drag-targets" aria-hidden="true" { (handles) }
                }
            }
        }
    }

    /// Only the picture, in the page's colors.
    pub(super) fn static_svg(&self, class: &str, side: noughts_rules::Side) -> Markup {
        html! {
            svg class={ "board static " (self.class) " " (class) } viewBox=(self.view_box())
                data-side=(side.letter()) aria-hidden="true" focusable="false" {
                g class="picture" { (self.picture) }
            }
        }
    }
}
