//! Order and Chaos: both players write either mark. One wants a line of equal marks, the other a full board without one.

use std::ops::ControlFlow;
use std::sync::Arc;

use super::common::{
    MARK_LETTERS, boards_text, check_last_move, check_parity, complete_lines, line_masks,
    lines_of_length, parse_cells_and_side, read_mark,
};
use crate::bitboard::{nth_bit, set_bits};
use crate::error::{MoveError, SetupError};
use crate::game::Game;
use crate::game_state::GameState;
use crate::hash::PositionHasher;
use crate::info::{GameInfo, OptionFault, Preset, option_values};
use crate::notation::{cell_text, number_word, parse_cell};
use crate::options::{OptionDefault, OptionKind, OptionSpec};
use crate::outcome::{Ending, Outcome, Side};
use crate::symmetry::{SquareSymmetry, Symmetry};
use crate::termination::Termination;
use crate::variant::{Variant, VariantError};
use crate::view::{BoardShape, CellView, Mark, Piece, Place, Target};

/// The smallest and the largest size.
const SIZES: (u8, u8) = (3, 8);

static OPTIONS: [OptionSpec; 2] = [
    OptionSpec {
        label: "Size",
        field: "size",
        name: "size",
        key: "size=",
        kind: OptionKind::Number(1, SIZES, "The number of columns and rows."),
        default: OptionDefault::Value(6),
        flag: None,
    },
    OptionSpec {
        label: "In a row",
        field: "line",
        name: "line",
        key: "line=",
        kind: OptionKind::Number(
            1,
            SIZES,
            "How many equal marks in a row, column or diagonal win for Order.",
        ),
        default: OptionDefault::Value(5),
        flag: None,
    },
];

/// Presets and texts of Order and Chaos.
pub(crate) static INFO: GameInfo = GameInfo {
    rules: include_str!("order_and_chaos.md"),
    options: &OPTIONS,
    usage: "order-and-chaos takes size=3 to size=8 and line=3 to line=8",
    presets: &[Preset {
        name: "order-and-chaos",
        aliases: &[],
        values: option_values([6, 5]),
        title: TITLE,
        summary: "Both write X or O: Order wants five equal marks in a row, Chaos none.",
        sample: &[
            "c3=x", "d4=o", "d3=x", "b3=o", "c4=x", "c5=o", "c2=x", "e4=x", "e5=o",
        ],
    }],
    check_options: |values, given| {
        let [size, line, ..] = *values;
        if line <= size {
            return Ok(());
        }
        // In a name that gives only the size, the default of the other option is easily forgotten.
        let advice = match given {
            0b01 => format!("; give both, as in size={size},line={size}"),
            _ => String::new(),
        };
        let problem = format!("is {line}, but must be at most the size, which is {size}{advice}");
        Err(OptionFault::Option(&OPTIONS[1], problem))
    },
    variant_title: |variant| {
        let (size, line) = size_of(variant);
        format!("{TITLE}: {line} in a row on {size}×{size}")
    },
    variant_summary: |variant| {
        let (size, line) = size_of(variant);
        let line = number_word(line);
        format!(
            "Both write X or O on {size}×{size} cells: Order wants {line} equal marks in a row, Chaos none."
        )
    },
    ending_text: |variant, termination, _| {
        let line = number_word(size_of(variant).1);
        match termination {
            Termination::Line => Some(format!("{line} equal marks in a row")),
            Termination::NoMove => Some(format!(
                "the board is full without {line} equal marks in a row"
            )),
            _ => None,
        }
    },
    known_value: |variant| match size_of(variant) {
        (4, 4) => Some("With perfect play, Order wins in 13 moves (both players counted)."),
        _ => None,
    },
    ..GameInfo::new(
        "order-and-chaos",
        TITLE,
        "Both write X or O: Order wants a line of equal marks, Chaos a full board without one.",
        &|variant| {
            let (size, line) = size_of(variant);
            GameState::new(OrderAndChaos::build(size, line)).into()
        },
    )
};

const TITLE: &str = "Order and Chaos";

/// The size of the board, and the length of a line.
fn size_of(variant: Variant) -> (u8, u8) {
    let [size, line, ..] = variant.values();
    (size, line)
}

/// The marks, in the order of [`Game::pieces`].
const MARKS: [Mark; 2] = [Mark::X, Mark::O];

