//! Where a screen can be clicked, noted while it is drawn.

use crossterm::event::{MouseButton, MouseEvent, MouseEventKind};
use ratatui::layout::{Position, Rect};

/// Places that mean something when they are clicked. A click is a press and a
/// release at the same place: what appears under a pressed button is not clicked.
pub(crate) struct Clicks<T> {
    places: Vec<(Rect, T)>,
    pressed: Option<T>,
}

impl<T: Copy + PartialEq> Clicks<T> {
    pub(crate) fn new() -> Clicks<T> {
        Clicks {
            places: Vec::new(),
            pressed: None,
        }
    }

    /// Forgets all places: the screen is drawn anew.
    pub(crate) fn clear(&mut self) {
        self.places.clear();
    }

    /// Later places lie above earlier ones.
    pub(crate) fn add(&mut self, place: Rect, meaning: T) {
        self.places.push((place, meaning));
    }

    /// What lies there.
    pub(crate) fn at(&self, column: u16, row: u16) -> Option<T> {
        let at = Position::new(column, row);
        let hit = self
            .places
            .iter()
            .rev()
            .find(|(place, _)| place.contains(at));
        hit.map(|&(_, meaning)| meaning)
    }

    /// What was clicked, when the button is released.
    pub(crate) fn click(&mut self, mouse: MouseEvent) -> Option<T> {
        let here = self.at(mouse.column, mouse.row);
        match mouse.kind {
            MouseEventKind::Down(MouseButton::Left) => {
                self.pressed = here;
                None
            }
            MouseEventKind::Up(MouseButton::Left) => {
                let pressed = self.pressed.take();
                here.filter(|_| here == pressed)
            }
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use crossterm::event::KeyModifiers;

    use super::*;

    fn mouse(kind: MouseEventKind, column: u16, row: u16) -> MouseEvent {
        MouseEvent {
            kind,
            column,
            row,
            modifiers: KeyModifiers::NONE,
        }
    }

    #[test]
    fn a_click_begins_and_ends_at_one_place() {
        let mut clicks = Clicks::new();
        clicks.add(Rect::new(0, 0, 10, 3), 'a');
        clicks.add(Rect::new(2, 1, 3, 1), 'b');
        let down = MouseEventKind::Down(MouseButton::Left);
        let up = MouseEventKind::Up(MouseButton::Left);
        assert_eq!(clicks.click(mouse(down, 3, 1)), None);
        assert_eq!(clicks.click(mouse(up, 4, 1)), Some('b'));
        assert_eq!(clicks.click(mouse(up, 4, 1)), None, "released twice");
        assert_eq!(clicks.click(mouse(down, 3, 1)), None);
        assert_eq!(clicks.click(mouse(up, 0, 0)), None, "moved away");
        assert_eq!(clicks.click(mouse(down, 50, 50)), None);
        assert_eq!(clicks.click(mouse(up, 50, 50)), None, "nothing there");
    }
}
