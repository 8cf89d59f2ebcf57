//! Nested boards, "Ception": one set of rules for every depth.
//!
//! The same code serves every depth. Depths 1 to 3 are monomorphized, so that loops over
//! levels unroll and positions are plain arrays; deeper ones share one version with its arrays
//! on the heap ([`Depth`]).

mod board_drawing;
mod boards;
mod depth;
mod drawing;
mod formats;
mod move_area;
mod options;
mod places;
mod planes;
mod text;

use std::ops::ControlFlow;

use rand_core::Rng;

pub use boards::{LeafBoard, ParentBoard};
pub use depth::{D1, D2, D3, Depth, DynDepth, Rule5a, Ultimate};
pub use move_area::{ClosedReason, MoveArea};
pub(crate) use options::INFO;
pub use options::{FreeMoveTarget, NestedOptions, SharedBoards, Tiebreak, TrailRule, WonBoardRule};
pub use places::path_text;

use boards::{NO_BOARD, NestedBoards, OFFSETS, POWERS, bit, parent_of};

use crate::bitboard9::{self, FULL};
use crate::drawing::Drawing;
use crate::error::{MoveError, MoveErrorKind, SetupError};
use crate::game::{Game, random_below};
use crate::hash::PositionHasher;
use crate::outcome::{Ending, Outcome, Side};
use crate::symmetry::{SquareSymmetry, Symmetry};
use crate::variant::Variant;
use crate::view::{BoardShape, CellView, Owner, Piece, Place, Target};

/// The rules of a nested board of some depth.
///
/// ```
/// use noughts_rules::{Game, Nested};
///
/// let game = Nested::ultimate();
/// let start = game.start();
/// assert_eq!(game.count_moves(&start), 81);
///
/// // The center of the center board sends O to the center board again.
/// let next = game.play(start, game.parse_move("ee")?).map_err(|error| error.reason)?;
/// assert_eq!(game.count_moves(&next), 8);
/// let error = game.play(next, game.parse_move("aa")?).unwrap_err();
/// assert_eq!(
///     error.to_string(),
///     "you have to play in board e, which still has empty cells",
/// );
/// # Ok::<(), noughts_rules::MoveError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Nested<D: Depth> {
    options: NestedOptions,
    depth: D,
}

/// `ultimate`.
pub type UltimateGame = Nested<Ultimate>;
/// `ception:5a`.
pub type Rule5aGame = Nested<Rule5a>;
/// A board of depth 1.
pub type Depth1Game = Nested<D1>;
/// Other boards of depth 2.
pub type Depth2Game = Nested<D2>;
/// Boards of depth 3.
pub type Depth3Game = Nested<D3>;
/// Deeper boards.
pub type DeepGame = Nested<DynDepth>;

/// A position of a nested board.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct NestedPosition<D: Depth> {
    boards: NestedBoards<D>,
    turn: TurnState,
}

impl<D: Depth> Copy for NestedPosition<D>
where
    D::LeafBoards: Copy,
    D::ParentBoards: Copy,
    D::OpenCounts: Copy,
{
}

/// Accessors for evaluation and tablebases: sets of nine cells or boards as bits; `a` is the
/// lowest.
impl<D: Depth> NestedPosition<D> {
    /// The marks of a side on a depth-1 board; boards are in path order.
    #[inline]
    #[must_use]
    pub fn marks(&self, board: usize, side: Side) -> u32 {
        self.boards.leaf(board).marks(side)
    }

    /// Which children of the outermost board a side owns. On a board of depth 1 the children are
    /// cells.
    #[inline]
    #[must_use]
    pub fn owned_boards(&self, side: Side) -> u32 {
        match self.boards.parents.as_ref().first() {
            Some(parent) => parent.owned_by(side),
            None => self.marks(0, side),
        }
    }

