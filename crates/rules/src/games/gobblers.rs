//! Gobblers: pieces of three sizes, of which larger ones cover smaller ones.

mod numbering;

use std::ops::ControlFlow;

use crate::error::{MoveError, MoveErrorKind, SetupError, SetupFaultKinds};
use crate::game::Game;
use crate::game_state::GameState;
use crate::games::common::{
    ALL_NINE, Cell9, MARK_LETTERS, boards_text, cells_in, has_line_of_three, map_set, mark_letter,
    nth_cell_in, parse_cells_and_side, places_of_lines, read_mark,
};
use crate::info::{GameInfo, OptionValues, Preset, option_values};
use crate::outcome::{Outcome, Side};
use crate::symmetry::{SquareSymmetry, Symmetry};
use crate::termination::Termination;
use crate::variant::Variant;
use crate::view::{BoardShape, CellView, Piece, PieceSize, Place, Target};
use numbering::Numbering;

/// Presets and texts of Gobblers.
pub(crate) static INFO: GameInfo = GameInfo {
    rules: include_str!("gobblers.md"),
    usage: "gobblers takes no options",
    presets: &[Preset {
        name: "gobblers",
        aliases: &["gobblet"],
        values: VALUES,
        title: TITLE,
        summary: SUMMARY,
        sample: &["m@b2", "l@b2", "m@a1", "s@c1", "l@c1", "m@a3", "s@c3"],
    }],
    ending_text: |_, termination, _| {
        (termination == Termination::Line).then(|| "three in a row on top".into())
    },
    known_value: |_| {
        Some(
            "With perfect play, X wins in 13 moves (both players counted). Starting with a small or a large piece wins, \
             starting with a medium one loses.",
        )
    },
    ..GameInfo::new("gobblers", TITLE, SUMMARY, &|_| {
        GameState::new(Gobblers).into()
    })
};

const TITLE: &str = "Gobblers";
const SUMMARY: &str = "Larger pieces cover smaller ones; get three in a row on top.";
const VALUES: OptionValues = option_values([]);

/// The sizes of pieces, in the order of position texts and action numbers.
const SIZES: [PieceSize; 3] = [PieceSize::Small, PieceSize::Medium, PieceSize::Large];

/// How many pieces of each size a player has.
const PIECES: u32 = 2;

/// The rules of Gobblers.
///
/// ```
/// use noughts_rules::games::gobblers::Gobblers;
/// use noughts_rules::{Game, Outcome, Side};
///
/// // The large X on b2 covers a small O.
/// //   a  b  c
/// // 1 mO .  .
/// // 2 .  lX .
/// // 3 lX .  mO
/// let position = Gobblers.parse(".../.o./...//o../.../..o//.../.x./x.. x")?;
/// // Moving it reveals a line of O.
/// let end = Gobblers.play(position, Gobblers.parse_move("b2-c1").unwrap()).unwrap();
/// assert_eq!(Gobblers.outcome(&end), Some(Outcome::Win(Side::O)));
/// # Ok::<(), noughts_rules::SetupError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Gobblers;

/// A position of Gobblers in one word: a set of cells for each kind of piece, and the side to move.
///
/// ```text
/// bits   0… 8   9…17   18…26   27…35   36…44   45…53   54
///        small  medium large   small   medium  large   O is to move
///        X      X      X       O       O       O
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct GobblersPosition(u64);

/// A move of Gobblers.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum GobblersMove {
    /// Place a piece of this size: `l@b2`.
    Place(PieceSize, Cell9),
    /// Move the top piece of one cell to another: `a1-b2`.
    Move(Cell9, Cell9),
}

/// The bit that says that O is to move.
const O_TO_MOVE: u64 = 1 << 54;

impl GobblersPosition {
    /// A position with these pieces: sets of cells by side and size. They aren't checked.
    #[must_use]
    #[inline]
    pub fn new(pieces: [[u16; 3]; 2], side: Side) -> GobblersPosition {
        let mut position = GobblersPosition(if side == Side::O { O_TO_MOVE } else { 0 });
        for (side, sizes) in Side::BOTH.into_iter().zip(pieces) {
            for (size, set) in SIZES.into_iter().zip(sizes) {
                position.0 |= u64::from(set & ALL_NINE) << shift(side, size);
            }
        }
        position
    }

