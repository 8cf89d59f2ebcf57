//! Flat boards: m columns, n rows, k in a row, including classic and misère.

use std::ops::ControlFlow;

use crate::bitboard::Bitboard;
use crate::drawing::{Drawing, FlatBoardDrawing};
use crate::error::{MoveError, MoveErrorKind, SetupError, SetupFaultKinds};
use crate::formats::{is_digits, is_lists, parse_digits, parse_lists};
use crate::game::Game;
use crate::hash::PositionHasher;
use crate::notation::{FieldReader, cell_range, cell_text, join_groups, parse_cell, quoted};
use crate::outcome::{Ending, Outcome, Side};
use crate::planes::{BitWriter, Byte};
use crate::setup::Setup;
use crate::symmetry::Symmetry;
use crate::variant::{MnkOptions, Variant};

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
        let k = usize::from(self.options.line);
        self.line_steps().any(|step| marks.has_run(step, k))
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
        Variant::Mnk(self.options)
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

    fn symmetries(&self) -> &'static [Symmetry] {
        Symmetry::for_board(self.options.columns, self.options.rows)
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
        let (col, row) = symmetry.apply(col, row, columns, rows);
        self.move_at(col, row).unwrap_or(mv)
    }

    fn position(&self, setup: &Setup) -> Result<MnkPosition<W>, SetupError> {
        let MnkOptions { columns, rows, .. } = self.options;
        let mut faults = SetupError::default();
        setup.check_unused_fields(false, false, &mut faults);
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
            ..Setup::new(0)
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
            ..Setup::new(0)
        };
        (setup, reader.faults)
    }

    fn setup_text(&self, setup: &Setup) -> String {
        let columns = usize::from(self.options.columns);
        let rows = join_groups(&setup.cells, columns, |cell| cell.map_or('.', Side::letter));
        format!("{rows} {}", setup.side.letter())
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

/// The cells of every complete line of `k` cells, for drawing.
pub(crate) fn cells_in_lines(cells: &[Option<Side>], columns: usize, k: usize) -> Vec<usize> {
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
                    found.extend(line);
                }
            }
        }
    }
    found
}
