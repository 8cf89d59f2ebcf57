//! Minimaps of the boards around the window: who owns what, where the window is, and where the next
//! move must go.

use noughts_rules::{BoardShape, Owner, Place};
use ratatui::layout::{Position, Rect, Size};
use ratatui::style::Style;

use super::canvas::BoardCanvas;
use super::marks::letter;
use super::painter::Painter;

/// A title above squares that are three columns wide.
#[derive(Clone, Debug)]
pub(super) struct MiniMap {
    board: Place,
    title: Rect,
    squares: Vec<(Rect, Place)>,
}

/// The size of the largest minimap at this zoom.
pub(super) fn size(shape: &BoardShape, zoom: u8) -> Size {
    let sizes = (0..zoom).filter_map(|level| shape.size_at(level));
    sizes.fold(Size::ZERO, |size, (columns, rows)| {
        let (width, height) = (3 * u16::from(columns), u16::from(rows) + 1);
        Size::new(size.width.max(width), size.height.max(height))
    })
}

impl MiniMap {
    pub(super) fn new(shape: &BoardShape, board: Place, corner: (u16, u16), width: u16) -> MiniMap {
        let squares = shape.parts(board).map(|part| {
            let (column, row) = shape.column_row(part);
            let (x, y) = (
                corner.0 + 3 * u16::from(column),
                corner.1 + 1 + u16::from(row),
            );
            (Rect::new(x, y, 3, 1), part)
        });
        MiniMap {
            board,
            title: Rect::new(corner.0, corner.1, width, 1),
            squares: squares.collect(),
        }
    }

    pub(super) fn place_at(&self, position: Position) -> Option<Place> {
        let mut squares = self.squares.iter();
        let found = squares.find(|(rect, _)| rect.contains(position));
        found.map(|(_, place)| *place)
    }
}

impl Painter<'_> {
    /// The symbol that summarizes a board.
    pub(super) fn summary(&self, board: Place, highlight_targets: bool) -> Option<(char, Style)> {
        let (view, theme, symbols) = (self.view, self.theme, self.theme.symbols());
        let cells = self.shape.cells_of(board);
        let left = view.count_open_cells(board);
        let accepts = view.accepts_move(board);
        match view.cell(board).owner {
            Owner::One(side) => Some((letter(side), theme.side(side))),
            Owner::Both => Some((symbols.shared, theme.strong())),
            Owner::Nobody if left == 0 => Some((symbols.closed, theme.dim())),
            Owner::Nobody if highlight_targets && accepts => {
                Some((symbols.target, theme.side(view.side())))
            }
            Owner::Nobody if left < cells.end - cells.start => {
                Some((symbols.started, theme.text()))
            }
            Owner::Nobody if accepts => Some((symbols.legal, theme.dim())),
            Owner::Nobody => None,
        }
    }

    /// Draws one minimap per enclosing board, outermost first.
    pub(super) fn draw_minimaps(&self, canvas: &mut BoardCanvas<'_>) {
        for map in &self.layout.maps {
            let title = match map.board {
                Place::BOARD => "whole".into(),
                board => self.view.place_name(board),
            };
            let width = title.chars().count() as u16;
            let left = map.title.x + map.title.width.saturating_sub(width) / 2;
            canvas.write(left, map.title.y, &title, self.theme.dim());
            for (rect, place) in &map.squares {
                self.draw_minimap_square(*place, *rect, canvas);
            }
        }
    }

    fn draw_minimap_square(&self, place: Place, rect: Rect, canvas: &mut BoardCanvas<'_>) {
        let (view, theme, symbols) = (self.view, self.theme, self.theme.symbols());
        let summary = self.summary(place, self.highlight_targets);
        let (symbol, style) = summary.unwrap_or((symbols.legal, theme.hairline()));
        canvas.put(rect.x + 1, rect.y, symbol, style);
        if self.board.cursor_at(place.level) == place {
            let [left, right] = symbols.winning_line.sides;
            canvas.put(rect.x, rect.y, left, theme.strong());
            canvas.put(rect.x + 2, rect.y, right, theme.strong());
        }
        // An owned board keeps its letter, so the target symbol goes in front of it.
        let is_owned = view.cell(place).owner != Owner::Nobody;
        if is_owned && self.highlight_targets && view.accepts_move(place) {
            canvas.put(rect.x, rect.y, symbols.target, theme.side(view.side()));
        }
        if self.is_hinted(place) {
            canvas.put(rect.x + 2, rect.y, symbols.hint, theme.accent());
        }
    }
}
