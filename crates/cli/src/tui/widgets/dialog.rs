//! A question or message over a screen, with choices to pick by key, by arrows and Enter, or with
//! the mouse.

use std::cell::RefCell;

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use ratatui::buffer::Buffer;
use ratatui::layout::{Constraint, Rect};
use ratatui::text::{Line, Span, Text};
use ratatui::widgets::{Block, Clear, Padding, Widget};

use crate::tui::event::Event;
use crate::tui::theme::Theme;
use crate::tui::widgets::click_map::ClickMap;
use crate::tui::widgets::text::{truncate_lines, wrap_lines};

struct DialogChoice<T> {
    key: char,
    text: String,
    answer: T,
}

/// The result of an event.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum DialogResult<T> {
    Chosen(T),
    /// The player pressed Esc.
    Canceled,
    /// The dialog stays open.
    Pending,
}

pub(crate) struct Dialog<T> {
    title: String,
    text: Vec<Line<'static>>,
    choices: Vec<DialogChoice<T>>,
    selected: usize,
    width: u16,
    /// Where the choices were last drawn.
    click_map: RefCell<ClickMap<usize>>,
}

const WIDTH: u16 = 58;

impl<T: Clone> Dialog<T> {
    /// A dialog without choices, which are added next. Enter picks the first one unless another one is selected.
    pub(crate) fn new(title: impl Into<String>, text: impl Into<Text<'static>>) -> Dialog<T> {
        Dialog {
            title: title.into(),
            text: text.into().lines,
            choices: Vec::new(),
            selected: 0,
            width: WIDTH,
            click_map: RefCell::default(),
        }
    }

    /// Adds a choice with its own key.
    pub(crate) fn choice(mut self, key: char, text: impl Into<String>, answer: T) -> Dialog<T> {
        let text = text.into();
        self.choices.push(DialogChoice { key, text, answer });
        self
    }

    /// The width in columns, if there is enough room.
    pub(crate) fn with_width(mut self, width: u16) -> Dialog<T> {
        self.width = width;
        self
    }

    pub(crate) fn handle_event(&mut self, event: &Event) -> DialogResult<T> {
        match event {
            Event::Key(key) => self.handle_key(*key),
            Event::Mouse(mouse) => {
                let clicked = self.click_map.get_mut().click(*mouse);
                clicked.map_or(DialogResult::Pending, |index| self.pick(index))
            }
            _ => DialogResult::Pending,
        }
    }

    fn handle_key(&mut self, key: KeyEvent) -> DialogResult<T> {
        let count = self.choices.len().max(1);
        match key.code {
            KeyCode::Esc => return DialogResult::Canceled,
            KeyCode::Enter | KeyCode::Char(' ') => return self.pick(self.selected),
            KeyCode::Up | KeyCode::BackTab => self.selected = (self.selected + count - 1) % count,
            KeyCode::Down | KeyCode::Tab => self.selected = (self.selected + 1) % count,
            KeyCode::Char(c) if !key.modifiers.contains(KeyModifiers::CONTROL) => {
                return self.letter(c.to_ascii_lowercase());
            }
            _ => {}
        }
        DialogResult::Pending
    }

    /// A choice's own key takes precedence over `j` and `k`.
    fn letter(&mut self, letter: char) -> DialogResult<T> {
        if let Some(index) = self.choices.iter().position(|choice| choice.key == letter) {
            return self.pick(index);
        }
        match letter {
            'k' => self.handle_key(KeyCode::Up.into()),
            'j' => self.handle_key(KeyCode::Down.into()),
            _ => DialogResult::Pending,
        }
    }

    fn pick(&self, index: usize) -> DialogResult<T> {
        match self.choices.get(index) {
            Some(choice) => DialogResult::Chosen(choice.answer.clone()),
            None => DialogResult::Canceled,
        }
    }

    /// Draws the dialog in the middle of the area.
    pub(crate) fn render(&self, theme: &Theme, area: Rect, buf: &mut Buffer) {
        let width = self.width.min(area.width);
        let text = wrap_lines(&self.text, width.saturating_sub(4));
        let choices = self.choices.len() as u16;
        let gap = u16::from(choices > 0 && !text.is_empty());
        let frame_rows = if area.height < LOW_HEIGHT { 2 } else { 4 };
        let height = (text.len() as u16 + gap + choices + frame_rows).min(area.height);
        let inner = popup_frame(theme, &self.title, width, height, area, buf);
        // If there isn't enough room, the text is cut off, not the choices.
        let room = inner.height.saturating_sub(choices + gap);
        let text = truncate_lines(text, inner.width, room, theme.ellipsis());
        Text::from(text).render(inner, buf);
        let rows = Rect {
            y: inner.bottom().saturating_sub(choices).max(inner.y),
            height: choices.min(inner.height),
            ..inner
        };
        let mut click_map = self.click_map.borrow_mut();
        click_map.clear();
        // If not all choices fit, the selected one is visible.
        let first = (self.selected + 1).saturating_sub(rows.height.into());
        let visible = self.choices.iter().enumerate().skip(first);
        for (row, (i, choice)) in rows.rows().zip(visible) {
            let selected = i == self.selected;
            let (pointer, style) = theme.list_row(selected);
            let key = if selected { style } else { theme.accent() };
            buf.set_style(row, style);
            Line::from_iter([
                Span::raw(format!("{pointer} ")),
                Span::styled(choice.key.to_string(), key),
                Span::raw(format!("  {}", choice.text)),
            ])
            .style(style)
            .render(row, buf);
            click_map.add(row, i);
        }
    }
}

