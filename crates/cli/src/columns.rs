//! Text tables whose columns line up in any script.

use unicode_width::UnicodeWidthStr;

/// How the text of a column is aligned.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Align {
    Left,
    Right,
}

/// Pads each column to its widest entry, with two spaces between columns.
pub(crate) fn align_columns(aligns: &[Align], rows: &[Vec<String>]) -> String {
    let width = |column: usize| {
        let entries = rows.iter().filter_map(|row| row.get(column));
        entries.map(|entry| entry.width()).max().unwrap_or_default()
    };
    let widths: Vec<usize> = (0..aligns.len()).map(width).collect();
    let mut text = String::new();
    for row in rows {
        let mut line = String::new();
        for ((entry, align), width) in row.iter().zip(aligns).zip(&widths) {
            let gap = " ".repeat(width.saturating_sub(entry.width()));
            if !line.is_empty() {
                line.push_str("  ");
            }
            match align {
                Align::Left => line.extend([entry.as_str(), &gap]),
                Align::Right => line.extend([gap.as_str(), entry]),
            }
        }
        text.push_str(line.trim_end());
        text.push('\n');
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_line_up_in_any_script() {
        let rows = [["name", "n"], ["李小龙", "10"], ["Zoe\u{308}", "7"]];
        let rows = rows.map(|row| row.map(String::from).to_vec());
        let text = align_columns(&[Align::Left, Align::Right], &rows);
        assert_eq!(text, "name     n\n李小龙  10\nZoe\u{308}      7\n");
    }
}
