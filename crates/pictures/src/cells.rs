//! The buttons that lie over a picture: one for each cell, or for each board that
//! can be entered, in rows, each with its name and with what a move there would do.

use maud::{Markup, html};
use noughts_rules::Player;

use super::pen::{N, Square, hue};

/// A button over a cell or a board.
pub(super) struct Button {
    /// The path or name of what lies below.
    pub(super) cell: String,
    pub(super) kind: Kind,
    pub(super) at: Square,
    /// What a screen reader says.
    pub(super) name: String,
    /// The move that pressing it makes.
    pub(super) mv: Option<String>,
    /// Tic-Tac-Two: where the piece here can go, with spaces between.
    pub(super) to: Option<String>,
    /// Tic-Tac-Two: the move of the grid to be centred here.
    pub(super) grid: Option<String>,
    /// The mark or piece here.
    pub(super) piece: Option<Player>,
    /// Nested: where the opponent would have to play; empty for anywhere.
    pub(super) sends: Option<String>,
    /// The cells of lines that the move would complete, with spaces between.
    pub(super) lines: Option<String>,
    /// The last move was made here.
    pub(super) last: bool,
}

/// What is below a button.
#[derive(Clone, PartialEq, Eq)]
pub(super) enum Kind {
    /// A cell of a flat board.
    Flat,
    /// A cell of the nested board with this path.
    Inner(String),
    /// A whole board. Is it open to the next move?
    Board {
        /// May the next move go there?
        open: bool,
    },
}

impl Button {
    pub(super) fn new(cell: String, kind: Kind, at: Square, name: String) -> Button {
        Button {
            cell,
            kind,
            at,
            name,
            mv: None,
            to: None,
            grid: None,
            piece: None,
            sends: None,
            lines: None,
            last: false,
        }
    }

    fn legal(&self) -> bool {
        self.mv.is_some() || self.to.is_some() || self.kind == Kind::Board { open: true }
    }

    fn markup(&self, row: usize, col: usize, first: bool) -> Markup {
        let whole = matches!(self.kind, Kind::Board { .. });
        let (prefix, class) = match whole {
            true => ("b-", "cell whole"),
            false => ("c-", "cell"),
        };
        let board = match &self.kind {
            Kind::Flat => None,
            Kind::Inner(board) => Some(board),
            Kind::Board { .. } => Some(&self.cell),
        };
        let legal = self.legal();
        html! {
            g role="gridcell" {
                rect class=(class) role="button" tabindex=(if first { "0" } else { "-1" })
                    id={ (prefix) (self.cell) } data-cell=[(!whole).then_some(&self.cell)]
                    data-move=[self.mv.as_ref()] data-legal=[legal.then_some("")] data-board=[board]
                    data-to=[self.to.as_ref()] data-grid=[self.grid.as_ref()]
                    data-piece=[self.piece.map(hue)] data-sends=[self.sends.as_ref()]
                    data-lines=[self.lines.as_ref()] data-row=(row) data-col=(col)
                    aria-label=(self.name)
                    aria-disabled=(if whole || legal { "false" } else { "true" })
                    x=(N(self.at.x)) y=(N(self.at.y))
                    width=(N(self.at.size)) height=(N(self.at.size)) rx=(N(self.at.size * 0.1)) {}
            }
        }
    }
}

/// The rows of buttons. One of them is reached by Tab, arrows do the rest: the first
/// that can be played, else the last move's.
pub(super) fn buttons(rows: &[Vec<Button>]) -> Markup {
    let all = || rows.iter().flatten();
    let first = all().position(Button::legal);
    let first = first.or_else(|| all().position(|button| button.last));
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
