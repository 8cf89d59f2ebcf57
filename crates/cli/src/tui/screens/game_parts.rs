//! Parts of the screens of a game, played or reviewed: the title, headings, and what
//! a report says in a narrow column.

use noughts_engine::SearchReport;
use noughts_rules::{AnyGameState, Game, Outcome, Side, Variant};
use noughts_store::Termination;
use ratatui::buffer::Buffer;
use ratatui::layout::{Constraint, Layout, Rect};
use ratatui::text::{Line, Span};
use ratatui::widgets::Widget;

use crate::tui::theme::Theme;
use crate::tui::widgets::{XRelativeValue, truncate, wrap, wrap_truncated};

/// The game and its sentence, and at the right what is special.
pub(super) fn draw_title(
    variant: Variant,
    flags: &str,
    look: &Theme,
    area: Rect,
    buf: &mut Buffer,
) {
    let flags = Span::styled(flags.to_owned(), look.accent());
    let [left, right] = Layout::horizontal([
        Constraint::Fill(1),
        Constraint::Length(flags.width() as u16),
    ])
    .spacing(2)
    .areas(area);
    let name = variant.to_string();
    let mut sentence = variant.summary();
    if look.ascii() {
        sentence = sentence.replace('×', "x");
    }
    let room = left.width.saturating_sub(name.len() as u16 + 2);
    let sentence = truncate(&sentence, room, look.ellipsis());
    let line = Line::from(vec![
        Span::styled(name, look.strong()),
        Span::styled(format!("  {sentence}"), look.dim()),
    ]);
    line.render(left, buf);
    flags.render(right, buf);
}

/// How a game ended, as it stands behind "X wins: ". Whoever did something that ended
/// it is named, since either may read it.
pub(super) fn ending_text(
    play: &AnyGameState,
    result: Option<Outcome>,
    end: Termination,
    name: impl Fn(Side) -> String,
) -> String {
    let loser = result.and_then(Outcome::winner).map(Side::other);
    match (end, loser) {
        (Termination::Resigned, Some(loser)) => format!("{} resigned", name(loser)),
        (Termination::Timeout, Some(loser)) => format!("{} ran out of time", name(loser)),
        (Termination::IllegalMove, Some(loser)) => format!("{} made an illegal move", name(loser)),
        (Termination::Crash, Some(loser)) => format!("{} broke down", name(loser)),
        (Termination::NoMove, _) if is_full(play) => "the board is full".into(),
        _ => play.ending_text().unwrap_or_else(|| end.to_string()),
    }
}

/// Has a flat board no empty cell?
fn is_full(play: &AnyGameState) -> bool {
    let cells = match play {
        AnyGameState::Mnk(play) => play.game().setup(play.position()).cells,
        AnyGameState::LargeMnk(play) => play.game().setup(play.position()).cells,
        _ => return false,
    };
    cells.iter().all(Option::is_some)
}

/// A heading with a line, and what is left below it.
pub(super) fn draw_heading(title: &str, area: Rect, look: &Theme, buf: &mut Buffer) -> Rect {
    if area.is_empty() {
        return area;
    }
    let [head, below] = Layout::vertical([Constraint::Length(1), Constraint::Fill(1)]).areas(area);
    let title = truncate(title, head.width, "");
    let room = usize::from(head.width).saturating_sub(Span::raw(&*title).width() + 1);
    let line = Line::from(vec![
        Span::styled(format!("{title} "), look.dim()),
        Span::styled(look.horizontal_line().repeat(room), look.hairline()),
    ]);
    line.render(head, buf);
    below
}

/// What a report says, in a narrow column.
pub(super) fn report_lines(
    report: &SearchReport<String>,
    side: Side,
    width: u16,
    look: &Theme,
) -> Vec<Line<'static>> {
    let worth = XRelativeValue::from_side(report.value, side);
    let style = look.value(worth.value_for(side));
    let mut lines: Vec<Line<'static>> = Vec::new();
    if worth.is_unknown() {
        return lines;
    }
    let words = wrap(&worth.to_text(), width).into_iter();
    lines.extend(words.map(|text| Line::styled(text, style)));
    let effort = effort(report);
    let parts: Vec<&str> = match Span::raw(&*effort).width() > usize::from(width) {
        true => effort.split(", ").collect(),
        false => vec![&*effort],
    };
    let parts = parts.into_iter().filter(|part| !part.is_empty());
    lines.extend(parts.map(|part| Line::styled(part.to_owned(), look.dim())));
    if !report.pv.is_empty() {
        let text = format!("best: {}", report.pv.join(" "));
        let text = wrap_truncated(&text, width, 3, "");
        lines.extend(text.into_iter().map(|text| Line::styled(text, look.text())));
    }
    lines
}

/// How far and at how much it looked; nothing where the answer stood in a table.
fn effort(report: &SearchReport<String>) -> String {
    let SearchReport { depth, nodes, .. } = *report;
    match (depth, nodes) {
        (0, _) if report.value.exact().is_some() => String::new(),
        (0, 0) => String::new(),
        // Positions or random games, as the bot goes about it.
        (0, _) => format!("{} looked at", thousands(nodes)),
        (_, 0) => format!("depth {depth}"),
        (_, 1) => format!("depth {depth}, 1 position"),
        _ => format!("depth {depth}, {} positions", thousands(nodes)),
    }
}

/// In few characters.
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
    fn no_number_stands_without_its_unit() {
        let report = |value: Value, depth: u32, nodes: u64| SearchReport {
            value,
            depth,
            nodes,
            ..SearchReport::empty()
        };
        let guess = Value::Estimate {
            mean: 0.1,
            error: 0.1,
        };
        let draw = Value::Exact(ExactValue::DRAW);
        for (value, depth, nodes, said) in [
            (guess, 7, 346, "depth 7, 346 positions"),
            (draw, 2, 1, "depth 2, 1 position"),
            (draw, 7, 34_600, "depth 7, 34k positions"),
            (guess, 0, 346, "346 looked at"),
            // A table knows at once.
            (draw, 0, 23, ""),
        ] {
            assert_eq!(effort(&report(value, depth, nodes)), said);
        }
    }

    #[test]
    fn whoever_ended_a_game_is_named() {
        let play = |variant: Variant, text: &str| {
            AnyGameState::from_text(variant, text).expect("a position")
        };
        let open = play(Variant::CLASSIC, "xo./.../... x");
        let name = |side: Side| format!("Player {side}");
        for side in Side::BOTH {
            let result = Some(Outcome::Win(side));
            for end in [
                Termination::Resigned,
                Termination::Timeout,
                Termination::IllegalMove,
                Termination::Crash,
            ] {
                let how = ending_text(&open, result, end, name);
                let loser = name(side.other());
                assert!(how.starts_with(&loser), "{how}");
            }
        }
        let full = play(Variant::CLASSIC, "xox/xoo/oxx o");
        let how = ending_text(&full, Some(Outcome::Draw), Termination::NoMove, name);
        assert_eq!(how, "the board is full");
        let how = ending_text(&open, Some(Outcome::Draw), Termination::AgreedDraw, name);
        assert_eq!(how, "the players agreed on a draw");
    }
}
