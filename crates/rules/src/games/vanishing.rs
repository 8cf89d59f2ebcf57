//! Vanishing tic-tac-toe: a player with enough marks loses the oldest one with each new mark.

use std::ops::ControlFlow;

use crate::error::{MoveError, SetupError, SetupFaultKinds};
use crate::game::Game;
use crate::games::DynGame;
use crate::games::common::{
    ALL_NINE, Cell9, MARK_LETTERS, boards_text, cells_in, check_counts, check_lines,
    has_line_of_three, parse_position, places_of_lines, quoted, read_mark,
};
use crate::info::{GameInfo, OptionValues, Preset, option_values};
use crate::notation::number_word;
use crate::options::{OptionDefault, OptionKind, OptionSpec};
use crate::outcome::{Outcome, Side};
use crate::symmetry::{SquareSymmetry, Symmetry};
use crate::termination::Termination;
use crate::variant::Variant;
use crate::view::{BoardShape, CellView, Piece, Place, Target};

/// The option of vanishing tic-tac-toe.
static OPTIONS: [OptionSpec; 1] = [OptionSpec {
    label: "Marks",
    field: "marks",
    name: "marks",
    key: "marks=",
    kind: OptionKind::Number(
        1,
        (3, MOST_MARKS as u8),
        "How many marks a player keeps. With 4, every move from the ninth on is forced.",
    ),
    default: OptionDefault::Value(3),
    flag: None,
}];

/// Presets and texts of vanishing tic-tac-toe.
pub(crate) static INFO: GameInfo = GameInfo {
    rules: include_str!("vanishing.md"),
    options: &OPTIONS,
    usage: "vanishing takes marks=3 or marks=4",
    presets: &[Preset {
        name: "vanishing",
        aliases: &["infinite"],
        values: STANDARD_VALUES,
        title: TITLE,
        summary: "Each player keeps three marks: the fourth makes the oldest vanish. Get three in a row.",
        sample: &["b1", "b2", "c3", "a2", "c2", "c1"],
    }],
    variant_title: |variant| format!("{TITLE}, {} marks", marks_of(variant)),
    variant_summary: |variant| {
        let marks = number_word(marks_of(variant));
        format!(
            "Each player keeps {marks} marks: one more makes the oldest vanish. Get three in a row."
        )
    },
    ending_text: |_, termination, _| {
        (termination == Termination::Line).then(|| "three in a row".into())
    },
    known_value: |variant| {
        (variant.values() == STANDARD_VALUES).then_some(
            "With perfect play, X wins in 13 moves (both players counted), starting on an edge. Starting in the center or \
             in a corner draws.",
        )
    },
    ..GameInfo::new(
        "vanishing",
        TITLE,
        "Marks vanish: with too many on the board, your oldest one goes. Get three in a row.",
        &|variant| {
            let limit = marks_of(variant);
            DynGame::start_of(Vanishing { limit })
        },
    )
};

const TITLE: &str = "Vanishing tic-tac-toe";
const STANDARD_VALUES: OptionValues = option_values([3]);

fn marks_of(variant: Variant) -> u8 {
    let [marks, ..] = variant.values();
    marks
}

/// The most marks that the option allows.
const MOST_MARKS: usize = 4;

/// The rules of vanishing tic-tac-toe.
#[derive(Clone, Debug)]
struct Vanishing {
    /// How many marks a player keeps.
    limit: u8,
}

/// A position: each side's marks, and the side to move.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
struct VanishingPosition {
    marks: [Marks; 2],
    side: Side,
}

/// The cells with a side's marks, the oldest first, then nothing.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
struct Marks([Option<Cell9>; MOST_MARKS]);

impl Marks {
    fn cells(self) -> impl Iterator<Item = Cell9> {
        self.0.into_iter().flatten()
    }

    fn len(self) -> usize {
        self.cells().count()
    }

    fn set(self) -> u16 {
        self.cells().fold(0, |set, cell| set | cell.bit())
    }

    /// Adds a mark; of more than `limit`, the oldest vanishes.
    fn push(&mut self, cell: Cell9, limit: u8) {
        if self.len() >= usize::from(limit) {
            self.0.rotate_left(1);
            self.0[MOST_MARKS - 1] = None;
        }
        if let Some(free) = self.0.iter_mut().find(|mark| mark.is_none()) {
            *free = Some(cell);
        }
    }
}

impl VanishingPosition {
    fn sets(self) -> [u16; 2] {
        self.marks.map(Marks::set)
    }

    fn empty(self) -> u16 {
        let [x, o] = self.sets();
        ALL_NINE & !(x | o)
    }
}

