//! The part of the screen that a board may draw on.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;

/// A part of a buffer. What lies outside of it is not drawn.
pub(super) struct Canvas<'a> {
    buf: &'a mut Buffer,
    area: Rect,
}

impl<'a> Canvas<'a> {
    pub(super) fn new(buf: &'a mut Buffer, area: Rect) -> Canvas<'a> {
        let area = area.intersection(buf.area);
        Canvas { buf, area }
    }

    pub(super) fn area(&self) -> Rect {
        self.area
    }

    /// Writes a character.
    pub(super) fn put(&mut self, x: u16, y: u16, sign: char, style: Style) {
        if self.area.contains((x, y).into())
            && let Some(cell) = self.buf.cell_mut((x, y))
        {
            cell.set_char(sign).set_style(style);
        }
    }

    /// Writes a text of narrow characters from this place to the right.
    pub(super) fn write(&mut self, x: u16, y: u16, text: &str, style: Style) {
        for (i, sign) in (0..).zip(text.chars()) {
            self.put(x.saturating_add(i), y, sign, style);
        }
    }

    /// Takes away what is written in a rectangle; its ground stays.
    pub(super) fn clear(&mut self, rect: Rect) {
        for place in rect.intersection(self.area).positions() {
            self.put(place.x, place.y, ' ', Style::new());
        }
    }

    /// Adds a style to a rectangle, whatever is written there.
    pub(super) fn tint(&mut self, rect: Rect, style: Style) {
        self.buf.set_style(rect.intersection(self.area), style);
    }
}
