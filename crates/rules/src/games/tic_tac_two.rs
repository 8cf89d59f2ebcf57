//! Tic-Tac-Two: a grid that moves over a larger board.

use std::ops::ControlFlow;

use rand_core::Rng;

use super::common::{
    FieldReader, MARK_LETTERS, boards_text, check_counts, complete_lines, lines_of_length,
    mark_letter, parse_position, read_mark,
};
use crate::bitboard::{nth_bit, set_bits};
use crate::error::{MoveError, MoveErrorKind, SetupError, SetupFaultKinds};
use crate::game::{Game, random_below};
use crate::game_state::GameState;
use crate::hash::PositionHasher;
use crate::info::{GameInfo, OptionFault, OptionValues, Preset, option_values};
use crate::notation::{cell_range, cell_text, parse_cell, quoted};
use crate::options::{OptionDefault, OptionKind, OptionSpec};
use crate::outcome::{Ending, Outcome, Side};
use crate::planes::BitWriter;
use crate::symmetry::{SquareSymmetry, Symmetry};
use crate::termination::Termination;
use crate::variant::Variant;
use crate::view::{BoardShape, CellView, Frame, Piece, Place, Target};

/// The options of Tic-Tac-Two.
static OPTIONS: [OptionSpec; 4] = [
    OptionSpec {
        label: "Board",
        field: "board",
        name: "board",
        key: "board=",
        kind: OptionKind::Number(2, (3, 7), "The number of cells on each side of the board."),
        default: OptionDefault::Value(5),
        flag: None,
    },
    OptionSpec {
        label: "Grid",
        field: "grid",
        name: "grid",
        key: "grid=",
        kind: OptionKind::Number(
            2,
            (3, 7),
            "The number of cells on each side of the grid. Only lines inside it count.",
        ),
        default: OptionDefault::Value(3),
        flag: None,
    },
    OptionSpec {
        label: "Pieces",
        field: "pieces",
        name: "pieces",
        key: "pieces=",
        kind: OptionKind::Number(1, (3, 9), "The number of pieces each player has."),
        default: OptionDefault::Value(4),
        flag: None,
    },
    OptionSpec {
        label: "Opening",
        field: "after",
        name: "after",
        key: "after=",
        kind: OptionKind::Number(
            1,
            (2, 9),
            "How many pieces each player places before the grid and pieces can move.",
        ),
        default: OptionDefault::Value(2),
        flag: None,
    },
];

/// Presets and texts of Tic-Tac-Two.
pub(crate) static INFO: GameInfo = GameInfo {
    rules: include_str!("tic_tac_two.md"),
    options: &OPTIONS,
    usage: "tic-tac-two takes board=, grid=, pieces= and after=",
    presets: &[Preset {
        name: "tic-tac-two",
        aliases: &["tictactwo"],
        values: STANDARD_VALUES,
        title: "Tic-Tac-Two",
        summary: "A 3×3 grid moves around the board, and only lines inside it count.",
        sample: &[],
    }],
    check_options: |values, _| {
        let [board, grid, pieces, after, ..] = *values;
        if grid > board {
            let problem = format!("is {grid}, but must be at most the size of the board, {board}");
            return Err(OptionFault::Option(&OPTIONS[1], problem));
        }
        if !(2..=pieces).contains(&after) {
            let problem =
                format!("is {after}, but must be from 2 to the number of pieces, {pieces}");
            return Err(OptionFault::Option(&OPTIONS[3], problem));
        }
        Ok(())
    },
    variant_summary: |variant| {
        let [board, grid, ..] = variant.values();
        match grid == board {
            true => format!("Line up three on a {board}×{board} board."),
            false => format!(
                "Line up three inside a {grid}×{grid} grid that moves around a {board}×{board} board."
            ),
        }
    },
    ending_text: |_, termination, _| match termination {
        Termination::Line => Some("a line inside the grid".into()),
        Termination::DoubleLine => Some("both players completed a line".into()),
        _ => None,
    },
    known_value: |variant| {
        let draw = "With perfect play, the game is a draw.";
        (variant == Variant::TIC_TAC_TWO).then_some(draw)
    },
    ..GameInfo::new(
        "tic-tac-two",
        "Tic-Tac-Two",
        "A grid moves around the board, and only lines inside it count.",
        &|variant| {
            let options = TicTacTwoOptions::of(variant).unwrap_or(TicTacTwoOptions::STANDARD);
            GameState::new(TicTacTwo::new(options)).into()
        },
    )
};

const STANDARD_VALUES: OptionValues = option_values([5, 3, 4, 2]);

