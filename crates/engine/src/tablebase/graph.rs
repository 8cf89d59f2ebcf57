//! Which positions lead to which, in numbers. The rules a second time, for speed: tests walk
//! them beside those of `noughts_rules`, and `check` asks nothing else.

use super::code;
use super::numbering::{
    BOARD, Block, CellSet, LAYER_AFTER_MOVE, LAYER_AFTER_PLACEMENT, LAYERS, Numbering,
    RelativePosition, adjacent_grids, grid_cells, singletons,
};

impl Numbering {
    /// The code of a finished position; none while the game goes on.
    #[inline]
    pub(super) fn terminal_code(&self, layer: usize, spot: RelativePosition) -> Option<u8> {
        let (mine, theirs) = LAYERS[layer];
        let has_line = |k, set| self.grids_with_line(k, set) >> spot.grid & 1 != 0;
        match (has_line(mine, spot.mine), has_line(theirs, spot.theirs)) {
            (false, false) => None,
            (true, false) => Some(code::WON),
            (false, true) => Some(code::LOST),
            (true, true) => Some(code::BOTH_WON),
        }
    }

    /// Calls `visit` with the number of every position one move on, until it says no. Moves
    /// that lead to images of one position give its number each time. True if all were visited.
    ///
    /// The other player moves next, so all positions that differ by a piece of the mover lie
    /// in one block.
    #[inline]
    pub(super) fn visit_successors(
        &self,
        layer: usize,
        spot: RelativePosition,
        mut visit: impl FnMut(usize) -> bool,
    ) -> bool {
        let (_, theirs) = LAYERS[layer];
        let home = self.locate(theirs, spot.theirs, spot.grid);
        let turned = |set| self.image(home.symmetry, set);
        let mine = turned(spot.mine);
        // The empty cells inside the grid, nine at most.
        let mut room = [0; 9];
        let mut len = 0;
        for cell in singletons(grid_cells(spot.grid) & !spot.mine & !spot.theirs) {
            room[len] = turned(cell);
            len += 1;
        }
        let room = &room[..len];
        if let Some(next) = LAYER_AFTER_MOVE[layer] {
            let start = self.block_start(&home, next);
            for from in singletons(mine) {
                for to in room {
                    if !visit(start + self.place_in_block(&home, mine ^ from ^ to)) {
                        return false;
                    }
                }
            }
        }
        if !self.visit_placements(layer, spot, &mut visit) {
            return false;
        }
        self.visit_grid_moves(layer, spot, visit)
    }

    /// Those of [`Numbering::successors`] that placing a piece leads to.
    #[inline]
    pub(super) fn visit_placements(
        &self,
        layer: usize,
        spot: RelativePosition,
        mut visit: impl FnMut(usize) -> bool,
    ) -> bool {
        let Some(next) = LAYER_AFTER_PLACEMENT[layer] else {
            return true;
        };
        let (_, theirs) = LAYERS[layer];
        let home = self.locate(theirs, spot.theirs, spot.grid);
        let start = self.block_start(&home, next);
        singletons(grid_cells(spot.grid) & !spot.mine & !spot.theirs).all(|to| {
            let mine = self.image(home.symmetry, spot.mine | to);
            visit(start + self.place_in_block(&home, mine))
        })
    }

    /// Those of [`Numbering::successors`] that moving the grid leads to.
    #[inline]
    pub(super) fn visit_grid_moves(
        &self,
        layer: usize,
        spot: RelativePosition,
        mut visit: impl FnMut(usize) -> bool,
    ) -> bool {
        let Some(next) = LAYER_AFTER_MOVE[layer] else {
            return true;
        };
        adjacent_grids(spot.grid).iter().all(|&grid| {
            let moved = RelativePosition {
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
    pub(super) fn visit_predecessors(
        &self,
        layer: usize,
        spot: RelativePosition,
        mut visit: impl FnMut(usize, RelativePosition),
    ) {
        let Some(before) = LAYER_AFTER_MOVE[layer] else {
            return;
        };
        let free = BOARD & !(spot.mine | spot.theirs);
        let mut visit = |mine, grid| {
            let theirs = spot.mine;
            visit(before, RelativePosition { mine, theirs, grid });
        };
        for to in singletons(spot.theirs & grid_cells(spot.grid)) {
            for from in singletons(free) {
                visit(spot.theirs ^ to ^ from, spot.grid);
            }
        }
        for &grid in adjacent_grids(spot.grid) {
            visit(spot.theirs, grid.into());
        }
    }

    /// The cells that complete a line of the mover's inside the grid. Whoever has two pieces
    /// can bring a third: from the board, or else from his hand.
    pub(super) fn completing_cells(&self, block: &Block) -> CellSet {
        let grid = grid_cells(block.grid);
        let mine = block.mine & grid;
        let completes = |cell: &CellSet| {
            singletons(mine).any(|one| {
                singletons(mine & !one)
                    .any(|two| self.grids_with_line(3, cell | one | two) >> block.grid & 1 != 0)
            })
        };
        singletons(grid & !block.mine).filter(completes).sum()
    }
}
