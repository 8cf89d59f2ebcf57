//! Upright boards on which discs fall to the lowest empty cell of their column, including Connect Four.

use std::ops::ControlFlow;

use super::common::{
    MARK_LETTERS, MarkPosition, complete_lines, lines_of_length, parse_cells_and_side, read_mark,
};
use crate::bitboard::Bitboard;
use crate::error::{MoveError, MoveErrorKind, SetupError, SetupFaultKinds};
use crate::game::Game;
use crate::game_state::GameState;
use crate::info::{GameInfo, OptionFault, Preset, option_values};
use crate::notation::{column_name, number_word, parse_column, quoted};
use crate::options::{OptionDefault, OptionKind, OptionSpec};
use crate::outcome::{Outcome, Side};
use crate::symmetry::{SquareSymmetry, Symmetry};
use crate::termination::Termination;
use crate::variant::{Variant, VariantError};
use crate::view::{BoardLook, BoardShape, CellView, Piece, Place, Target};

/// The most columns and rows.
const MAX_SIZE: usize = 10;

static OPTIONS: [OptionSpec; 3] = [
    OptionSpec {
        label: "Columns",
        field: "columns",
        name: "M",
        key: "",
        kind: OptionKind::Number(1, (1, MAX_SIZE as u8), "The number of columns."),
        default: OptionDefault::Required,
        flag: None,
    },
    OptionSpec {
        label: "Rows",
        field: "rows",
        name: "N",
        key: "",
        kind: OptionKind::Number(1, (1, MAX_SIZE as u8), "The number of rows."),
        default: OptionDefault::Required,
        flag: None,
    },
    OptionSpec {
        label: "In a row",
        field: "line",
        name: "K",
        key: "",
        kind: OptionKind::Number(
            1,
            (1, MAX_SIZE as u8),
            "How many discs in a row, column or diagonal make a line.",
        ),
        default: OptionDefault::Required,
        flag: None,
    },
];

pub(crate) static INFO: GameInfo = GameInfo {
    rules: include_str!("gravity.md"),
    options: &OPTIONS,
    usage: "use gravity:M,N,K (columns, rows, discs in a row)",
    syntax: "gravity:M,N,K",
    presets: &[Preset {
        name: "connect-four",
        aliases: &["connect4", "c4", "four"],
        values: option_values([7, 6, 4]),
        title: "Connect Four",
        summary: "Drop discs into columns and get four in a row.",
        sample: &[
            "d", "d", "d", "e", "c", "b", "c", "c", "e", "e", "f", "d", "b",
        ],
    }],
    check_options: |values, _| {
        let [columns, rows, line, ..] = *values;
        let longest = columns.max(rows);
        if line <= longest {
            return Ok(());
        }
        let problem = format!(
            "is {line}, but a line on a {columns}×{rows} board has at most {longest} cells"
        );
        Err(OptionFault::Option(&OPTIONS[2], problem))
    },
    variant_title: |variant| {
        let [columns, rows, line, ..] = variant.values();
        format!("Gravity: {line} in a row on {columns}×{rows}")
    },
    variant_summary: |variant| {
        let [columns, rows, line, ..] = variant.values();
        format!("Discs fall down on an upright {columns}×{rows} board: {line} in a row wins.")
    },
    ending_text: |variant, termination, _| {
        let [_, _, line, ..] = variant.values();
        match termination {
            Termination::Line => Some(format!("{} in a row", number_word(line))),
            Termination::NoMove => Some("the board is full".into()),
            _ => None,
        }
    },
    known_value: |variant| {
        let [columns, rows, line, ..] = variant.values();
        match (columns, rows, line) {
            (7, 6, 4) => Some(
                "With perfect play, X wins in 41 moves (both players counted); only the middle column wins.",
            ),
            (4, 4, 4) | (5, 4, 4) | (5, 5, 4) | (6, 5, 4) => {
                Some("With perfect play, the game is a draw.")
            }
            (6, 4, 4) => {
                Some("With perfect play, O wins, at the latest in 24 moves (both players counted).")
            }
            (4, 4, 3) => Some("With perfect play, X wins in 9 moves (both players counted)."),
            _ => None,
        }
    },
    ..GameInfo::new(
        "gravity",
        "Gravity",
        "Discs fall to the lowest empty cell of their column; get a number of them in a row.",
        &|variant| {
            let [columns, rows, line, ..] = variant.values();
            // Every checked variant fits the larger type.
            match SmallGravity::fits(columns, rows) {
                true => GameState::new(SmallGravity::build(columns, rows, line)).into(),
                false => GameState::new(LargeGravity::build(columns, rows, line)).into(),
            }
        },
    )
};

