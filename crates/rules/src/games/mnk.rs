//! Flat boards: m columns, n rows, k in a row, including classic and misère.

use std::ops::ControlFlow;

use crate::bitboard::Bitboard;
use crate::drawing::{Drawing, FlatBoardDrawing};
use crate::error::{MoveError, MoveErrorKind, SetupError, SetupFaultKinds};
use crate::formats::{format_digits, format_lists, is_digits, is_lists, parse_digits, parse_lists};
use crate::game::Game;
use crate::game_state::GameState;
use crate::hash::PositionHasher;
use crate::info::{GameInfo, OptionFault, OptionValues, Preset};
use crate::notation::{
    FieldReader, cell_range, cell_text, join_groups, number_word, parse_cell, quoted,
};
use crate::options::{OptionDefault, OptionKind, OptionSpec};
use crate::outcome::{Ending, Outcome, Side};
use crate::planes::{BitWriter, Byte};
use crate::setup::{Setup, SetupGame, parse_by_setup};
use crate::symmetry::{SquareSymmetry, Symmetry};
use crate::termination::Termination;
use crate::variant::{Variant, VariantError};
use crate::view::{BoardShape, CellView, Piece, Place, Target};

/// The options of m,n,k-games.
static OPTIONS: [OptionSpec; 4] = [
    OptionSpec {
        label: "Columns",
        field: "columns",
        name: "M",
        key: "",
        kind: OptionKind::Number(1, (1, 16), "The number of columns."),
        default: OptionDefault::Required,
        flag: None,
    },
    OptionSpec {
        label: "Rows",
        field: "rows",
        name: "N",
        key: "",
        kind: OptionKind::Number(1, (1, 16), "The number of rows."),
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
            (1, 16),
            "How many marks in a row, column or diagonal make a line.",
        ),
        default: OptionDefault::Required,
        flag: None,
    },
    OptionSpec {
        label: "A line",
        field: "lines",
        name: "misere",
        key: "",
        kind: OptionKind::Words(&[
            ("wins", None, "The first player to complete a line wins."),
            (
                "loses",
                None,
                "Misère: the first player to complete a line loses.",
            ),
        ]),
        default: OptionDefault::Value(0),
        flag: Some("misere"),
    },
];

/// Presets and texts of m,n,k boards.
pub(crate) static INFO: GameInfo = GameInfo {
    rules: include_str!("mnk.md"),
    options: &OPTIONS,
    usage: "use mnk:M,N,K or mnk:M,N,K,misere (columns, rows, marks in a row)",
    syntax: "mnk:M,N,K",
    presets: &[
        Preset {
            name: "classic",
            aliases: &["ttt", "tictactoe", "tic-tac-toe", "3x3"],
            values: CLASSIC_VALUES,
            title: "Classic",
            summary: "Get three in a row on a 3×3 board.",
            sample: &["b2", "a1", "a3", "c1", "b1"],
        },
        Preset {
            name: "misere",
            aliases: &[],
            values: MISERE_VALUES,
            title: "Misère",
            summary: "The same 3×3 board, but three in a row loses.",
            sample: &["b2", "a1", "c3", "c2", "b1", "a3"],
        },
        Preset {
            name: "mnk:4,4,4",
            aliases: &[],
            values: [4, 4, 4, 0, 0, 0, 0, 0],
            title: "Four in a row",
            summary: "Get four in a row on a 4×4 board.",
            sample: &[],
        },
        Preset {
            name: "mnk:15,15,5",
            aliases: &["gomoku", "five"],
            values: [15, 15, 5, 0, 0, 0, 0, 0],
            title: "Five in a row",
            summary: "Get five in a row on a 15×15 board.",
            sample: &[],
        },
    ],
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
        let [columns, rows, line, misere, ..] = variant.values();
        let misere = if misere == 1 { ", misère" } else { "" };
        format!("{line} in a row on {columns}×{rows}{misere}")
    },
    variant_summary: |variant| {
        let [columns, rows, line, misere, ..] = variant.values();
        let verb = if misere == 1 { "loses" } else { "wins" };
        format!("{columns}×{rows} board: {line} in a row {verb}.")
    },
    ending_text: |variant, termination, winner| {
        let [_, _, line, misere, ..] = variant.values();
        let line = format!("{} in a row", number_word(line));
        match (termination, winner) {
            (Termination::NoMove, _) => Some("the board is full".into()),
            (Termination::Line, Some(winner)) if misere == 1 => {
                Some(format!("{loser} made {line}", loser = winner.other()))
            }
            (Termination::Line, _) => Some(line),
            _ => None,
        }
    },
    known_value,
    ..GameInfo::new(
        "mnk",
        "m,n,k boards",
        "Get a number of marks in a row on a board of any size.",
        &|variant| {
            // Every checked variant fits the larger type.
            let options = MnkOptions::of(variant).unwrap_or(MnkOptions::CLASSIC);
            match (Mnk::<1>::new(options), LargeMnk::new(options)) {
                (Some(game), _) => GameState::new(game).into(),
                (None, Some(game)) => GameState::new(game).into(),
                (None, None) => GameState::new(Mnk::classic()).into(),
            }
        },
    )
};

