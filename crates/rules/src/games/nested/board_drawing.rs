//! Drawings of nested boards. Up to depth 3 every cell is shown; of deeper boards, the three
//! outer levels and below them the part where the next move goes.

use super::path_text;
use crate::drawing::{
    Drawing, GlyphKind, LAST_MOVE_BRACKETS, LINE_BRACKETS, StrokeWeight, TextCanvas,
};
use crate::outcome::Side;
use crate::view::Owner;

/// A nested board of one to three levels to be drawn.
pub(super) struct NestedBoardDrawing {
    /// The number of levels: 1, 2 or 3.
    pub(super) levels: u32,
    /// The cells of the innermost level, in path order.
    pub(super) cells: Vec<CellContent>,
    /// The innermost boards.
    pub(super) inner_boards: Vec<InnerBoard>,
    /// With three levels: the owners of the nine outer boards.
    pub(super) outer_owners: Vec<Owner>,
    /// The outermost cells or boards of the winning line.
    pub(super) winning_line: Vec<usize>,
    /// Won boards don't accept moves, so only their owner is shown.
    pub(super) closes_won_boards: bool,
    /// The path of this board if it is part of a larger one.
    pub(super) path: String,
}

/// What a cell shows.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum CellContent {
    Empty,
    Legal,
    Mark(Side),
    /// The last move.
    Last(Side),
    /// In an overview, where a cell stands for a board: owned by both sides, full without an
    /// owner, or started.
    Both,
    Full,
    Started,
}

/// A board of the innermost level.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct InnerBoard {
    pub(super) owner: Owner,
    /// The next move can go there.
    pub(super) is_highlighted: bool,
}

const WIDTH: usize = 8;
const HEIGHT: usize = 4;

/// The letters of the nine places, shown next to every drawing.
const KEY: [&str; 3] = ["a b c", "d e f", "g h i"];

/// Column and row of a board or cell whose path has this many letters.
fn column_row(index: usize, letters: u32) -> (usize, usize) {
    let (mut col, mut row) = (0, 0);
    for letter in (0..letters).rev() {
        let place = index / 9usize.pow(letter) % 9;
        (col, row) = (col * 3 + place % 3, row * 3 + place / 3);
    }
    (col, row)
}

impl NestedBoardDrawing {
    pub(super) fn render(&self) -> Drawing {
        let side = 3usize.pow(self.levels - 1);
        let (right, bottom) = (side * WIDTH, side * HEIGHT);
        let mut canvas = TextCanvas::new(right + 3 + KEY[0].len(), bottom + 1);
        // With three levels only blanks separate the inner boards.
        let step = if self.levels > 2 { 3 } else { 1 };
        for n in (0..=side).step_by(step) {
            canvas.line((n * WIDTH, 0), (n * WIDTH, bottom), StrokeWeight::Light);
            canvas.line((0, n * HEIGHT), (right, n * HEIGHT), StrokeWeight::Light);
        }
        for (index, inner) in self.inner_boards.iter().enumerate() {
            if !self.is_one_mark(index / 9) {
                self.draw_board(&mut canvas, index, *inner);
            }
        }
        for (row, text) in KEY.iter().enumerate() {
            canvas.write(right + 3, 1 + row, text, GlyphKind::Label);
        }
        self.draw_outer(&mut canvas, right + 3, 5);
        self.draw_line(&mut canvas);
        canvas.finish()
    }

    /// With three levels: is this outer board drawn as one large mark?
    fn is_one_mark(&self, outer: usize) -> bool {
        let owned = matches!(self.outer_owners.get(outer), Some(Owner::One(_)));
        owned
            && self.closes_won_boards
            && !(outer * 9..outer * 9 + 9).any(|board| self.contains_last_move(board))
    }

