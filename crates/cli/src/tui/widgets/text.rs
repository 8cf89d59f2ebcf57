//! Wraps and truncates text.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::text::{Line, Span};
use ratatui::widgets::Widget;
use unicode_segmentation::UnicodeSegmentation;
use unicode_width::UnicodeWidthStr;

use crate::tui::theme::Theme;

/// Draws a text in the rows of an area; the last one ends with an ellipsis if text is missing.
pub(crate) fn draw_wrapped(text: &str, style: Style, theme: &Theme, area: Rect, buf: &mut Buffer) {
    let lines = wrap_truncated(text, area.width, area.height, theme.ellipsis());
    for (line, row) in lines.into_iter().zip(area.rows()) {
        Line::styled(line, style).render(row, buf);
    }
}

/// Draws a text at the right end of a row.
pub(crate) fn draw_right(text: &str, style: Style, row: Rect, buf: &mut Buffer) {
    let line = Span::styled(text, style).into_right_aligned_line();
    line.render(row, buf);
}

/// Wraps a text at whitespace.
pub(crate) fn wrap(text: &str, columns: u16) -> Vec<String> {
    noughts_text::wrap(text, columns.into())
}

/// The text, or as much of it as fits before an ellipsis.
pub(crate) fn truncate(text: &str, columns: u16, ellipsis: &str) -> String {
    let columns = usize::from(columns);
    if text.width() <= columns {
        return text.into();
    }
    let room = columns.saturating_sub(ellipsis.width());
    let mut truncated = String::new();
    for grapheme in text.graphemes(true) {
        if truncated.width() + grapheme.width() > room {
            break;
        }
        truncated.push_str(grapheme);
    }
    truncated.truncate(truncated.trim_end().len());
    truncated + ellipsis
}

/// Wraps lines that are too long and keeps their styles; other lines keep all their whitespace. A
/// first span that is padded with spaces is a column: the rest is wrapped next to it.
pub(crate) fn wrap_lines(lines: &[Line<'static>], columns: u16) -> Vec<Line<'static>> {
    let mut wrapped = Vec::new();
    for line in lines {
        if line.width() <= usize::from(columns) {
            wrapped.push(line.clone());
            continue;
        }
        let column = line
            .spans
            .first()
            .filter(|span| line.spans.len() > 1 && span.content.ends_with("  "));
        let indent = column.map_or(0, Span::width);
        let text: String = line.spans[usize::from(column.is_some())..]
            .iter()
            .map(|span| span.content.as_ref())
            .collect();
        let mut rest = line.styled_graphemes(Style::new());
        rest.by_ref()
            .take(column.map_or(0, |span| span.content.graphemes(true).count()))
            .for_each(drop);
        let room = columns.saturating_sub(indent as u16).max(1);
        for (number, part) in wrap(&text, room).iter().enumerate() {
            let prefix = match (column, number) {
                (Some(column), 0) => Some(column.clone()),
                (Some(_), _) => Some(Span::raw(" ".repeat(indent))),
                (None, _) => None,
            };
            let spans = part.graphemes(true).map(|grapheme| {
                let styled = rest.find(|styled| styled.symbol == grapheme);
                let style = styled.map_or(line.style, |styled| styled.style);
                Span::styled(grapheme.to_owned(), style)
            });
            let mut part = Line::from_iter(prefix.into_iter().chain(spans)).style(line.style);
            part.alignment = line.alignment;
            wrapped.push(part);
        }
    }
    wrapped
}

/// The first `rows` of wrapped lines; the last one ends with an ellipsis if its paragraph continues.
pub(crate) fn truncate_lines(
    mut lines: Vec<Line<'static>>,
    columns: u16,
    rows: u16,
    ellipsis: &str,
) -> Vec<Line<'static>> {
    let rest = lines.split_off(lines.len().min(rows.into()));
    if let (Some(last), Some(next)) = (lines.last_mut(), rest.first())
        && last.width() > 0
        && next.width() > 0
    {
        let room = columns.saturating_sub(ellipsis.width() as u16);
        let text = truncate(&last.to_string(), room, "") + ellipsis;
        last.spans = vec![Span::raw(text)];
    }
    lines
}

/// Wraps a text into at most `rows` lines; the last one ends with an ellipsis if text is missing.
pub(crate) fn wrap_truncated(text: &str, columns: u16, rows: u16, ellipsis: &str) -> Vec<String> {
    let mut lines = wrap(text, columns);
    let rows = usize::from(rows);
    if lines.len() > rows {
        let rest = lines.split_off(rows.saturating_sub(1)).join(" ");
        if rows > 0 {
            lines.push(truncate(&rest, columns, ellipsis));
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_wraps_at_whitespace_and_long_words_anywhere() {
        assert_eq!(wrap("one two  three", 7), ["one two", "three"]);
        assert_eq!(
            wrap("a /very/long/path b", 6),
            ["a", "/very/", "long/p", "ath b"]
        );
        assert_eq!(wrap("李李李 a", 4), ["李李", "李 a"]);
        assert_eq!(wrap("", 4), Vec::<String>::new());
    }

    #[test]
    fn wrapped_lines_keep_their_styles() {
        let (plain, bold) = (Style::new(), Style::new().bold());
        let line = Line::from_iter([Span::styled("one ", plain), Span::styled("two three", bold)]);
        let wrapped = wrap_lines(&[line, Line::from("  a  ")], 8);
        let texts: Vec<String> = wrapped.iter().map(ToString::to_string).collect();
        assert_eq!(texts, ["one two", "three", "  a  "]);
        let styles: Vec<Style> = wrapped[0].iter().map(|span| span.style).collect();
        assert_eq!(styles, [[plain; 4], [bold; 4]].concat()[..7]);
        assert!(wrapped[1].iter().all(|span| span.style == bold));
    }

    #[test]
    fn a_long_table_row_wraps_in_its_column() {
        let row = |key: &'static str| Line::from_iter([Span::raw(key), Span::raw("one two three")]);
        let wrapped = wrap_lines(&[row("a b  "), row("c    ")], 12);
        let texts: Vec<String> = wrapped.iter().map(ToString::to_string).collect();
        let expected = ["a b  one two", "     three", "c    one two", "     three"];
        assert_eq!(texts, expected);
    }

    #[test]
    fn truncated_text_ends_with_an_ellipsis() {
        assert_eq!(truncate("Ann", 3, "…"), "Ann");
        assert_eq!(truncate("Anna Bell", 6, "…"), "Anna…");
        assert_eq!(truncate("李李李", 5, "…"), "李李…");
        assert_eq!(
            wrap_truncated("one two three four", 7, 2, "…"),
            ["one two", "three…"]
        );
        assert_eq!(wrap_truncated("one", 7, 0, "…"), Vec::<String>::new());
    }
}