/// The rules of Order and Chaos.
///
/// ```
/// use noughts_rules::{Game, Outcome, Side};
/// use noughts_rules::games::order_and_chaos::OrderAndChaos;
///
/// let game = OrderAndChaos::new(3, 3)?;
/// // o x .
/// // . x .      Chaos is to move, and any line wins for Order.
/// // . . .
/// let mut position = game.parse("ox./.x./... o").unwrap();
/// position = game.play(position, game.parse_move("b3=x").unwrap()).unwrap();
/// assert_eq!(game.outcome(&position), Some(Outcome::Win(Side::X)));
/// # Ok::<(), noughts_rules::VariantError>(())
/// ```
#[derive(Clone, Debug)]
pub struct OrderAndChaos {
    size: u8,
    line: u8,
    /// Every cell of the board.
    cells: u64,
    tables: Arc<Tables>,
}

/// What is computed once for each board.
#[derive(Debug)]
struct Tables {
    /// The lines through each cell.
    lines: Vec<Vec<u64>>,
    /// Where each cell goes under the symmetries of the square.
    maps: Vec<Vec<u8>>,
}

/// A position: the cells with each of the marks, in reading order from the lowest bit. Their number determines the side to
/// move.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct OrderAndChaosPosition {
    marks: [u64; 2],
    has_line: bool,
}

/// A move: `b2=x`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct OrderAndChaosMove {
    cell: u8,
    /// The index of the mark in [`MARKS`].
    mark: u8,
}

impl OrderAndChaosPosition {
    /// The cells with an X and those with an O, in reading order from the lowest bit.
    #[must_use]
    #[inline]
    pub fn marks(&self) -> [u64; 2] {
        self.marks
    }

    #[inline]
    fn occupied(&self) -> u64 {
        self.marks[0] | self.marks[1]
    }

    /// The mark on a cell, by its index in [`MARKS`].
    fn mark_on(&self, cell: u32) -> Option<usize> {
        let bit = 1u64.checked_shl(cell)?;
        self.marks.iter().position(|set| set & bit != 0)
    }
}

impl OrderAndChaos {
    /// A board of this size, with `line` equal marks in a row as the goal.
    ///
    /// # Errors
    /// Both must be from 3 to 8, and `line` at most the size.
    pub fn new(size: u8, line: u8) -> Result<OrderAndChaos, VariantError> {
        Variant::new(&INFO, option_values([size, line]))?;
        Ok(OrderAndChaos::build(size, line))
    }

    fn build(size: u8, line: u8) -> OrderAndChaos {
        let count = u32::from(size) * u32::from(size);
        let all_lines = line_masks(size, size, line);
        let lines_through = |cell: u32| {
            let lines = all_lines.iter().copied();
            lines.filter(|line| line >> cell & 1 == 1).collect()
        };
        let lines = (0..count).map(lines_through).collect();
        let map = |symmetry: SquareSymmetry| {
            let image = |cell: u32| {
                let (column, row) = (cell as u8 % size, cell as u8 / size);
                let (column, row) = symmetry.apply(column, row, size, size);
                row * size + column
            };
            (0..count).map(image).collect()
        };
        let maps = SquareSymmetry::ALL.into_iter().map(map).collect();
        OrderAndChaos {
            size,
            line,
            cells: u64::MAX >> (64 - count),
            tables: Arc::new(Tables { lines, maps }),
        }
    }

    /// The size of the board, and the length of a line.
    #[must_use]
    pub fn size(&self) -> (u8, u8) {
        (self.size, self.line)
    }

    /// The cells of every line, in reading order.
    #[must_use]
    pub fn lines(&self) -> Vec<Vec<usize>> {
        let cells = |line: u64| (0..64).filter(|cell| line >> cell & 1 == 1).collect();
        let lines = line_masks(self.size, self.size, self.line).into_iter();
        lines.map(cells).collect()
    }

    #[inline]
    fn empty(&self, position: &OrderAndChaosPosition) -> u64 {
        self.cells & !position.occupied()
    }

    fn place(&self, cell: u8) -> Place {
        Place::new(1, cell.into())
    }

    /// Where each cell goes.
    fn map(&self, symmetry: Symmetry) -> &[u8] {
        let map = self.tables.maps.get(symmetry.0 as usize % 8);
        map.map_or(&[], |map| map)
    }

    /// The position with these marks, with its faults.
    fn set_up(
        &self,
        marks: &[Option<Side>],
        side: Side,
        faults: &mut SetupError,
    ) -> OrderAndChaosPosition {
        let mut position = self.start();
        for (cell, mark) in marks.iter().enumerate() {
            if let Some(mark) = mark {
                position.marks[mark.index()] |= 1 << cell;
            }
        }
        check_parity(self.count_pieces(&position), side, faults);
        let lines = self.tables.lines.iter().flatten();
        let mut complete = lines.filter(|line| position.marks.iter().any(|set| *line & !set == 0));
        let common = complete
            .clone()
            .fold(self.cells, |common, line| common & line);
        position.has_line = complete.next().is_some();
        check_last_move(common, position.has_line, faults);
        position
    }
}

