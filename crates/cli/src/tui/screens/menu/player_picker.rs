//! Picks a human player: a text field for the name, and a list of the known players.

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use noughts_store::{Name, Tally};
use noughts_text::capitalize;
use ratatui::Frame;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::macros::{horizontal, vertical};
use ratatui::text::{Line, Span};
use ratatui::widgets::Widget;

use super::level_picker::list_key_hints;
use super::overlay::OverlayAnswer;
use super::player_choice::{default_name, record_text};
use crate::tui::event::Event;
use crate::tui::theme::Theme;
use crate::tui::widgets::{
    DialogResult, ListInput, SelectList, TextInput, draw_right, draw_wrapped, popup_frame, truncate,
};

/// Longer than any valid name, so that a name that is too long stays visible.
const MAX_NAME_CHARS: usize = Name::MAX_CHARS + 8;

pub(super) struct PlayerPicker {
    player: usize,
    input: TextInput,
    known_players: Vec<(Name, Tally)>,
    /// Those that match the typed text.
    matches: Vec<(Name, Tally)>,
    /// If it is focused, the arrow keys move in it, otherwise in the text field.
    list: SelectList,
}

impl PlayerPicker {
    pub(super) fn new(
        player: usize,
        name: &str,
        known_players: Vec<(Name, Tally)>,
    ) -> PlayerPicker {
        let mut list = SelectList::new(known_players.len());
        list.focused = false;
        PlayerPicker {
            player,
            input: TextInput::new(name, MAX_NAME_CHARS),
            list,
            matches: known_players.clone(),
            known_players,
        }
    }

    /// Filters the list by the typed text.
    fn filter(&mut self) {
        let typed = Name::new(self.input.text()).ok();
        let fits = |(name, _): &&(Name, Tally)| match &typed {
            Some(typed) => name.key().contains(typed.key()),
            None => true,
        };
        self.matches = self.known_players.iter().filter(fits).cloned().collect();
        self.list.set_len(self.matches.len());
        self.list.select(0);
        self.list.focused = false;
    }

    pub(super) fn handle_event(&mut self, event: &Event) -> DialogResult<OverlayAnswer> {
        if let Event::Paste(text) = event {
            self.input.insert(text);
            self.filter();
        }
        match self.list.handle_event(event) {
            Some(ListInput::Key(key)) => self.handle_key(key),
            Some(ListInput::Clicked(row)) => self.choose(row),
            None => DialogResult::Pending,
        }
    }

    fn handle_key(&mut self, key: KeyEvent) -> DialogResult<OverlayAnswer> {
        let letter = matches!(key.code, KeyCode::Char(_)) && key.modifiers != KeyModifiers::CONTROL;
        match key.code {
            KeyCode::Esc => return DialogResult::Canceled,
            KeyCode::Enter => return self.enter(),
            KeyCode::Down | KeyCode::Tab if !self.list.focused => {
                self.list.focused = !self.matches.is_empty();
            }
            KeyCode::Up | KeyCode::BackTab if self.list.focused && self.list.selected() == 0 => {
                self.list.focused = false;
            }
            _ if self.list.focused && !letter && self.list.handle_key(key) => {}
            _ => {
                if self.input.handle_key(key) {
                    self.filter();
                }
            }
        }
        DialogResult::Pending
    }

    fn enter(&self) -> DialogResult<OverlayAnswer> {
        if self.list.focused {
            return self.choose(self.list.selected());
        }
        let typed = self.input.text().trim();
        if typed.is_empty() || Name::new(typed).is_ok() {
            DialogResult::Chosen(OverlayAnswer::Name(self.player, typed.into()))
        } else {
            // The reason is shown below the text field.
            DialogResult::Pending
        }
    }

    fn choose(&self, row: usize) -> DialogResult<OverlayAnswer> {
        self.matches
            .get(row)
            .map_or(DialogResult::Pending, |(name, _)| {
                DialogResult::Chosen(OverlayAnswer::Name(self.player, name.to_string()))
            })
    }

    /// Describes the typed name, or says why it is invalid.
    fn describe_input(&self) -> Result<String, String> {
        let typed = self.input.text().trim();
        if typed.is_empty() {
            let name = default_name(self.player);
            return Ok(format!("Leave empty to play as {name}."));
        }
        let name = Name::new(typed).map_err(|error| error.to_string())?;
        match self.known_players.iter().find(|(known, _)| *known == name) {
            Some((_, tally)) => Ok(format!("{}.", capitalize(&record_text(*tally)))),
            None => Ok("New player.".into()),
        }
    }

    pub(super) fn draw(&mut self, frame: &mut Frame, theme: &Theme) {
        let area = frame.area();
        let buf = frame.buffer_mut();
        let list_height = (self.known_players.len() as u16).clamp(1, 9);
        let title = format!("{name}: choose a name", name = default_name(self.player));
        let inner = popup_frame(theme, &title, 60, list_height + 10, area, buf);
        // The last row is for the keys.
        let [top, list, _, _] = vertical![==4, <=list_height, *=1, ==1].areas(inner);
        let [label, input] = horizontal![==6, *=1].areas(top);
        Line::styled("Name", theme.dim()).render(label, buf);
        let [name, underline, description] = vertical![==1, ==1, ==2].areas(input);
        let cursor = self.input.render(theme.strong(), name, buf);
        let line = theme.horizontal_line().repeat(underline.width.into());
        Line::styled(line, theme.hairline()).render(underline, buf);
        let (text, style) = match self.describe_input() {
            Ok(description) => (description, theme.dim()),
            Err(error) => (format!("{}.", capitalize(&error)), theme.error()),
        };
        draw_wrapped(&text, style, theme, description, buf);
        self.draw_list(theme, list, buf);
        let [choose, arrows, back] = list_key_hints();
        let mut keys = vec![choose];
        if !self.matches.is_empty() {
            keys.push(arrows);
        }
        keys.push(back);
        self.list.render_dialog_keys(&keys, theme, inner, buf);
        if !self.list.focused && !inner.is_empty() {
            frame.set_cursor_position(cursor);
        }
    }

    fn draw_list(&mut self, theme: &Theme, area: Rect, buf: &mut Buffer) {
        if self.known_players.is_empty() {
            let message = "No players yet.";
            Line::styled(message, theme.dim()).render(area, buf);
        }
        for row in self.list.rows(theme, area, buf) {
            let (name, tally) = &self.matches[row.index];
            // If there isn't enough room, only the name is shown.
            let narrow = row.area.width < 45;
            let room = row.area.width.saturating_sub(if narrow { 2 } else { 30 });
            let name = truncate(name.as_str(), room, theme.ellipsis());
            Span::styled(format!("{} {name}", row.pointer), row.style).render(row.area, buf);
            if !narrow {
                draw_right(
                    &record_text(*tally),
                    row.style_or(theme.dim()),
                    row.area,
                    buf,
                );
            }
        }
    }
}