    /// Which children of the outermost board have no cell that is open to a free move.
    #[inline]
    #[must_use]
    pub fn closed_boards(&self) -> u32 {
        match self.boards.parents.as_ref().first() {
            Some(parent) => parent.closed,
            None => self.boards.leaf(0).taken(),
        }
    }

    /// Which children of board `index` of `level` a side owns; level 0 is the outermost board, and
    /// the last one the depth-1 boards, whose children are marks.
    #[must_use]
    pub fn owned_children(&self, level: u32, index: usize, side: Side) -> u32 {
        if level + 1 >= self.boards.depth.get() {
            self.marks(index, side)
        } else {
            self.boards.parent_at(level, index).owned_by(side)
        }
    }
}

/// Everything except the boards that determines the legal moves. It is separate so that a
/// playout can keep it in registers.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
struct TurnState {
    /// The trail, read as a base-9 number.
    trail: u16,
    /// How many letters the trail has.
    trail_len: u8,
    side: Side,
    extra: bool,
    outcome: Option<Outcome>,
}

/// A cell of a nested board: its path, read as a base-9 number.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct NestedMove(u32);

impl NestedMove {
    #[inline]
    fn new(board: usize, cell: u32) -> NestedMove {
        NestedMove(board as u32 * 9 + cell)
    }

    /// The move to the cell with this index, in path order. An index beyond the board isn't a
    /// legal move.
    #[must_use]
    pub fn from_index(cell: usize) -> NestedMove {
        NestedMove(u32::try_from(cell).unwrap_or(u32::MAX))
    }

    /// The index of the cell.
    #[must_use]
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// The boards where the next move can go.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Area {
    Nowhere,
    /// The empty cells of one depth-1 board.
    Board(usize),
    /// The cells open to a free move inside board `index` of `level`, excluding one depth-1 board
    /// (`NO_BOARD` if the target is closed anyway).
    Free {
        level: u32,
        index: usize,
        excluded: usize,
    },
}

impl Nested<Ultimate> {
    /// Ultimate tic-tac-toe with the usual rules.
    #[must_use]
    pub fn ultimate() -> Nested<Ultimate> {
        Nested {
            options: NestedOptions::ULTIMATE,
            depth: Ultimate,
        }
    }
}

impl<D: Depth> Nested<D> {
    /// The game with these options, if `D` supports their depth.
    #[must_use]
    pub fn new(options: NestedOptions) -> Option<Nested<D>> {
        let fits = D::OPTIONS.is_none_or(|fixed| fixed == options);
        let depth = D::new(u32::from(options.depth))?;
        fits.then_some(Nested { options, depth })
    }

    /// The options.
    #[must_use]
    #[inline(always)]
    pub fn options(&self) -> &NestedOptions {
        match &D::OPTIONS {
            Some(fixed) => fixed,
            None => &self.options,
        }
    }

    #[inline]
    fn closes_won_boards(&self) -> bool {
        self.options().free_move_target == FreeMoveTarget::OpenBoards
    }

    /// The board that the trail names, if it is complete.
    #[inline]
    fn target(&self, turn: TurnState) -> Option<usize> {
        let depth = self.depth.get();
        (depth > 1 && u32::from(turn.trail_len) == depth - 1).then_some(usize::from(turn.trail))
    }

    /// Must a player who is sent to this depth-1 board play in it?
    #[inline]
    fn is_target_playable(&self, boards: &NestedBoards<D>, board: usize) -> bool {
        if self.closes_won_boards() {
            return !boards.is_closed(board);
        }
        !boards.is_full(board)
            && (self.options().won_board_rule != WonBoardRule::FreeMove || !boards.is_won(board))
    }

