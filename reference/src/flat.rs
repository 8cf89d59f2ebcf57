//! Classic, misère and m,n,k: one board, K in a row.

use crate::board::{Position, Rules, all_of, check_alternation, check_lines, names};
use crate::variant::{Options, spelled};
use crate::{opponent, win_text};

#[derive(Debug)]
pub(crate) struct Flat {
    columns: usize,
    rows: usize,
    in_a_row: usize,
    misere: bool,
}

impl Flat {
    pub(crate) fn three_by_three(misere: bool) -> Flat {
        Flat {
            columns: 3,
            rows: 3,
            in_a_row: 3,
            misere,
        }
    }

    // `mnk:M,N,K` or `mnk:M,N,K,misere`: the order of the numbers is fixed.
    pub(crate) fn parse(options: &mut Options) -> Result<Flat, String> {
        let columns = options.number("M", 1..=16)?;
        let rows = options.number("N", 1..=16)?;
        let in_a_row = options.number("K", 1..=columns.max(rows))?;
        let misere = options.take(&spelled(&[("misere", true)]))?;
        Ok(Flat {
            columns,
            rows,
            in_a_row,
            misere: misere.unwrap_or(false),
        })
    }
}

impl Rules for Flat {
    fn name(&self) -> String {
        let (m, n, k) = (self.columns, self.rows, self.in_a_row);
        match ((m, n, k), self.misere) {
            ((3, 3, 3), false) => String::from("classic"),
            ((3, 3, 3), true) => String::from("misere"),
            (_, false) => format!("mnk:{m},{n},{k}"),
            (_, true) => format!("mnk:{m},{n},{k},misere"),
        }
    }

    fn start(&self) -> Position {
        Position::empty(1, self.columns, self.rows)
    }

    fn check(&self, position: &Position) -> Result<(), String> {
        let has_line = |player| position.has_line(self.in_a_row, player);
        all_of([
            check_alternation(position),
            check_lines(has_line, position.side),
        ])
    }

    fn outcome(&self, position: &Position) -> Option<&'static str> {
        for player in ['x', 'o'] {
            // A line ends the game, even on the last empty cell: it wins, and in misère it loses.
            if position.has_line(self.in_a_row, player) {
                let loses = self.misere;
                return Some(win_text(if loses { opponent(player) } else { player }));
            }
        }
        // A full board with no line is a draw.
        (position.count('.') == 0).then_some("draw")
    }

    // A move puts a mark on an empty cell.
    fn moves(&self, position: &Position) -> Vec<String> {
        names(position.cells(), '.')
    }

    fn apply(&self, position: &mut Position, mv: &str) {
        position.put(mv, position.side);
    }
}
