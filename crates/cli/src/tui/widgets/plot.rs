//! What a game was worth from move to move: X's side above, O's below. Proved points
//! and lines are solid, guesses hollow and dotted, mistakes carry their sign.

use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};
use ratatui::style::Style;

use noughts_rules::Side;

use crate::tui::theme::Theme;
use crate::tui::widgets::XRelativeValue;

/// One moment of the game.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub(crate) struct PlotPoint {
    /// Nothing as long as nobody has looked.
    pub(crate) value: Option<XRelativeValue>,
    /// The move that led here was a mistake.
    pub(crate) mistake: bool,
}

/// Remembers where it was drawn.
#[derive(Default)]
pub(crate) struct Plot {
    place: Rect,
    many: usize,
}

/// `X ┤`
const AXIS: u16 = 3;

impl Plot {
    /// Draws the points; `at` is the one that is shown on the board.
    pub(crate) fn render(
        &mut self,
        points: &[PlotPoint],
        at: usize,
        look: &Theme,
        area: Rect,
        buf: &mut Buffer,
    ) {
        self.many = points.len();
        self.place = Rect {
            x: area.x + AXIS.min(area.width),
            width: area.width.saturating_sub(AXIS),
            ..area
        };
        if self.place.is_empty() || points.is_empty() {
            return;
        }
        self.axis(look, area, buf);
        self.here(at, look, buf);
        let mut dots = Dots::new(self.place);
        for (i, pair) in points.windows(2).enumerate() {
            if let [Some(one), Some(two)] = [pair[0].value, pair[1].value] {
                let solid = one.is_exact() && two.is_exact();
                dots.line(self.dot(i, one), self.dot(i + 1, two), solid);
            }
        }
        dots.render(look, buf);
        self.marks(points, at, look, buf);
    }

    fn axis(&self, look: &Theme, area: Rect, buf: &mut Buffer) {
        let (side, middle, across) = if look.ascii() {
            ('|', '+', '-')
        } else {
            ('│', '┼', '┈')
        };
        let rows = area.height;
        for y in area.top()..area.bottom() {
            let x = area.x + 2;
            put(buf, x, y, side, look.hairline());
        }
        let zero = area.y + rows / 2;
        put(buf, area.x + 2, zero, middle, look.hairline());
        for x in self.place.left()..self.place.right() {
            put(buf, x, zero, across, look.hairline());
        }
        put(buf, area.x, area.y, 'X', look.side(Side::X));
        if rows > 1 {
            put(buf, area.x, area.bottom() - 1, 'O', look.side(Side::O));
        }
        if rows > 2 {
            put(buf, area.x, zero, '=', look.dim());
        }
    }

    /// The line through the moment that is shown.
    fn here(&self, at: usize, look: &Theme, buf: &mut Buffer) {
        let sign = if look.ascii() { '|' } else { '│' };
        let (x, _) = self.cell(at, 0.0);
        for y in self.place.top()..self.place.bottom() {
            put(buf, x, y, sign, look.accent());
        }
    }

    /// Signs on the line where there is room for them, and wherever they matter.
    fn marks(&self, points: &[PlotPoint], at: usize, look: &Theme, buf: &mut Buffer) {
        let roomy = usize::from(self.place.width) >= 2 * points.len();
        for (i, point) in points.iter().enumerate() {
            let Some(worth) = point.value else {
                continue;
            };
            if !(roomy || point.mistake || i == at) {
                continue;
            }
            let (x, y) = self.cell(i, worth.points());
            let (sign, style) = sign(look, *point, worth);
            let style = if i == at { look.accent() } else { style };
            put(buf, x, y, sign, style);
        }
    }

    /// Across, the dots of a point; down, from X's best to O's.
    fn dot(&self, i: usize, worth: XRelativeValue) -> (usize, usize) {
        let wide = usize::from(self.place.width) * 2 - 1;
        let high = usize::from(self.place.height) * 4 - 1;
        let x = match self.many {
            0 | 1 => 0,
            many => i * wide / (many - 1),
        };
        let down = (1.0 - worth.points().clamp(-1.0, 1.0)) / 2.0;
        (x, (down * high as f64).round() as usize)
    }

    fn cell(&self, i: usize, points: f64) -> (u16, u16) {
        let value = noughts_engine::Value::Estimate {
            mean: points,
            error: 0.0,
        };
        let (x, y) = self.dot(i, XRelativeValue::from_side(value, Side::X));
        (self.place.x + (x / 2) as u16, self.place.y + (y / 4) as u16)
    }

