//! The boards of a nested position: marks, owners, and which cells are open to free moves.
//! Independent of the side to move.

use std::ops::ControlFlow;

use super::Depth;
use super::{FreeMoveTarget, NestedOptions, SharedBoards};
use crate::bitboard9::{self, FULL, has_line};
use crate::outcome::Side;
use crate::symmetry::SquareSymmetry;
use crate::view::Owner;

/// A depth-1 board in one word. Which cells are taken and how many are empty follows from the
/// marks, but every move of a playout depends on both, so they are stored.
///
/// ```text
///   31 … 28  27  26     …      18 17     …      9 8      …      0
///  [ empty │ · │ taken: i h … b a │ O: i h … b a │ X: i h … b a ]
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct LeafBoard(u32);

impl LeafBoard {
    pub(super) const EMPTY: LeafBoard = LeafBoard(9 << 28);

    #[inline]
    pub(super) fn place_mark(&mut self, side: Side, cell: u32) {
        let bit = 1u32.wrapping_shl(cell);
        self.0 = (self.0 | bit << (9 * side as u32) | bit << 18).wrapping_sub(1 << 28);
    }

    #[inline]
    pub(super) fn marks(self, side: Side) -> u32 {
        self.0 >> (9 * side as u32) & FULL
    }

    #[inline]
    pub(super) fn taken(self) -> u32 {
        self.0 >> 18 & FULL
    }

    #[inline]
    pub(super) fn count_empty(self) -> u32 {
        self.0 >> 28
    }

    #[inline]
    pub(super) fn is_full(self) -> bool {
        self.taken() == FULL
    }

    /// The mark in this cell.
    pub(super) fn mark_at(self, cell: u32) -> Option<Side> {
        Side::BOTH
            .into_iter()
            .find(|&side| self.marks(side) >> cell & 1 == 1)
    }

    pub(super) fn transformed(self, symmetry: SquareSymmetry) -> LeafBoard {
        let [x, o] = Side::BOTH.map(|side| bitboard9::transform(self.marks(side), symmetry));
        LeafBoard(x | o << 9 | (x | o) << 18 | self.count_empty() << 28)
    }

    /// The marks of both sides, one in each half of the word.
    pub(super) fn marks_of_both(self) -> u32 {
        self.marks(Side::X) | self.marks(Side::O) << 16
    }
}

/// All boards of a position.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(super) struct NestedBoards<D: Depth> {
    /// The depth-1 boards, in path order.
    pub(super) leaves: D::LeafBoards,
    /// The boards that contain them, level by level from the outermost.
    pub(super) parents: D::ParentBoards,
    /// For the boards of depth 3 or more, in the same order: how many cells are open to a free
    /// move. For boards of depth 2 it is faster to count on demand.
    pub(super) open_counts: D::OpenCounts,
    pub(super) depth: D,
}

/// A board of depth 2 or more: bits for each of its nine children.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct ParentBoard {
    /// The children owned by X (low half) and O (high half).
    pub(super) owned: u32,
    /// The children without a cell that is open to a free move: the full ones; with `free=open`
    /// also the won ones and those whose children are all closed.
    pub(super) closed: u32,
}

impl ParentBoard {
    #[inline]
    pub(super) fn owned_by(&self, side: Side) -> u32 {
        self.owned >> (16 * side as u32) & FULL
    }

    #[inline]
    pub(super) fn owned_by_any(&self) -> u32 {
        (self.owned | self.owned >> 16) & FULL
    }

    pub(super) fn owner(&self, place: usize) -> Owner {
        let [x, o] = Side::BOTH.map(|side| self.owned_by(side) >> place & 1 == 1);
        Owner::from_flags(x, o)
    }
}

/// The number of boards at each level.
pub(super) const POWERS: [usize; 7] = [1, 9, 81, 729, 6561, 59049, 531_441];

/// Where each level starts in `parents`.
pub(super) const OFFSETS: [usize; 6] = [0, 1, 10, 91, 820, 7381];

/// Not a board: nothing is excluded.
pub(super) const NO_BOARD: usize = usize::MAX;

#[inline]
pub(super) fn bit(place: usize) -> u32 {
    1 << place
}

/// The position of a board among its siblings, and the index of its parent, which is at this
/// level.
#[inline(always)]
pub(super) fn parent_of(level: u32, index: usize) -> (usize, usize) {
    // At level 0 this saves a division.
    if level == 0 {
        (index, 0)
    } else {
        (index % 9, index / 9)
    }
}

impl<D: Depth> NestedBoards<D> {
    #[inline]
    pub(super) fn parent_at(&self, level: u32, index: usize) -> ParentBoard {
        let offset = OFFSETS[level as usize] + index;
        self.parents
            .as_ref()
            .get(offset)
            .copied()
            .unwrap_or_default()
    }

