//! Wild tic-tac-toe: a move writes either mark, so the marks have no owner.

use std::ops::ControlFlow;

use crate::error::SetupError;
use crate::game::Game;
use crate::games::DynGame;
use crate::games::common::{
    ALL_NINE, Cell9, MARK_LETTERS, boards_text, cells_in, check_last_move, check_parity,
    has_line_of_three, lines_in, map_set, parse_cells_and_side, places_of_lines, read_mark,
};
use crate::info::{GameInfo, OptionValues, Preset, option_values};
use crate::options::{OptionDefault, OptionKind, OptionSpec};
use crate::outcome::{Outcome, Side};
use crate::symmetry::{SquareSymmetry, Symmetry};
use crate::termination::Termination;
use crate::variant::Variant;
use crate::view::{BoardShape, CellView, Mark, Piece, Place, Target};

/// The option of wild tic-tac-toe.
static OPTIONS: [OptionSpec; 1] = [OptionSpec {
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
}];

/// Presets and texts of wild tic-tac-toe.
pub(crate) static INFO: GameInfo = GameInfo {
    rules: include_str!("wild.md"),
    options: &OPTIONS,
    usage: "wild takes only the option misere",
    presets: &[
        Preset {
            name: "wild",
            aliases: &[],
            values: option_values([0]),
            title: TITLE,
            summary: SUMMARY,
            sample: &["b1=x", "a2=o", "c2=x", "b3=o"],
        },
        Preset {
            name: "wild:misere",
            aliases: &[],
            values: MISERE_VALUES,
            title: "Wild misère",
            summary: "Write X or O on each turn; three equal marks in a row lose.",
            sample: &["b2=x", "a1=o", "c3=o", "c2=x", "a3=o"],
        },
    ],
    ending_text: |variant, termination, winner| match (termination, winner) {
        (Termination::NoMove, _) => Some("the board is full".into()),
        (Termination::Line, Some(winner)) if is_misere(variant) => {
            Some(format!("{} made three in a row", winner.other()))
        }
        (Termination::Line, _) => Some("three in a row".into()),
        _ => None,
    },
    known_value: |variant| {
        Some(match is_misere(variant) {
            false => {
                "With perfect play, X wins in 7 moves (both players counted), starting in the center. Every other first \
                 move draws."
            }
            true => {
                "With perfect play, the game is a draw. X has to start in the center; every other first move loses."
            }
        })
    },
    ..GameInfo::new("wild", TITLE, SUMMARY, &|variant| {
        let is_misere = is_misere(variant);
        DynGame::start_of(Wild { is_misere })
    })
};

const TITLE: &str = "Wild tic-tac-toe";
const SUMMARY: &str = "Write X or O on each turn; three equal marks in a row win.";
const MISERE_VALUES: OptionValues = option_values([1]);

fn is_misere(variant: Variant) -> bool {
    variant.values() == MISERE_VALUES
}

/// The marks, in the order of [`Game::pieces`].
const MARKS: [Mark; 2] = [Mark::X, Mark::O];

/// The rules of wild tic-tac-toe.
#[derive(Clone, Debug)]
struct Wild {
    is_misere: bool,
}

/// A position: the cells with each of the marks. Their number determines the side to move.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
struct WildPosition {
    marks: [u16; 2],
}

/// A move: `b2=x`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
struct WildMove {
    cell: Cell9,
    /// The index of the mark in [`MARKS`].
    mark: u8,
}

impl WildPosition {
    fn empty(self) -> u16 {
        ALL_NINE & !(self.marks[0] | self.marks[1])
    }

    fn has_line(self) -> bool {
        self.marks.into_iter().any(has_line_of_three)
    }

    /// The mark on a cell, by its index in [`MARKS`].
    fn mark_on(self, cell: Cell9) -> Option<usize> {
        self.marks.iter().position(|set| set & cell.bit() != 0)
    }
}

/// The last eight of the 16 symmetries exchange the marks, too.
fn exchanges_marks(symmetry: Symmetry) -> bool {
    symmetry.0 >= 8
}

fn square_part(symmetry: Symmetry) -> SquareSymmetry {
    Symmetry(symmetry.0 % 8).of_square()
}

impl Game for Wild {
    type Position = WildPosition;
    type Move = WildMove;

    fn variant(&self) -> Variant {
        Variant::from_checked(&INFO, option_values([self.is_misere.into()]))
    }

    fn start(&self) -> WildPosition {
        WildPosition::default()
    }

