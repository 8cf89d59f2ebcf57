//! Nested boards of any depth: a window of 81 squares over the whole, which zooms in
//! and out and goes with the cursor. What is drawn is in `picture.rs`, where it lies in
//! `layout.rs`, the small maps of the boards around the window in `map.rs`.

mod layout;
mod minimap;
mod painter;

use crossterm::event::{MouseButton, MouseEvent, MouseEventKind};
use noughts_rules::{
    self as rules, AnyGameState, MoveArea, MovePreview, NestedGameState, Outcome, Owner,
    WonBoardRule, path_text,
};
use ratatui::layout::{Position, Rect, Size};

use super::canvas::Canvas;
use super::keys::{Press, keypad_cell};
use super::{BoardResponse, RenderContext, check_move};

/// Cursor, zoom, half-typed move and layout of a nested board.
#[derive(Clone, Debug)]
pub(super) struct NestedBoard {
    depth: u32,
    /// A cell, numbered in the order of paths.
    cursor: usize,
    /// The level of the board in the window.
    zoom: u32,
    /// A path that is being typed.
    partial_path: Option<Node>,
    pressed: Option<Node>,
    /// What was drawn where.
    drawn_nodes: Vec<(Rect, Node)>,
    /// What stands between the places of a path.
    crumb: char,
}

/// A board or a cell: its level and its number.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Node {
    level: u32,
    index: usize,
}

/// How many boards there are at a level.
fn node_count(level: u32) -> usize {
    9usize.pow(level.min(6))
}

/// The number of the board or cell with these letters.
fn number(path: &str) -> usize {
    path.bytes().fold(0, |index, letter| {
        index * 9 + usize::from(letter.wrapping_sub(b'a') % 9)
    })
}

/// Column and row among all boards of a level.
fn column_row(index: usize, level: u32) -> (usize, usize) {
    (0..level).rev().fold((0, 0), |(col, row), letter| {
        let place = index / node_count(letter) % 9;
        (col * 3 + place % 3, row * 3 + place / 3)
    })
}

/// The board of a level in this column and row.
fn index_at(col: usize, row: usize, level: u32) -> usize {
    (0..level).rev().fold(0, |index, letter| {
        let unit = 3usize.pow(letter);
        index * 9 + row / unit % 3 * 3 + col / unit % 3
    })
}

impl NestedBoard {
    pub(super) fn new(play: &AnyGameState) -> NestedBoard {
        let depth = play.nested().map_or(1, rules::NestedBoard::depth);
        let mut board = NestedBoard {
            depth,
            // The centre of the centre, all the way down.
            cursor: node_count(depth) / 2,
            zoom: 0,
            partial_path: None,
            pressed: None,
            drawn_nodes: Vec::new(),
            crumb: '›',
        };
        board.sync(play);
        board
    }

    pub(super) fn min_size(&self) -> Size {
        layout::min_size(self.depth)
    }

    pub(super) fn matches_depth(&self, play: &AnyGameState) -> bool {
        play.nested().is_some_and(|play| play.depth() == self.depth)
    }

    pub(super) fn sync(&mut self, play: &AnyGameState) {
        let Some(play) = play.nested() else { return };
        if play.depth() != self.depth {
            self.depth = play.depth();
            self.cursor = node_count(self.depth) / 2;
            self.zoom = 0;
        }
        self.partial_path = None;
        self.pressed = None;
        match play.move_area() {
            MoveArea::Anywhere => {}
            MoveArea::Board(path) => self.enter(play, number(&path)),
            MoveArea::Free { inside, .. } => {
                if !play.accepts_move(self.depth, self.cursor) {
                    self.cursor = play.first_legal_cell().unwrap_or(self.cursor);
                }
                self.zoom = (inside.len() as u32).min(self.closest());
            }
            MoveArea::Nowhere => {
                self.cursor = play.last_cell().unwrap_or(self.cursor);
                self.zoom = self.closest();
            }
        }
    }

    /// Puts the cursor on a depth-1 board: the middle, or else the first open cell.
    fn enter(&mut self, play: &dyn NestedGameState, board: usize) {
        let cells = [4, 0, 1, 2, 3, 5, 6, 7, 8].map(|place| board * 9 + place);
        let open = cells
            .into_iter()
            .find(|&cell| play.accepts_move(self.depth, cell));
        self.cursor = open.unwrap_or(cells[0]);
        self.zoom = self.closest();
    }