    /// The smallest board around the target that has a cell open to a free move.
    ///
    /// Walks outward. `has_open` is true if a free move could go anywhere in the boards visited so
    /// far, except the target.
    fn free_area(&self, boards: &NestedBoards<D>, target: usize) -> Area {
        let mut has_open = false;
        let mut index = target;
        for level in (0..self.depth.get() - 1).rev() {
            let place;
            (place, index) = parent_of(level, index);
            has_open |= (boards.parent_at(level, index).closed | bit(place)) != FULL;
            if self.options().won_board_rule == WonBoardRule::FreeMove
                && boards.is_won_at(level, index)
            {
                // A won board doesn't confine a free move; with `free=open` it has no open cell either.
                has_open &= !self.closes_won_boards();
            } else if has_open {
                return Area::Free {
                    level,
                    index,
                    excluded: self.excluded_target(target),
                };
            }
        }
        Area::Nowhere
    }

    #[inline(always)]
    fn area(&self, boards: &NestedBoards<D>, turn: TurnState) -> Area {
        if turn.outcome.is_some() {
            return Area::Nowhere;
        }
        if self.depth.get() == 1 {
            return Area::Board(0);
        }
        match self.target(turn) {
            Some(target) if self.is_target_playable(boards, target) => Area::Board(target),
            Some(target) if self.depth.get() > 2 => self.free_area(boards, target),
            target => Area::Free {
                level: 0,
                index: 0,
                excluded: target.map_or(NO_BOARD, |target| self.excluded_target(target)),
            },
        }
    }

    /// With `free=open`, a target that can't be played in is closed, so it needn't be excluded
    /// from a free move.
    #[inline]
    fn excluded_target(&self, target: usize) -> usize {
        if self.closes_won_boards() {
            NO_BOARD
        } else {
            target
        }
    }

    /// Is there a legal move, as far as the boards are concerned (the game may be over)?
    #[inline(always)]
    fn has_move(&self, boards: &NestedBoards<D>, turn: TurnState) -> bool {
        if self.depth.get() == 1 {
            return !boards.is_full(0);
        }
        let Some(target) = self.target(turn) else {
            return boards.has_open_cell();
        };
        if self.is_target_playable(boards, target) {
            true
        } else if self.closes_won_boards() || boards.is_full(target) {
            boards.has_open_cell()
        } else {
            boards.has_open_cell_outside(target)
        }
    }

    /// Will the side to move move again (5c, 5d)?
    #[inline]
    fn moves_again(&self, boards: &NestedBoards<D>, turn: TurnState) -> bool {
        let again = match self.options().won_board_rule {
            WonBoardRule::PlayOn | WonBoardRule::FreeMove => false,
            WonBoardRule::ExtraMove => !turn.extra,
            WonBoardRule::ExtraMoveChain => true,
        };
        again
            && self
                .target(turn)
                .is_some_and(|target| !boards.is_full(target) && boards.is_won(target))
    }

    /// The result if there is no legal move.
    #[cold]
    fn count_boards(&self, boards: &NestedBoards<D>) -> Outcome {
        if self.options().tiebreak == Tiebreak::Draw || self.depth.get() == 1 {
            return Outcome::Draw;
        }
        let parent = boards.parent_at(0, 0);
        let [x, o] = Side::BOTH.map(|side| parent.owned_by(side).count_ones());
        match x.cmp(&o) {
            std::cmp::Ordering::Greater => Outcome::Win(Side::X),
            std::cmp::Ordering::Less => Outcome::Win(Side::O),
            std::cmp::Ordering::Equal => Outcome::Draw,
        }
    }

    /// Makes a legal move on the boards; returns the state of the next turn.
    #[inline(always)]
    fn step(
        &self,
        boards: &mut NestedBoards<D>,
        turn: TurnState,
        board: usize,
        cell: u32,
    ) -> TurnState {
        let depth = self.depth.get();
        let mover = turn.side;
        let again = self.moves_again(boards, turn);
        let won = boards.place_mark(self.options(), mover, board, cell);

        // The new letter is appended to the letters kept from the move or from the trail.
        let (before, letters) = match self.options().trail_rule {
            TrailRule::Suffix => (board, depth - 1),
            TrailRule::History => (usize::from(turn.trail), u32::from(turn.trail_len) + 1),
        };
        let mut next = TurnState {
            extra: again,
            side: if again { mover } else { mover.other() },
            ..turn
        };
        if depth > 1 {
            next.trail = (before % POWERS[depth as usize - 2]) as u16 * 9 + cell as u16;
            next.trail_len = letters.min(depth - 1) as u8;
        }
        if won {
            next.outcome = Some(Outcome::Win(mover));
        } else if !self.has_move(boards, next) {
            next.outcome = Some(self.count_boards(boards));
        }
        next
    }

