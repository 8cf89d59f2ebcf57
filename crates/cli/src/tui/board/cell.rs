//! One cell of any board: its mark, highlights and analysis values.

use noughts_rules::Side;
use ratatui::layout::Rect;
use ratatui::style::{Modifier, Style};

use super::annotations::Annotation;
use super::canvas::BoardCanvas;
use super::lines::corners;
use super::marks::{self, MarkFill};
use crate::tui::theme::{CellBorder, Theme};

/// What a cell shows.
#[derive(Clone, Debug, Default)]
pub(super) struct CellView {
    pub(super) mark: Option<Mark>,
    /// A single character shown instead of a mark.
    pub(super) symbol: Option<(char, Style)>,
    /// Most important first.
    pub(super) highlights: Vec<Highlight>,
    /// Move values, one per line.
    pub(super) annotations: Vec<Annotation>,
    pub(super) background: Style,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Mark {
    pub(super) side: Side,
    pub(super) fill: MarkFill,
    pub(super) style: Style,
}

/// Why a cell stands out from the others.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Highlight {
    Cursor,
    /// The piece picked up in a partial move.
    Held,
    /// Part of a line that the pending move would complete.
    Preview(Side),
    /// Part of the winning line.
    WinningLine(Side),
    /// Part of the winning line, with another of its cells directly to the left.
    WinningLineJoined(Side),
    LastMove(Side),
    /// The suggested move.
    Hint,
}

/// From this height on, marks leave some space in their cells.
const SPACIOUS_HEIGHT: u16 = 7;

impl Highlight {
    fn is_winning_line(self) -> bool {
        matches!(
            self,
            Highlight::WinningLine(_) | Highlight::WinningLineJoined(_)
        )
    }

    fn border(self, theme: &Theme) -> (CellBorder, Style) {
        let symbols = theme.symbols();
        match self {
            Highlight::Cursor => (symbols.cursor, theme.strong()),
            Highlight::Held => (symbols.held, theme.accent()),
            Highlight::Preview(side) => (symbols.preview, theme.side(side)),
            Highlight::WinningLine(side) => (symbols.winning_line, theme.side(side)),
            Highlight::WinningLineJoined(side) => {
                // Adjacent cells of the line share the separator between them.
                let sides = ['|', symbols.winning_line.sides[1]];
                (
                    CellBorder {
                        sides,
                        ..symbols.winning_line
                    },
                    theme.side(side),
                )
            }
            Highlight::LastMove(side) => (symbols.last_move, theme.side(side)),
            Highlight::Hint => (symbols.hinted, theme.accent()),
        }
    }

    /// The background of a highlighted cell, if the theme has its own background.
    fn background(self, theme: &Theme) -> Style {
        match self {
            Highlight::Cursor => theme.tint(theme.text(), 16),
            Highlight::Held => theme.tint(theme.accent(), 14),
            Highlight::Preview(side) => theme.tint(theme.side(side), 18),
            Highlight::WinningLine(side) | Highlight::WinningLineJoined(side) => {
                theme.tint(theme.side(side), 24)
            }
            Highlight::LastMove(_) => Style::new(),
            Highlight::Hint => theme.tint(theme.accent(), 14),
        }
    }
}

impl CellView {
    /// Draws the cell. The brackets around a one-row cell may lie outside `rect`.
    pub(super) fn draw(&self, rect: Rect, theme: &Theme, canvas: &mut BoardCanvas<'_>) {
        let mut background = self.background;
        for highlight in self.highlights.iter().rev() {
            background = background.patch(highlight.background(theme));
        }
        canvas.tint(rect, background);
        if rect.height <= 1 {
            self.draw_low(rect, theme, canvas);
        } else {
            self.draw_tall(rect, theme, canvas);
        }
    }

    fn is_cursor(&self) -> bool {
        self.highlights.contains(&Highlight::Cursor)
    }

    /// The text of a one-row cell: a mark with an optional value, a value, or a symbol.
    fn texts(&self) -> Vec<(String, Style)> {
        let mark = self.mark.map(|mark| {
            let letter = match mark.fill {
                MarkFill::Solid => marks::letter(mark.side),
                MarkFill::Ghost => mark.side.letter(),
            };
            (letter.into(), mark.style)
        });
        let annotation = self.annotations.first();
        let annotation = annotation.map(|annotation| (annotation.text.clone(), annotation.style));
        let character = self
            .symbol
            .map(|(character, style)| (character.into(), style));
        match (mark, annotation) {
            (None, None) => vec![character.unwrap_or((" ".into(), Style::new()))],
            (mark, annotation) => mark.into_iter().chain(annotation).collect(),
        }
    }