/// The last eight of the 16 symmetries exchange the marks, too.
fn exchanges_marks(symmetry: Symmetry) -> bool {
    symmetry.0 >= 8
}

impl Game for OrderAndChaos {
    type Position = OrderAndChaosPosition;
    type Move = OrderAndChaosMove;

    fn variant(&self) -> Variant {
        Variant::from_checked(&INFO, option_values([self.size, self.line]))
    }

    fn start(&self) -> OrderAndChaosPosition {
        OrderAndChaosPosition {
            marks: [0; 2],
            has_line: false,
        }
    }

    #[inline]
    fn side(&self, position: &OrderAndChaosPosition) -> Side {
        match position.occupied().count_ones() % 2 {
            0 => Side::X,
            _ => Side::O,
        }
    }

    #[inline]
    fn outcome(&self, position: &OrderAndChaosPosition) -> Option<Outcome> {
        match position.has_line {
            true => Some(Outcome::Win(Side::X)),
            false => (self.empty(position) == 0).then_some(Outcome::Win(Side::O)),
        }
    }

    fn ending(&self, position: &OrderAndChaosPosition) -> Option<Ending> {
        let ending = match position.has_line {
            true => Ending::Line,
            false => Ending::NoMove,
        };
        self.outcome(position).map(|_| ending)
    }

    #[inline]
    fn visit_moves<B>(
        &self,
        position: &OrderAndChaosPosition,
        mut visit: impl FnMut(OrderAndChaosMove) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        if !position.has_line {
            for cell in set_bits(self.empty(position)) {
                for mark in 0..2 {
                    let cell = cell as u8;
                    visit(OrderAndChaosMove { cell, mark })?;
                }
            }
        }
        ControlFlow::Continue(())
    }

    #[inline]
    fn apply(&self, position: &mut OrderAndChaosPosition, mv: OrderAndChaosMove) {
        let marks = &mut position.marks[usize::from(mv.mark & 1)];
        *marks |= 1 << (mv.cell & 63);
        let missing = !*marks;
        let lines = self.tables.lines.get(usize::from(mv.cell));
        let mut lines = lines.into_iter().flatten();
        position.has_line |= lines.any(|line| line & missing == 0);
    }

    #[inline]
    fn count_pieces(&self, position: &OrderAndChaosPosition) -> usize {
        position.occupied().count_ones() as usize
    }

    fn max_plies_left(&self, position: &OrderAndChaosPosition) -> Option<u32> {
        Some(self.empty(position).count_ones())
    }

    #[inline]
    fn count_moves(&self, position: &OrderAndChaosPosition) -> usize {
        match position.has_line {
            true => 0,
            false => 2 * self.empty(position).count_ones() as usize,
        }
    }

    #[inline]
    fn nth_move(&self, position: &OrderAndChaosPosition, n: usize) -> Option<OrderAndChaosMove> {
        (n < self.count_moves(position)).then(|| OrderAndChaosMove {
            cell: nth_bit(self.empty(position), n as u32 / 2) as u8,
            mark: (n % 2) as u8,
        })
    }

    fn check(
        &self,
        position: &OrderAndChaosPosition,
        mv: OrderAndChaosMove,
    ) -> Result<(), MoveError> {
        if let Some(outcome) = self.outcome(position) {
            Err(MoveError::game_over(outcome))
        } else if self.move_from_action(self.action(mv)).is_none() {
            Err(self.not_a_move(&self.move_text(mv)))
        } else if position.mark_on(mv.cell.into()).is_some() {
            Err(MoveError::cell_taken(&self.place_name(self.place(mv.cell))))
        } else {
            Ok(())
        }
    }

    fn hash(&self, position: &OrderAndChaosPosition) -> u64 {
        let mut hasher = PositionHasher::new();
        position.marks.iter().for_each(|&marks| hasher.add(marks));
        hasher.finish()
    }

    fn count_symmetries(&self) -> u32 {
        16
    }

    fn symmetry_name(&self, symmetry: Symmetry) -> String {
        let square = Symmetry(symmetry.0 % 8).of_square().name();
        match exchanges_marks(symmetry) {
            true => format!("{square}, marks exchanged"),
            false => square.to_owned(),
        }
    }

