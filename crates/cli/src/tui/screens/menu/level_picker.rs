//! Picks a bot: all levels of the game with their descriptions.

use crossterm::event::{KeyCode, KeyEvent, MouseEvent};
use noughts_engine::{BotKind, Tablebases};
use noughts_rules::Variant;
use ratatui::Frame;
use ratatui::layout::{Constraint, Rect};
use ratatui::text::{Line, Span};
use ratatui::widgets::Widget;

use super::player_choice::levels;
use crate::tui::theme::Theme;
use crate::tui::widgets::{
    DialogResult, KeyHint, KeyHintBar, SelectList, popup_frame, truncate, wrap,
};

pub(super) struct LevelPicker {
    player: usize,
    variant: Variant,
    levels: Vec<BotKind>,
    list: SelectList,
    keys: KeyHintBar,
}

impl LevelPicker {
    pub(super) fn new(player: usize, variant: Variant, current: BotKind) -> LevelPicker {
        let levels = levels(variant);
        let mut list = SelectList::new(levels.len());
        list.select(levels.iter().position(|&kind| kind == current).unwrap_or(0));
        LevelPicker {
            player,
            variant,
            levels,
            list,
            keys: KeyHintBar::new(),
        }
    }

    /// The index of the player.
    pub(super) fn player(&self) -> usize {
        self.player
    }

    fn chosen(&self, index: usize) -> DialogResult<BotKind> {
        self.levels
            .get(index)
            .map_or(DialogResult::Pending, |&kind| DialogResult::Chosen(kind))
    }

    pub(super) fn handle_key(&mut self, key: KeyEvent) -> DialogResult<BotKind> {
        match key.code {
            KeyCode::Esc => DialogResult::Canceled,
            KeyCode::Enter | KeyCode::Char(' ') => self.chosen(self.list.selected()),
            _ => {
                self.list.handle_key(key);
                DialogResult::Pending
            }
        }
    }

    pub(super) fn handle_mouse(&mut self, mouse: MouseEvent) -> DialogResult<BotKind> {
        if let Some(key) = self.keys.handle_mouse(mouse) {
            return self.handle_key(key);
        }
        let clicked = self.list.handle_mouse(mouse);
        clicked.map_or(DialogResult::Pending, |index| self.chosen(index))
    }

    pub(super) fn draw(&mut self, frame: &mut Frame, theme: &Theme, tables: &Tablebases) {
        const NAME: u16 = 14;
        const PERFECT: u16 = 10;
        let area = frame.area();
        let buf = frame.buffer_mut();
        let width = area.width.saturating_sub(4).min(100);
        let count = self.levels.len() as u16;
        let title = format!("Player {number}: choose a level", number = self.player + 1);
        let height = count + 10;
        let inner = self::popup_frame(theme, &title, Constraint::Length(width), height, area, buf);
        let list = Rect {
            // The last row is for the keys.
            height: count.min(inner.height.saturating_sub(1)),
            ..inner
        };
        for (index, row) in self.list.visible_rows(list) {
            let kind = self.levels[index];
            let selected = index == self.list.selected();
            let pointer = if selected { theme.pointer() } else { " " };
            let style = if selected {
                theme.selected()
            } else {
                theme.text()
            };
            let dim = if selected { style } else { theme.dim() };
            let perfect = if kind.is_perfect(self.variant, tables) {
                "perfect"
            } else {
                ""
            };
            let room = row.width.saturating_sub(NAME + PERFECT);
            let description = truncate(
                &kind.description(Some(self.variant)),
                room,
                theme.ellipsis(),
            );
            buf.set_style(row, style);
            Line::from_iter([
                Span::raw(format!(
                    "{pointer} {:<width$}",
                    kind.name(),
                    width = usize::from(NAME) - 2
                )),
                Span::styled(
                    format!("{perfect:<width$}", width = usize::from(PERFECT)),
                    if selected { style } else { theme.good() },
                ),
                Span::styled(description, dim),
            ])
            .style(style)
            .render(row, buf);
        }
        self.draw_description(theme, inner, count, tables, buf);
    }

    /// The full description of the selected level, and the keys.
    fn draw_description(
        &mut self,
        theme: &Theme,
        inner: Rect,
        count: u16,
        tables: &Tablebases,
        buf: &mut ratatui::buffer::Buffer,
    ) {
        let Some(&kind) = self.levels.get(self.list.selected()) else {
            return;
        };
        let perfect = if kind.is_perfect(self.variant, tables) {
            "It plays perfectly here: every move it makes is proved best."
        } else {
            "It doesn't play perfectly here."
        };
        let text = format!("{} {perfect}", kind.description(Some(self.variant)));
        let rows = inner.rows().skip(usize::from(count) + 1).take(3);
        for (row, line) in rows.zip(wrap(&text, inner.width)) {
            Line::styled(line, theme.text()).render(row, buf);
        }
        let last = Rect {
            y: inner.bottom().saturating_sub(1),
            height: 1.min(inner.height),
            ..inner
        };
        let last = Rect {
            x: last.x.saturating_sub(1),
            ..last
        };
        self.keys.render(&list_key_hints(), theme, last, buf);
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
