//! Notakto: both players write X on one or more boards, and the player who completes the last board's line loses.

use std::ops::ControlFlow;

use crate::error::{MoveError, MoveErrorKind, SetupError, SetupFaultKinds};
use crate::game::Game;
use crate::games::DynGame;
use crate::games::common::{
    ALL_NINE, Cell9, boards_text, cells_in, check_parity, has_line_of_three, lines_in, map_set,
    parse_cells_and_side, places_of_lines,
};
use crate::info::{GameInfo, Preset, option_values};
use crate::options::{OptionDefault, OptionKind, OptionSpec};
use crate::outcome::{Outcome, Side};
use crate::symmetry::{SquareSymmetry, Symmetry};
use crate::termination::Termination;
use crate::variant::Variant;
use crate::view::{BoardShape, CellView, Mark, Piece, Place, Target};

/// The most boards that the option allows.
const MOST_BOARDS: usize = 5;

/// With this many marks, a board has a line, whatever the order.
const MOST_MARKS: u32 = 7;

static OPTIONS: [OptionSpec; 1] = [OptionSpec {
    label: "Boards",
    field: "boards",
    name: "B",
    key: "",
    kind: OptionKind::Number(1, (1, MOST_BOARDS as u8), "The number of boards."),
    default: OptionDefault::Value(1),
    flag: None,
}];

/// Presets and texts of Notakto.
pub(crate) static INFO: GameInfo = GameInfo {
    rules: include_str!("notakto.md"),
    options: &OPTIONS,
    usage: "use notakto or notakto:B (number of boards)",
    presets: &[
        Preset {
            name: "notakto",
            aliases: &[],
            values: option_values([1]),
            title: TITLE,
            summary: "Both players write X; three in a row loses.",
            sample: &["b2", "a1", "c2", "b3"],
        },
        Preset {
            name: "notakto:3",
            aliases: &[],
            values: option_values([3]),
            title: "Notakto, 3 boards",
            summary: SUMMARY,
            sample: &["2b2", "1a1", "2a2", "2c2", "3c3", "1c2", "3b1"],
        },
    ],
    variant_title: |variant| format!("{TITLE}, {} boards", boards_of(variant)),
    ending_text: |variant, termination, winner| match (termination, winner) {
        (Termination::Line, Some(winner)) if boards_of(variant) == 1 => {
            Some(format!("{} made three in a row", winner.other()))
        }
        (Termination::Line, Some(winner)) => {
            Some(format!("{} completed the last board", winner.other()))
        }
        _ => None,
    },
    known_value: |variant| match boards_of(variant) {
        1 => Some(
            "With perfect play, X wins in 6 moves (both players counted), starting in the center. Every other first \
             move loses.",
        ),
        2 => Some("With perfect play, O wins, at the latest in 11 moves (both players counted)."),
        3 => Some(
            "With perfect play, X wins with any first move: in 14 moves (both players counted) starting in a center, \
             otherwise in 18.",
        ),
        4 => Some("With perfect play, O wins, at the latest in 21 moves (both players counted)."),
        _ => None,
    },
    ..GameInfo::new("notakto", TITLE, SUMMARY, &|variant| {
        let boards = boards_of(variant).into();
        DynGame::start_of(Notakto { boards })
    })
};

const TITLE: &str = "Notakto";
const SUMMARY: &str =
    "Both players write X; the player who makes three in a row on the last board loses.";

fn boards_of(variant: Variant) -> u8 {
    let [boards, ..] = variant.values();
    boards
}

/// The rules of Notakto.
#[derive(Clone, Debug)]
struct Notakto {
    /// The number of boards.
    boards: usize,
}

/// A position: the marked cells of each board; none on boards that the game doesn't have. The number of marks determines
/// the side to move.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
struct NotaktoPosition([u16; MOST_BOARDS]);

/// A move: `b2`, or `3b2` where there are several boards.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
struct NotaktoMove {
    board: u8,
    cell: Cell9,
}

impl NotaktoMove {
    /// The index of the cell among those of all boards.
    fn index(self) -> u32 {
        9 * u32::from(self.board) + self.cell.number() as u32
    }
}

impl NotaktoPosition {
    fn marks(&self) -> u32 {
        self.0.iter().map(|board| board.count_ones()).sum()
    }

    fn side(&self) -> Side {
        match self.marks() % 2 {
            0 => Side::X,
            _ => Side::O,
        }
    }