    /// How many levels the window shows.
    fn visible_levels(&self) -> u32 {
        self.depth.min(2)
    }

    /// The zoom at which cells are seen.
    fn closest(&self) -> u32 {
        self.depth - self.visible_levels()
    }

    /// The level of the squares in the window.
    fn square_level(&self) -> u32 {
        self.zoom + self.visible_levels()
    }

    /// The board or cell of a level that the cursor is in.
    fn cursor_at(&self, level: u32) -> usize {
        self.cursor / node_count(self.depth - level)
    }

    pub(super) fn has_partial_move(&self) -> bool {
        self.partial_path.is_some()
    }

    pub(super) fn enter_zooms_in(&self) -> bool {
        self.zoom < self.closest()
    }

    pub(super) fn way_back(&self, any: &AnyGameState) -> Option<String> {
        let play = any
            .nested()
            .filter(|play| play.depth() == self.depth && self.depth > 2)?;
        let (board, zoom) = match play.move_area() {
            MoveArea::Board(board) => (board, self.closest()),
            MoveArea::Free { inside, .. } => {
                let zoom = (inside.len() as u32).min(self.closest());
                (inside, zoom)
            }
            MoveArea::Anywhere | MoveArea::Nowhere => return None,
        };
        let there = self.cursor_at(board.len() as u32) == number(&board);
        match (there && self.zoom >= zoom, board.is_empty()) {
            (true, _) => None,
            (false, true) => Some("back".into()),
            (false, false) => Some(format!("back to board {board}")),
        }
    }

    // ---- keys ----

    pub(super) fn handle_key(&mut self, any: &AnyGameState, press: Press) -> BoardResponse {
        let Some(play) = any.nested().filter(|play| play.depth() == self.depth) else {
            return BoardResponse::Ignored;
        };
        match press {
            Press::Step(right, down) => {
                self.partial_path = None;
                self.step(right, down);
                BoardResponse::Redraw
            }
            Press::Confirm => self.choose(any, self.spot_at_cursor()),
            Press::Digit(digit) => self.digit(any, play, digit),
            Press::Cancel if self.partial_path.is_some() => {
                self.partial_path = None;
                BoardResponse::Redraw
            }
            Press::Letter('z') if self.depth > 2 => self.zoom_by(1),
            Press::Letter('Z') if self.depth > 2 => self.zoom_by(-1),
            Press::Cancel | Press::Letter(_) => BoardResponse::Ignored,
        }
    }

    fn spot_at_cursor(&self) -> Node {
        let level = self.square_level();
        Node {
            level,
            index: self.cursor_at(level),
        }
    }

    /// To the next square, over the borders of boards; the window goes along.
    fn step(&mut self, right: i8, down: i8) {
        let level = self.square_level();
        let last = 3usize.pow(level) - 1;
        let (col, row) = column_row(self.cursor_at(level), level);
        let along = |at: usize, by: i8| at.saturating_add_signed(by.into()).min(last);
        let index = index_at(along(col, right), along(row, down), level);
        self.go(Node { level, index });
    }

    /// Puts the cursor inside a board, at the same place in it as before.
    fn go(&mut self, spot: Node) {
        let inside = node_count(self.depth - spot.level.min(self.depth));
        self.cursor = (spot.index * inside + self.cursor % inside).min(node_count(self.depth) - 1);
    }

    fn zoom_by(&mut self, levels: i32) -> BoardResponse {
        let zoom = self.zoom.saturating_add_signed(levels).min(self.closest());
        if zoom == self.zoom {
            return BoardResponse::Ignored;
        }
        self.zoom = zoom;
        BoardResponse::Redraw
    }

    /// Enter or a click on a square: the move, or a closer look.
    fn choose(&mut self, any: &AnyGameState, spot: Node) -> BoardResponse {
        self.partial_path = None;
        self.go(spot);
        if spot.level < self.depth {
            self.zoom = (self.zoom + 1).min(self.closest());
            return BoardResponse::Redraw;
        }
        check_move(any, path_text(spot.index, self.depth))
    }