    /// A uniformly random legal cell, as depth-1 board and cell in it.
    #[inline(always)]
    fn random_cell(
        &self,
        boards: &NestedBoards<D>,
        turn: TurnState,
        rng: &mut (impl Rng + ?Sized),
    ) -> Option<(usize, u32)> {
        let area = self.area(boards, turn);
        if let Area::Board(board) = area {
            let cells = boards.leaf(board);
            let n = random_below(cells.count_empty(), rng);
            return Some((board, bitboard9::nth_unset(cells.taken(), n)));
        }
        match self.count_area(boards, area) {
            0 => None,
            n => self.nth_in_area(boards, area, random_below(n, rng)),
        }
    }

    #[inline]
    fn count_area(&self, boards: &NestedBoards<D>, area: Area) -> u32 {
        match area {
            Area::Nowhere => 0,
            Area::Board(board) => boards.leaf(board).count_empty(),
            Area::Free {
                level,
                index,
                excluded,
            } => boards.count_open(level, index, excluded),
        }
    }

    #[inline]
    fn nth_in_area(&self, boards: &NestedBoards<D>, area: Area, n: u32) -> Option<(usize, u32)> {
        match area {
            Area::Nowhere => None,
            Area::Board(board) => {
                let board_cells = boards.leaf(board);
                (n < board_cells.count_empty())
                    .then(|| (board, bitboard9::nth_unset(board_cells.taken(), n)))
            }
            Area::Free {
                level,
                index,
                excluded,
            } => boards.nth_open(level, index, excluded, n),
        }
    }

    /// Calls `visit` with the depth-1 boards of an area, in order.
    #[inline]
    fn visit_boards<B>(
        &self,
        boards: &NestedBoards<D>,
        area: Area,
        mut visit: impl FnMut(usize) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        match area {
            Area::Nowhere => ControlFlow::Continue(()),
            Area::Board(board) => visit(board),
            Area::Free {
                level,
                index,
                excluded,
            } => boards.visit_open(level, index, &mut |board| {
                if board == excluded {
                    ControlFlow::Continue(())
                } else {
                    visit(board)
                }
            }),
        }
    }
}

impl<D: Depth> Game for Nested<D> {
    type Position = NestedPosition<D>;
    type Move = NestedMove;

    fn variant(&self) -> Variant {
        self.options().variant()
    }

    fn start(&self) -> NestedPosition<D> {
        NestedPosition {
            boards: NestedBoards {
                leaves: self.depth.empty_leaves(),
                parents: self.depth.empty_parents(),
                open_counts: self.depth.full_open_counts(),
                depth: self.depth,
            },
            turn: TurnState {
                trail: 0,
                trail_len: 0,
                side: Side::X,
                extra: false,
                outcome: None,
            },
        }
    }

    #[inline]
    fn side(&self, position: &NestedPosition<D>) -> Side {
        position.turn.side
    }

    #[inline]
    fn outcome(&self, position: &NestedPosition<D>) -> Option<Outcome> {
        position.turn.outcome
    }

    fn ending(&self, position: &NestedPosition<D>) -> Option<Ending> {
        position.turn.outcome.map(|outcome| match outcome.winner() {
            Some(winner) if position.boards.has_line(0, 0, winner) => Ending::Line,
            _ if self.options().tiebreak == Tiebreak::MostBoards => Ending::MostBoards,
            _ => Ending::NoMove,
        })
    }

