//! Maps between the squares of a board and screen positions.

use noughts_rules::column_name;
use ratatui::layout::{Position, Rect};

use super::canvas::BoardCanvas;
use super::lines::{GridLines, LineWeight};

/// Evenly spaced columns and rows of squares of the same size.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct SquareGrid {
    /// The top left position of the first square.
    pub(super) origin: (u16, u16),
    pub(super) columns: u16,
    pub(super) rows: u16,
    /// Width and height of a square.
    pub(super) size: (u16, u16),
    /// The space between squares, horizontally and vertically.
    pub(super) gap: (u16, u16),
}

/// A size and a gap, and the room that must be left to the right and below.
pub(super) type Fitting = ((u16, u16), (u16, u16), (u16, u16));

impl SquareGrid {
    /// As large as fits into the area, centered: the first of the candidates that leaves this room
    /// to the left and above, otherwise the last one.
    pub(super) fn fit(
        (columns, rows): (u8, u8),
        candidates: impl Iterator<Item = Fitting>,
        before: (u16, u16),
        area: Rect,
    ) -> SquareGrid {
        let mut squares = SquareGrid {
            origin: (0, 0),
            columns: columns.into(),
            rows: rows.into(),
            size: (1, 1),
            gap: (1, 0),
        };
        for (size, gap, after) in candidates {
            (squares.size, squares.gap) = (size, gap);
            let bounds = squares.bounds();
            let width = before.0 + bounds.width + after.0;
            let height = before.1 + bounds.height + after.1;
            squares.origin = (
                area.x + area.width.saturating_sub(width) / 2 + before.0,
                area.y + area.height.saturating_sub(height) / 2 + before.1,
            );
            if width <= area.width && height <= area.height {
                break;
            }
        }
        squares
    }

    /// Is there room for lines between the rows?
    pub(super) fn has_lines(&self) -> bool {
        self.gap.1 > 0
    }

    /// Letters above the columns, this far away from the squares.
    pub(super) fn draw_column_labels(&self, distance: u16, canvas: &mut BoardCanvas<'_>) {
        for col in 0..self.columns {
            let square = self.square(col, 0);
            let x = square.x + (square.width - 1) / 2;
            let y = square.y.saturating_sub(distance);
            canvas.write(x, y, &column_name(col as u8), canvas.theme.dim());
        }
    }

    /// Numbers before the rows, with this much space before the squares.
    pub(super) fn draw_row_labels(&self, distance: u16, canvas: &mut BoardCanvas<'_>) {
        let width = if self.rows > 9 { 2 } else { 1 };
        for row in 0..self.rows {
            let square = self.square(0, row);
            let number = format!("{:>width$}", row + 1);
            let x = square.x.saturating_sub(width as u16 + distance);
            let y = square.y + (square.height - 1) / 2;
            canvas.write(x, y, &number, canvas.theme.dim());
        }
    }

    /// Light lines between the squares.
    pub(super) fn draw_lines(&self, canvas: &mut BoardCanvas<'_>) {
        let (bounds, style) = (self.bounds(), canvas.theme.hairline());
        if bounds.is_empty() {
            return;
        }
        let mut lines = GridLines::new(canvas.area());
        let (right, bottom) = (bounds.right() - 1, bounds.bottom() - 1);
        for col in 1..self.columns {
            let x = self.square(col, 0).x.saturating_sub(1);
            lines.add((x, bounds.y), (x, bottom), LineWeight::Light, style);
        }
        for row in 1..self.rows {
            let y = self.square(0, row).y.saturating_sub(1);
            lines.add((bounds.x, y), (right, y), LineWeight::Light, style);
        }
        lines.draw(canvas);
    }

    /// Hairlines in the gaps next to the squares, within an area.
    pub(super) fn draw_hairlines(&self, area: Rect, canvas: &mut BoardCanvas<'_>) {
        let style = canvas.theme.hairline();
        let [across, down, cross] = canvas.theme.symbols().hairline;
        let in_gap = |position: u16, origin: u16, size: u16, gap: u16| {
            gap > 0 && (position + size + gap - origin) % (size + gap) == size
        };
        for Position { x, y } in area.positions() {
            let between_columns = in_gap(x, self.origin.0, self.size.0, self.gap.0);
            let between_rows = in_gap(y, self.origin.1, self.size.1, self.gap.1);
            let symbol = match (between_columns && self.size.0 > 1, between_rows) {
                (true, true) => cross,
                (true, false) => down,
                (false, true) => across,
                (false, false) => continue,
            };
            canvas.put(x, y, symbol, style);
        }
    }

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
        let without_lines = !self.has_lines();
        let index_along = |position: u16, origin: u16, size: u16, gap: u16, count: u16| {
            let margin = if without_lines { gap / 2 } else { 0 };
            let offset = position.saturating_add(margin).checked_sub(origin)?;
            let (n, rest) = (offset / (size + gap), offset % (size + gap));
            (n < count && (without_lines || rest < size)).then_some(n)
        };
        let (origin, size, gap) = (self.origin, self.size, self.gap);
        Some((
            index_along(position.x, origin.0, size.0, gap.0, self.columns)?,
            index_along(position.y, origin.1, size.1, gap.1, self.rows)?,
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