    /// The marks on the board with this index.
    fn board(&self, board: usize) -> u16 {
        self.0.get(board).copied().unwrap_or_default()
    }

    fn is_marked(&self, cell: u32) -> bool {
        self.board(cell as usize / 9) >> (cell % 9) & 1 == 1
    }
}

/// What a symmetry does with a board: the board it becomes, and how it is turned.
type BoardMap = (usize, SquareSymmetry);

impl Notakto {
    /// The boards with their index.
    fn boards(&self, position: &NotaktoPosition) -> impl Iterator<Item = (usize, u16)> + use<> {
        position.0.into_iter().take(self.boards).enumerate()
    }

    /// The boards that have no line.
    fn live_boards(
        &self,
        position: &NotaktoPosition,
    ) -> impl Iterator<Item = (usize, u16)> + use<> {
        let boards = self.boards(position);
        boards.filter(|(_, marks)| !has_line_of_three(*marks))
    }

    /// The place of the cell with this index.
    fn place(&self, cell: u32) -> Place {
        self.board().cell(cell)
    }

    /// The board that a place is on, if it isn't the whole of several boards.
    fn board_of(&self, place: Place) -> Option<usize> {
        let is_one_board = self.boards == 1 || place.level > 0;
        let cell = self.board().cells_of(place).start;
        is_one_board.then_some(cell as usize / 9)
    }

    fn is_dead(&self, position: &NotaktoPosition, place: Place) -> bool {
        let board = self.board_of(place);
        board.is_some_and(|board| has_line_of_three(position.board(board)))
    }

    /// The error for a cell that can't be marked, if it can't.
    fn check_cell(&self, position: &NotaktoPosition, cell: u32) -> Result<(), MoveError> {
        let place = self.place(cell);
        if self.is_dead(position, place) {
            let board = cell / 9 + 1;
            let reason = format!("board {board} has three in a row and takes no more marks");
            return Err(MoveError::new(MoveErrorKind::NotAllowed, reason));
        }
        match position.is_marked(cell) {
            true => Err(MoveError::cell_taken(&self.place_name(place))),
            false => Ok(()),
        }
    }

    /// The parts of a symmetry: for each board what happens to it. The lowest digits of the number, in base 8, turn the
    /// boards; the others choose the place of each among those that are left.
    fn board_maps(&self, symmetry: Symmetry) -> Vec<BoardMap> {
        let mut rest = symmetry.0;
        let mut digit = |base: usize| {
            let digit = rest % base as u32;
            rest /= base as u32;
            digit
        };
        let turns: Vec<u32> = (0..self.boards).map(|_| digit(8)).collect();
        let mut left: Vec<usize> = (0..self.boards).collect();
        let maps = turns.into_iter().map(|turn| {
            let to = left.remove(digit(left.len()) as usize);
            (to, Symmetry(turn).of_square())
        });
        maps.collect()
    }

    /// The symmetry with these parts.
    fn symmetry_of(&self, maps: &[BoardMap]) -> Symmetry {
        let (mut number, mut unit) = (0, 1);
        let mut add = |digit: usize, base: usize| {
            number += digit as u32 * unit;
            unit *= base as u32;
        };
        maps.iter().for_each(|(_, turn)| add(*turn as usize, 8));
        let mut left: Vec<usize> = (0..self.boards).collect();
        for (to, _) in maps {
            if let Some(digit) = left.iter().position(|board| board == to) {
                add(digit, left.len());
                left.remove(digit);
            }
        }
        Symmetry(number)
    }

    /// The position with these marks, with its faults.
    fn set_up(&self, marks: &[bool], side: Side, faults: &mut SetupError) -> NotaktoPosition {
        let mut position = self.start();
        for (board, cells) in position.0.iter_mut().zip(marks.chunks(9)) {
            let marked = cells_in(ALL_NINE)
                .zip(cells)
                .filter(|(_, is_marked)| **is_marked);
            *board = marked.fold(0, |set, (cell, _)| set | cell.bit());
        }
        check_parity(position.marks() as usize, side, faults);
        for (board, marks) in self.boards(&position) {
            if lines_in(marks).fold(ALL_NINE, |common, line| common & line) == 0 {
                let board = board + 1;
                faults.add(
                    SetupFaultKinds::LINES,
                    format!("board {board} has lines without a common cell, but takes no more marks after the first"),
                );
            }
        }
        position
    }
}

impl Game for Notakto {
    type Position = NotaktoPosition;
    type Move = NotaktoMove;

