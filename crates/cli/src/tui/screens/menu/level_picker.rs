//! Picks a bot: all levels of the game with their descriptions.

use crossterm::event::KeyCode;
use noughts_engine::{BotKind, Tablebases};
use noughts_rules::Variant;
use noughts_text::{LEVELS, OTHER_BOTS, bot_name, numbered_player, perfection};
use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};
use ratatui::widgets::Widget;

use super::overlay::OverlayAnswer;
use super::player_choice::levels;
use crate::tui::event::Event;
use crate::tui::theme::Theme;
use crate::tui::widgets::{
    DialogResult, KeyHint, ListInput, SelectList, popup_frame, truncate, wrap,
};

pub(super) struct LevelPicker {
    player: usize,
    variant: Variant,
    /// The levels, a heading, and the bots for experiments.
    rows: Vec<Option<BotKind>>,
    list: SelectList,
}

impl LevelPicker {
    pub(super) fn new(player: usize, variant: Variant, current: BotKind) -> LevelPicker {
        let mut rows: Vec<Option<BotKind>> = levels(variant).into_iter().map(Some).collect();
        rows.insert(LEVELS.len(), None);
        let mut list = SelectList::new(rows.len());
        let selected = rows.iter().position(|&row| row == Some(current));
        list.select(selected.unwrap_or(0));
        LevelPicker {
            player,
            variant,
            rows,
            list,
        }
    }

    pub(super) fn handle_event(&mut self, event: &Event) -> DialogResult<OverlayAnswer> {
        let before = self.list.selected();
        let chosen = match self.list.handle_event(event) {
            Some(ListInput::Clicked(index)) => Some(index),
            Some(ListInput::Key(key)) => match key.code {
                KeyCode::Esc => return DialogResult::Canceled,
                KeyCode::Enter | KeyCode::Char(' ') => Some(before),
                _ => {
                    self.list.handle_key(key);
                    None
                }
            },
            None => None,
        };
        match chosen.and_then(|index| self.rows[index]) {
            Some(kind) => DialogResult::Chosen(OverlayAnswer::Level(self.player, kind)),
            None => {
                // The heading can't be selected.
                let selected = self.list.selected();
                match self.rows[selected] {
                    Some(_) => {}
                    None if selected < before => self.list.select(selected - 1),
                    None => self.list.select(selected + 1),
                }
                DialogResult::Pending
            }
        }
    }

    pub(super) fn draw(&mut self, frame: &mut Frame, theme: &Theme, tables: &Tablebases) {
        const NAME: usize = 12;
        const PERFECT: usize = 10;
        let area = frame.area();
        let buf = frame.buffer_mut();
        let width = area.width.saturating_sub(4).min(100);
        let count = self.rows.len() as u16;
        let name = numbered_player(self.player + 1);
        let title = format!("{name}: choose a level");
        let inner = popup_frame(theme, &title, width, count + 10, area, buf);
        let list = Rect {
            // The last row is for the keys.
            height: count.min(inner.height.saturating_sub(1)),
            ..inner
        };
        for row in self.list.rows(theme, list, buf) {
            let Some(kind) = self.rows[row.index] else {
                Line::styled(OTHER_BOTS, theme.strong()).render(row.area, buf);
                continue;
            };
            let is_perfect = kind.is_perfect(self.variant, tables);
            let perfect = if is_perfect { perfection(true).0 } else { "" };
            let description = kind.description(Some(self.variant));
            let room = row.area.width.saturating_sub((2 + NAME + PERFECT) as u16);
            let description = truncate(&description, room, theme.ellipsis());
            Line::from_iter([
                Span::raw(format!("{} {:<NAME$}", row.pointer, bot_name(kind))),
                Span::styled(format!("{perfect:<PERFECT$}"), row.style_or(theme.good())),
                Span::styled(description, row.style_or(theme.dim())),
            ])
            .style(row.style)
            .render(row.area, buf);
        }
        // The full description of the selected level.
        let Some(kind) = self.rows[self.list.selected()] else {
            return;
        };
        let (_, perfect) = perfection(kind.is_perfect(self.variant, tables));
        let text = format!("{} {perfect}", kind.description(Some(self.variant)));
        let rows = inner.rows().skip(usize::from(count) + 1).take(3);
        for (row, line) in rows.zip(wrap(&text, inner.width)) {
            Line::styled(line, theme.text()).render(row, buf);
        }
        self.list
            .render_dialog_keys(&list_key_hints(), theme, inner, buf);
    }
}

/// The keys of a list.
pub(super) fn list_key_hints() -> [KeyHint; 3] {
    [
        KeyHint::new("Enter", "choose", KeyCode::Enter),
        KeyHint::new("arrows", "select", KeyCode::Down),
        KeyHint::new("Esc", "back", KeyCode::Esc),
    ]
}
