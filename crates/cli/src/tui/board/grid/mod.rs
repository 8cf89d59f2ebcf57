//! Tic-Tac-Two: a grid that moves over the board, and moves made in two steps. `painter.rs` draws
//! it, `mouse.rs` handles the mouse.

mod mouse;
mod painter;

use noughts_rules::{
    AnyGameState, Ending, Game, GameState, MoveError, MoveErrorKind, MoveKind, Side, TicTacTwo,
    TicTacTwoCell, TicTacTwoMove,
};
#[cfg(test)]
use ratatui::layout::Position;
use ratatui::layout::Rect;

use self::mouse::PressedTarget;
use super::canvas::BoardCanvas;
use super::keys::{BoardKey, diagonal_step, keypad_cell};
use super::squares::{CellCursor, Coord};
use super::{BoardRenderContext, BoardResponse, TurnOption};

type TicTacTwoState = GameState<TicTacTwo>;

/// Cursor, partial move and layout of a Tic-Tac-Two board.
#[derive(Clone, Debug)]
pub(super) struct TicTacTwoBoardWidget {
    pub(super) cursor: CellCursor,
    partial_move: PartialMove,
    pressed: Option<PressedTarget>,
}

/// A move of which only the first step has been made.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum PartialMove {
    None,
    /// Moving the grid; its center would go here.
    Grid(Coord),
    /// The piece from this cell is picked up.
    Held(Coord),
}

impl TicTacTwoBoardWidget {
    pub(super) fn new(state: &TicTacTwoState) -> TicTacTwoBoardWidget {
        let side = state.game().options().board_size();
        let center = state.game().grid_center(state.position());
        TicTacTwoBoardWidget {
            cursor: CellCursor::new((side, side), center),
            partial_move: PartialMove::None,
            pressed: None,
        }
    }

    pub(super) fn sync(&mut self, state: &TicTacTwoState) {
        self.partial_move = PartialMove::None;
        self.pressed = None;
        if state.game().options().board_size() != self.cursor.rows {
            *self = TicTacTwoBoardWidget::new(state);
        }
    }

    pub(super) fn has_partial_move(&self) -> bool {
        self.partial_move != PartialMove::None
    }

    /// Drops a partial move that the position doesn't allow: the position may have changed without
    /// a call to `sync`.
    fn drop_stale_partial_move(&mut self, state: &TicTacTwoState) {
        let is_valid = match self.partial_move {
            PartialMove::None => true,
            PartialMove::Grid(_) => allows(state, MoveKind::MoveGrid).is_ok(),
            PartialMove::Held(coord) => check_pick_up(state, coord).is_ok(),
        };
        if !is_valid || state.game().options().board_size() != self.cursor.rows {
            self.sync(state);
        }
    }

    pub(super) fn handle_key(&mut self, state: &TicTacTwoState, key: BoardKey) -> BoardResponse {
        self.drop_stale_partial_move(state);
        match (key, self.partial_move) {
            (BoardKey::Cancel, PartialMove::None) => BoardResponse::Ignored,
            (BoardKey::Cancel, _) | (BoardKey::Letter('g'), PartialMove::Grid(_)) => {
                self.set_partial(PartialMove::None)
            }
            (BoardKey::Letter('g'), _) => self.start_grid_move(state),
            (BoardKey::Step(right, down), PartialMove::Grid(_)) => self.shift(state, right, down),
            (BoardKey::Digit(5), PartialMove::Grid(_)) => {
                BoardResponse::Rejected("5 isn't a direction; use 1 to 4 or 6 to 9".into())
            }
            (BoardKey::Digit(digit), PartialMove::Grid(_)) => {
                let (col, row) = keypad_cell(digit);
                self.shift(state, col as i8 - 1, row as i8 - 1)
            }
            (BoardKey::Letter(letter), PartialMove::Grid(_)) => match diagonal_step(letter) {
                Some((right, down)) => self.shift(state, right, down),
                None => BoardResponse::Ignored,
            },
            (BoardKey::Confirm, PartialMove::Grid(to)) => {
                self.finish(state, TicTacTwoMove::MoveGrid(cell(to)))
            }
            (BoardKey::Step(right, down), _) => self.cursor.step(right, down),
            (BoardKey::Digit(digit), _) => self.digit(state, digit),
            (BoardKey::Confirm, _) => self.choose(state, self.cursor.cell),
            (BoardKey::Letter(_), _) => BoardResponse::Ignored,
        }
    }

