//! Tic-Tac-Two with the mouse: clicks, pieces that are dragged, the grid dragged by its
//! frame.

use crossterm::event::{MouseButton, MouseEvent, MouseEventKind};
use noughts_rules::TicTacTwoMove;
use ratatui::layout::{Position, Rect};

use super::{At, GridBoard, GridPlay, Half, cell, check_pick_up, owner};
use crate::tui::board::BoardResponse;
use crate::tui::board::squares::Squares;

/// Where the mouse was pressed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Pressed {
    Cell {
        at: At,
        held_before: bool,
    },
    /// The frame of the grid, at this place of the screen.
    Frame {
        start: Position,
        moved: bool,
    },
}

impl GridBoard {
    pub(in crate::tui::board) fn handle_mouse(
        &mut self,
        play: &GridPlay,
        mouse: MouseEvent,
    ) -> BoardResponse {
        self.drop_stale_partial_move(play);
        let Some(squares) = self.squares else {
            return BoardResponse::Ignored;
        };
        let place = Position::new(mouse.column, mouse.row);
        let at = squares
            .square_at(place)
            .map(|(col, row)| (col as u8, row as u8));
        match (mouse.kind, self.pressed) {
            (MouseEventKind::Moved, _) => match self.partial_move {
                Half::Grid(_) => BoardResponse::Ignored,
                _ => self.point(at),
            },
            (MouseEventKind::Down(MouseButton::Left), _) => self.mouse_down(play, place, at),
            (MouseEventKind::Drag(MouseButton::Left), Some(Pressed::Frame { start, .. })) => {
                self.drag_grid(play, squares, start, place)
            }
            (MouseEventKind::Drag(MouseButton::Left), Some(Pressed::Cell { .. })) => self.point(at),
            (MouseEventKind::Up(MouseButton::Left), Some(pressed)) => {
                self.pressed = None;
                self.mouse_up(play, pressed, at)
            }
            _ => BoardResponse::Ignored,
        }
    }

    /// The cursor goes where the mouse points.
    fn point(&mut self, at: Option<At>) -> BoardResponse {
        match at {
            Some(at) if at != self.cursor => {
                self.cursor = at;
                BoardResponse::Redraw
            }
            _ => BoardResponse::Ignored,
        }
    }

    fn mouse_down(&mut self, play: &GridPlay, place: Position, at: Option<At>) -> BoardResponse {
        self.pressed = None;
        if let Some(at) = at {
            let held_before = self.partial_move == Half::Held(at);
            self.pressed = Some(Pressed::Cell { at, held_before });
            let own = owner(play, at) == Some(play.side());
            // Lifted at once, so that it can be dragged; refusals wait for the click.
            if own && !matches!(self.partial_move, Half::Grid(_)) && check_pick_up(play, at).is_ok()
            {
                self.partial_move = Half::Held(at);
            }
            self.cursor = at;
            return BoardResponse::Redraw;
        }
        if self
            .frame(play)
            .is_some_and(|frame| on_border(frame, place))
        {
            self.pressed = Some(Pressed::Frame {
                start: place,
                moved: false,
            });
            return match self.partial_move {
                Half::Grid(_) => BoardResponse::Redraw,
                _ => self.begin_grid(play),
            };
        }
        BoardResponse::Ignored
    }

    /// The grid follows the mouse by one step at most.
    fn drag_grid(
        &mut self,
        play: &GridPlay,
        squares: Squares,
        start: Position,
        place: Position,
    ) -> BoardResponse {
        if !matches!(self.partial_move, Half::Grid(_)) {
            return BoardResponse::Ignored;
        }
        let (across, down) = squares.pitch();
        let step = |from: u16, to: u16, pitch: u16| {
            let by = i32::from(to) - i32::from(from);
            // Halfway to the next place is enough.
            match 2 * by.abs() >= i32::from(pitch) {
                true => by.signum() as i8,
                false => 0,
            }
        };
        let (col, row) = play.game().grid_center(play.position());
        let to = (
            col.saturating_add_signed(step(start.x, place.x, across)),
            row.saturating_add_signed(step(start.y, place.y, down)),
        );
        if to != (col, row) {
            self.pressed = Some(Pressed::Frame { start, moved: true });
        }
        match self.partial_move {
            Half::Grid(now) if now == to => BoardResponse::Ignored,
            _ => self.preview_grid_move(play, to),
        }
    }

    fn mouse_up(&mut self, play: &GridPlay, pressed: Pressed, at: Option<At>) -> BoardResponse {
        match (pressed, self.partial_move) {
            // A click on the frame begins what directions or a second click finish.
            (Pressed::Frame { moved: false, .. }, _) => BoardResponse::Redraw,
            (Pressed::Frame { .. }, Half::Grid(to)) => {
                let real = play.game().grid_center(play.position());
                self.partial_move = Half::None;
                match to == real {
                    true => BoardResponse::Redraw,
                    false => self.finish(play, TicTacTwoMove::MoveGrid(cell(to))),
                }
            }
            (Pressed::Frame { .. }, _) => BoardResponse::Redraw,
            (Pressed::Cell { at: from, .. }, Half::Grid(to)) if at == Some(from) => {
                if from == to {
                    self.finish(play, TicTacTwoMove::MoveGrid(cell(to)))
                } else {
                    self.preview_grid_move(play, from)
                }
            }
            (
                Pressed::Cell {
                    at: from,
                    held_before,
                },
                Half::Held(held),
            ) if at == Some(from) && held == from => {
                // A click lifts the piece; a second one puts it back.
                if held_before {
                    self.partial_move = Half::None;
                }
                BoardResponse::Redraw
            }
            (Pressed::Cell { at: from, .. }, _) if at == Some(from) => self.choose(play, from),
            (Pressed::Cell { at: from, .. }, Half::Held(held)) if held == from => {
                self.partial_move = Half::None;
                match at {
                    Some(to) => {
                        self.cursor = to;
                        self.finish(play, TicTacTwoMove::MovePiece(cell(from), cell(to)))
                    }
                    None => BoardResponse::Redraw,
                }
            }
            (Pressed::Cell { .. }, _) => BoardResponse::Ignored,
        }
    }
}

/// Is this place on the border of the rectangle?
fn on_border(rect: Rect, place: Position) -> bool {
    let inner = Rect::new(
        rect.x.saturating_add(1),
        rect.y.saturating_add(1),
        rect.width.saturating_sub(2),
        rect.height.saturating_sub(2),
    );
    rect.contains(place) && !inner.contains(place)
}
