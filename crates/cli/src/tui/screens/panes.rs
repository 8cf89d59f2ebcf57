//! Parts of the screens of a game, played or reviewed: the title, headings, and what
//! a report says in a narrow column.

use noughts_engine::Report;
use noughts_rules::{Player, Variant};
use ratatui::buffer::Buffer;
use ratatui::layout::{Constraint, Layout, Rect};
use ratatui::text::{Line, Span};
use ratatui::widgets::Widget;

use crate::tui::look::Look;
use crate::tui::widgets::{Worth, short, wrap, wrap_within};

/// The game and its sentence, and at the right what is special.
pub(super) fn title(variant: Variant, flags: &str, look: &Look, area: Rect, buf: &mut Buffer) {
    let flags = Span::styled(flags.to_owned(), look.accent());
    let [left, right] = Layout::horizontal([
        Constraint::Fill(1),
        Constraint::Length(flags.width() as u16),
    ])
    .spacing(2)
    .areas(area);
    let name = variant.to_string();
    let mut sentence = variant.sentence();
    if look.ascii() {
        sentence = sentence.replace('×', "x");
    }
    let room = left.width.saturating_sub(name.len() as u16 + 2);
    let sentence = short(&sentence, room, look.more());
    let line = Line::from(vec![
        Span::styled(name, look.strong()),
        Span::styled(format!("  {sentence}"), look.dim()),
    ]);
    line.render(left, buf);
    flags.render(right, buf);
}

/// A heading with a line, and what is left below it.
pub(super) fn headed(title: &str, area: Rect, look: &Look, buf: &mut Buffer) -> Rect {
    if area.is_empty() {
        return area;
    }
    let [head, below] = Layout::vertical([Constraint::Length(1), Constraint::Fill(1)]).areas(area);
    let title = short(title, head.width, "");
    let room = usize::from(head.width).saturating_sub(Span::raw(&*title).width() + 1);
    let line = Line::from(vec![
        Span::styled(format!("{title} "), look.dim()),
        Span::styled(look.rule().repeat(room), look.hair()),
    ]);
    line.render(head, buf);
    below
}

/// What a report says, in a narrow column.
pub(super) fn found(
    report: &Report<String>,
    side: Player,
    width: u16,
    look: &Look,
) -> Vec<Line<'static>> {
    let worth = Worth::of(report.value, side);
    let style = look.value(worth.value_for(side));
    let mut lines: Vec<Line<'static>> = Vec::new();
    if worth.is_unknown() {
        return lines;
    }
    let words = wrap(&worth.words(), width).into_iter();
    lines.extend(words.map(|text| Line::styled(text, style)));
    let mut facts = Vec::new();
    if report.depth > 0 {
        facts.push(format!("depth {}", report.depth));
    }
    if report.nodes > 0 {
        facts.push(thousands(report.nodes));
    }
    if !facts.is_empty() {
        lines.push(Line::styled(facts.join(", "), look.dim()));
    }
    if !report.line.is_empty() {
        let text = format!("best: {}", report.line.join(" "));
        let text = wrap_within(&text, width, 3, "");
        lines.extend(text.into_iter().map(|text| Line::styled(text, look.text())));
    }
    lines
}

/// In few characters.
fn thousands(number: u64) -> String {
    match number {
        0..=9_999 => number.to_string(),
        10_000..=9_999_999 => format!("{}k", number / 1000),
        _ => format!("{}M", number / 1_000_000),
    }
}
