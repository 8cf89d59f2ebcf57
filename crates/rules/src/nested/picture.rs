//! What a nested board's picture shows: every cell up to depth 3; of deeper boards
//! the three outer levels summed up, and the part that the next move goes to.

use super::{Depth, Nested, NestedMove, NestedPosition, POWERS, Place, path_text};
use crate::draw::{Drawing, Inner, Levels, Square};
use crate::nine;
use crate::setup::Owner;
use crate::variant::Free;

/// How many levels a picture shows at most.
const MOST: u32 = 3;

impl<D: Depth> Nested<D> {
    pub(super) fn picture(
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
            lit: going_on && self.place(position) != Place::Anywhere,
        };
        if depth <= MOST {
            return view.part(depth, 0).draw();
        }
        let overview = view.overview().draw();
        match view.focus() {
            Some(index) => overview.above(view.part(2, index).draw()),
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
    fn part(&self, levels: u32, index: usize) -> Levels {
        let depth = self.depth();
        let cells = POWERS[levels as usize];
        let boards = POWERS[levels as usize - 1];
        let whole = levels == depth;
        Levels {
            levels,
            outer: if whole && levels == MOST {
                self.outer()
            } else {
                Vec::new()
            },
            line: if whole { self.line() } else { Vec::new() },
            closed: self.game.options().free == Free::Open,
            cells: (index * cells..(index + 1) * cells)
                .map(|cell| self.square(cell))
                .collect(),
            boards: (index * boards..(index + 1) * boards)
                .map(|board| self.inner(depth - 1, board))
                .collect(),
            path: path_text(index, depth - levels),
        }
    }

    fn square(&self, cell: usize) -> Square {
        let board = self.position.boards.board(cell / 9);
        match board.cell(cell as u32 % 9) {
            Some(player) if self.last == Some(cell) => Square::Last(player),
            Some(player) => Square::Mark(player),
            None if self.open[cell / 9] => Square::Legal,
            None => Square::Empty,
        }
    }

    /// Board `index` of `level` as an innermost one of the picture.
    fn inner(&self, level: u32, index: usize) -> Inner {
        Inner {
            owner: self.game.owner(self.position, level, index),
            lit: self.lit && self.holds(level, index, |board| self.open[board]),
        }
    }

    /// Is it true of any depth-1 board inside this one?
    fn holds(&self, level: u32, index: usize, is: impl Fn(usize) -> bool) -> bool {
        let inside = POWERS[(self.depth() - 1 - level) as usize];
        (index * inside..(index + 1) * inside).any(is)
    }

    /// The three outer levels; each square sums up a board.
    fn overview(&self) -> Levels {
        Levels {
            levels: MOST,
            cells: (0..POWERS[MOST as usize])
                .map(|index| self.summary(index))
                .collect(),
            boards: (0..POWERS[MOST as usize - 1])
                .map(|index| self.inner(MOST - 1, index))
                .collect(),
            outer: self.outer(),
            line: self.line(),
            closed: false,
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
        nine::members(self.game.line_places(self.position))
            .map(|place| place as usize)
            .collect()
    }

    fn summary(&self, index: usize) -> Square {
        let boards = &self.position.boards;
        match self.game.owner(self.position, MOST, index) {
            Owner::One(player) => Square::Mark(player),
            Owner::Both => Square::Both,
            Owner::Nobody if !self.holds(MOST, index, |board| !boards.is_full(board)) => {
                Square::Full
            }
            Owner::Nobody if self.holds(MOST, index, |board| self.open[board]) => Square::Legal,
            Owner::Nobody if self.holds(MOST, index, |board| boards.board(board).taken() != 0) => {
                Square::Begun
            }
            Owner::Nobody => Square::Empty,
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
