//! Boards as widgets: drawn as large as fits, played with keys and mouse. A board keeps the cursor,
//! the zoom and a partial move; the rules decide what is legal.

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
use noughts_rules::{AnyGameState, BoardKind, MoveError};
use ratatui::buffer::Buffer;
use ratatui::layout::{Rect, Size};

pub(crate) use annotations::Annotations;

use self::canvas::BoardCanvas;
use crate::tui::theme::Theme;

/// A board on the screen: cursor, zoom, partial move, and the last layout for finding what the
/// mouse points at.
#[derive(Clone, Debug)]
pub(crate) struct Board {
    widget: BoardWidget,
    /// Where it was last drawn.
    area: Rect,
}

#[derive(Clone, Debug)]
enum BoardWidget {
    Flat(flat::FlatBoardWidget),
    Grid(grid::TicTacTwoBoardWidget),
    Nested(nested::NestedBoardWidget),
}

/// The result of a key or mouse event.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum BoardResponse {
    /// The event means nothing to the board.
    Ignored,
    /// Something visible changed.
    Redraw,
    /// A legal move, not made yet.
    Move(String),
    /// Nothing was done, for this reason.
    Rejected(String),
}

/// What to render.
pub(crate) struct BoardRenderContext<'a> {
    pub(crate) state: &'a AnyGameState,
    pub(crate) theme: &'a Theme,
    /// A human may move now: the cursor and the legal cells are shown.
    pub(crate) active: bool,
    /// Move values from analysis.
    pub(crate) annotations: Option<&'a Annotations>,
    /// The suggested move, to be highlighted.
    pub(crate) hint: Option<&'a str>,
}

impl<'a> BoardRenderContext<'a> {
    /// A board that only shows a position.
    pub(crate) fn inactive(state: &'a AnyGameState, theme: &'a Theme) -> BoardRenderContext<'a> {
        BoardRenderContext {
            state,
            theme,
            active: false,
            annotations: None,
            hint: None,
        }
    }
}

/// A kind of move, in games that have several.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct TurnOption {
    /// The key that starts it.
    pub(crate) key: &'static str,
    pub(crate) text: &'static str,
    /// A shorter form for narrow layouts.
    pub(crate) short_text: &'static str,
    /// The reason if it can't be chosen now.
    pub(crate) allowed: Result<(), MoveError>,
}

impl Board {
    pub(crate) fn new(state: &AnyGameState) -> Board {
        let widget = match state.board_kind() {
            BoardKind::Mnk(_) | BoardKind::LargeMnk(_) | BoardKind::Other(_) => {
                BoardWidget::Flat(flat::FlatBoardWidget::new(state))
            }
            BoardKind::TicTacTwo(state) => {
                BoardWidget::Grid(grid::TicTacTwoBoardWidget::new(state))
            }
            BoardKind::Nested(_) => BoardWidget::Nested(nested::NestedBoardWidget::new(state)),
        };
        Board {
            widget,
            area: Rect::ZERO,
        }
    }

    /// Adjusts to a changed position (a move, an undo or redo, a jump in a review): cancels a
    /// partial move and keeps the cursor valid. On nested boards cursor and zoom jump to the board
    /// that must be played in.
    pub(crate) fn sync(&mut self, state: &AnyGameState) {
        match (&mut self.widget, state) {
            (BoardWidget::Flat(board), AnyGameState::Mnk(_) | AnyGameState::LargeMnk(_)) => {
                board.sync(state);
            }
            (BoardWidget::Grid(board), AnyGameState::TicTacTwo(state)) => board.sync(state),
            (BoardWidget::Nested(board), state) if board.matches_depth(state) => board.sync(state),
            _ => *self = Board::new(state),
        }
    }

    /// Handles a key. The board gets keys before the screen does, because during a partial move
    /// some keys mean something else (`u` and `n` are directions for the grid).
    pub(crate) fn handle_key(&mut self, state: &AnyGameState, key: KeyEvent) -> BoardResponse {
        let Some(press) = keys::parse_key(key) else {
            return BoardResponse::Ignored;
        };
        match (&mut self.widget, state) {
            (BoardWidget::Flat(board), state) => board.handle_key(state, press),
            (BoardWidget::Grid(board), AnyGameState::TicTacTwo(state)) => {
                board.handle_key(state, press)
            }
            (BoardWidget::Nested(board), state) => board.handle_key(state, press),
            _ => BoardResponse::Ignored,
        }
    }

