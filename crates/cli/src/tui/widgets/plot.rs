//! A plot of a game's values: X's advantage at the top, O's at the bottom. Proved values are solid,
//! estimates hollow and dotted, and mistakes are marked.

use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};
use ratatui::style::Style;

use noughts_rules::Side;

use crate::tui::theme::Theme;
use noughts_text::ValueForX;

/// The value at one ply.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub(crate) struct PlotPoint {
    /// `None` if it hasn't been analyzed yet.
    pub(crate) value: Option<ValueForX>,
    /// The move that led here was a mistake.
    pub(crate) mistake: bool,
}

/// Remembers where it was drawn.
#[derive(Default)]
pub(crate) struct ValuePlot {
    area: Rect,
    count: usize,
}

/// `X ┤`
const AXIS: u16 = 3;

impl ValuePlot {
    /// Draws the points. `ply` is the position on the board.
    pub(crate) fn render(
        &mut self,
        points: &[PlotPoint],
        ply: usize,
        theme: &Theme,
        area: Rect,
        buf: &mut Buffer,
    ) {
        self.count = points.len();
        self.area = Rect {
            x: area.x + AXIS.min(area.width),
            width: area.width.saturating_sub(AXIS),
            ..area
        };
        if self.area.is_empty() || points.is_empty() {
            return;
        }
        self.draw_axis(theme, area, buf);
        self.draw_current_line(ply, theme, buf);
        let mut dots = Dots::new(self.area);
        for (i, pair) in points.windows(2).enumerate() {
            if let [Some(one), Some(two)] = [pair[0].value, pair[1].value] {
                let solid = one.is_exact() && two.is_exact();
                let [one, two] = [one, two].map(ValueForX::expected_result);
                dots.line(self.dot(i, one), self.dot(i + 1, two), solid);
            }
        }
        dots.render(theme, buf);
        self.draw_points(points, ply, theme, buf);
    }

    fn draw_axis(&self, theme: &Theme, area: Rect, buf: &mut Buffer) {
        let [side, middle, across] = theme.pick(['│', '┼', '┈'], ['|', '+', '-']);
        let rows = area.height;
        for y in area.top()..area.bottom() {
            let x = area.x + 2;
            put(buf, x, y, side, theme.hairline());
        }
        let zero = area.y + rows / 2;
        put(buf, area.x + 2, zero, middle, theme.hairline());
        for x in self.area.left()..self.area.right() {
            put(buf, x, zero, across, theme.hairline());
        }
        put(buf, area.x, area.y, 'X', theme.side(Side::X));
        if rows > 1 {
            put(buf, area.x, area.bottom() - 1, 'O', theme.side(Side::O));
        }
        if rows > 2 {
            put(buf, area.x, zero, '=', theme.dim());
        }
    }

    /// The vertical line at the current position.
    fn draw_current_line(&self, ply: usize, theme: &Theme, buf: &mut Buffer) {
        let symbol = theme.pick('│', '|');
        let (x, _) = self.cell(ply, 0.0);
        for y in self.area.top()..self.area.bottom() {
            put(buf, x, y, symbol, theme.accent());
        }
    }

    /// Draws symbols for points where there is room, and for mistakes and the current position
    /// anyway.
    fn draw_points(&self, points: &[PlotPoint], ply: usize, theme: &Theme, buf: &mut Buffer) {
        let has_room = usize::from(self.area.width) >= 2 * points.len();
        for (i, point) in points.iter().enumerate() {
            let Some(value) = point.value else {
                continue;
            };
            if !(has_room || point.mistake || i == ply) {
                continue;
            }
            let (x, y) = self.cell(i, value.expected_result());
            let (symbol, style) = point_symbol(theme, *point, value);
            let style = if i == ply { theme.accent() } else { style };
            put(buf, x, y, symbol, style);
        }
    }

    /// The dot of a point: x by ply, y from X's best to O's best.
    fn dot(&self, i: usize, expected_result: f64) -> (usize, usize) {
        let max_x = usize::from(self.area.width) * 2 - 1;
        let max_y = usize::from(self.area.height) * 4 - 1;
        let x = match self.count {
            0 | 1 => 0,
            count => i * max_x / (count - 1),
        };
        let down = (1.0 - expected_result.clamp(-1.0, 1.0)) / 2.0;
        (x, (down * max_y as f64).round() as usize)
    }

    fn cell(&self, i: usize, expected_result: f64) -> (u16, u16) {
        let (x, y) = self.dot(i, expected_result);
        (self.area.x + (x / 2) as u16, self.area.y + (y / 4) as u16)
    }