    fn set_partial(&mut self, partial_move: PartialMove) -> BoardResponse {
        self.partial_move = partial_move;
        BoardResponse::Redraw
    }

    fn digit(&mut self, state: &TicTacTwoState, digit: u8) -> BoardResponse {
        let grid = state.game().options().grid_size();
        if grid > 3 {
            return BoardResponse::Rejected(format!(
                "digits only work on 3×3 grids, and this one is {grid}×{grid}; use the arrows and \
                 Enter or the mouse, or type / and a cell"
            ));
        }
        let (right, down) = keypad_cell(digit);
        self.cursor.cell = state.game().grid_center(state.position());
        self.cursor.step(right as i8 - 1, down as i8 - 1);
        self.choose(state, self.cursor.cell)
    }

    fn start_grid_move(&mut self, state: &TicTacTwoState) -> BoardResponse {
        match allows(state, MoveKind::MoveGrid) {
            Ok(()) => self.set_partial(PartialMove::Grid(
                state.game().grid_center(state.position()),
            )),
            Err(error) => BoardResponse::Rejected(error.to_string()),
        }
    }

    /// Moves the preview of the grid. Its current place is allowed, too.
    fn shift(&mut self, state: &TicTacTwoState, right: i8, down: i8) -> BoardResponse {
        let PartialMove::Grid((col, row)) = self.partial_move else {
            return BoardResponse::Ignored;
        };
        let to = (
            col.saturating_add_signed(right),
            row.saturating_add_signed(down),
        );
        self.preview_grid_move(state, to)
    }

    fn preview_grid_move(&mut self, state: &TicTacTwoState, to: Coord) -> BoardResponse {
        let current = state.game().grid_center(state.position());
        match state.check(TicTacTwoMove::MoveGrid(cell(to))) {
            Err(error) if to != current => BoardResponse::Rejected(error.to_string()),
            _ => self.set_partial(PartialMove::Grid(to)),
        }
    }

    /// Enter or a click on a cell: place a piece, pick one up, put it down or put it back.
    fn choose(&mut self, state: &TicTacTwoState, coord: Coord) -> BoardResponse {
        self.cursor.cell = coord;
        let is_own = owner(state, coord) == Some(state.side());
        match self.partial_move {
            PartialMove::Held(from) if from == coord => self.set_partial(PartialMove::None),
            _ if is_own => match check_pick_up(state, coord) {
                Ok(()) => self.set_partial(PartialMove::Held(coord)),
                Err(error) => BoardResponse::Rejected(error.to_string()),
            },
            PartialMove::Held(from) => {
                self.finish(state, TicTacTwoMove::MovePiece(cell(from), cell(coord)))
            }
            PartialMove::None | PartialMove::Grid(_) => {
                self.finish(state, TicTacTwoMove::PlacePiece(cell(coord)))
            }
        }
    }

    fn finish(&mut self, state: &TicTacTwoState, mv: TicTacTwoMove) -> BoardResponse {
        match state.check(mv) {
            Ok(()) => {
                self.partial_move = PartialMove::None;
                BoardResponse::Move(state.game().move_text(mv))
            }
            Err(error) => BoardResponse::Rejected(error.to_string()),
        }
    }

    /// The frame of the grid on the screen.
    fn frame(&self, state: &TicTacTwoState) -> Option<Rect> {
        let center = state.game().grid_center(state.position());
        Some(painter::frame(self.cursor.squares?, state, center))
    }

    /// The move that Enter would make.
    fn pending(&self, state: &TicTacTwoState) -> Option<TicTacTwoMove> {
        let coord = match self.partial_move {
            PartialMove::Grid(to) => to,
            PartialMove::None | PartialMove::Held(_) => self.cursor.cell,
        };
        self.completed_by(state, coord)
    }

    /// The partial move completed by this cell, if that is legal.
    fn completed_by(&self, state: &TicTacTwoState, coord: Coord) -> Option<TicTacTwoMove> {
        let mv = match self.partial_move {
            PartialMove::None => TicTacTwoMove::PlacePiece(cell(coord)),
            PartialMove::Grid(_) => TicTacTwoMove::MoveGrid(cell(coord)),
            PartialMove::Held(from) => TicTacTwoMove::MovePiece(cell(from), cell(coord)),
        };
        state.check(mv).ok().map(|()| mv)
    }

