//! Box-drawing lines of two weights that join where they meet.

use ratatui::layout::Rect;
use ratatui::style::Style;

use super::canvas::BoardCanvas;
use crate::tui::theme::Theme;

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum LineWeight {
    Light = 1,
    Heavy = 2,
}

/// The weights of the four arms of one character: up, right, down and left.
#[derive(Clone, Copy, Default)]
struct Joint {
    arms: [u8; 4],
    style: Style,
}

/// Collects lines and draws them at once.
pub(super) struct GridLines {
    area: Rect,
    joints: Vec<Joint>,
}

/// The box-drawing character for each combination of arms. The index is the arms as a base-3
/// number: up, right, down, left; 0 none, 1 light, 2 heavy.
const BOX_CHARACTERS: &str = concat!(
    " ╴╸╷┐┑╻┒┓╶─╾┌┬┭┎┰┱╺╼━┍┮┯┏┲┳",
    "╵┘┙│┤┥╽┧┪└┴┵├┼┽┟╁╅┕┶┷┝┾┿┢╆╈",
    "╹┚┛╿┦┩┃┨┫┖┸┹┞╀╃┠╂╉┗┺┻┡╄╇┣╊╋",
);

impl GridLines {
    pub(super) fn new(area: Rect) -> GridLines {
        let places = usize::from(area.width) * usize::from(area.height);
        GridLines {
            area,
            joints: vec![Joint::default(); places],
        }
    }

    fn joint(&mut self, x: u16, y: u16) -> Option<&mut Joint> {
        if !self.area.contains((x, y).into()) {
            return None;
        }
        let index = usize::from(y - self.area.y) * usize::from(self.area.width)
            + usize::from(x - self.area.x);
        self.joints.get_mut(index)
    }

    /// A horizontal or vertical line, drawn to the right or down.
    pub(super) fn add(
        &mut self,
        from: (u16, u16),
        to: (u16, u16),
        weight: LineWeight,
        style: Style,
    ) {
        let across = from.1 == to.1;
        let (start, end) = if across {
            (from.0, to.0)
        } else {
            (from.1, to.1)
        };
        for n in start..=end {
            let (x, y) = if across { (n, from.1) } else { (from.0, n) };
            // Arms point toward the rest of the line.
            let (backward, forward) = if across { (3, 1) } else { (0, 2) };
            let Some(joint) = self.joint(x, y) else {
                continue;
            };
            let weight = weight as u8;
            if joint.arms.iter().all(|&arm| arm <= weight) {
                joint.style = style;
            }
            if n > start {
                joint.arms[backward] = joint.arms[backward].max(weight);
            }
            if n < end {
                joint.arms[forward] = joint.arms[forward].max(weight);
            }
        }
    }

    /// The border of a rectangle, along its outermost cells.
    pub(super) fn frame(&mut self, rect: Rect, weight: LineWeight, style: Style) {
        let [top_left, top_right, bottom_left, bottom_right] = corners(rect);
        self.add(top_left, top_right, weight, style);
        self.add(bottom_left, bottom_right, weight, style);
        self.add(top_left, bottom_left, weight, style);
        self.add(top_right, bottom_right, weight, style);
    }

    pub(super) fn draw(&self, canvas: &mut BoardCanvas<'_>) {
        let width = usize::from(self.area.width.max(1));
        for (index, joint) in self.joints.iter().enumerate() {
            if joint.arms != [0; 4] {
                let x = self.area.x + (index % width) as u16;
                let y = self.area.y + (index / width) as u16;
                canvas.put(x, y, character(joint.arms, canvas.theme), joint.style);
            }
        }
    }
}

fn character(arms: [u8; 4], theme: &Theme) -> char {
    if theme.ascii() {
        let heavy = arms.contains(&2);
        return match arms {
            [0, _, 0, _] if heavy => '=',
            [0, _, 0, _] => '-',
            _ if heavy => '#',
            [_, 0, _, 0] => '|',
            _ => '+',
        };
    }
    let index = arms.iter().fold(0, |acc, &arm| acc * 3 + usize::from(arm));
    BOX_CHARACTERS.chars().nth(index).unwrap_or('+')
}

/// The corners of a rectangle: the upper ones, then the lower ones.
pub(super) fn corners(rect: Rect) -> [(u16, u16); 4] {
    let (right, bottom) = (
        rect.right().saturating_sub(1),
        rect.bottom().saturating_sub(1),
    );
    [
        (rect.x, rect.y),
        (right, rect.y),
        (rect.x, bottom),
        (right, bottom),
    ]
}

/// Draws a dashed frame over whatever is there: a preview of a move.
pub(super) fn draw_ghost_frame(rect: Rect, style: Style, canvas: &mut BoardCanvas<'_>) {
    let symbols = canvas.theme.symbols();
    if rect.is_empty() {
        return;
    }
    let (right, bottom) = (rect.right() - 1, rect.bottom() - 1);
    for x in rect.left()..rect.right() {
        canvas.put(x, rect.y, symbols.ghost_edges[0], style);
        canvas.put(x, bottom, symbols.ghost_edges[0], style);
    }
    for y in rect.top()..rect.bottom() {
        canvas.put(rect.x, y, symbols.ghost_edges[1], style);
        canvas.put(right, y, symbols.ghost_edges[1], style);
    }
    for ((x, y), symbol) in corners(rect).into_iter().zip(symbols.ghost_corners) {
        canvas.put(x, y, symbol, style);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_junction_has_a_box_drawing_character() {
        assert_eq!(BOX_CHARACTERS.chars().count(), 81);
        let theme = Theme::new(
            crate::tui::theme::ColorDepth::None,
            crate::tui::theme::Background::Terminal,
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
            assert_eq!(character(arms, &theme), expected);
        }
    }
}