/// Below this height, frames have no vertical padding.
const LOW_HEIGHT: u16 = 16;

/// Draws an empty frame in the middle of the area, and returns its inside.
pub(crate) fn popup_frame(
    theme: &Theme,
    title: &str,
    width: u16,
    height: u16,
    area: Rect,
    buf: &mut Buffer,
) -> Rect {
    let popup = area.centered(Constraint::Length(width), Constraint::Length(height));
    Clear.render(popup, buf);
    buf.set_style(popup, theme.base());
    let block = Block::bordered()
        .border_set(theme.panel_border())
        .border_style(theme.accent())
        .style(theme.text())
        .padding(Padding::symmetric(1, u16::from(area.height >= LOW_HEIGHT)))
        .title(Line::styled(format!(" {title} "), theme.accent()).centered());
    let inner = block.inner(popup);
    block.render(popup, buf);
    inner
}

#[cfg(test)]
mod tests {
    use crossterm::event::{MouseButton, MouseEventKind};

    use super::*;
    use crate::tui::testing;

    fn dialog() -> Dialog<u8> {
        Dialog::new("Question", "Well?")
            .choice('k', "keep", 0)
            .choice('b', "back", 1)
            .choice('q', "quit", 2)
    }

    fn press(dialog: &mut Dialog<u8>, code: KeyCode) -> DialogResult<u8> {
        dialog.handle_key(code.into())
    }

    #[test]
    fn keys_pick_choices() {
        let result = |codes: &[KeyCode]| {
            let mut dialog = dialog();
            let results = codes.iter().map(|&code| press(&mut dialog, code));
            results.last().expect("a key")
        };
        assert_eq!(result(&[KeyCode::Enter]), DialogResult::Chosen(0));
        assert_eq!(result(&[KeyCode::Char('Q')]), DialogResult::Chosen(2));
        // Its own key takes precedence over `k` for up.
        assert_eq!(
            result(&[KeyCode::Down, KeyCode::Char('k')]),
            DialogResult::Chosen(0)
        );
        assert_eq!(
            result(&[KeyCode::Up, KeyCode::Enter]),
            DialogResult::Chosen(2)
        );
        assert_eq!(
            result(&[KeyCode::Char('j'), KeyCode::Enter]),
            DialogResult::Chosen(1)
        );
        assert_eq!(result(&[KeyCode::Esc]), DialogResult::Canceled);
        assert_eq!(result(&[KeyCode::Char('x')]), DialogResult::Pending);
    }

    #[test]
    fn the_mouse_picks_choices() {
        let mut dialog = dialog();
        let area = Rect::new(0, 0, 80, 24);
        let mut buf = Buffer::empty(area);
        dialog.render(&testing::theme(), area, &mut buf);
        let row = (0..24).find(|&row| testing::row_text(&buf, row).contains("quit"));
        let row = row.expect("a row with the choice");
        for kind in [MouseEventKind::Down, MouseEventKind::Up] {
            let event = testing::mouse_event(kind(MouseButton::Left), 40, row);
            let result = dialog.handle_event(&Event::Mouse(event));
            let released = kind(MouseButton::Left) == MouseEventKind::Up(MouseButton::Left);
            let expected = if released {
                DialogResult::Chosen(2)
            } else {
                DialogResult::Pending
            };
            assert_eq!(result, expected);
        }
    }

    /// If not all choices fit, the selected one is always visible.
    #[test]
    fn choices_scroll() {
        let mut dialog = Dialog::new("Question", Text::default());
        for key in 'a'..='t' {
            dialog = dialog.choice(key, format!("choice {key}"), 0);
        }
        let area = Rect::new(0, 0, 40, 12);
        for key in 'a'..='t' {
            let mut buf = Buffer::empty(area);
            dialog.render(&testing::theme(), area, &mut buf);
            let visible =
                (0..12).any(|row| testing::row_text(&buf, row).contains(&format!("choice {key}")));
            assert!(visible, "{key}");
            press(&mut dialog, KeyCode::Down);
        }
    }

    /// A sentence that doesn't fit ends with an ellipsis.
    #[test]
    fn cut_text_is_marked() {
        let mut dialog = dialog();
        dialog.text = vec![Line::from("one"), Line::from("two two ".repeat(20))];
        let area = Rect::new(0, 0, 40, 9);
        let mut buf = Buffer::empty(area);
        dialog.render(&testing::theme(), area, &mut buf);
        let rows: Vec<String> = (0..9).map(|row| testing::row_text(&buf, row)).collect();
        assert!(rows[3].contains("two…"), "{rows:#?}");
        assert!(rows[7].contains("quit"), "{rows:#?}");
    }

    /// Dialogs of any size stay inside the area.
    #[test]
    fn any_size_works() {
        for (width, height) in [(0, 0), (1, 1), (5, 2), (20, 4), (200, 60)] {
            let area = Rect::new(0, 0, width, height);
            dialog().render(&testing::theme(), area, &mut Buffer::empty(area));
        }
    }
}
