//! A nested position as planes of zeros and ones, cells in the order of paths.

use std::convert::Infallible;
use std::ops::ControlFlow;

use super::{Depth, FULL, Nested, NestedPosition, POWERS};
use crate::nine;
use crate::planes::{put, signed};
use crate::variant::Sent;

impl<D: Depth> Nested<D> {
    /// Marks and owners of both sides, where the trail points, and what is an extra move.
    #[inline]
    pub(super) fn count_planes(&self) -> usize {
        match self.depth.get() as usize {
            1 => 2,
            depth => 2 * depth + 1 + usize::from(self.has_extra_moves()),
        }
    }

    #[inline]
    fn has_extra_moves(&self) -> bool {
        matches!(self.options().sent, Sent::C | Sent::D)
    }

    #[inline]
    pub(super) fn write_planes(&self, position: &NestedPosition<D>, out: &mut [u8]) {
        let NestedPosition { boards, turn } = position;
        let depth = self.depth.get();
        let cells = POWERS[depth as usize];
        if out.len() != self.count_planes() * cells {
            return;
        }
        let players = [turn.side, turn.side.other()];
        let mut at = 0;
        for player in players {
            for board in boards.marks.as_ref() {
                put(out, at, 9, *nine::spread(board.marks(player)));
                at += 9;
            }
        }
        if depth == 1 {
            return;
        }
        for level in 0..depth - 1 {
            // The children of boards of this level, each as so many cells.
            let size = cells / POWERS[level as usize + 1];
            for player in players {
                for index in 0..POWERS[level as usize] {
                    let owned = boards.around_at(level, index).owned_by(player);
                    for place in 0..9 {
                        let byte = (owned >> place & 1) as u8;
                        if size == 9 {
                            put(out, at, 9, [byte; 16]);
                        } else if let Some(room) = out.get_mut(at..at + size) {
                            room.fill(byte);
                        }
                        at += size;
                    }
                }
            }
        }
        let (sent, extra) = out[at..].split_at_mut(cells);
        sent.fill(0);
        if turn.letters > 0 {
            let size = cells / POWERS[usize::from(turn.letters)];
            let from = usize::from(turn.trail) * size;
            if let Some(room) = sent.get_mut(from..from + size) {
                room.fill(1);
            }
        }
        extra.fill(turn.extra.into());
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
            let empty = boards.board(board).taken() ^ FULL;
            put(out, board * 9, 9, signed(*nine::spread(empty)));
            ControlFlow::Continue(())
        });
    }
}
