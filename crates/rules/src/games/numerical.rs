//! Numerical tic-tac-toe: X writes odd numbers, O even ones, and three in a line that sum to 15 win.

use std::ops::ControlFlow;

use crate::error::{MoveError, MoveErrorKind, SetupError, SetupFaultKinds};
use crate::game::Game;
use crate::games::DynGame;
use crate::games::common::{
    ALL_NINE, Cell9, boards_text, cells_in, check_counts, lines_in, parse_cells_and_side,
};
use crate::info::{GameInfo, OptionValues, Preset, option_values};
use crate::outcome::{Outcome, Side};
use crate::symmetry::{SquareSymmetry, Symmetry};
use crate::termination::Termination;
use crate::variant::Variant;
use crate::view::{BoardShape, CellView, Mark, Piece, Place, Target};

/// Presets and texts of numerical tic-tac-toe.
pub(crate) static INFO: GameInfo = GameInfo {
    rules: include_str!("numerical.md"),
    usage: "numerical takes no options",
    presets: &[Preset {
        name: "numerical",
        aliases: &[],
        values: VALUES,
        title: TITLE,
        summary: SUMMARY,
        sample: &["b1=7", "c3=4", "c2=9", "c1=6", "b2=1"],
    }],
    ending_text: |_, termination, _| match termination {
        Termination::Line => Some("three numbers that sum to 15".into()),
        Termination::NoMove => Some("the board is full".into()),
        _ => None,
    },
    known_value: |_| {
        Some(
            "With perfect play, X wins in 9 moves (both players counted), starting with 1, 3, 7 or 9 on b1, a2, c2 or b3. \
             Every other first move draws.",
        )
    },
    ..GameInfo::new("numerical", TITLE, SUMMARY, &|_| {
        DynGame::start_of(Numerical)
    })
};

const TITLE: &str = "Numerical tic-tac-toe";
const SUMMARY: &str = "Write odd or even numbers; three in a line that sum to 15 win.";
const VALUES: OptionValues = option_values([]);

/// The sum that wins.
const SUM: u8 = 15;

/// The rules of numerical tic-tac-toe.
#[derive(Clone, Debug)]
struct Numerical;

/// A position: the number on each cell, 0 if it is empty. How many there are determines the side to move.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
struct NumericalPosition([u8; 9]);

/// A move: `b2=7`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
struct NumericalMove {
    cell: Cell9,
    number: u8,
}

/// The side that writes a number.
fn owner(number: u8) -> Side {
    match number % 2 {
        1 => Side::X,
        _ => Side::O,
    }
}

impl NumericalPosition {
    fn number(&self, cell: Cell9) -> Option<u8> {
        let number = self.0[cell.number()];
        (number > 0).then_some(number)
    }

    fn empty(&self) -> u16 {
        let cells = cells_in(ALL_NINE).filter(|&cell| self.number(cell).is_none());
        cells.fold(0, |set, cell| set | cell.bit())
    }

    fn side(&self) -> Side {
        match self.empty().count_ones() % 2 {
            1 => Side::X,
            _ => Side::O,
        }
    }

    /// A side's numbers that aren't on the board.
    fn unused(&self, side: Side) -> impl Iterator<Item = u8> {
        let used = self.0;
        (1..=9).filter(move |number| owner(*number) == side && !used.contains(number))
    }

    /// The complete lines with the winning sum.
    fn lines(&self) -> impl Iterator<Item = u16> {
        lines_in(ALL_NINE).filter(|&line| {
            let numbers = cells_in(line).map(|cell| self.0[cell.number()]);
            let (count, sum) = numbers.fold((0, 0), |(count, sum), number| {
                (count + u8::from(number > 0), sum + number)
            });
            (count, sum) == (3, SUM)
        })
    }
}

/// The last eight of the 16 symmetries also replace each number by its complement.
fn map_number(number: u8, symmetry: Symmetry) -> u8 {
    match symmetry.0 >= 8 {
        true => 10u8.saturating_sub(number),
        false => number,
    }
}

fn square_part(symmetry: Symmetry) -> SquareSymmetry {
    Symmetry(symmetry.0 % 8).of_square()
}

fn piece(number: u8) -> Piece {
    Piece {
        owner: Some(owner(number)),
        ..Piece::mark(Mark::Number(number))
    }
}

impl Game for Numerical {
    type Position = NumericalPosition;
    type Move = NumericalMove;

    fn variant(&self) -> Variant {
        Variant::from_checked(&INFO, VALUES)
    }

    fn start(&self) -> NumericalPosition {
        NumericalPosition::default()
    }

    fn side(&self, position: &NumericalPosition) -> Side {
        position.side()
    }

    fn outcome(&self, position: &NumericalPosition) -> Option<Outcome> {
        if position.lines().next().is_some() {
            return Some(Outcome::Win(position.side().other()));
        }
        (position.empty() == 0).then_some(Outcome::Draw)
    }

    fn visit_moves<B>(
        &self,
        position: &NumericalPosition,
        mut visit: impl FnMut(NumericalMove) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        if position.lines().next().is_none() {
            for cell in cells_in(position.empty()) {
                for number in position.unused(position.side()) {
                    visit(NumericalMove { cell, number })?;
                }
            }
        }
        ControlFlow::Continue(())
    }

    fn apply(&self, position: &mut NumericalPosition, mv: NumericalMove) {
        position.0[mv.cell.number()] = mv.number;
    }

