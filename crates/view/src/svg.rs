//! What all boards are drawn with: squares, strokes, marks. Stroke widths are part of the
//! markup; colors aren't: they belong to the style sheet or the SVG document.

use std::f64::consts::TAU;
use std::fmt::{self, Write};

use maud::{Markup, PreEscaped};
use noughts_rules::{Owner, Side};

/// The width of every board, in user units.
pub(super) const WIDTH: f64 = 380.0;

/// A number that is displayed with at most two decimals.
#[derive(Clone, Copy)]
pub(super) struct Rounded(pub(super) f64);

impl fmt::Display for Rounded {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let rounded = (self.0 * 100.0).round() / 100.0;
        // No negative zero.
        write!(f, "{}", if rounded == 0.0 { 0.0 } else { rounded })
    }
}

/// A point in a path: both numbers, rounded.
#[derive(Clone, Copy)]
pub(super) struct Point(pub(super) f64, pub(super) f64);

impl fmt::Display for Point {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", Rounded(self.0), Rounded(self.1))
    }
}

/// A square area of the drawing.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Square {
    pub(super) x: f64,
    pub(super) y: f64,
    pub(super) size: f64,
}

impl Square {
    pub(super) const fn new(x: f64, y: f64, size: f64) -> Square {
        Square { x, y, size }
    }

    pub(super) fn center(self) -> (f64, f64) {
        (self.x + self.size / 2.0, self.y + self.size / 2.0)
    }

    /// The square without a margin of this width.
    pub(super) fn inset(self, margin: f64) -> Square {
        Square::new(self.x + margin, self.y + margin, self.size - 2.0 * margin)
    }

    /// One of the nine squares it is divided into.
    pub(super) fn subsquare(self, index: usize) -> Square {
        let size = self.size / 3.0;
        let (col, row) = ((index % 3) as f64, (index / 3 % 3) as f64);
        Square::new(self.x + col * size, self.y + row * size, size)
    }

    /// A square given as shares of another one.
    pub(super) fn within(self, Square { x, y, size }: Square) -> Square {
        Square::new(x + self.x * size, y + self.y * size, self.size * size)
    }

    pub(super) fn contains(self, (x, y): (f64, f64)) -> bool {
        (self.x..=self.x + self.size).contains(&x) && (self.y..=self.y + self.size).contains(&y)
    }
}

/// The class that gives an element the color of a side.
pub(super) fn side_class(side: Side) -> &'static str {
    match side {
        Side::X => "x",
        Side::O => "o",
    }
}

/// Builds SVG markup. Nothing is escaped: no text from outside is ever written to it.
#[derive(Default)]
pub(super) struct SvgWriter(String);

impl SvgWriter {
    pub(super) fn finish(self) -> Markup {
        PreEscaped(self.0)
    }

    pub(super) fn write(&mut self, text: fmt::Arguments<'_>) {
        // Writing to a string can't fail.
        let _ = self.0.write_fmt(text);
    }

    pub(super) fn open_group(&mut self, class: &str) {
        self.write(format_args!("<g class=\"{class}\">"));
    }

    pub(super) fn close_group(&mut self) {
        self.0.push_str("</g>");
    }

    /// A stroked path; nothing if it is empty.
    pub(super) fn path(&mut self, class: &str, width: f64, d: &str) {
        if !d.is_empty() {
            self.write(format_args!(
                "<path class=\"{class}\" stroke-width=\"{}\" d=\"{d}\"></path>",
                Rounded(width)
            ));
        }
    }

    /// A square with rounded corners.
    pub(super) fn rounded_square(&mut self, class: &str, square: Square, corner_radius: f64) {
        self.write(format_args!(
            "<rect class=\"{class}\" x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" rx=\"{}\"></rect>",
            Rounded(square.x),
            Rounded(square.y),
            Rounded(square.size),
            Rounded(square.size),
            Rounded(corner_radius)
        ));
    }

    /// A mark that fills about half of a square. Its strokes have classes of their own, so
    /// that they can be animated one after the other.
    pub(super) fn mark(&mut self, class: &str, side: Side, square: Square) {
        let (radius, width) = (square.size * 0.25, square.size * 0.075);
        self.mark_sized(class, side, square.center(), radius, width);
    }

    pub(super) fn mark_sized(
        &mut self,
        class: &str,
        side: Side,
        (x, y): (f64, f64),
        radius: f64,
        width: f64,
    ) {
        let side_class = side_class(side);
        self.write(format_args!(
            "<g class=\"{class} {side_class}\" stroke-width=\"{}\">",
            Rounded(width)
        ));
        let (left, right, top, bottom) = (x - radius, x + radius, y - radius, y + radius);
        let [left, right, top, bottom] = [left, right, top, bottom].map(Rounded);
        match side {
            Side::X => self.write(format_args!(
                "<path class=\"stroke\" pathLength=\"1\" d=\"M{left} {top}L{right} {bottom}\"></path>\
                 <path class=\"stroke second\" pathLength=\"1\" d=\"M{right} {top}L{left} {bottom}\"></path>"
            )),
            Side::O => {
                let ring = circle_path((x, y), radius * 1.08);
                self.write(format_args!(
                    "<path class=\"stroke\" pathLength=\"1\" d=\"{ring}\"></path>"
                ));
            }
        }
        self.close_group();
    }