    fn variant(&self) -> Variant {
        Variant::from_checked(&INFO, option_values([self.boards as u8]))
    }

    fn start(&self) -> NotaktoPosition {
        NotaktoPosition::default()
    }

    fn side(&self, position: &NotaktoPosition) -> Side {
        position.side()
    }

    /// The player who completed the last board lost, and the other one would move next.
    fn outcome(&self, position: &NotaktoPosition) -> Option<Outcome> {
        let is_over = self.live_boards(position).next().is_none();
        is_over.then(|| Outcome::Win(position.side()))
    }

    fn visit_moves<B>(
        &self,
        position: &NotaktoPosition,
        mut visit: impl FnMut(NotaktoMove) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        for (board, marks) in self.live_boards(position) {
            for cell in cells_in(!marks) {
                let board = board as u8;
                visit(NotaktoMove { board, cell })?;
            }
        }
        ControlFlow::Continue(())
    }

    fn apply(&self, position: &mut NotaktoPosition, mv: NotaktoMove) {
        if let Some(board) = position.0.get_mut(usize::from(mv.board)) {
            *board |= mv.cell.bit();
        }
    }

    fn count_pieces(&self, position: &NotaktoPosition) -> usize {
        position.marks() as usize
    }

    fn max_plies_left(&self, position: &NotaktoPosition) -> Option<u32> {
        let boards = self.live_boards(position);
        Some(
            boards
                .map(|(_, marks)| MOST_MARKS - marks.count_ones())
                .sum(),
        )
    }

    fn count_moves(&self, position: &NotaktoPosition) -> usize {
        let boards = self.live_boards(position);
        boards
            .map(|(_, marks)| 9 - marks.count_ones() as usize)
            .sum()
    }

    fn rejection(&self, position: &NotaktoPosition, mv: NotaktoMove) -> MoveError {
        let error = self.check_cell(position, mv.index()).err();
        error.unwrap_or_else(|| self.not_a_move(&self.move_text(mv)))
    }

    fn count_symmetries(&self) -> u32 {
        (1..=self.boards as u32).map(|boards| 8 * boards).product()
    }

    fn symmetry_name(&self, symmetry: Symmetry) -> String {
        let maps = self.board_maps(symmetry).into_iter();
        if self.boards == 1 {
            return maps.map(|(_, turn)| turn.name()).collect();
        }
        let names = maps
            .zip(1..)
            .map(|((to, turn), from)| format!("{from} to {}: {}", to + 1, turn.name()));
        names.collect::<Vec<_>>().join(", ")
    }

    fn map_position(&self, position: &NotaktoPosition, symmetry: Symmetry) -> NotaktoPosition {
        let mut image = self.start();
        let boards = position.0.into_iter();
        for (marks, (to, turn)) in boards.zip(self.board_maps(symmetry)) {
            image.0[to] = map_set(marks, turn);
        }
        image
    }

    fn map_move(&self, mv: NotaktoMove, symmetry: Symmetry) -> NotaktoMove {
        let maps = self.board_maps(symmetry);
        match maps.get(usize::from(mv.board)) {
            None => mv,
            Some((to, turn)) => NotaktoMove {
                board: *to as u8,
                cell: mv.cell.map(*turn),
            },
        }
    }

    /// Each board is turned on its own, then they are sorted: there are far too many symmetries to try all.
    fn canonical(&self, position: &NotaktoPosition) -> (NotaktoPosition, Symmetry) {
        let turns = SquareSymmetry::ALL.into_iter();
        let least = |marks: u16| {
            let images = turns.clone().map(|turn| (map_set(marks, turn), turn));
            images.min_by_key(|(image, _)| *image)
        };
        let mut boards: Vec<(u16, usize, SquareSymmetry)> = self
            .boards(position)
            .filter_map(|(board, marks)| least(marks).map(|(image, turn)| (image, board, turn)))
            .collect();
        boards.sort_unstable_by_key(|(image, board, _)| (*image, *board));
        let mut maps = vec![(0, SquareSymmetry::Identity); self.boards];
        let mut image = self.start();
        for (to, (marks, board, turn)) in boards.into_iter().enumerate() {
            image.0[to] = marks;
            maps[board] = (to, turn);
        }
        (image, self.symmetry_of(&maps))
    }

