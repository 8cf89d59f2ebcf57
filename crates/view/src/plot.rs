//! The plot of the value over a game, and the bar of the current value.

use std::fmt::Write;

use maud::{Markup, html};

use super::svg::{Point, Rounded, SvgWriter};
use noughts_rules::Side;
use noughts_text::MistakeKind;

/// The value of the position after a move.
#[derive(Clone, PartialEq, Debug)]
pub struct PlotPoint {
    /// From X's point of view, from −1 to 1; none if not known yet.
    pub value: Option<f64>,
    /// Is the value proved?
    pub exact: bool,
    /// How bad the move that led here was, if it was a mistake.
    pub mistake: Option<MistakeKind>,
    /// The accessible name.
    pub label: String,
}

const WIDTH: f64 = 380.0;
const HEIGHT: f64 = 104.0;
const LEFT: f64 = 20.0;
const RIGHT: f64 = 10.0;
/// More buttons than this would be too narrow to hit.
const MAX_BUTTONS: usize = 120;

/// The values over a game as a curve with a button for each point; point 0 is the start.
/// Mistakes have a ring and their annotation.
#[must_use]
pub fn plot(points: &[PlotPoint], current: usize) -> Markup {
    let axis = PlotScale {
        last: points.len().saturating_sub(1).max(1),
    };
    let step = points.len().div_ceil(MAX_BUTTONS).max(1);
    let focus = current / step * step;
    html! {
        svg class="plot" viewBox={ "0 0 " (Rounded(WIDTH)) " " (Rounded(HEIGHT)) } role="group"
            aria-label="Value after each move" {
            g class="picture" aria-hidden="true" { (picture(points, axis, current, step)) }
            @for (ply, point) in points.iter().enumerate().step_by(step) {
                @let (left, right) = axis.column(ply, step);
                rect class="point" role="button" tabindex=(if ply == focus { "0" } else { "-1" })
                    data-ply=(ply) data-x=(Rounded(axis.x(ply))) aria-label=(point.label)
                    aria-current=[(ply == focus).then_some("step")]
                    x=(Rounded(left)) y="0" width=(Rounded(right - left)) height=(Rounded(HEIGHT)) {}
            }
        }
    }
}

#[derive(Clone, Copy)]
struct PlotScale {
    last: usize,
}

impl PlotScale {
    fn x(self, ply: usize) -> f64 {
        LEFT + (WIDTH - LEFT - RIGHT) * ply as f64 / self.last as f64
    }

    fn y(value: f64) -> f64 {
        let value = if value.is_finite() { value } else { 0.0 };
        HEIGHT / 2.0 - value.clamp(-1.0, 1.0) * 38.0
    }

    /// The left and right edge of a point's button.
    fn column(self, ply: usize, step: usize) -> (f64, f64) {
        let half = (self.x(step) - self.x(0)) / 2.0;
        let x = self.x(ply);
        ((x - half).max(0.0), (x + half).min(WIDTH))
    }
}