    #[inline]
    pub(super) fn leaf(&self, board: usize) -> LeafBoard {
        self.leaves
            .as_ref()
            .get(board)
            .copied()
            .unwrap_or(LeafBoard::EMPTY)
    }

    #[inline]
    pub(super) fn is_full(&self, board: usize) -> bool {
        self.leaf(board).is_full()
    }

    /// Does anyone own this board of this level, or one that contains it?
    #[inline]
    pub(super) fn is_won_at(&self, level: u32, mut index: usize) -> bool {
        (0..level).rev().any(|outer| {
            let place;
            (place, index) = parent_of(outer, index);
            self.parent_at(outer, index).owned_by_any() >> place & 1 == 1
        })
    }

    #[inline]
    pub(super) fn is_won(&self, board: usize) -> bool {
        self.is_won_at(self.depth.get() - 1, board)
    }

    /// Is this depth-1 board, or one that contains it, closed to free moves?
    #[inline(always)]
    pub(super) fn is_closed(&self, board: usize) -> bool {
        let mut index = board;
        (0..self.depth.get() - 1).rev().any(|level| {
            let place;
            (place, index) = parent_of(level, index);
            self.parent_at(level, index).closed >> place & 1 == 1
        })
    }

    /// Is any cell open to a free move?
    #[inline]
    pub(super) fn has_open_cell(&self) -> bool {
        self.parent_at(0, 0).closed != FULL
    }

    pub(super) fn has_open_cell_outside(&self, board: usize) -> bool {
        let mut index = board;
        (0..self.depth.get() - 1).rev().any(|level| {
            let place;
            (place, index) = parent_of(level, index);
            (self.parent_at(level, index).closed | bit(place)) != FULL
        })
    }

    /// Visits the depth-1 boards inside a board that are open to free moves, in order.
    #[inline]
    pub(super) fn visit_open<B>(
        &self,
        level: u32,
        index: usize,
        visit: &mut impl FnMut(usize) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        let open = !self.parent_at(level, index).closed & FULL;
        for place in bitboard9::members(open) {
            let child = index * 9 + place as usize;
            if level + 2 >= self.depth.get() {
                visit(child)?;
            } else {
                self.visit_open(level + 1, child, visit)?;
            }
        }
        ControlFlow::Continue(())
    }

    /// Places a mark for `me` and updates everything that follows from it. Returns whether `me`
    /// now owns the outermost board.
    #[inline]
    pub(super) fn place_mark(
        &mut self,
        options: &NestedOptions,
        me: Side,
        board: usize,
        cell: u32,
    ) -> bool {
        let Some(marked) = self.leaves.as_mut().get_mut(board) else {
            return false;
        };
        marked.place_mark(me, cell);
        let mut line = has_line(marked.marks(me));
        let mut child_closed = marked.is_full();
        // How many cells are no longer open to free moves.
        let mut removed = 1;
        let (mut child, depth) = (board, self.depth.get());
        for level in (0..depth - 1).rev() {
            if !(line | child_closed) {
                self.subtract_open_cells(level, child, removed);
                return false;
            }
            let (place, index) = parent_of(level, child);
            let offset = OFFSETS[level as usize] + index;
            let Some(parent) = self.parents.as_mut().get_mut(offset) else {
                return false;
            };
            let already_owned = match options.shared_boards {
                SharedBoards::Forbidden => parent.owned_by_any(),
                SharedBoards::Allowed => parent.owned_by(me),
            };
            let gained = u32::from(line) << place & !already_owned;
            parent.owned |= gained << (16 * me as u32);
            line = (gained != 0) & has_line(parent.owned_by(me));
            let closed = match options.free_move_target {
                FreeMoveTarget::OpenBoards => gained,
                FreeMoveTarget::AnyBoard => 0,
            };
            let newly_closed = u32::from(child_closed) << place | closed;
            parent.closed |= newly_closed;
            child_closed = (newly_closed != 0) & (parent.closed == FULL);
            if depth > 2 {
                if closed != 0 {
                    removed += self.count_open_in(level + 1, child);
                }
                self.subtract_at(offset, removed);
            }
            child = index;
        }
        line
    }

    /// Restores a depth-1 board and those that contain it from `other`: everything that a mark in
    /// it can change.
    pub(super) fn restore_from(&mut self, other: &NestedBoards<D>, board: usize) {
        if let Some(marks) = self.leaves.as_mut().get_mut(board) {
            *marks = other.leaf(board);
        }
        let mut child = board;
        for level in (0..self.depth.get() - 1).rev() {
            child = parent_of(level, child).1;
            let offset = OFFSETS[level as usize] + child;
            if let Some(parent) = self.parents.as_mut().get_mut(offset) {
                *parent = other.parent_at(level, child);
            }
            if let Some(count) = self.open_counts.as_mut().get_mut(offset) {
                *count = other.open_count_at(level, child);
            }
        }
    }

