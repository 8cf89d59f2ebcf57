//! Flat boards: m columns, n rows, k in a row.

use crossterm::event::{MouseButton, MouseEvent, MouseEventKind};
use noughts_rules::{AnyGameState, GameState, Mnk, SetupGame, Side};
use ratatui::layout::Size;

use super::annotations::Annotations;
use super::canvas::BoardCanvas;
use super::cell::{CellView, Highlight};
use super::keys::{BoardKey, keypad_cell};
use super::marks::Mark;
use super::squares::{CellCursor, Coord, Fitting, SquareGrid, cell_name, width_for};
use super::{BoardRenderContext, BoardResponse, check_move};

/// Cursor and layout of a flat board.
#[derive(Clone, Debug)]
pub(super) struct FlatBoardWidget {
    pub(super) cursor: CellCursor,
    /// Where the mouse button was pressed.
    pressed: Option<Coord>,
}

impl FlatBoardWidget {
    pub(super) fn new(state: &AnyGameState) -> FlatBoardWidget {
        let (columns, rows) = size(state);
        let center = (columns.saturating_sub(1) / 2, rows.saturating_sub(1) / 2);
        FlatBoardWidget {
            cursor: CellCursor::new((columns, rows), center),
            pressed: None,
        }
    }

    fn size(&self) -> (u8, u8) {
        (self.cursor.columns, self.cursor.rows)
    }

    /// One character per cell with blanks in between, plus the labels.
    pub(super) fn min_size(&self) -> Size {
        let (columns, rows) = self.size();
        Size::new(2 * u16::from(columns) + 3, u16::from(rows) + 1)
    }

    pub(super) fn sync(&mut self, state: &AnyGameState) {
        self.pressed = None;
        if size(state) != self.size() {
            *self = FlatBoardWidget::new(state);
        }
    }

    pub(super) fn handle_key(&mut self, state: &AnyGameState, key: BoardKey) -> BoardResponse {
        match key {
            BoardKey::Step(right, down) => self.cursor.step(right, down),
            BoardKey::Confirm => play_at(state, self.cursor.cell),
            BoardKey::Digit(digit) => self.digit(state, digit),
            BoardKey::Cancel | BoardKey::Letter(_) => BoardResponse::Ignored,
        }
    }

    fn digit(&mut self, state: &AnyGameState, digit: u8) -> BoardResponse {
        let (columns, rows) = self.size();
        if columns > 3 || rows > 3 {
            return BoardResponse::Rejected(
                "digits only work on boards up to 3×3; use the arrows and Enter or the mouse, \
                 or type / and a cell"
                    .into(),
            );
        }
        let (col, row) = keypad_cell(digit);
        if col < columns && row < rows {
            self.cursor.cell = (col, row);
        }
        play_at(state, (col, row))
    }

    pub(super) fn handle_mouse(
        &mut self,
        state: &AnyGameState,
        mouse: MouseEvent,
    ) -> BoardResponse {
        let cell = self.cursor.cell_at(mouse);
        match mouse.kind {
            MouseEventKind::Moved => self.cursor.point(cell),
            MouseEventKind::Down(MouseButton::Left) => {
                self.pressed = cell;
                self.cursor.point(cell)
            }
            MouseEventKind::Up(MouseButton::Left) => match (self.pressed.take(), cell) {
                (Some(pressed), Some(cell)) if pressed == cell => play_at(state, cell),
                _ => BoardResponse::Ignored,
            },
            _ => BoardResponse::Ignored,
        }
    }

    pub(super) fn render(&mut self, view: &BoardRenderContext<'_>, canvas: &mut BoardCanvas<'_>) {
        let Some(shown) = ShownPosition::new(view.state) else {
            return;
        };
        let (columns, rows) = self.size();
        let margin = if rows > 9 { 3 } else { 2 };
        let squares = SquareGrid::fit((columns, rows), sizes(), (margin, 1), canvas.area());
        self.cursor.squares = Some(squares);
        squares.draw_labels(1, canvas);
        if squares.has_lines() {
            squares.draw_lines(canvas);
        }
        let room = match squares.has_lines() {
            true => squares.size.0,
            false => squares.gap.0,
        };
        let annotations = view.annotations;
        let annotation_width = annotations.map_or(0, |values| values.width_for_all(room));
        let cells = (0..rows).flat_map(|row| (0..columns).map(move |col| (col, row)));
        // Highlights may extend over neighboring cells, so they are drawn last, and the cursor on top.
        let on_top = shown
            .last_move
            .into_iter()
            .chain(shown.winning_line.clone());
        let on_top = on_top.chain(view.active.then_some(self.cursor.cell));
        for cell in cells.chain(on_top) {
            let square = squares.square(cell.0.into(), cell.1.into());
            let cell_view = self.cell_view(&shown, cell, &squares, annotation_width, view);
            cell_view.draw(square, canvas);
        }
    }

    fn cell_view(
        &self,
        shown: &ShownPosition,
        cell: Coord,
        squares: &SquareGrid,
        annotation_width: u16,
        view: &BoardRenderContext<'_>,
    ) -> CellView {
        let theme = view.theme;
        let mut cell_view = CellView::default();
        let index = usize::from(cell.1) * usize::from(squares.columns) + usize::from(cell.0);
        let name = cell_name(cell.0, cell.1);
        let mark = shown.cells.get(index).copied().flatten();
        if view.active && cell == self.cursor.cell {
            cell_view.highlights.push(Highlight::Cursor);
        }
        if let Some(side) = mark {
            let is_in_line = shown.winning_line.contains(&cell);
            let left_cell = (cell.0.wrapping_sub(1), cell.1);
            let is_joined = !squares.has_lines() && shown.winning_line.contains(&left_cell);
            cell_view.highlights.extend(match (is_in_line, is_joined) {
                (true, true) => Some(Highlight::WinningLineJoined(side)),
                (true, false) => Some(Highlight::WinningLine(side)),
                (false, _) => None,
            });
            if shown.last_move == Some(cell) {
                cell_view.highlights.push(Highlight::LastMove(side));
            }
            let is_faded = !shown.winning_line.is_empty() && !is_in_line;
            cell_view.mark = Some(Mark::solid(side, is_faded, theme));
            return cell_view;
        }
        if view.hint == Some(name.as_str()) {
            cell_view.highlights.push(Highlight::Hint);
            cell_view.symbol = Some((theme.symbols().hint, theme.accent()));
        } else if !shown.is_over && view.active || !squares.has_lines() {
            cell_view.symbol = Some((theme.symbols().legal, theme.dim()));
        }
        let value = |values: &Annotations| values.get(&name, None, annotation_width, theme);
        cell_view
            .annotations
            .extend(view.annotations.and_then(value));
        cell_view
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
    winning_line: Vec<Coord>,
    last_move: Option<Coord>,
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
}

/// Marks don't grow beyond this.
const MAX_HEIGHT: u16 = 13;

/// From large cells with lines to single characters without.
fn sizes() -> impl Iterator<Item = Fitting> {
    let with_lines = (1..=MAX_HEIGHT).rev().map(|height| {
        // Room for the brackets around one-row cells.
        let after = (u16::from(height == 1), 0);
        ((width_for(height), height), (1, 1), after)
    });
    with_lines.chain([((1, 1), (2, 0), (1, 0)), ((1, 1), (1, 0), (1, 0))])
}

fn play_at(state: &AnyGameState, (col, row): Coord) -> BoardResponse {
    check_move(state, cell_name(col, row))
}
