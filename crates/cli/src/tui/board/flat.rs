//! Flat boards: m columns, n rows, k in a row.

use crossterm::event::{MouseButton, MouseEvent, MouseEventKind};
use noughts_rules::{AnyGameState, Game, GameState, Mnk, Side};
use ratatui::layout::{Position, Rect, Size};

use super::canvas::BoardCanvas;
use super::cell::{CellView, Highlight, Mark};
use super::keys::{BoardKey, keypad_cell};
use super::lines::{LineWeight, Lines};
use super::marks::MarkFill;
use super::squares::{Squares, cell_name, width_for};
use super::{BoardRenderContext, BoardResponse, check_move};

/// Cursor and layout of a flat board.
#[derive(Clone, Debug)]
pub(super) struct FlatBoard {
    columns: u8,
    rows: u8,
    /// Column and row.
    cursor: (u8, u8),
    /// Where the mouse button was pressed.
    pressed: Option<(u8, u8)>,
    squares: Option<Squares>,
}

impl FlatBoard {
    pub(super) fn new(state: &AnyGameState) -> FlatBoard {
        let (columns, rows) = size(state);
        FlatBoard {
            columns,
            rows,
            cursor: (columns.saturating_sub(1) / 2, rows.saturating_sub(1) / 2),
            pressed: None,
            squares: None,
        }
    }

    /// One character per cell with blanks in between, plus the labels.
    pub(super) fn min_size(&self) -> Size {
        Size::new(2 * u16::from(self.columns) + 3, u16::from(self.rows) + 1)
    }

    pub(super) fn sync(&mut self, state: &AnyGameState) {
        self.pressed = None;
        if size(state) != (self.columns, self.rows) {
            *self = FlatBoard::new(state);
        }
    }

    pub(super) fn handle_key(&mut self, state: &AnyGameState, key: BoardKey) -> BoardResponse {
        match key {
            BoardKey::Step(right, down) => {
                let step = |start: u8, delta: i8, count: u8| {
                    start
                        .saturating_add_signed(delta)
                        .min(count.saturating_sub(1))
                };
                self.cursor.0 = step(self.cursor.0, right, self.columns);
                self.cursor.1 = step(self.cursor.1, down, self.rows);
                BoardResponse::Redraw
            }
            BoardKey::Confirm => self.play_at(state, self.cursor),
            BoardKey::Digit(digit) => self.digit(state, digit),
            BoardKey::Cancel | BoardKey::Letter(_) => BoardResponse::Ignored,
        }
    }

    fn digit(&mut self, state: &AnyGameState, digit: u8) -> BoardResponse {
        if self.columns > 3 || self.rows > 3 {
            return BoardResponse::Rejected(
                "digits only work on boards up to 3×3; use the arrows and Enter, the mouse, \
                 or type / and a cell"
                    .into(),
            );
        }
        let (col, row) = keypad_cell(digit);
        if col < self.columns && row < self.rows {
            self.cursor = (col, row);
        }
        check_move(state, cell_name(col, row))
    }

    fn play_at(&mut self, state: &AnyGameState, (col, row): (u8, u8)) -> BoardResponse {
        check_move(state, cell_name(col, row))
    }

    pub(super) fn handle_mouse(
        &mut self,
        state: &AnyGameState,
        mouse: MouseEvent,
    ) -> BoardResponse {
        let cell = self
            .squares
            .and_then(|squares| squares.square_at(Position::new(mouse.column, mouse.row)))
            .map(|(col, row)| (col as u8, row as u8));
        match mouse.kind {
            MouseEventKind::Moved => self.point(cell),
            MouseEventKind::Down(MouseButton::Left) => {
                self.pressed = cell;
                self.point(cell)
            }
            MouseEventKind::Up(MouseButton::Left) => match (self.pressed.take(), cell) {
                (Some(pressed), Some(cell)) if pressed == cell => self.play_at(state, cell),
                _ => BoardResponse::Ignored,
            },
            _ => BoardResponse::Ignored,
        }
    }

    /// Moves the cursor to where the mouse points.
    fn point(&mut self, cell: Option<(u8, u8)>) -> BoardResponse {
        match cell {
            Some(cell) if cell != self.cursor => {
                self.cursor = cell;
                BoardResponse::Redraw
            }
            _ => BoardResponse::Ignored,
        }
    }

