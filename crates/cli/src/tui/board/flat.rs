//! Flat boards: m columns, n rows, k in a row.

use crossterm::event::{MouseButton, MouseEvent, MouseEventKind};
use noughts_rules::{AnyGameState, Game, GameState, Mnk, Side};
use ratatui::layout::{Position, Rect, Size};

use super::canvas::Canvas;
use super::cell::{Face, Mark, SetOff};
use super::keys::{Press, keypad_cell};
use super::lines::{Lines, Weight};
use super::marks::MarkFill;
use super::squares::{Squares, cell_name, width_for};
use super::{BoardResponse, RenderContext, check_move};

/// Cursor and layout of a flat board.
#[derive(Clone, Debug)]
pub(super) struct FlatBoard {
    columns: u8,
    rows: u8,
    /// Column and row.
    cursor: (u8, u8),
    /// Where the mouse was pressed.
    pressed: Option<(u8, u8)>,
    squares: Option<Squares>,
}

impl FlatBoard {
    pub(super) fn new(play: &AnyGameState) -> FlatBoard {
        let (columns, rows) = size(play);
        FlatBoard {
            columns,
            rows,
            cursor: (columns.saturating_sub(1) / 2, rows.saturating_sub(1) / 2),
            pressed: None,
            squares: None,
        }
    }

    /// A character for each cell, blanks between them, letters and numbers around.
    pub(super) fn min_size(&self) -> Size {
        Size::new(2 * u16::from(self.columns) + 3, u16::from(self.rows) + 1)
    }

    pub(super) fn sync(&mut self, play: &AnyGameState) {
        self.pressed = None;
        if size(play) != (self.columns, self.rows) {
            *self = FlatBoard::new(play);
        }
    }

    pub(super) fn handle_key(&mut self, play: &AnyGameState, press: Press) -> BoardResponse {
        match press {
            Press::Step(right, down) => {
                let step = |at: u8, by: i8, count: u8| {
                    at.saturating_add_signed(by).min(count.saturating_sub(1))
                };
                self.cursor.0 = step(self.cursor.0, right, self.columns);
                self.cursor.1 = step(self.cursor.1, down, self.rows);
                BoardResponse::Redraw
            }
            Press::Confirm => self.play_at(play, self.cursor),
            Press::Digit(digit) => self.digit(play, digit),
            Press::Cancel | Press::Letter(_) => BoardResponse::Ignored,
        }
    }

    fn digit(&mut self, play: &AnyGameState, digit: u8) -> BoardResponse {
        if self.columns > 3 || self.rows > 3 {
            return BoardResponse::Rejected(
                "digits name the cells of boards up to 3 by 3; here the arrows and Enter, \
                 the mouse, or / and the name of a cell do"
                    .into(),
            );
        }
        let (col, row) = keypad_cell(digit);
        if col < self.columns && row < self.rows {
            self.cursor = (col, row);
        }
        check_move(play, cell_name(col, row))
    }

    fn play_at(&mut self, play: &AnyGameState, (col, row): (u8, u8)) -> BoardResponse {
        check_move(play, cell_name(col, row))
    }

    pub(super) fn handle_mouse(&mut self, play: &AnyGameState, mouse: MouseEvent) -> BoardResponse {
        let at = self
            .squares
            .and_then(|squares| squares.square_at(Position::new(mouse.column, mouse.row)))
            .map(|(col, row)| (col as u8, row as u8));
        match mouse.kind {
            MouseEventKind::Moved => self.point(at),
            MouseEventKind::Down(MouseButton::Left) => {
                self.pressed = at;
                self.point(at)
            }
            MouseEventKind::Up(MouseButton::Left) => match (self.pressed.take(), at) {
                (Some(pressed), Some(at)) if pressed == at => self.play_at(play, at),
                _ => BoardResponse::Ignored,
            },
            _ => BoardResponse::Ignored,
        }
    }

    /// The cursor goes where the mouse points.
    fn point(&mut self, at: Option<(u8, u8)>) -> BoardResponse {
        match at {
            Some(at) if at != self.cursor => {
                self.cursor = at;
                BoardResponse::Redraw
            }
            _ => BoardResponse::Ignored,
        }
    }

