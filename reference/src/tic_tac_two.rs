//! Tic-Tac-Two: pieces on a board, and a movable grid in which lines of three count.
//!
//! Repetition is not known here; `History` looks after it.

use crate::flat::{Cells, cell_name, count, has_line, places, put, read_cells, write_cells};
use crate::variant::TicTacTwoRules;
use crate::{check_alternation, opponent, read_side};

/// A position of Tic-Tac-Two.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct TicTacTwo {
    rules: TicTacTwoRules,
    cells: Cells,
    /// Column and row of the grid's centre.
    centre: (usize, usize),
    side: char,
}

impl TicTacTwo {
    /// The empty board with the grid centred on the centre cell and X to move.
    pub(crate) fn start(rules: TicTacTwoRules) -> TicTacTwo {
        TicTacTwo {
            cells: vec![vec!['.'; rules.board]; rules.board],
            centre: (rules.board / 2, rules.board / 2),
            side: 'x',
            rules,
        }
    }

    /// Reads `...../.xo../..x../...../..... o @c3`.
    pub(crate) fn from_text(rules: TicTacTwoRules, text: &str) -> Result<TicTacTwo, String> {
        let fields: Vec<&str> = text.split(' ').collect();
        let [cells, side, grid] = fields[..] else {
            return Err(format!("{} fields, must be 3", fields.len()));
        };
        let mut game = TicTacTwo::start(rules);
        game.cells = read_cells(cells, game.rules.board, game.rules.board)?;
        game.side = read_side(side)?;
        game.centre = game
            .centres()
            .into_iter()
            .find(|centre| grid_name(*centre) == grid)
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
        // With `after` to `pieces` pieces each, anything goes.
        if xs >= after && os >= after {
            return Ok(());
        }
        // With fewer, the counts are those of the opening and the grid is in the centre.
        check_alternation(xs, os, self.side)?;
        let start = TicTacTwo::start(self.rules.clone());
        if self.centre != start.centre {
            return Err(String::from("the grid cannot have moved yet"));
        }
        Ok(())
    }

    pub(crate) fn to_text(&self) -> String {
        let cells = write_cells(&self.cells);
        format!("{cells} {} {}", self.side, grid_name(self.centre))
    }

    pub(crate) fn side(&self) -> char {
        self.side
    }

    pub(crate) fn outcome(&self) -> Option<&'static str> {
        // Look at the grid as it stands now, whoever moved: one player with a line wins, two tie.
        match (self.has_line('x'), self.has_line('o')) {
            (true, true) => Some("draw"),
            (true, false) => Some("x"),
            (false, true) => Some("o"),
            // No legal move: a draw.
            (false, false) => self.turns().is_empty().then_some("draw"),
        }
    }

    // Only lines of three that lie wholly inside the grid count.
    fn has_line(&self, player: char) -> bool {
        has_line(&self.cells, 3, |column, row| {
            self.cells[row][column] == player && self.in_grid(column, row)
        })
    }

    fn in_grid(&self, column: usize, row: usize) -> bool {
        let reach = self.rules.grid / 2;
        column.abs_diff(self.centre.0) <= reach && row.abs_diff(self.centre.1) <= reach
    }

    // The centres with which the whole grid is on the board.
    fn centres(&self) -> Vec<(usize, usize)> {
        let reach = self.rules.grid / 2;
        let fits = |middle: usize| middle >= reach && middle + reach < self.rules.board;
        let mut centres = places(&self.cells);
        centres.retain(|&(column, row)| fits(column) && fits(row));
        centres
    }

    pub(crate) fn legal_moves(&self) -> Vec<String> {
        if self.outcome().is_some() {
            return Vec::new();
        }
        self.turns()
    }

    // What the player to move may do, if no line has ended the game.
    fn turns(&self) -> Vec<String> {
        let mut turns = self.placements();
        // Until both players have placed `after` pieces there is nothing but placing.
        let placed = |player| count(&self.cells, player);
        if placed('x') >= self.rules.after && placed('o') >= self.rules.after {
            turns.extend(self.grid_moves());
            turns.extend(self.piece_moves());
        }
        turns
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

    // Move the grid's centre one step in any of the eight directions; the grid stays on the board.
    fn grid_moves(&self) -> Vec<String> {
        let (column, row) = self.centre;
        let mut moves = Vec::new();
        for centre in self.centres() {
            let steps = column.abs_diff(centre.0).max(row.abs_diff(centre.1));
            if steps == 1 {
                moves.push(grid_name(centre));
            }
        }
        moves
    }

    // Move an own piece, inside the grid or outside it, to an empty cell inside the grid.
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
            let moved = |centre: &(usize, usize)| grid_name(*centre) == mv;
            next.centre = self
                .centres()
                .into_iter()
                .find(moved)
                .unwrap_or(self.centre);
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
