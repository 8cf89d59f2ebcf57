//! Tic-Tac-Two: pieces on a board, and a movable grid in which lines of three count.
//!
//! Repetition isn't handled here, but in `History`.

use crate::board::{
    Place, Position, Rules, all_of, cell_name, check_alternation, lines, names, places, reject_if,
};
use crate::variant::{Options, changed, numbered, with_options};

#[derive(Debug)]
pub(crate) struct TicTacTwo {
    board: usize,
    grid: usize,
    pieces: usize,
    after: usize,
}

impl TicTacTwo {
    pub(crate) fn parse(options: &mut Options) -> Result<TicTacTwo, String> {
        let rules = TicTacTwo {
            board: options.take(&numbered("board", [3, 5, 7]))?.unwrap_or(5),
            grid: options.take(&numbered("grid", [3, 5, 7]))?.unwrap_or(3),
            pieces: options.take(&numbered("pieces", 3..=9))?.unwrap_or(4),
            after: options.take(&numbered("after", 2..=9))?.unwrap_or(2),
        };
        all_of([
            reject_if(rules.grid > rules.board, "grid must be at most board"),
            reject_if(rules.after > rules.pieces, "after must be at most pieces"),
        ])?;
        Ok(rules)
    }

    // The centers with which the whole grid is on the board.
    fn centers(&self) -> Vec<Place> {
        let reach = self.grid / 2;
        let fits = |middle: usize| middle >= reach && middle + reach < self.board;
        let mut centers = places(self.start().cells());
        centers.retain(|&(column, row)| fits(column) && fits(row));
        centers
    }

    // The center that the last field of the position names.
    fn center(&self, position: &Position) -> Option<Place> {
        let mut centers = self.centers().into_iter();
        centers.find(|center| grid_name(*center) == position.more[0])
    }

    fn cells_in_grid(&self, position: &Position) -> Vec<Place> {
        let mut cells = places(position.cells());
        let center = self.center(position);
        cells.retain(|cell| center.is_some_and(|center| steps(*cell, center) <= self.grid / 2));
        cells
    }

    // Only lines of three that are entirely inside the grid count.
    fn has_line(&self, position: &Position, player: char) -> bool {
        let mut counting = self.cells_in_grid(position);
        counting.retain(|&(column, row)| position.cells()[row][column] == player);
        !lines(position.cells(), 3, |cell| counting.contains(&cell)).is_empty()
    }

    fn empty_cells_in_grid(&self, position: &Position) -> Vec<String> {
        let mut empty = self.cells_in_grid(position);
        empty.retain(|&(column, row)| position.cells()[row][column] == '.');
        empty.into_iter().map(cell_name).collect()
    }

    // Place one of the remaining pieces on an empty cell inside the grid.
    fn placements(&self, position: &Position) -> Vec<String> {
        if position.count(position.side) == self.pieces {
            return Vec::new();
        }
        self.empty_cells_in_grid(position)
    }

    // Move the grid's center one step in any of the eight directions; the grid stays on the board.
    fn grid_moves(&self, position: &Position) -> Vec<String> {
        let mut moves = Vec::new();
        for center in self.centers() {
            let old = self.center(position);
            if old.is_some_and(|old| steps(old, center) == 1) {
                moves.push(grid_name(center));
            }
        }
        moves
    }

    // Move one of the player's pieces, inside or outside the grid, to an empty cell inside the grid.
    fn piece_moves(&self, position: &Position) -> Vec<String> {
        let mut moves = Vec::new();
        for from in names(position.cells(), position.side) {
            for to in self.empty_cells_in_grid(position) {
                moves.push(format!("{from}-{to}"));
            }
        }
        moves
    }
}

// The number of steps in any of the eight directions between two cells.
fn steps(from: Place, to: Place) -> usize {
    from.0.abs_diff(to.0).max(from.1.abs_diff(to.1))
}

fn grid_name(center: Place) -> String {
    format!("@{}", cell_name(center))
}

impl Rules for TicTacTwo {
    fn name(&self) -> String {
        let options = changed(&[
            ("board", self.board, 5),
            ("grid", self.grid, 3),
            ("pieces", self.pieces, 4),
            ("after", self.after, 2),
        ]);
        with_options("tic-tac-two", &options)
    }

    // The text has a third field: the grid's center.
    fn start(&self) -> Position {
        Position {
            more: vec![grid_name((self.board / 2, self.board / 2))],
            ..Position::empty(1, self.board, self.board)
        }
    }

    fn check(&self, position: &Position) -> Result<(), String> {
        let (xs, os) = (position.count('x'), position.count('o'));
        let off_board = self.center(position).is_none();
        let mut checks = vec![
            reject_if(
                off_board,
                format!("the grid can't be at {}", position.more[0]),
            ),
            reject_if(xs.max(os) > self.pieces, "a player has too many pieces"),
        ];
        // With at least `after` pieces each, everything is possible. With fewer, the counts are
        // those of the opening and the grid is in the center.
        if xs < self.after || os < self.after {
            let has_moved = position.more != self.start().more;
            checks.push(check_alternation(position));
            checks.push(reject_if(has_moved, "the grid can't have moved yet"));
        }
        all_of(checks)
    }

    fn outcome(&self, position: &Position) -> Option<&'static str> {
        // Only the current grid counts, no matter who moved: one player with a line wins, two draw.
        match (self.has_line(position, 'x'), self.has_line(position, 'o')) {
            (true, true) => Some("draw"),
            (true, false) => Some("x"),
            (false, true) => Some("o"),
            // No legal move: a draw.
            (false, false) => self.moves(position).is_empty().then_some("draw"),
        }
    }

    fn moves(&self, position: &Position) -> Vec<String> {
        let mut moves = self.placements(position);
        // Until each player has placed `after` pieces, they can only place pieces.
        if position.count('x') >= self.after && position.count('o') >= self.after {
            moves.extend(self.grid_moves(position));
            moves.extend(self.piece_moves(position));
        }
        moves
    }

    fn apply(&self, position: &mut Position, mv: &str) {
        if mv.starts_with('@') {
            position.more = vec![String::from(mv)];
            return;
        }
        let (from, to) = mv.split_once('-').unwrap_or(("", mv));
        position.put(from, '.');
        position.put(to, position.side);
    }

    fn can_repeat(&self) -> bool {
        true
    }
}
