//! A sheet to draw on: characters at places, and lines of two weights that join
//! wherever they meet.

use super::{Drawing, Glyph, GlyphKind};

/// How heavy a line is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Weight {
    None = 0,
    Light = 1,
    Heavy = 2,
}

/// The four arms of a line at a place: up, right, down, left.
type Arms = [u8; 4];

pub(crate) struct Canvas {
    width: usize,
    glyphs: Vec<Glyph>,
    arms: Vec<Arms>,
}

const BLANK: Glyph = Glyph {
    character: ' ',
    kind: GlyphKind::Plain,
};

impl Canvas {
    pub(crate) fn new(width: usize, height: usize) -> Canvas {
        Canvas {
            width,
            glyphs: vec![BLANK; width * height],
            arms: vec![[0; 4]; width * height],
        }
    }

    fn index_of(&self, x: usize, y: usize) -> Option<usize> {
        let slot = y * self.width + x;
        (x < self.width && slot < self.glyphs.len()).then_some(slot)
    }

    /// Writes a text from this place to the right.
    pub(crate) fn write(&mut self, x: usize, y: usize, text: &str, ink: GlyphKind) {
        for (i, character) in text.chars().enumerate() {
            if let Some(slot) = self.index_of(x + i, y) {
                self.glyphs[slot] = Glyph {
                    character,
                    kind: ink,
                };
            }
        }
    }

    /// A line between two places in the same row or column. Where it lies over
    /// another, the heavier one shows.
    pub(crate) fn line(&mut self, from: (usize, usize), to: (usize, usize), weight: Weight) {
        if weight == Weight::None {
            return;
        }
        let ((x0, y0), (x1, y1)) = (from, to);
        let across = y0 == y1;
        let (start, end) = if across { (x0, x1) } else { (y0, y1) };
        for n in start..=end {
            let (x, y) = if across { (n, y0) } else { (x0, n) };
            let Some(slot) = self.index_of(x, y) else {
                continue;
            };
            // Arms point towards the rest of the line.
            let (back, forth) = if across { (3, 1) } else { (0, 2) };
            let arms = &mut self.arms[slot];
            if n > start {
                arms[back] = arms[back].max(weight as u8);
            }
            if n < end {
                arms[forth] = arms[forth].max(weight as u8);
            }
        }
    }

    /// A frame around a rectangle.
    pub(crate) fn frame(&mut self, from: (usize, usize), to: (usize, usize), weight: Weight) {
        self.line(from, (to.0, from.1), weight);
        self.line((from.0, to.1), to, weight);
        self.line(from, (from.0, to.1), weight);
        self.line((to.0, from.1), to, weight);
    }

    pub(crate) fn finish(self) -> Drawing {
        let Canvas {
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

/// Every meeting of light and heavy lines has its character; this table lists
/// them by their arms: up, right, down, left; 0 none, 1 light, 2 heavy.
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

/// Has this line character a heavy arm?
pub(super) fn is_heavy(character: char) -> bool {
    JOINS
        .iter()
        .any(|(arms, joined)| *joined == character && arms.contains(&2))
}