const CLASSIC_VALUES: OptionValues = [3, 3, 3, 0, 0, 0, 0, 0];
const MISERE_VALUES: OptionValues = [3, 3, 3, 1, 0, 0, 0, 0];

impl Variant {
    /// The classic game.
    pub const CLASSIC: Variant = Variant::from_checked(&INFO, CLASSIC_VALUES);
    /// The classic board, where completing a line loses.
    pub const MISERE: Variant = Variant::from_checked(&INFO, MISERE_VALUES);
}

/// What is known about the value of the game; `docs/solved.md` explains how.
fn known_value(variant: Variant) -> Option<&'static str> {
    let [columns, rows, line, misere, ..] = variant.values();
    let size = (columns.max(rows), columns.min(rows), line);
    let is_draw = match misere {
        0 => size == (3, 3, 3) || line >= 8 || DRAWS.contains(&size),
        _ => size == (3, 3, 3),
    };
    if is_draw {
        Some("With perfect play, the game is a draw.")
    } else if misere == 0 && FIRST_PLAYER_WINS.contains(&size) {
        Some("With perfect play, X wins.")
    } else {
        None
    }
}

/// Columns, rows and line length of boards that the first player wins, with the longer side first.
const FIRST_PLAYER_WINS: [(u8, u8, u8); 7] = [
    (4, 3, 3),
    (5, 3, 3),
    (5, 5, 3),
    (7, 7, 3),
    (6, 5, 4),
    (6, 6, 4),
    (15, 15, 5),
];

/// The same for boards that are drawn.
const DRAWS: [(u8, u8, u8); 13] = [
    (4, 4, 4),
    (5, 4, 4),
    (6, 4, 4),
    (7, 4, 4),
    (5, 5, 4),
    (5, 5, 5),
    (6, 6, 6),
    (7, 7, 7),
    (6, 6, 5),
    (7, 7, 6),
    (9, 6, 6),
    (7, 7, 5),
    (8, 8, 5),
];

/// The options of an m,n,k board. Created by [`MnkOptions::new`] or by parsing a name.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct MnkOptions {
    columns: u8,
    rows: u8,
    line: u8,
    misere: bool,
}

impl MnkOptions {
    /// The classic game.
    pub const CLASSIC: MnkOptions = MnkOptions {
        columns: 3,
        rows: 3,
        line: 3,
        misere: false,
    };

    /// A board of `columns` by `rows`, with `line` in a row to win, or with `misere` to lose.
    ///
    /// # Errors
    /// All three must be from 1 to 16, and `line` at most the longer side.
    pub fn new(columns: u8, rows: u8, line: u8, misere: bool) -> Result<MnkOptions, VariantError> {
        let options = MnkOptions {
            columns,
            rows,
            line,
            misere,
        };
        Variant::new(&INFO, options.values()).map(|_| options)
    }

