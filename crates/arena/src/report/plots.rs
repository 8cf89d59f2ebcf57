//! SVG plots: ratings with their intervals, and the LLR of an SPRT. Each has a text description.

use std::fmt::Write as _;

use maud::{Markup, html};

use crate::error_text::truncated;
use crate::standings::{FormattedNumber, StandingsRow};
use crate::statistics::SprtState;

const WIDTH: f64 = 720.0;

/// A coordinate, with one decimal.
fn at(number: f64) -> String {
    format!("{number:.1}")
}

/// A round step that divides a span into about this many parts.
fn tick_step(span: f64, about: f64) -> f64 {
    let rough = (span / about).max(1e-9);
    let power = 10f64.powf(rough.log10().floor());
    let mut steps = [1.0, 2.0, 5.0].into_iter().map(|times| times * power);
    steps.find(|&step| step >= rough).unwrap_or(10.0 * power)
}

/// The ticks of an axis from `low` to `high`.
fn ticks(low: f64, high: f64, about: f64) -> Vec<f64> {
    let step = tick_step(high - low, about);
    let (first, last) = ((low / step).ceil() as i64, (high / step).floor() as i64);
    (first..=last).take(50).map(|i| i as f64 * step).collect()
}

fn axis_class(tick: f64) -> &'static str {
    if tick == 0.0 { "axis zero" } else { "axis" }
}

/// Ratings, best first, with 95% intervals.
pub(super) fn ratings_plot(rows: &[&StandingsRow]) -> Markup {
    const RIGHT: f64 = 130.0;
    const LINE: f64 = 34.0;
    let longest = rows.iter().map(|row| row.name.chars().count()).max();
    let label_width = (34.0 + 8.0 * longest.unwrap_or(0) as f64).clamp(80.0, 206.0);
    let interval = |row: &StandingsRow| {
        let rating = row.rating;
        let is_rated = rating.error.is_finite();
        is_rated.then_some([rating.elo - rating.error, rating.elo + rating.error])
    };
    let ends = rows.iter().filter_map(|row| interval(row)).flatten();
    let (mut low, mut high) =
        ends.fold((0.0f64, 0.0f64), |(low, high), x| (low.min(x), high.max(x)));
    if high - low < 10.0 {
        (low, high) = (low - 5.0, high + 5.0);
    }
    let x = |elo: f64| label_width + (elo - low) / (high - low) * (WIDTH - label_width - RIGHT);
    let height = LINE * rows.len() as f64 + 34.0;
    html! {
        svg class="plot" viewBox={ "0 0 " (WIDTH) " " (height) } role="img" aria-labelledby="ratings-plot ratings-desc" {
            title id="ratings-plot" { "Ratings with 95% intervals" }
            desc id="ratings-desc" {
                @for row in rows {
                    @match interval(row) {
                        Some(_) => {
                            (row.name) ": " (FormattedNumber(row.rating.elo)) " ± " (FormattedNumber(row.rating.error)) ". "
                        }
                        None => { (row.name) " hasn't played yet. " }
                    }
                }
            }
            @for tick in ticks(low, high, 6.0) {
                line class=(axis_class(tick)) x1=(at(x(tick))) y1="4" x2=(at(x(tick))) y2=(at(height - 28.0)) {}
                text class="tick" x=(at(x(tick))) y=(at(height - 8.0)) text-anchor="middle" { (signed_text(tick)) }
            }
            @for (i, row) in rows.iter().enumerate() {
                @let y = LINE * (i as f64 + 0.5) + 4.0;
                text class="label" x=(at(label_width - 14.0)) y=(at(y + 5.0)) text-anchor="end" {
                    (truncated(&row.name, 22))
                }
                @match interval(row).map(|ends| ends.map(x)) {
                    Some([from, to]) => {
                        path class="reach" d=(format!("M{from:.1} {y:.1}H{to:.1}M{from:.1} {0:.1}v12M{to:.1} {0:.1}v12", y - 6.0)) {}
                        circle class="dot" cx=(at(x(row.rating.elo))) cy=(at(y)) r="5.5" {}
                        text class="label" x=(at(WIDTH - RIGHT + 14.0)) y=(at(y + 5.0)) {
                            (signed_text(row.rating.elo.round())) " ± " (format!("{:.0}", FormattedNumber(row.rating.error)))
                        }
                    }
                    None => { text class="tick" x=(at(x(0.0) + 8.0)) y=(at(y + 5.0)) { "hasn't played yet" } }
                }
            }
        }
    }
}

