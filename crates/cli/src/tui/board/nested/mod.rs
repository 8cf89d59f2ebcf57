//! Nested boards of any depth: a window of 81 squares that zooms in and out and follows the cursor.
//! `painter.rs` draws it, `layout.rs` places it, `minimap.rs` draws the minimaps of the boards
//! around the window.

mod layout;
mod minimap;
mod painter;

use crossterm::event::{MouseButton, MouseEvent, MouseEventKind};
use noughts_rules::{
    self as rules, AnyGameState, MoveArea, MovePreview, NestedGameState, Outcome, Owner,
    WonBoardRule, path_text,
};
use ratatui::layout::{Position, Rect, Size};

use super::canvas::BoardCanvas;
use super::keys::{BoardKey, keypad_cell};
use super::{BoardRenderContext, BoardResponse, check_move};

/// Cursor, zoom, partly typed move and layout of a nested board.
#[derive(Clone, Debug)]
pub(super) struct NestedBoardWidget {
    depth: u32,
    /// The index of a cell, in path order.
    cursor: usize,
    /// The level of the board that fills the window.
    zoom: u32,
    /// The path typed so far.
    partial_path: Option<BoardNode>,
    pressed: Option<BoardNode>,
    /// Where each board and cell was drawn.
    drawn_nodes: Vec<(Rect, BoardNode)>,
    /// The separator between the letters of a path.
    breadcrumb_separator: char,
}

/// A board or a cell: its level and its index within the level.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct BoardNode {
    level: u32,
    index: usize,
}

/// The number of boards at a level.
fn node_count(level: u32) -> usize {
    9usize.pow(level.min(6))
}

/// The index of the board or cell with this path.
fn path_index(path: &str) -> usize {
    path.bytes().fold(0, |index, letter| {
        index * 9 + usize::from(letter.wrapping_sub(b'a') % 9)
    })
}

/// Column and row among all boards of a level.
fn column_row(index: usize, level: u32) -> (usize, usize) {
    (0..level).rev().fold((0, 0), |(col, row), letter| {
        let child = index / node_count(letter) % 9;
        (col * 3 + child % 3, row * 3 + child / 3)
    })
}

/// The index of the board of a level in this column and row.
fn index_at(col: usize, row: usize, level: u32) -> usize {
    (0..level).rev().fold(0, |index, letter| {
        let unit = 3usize.pow(letter);
        index * 9 + row / unit % 3 * 3 + col / unit % 3
    })
}

impl NestedBoardWidget {
    pub(super) fn new(state: &AnyGameState) -> NestedBoardWidget {
        let depth = state.nested().map_or(1, rules::NestedBoard::depth);
        let mut board = NestedBoardWidget {
            depth,
            // The center of the center, all the way down.
            cursor: node_count(depth) / 2,
            zoom: 0,
            partial_path: None,
            pressed: None,
            drawn_nodes: Vec::new(),
            breadcrumb_separator: '›',
        };
        board.sync(state);
        board
    }

    pub(super) fn min_size(&self) -> Size {
        layout::min_size(self.depth)
    }