    fn draw_low(&self, rect: Rect, theme: &Theme, canvas: &mut BoardCanvas<'_>) {
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
            canvas.write(x, rect.y, &text, style);
            x = x.saturating_add(text.chars().count() as u16);
        }
        // Mixed brackets would look like a bug, so the most important highlight gets both sides.
        let Some(highlight) = self.highlights.first() else {
            return;
        };
        let (border, mut style) = highlight.border(theme);
        if self.is_cursor() && rect.width > 1 {
            style = style.add_modifier(Modifier::REVERSED);
        }
        let columns = [left.saturating_sub(1), left.saturating_add(width)];
        for (x, character) in columns.into_iter().zip(border.sides) {
            canvas.put(x, rect.y, character, style);
        }
    }

    fn draw_tall(&self, rect: Rect, theme: &Theme, canvas: &mut BoardCanvas<'_>) {
        let inner = Rect {
            x: rect.x + 1,
            width: rect.width.saturating_sub(2),
            ..rect
        };
        let lines = (self.annotations.len() as u16).min(rect.height);
        let top = match self.mark {
            // The mark gets the rows that the values leave.
            Some(_) => rect.height - lines,
            None => (rect.height - lines) / 2,
        };
        if let Some(mark) = self.mark {
            let space = if rect.height >= SPACIOUS_HEIGHT && top > 2 {
                2
            } else {
                0
            };
            let mark_area = Rect {
                y: rect.y + space / 2,
                height: top - space,
                ..inner
            };
            marks::draw(mark.side, mark_area, mark.fill, mark.style, theme, canvas);
        } else if let (Some((character, style)), 0) = (self.symbol, lines) {
            let x = rect.x + (rect.width - 1) / 2;
            canvas.put(x, rect.y + (rect.height - 1) / 2, character, style);
        }
        for (y, annotation) in (rect.y + top..rect.bottom()).zip(&self.annotations) {
            let width = annotation.text.chars().count() as u16;
            let x = rect.x + rect.width.saturating_sub(width) / 2;
            canvas.write(x, y, &annotation.text, annotation.style);
        }
        self.draw_corners(rect, theme, canvas);
    }

    fn draw_corners(&self, rect: Rect, theme: &Theme, canvas: &mut BoardCanvas<'_>) {
        let corners = corners(rect);
        for (half, highlight) in [0, 2].into_iter().zip(self.top_two()) {
            let Some(highlight) = highlight else { continue };
            let (border, style) = highlight.border(theme);
            for corner in [half, half + 1] {
                let (x, y) = corners[corner];
                canvas.put(x, y, border.corners[corner], style);
            }
            if theme.ascii() {
                draw_sides(rect, half == 0, border.sides, style, canvas);
            } else if matches!(highlight, Highlight::Preview(_)) {
                draw_sides(rect, half == 0, [border.edges[1]; 2], style, canvas);
            } else if rect.height >= SPACIOUS_HEIGHT {
                let y = corners[half].1;
                draw_edges(rect, y, border, highlight.is_winning_line(), style, canvas);
            }
        }
    }

    /// The two most important highlights of a tall cell: one gets the upper half of the border, the
    /// other the lower half.
    fn top_two(&self) -> [Option<Highlight>; 2] {
        let first = self.highlights.first().copied();
        [first, self.highlights.get(1).copied().or(first)]
    }
}

/// Draws the left and right side of the upper or lower half of a cell. ASCII has no corners.
fn draw_sides(
    rect: Rect,
    upper: bool,
    sides: [char; 2],
    style: Style,
    canvas: &mut BoardCanvas<'_>,
) {
    let middle = rect.y + rect.height / 2;
    let rows = if upper {
        rect.y..middle
    } else {
        middle..rect.bottom()
    };
    for y in rows {
        canvas.put(rect.x, y, sides[0], style);
        canvas.put(rect.right().saturating_sub(1), y, sides[1], style);
    }
}

/// Extends the two corners in this row; for a winning line all the way around.
fn draw_edges(
    rect: Rect,
    y: u16,
    border: CellBorder,
    full: bool,
    style: Style,
    canvas: &mut BoardCanvas<'_>,
) {
    const LENGTH: u16 = 2;
    let right = rect.right().saturating_sub(1);
    let reach = if full { rect.width } else { LENGTH };
    for x in rect.x + 1..right {
        if x - rect.x <= reach || right - x <= reach {
            canvas.put(x, y, border.edges[0], style);
        }
    }
    if full {
        let (upper, middle) = (y == rect.y, rect.y + rect.height / 2);
        let rows = if upper { y + 1..middle } else { middle..y };
        for y in rows {
            canvas.put(rect.x, y, border.edges[1], style);
            canvas.put(right, y, border.edges[1], style);
        }
    }
}
