//! One cell, whatever the board: its mark, what sets it off, what analysis says.

use noughts_rules::Side;
use ratatui::layout::Rect;
use ratatui::style::{Modifier, Style};

use super::annotations::Annotation;
use super::canvas::Canvas;
use super::marks::{self, MarkFill};
use crate::tui::theme::{Theme, Wrap};

/// What a cell shows.
#[derive(Clone, Debug, Default)]
pub(super) struct Face {
    pub(super) mark: Option<Mark>,
    /// In place of a mark: a sign of one character.
    pub(super) symbol: Option<(char, Style)>,
    /// What sets the cell off, the most important first.
    pub(super) highlights: Vec<SetOff>,
    /// Values, one a line.
    pub(super) annotations: Vec<Annotation>,
    /// The ground of the cell.
    pub(super) background: Style,
}

/// A mark in a cell.
#[derive(Clone, Copy, Debug)]
pub(super) struct Mark {
    pub(super) side: Side,
    pub(super) fill: MarkFill,
    pub(super) style: Style,
}

/// What sets a cell off from the others.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum SetOff {
    Cursor,
    /// The piece of a half-made move.
    Held,
    /// Part of a line that the move would complete.
    Preview(Side),
    /// Part of the line that decided the game.
    WinningLine(Side),
    /// The same, next to another of its cells on the left.
    LineOn(Side),
    /// The last move.
    LastMove(Side),
    /// A move that is pointed at.
    Hint,
}

/// From this height on, marks do not fill their cells.
const AIRY: u16 = 7;

impl SetOff {
    fn is_line(self) -> bool {
        matches!(self, SetOff::WinningLine(_) | SetOff::LineOn(_))
    }

    fn wrap(self, look: &Theme) -> (Wrap, Style) {
        let signs = look.symbols();
        match self {
            SetOff::Cursor => (signs.cursor, look.cursor()),
            SetOff::Held => (signs.held, look.preview()),
            SetOff::Preview(player) => (signs.preview, look.side(player)),
            SetOff::WinningLine(player) => (signs.winning_line, look.winning_line(player)),
            SetOff::LineOn(player) => {
                // What stands between the two belongs to both.
                let sides = ['|', signs.winning_line.sides[1]];
                (
                    Wrap {
                        sides,
                        ..signs.winning_line
                    },
                    look.winning_line(player),
                )
            }
            SetOff::LastMove(player) => (signs.last_move, look.last_move(player)),
            SetOff::Hint => (signs.hinted, look.hint()),
        }
    }

    /// The ground under a cell that is set off, for terminals that have one of ours.
    fn ground(self, look: &Theme) -> Style {
        match self {
            SetOff::Cursor => look.tint(look.text(), 16),
            SetOff::Held => look.tint(look.accent(), 14),
            SetOff::Preview(player) => look.tint(look.side(player), 18),
            SetOff::WinningLine(player) | SetOff::LineOn(player) => {
                look.tint(look.side(player), 24)
            }
            SetOff::LastMove(_) => Style::new(),
            SetOff::Hint => look.tint(look.accent(), 14),
        }
    }
}

impl Face {
    /// Draws the cell. What stands at the sides of a low cell may lie outside the
    /// rectangle.
    pub(super) fn draw(&self, rect: Rect, look: &Theme, sheet: &mut Canvas<'_>) {
        let mut ground = self.background;
        for set_off in self.highlights.iter().rev() {
            ground = ground.patch(set_off.ground(look));
        }
        sheet.tint(rect, ground);
        if rect.height <= 1 {
            self.draw_low(rect, look, sheet);
        } else {
            self.draw_high(rect, look, sheet);
        }
    }

    fn is_cursor(&self) -> bool {
        self.highlights.contains(&SetOff::Cursor)
    }

    /// What is written in a cell of one row: a mark and perhaps its value, or a value,
    /// or a sign.
    fn texts(&self) -> Vec<(String, Style)> {
        let mark = self.mark.map(|mark| {
            let letter = match mark.fill {
                MarkFill::Solid => marks::letter(mark.side),
                MarkFill::Ghost => mark.side.letter(),
            };
            (letter.into(), mark.style)
        });
        let note = self.annotations.first();
        let note = note.map(|note| (note.text.clone(), note.style));
        let sign = self.symbol.map(|(sign, style)| (sign.into(), style));
        match (mark, note) {
            (None, None) => vec![sign.unwrap_or((" ".into(), Style::new()))],
            (mark, note) => mark.into_iter().chain(note).collect(),
        }
    }

