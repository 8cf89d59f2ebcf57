//! The keys that do something now, in one or two lines; clicking on one presses it.

use crossterm::event::{KeyCode, KeyEvent, MouseEvent};
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};
use ratatui::widgets::Widget;

use crate::tui::theme::Theme;
use crate::tui::widgets::Clicks;

/// A key and what it does.
pub(crate) struct KeyWord {
    /// As it is shown.
    pub(crate) key: &'static str,
    pub(crate) label: String,
    /// What a click presses.
    pub(crate) code: KeyCode,
}

impl KeyWord {
    pub(crate) fn new(key: &'static str, word: impl Into<String>, code: KeyCode) -> KeyWord {
        KeyWord {
            key,
            label: word.into(),
            code,
        }
    }

    /// A letter that is shown as it is pressed.
    pub(crate) fn letter(key: &'static str, word: impl Into<String>) -> KeyWord {
        let press = key.chars().next().map_or(KeyCode::Null, KeyCode::Char);
        KeyWord::new(key, word, press)
    }

    fn width(&self) -> u16 {
        (self.key.chars().count() + 1 + self.label.chars().count()) as u16
    }
}

/// Remembers where the keys were drawn.
pub(crate) struct KeyLine {
    spots: Clicks<KeyCode>,
}

const GAP: u16 = 3;

impl KeyLine {
    pub(crate) fn new() -> KeyLine {
        KeyLine {
            spots: Clicks::new(),
        }
    }

    /// Draws as many as there is room for; the most important ones come first.
    pub(crate) fn render(&mut self, keys: &[KeyWord], look: &Theme, area: Rect, buf: &mut Buffer) {
        self.spots.clear();
        let mut rows = area.rows();
        let Some(mut row) = rows.next() else {
            return;
        };
        let mut x = row.x + 1;
        for key in keys {
            if x + key.width() > row.right() && x > row.x + 1 {
                match rows.next() {
                    Some(next) => row = next,
                    None => return,
                }
                x = row.x + 1;
            }
            let spot = Rect {
                x,
                width: key.width().min(row.right().saturating_sub(x)),
                ..row
            };
            let line = Line::from(vec![
                Span::styled(key.key, look.accent()),
                Span::styled(format!(" {}", key.label), look.dim()),
            ]);
            line.render(spot, buf);
            self.spots.add(spot, key.code);
            x += key.width() + GAP;
        }
    }

    /// The key that a click stands for.
    pub(crate) fn handle_mouse(&mut self, mouse: MouseEvent) -> Option<KeyEvent> {
        self.spots.click(mouse).map(KeyEvent::from)
    }
}
