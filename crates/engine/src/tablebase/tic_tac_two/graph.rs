//! Successors and predecessors of positions, by number. Repeats the rules for speed: tests compare
//! it with `noughts_rules`, and the check relies on nothing else.

use super::code;
use super::numbering::{
    BOARD, CellSet, IndexBlock, LAYER_AFTER_MOVE, LAYER_AFTER_PLACEMENT, LAYERS,
    MoverRelativePosition, Numbering, adjacent_grids, grid_cells, singletons,
};

impl Numbering {
    /// The code of a position if the game is over.
    #[inline]
    pub(super) fn terminal_code(
        &self,
        layer: usize,
        position: MoverRelativePosition,
    ) -> Option<u8> {
        let (mine, theirs) = LAYERS[layer];
        let has_line = |k, set| self.grids_with_line(k, set) >> position.grid & 1 != 0;
        match (
            has_line(mine, position.mine),
            has_line(theirs, position.theirs),
        ) {
            (false, false) => None,
            (true, false) => Some(code::WON),
            (false, true) => Some(code::LOST),
            (true, true) => Some(code::BOTH_WON),
        }
    }

    /// Calls `visit` with the number of every successor, until it returns false. Moves to symmetric
    /// positions give the same number each time. Returns true if all were visited.
    ///
    /// The opponent moves next, so all successors that differ by a piece of the mover are in one
    /// block.
    #[inline]
    pub(super) fn visit_successors(
        &self,
        layer: usize,
        position: MoverRelativePosition,
        mut visit: impl FnMut(usize) -> bool,
    ) -> bool {
        let (_, theirs) = LAYERS[layer];
        let location = self.locate(theirs, position.theirs, position.grid);
        let to_image = |set| self.image(location.symmetry, set);
        let mine = to_image(position.mine);
        // The empty cells inside the grid, at most nine.
        let mut empty = [0; 9];
        let mut len = 0;
        for cell in singletons(grid_cells(position.grid) & !position.mine & !position.theirs) {
            empty[len] = to_image(cell);
            len += 1;
        }
        let empty = &empty[..len];
        if let Some(next) = LAYER_AFTER_MOVE[layer] {
            let start = self.block_start(&location, next);
            for from in singletons(mine) {
                for to in empty {
                    if !visit(start + self.place_in_block(&location, mine ^ from ^ to)) {
                        return false;
                    }
                }
            }
        }
        if !self.visit_placements(layer, position, &mut visit) {
            return false;
        }
        self.visit_grid_moves(layer, position, visit)
    }

    /// The part of [`Numbering::visit_successors`] that places a piece.
    #[inline]
    pub(super) fn visit_placements(
        &self,
        layer: usize,
        position: MoverRelativePosition,
        mut visit: impl FnMut(usize) -> bool,
    ) -> bool {
        let Some(next) = LAYER_AFTER_PLACEMENT[layer] else {
            return true;
        };
        let (_, theirs) = LAYERS[layer];
        let location = self.locate(theirs, position.theirs, position.grid);
        let start = self.block_start(&location, next);
        singletons(grid_cells(position.grid) & !position.mine & !position.theirs).all(|to| {
            let mine = self.image(location.symmetry, position.mine | to);
            visit(start + self.place_in_block(&location, mine))
        })
    }

    /// The part of [`Numbering::visit_successors`] that moves the grid.
    #[inline]
    pub(super) fn visit_grid_moves(
        &self,
        layer: usize,
        position: MoverRelativePosition,
        mut visit: impl FnMut(usize) -> bool,
    ) -> bool {
        let Some(next) = LAYER_AFTER_MOVE[layer] else {
            return true;
        };
        adjacent_grids(position.grid).iter().all(|&grid| {
            let moved = MoverRelativePosition {
                mine: position.theirs,
                theirs: position.mine,
                grid: grid.into(),
            };
            visit(self.index(next, moved))
        })
    }

    /// Calls `visit` with every position, and its layer, that leads here by moving the grid or a
    /// piece. The game may already be over in some of them.
    #[inline]
    pub(super) fn visit_predecessors(
        &self,
        layer: usize,
        position: MoverRelativePosition,
        mut visit: impl FnMut(usize, MoverRelativePosition),
    ) {
        let Some(previous_layer) = LAYER_AFTER_MOVE[layer] else {
            return;
        };
        let free = BOARD & !(position.mine | position.theirs);
        let mut visit = |mine, grid| {
            let theirs = position.mine;
            visit(previous_layer, MoverRelativePosition { mine, theirs, grid });
        };
        for to in singletons(position.theirs & grid_cells(position.grid)) {
            for from in singletons(free) {
                visit(position.theirs ^ to ^ from, position.grid);
            }
        }
        for &grid in adjacent_grids(position.grid) {
            visit(position.theirs, grid.into());
        }
    }

    /// The cells that complete a line of the mover inside the grid. A player with two pieces there
    /// can always bring a third one, from the board or from hand.
    pub(super) fn completing_cells(&self, block: &IndexBlock) -> CellSet {
        let grid = grid_cells(block.grid);
        let mine = block.mine & grid;
        let completes = |cell: &CellSet| {
            singletons(mine).any(|first| {
                singletons(mine & !first).any(|second| {
                    self.grids_with_line(3, cell | first | second) >> block.grid & 1 != 0
                })
            })
        };
        singletons(grid & !block.mine).filter(completes).sum()
    }
}
