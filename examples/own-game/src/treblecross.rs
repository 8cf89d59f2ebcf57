//! Treblecross: tic-tac-toe in one row, where both players write X.

use std::ops::ControlFlow;

use noughts_rules::games::common::*;
use noughts_rules::*;

const LENGTH: OptionSpec = OptionSpec {
    label: "Cells",
    field: "length",
    name: "length",
    key: "length=",
    kind: OptionKind::Number(1, (3, 16), "The number of cells."),
    default: OptionDefault::Value(9),
    flag: None,
};

/// What the game says about itself.
pub static INFO: GameInfo = GameInfo {
    rules: include_str!("treblecross.md"),
    options: &[LENGTH],
    usage: "use treblecross or treblecross:length=N",
    presets: &[Preset {
        name: "treblecross",
        aliases: &["one-dimensional-tic-tac-toe"],
        values: [9, 0, 0, 0, 0, 0, 0, 0],
        title: "Treblecross",
        summary: "Three X in a row win, whoever wrote them.",
        sample: &["e1", "b1", "h1"],
    }],
    ..GameInfo::new(
        "treblecross",
        "Treblecross",
        "Three X in a row win, whoever wrote them.",
        &|variant| DynGame::start_of(Treblecross { variant }),
    )
};

/// The rules.
#[derive(Clone, Debug)]
pub struct Treblecross {
    variant: Variant,
}

/// The marked cells as bits, the leftmost the lowest.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Position {
    marks: u16,
}

impl Treblecross {
    fn length(&self) -> u8 {
        self.variant.option_values()[0]
    }
}

/// Are three neighbors marked?
fn has_three(marks: u16) -> bool {
    marks & marks >> 1 & marks >> 2 != 0
}

impl Game for Treblecross {
    type Position = Position;
    /// The index of the cell.
    type Move = u8;

    fn variant(&self) -> Variant {
        self.variant
    }

    fn start(&self) -> Position {
        Position { marks: 0 }
    }

    fn side(&self, position: &Position) -> Side {
        match position.marks.count_ones() % 2 {
            0 => Side::X,
            _ => Side::O,
        }
    }

    fn outcome(&self, position: &Position) -> Option<Outcome> {
        // Three in a row end the game before the row is full: there is always a move.
        has_three(position.marks).then(|| Outcome::Win(self.side(position).other()))
    }

    fn visit_moves<B>(
        &self,
        position: &Position,
        mut visit: impl FnMut(u8) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        if self.outcome(position).is_none() {
            for cell in (0..self.length()).filter(|cell| position.marks >> cell & 1 == 0) {
                visit(cell)?;
            }
        }
        ControlFlow::Continue(())
    }

    fn apply(&self, position: &mut Position, cell: u8) {
        position.marks |= 1 << cell;
    }

    fn text(&self, position: &Position) -> String {
        let marks = (0..self.length()).map(|cell| position.marks >> cell & 1 == 1);
        let marks: Vec<bool> = marks.collect();
        let row = boards_text(&marks, &self.board(), |&mark| if mark { 'x' } else { '.' });
        format!("{row} {}", self.side(position).letter())
    }

    fn parse(&self, text: &str) -> Result<Position, SetupError> {
        let mut reader = FieldReader::new(text, 2, 2, "cells and side");
        let read = |letter| match letter {
            'x' => Some(true),
            '.' => Some(false),
            _ => None,
        };
        let cells = parse_boards(&mut reader, &self.board(), "x and .", false, read);
        let side = reader.side();
        let marks = (0..)
            .zip(cells)
            .fold(0, |marks, (n, mark)| marks | u16::from(mark) << n);
        check_parity(marks.count_ones() as usize, side, &mut reader.faults);
        let lines = (0..14)
            .map(|n| 0b111 << n)
            .filter(|line| marks & line == *line);
        let common = lines.fold(u16::MAX, |common, line| common & line);
        check_last_move(common.into(), has_three(marks), &mut reader.faults);
        reader.faults.into_result(Position { marks })
    }

    fn actions(&self) -> Vec<u8> {
        (0..self.length()).collect()
    }

    fn move_text(&self, cell: u8) -> String {
        self.place_name(self.board().cell(cell.into()))
    }

    fn board(&self) -> BoardShape {
        BoardShape::new(&[(self.length(), 1)])
    }

    fn cell(&self, position: &Position, place: Place) -> CellView {
        let is_marked = position.marks >> place.index & 1 == 1;
        CellView::with_piece(is_marked.then_some(Piece::mark(Mark::X)))
    }

    fn taps(&self, cell: u8) -> Vec<Target> {
        vec![Target::Place(self.board().cell(cell.into()))]
    }
}