/// The rules of an upright board stored in `W` words: one if the columns, each with a padding cell, fit into 64 bits;
/// all others are [`LargeGravity`].
///
/// ```
/// use noughts_rules::Game;
/// use noughts_rules::games::gravity::SmallGravity;
///
/// let game = SmallGravity::connect_four();
/// let mut position = game.start();
/// for text in ["d", "d", "c"] {
///     position = game.play(position, game.parse_move(text)?).map_err(|error| error.reason)?;
/// }
/// //   a b c d e f g
/// // 5 . . . o . . .
/// // 6 . . x x . . .
/// assert_eq!(game.text(&position), "......./......./......./......./...o.../..xx... o");
/// # Ok::<(), noughts_rules::MoveError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Gravity<const W: usize> {
    columns: u8,
    rows: u8,
    line: u8,
    /// Every cell of the board.
    cells: Bitboard<W>,
    /// The lowest cell of each column.
    bottom: Bitboard<W>,
    /// The cells of each column.
    column_cells: [Bitboard<W>; MAX_SIZE],
}

/// Boards that fit one word, such as that of Connect Four.
pub type SmallGravity = Gravity<1>;

/// Boards of up to 10×10 cells.
pub type LargeGravity = Gravity<2>;

/// A position of an upright board.
///
/// Bits count upward in each column, which ends with a padding cell that keeps lines from wrapping around:
///
/// ```text
///  6 13 20 27 34 41 48    padding
/// ────────────────────
///  5 12 19 26 33 40 47
///  4 11 18 25 32 39 46
///  3 10 17 24 31 38 45    Connect Four
///  2  9 16 23 30 37 44
///  1  8 15 22 29 36 43
///  0  7 14 21 28 35 42
/// ```
pub type GravityPosition<const W: usize> = MarkPosition<GravityMove, W>;

/// The column to drop a disc into, from 0 on the left.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct GravityMove(u8);

impl GravityMove {
    /// The column, from 0 on the left.
    #[must_use]
    #[inline]
    pub fn column(self) -> u8 {
        self.0
    }
}

impl Gravity<1> {
    /// Seven columns, six rows, four in a row.
    #[must_use]
    pub fn connect_four() -> Gravity<1> {
        Gravity::build(7, 6, 4)
    }
}

impl<const W: usize> Gravity<W> {
    /// A board of `columns` by `rows`, with `line` in a row to win; `None` if it doesn't fit into `W` words.
    ///
    /// # Errors
    /// All three must be from 1 to 10, and `line` at most the longer side.
    pub fn new(columns: u8, rows: u8, line: u8) -> Result<Option<Gravity<W>>, VariantError> {
        Variant::new(&INFO, option_values([columns, rows, line]))?;
        Ok(Self::fits(columns, rows).then(|| Gravity::build(columns, rows, line)))
    }

    fn fits(columns: u8, rows: u8) -> bool {
        usize::from(columns) * (usize::from(rows) + 1) <= 64 * W
    }

    fn build(columns: u8, rows: u8, line: u8) -> Gravity<W> {
        let mut game = Gravity {
            columns,
            rows,
            line,
            cells: Bitboard::EMPTY,
            bottom: Bitboard::EMPTY,
            column_cells: [Bitboard::EMPTY; MAX_SIZE],
        };
        let stride = game.stride();
        for (column, cells) in (0..usize::from(columns)).zip(&mut game.column_cells) {
            for height in 0..usize::from(rows) {
                cells.insert(column * stride + height);
            }
            game.cells = game.cells.union(*cells);
            game.bottom.insert(column * stride);
        }
        game
    }

    /// Columns, rows, and the length of a line.
    #[must_use]
    pub fn size(&self) -> (u8, u8, u8) {
        (self.columns, self.rows, self.line)
    }

    /// Every cell of the board.
    #[must_use]
    #[inline]
    pub fn cells(&self) -> Bitboard<W> {
        self.cells
    }

    /// The lowest cell of each column.
    #[must_use]
    #[inline]
    pub fn bottom(&self) -> Bitboard<W> {
        self.bottom
    }

    /// The distance between the lowest cells of neighboring columns.
    #[must_use]
    #[inline]
    pub fn stride(&self) -> usize {
        usize::from(self.rows) + 1
    }

