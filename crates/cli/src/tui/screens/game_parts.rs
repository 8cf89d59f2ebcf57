//! Parts of the game and review screens: the title, headings, and search reports in a narrow
//! column.

use noughts_engine::SearchReport;
use noughts_rules::{AnyGameState, Side, Variant};
use noughts_text::ValueForX;
use ratatui::buffer::Buffer;
use ratatui::layout::{Margin, Rect, Size};
use ratatui::macros::{horizontal, vertical};
use ratatui::text::{Line, Span};
use ratatui::widgets::Widget;

use crate::tui::board::Board;
use crate::tui::screens::MIN_SIZE;
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
    let [left, right] = horizontal![*=1, ==flags.width() as u16]
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

/// The smallest terminal for a board with this many other rows.
pub(super) fn min_size(board: &Board, state: &AnyGameState, other_rows: u16) -> Size {
    let Size { width, height } = board.min_size();
    let rows = height + other_rows + u16::from(board.breadcrumb(state).is_some());
    Size::new(width.max(MIN_SIZE.width), rows.max(MIN_SIZE.height))
}

/// Without the first and the last column.
pub(super) fn inset(area: Rect) -> Rect {
    match area.width > 2 {
        true => area.inner(Margin::new(1, 0)),
        false => area,
    }
}

/// Draws a heading with a line, and returns the area below it.
pub(super) fn draw_heading(title: &str, area: Rect, theme: &Theme, buf: &mut Buffer) -> Rect {
    if area.is_empty() {
        return area;
    }
    let [head, below] = vertical![==1, *=1].areas(area);
    let title = truncate(title, head.width, theme.ellipsis());
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
    if value.is_unknown() {
        return Vec::new();
    }
    let mut parts = effort(report);
    let one_line = parts.join(", ");
    if !parts.is_empty() && Span::raw(&*one_line).width() <= usize::from(width) {
        parts = vec![one_line];
    }
    let pv = match report.pv.join(" ") {
        pv if pv.is_empty() => Vec::new(),
        pv => wrap_truncated(&format!("best: {pv}"), width, 3, ""),
    };
    let styled = [
        (wrap(&value.to_text(), width), style),
        (parts, theme.dim()),
        (pv, theme.text()),
    ];
    let lines = styled.into_iter().flat_map(|(texts, style)| {
        let texts = texts.into_iter();
        texts.map(move |text| Line::styled(text, style))
    });
    lines.collect()
}

/// The search depth and nodes; empty if the answer came from a tablebase.
fn effort(report: &SearchReport<String>) -> Vec<String> {
    let SearchReport { depth, nodes, .. } = *report;
    let depth_text = format!("depth {depth}");
    match (depth, nodes) {
        (0, _) if report.value.exact().is_some() => Vec::new(),
        (0, 0) => Vec::new(),
        // Nodes are positions or playouts, depending on the bot.
        (0, 1) => vec!["1 node searched".into()],
        (0, _) => vec![format!("{} nodes searched", thousands(nodes))],
        (_, 0) => vec![depth_text],
        (_, 1) => vec![depth_text, "1 position".into()],
        _ => vec![depth_text, format!("{} positions", thousands(nodes))],
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
            (estimate, 0, 346, "346 nodes searched"),
            (estimate, 0, 1, "1 node searched"),
            // A tablebase answers without a search.
            (draw, 0, 23, ""),
        ] {
            assert_eq!(effort(&report(value, depth, nodes)).join(", "), said);
        }
    }
}