    /// The options of a variant of this game.
    #[must_use]
    pub fn of(variant: Variant) -> Option<MnkOptions> {
        let [columns, rows, line, misere, ..] = variant.values();
        std::ptr::eq(variant.info(), &INFO).then_some(MnkOptions {
            columns,
            rows,
            line,
            misere: misere == 1,
        })
    }

    fn values(self) -> OptionValues {
        [
            self.columns,
            self.rows,
            self.line,
            self.misere.into(),
            0,
            0,
            0,
            0,
        ]
    }

    /// The variant with these options.
    #[must_use]
    pub fn variant(self) -> Variant {
        Variant::from_checked(&INFO, self.values())
    }

    /// Columns, rows, and the length of a line.
    #[must_use]
    pub fn size(&self) -> (u8, u8, u8) {
        (self.columns, self.rows, self.line)
    }

    /// Does completing a line lose?
    #[must_use]
    pub fn is_misere(&self) -> bool {
        self.misere
    }
}

/// The rules of an m,n,k board stored in `W` words: one if the rows, each with a padding
/// column, fit into 64 bits; all others are [`LargeMnk`].
///
/// ```
/// use noughts_rules::{Game, Mnk, Outcome, Side};
///
/// let game = Mnk::classic();
/// //   a b c
/// // 1 x o x
/// // 2 o x o
/// // 3 o x .   X takes the last cell: a win, not a draw.
/// let position = game.parse("xox/oxo/ox. x")?;
/// let end = game.play(position, game.parse_move("c3").unwrap()).unwrap();
/// assert_eq!(game.outcome(&end), Some(Outcome::Win(Side::X)));
/// # Ok::<(), noughts_rules::SetupError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Mnk<const W: usize = 1> {
    options: MnkOptions,
    /// Every cell of the board.
    cells: Bitboard<W>,
}

/// Boards that fit one word.
pub type SmallMnk = Mnk<1>;

/// Boards of up to 16×16 cells.
pub type LargeMnk = Mnk<5>;

/// A position of a flat board: a bitboard for each side.
///
/// The bit of a cell is `row · (columns + 1) + column`. The padding column keeps lines from
/// wrapping around the edge:
///
/// ```text
///  0 1 2 │ 3
///  4 5 6 │ 7     3×3: bits 3, 7 and 11 stay empty
///  8 9 10│ 11
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct MnkPosition<const W: usize> {
    marks: [Bitboard<W>; 2],
    side: Side,
    outcome: Option<Outcome>,
}

impl<const W: usize> MnkPosition<W> {
    /// The marks of a side, in the bit order shown above.
    #[must_use]
    #[inline]
    pub fn marks(&self, side: Side) -> [u64; W] {
        self.marks[side.index()].0
    }
}

/// The cell to mark, as its bit in the position.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct MnkMove(u16);

impl Mnk<1> {
    /// Three by three, three in a row.
    #[must_use]
    pub fn classic() -> Mnk<1> {
        Mnk::build(MnkOptions::CLASSIC)
    }
}

impl<const W: usize> Mnk<W> {
    /// The game with these options, if the board fits into `W` words.
    #[must_use]
    pub fn new(options: MnkOptions) -> Option<Mnk<W>> {
        let bits = (usize::from(options.columns) + 1) * usize::from(options.rows);
        (bits <= 64 * W).then(|| Mnk::build(options))
    }

    fn build(options: MnkOptions) -> Mnk<W> {
        let mut game = Mnk {
            options,
            cells: Bitboard::EMPTY,
        };
        for row in 0..options.rows {
            for col in 0..options.columns {
                game.cells.insert(game.bit(col, row));
            }
        }
        game
    }

    /// The options.
    #[must_use]
    pub fn options(&self) -> &MnkOptions {
        &self.options
    }

