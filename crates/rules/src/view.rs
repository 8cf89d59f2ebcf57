//! What a person sees of a game, and how they make a move: boards, pieces, and taps. Every front end is made from
//! this, so that none knows how a game is played.

use std::fmt;

use crate::error::MoveError;
use crate::game::Game;
use crate::game_state::GameState;
use crate::notation::{cell_text, parse_cell};
use crate::outcome::{Outcome, Side};

/// How a board is divided: a grid of boards, each a grid of boards, and so on; the last level is the cells.
///
/// ```
/// use noughts_rules::BoardShape;
/// // Four layers of 4×4 cells, side by side.
/// let cube = BoardShape::new(&[(4, 1), (4, 4)]);
/// assert_eq!((cube.depth(), cube.count_places(1), cube.count_places(2)), (2, 4, 64));
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BoardShape {
    /// Columns and rows of each level, the outermost first.
    levels: Vec<(u8, u8)>,
    /// How it looks.
    pub look: BoardLook,
}

/// How a board looks.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub enum BoardLook {
    /// Squares separated by lines.
    #[default]
    Squares,
    /// Round holes in an upright board.
    Holes,
    /// Points joined by these lines, each between two places of the last level.
    Points(Vec<(u32, u32)>),
}

/// A cell, or a board that contains cells.
///
/// Level 0 is the whole board, level 1 its parts, and the last level the cells. The index counts in reading order
/// within a board and in the order of the boards around it: the parts of the board with index `i` on a level of `n`
/// parts are `n · i` to `n · i + n − 1` on the next.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Place {
    /// The level.
    pub level: u8,
    /// The index among all places of this level.
    pub index: u32,
}

impl Place {
    /// The whole board.
    pub const BOARD: Place = Place { level: 0, index: 0 };

    /// The place with this index on this level.
    #[must_use]
    pub const fn new(level: u8, index: u32) -> Place {
        Place { level, index }
    }
}

impl BoardShape {
    /// A board with these levels: columns and rows of each, the outermost first.
    #[must_use]
    pub fn new(levels: &[(u8, u8)]) -> BoardShape {
        BoardShape {
            levels: levels.to_vec(),
            look: BoardLook::Squares,
        }
    }

    /// The same with another look.
    #[must_use]
    pub fn with_look(self, look: BoardLook) -> BoardShape {
        BoardShape { look, ..self }
    }

    /// The number of levels below the whole board.
    #[must_use]
    pub fn depth(&self) -> u8 {
        self.levels.len() as u8
    }

    /// Columns and rows of a board on this level; `None` for cells.
    #[must_use]
    pub fn size_at(&self, level: u8) -> Option<(u8, u8)> {
        self.levels.get(usize::from(level)).copied()
    }

    /// The number of parts of a board on this level; 0 for cells.
    #[must_use]
    pub fn parts_at(&self, level: u8) -> u32 {
        self.size_at(level)
            .map_or(0, |(columns, rows)| u32::from(columns) * u32::from(rows))
    }

    /// How many places this level has.
    #[must_use]
    pub fn count_places(&self, level: u8) -> u32 {
        let parts = (0..level).map(|level| self.parts_at(level));
        parts.fold(1, u32::saturating_mul)
    }

    /// How many cells there are.
    #[must_use]
    pub fn count_cells(&self) -> u32 {
        self.count_places(self.depth())
    }

    /// The cell with this index.
    #[must_use]
    pub fn cell(&self, index: u32) -> Place {
        Place::new(self.depth(), index)
    }

    /// The cell in this column and row of a board on the level above the cells.
    #[must_use]
    pub fn cell_at(&self, board: u32, column: u8, row: u8) -> Place {
        let last = self.depth().saturating_sub(1);
        let (columns, _) = self.size_at(last).unwrap_or((1, 1));
        let within = u32::from(row) * u32::from(columns) + u32::from(column);
        self.cell(board * self.parts_at(last) + within)
    }

    /// Is it a place of this board?
    #[must_use]
    pub fn contains(&self, place: Place) -> bool {
        place.level <= self.depth() && place.index < self.count_places(place.level)
    }