    /// Subtracts cells from one open count. Out of line because a board is rarely won or filled: what is inlined where marks
    /// are placed has to stay small.
    #[cold]
    #[inline(never)]
    fn subtract_at(&mut self, offset: usize, removed: u32) {
        if let Some(count) = self.open_counts.as_mut().get_mut(offset) {
            *count = count.wrapping_sub(removed);
        }
    }

    /// Subtracts cells from the open counts of all boards that contain a child, starting with
    /// the one at this level.
    #[inline]
    fn subtract_open_cells(&mut self, level: u32, mut child: usize, removed: u32) {
        let counts = self.open_counts.as_mut();
        for level in (0..=level).rev() {
            child = parent_of(level, child).1;
            if let Some(count) = counts.get_mut(OFFSETS[level as usize] + child) {
                *count = count.wrapping_sub(removed);
            }
        }
    }

    #[inline]
    pub(super) fn open_count_at(&self, level: u32, index: usize) -> u32 {
        let offset = OFFSETS[level as usize] + index;
        self.open_counts
            .as_ref()
            .get(offset)
            .copied()
            .unwrap_or_default()
    }

    /// How many cells of board `index` of `level` are open to free moves.
    pub(super) fn count_open_in(&self, level: u32, index: usize) -> u32 {
        let depth = self.depth.get();
        if level + 1 == depth {
            self.leaf(index).count_empty()
        } else if level + 2 == depth {
            self.count_depth_2(index, NO_BOARD)
        } else {
            self.open_count_at(level, index)
        }
    }

    /// The same for a board of depth 2, excluding one of its boards.
    #[inline(always)]
    fn count_depth_2(&self, index: usize, excluded: usize) -> u32 {
        let mut count = 0;
        for board in self.open_in_depth_2(index) {
            if board != excluded {
                count += self.leaf(board).count_empty();
            }
        }
        count
    }

    /// The open boards inside a board of depth 2.
    #[inline(always)]
    fn open_in_depth_2(&self, index: usize) -> impl Iterator<Item = usize> + use<D> {
        let child_closed = self
            .parent_at(self.depth.get().saturating_sub(2), index)
            .closed;
        bitboard9::members(!child_closed & FULL).map(move |place| index * 9 + place as usize)
    }

    /// How many cells inside board `index` of `level` are open to a free move, excluding one
    /// depth-1 board.
    #[inline(always)]
    pub(super) fn count_open(&self, level: u32, index: usize, excluded: usize) -> u32 {
        let depth = self.depth.get();
        if depth == 2 || level + 2 == depth {
            return self.count_depth_2(index, excluded);
        }
        let count = self.open_count_at(level, index);
        if excluded == NO_BOARD {
            return count;
        }
        // A board is only excluded if won boards are open, so its empty cells have been counted.
        count.wrapping_sub(self.leaf(excluded).count_empty())
    }

    /// The n-th cell inside board `index` of `level` that is open to a free move, excluding one
    /// depth-1 board. Boards that don't contain it are skipped as a whole.
    #[inline(always)]
    pub(super) fn nth_open(
        &self,
        level: u32,
        mut index: usize,
        excluded: usize,
        mut n: u32,
    ) -> Option<(usize, u32)> {
        let depth = self.depth.get();
        if depth > 2 {
            for level in level..depth - 2 {
                let mut children = bitboard9::members(!self.parent_at(level, index).closed & FULL);
                index = children.find_map(|place| {
                    let child = index * 9 + place as usize;
                    let contains_excluded =
                        excluded / POWERS[(depth - 2 - level) as usize] == child;
                    let excluded = if contains_excluded {
                        excluded
                    } else {
                        NO_BOARD
                    };
                    let count = self.count_open(level + 1, child, excluded);
                    if n < count {
                        return Some(child);
                    }
                    n -= count;
                    None
                })?;
            }
        }
        for board in self.open_in_depth_2(index) {
            let cells = self.leaf(board);
            if board == excluded {
                continue;
            }
            if n < cells.count_empty() {
                return Some((board, bitboard9::nth_unset(cells.taken(), n)));
            }
            n -= cells.count_empty();
        }
        None
    }

    /// Does this side have a line on board `index` of `level`?
    pub(super) fn has_line(&self, level: u32, index: usize, side: Side) -> bool {
        if level + 1 == self.depth.get() {
            has_line(self.leaf(index).marks(side))
        } else {
            has_line(self.parent_at(level, index).owned_by(side))
        }
    }

    pub(super) fn has_lines(&self, level: u32, index: usize) -> [bool; 2] {
        Side::BOTH.map(|side| self.has_line(level, index, side))
    }
}