    /// The move to this cell; column and row are counted from 0.
    ///
    /// ```
    /// use noughts_rules::{Game, Mnk};
    /// let game = Mnk::classic();
    /// //   a b c
    /// // 1 . . x
    /// // 2 . . .
    /// // 3 . . .
    /// let corner = game.move_at(2, 0).unwrap();
    /// assert_eq!(game.move_text(corner), "c1");
    /// assert_eq!(game.column_row(corner), (2, 0));
    /// ```
    #[must_use]
    pub fn move_at(&self, col: u8, row: u8) -> Option<MnkMove> {
        (col < self.options.columns && row < self.options.rows)
            .then(|| MnkMove(self.bit(col, row) as u16))
    }

    /// Column and row of a move, counted from 0.
    #[must_use]
    pub fn column_row(&self, mv: MnkMove) -> (u8, u8) {
        let stride = u16::from(self.options.columns) + 1;
        ((mv.0 % stride) as u8, (mv.0 / stride) as u8)
    }

    #[inline]
    fn bit(&self, col: u8, row: u8) -> usize {
        usize::from(row) * (usize::from(self.options.columns) + 1) + usize::from(col)
    }

    #[inline]
    fn empty(&self, p: &MnkPosition<W>) -> Bitboard<W> {
        self.cells.difference(p.marks[0].union(p.marks[1]))
    }

    /// The steps from cell to cell of horizontal, vertical and both kinds of diagonal lines, except where the board is
    /// too short for a line.
    #[inline]
    fn line_steps(&self) -> impl Iterator<Item = usize> + use<W> {
        let MnkOptions {
            columns,
            rows,
            line,
            ..
        } = self.options;
        let (across, down, stride) = (line <= columns, line <= rows, usize::from(columns) + 1);
        let diagonal = across && down;
        let steps = [
            (across, 1),
            (down, stride),
            (diagonal, stride + 1),
            (diagonal, stride - 1),
        ];
        steps
            .into_iter()
            .filter_map(|(fits, step)| fits.then_some(step))
    }

    #[inline]
    fn has_line(&self, marks: Bitboard<W>) -> bool {
        // Written out, because it is the innermost loop of search and random games: compare
        // `examples/work.rs` before and after any change.
        let MnkOptions {
            columns,
            rows,
            line,
            ..
        } = self.options;
        let (across, down) = (line <= columns, line <= rows);
        let (k, stride) = (usize::from(line), usize::from(columns) + 1);
        (across && marks.has_run(1, k))
            || (down && marks.has_run(stride, k))
            || (across && down && (marks.has_run(stride + 1, k) || marks.has_run(stride - 1, k)))
    }

    /// The empty cells where a side would complete a line if it were its turn.
    #[inline]
    fn completing_cells(&self, position: &MnkPosition<W>, side: Side) -> Bitboard<W> {
        let marks = position.marks[side.index()];
        let completions = (self.line_steps())
            .map(|step| marks.completions(step, self.options.line.into()))
            .fold(Bitboard::EMPTY, Bitboard::union);
        completions.intersection(self.empty(position))
    }

    /// The moves with which a side would complete a line if it were its turn; none once the game
    /// is over.
    ///
    /// ```
    /// use noughts_rules::{Game, Mnk, Side};
    /// let game = Mnk::classic();
    /// // x x .
    /// // . o .      X threatens c1, O nothing.
    /// // . . .
    /// let position = game.parse("xx./.o./... o")?;
    /// let threats = |side| game.completing_moves(&position, side).map(|mv| game.move_text(mv)).collect::<Vec<_>>();
    /// assert_eq!(threats(Side::X), ["c1"]);
    /// assert!(threats(Side::O).is_empty());
    /// # Ok::<(), noughts_rules::SetupError>(())
    /// ```
    #[inline]
    pub fn completing_moves(
        &self,
        position: &MnkPosition<W>,
        side: Side,
    ) -> impl Iterator<Item = MnkMove> + use<W> {
        let cells = match position.outcome {
            None => self.completing_cells(position, side),
            Some(_) => Bitboard::EMPTY,
        };
        cells.iter().map(|bit| MnkMove(bit as u16))
    }