    pub(super) fn render(&mut self, view: &BoardRenderContext<'_>, canvas: &mut BoardCanvas<'_>) {
        let Some(shown) = ShownPosition::new(view.state) else {
            return;
        };
        let mut layout = FlatLayout::fit(self.columns, self.rows, canvas.area());
        if let Some(annotations) = view.annotations {
            layout.annotations = annotations.width_for_all(layout.annotation_width());
        }
        self.squares = Some(layout.squares);
        layout.draw_labels(view, canvas);
        layout.draw_lines(view, canvas);
        for row in 0..self.rows {
            for col in 0..self.columns {
                let square = layout.squares.square(col.into(), row.into());
                let cell_view = self.cell_view(&shown, (col, row), &layout, view);
                cell_view.draw(square, view.theme, canvas);
            }
        }
        // Highlights may extend over neighboring cells, so they are drawn last.
        let cursor = view.active.then_some(self.cursor);
        for (col, row) in shown.highlights(cursor) {
            let square = layout.squares.square(col.into(), row.into());
            let cell_view = self.cell_view(&shown, (col, row), &layout, view);
            cell_view.draw(square, view.theme, canvas);
        }
    }

    fn cell_view(
        &self,
        shown: &ShownPosition,
        cell: (u8, u8),
        layout: &FlatLayout,
        view: &BoardRenderContext<'_>,
    ) -> CellView {
        let theme = view.theme;
        let mut cell_view = CellView::default();
        let index = usize::from(cell.1) * usize::from(self.columns) + usize::from(cell.0);
        let name = cell_name(cell.0, cell.1);
        let mark = shown.cells.get(index).copied().flatten();
        if view.active && cell == self.cursor {
            cell_view.highlights.push(Highlight::Cursor);
        }
        if let Some(side) = mark {
            let is_in_line = shown.winning_line.contains(&cell);
            if is_in_line {
                let left_cell = cell.0.checked_sub(1).map(|col| (col, cell.1));
                let joined = !layout.has_lines
                    && left_cell.is_some_and(|cell| shown.winning_line.contains(&cell));
                cell_view.highlights.push(match joined {
                    true => Highlight::WinningLineJoined(side),
                    false => Highlight::WinningLine(side),
                });
            }
            if shown.last_move == Some(cell) {
                cell_view.highlights.push(Highlight::LastMove(side));
            }
            cell_view.mark = Some(Mark {
                side,
                fill: MarkFill::Solid,
                style: if shown.winning_line.is_empty() || is_in_line {
                    theme.side(side)
                } else {
                    theme.faded(side)
                },
            });
            return cell_view;
        }
        if view.hint == Some(name.as_str()) {
            cell_view.highlights.push(Highlight::Hint);
            cell_view.symbol = Some((theme.symbols().hint, theme.hint()));
        } else if !shown.is_over && view.active || !layout.has_lines {
            cell_view.symbol = Some((theme.symbols().legal, theme.legal_move()));
        }
        if let Some(annotations) = view.annotations {
            let annotation = annotations.get(&name, None, layout.annotations, theme);
            if let Some(annotation) = &annotation {
                cell_view.background = theme.tint(annotation.style, 12);
            }
            cell_view.annotations.extend(annotation);
        }
        cell_view
    }

    /// The center of a cell on the screen.
    #[cfg(test)]
    pub(super) fn cell_center(&self, col: u8, row: u8) -> Option<Position> {
        let square = self.squares?.square(col.into(), row.into());
        Some(Position::new(
            square.x + square.width / 2,
            square.y + square.height / 2,
        ))
    }
}

fn size(state: &AnyGameState) -> (u8, u8) {
    let size = match state {
        AnyGameState::Mnk(state) => state.game().options().size(),
        AnyGameState::LargeMnk(state) => state.game().options().size(),
        _ => (0, 0, 0),
    };
    (size.0, size.1)
}

/// What the board shows of a game.
struct ShownPosition {
    cells: Vec<Option<Side>>,
    winning_line: Vec<(u8, u8)>,
    last_move: Option<(u8, u8)>,
    is_over: bool,
}

impl ShownPosition {
    fn new(state: &AnyGameState) -> Option<ShownPosition> {
        match state {
            AnyGameState::Mnk(state) => Some(ShownPosition::from_state(state)),
            AnyGameState::LargeMnk(state) => Some(ShownPosition::from_state(state)),
            _ => None,
        }
    }

