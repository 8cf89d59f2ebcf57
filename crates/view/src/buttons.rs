//! The buttons on top of a picture: one for each cell, or for each board that can be zoomed
//! into, in rows, each with an accessible name and the effects of a move there.

use maud::{Markup, html};
use noughts_rules::Side;

use super::svg::{Rounded, Square, side_class};

/// A button over a cell or a board.
pub(super) struct Button {
    /// The name of the cell, or the path of the board.
    pub(super) target: String,
    pub(super) kind: ButtonKind,
    pub(super) square: Square,
    /// The accessible name.
    pub(super) label: String,
    /// The move that pressing the button makes.
    pub(super) mv: Option<String>,
    /// Tic-Tac-Two: the cells that the piece here can move to, separated by spaces.
    pub(super) destinations: Option<String>,
    /// Tic-Tac-Two: the move that centers the grid here.
    pub(super) grid_move: Option<String>,
    /// The mark or piece here.
    pub(super) piece: Option<Side>,
    /// Nested: the board where the opponent would have to play; empty for anywhere.
    pub(super) sends_to: Option<String>,
    /// The cells of the lines that the move would complete, separated by spaces.
    pub(super) completed_lines: Option<String>,
    /// Was the last move made here?
    pub(super) is_last_move: bool,
}

/// What a button stands for.
#[derive(Clone, PartialEq, Eq)]
pub(super) enum ButtonKind {
    /// A cell of a flat board.
    Cell,
    /// A cell of the subboard with this path.
    NestedCell(String),
    /// A whole board.
    Board {
        /// Can the next move be made there?
        open: bool,
    },
}

impl Button {
    pub(super) fn new(target: String, kind: ButtonKind, square: Square, label: String) -> Button {
        Button {
            target,
            kind,
            square,
            label,
            mv: None,
            destinations: None,
            grid_move: None,
            piece: None,
            sends_to: None,
            completed_lines: None,
            is_last_move: false,
        }
    }

    fn is_legal(&self) -> bool {
        self.mv.is_some()
            || self.destinations.is_some()
            || self.kind == ButtonKind::Board { open: true }
    }

    fn render(&self, row: usize, col: usize, is_tab_stop: bool) -> Markup {
        let is_board = matches!(self.kind, ButtonKind::Board { .. });
        let (prefix, class) = match is_board {
            true => ("b-", "cell board-button"),
            false => ("c-", "cell"),
        };
        let board = match &self.kind {
            ButtonKind::Cell => None,
            ButtonKind::NestedCell(board) => Some(board),
            ButtonKind::Board { .. } => Some(&self.target),
        };
        let legal = self.is_legal();
        html! {
            // What never changes is in an element of its own, which updates of the page don't repeat.
            g role="gridcell" id={ (prefix) (self.target) } data-row=(row) data-col=(col) {
                rect class=(class) role="button" tabindex=(if is_tab_stop { "0" } else { "-1" })
                    data-cell=[(!is_board).then_some(&self.target)]
                    data-legal=[legal.then_some("")] data-board=[board]
                    data-to=[self.destinations.as_ref()] data-grid=[self.grid_move.as_ref()]
                    data-piece=[self.piece.map(side_class)] data-next-board=[self.sends_to.as_ref()]
                    data-lines=[self.completed_lines.as_ref()]
                    aria-label=(self.label)
                    aria-disabled=(if is_board || legal { "false" } else { "true" })
                    x=(Rounded(self.square.x)) y=(Rounded(self.square.y))
                    width=(Rounded(self.square.size)) height=(Rounded(self.square.size)) rx=(Rounded(self.square.size * 0.1)) {}
            }
        }
    }
}

/// The rows of buttons. Only one is a tab stop (a roving tabindex, moved by the arrow keys):
/// the first legal one, or else the last move's.
pub(super) fn button_grid(rows: &[Vec<Button>]) -> Markup {
    let all_buttons = || rows.iter().flatten();
    let tab_stop = all_buttons().position(Button::is_legal);
    let tab_stop = tab_stop.or_else(|| all_buttons().position(|button| button.is_last_move));
    let tab_stop = tab_stop.unwrap_or_default();
    let columns = rows.first().map_or(0, Vec::len);
    html! {
        g class="cells" role="rowgroup" {
            @for (row, buttons) in rows.iter().enumerate() {
                g role="row" {
                    @for (col, button) in buttons.iter().enumerate() {
                        (button.render(row, col, row * columns + col == tab_stop))
                    }
                }
            }
        }
    }
}
