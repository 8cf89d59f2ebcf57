//! Playing with the mouse: clicks, the wheel, and dragging, which is a shortcut for two clicks.

use crossterm::event::{MouseButton, MouseEvent, MouseEventKind};
use noughts_rules::{BoardView, Place, TapResult, Target};
use ratatui::layout::{Margin, Position, Rect};

use super::{Board, BoardResponse};

/// Where the mouse button was pressed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Pressed {
    /// A cell or board, or a piece next to the board. Was it picked up before?
    Target { target: Target, held_before: bool },
    /// A kind of piece to choose.
    Choice(u8),
    /// The frame, at this screen position.
    Frame { start: Position, moved: bool },
}

impl Board {
    pub(super) fn mouse(&mut self, view: &dyn BoardView, mouse: MouseEvent) -> BoardResponse {
        let position = Position::new(mouse.column, mouse.row);
        // A drag that started inside may end outside.
        let is_end = matches!(mouse.kind, MouseEventKind::Up(_) | MouseEventKind::Drag(_));
        if !is_end && !self.layout.area.contains(position) {
            return BoardResponse::Ignored;
        }
        let target = self.target_at(position);
        match (mouse.kind, self.pressed) {
            (MouseEventKind::Moved, _) => self.hover(position, target),
            (MouseEventKind::Down(MouseButton::Left), _) => self.mouse_down(view, position, target),
            (MouseEventKind::Drag(MouseButton::Left), Some(Pressed::Frame { start, .. })) => {
                self.drag_frame(view, start, position)
            }
            (MouseEventKind::Drag(MouseButton::Left), Some(Pressed::Target { .. })) => {
                self.point(target)
            }
            (MouseEventKind::Up(MouseButton::Left), Some(pressed)) => {
                self.pressed = None;
                self.mouse_up(view, pressed, position, target)
            }
            (MouseEventKind::ScrollUp, _) if self.zooms() => {
                let pointed = self.point(target);
                match self.zoom_by(1) {
                    BoardResponse::Ignored => pointed,
                    zoomed => zoomed,
                }
            }
            (MouseEventKind::ScrollDown, _) if self.zooms() => self.zoom_by(-1),
            _ => BoardResponse::Ignored,
        }
    }

    /// What the mouse points at.
    fn target_at(&self, position: Position) -> Option<Target> {
        let pieces = &self.layout.reserve_pieces;
        if let Some((_, kind)) = pieces.iter().find(|(rect, _)| rect.contains(position)) {
            return Some(Target::Piece(*kind));
        }
        self.layout
            .place_at(&self.shape, position)
            .map(Target::Place)
    }

    fn choice_at(&self, position: Position) -> Option<u8> {
        let mut choices = self.layout.chooser.iter();
        let found = choices.find(|(rect, _)| rect.contains(position));
        found.map(|(_, kind)| *kind)
    }

    fn hover(&mut self, position: Position, target: Option<Target>) -> BoardResponse {
        match (self.choice, self.choice_at(position)) {
            (Some(Target::Piece(now)), Some(kind)) if now != kind => {
                self.choice = Some(Target::Piece(kind));
                BoardResponse::Redraw
            }
            (Some(_), _) => BoardResponse::Ignored,
            (None, _) => self.point(target),
        }
    }

    /// Moves the cursor to where the mouse points, if that is in the window.
    fn point(&mut self, target: Option<Target>) -> BoardResponse {
        match target {
            Some(Target::Place(place))
                if place.level == self.square_level() && place != self.cursor_at(place.level) =>
            {
                self.typed = None;
                self.move_cursor_to(place);
                BoardResponse::Redraw
            }
            _ => BoardResponse::Ignored,
        }
    }

    /// The target that a touch stands for.
    fn aimed(&self, view: &dyn BoardView, target: Target) -> Target {
        match target {
            Target::Place(place) if place.level == self.shape.depth() => {
                Target::Place(view.aim(place))
            }
            target => target,
        }
    }

    fn mouse_down(
        &mut self,
        view: &dyn BoardView,
        position: Position,
        target: Option<Target>,
    ) -> BoardResponse {
        self.pressed = None;
        if let Some(kind) = self.choice_at(position) {
            self.pressed = Some(Pressed::Choice(kind));
            return BoardResponse::Redraw;
        }
        if let Some(target) = target {
            let aimed = self.aimed(view, target);
            let held_before = self.taps == [aimed];
            self.pressed = Some(Pressed::Target {
                target,
                held_before,
            });
            // Picked up on press so that it can be dragged; an error is reported on release.
            if self.choice.is_none() {
                self.point(Some(target));
                self.pick_up(view, aimed);
            }
            return BoardResponse::Redraw;
        }
        if self
            .frame_rect(view)
            .is_some_and(|frame| on_border(frame, position))
        {
            let moved = false;
            self.pressed = Some(Pressed::Frame {
                start: position,
                moved,
            });
            if self.moves_frame() {
                return BoardResponse::Redraw;
            }
            self.cancel();
            return self.touch(view, Target::Frame);
        }
        BoardResponse::Ignored
    }

