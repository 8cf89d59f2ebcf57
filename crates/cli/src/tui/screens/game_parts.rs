//! Parts of the game and review screens: the title, headings, and search reports in a narrow
//! column.

use noughts_engine::SearchReport;
use noughts_rules::{Side, Variant};
use noughts_text::ValueForX;
use ratatui::buffer::Buffer;
use ratatui::layout::{Constraint, Layout, Rect};
use ratatui::text::{Line, Span};
use ratatui::widgets::Widget;

use crate::tui::theme::Theme;
use crate::tui::widgets::{truncate, wrap, wrap_truncated};

/// The variant with its description, and flags at the right.
pub(super) fn draw_title(
    variant: Variant,
    flags: &str,
    theme: &Theme,
    area: Rect,
    buf: &mut Buffer,
) {
    let flags = Span::styled(flags.to_owned(), theme.accent());
    let [left, right] = Layout::horizontal([
        Constraint::Fill(1),
        Constraint::Length(flags.width() as u16),
    ])
    .spacing(2)
    .areas(area);
    let name = variant.to_string();
    let mut summary = variant.summary();
    if theme.ascii() {
        summary = summary.replace('×', "x");
    }
    let room = left.width.saturating_sub(name.len() as u16 + 2);
    let summary = truncate(&summary, room, theme.ellipsis());
    let line = Line::from(vec![
        Span::styled(name, theme.strong()),
        Span::styled(format!("  {summary}"), theme.dim()),
    ]);
    line.render(left, buf);
    flags.render(right, buf);
}

/// Draws a heading with a line, and returns the area below it.
pub(super) fn draw_heading(title: &str, area: Rect, theme: &Theme, buf: &mut Buffer) -> Rect {
    if area.is_empty() {
        return area;
    }
    let [head, below] = Layout::vertical([Constraint::Length(1), Constraint::Fill(1)]).areas(area);
    let title = truncate(title, head.width, "");
    let room = usize::from(head.width).saturating_sub(Span::raw(&*title).width() + 1);
    let line = Line::from(vec![
        Span::styled(format!("{title} "), theme.dim()),
        Span::styled(theme.horizontal_line().repeat(room), theme.hairline()),
    ]);
    line.render(head, buf);
    below
}

/// A search report as lines of a narrow column.
pub(super) fn report_lines(
    report: &SearchReport<String>,
    side: Side,
    width: u16,
    theme: &Theme,
) -> Vec<Line<'static>> {
    let value = ValueForX::from_side(report.value, side);
    let style = theme.value(value.value_for(side));
    let mut lines: Vec<Line<'static>> = Vec::new();
    if value.is_unknown() {
        return lines;
    }
    let text_lines = wrap(&value.to_text(), width).into_iter();
    lines.extend(text_lines.map(|text| Line::styled(text, style)));
    let effort = effort(report);
    let parts: Vec<&str> = match Span::raw(&*effort).width() > usize::from(width) {
        true => effort.split(", ").collect(),
        false => vec![&*effort],
    };
    let parts = parts.into_iter().filter(|part| !part.is_empty());
    lines.extend(parts.map(|part| Line::styled(part.to_owned(), theme.dim())));
    if !report.pv.is_empty() {
        let text = format!("best: {line}", line = report.pv.join(" "));
        let text = wrap_truncated(&text, width, 3, "");
        lines.extend(
            text.into_iter()
                .map(|text| Line::styled(text, theme.text())),
        );
    }
    lines
}

/// The search depth and nodes; empty if the answer came from a tablebase.
fn effort(report: &SearchReport<String>) -> String {
    let SearchReport { depth, nodes, .. } = *report;
    match (depth, nodes) {
        (0, _) if report.value.exact().is_some() => String::new(),
        (0, 0) => String::new(),
        // Positions or playouts, depending on the bot.
        (0, _) => format!("{nodes} searched", nodes = thousands(nodes)),
        (_, 0) => format!("depth {depth}"),
        (_, 1) => format!("depth {depth}, 1 position"),
        _ => format!("depth {depth}, {nodes} positions", nodes = thousands(nodes)),
    }
}

/// A number in few characters.
fn thousands(number: u64) -> String {
    match number {
        0..=9_999 => number.to_string(),
        10_000..=9_999_999 => format!("{}k", number / 1000),
        _ => format!("{}M", number / 1_000_000),
    }
}

#[cfg(test)]
mod tests {
    use noughts_engine::{ExactValue, Value};

    use super::*;

    #[test]
    fn numbers_have_units() {
        let report = |value: Value, depth: u32, nodes: u64| SearchReport {
            value,
            depth,
            nodes,
            ..SearchReport::empty()
        };
        let estimate = Value::Estimate {
            mean: 0.1,
            error: 0.1,
        };
        let draw = Value::Exact(ExactValue::DRAW);
        for (value, depth, nodes, said) in [
            (estimate, 7, 346, "depth 7, 346 positions"),
            (draw, 2, 1, "depth 2, 1 position"),
            (draw, 7, 34_600, "depth 7, 34k positions"),
            (estimate, 0, 346, "346 searched"),
            // A tablebase answers without a search.
            (draw, 0, 23, ""),
        ] {
            assert_eq!(effort(&report(value, depth, nodes)), said);
        }
    }
}
