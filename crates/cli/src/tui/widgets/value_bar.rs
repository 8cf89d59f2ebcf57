//! Who is ahead, as a bar from X's side to O's. A proof fills it with solid blocks,
//! a guess with shades, and the words beside it say which it is.

use noughts_rules::Player;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::text::{Line, Span};
use ratatui::widgets::Widget;

use crate::tui::look::Look;
use crate::tui::widgets::Worth;

/// The bar takes no more than this: further blocks would say nothing further.
const WIDEST: u16 = 60;

pub(crate) struct ValueBar<'a> {
    pub(crate) look: &'a Look,
    pub(crate) worth: Worth,
}

impl Widget for ValueBar<'_> {
    fn render(self, area: Rect, buf: &mut Buffer) {
        let words = self.worth.words();
        // "X ", " O  " and the words.
        let beside = words.chars().count() as u16 + 6;
        let width = area.width.saturating_sub(beside).min(WIDEST);
        let look = self.look;
        let style = if self.worth.is_exact() {
            look.exact()
        } else {
            look.estimate()
        };
        let mut line = Line::default();
        if width >= 6 {
            line.push_span(Span::styled("X ", look.player(Player::X)));
            line.extend(self.blocks(usize::from(width)));
            line.push_span(Span::styled(" O  ", look.player(Player::O)));
        }
        line.push_span(Span::styled(words, style));
        line.centered().render(area, buf);
    }
}

impl ValueBar<'_> {
    fn blocks(&self, width: usize) -> [Span<'static>; 2] {
        let share = (self.worth.points() + 1.0) / 2.0;
        let filled = (share * width as f64).round() as usize;
        let filled = filled.min(width);
        let middle = width / 2;
        let signs = Signs::of(self.look, self.worth);
        let part = |from: usize, to: usize| {
            let signs = (from..to).map(|at| match (at == middle, at < filled) {
                (true, _) => signs.middle,
                (false, true) => signs.x,
                (false, false) => signs.o,
            });
            signs.collect::<String>()
        };
        [
            Span::styled(part(0, filled), plain(self.look.player(Player::X))),
            Span::styled(part(filled, width), plain(self.look.player(Player::O))),
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
    fn of(look: &Look, worth: Worth) -> Signs {
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