    /// The board around a place; `None` for the whole board.
    #[must_use]
    pub fn parent(&self, place: Place) -> Option<Place> {
        let level = place.level.checked_sub(1)?;
        Some(Place::new(level, place.index / self.parts_at(level).max(1)))
    }

    /// The place of this level that contains the place; the place itself if it isn't deeper.
    #[must_use]
    pub fn ancestor(&self, place: Place, level: u8) -> Place {
        let levels = level..place.level.max(level);
        let parts = levels.map(|level| self.parts_at(level).max(1));
        let inside = parts.fold(1, u32::saturating_mul);
        Place::new(place.level.min(level), place.index / inside)
    }

    /// Is the place part of the board, or the same?
    ///
    /// ```
    /// use noughts_rules::{BoardShape, Place};
    /// let cube = BoardShape::new(&[(4, 1), (4, 4)]);
    /// let second = Place::new(1, 1);
    /// assert!(cube.is_inside(cube.cell_at(1, 3, 3), second));
    /// assert!(!cube.is_inside(cube.cell_at(2, 0, 0), second));
    /// assert_eq!(cube.part_at(second, 3, 3), Some(cube.cell_at(1, 3, 3)));
    /// ```
    #[must_use]
    pub fn is_inside(&self, place: Place, board: Place) -> bool {
        self.ancestor(place, board.level) == board
    }

    /// The part of a board in this column and row, if there is one.
    #[must_use]
    pub fn part_at(&self, board: Place, column: u8, row: u8) -> Option<Place> {
        let (columns, rows) = self.size_at(board.level)?;
        let within = u32::from(row) * u32::from(columns) + u32::from(column);
        let index = board.index * self.parts_at(board.level) + within;
        (column < columns && row < rows).then(|| Place::new(board.level + 1, index))
    }

    /// The parts of a board, in reading order; none for a cell.
    pub fn parts(&self, board: Place) -> impl Iterator<Item = Place> + use<> {
        let count = self.parts_at(board.level);
        (0..count).map(move |n| Place::new(board.level + 1, board.index * count + n))
    }

    /// The indices of the cells inside a place; a cell contains itself.
    #[must_use]
    pub fn cells_of(&self, place: Place) -> std::ops::Range<u32> {
        let levels = place.level..self.depth();
        let count: u32 = levels.map(|level| self.parts_at(level)).product();
        place.index * count..(place.index + 1) * count
    }

    /// Column and row of a place in the board around it.
    #[must_use]
    pub fn column_row(&self, place: Place) -> (u8, u8) {
        let Some(level) = place.level.checked_sub(1) else {
            return (0, 0);
        };
        let (columns, rows) = self.size_at(level).unwrap_or((1, 1));
        let columns = u32::from(columns).max(1);
        let within = place.index % (columns * u32::from(rows)).max(1);
        ((within % columns) as u8, (within / columns) as u8)
    }

    /// The usual name of a place: column letter and row number, after the number of the board where there are
    /// several. The whole board has none.
    #[must_use]
    pub fn place_name(&self, place: Place) -> String {
        let (column, row) = self.column_row(place);
        match (place.level, self.depth()) {
            (0, _) => String::new(),
            (level, depth) if level < depth => (place.index + 1).to_string(),
            (level, _) if self.count_places(level - 1) > 1 => {
                let board = place.index / self.parts_at(level - 1).max(1) + 1;
                format!("{board}{}", cell_text(column, row))
            }
            _ => cell_text(column, row),
        }
    }

    /// The cell with this name, as [`BoardShape::place_name`] writes it.
    #[must_use]
    pub fn parse_cell(&self, text: &str) -> Option<Place> {
        let last = self.depth().checked_sub(1)?;
        let (columns, rows) = self.size_at(last)?;
        let boards = self.count_places(last);
        let (board, cell) = match boards {
            1 => (0, text),
            _ => {
                let digits = text.find(|c: char| !c.is_ascii_digit())?;
                let (board, cell) = text.split_at(digits);
                if board.starts_with('0') {
                    return None;
                }
                (board.parse::<u32>().ok()?.checked_sub(1)?, cell)
            }
        };
        let (column, row) = parse_cell(cell, columns, rows)?;
        (board < boards).then(|| self.cell_at(board, column, row))
    }

