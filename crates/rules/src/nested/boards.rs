//! The boards of a nested position: marks, owners, and where there is room.
//! Knows nothing of whose turn it is.

use std::ops::ControlFlow;

use super::Depth;
use crate::bitboard9::{self, FULL, has_line};
use crate::outcome::Side;
use crate::setup::Owner;
use crate::symmetry::Symmetry;
use crate::variant::{FreeMoveTarget, NestedOptions, SharedBoards};

/// A depth-1 board in one word. Which cells are taken and how many are empty
/// follows from the marks; but each move of a random game waits for just that,
/// so it is kept ready.
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
    pub(super) fn place_mark(&mut self, player: Side, cell: u32) {
        let bit = 1u32.wrapping_shl(cell);
        self.0 = (self.0 | bit << (9 * player as u32) | bit << 18).wrapping_sub(1 << 28);
    }

    #[inline]
    pub(super) fn marks(self, player: Side) -> u32 {
        self.0 >> (9 * player as u32) & FULL
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

    /// Whose mark is in this cell.
    pub(super) fn mark_at(self, cell: u32) -> Option<Side> {
        Side::BOTH
            .into_iter()
            .find(|&player| self.marks(player) >> cell & 1 == 1)
    }

    pub(super) fn transformed(self, symmetry: Symmetry) -> LeafBoard {
        let [x, o] = Side::BOTH.map(|player| bitboard9::transform(self.marks(player), symmetry));
        LeafBoard(x | o << 9 | (x | o) << 18 | self.count_empty() << 28)
    }

    /// The marks of both players, one half-word each.
    pub(super) fn marks_of_both(self) -> u32 {
        self.marks(Side::X) | self.marks(Side::O) << 16
    }
}

/// All boards of a position.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(super) struct Boards<D: Depth> {
    /// The depth-1 boards, in the order of their paths.
    pub(super) leaves: D::LeafBoards,
    /// The boards around them, level by level from the outermost.
    pub(super) parents: D::ParentBoards,
    /// For the boards of depth 3 or more, ordered likewise: how many cells a free
    /// move inside could go to. Those of depth 2 are quicker counted when asked.
    pub(super) open_counts: D::OpenCounts,
    pub(super) depth: D,
}

/// A board of depth 2 or more: what is true of its nine children, as bits.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct ParentBoard {
    /// The children that X (low half) and O (high half) own.
    pub(super) owned: u32,
    /// The children with no cell that a free move could go to: the full ones;
    /// with `free=open` also the won ones and those with nothing but such inside.
    pub(super) closed: u32,
}

impl ParentBoard {
    #[inline]
    pub(super) fn owned_by(&self, player: Side) -> u32 {
        self.owned >> (16 * player as u32) & FULL
    }

    #[inline]
    pub(super) fn owned_by_any(&self) -> u32 {
        (self.owned | self.owned >> 16) & FULL
    }

    pub(super) fn owner(&self, place: usize) -> Owner {
        let [x, o] = Side::BOTH.map(|player| self.owned_by(player) >> place & 1 == 1);
        Owner::from_flags(x, o)
    }
}

/// How many boards there are at each level.
pub(super) const POWERS: [usize; 7] = [1, 9, 81, 729, 6561, 59049, 531_441];

/// Where each level's boards begin in `around`.
pub(super) const OFFSETS: [usize; 6] = [0, 1, 10, 91, 820, 7381];

/// The number of no board: nothing is excepted.
pub(super) const NO_BOARD: usize = usize::MAX;

#[inline]
pub(super) fn bit(place: usize) -> u32 {
    1 << place
}

/// The place of a board in the one around it, which is at this level, and the
/// number of that one.
#[inline(always)]
pub(super) fn parent_of(level: u32, index: usize) -> (usize, usize) {
    // The outermost board is known without a division.
    if level == 0 {
        (index, 0)
    } else {
        (index % 9, index / 9)
    }
}

impl<D: Depth> Boards<D> {
    #[inline]
    pub(super) fn parent_at(&self, level: u32, index: usize) -> ParentBoard {
        let slot = OFFSETS[level as usize] + index;
        self.parents.as_ref().get(slot).copied().unwrap_or_default()
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

    /// Does somebody own this board of this level, or one around it?
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

    /// Is this depth-1 board, or one around it, without room for a free move?
    #[inline(always)]
    pub(super) fn is_closed(&self, board: usize) -> bool {
        let mut index = board;
        (0..self.depth.get() - 1).rev().any(|level| {
            let place;
            (place, index) = parent_of(level, index);
            self.parent_at(level, index).closed >> place & 1 == 1
        })
    }

    /// Is there room for a free move anywhere?
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

    /// Visits the depth-1 boards with room inside a board, in order.
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

    /// Sets a mark of `me` and everything that follows from it. Does `me` own the
    /// outermost board now?
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
        let mut shut = marked.is_full();
        // How many cells are lost to free moves.
        let mut lost = 1;
        let (mut child, depth) = (board, self.depth.get());
        for level in (0..depth - 1).rev() {
            if !(line | shut) {
                self.subtract_open_cells(level, child, lost);
                return false;
            }
            let (place, index) = parent_of(level, child);
            let slot = OFFSETS[level as usize] + index;
            let Some(here) = self.parents.as_mut().get_mut(slot) else {
                return false;
            };
            let kept = match options.shared_boards {
                SharedBoards::Forbidden => here.owned_by_any(),
                SharedBoards::Allowed => here.owned_by(me),
            };
            let gained = u32::from(line) << place & !kept;
            here.owned |= gained << (16 * me as u32);
            line = (gained != 0) & has_line(here.owned_by(me));
            let closed = match options.free_move_target {
                FreeMoveTarget::OpenBoards => gained,
                FreeMoveTarget::AnyBoard => 0,
            };
            let newly = u32::from(shut) << place | closed;
            here.closed |= newly;
            shut = (newly != 0) & (here.closed == FULL);
            if depth > 2 {
                if closed != 0 {
                    lost += self.count_open_in(level + 1, child);
                }
                if let Some(room) = self.open_counts.as_mut().get_mut(slot) {
                    *room = room.wrapping_sub(lost);
                }
            }
            child = index;
        }
        line
    }