    /// The bit of a cell, given by its index in reading order.
    fn bit(&self, cell: usize) -> usize {
        let (columns, rows) = (usize::from(self.columns), usize::from(self.rows));
        cell % columns * self.stride() + (rows - 1).saturating_sub(cell / columns)
    }

    /// Where discs would land: the lowest empty cell of each column that isn't full.
    #[must_use]
    #[inline]
    pub fn landing_cells(&self, position: &GravityPosition<W>) -> Bitboard<W> {
        let occupied = position.occupied();
        let above = occupied.shift_up(1).union(self.bottom);
        above.difference(occupied).intersection(self.cells)
    }

    /// The cells of a column; none if it doesn't exist.
    #[must_use]
    #[inline]
    pub fn column_cells(&self, column: u8) -> Bitboard<W> {
        let cells = self.column_cells.get(usize::from(column));
        cells.copied().unwrap_or(Bitboard::EMPTY)
    }

    /// The mirror image, left and right exchanged.
    #[must_use]
    pub fn mirror(&self, cells: Bitboard<W>) -> Bitboard<W> {
        let (stride, last) = (self.stride(), usize::from(self.columns) - 1);
        let columns = self.column_cells.iter().take(last + 1).enumerate();
        columns.fold(Bitboard::EMPTY, |image, (column, &own)| {
            let lowest = cells.intersection(own).shift_down(column * stride);
            image.union(lowest.shift_up((last - column) * stride))
        })
    }

    /// The column of a cell's bit.
    #[must_use]
    #[inline]
    pub fn move_at(&self, bit: usize) -> GravityMove {
        GravityMove((bit as u32 / (u32::from(self.rows) + 1)) as u8)
    }

    /// The cells of the board, empty or not, each of which would complete a line with these discs.
    #[must_use]
    #[inline]
    pub fn completing_cells(&self, marks: Bitboard<W>) -> Bitboard<W> {
        let completing = match self.is_connect_four() {
            true => completing_cells(marks, 7, 4),
            false => completing_cells(marks, self.stride(), usize::from(self.line)),
        };
        completing.intersection(self.cells)
    }

    /// Whether these discs contain a line.
    #[must_use]
    #[inline]
    pub fn has_line(&self, marks: Bitboard<W>) -> bool {
        match self.is_connect_four() {
            true => has_line(marks, 7, 4),
            false => has_line(marks, self.stride(), usize::from(self.line)),
        }
    }

    /// The innermost loops of search and of random games are compiled with the constants of Connect Four.
    #[inline]
    fn is_connect_four(&self) -> bool {
        W == 1 && self.rows == 6 && self.line == 4
    }

    /// The place of a bit of the board.
    fn place(&self, bit: usize) -> Place {
        let (column, height) = (bit / self.stride(), bit % self.stride());
        let row = (usize::from(self.rows) - 1).saturating_sub(height);
        Place::new(1, (row * usize::from(self.columns) + column) as u32)
    }

    /// The column of a place.
    fn column_of(&self, place: Place) -> GravityMove {
        GravityMove((place.index % u32::from(self.columns)) as u8)
    }

    fn column_range(&self) -> String {
        let last = column_name(self.columns - 1);
        format!("columns go from a to {last}")
    }

    /// The position with these discs, with its faults.
    fn set_up(
        &self,
        discs: &[Option<Side>],
        side: Side,
        faults: &mut SetupError,
    ) -> GravityPosition<W> {
        let (bit, has_line) = (|cell| self.bit(cell), |discs| self.has_line(discs));
        let position = MarkPosition::set_up(discs, side, bit, has_line, faults);
        // A disc must lie at the bottom or on another one.
        let occupied = position.occupied();
        let supported = occupied.shift_up(1).union(self.bottom);
        let floating = occupied.difference(supported);
        for (column, cells) in (0..self.columns).zip(self.column_cells) {
            if !floating.intersection(cells).is_empty() {
                let column = column_name(column);
                faults.add(
                    SetupFaultKinds::SHAPE,
                    format!("a disc in column {column} is above an empty cell"),
                );
            }
        }
        position
    }
}

