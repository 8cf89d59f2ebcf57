//! Cubes of cells, K in a straight line in space, including Qubic.

use std::ops::ControlFlow;
use std::sync::Arc;

use super::common::{MARK_LETTERS, MarkPosition, complete_lines, parse_cells_and_side, read_mark};
use crate::bitboard::Bitboard;
use crate::error::{MoveError, MoveErrorKind, SetupError};
use crate::game::Game;
use crate::game_state::GameState;
use crate::info::{GameInfo, OptionFault, Preset, option_values};
use crate::notation::{column_name, number_word, quoted};
use crate::options::{OptionDefault, OptionKind, OptionSpec};
use crate::outcome::{Outcome, Side};
use crate::symmetry::Symmetry;
use crate::termination::Termination;
use crate::variant::{Variant, VariantError};
use crate::view::{BoardShape, CellView, Piece, Place, Target};

/// The smallest and the largest size.
const SIZES: (u8, u8) = (3, 5);

/// Every set of up to 125 cells.
type Cells = Bitboard<2>;

static OPTIONS: [OptionSpec; 2] = [
    OptionSpec {
        label: "Size",
        field: "size",
        name: "S",
        key: "",
        kind: OptionKind::Number(1, SIZES, "The number of layers, columns and rows."),
        default: OptionDefault::Required,
        flag: None,
    },
    OptionSpec {
        label: "In a row",
        field: "line",
        name: "K",
        key: "",
        kind: OptionKind::Number(1, SIZES, "How many marks in a straight line win."),
        default: OptionDefault::SameAs(0),
        flag: None,
    },
];

pub(crate) static INFO: GameInfo = GameInfo {
    rules: include_str!("cube.md"),
    options: &OPTIONS,
    usage: "use cube:S or cube:S,K (size, marks in a row)",
    syntax: "cube:S",
    presets: &[Preset {
        name: "qubic",
        aliases: &["3d"],
        values: option_values([4, 4]),
        title: "Qubic",
        summary: "Get four in a row in a 4×4×4 cube.",
        sample: &[
            "2b2", "3c3", "2c2", "2d2", "1a1", "4d4", "3b2", "1b2", "2b3", "2b4", "3b3", "1b3",
            "3c2", "3d2",
        ],
    }],
    check_options: |values, _| {
        let [size, line, ..] = *values;
        if line <= size {
            return Ok(());
        }
        let problem = format!(
            "is {line}, but a line in a {size}×{size}×{size} cube has at most {size} cells"
        );
        Err(OptionFault::Option(&OPTIONS[1], problem))
    },
    variant_title: |variant| {
        let [size, line, ..] = variant.values();
        match size == line {
            true => format!("Cube {size}×{size}×{size}"),
            false => format!("Cube {size}×{size}×{size}, {line} in a row"),
        }
    },
    variant_summary: |variant| {
        let [size, line, ..] = variant.values();
        let line = number_word(line);
        format!("Get {line} in a row in a {size}×{size}×{size} cube.")
    },
    ending_text: |variant, termination, _| {
        let [_, line, ..] = variant.values();
        match termination {
            Termination::Line => Some(format!("{} in a row", number_word(line))),
            Termination::NoMove => Some("the cube is full".into()),
            _ => None,
        }
    },
    known_value: |variant| match variant.values() {
        [4, 4, ..] => Some("With perfect play, X wins."),
        [3, 3, ..] => Some(
            "With perfect play, X wins in 7 moves (both players counted) by starting in the center.",
        ),
        _ => None,
    },
    ..GameInfo::new(
        "cube",
        "Cube",
        "Get a number of marks in a straight line in a cube of cells.",
        &|variant| {
            let [size, line, ..] = variant.values();
            GameState::new(Cube::build(size, line)).into()
        },
    )
};

/// The rules of a cube.
///
/// ```
/// use noughts_rules::{Game, Outcome, Side};
/// use noughts_rules::games::cube::Cube;
///
/// let game = Cube::new(3, 3)?;
/// // Layer 1: x . .   layer 2: . . .   layer 3: . . .
/// //          o o .            . x .            . . .
/// //          . . .            . . .            . . .
/// let position = game.parse("x../oo./...//.../.x./...//.../.../... x").unwrap();
/// // A diagonal through space.
/// let end = game.play(position, game.parse_move("3c3").unwrap()).unwrap();
/// assert_eq!(game.outcome(&end), Some(Outcome::Win(Side::X)));
/// # Ok::<(), noughts_rules::VariantError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Cube {
    size: u8,
    line: u8,
    /// Every cell of the cube.
    cells: Cells,
    tables: Arc<Tables>,
}

