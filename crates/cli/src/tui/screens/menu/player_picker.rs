//! Picks a human player: a text field for the name, and a list of the known players.

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers, MouseEvent};
use noughts_store::{Name, Tally};
use ratatui::Frame;
use ratatui::layout::{Alignment, Constraint, Rect};
use ratatui::text::Line;
use ratatui::widgets::Widget;

use super::level_picker::list_key_hints;
use super::player_choice::{default_name, record_text};
use crate::tui::theme::Theme;
use crate::tui::widgets::{
    DialogResult, KeyHintBar, SelectList, TextInput, popup_frame, put_text, truncate,
    wrap_truncated,
};

/// Longer than any valid name, so that a name that is too long stays visible.
const MAX_NAME_CHARS: usize = Name::MAX_CHARS + 8;

pub(super) struct PlayerPicker {
    player: usize,
    input: TextInput,
    known_players: Vec<(Name, Tally)>,
    /// The indices of the players that match the typed text.
    matches: Vec<usize>,
    list: SelectList,
    /// Do the arrow keys move in the list? Otherwise they move in the text field.
    in_list: bool,
    keys: KeyHintBar,
}

impl PlayerPicker {
    pub(super) fn new(
        player: usize,
        name: &str,
        known_players: Vec<(Name, Tally)>,
    ) -> PlayerPicker {
        let matches = (0..known_players.len()).collect();
        PlayerPicker {
            player,
            input: TextInput::new(name, MAX_NAME_CHARS),
            list: SelectList::new(known_players.len()),
            known_players,
            matches,
            in_list: false,
            keys: KeyHintBar::new(),
        }
    }

    /// The index of the player.
    pub(super) fn player(&self) -> usize {
        self.player
    }

    /// Filters the list by the typed text.
    fn filter(&mut self) {
        let typed = Name::new(self.input.text()).ok();
        let fits = |name: &Name| match &typed {
            Some(typed) => name.key().contains(typed.key()),
            None => true,
        };
        let all = self.known_players.iter().enumerate();
        self.matches = all
            .filter(|(_, (name, _))| fits(name))
            .map(|(i, _)| i)
            .collect();
        self.list.set_len(self.matches.len());
        self.list.select(0);
        self.in_list = false;
    }

    pub(super) fn handle_key(&mut self, key: KeyEvent) -> DialogResult<String> {
        let letter = matches!(key.code, KeyCode::Char(_)) && key.modifiers != KeyModifiers::CONTROL;
        match key.code {
            KeyCode::Esc => return DialogResult::Canceled,
            KeyCode::Enter => return self.enter(),
            KeyCode::Down | KeyCode::Tab if !self.in_list => {
                self.in_list = !self.matches.is_empty();
            }
            KeyCode::Up | KeyCode::BackTab if self.in_list && self.list.selected() == 0 => {
                self.in_list = false;
            }
            _ if self.in_list && !letter && self.list.handle_key(key) => {}
            _ => {
                if self.input.handle_key(key) {
                    self.filter();
                }
            }
        }
        DialogResult::Pending
    }

    fn enter(&self) -> DialogResult<String> {
        if self.in_list {
            return self.chosen(self.list.selected());
        }
        let typed = self.input.text().trim();
        if typed.is_empty() || Name::new(typed).is_ok() {
            DialogResult::Chosen(typed.into())
        } else {
            // The reason is shown below the text field.
            DialogResult::Pending
        }
    }

    fn chosen(&self, row: usize) -> DialogResult<String> {
        let known = self
            .matches
            .get(row)
            .and_then(|&index| self.known_players.get(index));
        known.map_or(DialogResult::Pending, |(name, _)| {
            DialogResult::Chosen(name.as_str().into())
        })
    }

    pub(super) fn paste(&mut self, text: &str) -> DialogResult<String> {
        self.input.insert(text);
        self.filter();
        DialogResult::Pending
    }

    pub(super) fn handle_mouse(&mut self, mouse: MouseEvent) -> DialogResult<String> {
        if let Some(key) = self.keys.handle_mouse(mouse) {
            return self.handle_key(key);
        }
        match self.list.handle_mouse(mouse) {
            Some(row) => self.chosen(row),
            None => DialogResult::Pending,
        }
    }