    /// It makes no difference what is on dead boards, except for the number of marks, which decides whose turn it is.
    fn representative(&self, position: &NotaktoPosition) -> NotaktoPosition {
        let mut simplified = *position;
        let mut dead = Vec::new();
        for marks in &mut simplified.0 {
            if has_line_of_three(*marks) {
                dead.push(marks);
            }
        }
        let marks: u32 = dead.iter().map(|marks| marks.count_ones()).sum();
        let needs_another = marks as usize % 2 != dead.len() % 2;
        for (n, marks) in dead.into_iter().enumerate() {
            // A line, and once another cell if the number of marks needs it.
            *marks = if n == 0 && needs_another {
                0b000_001_111
            } else {
                0b000_000_111
            };
        }
        self.canonical(&simplified).0
    }

    fn text(&self, position: &NotaktoPosition) -> String {
        let cells: Vec<u32> = (0..self.board().count_cells()).collect();
        let letter = |cell: &u32| if position.is_marked(*cell) { 'x' } else { '.' };
        let boards = boards_text(&cells, &self.board(), letter);
        format!("{boards} {}", position.side().letter())
    }

    fn parse(&self, text: &str) -> Result<NotaktoPosition, SetupError> {
        let read = |letter: char| match letter {
            '.' => Some(false),
            'x' => Some(true),
            _ => None,
        };
        parse_cells_and_side(
            text,
            &self.board(),
            ("x and .", false),
            read,
            |marks, side, faults| self.set_up(marks, side, faults),
        )
    }

    fn actions(&self) -> Vec<NotaktoMove> {
        (0..self.boards as u8)
            .flat_map(|board| cells_in(ALL_NINE).map(move |cell| NotaktoMove { board, cell }))
            .collect()
    }

    fn move_text(&self, mv: NotaktoMove) -> String {
        self.place_name(self.place(mv.index()))
    }

    /// The boards side by side.
    fn board(&self) -> BoardShape {
        match self.boards {
            1 => BoardShape::new(&[(3, 3)]),
            boards => BoardShape::new(&[(boards as u8, 1), (3, 3)]),
        }
    }

    fn cell(&self, position: &NotaktoPosition, place: Place) -> CellView {
        if place.level < self.board().depth() {
            return CellView {
                is_dead: self.is_dead(position, place),
                ..CellView::default()
            };
        }
        let is_marked = position.is_marked(place.index);
        CellView::with_piece(is_marked.then_some(Piece::mark(Mark::X)))
    }

    fn taps(&self, mv: NotaktoMove) -> Vec<Target> {
        vec![Target::Place(self.place(mv.index()))]
    }

    fn pieces(&self) -> Vec<Piece> {
        vec![Piece::mark(Mark::X)]
    }

    fn winning_lines(&self, position: &NotaktoPosition) -> Vec<Vec<Place>> {
        if self.outcome(position).is_none() {
            return Vec::new();
        }
        let lines = self.boards(position).flat_map(|(board, marks)| {
            let lines = places_of_lines(marks).into_iter();
            lines.map(move |line| (9 * board as u32, line))
        });
        let on_board = |(first, line): (u32, Vec<Place>)| {
            let places = line.into_iter();
            places
                .map(|place| self.place(first + place.index))
                .collect()
        };
        lines.map(on_board).collect()
    }

    fn accepts_move(&self, position: &NotaktoPosition, place: Place) -> bool {
        self.count_open_cells(position, place) > 0 && !self.is_dead(position, place)
    }

    fn check_place(&self, position: &NotaktoPosition, place: Place) -> Result<(), MoveError> {
        let mut cells = self.board().cells_of(place);
        let first = cells.start;
        match cells.any(|cell| self.check_cell(position, cell).is_ok()) {
            true => Ok(()),
            false => self.check_cell(position, first),
        }
    }

    fn count_open_cells(&self, position: &NotaktoPosition, place: Place) -> u32 {
        let is_cell = place.level == self.board().depth();
        let is_open = |cell: &u32| {
            let is_live = is_cell || !self.is_dead(position, self.place(*cell));
            is_live && !position.is_marked(*cell)
        };
        self.board().cells_of(place).filter(is_open).count() as u32
    }

    fn consequence(&self, position: &NotaktoPosition, mv: NotaktoMove) -> Option<String> {
        let after = position.board(mv.board.into()) | mv.cell.bit();
        has_line_of_three(after).then(|| format!("closes board {}", mv.board + 1))
    }

    fn prompt(&self, _: &NotaktoPosition) -> String {
        match self.boards {
            1 => "write X on an empty cell; three in a row loses".into(),
            _ => "write X on an empty cell of a live board; three in a row on the last one loses"
                .into(),
        }
    }
}
