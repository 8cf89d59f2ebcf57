//! Three men's morris: three pieces each, placed and then moved.

use std::ops::ControlFlow;

use crate::error::{MoveError, MoveErrorKind, SetupError, SetupFaultKinds};
use crate::game::Game;
use crate::games::DynGame;
use crate::games::common::{
    ALL_NINE, Cell9, MARK_LETTERS, boards_text, cells_in, check_counts, check_lines,
    has_line_of_three, map_set, parse_cells_and_side, places_of_lines, read_mark,
};
use crate::info::{GameInfo, OptionValues, Preset, option_values};
use crate::options::{OptionDefault, OptionKind, OptionSpec};
use crate::outcome::{Outcome, Side};
use crate::symmetry::{SquareSymmetry, Symmetry};
use crate::termination::Termination;
use crate::variant::Variant;
use crate::view::{BoardLook, BoardShape, CellView, Piece, Place, Target};

/// The option of three men's morris.
static OPTIONS: [OptionSpec; 1] = [OptionSpec {
    label: "Pieces move",
    field: "move",
    name: "move",
    key: "move=",
    kind: OptionKind::Words(&[
        (
            "adjacent",
            Some("one step"),
            "A piece moves along a line to the next point.",
        ),
        ("any", Some("anywhere"), "A piece moves to any empty point."),
    ]),
    default: OptionDefault::Value(0),
    flag: None,
}];

/// Presets and texts of three men's morris.
pub(crate) static INFO: GameInfo = GameInfo {
    rules: include_str!("morris.md"),
    options: &OPTIONS,
    usage: "morris takes move=adjacent or move=any",
    presets: &[
        Preset {
            name: "morris",
            aliases: &[],
            values: option_values([0]),
            title: TITLE,
            summary: SUMMARY,
            sample: &["a1", "c3", "c1", "b1", "a2", "a3", "c1-b2", "b1-c1"],
        },
        Preset {
            name: "morris:move=any",
            aliases: &[],
            values: ANY_VALUES,
            title: "Three men's morris, free moves",
            summary: "Three pieces each, placed and then moved to any empty point: get them in a row.",
            sample: &["b2", "a1", "c1", "a3", "a2", "c2", "c1-b3"],
        },
    ],
    ending_text: |_, termination, _| {
        (termination == Termination::Line).then(|| "three in a row".into())
    },
    known_value: |variant| {
        Some(match moves_anywhere(variant) {
            false => {
                "With perfect play, X wins in 9 moves (both players counted), starting in the center. Starting in a corner \
                 draws, starting on an edge loses."
            }
            true => "With perfect play, the game is a draw.",
        })
    },
    ..GameInfo::new("morris", TITLE, SUMMARY, &|variant| {
        let moves_anywhere = moves_anywhere(variant);
        DynGame::start_of(Morris { moves_anywhere })
    })
};

const TITLE: &str = "Three men's morris";
const SUMMARY: &str = "Three pieces each, placed and then moved along lines: get them in a row.";
const ANY_VALUES: OptionValues = option_values([1]);

fn moves_anywhere(variant: Variant) -> bool {
    variant.values() == ANY_VALUES
}

/// How many pieces a player has.
const PIECES: u32 = 3;

/// The lines along which pieces move, each between two points.
const LINKS: [(u32, u32); 16] = [
    (0, 1),
    (1, 2),
    (3, 4),
    (4, 5),
    (6, 7),
    (7, 8),
    (0, 3),
    (3, 6),
    (1, 4),
    (4, 7),
    (2, 5),
    (5, 8),
    (0, 4),
    (4, 8),
    (2, 4),
    (4, 6),
];

/// By point: those that are joined to it by a line.
static NEIGHBORS: [u16; 9] = {
    let mut table = [0; 9];
    let mut link = 0;
    while link < LINKS.len() {
        let (one, other) = LINKS[link];
        table[one as usize] |= 1 << other;
        table[other as usize] |= 1 << one;
        link += 1;
    }
    table
};

/// The rules of three men's morris.
#[derive(Clone, Debug)]
struct Morris {
    moves_anywhere: bool,
}

/// A position: each side's pieces, and the side to move.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
struct MorrisPosition {
    pieces: [u16; 2],
    side: Side,
}

/// A move.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
enum MorrisMove {
    /// Place a piece: `b2`.
    Place(Cell9),
    /// Move a piece from one point to another: `a1-b2`.
    Move(Cell9, Cell9),
}

