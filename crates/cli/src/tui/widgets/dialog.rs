//! A question or a message over a screen: some text, and choices to pick one from
//! by its key, by arrows and Enter, or with the mouse.

use std::cell::RefCell;

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers, MouseEvent};
use ratatui::buffer::Buffer;
use ratatui::layout::{Constraint, Rect};
use ratatui::style::Style;
use ratatui::text::{Line, Span};
use ratatui::widgets::{Block, Clear, Padding, Widget};

use crate::tui::theme::Theme;
use crate::tui::widgets::click_map::Clicks;
use crate::tui::widgets::text::wrap_lines;

/// One of the answers.
pub(crate) struct Choice<T> {
    pub(crate) key: char,
    pub(crate) text: String,
    pub(crate) answer: T,
}

impl<T> Choice<T> {
    pub(crate) fn new(key: char, text: impl Into<String>, answer: T) -> Choice<T> {
        let text = text.into();
        Choice { key, text, answer }
    }
}

/// What an event did to a dialog.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Picked<T> {
    /// This answer was chosen.
    Chosen(T),
    /// Esc: none of them.
    Canceled,
    /// Nothing yet.
    Pending,
}

pub(crate) struct Dialog<T> {
    title: String,
    text: Vec<Line<'static>>,
    choices: Vec<Choice<T>>,
    selected: usize,
    width: u16,
    /// Where the choices were drawn last.
    clicks: RefCell<Clicks<usize>>,
}

const WIDTH: u16 = 58;

impl<T: Copy> Dialog<T> {
    /// The first choice is the one that Enter picks.
    pub(crate) fn new(
        title: impl Into<String>,
        text: Vec<Line<'static>>,
        choices: Vec<Choice<T>>,
    ) -> Dialog<T> {
        Dialog {
            title: title.into(),
            text,
            choices,
            selected: 0,
            width: WIDTH,
            clicks: RefCell::new(Clicks::new()),
        }
    }

    /// So many columns wide, if there are as many.
    pub(crate) fn with_width(mut self, width: u16) -> Dialog<T> {
        self.width = width;
        self
    }

    pub(crate) fn handle_key(&mut self, key: KeyEvent) -> Picked<T> {
        let many = self.choices.len().max(1);
        match key.code {
            KeyCode::Esc => return Picked::Canceled,
            KeyCode::Enter | KeyCode::Char(' ') => return self.pick(self.selected),
            KeyCode::Up | KeyCode::BackTab => self.selected = (self.selected + many - 1) % many,
            KeyCode::Down | KeyCode::Tab => self.selected = (self.selected + 1) % many,
            KeyCode::Char(c) if !key.modifiers.contains(KeyModifiers::CONTROL) => {
                return self.letter(c.to_ascii_lowercase());
            }
            _ => {}
        }
        Picked::Pending
    }

    /// A choice's own letter comes before what letters do in lists.
    fn letter(&mut self, letter: char) -> Picked<T> {
        if let Some(at) = self.choices.iter().position(|choice| choice.key == letter) {
            return self.pick(at);
        }
        match letter {
            'k' => self.handle_key(KeyCode::Up.into()),
            'j' => self.handle_key(KeyCode::Down.into()),
            _ => Picked::Pending,
        }
    }

    pub(crate) fn handle_mouse(&mut self, mouse: MouseEvent) -> Picked<T> {
        let clicked = self.clicks.get_mut().click(mouse);
        clicked.map_or(Picked::Pending, |at| self.pick(at))
    }

    fn pick(&self, at: usize) -> Picked<T> {
        match self.choices.get(at) {
            Some(choice) => Picked::Chosen(choice.answer),
            None => Picked::Canceled,
        }
    }

    /// Draws it over the middle of the area.
    pub(crate) fn render(&self, look: &Theme, area: Rect, buf: &mut Buffer) {
        let width = self.width.min(area.width);
        let text = wrap_lines(&self.text, width.saturating_sub(4));
        let choices = self.choices.len() as u16;
        let gap = u16::from(choices > 0 && !text.is_empty());
        let around = if area.height < LOW { 2 } else { 4 };
        let height = (text.len() as u16 + gap + choices + around).min(area.height);
        let inside = popup_frame(
            look,
            &self.title,
            Constraint::Length(width),
            height,
            area,
            buf,
        );
        // What does not fit gives way to the choices.
        let room = inside.height.saturating_sub(choices + gap);
        for (row, line) in inside.rows().take(room.into()).zip(&text) {
            line.render(row, buf);
        }
        let rows = Rect {
            y: inside.bottom().saturating_sub(choices).max(inside.y),
            height: choices.min(inside.height),
            ..inside
        };
        let mut clicks = self.clicks.borrow_mut();
        clicks.clear();
        // Where there are more than fit, the selected one is among those that are seen.
        let first = (self.selected + 1).saturating_sub(rows.height.into());
        let seen = self.choices.iter().enumerate().skip(first);
        for (row, (i, choice)) in rows.rows().zip(seen) {
            buf.set_style(row, row_style(look, i == self.selected));
            choice_line(look, i == self.selected, choice).render(row, buf);
            clicks.add(row, i);
        }
    }
}

