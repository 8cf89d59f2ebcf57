//! Boards as widgets: drawn as large as fits, played on with keys and mouse. A board
//! keeps the cursor, the zoom and a half-made move; what is legal it asks the rules.

mod face;
mod flat;
mod grid;
mod keys;
mod lines;
mod marks;
mod nested;
mod sheet;
mod squares;
#[cfg(test)]
mod tests;
mod values;

use crossterm::event::{KeyEvent, MouseEvent, MouseEventKind};
use noughts_rules::{AnyPlay, Shape};
use ratatui::buffer::Buffer;
use ratatui::layout::{Rect, Size};

pub(crate) use values::Notes;

use self::sheet::Sheet;
use crate::tui::look::Look;

/// A board on the screen: cursor, zoom, half-made move, and where everything was
/// drawn last, so that the mouse finds it.
#[derive(Clone, Debug)]
pub(crate) struct Board {
    family: Family,
    /// Where it was drawn last.
    area: Rect,
}

#[derive(Clone, Debug)]
enum Family {
    Flat(flat::FlatBoard),
    Grid(grid::GridBoard),
    Nested(nested::NestedBoard),
}

/// What came of a key or of the mouse.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Answer {
    /// It means nothing to the board.
    Ignored,
    /// Something changed that is to be seen.
    Redraw,
    /// A legal move, to be made.
    Move(String),
    /// Nothing was done, and this is why.
    Refused(String),
}

/// What is to be shown.
pub(crate) struct View<'a> {
    /// The game.
    pub(crate) play: &'a AnyPlay,
    /// How it looks.
    pub(crate) look: &'a Look,
    /// A person may move now: the cursor and the legal cells are shown.
    pub(crate) active: bool,
    /// Analysis.
    pub(crate) notes: Option<&'a Notes>,
    /// A move to point at.
    pub(crate) hint: Option<&'a str>,
}

/// A kind of turn.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct TurnOption {
    /// The key that begins it.
    pub(crate) key: &'static str,
    /// What it is.
    pub(crate) text: &'static str,
    /// The same, where there is little room.
    pub(crate) short: &'static str,
    /// May it be chosen now, and if not, why not?
    pub(crate) allowed: Result<(), String>,
}

impl Board {
    pub(crate) fn new(play: &AnyPlay) -> Board {
        let family = match play.shape() {
            Shape::Mnk(_) | Shape::LargeMnk(_) => Family::Flat(flat::FlatBoard::new(play)),
            Shape::TicTacTwo(play) => Family::Grid(grid::GridBoard::new(play)),
            Shape::Nested(_) => Family::Nested(nested::NestedBoard::new(play)),
        };
        Board {
            family,
            area: Rect::ZERO,
        }
    }

    /// After the position changed (a move, undo, redo, a jump in a review): cancels a
    /// half-made move and keeps the cursor sensible; on nested boards cursor and zoom
    /// jump to the board one is sent to.
    pub(crate) fn follow(&mut self, play: &AnyPlay) {
        match (&mut self.family, play) {
            (Family::Flat(board), AnyPlay::Mnk(_) | AnyPlay::LargeMnk(_)) => board.follow(play),
            (Family::Grid(board), AnyPlay::TicTacTwo(play)) => board.follow(play),
            (Family::Nested(board), play) if board.fits(play) => board.follow(play),
            _ => *self = Board::new(play),
        }
    }

    /// A key for the board. A half-made move takes keys that mean something else
    /// elsewhere (`u` and `n` are directions for the grid), so the board is asked first.
    pub(crate) fn key(&mut self, play: &AnyPlay, key: KeyEvent) -> Answer {
        let Some(press) = keys::read(key) else {
            return Answer::Ignored;
        };
        match (&mut self.family, play) {
            (Family::Flat(board), play) => board.press(play, press),
            (Family::Grid(board), AnyPlay::TicTacTwo(play)) => board.press(play, press),
            (Family::Nested(board), play) => board.press(play, press),
            _ => Answer::Ignored,
        }
    }

