//! Tic-Tac-Two: a grid that moves over the board, and turns in two steps. What is
//! drawn is in `picture.rs`, what the mouse does in `mouse.rs`.

mod mouse;
mod painter;

use noughts_rules::{
    AnyGameState, Ending, Game, GameState, MoveErrorKind, MoveKind, Side, TicTacTwo, TicTacTwoCell,
    TicTacTwoMove,
};
#[cfg(test)]
use ratatui::layout::Position;
use ratatui::layout::Rect;

use self::mouse::Pressed;
use super::canvas::Canvas;
use super::keys::{Press, diagonal_step, keypad_cell};
use super::squares::Squares;
use super::{BoardResponse, RenderContext, TurnOption};

type GridPlay = GameState<TicTacTwo>;
/// Column and row, counted from 0.
type At = (u8, u8);

/// Cursor, half-made move and layout of a Tic-Tac-Two board.
#[derive(Clone, Debug)]
pub(super) struct GridBoard {
    side: u8,
    cursor: At,
    partial_move: Half,
    pressed: Option<Pressed>,
    squares: Option<Squares>,
}

/// A half-made move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Half {
    None,
    /// The grid is to move; so far its centre would go here.
    Grid(At),
    /// The piece from here is in the hand.
    Held(At),
}

impl GridBoard {
    pub(super) fn new(play: &GridPlay) -> GridBoard {
        GridBoard {
            side: play.game().options().board_size(),
            cursor: play.game().grid_center(play.position()),
            partial_move: Half::None,
            pressed: None,
            squares: None,
        }
    }

    pub(super) fn sync(&mut self, play: &GridPlay) {
        self.partial_move = Half::None;
        self.pressed = None;
        if play.game().options().board_size() != self.side {
            *self = GridBoard::new(play);
        }
    }

    pub(super) fn has_partial_move(&self) -> bool {
        self.partial_move != Half::None
    }

    /// A half-made move that the position does not allow (it has changed, and nobody
    /// said so) is as good as none.
    fn drop_stale_partial_move(&mut self, play: &GridPlay) {
        let keeps = match self.partial_move {
            Half::None => true,
            Half::Grid(_) => allows(play, MoveKind::MoveGrid).is_ok(),
            Half::Held(at) => check_pick_up(play, at).is_ok(),
        };
        if !keeps || play.game().options().board_size() != self.side {
            self.sync(play);
        }
    }

    pub(super) fn handle_key(&mut self, play: &GridPlay, press: Press) -> BoardResponse {
        self.drop_stale_partial_move(play);
        match (press, self.partial_move) {
            (Press::Cancel, Half::None) => BoardResponse::Ignored,
            (Press::Cancel, _) | (Press::Letter('g'), Half::Grid(_)) => {
                self.partial_move = Half::None;
                BoardResponse::Redraw
            }
            (Press::Letter('g'), _) => self.begin_grid(play),
            (Press::Step(right, down), Half::Grid(_)) => self.shift(play, right, down),
            (Press::Digit(5), Half::Grid(_)) => BoardResponse::Rejected(
                "5 is the middle and no direction; 1 2 3 4 6 7 8 9 lie around it".into(),
            ),
            (Press::Digit(digit), Half::Grid(_)) => {
                let (col, row) = keypad_cell(digit);
                self.shift(play, col as i8 - 1, row as i8 - 1)
            }
            (Press::Letter(letter), Half::Grid(_)) => match diagonal_step(letter) {
                Some((right, down)) => self.shift(play, right, down),
                None => BoardResponse::Ignored,
            },
            (Press::Confirm, Half::Grid(to)) => {
                self.finish(play, TicTacTwoMove::MoveGrid(cell(to)))
            }
            (Press::Step(right, down), _) => {
                let step = |at: u8, by: i8| at.saturating_add_signed(by).min(self.side - 1);
                self.cursor = (step(self.cursor.0, right), step(self.cursor.1, down));
                BoardResponse::Redraw
            }
            (Press::Digit(digit), _) => self.digit(play, digit),
            (Press::Confirm, _) => self.choose(play, self.cursor),
            (Press::Letter(_), _) => BoardResponse::Ignored,
        }
    }

