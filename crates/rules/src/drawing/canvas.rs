//! A canvas of characters, with lines of two weights that join where they meet.

use super::{Drawing, Glyph, GlyphKind};

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

/// The character for every junction of light and heavy lines, by its arms: up, right, down,
/// left; 0 none, 1 light, 2 heavy.
const JOINS: &[(Arms, char)] = &[
    ([0, 1, 0, 1], '─'),
    ([0, 2, 0, 2], '━'),
    ([1, 0, 1, 0], '│'),
    ([2, 0, 2, 0], '┃'),
    ([0, 1, 1, 0], '┌'),
    ([0, 2, 1, 0], '┍'),
    ([0, 1, 2, 0], '┎'),
    ([0, 2, 2, 0], '┏'),
    ([0, 0, 1, 1], '┐'),
    ([0, 0, 1, 2], '┑'),
    ([0, 0, 2, 1], '┒'),
    ([0, 0, 2, 2], '┓'),
    ([1, 1, 0, 0], '└'),
    ([1, 2, 0, 0], '┕'),
    ([2, 1, 0, 0], '┖'),
    ([2, 2, 0, 0], '┗'),
    ([1, 0, 0, 1], '┘'),
    ([1, 0, 0, 2], '┙'),
    ([2, 0, 0, 1], '┚'),
    ([2, 0, 0, 2], '┛'),
    ([1, 1, 1, 0], '├'),
    ([1, 2, 1, 0], '┝'),
    ([2, 1, 1, 0], '┞'),
    ([1, 1, 2, 0], '┟'),
    ([2, 1, 2, 0], '┠'),
    ([2, 2, 1, 0], '┡'),
    ([1, 2, 2, 0], '┢'),
    ([2, 2, 2, 0], '┣'),
    ([1, 0, 1, 1], '┤'),
    ([1, 0, 1, 2], '┥'),
    ([2, 0, 1, 1], '┦'),
    ([1, 0, 2, 1], '┧'),
    ([2, 0, 2, 1], '┨'),
    ([2, 0, 1, 2], '┩'),
    ([1, 0, 2, 2], '┪'),
    ([2, 0, 2, 2], '┫'),
    ([0, 1, 1, 1], '┬'),
    ([0, 1, 1, 2], '┭'),
    ([0, 2, 1, 1], '┮'),
    ([0, 2, 1, 2], '┯'),
    ([0, 1, 2, 1], '┰'),
    ([0, 1, 2, 2], '┱'),
    ([0, 2, 2, 1], '┲'),
    ([0, 2, 2, 2], '┳'),
    ([1, 1, 0, 1], '┴'),
    ([1, 1, 0, 2], '┵'),
    ([1, 2, 0, 1], '┶'),
    ([1, 2, 0, 2], '┷'),
    ([2, 1, 0, 1], '┸'),
    ([2, 1, 0, 2], '┹'),
    ([2, 2, 0, 1], '┺'),
    ([2, 2, 0, 2], '┻'),
    ([1, 1, 1, 1], '┼'),
    ([1, 1, 1, 2], '┽'),
    ([1, 2, 1, 1], '┾'),
    ([1, 2, 1, 2], '┿'),
    ([2, 1, 1, 1], '╀'),
    ([1, 1, 2, 1], '╁'),
    ([2, 1, 2, 1], '╂'),
    ([2, 1, 1, 2], '╃'),
    ([2, 2, 1, 1], '╄'),
    ([1, 1, 2, 2], '╅'),
    ([1, 2, 2, 1], '╆'),
    ([2, 2, 1, 2], '╇'),
    ([1, 2, 2, 2], '╈'),
    ([2, 1, 2, 2], '╉'),
    ([2, 2, 2, 1], '╊'),
    ([2, 2, 2, 2], '╋'),
];

fn join(arms: Arms) -> char {
    let found = JOINS.iter().find(|(joined, _)| *joined == arms);
    found.map_or('+', |(_, character)| *character)
}

/// Does this line character have a heavy arm?
pub(super) fn is_heavy(character: char) -> bool {
    JOINS
        .iter()
        .any(|(arms, joined)| *joined == character && arms.contains(&2))
}
