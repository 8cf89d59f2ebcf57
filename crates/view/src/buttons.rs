//! The buttons on top of a picture: one for each cell, or for each board that can be zoomed into, in rows, each with
//! an accessible name. What moves they are part of, scripts know from the list of moves.

use maud::{Markup, html};
use noughts_rules::{BoardView, Place};

use super::layout::Layout;
use super::moves::{LastMove, LegalTaps};
use super::names::{CellAction, board_name, cell_name};
use super::navigation::path_of;
use super::pieces::kind_of;
use super::svg::{Rounded, Square};

/// A button over a cell or a board.
struct Button {
    name: String,
    /// The path of the place.
    path: String,
    column: u32,
    square: Square,
    /// The accessible name.
    label: String,
    is_legal: bool,
    kind: Kind,
    /// Did the last move go here?
    is_last_move: bool,
}

enum Kind {
    Cell {
        /// The cell that a touch here stands for, if it is another one.
        aim: Option<String>,
        /// The number of the kind of piece on top.
        top: Option<usize>,
    },
    /// A board that can be zoomed into.
    Board,
}

/// The rows of buttons. Only one is a tab stop (a roving tabindex, moved by the arrow keys): the first legal one, or
/// else the last move's.
pub(super) fn button_grid(
    view: &dyn BoardView,
    layout: &Layout,
    legal: &LegalTaps,
    last: &LastMove,
    playable: bool,
) -> Markup {
    let button = |(column, place): (u32, Place)| {
        let square = layout.square(place)?;
        Some(match layout.shows_cells() {
            true => cell_button(view, layout, legal, last, (column, place), square),
            false => {
                let is_legal = playable && view.accepts_move(place);
                Button {
                    name: view.place_name(place),
                    path: path_of(&layout.shape, place),
                    column,
                    square,
                    label: board_name(view, &layout.shape, place, is_legal),
                    is_legal,
                    kind: Kind::Board,
                    is_last_move: false,
                }
            }
        })
    };
    let rows = layout.button_rows().into_iter();
    let rows: Vec<Vec<Button>> = rows
        .map(|row| row.into_iter().filter_map(button).collect())
        .collect();
    let find = |wanted: fn(&Button) -> bool| rows.iter().flatten().find(|button| wanted(button));
    let tab_stop = find(|button| button.is_legal)
        .or_else(|| find(|button| button.is_last_move))
        .or_else(|| find(|_| true));
    html! {
        g class="cells" role="rowgroup" {
            @for (row, buttons) in rows.iter().enumerate() {
                g role="row" {
                    @for button in buttons {
                        (button.render(row, tab_stop.is_some_and(|stop| std::ptr::eq(stop, button))))
                    }
                }
            }
        }
    }
}

fn cell_button(
    view: &dyn BoardView,
    layout: &Layout,
    legal: &LegalTaps,
    last: &LastMove,
    (column, cell): (u32, Place),
    square: Square,
) -> Button {
    let pieces = view.cell(cell).pieces;
    let aim = view.aim(cell);
    let is_legal = legal.can_start(aim);
    let action = match (is_legal, legal.landing(aim)) {
        (false, _) => CellAction::None,
        (true, Some(landing)) if landing != cell => CellAction::LandsOn(landing),
        (true, None) if !pieces.is_empty() => CellAction::CanMove,
        (true, _) => CellAction::Legal,
    };
    Button {
        name: view.place_name(cell),
        path: path_of(&layout.shape, cell),
        column,
        square,
        label: cell_name(view, layout, cell, &pieces, action),
        is_legal,
        kind: Kind::Cell {
            aim: (aim != cell).then(|| view.place_name(aim)),
            top: pieces
                .first()
                .and_then(|piece| kind_of(&view.pieces(), piece)),
        },
        is_last_move: last.to == Some(cell),
    }
}

impl Button {
    fn render(&self, row: usize, is_tab_stop: bool) -> Markup {
        let name = &self.name;
        let (prefix, class, is_board) = match self.kind {
            Kind::Board => ("b-", "cell board-button", true),
            Kind::Cell { .. } => ("c-", "cell", false),
        };
        let (aim, top) = match &self.kind {
            Kind::Board => (None, None),
            Kind::Cell { aim, top } => (aim.as_ref(), *top),
        };
        html! {
            // What never changes is in an element of its own, which updates of the page don't repeat.
            g role="gridcell" id={ (prefix) (name) } data-place=(self.path) data-row=(row) data-col=(self.column) {
                rect class=(class) role="button" tabindex=(if is_tab_stop { "0" } else { "-1" })
                    data-cell=[(!is_board).then_some(name)] data-legal=[self.is_legal.then_some("")]
                    data-aim=[aim] data-piece=[top]
                    aria-label=(self.label)
                    aria-disabled=(if is_board || self.is_legal { "false" } else { "true" })
                    x=(Rounded(self.square.x)) y=(Rounded(self.square.y))
                    width=(Rounded(self.square.size)) height=(Rounded(self.square.size))
                    rx=(Rounded(self.square.size * 0.1)) {}
            }
        }
    }
}
