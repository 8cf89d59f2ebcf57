//! Text for narrow places: broken into lines, or cut short.

use ratatui::buffer::Buffer;
use ratatui::layout::{Alignment, Rect};
use ratatui::style::Style;
use ratatui::text::{Line, Span};
use ratatui::widgets::Widget;
use unicode_segmentation::UnicodeSegmentation;
use unicode_width::UnicodeWidthStr;

/// Writes a text into a row and leaves the rest of the row as it is.
pub(crate) fn put_text(text: &str, style: Style, to: Alignment, row: Rect, buf: &mut Buffer) {
    let line = Line::from(Span::styled(text, style));
    line.alignment(to).render(row, buf);
}

/// Breaks a text at blanks into lines of at most so many columns. A word that is
/// longer than a line (a path, say) is broken where the line ends.
pub(crate) fn wrap(text: &str, columns: u16) -> Vec<String> {
    let columns = usize::from(columns.max(1));
    let mut lines = Vec::new();
    let mut line = String::new();
    for word in text.split_whitespace() {
        if !line.is_empty() && line.width() + 1 + word.width() > columns {
            lines.push(std::mem::take(&mut line));
        }
        if !line.is_empty() {
            line.push(' ');
        }
        for grapheme in word.graphemes(true) {
            if !line.is_empty() && line.width() + grapheme.width() > columns {
                lines.push(std::mem::take(&mut line));
            }
            line.push_str(grapheme);
        }
    }
    if !line.is_empty() {
        lines.push(line);
    }
    lines
}

/// The text, or as much of it as fits with a sign that there is more.
pub(crate) fn truncate(text: &str, columns: u16, more: &str) -> String {
    let columns = usize::from(columns);
    if text.width() <= columns {
        return text.into();
    }
    let room = columns.saturating_sub(more.width());
    let mut cut = String::new();
    for grapheme in text.graphemes(true) {
        if cut.width() + grapheme.width() > room {
            break;
        }
        cut.push_str(grapheme);
    }
    cut.truncate(cut.trim_end().len());
    cut + more
}

/// Breaks lines that are too long at blanks and keeps their styles; lines that fit stay as
/// they are, with all their blanks. A first span that is padded with blanks is a column: it
/// stays, and the rest is broken beside it.
pub(crate) fn wrap_lines(lines: &[Line<'static>], columns: u16) -> Vec<Line<'static>> {
    let mut broken = Vec::new();
    for line in lines {
        if line.width() <= usize::from(columns) {
            broken.push(line.clone());
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
            let before = match (column, number) {
                (Some(column), 0) => Some(column.clone()),
                (Some(_), _) => Some(Span::raw(" ".repeat(indent))),
                (None, _) => None,
            };
            let spans = part.graphemes(true).map(|grapheme| {
                let styled = rest.find(|styled| styled.symbol == grapheme);
                let style = styled.map_or(line.style, |styled| styled.style);
                Span::styled(grapheme.to_owned(), style)
            });
            let mut part = Line::from_iter(before.into_iter().chain(spans)).style(line.style);
            part.alignment = line.alignment;
            broken.push(part);
        }
    }
    broken
}

/// As many lines as there is room for; the last one says if there is more.
pub(crate) fn wrap_truncated(text: &str, columns: u16, rows: u16, more: &str) -> Vec<String> {
    let mut lines = wrap(text, columns);
    let rows = usize::from(rows);
    if lines.len() > rows {
        let rest = lines.split_off(rows.saturating_sub(1)).join(" ");
        if rows > 0 {
            lines.push(truncate(&rest, columns, more));
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_is_broken_at_blanks_and_long_words_anywhere() {
        assert_eq!(wrap("one two  three", 7), ["one two", "three"]);
        assert_eq!(
            wrap("a /very/long/path b", 6),
            ["a", "/very/", "long/p", "ath b"]
        );
        assert_eq!(wrap("李李李 a", 4), ["李李", "李 a"]);
        assert_eq!(wrap("", 4), Vec::<String>::new());
    }

    #[test]
    fn broken_lines_keep_their_styles() {
        let (plain, bold) = (Style::new(), Style::new().bold());
        let line = Line::from_iter([Span::styled("one ", plain), Span::styled("two three", bold)]);
        let broken = wrap_lines(&[line, Line::from("  a  ")], 8);
        let texts: Vec<String> = broken.iter().map(ToString::to_string).collect();
        assert_eq!(texts, ["one two", "three", "  a  "]);
        let styles: Vec<Style> = broken[0].iter().map(|span| span.style).collect();
        assert_eq!(styles, [[plain; 4], [bold; 4]].concat()[..7]);
        assert!(broken[1].iter().all(|span| span.style == bold));
    }

    #[test]
    fn a_long_row_of_a_list_stays_in_its_column() {
        let row = |key: &'static str| Line::from_iter([Span::raw(key), Span::raw("one two three")]);
        let broken = wrap_lines(&[row("a b  "), row("c    ")], 12);
        let texts: Vec<String> = broken.iter().map(ToString::to_string).collect();
        let wanted = ["a b  one two", "     three", "c    one two", "     three"];
        assert_eq!(texts, wanted);
    }

    #[test]
    fn what_does_not_fit_says_so() {
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