impl Variant {
    /// Tic-Tac-Two with its standard options.
    pub const TIC_TAC_TWO: Variant = Variant::from_checked(&INFO, STANDARD_VALUES);
}

/// The options of Tic-Tac-Two. Created by parsing a name, or from the values of its options.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct TicTacTwoOptions {
    board_size: u8,
    grid_size: u8,
    pieces: u8,
    opening_pieces: u8,
}

impl TicTacTwoOptions {
    pub(crate) const STANDARD: TicTacTwoOptions = TicTacTwoOptions {
        board_size: 5,
        grid_size: 3,
        pieces: 4,
        opening_pieces: 2,
    };

    /// The options of a variant of this game.
    #[must_use]
    pub fn of(variant: Variant) -> Option<TicTacTwoOptions> {
        let [board_size, grid_size, pieces, opening_pieces, ..] = variant.values();
        std::ptr::eq(variant.info(), &INFO).then_some(TicTacTwoOptions {
            board_size,
            grid_size,
            pieces,
            opening_pieces,
        })
    }

    /// The variant with these options.
    #[must_use]
    pub fn variant(self) -> Variant {
        let (board, grid) = (self.board_size, self.grid_size);
        let values = option_values([board, grid, self.pieces, self.opening_pieces]);
        Variant::from_checked(&INFO, values)
    }

    /// The side length of the board.
    #[must_use]
    pub fn board_size(&self) -> u8 {
        self.board_size
    }

    /// The side length of the grid.
    #[must_use]
    pub fn grid_size(&self) -> u8 {
        self.grid_size
    }

    /// The number of pieces each player has.
    #[must_use]
    pub fn pieces(&self) -> u8 {
        self.pieces
    }

    /// How many pieces both players must place before the grid and the pieces can move.
    #[must_use]
    pub fn opening_pieces(&self) -> u8 {
        self.opening_pieces
    }
}

/// The rules of Tic-Tac-Two.
///
/// ```
/// use noughts_rules::{Game, Outcome, Side, TicTacTwo};
///
/// let game = TicTacTwo::standard();
/// //   a b c d e
/// // 1 . . . . .
/// // 2 o[. x .].
/// // 3 o[. x .].    The grid is centered on c3; O's line is outside it.
/// // 4 o[. . x].
/// // 5 . . . . .
/// let position = game.parse("...../o.x../o.x../o..x./..... x @c3")?;
/// assert_eq!(game.outcome(&position), None);
/// // X moves the grid over O's line: O wins.
/// let end = game.play(position, game.parse_move("@b3").unwrap()).unwrap();
/// assert_eq!(game.outcome(&end), Some(Outcome::Win(Side::O)));
/// # Ok::<(), noughts_rules::SetupError>(())
/// ```
#[derive(Clone, Debug)]
pub struct TicTacTwo {
    options: TicTacTwoOptions,
    /// By the grid's center: the cells inside the grid. Empty if the grid would leave the board.
    inside: [u64; 64],
    /// By the grid's center: where the center can move.
    steps: [u64; 64],
}

/// A position of Tic-Tac-Two: a bitboard for each side, and the grid.
///
/// The bit of a cell is `8 · row + column`. Boards are at most 7 wide, so the eighth column
/// is empty and lines can't wrap around the edge.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct TicTacTwoPosition {
    pieces: [u64; 2],
    /// The bit index of the grid's center.
    center: u8,
    side: Side,
    outcome: Option<Outcome>,
}

/// A move of Tic-Tac-Two.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum TicTacTwoMove {
    /// Place a piece on this cell: `c3`.
    PlacePiece(TicTacTwoCell),
    /// Center the grid on this cell: `@d3`.
    MoveGrid(TicTacTwoCell),
    /// Move a piece from one cell to another: `b2-c4`.
    MovePiece(TicTacTwoCell, TicTacTwoCell),
}

/// A cell of the Tic-Tac-Two board.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct TicTacTwoCell(u8);

impl TicTacTwoCell {
    /// The cell in this column and row, counted from 0. From 8 on they wrap around; such a cell
    /// isn't on any board.
    #[must_use]
    pub fn new(col: u8, row: u8) -> TicTacTwoCell {
        TicTacTwoCell((row & 7) << 3 | (col & 7))
    }

    /// Column and row, counted from 0.
    #[must_use]
    pub fn column_row(self) -> (u8, u8) {
        (self.0 & 7, self.0 >> 3)
    }

    #[inline]
    fn bit(self) -> u64 {
        1 << (self.0 & 63)
    }

    fn name(self) -> String {
        let (col, row) = self.column_row();
        cell_text(col, row)
    }
}

