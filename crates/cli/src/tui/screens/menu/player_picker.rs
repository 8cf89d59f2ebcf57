//! Who is to play: a name to type, and the people who are known to pick from.

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers, MouseEvent};
use noughts_store::{Name, Tally};
use ratatui::Frame;
use ratatui::layout::{Alignment, Constraint, Rect};
use ratatui::text::Line;
use ratatui::widgets::Widget;

use super::level_picker::take_or_back;
use super::player_choice::{record_text, stand_in};
use crate::tui::theme::Theme;
use crate::tui::widgets::{
    KeyLine, Picked, SelectList, TextInput, popup_frame, put_text, truncate, wrap_truncated,
};

/// Longer than any name may be, so that one that is too long can be seen to be.
const MOST: usize = Name::MAX_CHARS + 8;

pub(super) struct PersonPicker {
    number: usize,
    field: TextInput,
    people: Vec<(Name, Tally)>,
    /// Those of them that what is typed is a part of.
    found: Vec<usize>,
    rows: SelectList,
    /// Are the arrows in the list? Otherwise the field has them.
    in_list: bool,
    keys: KeyLine,
}

impl PersonPicker {
    pub(super) fn new(number: usize, name: &str, people: Vec<(Name, Tally)>) -> PersonPicker {
        let found = (0..people.len()).collect();
        PersonPicker {
            number,
            field: TextInput::new(name, MOST),
            rows: SelectList::new(people.len()),
            people,
            found,
            in_list: false,
            keys: KeyLine::new(),
        }
    }

    /// Which player it is for.
    pub(super) fn player(&self) -> usize {
        self.number
    }

    /// Only those who fit what was typed stay in the list.
    fn sift(&mut self) {
        let typed = Name::new(self.field.text()).ok();
        let fits = |name: &Name| match &typed {
            Some(typed) => name.key().contains(typed.key()),
            None => true,
        };
        let all = self.people.iter().enumerate();
        self.found = all
            .filter(|(_, (name, _))| fits(name))
            .map(|(i, _)| i)
            .collect();
        self.rows.set_len(self.found.len());
        self.rows.select(0);
        self.in_list = false;
    }

    pub(super) fn handle_key(&mut self, key: KeyEvent) -> Picked<String> {
        let letter = matches!(key.code, KeyCode::Char(_)) && key.modifiers != KeyModifiers::CONTROL;
        match key.code {
            KeyCode::Esc => return Picked::Canceled,
            KeyCode::Enter => return self.enter(),
            KeyCode::Down | KeyCode::Tab if !self.in_list => self.in_list = !self.found.is_empty(),
            KeyCode::Up | KeyCode::BackTab if self.in_list && self.rows.selected() == 0 => {
                self.in_list = false;
            }
            _ if self.in_list && !letter && self.rows.handle_key(key) => {}
            _ => {
                if self.field.handle_key(key) {
                    self.sift();
                }
            }
        }
        Picked::Pending
    }

    fn enter(&self) -> Picked<String> {
        if self.in_list {
            return self.picked(self.rows.selected());
        }
        let typed = self.field.text().trim();
        if typed.is_empty() || Name::new(typed).is_ok() {
            Picked::Chosen(typed.into())
        } else {
            // Why not stands below the field.
            Picked::Pending
        }
    }

    fn picked(&self, row: usize) -> Picked<String> {
        let person = self.found.get(row).and_then(|&at| self.people.get(at));
        person.map_or(Picked::Pending, |(name, _)| {
            Picked::Chosen(name.as_str().into())
        })
    }

    pub(super) fn paste(&mut self, text: &str) -> Picked<String> {
        self.field.insert(text);
        self.sift();
        Picked::Pending
    }

    pub(super) fn handle_mouse(&mut self, mouse: MouseEvent) -> Picked<String> {
        if let Some(key) = self.keys.handle_mouse(mouse) {
            return self.handle_key(key);
        }
        match self.rows.handle_mouse(mouse) {
            Some(row) => self.picked(row),
            None => Picked::Pending,
        }
    }

