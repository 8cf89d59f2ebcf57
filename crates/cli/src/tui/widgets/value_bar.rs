//! Who is ahead, as a bar from X's side to O's. Solid blocks show a proved value, shades an
//! estimate, and the text next to the bar says which it is.

use std::ops::Range;

use noughts_rules::Side;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};
use ratatui::widgets::Widget;

use crate::tui::theme::Theme;
use noughts_text::ValueForX;

/// A longer bar would show nothing more.
const MAX_WIDTH: u16 = 60;

/// Draws the bar, or another text if the value isn't known.
pub(crate) fn draw_value_bar(
    value: Option<ValueForX>,
    otherwise: &str,
    theme: &Theme,
    area: Rect,
    buf: &mut Buffer,
) {
    let Some(value) = value else {
        return Line::styled(otherwise, theme.dim())
            .centered()
            .render(area, buf);
    };
    let text = value.to_text();
    // "X ", " O  " and the text.
    let text_width = text.chars().count() as u16 + 6;
    let width = area.width.saturating_sub(text_width).min(MAX_WIDTH);
    let style = match value.is_exact() {
        true => theme.exact(),
        false => theme.estimate(),
    };
    let mut line = Line::default();
    if width >= 6 {
        line.push_span(Span::styled("X ", theme.side(Side::X)));
        line.extend(blocks(value, usize::from(width), theme));
        line.push_span(Span::styled(" O  ", theme.side(Side::O)));
    }
    line.push_span(Span::styled(text, style));
    line.centered().render(area, buf);
}

fn blocks(value: ValueForX, width: usize, theme: &Theme) -> [Span<'static>; 2] {
    let share = (value.expected_result() + 1.0) / 2.0;
    let filled = ((share * width as f64).round() as usize).min(width);
    let middle = width / 2;
    let [x, o, center] = match value.is_exact() {
        true => theme.pick(['█', '─', '┼'], ['#', '-', '|']),
        false => theme.pick(['▒', '┄', '┆'], [':', '.', '!']),
    };
    let part = |columns: Range<usize>, symbol: char, side: Side| {
        let symbols = columns.map(|column| if column == middle { center } else { symbol });
        // Some terminals draw bold blocks in another color.
        Span::styled(symbols.collect::<String>(), theme.side(side).not_bold())
    };
    [part(0..filled, x, Side::X), part(filled..width, o, Side::O)]
}
