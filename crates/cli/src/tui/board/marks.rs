//! Crosses, noughts and numbers of any size. Large ones are made of blocks, in ASCII of their own letters.

mod digits;

use std::cell::RefCell;
use std::collections::HashMap;

use noughts_rules::{Mark as Glyph, Piece, PieceSize, Side};
use ratatui::layout::Rect;
use ratatui::style::Style;

use super::canvas::BoardCanvas;
use crate::tui::theme::Theme;

/// The uppercase letter of a side.
pub(super) fn letter(side: Side) -> char {
    side.letter().to_ascii_uppercase()
}

/// A piece in one word: its mark, and the first letter of its size.
pub(super) fn piece_label(piece: &Piece) -> String {
    label(piece.mark, piece.size)
}

fn label(glyph: Glyph, size: Option<PieceSize>) -> String {
    let size = size.and_then(|size| size.name().chars().next());
    glyph.to_string().chars().chain(size).collect()
}

/// A mark, in a cell or as large as a board.
#[derive(Clone, Copy, Debug)]
pub(super) struct Mark {
    glyph: Glyph,
    size: Option<PieceSize>,
    /// Are there other pieces below it?
    is_on_others: bool,
    fill: MarkFill,
    pub(super) style: Style,
}

impl Mark {
    /// A side's mark on the board; one that no longer matters is faded.
    pub(super) fn solid(side: Side, is_faded: bool, theme: &Theme) -> Mark {
        Mark::of(&Piece::of(side), false, is_faded, theme)
    }

    /// A piece on the board; one that is about to vanish looks like one that isn't on the board yet.
    pub(super) fn of(piece: &Piece, is_on_others: bool, is_faded: bool, theme: &Theme) -> Mark {
        let style = match (piece.color(), is_faded || piece.is_fading) {
            (Some(side), true) => theme.faded(side),
            (None, true) => theme.dim(),
            (side, false) => theme.color(side),
        };
        Mark {
            glyph: piece.mark,
            size: piece.size,
            is_on_others,
            fill: match piece.is_fading {
                true => MarkFill::Ghost,
                false => MarkFill::Solid,
            },
            style,
        }
    }

    /// The same mark, not on the board yet or no longer.
    pub(super) fn ghost(self) -> Mark {
        let fill = MarkFill::Ghost;
        Mark { fill, ..self }
    }

    /// The mark in as few characters as possible.
    pub(super) fn label(self) -> String {
        let label = label(self.glyph, self.size);
        let more = if self.is_on_others { "+" } else { "" };
        match self.fill {
            MarkFill::Solid => format!("{label}{more}"),
            MarkFill::Ghost => format!("{}{more}", label.to_lowercase()),
        }
    }

