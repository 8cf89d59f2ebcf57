//! Playing with keys: arrows, digits, letters.

use crossterm::event::{KeyCode, KeyEvent};
use noughts_rules::{BoardView, Place, Target};

use super::cursor::middle;
use super::keys::{BoardKey, diagonal_step, keypad_cell, parse_key};
use super::{Board, BoardResponse};

impl Board {
    pub(super) fn key(&mut self, view: &dyn BoardView, key: KeyEvent) -> BoardResponse {
        let Some(press) = parse_key(key) else {
            return BoardResponse::Ignored;
        };
        if let KeyCode::Char(letter) = key.code
            && let Some(piece) = self.named_piece(view, letter)
        {
            return self.touch(view, Target::Piece(piece));
        }
        match press {
            BoardKey::Cancel if self.has_partial_move() => self.cancel(),
            BoardKey::Cancel => BoardResponse::Ignored,
            BoardKey::Step(right, down) => match self.choice {
                Some(Target::Piece(kind)) => self.step_choice(view, kind, right + down),
                Some(_) => self.shift_frame(view, right, down),
                None => self.step(view, right, down),
            },
            BoardKey::Confirm => match self.choice {
                Some(choice) => self.continue_with(view, choice),
                None => self.choose(view, self.cursor_at(self.square_level())),
            },
            BoardKey::Digit(digit) => self.digit(view, digit),
            BoardKey::NextPiece(forward) => self.take_next_piece(view, forward),
            BoardKey::Letter(letter) => self.letter(view, letter),
        }
    }

    /// The piece that a letter or digit names: one to choose from, or in upper case one of the reserve.
    fn named_piece(&self, view: &dyn BoardView, letter: char) -> Option<u8> {
        let is_named = |kind: &u8| {
            let name = view.piece_name(*kind).to_lowercase();
            name == letter.to_lowercase().to_string()
        };
        let choices = self.piece_choices(view);
        match choices.is_empty() {
            false => choices.into_iter().find(is_named),
            true if letter.is_uppercase() => self.takeable_pieces(view).into_iter().find(is_named),
            true => None,
        }
    }

    fn step_choice(&mut self, view: &dyn BoardView, kind: u8, delta: i8) -> BoardResponse {
        let choices = self.piece_choices(view);
        let index = choices.iter().position(|&other| other == kind);
        let next = index.and_then(|index| index.checked_add_signed(delta.signum().into()));
        if let Some(&kind) = next.and_then(|next| choices.get(next)) {
            self.choice = Some(Target::Piece(kind));
        }
        BoardResponse::Redraw
    }

    /// Moves the preview of the frame.
    fn shift_frame(&mut self, view: &dyn BoardView, right: i8, down: i8) -> BoardResponse {
        let Some(Target::Place(center)) = self.choice else {
            return BoardResponse::Ignored;
        };
        let (column, row) = self.shape.column_row(center);
        let next = column
            .checked_add_signed(right)
            .zip(row.checked_add_signed(down));
        let next = next.and_then(|(column, row)| self.shape.part_at(Place::BOARD, column, row));
        self.preview_frame(view, next.unwrap_or(center))
    }

    /// Takes the next kind of piece from the reserve; after the last one, none.
    fn take_next_piece(&mut self, view: &dyn BoardView, forward: bool) -> BoardResponse {
        let kinds = self.takeable_pieces(view);
        let taken = kinds
            .iter()
            .position(|&kind| self.taps == [Target::Piece(kind)]);
        let next = match (taken, forward) {
            (None, true) => Some(0),
            (None, false) => kinds.len().checked_sub(1),
            (Some(index), true) => Some(index + 1),
            (Some(index), false) => index.checked_sub(1),
        };
        if kinds.is_empty() {
            return BoardResponse::Ignored;
        }
        self.cancel();
        match next.and_then(|index| kinds.get(index)) {
            Some(&kind) => self.touch(view, Target::Piece(kind)),
            None => BoardResponse::Redraw,
        }
    }

    fn letter(&mut self, view: &dyn BoardView, letter: char) -> BoardResponse {
        match letter {
            'g' if self.moves_frame() => self.cancel(),
            'g' if self.features.frame.is_some() => {
                self.cancel();
                self.touch(view, Target::Frame)
            }
            'z' if self.zooms() => self.zoom_by(1),
            'Z' if self.zooms() => self.zoom_by(-1),
            _ => match diagonal_step(letter).filter(|_| self.moves_frame()) {
                Some((right, down)) => self.shift_frame(view, right, down),
                None => BoardResponse::Ignored,
            },
        }
    }