    /// Handles a mouse event, using the layout of the last rendering.
    pub(crate) fn handle_mouse(
        &mut self,
        state: &AnyGameState,
        mouse: MouseEvent,
    ) -> BoardResponse {
        let inside = self.area.contains((mouse.column, mouse.row).into());
        // A drag that started inside may end outside.
        if !inside && !matches!(mouse.kind, MouseEventKind::Up(_) | MouseEventKind::Drag(_)) {
            return BoardResponse::Ignored;
        }
        match (&mut self.widget, state) {
            (BoardWidget::Flat(board), state) => board.handle_mouse(state, mouse),
            (BoardWidget::Grid(board), AnyGameState::TicTacTwo(state)) => {
                board.handle_mouse(state, mouse)
            }
            (BoardWidget::Nested(board), state) => board.handle_mouse(state, mouse),
            _ => BoardResponse::Ignored,
        }
    }

    /// Draws the board centered in the area, as large as fits.
    pub(crate) fn render(&mut self, view: &BoardRenderContext<'_>, area: Rect, buf: &mut Buffer) {
        let mut canvas = BoardCanvas::new(buf, area, view.theme);
        self.area = canvas.area();
        match (&mut self.widget, view.state) {
            (BoardWidget::Flat(board), _) => board.render(view, &mut canvas),
            (BoardWidget::Grid(board), AnyGameState::TicTacTwo(state)) => {
                board.render(state, view, &mut canvas);
            }
            (BoardWidget::Nested(board), _) => board.render(view, &mut canvas),
            _ => {}
        }
    }

    /// The least room in which all cells are distinguishable.
    pub(crate) fn min_size(&self, state: &AnyGameState) -> Size {
        match (&self.widget, state) {
            (BoardWidget::Flat(board), _) => board.min_size(),
            (BoardWidget::Grid(_), AnyGameState::TicTacTwo(state)) => {
                // Cells of three columns and one row, with lines around them.
                let side = u16::from(state.game().options().board_size());
                Size::new(4 * side + 6, 2 * side + 2)
            }
            (BoardWidget::Nested(board), _) => board.min_size(),
            _ => Size::ZERO,
        }
    }

    /// What the player can do now or what the partial move still needs, and what the move at the
    /// cursor would do. `player` names the player to move.
    pub(crate) fn prompt_for(&self, state: &AnyGameState, player: &str) -> String {
        if state.outcome().is_some() {
            return noughts_text::prompt(state);
        }
        match (&self.widget, state) {
            (BoardWidget::Grid(board), AnyGameState::TicTacTwo(grid)) => {
                board.prompt(grid, state, player)
            }
            (BoardWidget::Nested(board), state) => board.prompt(state, player),
            _ => noughts_text::prompt_for(state, player),
        }
    }

    #[cfg(test)]
    pub(crate) fn prompt(&self, state: &AnyGameState) -> String {
        self.prompt_for(state, &format!("{} to move", state.side()))
    }

    /// The kinds of move, each with the reason if it isn't allowed now; empty in games with only
    /// one kind.
    pub(crate) fn turn_options(&self, state: &AnyGameState) -> Vec<TurnOption> {
        match state {
            AnyGameState::TicTacTwo(state) => grid::options(state),
            _ => Vec::new(),
        }
    }

    /// On boards of depth 3 and more: the path of the board in the window.
    pub(crate) fn breadcrumb(&self, state: &AnyGameState) -> Option<String> {
        match &self.widget {
            BoardWidget::Nested(board) => board.breadcrumb(state),
            _ => None,
        }
    }

    /// On boards of depth 3 and more: a label for going back to the board that must be played in,
    /// if the window is elsewhere. [`Board::sync`] goes there.
    pub(crate) fn way_back(&self, state: &AnyGameState) -> Option<String> {
        match &self.widget {
            BoardWidget::Nested(board) => board.way_back(state),
            _ => None,
        }
    }

    /// Does Enter zoom in instead of making a move?
    pub(crate) fn enter_zooms_in(&self) -> bool {
        matches!(&self.widget, BoardWidget::Nested(board) if board.enter_zooms_in())
    }

    /// Is a move partly made, so that Esc cancels it and other keys may belong to it?
    pub(crate) fn has_partial_move(&self) -> bool {
        match &self.widget {
            BoardWidget::Flat(_) => false,
            BoardWidget::Grid(board) => board.has_partial_move(),
            BoardWidget::Nested(board) => board.has_partial_move(),
        }
    }
}

/// Returns the move if it is legal, otherwise the reason why not.
fn check_move(state: &AnyGameState, mv: String) -> BoardResponse {
    match state.check(&mv) {
        Ok(()) => BoardResponse::Move(mv),
        Err(refusal) => BoardResponse::Rejected(refusal.to_string()),
    }
}