    /// The cells of every complete line, in reading order, to be highlighted. Empty while the
    /// game goes on, or if it ended without a line.
    ///
    /// ```
    /// use noughts_rules::{Game, Mnk};
    /// let game = Mnk::classic();
    /// // x x x
    /// // o x o      Two lines at once.
    /// // x o o
    /// let position = game.parse("xxx/oxo/xoo o")?;
    /// let cells: Vec<_> = game.line_cells(&position).map(|mv| game.move_text(mv)).collect();
    /// assert_eq!(cells, ["a1", "b1", "c1", "b2", "a3"]);
    /// # Ok::<(), noughts_rules::SetupError>(())
    /// ```
    pub fn line_cells(&self, position: &MnkPosition<W>) -> impl Iterator<Item = MnkMove> + use<W> {
        let columns = usize::from(self.options.columns);
        let mut found = Bitboard::<W>::EMPTY;
        if matches!(position.outcome, Some(Outcome::Win(_))) {
            let cells = self.setup(position).cells;
            for cell in cells_in_lines(&cells, columns, usize::from(self.options.line)) {
                found.insert(self.bit((cell % columns) as u8, (cell / columns) as u8));
            }
        }
        found.iter().map(|bit| MnkMove(bit as u16))
    }

    /// Writes a set of cells as bytes, in reading order.
    #[inline]
    fn write_cells<T: Byte>(&self, cells: Bitboard<W>, writer: &mut BitWriter<'_, T>) {
        let columns = usize::from(self.options.columns);
        for row in 0..usize::from(self.options.rows) {
            writer.add(cells.extract(row * (columns + 1), columns), columns);
        }
    }

    /// The result if this side completes a line.
    #[inline]
    fn line_outcome(&self, side: Side) -> Outcome {
        Outcome::Win(if self.options.misere {
            side.other()
        } else {
            side
        })
    }
}

impl<const W: usize> Game for Mnk<W> {
    type Position = MnkPosition<W>;
    type Move = MnkMove;

    fn variant(&self) -> Variant {
        self.options.variant()
    }

    fn start(&self) -> MnkPosition<W> {
        MnkPosition {
            marks: [Bitboard::EMPTY; 2],
            side: Side::X,
            outcome: None,
        }
    }

    #[inline]
    fn side(&self, position: &MnkPosition<W>) -> Side {
        position.side
    }

    #[inline]
    fn outcome(&self, position: &MnkPosition<W>) -> Option<Outcome> {
        position.outcome
    }

    fn ending(&self, position: &MnkPosition<W>) -> Option<Ending> {
        position.outcome.map(|outcome| match outcome {
            Outcome::Win(_) => Ending::Line,
            Outcome::Draw => Ending::NoMove,
        })
    }

    fn count_pieces(&self, position: &MnkPosition<W>) -> usize {
        position.marks[0].union(position.marks[1]).len() as usize
    }

    fn max_plies_left(&self, position: &MnkPosition<W>) -> Option<u32> {
        Some(self.count_moves(position) as u32)
    }

    #[inline]
    fn visit_moves<B>(
        &self,
        position: &MnkPosition<W>,
        mut visit: impl FnMut(MnkMove) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        if position.outcome.is_none() {
            for bit in self.empty(position).iter() {
                visit(MnkMove(bit as u16))?;
            }
        }
        ControlFlow::Continue(())
    }

    #[inline]
    fn count_moves(&self, position: &MnkPosition<W>) -> usize {
        match position.outcome {
            None => self.empty(position).len() as usize,
            Some(_) => 0,
        }
    }

    #[inline]
    fn nth_move(&self, position: &MnkPosition<W>, n: usize) -> Option<MnkMove> {
        if position.outcome.is_some() {
            return None;
        }
        let n = u32::try_from(n).ok()?;
        self.empty(position).nth(n).map(|bit| MnkMove(bit as u16))
    }

    #[inline]
    fn apply(&self, position: &mut MnkPosition<W>, mv: MnkMove) {
        let mover = position.side;
        let marks = &mut position.marks[mover.index()];
        marks.insert(usize::from(mv.0));
        let marks = *marks;
        position.side = mover.other();
        if self.has_line(marks) {
            position.outcome = Some(self.line_outcome(mover));
        } else if self.empty(position).is_empty() {
            position.outcome = Some(Outcome::Draw);
        }
    }