/// Does the set contain three in a row?
#[inline]
fn has_line(set: u64) -> bool {
    let run = |step: u32| set & set >> step & set >> (2 * step);
    run(1) | run(8) | run(9) | run(7) != 0
}

/// The cells of a set, in reading order.
#[inline]
fn cells_of(set: u64) -> impl Iterator<Item = TicTacTwoCell> {
    set_bits(set).map(|bit| TicTacTwoCell(bit as u8))
}

impl TicTacTwo {
    /// A 3×3 grid on a 5×5 board, four pieces each.
    #[must_use]
    pub fn standard() -> TicTacTwo {
        TicTacTwo::new(TicTacTwoOptions::STANDARD)
    }

    /// The game with these options.
    #[must_use]
    pub fn new(options: TicTacTwoOptions) -> TicTacTwo {
        let mut game = TicTacTwo {
            options,
            inside: [0; 64],
            steps: [0; 64],
        };
        let reach = options.grid_size / 2;
        let centers = reach..options.board_size - reach;
        let near = |n: u8, by: u8| n.saturating_sub(by)..=n + by;
        for row in centers.clone() {
            for col in centers.clone() {
                let index = usize::from(TicTacTwoCell::new(col, row).0);
                for r in near(row, reach) {
                    for c in near(col, reach) {
                        game.inside[index] |= TicTacTwoCell::new(c, r).bit();
                    }
                }
                for r in near(row, 1).filter(|r| centers.contains(r)) {
                    for c in near(col, 1).filter(|c| centers.contains(c)) {
                        if (c, r) != (col, row) {
                            game.steps[index] |= TicTacTwoCell::new(c, r).bit();
                        }
                    }
                }
            }
        }
        game
    }

    /// The options.
    #[must_use]
    pub fn options(&self) -> &TicTacTwoOptions {
        &self.options
    }

    /// The grid's center: column and row, counted from 0.
    #[must_use]
    pub fn grid_center(&self, position: &TicTacTwoPosition) -> (u8, u8) {
        TicTacTwoCell(position.center).column_row()
    }

    /// How many pieces this side has left to place.
    ///
    /// ```
    /// use noughts_rules::{Game, Side, TicTacTwo};
    /// let game = TicTacTwo::standard();
    /// // . . . . .
    /// // . x o . .
    /// // . . x . .
    /// // . . . . .
    /// // . . . . .
    /// let position = game.parse("...../.xo../..x../...../..... o @c3")?;
    /// assert_eq!(game.in_hand(&position, Side::X), 2);
    /// assert!(game.is_opening(&position)); // O has placed only one
    /// # Ok::<(), noughts_rules::SetupError>(())
    /// ```
    #[must_use]
    pub fn in_hand(&self, position: &TicTacTwoPosition, side: Side) -> u8 {
        let placed = position.pieces[side.index()].count_ones() as u8;
        self.options.pieces.saturating_sub(placed)
    }

    /// Is this the opening, in which pieces can only be placed?
    #[must_use]
    #[inline]
    pub fn is_opening(&self, position: &TicTacTwoPosition) -> bool {
        let after = u32::from(self.options.opening_pieces);
        position.pieces.iter().any(|set| set.count_ones() < after)
    }

    fn too_early(&self, position: &TicTacTwoPosition) -> MoveError {
        let [x, o] = position.pieces.map(u64::count_ones);
        let after = self.options.opening_pieces;
        MoveError::new(
            MoveErrorKind::NotAllowed,
            format!("the grid and pieces can't move until each player has placed {after} pieces"),
        )
        .with_advice(format!("X has placed {x} and O has placed {o}"))
    }

    fn no_piece_left(&self, side: Side) -> MoveError {
        MoveError::new(
            MoveErrorKind::NotAllowed,
            format!("{side} has placed all {} pieces", self.options.pieces),
        )
        .with_advice("move the grid or a piece")
    }

    /// The cells inside a grid with this center, as bits of the position. Empty if the grid would
    /// leave the board.
    #[must_use]
    #[inline]
    pub fn grid_cells_at(&self, center: u8) -> u64 {
        self.inside[usize::from(center & 63)]
    }

    /// Where the grid's center can move from here, as bits of the position.
    #[must_use]
    #[inline]
    pub fn grid_moves(&self, center: u8) -> u64 {
        self.steps[usize::from(center & 63)]
    }

    #[inline]
    fn grid_cells(&self, p: &TicTacTwoPosition) -> u64 {
        self.grid_cells_at(p.center)
    }

    /// The empty cells inside the grid.
    #[inline]
    fn empty_in_grid(&self, p: &TicTacTwoPosition) -> u64 {
        self.grid_cells(p) & !(p.pieces[0] | p.pieces[1])
    }