    pub(super) fn prompt(
        &self,
        state: &TicTacTwoState,
        any_state: &AnyGameState,
        player: &str,
    ) -> String {
        let pending = self.pending(state);
        if let Some(preview) = pending.and_then(|mv| ending_preview(state, mv)) {
            return match self.partial_move {
                PartialMove::None => format!("{player}: {preview}"),
                _ => format!("{preview}; Enter to confirm, Esc to cancel"),
            };
        }
        match self.partial_move {
            PartialMove::None => noughts_text::prompt_for(any_state, player),
            PartialMove::Grid(_) if pending.is_none() => {
                "Moving the grid: choose a direction, then press Enter; Esc to cancel".into()
            }
            PartialMove::Grid(_) => "Moving the grid: Enter to confirm, Esc to cancel".into(),
            PartialMove::Held(from) => format!(
                "Moving {from}: Enter to place it inside the grid, Esc to put it back",
                from = cell_name(state, from)
            ),
        }
    }

    pub(super) fn render(
        &mut self,
        state: &TicTacTwoState,
        view: &BoardRenderContext<'_>,
        canvas: &mut BoardCanvas<'_>,
    ) {
        self.drop_stale_partial_move(state);
        let squares = painter::fit(state, canvas.area());
        self.cursor.squares = Some(squares);
        painter::GridPainter::new(self, state, view, squares).draw(canvas);
    }

    /// Where the grid can be dragged, and the distance between cells.
    #[cfg(test)]
    pub(super) fn handle(&self, state: &TicTacTwoState) -> Option<(Position, (u16, u16))> {
        let frame = self.frame(state)?;
        let position = Position::new(frame.x + frame.width / 2, frame.y);
        Some((position, self.cursor.squares?.pitch()))
    }
}

/// The kinds of move, each with the reason if it isn't allowed now.
pub(super) fn options(state: &TicTacTwoState) -> Vec<TurnOption> {
    let option = |kind, key, [text, short]: [&'static str; 2]| TurnOption {
        key,
        text,
        short_text: short,
        allowed: allows(state, kind),
    };
    vec![
        option(MoveKind::PlacePiece, "Enter", ["place a piece", "place"]),
        option(MoveKind::MoveGrid, "g", ["move the grid"; 2]),
        option(MoveKind::MovePiece, "Enter", ["on your piece: move it"; 2]),
    ]
}

fn allows(state: &TicTacTwoState, kind: MoveKind) -> Result<(), MoveError> {
    // Only the history knows about a threefold repetition.
    let if_over = state
        .outcome()
        .map(|_| TicTacTwoMove::PlacePiece(cell((0, 0))));
    match if_over {
        Some(any_move) => state.check(any_move),
        None => state.game().check_move_kind(state.position(), kind),
    }
}

/// Checks that this piece can be moved somewhere.
fn check_pick_up(state: &TicTacTwoState, from: Coord) -> Result<(), MoveError> {
    allows(state, MoveKind::MovePiece)?;
    match state.check(TicTacTwoMove::MovePiece(cell(from), cell(from))) {
        Err(error) if error.kind == MoveErrorKind::NotAllowed => Err(error),
        _ => Ok(()),
    }
}

fn cell((col, row): Coord) -> TicTacTwoCell {
    TicTacTwoCell::new(col, row)
}

fn cell_name(state: &TicTacTwoState, coord: Coord) -> String {
    state
        .game()
        .move_text(TicTacTwoMove::PlacePiece(cell(coord)))
}

fn cell_bit((col, row): Coord) -> u64 {
    1u64.checked_shl(8 * u32::from(row) + u32::from(col))
        .unwrap_or(0)
}

fn owner(state: &TicTacTwoState, coord: Coord) -> Option<Side> {
    Side::BOTH
        .into_iter()
        .find(|&side| state.position().pieces(side) & cell_bit(coord) != 0)
}

/// Describes how a legal move would end the game, if it would.
fn ending_preview(state: &TicTacTwoState, mv: TicTacTwoMove) -> Option<String> {
    let mut next = state.clone();
    next.play(mv).ok()?;
    let mv = state.game().move_text(mv);
    let [x, o] = Side::BOTH.map(|side| {
        let line = next.game().line_cells(next.position(), side);
        line != 0
    });
    Some(match (x, o, next.ending()?) {
        (true, true, _) => format!("{mv} completes a line for both players: draw"),
        (true, false, _) => format!("{mv} completes a line for X"),
        (false, true, _) => format!("{mv} completes a line for O"),
        (_, _, Ending::Repetition) => {
            format!("{mv} repeats the position for the third time: draw")
        }
        (_, _, Ending::Line | Ending::DoubleLine | Ending::NoMove | Ending::MostBoards) => {
            format!("{mv} ends the game")
        }
    })
}
