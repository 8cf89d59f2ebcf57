//! Boards as widgets: drawn as large as fits, played on with keys and mouse. A board
//! keeps the cursor, the zoom and a half-made move; what is legal it asks the rules.

mod annotations;
mod canvas;
mod cell;
mod flat;
mod grid;
mod keys;
mod lines;
mod marks;
mod nested;
mod squares;
#[cfg(test)]
mod tests;

use crossterm::event::{KeyEvent, MouseEvent, MouseEventKind};
use noughts_rules::{AnyGameState, BoardKind};
use ratatui::buffer::Buffer;
use ratatui::layout::{Rect, Size};

pub(crate) use annotations::Annotations;

use self::canvas::Canvas;
use crate::tui::theme::Theme;

/// A board on the screen: cursor, zoom, half-made move, and where everything was
/// drawn last, so that the mouse finds it.
#[derive(Clone, Debug)]
pub(crate) struct Board {
    widget: BoardWidget,
    /// Where it was drawn last.
    area: Rect,
}

#[derive(Clone, Debug)]
enum BoardWidget {
    Flat(flat::FlatBoard),
    Grid(grid::GridBoard),
    Nested(nested::NestedBoard),
}

/// What came of a key or of the mouse.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum BoardResponse {
    /// It means nothing to the board.
    Ignored,
    /// Something changed that is to be seen.
    Redraw,
    /// A legal move, to be made.
    Move(String),
    /// Nothing was done, and this is why.
    Rejected(String),
}

/// What is to be shown.
pub(crate) struct RenderContext<'a> {
    /// The game.
    pub(crate) state: &'a AnyGameState,
    /// How it looks.
    pub(crate) theme: &'a Theme,
    /// A person may move now: the cursor and the legal cells are shown.
    pub(crate) active: bool,
    /// Analysis.
    pub(crate) annotations: Option<&'a Annotations>,
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
    pub(crate) short_text: &'static str,
    /// May it be chosen now, and if not, why not?
    pub(crate) allowed: Result<(), String>,
}

impl Board {
    pub(crate) fn new(play: &AnyGameState) -> Board {
        let widget = match play.board_kind() {
            BoardKind::Mnk(_) | BoardKind::LargeMnk(_) => {
                BoardWidget::Flat(flat::FlatBoard::new(play))
            }
            BoardKind::TicTacTwo(play) => BoardWidget::Grid(grid::GridBoard::new(play)),
            BoardKind::Nested(_) => BoardWidget::Nested(nested::NestedBoard::new(play)),
        };
        Board {
            widget,
            area: Rect::ZERO,
        }
    }

    /// After the position changed (a move, undo, redo, a jump in a review): cancels a
    /// half-made move and keeps the cursor sensible; on nested boards cursor and zoom
    /// jump to the board one is sent to.
    pub(crate) fn sync(&mut self, play: &AnyGameState) {
        match (&mut self.widget, play) {
            (BoardWidget::Flat(board), AnyGameState::Mnk(_) | AnyGameState::LargeMnk(_)) => {
                board.sync(play)
            }
            (BoardWidget::Grid(board), AnyGameState::TicTacTwo(play)) => board.sync(play),
            (BoardWidget::Nested(board), play) if board.matches_depth(play) => board.sync(play),
            _ => *self = Board::new(play),
        }
    }

    /// A key for the board. A half-made move takes keys that mean something else
    /// elsewhere (`u` and `n` are directions for the grid), so the board is asked first.
    pub(crate) fn handle_key(&mut self, play: &AnyGameState, key: KeyEvent) -> BoardResponse {
        let Some(press) = keys::parse_key(key) else {
            return BoardResponse::Ignored;
        };
        match (&mut self.widget, play) {
            (BoardWidget::Flat(board), play) => board.handle_key(play, press),
            (BoardWidget::Grid(board), AnyGameState::TicTacTwo(play)) => {
                board.handle_key(play, press)
            }
            (BoardWidget::Nested(board), play) => board.handle_key(play, press),
            _ => BoardResponse::Ignored,
        }
    }