    fn count_pieces(&self, position: &NumericalPosition) -> usize {
        9 - position.empty().count_ones() as usize
    }

    fn rejection(&self, position: &NumericalPosition, mv: NumericalMove) -> MoveError {
        let NumericalMove { cell, number } = mv;
        let reject = |reason: String| MoveError::new(MoveErrorKind::NotAllowed, reason);
        if position.number(cell).is_some() {
            MoveError::cell_taken(&cell.to_string())
        } else if position.0.contains(&number) {
            reject(format!("{number} is already on the board"))
        } else {
            let numbers = match position.side() {
                Side::X => "odd",
                Side::O => "even",
            };
            let error = reject(format!("{number} belongs to {}", owner(number)));
            error.with_advice(format!("{} writes {numbers} numbers", position.side()))
        }
    }

    fn count_symmetries(&self) -> u32 {
        16
    }

    fn symmetry_name(&self, symmetry: Symmetry) -> String {
        let square = square_part(symmetry).name();
        match symmetry.0 >= 8 {
            true => format!("{square}, numbers subtracted from 10"),
            false => square.to_owned(),
        }
    }

    fn map_position(&self, position: &NumericalPosition, symmetry: Symmetry) -> NumericalPosition {
        let mut image = self.start();
        for cell in cells_in(ALL_NINE) {
            if let Some(number) = position.number(cell) {
                let cell = cell.map(square_part(symmetry));
                image.0[cell.number()] = map_number(number, symmetry);
            }
        }
        image
    }

    fn map_move(&self, mv: NumericalMove, symmetry: Symmetry) -> NumericalMove {
        NumericalMove {
            cell: mv.cell.map(square_part(symmetry)),
            number: map_number(mv.number, symmetry),
        }
    }

    fn text(&self, position: &NumericalPosition) -> String {
        let board = boards_text(&position.0, &self.board(), |&number| match number {
            0 => '.',
            number => char::from(b'0' + number),
        });
        format!("{board} {}", position.side().letter())
    }

    fn parse(&self, text: &str) -> Result<NumericalPosition, SetupError> {
        let letters = ("1 to 9 and .", 0);
        let read = |letter: char| match letter {
            '.' => Some(0),
            '1'..='9' => Some(letter as u8 - b'0'),
            _ => None,
        };
        parse_cells_and_side(text, &self.board(), letters, read, position_of)
    }

    fn actions(&self) -> Vec<NumericalMove> {
        cells_in(ALL_NINE)
            .flat_map(|cell| (1..=9).map(move |number| NumericalMove { cell, number }))
            .collect()
    }

    fn move_text(&self, mv: NumericalMove) -> String {
        format!("{}={}", mv.cell, mv.number)
    }

    fn board(&self) -> BoardShape {
        BoardShape::new(&[(3, 3)])
    }

    fn cell(&self, position: &NumericalPosition, place: Place) -> CellView {
        let number = Cell9::at(place).and_then(|cell| position.number(cell));
        CellView::with_piece(number.map(piece))
    }

    fn taps(&self, mv: NumericalMove) -> Vec<Target> {
        vec![mv.cell.target(), Target::Piece(mv.number - 1)]
    }

    fn pieces(&self) -> Vec<Piece> {
        (1..=9).map(piece).collect()
    }

    fn reserve(&self, position: &NumericalPosition, side: Side) -> Vec<(u8, u32)> {
        let unused = position.unused(side);
        unused.map(|number| (number - 1, 1)).collect()
    }

    fn winning_lines(&self, position: &NumericalPosition) -> Vec<Vec<Place>> {
        let places = |line| cells_in(line).map(Cell9::place).collect();
        position.lines().map(places).collect()
    }

    fn prompt(&self, position: &NumericalPosition) -> String {
        let numbers = position.unused(position.side());
        let numbers: Vec<String> = numbers.map(|number| number.to_string()).collect();
        match numbers.split_last() {
            None => "no numbers left".into(),
            Some((last, [])) => format!("write {last} on an empty cell"),
            Some((last, others)) => format!(
                "write {} or {last} on an empty cell; three in a line that sum to {SUM} win",
                others.join(", ")
            ),
        }
    }
}

/// The position with these numbers, and what is wrong with it.
fn position_of(numbers: &[u8], side: Side, faults: &mut SetupError) -> NumericalPosition {
    let mut position = NumericalPosition::default();
    for (cell, number) in position.0.iter_mut().zip(numbers) {
        *cell = *number;
    }
    let count_of = |wanted: u8| numbers.iter().filter(|&&number| number == wanted).count();
    let mut counts = [0; 2];
    for number in 1..=9 {
        let count = count_of(number);
        counts[owner(number).index()] += count;
        if count > 1 {
            faults.add(
                SetupFaultKinds::COUNTS,
                format!("{number} is on the board {count} times, but can be used only once"),
            );
        }
    }
    let [x, o] = counts;
    check_counts(x, o, side, faults);
    // The last move completed every line, so its number is on all of them.
    let common = position
        .lines()
        .fold(ALL_NINE, |common, line| common & line);
    let last = side.other();
    let is_last = |cell: Cell9| {
        position
            .number(cell)
            .is_some_and(|number| owner(number) == last)
    };
    if position.lines().next().is_some() && !cells_in(common).any(is_last) {
        faults.add(
            SetupFaultKinds::LINES,
            format!(
                "{last} moved last, but no number of {last} is on all lines that sum to {SUM}, so the game would have \
                 ended earlier"
            ),
        );
    }
    position
}