    /// Do these names of cells consist of column letter and row number?
    pub(crate) fn has_coordinates(&self, name: impl FnOnce(Place) -> String) -> bool {
        let cell = self.cell(0);
        name(cell) == self.place_name(cell)
    }

    /// The smallest board that contains every legal move, given which boards contain any.
    pub(crate) fn focus(&self, accepts_move: impl Fn(Place) -> bool) -> Place {
        let mut focus = Place::BOARD;
        while focus.level + 1 < self.depth() {
            let mut open = self.parts(focus).filter(|&part| accepts_move(part));
            match (open.next(), open.next()) {
                (Some(part), None) => focus = part,
                _ => break,
            }
        }
        focus
    }

    /// How the names of cells look, for error messages: `columns go from a to c, rows from 1 to 3`.
    #[must_use]
    pub fn cell_range(&self) -> String {
        let last = self.depth().saturating_sub(1);
        let (columns, rows) = self.size_at(last).unwrap_or((1, 1));
        let range = crate::notation::cell_range(columns, rows);
        match self.count_places(last) {
            0 | 1 => range,
            boards => format!("boards go from 1 to {boards}, {range}"),
        }
    }
}

/// What is written on a piece.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Mark {
    /// A cross.
    X,
    /// A nought.
    O,
    /// A number.
    Number(u8),
}

impl From<Side> for Mark {
    fn from(side: Side) -> Mark {
        match side {
            Side::X => Mark::X,
            Side::O => Mark::O,
        }
    }
}

impl fmt::Display for Mark {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Mark::X => f.write_str("X"),
            Mark::O => f.write_str("O"),
            Mark::Number(number) => number.fmt(f),
        }
    }
}

/// The sizes of pieces that can cover each other.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum PieceSize {
    /// Covers nothing.
    Small,
    /// Covers small pieces.
    Medium,
    /// Covers small and medium pieces.
    Large,
}

impl PieceSize {
    /// The word for people.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            PieceSize::Small => "small",
            PieceSize::Medium => "medium",
            PieceSize::Large => "large",
        }
    }
}

/// A piece as it is seen on the board or next to it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Piece {
    /// What is written on it.
    pub mark: Mark,
    /// Whose piece it is, in games in which pieces have an owner.
    pub owner: Option<Side>,
    /// Its size, in games in which pieces cover each other.
    pub size: Option<PieceSize>,
    /// It is about to vanish.
    pub is_fading: bool,
}

impl Piece {
    /// The mark of a side, owned by that side.
    #[must_use]
    pub fn of(side: Side) -> Piece {
        Piece {
            owner: Some(side),
            ..Piece::mark(side.into())
        }
    }

    /// A mark that belongs to nobody.
    #[must_use]
    pub const fn mark(mark: Mark) -> Piece {
        Piece {
            mark,
            owner: None,
            size: None,
            is_fading: false,
        }
    }

    /// This many pieces of this kind next to the board, in words: `2 small`, `1 piece`, `7`.
    #[must_use]
    pub fn counted(&self, count: u32) -> String {
        let is_only_kind = self.owner.map(Mark::from) == Some(self.mark);
        match (self.size, count) {
            (Some(size), _) => format!("{count} {}", size.name()),
            (None, 1) if is_only_kind => "1 piece".into(),
            (None, _) if is_only_kind => format!("{count} pieces"),
            (None, 1) => self.mark.to_string(),
            (None, _) => format!("{count} × {}", self.mark),
        }
    }

    /// The side that gives the piece its color: its owner, or the side whose mark it is.
    #[must_use]
    pub fn color(&self) -> Option<Side> {
        self.owner.or(match self.mark {
            Mark::X => Some(Side::X),
            Mark::O => Some(Side::O),
            Mark::Number(_) => None,
        })
    }
}

/// The piece in words: `X`, `7`, `large O`.
impl fmt::Display for Piece {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(size) = self.size {
            write!(f, "{} ", size.name())?;
        }
        self.mark.fmt(f)
    }
}

/// Who owns a board inside the whole one.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub enum Owner {
    /// Nobody yet.
    #[default]
    Nobody,
    /// Only this side.
    One(Side),
    /// Both sides, in games in which boards can be shared.
    Both,
}

