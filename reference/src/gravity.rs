//! Gravity and Connect Four: discs fall to the lowest empty cell of their column.

use crate::board::{
    Cells, Position, Rules, all_of, check_alternation, check_lines, column_letter, places,
    reject_if, winner,
};
use crate::variant::Options;

#[derive(Debug)]
pub(crate) struct Gravity {
    columns: usize,
    rows: usize,
    in_a_row: usize,
}

impl Gravity {
    pub(crate) fn connect_four() -> Gravity {
        Gravity {
            columns: 7,
            rows: 6,
            in_a_row: 4,
        }
    }

    // `gravity:M,N,K`
    pub(crate) fn parse(options: &mut Options) -> Result<Gravity, String> {
        let columns = options.number("M", 1..=10)?;
        let rows = options.number("N", 1..=10)?;
        let in_a_row = options.number("K", 1..=columns.max(rows))?;
        Ok(Gravity {
            columns,
            rows,
            in_a_row,
        })
    }
}

fn has_floating_disc(cells: &Cells) -> bool {
    places(cells).into_iter().any(|(column, row)| {
        let below = cells.get(row + 1).map(|cells| cells[column]);
        cells[row][column] != '.' && below == Some('.')
    })
}

impl Rules for Gravity {
    fn name(&self) -> String {
        match (self.columns, self.rows, self.in_a_row) {
            (7, 6, 4) => String::from("connect-four"),
            (m, n, k) => format!("gravity:{m},{n},{k}"),
        }
    }

    fn start(&self) -> Position {
        Position::empty(1, self.columns, self.rows)
    }

    fn check(&self, position: &Position) -> Result<(), String> {
        let has_line = |player| position.has_line(self.in_a_row, player);
        let floats = has_floating_disc(position.cells());
        all_of([
            check_alternation(position),
            reject_if(floats, "a disc above an empty cell"),
            check_lines(has_line, position.side),
        ])
    }

    fn outcome(&self, position: &Position) -> Option<&'static str> {
        let full = position.count('.') == 0;
        // A line wins even if the last disc made it.
        winner(|player| position.has_line(self.in_a_row, player)).or(full.then_some("draw"))
    }

    // The columns that aren't full.
    fn moves(&self, position: &Position) -> Vec<String> {
        let mut columns: Vec<usize> = (0..self.columns).collect();
        columns.retain(|column| position.cells()[0][*column] == '.');
        columns
            .into_iter()
            .map(column_letter)
            .map(String::from)
            .collect()
    }

    fn apply(&self, position: &mut Position, mv: &str) {
        // Rows are counted from the top, so the lowest empty cell is the last one.
        for (column, row) in places(position.cells()).into_iter().rev() {
            if mv == String::from(column_letter(column)) && position.cells()[row][column] == '.' {
                position.boards[0][row][column] = position.side;
                return;
            }
        }
    }
}
