//! What the drawing of a nested board shows: every cell up to depth 3; of deeper boards, a
//! summary of the three outer levels and the part where the next move goes.

use super::FreeMoveTarget;
use super::board_drawing::{CellContent, InnerBoard, NestedBoardDrawing};
use super::{Depth, MoveArea, Nested, NestedMove, NestedPosition, POWERS, path_text};
use crate::bitboard9;
use crate::drawing::Drawing;
use crate::view::Owner;

/// The maximum number of levels in one drawing.
const MAX_LEVELS: u32 = 3;

impl<D: Depth> Nested<D> {
    pub(super) fn drawing(
        &self,
        position: &NestedPosition<D>,
        last: Option<NestedMove>,
        is_ongoing: bool,
    ) -> Drawing {
        let depth = self.depth.get();
        let mut open = vec![false; POWERS[depth as usize - 1]];
        if is_ongoing {
            for board in self.open_boards(position) {
                if let Some(open) = open.get_mut(board) {
                    *open = true;
                }
            }
        }
        let view = View {
            game: self,
            position,
            last: last.map(NestedMove::index),
            open,
            // If all boards are open, none needs to be highlighted.
            highlights_open: is_ongoing && self.move_area(position) != MoveArea::Anywhere,
        };
        if depth <= MAX_LEVELS {
            return view.detail(depth, 0).render();
        }
        let overview = view.overview().render();
        match view.focus() {
            Some(index) => overview.stack_above(view.detail(2, index).render()),
            None => overview,
        }
    }
}

struct View<'a, D: Depth> {
    game: &'a Nested<D>,
    position: &'a NestedPosition<D>,
    last: Option<usize>,
    /// By depth-1 board: can the next move go there?
    open: Vec<bool>,
    highlights_open: bool,
}

impl<D: Depth> View<'_, D> {
    fn depth(&self) -> u32 {
        self.game.depth.get()
    }

    /// Every cell of a board that is `levels` deep; `index` is its index among those.
    fn detail(&self, levels: u32, index: usize) -> NestedBoardDrawing {
        let depth = self.depth();
        let cells = POWERS[levels as usize];
        let boards = POWERS[levels as usize - 1];
        let whole = levels == depth;
        NestedBoardDrawing {
            levels,
            outer_owners: if whole && levels == MAX_LEVELS {
                self.outer_owners()
            } else {
                Vec::new()
            },
            winning_line: if whole {
                self.winning_line()
            } else {
                Vec::new()
            },
            closes_won_boards: self.game.options().free_move_target == FreeMoveTarget::OpenBoards,
            cells: (index * cells..(index + 1) * cells)
                .map(|cell| self.square(cell))
                .collect(),
            inner_boards: (index * boards..(index + 1) * boards)
                .map(|board| self.inner(depth - 1, board))
                .collect(),
            path: path_text(index, depth - levels),
        }
    }

    fn square(&self, cell: usize) -> CellContent {
        let board = self.position.boards.leaf(cell / 9);
        match board.mark_at(cell as u32 % 9) {
            Some(side) if self.last == Some(cell) => CellContent::Last(side),
            Some(side) => CellContent::Mark(side),
            None if self.open[cell / 9] => CellContent::Legal,
            None => CellContent::Empty,
        }
    }

    /// Board `index` of `level` as an innermost board of the drawing.
    fn inner(&self, level: u32, index: usize) -> InnerBoard {
        InnerBoard {
            owner: self.game.owner(self.position, level, index),
            is_highlighted: self.highlights_open
                && self.any_inside(level, index, |board| self.open[board]),
        }
    }

    /// Is the predicate true for any depth-1 board inside this one?
    fn any_inside(&self, level: u32, index: usize, predicate: impl Fn(usize) -> bool) -> bool {
        let inside = POWERS[(self.depth() - 1 - level) as usize];
        (index * inside..(index + 1) * inside).any(predicate)
    }

    /// The three outer levels; each cell summarizes a board.
    fn overview(&self) -> NestedBoardDrawing {
        NestedBoardDrawing {
            levels: MAX_LEVELS,
            cells: (0..POWERS[MAX_LEVELS as usize])
                .map(|index| self.summary(index))
                .collect(),
            inner_boards: (0..POWERS[MAX_LEVELS as usize - 1])
                .map(|index| self.inner(MAX_LEVELS - 1, index))
                .collect(),
            outer_owners: self.outer_owners(),
            winning_line: self.winning_line(),
            closes_won_boards: false,
            path: String::new(),
        }
    }

    /// The owners of the nine outermost boards.
    fn outer_owners(&self) -> Vec<Owner> {
        (0..9)
            .map(|place| self.game.owner(self.position, 1, place))
            .collect()
    }

    /// The winning line on the outermost board.
    fn winning_line(&self) -> Vec<usize> {
        bitboard9::members(self.game.winning_line(self.position))
            .map(|place| place as usize)
            .collect()
    }

    fn summary(&self, index: usize) -> CellContent {
        let boards = &self.position.boards;
        match self.game.owner(self.position, MAX_LEVELS, index) {
            Owner::One(side) => CellContent::Mark(side),
            Owner::Both => CellContent::Both,
            Owner::Nobody
                if !self.any_inside(MAX_LEVELS, index, |board| !boards.is_full(board)) =>
            {
                CellContent::Full
            }
            Owner::Nobody if self.any_inside(MAX_LEVELS, index, |board| self.open[board]) => {
                CellContent::Legal
            }
            Owner::Nobody
                if self.any_inside(MAX_LEVELS, index, |board| boards.leaf(board).taken() != 0) =>
            {
                CellContent::Started
            }
            Owner::Nobody => CellContent::Empty,
        }
    }

    /// The depth-2 board to show in detail: the one where the next move goes, or the one of the
    /// last move.
    fn focus(&self) -> Option<usize> {
        let mut open = self.open.iter().enumerate().filter(|(_, open)| **open);
        let first = open.next().map(|(board, _)| board / 9);
        let same = open.all(|(board, _)| Some(board / 9) == first);
        first.filter(|_| same).or(self.last.map(|cell| cell / 81))
    }
}
