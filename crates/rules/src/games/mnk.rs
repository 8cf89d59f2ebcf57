//! Flat boards: m columns, n rows, k in a row, including classic and misère.

use std::ops::ControlFlow;

use super::common::{
    MARK_LETTERS, MarkPosition, complete_lines, lines_of_length, parse_cells_and_side, read_mark,
};
use crate::bitboard::Bitboard;
use crate::error::{MoveError, MoveErrorKind, SetupError};
use crate::formats::{format_digits, format_lists, is_foreign, parse_foreign};
use crate::game::Game;
use crate::game_state::GameState;
use crate::info::{GameInfo, OptionFault, OptionValues, Preset, option_values};
use crate::notation::{cell_range, cell_text, number_word, parse_cell, quoted};
use crate::options::{OptionDefault, OptionKind, OptionSpec};
use crate::outcome::{Outcome, Side};
use crate::planes::{BitWriter, Byte};
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
            values: option_values([4, 4, 4]),
            title: "Four in a row",
            summary: "Get four in a row on a 4×4 board.",
            sample: &[],
        },
        Preset {
            name: "mnk:15,15,5",
            aliases: &["gomoku", "five"],
            values: option_values([15, 15, 5]),
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

const CLASSIC_VALUES: OptionValues = option_values([3, 3, 3]);
const MISERE_VALUES: OptionValues = option_values([3, 3, 3, 1]);

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
        option_values([self.columns, self.rows, self.line, self.misere.into()])
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

/// A position of a flat board.
///
/// The bit of a cell is `row · (columns + 1) + column`. The padding column keeps lines from
/// wrapping around the edge:
///
/// ```text
///  0 1 2 │ 3
///  4 5 6 │ 7     3×3: bits 3, 7 and 11 stay empty
///  8 9 10│ 11
/// ```
pub type MnkPosition<const W: usize> = MarkPosition<MnkMove, W>;

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

    /// The bit of a cell, given by its index in reading order.
    #[inline]
    fn bit_of(&self, cell: usize) -> usize {
        let columns = usize::from(self.options.columns);
        cell / columns * (columns + 1) + cell % columns
    }

    #[inline]
    fn empty(&self, p: &MnkPosition<W>) -> Bitboard<W> {
        self.cells.difference(p.occupied())
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
        MarkPosition::START
    }

    #[inline]
    fn side(&self, position: &MnkPosition<W>) -> Side {
        position.side
    }

    #[inline]
    fn outcome(&self, position: &MnkPosition<W>) -> Option<Outcome> {
        position.outcome
    }

    fn count_pieces(&self, position: &MnkPosition<W>) -> usize {
        position.occupied().len() as usize
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
        position.hash()
    }

    fn count_symmetries(&self) -> u32 {
        SquareSymmetry::for_board(self.options.columns, self.options.rows).len() as u32
    }

    fn symmetry_name(&self, symmetry: Symmetry) -> String {
        symmetry.of_square().name().to_owned()
    }

    fn map_position(&self, position: &MnkPosition<W>, symmetry: Symmetry) -> MnkPosition<W> {
        position.map(|bit| self.map_move(MnkMove(bit as u16), symmetry).0.into())
    }

    fn map_move(&self, mv: MnkMove, symmetry: Symmetry) -> MnkMove {
        let MnkOptions { columns, rows, .. } = self.options;
        let (col, row) = self.column_row(mv);
        let (col, row) = symmetry.of_square().apply(col, row, columns, rows);
        self.move_at(col, row).unwrap_or(mv)
    }

    fn text(&self, position: &MnkPosition<W>) -> String {
        position.text(&self.board(), |cell| self.bit_of(cell))
    }

    fn parse(&self, text: &str) -> Result<MnkPosition<W>, SetupError> {
        let check = |marks: &[_], side, faults: &mut _| self.set_up(marks, side, faults);
        if self.is_nine() && is_foreign(text) {
            return parse_foreign(text, check);
        }
        parse_cells_and_side(text, &self.board(), MARK_LETTERS, read_mark, check)
    }

    fn to_digits(&self, position: &MnkPosition<W>) -> Option<String> {
        self.is_nine().then(|| format_digits(&self.marks(position)))
    }

    fn to_lists(&self, position: &MnkPosition<W>) -> Option<String> {
        self.is_nine().then(|| format_lists(&self.marks(position)))
    }

    fn board(&self) -> BoardShape {
        BoardShape::new(&[(self.options.columns, self.options.rows)])
    }

    fn cell(&self, position: &MnkPosition<W>, place: Place) -> CellView {
        let mv = self.move_from_action(place.index as usize);
        let mark = mv.and_then(|mv| position.mark_on(mv.0.into()));
        CellView::with_piece(mark.filter(|_| place.level == 1).map(Piece::of))
    }

    fn taps(&self, mv: MnkMove) -> Vec<Target> {
        vec![Target::Place(self.place(mv))]
    }

    fn winning_lines(&self, position: &MnkPosition<W>) -> Vec<Vec<Place>> {
        if !matches!(position.outcome, Some(Outcome::Win(_))) {
            return Vec::new();
        }
        let (columns, rows, line) = self.options.size();
        let lines = lines_of_length(columns, rows, line);
        let of_side = |marks: Bitboard<W>| {
            complete_lines(&lines, 1, |cell| marks.contains(self.bit_of(cell)))
        };
        position.marks.into_iter().flat_map(of_side).collect()
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
        (action < self.count_actions()).then(|| MnkMove(self.bit_of(action) as u16))
    }

    /// The marks of the side to move, and those of the opponent.
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

    fn prompt(&self, _: &MnkPosition<W>) -> String {
        let k = self.options.line;
        let verb = if self.options.misere { "loses" } else { "wins" };
        format!("take an empty cell; {k} in a row {verb}")
    }
}

impl<const W: usize> Mnk<W> {
    fn place(&self, mv: MnkMove) -> Place {
        Place::new(1, self.action(mv) as u32)
    }

    /// Is it a board that other programs' notations can describe?
    fn is_nine(&self) -> bool {
        (self.options.columns, self.options.rows) == (3, 3)
    }

    /// The marks in reading order.
    fn marks(&self, position: &MnkPosition<W>) -> Vec<Option<Side>> {
        let bits = self.cells.iter();
        bits.map(|bit| position.mark_on(bit)).collect()
    }

    /// The position with these marks, with its faults.
    fn set_up(
        &self,
        marks: &[Option<Side>],
        side: Side,
        faults: &mut SetupError,
    ) -> MnkPosition<W> {
        let (bit, has_line) = (|cell| self.bit_of(cell), |marks| self.has_line(marks));
        let mut position = MarkPosition::set_up(marks, side, bit, has_line, faults);
        if let Some(Outcome::Win(owner)) = position.outcome {
            position.outcome = Some(self.line_outcome(owner));
        }
        position
    }
}