    /// A digit names the cell of the board one is sent to; with a free choice, first
    /// the boards from the outermost that can be chosen.
    fn digit(
        &mut self,
        any: &AnyGameState,
        play: &dyn NestedGameState,
        digit: u8,
    ) -> BoardResponse {
        let (col, row) = keypad_cell(digit);
        let around = self.partial_path.unwrap_or_else(|| {
            let letters = match play.move_area() {
                MoveArea::Anywhere | MoveArea::Nowhere => String::new(),
                MoveArea::Board(path) => path,
                MoveArea::Free { inside, .. } => inside,
            };
            Node {
                level: letters.len() as u32,
                index: number(&letters),
            }
        });
        let spot = Node {
            level: around.level + 1,
            index: around.index * 9 + usize::from(row * 3 + col),
        };
        if spot.level >= self.depth {
            let answer = check_move(any, path_text(spot.index, self.depth));
            if matches!(answer, BoardResponse::Move(_)) {
                self.partial_path = None;
                self.zoom = self.closest();
                self.cursor = spot.index;
            }
            return answer;
        }
        if let Err(reason) = play.check_board(spot.level, spot.index) {
            return BoardResponse::Rejected(reason);
        }
        self.partial_path = Some(spot);
        self.zoom = spot.level.min(self.closest());
        let inside = node_count(self.depth - spot.level);
        self.cursor = spot.index * inside + inside / 2;
        BoardResponse::Redraw
    }

    // ---- mouse ----

    pub(super) fn handle_mouse(&mut self, any: &AnyGameState, mouse: MouseEvent) -> BoardResponse {
        if !self.matches_depth(any) {
            return BoardResponse::Ignored;
        }
        let place = Position::new(mouse.column, mouse.row);
        let found = self
            .drawn_nodes
            .iter()
            .find(|(rect, _)| rect.contains(place));
        let spot = found.map(|&(_, spot)| spot);
        match mouse.kind {
            MouseEventKind::Moved => self.point(spot),
            MouseEventKind::Down(MouseButton::Left) => {
                self.pressed = spot;
                self.point(spot)
            }
            MouseEventKind::Up(MouseButton::Left) => match (self.pressed.take(), spot) {
                (Some(pressed), Some(spot)) if pressed == spot => self.click(any, spot),
                _ => BoardResponse::Ignored,
            },
            MouseEventKind::ScrollUp if self.depth > 2 => {
                let pointed = self.point(spot);
                match self.zoom_by(1) {
                    BoardResponse::Ignored => pointed,
                    zoomed => zoomed,
                }
            }
            MouseEventKind::ScrollDown if self.depth > 2 => self.zoom_by(-1),
            _ => BoardResponse::Ignored,
        }
    }

    /// The cursor goes where the mouse points, if that is in the window.
    fn point(&mut self, spot: Option<Node>) -> BoardResponse {
        match spot {
            Some(spot) if spot.level == self.square_level() && spot != self.spot_at_cursor() => {
                self.partial_path = None;
                self.go(spot);
                BoardResponse::Redraw
            }
            _ => BoardResponse::Ignored,
        }
    }

    fn click(&mut self, any: &AnyGameState, spot: Node) -> BoardResponse {
        if spot.level == self.square_level() {
            return self.choose(any, spot);
        }
        // A place on a map: look there.
        self.partial_path = None;
        self.zoom = spot.level.min(self.closest());
        self.go(spot);
        BoardResponse::Redraw
    }

    // ---- words ----

    pub(super) fn prompt(&self, any: &AnyGameState) -> String {
        let Some(play) = any.nested().filter(|play| play.depth() == self.depth) else {
            return any.prompt();
        };
        if let Some(typed) = self.partial_path {
            let name = path_text(typed.index, typed.level);
            let next = if typed.level + 1 == self.depth {
                "cell"
            } else {
                "board"
            };
            return format!("board {name}: a digit chooses the {next} in it, Esc cancels");
        }
        let mut text = self.sent_to_won(play).unwrap_or_else(|| any.prompt());
        if let MoveArea::Free { .. } = play.move_area() {
            text.push_str(match play.won_board_rule() {
                WonBoardRule::PlayOn => " (5a)",
                WonBoardRule::FreeMove => " (5b)",
                WonBoardRule::ExtraMove => " (5c)",
                WonBoardRule::ExtraMoveChain => " (5d)",
            });
        }
        if self.enter_zooms_in() {
            text.push_str("; Enter looks closer");
        } else if let Some(foreseen) = play.preview_move(self.cursor) {
            let name = path_text(self.cursor, self.depth);
            text.push_str(&format!("; {name} {}", consequences(play, &foreseen)));
        }
        text
    }