    pub(super) fn render(&mut self, view: &RenderContext<'_>, sheet: &mut Canvas<'_>) {
        let Some(state) = State::of(view.state) else {
            return;
        };
        let mut layout = Layout::fit(self.columns, self.rows, sheet.area());
        if let Some(notes) = view.annotations {
            layout.notes = notes.width_for_all(layout.note_width());
        }
        self.squares = Some(layout.squares);
        layout.draw_labels(view, sheet);
        layout.draw_lines(view, sheet);
        for row in 0..self.rows {
            for col in 0..self.columns {
                let square = layout.squares.square(col.into(), row.into());
                let face = self.face(&state, (col, row), &layout, view);
                face.draw(square, view.theme, sheet);
            }
        }
        // What stands around a cell may reach over its neighbours.
        let cursor = view.active.then_some(self.cursor);
        for (col, row) in state.set_off(cursor) {
            let square = layout.squares.square(col.into(), row.into());
            let face = self.face(&state, (col, row), &layout, view);
            face.draw(square, view.theme, sheet);
        }
    }

    fn face(&self, state: &State, at: (u8, u8), layout: &Layout, view: &RenderContext<'_>) -> Face {
        let look = view.theme;
        let mut face = Face::default();
        let index = usize::from(at.1) * usize::from(self.columns) + usize::from(at.0);
        let name = cell_name(at.0, at.1);
        let mark = state.cells.get(index).copied().flatten();
        if view.active && at == self.cursor {
            face.highlights.push(SetOff::Cursor);
        }
        if let Some(player) = mark {
            let in_line = state.line.contains(&at);
            if in_line {
                let beside = at.0.checked_sub(1).map(|col| (col, at.1));
                let goes_on = !layout.lined && beside.is_some_and(|at| state.line.contains(&at));
                face.highlights.push(match goes_on {
                    true => SetOff::LineOn(player),
                    false => SetOff::WinningLine(player),
                });
            }
            if state.last == Some(at) {
                face.highlights.push(SetOff::LastMove(player));
            }
            face.mark = Some(Mark {
                side: player,
                fill: MarkFill::Solid,
                style: if state.line.is_empty() || in_line {
                    look.side(player)
                } else {
                    look.faded(player)
                },
            });
            return face;
        }
        if view.hint == Some(name.as_str()) {
            face.highlights.push(SetOff::Hint);
            face.symbol = Some((look.symbols().hint, look.hint()));
        } else if !state.over && view.active || !layout.lined {
            face.symbol = Some((look.symbols().legal, look.legal_move()));
        }
        if let Some(notes) = view.annotations {
            let note = notes.get(&name, None, layout.notes, look);
            if let Some(note) = &note {
                face.background = look.tint(note.style, 12);
            }
            face.annotations.extend(note);
        }
        face
    }

    /// Where a cell was drawn.
    #[cfg(test)]
    pub(super) fn cell_center(&self, col: u8, row: u8) -> Option<Position> {
        let square = self.squares?.square(col.into(), row.into());
        Some(Position::new(
            square.x + square.width / 2,
            square.y + square.height / 2,
        ))
    }
}

fn size(play: &AnyGameState) -> (u8, u8) {
    let size = match play {
        AnyGameState::Mnk(play) => play.game().options().size(),
        AnyGameState::LargeMnk(play) => play.game().options().size(),
        _ => (0, 0, 0),
    };
    (size.0, size.1)
}

/// What the position shows.
struct State {
    cells: Vec<Option<Side>>,
    line: Vec<(u8, u8)>,
    last: Option<(u8, u8)>,
    over: bool,
}

impl State {
    fn of(play: &AnyGameState) -> Option<State> {
        match play {
            AnyGameState::Mnk(play) => Some(State::read(play)),
            AnyGameState::LargeMnk(play) => Some(State::read(play)),
            _ => None,
        }
    }

