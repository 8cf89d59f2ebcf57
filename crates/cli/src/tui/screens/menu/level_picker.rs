//! Which computer is to play: all levels of the game, each with its honest sentence.

use crossterm::event::{KeyCode, KeyEvent, MouseEvent};
use noughts_engine::{BotKind, Tablebases};
use noughts_rules::Variant;
use ratatui::Frame;
use ratatui::layout::{Constraint, Rect};
use ratatui::text::{Line, Span};
use ratatui::widgets::Widget;

use super::player_choice::levels;
use crate::tui::theme::Theme;
use crate::tui::widgets::{KeyLine, KeyWord, Picked, SelectList, popup_frame, truncate, wrap};

pub(super) struct LevelPicker {
    number: usize,
    variant: Variant,
    levels: Vec<BotKind>,
    rows: SelectList,
    keys: KeyLine,
}

impl LevelPicker {
    pub(super) fn new(number: usize, variant: Variant, now: BotKind) -> LevelPicker {
        let levels = levels(variant);
        let mut rows = SelectList::new(levels.len());
        rows.select(levels.iter().position(|&kind| kind == now).unwrap_or(0));
        LevelPicker {
            number,
            variant,
            levels,
            rows,
            keys: KeyLine::new(),
        }
    }

    /// Which player it is for.
    pub(super) fn player(&self) -> usize {
        self.number
    }

    fn picked(&self, at: usize) -> Picked<BotKind> {
        self.levels
            .get(at)
            .map_or(Picked::Pending, |&kind| Picked::Chosen(kind))
    }

    pub(super) fn handle_key(&mut self, key: KeyEvent) -> Picked<BotKind> {
        match key.code {
            KeyCode::Esc => Picked::Canceled,
            KeyCode::Enter | KeyCode::Char(' ') => self.picked(self.rows.selected()),
            _ => {
                self.rows.handle_key(key);
                Picked::Pending
            }
        }
    }

    pub(super) fn handle_mouse(&mut self, mouse: MouseEvent) -> Picked<BotKind> {
        if let Some(key) = self.keys.handle_mouse(mouse) {
            return self.handle_key(key);
        }
        let clicked = self.rows.handle_mouse(mouse);
        clicked.map_or(Picked::Pending, |at| self.picked(at))
    }

    pub(super) fn draw(&mut self, frame: &mut Frame, look: &Theme, tables: &Tablebases) {
        const NAME: u16 = 14;
        const PERFECT: u16 = 10;
        let area = frame.area();
        let buf = frame.buffer_mut();
        let width = area.width.saturating_sub(4).min(100);
        let many = self.levels.len() as u16;
        let title = format!("Player {}: which computer?", self.number + 1);
        let height = many + 10;
        let inside = self::popup_frame(look, &title, Constraint::Length(width), height, area, buf);
        let list = Rect {
            // The last row is for the keys.
            height: many.min(inside.height.saturating_sub(1)),
            ..inside
        };
        for (at, row) in self.rows.visible_rows(list) {
            let kind = self.levels[at];
            let selected = at == self.rows.selected();
            let sign = if selected { look.pointer() } else { " " };
            let style = if selected {
                look.selected()
            } else {
                look.text()
            };
            let dim = if selected { style } else { look.dim() };
            let perfect = if kind.is_perfect(self.variant, tables) {
                "perfect"
            } else {
                ""
            };
            let room = row.width.saturating_sub(NAME + PERFECT);
            let sentence = truncate(&kind.description(Some(self.variant)), room, look.ellipsis());
            buf.set_style(row, style);
            Line::from_iter([
                Span::raw(format!(
                    "{sign} {:<width$}",
                    kind.name(),
                    width = usize::from(NAME) - 2
                )),
                Span::styled(
                    format!("{perfect:<width$}", width = usize::from(PERFECT)),
                    if selected { style } else { look.good() },
                ),
                Span::styled(sentence, dim),
            ])
            .style(style)
            .render(row, buf);
        }
        self.draw_sentence(look, inside, many, tables, buf);
    }

    /// What the selected one is, in full, and the keys.
    fn draw_sentence(
        &mut self,
        look: &Theme,
        inside: Rect,
        many: u16,
        tables: &Tablebases,
        buf: &mut ratatui::buffer::Buffer,
    ) {
        let Some(&kind) = self.levels.get(self.rows.selected()) else {
            return;
        };
        let perfect = if kind.is_perfect(self.variant, tables) {
            "Every one of its moves here is proved to be as good as any."
        } else {
            "It is not perfect here."
        };
        let text = format!("{} {perfect}", kind.description(Some(self.variant)));
        let rows = inside.rows().skip(usize::from(many) + 1).take(3);
        for (row, line) in rows.zip(wrap(&text, inside.width)) {
            Line::styled(line, look.text()).render(row, buf);
        }
        let last = Rect {
            y: inside.bottom().saturating_sub(1),
            height: 1.min(inside.height),
            ..inside
        };
        let last = Rect {
            x: last.x.saturating_sub(1),
            ..last
        };
        self.keys.render(&take_or_back(), look, last, buf);
    }
}

/// The keys of a list.
pub(super) fn take_or_back() -> [KeyWord; 3] {
    [
        KeyWord::new("Enter", "take it", KeyCode::Enter),
        KeyWord::new("arrows", "pick one", KeyCode::Down),
        KeyWord::new("Esc", "back", KeyCode::Esc),
    ]
}
