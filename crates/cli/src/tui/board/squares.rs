//! Maps between the squares of a board and screen positions.

use ratatui::layout::{Position, Rect};

/// Evenly spaced columns and rows of squares of the same size.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Squares {
    /// The top left position of the first square.
    pub(super) origin: (u16, u16),
    pub(super) columns: u16,
    pub(super) rows: u16,
    /// Width and height of a square.
    pub(super) size: (u16, u16),
    /// The space between squares, horizontally and vertically.
    pub(super) gap: (u16, u16),
}

impl Squares {
    /// The distance from one square to the next.
    pub(super) fn pitch(&self) -> (u16, u16) {
        (self.size.0 + self.gap.0, self.size.1 + self.gap.1)
    }

    pub(super) fn square(&self, col: u16, row: u16) -> Rect {
        let (right, down) = self.pitch();
        Rect::new(
            self.origin.0.saturating_add(col.saturating_mul(right)),
            self.origin.1.saturating_add(row.saturating_mul(down)),
            self.size.0,
            self.size.1,
        )
    }

    /// The rectangle around all squares.
    pub(super) fn bounds(&self) -> Rect {
        let (right, down) = self.pitch();
        Rect::new(
            self.origin.0,
            self.origin.1,
            (self.columns * right).saturating_sub(self.gap.0),
            (self.rows * down).saturating_sub(self.gap.1),
        )
    }

    /// The square at this position. If there are no lines between the squares, the gaps belong to
    /// the nearest square.
    pub(super) fn square_at(&self, position: Position) -> Option<(u16, u16)> {
        let without_lines = self.gap.1 == 0;
        let index_along = |position: u16, origin: u16, size: u16, gap: u16, count: u16| {
            let margin = if without_lines { gap / 2 } else { 0 };
            let offset = position.saturating_add(margin).checked_sub(origin)?;
            let (n, rest) = (offset / (size + gap), offset % (size + gap));
            (n < count && (without_lines || rest < size)).then_some(n)
        };
        Some((
            index_along(
                position.x,
                self.origin.0,
                self.size.0,
                self.gap.0,
                self.columns,
            )?,
            index_along(
                position.y,
                self.origin.1,
                self.size.1,
                self.gap.1,
                self.rows,
            )?,
        ))
    }
}

/// The width that makes a square of this height look square.
pub(super) fn width_for(height: u16) -> u16 {
    match height {
        0 | 1 => 3,
        _ => 2 * height + 2,
    }
}

pub(super) fn cell_name(col: u8, row: u8) -> String {
    format!("{}{}", char::from(b'a' + col.min(25)), u16::from(row) + 1)
}
