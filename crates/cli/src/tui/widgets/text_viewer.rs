//! A text over a screen that scrolls if it is longer than the screen.

use crossterm::event::{KeyCode, KeyEvent, MouseEvent, MouseEventKind};
use ratatui::buffer::Buffer;
use ratatui::layout::{Constraint, Rect};
use ratatui::text::Line;
use ratatui::widgets::Widget;

use crate::tui::theme::Theme;
use crate::tui::widgets::{popup_frame, wrap_lines};

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

    /// Handles a key; returns false if the viewer must close.
    pub(crate) fn handle_key(&mut self, key: KeyEvent) -> bool {
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

    pub(crate) fn handle_mouse(&mut self, mouse: MouseEvent) {
        match mouse.kind {
            MouseEventKind::ScrollUp => self.scroll(-3),
            MouseEventKind::ScrollDown => self.scroll(3),
            _ => {}
        }
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
        let inner = popup_frame(
            theme,
            &self.title,
            Constraint::Length(width),
            height,
            area,
            buf,
        );
        let rows = Rect {
            height: inner.height.saturating_sub(1),
            ..inner
        };
        self.visible = usize::from(rows.height).max(1);
        self.scroll(0);
        for (row, line) in rows.rows().zip(text.iter().skip(self.first_line)) {
            line.render(row, buf);
        }
        let last = Rect {
            y: rows.bottom(),
            height: inner.height.min(1),
            ..inner
        };
        self.footer(theme).render(last, buf);
    }

    fn footer(&self, theme: &Theme) -> Line<'static> {
        let (up, down) = if theme.ascii() {
            ("^", "v")
        } else {
            ("↑", "↓")
        };
        let below = self.lines.saturating_sub(self.first_line + self.visible);
        let text = match (self.first_line > 0, below > 0) {
            (false, false) => "Press any key to close".to_owned(),
            (_, true) => {
                let more = noughts_text::plural(below, "more line");
                format!("{up}{down} scroll ({more})   Esc close")
            }
            (true, false) => format!("{up}{down} scroll   Esc close"),
        };
        Line::styled(text, theme.dim()).centered()
    }
}