    /// Makes a depth-1 board and those around it what they are in `other`: all that
    /// a mark in it can change.
    pub(super) fn restore_from(&mut self, other: &Boards<D>, board: usize) {
        if let Some(marks) = self.leaves.as_mut().get_mut(board) {
            *marks = other.leaf(board);
        }
        let mut child = board;
        for level in (0..self.depth.get() - 1).rev() {
            child = parent_of(level, child).1;
            let slot = OFFSETS[level as usize] + child;
            if let Some(around) = self.parents.as_mut().get_mut(slot) {
                *around = other.parent_at(level, child);
            }
            if let Some(room) = self.open_counts.as_mut().get_mut(slot) {
                *room = other.open_count_at(level, child);
            }
        }
    }

    /// Takes lost cells off the room of all boards around a child, the one at
    /// this level first.
    #[inline]
    fn subtract_open_cells(&mut self, level: u32, mut child: usize, lost: u32) {
        let rooms = self.open_counts.as_mut();
        for level in (0..=level).rev() {
            child = parent_of(level, child).1;
            if let Some(room) = rooms.get_mut(OFFSETS[level as usize] + child) {
                *room = room.wrapping_sub(lost);
            }
        }
    }

    #[inline]
    fn open_count_at(&self, level: u32, index: usize) -> u32 {
        let slot = OFFSETS[level as usize] + index;
        self.open_counts
            .as_ref()
            .get(slot)
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

    /// The same for a board of depth 2, one of its boards excepted.
    #[inline(always)]
    fn count_depth_2(&self, index: usize, except: usize) -> u32 {
        let mut count = 0;
        for board in self.open_in_depth_2(index) {
            if board != except {
                count += self.leaf(board).count_empty();
            }
        }
        count
    }

    /// The boards with room in a board of depth 2.
    #[inline(always)]
    fn open_in_depth_2(&self, index: usize) -> impl Iterator<Item = usize> + use<D> {
        let shut = self
            .parent_at(self.depth.get().saturating_sub(2), index)
            .closed;
        bitboard9::members(!shut & FULL).map(move |place| index * 9 + place as usize)
    }

    /// How many cells a free move inside board `index` of `level` could go to,
    /// one depth-1 board excepted.
    #[inline(always)]
    pub(super) fn count_open(&self, level: u32, index: usize, except: usize) -> u32 {
        let depth = self.depth.get();
        if depth == 2 || level + 2 == depth {
            return self.count_depth_2(index, except);
        }
        let count = self.open_count_at(level, index);
        if except == NO_BOARD {
            return count;
        }
        // A board is excepted only where won boards are open: its empty cells were counted.
        count.wrapping_sub(self.leaf(except).count_empty())
    }

    /// The n-th cell that a free move inside board `index` of `level` could go
    /// to, one depth-1 board excepted; boards without it are passed over whole.
    #[inline(always)]
    pub(super) fn nth_open(
        &self,
        level: u32,
        mut index: usize,
        except: usize,
        mut n: u32,
    ) -> Option<(usize, u32)> {
        let depth = self.depth.get();
        if depth > 2 {
            for level in level..depth - 2 {
                let mut children = bitboard9::members(!self.parent_at(level, index).closed & FULL);
                index = children.find_map(|place| {
                    let child = index * 9 + place as usize;
                    let holds = except / POWERS[(depth - 2 - level) as usize] == child;
                    let except = if holds { except } else { NO_BOARD };
                    let count = self.count_open(level + 1, child, except);
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
            if board == except {
                continue;
            }
            if n < cells.count_empty() {
                return Some((board, bitboard9::nth_unset(cells.taken(), n)));
            }
            n -= cells.count_empty();
        }
        None
    }

    /// Has this player a line on board `index` of `level`?
    pub(super) fn has_line(&self, level: u32, index: usize, player: Side) -> bool {
        if level + 1 == self.depth.get() {
            has_line(self.leaf(index).marks(player))
        } else {
            has_line(self.parent_at(level, index).owned_by(player))
        }
    }

    pub(super) fn has_lines(&self, level: u32, index: usize) -> [bool; 2] {
        Side::BOTH.map(|player| self.has_line(level, index, player))
    }
}
