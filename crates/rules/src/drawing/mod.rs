//! Boards as pictures made of characters. Pure: what to do with colours is up to
//! whoever prints them, and no picture needs them to be understood.

mod canvas;
mod flat;
mod nested;

use std::fmt;

use canvas::{Canvas, Weight};
pub(crate) use flat::FlatBoardDrawing;
pub(crate) use nested::{CellContent, InnerBoard, NestedBoardDrawing};

use crate::outcome::Side;

/// A picture: lines of characters, each with its ink.
///
/// `Display` prints it without colours.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Drawing {
    rows: Vec<Vec<Glyph>>,
}

/// One character of a drawing.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Glyph {
    /// The character.
    pub character: char,
    /// What it shows, to be coloured accordingly.
    pub kind: GlyphKind,
}

/// What a character shows.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum GlyphKind {
    /// Nothing in particular: lines and blanks.
    Plain,
    /// Names of rows, columns and boards.
    Label,
    /// A mark or a board of this player.
    Mark(Side),
    /// The last move, or a part of the line that decided the game.
    HighlightedMark(Side),
    /// A cell that the next move may go to.
    Legal,
    /// The frame of the grid, or of a board that the next move may go to.
    HighlightedFrame,
}

impl Drawing {
    /// The lines, each without trailing blanks.
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

    /// How many columns it takes.
    #[must_use]
    pub fn width(&self) -> usize {
        self.rows().map(<[Glyph]>::len).max().unwrap_or(0)
    }

    /// The same picture in ASCII.
    #[must_use]
    pub fn into_ascii(mut self) -> Drawing {
        for glyph in self.rows.iter_mut().flatten() {
            glyph.character = match glyph.character {
                '·' => '.',
                '╲' => '\\',
                '╱' => '/',
                '╳' => 'X',
                // Not dots, which are legal cells.
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

    pub(crate) fn from_rows(rows: Vec<Vec<Glyph>>) -> Drawing {
        Drawing { rows }
    }

    /// This drawing, an empty line, and another below it.
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

/// The letter drawn for a player's mark.
pub(crate) fn mark_letter(player: Side) -> char {
    match player {
        Side::X => 'X',
        Side::O => 'O',
    }
}