    /// The sets from which moves are made. A set is empty if its kind of move isn't allowed now.
    #[inline]
    fn move_sets(&self, p: &TicTacTwoPosition) -> MoveSets {
        if p.outcome.is_some() {
            return MoveSets::default();
        }
        self.move_sets_ongoing(p)
    }

    #[inline]
    fn move_sets_ongoing(&self, p: &TicTacTwoPosition) -> MoveSets {
        let empty = self.empty_in_grid(p);
        let own = p.pieces[p.side.index()];
        let opening = self.is_opening(p);
        MoveSets {
            placements: if own.count_ones() < u32::from(self.options.pieces) {
                empty
            } else {
                0
            },
            grid_moves: if opening {
                0
            } else {
                self.grid_moves(p.center)
            },
            movable: if opening { 0 } else { own },
            empty,
        }
    }

    /// The result, given the lines inside the grid.
    #[inline]
    fn compute_outcome(&self, p: &TicTacTwoPosition) -> Option<Outcome> {
        let grid = self.grid_cells(p);
        match p.pieces.map(|set| has_line(set & grid)) {
            [true, true] => Some(Outcome::Draw),
            [true, false] => Some(Outcome::Win(Side::X)),
            [false, true] => Some(Outcome::Win(Side::O)),
            [false, false] if self.move_sets_ongoing(p).count() == 0 => Some(Outcome::Draw),
            [false, false] => None,
        }
    }
}

#[derive(Clone, Copy, Default)]
struct MoveSets {
    placements: u64,
    grid_moves: u64,
    movable: u64,
    empty: u64,
}

impl MoveSets {
    #[inline]
    fn count(self) -> u32 {
        self.placements.count_ones()
            + self.grid_moves.count_ones()
            + self.movable.count_ones() * self.empty.count_ones()
    }

    /// The n-th move, in the order of [`Game::visit_moves`].
    #[inline]
    fn nth(self, mut n: u32) -> Option<TicTacTwoMove> {
        let cell = |set, n| TicTacTwoCell(nth_bit(set, n) as u8);
        let places = self.placements.count_ones();
        if n < places {
            return Some(TicTacTwoMove::PlacePiece(cell(self.placements, n)));
        }
        n -= places;
        let grids = self.grid_moves.count_ones();
        if n < grids {
            return Some(TicTacTwoMove::MoveGrid(cell(self.grid_moves, n)));
        }
        n -= grids;
        let empty = self.empty.count_ones();
        (n < self.movable.count_ones() * empty).then(|| {
            TicTacTwoMove::MovePiece(cell(self.movable, n / empty), cell(self.empty, n % empty))
        })
    }
}

impl TicTacTwoPosition {
    /// A side's pieces; the bit of a cell is `8 · row + column`.
    #[must_use]
    #[inline]
    pub fn pieces(&self, side: Side) -> u64 {
        self.pieces[side.index()]
    }

    /// The bit index of the grid's center, `8 · row + column`.
    #[must_use]
    #[inline]
    pub fn center(&self) -> u8 {
        self.center
    }

    /// The side with a piece on a cell.
    fn owner(&self, cell: TicTacTwoCell) -> Option<Side> {
        let mut sides = Side::BOTH.into_iter();
        sides.find(|side| self.pieces[side.index()] & cell.bit() != 0)
    }

    /// The whole position in two words: the board leaves the top bits free.
    #[inline]
    fn key(&self) -> [u64; 2] {
        [
            self.pieces[0] | u64::from(self.center) << 56,
            self.pieces[1] | (self.side as u64) << 56,
        ]
    }
}

impl TicTacTwo {
    fn count_cells(&self) -> usize {
        usize::from(self.options.board_size).pow(2)
    }

    /// The index of a cell in reading order.
    #[inline]
    fn reading_index(&self, cell: TicTacTwoCell) -> usize {
        let (col, row) = cell.column_row();
        usize::from(row) * usize::from(self.options.board_size) + usize::from(col)
    }

    fn cell_from_reading_index(&self, index: usize) -> TicTacTwoCell {
        let board = usize::from(self.options.board_size);
        TicTacTwoCell::new((index % board) as u8, (index / board) as u8)
    }

    fn place(&self, cell: TicTacTwoCell) -> Place {
        Place::new(1, self.reading_index(cell) as u32)
    }

    /// A set of cells as bits in reading order, without the padding columns.
    #[inline]
    fn to_reading_order(&self, cells: u64) -> u64 {
        let size = usize::from(self.options.board_size);
        (0..size).fold(0, |bits, row| {
            bits | (cells >> (8 * row) & 0xff) << (size * row)
        })
    }
}