impl MorrisPosition {
    fn empty(self) -> u16 {
        ALL_NINE & !(self.pieces[0] | self.pieces[1])
    }

    fn own(self) -> u16 {
        self.pieces[self.side.index()]
    }

    /// How many pieces a side has left to place.
    fn in_hand(self, side: Side) -> u32 {
        PIECES.saturating_sub(self.pieces[side.index()].count_ones())
    }

    fn owner(self, cell: Cell9) -> Option<Side> {
        let mut sides = Side::BOTH.into_iter();
        sides.find(|side| self.pieces[side.index()] & cell.bit() != 0)
    }
}

impl Morris {
    /// Where a piece on this point can go, if it is empty.
    fn reach(&self, from: Cell9) -> u16 {
        match self.moves_anywhere {
            true => ALL_NINE,
            false => NEIGHBORS[from.number()],
        }
    }
}

impl Game for Morris {
    type Position = MorrisPosition;
    type Move = MorrisMove;

    fn variant(&self) -> Variant {
        Variant::from_checked(&INFO, option_values([self.moves_anywhere.into()]))
    }

    fn can_repeat(&self) -> bool {
        true
    }

    fn start(&self) -> MorrisPosition {
        MorrisPosition {
            pieces: [0; 2],
            side: Side::X,
        }
    }

    fn side(&self, position: &MorrisPosition) -> Side {
        position.side
    }

    fn outcome(&self, position: &MorrisPosition) -> Option<Outcome> {
        let mut sides = Side::BOTH.into_iter();
        let winner = sides.find(|side| has_line_of_three(position.pieces[side.index()]));
        winner.map(Outcome::Win)
    }

    fn visit_moves<B>(
        &self,
        position: &MorrisPosition,
        mut visit: impl FnMut(MorrisMove) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        if self.outcome(position).is_some() {
            return ControlFlow::Continue(());
        }
        if position.in_hand(position.side) > 0 {
            for cell in cells_in(position.empty()) {
                visit(MorrisMove::Place(cell))?;
            }
            return ControlFlow::Continue(());
        }
        for from in cells_in(position.own()) {
            for to in cells_in(position.empty() & self.reach(from)) {
                visit(MorrisMove::Move(from, to))?;
            }
        }
        ControlFlow::Continue(())
    }

    fn apply(&self, position: &mut MorrisPosition, mv: MorrisMove) {
        let own = &mut position.pieces[position.side.index()];
        match mv {
            MorrisMove::Place(cell) => *own |= cell.bit(),
            MorrisMove::Move(from, to) => *own = *own & !from.bit() | to.bit(),
        }
        position.side = position.side.other();
    }

    fn count_pieces(&self, position: &MorrisPosition) -> usize {
        9 - position.empty().count_ones() as usize
    }

    fn rejection(&self, position: &MorrisPosition, mv: MorrisMove) -> MoveError {
        let side = position.side;
        let is_taken = |cell: Cell9| position.empty() & cell.bit() == 0;
        let in_hand = position.in_hand(side);
        match mv {
            MorrisMove::Place(cell) if in_hand > 0 => MoveError::cell_taken(&cell.to_string()),
            MorrisMove::Place(cell)
                if position.owner(cell) == Some(side)
                    && position.empty() & self.reach(cell) == 0 =>
            {
                let reason = format!("the piece on {cell} has no empty point to go to");
                MoveError::new(MoveErrorKind::NotAllowed, reason)
            }
            MorrisMove::Place(_) => {
                let reason = format!("{side} has placed all {PIECES} pieces");
                MoveError::new(MoveErrorKind::NotAllowed, reason).with_advice("move one of them")
            }
            MorrisMove::Move(..) if in_hand > 0 => {
                let reason =
                    format!("{side} can't move pieces until all {PIECES} are on the board");
                MoveError::new(MoveErrorKind::NotAllowed, reason).with_advice("place a piece")
            }
            MorrisMove::Move(from, _) if position.owner(from) != Some(side) => {
                let reason = format!("{side} has no piece on {from}");
                MoveError::new(MoveErrorKind::NotAllowed, reason)
            }
            MorrisMove::Move(_, to) if is_taken(to) => MoveError::cell_taken(&to.to_string()),
            MorrisMove::Move(from, to) => {
                let reason = format!("no line joins {from} and {to}");
                MoveError::new(MoveErrorKind::NotAllowed, reason)
            }
        }
    }