    fn check(&self, position: &MnkPosition<W>, mv: MnkMove) -> Result<(), MoveError> {
        if let Some(outcome) = position.outcome {
            Err(MoveError::game_over(outcome))
        } else if !self.cells.contains(usize::from(mv.0)) {
            Err(MoveError::new(
                MoveErrorKind::NotAMove,
                format!(
                    "this cell isn't on the board; {range}",
                    range = cell_range(self.options.columns, self.options.rows)
                ),
            ))
        } else if !self.empty(position).contains(usize::from(mv.0)) {
            Err(MoveError::cell_taken(&self.move_text(mv)))
        } else {
            Ok(())
        }
    }

    fn hash(&self, position: &MnkPosition<W>) -> u64 {
        let mut hasher = PositionHasher::new();
        for word in position.marks.iter().flat_map(|marks| marks.0) {
            hasher.add(word);
        }
        hasher.add(position.side as u64);
        hasher.finish()
    }

    fn count_symmetries(&self) -> u32 {
        SquareSymmetry::for_board(self.options.columns, self.options.rows).len() as u32
    }

    fn symmetry_name(&self, symmetry: Symmetry) -> String {
        symmetry.of_square().name().to_owned()
    }

    fn map_position(&self, position: &MnkPosition<W>, symmetry: Symmetry) -> MnkPosition<W> {
        MnkPosition {
            marks: position.marks.map(|marks| {
                let mut image = Bitboard::EMPTY;
                for bit in marks.iter() {
                    image.insert(usize::from(self.map_move(MnkMove(bit as u16), symmetry).0));
                }
                image
            }),
            ..*position
        }
    }

    fn map_move(&self, mv: MnkMove, symmetry: Symmetry) -> MnkMove {
        let MnkOptions { columns, rows, .. } = self.options;
        let (col, row) = self.column_row(mv);
        let (col, row) = symmetry.of_square().apply(col, row, columns, rows);
        self.move_at(col, row).unwrap_or(mv)
    }

    fn text(&self, position: &MnkPosition<W>) -> String {
        self.setup_text(&self.setup(position))
    }

    fn parse(&self, text: &str) -> Result<MnkPosition<W>, SetupError> {
        parse_by_setup(self, text)
    }

    fn to_digits(&self, position: &MnkPosition<W>) -> Option<String> {
        let cells = self.nine_cells(position)?;
        Some(format_digits(&cells))
    }

    fn to_lists(&self, position: &MnkPosition<W>) -> Option<String> {
        let cells = self.nine_cells(position)?;
        Some(format_lists(&cells))
    }

    fn board(&self) -> BoardShape {
        BoardShape::new(&[(self.options.columns, self.options.rows)])
    }

    fn cell(&self, position: &MnkPosition<W>, place: Place) -> CellView {
        let mv = self
            .move_from_action(place.index as usize)
            .filter(|_| place.level == 1);
        let holds = |side: Side| {
            mv.is_some_and(|mv| position.marks[side.index()].contains(usize::from(mv.0)))
        };
        let side = Side::BOTH.into_iter().find(|&side| holds(side));
        CellView::with_piece(side.map(Piece::of))
    }

    fn taps(&self, mv: MnkMove) -> Vec<Target> {
        vec![Target::Place(self.place(mv))]
    }

    fn winning_lines(&self, position: &MnkPosition<W>) -> Vec<Vec<Place>> {
        if !matches!(position.outcome, Some(Outcome::Win(_))) {
            return Vec::new();
        }
        let columns = usize::from(self.options.columns);
        let lines = lines_of(
            &self.setup(position).cells,
            columns,
            self.options.line.into(),
        );
        let places = |line: Vec<usize>| line.into_iter().map(|cell| Place::new(1, cell as u32));
        lines
            .into_iter()
            .map(|line| places(line).collect())
            .collect()
    }