impl Game for TicTacTwo {
    type Position = TicTacTwoPosition;
    type Move = TicTacTwoMove;

    fn variant(&self) -> Variant {
        self.options.variant()
    }

    #[inline]
    fn can_repeat(&self) -> bool {
        true
    }

    fn start(&self) -> TicTacTwoPosition {
        let middle = self.options.board_size / 2;
        TicTacTwoPosition {
            pieces: [0; 2],
            center: TicTacTwoCell::new(middle, middle).0,
            side: Side::X,
            outcome: None,
        }
    }

    #[inline]
    fn side(&self, position: &TicTacTwoPosition) -> Side {
        position.side
    }

    #[inline]
    fn outcome(&self, position: &TicTacTwoPosition) -> Option<Outcome> {
        position.outcome
    }

    fn ending(&self, position: &TicTacTwoPosition) -> Option<Ending> {
        let grid = self.grid_cells(position);
        position.outcome.map(|outcome| match outcome {
            Outcome::Win(_) => Ending::Line,
            Outcome::Draw if has_line(position.pieces[0] & grid) => Ending::DoubleLine,
            Outcome::Draw => Ending::NoMove,
        })
    }

    fn count_pieces(&self, position: &TicTacTwoPosition) -> usize {
        (position.pieces[0] | position.pieces[1]).count_ones() as usize
    }

    #[inline]
    fn visit_moves<B>(
        &self,
        position: &TicTacTwoPosition,
        mut visit: impl FnMut(TicTacTwoMove) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        let sets = self.move_sets(position);
        for cell in cells_of(sets.placements) {
            visit(TicTacTwoMove::PlacePiece(cell))?;
        }
        for cell in cells_of(sets.grid_moves) {
            visit(TicTacTwoMove::MoveGrid(cell))?;
        }
        for from in cells_of(sets.movable) {
            for to in cells_of(sets.empty) {
                visit(TicTacTwoMove::MovePiece(from, to))?;
            }
        }
        ControlFlow::Continue(())
    }

    #[inline]
    fn count_moves(&self, position: &TicTacTwoPosition) -> usize {
        self.move_sets(position).count() as usize
    }

    #[inline]
    fn nth_move(&self, position: &TicTacTwoPosition, n: usize) -> Option<TicTacTwoMove> {
        self.move_sets(position).nth(u32::try_from(n).ok()?)
    }

    #[inline]
    fn apply(&self, position: &mut TicTacTwoPosition, mv: TicTacTwoMove) {
        let own = &mut position.pieces[position.side.index()];
        match mv {
            TicTacTwoMove::PlacePiece(cell) => *own |= cell.bit(),
            TicTacTwoMove::MoveGrid(center) => position.center = center.0 & 63,
            TicTacTwoMove::MovePiece(from, to) => *own = *own & !from.bit() | to.bit(),
        }
        position.side = position.side.other();
        position.outcome = self.compute_outcome(position);
    }

    #[inline]
    fn random_move(
        &self,
        position: &TicTacTwoPosition,
        rng: &mut (impl Rng + ?Sized),
    ) -> Option<TicTacTwoMove> {
        let sets = self.move_sets(position);
        match sets.count() {
            0 => None,
            n => sets.nth(random_below(n, rng)),
        }
    }

    /// Without the repetition rule a random game could go on forever, so this keeps the positions
    /// since the last placement.
    fn playout(
        &self,
        position: &mut TicTacTwoPosition,
        rng: &mut (impl Rng + ?Sized),
    ) -> (Outcome, u32) {
        let mut seen = vec![position.key()];
        let mut plies = 0;
        loop {
            if let Some(outcome) = position.outcome {
                return (outcome, plies);
            }
            let Some(mv) = self.random_move(position, rng) else {
                return (Outcome::Draw, plies);
            };
            self.apply(position, mv);
            plies += 1;
            let key = position.key();
            if matches!(mv, TicTacTwoMove::PlacePiece(_)) {
                seen.clear();
            } else if seen.iter().filter(|&&earlier| earlier == key).count() == 2 {
                return (Outcome::Draw, plies);
            }
            seen.push(key);
        }
    }

