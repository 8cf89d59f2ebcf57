//! Boards as widgets: drawn as large as fits, played with keys and mouse. They know no game: what is there and what can
//! be touched comes from its [`BoardView`](noughts_rules::BoardView).
//!
//! A board keeps the cursor, the zoom and the start of a move. `layout.rs` says where everything is, `painter.rs` and
//! `cells.rs` draw it, `keyboard.rs` and `mouse.rs` turn events into touches, and `touch.rs` turns touches into moves.

mod annotations;
mod canvas;
mod cell;
mod cells;
mod cursor;
mod features;
mod keyboard;
mod keys;
mod layout;
mod lines;
mod marks;
mod minimap;
mod mouse;
mod painter;
mod prompt;
mod reserve;
mod squares;
#[cfg(test)]
mod tests;
mod touch;
mod values;
mod window;

use crossterm::event::{KeyEvent, MouseEvent};
use noughts_rules::{AnyGameState, BoardShape, MoveError, Place, Target, Variant};
use ratatui::buffer::Buffer;
use ratatui::layout::{Rect, Size};

pub(crate) use annotations::Annotations;
pub(crate) use features::pieces_in_hand;

use self::canvas::BoardCanvas;
use self::features::Features;
use self::layout::Layout;
use self::mouse::Pressed;
use crate::tui::theme::Theme;

/// A board on the screen: cursor, zoom, the start of a move, and the last layout for finding what the mouse points at.
#[derive(Clone, Debug)]
pub(crate) struct Board {
    variant: Variant,
    shape: BoardShape,
    features: Features,
    /// A cell.
    cursor: Place,
    /// The level of the board that fills the window.
    zoom: u8,
    /// What was touched so far to make a move.
    taps: Vec<Target>,
    /// What Enter would touch next, where that isn't the cursor: a kind of piece, or the new center of the frame.
    choice: Option<Target>,
    /// The board chosen with digits.
    typed: Option<Place>,
    pressed: Option<Pressed>,
    layout: Layout,
    /// The separator between the parts of a path.
    breadcrumb_separator: char,
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
    pub(crate) text: String,
    /// A shorter form for narrow layouts.
    pub(crate) short_text: String,
    /// The reason if it can't be chosen now.
    pub(crate) allowed: Result<(), MoveError>,
}

impl Board {
    pub(crate) fn new(state: &AnyGameState) -> Board {
        let variant = state.variant();
        let features = Features::of(variant);
        let shape = state.view().shape();
        let mut board = Board {
            cursor: cursor::first_cursor(state.view(), &shape),
            variant,
            shape,
            features,
            zoom: 0,
            taps: Vec::new(),
            choice: None,
            typed: None,
            pressed: None,
            layout: Layout::default(),
            breadcrumb_separator: '›',
        };
        board.sync(state);
        board
    }

    /// Adjusts to a changed position (a move, an undo or redo, a jump in a review): cancels a
    /// partial move and keeps the cursor valid. On boards of boards cursor and zoom jump to the board
    /// that must be played in.
    pub(crate) fn sync(&mut self, state: &AnyGameState) {
        if state.variant() != self.variant {
            *self = Board::new(state);
            return;
        }
        self.cancel();
        self.pressed = None;
        self.follow(state.view());
    }

    /// Starts over if the game is another one, and drops the start of a move that the position doesn't allow: it may
    /// have changed without a call to `sync`.
    fn adjust(&mut self, state: &AnyGameState) {
        if state.variant() != self.variant {
            *self = Board::new(state);
        } else {
            self.drop_stale_taps(state.view());
        }
    }

    /// Handles a key. The board gets keys before the screen does, because during a partial move
    /// some keys mean something else (`u` and `n` are directions for the grid, `x` can be a mark).
    pub(crate) fn handle_key(&mut self, state: &AnyGameState, key: KeyEvent) -> BoardResponse {
        self.adjust(state);
        self.key(state.view(), key)
    }

    /// Handles a mouse event, using the layout of the last rendering.
    pub(crate) fn handle_mouse(
        &mut self,
        state: &AnyGameState,
        mouse: MouseEvent,
    ) -> BoardResponse {
        self.adjust(state);
        self.mouse(state.view(), mouse)
    }

    /// Draws the board centered in the area, as large as fits.
    pub(crate) fn render(
        &mut self,
        context: &BoardRenderContext<'_>,
        area: Rect,
        buf: &mut Buffer,
    ) {
        self.adjust(context.state);
        self.breadcrumb_separator = context.theme.symbols().breadcrumb;
        let mut canvas = BoardCanvas::new(buf, area, context.theme);
        let view = context.state.view();
        self.layout = Layout::fit(self, view, canvas.area());
        painter::draw(self, context, &mut canvas);
        self.layout.chooser = reserve::draw_chooser(self, context, &mut canvas);
    }

    /// The least room in which all cells are distinguishable.
    pub(crate) fn min_size(&self) -> Size {
        layout::min_size(&self.shape, &self.features)
    }

    /// Is all of the board visible, cell by cell?
    pub(crate) fn fits(&self, area: Rect) -> bool {
        self.shape.depth() > 2 || layout::fits(&self.shape, &self.features, area.as_size())
    }

    /// The middle of a cell on the screen.
    #[cfg(test)]
    pub(crate) fn middle_of(&self, state: &AnyGameState, cell: &str) -> (u16, u16) {
        let cell = state.view().parse_cell(cell).expect("a cell");
        let square = self.layout.square_of(&self.shape, cell).expect("a square");
        (square.x + square.width / 2, square.y + square.height / 2)
    }

    /// Is a move partly made, so that Esc cancels it and other keys may belong to it?
    pub(crate) fn has_partial_move(&self) -> bool {
        !self.taps.is_empty() || self.typed.is_some()
    }

    /// Does Enter zoom in instead of making a move?
    pub(crate) fn enter_zooms_in(&self) -> bool {
        self.zoom < self.max_zoom()
    }
}