    /// The state, if it is of a game of this depth.
    fn matching<'a>(&self, state: &'a AnyGameState) -> Option<&'a dyn NestedGameState> {
        state.nested().filter(|state| state.depth() == self.depth)
    }

    pub(super) fn matches_depth(&self, state: &AnyGameState) -> bool {
        self.matching(state).is_some()
    }

    pub(super) fn sync(&mut self, state: &AnyGameState) {
        let Some(state) = self.matching(state) else {
            return;
        };
        self.partial_path = None;
        self.pressed = None;
        match state.move_area() {
            MoveArea::Anywhere => {}
            MoveArea::Board(path) => self.enter(state, path_index(&path)),
            MoveArea::Free { inside, .. } => {
                if !state.accepts_move(self.depth, self.cursor) {
                    self.cursor = state.first_legal_cell().unwrap_or(self.cursor);
                }
                self.zoom = (inside.len() as u32).min(self.max_zoom());
            }
            MoveArea::Nowhere => {
                self.cursor = state.last_cell().unwrap_or(self.cursor);
                self.zoom = self.max_zoom();
            }
        }
    }

    /// Moves the cursor into a depth-1 board: to the center, or to the first open cell.
    fn enter(&mut self, state: &dyn NestedGameState, board: usize) {
        let cells = [4, 0, 1, 2, 3, 5, 6, 7, 8].map(|child| board * 9 + child);
        let open = cells
            .into_iter()
            .find(|&cell| state.accepts_move(self.depth, cell));
        self.cursor = open.unwrap_or(cells[0]);
        self.zoom = self.max_zoom();
    }

    /// The number of levels visible in the window.
    fn visible_levels(&self) -> u32 {
        self.depth.min(2)
    }

    /// The zoom at which single cells are visible.
    fn max_zoom(&self) -> u32 {
        self.depth - self.visible_levels()
    }

    /// The level of the squares in the window.
    fn square_level(&self) -> u32 {
        self.zoom + self.visible_levels()
    }

    /// The board or cell of a level that contains the cursor.
    fn cursor_at(&self, level: u32) -> usize {
        self.cursor / node_count(self.depth - level)
    }

    pub(super) fn has_partial_move(&self) -> bool {
        self.partial_path.is_some()
    }

    pub(super) fn enter_zooms_in(&self) -> bool {
        self.zoom < self.max_zoom()
    }

    pub(super) fn way_back(&self, any_state: &AnyGameState) -> Option<String> {
        let state = self.matching(any_state).filter(|_| self.depth > 2)?;
        let board = target_board(state)?;
        let zoom = (board.len() as u32).min(self.max_zoom());
        let is_there = self.cursor_at(board.len() as u32) == path_index(&board);
        match (is_there && self.zoom >= zoom, board.is_empty()) {
            (true, _) => None,
            (false, true) => Some("back".into()),
            (false, false) => Some(format!("back to board {board}")),
        }
    }

    pub(super) fn handle_key(&mut self, any_state: &AnyGameState, key: BoardKey) -> BoardResponse {
        let Some(state) = self.matching(any_state) else {
            return BoardResponse::Ignored;
        };
        match key {
            BoardKey::Step(right, down) => {
                self.partial_path = None;
                self.step(right, down);
                BoardResponse::Redraw
            }
            BoardKey::Confirm => self.choose(any_state, self.node_at_cursor()),
            BoardKey::Digit(digit) => self.digit(any_state, state, digit),
            BoardKey::Cancel if self.partial_path.is_some() => {
                self.partial_path = None;
                BoardResponse::Redraw
            }
            BoardKey::Letter('z') if self.depth > 2 => self.zoom_by(1),
            BoardKey::Letter('Z') if self.depth > 2 => self.zoom_by(-1),
            BoardKey::Cancel | BoardKey::Letter(_) => BoardResponse::Ignored,
        }
    }

    fn node_at_cursor(&self) -> BoardNode {
        let level = self.square_level();
        BoardNode {
            level,
            index: self.cursor_at(level),
        }
    }

    /// Moves the cursor to the next square, across borders; the window follows.
    fn step(&mut self, right: i8, down: i8) {
        let level = self.square_level();
        let last = 3usize.pow(level) - 1;
        let (col, row) = column_row(self.cursor_at(level), level);
        let step_clamped =
            |start: usize, delta: i8| start.saturating_add_signed(delta.into()).min(last);
        let index = index_at(step_clamped(col, right), step_clamped(row, down), level);
        self.move_cursor_to(BoardNode { level, index });
    }

    /// Moves the cursor into a board, to the same cell within it as before.
    fn move_cursor_to(&mut self, node: BoardNode) {
        let inside = node_count(self.depth - node.level.min(self.depth));
        self.cursor = (node.index * inside + self.cursor % inside).min(node_count(self.depth) - 1);
    }

    fn zoom_by(&mut self, levels: i32) -> BoardResponse {
        let zoom = self.zoom.saturating_add_signed(levels).min(self.max_zoom());
        if zoom == self.zoom {
            return BoardResponse::Ignored;
        }
        self.zoom = zoom;
        BoardResponse::Redraw
    }

    /// Enter or a click on a square: makes the move or zooms in.
    fn choose(&mut self, any_state: &AnyGameState, node: BoardNode) -> BoardResponse {
        self.partial_path = None;
        self.move_cursor_to(node);
        if node.level < self.depth {
            self.zoom = (self.zoom + 1).min(self.max_zoom());
            return BoardResponse::Redraw;
        }
        check_move(any_state, path_text(node.index, self.depth))
    }

    /// A digit chooses a cell of the board that must be played in. If the choice is free, digits
    /// first choose the boards, outermost first.
    fn digit(
        &mut self,
        any_state: &AnyGameState,
        state: &dyn NestedGameState,
        digit: u8,
    ) -> BoardResponse {
        let (col, row) = keypad_cell(digit);
        let enclosing = self.partial_path.unwrap_or_else(|| {
            let path = target_board(state).unwrap_or_default();
            BoardNode {
                level: path.len() as u32,
                index: path_index(&path),
            }
        });
        let node = BoardNode {
            level: enclosing.level + 1,
            index: enclosing.index * 9 + usize::from(row * 3 + col),
        };
        if node.level >= self.depth {
            let answer = check_move(any_state, path_text(node.index, self.depth));
            if matches!(answer, BoardResponse::Move(_)) {
                self.partial_path = None;
                self.zoom = self.max_zoom();
                self.cursor = node.index;
            }
            return answer;
        }
        if let Err(reason) = state.check_board(node.level, node.index) {
            return BoardResponse::Rejected(reason.to_string());
        }
        self.partial_path = Some(node);
        self.zoom = node.level.min(self.max_zoom());
        let inside = node_count(self.depth - node.level);
        self.cursor = node.index * inside + inside / 2;
        BoardResponse::Redraw
    }

    pub(super) fn handle_mouse(
        &mut self,
        any_state: &AnyGameState,
        mouse: MouseEvent,
    ) -> BoardResponse {
        if !self.matches_depth(any_state) {
            return BoardResponse::Ignored;
        }
        let position = Position::new(mouse.column, mouse.row);
        let mut nodes = self.drawn_nodes.iter();
        let found = nodes.find(|(rect, _)| rect.contains(position));
        let node = found.map(|&(_, node)| node);
        match mouse.kind {
            MouseEventKind::Moved => self.point(node),
            MouseEventKind::Down(MouseButton::Left) => {
                self.pressed = node;
                self.point(node)
            }
            MouseEventKind::Up(MouseButton::Left) => match (self.pressed.take(), node) {
                (Some(pressed), Some(node)) if pressed == node => self.click(any_state, node),
                _ => BoardResponse::Ignored,
            },
            MouseEventKind::ScrollUp if self.depth > 2 => {
                let pointed = self.point(node);
                match self.zoom_by(1) {
                    BoardResponse::Ignored => pointed,
                    zoomed => zoomed,
                }
            }
            MouseEventKind::ScrollDown if self.depth > 2 => self.zoom_by(-1),
            _ => BoardResponse::Ignored,
        }
    }

    /// Moves the cursor to where the mouse points, if that is in the window.
    fn point(&mut self, node: Option<BoardNode>) -> BoardResponse {
        match node {
            Some(node) if node.level == self.square_level() && node != self.node_at_cursor() => {
                self.partial_path = None;
                self.move_cursor_to(node);
                BoardResponse::Redraw
            }
            _ => BoardResponse::Ignored,
        }
    }

    fn click(&mut self, any_state: &AnyGameState, node: BoardNode) -> BoardResponse {
        if node.level == self.square_level() {
            return self.choose(any_state, node);
        }
        // A square of a minimap: go there.
        self.partial_path = None;
        self.zoom = node.level.min(self.max_zoom());
        self.move_cursor_to(node);
        BoardResponse::Redraw
    }

    pub(super) fn prompt(&self, any_state: &AnyGameState, player: &str) -> String {
        let Some(state) = self.matching(any_state) else {
            return noughts_text::prompt_for(any_state, player);
        };
        if let Some(typed) = self.partial_path {
            let name = path_text(typed.index, typed.level);
            let next = match typed.level + 1 == self.depth {
                true => "cell",
                false => "board",
            };
            return format!("Board {name}: press a digit for the {next}, Esc to cancel");
        }
        let mut text = self
            .won_board_prompt(state, player)
            .unwrap_or_else(|| noughts_text::prompt_for(any_state, player));
        if let MoveArea::Free { .. } = state.move_area() {
            text.push_str(&format!(" ({})", state.won_board_rule().label()));
        }
        if self.enter_zooms_in() {
            text.push_str("; Enter to zoom in");
        } else if let Some(preview) = state.preview_move(self.cursor) {
            let name = path_text(self.cursor, self.depth);
            let consequences = consequences(state, &preview);
            text.push_str(&format!("; {name} {consequences}"));
        }
        text
    }

    /// Explains why the move must go to a won board, if so, and that an extra move follows.
    fn won_board_prompt(&self, state: &dyn NestedGameState, player: &str) -> Option<String> {
        let MoveArea::Board(board) = state.move_area() else {
            return None;
        };
        let cells = (0..9).map(|child| path_index(&board) * 9 + child);
        let mut continuing = cells
            .filter_map(|cell| state.preview_move(cell))
            .filter(|preview| preview.outcome.is_none());
        let moves_again = continuing.next()?.side == state.side();
        let level = board.len() as u32;
        if !moves_again || state.owner(level, path_index(&board)) == Owner::Nobody {
            return None;
        }
        let reward = match state.won_board_rule() {
            WonBoardRule::ExtraMove => "then move again (5c)",
            WonBoardRule::ExtraMoveChain => "then keep moving while you're sent to won boards (5d)",
            WonBoardRule::PlayOn | WonBoardRule::FreeMove => return None,
        };
        let extra_text = match state.is_extra_move() {
            true => " (extra move)",
            false => "",
        };
        Some(format!(
            "{player}: board {board} is won; play there{extra_text}, {reward}"
        ))
    }

    pub(super) fn breadcrumb(&self, any_state: &AnyGameState) -> Option<String> {
        let state = self.matching(any_state).filter(|_| self.depth > 2)?;
        if self.zoom == 0 {
            return Some("Whole board".into());
        }
        let separator = format!(" {} ", self.breadcrumb_separator);
        let path = path_text(self.cursor_at(self.zoom), self.zoom);
        let letters: Vec<String> = path.chars().map(String::from).collect();
        let letters = letters.join(&separator);
        let mut owners = (1..=self.zoom).map(|level| state.owner(level, self.cursor_at(level)));
        Some(match owners.find(|&owner| owner != Owner::Nobody) {
            Some(Owner::One(player)) => format!("Board {letters} (won by {player})"),
            Some(Owner::Both) => format!("Board {letters} (won by both)"),
            _ => format!("Board {letters}"),
        })
    }

    pub(super) fn render(&mut self, view: &BoardRenderContext<'_>, canvas: &mut BoardCanvas<'_>) {
        let Some(state) = self.matching(view.state) else {
            return;
        };
        self.breadcrumb_separator = view.theme.symbols().breadcrumb;
        self.drawn_nodes = painter::draw(self, state, view, canvas);
    }

    /// The path of the cell under the cursor.
    #[cfg(test)]
    pub(super) fn cursor_path(&self) -> String {
        path_text(self.cursor, self.depth)
    }

    /// Where the board or cell with this path was drawn.
    #[cfg(test)]
    pub(super) fn node_center(&self, path: &str) -> Option<Position> {
        let node = BoardNode {
            level: path.len() as u32,
            index: path_index(path),
        };
        let (rect, _) = self.drawn_nodes.iter().find(|(_, found)| *found == node)?;
        Some(Position::new(
            rect.x + rect.width / 2,
            rect.y + rect.height / 2,
        ))
    }
}

