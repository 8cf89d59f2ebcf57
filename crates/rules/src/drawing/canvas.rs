//! A canvas of characters, with lines of two weights that join where they meet.

use super::{Drawing, Glyph, GlyphKind};
use crate::outcome::Side;

/// The weight of a line.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum StrokeWeight {
    None = 0,
    Light = 1,
    Heavy = 2,
}

/// The weights of the four arms of a line character: up, right, down, left.
type Arms = [u8; 4];

pub(crate) struct TextCanvas {
    width: usize,
    glyphs: Vec<Glyph>,
    arms: Vec<Arms>,
}

const BLANK: Glyph = Glyph {
    character: ' ',
    kind: GlyphKind::Plain,
};

impl TextCanvas {
    pub(crate) fn new(width: usize, height: usize) -> TextCanvas {
        TextCanvas {
            width,
            glyphs: vec![BLANK; width * height],
            arms: vec![[0; 4]; width * height],
        }
    }

    fn index_of(&self, x: usize, y: usize) -> Option<usize> {
        let index = y * self.width + x;
        (x < self.width && index < self.glyphs.len()).then_some(index)
    }

    /// Writes a text to the right, starting here.
    pub(crate) fn write(&mut self, x: usize, y: usize, text: &str, kind: GlyphKind) {
        for (i, character) in text.chars().enumerate() {
            if let Some(index) = self.index_of(x + i, y) {
                self.glyphs[index] = Glyph { character, kind };
            }
        }
    }

    /// Writes a mark. Brackets around it highlight it.
    pub(crate) fn write_mark(
        &mut self,
        x: usize,
        y: usize,
        side: Side,
        brackets: Option<[char; 2]>,
    ) {
        match brackets {
            None => self.write(x, y, &side.to_string(), GlyphKind::Mark(side)),
            Some([open, close]) => {
                let text = format!("{open}{side}{close}");
                self.write(x - 1, y, &text, GlyphKind::HighlightedMark(side));
            }
        }
    }

    /// Draws a line between two points in the same row or column. Where it overlaps another, the
    /// heavier one shows.
    pub(crate) fn line(&mut self, from: (usize, usize), to: (usize, usize), weight: StrokeWeight) {
        if weight == StrokeWeight::None {
            return;
        }
        let ((x0, y0), (x1, y1)) = (from, to);
        let across = y0 == y1;
        let (start, end) = if across { (x0, x1) } else { (y0, y1) };
        for n in start..=end {
            let (x, y) = if across { (n, y0) } else { (x0, n) };
            let Some(index) = self.index_of(x, y) else {
                continue;
            };
            // Arms point toward the rest of the line.
            let (back, forward) = if across { (3, 1) } else { (0, 2) };
            let arms = &mut self.arms[index];
            if n > start {
                arms[back] = arms[back].max(weight as u8);
            }
            if n < end {
                arms[forward] = arms[forward].max(weight as u8);
            }
        }
    }

    /// Draws a line between two points in different columns and rows, without its ends and behind everything else.
    pub(crate) fn diagonal(&mut self, from: (usize, usize), to: (usize, usize)) {
        let (upper, lower) = if from.1 < to.1 {
            (from, to)
        } else {
            (to, from)
        };
        let stroke = if upper.0 < lower.0 { '╲' } else { '╱' };
        let rows = lower.1 - upper.1;
        for row in 1..rows {
            let x = (upper.0 * (rows - row) + lower.0 * row + rows / 2) / rows;
            self.write_behind(x, upper.1 + row, stroke);
        }
    }

    /// Writes a character where nothing else is; two diagonals cross.
    pub(crate) fn write_behind(&mut self, x: usize, y: usize, character: char) {
        let index = self.index_of(x, y);
        if let Some(index) = index.filter(|&index| self.arms[index] == [0; 4]) {
            let glyph = &mut self.glyphs[index].character;
            *glyph = match (*glyph, character) {
                (' ', _) => character,
                ('╲', '╱') | ('╱', '╲') => '╳',
                (other, _) => other,
            };
        }
    }

    /// Draws a frame around a rectangle.
    pub(crate) fn frame(&mut self, from: (usize, usize), to: (usize, usize), weight: StrokeWeight) {
        self.line(from, (to.0, from.1), weight);
        self.line((from.0, to.1), to, weight);
        self.line(from, (from.0, to.1), weight);
        self.line((to.0, from.1), to, weight);
    }

    pub(crate) fn finish(self) -> Drawing {
        let TextCanvas {
            width,
            mut glyphs,
            arms,
        } = self;
        for (glyph, arms) in glyphs.iter_mut().zip(&arms) {
            if *glyph == BLANK && arms != &[0; 4] {
                let heavy = arms.contains(&2);
                *glyph = Glyph {
                    character: join(*arms),
                    kind: if heavy {
                        GlyphKind::HighlightedFrame
                    } else {
                        GlyphKind::Plain
                    },
                };
            }
        }
        Drawing::from_rows(glyphs.chunks(width.max(1)).map(<[Glyph]>::to_vec).collect())
    }
}

/// The character for every junction of light and heavy lines, indexed by the weights of its arms as a base-3 number.
/// Those that don't occur are `+`.
const JOINS: &str = "\
    ++++┐┑+┒┓+─+┌┬┭┎┰┱++━┍┮┯┏┲┳\
    +┘┙│┤┥+┧┪└┴┵├┼┽┟╁╅┕┶┷┝┾┿┢╆╈\
    +┚┛+┦┩┃┨┫┖┸┹┞╀╃┠╂╉┗┺┻┡╄╇┣╊╋";

/// The weights of the arms of a character of [`JOINS`].
const ARM_WEIGHTS: [usize; 4] = [27, 9, 3, 1];

fn join(arms: Arms) -> char {
    let index = (arms.iter().zip(ARM_WEIGHTS)).map(|(&arm, weight)| usize::from(arm) * weight);
    JOINS.chars().nth(index.sum()).unwrap_or('+')
}

/// Does this line character have a heavy arm?
pub(super) fn is_heavy(character: char) -> bool {
    let index = JOINS.chars().position(|joined| joined == character);
    index.is_some_and(|index| ARM_WEIGHTS.iter().any(|weight| index / weight % 3 == 2))
}