impl Owner {
    pub(crate) fn from_flags(x: bool, o: bool) -> Owner {
        match (x, o) {
            (false, false) => Owner::Nobody,
            (true, false) => Owner::One(Side::X),
            (false, true) => Owner::One(Side::O),
            (true, true) => Owner::Both,
        }
    }

    /// Does the board count for this side?
    #[must_use]
    pub fn counts_for(self, side: Side) -> bool {
        self == Owner::One(side) || self == Owner::Both
    }

    /// The letter in positions: `x`, `o`, `*` for both, `.` for nobody.
    #[must_use]
    pub fn letter(self) -> char {
        match self {
            Owner::Nobody => '.',
            Owner::One(side) => side.letter(),
            Owner::Both => '*',
        }
    }
}

/// What is in a place.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct CellView {
    /// The pieces on a cell, the top one first. Boards have none.
    pub pieces: Vec<Piece>,
    /// Who owns a board inside the whole one.
    pub owner: Owner,
    /// No move can ever go here again, although it isn't full.
    pub is_dead: bool,
}

impl CellView {
    /// A cell with one piece or none.
    #[must_use]
    pub fn with_piece(piece: Option<Piece>) -> CellView {
        CellView {
            pieces: piece.into_iter().collect(),
            ..CellView::default()
        }
    }

    /// The piece on top.
    #[must_use]
    pub fn top(&self) -> Option<&Piece> {
        self.pieces.first()
    }
}

/// A frame that covers some cells of the board and can be moved.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Frame {
    /// What the game calls it: the `grid` of Tic-Tac-Two.
    pub name: &'static str,
    /// The cell in its center, which names its place.
    pub center: Place,
    /// The cell in its top left corner.
    pub first: Place,
    /// The cell in its bottom right corner.
    pub last: Place,
}

/// What a player touches to make a move. A move is a short sequence of these.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Target {
    /// A cell.
    Place(Place),
    /// A kind of piece, by its index in [`Game::pieces`]: one from the reserve, or the one to write on the cell
    /// touched before.
    Piece(u8),
    /// The frame.
    Frame,
}

impl Target {
    /// The place, if it is one.
    #[must_use]
    pub fn place(self) -> Option<Place> {
        match self {
            Target::Place(place) => Some(place),
            Target::Piece(_) | Target::Frame => None,
        }
    }
}

/// What a sequence of taps means.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum TapResult {
    /// A legal move.
    Move(String),
    /// The start of one or more legal moves, which continue with these.
    Partial(Vec<Target>),
    /// Not the start of a legal move.
    Rejected(MoveError),
}

/// With more legal moves than this, taps are checked one by one instead of listing all of them.
pub const MAX_LISTED_TARGETS: usize = 1000;

