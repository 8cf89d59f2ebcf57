//! The part of the screen that a board draws on.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;

use crate::tui::theme::Theme;

/// A part of a buffer, drawn in a theme. Drawing outside of it has no effect.
pub(super) struct BoardCanvas<'a> {
    buf: &'a mut Buffer,
    area: Rect,
    pub(super) theme: &'a Theme,
}

impl<'a> BoardCanvas<'a> {
    pub(super) fn new(buf: &'a mut Buffer, area: Rect, theme: &'a Theme) -> BoardCanvas<'a> {
        let area = area.intersection(buf.area);
        BoardCanvas { buf, area, theme }
    }

    pub(super) fn area(&self) -> Rect {
        self.area
    }

    pub(super) fn put(&mut self, x: u16, y: u16, symbol: char, style: Style) {
        if self.area.contains((x, y).into())
            && let Some(cell) = self.buf.cell_mut((x, y))
        {
            cell.set_char(symbol).set_style(style);
        }
    }

    /// Writes narrow characters from this position to the right.
    pub(super) fn write(&mut self, x: u16, y: u16, text: &str, style: Style) {
        for (i, symbol) in (0..).zip(text.chars()) {
            self.put(x.saturating_add(i), y, symbol, style);
        }
    }

    /// Removes the text in a rectangle and keeps the background.
    pub(super) fn clear(&mut self, rect: Rect) {
        for position in rect.intersection(self.area).positions() {
            self.put(position.x, position.y, ' ', Style::new());
        }
    }

    /// Patches the style of a rectangle and keeps the text.
    pub(super) fn tint(&mut self, rect: Rect, style: Style) {
        self.buf.set_style(rect.intersection(self.area), style);
    }
}
