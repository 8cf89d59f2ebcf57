//! Text drawings of boards. The caller applies colors, but a drawing can be understood
//! without them.

mod canvas;
mod view;

use std::fmt;

pub(crate) use canvas::{StrokeWeight, TextCanvas};
pub use view::draw_view;

use crate::outcome::Side;

/// A drawing: lines of characters, each with its kind.
///
/// `Display` prints it without colors.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Drawing {
    rows: Vec<Vec<Glyph>>,
}

/// One character of a drawing.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Glyph {
    /// The character.
    pub character: char,
    /// What it shows, which determines its color.
    pub kind: GlyphKind,
}

/// What a character shows.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum GlyphKind {
    /// Lines and blanks.
    Plain,
    /// The names of rows, columns and boards.
    Label,
    /// A mark, or a board owned by this side.
    Mark(Side),
    /// The last move, or part of the winning line.
    HighlightedMark(Side),
    /// A cell where the next move can go.
    Legal,
    /// A movable frame, or that of a board where the next move can go.
    HighlightedFrame,
}

impl Drawing {
    /// The rows, without trailing blanks.
    pub fn rows(&self) -> impl Iterator<Item = &[Glyph]> {
        self.rows.iter().map(|row| {
            let blank = |glyph: &Glyph| glyph.character == ' ';
            let end = row
                .iter()
                .rposition(|glyph| !blank(glyph))
                .map_or(0, |last| last + 1);
            &row[..end]
        })
    }

    /// The number of columns.
    #[must_use]
    pub fn width(&self) -> usize {
        self.rows().map(<[Glyph]>::len).max().unwrap_or(0)
    }

    /// The same drawing in ASCII.
    #[must_use]
    pub fn into_ascii(mut self) -> Drawing {
        for glyph in self.rows.iter_mut().flatten() {
            glyph.character = match glyph.character {
                '·' => '.',
                '×' => 'x',
                '╲' => '\\',
                '╱' => '/',
                '╳' => 'X',
                // Not dots, which mark legal cells.
                '╭' | '╯' => '/',
                '╮' | '╰' => '\\',
                '─' => '-',
                '│' => '|',
                '━' => '=',
                '┃' => '#',
                '\u{2500}'..='\u{257f}' if canvas::is_heavy(glyph.character) => '#',
                '\u{2500}'..='\u{257f}' => '+',
                other => other,
            };
        }
        self
    }

    /// Lines of plain text.
    #[must_use]
    pub fn from_lines(lines: &[String]) -> Drawing {
        let glyph = |character| Glyph {
            character,
            kind: GlyphKind::Plain,
        };
        let rows = lines.iter().map(|line| line.chars().map(glyph).collect());
        Drawing::from_rows(rows.collect())
    }

    pub(crate) fn from_rows(rows: Vec<Vec<Glyph>>) -> Drawing {
        Drawing { rows }
    }

    /// This drawing, an empty line, and the other one below.
    pub(crate) fn stack_above(mut self, other: Drawing) -> Drawing {
        self.rows.push(Vec::new());
        self.rows.extend(other.rows);
        self
    }
}

impl fmt::Display for Drawing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for row in self.rows() {
            for glyph in row {
                write!(f, "{}", glyph.character)?;
            }
            writeln!(f)?;
        }
        Ok(())
    }
}

/// Around the marks of a winning line.
pub(crate) const LINE_BRACKETS: [char; 2] = ['[', ']'];

/// Around the last move.
pub(crate) const LAST_MOVE_BRACKETS: [char; 2] = ['(', ')'];
