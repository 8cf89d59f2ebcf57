//! What all boards are drawn with: squares, strokes, marks. Widths are written into
//! the markup, colours are not: those belong to the style sheet, or to the file.

use std::f64::consts::TAU;
use std::fmt::{self, Write};

use maud::{Markup, PreEscaped};
use noughts_rules::Side;

/// How wide every board is drawn, in units of its own.
pub(super) const WIDTH: f64 = 380.0;

/// A number with two decimals at most.
#[derive(Clone, Copy)]
pub(super) struct Rounded(pub(super) f64);

impl fmt::Display for Rounded {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let rounded = (self.0 * 100.0).round() / 100.0;
        // Minus nothing is nothing.
        write!(f, "{}", if rounded == 0.0 { 0.0 } else { rounded })
    }
}

/// Where something is drawn.
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

    /// Smaller by so much on every side.
    pub(super) fn inset(self, by: f64) -> Square {
        Square::new(self.x + by, self.y + by, self.size - 2.0 * by)
    }

    /// One of its nine ninths.
    pub(super) fn subsquare(self, place: usize) -> Square {
        let size = self.size / 3.0;
        let (col, row) = ((place % 3) as f64, (place / 3 % 3) as f64);
        Square::new(self.x + col * size, self.y + row * size, size)
    }

    pub(super) fn contains(self, (x, y): (f64, f64)) -> bool {
        (self.x..=self.x + self.size).contains(&x) && (self.y..=self.y + self.size).contains(&y)
    }
}

/// The class that gives a player's hue.
pub(super) fn side_class(player: Side) -> &'static str {
    match player {
        Side::X => "x",
        Side::O => "o",
    }
}

/// A drawing in the making. All that is written comes from here: nothing in it needs
/// escaping.
#[derive(Default)]
pub(super) struct SvgWriter(String);

impl SvgWriter {
    pub(super) fn finish(self) -> Markup {
        PreEscaped(self.0)
    }

    pub(super) fn write(&mut self, text: fmt::Arguments<'_>) {
        // Writing to a string does not fail.
        let _ = self.0.write_fmt(text);
    }

    /// Begins a group.
    pub(super) fn open_group(&mut self, class: &str) {
        self.write(format_args!("<g class=\"{class}\">"));
    }

    pub(super) fn close_group(&mut self) {
        self.0.push_str("</g>");
    }

    /// Strokes without filling.
    pub(super) fn path(&mut self, class: &str, width: f64, d: &str) {
        if !d.is_empty() {
            self.write(format_args!(
                "<path class=\"{class}\" stroke-width=\"{}\" d=\"{d}\"></path>",
                Rounded(width)
            ));
        }
    }

    /// A square with round corners.
    pub(super) fn rounded_square(&mut self, class: &str, at: Square, round: f64) {
        self.write(format_args!(
            "<rect class=\"{class}\" x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" rx=\"{}\"></rect>",
            Rounded(at.x),
            Rounded(at.y),
            Rounded(at.size),
            Rounded(at.size),
            Rounded(round)
        ));
    }

    /// A mark that fills about half of a square; its strokes can be drawn one after
    /// the other.
    pub(super) fn mark(&mut self, class: &str, player: Side, at: Square) {
        let (radius, width) = (at.size * 0.25, at.size * 0.075);
        self.mark_sized(class, player, at.center(), radius, width);
    }