    /// The mouse, by the layout of the last rendering.
    pub(crate) fn handle_mouse(&mut self, play: &AnyGameState, mouse: MouseEvent) -> BoardResponse {
        let inside = self.area.contains((mouse.column, mouse.row).into());
        // What began inside may end elsewhere; nothing begins there.
        if !inside && !matches!(mouse.kind, MouseEventKind::Up(_) | MouseEventKind::Drag(_)) {
            return BoardResponse::Ignored;
        }
        match (&mut self.widget, play) {
            (BoardWidget::Flat(board), play) => board.handle_mouse(play, mouse),
            (BoardWidget::Grid(board), AnyGameState::TicTacTwo(play)) => {
                board.handle_mouse(play, mouse)
            }
            (BoardWidget::Nested(board), play) => board.handle_mouse(play, mouse),
            _ => BoardResponse::Ignored,
        }
    }

    /// Draws the board in the middle of the area, as large as fits.
    pub(crate) fn render(&mut self, view: &RenderContext<'_>, area: Rect, buf: &mut Buffer) {
        let mut sheet = Canvas::new(buf, area);
        self.area = sheet.area();
        match (&mut self.widget, view.state) {
            (BoardWidget::Flat(board), _) => board.render(view, &mut sheet),
            (BoardWidget::Grid(board), AnyGameState::TicTacTwo(play)) => {
                board.render(play, view, &mut sheet)
            }
            (BoardWidget::Nested(board), _) => board.render(view, &mut sheet),
            _ => {}
        }
    }

    /// The least room in which every cell can be told from the others.
    pub(crate) fn min_size(&self, play: &AnyGameState) -> Size {
        match (&self.widget, play) {
            (BoardWidget::Flat(board), _) => board.min_size(),
            (BoardWidget::Grid(_), AnyGameState::TicTacTwo(play)) => {
                // Cells of three columns and a row, with lines around them.
                let side = u16::from(play.game().options().board_size());
                Size::new(4 * side + 6, 2 * side + 2)
            }
            (BoardWidget::Nested(board), _) => board.min_size(),
            _ => Size::ZERO,
        }
    }

    /// What is expected now, or what the half-made move still needs, and what the move
    /// at the cursor would do.
    pub(crate) fn prompt(&self, play: &AnyGameState) -> String {
        if play.outcome().is_some() {
            return play.prompt();
        }
        match (&self.widget, play) {
            (BoardWidget::Grid(board), AnyGameState::TicTacTwo(grid)) => board.prompt(grid, play),
            (BoardWidget::Nested(board), play) => board.prompt(play),
            _ => play.prompt(),
        }
    }

    /// The kinds of turn there are, each with the reason if it is not allowed now;
    /// none in games where all turns are alike.
    pub(crate) fn turn_options(&self, play: &AnyGameState) -> Vec<TurnOption> {
        match play {
            AnyGameState::TicTacTwo(play) => grid::options(play),
            _ => Vec::new(),
        }
    }

    /// On boards of depth 3 and more: where one is looking.
    pub(crate) fn breadcrumb(&self, play: &AnyGameState) -> Option<String> {
        match &self.widget {
            BoardWidget::Nested(board) => board.breadcrumb(play),
            _ => None,
        }
    }

    /// On boards of depth 3 and more: the way back to where one must play, in words, if
    /// one looks elsewhere. [`Board::follow`] goes it.
    pub(crate) fn way_back(&self, play: &AnyGameState) -> Option<String> {
        match &self.widget {
            BoardWidget::Nested(board) => board.way_back(play),
            _ => None,
        }
    }

    /// Does Enter look closer, in place of making a move?
    pub(crate) fn enter_zooms_in(&self) -> bool {
        matches!(&self.widget, BoardWidget::Nested(board) if board.enter_zooms_in())
    }

    /// Is a move half made, so that Esc cancels it and other keys may mean something
    /// to it?
    pub(crate) fn has_partial_move(&self) -> bool {
        match &self.widget {
            BoardWidget::Flat(_) => false,
            BoardWidget::Grid(board) => board.has_partial_move(),
            BoardWidget::Nested(board) => board.has_partial_move(),
        }
    }
}

/// Gives a move if the rules allow it, else their reason.
fn check_move(play: &AnyGameState, mv: String) -> BoardResponse {
    match play.check(&mv) {
        Ok(()) => BoardResponse::Move(mv),
        Err(refusal) => BoardResponse::Rejected(refusal.to_string()),
    }
}