/// The cells that complete a line of these discs, on the board or not; columns are `stride` cells apart.
#[inline(always)]
fn completing_cells<const W: usize>(marks: Bitboard<W>, stride: usize, line: usize) -> Bitboard<W> {
    let full = Bitboard([u64::MAX; W]);
    // In a column, only the cell on top of the discs can be empty.
    let column = (1..line).fold(full, |cells, n| cells.intersection(marks.shift_up(n)));
    let steps = [stride, stride + 1, stride - 1].into_iter();
    steps.fold(column, |cells, step| {
        cells.union(marks.completions(step, line))
    })
}

/// Whether there is a line in any direction.
#[inline(always)]
fn has_line<const W: usize>(marks: Bitboard<W>, stride: usize, line: usize) -> bool {
    marks.has_run(1, line)
        || marks.has_run(stride, line)
        || marks.has_run(stride + 1, line)
        || marks.has_run(stride - 1, line)
}

impl<const W: usize> Game for Gravity<W> {
    type Position = GravityPosition<W>;
    type Move = GravityMove;

    fn variant(&self) -> Variant {
        Variant::from_checked(&INFO, option_values([self.columns, self.rows, self.line]))
    }

    fn start(&self) -> GravityPosition<W> {
        MarkPosition::START
    }

    #[inline]
    fn side(&self, position: &GravityPosition<W>) -> Side {
        position.side
    }

    #[inline]
    fn outcome(&self, position: &GravityPosition<W>) -> Option<Outcome> {
        position.outcome
    }

    #[inline]
    fn visit_moves<B>(
        &self,
        position: &GravityPosition<W>,
        mut visit: impl FnMut(GravityMove) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        if position.outcome.is_none() {
            let landing = self.landing_cells(position);
            for (column, &cells) in (0..self.columns).zip(&self.column_cells) {
                if !landing.intersection(cells).is_empty() {
                    visit(GravityMove(column))?;
                }
            }
        }
        ControlFlow::Continue(())
    }

    #[inline]
    fn apply(&self, position: &mut GravityPosition<W>, mv: GravityMove) {
        let mover = position.side;
        let landing = self.landing_cells(position);
        let disc = landing.intersection(self.column_cells(mv.0));
        let marks = position.marks[mover.index()].union(disc);
        position.marks[mover.index()] = marks;
        position.side = mover.other();
        if self.has_line(marks) {
            position.outcome = Some(Outcome::Win(mover));
        } else if position.occupied() == self.cells {
            position.outcome = Some(Outcome::Draw);
        }
    }

    fn text(&self, position: &GravityPosition<W>) -> String {
        position.text(&self.board(), |cell| self.bit(cell))
    }

    fn parse(&self, text: &str) -> Result<GravityPosition<W>, SetupError> {
        let (board, letters) = (self.board(), MARK_LETTERS);
        parse_cells_and_side(text, &board, letters, read_mark, |discs, side, faults| {
            self.set_up(discs, side, faults)
        })
    }

    fn actions(&self) -> Vec<GravityMove> {
        (0..self.columns).map(GravityMove).collect()
    }

    fn move_text(&self, mv: GravityMove) -> String {
        column_name(mv.0)
    }

    fn board(&self) -> BoardShape {
        BoardShape::new(&[(self.columns, self.rows)]).with_look(BoardLook::Holes)
    }

    fn cell(&self, position: &GravityPosition<W>, place: Place) -> CellView {
        let is_cell = place.level == 1;
        let disc = is_cell.then(|| position.mark_on(self.bit(place.index as usize)));
        CellView::with_piece(disc.flatten().map(Piece::of))
    }

    /// The top cell stands for its column.
    fn taps(&self, mv: GravityMove) -> Vec<Target> {
        vec![Target::Place(Place::new(1, mv.0.into()))]
    }

    fn count_pieces(&self, position: &GravityPosition<W>) -> usize {
        position.occupied().len() as usize
    }

    fn max_plies_left(&self, position: &GravityPosition<W>) -> Option<u32> {
        Some(self.cells.len() - position.occupied().len())
    }

    #[inline]
    fn count_moves(&self, position: &GravityPosition<W>) -> usize {
        match position.outcome {
            None => self.landing_cells(position).len() as usize,
            Some(_) => 0,
        }
    }

    #[inline]
    fn nth_move(&self, position: &GravityPosition<W>, n: usize) -> Option<GravityMove> {
        if position.outcome.is_some() {
            return None;
        }
        let bit = self.landing_cells(position).nth(u32::try_from(n).ok()?)?;
        Some(self.move_at(bit))
    }