    fn from_state<const W: usize>(state: &GameState<Mnk<W>>) -> ShownPosition {
        let (game, position) = (state.game(), state.position());
        ShownPosition {
            cells: game.setup(position).cells,
            winning_line: game
                .line_cells(position)
                .map(|mv| game.column_row(mv))
                .collect(),
            last_move: state.moves().last().map(|&mv| game.column_row(mv)),
            is_over: state.outcome().is_some(),
        }
    }

    /// The cells to draw again, on top of what their neighbors drew; the cursor last.
    fn highlights(&self, cursor: Option<(u8, u8)>) -> impl Iterator<Item = (u8, u8)> {
        let winning_line = self.winning_line.iter().copied();
        self.last_move.into_iter().chain(winning_line).chain(cursor)
    }
}

/// Where a flat board is on the screen.
struct FlatLayout {
    squares: Squares,
    /// Are there lines between the cells?
    has_lines: bool,
    /// The columns available for a value.
    annotations: u16,
}

/// Marks don't grow beyond this.
const MAX_HEIGHT: u16 = 13;

impl FlatLayout {
    fn fit(columns: u8, rows: u8, area: Rect) -> FlatLayout {
        let (columns, count) = (u16::from(columns), u16::from(rows));
        let margin = if rows > 9 { 3 } else { 2 };
        let sizes = (1..=MAX_HEIGHT)
            .rev()
            .map(|height| ((width_for(height), height), (1, 1), true));
        let without_lines = [((1, 1), (2, 0), false), ((1, 1), (1, 0), false)];
        let mut best = None;
        for (size, gap, has_lines) in sizes.chain(without_lines) {
            let squares = Squares {
                origin: (0, 0),
                columns,
                rows: count,
                size,
                gap,
            };
            let bounds = squares.bounds();
            // Room for the brackets around one-row cells.
            let sides = u16::from(size.1 == 1);
            let total_size = (margin + bounds.width + sides, 1 + bounds.height);
            best = Some((squares, has_lines, total_size));
            if total_size.0 <= area.width && total_size.1 <= area.height {
                break;
            }
        }
        let (mut squares, has_lines, total_size) = best.unwrap_or((
            Squares {
                origin: (0, 0),
                columns,
                rows: count,
                size: (1, 1),
                gap: (1, 0),
            },
            false,
            (0, 0),
        ));
        squares.origin = (
            area.x + area.width.saturating_sub(total_size.0) / 2 + margin,
            area.y + area.height.saturating_sub(total_size.1) / 2 + 1,
        );
        FlatLayout {
            squares,
            has_lines,
            annotations: 0,
        }
    }

    /// The columns that a value may take.
    fn annotation_width(&self) -> u16 {
        match self.has_lines {
            true => self.squares.size.0,
            false => self.squares.gap.0,
        }
    }

    fn draw_labels(&self, view: &BoardRenderContext<'_>, canvas: &mut BoardCanvas<'_>) {
        let (style, squares) = (view.theme.dim(), &self.squares);
        for col in 0..squares.columns {
            let square = squares.square(col, 0);
            let letter = char::from(b'a' + col as u8);
            let x = square.x + (square.width - 1) / 2;
            canvas.put(x, square.y.saturating_sub(1), letter, style);
        }
        let width = if squares.rows > 9 { 2 } else { 1 };
        for row in 0..squares.rows {
            let square = squares.square(0, row);
            let number = format!("{:>width$}", row + 1);
            let x = square.x.saturating_sub(width as u16 + 1);
            let y = square.y + (square.height - 1) / 2;
            canvas.write(x, y, &number, style);
        }
    }

    fn draw_lines(&self, view: &BoardRenderContext<'_>, canvas: &mut BoardCanvas<'_>) {
        if !self.has_lines {
            return;
        }
        let (squares, style) = (&self.squares, view.theme.hairline());
        let bounds = squares.bounds();
        if bounds.is_empty() {
            return;
        }
        let mut lines = Lines::new(canvas.area());
        let (right, bottom) = (bounds.right() - 1, bounds.bottom() - 1);
        for col in 1..squares.columns {
            let x = squares.square(col, 0).x.saturating_sub(1);
            lines.vertical(x, bounds.y, bottom, LineWeight::Light, style);
        }
        for row in 1..squares.rows {
            let y = squares.square(0, row).y.saturating_sub(1);
            lines.horizontal(y, bounds.x, right, LineWeight::Light, style);
        }
        lines.draw(view.theme, canvas);
    }
}