    fn map_position(
        &self,
        position: &OrderAndChaosPosition,
        symmetry: Symmetry,
    ) -> OrderAndChaosPosition {
        let map = self.map(symmetry);
        let image = |set: u64| {
            let cells = set_bits(set).filter_map(|cell| map.get(cell as usize));
            cells.fold(0, |image, cell| image | 1 << cell)
        };
        let [x, o] = position.marks.map(image);
        let marks = match exchanges_marks(symmetry) {
            true => [o, x],
            false => [x, o],
        };
        OrderAndChaosPosition { marks, ..*position }
    }

    fn map_move(&self, mv: OrderAndChaosMove, symmetry: Symmetry) -> OrderAndChaosMove {
        let image = self.map(symmetry).get(usize::from(mv.cell));
        OrderAndChaosMove {
            cell: image.copied().unwrap_or(mv.cell),
            mark: mv.mark ^ u8::from(exchanges_marks(symmetry)),
        }
    }

    fn text(&self, position: &OrderAndChaosPosition) -> String {
        let cells: Vec<u32> = (0..self.cells.count_ones()).collect();
        let board = boards_text(&cells, &self.board(), |&cell| {
            position.mark_on(cell).map_or('.', |mark| ['x', 'o'][mark])
        });
        format!("{board} {}", self.side(position).letter())
    }

    fn parse(&self, text: &str) -> Result<OrderAndChaosPosition, SetupError> {
        let (board, letters) = (self.board(), MARK_LETTERS);
        parse_cells_and_side(text, &board, letters, read_mark, |marks, side, faults| {
            self.set_up(marks, side, faults)
        })
    }

    fn actions(&self) -> Vec<OrderAndChaosMove> {
        let actions = 0..self.count_actions();
        actions.filter_map(|n| self.move_from_action(n)).collect()
    }

    #[inline]
    fn count_actions(&self) -> usize {
        2 * self.cells.count_ones() as usize
    }

    #[inline]
    fn action(&self, mv: OrderAndChaosMove) -> usize {
        2 * usize::from(mv.cell) + usize::from(mv.mark)
    }

    #[inline]
    fn move_from_action(&self, action: usize) -> Option<OrderAndChaosMove> {
        (action < self.count_actions()).then_some(OrderAndChaosMove {
            cell: (action / 2) as u8,
            mark: (action % 2) as u8,
        })
    }

    fn move_text(&self, mv: OrderAndChaosMove) -> String {
        let cell = cell_text(mv.cell % self.size, mv.cell / self.size);
        format!("{cell}={}", self.piece_name(mv.mark))
    }

    fn parse_move(&self, text: &str) -> Result<OrderAndChaosMove, MoveError> {
        let found = text.split_once('=').and_then(|(cell, mark)| {
            let (column, row) = parse_cell(cell, self.size, self.size)?;
            let mark = ["x", "o"].iter().position(|name| *name == mark)?;
            Some(OrderAndChaosMove {
                cell: row * self.size + column,
                mark: mark as u8,
            })
        });
        found.ok_or_else(|| self.not_a_move(text))
    }

    fn board(&self) -> BoardShape {
        BoardShape::new(&[(self.size, self.size)])
    }

    fn cell(&self, position: &OrderAndChaosPosition, place: Place) -> CellView {
        let is_cell = place.level == 1;
        let mark = is_cell.then(|| position.mark_on(place.index)).flatten();
        CellView::with_piece(mark.map(|mark| Piece::mark(MARKS[mark])))
    }

    fn taps(&self, mv: OrderAndChaosMove) -> Vec<Target> {
        vec![Target::Place(self.place(mv.cell)), Target::Piece(mv.mark)]
    }

    fn pieces(&self) -> Vec<Piece> {
        MARKS.map(Piece::mark).to_vec()
    }

    fn winning_lines(&self, position: &OrderAndChaosPosition) -> Vec<Vec<Place>> {
        let lines = lines_of_length(self.size, self.size, self.line);
        let of_mark = |set: u64| complete_lines(&lines, 1, |cell| set >> cell & 1 == 1);
        position.marks.into_iter().flat_map(of_mark).collect()
    }

    fn accepts_move(&self, position: &OrderAndChaosPosition, place: Place) -> bool {
        let mut cells = self.board().cells_of(place);
        let empty = self.empty(position);
        !position.has_line && cells.any(|cell| empty >> (cell & 63) & 1 == 1)
    }

    fn prompt(&self, position: &OrderAndChaosPosition) -> String {
        let line = number_word(self.line);
        match self.side(position) {
            Side::X => {
                format!("write X or O on an empty cell; as Order, get {line} equal marks in a row")
            }
            Side::O => {
                format!(
                    "write X or O on an empty cell; as Chaos, avoid {line} equal marks in a row"
                )
            }
        }
    }
}