/// What is computed once for each cube.
#[derive(Debug)]
struct Tables {
    /// The lines through each cell.
    lines: Vec<Vec<Cells>>,
    /// Where each cell goes under the symmetries of the cube, and after them under the other exchanges of cells that
    /// preserve all lines.
    maps: Vec<Vec<u8>>,
}

/// A position in a cube.
///
/// The bit of a cell is `layer · size² + row · size + column`:
///
/// ```text
///   0  1  2     9 10 11    18 19 20
///   3  4  5    12 13 14    21 22 23    3×3×3
///   6  7  8    15 16 17    24 25 26
/// ```
pub type CubePosition = MarkPosition<CubeMove, 2>;

/// The cell to mark, as its bit in the position.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct CubeMove(u8);

/// How many symmetries a cube has: six orders of its axes, each of which can be reversed.
const SYMMETRIES: u32 = 6 * 8;

impl Cube {
    /// A cube of this size, with `line` in a row to win.
    ///
    /// # Errors
    /// Both must be from 3 to 5, and `line` at most the size.
    pub fn new(size: u8, line: u8) -> Result<Cube, VariantError> {
        Variant::new(&INFO, option_values([size, line]))?;
        Ok(Cube::build(size, line))
    }

    fn build(size: u8, line: u8) -> Cube {
        let mut cells = Cells::EMPTY;
        let count = usize::from(size).pow(3);
        (0..count).for_each(|cell| cells.insert(cell));
        let mut lines = vec![Vec::new(); count];
        for line in lines_of(size, line) {
            let mask = set_of(&line);
            line.iter().for_each(|&cell| lines[cell].push(mask));
        }
        let maps = cell_maps(size, line);
        let tables = Arc::new(Tables { lines, maps });
        Cube {
            size,
            line,
            cells,
            tables,
        }
    }

    /// The size, and the length of a line.
    #[must_use]
    pub fn size(&self) -> (u8, u8) {
        (self.size, self.line)
    }

    /// The cells of every line, each as its bit in the position.
    #[must_use]
    pub fn lines(&self) -> Vec<Vec<usize>> {
        lines_of(self.size, self.line)
    }

    #[inline]
    fn empty(&self, position: &CubePosition) -> Cells {
        self.cells.difference(position.occupied())
    }
}

/// The position with every mark moved to where its cell goes.
fn image(position: &CubePosition, map: &[u8]) -> CubePosition {
    position.map(|cell| map.get(cell).copied().unwrap_or_default().into())
}

fn set_of(line: &[usize]) -> Cells {
    let mut set = Cells::EMPTY;
    line.iter().for_each(|&cell| set.insert(cell));
    set
}

/// Layer, row and column of every cell.
fn coordinates(size: u8) -> impl Iterator<Item = [i8; 3]> {
    let (size, cells) = (i32::from(size), i32::from(size).pow(3));
    let digits = move |cell: i32| [cell / size / size, cell / size % size, cell % size];
    (0..cells).map(move |cell| digits(cell).map(|digit| digit as i8))
}

/// Every line of exactly `length` cells, in the 13 directions of a cube.
fn lines_of(size: u8, length: u8) -> Vec<Vec<usize>> {
    let cell = |place: [i8; 3]| {
        place.iter().try_fold(0, |cell, &digit| {
            let is_inside = (0..size as i8).contains(&digit);
            is_inside.then(|| cell * usize::from(size) + digit as usize)
        })
    };
    // Steps between neighbors: one of each two opposite ones.
    let steps = coordinates(3).map(|place| place.map(|digit| digit - 1));
    let steps: Vec<[i8; 3]> = steps.filter(|step| *step > [0, 0, 0]).collect();
    let mut lines = Vec::new();
    for start in coordinates(size) {
        for step in &steps {
            let nth = |n: i8| cell(std::array::from_fn(|axis| start[axis] + n * step[axis]));
            lines.extend((0..length as i8).map(nth).collect::<Option<Vec<usize>>>());
        }
    }
    lines
}