    /// The point at a screen position.
    pub(crate) fn point_at(&self, column: u16, row: u16) -> Option<usize> {
        if !self.area.contains(Position::new(column, row)) || self.count == 0 {
            return None;
        }
        let across = usize::from(column - self.area.x);
        let max_x = usize::from(self.area.width.saturating_sub(1)).max(1);
        Some((across * (self.count - 1) + max_x / 2) / max_x)
    }
}

fn point_symbol(theme: &Theme, point: PlotPoint, value: ValueForX) -> (char, Style) {
    let style = theme.value(value.value_for(Side::X));
    if point.mistake {
        return ('?', theme.error());
    }
    let symbol = match value.is_exact() {
        true => theme.pick('●', '*'),
        false => theme.pick('○', 'o'),
    };
    (symbol, style)
}

fn put(buf: &mut Buffer, x: u16, y: u16, symbol: char, style: Style) {
    if let Some(cell) = buf.cell_mut((x, y)) {
        cell.set_char(symbol).set_style(style);
    }
}

/// A bitmap of two by four dots per cell.
struct Dots {
    area: Rect,
    cells: Vec<u8>,
}

/// The bits of a braille character, row by row.
const BITS: [[u8; 2]; 4] = [[0x01, 0x08], [0x02, 0x10], [0x04, 0x20], [0x40, 0x80]];

impl Dots {
    fn new(area: Rect) -> Dots {
        Dots {
            area,
            cells: vec![0; usize::from(area.width) * usize::from(area.height)],
        }
    }

    fn set(&mut self, x: usize, y: usize) {
        let index = y / 4 * usize::from(self.area.width) + x / 2;
        if let Some(cell) = self.cells.get_mut(index) {
            *cell |= BITS[y % 4][x % 2];
        }
    }

    /// A dotted line leaves out every other pair of dots.
    fn line(&mut self, from: (usize, usize), to: (usize, usize), solid: bool) {
        let across = to.0.abs_diff(from.0);
        let down = to.1.abs_diff(from.1);
        let steps = across.max(down).max(1);
        for step in 0..=steps {
            if !solid && step % 4 >= 2 {
                continue;
            }
            let along = |from: usize, to: usize| {
                let (from, to) = (from as f64, to as f64);
                (from + (to - from) * step as f64 / steps as f64).round() as usize
            };
            self.set(along(from.0, to.0), along(from.1, to.1));
        }
    }

    fn render(&self, theme: &Theme, buf: &mut Buffer) {
        let cells = self.area.positions().zip(&self.cells);
        for (position, &bits) in cells.filter(|&(_, &bits)| bits != 0) {
            let braille = char::from_u32(0x2800 + u32::from(bits)).unwrap_or('.');
            let symbol = theme.pick(braille, '.');
            put(buf, position.x, position.y, symbol, theme.text());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tui::theme::{Background, ColorDepth};
    use noughts_engine::{ExactValue, Value};

    fn drawn(values: &[Value], ply: usize, ascii: bool) -> (ValuePlot, String) {
        let points: Vec<PlotPoint> = values
            .iter()
            .map(|&value| PlotPoint {
                value: Some(ValueForX::from_side(value, Side::X)),
                mistake: false,
            })
            .collect();
        let theme = Theme::new(ColorDepth::None, Background::Terminal, ascii);
        let area = Rect::new(0, 0, 23, 5);
        let mut buf = Buffer::empty(area);
        let mut plot = ValuePlot::default();
        plot.render(&points, ply, &theme, area, &mut buf);
        let rows: Vec<String> = area
            .rows()
            .map(|row| {
                row.positions()
                    .map(|position| buf[position].symbol())
                    .collect()
            })
            .collect();
        (plot, rows.join("\n"))
    }

    #[test]
    fn proved_and_estimated_points_differ() {
        let estimate = |mean| Value::Estimate { mean, error: 0.1 };
        for ascii in [false, true] {
            let exact = [ExactValue::DRAW, ExactValue::win(3)].map(Value::Exact);
            let (_, proved) = drawn(&exact, 9, ascii);
            let (_, estimated) = drawn(&[estimate(0.0), estimate(1.0)], 9, ascii);
            let [solid, hollow] = if ascii { ['*', 'o'] } else { ['●', '○'] };
            assert!(
                proved.contains(solid) && !proved.contains(hollow),
                "{proved}"
            );
            assert!(
                estimated.contains(hollow) && !estimated.contains(solid),
                "{estimated}"
            );
        }
    }

    #[test]
    fn clicks_hit_the_drawn_points() {
        let values: Vec<Value> = (0..7).map(|_| Value::Exact(ExactValue::DRAW)).collect();
        let (plot, _) = drawn(&values, 0, false);
        for i in 0..7 {
            let (x, y) = plot.cell(i, 0.0);
            assert_eq!(plot.point_at(x, y), Some(i));
        }
        assert_eq!(plot.point_at(0, 0), None);
    }
}