    fn check(&self, position: &TicTacTwoPosition, mv: TicTacTwoMove) -> Result<(), MoveError> {
        let reject = |kind, message: String| Err(MoveError::new(kind, message));
        if let Some(outcome) = position.outcome {
            return Err(MoveError::game_over(outcome));
        }
        let [x, o] = position.pieces;
        let own = position.pieces[position.side.index()];
        if !matches!(mv, TicTacTwoMove::PlacePiece(_)) && self.is_opening(position) {
            return Err(self.too_early(position));
        }
        let check_target = |cell: TicTacTwoCell| {
            if self.grid_cells(position) & cell.bit() == 0 {
                reject(
                    MoveErrorKind::NotAllowed,
                    format!("{cell} is outside the grid", cell = cell.name()),
                )
            } else if (x | o) & cell.bit() != 0 {
                Err(MoveError::cell_taken(&cell.name()))
            } else {
                Ok(())
            }
        };
        match mv {
            TicTacTwoMove::PlacePiece(_) if self.in_hand(position, position.side) == 0 => {
                Err(self.no_piece_left(position.side))
            }
            TicTacTwoMove::PlacePiece(cell) => check_target(cell),
            TicTacTwoMove::MoveGrid(center) => {
                let old = TicTacTwoCell(position.center);
                if self.grid_moves(old.0) & center.bit() != 0 {
                    return Ok(());
                }
                let (from, to) = (old.name(), center.name());
                let reason = if center == old {
                    format!("the grid is already centered on {from}; choose another center")
                } else if self.grid_cells_at(center.0) == 0 {
                    format!("centered on {to}, the grid would leave the board")
                } else {
                    format!("the grid moves one step at a time, so it can't go from {from} to {to}")
                };
                reject(MoveErrorKind::NotAllowed, reason)
            }
            TicTacTwoMove::MovePiece(from, _) if own & from.bit() == 0 => reject(
                MoveErrorKind::NotAllowed,
                format!(
                    "{side} has no piece on {cell}",
                    side = position.side,
                    cell = from.name()
                ),
            ),
            TicTacTwoMove::MovePiece(_, to) => check_target(to),
        }
    }

    fn hash(&self, position: &TicTacTwoPosition) -> u64 {
        let mut hasher = PositionHasher::new();
        for word in position.key() {
            hasher.add(word);
        }
        hasher.finish()
    }

    fn count_symmetries(&self) -> u32 {
        SquareSymmetry::ALL.len() as u32
    }

    fn symmetry_name(&self, symmetry: Symmetry) -> String {
        symmetry.of_square().name().to_owned()
    }

    fn map_position(&self, position: &TicTacTwoPosition, symmetry: Symmetry) -> TicTacTwoPosition {
        TicTacTwoPosition {
            pieces: position.pieces.map(|set| {
                cells_of(set).fold(0, |image, cell| image | self.map_cell(cell, symmetry).bit())
            }),
            center: self.map_cell(TicTacTwoCell(position.center), symmetry).0,
            ..*position
        }
    }

    fn map_move(&self, mv: TicTacTwoMove, symmetry: Symmetry) -> TicTacTwoMove {
        let map = |cell| self.map_cell(cell, symmetry);
        match mv {
            TicTacTwoMove::PlacePiece(cell) => TicTacTwoMove::PlacePiece(map(cell)),
            TicTacTwoMove::MoveGrid(cell) => TicTacTwoMove::MoveGrid(map(cell)),
            TicTacTwoMove::MovePiece(from, to) => TicTacTwoMove::MovePiece(map(from), map(to)),
        }
    }

    fn text(&self, position: &TicTacTwoPosition) -> String {
        let cells = boards_text(&self.marks(position), &self.board(), mark_letter);
        let (side, center) = (position.side.letter(), TicTacTwoCell(position.center));
        format!("{cells} {side} @{center}", center = center.name())
    }

    fn parse(&self, text: &str) -> Result<TicTacTwoPosition, SetupError> {
        parse_position(
            text,
            (3..=3, "rows, side and grid"),
            |reader| {
                let cells = reader.boards(&self.board(), MARK_LETTERS, read_mark);
                let side = reader.side();
                ((cells, self.read_center(reader)), side)
            },
            |(cells, center), side, faults| self.set_up(cells, *center, side, faults),
        )
    }

    fn board(&self) -> BoardShape {
        BoardShape::new(&[(self.options.board_size, self.options.board_size)])
    }

    fn cell(&self, position: &TicTacTwoPosition, place: Place) -> CellView {
        let is_cell = place.level == 1;
        let cell = is_cell.then(|| self.cell_from_reading_index(place.index as usize));
        let owner = cell.and_then(|cell| position.owner(cell));
        CellView::with_piece(owner.map(Piece::of))
    }

    fn taps(&self, mv: TicTacTwoMove) -> Vec<Target> {
        let place = |cell| Target::Place(self.place(cell));
        match mv {
            TicTacTwoMove::PlacePiece(cell) => vec![place(cell)],
            TicTacTwoMove::MoveGrid(center) => vec![Target::Frame, place(center)],
            TicTacTwoMove::MovePiece(from, to) => vec![place(from), place(to)],
        }
    }