    fn count_pieces(&self, position: &NestedPosition<D>) -> usize {
        let boards = position.boards.leaves.as_ref().iter();
        boards.map(|board| 9 - board.count_empty() as usize).sum()
    }

    fn max_plies_left(&self, position: &NestedPosition<D>) -> Option<u32> {
        Some(self.count_open_cells(position))
    }

    #[inline]
    fn visit_moves<B>(
        &self,
        position: &NestedPosition<D>,
        mut visit: impl FnMut(NestedMove) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        let boards = &position.boards;
        self.visit_boards(boards, self.area(boards, position.turn), |board| {
            for cell in bitboard9::members(boards.leaf(board).taken() ^ FULL) {
                visit(NestedMove::new(board, cell))?;
            }
            ControlFlow::Continue(())
        })
    }

    #[inline]
    fn count_moves(&self, position: &NestedPosition<D>) -> usize {
        let area = self.area(&position.boards, position.turn);
        self.count_area(&position.boards, area) as usize
    }

    #[inline]
    fn nth_move(&self, position: &NestedPosition<D>, n: usize) -> Option<NestedMove> {
        let n = u32::try_from(n).ok()?;
        let area = self.area(&position.boards, position.turn);
        let (board, cell) = self.nth_in_area(&position.boards, area, n)?;
        Some(NestedMove::new(board, cell))
    }

    #[inline(always)]
    fn apply(&self, position: &mut NestedPosition<D>, mv: NestedMove) {
        let (board, cell) = ((mv.0 / 9) as usize, mv.0 % 9);
        position.turn = self.step(&mut position.boards, position.turn, board, cell);
    }

    #[inline]
    fn random_move(
        &self,
        position: &NestedPosition<D>,
        rng: &mut (impl Rng + ?Sized),
    ) -> Option<NestedMove> {
        let (board, cell) = self.random_cell(&position.boards, position.turn, rng)?;
        Some(NestedMove::new(board, cell))
    }

    fn playout(
        &self,
        position: &mut NestedPosition<D>,
        rng: &mut (impl Rng + ?Sized),
    ) -> (Outcome, u32) {
        let NestedPosition { boards, turn } = position;
        let (mut now, mut plies) = (*turn, 0);
        while let Some((board, cell)) = self.random_cell(boards, now, rng) {
            now = self.step(boards, now, board, cell);
            plies += 1;
        }
        *turn = now;
        (now.outcome.unwrap_or(Outcome::Draw), plies)
    }

    fn check(&self, position: &NestedPosition<D>, mv: NestedMove) -> Result<(), MoveError> {
        self.check_move(position, mv)
    }

    fn hash(&self, position: &NestedPosition<D>) -> u64 {
        let mut hasher = PositionHasher::new();
        for pair in position.boards.leaves.as_ref().chunks(2) {
            let word = |i: usize| {
                u64::from(
                    pair.get(i)
                        .map_or(0, |board: &LeafBoard| board.marks_of_both()),
                )
            };
            hasher.add(word(0) | word(1) << 32);
        }
        // Which boards are closed follows from the marks and owners.
        for parent in position.boards.parents.as_ref() {
            hasher.add(u64::from(parent.owned));
        }
        let turn = position.turn;
        hasher.add(
            u64::from(turn.trail)
                | u64::from(turn.trail_len) << 16
                | (turn.side as u64) << 24
                | u64::from(turn.extra) << 25,
        );
        hasher.finish()
    }

    fn count_symmetries(&self) -> u32 {
        SquareSymmetry::ALL.len() as u32
    }

    fn symmetry_name(&self, symmetry: Symmetry) -> String {
        symmetry.of_square().name().to_owned()
    }