    fn side(&self, position: &WildPosition) -> Side {
        match self.count_pieces(position) % 2 {
            0 => Side::X,
            _ => Side::O,
        }
    }

    fn outcome(&self, position: &WildPosition) -> Option<Outcome> {
        if position.has_line() {
            let next = self.side(position);
            let winner = if self.is_misere { next } else { next.other() };
            return Some(Outcome::Win(winner));
        }
        (position.empty() == 0).then_some(Outcome::Draw)
    }

    fn visit_moves<B>(
        &self,
        position: &WildPosition,
        mut visit: impl FnMut(WildMove) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        if !position.has_line() {
            for cell in cells_in(position.empty()) {
                for mark in 0..2 {
                    visit(WildMove { cell, mark })?;
                }
            }
        }
        ControlFlow::Continue(())
    }

    fn apply(&self, position: &mut WildPosition, mv: WildMove) {
        position.marks[usize::from(mv.mark)] |= mv.cell.bit();
    }

    fn count_pieces(&self, position: &WildPosition) -> usize {
        9 - position.empty().count_ones() as usize
    }

    fn count_symmetries(&self) -> u32 {
        16
    }

    fn symmetry_name(&self, symmetry: Symmetry) -> String {
        let square = square_part(symmetry).name();
        match exchanges_marks(symmetry) {
            true => format!("{square}, marks exchanged"),
            false => square.to_owned(),
        }
    }

    fn map_position(&self, position: &WildPosition, symmetry: Symmetry) -> WildPosition {
        let [x, o] = position
            .marks
            .map(|set| map_set(set, square_part(symmetry)));
        let marks = match exchanges_marks(symmetry) {
            true => [o, x],
            false => [x, o],
        };
        WildPosition { marks }
    }

    fn map_move(&self, mv: WildMove, symmetry: Symmetry) -> WildMove {
        WildMove {
            cell: mv.cell.map(square_part(symmetry)),
            mark: mv.mark ^ u8::from(exchanges_marks(symmetry)),
        }
    }

    fn text(&self, position: &WildPosition) -> String {
        let cells: Vec<Cell9> = cells_in(ALL_NINE).collect();
        let board = boards_text(&cells, &self.board(), |&cell| {
            position.mark_on(cell).map_or('.', |mark| ['x', 'o'][mark])
        });
        format!("{board} {}", self.side(position).letter())
    }

    fn parse(&self, text: &str) -> Result<WildPosition, SetupError> {
        let (board, letters) = (self.board(), MARK_LETTERS);
        parse_cells_and_side(text, &board, letters, read_mark, |cells, side, faults| {
            let mut position = self.start();
            for (cell, mark) in cells_in(ALL_NINE).zip(cells) {
                if let Some(mark) = mark {
                    position.marks[mark.index()] |= cell.bit();
                }
            }
            check_parity(self.count_pieces(&position), side, faults);
            let lines = position.marks.into_iter().flat_map(lines_in);
            let common = lines.fold(ALL_NINE, |common, line| common & line);
            check_last_move(common.into(), position.has_line(), faults);
            position
        })
    }

    fn actions(&self) -> Vec<WildMove> {
        cells_in(ALL_NINE)
            .flat_map(|cell| (0..2).map(move |mark| WildMove { cell, mark }))
            .collect()
    }

    fn move_text(&self, mv: WildMove) -> String {
        format!("{}={}", mv.cell, self.piece_name(mv.mark))
    }

    fn board(&self) -> BoardShape {
        BoardShape::new(&[(3, 3)])
    }

    fn cell(&self, position: &WildPosition, place: Place) -> CellView {
        let mark = Cell9::at(place).and_then(|cell| position.mark_on(cell));
        CellView::with_piece(mark.map(|mark| Piece::mark(MARKS[mark])))
    }

    fn taps(&self, mv: WildMove) -> Vec<Target> {
        vec![mv.cell.target(), Target::Piece(mv.mark)]
    }

    fn pieces(&self) -> Vec<Piece> {
        MARKS.map(Piece::mark).to_vec()
    }

    fn winning_lines(&self, position: &WildPosition) -> Vec<Vec<Place>> {
        position
            .marks
            .into_iter()
            .flat_map(places_of_lines)
            .collect()
    }

    fn prompt(&self, _: &WildPosition) -> String {
        let verb = if self.is_misere { "lose" } else { "win" };
        format!("write X or O on an empty cell; three equal marks in a row {verb}")
    }
}