    /// Why one has to play in a board that is won, if so, and what one gets for it.
    fn sent_to_won(&self, play: &dyn NestedGameState) -> Option<String> {
        let MoveArea::Board(board) = play.move_area() else {
            return None;
        };
        let cells = (0..9).map(|place| number(&board) * 9 + place);
        let mut goes_on = cells
            .filter_map(|cell| play.preview_move(cell))
            .filter(|foreseen| foreseen.outcome.is_none());
        let again = goes_on.next()?.side == play.side();
        let level = board.len() as u32;
        if !again || play.owner(level, number(&board)) == Owner::Nobody {
            return None;
        }
        let then = match play.won_board_rule() {
            WonBoardRule::ExtraMove => "then move again (5c)",
            WonBoardRule::ExtraMoveChain => {
                "then move again, for as long as you are sent to won boards (5d)"
            }
            WonBoardRule::PlayOn | WonBoardRule::FreeMove => return None,
        };
        let extra = if play.is_extra_move() {
            " (an extra move)"
        } else {
            ""
        };
        let side = play.side();
        Some(format!(
            "{side} to move: board {board} is won: play there{extra}, {then}"
        ))
    }

    pub(super) fn breadcrumb(&self, any: &AnyGameState) -> Option<String> {
        let play = any
            .nested()
            .filter(|play| play.depth() == self.depth && self.depth > 2)?;
        if self.zoom == 0 {
            return Some("the whole board".into());
        }
        let crumb = format!(" {} ", self.crumb);
        let letters: Vec<String> = path_text(self.cursor_at(self.zoom), self.zoom)
            .chars()
            .map(String::from)
            .collect();
        let mut text = format!("board {}", letters.join(&crumb));
        let owner =
            (1..=self.zoom).find_map(|level| match play.owner(level, self.cursor_at(level)) {
                Owner::Nobody => None,
                Owner::One(player) => Some(player.to_string()),
                Owner::Both => Some("both".into()),
            });
        if let Some(owner) = owner {
            text.push_str(&format!(" (won by {owner})"));
        }
        Some(text)
    }

    pub(super) fn render(&mut self, view: &RenderContext<'_>, sheet: &mut Canvas<'_>) {
        let Some(play) = view
            .state
            .nested()
            .filter(|play| play.depth() == self.depth)
        else {
            return;
        };
        self.crumb = view.theme.symbols().breadcrumb;
        self.drawn_nodes = painter::draw(self, play, view, sheet);
    }

    /// The path of the cell under the cursor.
    #[cfg(test)]
    pub(super) fn cursor_path(&self) -> String {
        path_text(self.cursor, self.depth)
    }

    /// Where a board or cell with this path was drawn.
    #[cfg(test)]
    pub(super) fn node_center(&self, path: &str) -> Option<Position> {
        let spot = Node {
            level: path.len() as u32,
            index: number(path),
        };
        let (rect, _) = self.drawn_nodes.iter().find(|(_, found)| *found == spot)?;
        Some(Position::new(
            rect.x + rect.width / 2,
            rect.y + rect.height / 2,
        ))
    }
}

/// Where the next move of a nested game may go.
#[cfg(test)]
pub(super) fn move_target(play: &AnyGameState) -> Option<MoveArea> {
    play.nested().map(rules::NestedBoard::move_area)
}

/// What a move would do, in words that follow its name.
fn consequences(play: &dyn NestedGameState, foreseen: &MovePreview) -> String {
    match foreseen.outcome {
        Some(Outcome::Win(winner)) if winner == play.side() => return "wins the game".into(),
        Some(Outcome::Win(_)) => return "loses the game".into(),
        Some(Outcome::Draw) => return "ends the game: a draw".into(),
        None => {}
    }
    let next = foreseen.side;
    let sends = match &foreseen.area {
        MoveArea::Board(path) if next == play.side() => {
            format!("lets {next} move again in {path}")
        }
        MoveArea::Board(path) => format!("sends {next} to {path}"),
        MoveArea::Free { inside, .. } if !inside.is_empty() => {
            format!("lets {next} play anywhere in {inside}")
        }
        _ => format!("lets {next} play anywhere"),
    };
    match &foreseen.won_board {
        Some(board) => format!("wins {board} and {sends}"),
        None => sends,
    }
}
