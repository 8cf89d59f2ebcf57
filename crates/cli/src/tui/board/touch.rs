//! A move as a sequence of touches: what was touched so far, and what comes next.

use noughts_rules::{BoardView, MoveError, Place, TapResult, Target};

use super::{Board, BoardResponse};

impl Board {
    /// Drops the start of a move.
    pub(super) fn cancel(&mut self) -> BoardResponse {
        self.taps.clear();
        (self.choice, self.typed) = (None, None);
        BoardResponse::Redraw
    }

    pub(super) fn drop_stale_taps(&mut self, view: &dyn BoardView) {
        let is_start = || matches!(view.tap(&self.taps), TapResult::Partial(_));
        if !self.taps.is_empty() && !is_start() {
            self.cancel();
        }
    }

    /// Continues a move that has been started, or starts one.
    pub(super) fn touch(&mut self, view: &dyn BoardView, target: Target) -> BoardResponse {
        if self.taps == [target] {
            // The piece is put back.
            return self.cancel();
        }
        let response = self.continue_with(view, target);
        if !self.taps.is_empty()
            && matches!(response, BoardResponse::Rejected(_))
            && let TapResult::Partial(next) = view.tap(&[target])
        {
            // It starts another move instead.
            self.start(view, vec![target], &next);
            return BoardResponse::Redraw;
        }
        response
    }

    /// Continues a move, and nothing else.
    pub(super) fn continue_with(&mut self, view: &dyn BoardView, target: Target) -> BoardResponse {
        let taps = [&self.taps[..], &[target]].concat();
        match view.tap(&taps) {
            TapResult::Move(mv) => {
                self.cancel();
                BoardResponse::Move(mv)
            }
            TapResult::Partial(next) => {
                self.start(view, taps, &next);
                BoardResponse::Redraw
            }
            TapResult::Rejected(error) => {
                BoardResponse::Rejected(self.with_advice(view, target, error).to_string())
            }
        }
    }

    /// The reason why a touch is rejected, with what to do instead: an empty cell needs a piece from the reserve first.
    fn with_advice(&self, view: &dyn BoardView, target: Target, error: MoveError) -> MoveError {
        let is_empty = |cell: Place| view.cell(cell).pieces.is_empty();
        let needs_piece = self.taps.is_empty()
            && error.advice.is_none()
            && target.place().is_some_and(is_empty)
            && !self.takeable_pieces(view).is_empty();
        match needs_piece {
            true => error.with_advice("take a piece from your reserve first: Tab"),
            false => error,
        }
    }

    pub(super) fn start(&mut self, view: &dyn BoardView, taps: Vec<Target>, next: &[Target]) {
        self.typed = None;
        self.choice = match (taps.last(), next.first()) {
            (Some(Target::Frame), _) => view.frame().map(|frame| Target::Place(frame.center)),
            (_, Some(piece @ Target::Piece(_))) => Some(*piece),
            _ => None,
        };
        self.taps = taps;
    }

    /// Touches a cell.
    pub(super) fn touch_cell(&mut self, view: &dyn BoardView, cell: Place) -> BoardResponse {
        self.cursor = cell;
        self.touch(view, Target::Place(view.aim(cell)))
    }

    /// Enter or a click on a square of the window: touches a cell or zooms in.
    pub(super) fn choose(&mut self, view: &dyn BoardView, place: Place) -> BoardResponse {
        self.typed = None;
        self.move_cursor_to(place);
        if place.level < self.shape.depth() {
            self.zoom = (self.zoom + 1).min(self.max_zoom());
            return BoardResponse::Redraw;
        }
        self.touch_cell(view, place)
    }

    /// Is the frame being moved?
    pub(super) fn moves_frame(&self) -> bool {
        self.taps.last() == Some(&Target::Frame)
    }

    /// The kinds of pieces to choose from at a cell.
    pub(super) fn piece_choices(&self, view: &dyn BoardView) -> Vec<u8> {
        if !matches!(self.choice, Some(Target::Piece(_))) {
            return Vec::new();
        }
        let next = view.next_targets(&self.taps).unwrap_or_default();
        let kinds = next.into_iter().filter_map(|target| match target {
            Target::Piece(kind) => Some(kind),
            _ => None,
        });
        kinds.collect()
    }

    /// The kinds of pieces next to the board that the side to move can take.
    pub(super) fn takeable_pieces(&self, view: &dyn BoardView) -> Vec<u8> {
        if !self.features.has_reserve {
            return Vec::new();
        }
        let next = view.next_targets(&[]).unwrap_or_default();
        let kinds = next.into_iter().filter_map(|target| match target {
            Target::Piece(kind) => Some(kind),
            _ => None,
        });
        kinds.collect()
    }

    /// The taps of the move that Enter would make, if it is legal; only at the closest zoom.
    pub(super) fn pending_move(&self, view: &dyn BoardView) -> Option<String> {
        if self.enter_zooms_in() || self.typed.is_some() {
            return None;
        }
        let target = match self.choice {
            Some(choice) => choice,
            None => Target::Place(view.aim(self.cursor)),
        };
        match view.tap(&[&self.taps[..], &[target]].concat()) {
            TapResult::Move(mv) => Some(mv),
            _ => None,
        }
    }

    /// Moves the frame's new center. Its current place is allowed, too.
    pub(super) fn preview_frame(&mut self, view: &dyn BoardView, center: Place) -> BoardResponse {
        let target = Target::Place(center);
        let is_current = view.frame().is_some_and(|frame| frame.center == center);
        match view.tap(&[&self.taps[..], &[target]].concat()) {
            TapResult::Rejected(error) if !is_current => BoardResponse::Rejected(error.to_string()),
            _ => {
                self.choice = Some(target);
                BoardResponse::Redraw
            }
        }
    }
}
