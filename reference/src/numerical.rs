//! Numerical tic-tac-toe: X writes odd numbers, O even ones, and three in a line that sum to 15 win.

use crate::board::{
    Place, Position, Rules, all_of, check_counts, common_cells, lines, names, reject_if,
};
use crate::{opponent, win_text};

const NUMBERS: &str = "123456789";

#[derive(Debug)]
pub(crate) struct Numerical;

// X owns the odd numbers, O the even ones.
fn numbers_of(player: char) -> Vec<char> {
    let first = if player == 'x' { 0 } else { 1 };
    NUMBERS.chars().skip(first).step_by(2).collect()
}

// The lines that sum to 15, no matter who wrote the numbers.
fn lines_of_15(position: &Position) -> Vec<Vec<Place>> {
    let number = |(column, row): Place| position.cells()[row][column].to_digit(10);
    let mut full = lines(position.cells(), 3, |place| number(place).is_some());
    full.retain(|line| line.iter().filter_map(|place| number(*place)).sum::<u32>() == 15);
    full
}

// A single last move can have completed all lines of 15: they share a number of the last mover.
fn check_last_number(position: &Position) -> Result<(), String> {
    let lines = lines_of_15(position);
    let numbers = numbers_of(opponent(position.side));
    let mut candidates = common_cells(&lines);
    candidates.retain(|&(column, row)| numbers.contains(&position.cells()[row][column]));
    reject_if(
        !lines.is_empty() && candidates.is_empty(),
        "lines of 15 that no single last move can have made",
    )
}

impl Rules for Numerical {
    fn name(&self) -> String {
        String::from("numerical")
    }

    fn start(&self) -> Position {
        Position::empty(1, 3, 3)
    }

    fn letters(&self) -> &'static str {
        "123456789."
    }

    fn check(&self, position: &Position) -> Result<(), String> {
        let written_by = |player: char| {
            let numbers = numbers_of(player).into_iter();
            numbers.map(|number| position.count(number)).sum()
        };
        let mut checks = vec![
            check_counts(written_by('x'), written_by('o'), position.side),
            check_last_number(position),
        ];
        for number in NUMBERS.chars() {
            let twice = position.count(number) > 1;
            checks.push(reject_if(twice, format!("the number {number} twice")));
        }
        all_of(checks)
    }

    fn outcome(&self, position: &Position) -> Option<&'static str> {
        // The player who has just moved completed the line.
        if !lines_of_15(position).is_empty() {
            return Some(win_text(opponent(position.side)));
        }
        (position.count('.') == 0).then_some("draw")
    }

    fn moves(&self, position: &Position) -> Vec<String> {
        let mut unused = numbers_of(position.side);
        unused.retain(|number| position.count(*number) == 0);
        let mut moves = Vec::new();
        for cell in names(position.cells(), '.') {
            moves.extend(unused.iter().map(|number| format!("{cell}={number}")));
        }
        moves
    }

    fn apply(&self, position: &mut Position, mv: &str) {
        for number in NUMBERS.chars() {
            if let Some(cell) = mv.strip_suffix(&format!("={number}")) {
                position.put(cell, number);
            }
        }
    }
}
