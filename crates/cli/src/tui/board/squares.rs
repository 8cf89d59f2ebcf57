//! Where the squares of a board lie on the screen, and which square lies at a place.

use ratatui::layout::{Position, Rect};

/// Columns and rows of squares, all of one size, evenly apart.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Squares {
    /// The top left place of the first square.
    pub(super) origin: (u16, u16),
    pub(super) columns: u16,
    pub(super) rows: u16,
    /// Width and height of a square.
    pub(super) size: (u16, u16),
    /// What lies between squares, across and down.
    pub(super) gap: (u16, u16),
}

impl Squares {
    /// From one square to the next.
    pub(super) fn pitch(&self) -> (u16, u16) {
        (self.size.0 + self.gap.0, self.size.1 + self.gap.1)
    }

    /// The square in this column and row.
    pub(super) fn square(&self, col: u16, row: u16) -> Rect {
        let (right, down) = self.pitch();
        Rect::new(
            self.origin.0.saturating_add(col.saturating_mul(right)),
            self.origin.1.saturating_add(row.saturating_mul(down)),
            self.size.0,
            self.size.1,
        )
    }

    /// All of them together.
    pub(super) fn bounds(&self) -> Rect {
        let (right, down) = self.pitch();
        Rect::new(
            self.origin.0,
            self.origin.1,
            (self.columns * right).saturating_sub(self.gap.0),
            (self.rows * down).saturating_sub(self.gap.1),
        )
    }

    /// The square at this place. Where there are no lines between squares, the gaps
    /// belong to the squares beside them.
    pub(super) fn square_at(&self, place: Position) -> Option<(u16, u16)> {
        let bare = self.gap.1 == 0;
        let along = |place: u16, origin: u16, size: u16, gap: u16, count: u16| {
            let before = if bare { gap / 2 } else { 0 };
            let offset = place.saturating_add(before).checked_sub(origin)?;
            let (n, rest) = (offset / (size + gap), offset % (size + gap));
            (n < count && (bare || rest < size)).then_some(n)
        };
        Some((
            along(
                place.x,
                self.origin.0,
                self.size.0,
                self.gap.0,
                self.columns,
            )?,
            along(place.y, self.origin.1, self.size.1, self.gap.1, self.rows)?,
        ))
    }
}

/// How wide a square is that is so many rows high: square to the eye.
pub(super) fn width_for(height: u16) -> u16 {
    match height {
        0 | 1 => 3,
        _ => 2 * height + 2,
    }
}

/// The name of a cell of a flat board.
pub(super) fn cell_name(col: u8, row: u8) -> String {
    format!("{}{}", char::from(b'a' + col.min(25)), u16::from(row) + 1)
}
