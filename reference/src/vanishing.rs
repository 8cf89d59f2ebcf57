//! Vanishing tic-tac-toe: a player with enough marks loses the oldest one with each new mark.

use crate::board::{
    Position, Rules, all_of, check_limited_counts, check_lines, names, reject_if, winner,
};
use crate::variant::{Options, numbered};

#[derive(Debug)]
pub(crate) struct Vanishing {
    /// How many marks a player keeps.
    marks: usize,
}

impl Vanishing {
    pub(crate) fn parse(options: &mut Options) -> Result<Vanishing, String> {
        let marks = options.take(&numbered("marks", 3..=4))?.unwrap_or(3);
        Ok(Vanishing { marks })
    }
}

// The field with the order of a player's marks.
fn field_index(player: char) -> usize {
    if player == 'x' { 0 } else { 1 }
}

// The names of the cells with a player's marks, oldest first.
fn order(position: &Position, player: char) -> Vec<String> {
    match position.more[field_index(player)].as_str() {
        "-" => Vec::new(),
        names => names.split(',').map(String::from).collect(),
    }
}

// Every mark must be in the order of its player exactly once.
fn check_order(position: &Position, player: char) -> Result<(), String> {
    let mut ordered = order(position, player);
    let mut on_board = names(position.cells(), player);
    ordered.sort();
    on_board.sort();
    let reason = format!("the order of {player} does not name exactly its marks, once each");
    reject_if(ordered != on_board, reason)
}

impl Rules for Vanishing {
    fn name(&self) -> String {
        match self.marks {
            3 => String::from("vanishing"),
            marks => format!("vanishing:marks={marks}"),
        }
    }

    fn start(&self) -> Position {
        Position {
            more: vec![String::from("-"), String::from("-")],
            ..Position::empty(1, 3, 3)
        }
    }

    fn check(&self, position: &Position) -> Result<(), String> {
        all_of([
            check_limited_counts(position, self.marks),
            check_order(position, 'x'),
            check_order(position, 'o'),
            check_lines(|player| position.has_line(3, player), position.side),
        ])
    }

    fn outcome(&self, position: &Position) -> Option<&'static str> {
        winner(|player| position.has_line(3, player))
    }

    // The mark that is about to vanish still occupies its cell.
    fn moves(&self, position: &Position) -> Vec<String> {
        names(position.cells(), '.')
    }

    fn apply(&self, position: &mut Position, mv: &str) {
        let mut order = order(position, position.side);
        position.put(mv, position.side);
        order.push(String::from(mv));
        if order.len() > self.marks {
            position.put(&order.remove(0), '.');
        }
        position.more[field_index(position.side)] = order.join(",");
    }

    fn can_repeat(&self) -> bool {
        true
    }
}