    /// The side to move.
    #[must_use]
    #[inline]
    pub fn side(self) -> Side {
        if self.0 & O_TO_MOVE == 0 {
            Side::X
        } else {
            Side::O
        }
    }

    /// The cells with a side's pieces of one size, covered or not: bit n is the n-th cell in reading order.
    #[must_use]
    #[inline]
    pub fn pieces(self, side: Side, size: PieceSize) -> u16 {
        (self.0 >> shift(side, size)) as u16 & ALL_NINE
    }

    /// By size: the cells that can take a piece of it, as they hold no piece that is as large or larger.
    #[must_use]
    #[inline]
    pub fn open_cells(self) -> [u16; 3] {
        let [small, medium, large] =
            SIZES.map(|size| self.pieces(Side::X, size) | self.pieces(Side::O, size));
        [
            ALL_NINE & !(small | medium | large),
            ALL_NINE & !(medium | large),
            ALL_NINE & !large,
        ]
    }

    /// By size: the cells on which a piece of this side is on top.
    #[must_use]
    #[inline]
    pub fn top_pieces(self, side: Side) -> [u16; 3] {
        let [_, no_medium, no_large] = self.open_cells();
        let [small, medium, large] = SIZES.map(|size| self.pieces(side, size));
        [small & no_medium, medium & no_large, large]
    }

    /// How many pieces of this size a side has left to place.
    #[must_use]
    #[inline]
    pub fn in_reserve(self, side: Side, size: PieceSize) -> u32 {
        PIECES.saturating_sub(self.pieces(side, size).count_ones())
    }

    /// The cells that show a piece of this side.
    #[inline]
    fn visible(self, side: Side) -> u16 {
        let [small, medium, large] = self.top_pieces(side);
        small | medium | large
    }

    /// The piece on top of a cell.
    fn top(self, cell: Cell9) -> Option<(Side, PieceSize)> {
        self.stack(cell).next()
    }

    /// The pieces on a cell, the top one first.
    fn stack(self, cell: Cell9) -> impl Iterator<Item = (Side, PieceSize)> {
        let kinds = SIZES.into_iter().rev();
        let kinds = kinds.flat_map(|size| Side::BOTH.map(|side| (side, size)));
        kinds.filter(move |&(side, size)| self.pieces(side, size) & cell.bit() != 0)
    }

    #[inline]
    fn move_sets(self) -> MoveSets {
        if Gobblers.outcome(&self).is_some() {
            return MoveSets::default();
        }
        let (side, open) = (self.side(), self.open_cells());
        let placements = SIZES.map(|size| match self.in_reserve(side, size) {
            0 => 0,
            _ => open[size as usize],
        });
        MoveSets {
            placements,
            movable: self.top_pieces(side),
            open,
        }
    }
}

/// The lowest bit of the set of these pieces.
#[inline]
const fn shift(side: Side, size: PieceSize) -> u32 {
    27 * side as u32 + 9 * size as u32
}

/// The sets from which moves are made, by size.
#[derive(Clone, Copy, Default)]
struct MoveSets {
    /// Where a piece from the reserve can go.
    placements: [u16; 3],
    /// The pieces that can be moved.
    movable: [u16; 3],
    /// Where they can go.
    open: [u16; 3],
}

impl MoveSets {
    #[inline]
    fn count(&self) -> usize {
        let size = |size: usize| {
            self.placements[size].count_ones()
                + self.movable[size].count_ones() * self.open[size].count_ones()
        };
        (size(0) + size(1) + size(2)) as usize
    }

    /// The n-th move, in the order of [`Game::visit_moves`].
    #[inline]
    fn nth(&self, mut n: usize) -> Option<GobblersMove> {
        for (size, set) in SIZES.into_iter().zip(self.placements) {
            let count = set.count_ones() as usize;
            if n < count {
                return Some(GobblersMove::Place(size, nth_cell_in(set, n)?));
            }
            n -= count;
        }
        for (movable, open) in self.movable.into_iter().zip(self.open) {
            let targets = open.count_ones() as usize;
            let count = movable.count_ones() as usize * targets;
            if n < count {
                let (from, to) = (n / targets, n % targets);
                let (from, to) = (nth_cell_in(movable, from)?, nth_cell_in(open, to)?);
                return Some(GobblersMove::Move(from, to));
            }
            n -= count;
        }
        None
    }
}

