//! A scrolling list with a selected row, and the keys of its screen or dialog.

use crossterm::event::{KeyCode, KeyEvent, MouseEventKind};
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;

use crate::tui::event::Event;
use crate::tui::theme::Theme;
use crate::tui::widgets::click_map::ClickMap;
use crate::tui::widgets::key_hints::{KeyHint, KeyHintBar};

pub(crate) struct SelectList {
    len: usize,
    selected: usize,
    /// Is the selected row highlighted?
    pub(crate) focused: bool,
    /// The first visible row.
    first: usize,
    /// The number of visible rows.
    visible_count: usize,
    /// The lines per row.
    height: u16,
    click_map: ClickMap<usize>,
    key_hint_bar: KeyHintBar,
}

/// What an event means to the owner of a list.
pub(crate) enum ListInput {
    /// A key was pressed, or its hint was clicked.
    Key(KeyEvent),
    /// A row was clicked. It is selected now.
    Clicked(usize),
}

/// A visible row.
pub(crate) struct ListRow {
    pub(crate) index: usize,
    pub(crate) area: Rect,
    pub(crate) selected: bool,
    /// In front of the row's text.
    pub(crate) pointer: &'static str,
    pub(crate) style: Style,
}

impl ListRow {
    /// This style, unless the row is selected.
    pub(crate) fn style_or(&self, style: Style) -> Style {
        if self.selected { self.style } else { style }
    }
}

impl SelectList {
    pub(crate) fn new(len: usize) -> SelectList {
        SelectList {
            len,
            selected: 0,
            focused: true,
            first: 0,
            visible_count: 1,
            height: 1,
            click_map: ClickMap::default(),
            key_hint_bar: KeyHintBar::default(),
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

    /// A click selects a row, and the wheel moves the selection. Keys are left to the caller.
    pub(crate) fn handle_event(&mut self, event: &Event) -> Option<ListInput> {
        let mouse = match event {
            Event::Key(key) => return Some(ListInput::Key(*key)),
            Event::Mouse(mouse) => *mouse,
            _ => return None,
        };
        if let Some(key) = self.key_hint_bar.handle_mouse(mouse) {
            return Some(ListInput::Key(key));
        }
        match mouse.kind {
            MouseEventKind::ScrollUp => self.select(self.selected.saturating_sub(1)),
            MouseEventKind::ScrollDown => self.select(self.selected + 1),
            _ => {
                let clicked = self.click_map.click(mouse)?;
                self.select(clicked);
                return Some(ListInput::Clicked(clicked));
            }
        }
        None
    }

    /// The visible rows; the selected one is among them. Rows of one line already have their style,
    /// and the caller draws their texts.
    pub(crate) fn rows(&mut self, theme: &Theme, area: Rect, buf: &mut Buffer) -> Vec<ListRow> {
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
        let rows = shown.zip(areas).map(|(index, area)| {
            let selected = self.focused && index == self.selected;
            let (pointer, style) = theme.list_row(selected);
            if self.height == 1 {
                buf.set_style(area, style);
            }
            self.click_map.add(area, index);
            ListRow {
                index,
                area,
                selected,
                pointer,
                style,
            }
        });
        rows.collect()
    }

    /// Draws the keys that do something now.
    pub(crate) fn render_keys(
        &mut self,
        keys: &[KeyHint],
        theme: &Theme,
        area: Rect,
        buf: &mut Buffer,
    ) {
        self.key_hint_bar.render(keys, theme, area, buf);
    }

    /// Draws the keys in the last row of a dialog.
    pub(crate) fn render_dialog_keys(
        &mut self,
        keys: &[KeyHint],
        theme: &Theme,
        inner: Rect,
        buf: &mut Buffer,
    ) {
        let last = Rect {
            // The keys have their own margin.
            x: inner.x.saturating_sub(1),
            y: inner.bottom().saturating_sub(1),
            height: inner.height.min(1),
            ..inner
        };
        self.render_keys(keys, theme, last, buf);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tui::testing;

    fn visible_rows(rows: &mut SelectList, area: Rect) -> Vec<ListRow> {
        let mut buf = Buffer::empty(Rect::new(0, 0, 20, 30));
        rows.rows(&testing::theme(), area, &mut buf)
    }

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
                let visible = visible_rows(&mut rows, Rect::new(3, 1, 10, visible_count));
                assert_eq!(visible.len(), usize::from(visible_count).min(12));
                let found = visible.iter().find(|row| row.index == rows.selected());
                assert!(
                    found.is_some_and(|row| row.selected),
                    "{key:?} in {visible_count}"
                );
            }
        }
    }

    #[test]
    fn tall_rows_take_several_lines() {
        let mut rows = SelectList::new(5).with_row_height(3);
        rows.select(4);
        let visible = visible_rows(&mut rows, Rect::new(0, 1, 10, 8));
        let lines: Vec<_> = visible
            .iter()
            .map(|row| (row.index, row.area.y, row.area.height))
            .collect();
        assert_eq!(lines, [(3, 1, 3), (4, 4, 3)]);
    }

    #[test]
    fn an_empty_list_works() {
        let mut rows = SelectList::new(0);
        rows.handle_key(KeyCode::Down.into());
        assert_eq!(rows.selected(), 0);
        assert!(visible_rows(&mut rows, Rect::new(0, 0, 5, 5)).is_empty());
        assert!(visible_rows(&mut rows, Rect::ZERO).is_empty());
    }
}