/// Where the next move of a nested game may go.
#[cfg(test)]
pub(super) fn move_target(state: &AnyGameState) -> Option<MoveArea> {
    state.nested().map(rules::NestedBoard::move_area)
}

/// The path of the board that the next move must be in; empty for the whole board. `None` if it may be anywhere or
/// nowhere.
fn target_board(state: &dyn NestedGameState) -> Option<String> {
    match state.move_area() {
        MoveArea::Board(path) | MoveArea::Free { inside: path, .. } => Some(path),
        MoveArea::Anywhere | MoveArea::Nowhere => None,
    }
}

/// What a move would do, as a continuation of its name.
fn consequences(state: &dyn NestedGameState, preview: &MovePreview) -> String {
    match preview.outcome {
        Some(Outcome::Win(winner)) if winner == state.side() => return "wins the game".into(),
        Some(Outcome::Win(_)) => return "loses the game".into(),
        Some(Outcome::Draw) => return "draws the game".into(),
        None => {}
    }
    let next = preview.side;
    let sends_text = match &preview.area {
        MoveArea::Board(path) if next == state.side() => {
            format!("lets {next} move again in {path}")
        }
        MoveArea::Board(path) => format!("sends {next} to {path}"),
        MoveArea::Free { inside, .. } if !inside.is_empty() => {
            format!("lets {next} play anywhere in {inside}")
        }
        _ => format!("lets {next} play anywhere"),
    };
    match &preview.won_board {
        Some(board) => format!("wins {board} and {sends_text}"),
        None => sends_text,
    }
}
