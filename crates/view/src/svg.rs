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

/// The class that gives an element its color; `n` for what belongs to nobody.
pub(super) fn color_class(color: Option<Side>) -> &'static str {
    color.map_or("n", side_class)
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

    /// A rectangle with rounded corners; the style sheet knows the width of its stroke unless there is one.
    pub(super) fn rounded_rect(
        &mut self,
        class: &str,
        (x, y): (f64, f64),
        (width, height): (f64, f64),
        corner_radius: f64,
        stroke_width: Option<f64>,
    ) {
        let [x, y, width, height, radius] = [x, y, width, height, corner_radius].map(Rounded);
        self.write(format_args!(
            "<rect class=\"{class}\" x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\" rx=\"{radius}\""
        ));
        if let Some(stroke_width) = stroke_width {
            self.write(format_args!(" stroke-width=\"{}\"", Rounded(stroke_width)));
        }
        self.write(format_args!("></rect>"));
    }

    /// A side's mark.
    pub(super) fn mark(
        &mut self,
        class: &str,
        side: Side,
        center: (f64, f64),
        radius: f64,
        width: f64,
    ) {
        let class = format!("{class} {}", side_class(side));
        self.mark_strokes(&class, side == Side::O, center, radius, width, false);
    }

    /// A cross, or a ring. Its strokes have classes of their own, so that they can be animated one after the other.
    pub(super) fn mark_strokes(
        &mut self,
        class: &str,
        is_ring: bool,
        (x, y): (f64, f64),
        radius: f64,
        width: f64,
        is_dashed: bool,
    ) {
        // Scripts and styles measure dashes in lengths of the stroke, except where there are real ones.
        let dashes = match is_dashed {
            true => format!(
                "stroke-dasharray=\"{} {}\"",
                Rounded(width * 0.5),
                Rounded(width * 1.75)
            ),
            false => "pathLength=\"1\"".into(),
        };
        self.write(format_args!(
            "<g class=\"{class}\" stroke-width=\"{}\">",
            Rounded(width)
        ));
        if is_ring {
            let ring = circle_path((x, y), radius * 1.08);
            self.write(format_args!(
                "<path class=\"stroke\" {dashes} d=\"{ring}\"></path>"
            ));
        } else {
            let [left, right, top, bottom] =
                [x - radius, x + radius, y - radius, y + radius].map(Rounded);
            self.write(format_args!(
                "<path class=\"stroke\" {dashes} d=\"M{left} {top}L{right} {bottom}\"></path>\
                 <path class=\"stroke second\" {dashes} d=\"M{right} {top}L{left} {bottom}\"></path>"
            ));
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
                self.mark(class, side, center, radius, width);
            }
            Owner::Both => {
                let (outer, inner, width) = (size * 0.34, size * 0.17, size * 0.06);
                self.mark(class, Side::O, center, outer, width);
                self.mark(class, Side::X, center, inner, width);
            }
        }
    }

    /// The dashed ring around the last move.
    pub(super) fn last_move_ring(&mut self, color: Option<Side>, square: Square, radius: f64) {
        let dashes = if square.size > 60.0 { 30.0 } else { 18.0 };
        let step = TAU * radius / dashes;
        let ((x, y), color) = (square.center(), color_class(color));
        self.write(format_args!(
            "<circle class=\"last-ring {color}\" cx=\"{}\" cy=\"{}\" r=\"{}\" stroke-width=\"{}\" \
             stroke-dasharray=\"{} {}\"></circle>",
            Rounded(x),
            Rounded(y),
            Rounded(radius),
            Rounded((square.size * 0.028).max(1.1)),
            Rounded(step * 0.3),
            Rounded(step * 0.7)
        ));
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

/// A stroke through a line of cells, a little beyond the centers of its ends.
pub(super) fn line_through(from: Square, to: Square) -> String {
    let ((x1, y1), (x2, y2)) = (from.center(), to.center());
    let length = (x2 - x1).hypot(y2 - y1);
    let overhang = from.size * 0.34;
    let (dx, dy) = match length > 0.0 {
        true => ((x2 - x1) / length * overhang, (y2 - y1) / length * overhang),
        false => (overhang, 0.0),
    };
    format!("M{}L{}", Point(x1 - dx, y1 - dy), Point(x2 + dx, y2 + dy))
}
