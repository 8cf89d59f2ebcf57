//! A nested position as planes of zeros and ones, cells in path order.

use std::convert::Infallible;
use std::ops::ControlFlow;

use super::WonBoardRule;
use super::{Depth, FULL, Nested, NestedPosition, POWERS};
use crate::bitboard9;
use crate::planes::write_bytes;

impl<D: Depth> Nested<D> {
    /// The marks and owned boards of both sides, the trail, and whether the move is an extra move.
    #[inline]
    pub(super) fn count_planes(&self) -> usize {
        match self.depth.get() as usize {
            1 => 2,
            depth => 2 * depth + 1 + usize::from(self.has_extra_moves()),
        }
    }

    #[inline]
    fn has_extra_moves(&self) -> bool {
        matches!(
            self.options().won_board_rule,
            WonBoardRule::ExtraMove | WonBoardRule::ExtraMoveChain
        )
    }

    #[inline]
    pub(super) fn write_planes(&self, position: &NestedPosition<D>, out: &mut [u8]) {
        let NestedPosition { boards, turn } = position;
        let depth = self.depth.get();
        let cells = POWERS[depth as usize];
        if out.len() != self.count_planes() * cells {
            return;
        }
        let sides = [turn.side, turn.side.other()];
        let mut offset = 0;
        for side in sides {
            for board in boards.leaves.as_ref() {
                write_bytes::<9, 16, u8>(out, offset, bitboard9::to_bytes(board.marks(side)));
                offset += 9;
            }
        }
        if depth == 1 {
            return;
        }
        for level in 0..depth - 1 {
            // The children of the boards of this level, `size` cells each.
            let size = cells / POWERS[level as usize + 1];
            for side in sides {
                for index in 0..POWERS[level as usize] {
                    let owned = boards.parent_at(level, index).owned_by(side);
                    write_boards(out, offset, size, owned);
                    offset += 9 * size;
                }
            }
        }
        if turn.trail_len == 1 && depth == 2 {
            write_boards(out, offset, 9, 1 << turn.trail);
        } else if let Some(plane) = out.get_mut(offset..offset + cells) {
            plane.fill(0);
            if turn.trail_len > 0 {
                let size = cells / POWERS[usize::from(turn.trail_len)];
                let from = usize::from(turn.trail) * size;
                if let Some(named) = plane.get_mut(from..from + size) {
                    named.fill(1);
                }
            }
        }
        if let Some(plane) = out.get_mut(offset + cells..) {
            plane.fill(turn.extra.into());
        }
    }

    #[inline]
    pub(super) fn write_mask(&self, position: &NestedPosition<D>, out: &mut [i8]) {
        let boards = &position.boards;
        if out.len() != POWERS[self.depth.get() as usize] {
            return;
        }
        out.fill(0);
        let area = self.area(boards, position.turn);
        let ControlFlow::Continue(()) = self.visit_boards::<Infallible>(boards, area, |board| {
            let empty = boards.leaf(board).taken() ^ FULL;
            write_bytes::<9, 16, i8>(out, board * 9, bitboard9::to_bytes(empty));
            ControlFlow::Continue(())
        });
    }
}

/// Writes nine boards of `size` cells each: ones where the board is in the set.
#[inline(always)]
fn write_boards(out: &mut [u8], offset: usize, size: usize, set: u32) {
    if size == 9 {
        for row in 0..3 {
            let three = (set >> (3 * row) & 7) as usize;
            write_bytes::<27, 32, u8>(out, offset + 27 * row, &THREE_BOARDS[three]);
        }
    } else if let Some(target) = out.get_mut(offset..offset + 9 * size) {
        for (place, board) in target.chunks_exact_mut(size).enumerate() {
            board.fill((set >> place & 1) as u8);
        }
    }
}

/// `THREE_BOARDS[set]`: three boards of nine cells, ones where the board is in the set. Rows
/// are padded with zeros to 32 bytes, which are copied at once.
static THREE_BOARDS: [[u8; 32]; 8] = {
    let mut table = [[0; 32]; 8];
    let mut set = 0;
    while set < 8 {
        let mut cell = 0;
        while cell < 27 {
            table[set][cell] = (set >> (cell / 9) & 1) as u8;
            cell += 1;
        }
        set += 1;
    }
    table
};