    fn draw_low(&self, rect: Rect, look: &Theme, sheet: &mut Canvas<'_>) {
        let texts = self.texts();
        let width = texts
            .iter()
            .map(|(text, _)| text.chars().count() as u16)
            .sum();
        let left = rect.x + rect.width.saturating_sub(width) / 2;
        let mut x = left;
        for (text, mut style) in texts {
            if self.is_cursor() {
                style = style.add_modifier(Modifier::REVERSED);
            }
            sheet.write(x, rect.y, &text, style);
            x = x.saturating_add(text.chars().count() as u16);
        }
        // Two signs that don't belong together would read as a mistake: the most important one has both sides.
        let Some(set_off) = self.highlights.first() else {
            return;
        };
        let (wrap, mut style) = set_off.wrap(look);
        if self.is_cursor() && rect.width > 1 {
            style = style.add_modifier(Modifier::REVERSED);
        }
        let places = [left.saturating_sub(1), left.saturating_add(width)];
        for (x, sign) in places.into_iter().zip(wrap.sides) {
            sheet.put(x, rect.y, sign, style);
        }
    }

    fn draw_high(&self, rect: Rect, look: &Theme, sheet: &mut Canvas<'_>) {
        let inner = Rect {
            x: rect.x + 1,
            width: rect.width.saturating_sub(2),
            ..rect
        };
        let lines = (self.annotations.len() as u16).min(rect.height);
        let top = match self.mark {
            // The mark gets what the values leave.
            Some(_) => rect.height - lines,
            None => (rect.height - lines) / 2,
        };
        if let Some(mark) = self.mark {
            let air = if rect.height >= AIRY && top > 2 { 2 } else { 0 };
            let place = Rect {
                y: rect.y + air / 2,
                height: top - air,
                ..inner
            };
            marks::draw(mark.side, place, mark.fill, mark.style, look, sheet);
        } else if let (Some((sign, style)), 0) = (self.symbol, lines) {
            let x = rect.x + (rect.width - 1) / 2;
            sheet.put(x, rect.y + (rect.height - 1) / 2, sign, style);
        }
        for (y, note) in (rect.y + top..rect.bottom()).zip(&self.annotations) {
            let width = note.text.chars().count() as u16;
            let x = rect.x + rect.width.saturating_sub(width) / 2;
            sheet.write(x, y, &note.text, note.style);
        }
        self.draw_corners(rect, look, sheet);
    }

    fn draw_corners(&self, rect: Rect, look: &Theme, sheet: &mut Canvas<'_>) {
        let (right, bottom) = (
            rect.right().saturating_sub(1),
            rect.bottom().saturating_sub(1),
        );
        let places = [
            (rect.x, rect.y),
            (right, rect.y),
            (rect.x, bottom),
            (right, bottom),
        ];
        for (half, set_off) in [0, 2].into_iter().zip(self.two()) {
            let Some(set_off) = set_off else { continue };
            let (wrap, style) = set_off.wrap(look);
            for corner in [half, half + 1] {
                let (x, y) = places[corner];
                sheet.put(x, y, wrap.corners[corner], style);
            }
            if look.ascii() {
                draw_sides(rect, half == 0, wrap.sides, style, sheet);
            } else if matches!(set_off, SetOff::Preview(_)) {
                draw_sides(rect, half == 0, [wrap.edges[1]; 2], style, sheet);
            } else if rect.height >= AIRY {
                let y = places[half].1;
                draw_arms(rect, y, wrap, set_off.is_line(), style, sheet);
            }
        }
    }

    /// The two things that set a high cell off the most: one has the upper half of what
    /// stands around it, the other the lower.
    fn two(&self) -> [Option<SetOff>; 2] {
        let first = self.highlights.first().copied();
        [first, self.highlights.get(1).copied().or(first)]
    }
}

/// Both sides of a cell from its top to its middle, or from there to its bottom: ASCII
/// has no corners.
fn draw_sides(rect: Rect, upper: bool, sides: [char; 2], style: Style, sheet: &mut Canvas<'_>) {
    let middle = rect.y + rect.height / 2;
    let rows = if upper {
        rect.y..middle
    } else {
        middle..rect.bottom()
    };
    for y in rows {
        sheet.put(rect.x, y, sides[0], style);
        sheet.put(rect.right().saturating_sub(1), y, sides[1], style);
    }
}

/// What goes on from the two corners in this row; for a line it goes all around.
fn draw_arms(rect: Rect, y: u16, wrap: Wrap, around: bool, style: Style, sheet: &mut Canvas<'_>) {
    const LENGTH: u16 = 2;
    let right = rect.right().saturating_sub(1);
    let reach = if around { rect.width } else { LENGTH };
    for x in rect.x + 1..right {
        if x - rect.x <= reach || right - x <= reach {
            sheet.put(x, y, wrap.edges[0], style);
        }
    }
    if around {
        let (upper, middle) = (y == rect.y, rect.y + rect.height / 2);
        let rows = if upper { y + 1..middle } else { middle..y };
        for y in rows {
            sheet.put(rect.x, y, wrap.edges[1], style);
            sheet.put(right, y, wrap.edges[1], style);
        }
    }
}