    /// The mouse, by the layout of the last rendering.
    pub(crate) fn mouse(&mut self, play: &AnyPlay, mouse: MouseEvent) -> Answer {
        let inside = self.area.contains((mouse.column, mouse.row).into());
        // What began inside may end elsewhere; nothing begins there.
        if !inside && !matches!(mouse.kind, MouseEventKind::Up(_) | MouseEventKind::Drag(_)) {
            return Answer::Ignored;
        }
        match (&mut self.family, play) {
            (Family::Flat(board), play) => board.mouse(play, mouse),
            (Family::Grid(board), AnyPlay::TicTacTwo(play)) => board.mouse(play, mouse),
            (Family::Nested(board), play) => board.mouse(play, mouse),
            _ => Answer::Ignored,
        }
    }

    /// Draws the board in the middle of the area, as large as fits.
    pub(crate) fn render(&mut self, view: &View<'_>, area: Rect, buf: &mut Buffer) {
        let mut sheet = Sheet::new(buf, area);
        self.area = sheet.area();
        match (&mut self.family, view.play) {
            (Family::Flat(board), _) => board.render(view, &mut sheet),
            (Family::Grid(board), AnyPlay::TicTacTwo(play)) => board.render(play, view, &mut sheet),
            (Family::Nested(board), _) => board.render(view, &mut sheet),
            _ => {}
        }
    }

    /// The least room in which every cell can be told from the others.
    pub(crate) fn least_size(&self, play: &AnyPlay) -> Size {
        match (&self.family, play) {
            (Family::Flat(board), _) => board.least_size(),
            (Family::Grid(_), AnyPlay::TicTacTwo(play)) => {
                // Cells of three columns and a row, with lines around them.
                let side = u16::from(play.game().options().board());
                Size::new(4 * side + 6, 2 * side + 2)
            }
            (Family::Nested(board), _) => board.least_size(),
            _ => Size::ZERO,
        }
    }

    /// What is expected now, or what the half-made move still needs, and what the move
    /// at the cursor would do.
    pub(crate) fn prompt(&self, play: &AnyPlay) -> String {
        if play.outcome().is_some() {
            return play.prompt();
        }
        match (&self.family, play) {
            (Family::Grid(board), AnyPlay::TicTacTwo(grid)) => board.prompt(grid, play),
            (Family::Nested(board), play) => board.prompt(play),
            _ => play.prompt(),
        }
    }

    /// The kinds of turn there are, each with the reason if it is not allowed now;
    /// none in games where all turns are alike.
    pub(crate) fn options(&self, play: &AnyPlay) -> Vec<TurnOption> {
        match play {
            AnyPlay::TicTacTwo(play) => grid::options(play),
            _ => Vec::new(),
        }
    }

    /// On boards of depth 3 and more: where one is looking.
    pub(crate) fn breadcrumb(&self, play: &AnyPlay) -> Option<String> {
        match &self.family {
            Family::Nested(board) => board.breadcrumb(play),
            _ => None,
        }
    }

    /// On boards of depth 3 and more: the way back to where one must play, in words, if
    /// one looks elsewhere. [`Board::follow`] goes it.
    pub(crate) fn away(&self, play: &AnyPlay) -> Option<String> {
        match &self.family {
            Family::Nested(board) => board.away(play),
            _ => None,
        }
    }

    /// Does Enter look closer, in place of making a move?
    pub(crate) fn looks_closer(&self) -> bool {
        matches!(&self.family, Family::Nested(board) if board.looks_closer())
    }

    /// Is a move half made, so that Esc cancels it and other keys may mean something
    /// to it?
    pub(crate) fn half_made(&self) -> bool {
        match &self.family {
            Family::Flat(_) => false,
            Family::Grid(board) => board.half_made(),
            Family::Nested(board) => board.half_made(),
        }
    }
}

/// Gives a move if the rules allow it, else their reason.
fn make(play: &AnyPlay, mv: String) -> Answer {
    match play.check(&mv) {
        Ok(()) => Answer::Move(mv),
        Err(refusal) => Answer::Refused(refusal.to_string()),
    }
}