    /// How much of its cell the mark fills, in thirds.
    pub(super) fn thirds(self) -> u16 {
        match self.size {
            Some(PieceSize::Small) => 1,
            Some(PieceSize::Medium) => 2,
            Some(PieceSize::Large) | None => 3,
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum MarkFill {
    /// A mark on the board.
    Solid,
    /// A mark that isn't on the board yet, or no longer is: thin lines or a lowercase letter.
    Ghost,
}

/// Draws a mark as large as fits, centered in the rectangle.
pub(super) fn draw(mark: Mark, rect: Rect, canvas: &mut BoardCanvas<'_>) {
    let side = match mark.glyph {
        Glyph::X => Side::X,
        Glyph::O => Side::O,
        Glyph::Number(number) => return digits::draw(number, mark.style, rect, canvas),
    };
    let (theme, size) = (canvas.theme, size(rect, side, mark.fill, canvas.theme));
    let shape = MarkShape {
        side,
        fill: mark.fill,
        size,
    };
    let (width, height) = size;
    let left = rect.x + rect.width.saturating_sub(width) / 2;
    let top = rect.y + rect.height.saturating_sub(height) / 2;
    for y in 0..height {
        for x in 0..width {
            let character = shape.char_at(x, y, theme);
            if character != ' ' {
                canvas.put(left + x, top + y, character, mark.style);
            }
        }
    }
}

/// The largest mark for a rectangle. Terminal cells are twice as high as wide, so marks are about
/// twice as wide as high in cells. Thin crosses are steeper.
fn size(rect: Rect, side: Side, fill: MarkFill, theme: &Theme) -> (u16, u16) {
    let is_thin = fill == MarkFill::Ghost && !theme.ascii();
    let min_height = if theme.ascii() { 3 } else { 2 };
    for height in (min_height..=rect.height).rev() {
        let widths = match (is_thin, side) {
            (true, Side::X) => [height, height],
            _ => [2 * height, 2 * height - 1],
        };
        if let Some(width) = widths.into_iter().find(|&width| width <= rect.width) {
            return (width, height);
        }
    }
    (rect.width.min(1), rect.height.min(1))
}

/// A mark of a certain size.
struct MarkShape {
    side: Side,
    fill: MarkFill,
    size: (u16, u16),
}

/// Quadrant blocks, indexed by the filled quadrants: top left 1, top right 2, bottom left 4, bottom
/// right 8.
const QUADRANTS: [char; 16] = [
    ' ', '▘', '▝', '▀', '▖', '▌', '▞', '▛', '▗', '▚', '▐', '▜', '▄', '▙', '▟', '█',
];

/// The characters of rendered marks, by side and size.
type MarkCache = HashMap<(Side, (u16, u16)), Vec<char>>;

thread_local! {
    /// Large marks that have been rendered before.
    static MARK_CACHE: RefCell<MarkCache> = RefCell::default();
}

/// Two rows are too few to compute a shape.
const TWO_ROWS: [[[char; 4]; 2]; 2] = [
    [['▀', '▄', '▄', '▀'], ['▄', '▀', '▀', '▄']],
    [['▄', '▀', '▀', '▄'], ['▀', '▄', '▄', '▀']],
];

impl MarkShape {
    /// The mark as a single character.
    fn letter(&self) -> char {
        match self.fill {
            MarkFill::Solid => letter(self.side),
            MarkFill::Ghost => self.side.letter(),
        }
    }

    /// The character at a cell of the mark.
    fn char_at(&self, x: u16, y: u16, theme: &Theme) -> char {
        if self.size.1 <= 1 {
            return self.letter();
        }
        if theme.ascii() {
            return match self.is_outline(x, y) {
                true => self.letter(),
                false => ' ',
            };
        }
        match (self.fill, self.side, self.size) {
            (MarkFill::Ghost, Side::X, _) => self.thin_cross(x, y),
            (MarkFill::Ghost, Side::O, _) => self.thin_nought(x, y),
            (MarkFill::Solid, side, (4, 2)) => {
                TWO_ROWS[side as usize][usize::from(y % 2)][usize::from(x % 4)]
            }
            (MarkFill::Solid, ..) => self.cached_block(x, y),
        }
    }

    /// A character of the mark, rendered once per size: rendering takes longer than the rest of the
    /// frame.
    fn cached_block(&self, x: u16, y: u16) -> char {
        let (width, height) = self.size;
        let compute = || (0..width * height).map(|n| self.block(n % width, n / width));
        MARK_CACHE.with_borrow_mut(|cache| {
            let blocks = cache
                .entry((self.side, self.size))
                .or_insert_with(|| compute().collect());
            let index = usize::from(y) * usize::from(width) + usize::from(x);
            blocks.get(index).copied().unwrap_or(' ')
        })
    }

    fn thin_cross(&self, x: u16, y: u16) -> char {
        let (on_falling, on_rising) = (x == y, x + y + 1 == self.size.1);
        match (on_falling, on_rising) {
            (true, true) => '╳',
            (true, false) => '╲',
            (false, true) => '╱',
            (false, false) => ' ',
        }
    }

    fn thin_nought(&self, x: u16, y: u16) -> char {
        let (right, bottom) = (self.size.0 - 1, self.size.1 - 1);
        match (x, y) {
            (0, 0) => '╭',
            (x, 0) if x == right => '╮',
            (0, y) if y == bottom => '╰',
            (x, y) if (x, y) == (right, bottom) => '╯',
            (_, y) if y == 0 || y == bottom => '─',
            (x, _) if x == 0 || x == right => '│',
            _ => ' ',
        }
    }

    /// Is this cell part of an outline one character thick?
    fn is_outline(&self, x: u16, y: u16) -> bool {
        let (width, height) = (f64::from(self.size.0), f64::from(self.size.1));
        let mirrored = self.size.0 - 1 - x;
        match self.side {
            Side::X => {
                let offset = f64::from(y) * (width - 1.0) / (height - 1.0);
                // Mirrored at the center.
                let offset = offset.min(width - 1.0 - offset) as u16;
                x.min(mirrored) == offset
            }
            Side::O => {
                let down = (2.0 * f64::from(y) + 1.0) / height - 1.0;
                let reach = (1.0 - down * down).sqrt() * width / 2.0;
                let edge = (width / 2.0 - reach).round() as u16;
                let is_horizontal = y == 0 || y + 1 == self.size.1;
                x.min(mirrored) == edge || is_horizontal && x.min(mirrored) > edge
            }
        }
    }

    fn block(&self, x: u16, y: u16) -> char {
        let offsets = [(0, 0), (1, 0), (0, 1), (1, 1)];
        let quadrants = (0..4)
            .filter(|&i| self.covers(2 * x + offsets[i].0, 2 * y + offsets[i].1))
            .fold(0, |quadrants, i| quadrants | 1 << i);
        QUADRANTS[quadrants]
    }

    /// Does the mark cover at least half of this quadrant?
    fn covers(&self, x: u16, y: u16) -> bool {
        const SAMPLES: u16 = 4;
        let coordinate = |quadrant: u16, sample: u16| {
            (f64::from(quadrant) + (f64::from(sample) + 0.5) / f64::from(SAMPLES)) / 2.0
        };
        let points = (0..SAMPLES * SAMPLES).filter(|n| {
            self.contains(coordinate(x, n % SAMPLES), 2.0 * coordinate(y, n / SAMPLES))
        });
        2 * points.count() >= usize::from(SAMPLES * SAMPLES)
    }

    /// Is this point part of the mark? In units of a cell's width.
    fn contains(&self, x: f64, y: f64) -> bool {
        let (width, height) = (f64::from(self.size.0), 2.0 * f64::from(self.size.1));
        let stroke = 0.11 * height + 0.6;
        let reach = stroke / 2.0;
        match self.side {
            Side::X => {
                let (w, h) = (width - stroke, height - stroke);
                let (x, y) = (x - reach, y - reach);
                distance(x, y, w, h) <= reach || distance(w - x, y, w, h) <= reach
            }
            Side::O => {
                let (a, b) = (width / 2.0 - reach, height / 2.0 - reach);
                let (dx, dy) = ((x - width / 2.0) / a, (y - height / 2.0) / b);
                (dx.hypot(dy) - 1.0).abs() * a.min(b) <= reach
            }
        }
    }
}

/// The distance of a point from the stroke that runs from the origin to `(w, h)`.
fn distance(x: f64, y: f64, w: f64, h: f64) -> f64 {
    let offset = ((x * w + y * h) / (w * w + h * h)).clamp(0.0, 1.0);
    (x - offset * w).hypot(y - offset * h)
}