/// Where each cell goes: first under the symmetries of the cube, the identity before all others. Lines as long as the cube
/// (of size 4 or 5) are also preserved if the same exchange is made along all axes and keeps opposite layers opposite: the
/// outer pair with the inner one, the two of a pair with each other, or both.
fn cell_maps(size: u8, line: u8) -> Vec<Vec<u8>> {
    let last = size as i8 - 1;
    let turn_inside_out = move |digit: i8| match digit {
        0 => 1,
        1 => 0,
        digit if digit == last => last - 1,
        digit if digit == last - 1 => last,
        digit => digit,
    };
    let swap_outer = move |digit: i8| match digit == 0 || digit == last {
        true => last - digit,
        false => digit,
    };
    let exchanges: [&dyn Fn(i8) -> i8; 4] =
        [&|digit| digit, &turn_inside_out, &swap_outer, &|digit| {
            swap_outer(turn_inside_out(digit))
        }];
    let count = if size == line && size > 3 { 4 } else { 1 };
    let orders = [
        [0, 1, 2],
        [0, 2, 1],
        [1, 0, 2],
        [1, 2, 0],
        [2, 0, 1],
        [2, 1, 0],
    ];
    let mut maps = Vec::new();
    for exchange in &exchanges[..count] {
        for order in orders {
            for reversed in 0..8 {
                let image = |place: [i8; 3]| {
                    (0..3).fold(0, |cell, axis| {
                        let digit = exchange(place[order[axis]]);
                        let digit = match reversed >> axis & 1 {
                            1 => last - digit,
                            _ => digit,
                        };
                        cell * size + digit as u8
                    })
                };
                maps.push(coordinates(size).map(image).collect());
            }
        }
    }
    maps
}

impl Game for Cube {
    type Position = CubePosition;
    type Move = CubeMove;

    fn variant(&self) -> Variant {
        Variant::from_checked(&INFO, option_values([self.size, self.line]))
    }

    fn start(&self) -> CubePosition {
        MarkPosition::START
    }

    #[inline]
    fn side(&self, position: &CubePosition) -> Side {
        position.side
    }

    #[inline]
    fn outcome(&self, position: &CubePosition) -> Option<Outcome> {
        position.outcome
    }

    #[inline]
    fn visit_moves<B>(
        &self,
        position: &CubePosition,
        mut visit: impl FnMut(CubeMove) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        if position.outcome.is_none() {
            for cell in self.empty(position).iter() {
                visit(CubeMove(cell as u8))?;
            }
        }
        ControlFlow::Continue(())
    }

    #[inline]
    fn apply(&self, position: &mut CubePosition, mv: CubeMove) {
        let (mover, cell) = (position.side, usize::from(mv.0));
        let marks = &mut position.marks[mover.index()];
        marks.insert(cell);
        let marks = *marks;
        position.side = mover.other();
        let mut lines = self.tables.lines.get(cell).into_iter().flatten();
        if lines.any(|line| line.difference(marks).is_empty()) {
            position.outcome = Some(Outcome::Win(mover));
        } else if self.empty(position).is_empty() {
            position.outcome = Some(Outcome::Draw);
        }
    }

    fn text(&self, position: &CubePosition) -> String {
        position.text(&self.board(), |cell| cell)
    }

    fn parse(&self, text: &str) -> Result<CubePosition, SetupError> {
        let has_line = |marks| {
            let mut lines = self.tables.lines.iter().flatten();
            lines.any(|line: &Cells| line.difference(marks).is_empty())
        };
        let (board, letters) = (self.board(), MARK_LETTERS);
        parse_cells_and_side(text, &board, letters, read_mark, |marks, side, faults| {
            MarkPosition::set_up(marks, side, |cell| cell, has_line, faults)
        })
    }

    fn actions(&self) -> Vec<CubeMove> {
        (0..self.count_actions() as u8).map(CubeMove).collect()
    }

    fn move_text(&self, mv: CubeMove) -> String {
        self.place_name(Place::new(2, mv.0.into()))
    }

    /// The layers side by side.
    fn board(&self) -> BoardShape {
        BoardShape::new(&[(self.size, 1), (self.size, self.size)])
    }

    fn cell(&self, position: &CubePosition, place: Place) -> CellView {
        let is_cell = place.level == 2;
        let mark = is_cell.then(|| position.mark_on(place.index as usize));
        CellView::with_piece(mark.flatten().map(Piece::of))
    }

    fn taps(&self, mv: CubeMove) -> Vec<Target> {
        vec![Target::Place(Place::new(2, mv.0.into()))]
    }

    fn count_pieces(&self, position: &CubePosition) -> usize {
        position.occupied().len() as usize
    }

    fn max_plies_left(&self, position: &CubePosition) -> Option<u32> {
        // With 26 marks, a cube of size 3 always has a line.
        let longest = if self.size == 3 { 26 } else { self.cells.len() };
        Some(longest.saturating_sub(position.occupied().len()))
    }

    #[inline]
    fn count_moves(&self, position: &CubePosition) -> usize {
        match position.outcome {
            None => self.empty(position).len() as usize,
            Some(_) => 0,
        }
    }

    #[inline]
    fn nth_move(&self, position: &CubePosition, n: usize) -> Option<CubeMove> {
        if position.outcome.is_some() {
            return None;
        }
        let cell = self.empty(position).nth(u32::try_from(n).ok()?)?;
        Some(CubeMove(cell as u8))
    }

