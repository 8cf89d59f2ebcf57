//! The buttons that lie over a picture: one for each cell, or for each board that
//! can be entered, in rows, each with its name and with what a move there would do.

use maud::{Markup, html};
use noughts_rules::Side;

use super::svg::{Rounded, Square, side_class};

/// A button over a cell or a board.
pub(super) struct Button {
    /// The path or name of what lies below.
    pub(super) target: String,
    pub(super) kind: ButtonKind,
    pub(super) square: Square,
    /// What a screen reader says.
    pub(super) label: String,
    /// The move that pressing it makes.
    pub(super) mv: Option<String>,
    /// Tic-Tac-Two: where the piece here can go, with spaces between.
    pub(super) destinations: Option<String>,
    /// Tic-Tac-Two: the move of the grid to be centred here.
    pub(super) grid_move: Option<String>,
    /// The mark or piece here.
    pub(super) piece: Option<Side>,
    /// Nested: where the opponent would have to play; empty for anywhere.
    pub(super) sends_to: Option<String>,
    /// The cells of lines that the move would complete, with spaces between.
    pub(super) completed_lines: Option<String>,
    /// The last move was made here.
    pub(super) is_last_move: bool,
}

/// What is below a button.
#[derive(Clone, PartialEq, Eq)]
pub(super) enum ButtonKind {
    /// A cell of a flat board.
    Cell,
    /// A cell of the nested board with this path.
    NestedCell(String),
    /// A whole board. Is it open to the next move?
    Board {
        /// May the next move go there?
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

    fn markup(&self, row: usize, col: usize, first: bool) -> Markup {
        let whole = matches!(self.kind, ButtonKind::Board { .. });
        let (prefix, class) = match whole {
            true => ("b-", "cell whole"),
            false => ("c-", "cell"),
        };
        let board = match &self.kind {
            ButtonKind::Cell => None,
            ButtonKind::NestedCell(board) => Some(board),
            ButtonKind::Board { .. } => Some(&self.target),
        };
        let legal = self.is_legal();
        html! {
            g role="gridcell" {
                rect class=(class) role="button" tabindex=(if first { "0" } else { "-1" })
                    id={ (prefix) (self.target) } data-cell=[(!whole).then_some(&self.target)]
                    data-move=[self.mv.as_ref()] data-legal=[legal.then_some("")] data-board=[board]
                    data-to=[self.destinations.as_ref()] data-grid=[self.grid_move.as_ref()]
                    data-piece=[self.piece.map(side_class)] data-sends=[self.sends_to.as_ref()]
                    data-lines=[self.completed_lines.as_ref()] data-row=(row) data-col=(col)
                    aria-label=(self.label)
                    aria-disabled=(if whole || legal { "false" } else { "true" })
                    x=(Rounded(self.square.x)) y=(Rounded(self.square.y))
                    width=(Rounded(self.square.size)) height=(Rounded(self.square.size)) rx=(Rounded(self.square.size * 0.1)) {}
            }
        }
    }
}

/// The rows of buttons. One of them is reached by Tab, arrows do the rest: the first
/// that can be played, else the last move's.
pub(super) fn button_grid(rows: &[Vec<Button>]) -> Markup {
    let all = || rows.iter().flatten();
    let first = all().position(Button::is_legal);
    let first = first.or_else(|| all().position(|button| button.is_last_move));
    let first = first.unwrap_or_default();
    let width = rows.first().map_or(0, Vec::len);
    html! {
        g class="cells" role="rowgroup" {
            @for (row, buttons) in rows.iter().enumerate() {
                g role="row" {
                    @for (col, button) in buttons.iter().enumerate() {
                        (button.markup(row, col, row * width + col == first))
                    }
                }
            }
        }
    }
}