/// What a person sees of a game in progress, whatever the game.
///
/// ```
/// use noughts_rules::{AnyGameState, BoardView, Side, TapResult, Target, Variant};
/// let state = AnyGameState::from_text(Variant::CLASSIC, "x../.../... o")?;
/// let view = state.view();
/// let shape = view.shape();
/// assert_eq!(shape.count_cells(), 9);
/// assert_eq!(view.cell(shape.cell(0)).top().and_then(|piece| piece.owner), Some(Side::X));
/// assert_eq!(view.tap(&[Target::Place(shape.cell(4))]), TapResult::Move("b2".into()));
/// assert!(matches!(view.tap(&[Target::Place(shape.cell(0))]), TapResult::Rejected(_)));
/// # Ok::<(), noughts_rules::SetupError>(())
/// ```
pub trait BoardView {
    /// How the board is divided.
    fn shape(&self) -> BoardShape;
    /// What is in a place.
    fn cell(&self, place: Place) -> CellView;
    /// The name of a place; empty for the whole board.
    fn place_name(&self, place: Place) -> String;
    /// The cell with this name.
    fn parse_cell(&self, text: &str) -> Option<Place>;
    /// The side to move.
    fn side(&self) -> Side;
    /// Is the game over?
    fn is_over(&self) -> bool;
    /// The movable frame, if the game has one.
    fn frame(&self) -> Option<Frame>;
    /// The cells or boards of each line that decided the game.
    fn winning_lines(&self) -> Vec<Vec<Place>>;
    /// The cells that the last move changed.
    fn last_places(&self) -> Vec<Place>;
    /// Where the frame was before the last move, if that move moved it.
    fn previous_frame(&self) -> Option<Frame>;
    /// All kinds of pieces of the game.
    fn pieces(&self) -> Vec<Piece>;
    /// The name of a kind of piece in moves.
    fn piece_name(&self, piece: u8) -> String;
    /// The pieces next to the board that a side can still use: kinds and numbers.
    fn reserve(&self, side: Side) -> Vec<(u8, u32)>;
    /// Is there a legal move that goes into this board or cell?
    fn accepts_move(&self, place: Place) -> bool;
    /// Can the next move go into this board or cell?
    ///
    /// # Errors
    /// Why not.
    fn check_place(&self, place: Place) -> Result<(), MoveError>;
    /// How many cells of a board can still be played in. Only the board itself is considered; those around it may be
    /// closed.
    fn count_open_cells(&self, place: Place) -> u32;
    /// The text of every legal move with the taps that make it. `None` if there are too many to list.
    fn choices(&self) -> Option<Vec<(String, Vec<Target>)>>;
    /// How many legal moves there are.
    fn count_moves(&self) -> usize;
    /// The cells to mark as legal: where the legal moves can be seen to go. `None` if there are too many moves to list.
    fn legal_places(&self) -> Option<Vec<Place>>;
    /// Where a move can be seen to go: the cell that a piece lands on, not those that stand for it.
    fn shown_places(&self, mv: &str) -> Vec<Place>;
    /// The lines that a legal move would complete, of whichever side. Empty if the move is illegal.
    fn completed_lines(&self, mv: &str) -> Vec<Vec<Place>>;
    /// The board that the move after this one must go to, in games in which a move decides that; the whole board if it may
    /// go anywhere.
    fn board_after(&self, mv: &str) -> Option<Place>;
    /// What a legal move would do that isn't plain to see, as a continuation of its name: `wins the game`, `sends O to
    /// board c`.
    fn consequence(&self, mv: &str) -> Option<String>;
    /// The targets that start a legal move or continue the sequence. `None` if there are too many to list;
    /// [`BoardView::accepts_move`] answers for single places.
    fn next_targets(&self, taps: &[Target]) -> Option<Vec<Target>>;
    /// The target that a touch on this place stands for: in games in which it doesn't matter which cell of a column is
    /// touched, all of them stand for the same.
    fn aim(&self, place: Place) -> Place;
    /// What a sequence of taps means.
    fn tap(&self, taps: &[Target]) -> TapResult;
    /// The taps that make a move.
    ///
    /// # Errors
    /// An explanation of what a move of this game looks like.
    fn taps_of(&self, mv: &str) -> Result<Vec<Target>, MoveError>;
    /// The same kind of view after a move, without its history.
    ///
    /// # Errors
    /// Why the move is rejected.
    fn after(&self, mv: &str) -> Result<Box<dyn BoardView>, MoveError>;
    /// The result, once the game is over.
    fn outcome(&self) -> Option<Outcome>;

    /// Are cells named by column letter and row number, after the number of their board where there are several?
    fn has_coordinates(&self) -> bool {
        self.shape().has_coordinates(|cell| self.place_name(cell))
    }

    /// Does it make no difference which cell of a column is touched?
    fn plays_columns(&self) -> bool {
        let shape = self.shape();
        let Some((columns, rows)) = shape.size_at(0).filter(|(_, rows)| *rows > 1) else {
            return false;
        };
        let aim = |column, row| self.aim(shape.cell_at(0, column, row));
        let is_one = |column| (1..rows).all(|row| aim(column, row) == aim(column, 0));
        shape.depth() == 1 && (0..columns).all(is_one)
    }

    /// The smallest board that contains every legal move; the whole board if there are none.
    fn focus(&self) -> Place {
        self.shape().focus(|board| self.accepts_move(board))
    }

