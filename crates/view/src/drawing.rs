//! A drawn board before it is put into a page, a list or a document: the picture and the buttons on top of it.

use maud::{Markup, html};
use noughts_rules::{AnyGameState, BoardShape, CellView, Place, Side};

use super::buttons::button_grid;
use super::layout::{Arrangement, Layout};
use super::moves::{LastMove, LegalTaps};
use super::navigation::{board_at, followed_board, is_zoomable, path_of};
use super::picture::{Picture, draw, frame_handle};
use super::pieces::piece_kinds;
use super::svg::{Rounded, WIDTH};
use super::{names, picture};

pub(super) struct BoardDrawing {
    /// `flat`, `tiles`, `boards` or `nested`; also `deep` if the board can be zoomed.
    class: &'static str,
    pub(super) height: f64,
    pub(super) picture: Markup,
    /// A description for screen readers.
    pub(super) description: String,
}

fn class(layout: &Layout) -> &'static str {
    let shape = &layout.shape;
    match (layout.arrangement, Arrangement::of(shape)) {
        _ if is_zoomable(shape) => "nested deep",
        (Arrangement::Tiles, _) => "tiles",
        (_, Arrangement::Cells | Arrangement::Tiles) => "flat",
        (_, Arrangement::SideBySide) => "boards",
        (_, Arrangement::Nested) => "nested",
    }
}

impl BoardDrawing {
    /// Only the picture of the whole board.
    pub(super) fn of(state: &AnyGameState) -> BoardDrawing {
        let view = state.view();
        BoardDrawing::with_contents(state, &|place| view.cell(place))
    }

    /// The same with other contents than the board's.
    pub(super) fn with_contents(
        state: &AnyGameState,
        contents: &dyn Fn(Place) -> CellView,
    ) -> BoardDrawing {
        let view = state.view();
        let layout = Layout::new(&view.shape(), Place::BOARD, view.frame().is_some());
        let picture = draw(&Picture {
            view,
            layout: &layout,
            contents,
            last: &LastMove::of(state),
            legal: &LegalTaps::default(),
        });
        BoardDrawing {
            class: class(&layout),
            height: layout.height,
            picture,
            description: names::description(state, &layout),
        }
    }

    pub(super) fn view_box(&self) -> String {
        view_box(self.height)
    }

    /// The picture in the page's colors.
    pub(super) fn static_svg(&self, class: &str, side: Side) -> Markup {
        html! {
            svg class={ "board static " (self.class) " " (class) } viewBox=(self.view_box())
                data-side=(side.letter()) aria-hidden="true" focusable="false" {
                g class="picture" { (self.picture) }
            }
        }
    }
}

/// Columns and rows of each level: `3x3 3x3`.
fn levels(shape: &BoardShape) -> String {
    let sizes = (0..shape.depth()).filter_map(|level| shape.size_at(level));
    let sizes = sizes.map(|(columns, rows)| format!("{columns}x{rows}"));
    sizes.collect::<Vec<_>>().join(" ")
}

fn view_box(height: f64) -> String {
    format!("0 0 {} {}", Rounded(WIDTH), Rounded(height))
}

/// The board at `path` with its buttons, for a page.
pub(super) fn interactive_board(state: &AnyGameState, path: &str, playable: bool) -> Markup {
    let view = state.view();
    let shape = view.shape();
    let playable = playable && !view.is_over();
    let layout = Layout::new(&shape, board_at(&shape, path), view.frame().is_some());
    let last = LastMove::of(state);
    let legal = match playable {
        true => LegalTaps::of(view, &layout),
        false => LegalTaps::default(),
    };
    let picture = picture::draw(&Picture {
        view,
        layout: &layout,
        contents: &|place| view.cell(place),
        last: &last,
        legal: &legal,
    });
    let path = |board: Place| is_zoomable(&shape).then(|| path_of(&shape, board));
    let outcome = state.outcome().map(noughts_rules::Outcome::as_str);
    let handle = view.frame().filter(|_| legal.can_move_frame);
    let handle = handle.and_then(|frame| frame_handle(&layout, &frame));
    html! {
        svg id="board-svg" class={ "board " (class(&layout)) } viewBox=(view_box(layout.height))
            role="grid" aria-label=(names::description(state, &layout)) data-variant=(state.variant())
            data-levels=(levels(&shape)) data-path=[path(layout.shown)] data-follow=[path(followed_board(view))]
            data-side=(state.side().letter()) data-over=[outcome] {
            @if playable { (piece_kinds(view)) }
            g class="picture" aria-hidden="true" { (picture) }
            g class="tints" id="tints" aria-hidden="true" {}
            g class="preview" aria-hidden="true" {}
            (button_grid(view, &layout, &legal, &last, playable))
            @if let Some((x, y)) = handle {
                g class="drag-targets" aria-hidden="true" {
                    circle class="drag-target" data-target="@" cx=(Rounded(x)) cy=(Rounded(y)) r="20" {}
                }
            }
        }
    }
}