    fn reserve(&self, position: &TicTacTwoPosition, side: Side) -> Vec<(u8, u32)> {
        vec![(side.index() as u8, self.in_hand(position, side).into())]
    }

    fn frame(&self, position: &TicTacTwoPosition) -> Option<Frame> {
        let (col, row) = self.grid_center(position);
        let reach = self.options.grid_size / 2;
        let place = |col, row| self.place(TicTacTwoCell::new(col, row));
        Some(Frame {
            name: "grid",
            center: place(col, row),
            first: place(col.saturating_sub(reach), row.saturating_sub(reach)),
            last: place(col + reach, row + reach),
        })
    }

    fn winning_lines(&self, position: &TicTacTwoPosition) -> Vec<Vec<Place>> {
        let inside = self.grid_cells(position);
        let size = self.options.board_size;
        let lines = lines_of_length(size, size, 3);
        let of_side = |pieces: u64| {
            let bit = |cell| self.cell_from_reading_index(cell).bit();
            complete_lines(&lines, 1, |cell| pieces & inside & bit(cell) != 0)
        };
        position.pieces.into_iter().flat_map(of_side).collect()
    }

    fn actions(&self) -> Vec<TicTacTwoMove> {
        let actions = 0..self.count_actions();
        actions
            .filter_map(|action| self.move_from_action(action))
            .collect()
    }

    fn parse_move(&self, text: &str) -> Result<TicTacTwoMove, MoveError> {
        let size = self.options.board_size;
        let cell = |text: &str| {
            parse_cell(text, size, size).map(|(col, row)| TicTacTwoCell::new(col, row))
        };
        let parsed = if let Some(center) = text.strip_prefix('@') {
            cell(center).map(TicTacTwoMove::MoveGrid)
        } else if let Some((from, to)) = text.split_once('-') {
            cell(from)
                .zip(cell(to))
                .map(|(from, to)| TicTacTwoMove::MovePiece(from, to))
        } else {
            cell(text).map(TicTacTwoMove::PlacePiece)
        };
        parsed.ok_or_else(|| {
            MoveError::new(
                MoveErrorKind::NotAMove,
                format!(
                    "{text} isn't a move; c3 places a piece, @d3 moves the grid, b2-c4 moves a piece; {range}",
                    text = quoted(text),
                    range = cell_range(size, size)
                ),
            )
        })
    }

    fn move_text(&self, mv: TicTacTwoMove) -> String {
        match mv {
            TicTacTwoMove::PlacePiece(cell) => cell.name(),
            TicTacTwoMove::MoveGrid(center) => format!("@{}", center.name()),
            TicTacTwoMove::MovePiece(from, to) => format!("{}-{}", from.name(), to.name()),
        }
    }

    #[inline]
    fn count_actions(&self) -> usize {
        let cells = self.count_cells();
        cells * (2 + cells)
    }

    #[inline]
    fn action(&self, mv: TicTacTwoMove) -> usize {
        let cells = self.count_cells();
        let number = |cell| self.reading_index(cell);
        match mv {
            TicTacTwoMove::PlacePiece(cell) => number(cell),
            TicTacTwoMove::MoveGrid(center) => cells + number(center),
            TicTacTwoMove::MovePiece(from, to) => cells * (2 + number(from)) + number(to),
        }
    }

    #[inline]
    fn move_from_action(&self, action: usize) -> Option<TicTacTwoMove> {
        let cells = self.count_cells();
        let cell = |number| self.cell_from_reading_index(number);
        let to = cell(action % cells);
        match action / cells {
            0 => Some(TicTacTwoMove::PlacePiece(to)),
            1 => Some(TicTacTwoMove::MoveGrid(to)),
            kind if kind < 2 + cells => Some(TicTacTwoMove::MovePiece(cell(kind - 2), to)),
            _ => None,
        }
    }

    /// The pieces of the side to move, those of the opponent, and the cells of the grid. (The number of pieces in hand can be
    /// derived.)
    fn observation_shape(&self) -> Vec<usize> {
        let size = usize::from(self.options.board_size);
        vec![3, size, size]
    }

    #[inline]
    fn write_observation(&self, position: &TicTacTwoPosition, planes: &mut [u8]) {
        let cells = self.count_cells();
        if planes.len() != 3 * cells {
            return;
        }
        let mut writer = BitWriter::new(planes, 0);
        for side in [position.side, position.side.other()] {
            writer.add(self.to_reading_order(position.pieces[side.index()]), cells);
        }
        writer.add(self.to_reading_order(self.grid_cells(position)), cells);
        writer.finish();
    }