    fn check(&self, position: &GravityPosition<W>, mv: GravityMove) -> Result<(), MoveError> {
        if let Some(outcome) = position.outcome {
            return Err(MoveError::game_over(outcome));
        }
        if mv.0 >= self.columns {
            let reason = format!("the board has no such column; {}", self.column_range());
            return Err(MoveError::new(MoveErrorKind::NotAMove, reason));
        }
        let landing = self.landing_cells(position);
        if landing.intersection(self.column_cells(mv.0)).is_empty() {
            let reason = format!("column {} is full", column_name(mv.0));
            return Err(MoveError::new(MoveErrorKind::NotAllowed, reason));
        }
        Ok(())
    }

    fn parse_move(&self, text: &str) -> Result<GravityMove, MoveError> {
        let column = parse_column(text).filter(|&column| column < self.columns);
        column.map(GravityMove).ok_or_else(|| self.not_a_move(text))
    }

    fn not_a_move(&self, text: &str) -> MoveError {
        let (text, range) = (quoted(text), self.column_range());
        let reason = format!("{text} isn't a column of this board; {range}");
        MoveError::new(MoveErrorKind::NotAMove, reason)
    }

    fn hash(&self, position: &GravityPosition<W>) -> u64 {
        position.hash()
    }

    fn count_symmetries(&self) -> u32 {
        2
    }

    fn symmetry_name(&self, symmetry: Symmetry) -> String {
        let mirrored = symmetry != Symmetry::IDENTITY;
        let name = match mirrored {
            true => SquareSymmetry::LeftRight,
            false => SquareSymmetry::Identity,
        };
        name.name().to_owned()
    }

    fn map_position(
        &self,
        position: &GravityPosition<W>,
        symmetry: Symmetry,
    ) -> GravityPosition<W> {
        if symmetry == Symmetry::IDENTITY {
            return *position;
        }
        MarkPosition {
            marks: position.marks.map(|marks| self.mirror(marks)),
            ..*position
        }
    }

    fn map_move(&self, mv: GravityMove, symmetry: Symmetry) -> GravityMove {
        match symmetry {
            Symmetry::IDENTITY => mv,
            _ => GravityMove((self.columns - 1).saturating_sub(mv.0)),
        }
    }

    #[inline]
    fn count_actions(&self) -> usize {
        self.columns.into()
    }

    #[inline]
    fn action(&self, mv: GravityMove) -> usize {
        mv.0.into()
    }

    #[inline]
    fn move_from_action(&self, action: usize) -> Option<GravityMove> {
        (action < self.count_actions()).then_some(GravityMove(action as u8))
    }

    fn winning_lines(&self, position: &GravityPosition<W>) -> Vec<Vec<Place>> {
        let Some(Outcome::Win(winner)) = position.outcome else {
            return Vec::new();
        };
        let marks = position.marks[winner.index()];
        let lines = lines_of_length(self.columns, self.rows, self.line);
        complete_lines(&lines, 1, |cell| marks.contains(self.bit(cell)))
    }

    /// The last disc is the top one of its column.
    fn changed_places(&self, after: &GravityPosition<W>, mv: GravityMove) -> Vec<Place> {
        let discs = after.occupied().intersection(self.column_cells(mv.0));
        let top = discs.iter().last();
        top.map(|bit| self.place(bit)).into_iter().collect()
    }

    /// The cell that the disc lands on.
    fn shown_targets(&self, position: &GravityPosition<W>, mv: GravityMove) -> Vec<Place> {
        let landing = self.landing_cells(position);
        let cell = landing.intersection(self.column_cells(mv.0)).iter().next();
        cell.map(|bit| self.place(bit)).into_iter().collect()
    }

    /// All cells of a column stand for its top one.
    fn aim(&self, place: Place) -> Place {
        match place.level {
            1 => Place::new(1, self.column_of(place).0.into()),
            _ => place,
        }
    }

    fn accepts_move(&self, position: &GravityPosition<W>, place: Place) -> bool {
        match place.level {
            0 => position.outcome.is_none(),
            _ => self.check(position, self.column_of(place)).is_ok(),
        }
    }

    fn check_place(&self, position: &GravityPosition<W>, place: Place) -> Result<(), MoveError> {
        match place.level {
            0 => Ok(()),
            _ => self.check(position, self.column_of(place)),
        }
    }

    fn prompt(&self, _: &GravityPosition<W>) -> String {
        format!("choose a column for your disc; {} in a row wins", self.line)
    }
}
