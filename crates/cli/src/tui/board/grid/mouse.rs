//! Tic-Tac-Two with the mouse: clicks, dragged pieces, and the grid dragged by its frame.

use crossterm::event::{MouseButton, MouseEvent, MouseEventKind};
use noughts_rules::TicTacTwoMove;
use ratatui::layout::{Margin, Position, Rect};

use super::{Coord, PartialMove, TicTacTwoBoardWidget, TicTacTwoState, cell, check_pick_up, owner};
use crate::tui::board::BoardResponse;
use crate::tui::board::squares::SquareGrid;

/// Where the mouse button was pressed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum PressedTarget {
    Cell {
        coord: Coord,
        held_before: bool,
    },
    /// The frame of the grid, at this screen position.
    Frame {
        start: Position,
        moved: bool,
    },
}

impl TicTacTwoBoardWidget {
    pub(in crate::tui::board) fn handle_mouse(
        &mut self,
        state: &TicTacTwoState,
        mouse: MouseEvent,
    ) -> BoardResponse {
        self.drop_stale_partial_move(state);
        let Some(squares) = self.cursor.squares else {
            return BoardResponse::Ignored;
        };
        let position = Position::new(mouse.column, mouse.row);
        let coord = self.cursor.cell_at(mouse);
        match (mouse.kind, self.pressed) {
            (MouseEventKind::Moved, _) => match self.partial_move {
                PartialMove::Grid(_) => BoardResponse::Ignored,
                _ => self.cursor.point(coord),
            },
            (MouseEventKind::Down(MouseButton::Left), _) => self.mouse_down(state, position, coord),
            (MouseEventKind::Drag(MouseButton::Left), Some(PressedTarget::Frame { start, .. })) => {
                self.drag_grid(state, squares, start, position)
            }
            (MouseEventKind::Drag(MouseButton::Left), Some(PressedTarget::Cell { .. })) => {
                self.cursor.point(coord)
            }
            (MouseEventKind::Up(MouseButton::Left), Some(pressed)) => {
                self.pressed = None;
                self.mouse_up(state, pressed, coord)
            }
            _ => BoardResponse::Ignored,
        }
    }

    fn mouse_down(
        &mut self,
        state: &TicTacTwoState,
        position: Position,
        coord: Option<Coord>,
    ) -> BoardResponse {
        self.pressed = None;
        if let Some(coord) = coord {
            let held_before = self.partial_move == PartialMove::Held(coord);
            self.pressed = Some(PressedTarget::Cell { coord, held_before });
            let is_own = owner(state, coord) == Some(state.side());
            // Picked up on press so that it can be dragged; an error is reported on release.
            if is_own
                && !matches!(self.partial_move, PartialMove::Grid(_))
                && check_pick_up(state, coord).is_ok()
            {
                self.partial_move = PartialMove::Held(coord);
            }
            self.cursor.cell = coord;
            return BoardResponse::Redraw;
        }
        let frame = self.frame(state);
        if frame.is_some_and(|frame| on_border(frame, position)) {
            self.pressed = Some(PressedTarget::Frame {
                start: position,
                moved: false,
            });
            return match self.partial_move {
                PartialMove::Grid(_) => BoardResponse::Redraw,
                _ => self.start_grid_move(state),
            };
        }
        BoardResponse::Ignored
    }

    /// The grid follows the mouse by at most one step.
    fn drag_grid(
        &mut self,
        state: &TicTacTwoState,
        squares: SquareGrid,
        start: Position,
        position: Position,
    ) -> BoardResponse {
        if !matches!(self.partial_move, PartialMove::Grid(_)) {
            return BoardResponse::Ignored;
        }
        let (across, down) = squares.pitch();
        let step = |from: u16, to: u16, pitch: u16| {
            let delta = i32::from(to) - i32::from(from);
            // Halfway to the next cell is enough.
            match 2 * delta.abs() >= i32::from(pitch) {
                true => delta.signum() as i8,
                false => 0,
            }
        };
        let (col, row) = state.game().grid_center(state.position());
        let to = (
            col.saturating_add_signed(step(start.x, position.x, across)),
            row.saturating_add_signed(step(start.y, position.y, down)),
        );
        if to != (col, row) {
            self.pressed = Some(PressedTarget::Frame { start, moved: true });
        }
        match self.partial_move {
            PartialMove::Grid(now) if now == to => BoardResponse::Ignored,
            _ => self.preview_grid_move(state, to),
        }
    }

    fn mouse_up(
        &mut self,
        state: &TicTacTwoState,
        pressed: PressedTarget,
        coord: Option<Coord>,
    ) -> BoardResponse {
        match (pressed, self.partial_move) {
            // A click on the frame starts a grid move; directions or a second click finish it.
            (PressedTarget::Frame { moved: false, .. }, _) => BoardResponse::Redraw,
            (PressedTarget::Frame { .. }, PartialMove::Grid(to)) => {
                let current = state.game().grid_center(state.position());
                self.partial_move = PartialMove::None;
                match to == current {
                    true => BoardResponse::Redraw,
                    false => self.finish(state, TicTacTwoMove::MoveGrid(cell(to))),
                }
            }
            (PressedTarget::Frame { .. }, _) => BoardResponse::Redraw,
            (PressedTarget::Cell { coord: from, .. }, PartialMove::Grid(to))
                if coord == Some(from) =>
            {
                if from == to {
                    self.finish(state, TicTacTwoMove::MoveGrid(cell(to)))
                } else {
                    self.preview_grid_move(state, from)
                }
            }
            (
                PressedTarget::Cell {
                    coord: from,
                    held_before,
                },
                PartialMove::Held(held),
            ) if coord == Some(from) && held == from => {
                // The first click picks the piece up, the second puts it back.
                if held_before {
                    self.partial_move = PartialMove::None;
                }
                BoardResponse::Redraw
            }
            (PressedTarget::Cell { coord: from, .. }, _) if coord == Some(from) => {
                self.choose(state, from)
            }
            (PressedTarget::Cell { coord: from, .. }, PartialMove::Held(held)) if held == from => {
                self.partial_move = PartialMove::None;
                match coord {
                    Some(to) => {
                        self.cursor.cell = to;
                        self.finish(state, TicTacTwoMove::MovePiece(cell(from), cell(to)))
                    }
                    None => BoardResponse::Redraw,
                }
            }
            (PressedTarget::Cell { .. }, _) => BoardResponse::Ignored,
        }
    }
}

fn on_border(rect: Rect, position: Position) -> bool {
    rect.contains(position) && !rect.inner(Margin::new(1, 1)).contains(position)
}
