//! Nested boards. Up to depth 3 every cell is shown; of deeper boards the three
//! outer levels, and below them the part that the next move goes to.

use super::{Canvas, Drawing, GlyphKind, Weight, mark_letter};
use crate::nested::path_text;
use crate::outcome::Side;
use crate::setup::Owner;

/// A nested board of one to three levels to be drawn.
pub(crate) struct NestedBoardDrawing {
    /// Levels of boards: 1, 2 or 3.
    pub(crate) levels: u32,
    /// The cells of the innermost level, in the order of paths.
    pub(crate) cells: Vec<CellContent>,
    /// The innermost boards.
    pub(crate) inner_boards: Vec<InnerBoard>,
    /// With three levels: who owns the nine outer boards.
    pub(crate) outer_owners: Vec<Owner>,
    /// The places of the line that decided the game.
    pub(crate) winning_line: Vec<usize>,
    /// Nothing in an owned board matters any more but its owner.
    pub(crate) closes_won_boards: bool,
    /// The path of the whole picture, where it is a part of a larger board.
    pub(crate) path: String,
}

/// What a cell of the picture shows.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum CellContent {
    Empty,
    Legal,
    Mark(Side),
    /// The last move.
    Last(Side),
    /// Summarised: owned by both, full without owner, or begun.
    Both,
    Full,
    Started,
}

/// An innermost board of the picture.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct InnerBoard {
    pub(crate) owner: Owner,
    /// The next move may go there.
    pub(crate) is_highlighted: bool,
}

const WIDTH: usize = 8;
const HEIGHT: usize = 4;