impl Vanishing {
    /// The mark that vanishes with the next move.
    fn vanishing(&self, position: &VanishingPosition) -> Option<Cell9> {
        let own = position.marks[position.side.index()];
        let is_full = own.len() >= usize::from(self.limit);
        own.cells().next().filter(|_| is_full)
    }

    /// The position with these marks, and what is wrong with it.
    fn position_of(
        &self,
        cells: &[Option<Side>],
        side: Side,
        orders: [Option<&str>; 2],
        faults: &mut SetupError,
    ) -> VanishingPosition {
        let limit = usize::from(self.limit);
        let mut position = VanishingPosition {
            side,
            ..self.start()
        };
        for (owner, order) in Side::BOTH.into_iter().zip(orders) {
            let order = order.map(|order| read_order(owner, order, cells, faults));
            for cell in order.into_iter().flatten() {
                position.marks[owner.index()].push(cell, self.limit);
            }
        }
        let count = |owner| cells.iter().filter(|&&cell| cell == Some(owner)).count();
        let counts = Side::BOTH.map(count);
        for (owner, count) in Side::BOTH.into_iter().zip(counts) {
            if count > limit {
                faults.add(
                    SetupFaultKinds::COUNTS,
                    format!("{owner} has {count} marks, but can have at most {limit}"),
                );
            }
        }
        let [x, o] = counts;
        // Once both have all of their marks, either side can be to move.
        if x < limit || o < limit {
            check_counts(x, o, side, faults);
        }
        let set_of = |owner| {
            let marks = cells_in(ALL_NINE).zip(cells);
            let own = marks.filter(|(_, mark)| **mark == Some(owner));
            own.fold(0, |set, (cell, _)| set | cell.bit())
        };
        let lines = Side::BOTH.map(|owner| has_line_of_three(set_of(owner)));
        check_lines(lines, side, faults);
        position
    }
}

/// Parses the names of the cells with a side's marks, oldest first.
fn read_order(
    owner: Side,
    text: &str,
    cells: &[Option<Side>],
    faults: &mut SetupError,
) -> Vec<Cell9> {
    let mut fault = |reason: String| faults.add(SetupFaultKinds::DETAILS, reason);
    let mut order = Vec::new();
    let names = text.split(',').filter(|_| text != "-");
    for name in names {
        match Cell9::parse(name) {
            Some(cell) if order.contains(&cell) => {
                fault(format!("the order of {owner}'s marks names {cell} twice"));
            }
            Some(cell) => order.push(cell),
            None => fault(format!(
                "the order of {owner}'s marks must be cells separated by commas, or `-`, and {name} isn't a cell",
                name = quoted(name)
            )),
        }
    }
    let marks = cells_in(ALL_NINE).zip(cells);
    let agrees =
        |(cell, mark): (Cell9, &Option<Side>)| order.contains(&cell) == (*mark == Some(owner));
    if !marks.into_iter().all(agrees) {
        fault(format!(
            "the order of {owner}'s marks must name exactly the cells with {owner}"
        ));
    }
    order
}

impl Game for Vanishing {
    type Position = VanishingPosition;
    type Move = Cell9;

    fn variant(&self) -> Variant {
        Variant::from_checked(&INFO, option_values([self.limit]))
    }

    fn can_repeat(&self) -> bool {
        true
    }

    fn start(&self) -> VanishingPosition {
        VanishingPosition {
            marks: [Marks::default(); 2],
            side: Side::X,
        }
    }

    fn side(&self, position: &VanishingPosition) -> Side {
        position.side
    }

    fn outcome(&self, position: &VanishingPosition) -> Option<Outcome> {
        let mut sides = Side::BOTH.into_iter().zip(position.sets());
        let winner = sides.find(|&(_, set)| has_line_of_three(set));
        winner.map(|(side, _)| Outcome::Win(side))
    }

    fn visit_moves<B>(
        &self,
        position: &VanishingPosition,
        mut visit: impl FnMut(Cell9) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        if self.outcome(position).is_none() {
            for cell in cells_in(position.empty()) {
                visit(cell)?;
            }
        }
        ControlFlow::Continue(())
    }

    fn apply(&self, position: &mut VanishingPosition, mv: Cell9) {
        position.marks[position.side.index()].push(mv, self.limit);
        position.side = position.side.other();
    }

    fn count_pieces(&self, position: &VanishingPosition) -> usize {
        9 - position.empty().count_ones() as usize
    }

    fn rejection(&self, position: &VanishingPosition, mv: Cell9) -> MoveError {
        let error = MoveError::cell_taken(&mv.to_string());
        match self.vanishing(position) {
            Some(cell) if cell == mv => {
                error.with_advice("its mark only vanishes when you have moved")
            }
            _ => error,
        }
    }

