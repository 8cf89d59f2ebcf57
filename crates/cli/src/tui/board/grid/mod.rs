//! Tic-Tac-Two: a grid that moves over the board, and turns in two steps. What is
//! drawn is in `picture.rs`, what the mouse does in `mouse.rs`.

mod mouse;
mod picture;

use noughts_rules::{
    AnyPlay, Cell, Ending, Game, Play, Player, RefusalKind, TicTacTwo, TicTacTwoMove, TurnKind,
};
#[cfg(test)]
use ratatui::layout::Position;
use ratatui::layout::Rect;

use self::mouse::Pressed;
use super::keys::{Press, diagonal, keypad};
use super::sheet::Sheet;
use super::squares::Squares;
use super::{Answer, TurnOption, View};

type GridPlay = Play<TicTacTwo>;
/// Column and row, counted from 0.
type At = (u8, u8);

/// Cursor, half-made move and layout of a Tic-Tac-Two board.
#[derive(Clone, Debug)]
pub(super) struct GridBoard {
    side: u8,
    cursor: At,
    half: Half,
    pressed: Option<Pressed>,
    squares: Option<Squares>,
}

/// A half-made move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Half {
    Nothing,
    /// The grid is to move; so far its centre would go here.
    Grid(At),
    /// The piece from here is in the hand.
    Held(At),
}

impl GridBoard {
    pub(super) fn new(play: &GridPlay) -> GridBoard {
        GridBoard {
            side: play.game().options().board(),
            cursor: play.game().grid(play.position()),
            half: Half::Nothing,
            pressed: None,
            squares: None,
        }
    }

    pub(super) fn follow(&mut self, play: &GridPlay) {
        self.half = Half::Nothing;
        self.pressed = None;
        if play.game().options().board() != self.side {
            *self = GridBoard::new(play);
        }
    }

    pub(super) fn half_made(&self) -> bool {
        self.half != Half::Nothing
    }

    /// A half-made move that the position does not allow (it has changed, and nobody
    /// said so) is as good as none.
    fn settle(&mut self, play: &GridPlay) {
        let keeps = match self.half {
            Half::Nothing => true,
            Half::Grid(_) => allows(play, TurnKind::Grid).is_ok(),
            Half::Held(at) => can_lift(play, at).is_ok(),
        };
        if !keeps || play.game().options().board() != self.side {
            self.follow(play);
        }
    }

    pub(super) fn press(&mut self, play: &GridPlay, press: Press) -> Answer {
        self.settle(play);
        match (press, self.half) {
            (Press::Cancel, Half::Nothing) => Answer::Ignored,
            (Press::Cancel, _) | (Press::Letter('g'), Half::Grid(_)) => {
                self.half = Half::Nothing;
                Answer::Redraw
            }
            (Press::Letter('g'), _) => self.begin_grid(play),
            (Press::Step(right, down), Half::Grid(_)) => self.shift(play, right, down),
            (Press::Digit(5), Half::Grid(_)) => Answer::Refused(
                "5 is the middle and no direction; 1 2 3 4 6 7 8 9 lie around it".into(),
            ),
            (Press::Digit(digit), Half::Grid(_)) => {
                let (col, row) = keypad(digit);
                self.shift(play, col as i8 - 1, row as i8 - 1)
            }
            (Press::Letter(letter), Half::Grid(_)) => match diagonal(letter) {
                Some((right, down)) => self.shift(play, right, down),
                None => Answer::Ignored,
            },
            (Press::Make, Half::Grid(to)) => self.finish(play, TicTacTwoMove::Grid(cell(to))),
            (Press::Step(right, down), _) => {
                let step = |at: u8, by: i8| at.saturating_add_signed(by).min(self.side - 1);
                self.cursor = (step(self.cursor.0, right), step(self.cursor.1, down));
                Answer::Redraw
            }
            (Press::Digit(digit), _) => self.digit(play, digit),
            (Press::Make, _) => self.choose(play, self.cursor),
            (Press::Letter(_), _) => Answer::Ignored,
        }
    }

    fn digit(&mut self, play: &GridPlay, digit: u8) -> Answer {
        let grid = play.game().options().grid();
        if grid > 3 {
            return Answer::Refused(format!(
                "digits name the cells of a grid of 3 by 3; this one is {grid} by {grid}: \
                 the arrows and Enter, the mouse, or / and the name of a cell do"
            ));
        }
        let (col, row) = play.game().grid(play.position());
        let (right, down) = keypad(digit);
        self.cursor = (
            (col + right).saturating_sub(1).min(self.side - 1),
            (row + down).saturating_sub(1).min(self.side - 1),
        );
        self.choose(play, self.cursor)
    }

    fn begin_grid(&mut self, play: &GridPlay) -> Answer {
        match allows(play, TurnKind::Grid) {
            Ok(()) => {
                self.half = Half::Grid(play.game().grid(play.position()));
                Answer::Redraw
            }
            Err(reason) => Answer::Refused(reason),
        }
    }

    /// Moves the preview of the grid. Back over its real place is allowed.
    fn shift(&mut self, play: &GridPlay, right: i8, down: i8) -> Answer {
        let Half::Grid((col, row)) = self.half else {
            return Answer::Ignored;
        };
        let to = (
            col.saturating_add_signed(right),
            row.saturating_add_signed(down),
        );
        self.propose(play, to)
    }