/// A number with a minus sign, without unneeded decimals.
fn signed_text(number: f64) -> String {
    let text = format!("{:.1}", FormattedNumber(number)).replace('-', "−");
    text.strip_suffix(".0").map_or(text.clone(), str::to_owned)
}

/// The LLR after each pair, between its bounds.
pub(super) fn llr_plot(state: &SprtState) -> Markup {
    let path = &state.history;
    const LEFT: f64 = 56.0;
    const RIGHT: f64 = WIDTH - 60.0;
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
    let x = |pair: f64| LEFT + pair / last * (RIGHT - LEFT);
    let y = |llr: f64| TOP + (high - llr) / (high - low) * (BOTTOM - TOP);
    let decision = match state.decision.accepted() {
        None => "not decided yet".to_owned(),
        Some(accepted) => format!("{accepted} was accepted"),
    };
    let description = format!(
        "{llr:.2} after {pairs} pairs; H0 is accepted at {lower:.2}, H1 at {upper:.2}; {decision}.",
        llr = FormattedNumber(state.llr),
        pairs = path.len(),
        lower = state.lower,
        upper = state.upper
    );
    let mut curve = format!("M{:.1} {:.1}", x(0.0), y(0.0));
    for pair in downsample(path) {
        let _ = write!(curve, "L{:.1} {:.1}", x((pair + 1) as f64), y(path[pair]));
    }
    html! {
        svg class="plot" viewBox={ "0 0 " (WIDTH) " " (HEIGHT) } role="img" aria-labelledby="llr-plot llr-desc" {
            title id="llr-plot" { "Log-likelihood ratio over pairs" }
            desc id="llr-desc" { (description) }
            @for tick in ticks(low, high, 6.0) {
                line class=(axis_class(tick)) x1=(LEFT) y1=(at(y(tick))) x2=(RIGHT) y2=(at(y(tick))) {}
                text class="tick" x=(LEFT - 8.0) y=(at(y(tick) + 4.0)) text-anchor="end" { (signed_text(tick)) }
            }
            @for (bound, name, class) in [(state.upper, "H1", "bound x"), (state.lower, "H0", "bound o")] {
                line class=(class) x1=(LEFT) y1=(at(y(bound))) x2=(RIGHT) y2=(at(y(bound))) {}
                text class="label" x=(RIGHT + 10.0) y=(at(y(bound) + 5.0)) { (name) }
            }
            @for tick in ticks(0.0, last, 7.0).into_iter().filter(|tick| tick.fract() == 0.0) {
                text class="tick" x=(at(x(tick))) y=(BOTTOM + 18.0) text-anchor="middle" { (tick) }
            }
            text class="tick" x=(RIGHT) y=(HEIGHT - 6.0) text-anchor="end" { "pairs" }
            path class="curve" d=(curve) {}
            @if let Some(llr) = path.last() { circle class="dot" cx=(at(x(last))) cy=(at(y(*llr))) r="4.5" {} }
        }
    }
}

/// The indices of the points to draw: all, or for long histories the lowest, highest and last of
/// each chunk.
fn downsample(path: &[f64]) -> Vec<usize> {
    const CHUNKS: usize = 400;
    if path.len() <= 2 * CHUNKS {
        return (0..path.len()).collect();
    }
    let mut points = Vec::new();
    let indices: Vec<usize> = (0..path.len()).collect();
    for chunk in indices.chunks(path.len().div_ceil(CHUNKS)) {
        let by = |a: &&usize, b: &&usize| path[**a].total_cmp(&path[**b]);
        let ends = [
            chunk.iter().min_by(by),
            chunk.iter().max_by(by),
            chunk.last(),
        ];
        points.extend(ends.into_iter().flatten());
    }
    points.sort_unstable();
    points.dedup();
    points
}