    fn count_symmetries(&self) -> u32 {
        SquareSymmetry::ALL.len() as u32
    }

    fn symmetry_name(&self, symmetry: Symmetry) -> String {
        symmetry.of_square().name().to_owned()
    }

    fn map_position(&self, position: &VanishingPosition, symmetry: Symmetry) -> VanishingPosition {
        let map = |cell: Cell9| cell.map(symmetry.of_square());
        VanishingPosition {
            marks: position
                .marks
                .map(|marks| Marks(marks.0.map(|mark| mark.map(map)))),
            ..*position
        }
    }

    fn map_move(&self, mv: Cell9, symmetry: Symmetry) -> Cell9 {
        mv.map(symmetry.of_square())
    }

    fn text(&self, position: &VanishingPosition) -> String {
        let sets = position.sets();
        let cells: Vec<Cell9> = cells_in(ALL_NINE).collect();
        let board = boards_text(&cells, &self.board(), |cell| {
            let mut sides = Side::BOTH.into_iter();
            let owner = sides.find(|side| sets[side.index()] & cell.bit() != 0);
            owner.map_or('.', Side::letter)
        });
        let [x, o] = position.marks.map(|marks| {
            let names: Vec<String> = marks.cells().map(|cell| cell.to_string()).collect();
            match names.is_empty() {
                true => "-".to_owned(),
                false => names.join(","),
            }
        });
        format!("{board} {} {x} {o}", position.side.letter())
    }

    fn parse(&self, text: &str) -> Result<VanishingPosition, SetupError> {
        let fields = "cells, side, and the marks of X and of O, oldest first";
        parse_position(
            text,
            (4..=4, fields),
            |reader| {
                let cells = reader.boards(&self.board(), MARK_LETTERS, read_mark);
                let side = reader.side();
                ((cells, [(); 2].map(|()| reader.next_if_any())), side)
            },
            |(cells, orders), side, faults| self.position_of(cells, side, *orders, faults),
        )
    }

    fn actions(&self) -> Vec<Cell9> {
        cells_in(ALL_NINE).collect()
    }

    fn move_text(&self, mv: Cell9) -> String {
        mv.to_string()
    }

    /// For each side, the side to move first, a plane for each of its marks, the oldest first. The last is all ones if X
    /// is to move.
    fn observation_shape(&self) -> Vec<usize> {
        vec![2 * usize::from(self.limit) + 1, 3, 3]
    }

    fn opponents_planes(&self, _: Side) -> Vec<usize> {
        let limit = usize::from(self.limit);
        (limit..2 * limit)
            .chain(0..limit)
            .chain([2 * limit])
            .collect()
    }

    fn write_observation(&self, position: &VanishingPosition, planes: &mut [u8]) {
        let side_size = 9 * usize::from(self.limit);
        if planes.len() != 2 * side_size + 9 {
            return;
        }
        planes.fill(0);
        let sides = [position.side, position.side.other()];
        for (side, planes) in sides.into_iter().zip(planes.chunks_mut(side_size)) {
            let marks = position.marks[side.index()].cells();
            for (cell, plane) in marks.zip(planes.chunks_mut(9)) {
                plane[cell.number()] = 1;
            }
        }
        planes[2 * side_size..].fill(u8::from(position.side == Side::X));
    }

    fn board(&self) -> BoardShape {
        BoardShape::new(&[(3, 3)])
    }

    fn cell(&self, position: &VanishingPosition, place: Place) -> CellView {
        let piece = Cell9::at(place).and_then(|cell| {
            let mut sides = Side::BOTH.into_iter().zip(position.sets());
            let (owner, _) = sides.find(|(_, set)| set & cell.bit() != 0)?;
            let is_fading =
                self.vanishing(position) == Some(cell) && self.outcome(position).is_none();
            Some(Piece {
                is_fading,
                ..Piece::of(owner)
            })
        });
        CellView::with_piece(piece)
    }

    fn taps(&self, mv: Cell9) -> Vec<Target> {
        vec![mv.target()]
    }

    fn winning_lines(&self, position: &VanishingPosition) -> Vec<Vec<Place>> {
        position
            .sets()
            .into_iter()
            .flat_map(places_of_lines)
            .collect()
    }

    fn consequence(&self, position: &VanishingPosition, _: Cell9) -> Option<String> {
        let cell = self.vanishing(position)?;
        Some(format!("makes the {} on {cell} vanish", position.side))
    }

    fn prompt(&self, position: &VanishingPosition) -> String {
        match self.vanishing(position) {
            Some(cell) => format!("take an empty cell; your mark on {cell} vanishes"),
            None => "take an empty cell; three in a row wins".into(),
        }
    }
}