    fn read<const W: usize>(play: &GameState<Mnk<W>>) -> State {
        let (game, position) = (play.game(), play.position());
        State {
            cells: game.setup(position).cells,
            line: game
                .line_cells(position)
                .map(|mv| game.column_row(mv))
                .collect(),
            last: play.moves().last().map(|&mv| game.column_row(mv)),
            over: play.outcome().is_some(),
        }
    }

    /// The cells that are drawn once more, over what their neighbours have drawn; the
    /// cursor last.
    fn set_off(&self, cursor: Option<(u8, u8)>) -> impl Iterator<Item = (u8, u8)> {
        let line = self.line.iter().copied();
        self.last.into_iter().chain(line).chain(cursor)
    }
}

/// The places of a flat board on the screen.
struct Layout {
    squares: Squares,
    /// Are there lines between the cells?
    lined: bool,
    /// The room of a value.
    notes: u16,
}

/// The largest mark is large enough.
const HIGHEST: u16 = 13;

impl Layout {
    fn fit(columns: u8, rows: u8, area: Rect) -> Layout {
        let (columns, count) = (u16::from(columns), u16::from(rows));
        let margin = if rows > 9 { 3 } else { 2 };
        let sizes = (1..=HIGHEST)
            .rev()
            .map(|height| ((width_for(height), height), (1, 1), true));
        let bare = [((1, 1), (2, 0), false), ((1, 1), (1, 0), false)];
        let mut chosen = None;
        for (size, gap, lined) in sizes.chain(bare) {
            let squares = Squares {
                origin: (0, 0),
                columns,
                rows: count,
                size,
                gap,
            };
            let bounds = squares.bounds();
            // Room for what stands at the sides of a low cell.
            let sides = u16::from(size.1 == 1);
            let wanted = (margin + bounds.width + sides, 1 + bounds.height);
            chosen = Some((squares, lined, wanted));
            if wanted.0 <= area.width && wanted.1 <= area.height {
                break;
            }
        }
        let (mut squares, lined, wanted) = chosen.unwrap_or((
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
            area.x + area.width.saturating_sub(wanted.0) / 2 + margin,
            area.y + area.height.saturating_sub(wanted.1) / 2 + 1,
        );
        Layout {
            squares,
            lined,
            notes: 0,
        }
    }

    /// How many characters a value may take.
    fn note_width(&self) -> u16 {
        match self.lined {
            true => self.squares.size.0,
            false => self.squares.gap.0,
        }
    }

    fn draw_labels(&self, view: &RenderContext<'_>, sheet: &mut Canvas<'_>) {
        let (style, squares) = (view.theme.dim(), &self.squares);
        for col in 0..squares.columns {
            let square = squares.square(col, 0);
            let letter = char::from(b'a' + col as u8);
            let x = square.x + (square.width - 1) / 2;
            sheet.put(x, square.y.saturating_sub(1), letter, style);
        }
        let width = if squares.rows > 9 { 2 } else { 1 };
        for row in 0..squares.rows {
            let square = squares.square(0, row);
            let number = format!("{:>width$}", row + 1);
            let x = square.x.saturating_sub(width as u16 + 1);
            let y = square.y + (square.height - 1) / 2;
            sheet.write(x, y, &number, style);
        }
    }

    fn draw_lines(&self, view: &RenderContext<'_>, sheet: &mut Canvas<'_>) {
        if !self.lined {
            return;
        }
        let (squares, style) = (&self.squares, view.theme.hairline());
        let bounds = squares.bounds();
        if bounds.is_empty() {
            return;
        }
        let mut lines = Lines::new(sheet.area());
        let (right, bottom) = (bounds.right() - 1, bounds.bottom() - 1);
        for col in 1..squares.columns {
            let x = squares.square(col, 0).x.saturating_sub(1);
            lines.vertical(x, bounds.y, bottom, Weight::Light, style);
        }
        for row in 1..squares.rows {
            let y = squares.square(0, row).y.saturating_sub(1);
            lines.horizontal(y, bounds.x, right, Weight::Light, style);
        }
        lines.draw(view.theme, sheet);
    }
}