fn picture(points: &[PlotPoint], axis: PlotScale, current: usize, step: usize) -> Markup {
    let mut writer = SvgWriter::default();
    let middle = Rounded(HEIGHT / 2.0);
    for (side, y) in [(Side::X, 14.0), (Side::O, HEIGHT - 14.0)] {
        writer.mark("mark", side, (8.0, y), 4.0, 1.2);
    }
    writer.path(
        "axis",
        1.0,
        &format!("M{} {middle}H{}", Rounded(LEFT), Rounded(WIDTH - RIGHT)),
    );
    for (class, sign) in [("area x", 1.0), ("area o", -1.0)] {
        writer.path(class, 0.0, &area(points, axis, sign));
    }
    let mut curve = String::new();
    let mut is_joined = false;
    for (ply, point) in points.iter().enumerate() {
        if let Some(value) = point.value {
            let command = if is_joined { 'L' } else { 'M' };
            let _ = write!(
                curve,
                "{command}{}",
                Point(axis.x(ply), PlotScale::y(value))
            );
        }
        is_joined = point.value.is_some();
    }
    writer.path("curve", 2.0, &curve);
    if current < points.len() {
        let x = Rounded(axis.x(current));
        writer.path("cursor", 1.0, &format!("M{x} 6V{}", Rounded(HEIGHT - 6.0)));
    }
    for (ply, point) in points.iter().enumerate() {
        let Some(value) = point.value else { continue };
        let (x, y) = (axis.x(ply), PlotScale::y(value));
        if step == 1 {
            let class = if point.exact { "dot" } else { "dot estimate" };
            draw_circle(&mut writer, class, x, y, 2.6);
        }
        if let Some(mistake) = point.mistake {
            let (class, radius) = match mistake {
                MistakeKind::Inaccuracy | MistakeKind::Mistake => ("mistake", 5.5),
                MistakeKind::Blunder => ("mistake blunder", 6.5),
            };
            let sign = mistake.annotation();
            draw_circle(&mut writer, class, x, y, radius);
            // On the far side of the point from the axis, where it doesn't overlap the curve.
            let offset = if y > HEIGHT / 2.0 { 17.0 } else { -9.0 };
            writer.write(format_args!(
                "<text class=\"symbol\" x=\"{}\" y=\"{}\">{sign}</text>",
                Rounded(x),
                Rounded((y + offset).clamp(9.0, HEIGHT - 2.0))
            ));
        }
    }
    writer.finish()
}

fn draw_circle(writer: &mut SvgWriter, class: &str, x: f64, y: f64, radius: f64) {
    writer.write(format_args!(
        "<circle class=\"{class}\" cx=\"{}\" cy=\"{}\" r=\"{}\"></circle>",
        Rounded(x),
        Rounded(y),
        Rounded(radius)
    ));
}

/// The area between the curve and the axis on one side's half.
fn area(points: &[PlotPoint], axis: PlotScale, sign: f64) -> String {
    let mut d = String::new();
    let middle = Rounded(HEIGHT / 2.0);
    for (ply, pair) in points.windows(2).enumerate() {
        let (Some(first), Some(second)) = (pair[0].value, pair[1].value) else {
            continue;
        };
        let (x1, x2) = (axis.x(ply), axis.x(ply + 1));
        let (first, second) = (first * sign, second * sign);
        if first <= 0.0 && second <= 0.0 {
            continue;
        }
        // Where the curve crosses the axis, if it does.
        let crossing = x1 + (x2 - x1) * first / (first - second);
        let (from, to) = (
            if first < 0.0 { crossing } else { x1 },
            if second < 0.0 { crossing } else { x2 },
        );
        let (y1, y2) = (
            PlotScale::y(first.max(0.0) * sign),
            PlotScale::y(second.max(0.0) * sign),
        );
        let corners = (Point(from, y1), Point(to, y2));
        let (from, to) = (Rounded(from), Rounded(to));
        let _ = write!(
            d,
            "M{from} {middle}L{}L{}L{to} {middle}z",
            corners.0, corners.1
        );
    }
    d
}

/// The current value as a bar: X's share of it, hatched if it is an estimate, and a text.
#[must_use]
pub fn value_bar(share: f64, exact: bool, text: &str) -> Markup {
    let share = if share.is_finite() { share } else { 0.5 };
    let percent = 100.0 * share.clamp(0.0, 1.0);
    let hatch: String = (0..28).fold(String::new(), |mut d, n| {
        let _ = write!(d, "M{} 10l4-10", n * 4 - 8);
        d
    });
    html! {
        div class={ "bar " (if exact { "exact" } else { "estimate" }) } role="img" aria-label=(text) {
            svg viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true" {
                rect class="share o" width="100" height="10" {}
                rect class="share x" width=(Rounded(percent)) height="10" {}
                @if !exact { path class="hatch" d=(hatch) {} }
                path class="middle" d="M50 0v10" {}
            }
            b aria-hidden="true" { (text) }
        }
    }
}