    fn check(&self, position: &CubePosition, mv: CubeMove) -> Result<(), MoveError> {
        let cell = usize::from(mv.0);
        if let Some(outcome) = position.outcome {
            Err(MoveError::game_over(outcome))
        } else if !self.cells.contains(cell) {
            Err(self.not_a_move(&format!("cell {cell}")))
        } else if position.occupied().contains(cell) {
            Err(MoveError::cell_taken(&self.move_text(mv)))
        } else {
            Ok(())
        }
    }

    fn parse_move(&self, text: &str) -> Result<CubeMove, MoveError> {
        let cell = self.parse_place(text);
        let mv = cell.map(|cell| CubeMove(cell.index as u8));
        mv.ok_or_else(|| self.not_a_move(text))
    }

    fn not_a_move(&self, text: &str) -> MoveError {
        let last = column_name(self.size - 1);
        let reason = format!(
            "{text} isn't a cell of this cube; cells look like 1a1: layers go from 1 to {size}, columns from a to {last}, \
             rows from 1 to {size}",
            text = quoted(text),
            size = self.size,
        );
        MoveError::new(MoveErrorKind::NotAMove, reason)
    }

    fn hash(&self, position: &CubePosition) -> u64 {
        position.hash()
    }

    fn count_symmetries(&self) -> u32 {
        SYMMETRIES
    }

    fn map_position(&self, position: &CubePosition, symmetry: Symmetry) -> CubePosition {
        match self.tables.maps.get(symmetry.0 as usize) {
            Some(map) => image(position, map),
            None => *position,
        }
    }

    fn map_move(&self, mv: CubeMove, symmetry: Symmetry) -> CubeMove {
        let map = self.tables.maps.get(symmetry.0 as usize);
        let image = map.and_then(|map| map.get(usize::from(mv.0)));
        image.map_or(mv, |&cell| CubeMove(cell))
    }

    fn representative(&self, position: &CubePosition) -> CubePosition {
        let images = self.tables.maps.iter().map(|map| image(position, map));
        images.min().unwrap_or(*position)
    }

    #[inline]
    fn count_actions(&self) -> usize {
        usize::from(self.size).pow(3)
    }

    #[inline]
    fn action(&self, mv: CubeMove) -> usize {
        mv.0.into()
    }

    #[inline]
    fn move_from_action(&self, action: usize) -> Option<CubeMove> {
        (action < self.count_actions()).then_some(CubeMove(action as u8))
    }

    fn winning_lines(&self, position: &CubePosition) -> Vec<Vec<Place>> {
        let Some(Outcome::Win(winner)) = position.outcome else {
            return Vec::new();
        };
        let marks = position.marks[winner.index()];
        complete_lines(&lines_of(self.size, self.line), 2, |cell| {
            marks.contains(cell)
        })
    }

    fn accepts_move(&self, position: &CubePosition, place: Place) -> bool {
        let cells = self.board().cells_of(place);
        let empty = self.empty(position);
        position.outcome.is_none() && cells.into_iter().any(|cell| empty.contains(cell as usize))
    }

    fn prompt(&self, _: &CubePosition) -> String {
        format!("take an empty cell; {} in a straight line wins", self.line)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Guards against lines that are missing or counted in both directions.
    #[test]
    fn cubes_have_the_known_numbers_of_lines() {
        let sizes = [(3, 3), (4, 4), (5, 5), (4, 3), (5, 4), (5, 3)];
        let counts = sizes.map(|(size, line)| lines_of(size, line).len());
        assert_eq!(counts, [49, 76, 109, 224, 302, 603]);
    }

    /// Every map that solvers use to find equivalent positions exchanges cells and preserves the set of lines.
    #[test]
    fn maps_of_cells_preserve_all_lines() {
        for (size, line, count) in [(3, 3, 48), (4, 4, 192), (5, 5, 192), (4, 3, 48), (5, 4, 48)] {
            let mut sorted: Vec<Cells> = lines_of(size, line)
                .iter()
                .map(|line| set_of(line))
                .collect();
            sorted.sort_unstable();
            let mut maps = cell_maps(size, line);
            for map in &maps {
                let image = |line: &Vec<usize>| {
                    let cells: Vec<usize> = line.iter().map(|&cell| map[cell].into()).collect();
                    set_of(&cells)
                };
                let mut images: Vec<Cells> = lines_of(size, line).iter().map(image).collect();
                images.sort_unstable();
                assert_eq!(images, sorted, "{size} {line}: {map:?}");
            }
            maps.sort_unstable();
            maps.dedup();
            assert_eq!(maps.len(), count, "{size} {line}");
        }
    }
}