    fn digit(&mut self, play: &GridPlay, digit: u8) -> BoardResponse {
        let grid = play.game().options().grid_size();
        if grid > 3 {
            return BoardResponse::Rejected(format!(
                "digits name the cells of a grid of 3 by 3; this one is {grid} by {grid}: \
                 the arrows and Enter, the mouse, or / and the name of a cell do"
            ));
        }
        let (col, row) = play.game().grid_center(play.position());
        let (right, down) = keypad_cell(digit);
        self.cursor = (
            (col + right).saturating_sub(1).min(self.side - 1),
            (row + down).saturating_sub(1).min(self.side - 1),
        );
        self.choose(play, self.cursor)
    }

    fn begin_grid(&mut self, play: &GridPlay) -> BoardResponse {
        match allows(play, MoveKind::MoveGrid) {
            Ok(()) => {
                self.partial_move = Half::Grid(play.game().grid_center(play.position()));
                BoardResponse::Redraw
            }
            Err(reason) => BoardResponse::Rejected(reason),
        }
    }

    /// Moves the preview of the grid. Back over its real place is allowed.
    fn shift(&mut self, play: &GridPlay, right: i8, down: i8) -> BoardResponse {
        let Half::Grid((col, row)) = self.partial_move else {
            return BoardResponse::Ignored;
        };
        let to = (
            col.saturating_add_signed(right),
            row.saturating_add_signed(down),
        );
        self.preview_grid_move(play, to)
    }

    fn preview_grid_move(&mut self, play: &GridPlay, to: At) -> BoardResponse {
        let real = play.game().grid_center(play.position());
        match play.check(TicTacTwoMove::MoveGrid(cell(to))) {
            Err(refusal) if to != real => BoardResponse::Rejected(refusal.to_string()),
            _ => {
                self.partial_move = Half::Grid(to);
                BoardResponse::Redraw
            }
        }
    }

    /// Enter or a click on a cell: place, pick up, put down, put back.
    fn choose(&mut self, play: &GridPlay, at: At) -> BoardResponse {
        self.cursor = at;
        let own = owner(play, at) == Some(play.side());
        match self.partial_move {
            Half::Held(from) if from == at => {
                self.partial_move = Half::None;
                BoardResponse::Redraw
            }
            _ if own => match check_pick_up(play, at) {
                Ok(()) => {
                    self.partial_move = Half::Held(at);
                    BoardResponse::Redraw
                }
                Err(reason) => BoardResponse::Rejected(reason),
            },
            Half::Held(from) => self.finish(play, TicTacTwoMove::MovePiece(cell(from), cell(at))),
            Half::None | Half::Grid(_) => self.finish(play, TicTacTwoMove::PlacePiece(cell(at))),
        }
    }

    fn finish(&mut self, play: &GridPlay, mv: TicTacTwoMove) -> BoardResponse {
        match play.check(mv) {
            Ok(()) => {
                self.partial_move = Half::None;
                BoardResponse::Move(play.game().move_text(mv))
            }
            Err(refusal) => BoardResponse::Rejected(refusal.to_string()),
        }
    }

    /// The frame of the grid on the screen.
    fn frame(&self, play: &GridPlay) -> Option<Rect> {
        let centre = play.game().grid_center(play.position());
        Some(painter::frame(self.squares?, play, centre))
    }

    // ---- words ----

    /// The move that Enter would make.
    fn pending(&self, play: &GridPlay) -> Option<TicTacTwoMove> {
        let mv = match self.partial_move {
            Half::None => TicTacTwoMove::PlacePiece(cell(self.cursor)),
            Half::Grid(to) => TicTacTwoMove::MoveGrid(cell(to)),
            Half::Held(from) => TicTacTwoMove::MovePiece(cell(from), cell(self.cursor)),
        };
        play.check(mv).ok().map(|()| mv)
    }