    /// Takes a piece that can go somewhere, unless the touch ends a move.
    fn pick_up(&mut self, view: &dyn BoardView, target: Target) {
        let is_cell = |place: Place| place.level == self.shape.depth();
        if matches!(target, Target::Place(place) if !is_cell(place)) {
            return;
        }
        let continued = [&self.taps[..], &[target]].concat();
        if !self.taps.is_empty() && !matches!(view.tap(&continued), TapResult::Rejected(_)) {
            return;
        }
        if let TapResult::Partial(next) = view.tap(&[target])
            && next.iter().any(|next| next.place().is_some())
        {
            self.start(view, vec![target], &next);
        }
    }

    fn mouse_up(
        &mut self,
        view: &dyn BoardView,
        pressed: Pressed,
        position: Position,
        target: Option<Target>,
    ) -> BoardResponse {
        match pressed {
            Pressed::Choice(kind) if self.choice_at(position) == Some(kind) => {
                self.continue_with(view, Target::Piece(kind))
            }
            Pressed::Choice(_) => BoardResponse::Redraw,
            // A click on the frame starts to move it; directions or a second click finish the move.
            Pressed::Frame { moved: false, .. } => BoardResponse::Redraw,
            Pressed::Frame { .. } => self.drop_frame(view),
            Pressed::Target {
                target: from,
                held_before,
            } if target == Some(from) => self.click(view, from, held_before),
            Pressed::Target { target: from, .. } if self.taps == [self.aimed(view, from)] => {
                self.drop_piece(view, target)
            }
            Pressed::Target { .. } => BoardResponse::Ignored,
        }
    }

    fn click(&mut self, view: &dyn BoardView, target: Target, held_before: bool) -> BoardResponse {
        let Target::Place(place) = target else {
            return match (held_before, self.taps == [target]) {
                (false, true) => BoardResponse::Redraw,
                _ => self.touch(view, target),
            };
        };
        if place.level != self.square_level() {
            // A square of a minimap: go there.
            self.typed = None;
            self.zoom = place.level.min(self.max_zoom());
            self.move_cursor_to(place);
            return BoardResponse::Redraw;
        }
        if self.moves_frame() {
            return match self.choice == Some(target) {
                true => self.continue_with(view, target),
                false => self.preview_frame(view, place),
            };
        }
        // The first click picks the piece up, the second puts it back.
        if !held_before && self.taps == [self.aimed(view, target)] && self.choice.is_none() {
            return BoardResponse::Redraw;
        }
        self.choose(view, place)
    }

    /// The end of dragging a piece.
    fn drop_piece(&mut self, view: &dyn BoardView, target: Option<Target>) -> BoardResponse {
        let Some(target) = target else {
            return self.cancel();
        };
        if let Target::Place(place) = target
            && place.level == self.shape.depth()
        {
            self.cursor = place;
        }
        let response = self.continue_with(view, self.aimed(view, target));
        if matches!(response, BoardResponse::Rejected(_)) {
            self.cancel();
        }
        response
    }

    /// The frame follows the mouse as far as it can go.
    fn drag_frame(
        &mut self,
        view: &dyn BoardView,
        start: Position,
        position: Position,
    ) -> BoardResponse {
        let squares = self.layout.boards.first().map(|board| board.squares);
        let (Some(squares), Some(frame), true) = (squares, view.frame(), self.moves_frame()) else {
            return BoardResponse::Ignored;
        };
        let (across, down) = squares.pitch();
        // Halfway to the next cell is enough.
        let steps = |from: u16, to: u16, pitch: u16| {
            let (delta, pitch) = (i32::from(to) - i32::from(from), i32::from(pitch).max(1));
            (delta.abs() * 2 + pitch) / (2 * pitch) * delta.signum()
        };
        let whole = (
            steps(start.x, position.x, across),
            steps(start.y, position.y, down),
        );
        let (column, row) = self.shape.column_row(frame.center);
        let place = |(right, down): (i32, i32)| {
            let column = u8::try_from(i32::from(column) + right).ok()?;
            let row = u8::try_from(i32::from(row) + down).ok()?;
            self.shape.part_at(Place::BOARD, column, row)
        };
        let one_step = (whole.0.signum(), whole.1.signum());
        let (exact, near) = (place(whole), place(one_step));
        if near != Some(frame.center) {
            self.pressed = Some(Pressed::Frame { start, moved: true });
        }
        let mut rejected = BoardResponse::Ignored;
        for center in [exact, near].into_iter().flatten() {
            if self.choice == Some(Target::Place(center)) {
                return BoardResponse::Ignored;
            }
            match self.preview_frame(view, center) {
                BoardResponse::Rejected(reason) => rejected = BoardResponse::Rejected(reason),
                response => return response,
            }
        }
        rejected
    }

    /// The end of dragging the frame.
    fn drop_frame(&mut self, view: &dyn BoardView) -> BoardResponse {
        let center = view.frame().map(|frame| Target::Place(frame.center));
        match self.choice {
            Some(choice) if self.moves_frame() && self.choice != center => {
                let response = self.continue_with(view, choice);
                if matches!(response, BoardResponse::Rejected(_)) {
                    self.cancel();
                }
                response
            }
            _ => self.cancel(),
        }
    }

    /// The frame on the screen.
    pub(super) fn frame_rect(&self, view: &dyn BoardView) -> Option<Rect> {
        let frame = view.frame()?;
        self.layout.frame_rect(&self.shape, frame, frame.center)
    }
}

fn on_border(rect: Rect, position: Position) -> bool {
    rect.contains(position) && !rect.inner(Margin::new(1, 1)).contains(position)
}
