//! Nested boards of any depth: a window of 81 squares over the whole, which zooms in
//! and out and goes with the cursor. What is drawn is in `picture.rs`, where it lies in
//! `layout.rs`, the small maps of the boards around the window in `map.rs`.

mod layout;
mod map;
mod picture;

use crossterm::event::{MouseButton, MouseEvent, MouseEventKind};
use noughts_rules::{
    self as rules, AnyPlay, Foreseen, NestedPlay, Outcome, Owner, Place, Sent, path_text,
};
use ratatui::layout::{Position, Rect, Size};

use super::keys::{Press, keypad};
use super::sheet::Sheet;
use super::{Answer, View, make};

/// Cursor, zoom, half-typed move and layout of a nested board.
#[derive(Clone, Debug)]
pub(super) struct NestedBoard {
    depth: u32,
    /// A cell, numbered in the order of paths.
    cursor: usize,
    /// The level of the board in the window.
    zoom: u32,
    /// A path that is being typed.
    typed: Option<Spot>,
    pressed: Option<Spot>,
    /// What was drawn where.
    spots: Vec<(Rect, Spot)>,
    /// What stands between the places of a path.
    crumb: char,
}

/// A board or a cell: its level and its number.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Spot {
    level: u32,
    index: usize,
}

/// How many boards there are at a level.
fn power(level: u32) -> usize {
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
        let place = index / power(letter) % 9;
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
    pub(super) fn new(play: &AnyPlay) -> NestedBoard {
        let depth = play.nested().map_or(1, rules::NestedBoard::depth);
        let mut board = NestedBoard {
            depth,
            // The centre of the centre, all the way down.
            cursor: power(depth) / 2,
            zoom: 0,
            typed: None,
            pressed: None,
            spots: Vec::new(),
            crumb: '›',
        };
        board.follow(play);
        board
    }

    pub(super) fn least_size(&self) -> Size {
        layout::least_size(self.depth)
    }

    pub(super) fn fits(&self, play: &AnyPlay) -> bool {
        play.nested().is_some_and(|play| play.depth() == self.depth)
    }

    pub(super) fn follow(&mut self, play: &AnyPlay) {
        let Some(play) = play.nested() else { return };
        if play.depth() != self.depth {
            self.depth = play.depth();
            self.cursor = power(self.depth) / 2;
            self.zoom = 0;
        }
        self.typed = None;
        self.pressed = None;
        match play.place() {
            Place::Anywhere => {}
            Place::Board(path) => self.enter(play, number(&path)),
            Place::Free { inside, .. } => {
                if !play.takes(self.depth, self.cursor) {
                    self.cursor = play.first_open().unwrap_or(self.cursor);
                }
                self.zoom = (inside.len() as u32).min(self.closest());
            }
            Place::Nowhere => {
                self.cursor = play.last().unwrap_or(self.cursor);
                self.zoom = self.closest();
            }
        }
    }

    /// Puts the cursor on a depth-1 board: the middle, or else the first open cell.
    fn enter(&mut self, play: &dyn NestedPlay, board: usize) {
        let cells = [4, 0, 1, 2, 3, 5, 6, 7, 8].map(|place| board * 9 + place);
        let open = cells.into_iter().find(|&cell| play.takes(self.depth, cell));
        self.cursor = open.unwrap_or(cells[0]);
        self.zoom = self.closest();
    }

    /// How many levels the window shows.
    fn shown(&self) -> u32 {
        self.depth.min(2)
    }

    /// The zoom at which cells are seen.
    fn closest(&self) -> u32 {
        self.depth - self.shown()
    }

    /// The level of the squares in the window.
    fn square_level(&self) -> u32 {
        self.zoom + self.shown()
    }

    /// The board or cell of a level that the cursor is in.
    fn cursor_at(&self, level: u32) -> usize {
        self.cursor / power(self.depth - level)
    }

    pub(super) fn half_made(&self) -> bool {
        self.typed.is_some()
    }

    pub(super) fn looks_closer(&self) -> bool {
        self.zoom < self.closest()
    }

    pub(super) fn away(&self, any: &AnyPlay) -> Option<String> {
        let play = any
            .nested()
            .filter(|play| play.depth() == self.depth && self.depth > 2)?;
        let (board, zoom) = match play.place() {
            Place::Board(board) => (board, self.closest()),
            Place::Free { inside, .. } => {
                let zoom = (inside.len() as u32).min(self.closest());
                (inside, zoom)
            }
            Place::Anywhere | Place::Nowhere => return None,
        };
        let there = self.cursor_at(board.len() as u32) == number(&board);
        match (there && self.zoom >= zoom, board.is_empty()) {
            (true, _) => None,
            (false, true) => Some("back".into()),
            (false, false) => Some(format!("back to board {board}")),
        }
    }

    // ---- keys ----

    pub(super) fn press(&mut self, any: &AnyPlay, press: Press) -> Answer {
        let Some(play) = any.nested().filter(|play| play.depth() == self.depth) else {
            return Answer::Ignored;
        };
        match press {
            Press::Step(right, down) => {
                self.typed = None;
                self.step(right, down);
                Answer::Redraw
            }
            Press::Make => self.choose(any, self.spot_at_cursor()),
            Press::Digit(digit) => self.digit(any, play, digit),
            Press::Cancel if self.typed.is_some() => {
                self.typed = None;
                Answer::Redraw
            }
            Press::Letter('z') if self.depth > 2 => self.zoom_by(1),
            Press::Letter('Z') if self.depth > 2 => self.zoom_by(-1),
            Press::Cancel | Press::Letter(_) => Answer::Ignored,
        }
    }

    fn spot_at_cursor(&self) -> Spot {
        let level = self.square_level();
        Spot {
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
        self.go(Spot { level, index });
    }

    /// Puts the cursor inside a board, at the same place in it as before.
    fn go(&mut self, spot: Spot) {
        let inside = power(self.depth - spot.level.min(self.depth));
        self.cursor = (spot.index * inside + self.cursor % inside).min(power(self.depth) - 1);
    }

    fn zoom_by(&mut self, levels: i32) -> Answer {
        let zoom = self.zoom.saturating_add_signed(levels).min(self.closest());
        if zoom == self.zoom {
            return Answer::Ignored;
        }
        self.zoom = zoom;
        Answer::Redraw
    }

    /// Enter or a click on a square: the move, or a closer look.
    fn choose(&mut self, any: &AnyPlay, spot: Spot) -> Answer {
        self.typed = None;
        self.go(spot);
        if spot.level < self.depth {
            self.zoom = (self.zoom + 1).min(self.closest());
            return Answer::Redraw;
        }
        make(any, path_text(spot.index, self.depth))
    }

    /// A digit names the cell of the board one is sent to; with a free choice, first
    /// the boards from the outermost that can be chosen.
    fn digit(&mut self, any: &AnyPlay, play: &dyn NestedPlay, digit: u8) -> Answer {
        let (col, row) = keypad(digit);
        let around = self.typed.unwrap_or_else(|| {
            let letters = match play.place() {
                Place::Anywhere | Place::Nowhere => String::new(),
                Place::Board(path) => path,
                Place::Free { inside, .. } => inside,
            };
            Spot {
                level: letters.len() as u32,
                index: number(&letters),
            }
        });
        let spot = Spot {
            level: around.level + 1,
            index: around.index * 9 + usize::from(row * 3 + col),
        };
        if spot.level >= self.depth {
            let answer = make(any, path_text(spot.index, self.depth));
            if matches!(answer, Answer::Move(_)) {
                self.typed = None;
                self.zoom = self.closest();
                self.cursor = spot.index;
            }
            return answer;
        }
        if let Err(reason) = play.check(spot.level, spot.index) {
            return Answer::Refused(reason);
        }
        self.typed = Some(spot);
        self.zoom = spot.level.min(self.closest());
        let inside = power(self.depth - spot.level);
        self.cursor = spot.index * inside + inside / 2;
        Answer::Redraw
    }

    // ---- mouse ----

    pub(super) fn mouse(&mut self, any: &AnyPlay, mouse: MouseEvent) -> Answer {
        if !self.fits(any) {
            return Answer::Ignored;
        }
        let place = Position::new(mouse.column, mouse.row);
        let found = self.spots.iter().find(|(rect, _)| rect.contains(place));
        let spot = found.map(|&(_, spot)| spot);
        match mouse.kind {
            MouseEventKind::Moved => self.point(spot),
            MouseEventKind::Down(MouseButton::Left) => {
                self.pressed = spot;
                self.point(spot)
            }
            MouseEventKind::Up(MouseButton::Left) => match (self.pressed.take(), spot) {
                (Some(pressed), Some(spot)) if pressed == spot => self.click(any, spot),
                _ => Answer::Ignored,
            },
            MouseEventKind::ScrollUp if self.depth > 2 => {
                let pointed = self.point(spot);
                match self.zoom_by(1) {
                    Answer::Ignored => pointed,
                    zoomed => zoomed,
                }
            }
            MouseEventKind::ScrollDown if self.depth > 2 => self.zoom_by(-1),
            _ => Answer::Ignored,
        }
    }

    /// The cursor goes where the mouse points, if that is in the window.
    fn point(&mut self, spot: Option<Spot>) -> Answer {
        match spot {
            Some(spot) if spot.level == self.square_level() && spot != self.spot_at_cursor() => {
                self.typed = None;
                self.go(spot);
                Answer::Redraw
            }
            _ => Answer::Ignored,
        }
    }

    fn click(&mut self, any: &AnyPlay, spot: Spot) -> Answer {
        if spot.level == self.square_level() {
            return self.choose(any, spot);
        }
        // A place on a map: look there.
        self.typed = None;
        self.zoom = spot.level.min(self.closest());
        self.go(spot);
        Answer::Redraw
    }

    // ---- words ----

    pub(super) fn prompt(&self, any: &AnyPlay) -> String {
        let Some(play) = any.nested().filter(|play| play.depth() == self.depth) else {
            return any.prompt();
        };
        if let Some(typed) = self.typed {
            let name = path_text(typed.index, typed.level);
            let next = if typed.level + 1 == self.depth {
                "cell"
            } else {
                "board"
            };
            return format!("board {name}: a digit chooses the {next} in it, Esc cancels");
        }
        let mut text = self.sent_to_won(play).unwrap_or_else(|| any.prompt());
        if let Place::Free { .. } = play.place() {
            text.push_str(match play.sent() {
                Sent::A => " (5a)",
                Sent::B => " (5b)",
                Sent::C => " (5c)",
                Sent::D => " (5d)",
            });
        }
        if self.looks_closer() {
            text.push_str("; Enter looks closer");
        } else if let Some(foreseen) = play.foresee(self.cursor) {
            let name = path_text(self.cursor, self.depth);
            text.push_str(&format!("; {name} {}", consequences(play, &foreseen)));
        }
        text
    }

    /// Why one has to play in a board that is won, if so, and what one gets for it.
    fn sent_to_won(&self, play: &dyn NestedPlay) -> Option<String> {
        let Place::Board(board) = play.place() else {
            return None;
        };
        let cells = (0..9).map(|place| number(&board) * 9 + place);
        let mut goes_on = cells
            .filter_map(|cell| play.foresee(cell))
            .filter(|foreseen| foreseen.outcome.is_none());
        let again = goes_on.next()?.side == play.side();
        let level = board.len() as u32;
        if !again || play.owner(level, number(&board)) == Owner::Nobody {
            return None;
        }
        let then = match play.sent() {
            Sent::C => "then move again (5c)",
            Sent::D => "then move again, for as long as you are sent to won boards (5d)",
            Sent::A | Sent::B => return None,
        };
        let extra = if play.is_extra() {
            " (an extra move)"
        } else {
            ""
        };
        let side = play.side();
        Some(format!(
            "{side} to move: board {board} is won: play there{extra}, {then}"
        ))
    }

    pub(super) fn breadcrumb(&self, any: &AnyPlay) -> Option<String> {
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

    pub(super) fn render(&mut self, view: &View<'_>, sheet: &mut Sheet<'_>) {
        let Some(play) = view.play.nested().filter(|play| play.depth() == self.depth) else {
            return;
        };
        self.crumb = view.look.signs().crumb;
        self.spots = picture::draw(self, play, view, sheet);
    }

    /// The path of the cell under the cursor.
    #[cfg(test)]
    pub(super) fn cursor_path(&self) -> String {
        path_text(self.cursor, self.depth)
    }

    /// Where a board or cell with this path was drawn.
    #[cfg(test)]
    pub(super) fn drawn(&self, path: &str) -> Option<Position> {
        let spot = Spot {
            level: path.len() as u32,
            index: number(path),
        };
        let (rect, _) = self.spots.iter().find(|(_, found)| *found == spot)?;
        Some(Position::new(
            rect.x + rect.width / 2,
            rect.y + rect.height / 2,
        ))
    }
}

/// Where the next move of a nested game may go.
#[cfg(test)]
pub(super) fn place(play: &AnyPlay) -> Option<Place> {
    play.nested().map(rules::NestedBoard::place)
}

/// What a move would do, in words that follow its name.
fn consequences(play: &dyn NestedPlay, foreseen: &Foreseen) -> String {
    match foreseen.outcome {
        Some(Outcome::Win(winner)) if winner == play.side() => return "wins the game".into(),
        Some(Outcome::Win(_)) => return "loses the game".into(),
        Some(Outcome::Draw) => return "ends the game: a draw".into(),
        None => {}
    }
    let next = foreseen.side;
    let sends = match &foreseen.place {
        Place::Board(path) if next == play.side() => {
            format!("lets {next} move again in {path}")
        }
        Place::Board(path) => format!("sends {next} to {path}"),
        Place::Free { inside, .. } if !inside.is_empty() => {
            format!("lets {next} play anywhere in {inside}")
        }
        _ => format!("lets {next} play anywhere"),
    };
    match &foreseen.won {
        Some(board) => format!("wins {board} and {sends}"),
        None => sends,
    }
}