    pub(super) fn prompt(&self, play: &GridPlay, any: &AnyGameState) -> String {
        let pending = self.pending(play);
        if let Some(preview) = pending.and_then(|mv| foreseen(play, mv)) {
            return match self.partial_move {
                Half::None => format!("{} to move: {preview}", play.side()),
                _ => format!("{preview}; Enter does it, Esc cancels"),
            };
        }
        match self.partial_move {
            Half::None => any.prompt(),
            Half::Grid(_) if pending.is_none() => {
                "the grid: choose a direction, then Enter; Esc cancels".into()
            }
            Half::Grid(_) => "the grid: Enter moves it there, Esc cancels".into(),
            Half::Held(from) => format!(
                "the piece from {}: Enter puts it down inside the grid, Esc puts it back",
                name(play, from)
            ),
        }
    }

    pub(super) fn render(
        &mut self,
        play: &GridPlay,
        view: &RenderContext<'_>,
        sheet: &mut Canvas<'_>,
    ) {
        self.drop_stale_partial_move(play);
        let squares = painter::fit(play, sheet.area());
        self.squares = Some(squares);
        painter::Painter::new(self, play, view, squares).draw(sheet);
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

    /// Where the grid can be taken hold of, and how far apart cells are.
    #[cfg(test)]
    pub(super) fn handle(&self, play: &GridPlay) -> Option<(Position, (u16, u16))> {
        let frame = self.frame(play)?;
        let place = Position::new(frame.x + frame.width / 2, frame.y);
        Some((place, self.squares?.pitch()))
    }
}

/// The kinds of turn, each allowed or not.
pub(super) fn options(play: &GridPlay) -> Vec<TurnOption> {
    let option = |kind, key, [text, short]: [&'static str; 2]| TurnOption {
        key,
        text,
        short_text: short,
        allowed: allows(play, kind),
    };
    vec![
        option(MoveKind::PlacePiece, "Enter", ["place a piece", "place"]),
        option(MoveKind::MoveGrid, "g", ["move the grid"; 2]),
        option(MoveKind::MovePiece, "Enter", ["on your piece: move it"; 2]),
    ]
}

fn allows(play: &GridPlay, kind: MoveKind) -> Result<(), String> {
    // The position alone does not know that it has come for the third time.
    let over = play
        .outcome()
        .map(|_| TicTacTwoMove::PlacePiece(cell((0, 0))));
    let said = match over {
        Some(any) => play.check(any),
        None => play.game().check_move_kind(play.position(), kind),
    };
    said.map_err(|refusal| refusal.to_string())
}

/// May this piece be moved somewhere?
fn check_pick_up(play: &GridPlay, from: At) -> Result<(), String> {
    allows(play, MoveKind::MovePiece)?;
    match play.check(TicTacTwoMove::MovePiece(cell(from), cell(from))) {
        Err(refusal) if refusal.kind == MoveErrorKind::NotYourPiece => Err(refusal.to_string()),
        _ => Ok(()),
    }
}

fn cell((col, row): At) -> TicTacTwoCell {
    TicTacTwoCell::new(col, row)
}

fn name(play: &GridPlay, at: At) -> String {
    play.game().move_text(TicTacTwoMove::PlacePiece(cell(at)))
}

fn bit((col, row): At) -> u64 {
    1u64.checked_shl(8 * u32::from(row) + u32::from(col))
        .unwrap_or(0)
}

fn owner(play: &GridPlay, at: At) -> Option<Side> {
    Side::BOTH
        .into_iter()
        .find(|&player| play.position().pieces(player) & bit(at) != 0)
}

/// What a legal move would bring about, if it would end the game.
fn foreseen(play: &GridPlay, mv: TicTacTwoMove) -> Option<String> {
    let mut next = play.clone();
    next.play(mv).ok()?;
    let mv = play.game().move_text(mv);
    let [x, o] = Side::BOTH.map(|player| {
        let line = next.game().line_cells(next.position(), player);
        line != 0
    });
    Some(match (x, o, next.ending()?) {
        (true, true, _) => format!("{mv} would complete a line for both: a draw"),
        (true, false, _) => format!("{mv} would complete a line for X"),
        (false, true, _) => format!("{mv} would complete a line for O"),
        (_, _, Ending::Repetition) => {
            format!("{mv} would repeat the position a third time: a draw")
        }
        (_, _, ending) => format!("{mv} would end the game: {ending}"),
    })
}