    pub(super) fn mark_sized(
        &mut self,
        class: &str,
        player: Side,
        (x, y): (f64, f64),
        radius: f64,
        width: f64,
    ) {
        let hue = side_class(player);
        self.write(format_args!(
            "<g class=\"{class} {hue}\" stroke-width=\"{}\">",
            Rounded(width)
        ));
        let (left, right, top, bottom) = (x - radius, x + radius, y - radius, y + radius);
        let [left, right, top, bottom] = [left, right, top, bottom].map(Rounded);
        match player {
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

    /// The dashes around the last move.
    pub(super) fn last_move_ring(&mut self, player: Side, at: Square) {
        let radius = at.size * 0.4;
        let dashes = if at.size > 60.0 { 30.0 } else { 18.0 };
        let step = TAU * radius / dashes;
        let ((x, y), hue) = (at.center(), side_class(player));
        self.write(format_args!(
            "<circle class=\"last-ring {hue}\" cx=\"{}\" cy=\"{}\" r=\"{}\" stroke-width=\"{}\" \
             stroke-dasharray=\"{} {}\"></circle>",
            Rounded(x),
            Rounded(y),
            Rounded(radius),
            Rounded((at.size * 0.028).max(1.1)),
            Rounded(step * 0.3),
            Rounded(step * 0.7)
        ));
    }

    /// A stroke over a line of cells, a little beyond the centres of its ends.
    pub(super) fn line_through(&mut self, class: &str, from: Square, to: Square) {
        let ((x1, y1), (x2, y2)) = (from.center(), to.center());
        let length = (x2 - x1).hypot(y2 - y1);
        let beyond = from.size * 0.34;
        let (dx, dy) = match length > 0.0 {
            true => ((x2 - x1) / length * beyond, (y2 - y1) / length * beyond),
            false => (beyond, 0.0),
        };
        let d = format!(
            "M{} {}L{} {}",
            Rounded(x1 - dx),
            Rounded(y1 - dy),
            Rounded(x2 + dx),
            Rounded(y2 + dy)
        );
        self.path(class, from.size * 0.13, &d);
    }

    /// A dot in the middle of each of these squares.
    pub(super) fn dots(&mut self, class: &str, squares: impl IntoIterator<Item = Square>) {
        let (mut d, mut size) = (String::new(), 0.0);
        for square in squares {
            let (x, y) = square.center();
            let _ = write!(d, "M{} {}h0", Rounded(x), Rounded(y));
            size = square.size;
        }
        self.path(class, (size * 0.08).clamp(2.0, 7.0), &d);
    }
}

/// A circle as a path that begins at the top.
pub(super) fn circle_path((x, y): (f64, f64), radius: f64) -> String {
    let (x, top, radius, across) = (
        Rounded(x),
        Rounded(y - radius),
        Rounded(radius),
        Rounded(2.0 * radius),
    );
    format!("M{x} {top}a{radius} {radius} 0 1 1 0 {across}a{radius} {radius} 0 1 1 0 -{across}")
}

/// A cross as a path.
pub(super) fn cross_path((x, y): (f64, f64), radius: f64) -> String {
    let (left, top, across) = (
        Rounded(x - radius),
        Rounded(y - radius),
        Rounded(2.0 * radius),
    );
    format!("M{left} {top}l{across} {across}m0 -{across}l-{across} {across}")
}

/// The lines between the cells of a board, short of its edges by `short`.
pub(super) fn grid_lines(
    (x, y): (f64, f64),
    unit: f64,
    (columns, rows): (usize, usize),
    short: f64,
) -> String {
    let mut d = String::new();
    for col in 1..columns {
        let along = Rounded(rows as f64 * unit - 2.0 * short);
        let _ = write!(
            d,
            "M{} {}v{along}",
            Rounded(x + col as f64 * unit),
            Rounded(y + short)
        );
    }
    for row in 1..rows {
        let along = Rounded(columns as f64 * unit - 2.0 * short);
        let _ = write!(
            d,
            "M{} {}h{along}",
            Rounded(x + short),
            Rounded(y + row as f64 * unit)
        );
    }
    d
}

/// The ends of every run of at least `least` cells of a set, in any direction. The set
/// holds the cells of lines; this finds how they run.
pub(super) fn runs(set: &[bool], columns: usize, least: usize) -> Vec<(usize, usize)> {
    let columns = columns.max(1);
    let rows = set.len() / columns;
    let step = |cell: usize, (right, down): (isize, isize)| {
        let col = (cell % columns).checked_add_signed(right)?;
        let row = (cell / columns).checked_add_signed(down)?;
        (col < columns && row < rows).then_some(row * columns + col)
    };
    let held = |cell: usize| set.get(cell) == Some(&true);
    let mut found = Vec::new();
    for direction in [(1, 0), (0, 1), (1, 1), (-1, 1)] {
        let back = (-direction.0, -direction.1);
        for cell in (0..set.len()).filter(|&cell| held(cell)) {
            if step(cell, back).is_some_and(held) {
                continue;
            }
            let (mut end, mut length) = (cell, 1);
            while let Some(next) = step(end, direction).filter(|&next| held(next)) {
                (end, length) = (next, length + 1);
            }
            // A line of one cell runs in no direction: it is found once.
            if length >= least && (length > 1 || direction == (1, 0)) {
                found.push((cell, end));
            }
        }
    }
    found
}