    /// The large mark of a board's owner; for a shared board, one mark around the other.
    pub(super) fn owner_mark(&mut self, class: &str, owner: Owner, square: Square) {
        let (center, size) = (square.center(), square.size);
        match owner {
            Owner::Nobody => {}
            Owner::One(side) => {
                let (radius, width) = (size * 0.275, size * 0.075);
                self.mark_sized(class, side, center, radius, width);
            }
            Owner::Both => {
                let (outer, inner, width) = (size * 0.34, size * 0.17, size * 0.06);
                self.mark_sized(class, Side::O, center, outer, width);
                self.mark_sized(class, Side::X, center, inner, width);
            }
        }
    }

    /// The dashed ring around the last move.
    pub(super) fn last_move_ring(&mut self, side: Side, square: Square) {
        let radius = square.size * 0.4;
        let dashes = if square.size > 60.0 { 30.0 } else { 18.0 };
        let step = TAU * radius / dashes;
        let ((x, y), side_class) = (square.center(), side_class(side));
        self.write(format_args!(
            "<circle class=\"last-ring {side_class}\" cx=\"{}\" cy=\"{}\" r=\"{}\" stroke-width=\"{}\" \
             stroke-dasharray=\"{} {}\"></circle>",
            Rounded(x),
            Rounded(y),
            Rounded(radius),
            Rounded((square.size * 0.028).max(1.1)),
            Rounded(step * 0.3),
            Rounded(step * 0.7)
        ));
    }

    /// A stroke through a line of cells, a little beyond the centers of its ends.
    pub(super) fn line_through(&mut self, class: &str, from: Square, to: Square) {
        let ((x1, y1), (x2, y2)) = (from.center(), to.center());
        let length = (x2 - x1).hypot(y2 - y1);
        let overhang = from.size * 0.34;
        let (dx, dy) = match length > 0.0 {
            true => ((x2 - x1) / length * overhang, (y2 - y1) / length * overhang),
            false => (overhang, 0.0),
        };
        let d = format!("M{}L{}", Point(x1 - dx, y1 - dy), Point(x2 + dx, y2 + dy));
        self.path(class, from.size * 0.13, &d);
    }

    /// A dot in the center of each square.
    pub(super) fn dots(&mut self, class: &str, squares: impl IntoIterator<Item = Square>) {
        let (mut d, mut size) = (String::new(), 0.0);
        for square in squares {
            let (x, y) = square.center();
            let _ = write!(d, "M{}h0", Point(x, y));
            size = square.size;
        }
        self.path(class, (size * 0.08).clamp(2.0, 7.0), &d);
    }
}

/// A circle as a path that starts at the top.
pub(super) fn circle_path((x, y): (f64, f64), radius: f64) -> String {
    let (top, radius, diameter) = (Point(x, y - radius), Rounded(radius), Rounded(2.0 * radius));
    format!("M{top}a{radius} {radius} 0 1 1 0 {diameter}a{radius} {radius} 0 1 1 0 -{diameter}")
}

/// A cross as a path.
pub(super) fn cross_path((x, y): (f64, f64), radius: f64) -> String {
    let (corner, size) = (Point(x - radius, y - radius), Rounded(2.0 * radius));
    format!("M{corner}l{size} {size}m0 -{size}l-{size} {size}")
}

/// The lines between the cells of a board. They end `gap` units before its edges.
pub(super) fn grid_lines(
    (x, y): (f64, f64),
    cell_size: f64,
    (columns, rows): (usize, usize),
    gap: f64,
) -> String {
    let mut d = String::new();
    for col in 1..columns {
        let length = Rounded(rows as f64 * cell_size - 2.0 * gap);
        let start = Point(x + col as f64 * cell_size, y + gap);
        let _ = write!(d, "M{start}v{length}");
    }
    for row in 1..rows {
        let length = Rounded(columns as f64 * cell_size - 2.0 * gap);
        let start = Point(x + gap, y + row as f64 * cell_size);
        let _ = write!(d, "M{start}h{length}");
    }
    d
}

/// The first and last cell of every run of at least `min_length` cells of a set, in any direction.
/// The rules only report which cells are part of a line; this recovers the lines.
pub(super) fn runs(set: &[bool], columns: usize, min_length: usize) -> Vec<(usize, usize)> {
    let columns = columns.max(1);
    let rows = set.len() / columns;
    let step = |cell: usize, (right, down): (isize, isize)| {
        let col = (cell % columns).checked_add_signed(right)?;
        let row = (cell / columns).checked_add_signed(down)?;
        (col < columns && row < rows).then_some(row * columns + col)
    };
    let is_set = |cell: usize| set.get(cell) == Some(&true);
    let mut runs = Vec::new();
    for direction in [(1, 0), (0, 1), (1, 1), (-1, 1)] {
        let backward = (-direction.0, -direction.1);
        for cell in (0..set.len()).filter(|&cell| is_set(cell)) {
            if step(cell, backward).is_some_and(is_set) {
                continue;
            }
            let (mut end, mut length) = (cell, 1);
            while let Some(next) = step(end, direction).filter(|&next| is_set(next)) {
                (end, length) = (next, length + 1);
            }
            // A line of one cell has no direction: report it only once.
            if length >= min_length && (length > 1 || direction == (1, 0)) {
                runs.push((cell, end));
            }
        }
    }
    runs
}