    fn accepts_move(&self, position: &MnkPosition<W>, place: Place) -> bool {
        match place.level {
            0 => position.outcome.is_none(),
            _ => {
                let mv = self.move_from_action(place.index as usize);
                mv.is_some_and(|mv| self.check(position, mv).is_ok())
            }
        }
    }

    fn actions(&self) -> Vec<MnkMove> {
        let actions = 0..self.count_actions();
        actions
            .filter_map(|action| self.move_from_action(action))
            .collect()
    }

    fn parse_move(&self, text: &str) -> Result<MnkMove, MoveError> {
        let MnkOptions { columns, rows, .. } = self.options;
        parse_cell(text, columns, rows)
            .and_then(|(col, row)| self.move_at(col, row))
            .ok_or_else(|| {
                MoveError::new(
                    MoveErrorKind::NotAMove,
                    format!(
                        "{text} isn't a cell on this board; {range}",
                        text = quoted(text),
                        range = cell_range(columns, rows)
                    ),
                )
            })
    }

    fn move_text(&self, mv: MnkMove) -> String {
        let (col, row) = self.column_row(mv);
        cell_text(col, row)
    }

    #[inline]
    fn count_actions(&self) -> usize {
        usize::from(self.options.columns) * usize::from(self.options.rows)
    }

    #[inline]
    fn action(&self, mv: MnkMove) -> usize {
        let (col, row) = self.column_row(mv);
        usize::from(row) * usize::from(self.options.columns) + usize::from(col)
    }

    #[inline]
    fn move_from_action(&self, action: usize) -> Option<MnkMove> {
        let columns = usize::from(self.options.columns);
        let bit = || action / columns * (columns + 1) + action % columns;
        (action < self.count_actions()).then(|| MnkMove(bit() as u16))
    }

    fn observation_shape(&self) -> Vec<usize> {
        vec![2, self.options.rows.into(), self.options.columns.into()]
    }

    fn opponents_planes(&self, _: Side) -> Vec<usize> {
        vec![1, 0]
    }

    #[inline]
    fn write_observation(&self, position: &MnkPosition<W>, planes: &mut [u8]) {
        if planes.len() != 2 * self.count_actions() {
            return;
        }
        let mut writer = BitWriter::new(planes, 0);
        for side in [position.side, position.side.other()] {
            self.write_cells(position.marks[side.index()], &mut writer);
        }
        writer.finish();
    }

    #[inline]
    fn write_action_mask(&self, position: &MnkPosition<W>, mask: &mut [i8]) {
        if mask.len() != self.count_actions() {
            return;
        }
        let legal = match position.outcome {
            None => self.empty(position),
            Some(_) => Bitboard::EMPTY,
        };
        let mut writer = BitWriter::new(mask, 0);
        self.write_cells(legal, &mut writer);
        writer.finish();
    }

    fn render(
        &self,
        position: &MnkPosition<W>,
        last: Option<MnkMove>,
        is_ongoing: bool,
    ) -> Drawing {
        let cells = self.setup(position).cells;
        let legal: Vec<bool> = cells
            .iter()
            .map(|cell| is_ongoing && cell.is_none())
            .collect();
        let columns = usize::from(self.options.columns);
        FlatBoardDrawing {
            columns,
            cells: &cells,
            legal: &legal,
            last: last.map(|mv| self.action(mv)),
            line: &cells_in_lines(&cells, columns, usize::from(self.options.line)),
            grid: None,
        }
        .render()
    }

    fn prompt(&self, _: &MnkPosition<W>) -> String {
        let k = self.options.line;
        let verb = if self.options.misere { "loses" } else { "wins" };
        format!("take an empty cell; {k} in a row {verb}")
    }
}

impl<const W: usize> SetupGame for Mnk<W> {
    type Details = ();