impl Game for Gobblers {
    type Position = GobblersPosition;
    type Move = GobblersMove;

    fn variant(&self) -> Variant {
        Variant::from_checked(&INFO, VALUES)
    }

    #[inline]
    fn can_repeat(&self) -> bool {
        true
    }

    fn start(&self) -> GobblersPosition {
        GobblersPosition(0)
    }

    #[inline]
    fn side(&self, position: &GobblersPosition) -> Side {
        position.side()
    }

    /// A line that the last move revealed to the side now to move comes before a line of the side that moved.
    #[inline]
    fn outcome(&self, position: &GobblersPosition) -> Option<Outcome> {
        let side = position.side();
        if has_line_of_three(position.visible(side)) {
            Some(Outcome::Win(side))
        } else if has_line_of_three(position.visible(side.other())) {
            Some(Outcome::Win(side.other()))
        } else {
            None
        }
    }

    #[inline]
    fn visit_moves<B>(
        &self,
        position: &GobblersPosition,
        mut visit: impl FnMut(GobblersMove) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        let sets = position.move_sets();
        for (size, set) in SIZES.into_iter().zip(sets.placements) {
            for cell in cells_in(set) {
                visit(GobblersMove::Place(size, cell))?;
            }
        }
        for (movable, open) in sets.movable.into_iter().zip(sets.open) {
            for from in cells_in(movable) {
                for to in cells_in(open) {
                    visit(GobblersMove::Move(from, to))?;
                }
            }
        }
        ControlFlow::Continue(())
    }

    #[inline]
    fn count_moves(&self, position: &GobblersPosition) -> usize {
        position.move_sets().count()
    }

    #[inline]
    fn nth_move(&self, position: &GobblersPosition, n: usize) -> Option<GobblersMove> {
        position.move_sets().nth(n)
    }

    #[inline]
    fn apply(&self, position: &mut GobblersPosition, mv: GobblersMove) {
        let side = position.side();
        match mv {
            GobblersMove::Place(size, cell) => {
                position.0 |= u64::from(cell.bit()) << shift(side, size);
            }
            GobblersMove::Move(from, to) => {
                let tops = position.top_pieces(side);
                for (size, set) in SIZES.into_iter().zip(tops) {
                    if set & from.bit() != 0 {
                        let moved = u64::from(from.bit() | to.bit());
                        position.0 ^= moved << shift(side, size);
                    }
                }
            }
        }
        position.0 ^= O_TO_MOVE;
    }

    fn rejection(&self, position: &GobblersPosition, mv: GobblersMove) -> MoveError {
        let side = position.side();
        let cannot_cover = |size: PieceSize, cell: Cell9| {
            let covered = position.top(cell).map_or_else(
                || "anything".to_owned(),
                |(side, size)| format!("the {}", piece(side, size)),
            );
            MoveError::new(
                MoveErrorKind::CellTaken,
                format!("a {} piece can't cover {covered} on {cell}", size.name()),
            )
        };
        match mv {
            GobblersMove::Place(size, _) if position.in_reserve(side, size) == 0 => MoveError::new(
                MoveErrorKind::NotAllowed,
                format!("{side} has no {} piece left to place", size.name()),
            ),
            GobblersMove::Place(size, cell) => cannot_cover(size, cell),
            GobblersMove::Move(from, to) => match position.top(from) {
                Some((owner, size)) if owner == side => cannot_cover(size, to),
                Some((_, size)) => MoveError::new(
                    MoveErrorKind::NotAllowed,
                    format!("the {} piece on {from} isn't {side}'s", size.name()),
                ),
                None => MoveError::new(
                    MoveErrorKind::NotAllowed,
                    format!("there is no piece on {from}"),
                ),
            },
        }
    }

    fn count_symmetries(&self) -> u32 {
        SquareSymmetry::ALL.len() as u32
    }

    fn symmetry_name(&self, symmetry: Symmetry) -> String {
        symmetry.of_square().name().to_owned()
    }