    fn propose(&mut self, play: &GridPlay, to: At) -> Answer {
        let real = play.game().grid(play.position());
        match play.check(TicTacTwoMove::Grid(cell(to))) {
            Err(refusal) if to != real => Answer::Refused(refusal.to_string()),
            _ => {
                self.half = Half::Grid(to);
                Answer::Redraw
            }
        }
    }

    /// Enter or a click on a cell: place, pick up, put down, put back.
    fn choose(&mut self, play: &GridPlay, at: At) -> Answer {
        self.cursor = at;
        let own = owner(play, at) == Some(play.side());
        match self.half {
            Half::Held(from) if from == at => {
                self.half = Half::Nothing;
                Answer::Redraw
            }
            _ if own => match can_lift(play, at) {
                Ok(()) => {
                    self.half = Half::Held(at);
                    Answer::Redraw
                }
                Err(reason) => Answer::Refused(reason),
            },
            Half::Held(from) => self.finish(play, TicTacTwoMove::Piece(cell(from), cell(at))),
            Half::Nothing | Half::Grid(_) => self.finish(play, TicTacTwoMove::Place(cell(at))),
        }
    }

    fn finish(&mut self, play: &GridPlay, mv: TicTacTwoMove) -> Answer {
        match play.check(mv) {
            Ok(()) => {
                self.half = Half::Nothing;
                Answer::Move(play.game().move_text(mv))
            }
            Err(refusal) => Answer::Refused(refusal.to_string()),
        }
    }

    /// The frame of the grid on the screen.
    fn frame(&self, play: &GridPlay) -> Option<Rect> {
        let centre = play.game().grid(play.position());
        Some(picture::frame(self.squares?, play, centre))
    }

    // ---- words ----

    /// The move that Enter would make.
    fn pending(&self, play: &GridPlay) -> Option<TicTacTwoMove> {
        let mv = match self.half {
            Half::Nothing => TicTacTwoMove::Place(cell(self.cursor)),
            Half::Grid(to) => TicTacTwoMove::Grid(cell(to)),
            Half::Held(from) => TicTacTwoMove::Piece(cell(from), cell(self.cursor)),
        };
        play.check(mv).ok().map(|()| mv)
    }

    pub(super) fn prompt(&self, play: &GridPlay, any: &AnyPlay) -> String {
        let pending = self.pending(play);
        if let Some(preview) = pending.and_then(|mv| foreseen(play, mv)) {
            return match self.half {
                Half::Nothing => format!("{} to move: {preview}", play.side()),
                _ => format!("{preview}; Enter does it, Esc cancels"),
            };
        }
        match self.half {
            Half::Nothing => any.prompt(),
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

    pub(super) fn render(&mut self, play: &GridPlay, view: &View<'_>, sheet: &mut Sheet<'_>) {
        self.settle(play);
        let squares = picture::fit(play, sheet.area());
        self.squares = Some(squares);
        picture::Picture::new(self, play, view, squares).draw(sheet);
    }

    /// Where a cell was drawn.
    #[cfg(test)]
    pub(super) fn spot(&self, col: u8, row: u8) -> Option<Position> {
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
        short,
        allowed: allows(play, kind),
    };
    vec![
        option(TurnKind::Place, "Enter", ["place a piece", "place"]),
        option(TurnKind::Grid, "g", ["move the grid"; 2]),
        option(TurnKind::Piece, "Enter", ["on your piece: move it"; 2]),
    ]
}

fn allows(play: &GridPlay, kind: TurnKind) -> Result<(), String> {
    // The position alone does not know that it has come for the third time.
    let over = play.outcome().map(|_| TicTacTwoMove::Place(cell((0, 0))));
    let said = match over {
        Some(any) => play.check(any),
        None => play.game().allows(play.position(), kind),
    };
    said.map_err(|refusal| refusal.to_string())
}

/// May this piece be moved somewhere?
fn can_lift(play: &GridPlay, from: At) -> Result<(), String> {
    allows(play, TurnKind::Piece)?;
    match play.check(TicTacTwoMove::Piece(cell(from), cell(from))) {
        Err(refusal) if refusal.kind == RefusalKind::NotYourPiece => Err(refusal.to_string()),
        _ => Ok(()),
    }
}

fn cell((col, row): At) -> Cell {
    Cell::new(col, row)
}

fn name(play: &GridPlay, at: At) -> String {
    play.game().move_text(TicTacTwoMove::Place(cell(at)))
}

fn bit((col, row): At) -> u64 {
    1u64.checked_shl(8 * u32::from(row) + u32::from(col))
        .unwrap_or(0)
}

fn owner(play: &GridPlay, at: At) -> Option<Player> {
    Player::BOTH
        .into_iter()
        .find(|&player| play.position().pieces(player) & bit(at) != 0)
}

/// What a legal move would bring about, if it would end the game.
fn foreseen(play: &GridPlay, mv: TicTacTwoMove) -> Option<String> {
    let mut next = play.clone();
    next.play(mv).ok()?;
    let mv = play.game().move_text(mv);
    let [x, o] = Player::BOTH.map(|player| {
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
