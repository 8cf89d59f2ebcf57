//! Rows to pick one from: which is selected, and which of them are seen.

use crossterm::event::{KeyCode, KeyEvent, MouseEvent, MouseEventKind};
use ratatui::layout::Rect;

use crate::tui::widgets::click_map::Clicks;

pub(crate) struct SelectList {
    many: usize,
    selected: usize,
    /// The first that is seen.
    top: usize,
    /// How many are seen.
    room: usize,
    /// How many lines each takes.
    height: u16,
    clicks: Clicks<usize>,
}

impl SelectList {
    pub(crate) fn new(many: usize) -> SelectList {
        SelectList {
            many,
            selected: 0,
            top: 0,
            room: 1,
            height: 1,
            clicks: Clicks::new(),
        }
    }

    /// Each takes so many lines.
    pub(crate) fn tall(mut self, height: u16) -> SelectList {
        self.height = height.max(1);
        self
    }

    pub(crate) fn selected(&self) -> usize {
        self.selected
    }

    pub(crate) fn select(&mut self, at: usize) {
        self.selected = at.min(self.many.saturating_sub(1));
    }

    /// There are so many now.
    pub(crate) fn set_len(&mut self, many: usize) {
        self.many = many;
        self.select(self.selected);
    }

    /// Is it a key for rows? Then it is done.
    pub(crate) fn handle_key(&mut self, key: KeyEvent) -> bool {
        let at = self.selected;
        match key.code {
            KeyCode::Up | KeyCode::Char('k') => self.select(at.saturating_sub(1)),
            KeyCode::Down | KeyCode::Char('j') => self.select(at + 1),
            KeyCode::PageUp => self.select(at.saturating_sub(self.room)),
            KeyCode::PageDown => self.select(at + self.room),
            KeyCode::Home => self.select(0),
            KeyCode::End => self.select(self.many),
            _ => return false,
        }
        true
    }

    /// The row that was clicked, which is selected now. The wheel moves on.
    pub(crate) fn handle_mouse(&mut self, mouse: MouseEvent) -> Option<usize> {
        match mouse.kind {
            MouseEventKind::ScrollUp => self.select(self.selected.saturating_sub(1)),
            MouseEventKind::ScrollDown => self.select(self.selected + 1),
            _ => {
                let clicked = self.clicks.click(mouse)?;
                self.select(clicked);
                return Some(clicked);
            }
        }
        None
    }

    /// The rows that are seen, each with its place; the selected one is among them.
    pub(crate) fn visible_rows(&mut self, area: Rect) -> Vec<(usize, Rect)> {
        self.room = usize::from(area.height / self.height).max(1);
        if self.selected < self.top {
            self.top = self.selected;
        }
        if self.selected >= self.top + self.room {
            self.top = self.selected + 1 - self.room;
        }
        // No empty place at the end while there is more above.
        self.top = self.top.min(self.many.saturating_sub(self.room));
        self.clicks.clear();
        let places = area.rows().step_by(self.height.into()).map(|row| Rect {
            height: self.height.min(area.bottom() - row.y),
            ..row
        });
        let shown = self.top..self.many.min(self.top + self.room);
        let seen: Vec<(usize, Rect)> = shown.zip(places).collect();
        for &(at, place) in &seen {
            self.clicks.add(place, at);
        }
        seen
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_selected_row_is_always_seen() {
        for room in [1, 2, 5, 20] {
            let mut rows = SelectList::new(12);
            let keys = [
                KeyCode::Down,
                KeyCode::PageDown,
                KeyCode::End,
                KeyCode::Down,
                KeyCode::Up,
                KeyCode::PageUp,
                KeyCode::Home,
                KeyCode::Up,
            ];
            for key in keys {
                assert!(rows.handle_key(key.into()));
                let seen = rows.visible_rows(Rect::new(3, 1, 10, room));
                assert_eq!(seen.len(), usize::from(room).min(12));
                let at = seen.iter().find(|(at, _)| *at == rows.selected());
                assert!(at.is_some(), "{key:?} in {room}");
            }
        }
    }

    #[test]
    fn tall_rows_take_their_lines() {
        let mut rows = SelectList::new(5).tall(3);
        rows.select(4);
        let seen = rows.visible_rows(Rect::new(0, 1, 10, 8));
        let lines: Vec<_> = seen
            .iter()
            .map(|(at, row)| (*at, row.y, row.height))
            .collect();
        assert_eq!(lines, [(3, 1, 3), (4, 4, 3)]);
    }

    #[test]
    fn no_rows_are_no_trouble() {
        let mut rows = SelectList::new(0);
        rows.handle_key(KeyCode::Down.into());
        assert_eq!(rows.selected(), 0);
        assert!(rows.visible_rows(Rect::new(0, 0, 5, 5)).is_empty());
        assert!(rows.visible_rows(Rect::ZERO).is_empty());
    }
}
