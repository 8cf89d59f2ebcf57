//! SVG plots: ratings with their intervals, and the LLR of an SPRT. Each has a text description.

use std::fmt::Write as _;

use super::page::escape_html;
use crate::standings::{FormattedNumber, SprtState, StandingsRow};
use crate::statistics::Decision;

const WIDTH: f64 = 720.0;

/// A round step that divides a span into about this many parts.
fn tick_step(span: f64, about: f64) -> f64 {
    let rough = (span / about).max(1e-9);
    let power = 10f64.powf(rough.log10().floor());
    [1.0, 2.0, 5.0, 10.0]
        .into_iter()
        .map(|times| times * power)
        .find(|&step| step >= rough)
        .unwrap_or(10.0 * power)
}

/// The ticks of an axis from `low` to `high`.
fn ticks(low: f64, high: f64, about: f64) -> Vec<f64> {
    let step = tick_step(high - low, about);
    let (first, last) = ((low / step).ceil() as i64, (high / step).floor() as i64);
    (first..=last).take(50).map(|i| i as f64 * step).collect()
}

/// Ratings, best first, with 95% intervals.
pub(super) fn ratings_plot(rows: &[&StandingsRow]) -> String {
    const RIGHT: f64 = 130.0;
    const LINE: f64 = 34.0;
    let longest = rows.iter().map(|row| row.name.chars().count()).max();
    let label_width = (34.0 + 8.0 * longest.unwrap_or(0) as f64).clamp(80.0, 206.0);
    let is_rated = |row: &&&StandingsRow| row.rating.error.is_finite();
    let ends = rows.iter().filter(is_rated).flat_map(|row| {
        let rating = row.rating;
        [rating.elo - rating.error, rating.elo + rating.error]
    });
    let (mut low, mut high) =
        ends.fold((0.0f64, 0.0f64), |(low, high), x| (low.min(x), high.max(x)));
    if high - low < 10.0 {
        (low, high) = (low - 5.0, high + 5.0);
    }
    let x = |elo: f64| label_width + (elo - low) / (high - low) * (WIDTH - label_width - RIGHT);
    let height = LINE * rows.len() as f64 + 34.0;
    let bottom = height - 28.0;
    let mut svg = format!(
        "<svg class=\"plot\" viewBox=\"0 0 {WIDTH} {height}\" role=\"img\" \
         aria-labelledby=\"ratings-plot ratings-desc\">\
         <title id=\"ratings-plot\">Ratings with 95% intervals</title>\
         <desc id=\"ratings-desc\">"
    );
    for row in rows {
        let name = escape_html(&row.name);
        let _ = match row.rating.error.is_finite() {
            true => write!(
                svg,
                "{name}: {} ± {}. ",
                FormattedNumber(row.rating.elo),
                FormattedNumber(row.rating.error)
            ),
            false => write!(svg, "{name} hasn't played yet. "),
        };
    }
    svg.push_str("</desc>");
    for tick in ticks(low, high, 6.0) {
        let class = if tick == 0.0 { "axis zero" } else { "axis" };
        let _ = write!(
            svg,
            "<line class=\"{class}\" x1=\"{0:.1}\" y1=\"4\" x2=\"{0:.1}\" y2=\"{bottom:.1}\"/>\
             <text class=\"tick\" x=\"{0:.1}\" y=\"{1:.1}\" text-anchor=\"middle\">{2}</text>",
            x(tick),
            height - 8.0,
            signed_text(tick)
        );
    }
    for (i, row) in rows.iter().enumerate() {
        let y = LINE * (i as f64 + 0.5) + 4.0;
        let _ = write!(
            svg,
            "<text class=\"label\" x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"end\">{}</text>",
            label_width - 14.0,
            y + 5.0,
            escape_html(&truncate_name(&row.name, 22))
        );
        let rating = row.rating;
        if !rating.error.is_finite() {
            let _ = write!(
                svg,
                "<text class=\"tick\" x=\"{:.1}\" y=\"{:.1}\">hasn't played yet</text>",
                x(0.0) + 8.0,
                y + 5.0
            );
            continue;
        }
        let (from, to) = (x(rating.elo - rating.error), x(rating.elo + rating.error));
        let _ = write!(
            svg,
            "<path class=\"reach\" d=\"M{from:.1} {y:.1}H{to:.1}M{from:.1} {0:.1}v12M{to:.1} {0:.1}v12\"/>\
             <circle class=\"dot\" cx=\"{1:.1}\" cy=\"{y:.1}\" r=\"5.5\"/>\
             <text class=\"label\" x=\"{2:.1}\" y=\"{3:.1}\">{4} ± {5:.0}</text>",
            y - 6.0,
            x(rating.elo),
            WIDTH - RIGHT + 14.0,
            y + 5.0,
            signed_text(rating.elo.round()),
            FormattedNumber(rating.error)
        );
    }
    svg.push_str("</svg>");
    svg
}

/// A number with a minus sign, without unneeded decimals.
fn signed_text(number: f64) -> String {
    let text = format!("{:.1}", FormattedNumber(number)).replace('-', "−");
    text.strip_suffix(".0").map_or(text.clone(), str::to_owned)
}