    fn map_position(&self, position: &NestedPosition<D>, symmetry: Symmetry) -> NestedPosition<D> {
        let (depth, symmetry) = (self.depth.get(), symmetry.of_square());
        let mut image = position.clone();
        let marks = image.boards.leaves.as_mut();
        for (index, &from) in position.boards.leaves.as_ref().iter().enumerate() {
            if let Some(to) = marks.get_mut(map_path(index, depth - 1, symmetry)) {
                *to = from.transformed(symmetry);
            }
        }
        let parents = image.boards.parents.as_mut();
        for level in 0..depth - 1 {
            for index in 0..POWERS[level as usize] {
                let from = position.boards.parent_at(level, index);
                let offset = OFFSETS[level as usize] + map_path(index, level, symmetry);
                if let Some(to) = parents.get_mut(offset) {
                    *to = ParentBoard {
                        owned: both_images(from.owned, symmetry),
                        closed: bitboard9::transform(from.closed, symmetry),
                    };
                }
                if let Some(to) = image.boards.open_counts.as_mut().get_mut(offset) {
                    *to = position.boards.open_count_at(level, index);
                }
            }
        }
        let TurnState {
            trail, trail_len, ..
        } = position.turn;
        image.turn.trail = map_path(trail.into(), trail_len.into(), symmetry) as u16;
        image
    }

    fn map_move(&self, mv: NestedMove, symmetry: Symmetry) -> NestedMove {
        NestedMove::from_index(map_path(mv.index(), self.depth.get(), symmetry.of_square()))
    }

    fn text(&self, position: &NestedPosition<D>) -> String {
        self.position_text(position)
    }

    fn parse(&self, text: &str) -> Result<NestedPosition<D>, SetupError> {
        self.parse_position_text(text)
    }

    fn to_digits(&self, position: &NestedPosition<D>) -> Option<String> {
        let is_ultimate = *self.options() == NestedOptions::ULTIMATE;
        is_ultimate.then(|| self.uttt_digits(position))
    }

    fn board(&self) -> BoardShape {
        BoardShape::new(&vec![(3, 3); self.depth.get() as usize])
    }

    fn cell(&self, position: &NestedPosition<D>, place: Place) -> CellView {
        let (level, index) = (u32::from(place.level), place.index as usize);
        if level < self.depth.get() {
            let owner = self.owner(position, level, index);
            return CellView {
                owner,
                is_dead: owner != Owner::Nobody && level > 0 && self.closes_won_boards(),
                ..CellView::default()
            };
        }
        let marks = |side| position.marks(index / 9, side) >> (index % 9) & 1 == 1;
        let side = Side::BOTH.into_iter().find(|&side| marks(side));
        CellView::with_piece(side.map(Piece::of))
    }

    fn taps(&self, mv: NestedMove) -> Vec<Target> {
        vec![Target::Place(Place::new(self.depth.get() as u8, mv.0))]
    }

    fn winning_lines(&self, position: &NestedPosition<D>) -> Vec<Vec<Place>> {
        let line = self.winning_line(position);
        let full = crate::bitboard9::LINES.into_iter();
        let lines = full.filter(|members| line & members == *members);
        let places = |members: u32| bitboard9::members(members).map(|place| Place::new(1, place));
        lines.map(|members| places(members).collect()).collect()
    }

    fn place_name(&self, place: Place) -> String {
        path_text(place.index as usize, place.level.into())
    }

    fn parse_place(&self, text: &str) -> Option<Place> {
        let mv = self.parse_path(text).ok()?;
        Some(Place::new(self.depth.get() as u8, mv.0))
    }

    fn accepts_move(&self, position: &NestedPosition<D>, place: Place) -> bool {
        self.accepts_move_at(position, place.level.into(), place.index as usize)
    }

    fn tap(
        &self,
        position: &NestedPosition<D>,
        taps: &[Target],
    ) -> Result<(Option<NestedMove>, Vec<Target>), MoveError> {
        match taps {
            [Target::Place(place)] if u32::from(place.level) == self.depth.get() => {
                let mv = NestedMove(place.index);
                self.check(position, mv)?;
                Ok((Some(mv), Vec::new()))
            }
            _ => Err(MoveError::new(
                MoveErrorKind::NotAllowed,
                "tap a cell to make a move",
            )),
        }
    }

