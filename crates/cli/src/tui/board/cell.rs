//! One cell of any board: its mark, highlights and analysis values.

use noughts_rules::Side;
use ratatui::layout::Rect;
use ratatui::style::{Modifier, Style};

use super::annotations::Annotation;
use super::canvas::BoardCanvas;
use super::lines::corners;
use super::marks::{self, Mark};
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
}

/// Why a cell stands out from the others.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Highlight {
    Cursor,
    /// The piece picked up in a partial move.
    Held,
    /// Part of a line that the pending move would complete.
    Preview(Option<Side>),
    /// Part of the winning line.
    WinningLine(Option<Side>),
    /// Part of the winning line, with another of its cells directly to the left.
    WinningLineJoined(Option<Side>),
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
            Highlight::Preview(side) => (symbols.preview, theme.color(side)),
            Highlight::WinningLine(side) => (symbols.winning_line, theme.color(side)),
            Highlight::WinningLineJoined(side) => {
                let mut border = symbols.winning_line;
                // Adjacent cells of the line share the separator between them.
                border.sides[0] = '|';
                (border, theme.color(side))
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
            Highlight::Preview(side) => theme.tint(theme.color(side), 18),
            Highlight::WinningLine(side) | Highlight::WinningLineJoined(side) => {
                theme.tint(theme.color(side), 24)
            }
            Highlight::LastMove(_) => Style::new(),
            Highlight::Hint => theme.tint(theme.accent(), 14),
        }
    }
}

impl CellView {
    /// Draws the cell. The brackets around a one-row cell may lie outside `rect`.
    pub(super) fn draw(&self, rect: Rect, canvas: &mut BoardCanvas<'_>) {
        let mut background = match (self.mark, self.annotations.first()) {
            (None, Some(annotation)) => canvas.theme.tint(annotation.style, 12),
            _ => Style::new(),
        };
        for highlight in self.highlights.iter().rev() {
            background = background.patch(highlight.background(canvas.theme));
        }
        canvas.tint(rect, background);
        if rect.height <= 1 {
            self.draw_low(rect, canvas);
        } else {
            self.draw_tall(rect, canvas);
        }
    }

    fn is_cursor(&self) -> bool {
        self.highlights.contains(&Highlight::Cursor)
    }

    /// The text of a one-row cell: a mark with an optional value, a value, or a symbol.
    fn texts(&self) -> Vec<(String, Style)> {
        let mark = self.mark.map(|mark| (mark.label(), mark.style));
        let annotation = self.annotations.first();
        let annotation = annotation.map(|annotation| (annotation.text.clone(), annotation.style));
        if mark.is_none() && annotation.is_none() {
            let (symbol, style) = self.symbol.unwrap_or((' ', Style::new()));
            return vec![(symbol.into(), style)];
        }
        mark.into_iter().chain(annotation).collect()
    }

    fn draw_low(&self, rect: Rect, canvas: &mut BoardCanvas<'_>) {
        let texts = self.texts();
        let widths = texts.iter().map(|(text, _)| text.chars().count() as u16);
        let width = widths.sum();
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
        let (border, mut style) = highlight.border(canvas.theme);
        if self.is_cursor() && rect.width > 1 {
            style = style.add_modifier(Modifier::REVERSED);
        }
        let columns = [left.saturating_sub(1), left.saturating_add(width)];
        for (x, character) in columns.into_iter().zip(border.sides) {
            canvas.put(x, rect.y, character, style);
        }
    }

    fn draw_tall(&self, rect: Rect, canvas: &mut BoardCanvas<'_>) {
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
            let space = 2 * u16::from(rect.height >= SPACIOUS_HEIGHT && top > 2);
            let mark_area = Rect {
                y: rect.y + space / 2,
                height: top - space,
                ..inner
            };
            marks::draw(mark, shrink(mark_area, mark.thirds()), canvas);
        } else if let (Some((character, style)), 0) = (self.symbol, lines) {
            let x = rect.x + (rect.width - 1) / 2;
            canvas.put(x, rect.y + (rect.height - 1) / 2, character, style);
        }
        for (y, annotation) in (rect.y + top..rect.bottom()).zip(&self.annotations) {
            let width = annotation.text.chars().count() as u16;
            let x = rect.x + rect.width.saturating_sub(width) / 2;
            canvas.write(x, y, &annotation.text, annotation.style);
        }
        self.draw_corners(rect, canvas);
    }

    /// Of the two most important highlights of a tall cell, one gets the upper half of the border, the
    /// other the lower half.
    fn draw_corners(&self, rect: Rect, canvas: &mut BoardCanvas<'_>) {
        let (corners, theme) = (corners(rect), canvas.theme);
        let (is_spacious, right) = (rect.height >= SPACIOUS_HEIGHT, corners[1].0);
        let [first, second] = [0, 1].map(|n| self.highlights.get(n).copied());
        for (half, highlight) in [(0, first), (2, second.or(first))] {
            let Some(highlight) = highlight else { continue };
            let (border, style) = highlight.border(theme);
            let is_preview = matches!(highlight, Highlight::Preview(_));
            let is_line = highlight.is_winning_line();
            // ASCII has neither corners nor edges.
            let sides = theme.pick([border.edges[1]; 2], border.sides);
            if theme.ascii() || is_preview || is_line && is_spacious {
                draw_sides(rect, half == 0, sides, style, canvas);
            }
            if is_spacious && !theme.ascii() && !is_preview {
                // Extends the corners; for a winning line all the way.
                let reach = if is_line { rect.width } else { 2 };
                for x in rect.x + 1..right {
                    if x - rect.x <= reach || right - x <= reach {
                        canvas.put(x, corners[half].1, border.edges[0], style);
                    }
                }
            }
            for corner in [half, half + 1] {
                let (x, y) = corners[corner];
                canvas.put(x, y, border.corners[corner], style);
            }
        }
    }
}

/// The middle of a rectangle, this many thirds of its height.
fn shrink(rect: Rect, thirds: u16) -> Rect {
    let height = (rect.height * thirds).div_ceil(3);
    Rect {
        y: rect.y + (rect.height - height) / 2,
        height,
        ..rect
    }
}

/// Draws the left and right side of the upper or lower half of a cell.
fn draw_sides(
    rect: Rect,
    upper: bool,
    sides: [char; 2],
    style: Style,
    canvas: &mut BoardCanvas<'_>,
) {
    let middle = rect.y + rect.height / 2;
    for y in (rect.y..rect.bottom()).filter(|&y| upper == (y < middle)) {
        canvas.put(rect.x, y, sides[0], style);
        canvas.put(rect.right().saturating_sub(1), y, sides[1], style);
    }
}
