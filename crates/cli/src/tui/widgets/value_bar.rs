//! Who is ahead, as a bar from X's side to O's. A proof fills it with solid blocks,
//! a guess with shades, and the words beside it say which it is.

use noughts_rules::Side;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::text::{Line, Span};
use ratatui::widgets::Widget;

use crate::tui::theme::Theme;
use crate::tui::widgets::XRelativeValue;

/// The bar takes no more than this: further blocks would say nothing further.
const WIDEST: u16 = 60;

pub(crate) struct ValueBar<'a> {
    pub(crate) look: &'a Theme,
    pub(crate) value: XRelativeValue,
}

impl Widget for ValueBar<'_> {
    fn render(self, area: Rect, buf: &mut Buffer) {
        let words = self.value.to_text();
        // "X ", " O  " and the words.
        let beside = words.chars().count() as u16 + 6;
        let width = area.width.saturating_sub(beside).min(WIDEST);
        let look = self.look;
        let style = if self.value.is_exact() {
            look.exact()
        } else {
            look.estimate()
        };
        let mut line = Line::default();
        if width >= 6 {
            line.push_span(Span::styled("X ", look.side(Side::X)));
            line.extend(self.blocks(usize::from(width)));
            line.push_span(Span::styled(" O  ", look.side(Side::O)));
        }
        line.push_span(Span::styled(words, style));
        line.centered().render(area, buf);
    }
}

impl ValueBar<'_> {
    fn blocks(&self, width: usize) -> [Span<'static>; 2] {
        let share = (self.value.points() + 1.0) / 2.0;
        let filled = (share * width as f64).round() as usize;
        let filled = filled.min(width);
        let middle = width / 2;
        let signs = Signs::of(self.look, self.value);
        let part = |from: usize, to: usize| {
            let signs = (from..to).map(|at| match (at == middle, at < filled) {
                (true, _) => signs.middle,
                (false, true) => signs.x,
                (false, false) => signs.o,
            });
            signs.collect::<String>()
        };
        [
            Span::styled(part(0, filled), plain(self.look.side(Side::X))),
            Span::styled(part(filled, width), plain(self.look.side(Side::O))),
        ]
    }
}

/// Bold blocks would be drawn in another colour by some terminals.
fn plain(style: Style) -> Style {
    style.not_bold()
}

struct Signs {
    x: char,
    o: char,
    middle: char,
}

impl Signs {
    fn of(look: &Theme, worth: XRelativeValue) -> Signs {
        match (look.ascii(), worth.is_exact()) {
            (false, true) => Signs {
                x: '█',
                o: '─',
                middle: '┼',
            },
            (false, false) => Signs {
                x: '▒',
                o: '┄',
                middle: '┆',
            },
            (true, true) => Signs {
                x: '#',
                o: '-',
                middle: '|',
            },
            (true, false) => Signs {
                x: ':',
                o: '.',
                middle: '!',
            },
        }
    }
}