    fn actions(&self) -> Vec<NestedMove> {
        (0..self.count_actions())
            .map(NestedMove::from_index)
            .collect()
    }

    fn parse_move(&self, text: &str) -> Result<NestedMove, MoveError> {
        self.parse_path(text)
    }

    fn move_text(&self, mv: NestedMove) -> String {
        path_text(mv.index(), self.depth.get())
    }

    #[inline]
    fn count_actions(&self) -> usize {
        POWERS[self.depth.get() as usize]
    }

    #[inline]
    fn action(&self, mv: NestedMove) -> usize {
        mv.index()
    }

    #[inline]
    fn move_from_action(&self, action: usize) -> Option<NestedMove> {
        (action < self.count_actions()).then(|| NestedMove::from_index(action))
    }

    /// The marks of the side to move and those of the opponent. On boards deeper than one, then, for each level from the
    /// outermost: the boards that the side to move owns and those that the opponent owns, spread over all of their cells;
    /// the board named by the trail so far, all zeros if there is no trail; under 5c and 5d all ones if the next move is an
    /// extra move. Cells are in path order.
    fn observation_shape(&self) -> Vec<usize> {
        let mut shape = vec![self.count_planes()];
        shape.resize(1 + self.depth.get() as usize, 9);
        shape
    }

    fn opponents_planes(&self, _: Side) -> Vec<usize> {
        // The marks and the owners of each level are pairs.
        let pairs = 2 * self.depth.get() as usize;
        let planes = 0..self.count_planes();
        planes
            .map(|plane| if plane < pairs { plane ^ 1 } else { plane })
            .collect()
    }

    #[inline]
    fn write_observation(&self, position: &NestedPosition<D>, planes: &mut [u8]) {
        self.write_planes(position, planes);
    }

    #[inline]
    fn write_action_mask(&self, position: &NestedPosition<D>, mask: &mut [i8]) {
        self.write_mask(position, mask);
    }

    fn render(
        &self,
        position: &NestedPosition<D>,
        last: Option<NestedMove>,
        is_ongoing: bool,
    ) -> Drawing {
        self.drawing(position, last, is_ongoing)
    }

    fn check_place(&self, position: &NestedPosition<D>, place: Place) -> Result<(), MoveError> {
        self.check_board(position, place.level.into(), place.index as usize)
    }

    fn count_open_cells(&self, position: &NestedPosition<D>, place: Place) -> u32 {
        let (level, index) = (u32::from(place.level), place.index as usize);
        if level < self.depth.get() {
            return position.boards.count_open_in(level, index);
        }
        let taken = position.boards.leaf(index / 9).taken();
        u32::from(taken >> (index % 9) & 1 == 0)
    }

    fn board_after(&self, position: &NestedPosition<D>, mv: NestedMove) -> Option<Place> {
        let mut board = None;
        self.preview_moves(position, std::iter::once(mv), |_, after| {
            board = self.target_place(after);
        });
        board
    }

    fn consequence(&self, position: &NestedPosition<D>, mv: NestedMove) -> Option<String> {
        self.consequence_text(position, mv)
    }

    fn prompt(&self, position: &NestedPosition<D>) -> String {
        self.prompt_text(position)
    }
}

/// X's half and O's half, each rotated or reflected.
fn both_images(halves: u32, symmetry: SquareSymmetry) -> u32 {
    bitboard9::transform(halves & FULL, symmetry)
        | bitboard9::transform(halves >> 16, symmetry) << 16
}

/// Each letter of a path rotated or reflected.
fn map_path(index: usize, letters: u32, symmetry: SquareSymmetry) -> usize {
    let mut image = 0;
    for letter in (0..letters).rev() {
        let place = (index / POWERS[letter as usize]) % 9;
        let (col, row) = symmetry.apply((place % 3) as u8, (place / 3) as u8, 3, 3);
        image = image * 9 + usize::from(row * 3 + col);
    }
    image
}
