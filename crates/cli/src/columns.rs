//! Text tables whose columns line up in any script.

use unicode_width::UnicodeWidthStr;

/// A table with a heading for each column; the text of a column whose heading starts with `>` is aligned to the right.
/// Each column is as wide as its widest entry, with two spaces between columns.
pub(crate) fn table<const N: usize>(
    headings: [&str; N],
    rows: impl IntoIterator<Item = [String; N]>,
) -> String {
    let mut lines = vec![headings.map(|heading| heading.trim_start_matches('>').to_owned())];
    lines.extend(rows);
    let widths: [usize; N] = std::array::from_fn(|column| {
        let entries = lines.iter().map(|line| line[column].width());
        entries.max().unwrap_or_default()
    });
    let mut text = String::new();
    for entries in lines {
        let cells = entries.iter().zip(headings).zip(widths);
        let cells = cells.map(|((entry, heading), width)| {
            let gap = " ".repeat(width - entry.width());
            match heading.starts_with('>') {
                true => gap + entry,
                false => entry.clone() + &gap,
            }
        });
        text += cells.collect::<Vec<_>>().join("  ").trim_end();
        text.push('\n');
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_line_up_in_any_script() {
        let rows = [["李小龙", "10"], ["Zoe\u{308}", "7"]].map(|row| row.map(String::from));
        let text = table(["name", ">n"], rows);
        assert_eq!(text, "name     n\n李小龙  10\nZoe\u{308}      7\n");
    }
}