    fn count_symmetries(&self) -> u32 {
        SquareSymmetry::ALL.len() as u32
    }

    fn symmetry_name(&self, symmetry: Symmetry) -> String {
        symmetry.of_square().name().to_owned()
    }

    fn map_position(&self, position: &MorrisPosition, symmetry: Symmetry) -> MorrisPosition {
        MorrisPosition {
            pieces: position
                .pieces
                .map(|set| map_set(set, symmetry.of_square())),
            ..*position
        }
    }

    fn map_move(&self, mv: MorrisMove, symmetry: Symmetry) -> MorrisMove {
        let map = |cell: Cell9| cell.map(symmetry.of_square());
        match mv {
            MorrisMove::Place(cell) => MorrisMove::Place(map(cell)),
            MorrisMove::Move(from, to) => MorrisMove::Move(map(from), map(to)),
        }
    }

    fn text(&self, position: &MorrisPosition) -> String {
        let cells: Vec<Cell9> = cells_in(ALL_NINE).collect();
        let board = boards_text(&cells, &self.board(), |&cell| {
            position.owner(cell).map_or('.', Side::letter)
        });
        format!("{board} {}", position.side.letter())
    }

    fn parse(&self, text: &str) -> Result<MorrisPosition, SetupError> {
        parse_cells_and_side(text, &self.board(), MARK_LETTERS, read_mark, position_of)
    }

    /// Placements, then all moves to other points, so that those without a line are explained, too.
    fn actions(&self) -> Vec<MorrisMove> {
        let placements = cells_in(ALL_NINE).map(MorrisMove::Place);
        let moves = cells_in(ALL_NINE).flat_map(|from| {
            let others = cells_in(ALL_NINE & !from.bit());
            others.map(move |to| MorrisMove::Move(from, to))
        });
        placements.chain(moves).collect()
    }

    fn move_text(&self, mv: MorrisMove) -> String {
        match mv {
            MorrisMove::Place(cell) => cell.to_string(),
            MorrisMove::Move(from, to) => format!("{from}-{to}"),
        }
    }

    fn board(&self) -> BoardShape {
        BoardShape::new(&[(3, 3)]).with_look(BoardLook::Points(LINKS.to_vec()))
    }

    fn cell(&self, position: &MorrisPosition, place: Place) -> CellView {
        let owner = Cell9::at(place).and_then(|cell| position.owner(cell));
        CellView::with_piece(owner.map(Piece::of))
    }

    fn taps(&self, mv: MorrisMove) -> Vec<Target> {
        match mv {
            MorrisMove::Place(cell) => vec![cell.target()],
            MorrisMove::Move(from, to) => vec![from.target(), to.target()],
        }
    }

    fn reserve(&self, position: &MorrisPosition, side: Side) -> Vec<(u8, u32)> {
        let count = position.in_hand(side);
        let piece = (count > 0).then_some((side.index() as u8, count));
        piece.into_iter().collect()
    }

    fn winning_lines(&self, position: &MorrisPosition) -> Vec<Vec<Place>> {
        let lines = position.pieces.into_iter().flat_map(places_of_lines);
        lines.collect()
    }

    fn prompt(&self, position: &MorrisPosition) -> String {
        match (position.in_hand(position.side), self.moves_anywhere) {
            (0, false) => "move one of your pieces along a line".into(),
            (0, true) => "move one of your pieces to an empty point".into(),
            _ => "place a piece on an empty point".into(),
        }
    }
}

/// The position with these pieces, and what is wrong with it.
fn position_of(cells: &[Option<Side>], side: Side, faults: &mut SetupError) -> MorrisPosition {
    let mut pieces = [0; 2];
    for (cell, owner) in cells_in(ALL_NINE).zip(cells) {
        if let Some(owner) = owner {
            pieces[owner.index()] |= cell.bit();
        }
    }
    let counts = pieces.map(u16::count_ones);
    for (owner, count) in Side::BOTH.into_iter().zip(counts) {
        if count > PIECES {
            faults.add(
                SetupFaultKinds::COUNTS,
                format!("{owner} has {count} pieces, but can have at most {PIECES}"),
            );
        }
    }
    let [x, o] = counts;
    // Once all pieces are on the board, either side can be to move.
    if x < PIECES || o < PIECES {
        check_counts(x as usize, o as usize, side, faults);
    }
    check_lines(pieces.map(has_line_of_three), side, faults);
    MorrisPosition { pieces, side }
}
