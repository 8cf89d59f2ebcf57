//! Drawings of flat boards, with or without a movable grid.

use super::{Drawing, GlyphKind, LAST_MOVE_BRACKETS, LINE_BRACKETS, StrokeWeight, TextCanvas};
use crate::outcome::Side;

/// A flat board to be drawn.
pub(crate) struct FlatBoardDrawing<'a> {
    pub(crate) columns: usize,
    pub(crate) cells: &'a [Option<Side>],
    /// The cells where a mark can be placed now.
    pub(crate) legal: &'a [bool],
    /// The cell of the last move, which is highlighted.
    pub(crate) last: Option<usize>,
    /// The cells of the winning line, which are highlighted.
    pub(crate) line: &'a [usize],
    /// The grid: its first and last (column, row).
    pub(crate) grid: Option<[(usize, usize); 2]>,
}

const WIDTH: usize = 4;
const HEIGHT: usize = 2;

impl FlatBoardDrawing<'_> {
    pub(crate) fn render(&self) -> Drawing {
        let columns = self.columns.max(1);
        let rows = self.cells.len() / columns;
        let margin = rows.to_string().len() + 1;
        let place = |col: usize, row: usize| (margin + col * WIDTH, 1 + row * HEIGHT);
        let (right, bottom) = place(columns, rows);
        let mut canvas = TextCanvas::new(right + 1, bottom + 1);
        for col in 0..=columns {
            canvas.line(place(col, 0), place(col, rows), StrokeWeight::Light);
        }
        for row in 0..=rows {
            canvas.line(place(0, row), place(columns, row), StrokeWeight::Light);
        }
        if let Some([first, last]) = self.grid {
            let (from, to) = (place(first.0, first.1), place(last.0 + 1, last.1 + 1));
            canvas.frame(from, to, StrokeWeight::Heavy);
        }
        for col in 0..columns {
            let letter = char::from(b'a' + col as u8).to_string();
            canvas.write(margin + col * WIDTH + 2, 0, &letter, GlyphKind::Label);
        }
        for row in 0..rows {
            let number = format!("{:>1$}", row + 1, margin - 1);
            canvas.write(0, 2 + row * HEIGHT, &number, GlyphKind::Label);
        }
        for (i, cell) in self.cells.iter().enumerate() {
            let (x, y) = place(i % columns, i / columns);
            let (x, y) = (x + 2, y + 1);
            match cell {
                Some(side) => {
                    let brackets = match (self.line.contains(&i), self.last == Some(i)) {
                        (true, _) => Some(LINE_BRACKETS),
                        (false, true) => Some(LAST_MOVE_BRACKETS),
                        (false, false) => None,
                    };
                    canvas.write_mark(x, y, *side, brackets);
                }
                None if self.legal.get(i) == Some(&true) => {
                    canvas.write(x, y, "·", GlyphKind::Legal);
                }
                None => {}
            }
        }
        canvas.finish()
    }
}