    /// Describes the typed name, or says why it is invalid.
    fn describe_input(&self) -> Result<String, String> {
        let typed = self.input.text().trim();
        if typed.is_empty() {
            return Ok(format!(
                "Leave empty to play as {name}.",
                name = default_name(self.player)
            ));
        }
        let name = Name::new(typed).map_err(|error| error.to_string())?;
        match self.known_players.iter().find(|(known, _)| *known == name) {
            Some((_, tally)) => Ok(format!("{record}.", record = record_text(*tally))),
            None => Ok("New player.".into()),
        }
    }

    pub(super) fn draw(&mut self, frame: &mut Frame, theme: &Theme) {
        let area = frame.area();
        let buf = frame.buffer_mut();
        let list_height = (self.known_players.len() as u16).clamp(1, 9);
        let title = format!("Player {number}: choose a name", number = self.player + 1);
        let inner = self::popup_frame(
            theme,
            &title,
            Constraint::Length(60),
            list_height + 10,
            area,
            buf,
        );
        let mut rows = inner.rows();
        let mut next = || rows.next().unwrap_or(Rect::ZERO);
        let row = next();
        Line::styled("Name", theme.dim()).render(row, buf);
        let input_area = Rect {
            x: row.x + 6,
            width: row.width.saturating_sub(6),
            ..row
        };
        let cursor = self.input.render(theme.strong(), input_area, buf);
        let underline = next();
        let line = theme.horizontal_line().repeat(input_area.width.into());
        let underline = Rect {
            x: input_area.x,
            width: input_area.width,
            ..underline
        };
        Line::styled(line, theme.hairline()).render(underline, buf);
        let (description, style) = match self.describe_input() {
            Ok(description) => (description, theme.dim()),
            Err(problem) => (format!("{problem}."), theme.error()),
        };
        let lines = wrap_truncated(&description, input_area.width, 2, theme.ellipsis());
        for (row, line) in [next(), next()].into_iter().zip(lines) {
            let row = Rect {
                x: input_area.x,
                width: input_area.width,
                ..row
            };
            Line::styled(line, style).render(row, buf);
        }
        let top = next().y;
        let list = Rect {
            y: top,
            // The last row is for the keys.
            height: list_height.min((inner.bottom().saturating_sub(1)).saturating_sub(top)),
            ..inner
        };
        self.draw_list(theme, list, buf);
        let last = Rect {
            y: inner.bottom().saturating_sub(1),
            height: 1,
            ..inner
        };
        let last = Rect {
            x: last.x.saturating_sub(1),
            ..last
        };
        let [take, arrows, back] = list_key_hints();
        let mut keys = vec![take];
        if !self.matches.is_empty() {
            keys.push(arrows);
        }
        keys.push(back);
        self.keys.render(&keys, theme, last, buf);
        if !self.in_list && !inner.is_empty() {
            frame.set_cursor_position(cursor);
        }
    }

    fn draw_list(&mut self, theme: &Theme, area: Rect, buf: &mut ratatui::buffer::Buffer) {
        if self.known_players.is_empty() {
            let message = "No players yet.";
            Line::styled(message, theme.dim()).render(area, buf);
        }
        for (index, row) in self.list.visible_rows(area) {
            let Some((name, tally)) = self
                .matches
                .get(index)
                .and_then(|&index| self.known_players.get(index))
            else {
                continue;
            };
            let selected = self.in_list && index == self.list.selected();
            let pointer = if selected { theme.pointer() } else { " " };
            let style = if selected {
                theme.selected()
            } else {
                theme.text()
            };
            buf.set_style(row, style);
            // If there isn't enough room, only the name is shown.
            let narrow = row.width < 45;
            let room = row.width.saturating_sub(if narrow { 2 } else { 30 });
            let name = truncate(name.as_str(), room, theme.ellipsis());
            put_text(
                &format!("{pointer} {name}"),
                style,
                Alignment::Left,
                row,
                buf,
            );
            if !narrow {
                let dim = if selected { style } else { theme.dim() };
                put_text(&record_text(*tally), dim, Alignment::Right, row, buf);
            }
        }
    }
}
