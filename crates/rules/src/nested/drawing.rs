//! What a nested board's picture shows: every cell up to depth 3; of deeper boards
//! the three outer levels summed up, and the part that the next move goes to.

use super::{Depth, MoveArea, Nested, NestedMove, NestedPosition, POWERS, path_text};
use crate::bitboard9;
use crate::drawing::{CellContent, Drawing, InnerBoard, NestedBoardDrawing};
use crate::setup::Owner;
use crate::variant::FreeMoveTarget;

/// How many levels a picture shows at most.
const MOST: u32 = 3;

impl<D: Depth> Nested<D> {
    pub(super) fn drawing(
        &self,
        position: &NestedPosition<D>,
        last: Option<NestedMove>,
        going_on: bool,
    ) -> Drawing {
        let depth = self.depth.get();
        let mut open = vec![false; POWERS[depth as usize - 1]];
        if going_on {
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
            // Where everything is open, nothing needs a light.
            lit: going_on && self.move_area(position) != MoveArea::Anywhere,
        };
        if depth <= MOST {
            return view.part(depth, 0).render();
        }
        let overview = view.overview().render();
        match view.focus() {
            Some(index) => overview.stack_above(view.part(2, index).render()),
            None => overview,
        }
    }
}

struct View<'a, D: Depth> {
    game: &'a Nested<D>,
    position: &'a NestedPosition<D>,
    last: Option<usize>,
    /// By depth-1 board: may the next move go there?
    open: Vec<bool>,
    lit: bool,
}

impl<D: Depth> View<'_, D> {
    fn depth(&self) -> u32 {
        self.game.depth.get()
    }

    /// Every cell of a board that is `levels` deep; `index` is its number among those.
    fn part(&self, levels: u32, index: usize) -> NestedBoardDrawing {
        let depth = self.depth();
        let cells = POWERS[levels as usize];
        let boards = POWERS[levels as usize - 1];
        let whole = levels == depth;
        NestedBoardDrawing {
            levels,
            outer_owners: if whole && levels == MOST {
                self.outer()
            } else {
                Vec::new()
            },
            winning_line: if whole { self.line() } else { Vec::new() },
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
            Some(player) if self.last == Some(cell) => CellContent::Last(player),
            Some(player) => CellContent::Mark(player),
            None if self.open[cell / 9] => CellContent::Legal,
            None => CellContent::Empty,
        }
    }

    /// Board `index` of `level` as an innermost one of the picture.
    fn inner(&self, level: u32, index: usize) -> InnerBoard {
        InnerBoard {
            owner: self.game.owner(self.position, level, index),
            is_highlighted: self.lit && self.holds(level, index, |board| self.open[board]),
        }
    }

    /// Is it true of any depth-1 board inside this one?
    fn holds(&self, level: u32, index: usize, is: impl Fn(usize) -> bool) -> bool {
        let inside = POWERS[(self.depth() - 1 - level) as usize];
        (index * inside..(index + 1) * inside).any(is)
    }

    /// The three outer levels; each square sums up a board.
    fn overview(&self) -> NestedBoardDrawing {
        NestedBoardDrawing {
            levels: MOST,
            cells: (0..POWERS[MOST as usize])
                .map(|index| self.summary(index))
                .collect(),
            inner_boards: (0..POWERS[MOST as usize - 1])
                .map(|index| self.inner(MOST - 1, index))
                .collect(),
            outer_owners: self.outer(),
            winning_line: self.line(),
            closes_won_boards: false,
            path: String::new(),
        }
    }

    /// Who owns the nine outermost boards.
    fn outer(&self) -> Vec<Owner> {
        (0..9)
            .map(|place| self.game.owner(self.position, 1, place))
            .collect()
    }

    /// The places of the line that decided the game, on the outermost board.
    fn line(&self) -> Vec<usize> {
        bitboard9::members(self.game.winning_line(self.position))
            .map(|place| place as usize)
            .collect()
    }

    fn summary(&self, index: usize) -> CellContent {
        let boards = &self.position.boards;
        match self.game.owner(self.position, MOST, index) {
            Owner::One(player) => CellContent::Mark(player),
            Owner::Both => CellContent::Both,
            Owner::Nobody if !self.holds(MOST, index, |board| !boards.is_full(board)) => {
                CellContent::Full
            }
            Owner::Nobody if self.holds(MOST, index, |board| self.open[board]) => {
                CellContent::Legal
            }
            Owner::Nobody if self.holds(MOST, index, |board| boards.leaf(board).taken() != 0) => {
                CellContent::Started
            }
            Owner::Nobody => CellContent::Empty,
        }
    }

    /// The depth-2 board to be shown closely: the one that the next move goes to,
    /// or the one of the last move.
    fn focus(&self) -> Option<usize> {
        let mut open = self.open.iter().enumerate().filter(|(_, open)| **open);
        let first = open.next().map(|(board, _)| board / 9);
        let same = open.all(|(board, _)| Some(board / 9) == first);
        first.filter(|_| same).or(self.last.map(|cell| cell / 81))
    }
}