/// Shortens a name to at most `most` characters.
fn truncate_name(name: &str, max_chars: usize) -> String {
    if name.chars().count() <= max_chars {
        return name.into();
    }
    let mut short: String = name.chars().take(max_chars - 1).collect();
    short.push('…');
    short
}

/// The LLR after each pair, between its bounds.
pub(super) fn llr_plot(path: &[f64], state: &SprtState) -> String {
    const LEFT: f64 = 56.0;
    const RIGHT: f64 = 60.0;
    const TOP: f64 = 14.0;
    const HEIGHT: f64 = 260.0;
    const BOTTOM: f64 = HEIGHT - 40.0;
    let ends = path.iter().copied().filter(|llr| llr.is_finite());
    let (low, high) = ends.fold((state.lower, state.upper), |(low, high), llr| {
        (low.min(llr), high.max(llr))
    });
    let margin = (high - low) * 0.06;
    let (low, high) = (low - margin, high + margin);
    let last = path.len().max(1) as f64;
    let x = |pair: f64| LEFT + pair / last * (WIDTH - LEFT - RIGHT);
    let y = |llr: f64| TOP + (high - llr) / (high - low) * (BOTTOM - TOP);
    let decision = match state.decision {
        Decision::GoOn => "not decided yet",
        Decision::H0 => "H0 was accepted",
        Decision::H1 => "H1 was accepted",
    };
    let mut svg = format!(
        "<svg class=\"plot\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" role=\"img\" \
         aria-labelledby=\"llr-plot llr-desc\">\
         <title id=\"llr-plot\">Log-likelihood ratio over pairs</title>\
         <desc id=\"llr-desc\">{llr:.2} after {pairs} pairs; H0 is accepted at {lower:.2}, H1 at {upper:.2}; {decision}.</desc>",
        llr = FormattedNumber(state.llr),
        pairs = path.len(),
        lower = state.lower,
        upper = state.upper
    );
    for tick in ticks(low, high, 6.0) {
        let class = if tick == 0.0 { "axis zero" } else { "axis" };
        let _ = write!(
            svg,
            "<line class=\"{class}\" x1=\"{LEFT}\" y1=\"{0:.1}\" x2=\"{1:.1}\" y2=\"{0:.1}\"/>\
             <text class=\"tick\" x=\"{2:.1}\" y=\"{3:.1}\" text-anchor=\"end\">{4}</text>",
            y(tick),
            WIDTH - RIGHT,
            LEFT - 8.0,
            y(tick) + 4.0,
            signed_text(tick)
        );
    }
    for (bound, name, class) in [(state.upper, "H1", "x"), (state.lower, "H0", "o")] {
        let _ = write!(
            svg,
            "<line class=\"bound {class}\" x1=\"{LEFT}\" y1=\"{0:.1}\" x2=\"{1:.1}\" y2=\"{0:.1}\"/>\
             <text class=\"label\" x=\"{2:.1}\" y=\"{3:.1}\">{name}</text>",
            y(bound),
            WIDTH - RIGHT,
            WIDTH - RIGHT + 10.0,
            y(bound) + 5.0
        );
    }
    for tick in ticks(0.0, last, 7.0) {
        if tick.fract() == 0.0 {
            let _ = write!(
                svg,
                "<text class=\"tick\" x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{tick:.0}</text>",
                x(tick),
                BOTTOM + 18.0
            );
        }
    }
    let _ = write!(
        svg,
        "<text class=\"tick\" x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"end\">pairs</text>",
        WIDTH - RIGHT,
        HEIGHT - 6.0
    );
    let mut line = format!("M{:.1} {:.1}", x(0.0), y(0.0));
    for pair in downsample(path) {
        let _ = write!(line, "L{:.1} {:.1}", x((pair + 1) as f64), y(path[pair]));
    }
    let _ = write!(svg, "<path class=\"curve\" d=\"{line}\"/>");
    if let Some(llr) = path.last() {
        let (cx, cy) = (x(last), y(*llr));
        let _ = write!(
            svg,
            "<circle class=\"dot\" cx=\"{cx:.1}\" cy=\"{cy:.1}\" r=\"4.5\"/>"
        );
    }
    svg.push_str("</svg>");
    svg
}

/// The indices of the points to draw: all, or for long histories the lowest, highest and last of
/// each chunk.
fn downsample(path: &[f64]) -> Vec<usize> {
    const STRETCHES: usize = 400;
    if path.len() <= 2 * STRETCHES {
        return (0..path.len()).collect();
    }
    let chunk_size = path.len().div_ceil(STRETCHES);
    let mut points = Vec::new();
    for (i, stretch) in path.chunks(chunk_size).enumerate() {
        let by = |a: &usize, b: &usize| stretch[*a].total_cmp(&stretch[*b]);
        let mut indices: Vec<usize> = [
            (0..stretch.len()).min_by(by),
            (0..stretch.len()).max_by(by),
            stretch.len().checked_sub(1),
        ]
        .into_iter()
        .flatten()
        .collect();
        indices.sort_unstable();
        indices.dedup();
        points.extend(indices.into_iter().map(|index| i * chunk_size + index));
    }
    points
}
