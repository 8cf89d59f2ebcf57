//! A scrolling list with a selected row.

use crossterm::event::{KeyCode, KeyEvent, MouseEvent, MouseEventKind};
use ratatui::layout::Rect;

use crate::tui::widgets::click_map::ClickMap;

pub(crate) struct SelectList {
    len: usize,
    selected: usize,
    /// The first visible row.
    first: usize,
    /// The number of visible rows.
    visible_count: usize,
    /// The lines per row.
    height: u16,
    click_map: ClickMap<usize>,
}

impl SelectList {
    pub(crate) fn new(len: usize) -> SelectList {
        SelectList {
            len,
            selected: 0,
            first: 0,
            visible_count: 1,
            height: 1,
            click_map: ClickMap::new(),
        }
    }

    pub(crate) fn with_row_height(mut self, height: u16) -> SelectList {
        self.height = height.max(1);
        self
    }

    pub(crate) fn selected(&self) -> usize {
        self.selected
    }

    pub(crate) fn select(&mut self, index: usize) {
        self.selected = index.min(self.len.saturating_sub(1));
    }

    pub(crate) fn set_len(&mut self, len: usize) {
        self.len = len;
        self.select(self.selected);
    }

    /// Handles a key; returns false if the key isn't for a list.
    pub(crate) fn handle_key(&mut self, key: KeyEvent) -> bool {
        let index = self.selected;
        match key.code {
            KeyCode::Up | KeyCode::Char('k') => self.select(index.saturating_sub(1)),
            KeyCode::Down | KeyCode::Char('j') => self.select(index + 1),
            KeyCode::PageUp => self.select(index.saturating_sub(self.visible_count)),
            KeyCode::PageDown => self.select(index + self.visible_count),
            KeyCode::Home => self.select(0),
            KeyCode::End => self.select(self.len),
            _ => return false,
        }
        true
    }

    /// Selects a clicked row and returns it. The wheel moves the selection.
    pub(crate) fn handle_mouse(&mut self, mouse: MouseEvent) -> Option<usize> {
        match mouse.kind {
            MouseEventKind::ScrollUp => self.select(self.selected.saturating_sub(1)),
            MouseEventKind::ScrollDown => self.select(self.selected + 1),
            _ => {
                let clicked = self.click_map.click(mouse)?;
                self.select(clicked);
                return Some(clicked);
            }
        }
        None
    }

    /// The visible rows with their areas; the selected one is among them.
    pub(crate) fn visible_rows(&mut self, area: Rect) -> Vec<(usize, Rect)> {
        self.visible_count = usize::from(area.height / self.height).max(1);
        if self.selected < self.first {
            self.first = self.selected;
        }
        if self.selected >= self.first + self.visible_count {
            self.first = self.selected + 1 - self.visible_count;
        }
        // No empty space at the end while there are rows above.
        self.first = self.first.min(self.len.saturating_sub(self.visible_count));
        self.click_map.clear();
        let areas = area.rows().step_by(self.height.into()).map(|row| Rect {
            height: self.height.min(area.bottom() - row.y),
            ..row
        });
        let shown = self.first..self.len.min(self.first + self.visible_count);
        let visible: Vec<(usize, Rect)> = shown.zip(areas).collect();
        for &(index, area) in &visible {
            self.click_map.add(area, index);
        }
        visible
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_selected_row_is_always_visible() {
        for visible_count in [1, 2, 5, 20] {
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
                let visible = rows.visible_rows(Rect::new(3, 1, 10, visible_count));
                assert_eq!(visible.len(), usize::from(visible_count).min(12));
                let found = visible.iter().find(|(index, _)| *index == rows.selected());
                assert!(found.is_some(), "{key:?} in {visible_count}");
            }
        }
    }

    #[test]
    fn tall_rows_take_several_lines() {
        let mut rows = SelectList::new(5).with_row_height(3);
        rows.select(4);
        let visible = rows.visible_rows(Rect::new(0, 1, 10, 8));
        let lines: Vec<_> = visible
            .iter()
            .map(|(index, row)| (*index, row.y, row.height))
            .collect();
        assert_eq!(lines, [(3, 1, 3), (4, 4, 3)]);
    }

    #[test]
    fn an_empty_list_works() {
        let mut rows = SelectList::new(0);
        rows.handle_key(KeyCode::Down.into());
        assert_eq!(rows.selected(), 0);
        assert!(rows.visible_rows(Rect::new(0, 0, 5, 5)).is_empty());
        assert!(rows.visible_rows(Rect::ZERO).is_empty());
    }
}
