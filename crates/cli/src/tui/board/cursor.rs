//! The cursor and the zoom: how arrows move them, and how they follow the game.

use noughts_rules::{BoardShape, BoardView, Owner, Place};

use super::{Board, BoardResponse};

/// Where the cursor starts: in the middle of the frame or of the board.
pub(super) fn first_cursor(view: &dyn BoardView, shape: &BoardShape) -> Place {
    let middle = || {
        (0..shape.depth()).fold(Place::BOARD, |place, level| {
            let (columns, rows) = shape.size_at(level).unwrap_or((1, 1));
            let (column, row) = ((columns - 1) / 2, (rows - 1) / 2);
            shape.part_at(place, column, row).unwrap_or(place)
        })
    };
    view.frame().map_or_else(middle, |frame| frame.center)
}

/// The first cell of a board that accepts a move.
fn first_open_cell(view: &dyn BoardView, shape: &BoardShape, board: Place) -> Option<Place> {
    let mut place = board;
    while place.level < shape.depth() {
        place = shape.parts(place).find(|&part| view.accepts_move(part))?;
    }
    Some(place)
}

/// The middle cell of a board.
pub(super) fn middle(shape: &BoardShape, board: Place) -> Place {
    let cells = shape.cells_of(board);
    shape.cell(cells.start + (cells.end - cells.start) / 2)
}

impl Board {
    /// The number of levels visible in the window.
    pub(super) fn visible_levels(&self) -> u8 {
        self.shape.depth().min(2)
    }

    /// The zoom at which single cells are visible.
    pub(super) fn max_zoom(&self) -> u8 {
        self.shape.depth() - self.visible_levels()
    }

    /// The level of the squares in the window.
    pub(super) fn square_level(&self) -> u8 {
        self.zoom + self.visible_levels()
    }

    /// The board or cell of a level that contains the cursor.
    pub(super) fn cursor_at(&self, level: u8) -> Place {
        self.shape.ancestor(self.cursor, level)
    }

    /// Is the board too deep to be seen as a whole?
    pub(super) fn zooms(&self) -> bool {
        self.shape.depth() > 2
    }

    /// Moves cursor and zoom to where the game goes on.
    pub(super) fn follow(&mut self, view: &dyn BoardView) {
        if self.shape.depth() < 2 {
            return;
        }
        if view.is_over() {
            self.cursor = view.last_places().first().copied().unwrap_or(self.cursor);
            self.zoom = self.max_zoom();
            return;
        }
        let focus = view.focus();
        self.zoom = focus.level.min(self.max_zoom());
        let shape = &self.shape;
        let board = shape.ancestor(self.cursor, shape.depth() - 1);
        let is_inside = shape.is_inside(board, focus) && view.accepts_move(board);
        let center = middle(shape, focus);
        if focus.level + 1 == shape.depth() && view.accepts_move(center) {
            self.cursor = center;
        } else if focus.level + 1 == shape.depth() || !is_inside {
            let open = first_open_cell(view, shape, focus);
            self.cursor = open.unwrap_or(self.cursor);
        }
    }

    /// Columns and rows of a board's parts as they are drawn: a single row of boards is wrapped where there's no room.
    fn drawn_size(&self, level: u8) -> (u32, u32) {
        let (columns, rows) = self.shape.size_at(level).unwrap_or((1, 1));
        let (columns, rows) = (u32::from(columns), u32::from(rows));
        match self.layout.boards_per_row {
            wrapped if rows == 1 && level + 1 < self.shape.depth() && wrapped > 0 => {
                let wrapped = u32::from(wrapped).min(columns);
                (wrapped, columns.div_ceil(wrapped))
            }
            _ => (columns, rows),
        }
    }

    /// Column and row among all places of its level.
    pub(super) fn global_column_row(&self, place: Place) -> (u32, u32) {
        let (mut column, mut row) = (0, 0);
        let (mut wide, mut high) = (1, 1);
        for level in (0..place.level).rev() {
            let part = self.shape.ancestor(place, level + 1);
            let (columns, rows) = self.drawn_size(level);
            let within = part.index % self.shape.parts_at(level).max(1);
            column += within % columns * wide;
            row += within / columns * high;
            (wide, high) = (wide * columns, high * rows);
        }
        (column, row)
    }