    fn draw_board(&self, canvas: &mut TextCanvas, index: usize, inner: InnerBoard) {
        let letters = self.levels - 1;
        let (col, row) = column_row(index, letters);
        let (x, y) = (col * WIDTH, row * HEIGHT);
        if inner.is_highlighted {
            canvas.frame((x, y), (x + WIDTH, y + HEIGHT), StrokeWeight::Heavy);
        }
        if letters > 0 {
            let name = format!("{}{}", self.path, path_text(index, letters));
            canvas.write(x + 1, y, &name, GlyphKind::Label);
        }
        let (symbol, kind) = owner_symbol(inner.owner);
        if inner.owner != Owner::Nobody {
            canvas.write(x + WIDTH - 1, y, symbol, kind);
        }
        // The board of the last move shows its cells even if it is won.
        if let Owner::One(side) = inner.owner
            && self.closes_won_boards
            && !self.contains_last_move(index)
        {
            let big = match side {
                Side::X => ["╲   ╱", "  ╳  ", "╱   ╲"],
                Side::O => ["╭───╮", "│   │", "╰───╯"],
            };
            for (i, text) in big.iter().enumerate() {
                canvas.write(x + 2, y + 1 + i, text, GlyphKind::Mark(side));
            }
            return;
        }
        for place in 0..9 {
            let (cx, cy) = (x + 2 + place % 3 * 2, y + 1 + place / 3);
            let in_line = letters == 0 && self.winning_line.contains(&place);
            match self.cells.get(index * 9 + place) {
                None | Some(CellContent::Empty) => {}
                Some(CellContent::Legal) => canvas.write(cx, cy, "·", GlyphKind::Legal),
                Some(CellContent::Mark(side) | CellContent::Last(side)) if in_line => {
                    canvas.write_mark(cx, cy, *side, Some(LINE_BRACKETS));
                }
                Some(CellContent::Mark(side)) => canvas.write_mark(cx, cy, *side, None),
                Some(CellContent::Last(side)) => {
                    canvas.write_mark(cx, cy, *side, Some(LAST_MOVE_BRACKETS));
                }
                Some(CellContent::Both) => canvas.write(cx, cy, "*", GlyphKind::Plain),
                Some(CellContent::Full) => canvas.write(cx, cy, "=", GlyphKind::Plain),
                Some(CellContent::Started) => canvas.write(cx, cy, ":", GlyphKind::Plain),
            }
        }
    }

    /// With three levels: a summary of the outer boards' owners next to the drawing, and a large
    /// mark over the closed ones.
    fn draw_outer(&self, canvas: &mut TextCanvas, x: usize, y: usize) {
        if self
            .outer_owners
            .iter()
            .all(|&owner| owner == Owner::Nobody)
        {
            return;
        }
        canvas.write(x, y, "owned", GlyphKind::Label);
        for (place, &owner) in self.outer_owners.iter().enumerate() {
            let (symbol, kind) = owner_symbol(owner);
            canvas.write(x + place % 3 * 2, y + 1 + place / 3, symbol, kind);
            if let (Owner::One(side), true) = (owner, self.is_one_mark(place)) {
                let (left, top) = (place % 3 * 3 * WIDTH, place / 3 * 3 * HEIGHT);
                let name = format!("{}{}", self.path, path_text(place, 1));
                canvas.write(left + 1, top, &name, GlyphKind::Label);
                draw_large_mark(canvas, left, top, side);
            }
        }
    }

    /// Draws a heavy frame around the boards of the winning line. (At depth 1 its cells are in
    /// brackets instead.)
    fn draw_line(&self, canvas: &mut TextCanvas) {
        let size = match self.levels {
            2 => 1,
            3 => 3,
            _ => return,
        };
        for place in &self.winning_line {
            let (x, y) = (place % 3 * size * WIDTH, place / 3 * size * HEIGHT);
            canvas.frame(
                (x, y),
                (x + size * WIDTH, y + size * HEIGHT),
                StrokeWeight::Heavy,
            );
        }
    }

    /// Was the last move made in this board?
    fn contains_last_move(&self, index: usize) -> bool {
        (0..9).any(|place| {
            matches!(
                self.cells.get(index * 9 + place),
                Some(CellContent::Last(_))
            )
        })
    }
}

fn owner_symbol(owner: Owner) -> (&'static str, GlyphKind) {
    match owner {
        Owner::Nobody => (".", GlyphKind::Label),
        Owner::One(side @ Side::X) => ("X", GlyphKind::Mark(side)),
        Owner::One(side @ Side::O) => ("O", GlyphKind::Mark(side)),
        Owner::Both => ("*", GlyphKind::Label),
    }
}

/// Draws a mark over nine boards.
fn draw_large_mark(canvas: &mut TextCanvas, left: usize, top: usize, side: Side) {
    let (width, height) = (3 * WIDTH, 3 * HEIGHT);
    let kind = GlyphKind::Mark(side);
    match side {
        Side::X => {
            for row in 1..height {
                let col = row * 2;
                canvas.write(left + col, top + row, "╲", kind);
                canvas.write(left + width - col, top + row, "╱", kind);
            }
            canvas.write(left + width / 2, top + height / 2, "╳", kind);
        }
        Side::O => {
            let across = "─".repeat(width - 9);
            canvas.write(left + 4, top + 2, &format!("╭{across}╮"), kind);
            for row in 3..height - 2 {
                canvas.write(left + 4, top + row, "│", kind);
                canvas.write(left + width - 4, top + row, "│", kind);
            }
            canvas.write(left + 4, top + height - 2, &format!("╰{across}╯"), kind);
        }
    }
}