/// The names of places, beside every picture.
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
    pub(crate) fn render(&self) -> Drawing {
        let side = 3usize.pow(self.levels - 1);
        let (right, bottom) = (side * WIDTH, side * HEIGHT);
        let mut canvas = Canvas::new(right + 3 + KEY[0].len(), bottom + 1);
        // With three levels the inner boards are set apart by blanks alone.
        let step = if self.levels > 2 { 3 } else { 1 };
        for n in (0..=side).step_by(step) {
            canvas.line((n * WIDTH, 0), (n * WIDTH, bottom), Weight::Light);
            canvas.line((0, n * HEIGHT), (right, n * HEIGHT), Weight::Light);
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

    /// Is this outer board of three levels shown as one large mark?
    fn is_one_mark(&self, outer: usize) -> bool {
        let owned = matches!(self.outer_owners.get(outer), Some(Owner::One(_)));
        owned
            && self.closes_won_boards
            && !(outer * 9..outer * 9 + 9).any(|board| self.contains_last_move(board))
    }

    fn draw_board(&self, canvas: &mut Canvas, index: usize, inner: InnerBoard) {
        let letters = self.levels - 1;
        let (col, row) = column_row(index, letters);
        let (x, y) = (col * WIDTH, row * HEIGHT);
        if inner.is_highlighted {
            canvas.frame((x, y), (x + WIDTH, y + HEIGHT), Weight::Heavy);
        }
        if letters > 0 {
            let name = format!("{}{}", self.path, path_text(index, letters));
            canvas.write(x + 1, y, &name, GlyphKind::Label);
        }
        let (sign, ink) = owner_sign(inner.owner);
        if inner.owner != Owner::Nobody {
            canvas.write(x + WIDTH - 1, y, sign, ink);
        }
        // The board of the last move still shows how it was won.
        if let Owner::One(player) = inner.owner
            && self.closes_won_boards
            && !self.contains_last_move(index)
        {
            let big = match player {
                Side::X => ["╲   ╱", "  ╳  ", "╱   ╲"],
                Side::O => ["╭───╮", "│   │", "╰───╯"],
            };
            for (i, text) in big.iter().enumerate() {
                canvas.write(x + 2, y + 1 + i, text, GlyphKind::Mark(player));
            }
            return;
        }
        for place in 0..9 {
            let (cx, cy) = (x + 2 + place % 3 * 2, y + 1 + place / 3);
            let in_line = letters == 0 && self.winning_line.contains(&place);
            match self.cells.get(index * 9 + place) {
                None | Some(CellContent::Empty) => {}
                Some(CellContent::Legal) => canvas.write(cx, cy, "·", GlyphKind::Legal),
                Some(CellContent::Mark(player) | CellContent::Last(player)) if in_line => {
                    let text = format!("[{}]", mark_letter(*player));
                    canvas.write(cx - 1, cy, &text, GlyphKind::HighlightedMark(*player));
                }
                Some(CellContent::Mark(player)) => {
                    canvas.write(
                        cx,
                        cy,
                        &mark_letter(*player).to_string(),
                        GlyphKind::Mark(*player),
                    );
                }
                Some(CellContent::Last(player)) => {
                    let text = format!("({})", mark_letter(*player));
                    canvas.write(cx - 1, cy, &text, GlyphKind::HighlightedMark(*player));
                }
                Some(CellContent::Both) => canvas.write(cx, cy, "*", GlyphKind::Plain),
                Some(CellContent::Full) => canvas.write(cx, cy, "=", GlyphKind::Plain),
                Some(CellContent::Started) => canvas.write(cx, cy, ":", GlyphKind::Plain),
            }
        }
    }

    /// With three levels: the owners of the outer boards, summed up beside the
    /// picture, and a large mark over those that are closed.
    fn draw_outer(&self, canvas: &mut Canvas, x: usize, y: usize) {
        if self
            .outer_owners
            .iter()
            .all(|&owner| owner == Owner::Nobody)
        {
            return;
        }
        canvas.write(x, y, "owned", GlyphKind::Label);
        for (place, &owner) in self.outer_owners.iter().enumerate() {
            let (sign, ink) = owner_sign(owner);
            canvas.write(x + place % 3 * 2, y + 1 + place / 3, sign, ink);
            if let (Owner::One(player), true) = (owner, self.is_one_mark(place)) {
                let (left, top) = (place % 3 * 3 * WIDTH, place / 3 * 3 * HEIGHT);
                let name = format!("{}{}", self.path, path_text(place, 1));
                canvas.write(left + 1, top, &name, GlyphKind::Label);
                draw_giant(canvas, left, top, player);
            }
        }
    }

    /// The boards of the line that decided the game get the heavy frame that
    /// nothing else needs any more. (At depth 1 its cells stand in brackets.)
    fn draw_line(&self, canvas: &mut Canvas) {
        let size = match self.levels {
            2 => 1,
            3 => 3,
            _ => return,
        };
        for place in &self.winning_line {
            let (x, y) = (place % 3 * size * WIDTH, place / 3 * size * HEIGHT);
            canvas.frame((x, y), (x + size * WIDTH, y + size * HEIGHT), Weight::Heavy);
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

fn owner_sign(owner: Owner) -> (&'static str, GlyphKind) {
    match owner {
        Owner::Nobody => (".", GlyphKind::Label),
        Owner::One(player @ Side::X) => ("X", GlyphKind::Mark(player)),
        Owner::One(player @ Side::O) => ("O", GlyphKind::Mark(player)),
        Owner::Both => ("*", GlyphKind::Label),
    }
}

/// A mark over nine boards.
fn draw_giant(canvas: &mut Canvas, left: usize, top: usize, player: Side) {
    let (width, height) = (3 * WIDTH, 3 * HEIGHT);
    let ink = GlyphKind::Mark(player);
    match player {
        Side::X => {
            for row in 1..height {
                let col = row * 2;
                canvas.write(left + col, top + row, "╲", ink);
                canvas.write(left + width - col, top + row, "╱", ink);
            }
            canvas.write(left + width / 2, top + height / 2, "╳", ink);
        }
        Side::O => {
            let across = "─".repeat(width - 9);
            canvas.write(left + 4, top + 2, &format!("╭{across}╮"), ink);
            for row in 3..height - 2 {
                canvas.write(left + 4, top + row, "│", ink);
                canvas.write(left + width - 4, top + row, "│", ink);
            }
            canvas.write(left + 4, top + height - 2, &format!("╰{across}╯"), ink);
        }
    }
}