    /// The boards that accept a move. A board in which every part accepts one stands for them; if there are more than
    /// `max`, boards around them are listed instead. Never cells.
    fn open_boards(&self, max: usize) -> Vec<Place> {
        let shape = self.shape();
        for deepest in (0..shape.depth()).rev() {
            let mut open = Vec::new();
            if self.add_open_boards(&shape, deepest, Place::BOARD, &mut open) {
                return vec![Place::BOARD];
            }
            if open.len() <= max {
                return open;
            }
        }
        Vec::new()
    }

    /// Adds the open boards inside a board, down to some level. Returns whether all of it is open, in which case nothing is
    /// added.
    #[doc(hidden)]
    fn add_open_boards(
        &self,
        shape: &BoardShape,
        deepest: u8,
        board: Place,
        open: &mut Vec<Place>,
    ) -> bool {
        let is_open = self.accepts_move(board);
        if !is_open || board.level >= deepest {
            return is_open;
        }
        let mut parts = Vec::new();
        let mut all_open = true;
        for part in shape.parts(board) {
            match self.add_open_boards(shape, deepest, part, &mut parts) {
                true => parts.push(part),
                false => all_open = false,
            }
        }
        if !all_open {
            open.append(&mut parts);
        }
        all_open
    }

    /// The name of a target, for programs: a cell's or board's name, `=x` for a kind of piece, `@` for the frame.
    fn target_name(&self, target: Target) -> String {
        match target {
            Target::Place(place) => self.place_name(place),
            Target::Piece(piece) => format!("={}", self.piece_name(piece)),
            Target::Frame => "@".into(),
        }
    }

    /// The target with this name, as [`BoardView::target_name`] writes it. Of places, only cells have one.
    fn parse_target(&self, name: &str) -> Option<Target> {
        if name == "@" {
            return Some(Target::Frame);
        }
        let Some(piece) = name.strip_prefix('=') else {
            return self.parse_cell(name).map(Target::Place);
        };
        // Both sides can have pieces of the same name: the player to move means their own.
        let pieces = self.pieces();
        let mut kinds = (0..).zip(&pieces);
        let found = kinds.find(|(kind, meant)| {
            meant.owner.is_none_or(|owner| owner == self.side()) && self.piece_name(*kind) == piece
        });
        found.map(|(kind, _)| Target::Piece(kind))
    }
}

impl<G: Game> BoardView for GameState<G> {
    fn shape(&self) -> BoardShape {
        self.game().board()
    }

    fn cell(&self, place: Place) -> CellView {
        self.game().cell(self.position(), place)
    }

    fn place_name(&self, place: Place) -> String {
        self.game().place_name(place)
    }

    fn parse_cell(&self, text: &str) -> Option<Place> {
        self.game().parse_place(text)
    }

    fn side(&self) -> Side {
        GameState::side(self)
    }

    fn is_over(&self) -> bool {
        GameState::outcome(self).is_some()
    }

    fn frame(&self) -> Option<Frame> {
        self.game().frame(self.position())
    }

    fn winning_lines(&self) -> Vec<Vec<Place>> {
        self.game().winning_lines(self.position())
    }

    fn last_places(&self) -> Vec<Place> {
        let last = self.moves().last();
        last.map_or_else(Vec::new, |&mv| {
            self.game().changed_places(self.position(), mv)
        })
    }

    fn previous_frame(&self) -> Option<Frame> {
        let game = self.game();
        let (last, earlier) = self.moves().split_last()?;
        if !game.taps(*last).contains(&Target::Frame) {
            return None;
        }
        let mut before = self.start().clone();
        for &mv in earlier {
            game.apply(&mut before, mv);
        }
        game.frame(&before)
    }

    fn pieces(&self) -> Vec<Piece> {
        self.game().pieces()
    }

    fn piece_name(&self, piece: u8) -> String {
        self.game().piece_name(piece)
    }

    fn reserve(&self, side: Side) -> Vec<(u8, u32)> {
        self.game().reserve(self.position(), side)
    }

    fn accepts_move(&self, place: Place) -> bool {
        !BoardView::is_over(self) && self.game().accepts_move(self.position(), place)
    }

    fn check_place(&self, place: Place) -> Result<(), MoveError> {
        match GameState::outcome(self) {
            Some(outcome) => Err(MoveError::game_over(outcome)),
            None => self.game().check_place(self.position(), place),
        }
    }