    fn map_position(&self, position: &GobblersPosition, symmetry: Symmetry) -> GobblersPosition {
        let square = symmetry.of_square();
        let image = |side| SIZES.map(|size| map_set(position.pieces(side, size), square));
        GobblersPosition::new(Side::BOTH.map(image), position.side())
    }

    fn count_position_numbers(&self) -> u64 {
        Numbering::get().count()
    }

    #[inline]
    fn position_number(&self, position: &GobblersPosition) -> Option<u64> {
        Numbering::get().number(*position)
    }

    #[inline]
    fn position_from_number(&self, number: u64) -> Option<GobblersPosition> {
        Numbering::get().position(number)
    }

    fn map_move(&self, mv: GobblersMove, symmetry: Symmetry) -> GobblersMove {
        let square = symmetry.of_square();
        match mv {
            GobblersMove::Place(size, cell) => GobblersMove::Place(size, cell.map(square)),
            GobblersMove::Move(from, to) => GobblersMove::Move(from.map(square), to.map(square)),
        }
    }

    fn text(&self, position: &GobblersPosition) -> String {
        let owner = |size, cell: Cell9| {
            let mut sides = Side::BOTH.into_iter();
            sides.find(|&side| position.pieces(side, size) & cell.bit() != 0)
        };
        let cells: Vec<Option<Side>> = SIZES
            .into_iter()
            .flat_map(|size| cells_in(ALL_NINE).map(move |cell| owner(size, cell)))
            .collect();
        let boards = boards_text(&cells, &text_shape(), mark_letter);
        format!("{boards} {}", position.side().letter())
    }

    fn parse(&self, text: &str) -> Result<GobblersPosition, SetupError> {
        parse_cells_and_side(text, &text_shape(), MARK_LETTERS, read_mark, position_of)
    }

    fn actions(&self) -> Vec<GobblersMove> {
        let actions = 0..self.count_actions();
        actions
            .filter_map(|action| self.move_from_action(action))
            .collect()
    }

    #[inline]
    fn count_actions(&self) -> usize {
        3 * 9 + 9 * 8
    }

    #[inline]
    fn action(&self, mv: GobblersMove) -> usize {
        match mv {
            GobblersMove::Place(size, cell) => 9 * size as usize + cell.number(),
            GobblersMove::Move(from, to) => {
                // Of the eight other cells.
                let to = to.number() - usize::from(to > from);
                27 + 8 * from.number() + to
            }
        }
    }

    #[inline]
    fn move_from_action(&self, action: usize) -> Option<GobblersMove> {
        match action.checked_sub(27) {
            None => {
                let size = SIZES.get(action / 9)?;
                Some(GobblersMove::Place(*size, Cell9::new(action % 9)?))
            }
            Some(action) => {
                let (from, to) = (action / 8, action % 8);
                let to = to + usize::from(to >= from);
                Some(GobblersMove::Move(Cell9::new(from)?, Cell9::new(to)?))
            }
        }
    }

    fn move_text(&self, mv: GobblersMove) -> String {
        match mv {
            GobblersMove::Place(size, cell) => format!("{}@{cell}", letter(size)),
            GobblersMove::Move(from, to) => format!("{from}-{to}"),
        }
    }

    fn parse_move(&self, text: &str) -> Result<GobblersMove, MoveError> {
        let placement = text.split_once('@').and_then(|(size, cell)| {
            let size = SIZES.into_iter().find(|&known| letter(known) == size)?;
            Some(GobblersMove::Place(size, Cell9::parse(cell)?))
        });
        let movement = text.split_once('-').and_then(|(from, to)| {
            let (from, to) = (Cell9::parse(from)?, Cell9::parse(to)?);
            (from != to).then_some(GobblersMove::Move(from, to))
        });
        placement.or(movement).ok_or_else(|| self.not_a_move(text))
    }

    fn board(&self) -> BoardShape {
        BoardShape::new(&[(3, 3)])
    }

    fn cell(&self, position: &GobblersPosition, place: Place) -> CellView {
        let stack = Cell9::at(place).map(|cell| position.stack(cell));
        let pieces = stack.into_iter().flatten();
        CellView {
            pieces: pieces.map(|(side, size)| piece(side, size)).collect(),
            ..CellView::default()
        }
    }

