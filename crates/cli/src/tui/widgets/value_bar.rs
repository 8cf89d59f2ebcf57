//! Who is ahead, as a bar from X's side to O's. Solid blocks show a proved value, shades an
//! estimate, and the text next to the bar says which it is.

use noughts_rules::Side;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;
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
        let chars = BarChars::of(self.theme, self.value);
        let part = |from: usize, to: usize| {
            let chars = (from..to).map(|column| match (column == middle, column < filled) {
                (true, _) => chars.middle,
                (false, true) => chars.x,
                (false, false) => chars.o,
            });
            chars.collect::<String>()
        };
        [
            Span::styled(part(0, filled), without_bold(self.theme.side(Side::X))),
            Span::styled(part(filled, width), without_bold(self.theme.side(Side::O))),
        ]
    }
}

/// Some terminals draw bold blocks in another color.
fn without_bold(style: Style) -> Style {
    style.not_bold()
}

struct BarChars {
    x: char,
    o: char,
    middle: char,
}

impl BarChars {
    fn of(theme: &Theme, value: ValueForX) -> BarChars {
        match (theme.ascii(), value.is_exact()) {
            (false, true) => BarChars {
                x: '█',
                o: '─',
                middle: '┼',
            },
            (false, false) => BarChars {
                x: '▒',
                o: '┄',
                middle: '┆',
            },
            (true, true) => BarChars {
                x: '#',
                o: '-',
                middle: '|',
            },
            (true, false) => BarChars {
                x: ':',
                o: '.',
                middle: '!',
            },
        }
    }
}