    #[inline]
    fn write_action_mask(&self, position: &TicTacTwoPosition, mask: &mut [i8]) {
        let cells = self.count_cells();
        if mask.len() != self.count_actions() {
            return;
        }
        mask.fill(0);
        let sets = self.move_sets(position);
        let mut writer = BitWriter::new(mask, 0);
        writer.add(self.to_reading_order(sets.placements), cells);
        writer.add(self.to_reading_order(sets.grid_moves), cells);
        writer.finish();
        let empty = self.to_reading_order(sets.empty);
        for from in cells_of(sets.movable) {
            let mut writer = BitWriter::new(mask, cells * (2 + self.reading_index(from)));
            writer.add(empty, cells);
            writer.finish();
        }
    }

    fn prompt(&self, position: &TicTacTwoPosition) -> String {
        let sets = self.move_sets(position);
        let mut ways = Vec::new();
        if sets.placements != 0 {
            ways.push("place a piece inside the grid");
        }
        if sets.grid_moves != 0 {
            ways.push("move the grid");
        }
        if sets.movable != 0 && sets.empty != 0 {
            ways.push("move a piece");
        }
        match ways.as_slice() {
            [] => "no moves left".into(),
            [one] => (*one).into(),
            [first @ .., last] => format!("{others} or {last}", others = first.join(", ")),
        }
    }
}

impl TicTacTwo {
    /// The pieces in reading order.
    fn marks(&self, position: &TicTacTwoPosition) -> Vec<Option<Side>> {
        let cells = (0..self.count_cells()).map(|index| self.cell_from_reading_index(index));
        cells.map(|cell| position.owner(cell)).collect()
    }

    /// Parses the center of the grid: `@c3`. One that is wrong is reported once: the rest is checked as if it were in
    /// the middle.
    fn read_center(&self, reader: &mut FieldReader<'_>) -> TicTacTwoCell {
        let size = self.options.board_size;
        let fault = match reader.next_if_any() {
            None => "the grid's center (such as @c3) is missing".into(),
            Some(field) => {
                let name = field.strip_prefix('@');
                match name.and_then(|name| parse_cell(name, size, size)) {
                    None => format!(
                        "the grid must be @ and its center, such as @c3 ({range}), not {field}",
                        range = cell_range(size, size),
                        field = quoted(field)
                    ),
                    Some((col, row)) => {
                        let center = TicTacTwoCell::new(col, row);
                        if self.grid_cells_at(center.0) != 0 {
                            return center;
                        }
                        let name = center.name();
                        format!("centered on {name}, the grid would leave the board")
                    }
                }
            }
        };
        reader.faults.add(SetupFaultKinds::DETAILS, fault);
        TicTacTwoCell(self.start().center)
    }

    /// The position with these pieces and the grid centered on a cell, with its faults.
    fn set_up(
        &self,
        pieces: &[Option<Side>],
        center: TicTacTwoCell,
        side: Side,
        faults: &mut SetupError,
    ) -> TicTacTwoPosition {
        let TicTacTwoOptions {
            pieces: most,
            opening_pieces: after,
            ..
        } = self.options;
        let mut position = TicTacTwoPosition {
            center: center.0,
            side,
            ..self.start()
        };
        for (index, owner) in pieces.iter().enumerate() {
            if let Some(owner) = owner {
                position.pieces[owner.index()] |= self.cell_from_reading_index(index).bit();
            }
        }
        let counts = position.pieces.map(|set| set.count_ones() as usize);
        for (owner, count) in Side::BOTH.into_iter().zip(counts) {
            if count > usize::from(most) {
                faults.add(
                    SetupFaultKinds::COUNTS,
                    format!("{owner} has {count} pieces on the board, but can have at most {most}"),
                );
            }
        }
        if self.is_opening(&position) {
            let [x, o] = counts;
            check_counts(x, o, side, faults);
            if position.center != self.start().center {
                faults.add(
                    SetupFaultKinds::DETAILS,
                    format!(
                        "until each player has placed {after} pieces, the grid must be in the center"
                    ),
                );
            }
        }
        position.outcome = self.compute_outcome(&position);
        position
    }

    fn map_cell(&self, cell: TicTacTwoCell, symmetry: Symmetry) -> TicTacTwoCell {
        let size = self.options.board_size;
        let (col, row) = cell.column_row();
        let (col, row) = symmetry.of_square().apply(col, row, size, size);
        TicTacTwoCell::new(col, row)
    }
}