    fn taps(&self, mv: GobblersMove) -> Vec<Target> {
        match mv {
            GobblersMove::Place(size, cell) => {
                vec![Target::Piece(kind(Side::X, size)), cell.target()]
            }
            GobblersMove::Move(from, to) => vec![from.target(), to.target()],
        }
    }

    fn taps_in(&self, position: &GobblersPosition, mv: GobblersMove) -> Vec<Target> {
        match mv {
            GobblersMove::Place(size, cell) => {
                let piece = Target::Piece(kind(position.side(), size));
                vec![piece, cell.target()]
            }
            GobblersMove::Move(..) => self.taps(mv),
        }
    }

    fn pieces(&self) -> Vec<Piece> {
        let sides = Side::BOTH.into_iter();
        sides
            .flat_map(|side| SIZES.map(|size| piece(side, size)))
            .collect()
    }

    fn reserve(&self, position: &GobblersPosition, side: Side) -> Vec<(u8, u32)> {
        let counts = SIZES.map(|size| (kind(side, size), position.in_reserve(side, size)));
        counts.into_iter().filter(|&(_, count)| count > 0).collect()
    }

    fn winning_lines(&self, position: &GobblersPosition) -> Vec<Vec<Place>> {
        let winner = self.outcome(position).and_then(Outcome::winner);
        winner.map_or_else(Vec::new, |side| places_of_lines(position.visible(side)))
    }

    fn consequence(&self, position: &GobblersPosition, mv: GobblersMove) -> Option<String> {
        let GobblersMove::Move(from, _) = mv else {
            return None;
        };
        let (side, size) = position.stack(from).nth(1)?;
        Some(format!("reveals the {} on {from}", piece(side, size)))
    }

    fn prompt(&self, position: &GobblersPosition) -> String {
        let sets = position.move_sets();
        let can_place = sets.placements != [0; 3];
        let can_move = (0..3).any(|size| sets.movable[size] != 0 && sets.open[size] != 0);
        let ways = match (can_place, can_move) {
            (true, true) => "place a piece or move one of yours",
            (true, false) => "place a piece",
            (false, true) => "move one of your pieces",
            (false, false) => return "no moves left".into(),
        };
        format!("{ways}; it can cover smaller ones")
    }
}

/// The position with these pieces, small ones first, and what is wrong with it.
fn position_of(cells: &[Option<Side>], side: Side, faults: &mut SetupError) -> GobblersPosition {
    let mut pieces = [[0; 3]; 2];
    for (n, owner) in cells.iter().enumerate() {
        if let (Some(owner), Some(cell)) = (owner, Cell9::new(n % 9)) {
            pieces[owner.index()][n / 9 % 3] |= cell.bit();
        }
    }
    for owner in Side::BOTH {
        for (size, set) in SIZES.into_iter().zip(pieces[owner.index()]) {
            let (count, size) = (set.count_ones(), size.name());
            if count > PIECES {
                faults.add(
                    SetupFaultKinds::COUNTS,
                    format!("{owner} has {count} {size} pieces, but can have at most {PIECES}"),
                );
            }
        }
    }
    let [x, o] = pieces.map(|sizes| sizes.into_iter().map(u16::count_ones).sum::<u32>());
    // Pieces never leave the board, so only the first two moves find a player without any.
    let is_possible = match (x, o, side) {
        (0, 0, Side::X) | (1, 0, Side::O) => true,
        _ => x > 0 && o > 0,
    };
    if !is_possible {
        faults.add(
            SetupFaultKinds::COUNTS,
            format!(
                "with {side} to move, X can't have {x} and O {o} pieces on the board, because each player's first move \
                 places one"
            ),
        );
    }
    GobblersPosition::new(pieces, side)
}

/// The three boards of a position text.
fn text_shape() -> BoardShape {
    BoardShape::new(&[(3, 1), (3, 3)])
}

fn piece(side: Side, size: PieceSize) -> Piece {
    Piece {
        size: Some(size),
        ..Piece::of(side)
    }
}

/// The index of a kind of piece in [`Game::pieces`].
fn kind(side: Side, size: PieceSize) -> u8 {
    3 * side as u8 + size as u8
}

/// A size in moves.
fn letter(size: PieceSize) -> &'static str {
    &size.name()[..1]
}