    /// The place of a level in this column and row, if there is one.
    fn place_at(&self, column: u32, row: u32, level: u8) -> Option<Place> {
        let sizes: Vec<(u32, u32)> = (0..level).map(|level| self.drawn_size(level)).collect();
        let mut place = Place::BOARD;
        for n in 0..usize::from(level) {
            let inner = &sizes[n + 1..];
            let wide: u32 = inner.iter().map(|size| size.0).product();
            let high: u32 = inner.iter().map(|size| size.1).product();
            let (columns, rows) = sizes[n];
            let within = row / high % rows * columns + column / wide % columns;
            let parts = self.shape.parts_at(place.level);
            if within >= parts || column >= columns * wide && n == 0 || row >= rows * high && n == 0
            {
                return None;
            }
            place = Place::new(place.level + 1, place.index * parts + within);
        }
        Some(place)
    }

    /// Moves the cursor to the next square, across borders; the window follows.
    pub(super) fn step(&mut self, view: &dyn BoardView, right: i8, down: i8) -> BoardResponse {
        self.typed = None;
        let here = self.cursor_at(self.square_level());
        let mut place = here;
        loop {
            let (column, row) = self.global_column_row(place);
            let next = column
                .checked_add_signed(right.into())
                .zip(row.checked_add_signed(down.into()))
                .and_then(|(column, row)| self.place_at(column, row, here.level));
            match next {
                Some(next) if next != place => place = next,
                _ => return BoardResponse::Redraw,
            }
            // Cells that stand for the same move count as one.
            if !self.features.plays_columns || view.aim(place) != view.aim(here) {
                self.move_cursor_to(place);
                return BoardResponse::Redraw;
            }
        }
    }

    /// Moves the cursor into a board, to the same cell within it as before.
    pub(super) fn move_cursor_to(&mut self, place: Place) {
        let cells = self.shape.cells_of(place);
        let inside = (cells.end - cells.start).max(1);
        self.cursor = self.shape.cell(cells.start + self.cursor.index % inside);
    }

    pub(super) fn zoom_by(&mut self, levels: i8) -> BoardResponse {
        let zoom = self.zoom.saturating_add_signed(levels).min(self.max_zoom());
        if zoom == self.zoom {
            return BoardResponse::Ignored;
        }
        self.zoom = zoom;
        BoardResponse::Redraw
    }

    /// On boards of depth 3 and more: a label for going back to the board that must be played in,
    /// if the window is elsewhere. [`Board::sync`] goes there.
    pub(crate) fn way_back(&self, state: &noughts_rules::AnyGameState) -> Option<String> {
        let view = state.view();
        if !self.zooms() || state.variant() != self.variant || view.is_over() {
            return None;
        }
        let focus = view.focus();
        let is_there = self.shape.is_inside(self.cursor, focus);
        match is_there && self.zoom >= focus.level.min(self.max_zoom()) {
            true => None,
            false => Some(format!("back to board {}", view.place_name(focus))),
        }
    }

    /// On boards of depth 3 and more: the path of the board in the window.
    pub(crate) fn breadcrumb(&self, state: &noughts_rules::AnyGameState) -> Option<String> {
        if !self.zooms() || state.variant() != self.variant {
            return None;
        }
        if self.zoom == 0 {
            return Some("Whole board".into());
        }
        let view = state.view();
        let separator = format!(" {} ", self.breadcrumb_separator);
        // Each name continues the name of the board around it.
        let boards: Vec<Place> = (1..=self.zoom).map(|level| self.cursor_at(level)).collect();
        let mut outer = String::new();
        let parts: Vec<String> = boards
            .iter()
            .map(|&board| {
                let name = view.place_name(board);
                let part = name.strip_prefix(&outer).unwrap_or(&name).to_owned();
                outer = name;
                part
            })
            .collect();
        let path = parts.join(&separator);
        let mut owners = boards.iter().map(|&board| view.cell(board).owner);
        Some(match owners.find(|&owner| owner != Owner::Nobody) {
            Some(Owner::One(player)) => format!("Board {path} (won by {player})"),
            Some(Owner::Both) => format!("Board {path} (won by both)"),
            _ => format!("Board {path}"),
        })
    }
}
