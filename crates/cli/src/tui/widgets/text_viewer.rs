//! A text over a screen that scrolls if it is longer than the screen.

use crossterm::event::{KeyCode, KeyEvent, MouseEventKind};
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::macros::vertical;
use ratatui::text::{Line, Text};
use ratatui::widgets::Widget;
use unicode_width::UnicodeWidthStr;

use crate::tui::event::Event;
use crate::tui::theme::Theme;
use crate::tui::widgets::{DialogResult, popup_frame, wrap_lines};

const WIDTH: u16 = 72;

pub(crate) struct TextViewer {
    title: String,
    text: Vec<Line<'static>>,
    first_line: usize,
    /// The number of lines at the last width, and how many of them were visible.
    lines: usize,
    visible: usize,
}

impl TextViewer {
    pub(crate) fn new(title: impl Into<String>, text: Vec<Line<'static>>) -> TextViewer {
        TextViewer {
            title: title.into(),
            text,
            first_line: 0,
            lines: 0,
            visible: 1,
        }
    }

    /// Any key that doesn't scroll closes the viewer.
    pub(crate) fn handle_event<T>(&mut self, event: &Event) -> DialogResult<T> {
        match event {
            Event::Key(key) if !self.handle_key(*key) => return DialogResult::Canceled,
            Event::Mouse(mouse) => match mouse.kind {
                MouseEventKind::ScrollUp => self.scroll(-3),
                MouseEventKind::ScrollDown => self.scroll(3),
                _ => {}
            },
            _ => {}
        }
        DialogResult::Pending
    }

    /// Returns false if the key doesn't scroll.
    fn handle_key(&mut self, key: KeyEvent) -> bool {
        let page = self.visible.saturating_sub(1).max(1) as isize;
        match key.code {
            KeyCode::Up | KeyCode::Char('k') => self.scroll(-1),
            KeyCode::Down | KeyCode::Char('j') => self.scroll(1),
            KeyCode::PageUp => self.scroll(-page),
            KeyCode::PageDown | KeyCode::Char(' ') => self.scroll(page),
            KeyCode::Home => self.first_line = 0,
            KeyCode::End => self.scroll(isize::MAX),
            _ => return false,
        }
        true
    }

    fn scroll(&mut self, lines: isize) {
        let last = self.lines.saturating_sub(self.visible);
        self.first_line = self.first_line.saturating_add_signed(lines).min(last);
    }

    pub(crate) fn render(&mut self, theme: &Theme, area: Rect, buf: &mut Buffer) {
        let width = WIDTH.min(area.width);
        let text = wrap_lines(&self.text, width.saturating_sub(4));
        self.lines = text.len();
        // The frame with its padding, and the footer.
        let height = (text.len() as u16).saturating_add(5).min(area.height);
        let inner = popup_frame(theme, &self.title, width, height, area, buf);
        let [rows, last] = vertical![*=1, ==1].areas(inner);
        self.visible = usize::from(rows.height).max(1);
        self.scroll(0);
        Text::from_iter(text.into_iter().skip(self.first_line)).render(rows, buf);
        self.footer(theme, last.width).render(last, buf);
    }

    fn footer(&self, theme: &Theme, columns: u16) -> Line<'static> {
        let [up, down] = theme.scroll_arrows();
        let below = self.lines.saturating_sub(self.first_line + self.visible);
        let text = match (self.first_line > 0, below > 0) {
            (false, false) => "Press any key to close".to_owned(),
            (_, true) => {
                let more = noughts_text::plural(below, "more line");
                let text = format!("{up}{down} scroll ({more})   Esc close");
                match text.width() <= columns.into() {
                    true => text,
                    false => format!("{up}{down} {more}   Esc close"),
                }
            }
            (true, false) => format!("{up}{down} scroll   Esc close"),
        };
        Line::styled(text, theme.dim()).centered()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tui::testing;

    #[test]
    fn the_footer_fits_in_the_smallest_window() {
        let mut viewer = TextViewer::new("Help", vec![Line::from("line"); 50]);
        let area = Rect::new(0, 0, 40, 12);
        let mut buf = Buffer::empty(area);
        viewer.render(&testing::theme(), area, &mut buf);
        let footer = testing::row_text(&buf, 10);
        assert!(footer.contains("more lines   Esc close"), "{footer}");
    }
}
