//! Who is ahead, as a bar from X's side to O's. Solid blocks show a proved value, shades an
//! estimate, and the text next to the bar says which it is.

use std::ops::Range;

use noughts_rules::Side;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};
use ratatui::widgets::Widget;

use crate::tui::theme::Theme;
use noughts_text::ValueForX;

/// A longer bar would show nothing more.
const MAX_WIDTH: u16 = 60;

pub(crate) struct ValueBar<'a> {
    pub(crate) theme: &'a Theme,
    pub(crate) value: ValueForX,
}

impl Widget for ValueBar<'_> {
    fn render(self, area: Rect, buf: &mut Buffer) {
        let text = self.value.to_text();
        // "X ", " O  " and the text.
        let text_width = text.chars().count() as u16 + 6;
        let width = area.width.saturating_sub(text_width).min(MAX_WIDTH);
        let theme = self.theme;
        let style = if self.value.is_exact() {
            theme.exact()
        } else {
            theme.estimate()
        };
        let mut line = Line::default();
        if width >= 6 {
            line.push_span(Span::styled("X ", theme.side(Side::X)));
            line.extend(self.blocks(usize::from(width)));
            line.push_span(Span::styled(" O  ", theme.side(Side::O)));
        }
        line.push_span(Span::styled(text, style));
        line.centered().render(area, buf);
    }
}

impl ValueBar<'_> {
    fn blocks(&self, width: usize) -> [Span<'static>; 2] {
        let share = (self.value.expected_result() + 1.0) / 2.0;
        let filled = (share * width as f64).round() as usize;
        let filled = filled.min(width);
        let middle = width / 2;
        let [x, o, center] = match self.value.is_exact() {
            true => self.theme.pick(['█', '─', '┼'], ['#', '-', '|']),
            false => self.theme.pick(['▒', '┄', '┆'], [':', '.', '!']),
        };
        let part = |columns: Range<usize>, symbol: char, side: Side| {
            let symbols = columns.map(|column| if column == middle { center } else { symbol });
            // Some terminals draw bold blocks in another color.
            Span::styled(
                symbols.collect::<String>(),
                self.theme.side(side).not_bold(),
            )
        };
        [part(0..filled, x, Side::X), part(filled..width, o, Side::O)]
    }
}
