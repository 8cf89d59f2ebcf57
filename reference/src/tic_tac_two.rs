//! Tic-Tac-Two: pieces on a board, and a movable grid in which lines of three count.
//!
//! Repetition isn't handled here, but in `History`.

use crate::flat::{Cells, cell_name, count, has_line, places, put, read_cells, write_cells};
use crate::variant::TicTacTwoRules;
use crate::{check_alternation, opponent, read_side};

/// A position of Tic-Tac-Two.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct TicTacTwo {
    rules: TicTacTwoRules,
    cells: Cells,
    /// Column and row of the grid's center.
    center: (usize, usize),
    side: char,
}

impl TicTacTwo {
    /// The empty board with the grid in the center and X to move.
    pub(crate) fn start(rules: TicTacTwoRules) -> TicTacTwo {
        TicTacTwo {
            cells: vec![vec!['.'; rules.board]; rules.board],
            center: (rules.board / 2, rules.board / 2),
            side: 'x',
            rules,
        }
    }

    /// Parses `...../.xo../..x../...../..... o @c3`.
    pub(crate) fn from_text(rules: TicTacTwoRules, text: &str) -> Result<TicTacTwo, String> {
        let fields: Vec<&str> = text.split(' ').collect();
        let [cells, side, grid] = fields[..] else {
            return Err(format!("{} fields, must be 3", fields.len()));
        };
        let mut game = TicTacTwo::start(rules);
        game.cells = read_cells(cells, game.rules.board, game.rules.board)?;
        game.side = read_side(side)?;
        game.center = game
            .centers()
            .into_iter()
            .find(|center| grid_name(*center) == grid)
            .ok_or(format!("{grid:?} is no place for the grid"))?;
        game.check()?;
        Ok(game)
    }

    fn check(&self) -> Result<(), String> {
        let (xs, os) = (count(&self.cells, 'x'), count(&self.cells, 'o'));
        let TicTacTwoRules { after, pieces, .. } = self.rules;
        if xs > pieces || os > pieces {
            return Err(format!("a player has more than {pieces} pieces"));
        }
        // With at least `after` pieces each, everything is possible.
        if xs >= after && os >= after {
            return Ok(());
        }
        // With fewer, the counts are those of the opening and the grid is in the center.
        check_alternation(xs, os, self.side)?;
        let start = TicTacTwo::start(self.rules.clone());
        if self.center != start.center {
            return Err(String::from("the grid cannot have moved yet"));
        }
        Ok(())
    }

    pub(crate) fn to_text(&self) -> String {
        let cells = write_cells(&self.cells);
        format!("{cells} {} {}", self.side, grid_name(self.center))
    }

    pub(crate) fn side(&self) -> char {
        self.side
    }

    pub(crate) fn outcome(&self) -> Option<&'static str> {
        // Only the current grid counts, no matter who moved: one player with a line wins, two draw.
        match (self.has_line('x'), self.has_line('o')) {
            (true, true) => Some("draw"),
            (true, false) => Some("x"),
            (false, true) => Some("o"),
            // No legal move: a draw.
            (false, false) => self.possible_moves().is_empty().then_some("draw"),
        }
    }

    // Only lines of three that are entirely inside the grid count.
    fn has_line(&self, player: char) -> bool {
        has_line(&self.cells, 3, |column, row| {
            self.cells[row][column] == player && self.in_grid(column, row)
        })
    }

    fn in_grid(&self, column: usize, row: usize) -> bool {
        let reach = self.rules.grid / 2;
        column.abs_diff(self.center.0) <= reach && row.abs_diff(self.center.1) <= reach
    }

    // The centers with which the whole grid is on the board.
    fn centers(&self) -> Vec<(usize, usize)> {
        let reach = self.rules.grid / 2;
        let fits = |middle: usize| middle >= reach && middle + reach < self.rules.board;
        let mut centers = places(&self.cells);
        centers.retain(|&(column, row)| fits(column) && fits(row));
        centers
    }

    pub(crate) fn legal_moves(&self) -> Vec<String> {
        if self.outcome().is_some() {
            return Vec::new();
        }
        self.possible_moves()
    }

    // The moves of the player to move, unless a line has ended the game.
    fn possible_moves(&self) -> Vec<String> {
        let mut possible_moves = self.placements();
        // Until both players have placed `after` pieces, they can only place pieces.
        let placed = |player| count(&self.cells, player);
        if placed('x') >= self.rules.after && placed('o') >= self.rules.after {
            possible_moves.extend(self.grid_moves());
            possible_moves.extend(self.piece_moves());
        }
        possible_moves
    }

    fn empty_cells_in_grid(&self) -> Vec<String> {
        let mut names = Vec::new();
        for (column, row) in places(&self.cells) {
            if self.cells[row][column] == '.' && self.in_grid(column, row) {
                names.push(cell_name(column, row));
            }
        }
        names
    }

    // Place one of the remaining pieces on an empty cell inside the grid.
    fn placements(&self) -> Vec<String> {
        if count(&self.cells, self.side) == self.rules.pieces {
            return Vec::new();
        }
        self.empty_cells_in_grid()
    }

    // Move the grid's center one step in any of the eight directions; the grid stays on the board.
    fn grid_moves(&self) -> Vec<String> {
        let (column, row) = self.center;
        let mut moves = Vec::new();
        for center in self.centers() {
            let steps = column.abs_diff(center.0).max(row.abs_diff(center.1));
            if steps == 1 {
                moves.push(grid_name(center));
            }
        }
        moves
    }

    // Move one of the player's pieces, inside or outside the grid, to an empty cell inside the grid.
    fn piece_moves(&self) -> Vec<String> {
        let mut moves = Vec::new();
        for (column, row) in places(&self.cells) {
            if self.cells[row][column] == self.side {
                for to in self.empty_cells_in_grid() {
                    moves.push(format!("{}-{to}", cell_name(column, row)));
                }
            }
        }
        moves
    }

    /// The position after a legal move.
    pub(crate) fn after(&self, mv: &str) -> TicTacTwo {
        let mut next = self.clone();
        next.side = opponent(self.side);
        if mv.starts_with('@') {
            let moved = |center: &(usize, usize)| grid_name(*center) == mv;
            next.center = self
                .centers()
                .into_iter()
                .find(moved)
                .unwrap_or(self.center);
        } else if let Some((from, to)) = mv.split_once('-') {
            put(&mut next.cells, from, '.');
            put(&mut next.cells, to, self.side);
        } else {
            put(&mut next.cells, mv, self.side);
        }
        next
    }
}

fn grid_name((column, row): (usize, usize)) -> String {
    format!("@{}", cell_name(column, row))
}