    /// What the name that is typed means.
    fn comment(&self) -> Result<String, String> {
        let typed = self.field.text().trim();
        if typed.is_empty() {
            return Ok(format!("Left empty: {}.", stand_in(self.number)));
        }
        let name = Name::new(typed).map_err(|error| error.to_string())?;
        match self.people.iter().find(|(known, _)| *known == name) {
            Some((_, tally)) => Ok(format!("{}.", record_text(*tally))),
            None => Ok("Somebody new.".into()),
        }
    }

    pub(super) fn draw(&mut self, frame: &mut Frame, look: &Theme) {
        let area = frame.area();
        let buf = frame.buffer_mut();
        let list = (self.people.len() as u16).clamp(1, 9);
        let title = format!("Player {}: who plays?", self.number + 1);
        let inside = self::popup_frame(look, &title, Constraint::Length(60), list + 10, area, buf);
        let mut rows = inside.rows();
        let mut next = || rows.next().unwrap_or(Rect::ZERO);
        let row = next();
        Line::styled("Name", look.dim()).render(row, buf);
        let place = Rect {
            x: row.x + 6,
            width: row.width.saturating_sub(6),
            ..row
        };
        let cursor = self.field.render(look.strong(), place, buf);
        let under = next();
        let line = look.horizontal_line().repeat(place.width.into());
        let under = Rect {
            x: place.x,
            width: place.width,
            ..under
        };
        Line::styled(line, look.hairline()).render(under, buf);
        let (comment, style) = match self.comment() {
            Ok(comment) => (comment, look.dim()),
            Err(problem) => (format!("{problem}."), look.error()),
        };
        let lines = wrap_truncated(&comment, place.width, 2, look.ellipsis());
        for (row, line) in [next(), next()].into_iter().zip(lines) {
            let row = Rect {
                x: place.x,
                width: place.width,
                ..row
            };
            Line::styled(line, style).render(row, buf);
        }
        let top = next().y;
        let list = Rect {
            y: top,
            // The last row is for the keys.
            height: list.min((inside.bottom().saturating_sub(1)).saturating_sub(top)),
            ..inside
        };
        self.draw_list(look, list, buf);
        let last = Rect {
            y: inside.bottom().saturating_sub(1),
            height: 1,
            ..inside
        };
        let last = Rect {
            x: last.x.saturating_sub(1),
            ..last
        };
        let [take, arrows, back] = take_or_back();
        let mut keys = vec![take];
        if !self.found.is_empty() {
            keys.push(arrows);
        }
        keys.push(back);
        self.keys.render(&keys, look, last, buf);
        if !self.in_list && !inside.is_empty() {
            frame.set_cursor_position(cursor);
        }
    }

    fn draw_list(&mut self, look: &Theme, area: Rect, buf: &mut ratatui::buffer::Buffer) {
        if self.people.is_empty() {
            let nobody = "Nobody has played here yet.";
            Line::styled(nobody, look.dim()).render(area, buf);
        }
        for (at, row) in self.rows.visible_rows(area) {
            let Some((name, tally)) = self.found.get(at).and_then(|&at| self.people.get(at)) else {
                continue;
            };
            let selected = self.in_list && at == self.rows.selected();
            let sign = if selected { look.pointer() } else { " " };
            let style = if selected {
                look.selected()
            } else {
                look.text()
            };
            buf.set_style(row, style);
            // Where both don't fit, the name does.
            let narrow = row.width < 45;
            let room = row.width.saturating_sub(if narrow { 2 } else { 30 });
            let name = truncate(name.as_str(), room, look.ellipsis());
            put_text(&format!("{sign} {name}"), style, Alignment::Left, row, buf);
            if !narrow {
                let dim = if selected { style } else { look.dim() };
                put_text(&record_text(*tally), dim, Alignment::Right, row, buf);
            }
        }
    }
}
