//! Crosses and noughts of any size. Large ones are made of quarter blocks, as if the
//! terminal had pixels; in ASCII of their own letters.

use std::cell::RefCell;
use std::collections::HashMap;

use noughts_rules::Side;
use ratatui::layout::Rect;
use ratatui::style::Style;

use super::canvas::Canvas;
use crate::tui::theme::Theme;

/// The letter of a player's mark.
pub(super) fn letter(player: Side) -> char {
    match player {
        Side::X => 'X',
        Side::O => 'O',
    }
}

/// How a mark is drawn.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum MarkFill {
    /// It is there.
    Solid,
    /// It is not there, or no longer: thin lines, or a small letter.
    Ghost,
}

/// Draws a mark as large as fits the middle of the rectangle.
pub(super) fn draw(
    player: Side,
    rect: Rect,
    body: MarkFill,
    style: Style,
    look: &Theme,
    sheet: &mut Canvas<'_>,
) {
    let draft = Draft {
        player,
        body,
        size: size(rect, player, body, look),
    };
    let (width, height) = draft.size;
    let left = rect.x + rect.width.saturating_sub(width) / 2;
    let top = rect.y + rect.height.saturating_sub(height) / 2;
    for y in 0..height {
        for x in 0..width {
            let sign = draft.sign(x, y, look);
            if sign != ' ' {
                sheet.put(left + x, top + y, sign, style);
            }
        }
    }
}

/// The largest mark for a rectangle: about as wide as it is high to the eye, for
/// which a place is twice as high as wide. Thin crosses are steeper.
fn size(rect: Rect, player: Side, body: MarkFill, look: &Theme) -> (u16, u16) {
    let thin = body == MarkFill::Ghost && !look.ascii();
    let least = if look.ascii() { 3 } else { 2 };
    for height in (least..=rect.height).rev() {
        let widths = match (thin, player) {
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
struct Draft {
    player: Side,
    body: MarkFill,
    size: (u16, u16),
}

/// Quarter blocks by the quarters that are filled: top left 1, top right 2, bottom
/// left 4, bottom right 8.
const QUARTERS: [char; 16] = [
    ' ', '▘', '▝', '▀', '▖', '▌', '▞', '▛', '▗', '▚', '▐', '▜', '▄', '▙', '▟', '█',
];

/// Marks by player and size, place by place.
type Kept = HashMap<(Side, (u16, u16)), Vec<char>>;

thread_local! {
    /// Large marks that have been drawn before.
    static KEPT: RefCell<Kept> = RefCell::default();
}

/// Two rows are too few to be computed.
const TWO_ROWS: [[[char; 4]; 2]; 2] = [
    [['▀', '▄', '▄', '▀'], ['▄', '▀', '▀', '▄']],
    [['▄', '▀', '▀', '▄'], ['▀', '▄', '▄', '▀']],
];

impl Draft {
    /// What stands at a place of the mark.
    fn sign(&self, x: u16, y: u16, look: &Theme) -> char {
        if self.size.1 <= 1 {
            return self.small();
        }
        if look.ascii() {
            return if self.outlined(x, y) {
                self.small()
            } else {
                ' '
            };
        }
        match (self.body, self.player, self.size) {
            (MarkFill::Ghost, Side::X, _) => self.thin_cross(x, y),
            (MarkFill::Ghost, Side::O, _) => self.thin_nought(x, y),
            (MarkFill::Solid, player, (4, 2)) => {
                TWO_ROWS[player as usize][usize::from(y % 2)][usize::from(x % 4)]
            }
            (MarkFill::Solid, ..) => self.kept_blocks(x, y),
        }
    }

    /// A block of the mark, computed once for each size: that takes longer than all
    /// the rest of a frame.
    fn kept_blocks(&self, x: u16, y: u16) -> char {
        let (width, height) = self.size;
        let compute = || (0..width * height).map(|n| self.blocks(n % width, n / width));
        KEPT.with_borrow_mut(|kept| {
            let blocks = kept
                .entry((self.player, self.size))
                .or_insert_with(|| compute().collect());
            let place = usize::from(y) * usize::from(width) + usize::from(x);
            blocks.get(place).copied().unwrap_or(' ')
        })
    }

    fn small(&self) -> char {
        match self.body {
            MarkFill::Solid => letter(self.player),
            MarkFill::Ghost => self.player.letter(),
        }
    }

    fn thin_cross(&self, x: u16, y: u16) -> char {
        let (falls, rises) = (x == y, x + y + 1 == self.size.1);
        match (falls, rises) {
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

    /// Is this place part of a mark one character thick?
    fn outlined(&self, x: u16, y: u16) -> bool {
        let (width, height) = (f64::from(self.size.0), f64::from(self.size.1));
        let mirrored = self.size.0 - 1 - x;
        match self.player {
            Side::X => {
                let along = f64::from(y) * (width - 1.0) / (height - 1.0);
                // The same on both sides of the middle.
                let along = along.min(width - 1.0 - along) as u16;
                x.min(mirrored) == along
            }
            Side::O => {
                let down = (2.0 * f64::from(y) + 1.0) / height - 1.0;
                let reach = (1.0 - down * down).sqrt() * width / 2.0;
                let edge = (width / 2.0 - reach).round() as u16;
                let flat = y == 0 || y + 1 == self.size.1;
                x.min(mirrored) == edge || flat && x.min(mirrored) > edge
            }
        }
    }

    fn blocks(&self, x: u16, y: u16) -> char {
        let quarters = [(0, 0), (1, 0), (0, 1), (1, 1)];
        let set = (0..4)
            .filter(|&i| self.covers(2 * x + quarters[i].0, 2 * y + quarters[i].1))
            .fold(0, |set, i| set | 1 << i);
        QUARTERS[set]
    }

    /// Does the mark cover at least half of this quarter of a place?
    fn covers(&self, x: u16, y: u16) -> bool {
        const SAMPLES: u16 = 4;
        let at = |quarter: u16, sample: u16| {
            (f64::from(quarter) + (f64::from(sample) + 0.5) / f64::from(SAMPLES)) / 2.0
        };
        let points = (0..SAMPLES * SAMPLES)
            .filter(|n| self.contains(at(x, n % SAMPLES), 2.0 * at(y, n / SAMPLES)));
        2 * points.count() >= usize::from(SAMPLES * SAMPLES)
    }

    /// Is this point part of the mark? In units of a place's width.
    fn contains(&self, x: f64, y: f64) -> bool {
        let (width, height) = (f64::from(self.size.0), 2.0 * f64::from(self.size.1));
        let stroke = 0.11 * height + 0.6;
        let reach = stroke / 2.0;
        match self.player {
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

/// How far a point is from the stroke that runs from the corner at zero to `(w, h)`.
fn distance(x: f64, y: f64, w: f64, h: f64) -> f64 {
    let along = ((x * w + y * h) / (w * w + h * h)).clamp(0.0, 1.0);
    (x - along * w).hypot(y - along * h)
}
