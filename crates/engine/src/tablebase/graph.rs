//! Which positions lead to which, in numbers. The rules a second time, for speed: tests walk
//! them beside those of `noughts_rules`, and `check` asks nothing else.

use super::code;
use super::numbering::{
    BOARD, Block, Cells, LAYERS, MOVED, Numbering, PLACED, Spot, each, inside, steps,
};

impl Numbering {
    /// The code of a finished position; none while the game goes on.
    #[inline]
    pub(super) fn finished(&self, layer: usize, spot: Spot) -> Option<u8> {
        let (mine, theirs) = LAYERS[layer];
        let has_line = |k, set| self.lines(k, set) >> spot.grid & 1 != 0;
        match (has_line(mine, spot.mine), has_line(theirs, spot.theirs)) {
            (false, false) => None,
            (true, false) => Some(code::WON),
            (false, true) => Some(code::LOST),
            (true, true) => Some(code::TIED),
        }
    }

    /// Calls `visit` with the number of every position one move on, until it says no. Moves
    /// that lead to images of one position give its number each time. True if all were visited.
    ///
    /// The other player moves next, so all positions that differ by a piece of the mover lie
    /// in one block.
    #[inline]
    pub(super) fn successors(
        &self,
        layer: usize,
        spot: Spot,
        mut visit: impl FnMut(usize) -> bool,
    ) -> bool {
        let (_, theirs) = LAYERS[layer];
        let home = self.home(theirs, spot.theirs, spot.grid);
        let turned = |set| self.image(home.symmetry, set);
        let mine = turned(spot.mine);
        // The empty cells inside the grid, nine at most.
        let mut room = [0; 9];
        let mut len = 0;
        for cell in each(inside(spot.grid) & !spot.mine & !spot.theirs) {
            room[len] = turned(cell);
            len += 1;
        }
        let room = &room[..len];
        if let Some(next) = MOVED[layer] {
            let start = self.start(&home, next);
            for from in each(mine) {
                for to in room {
                    if !visit(start + self.place(&home, mine ^ from ^ to)) {
                        return false;
                    }
                }
            }
        }
        if !self.placed(layer, spot, &mut visit) {
            return false;
        }
        self.grid_moved(layer, spot, visit)
    }

    /// Those of [`Numbering::successors`] that placing a piece leads to.
    #[inline]
    pub(super) fn placed(
        &self,
        layer: usize,
        spot: Spot,
        mut visit: impl FnMut(usize) -> bool,
    ) -> bool {
        let Some(next) = PLACED[layer] else {
            return true;
        };
        let (_, theirs) = LAYERS[layer];
        let home = self.home(theirs, spot.theirs, spot.grid);
        let start = self.start(&home, next);
        each(inside(spot.grid) & !spot.mine & !spot.theirs).all(|to| {
            let mine = self.image(home.symmetry, spot.mine | to);
            visit(start + self.place(&home, mine))
        })
    }

    /// Those of [`Numbering::successors`] that moving the grid leads to.
    #[inline]
    pub(super) fn grid_moved(
        &self,
        layer: usize,
        spot: Spot,
        mut visit: impl FnMut(usize) -> bool,
    ) -> bool {
        let Some(next) = MOVED[layer] else {
            return true;
        };
        steps(spot.grid).iter().all(|&grid| {
            let moved = Spot {
                mine: spot.theirs,
                theirs: spot.mine,
                grid: grid.into(),
            };
            visit(self.index(next, moved))
        })
    }

    /// Calls `visit` with every position, and its layer, that leads here by moving the grid or
    /// a piece. Some of them may be finished.
    #[inline]
    pub(super) fn predecessors(
        &self,
        layer: usize,
        spot: Spot,
        mut visit: impl FnMut(usize, Spot),
    ) {
        let Some(before) = MOVED[layer] else {
            return;
        };
        let free = BOARD & !(spot.mine | spot.theirs);
        let mut visit = |mine, grid| {
            let theirs = spot.mine;
            visit(before, Spot { mine, theirs, grid });
        };
        for to in each(spot.theirs & inside(spot.grid)) {
            for from in each(free) {
                visit(spot.theirs ^ to ^ from, spot.grid);
            }
        }
        for &grid in steps(spot.grid) {
            visit(spot.theirs, grid.into());
        }
    }

    /// The cells that complete a line of the mover's inside the grid. Whoever has two pieces
    /// can bring a third: from the board, or else from his hand.
    pub(super) fn completing(&self, block: &Block) -> Cells {
        let grid = inside(block.grid);
        let mine = block.mine & grid;
        let completes = |cell: &Cells| {
            each(mine).any(|one| {
                each(mine & !one).any(|two| self.lines(3, cell | one | two) >> block.grid & 1 != 0)
            })
        };
        each(grid & !block.mine).filter(completes).sum()
    }
}
