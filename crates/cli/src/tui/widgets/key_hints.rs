//! The available keys in one or two lines. Clicking on one presses it.

use crossterm::event::{KeyCode, KeyEvent, MouseEvent};
use noughts_text::Action;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};
use ratatui::widgets::Widget;

use crate::tui::theme::Theme;
use crate::tui::widgets::ClickMap;

/// A key and what it does.
pub(crate) struct KeyHint {
    /// As shown.
    pub(crate) key: &'static str,
    pub(crate) label: String,
    /// The key that a click presses.
    pub(crate) code: KeyCode,
}

impl KeyHint {
    pub(crate) fn new(key: &'static str, label: impl Into<String>, code: KeyCode) -> KeyHint {
        KeyHint {
            key,
            label: label.into(),
            code,
        }
    }

    /// A key that is shown as its own letter, or as `Space`.
    pub(crate) fn letter(key: &'static str, label: impl Into<String>) -> KeyHint {
        let code = match key {
            "Space" => KeyCode::Char(' '),
            key => key.chars().next().map_or(KeyCode::Null, KeyCode::Char),
        };
        KeyHint::new(key, label, code)
    }

    /// The key of an action, with its label.
    pub(crate) fn action(action: Action) -> KeyHint {
        KeyHint::letter(action.key(), action.label())
    }

    fn width(&self) -> u16 {
        (self.key.chars().count() + 1 + self.label.chars().count()) as u16
    }
}

/// Draws key hints and remembers where they are.
#[derive(Default)]
pub(crate) struct KeyHintBar {
    click_map: ClickMap<KeyCode>,
}

const GAP: u16 = 3;

impl KeyHintBar {
    /// Draws as many as fit; the most important ones come first.
    pub(crate) fn render(&mut self, keys: &[KeyHint], theme: &Theme, area: Rect, buf: &mut Buffer) {
        self.click_map.clear();
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
            let area = Rect {
                x,
                width: key.width().min(row.right().saturating_sub(x)),
                ..row
            };
            let line = Line::from(vec![
                Span::styled(key.key, theme.accent()),
                Span::styled(format!(" {}", key.label), theme.dim()),
            ]);
            line.render(area, buf);
            self.click_map.add(area, key.code);
            x += key.width() + GAP;
        }
    }

    /// The key that was clicked.
    pub(crate) fn handle_mouse(&mut self, mouse: MouseEvent) -> Option<KeyEvent> {
        self.click_map.click(mouse).map(KeyEvent::from)
    }
}
