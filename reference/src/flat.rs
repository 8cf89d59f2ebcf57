//! Classic, misère and m,n,k: one flat board, K in a row.
//!
//! The helpers for flat boards at the end are also used by Tic-Tac-Two.

use crate::variant::FlatRules;
use crate::{check_alternation, opponent, read_side, win_text};

/// The cells of a flat board, row by row from the top: `x`, `o` or `.`.
pub(crate) type Cells = Vec<Vec<char>>;

/// A position on a flat board.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Flat {
    rules: FlatRules,
    cells: Cells,
    side: char,
}

impl Flat {
    /// The empty board with X to move.
    pub(crate) fn start(rules: FlatRules) -> Flat {
        Flat {
            cells: vec![vec!['.'; rules.columns]; rules.rows],
            side: 'x',
            rules,
        }
    }

    /// Parses `x.o/.x./... o`.
    pub(crate) fn from_text(rules: FlatRules, text: &str) -> Result<Flat, String> {
        let fields: Vec<&str> = text.split(' ').collect();
        let [cells, side] = fields[..] else {
            return Err(format!("{} fields, must be 2", fields.len()));
        };
        let cells = read_cells(cells, rules.columns, rules.rows)?;
        let side = read_side(side)?;
        let game = Flat { rules, cells, side };
        game.check()?;
        Ok(game)
    }

    fn check(&self) -> Result<(), String> {
        check_alternation(count(&self.cells, 'x'), count(&self.cells, 'o'), self.side)?;
        // If the player to move had a line, or both players did, the game would have ended earlier.
        if self.has_line(self.side) {
            return Err(format!("{} is to move and has a line", self.side));
        }
        Ok(())
    }

    pub(crate) fn to_text(&self) -> String {
        format!("{} {}", write_cells(&self.cells), self.side)
    }

    pub(crate) fn side(&self) -> char {
        self.side
    }

    pub(crate) fn outcome(&self) -> Option<&'static str> {
        for player in ['x', 'o'] {
            // A line ends the game, even on the last empty cell: it wins, and in misère it loses.
            if self.has_line(player) {
                let loses = self.rules.misere;
                return Some(win_text(if loses { opponent(player) } else { player }));
            }
        }
        // A full board with no line is a draw.
        if count(&self.cells, '.') == 0 {
            return Some("draw");
        }
        None
    }

    // K in a row, column or diagonal. More than K contain K, so they count, too.
    fn has_line(&self, player: char) -> bool {
        has_line(&self.cells, self.rules.in_a_row, |column, row| {
            self.cells[row][column] == player
        })
    }

    pub(crate) fn legal_moves(&self) -> Vec<String> {
        if self.outcome().is_some() {
            return Vec::new();
        }
        // A move puts a mark on an empty cell.
        let mut moves = Vec::new();
        for (column, row) in places(&self.cells) {
            if self.cells[row][column] == '.' {
                moves.push(cell_name(column, row));
            }
        }
        moves
    }

    /// The position after a legal move.
    pub(crate) fn after(&self, mv: &str) -> Flat {
        let mut next = self.clone();
        put(&mut next.cells, mv, self.side);
        next.side = opponent(self.side);
        next
    }
}

/// Column letter, then row number, both counted from the top left: `a1`.
pub(crate) fn cell_name(column: usize, row: usize) -> String {
    let letter = char::from(b'a' + column as u8);
    format!("{letter}{}", row + 1)
}

/// All (column, row) pairs of a board.
pub(crate) fn places(cells: &Cells) -> Vec<(usize, usize)> {
    let mut places = Vec::new();
    for (row, line) in cells.iter().enumerate() {
        for column in 0..line.len() {
            places.push((column, row));
        }
    }
    places
}

/// Writes a mark or a `.` into the cell with that name.
pub(crate) fn put(cells: &mut Cells, name: &str, mark: char) {
    for (column, row) in places(cells) {
        if cell_name(column, row) == name {
            cells[row][column] = mark;
        }
    }
}

/// How many cells hold this mark.
pub(crate) fn count(cells: &Cells, mark: char) -> usize {
    cells.iter().flatten().filter(|cell| **cell == mark).count()
}

/// Whether `length` cells in a row, column or diagonal all pass the test.
pub(crate) fn has_line(
    cells: &Cells,
    length: usize,
    passes: impl Fn(usize, usize) -> bool,
) -> bool {
    let (columns, rows) = (cells[0].len() as i32, cells.len() as i32);
    let passes_on_board = |column: i32, row: i32| {
        let on_board = (0..columns).contains(&column) && (0..rows).contains(&row);
        on_board && passes(column as usize, row as usize)
    };
    let directions = [(1, 0), (0, 1), (1, 1), (1, -1)];
    places(cells).iter().any(|&(column, row)| {
        directions.iter().any(|&(right, down)| {
            (0..length as i32)
                .all(|step| passes_on_board(column as i32 + right * step, row as i32 + down * step))
        })
    })
}

/// Parses rows from the top, joined by `/`.
pub(crate) fn read_cells(field: &str, columns: usize, rows: usize) -> Result<Cells, String> {
    let cells: Cells = field.split('/').map(|row| row.chars().collect()).collect();
    if cells.len() != rows {
        return Err(format!("{} rows, must be {rows}", cells.len()));
    }
    if cells.iter().any(|row| row.len() != columns) {
        return Err(format!("a row does not have {columns} cells"));
    }
    if cells.iter().flatten().any(|cell| !"xo.".contains(*cell)) {
        return Err(String::from("a cell is none of x, o and ."));
    }
    Ok(cells)
}

/// Formats rows from the top, joined by `/`.
pub(crate) fn write_cells(cells: &Cells) -> String {
    let rows: Vec<String> = cells.iter().map(|row| row.iter().collect()).collect();
    rows.join("/")
}
