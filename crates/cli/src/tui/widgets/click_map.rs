//! Where a screen can be clicked, recorded while it is drawn.

use crossterm::event::{MouseButton, MouseEvent, MouseEventKind};
use ratatui::layout::{Position, Rect};

/// Clickable areas and their meanings. A click is a press and a release in the same area, so that a
/// dialog that opens under a pressed button isn't clicked.
pub(crate) struct ClickMap<T> {
    areas: Vec<(Rect, T)>,
    pressed: Option<T>,
}

impl<T> Default for ClickMap<T> {
    fn default() -> ClickMap<T> {
        ClickMap {
            areas: Vec::new(),
            pressed: None,
        }
    }
}

impl<T: Copy + PartialEq> ClickMap<T> {
    /// Removes all areas, before the screen is drawn again.
    pub(crate) fn clear(&mut self) {
        self.areas.clear();
    }

    /// Later areas lie on top of earlier ones.
    pub(crate) fn add(&mut self, area: Rect, target: T) {
        self.areas.push((area, target));
    }

    /// The target at a position.
    pub(crate) fn target_at(&self, column: u16, row: u16) -> Option<T> {
        let position = Position::new(column, row);
        let mut areas = self.areas.iter().rev();
        let hit = areas.find(|(area, _)| area.contains(position));
        hit.map(|&(_, target)| target)
    }

    /// The clicked target, when the button is released.
    pub(crate) fn click(&mut self, mouse: MouseEvent) -> Option<T> {
        let target = self.target_at(mouse.column, mouse.row);
        match mouse.kind {
            MouseEventKind::Down(MouseButton::Left) => {
                self.pressed = target;
                None
            }
            MouseEventKind::Up(MouseButton::Left) => {
                let pressed = self.pressed.take();
                target.filter(|_| target == pressed)
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
    fn a_click_starts_and_ends_in_one_area() {
        let mut click_map = ClickMap::default();
        click_map.add(Rect::new(0, 0, 10, 3), 'a');
        click_map.add(Rect::new(2, 1, 3, 1), 'b');
        let down = MouseEventKind::Down(MouseButton::Left);
        let up = MouseEventKind::Up(MouseButton::Left);
        assert_eq!(click_map.click(mouse(down, 3, 1)), None);
        assert_eq!(click_map.click(mouse(up, 4, 1)), Some('b'));
        assert_eq!(click_map.click(mouse(up, 4, 1)), None, "released twice");
        assert_eq!(click_map.click(mouse(down, 3, 1)), None);
        assert_eq!(click_map.click(mouse(up, 0, 0)), None, "moved away");
        assert_eq!(click_map.click(mouse(down, 50, 50)), None);
        assert_eq!(click_map.click(mouse(up, 50, 50)), None, "nothing there");
    }
}
