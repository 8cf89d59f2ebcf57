//! Lines of two weights that join wherever they meet.

use ratatui::layout::Rect;
use ratatui::style::Style;

use super::canvas::Canvas;
use crate::tui::theme::Theme;

/// How heavy a line is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Weight {
    Light = 1,
    Heavy = 2,
}

/// What goes through a place: the weights of the arms up, right, down and left.
#[derive(Clone, Copy, Default)]
struct Joint {
    arms: [u8; 4],
    style: Style,
}

/// Lines that are collected, then drawn at once.
pub(super) struct Lines {
    area: Rect,
    joints: Vec<Joint>,
}

/// The character for every meeting of lines. Its place is its arms read as a number
/// to the base 3: up, right, down, left; 0 none, 1 light, 2 heavy.
const JOINS: &str = concat!(
    " ╴╸╷┐┑╻┒┓╶─╾┌┬┭┎┰┱╺╼━┍┮┯┏┲┳",
    "╵┘┙│┤┥╽┧┪└┴┵├┼┽┟╁╅┕┶┷┝┾┿┢╆╈",
    "╹┚┛╿┦┩┃┨┫┖┸┹┞╀╃┠╂╉┗┺┻┡╄╇┣╊╋",
);

impl Lines {
    /// A sheet for lines in this area.
    pub(super) fn new(area: Rect) -> Lines {
        let places = usize::from(area.width) * usize::from(area.height);
        Lines {
            area,
            joints: vec![Joint::default(); places],
        }
    }

    fn joint(&mut self, x: u16, y: u16) -> Option<&mut Joint> {
        if !self.area.contains((x, y).into()) {
            return None;
        }
        let slot = usize::from(y - self.area.y) * usize::from(self.area.width)
            + usize::from(x - self.area.x);
        self.joints.get_mut(slot)
    }

    fn stroke(&mut self, from: (u16, u16), to: (u16, u16), weight: Weight, style: Style) {
        let across = from.1 == to.1;
        let (start, end) = if across {
            (from.0, to.0)
        } else {
            (from.1, to.1)
        };
        for n in start..=end {
            let (x, y) = if across { (n, from.1) } else { (from.0, n) };
            // Arms point towards the rest of the line.
            let (back, forth) = if across { (3, 1) } else { (0, 2) };
            let Some(joint) = self.joint(x, y) else {
                continue;
            };
            let weight = weight as u8;
            if joint.arms.iter().all(|&arm| arm <= weight) {
                joint.style = style;
            }
            if n > start {
                joint.arms[back] = joint.arms[back].max(weight);
            }
            if n < end {
                joint.arms[forth] = joint.arms[forth].max(weight);
            }
        }
    }

    /// A line from left to right.
    pub(super) fn horizontal(&mut self, y: u16, from: u16, to: u16, weight: Weight, style: Style) {
        self.stroke((from, y), (to, y), weight, style);
    }

    /// A line from top to bottom.
    pub(super) fn vertical(&mut self, x: u16, from: u16, to: u16, weight: Weight, style: Style) {
        self.stroke((x, from), (x, to), weight, style);
    }

    /// The border of a rectangle, drawn on its outermost places.
    pub(super) fn frame(&mut self, rect: Rect, weight: Weight, style: Style) {
        let (right, bottom) = (
            rect.right().saturating_sub(1),
            rect.bottom().saturating_sub(1),
        );
        self.horizontal(rect.y, rect.x, right, weight, style);
        self.horizontal(bottom, rect.x, right, weight, style);
        self.vertical(rect.x, rect.y, bottom, weight, style);
        self.vertical(right, rect.y, bottom, weight, style);
    }

    pub(super) fn draw(&self, look: &Theme, sheet: &mut Canvas<'_>) {
        let width = usize::from(self.area.width.max(1));
        for (slot, joint) in self.joints.iter().enumerate() {
            if joint.arms != [0; 4] {
                let x = self.area.x + (slot % width) as u16;
                let y = self.area.y + (slot / width) as u16;
                sheet.put(x, y, character(joint.arms, look), joint.style);
            }
        }
    }
}

fn character(arms: [u8; 4], look: &Theme) -> char {
    if look.ascii() {
        let heavy = arms.contains(&2);
        return match arms {
            [0, _, 0, _] if heavy => '=',
            [0, _, 0, _] => '-',
            _ if heavy => '#',
            [_, 0, _, 0] => '|',
            _ => '+',
        };
    }
    let place = arms.iter().fold(0, |sum, &arm| sum * 3 + usize::from(arm));
    JOINS.chars().nth(place).unwrap_or('+')
}

/// A frame that is not there yet, over whatever is drawn there.
pub(super) fn draw_ghost_frame(rect: Rect, style: Style, look: &Theme, sheet: &mut Canvas<'_>) {
    let signs = look.symbols();
    if rect.is_empty() {
        return;
    }
    let (right, bottom) = (rect.right() - 1, rect.bottom() - 1);
    for x in rect.left()..rect.right() {
        sheet.put(x, rect.y, signs.ghost_edges[0], style);
        sheet.put(x, bottom, signs.ghost_edges[0], style);
    }
    for y in rect.top()..rect.bottom() {
        sheet.put(rect.x, y, signs.ghost_edges[1], style);
        sheet.put(right, y, signs.ghost_edges[1], style);
    }
    let corners = [
        (rect.x, rect.y),
        (right, rect.y),
        (rect.x, bottom),
        (right, bottom),
    ];
    for ((x, y), sign) in corners.into_iter().zip(signs.ghost_corners) {
        sheet.put(x, y, sign, style);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_meeting_has_its_character() {
        assert_eq!(JOINS.chars().count(), 81);
        let look = Theme::new(
            crate::tui::theme::Colours::None,
            crate::tui::theme::Ground::Terminal,
            false,
        );
        for (arms, expected) in [
            ([0, 1, 0, 1], '─'),
            ([2, 0, 2, 0], '┃'),
            ([0, 1, 1, 0], '┌'),
            ([2, 2, 2, 2], '╋'),
            ([1, 2, 1, 0], '┝'),
            ([2, 1, 2, 1], '╂'),
        ] {
            assert_eq!(character(arms, &look), expected);
        }
    }
}