    fn position(&self, setup: &Setup) -> Result<MnkPosition<W>, SetupError> {
        let MnkOptions { columns, rows, .. } = self.options;
        let mut faults = SetupError::default();
        if !setup.check_size(usize::from(columns) * usize::from(rows), &mut faults) {
            return Err(faults);
        }
        setup.check_counts(&mut faults);
        let mut p = self.start();
        p.side = setup.side;
        for (i, cell) in setup.cells.iter().enumerate() {
            if let Some(side) = cell {
                let columns = usize::from(columns);
                let bit = (i / columns) * (columns + 1) + i % columns;
                p.marks[side.index()].insert(bit);
            }
        }
        let lines = p.marks.map(|marks| self.has_line(marks));
        if lines == [true, true] {
            faults.add(
                SetupFaultKinds::LINES,
                "both players have a line, but the first line would have ended the game",
            );
        } else if lines[setup.side.index()] {
            faults.add(
                SetupFaultKinds::LINES,
                format!(
                    "{side} is to move but already has a line, which would have ended the game",
                    side = setup.side
                ),
            );
        }
        p.outcome = if lines[0] {
            Some(self.line_outcome(Side::X))
        } else if lines[1] {
            Some(self.line_outcome(Side::O))
        } else if self.empty(&p).is_empty() {
            Some(Outcome::Draw)
        } else {
            None
        };
        faults.into_result(p)
    }

    fn setup(&self, position: &MnkPosition<W>) -> Setup {
        let holds = |bit, side: Side| position.marks[side.index()].contains(bit);
        let mark = |bit| Side::BOTH.into_iter().find(|&side| holds(bit, side));
        Setup {
            cells: self.cells.iter().map(mark).collect(),
            side: position.side,
            details: (),
        }
    }

    fn parse_setup(&self, text: &str) -> (Setup, SetupError) {
        let MnkOptions { columns, rows, .. } = self.options;
        if (columns, rows) == (3, 3) && is_digits(text) {
            return parse_digits(text);
        }
        if (columns, rows) == (3, 3) && is_lists(text) {
            return parse_lists(text);
        }
        let mut reader = FieldReader::new(text, 2, 2, "rows and side");
        let setup = Setup {
            cells: reader.cells("rows", rows.into(), columns.into()),
            side: reader.side(),
            details: (),
        };
        (setup, reader.faults)
    }

    fn setup_text(&self, setup: &Setup) -> String {
        let columns = usize::from(self.options.columns);
        let rows = join_groups(&setup.cells, columns, |cell| cell.map_or('.', Side::letter));
        format!("{rows} {}", setup.side.letter())
    }
}

impl<const W: usize> Mnk<W> {
    fn place(&self, mv: MnkMove) -> Place {
        Place::new(1, self.action(mv) as u32)
    }

    /// The marks of a 3×3 board.
    fn nine_cells(&self, position: &MnkPosition<W>) -> Option<Vec<Option<Side>>> {
        let is_nine = (self.options.columns, self.options.rows) == (3, 3);
        is_nine.then(|| self.setup(position).cells)
    }
}

/// The cells of every complete line of `k` cells, for drawing.
pub(crate) fn cells_in_lines(cells: &[Option<Side>], columns: usize, k: usize) -> Vec<usize> {
    lines_of(cells, columns, k).concat()
}

/// Every complete line of `k` cells.
pub(crate) fn lines_of(cells: &[Option<Side>], columns: usize, k: usize) -> Vec<Vec<usize>> {
    let rows = cells.len() / columns.max(1);
    let mut found = Vec::new();
    for row in 0..rows {
        for col in 0..columns {
            for (right, down) in [(1, 0), (0, 1), (1, 1), (-1, 1)] {
                let line: Option<Vec<usize>> = (0..k)
                    .map(|i| {
                        let col = col.checked_add_signed(right * i as isize)?;
                        let row = row + down * i;
                        (col < columns && row < rows).then_some(row * columns + col)
                    })
                    .collect();
                let Some(line) = line else { continue };
                let owner = cells[line[0]];
                if owner.is_some() && line.iter().all(|&cell| cells[cell] == owner) {
                    found.push(line);
                }
            }
        }
    }
    found
}