    /// The point at this place of the screen.
    pub(crate) fn point_at(&self, column: u16, row: u16) -> Option<usize> {
        if !self.place.contains(Position::new(column, row)) || self.many == 0 {
            return None;
        }
        let across = usize::from(column - self.place.x);
        let wide = usize::from(self.place.width.saturating_sub(1)).max(1);
        Some((across * (self.many - 1) + wide / 2) / wide)
    }
}

fn sign(look: &Theme, point: PlotPoint, worth: XRelativeValue) -> (char, Style) {
    let style = look.value(worth.value_for(Side::X));
    if point.mistake {
        return ('?', look.error());
    }
    let sign = match (look.ascii(), worth.is_exact()) {
        (false, true) => '●',
        (false, false) => '○',
        (true, true) => '*',
        (true, false) => 'o',
    };
    (sign, style)
}

fn put(buf: &mut Buffer, x: u16, y: u16, sign: char, style: Style) {
    if let Some(cell) = buf.cell_mut((x, y)) {
        cell.set_char(sign).set_style(style);
    }
}

/// A picture of two by four dots in each cell.
struct Dots {
    place: Rect,
    cells: Vec<u8>,
}

/// The bits of a braille sign, row by row.
const BITS: [[u8; 2]; 4] = [[0x01, 0x08], [0x02, 0x10], [0x04, 0x20], [0x40, 0x80]];

impl Dots {
    fn new(place: Rect) -> Dots {
        Dots {
            place,
            cells: vec![0; usize::from(place.width) * usize::from(place.height)],
        }
    }

    fn set(&mut self, x: usize, y: usize) {
        let at = y / 4 * usize::from(self.place.width) + x / 2;
        if let Some(cell) = self.cells.get_mut(at) {
            *cell |= BITS[y % 4][x % 2];
        }
    }

    /// A guess leaves out every other pair of dots.
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

    fn render(&self, look: &Theme, buf: &mut Buffer) {
        let cells = self.place.positions().zip(&self.cells);
        for (at, &bits) in cells.filter(|&(_, &bits)| bits != 0) {
            let sign = match look.ascii() {
                true => '.',
                false => char::from_u32(0x2800 + u32::from(bits)).unwrap_or('.'),
            };
            put(buf, at.x, at.y, sign, look.text());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tui::theme::{Colours, Ground};
    use noughts_engine::{ExactValue, Value};

    fn drawn(values: &[Value], at: usize, ascii: bool) -> (Plot, String) {
        let points: Vec<PlotPoint> = values
            .iter()
            .map(|&value| PlotPoint {
                value: Some(XRelativeValue::from_side(value, Side::X)),
                mistake: false,
            })
            .collect();
        let look = Theme::new(Colours::None, Ground::Terminal, ascii);
        let area = Rect::new(0, 0, 23, 5);
        let mut buf = Buffer::empty(area);
        let mut plot = Plot::default();
        plot.render(&points, at, &look, area, &mut buf);
        let rows: Vec<String> = area
            .rows()
            .map(|row| row.positions().map(|at| buf[at].symbol()).collect())
            .collect();
        (plot, rows.join("\n"))
    }

    #[test]
    fn proved_and_guessed_points_differ() {
        let guess = |mean| Value::Estimate { mean, error: 0.1 };
        for ascii in [false, true] {
            let exact = [ExactValue::DRAW, ExactValue::win(3)].map(Value::Exact);
            let (_, proved) = drawn(&exact, 9, ascii);
            let (_, guessed) = drawn(&[guess(0.0), guess(1.0)], 9, ascii);
            let [solid, hollow] = if ascii { ['*', 'o'] } else { ['●', '○'] };
            assert!(
                proved.contains(solid) && !proved.contains(hollow),
                "{proved}"
            );
            assert!(
                guessed.contains(hollow) && !guessed.contains(solid),
                "{guessed}"
            );
        }
    }

    #[test]
    fn what_is_clicked_is_what_is_drawn_there() {
        let values: Vec<Value> = (0..7).map(|_| Value::Exact(ExactValue::DRAW)).collect();
        let (plot, _) = drawn(&values, 0, false);
        for i in 0..7 {
            let (x, y) = plot.cell(i, 0.0);
            assert_eq!(plot.point_at(x, y), Some(i));
        }
        assert_eq!(plot.point_at(0, 0), None);
    }
}