    fn count_open_cells(&self, place: Place) -> u32 {
        self.game().count_open_cells(self.position(), place)
    }

    fn choices(&self) -> Option<Vec<(String, Vec<Target>)>> {
        let mut moves = Vec::new();
        let (game, position) = (self.game(), self.position());
        if BoardView::count_moves(self) > MAX_LISTED_TARGETS {
            return None;
        }
        if !BoardView::is_over(self) {
            game.for_each_move(position, |mv| {
                moves.push((game.move_text(mv), game.taps_in(position, mv)));
            });
        }
        Some(moves)
    }

    fn count_moves(&self) -> usize {
        match BoardView::is_over(self) {
            true => 0,
            false => self.game().count_moves(self.position()),
        }
    }

    fn legal_places(&self) -> Option<Vec<Place>> {
        let (game, position) = (self.game(), self.position());
        if BoardView::count_moves(self) > MAX_LISTED_TARGETS {
            return None;
        }
        let mut places = Vec::new();
        if !BoardView::is_over(self) {
            game.for_each_move(position, |mv| {
                places.extend(game.shown_targets(position, mv));
            });
        }
        places.sort_unstable();
        places.dedup();
        Some(places)
    }

    fn shown_places(&self, mv: &str) -> Vec<Place> {
        let mv = self.game().parse_move(mv);
        mv.map_or_else(
            |_| Vec::new(),
            |mv| self.game().shown_targets(self.position(), mv),
        )
    }

    fn completed_lines(&self, mv: &str) -> Vec<Vec<Place>> {
        let game = self.game();
        let Ok(mv) = game.parse_move(mv) else {
            return Vec::new();
        };
        match self.check(mv) {
            Ok(()) => game.winning_lines(&game.after(self.position(), mv)),
            Err(_) => Vec::new(),
        }
    }

    fn board_after(&self, mv: &str) -> Option<Place> {
        let mv = self.game().parse_move(mv).ok()?;
        self.check(mv).ok()?;
        self.game().board_after(self.position(), mv)
    }

    fn consequence(&self, mv: &str) -> Option<String> {
        let game = self.game();
        let mv = game.parse_move(mv).ok()?;
        self.check(mv).ok()?;
        Some(match game.outcome(&game.after(self.position(), mv)) {
            Some(Outcome::Win(winner)) if winner == GameState::side(self) => "wins the game".into(),
            Some(Outcome::Win(_)) => "loses the game".into(),
            Some(Outcome::Draw) => "draws the game".into(),
            None => return game.consequence(self.position(), mv),
        })
    }

    fn next_targets(&self, taps: &[Target]) -> Option<Vec<Target>> {
        let moves = self.choices()?.into_iter();
        let mut next: Vec<Target> = moves
            .filter_map(|(_, all)| all.strip_prefix(taps)?.first().copied())
            .collect();
        next.sort_unstable();
        next.dedup();
        Some(next)
    }

    fn aim(&self, place: Place) -> Place {
        self.game().aim(place)
    }

    fn tap(&self, taps: &[Target]) -> TapResult {
        if let Some(outcome) = GameState::outcome(self) {
            return TapResult::Rejected(MoveError::game_over(outcome));
        }
        match self.game().tap(self.position(), taps) {
            Ok((Some(mv), _)) => TapResult::Move(self.game().move_text(mv)),
            Ok((None, next)) => TapResult::Partial(next),
            Err(error) => TapResult::Rejected(error),
        }
    }

    fn taps_of(&self, mv: &str) -> Result<Vec<Target>, MoveError> {
        let mv = self.game().parse_move(mv)?;
        Ok(self.game().taps_in(self.position(), mv))
    }

    fn after(&self, mv: &str) -> Result<Box<dyn BoardView>, MoveError> {
        let mv = self.game().parse_move(mv)?;
        self.check(mv)?;
        let mut next = GameState::from_position(self.game().clone(), self.position().clone());
        next.play(mv)?;
        Ok(Box::new(next))
    }

    fn outcome(&self) -> Option<Outcome> {
        GameState::outcome(self)
    }
}