    fn digit(&mut self, view: &dyn BoardView, digit: u8) -> BoardResponse {
        if self.moves_frame() {
            let (column, row) = keypad_cell(digit);
            return match digit {
                5 => BoardResponse::Rejected("5 isn't a direction; use 1 to 4 or 6 to 9".into()),
                _ => self.shift_frame(view, column as i8 - 1, row as i8 - 1),
            };
        }
        if let Some(frame) = view.frame() {
            return self.digit_in_frame(view, frame, digit);
        }
        if self.features.plays_columns {
            return match self.shape.part_at(Place::BOARD, digit - 1, 0) {
                Some(cell) => self.touch_cell(view, cell),
                None => BoardResponse::Rejected(format!("there is no column {digit}")),
            };
        }
        let board = self.typed.unwrap_or_else(|| view.focus());
        let mut levels = board.level..self.shape.depth();
        if !levels.all(|level| self.has_digits(level)) {
            return BoardResponse::Rejected(
                "digits only work on boards up to 3×3; use the arrows and Enter or the mouse, \
                 or type / and a cell"
                    .into(),
            );
        }
        match self.part_of_digit(board, digit) {
            Some(place) => self.type_place(view, place),
            None => BoardResponse::Rejected(format!("{digit} isn't a place of this board")),
        }
    }

    /// On a board with a frame, digits are the cells of the frame.
    fn digit_in_frame(
        &mut self,
        view: &dyn BoardView,
        frame: noughts_rules::Frame,
        digit: u8,
    ) -> BoardResponse {
        let [first, last, center] =
            [frame.first, frame.last, frame.center].map(|place| self.shape.column_row(place));
        let size = last.0 - first.0 + 1;
        if size > 3 {
            return BoardResponse::Rejected(format!(
                "digits only work on a 3×3 {name}, and this one is {size}×{size}; use the arrows and \
                 Enter or the mouse, or type / and a cell",
                name = frame.name
            ));
        }
        let (right, down) = keypad_cell(digit);
        let (column, row) = (center.0 + right, center.1 + down);
        let (column, row) = (column.saturating_sub(1), row.saturating_sub(1));
        let cell = self.shape.part_at(Place::BOARD, column, row);
        match cell {
            Some(cell) => self.touch_cell(view, cell),
            None => BoardResponse::Ignored,
        }
    }

    /// Can digits name the parts of a board on this level?
    fn has_digits(&self, level: u8) -> bool {
        match self.shape.size_at(level) {
            Some((columns, rows)) => columns <= 3 && rows <= 3 || self.is_row(level),
            None => false,
        }
    }

    /// Places in a single row are counted; others are arranged as on a numeric keypad.
    fn is_row(&self, level: u8) -> bool {
        (self.shape.size_at(level)).is_some_and(|(columns, rows)| rows == 1 && columns <= 9)
    }

    fn part_of_digit(&self, board: Place, digit: u8) -> Option<Place> {
        let (column, row) = match self.is_row(board.level) {
            true => (digit - 1, 0),
            false => keypad_cell(digit),
        };
        self.shape.part_at(board, column, row)
    }

    /// A digit chooses a cell of the board that must be played in. If the choice is free, digits
    /// first choose the boards, outermost first.
    fn type_place(&mut self, view: &dyn BoardView, place: Place) -> BoardResponse {
        if place.level == self.shape.depth() {
            let (cursor, typed) = (self.cursor, self.typed);
            let response = self.touch_cell(view, place);
            match response {
                BoardResponse::Rejected(_) if self.shape.depth() > 1 => {
                    (self.cursor, self.typed) = (cursor, typed);
                }
                _ => {
                    self.typed = None;
                    self.zoom = self.max_zoom();
                }
            }
            return response;
        }
        if let Err(reason) = view.check_place(place) {
            return BoardResponse::Rejected(reason.to_string());
        }
        self.typed = Some(place);
        self.zoom = place.level.min(self.max_zoom());
        self.cursor = middle(&self.shape, place);
        BoardResponse::Redraw
    }
}
