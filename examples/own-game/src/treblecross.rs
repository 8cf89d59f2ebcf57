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
pub(crate) static INFO: GameInfo = GameInfo {
    rules: include_str!("treblecross.md"),
    options: &[LENGTH],
    usage: "use treblecross or treblecross:length=N",
    presets: &[Preset {
        name: "treblecross",
        aliases: &["one-dimensional-tic-tac-toe"],
        values: option_values([9]),
        title: "Treblecross",
        summary: "Three X in a row win, no matter who wrote them.",
        sample: &["e1", "b1", "h1"],
    }],
    ..GameInfo::new(
        "treblecross",
        "Treblecross",
        "Three X in a row win, no matter who wrote them.",
        &|variant| DynGame::start_of(Treblecross(variant)),
    )
};

/// The rules.
#[derive(Clone, Debug)]
pub(crate) struct Treblecross(Variant);

/// The marked cells as bits, the leftmost the lowest.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) struct Position(u16);

impl Treblecross {
    fn length(&self) -> u8 {
        self.0.option_values()[0]
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
        self.0
    }

    fn start(&self) -> Position {
        Position(0)
    }

    fn side(&self, position: &Position) -> Side {
        match position.0.count_ones() % 2 {
            0 => Side::X,
            _ => Side::O,
        }
    }

    fn outcome(&self, position: &Position) -> Option<Outcome> {
        // Three in a row end the game before the row is full: there is always a move.
        has_three(position.0).then(|| Outcome::Win(self.side(position).other()))
    }

    fn visit_moves<B>(
        &self,
        position: &Position,
        mut visit: impl FnMut(u8) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        if self.outcome(position).is_none() {
            for cell in (0..self.length()).filter(|cell| position.0 >> cell & 1 == 0) {
                visit(cell)?;
            }
        }
        ControlFlow::Continue(())
    }

    fn apply(&self, position: &mut Position, cell: u8) {
        position.0 |= 1 << cell;
    }

    fn text(&self, position: &Position) -> String {
        let marks = (0..self.length()).map(|cell| position.0 >> cell & 1 == 1);
        let letters: Vec<char> = marks.map(|mark| if mark { 'x' } else { '.' }).collect();
        let row = boards_text(&letters, &self.board(), |&letter| letter);
        format!("{row} {}", self.side(position).letter())
    }

    fn parse(&self, text: &str) -> Result<Position, SetupError> {
        let read = |letter| matches!(letter, 'x' | '.').then_some(letter == 'x');
        let (board, blank) = (self.board(), ("x and .", false));
        parse_cells_and_side(text, &board, blank, read, |cells, side, faults| {
            let mark = |(n, &mark): (u32, &bool)| u16::from(mark) << n;
            let marks = (0..).zip(cells).map(mark).sum::<u16>();
            check_parity(marks.count_ones() as usize, side, faults);
            // The last move must be part of every three in a row.
            let lines = (0..14)
                .map(|n| 0b111 << n)
                .filter(|line| marks & line == *line);
            let common = lines.fold(u16::MAX, |common, line| common & line);
            check_last_move(common.into(), has_three(marks), faults);
            Position(marks)
        })
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
        let is_marked = position.0 >> place.index & 1 == 1;
        CellView::with_piece(is_marked.then_some(Piece::mark(Mark::X)))
    }

    fn pieces(&self) -> Vec<Piece> {
        vec![Piece::mark(Mark::X)]
    }

    fn taps(&self, cell: u8) -> Vec<Target> {
        vec![Target::Place(self.board().cell(cell.into()))]
    }
}