fn row_style(look: &Theme, selected: bool) -> Style {
    if selected {
        look.selected()
    } else {
        look.text()
    }
}

fn choice_line<T>(look: &Theme, selected: bool, choice: &Choice<T>) -> Line<'static> {
    let sign = if selected { look.pointer() } else { " " };
    let key = if selected {
        row_style(look, true)
    } else {
        look.accent()
    };
    Line::from(vec![
        Span::raw(format!("{sign} ")),
        Span::styled(format!("{}", choice.key), key),
        Span::raw(format!("  {}", choice.text)),
    ])
    .style(row_style(look, selected))
}

/// In a lower area frames have no padding above and below.
const LOW: u16 = 16;

/// An empty frame over the middle of the area, with room inside.
pub(crate) fn popup_frame(
    look: &Theme,
    title: &str,
    width: Constraint,
    height: u16,
    area: Rect,
    buf: &mut Buffer,
) -> Rect {
    let place = area.centered(width, Constraint::Length(height));
    Clear.render(place, buf);
    buf.set_style(place, look.base());
    let block = Block::bordered()
        .border_set(look.panel_border())
        .border_style(look.accent())
        .style(look.text())
        .padding(Padding::symmetric(1, u16::from(area.height >= LOW)))
        .title(Line::styled(format!(" {title} "), look.accent()).centered());
    let inside = block.inner(place);
    block.render(place, buf);
    inside
}

#[cfg(test)]
mod tests {
    use crossterm::event::{MouseButton, MouseEventKind};

    use super::*;
    use crate::tui::testing;

    fn dialog() -> Dialog<u8> {
        let choices = vec![
            Choice::new('k', "keep", 0),
            Choice::new('b', "back", 1),
            Choice::new('q', "quit", 2),
        ];
        Dialog::new("Question", vec![Line::from("Well?")], choices)
    }

    fn press(dialog: &mut Dialog<u8>, code: KeyCode) -> Picked<u8> {
        dialog.handle_key(code.into())
    }

    #[test]
    fn keys_pick() {
        let picked = |codes: &[KeyCode]| {
            let mut dialog = dialog();
            let picks = codes.iter().map(|&code| press(&mut dialog, code));
            picks.last().expect("a key")
        };
        assert_eq!(picked(&[KeyCode::Enter]), Picked::Chosen(0));
        assert_eq!(picked(&[KeyCode::Char('Q')]), Picked::Chosen(2));
        // Its own letter comes before `k` for up.
        assert_eq!(
            picked(&[KeyCode::Down, KeyCode::Char('k')]),
            Picked::Chosen(0)
        );
        assert_eq!(picked(&[KeyCode::Up, KeyCode::Enter]), Picked::Chosen(2));
        assert_eq!(
            picked(&[KeyCode::Char('j'), KeyCode::Enter]),
            Picked::Chosen(1)
        );
        assert_eq!(picked(&[KeyCode::Esc]), Picked::Canceled);
        assert_eq!(picked(&[KeyCode::Char('x')]), Picked::Pending);
    }

    #[test]
    fn the_mouse_picks() {
        let mut dialog = dialog();
        let area = Rect::new(0, 0, 80, 24);
        let mut buf = Buffer::empty(area);
        dialog.render(&testing::theme(), area, &mut buf);
        let row = (0..24).find(|&row| testing::row_text(&buf, row).contains("quit"));
        let row = row.expect("a row with the choice");
        for kind in [MouseEventKind::Down, MouseEventKind::Up] {
            let event = testing::mouse_event(kind(MouseButton::Left), 40, row);
            let picked = dialog.handle_mouse(event);
            let released = kind(MouseButton::Left) == MouseEventKind::Up(MouseButton::Left);
            let expected = if released {
                Picked::Chosen(2)
            } else {
                Picked::Pending
            };
            assert_eq!(picked, expected);
        }
    }

    /// Of more choices than fit, the selected one is always seen.
    #[test]
    fn choices_scroll() {
        let choices = ('a'..='t').map(|key| Choice::new(key, format!("choice {key}"), 0));
        let mut dialog = Dialog::new("Question", Vec::new(), choices.collect());
        let area = Rect::new(0, 0, 40, 12);
        for key in 'a'..='t' {
            let mut buf = Buffer::empty(area);
            dialog.render(&testing::theme(), area, &mut buf);
            let seen =
                (0..12).any(|row| testing::row_text(&buf, row).contains(&format!("choice {key}")));
            assert!(seen, "{key}");
            press(&mut dialog, KeyCode::Down);
        }
    }

    /// Whatever the size, nothing is drawn outside and nothing breaks.
    #[test]
    fn any_size_will_do() {
        for (width, height) in [(0, 0), (1, 1), (5, 2), (20, 4), (200, 60)] {
            let area = Rect::new(0, 0, width, height);
            dialog().render(&testing::theme(), area, &mut Buffer::empty(area));
        }
    }
}
