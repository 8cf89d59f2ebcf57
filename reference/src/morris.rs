//! Three men's morris: three pieces each, placed and then moved.

use crate::board::{
    Place, Position, Rules, all_of, cell_name, check_limited_counts, check_lines, names, places,
    winner,
};
use crate::variant::{Options, spelled};

const PIECES: usize = 3;

#[derive(Debug)]
pub(crate) struct Morris {
    /// `move=any` instead of `move=adjacent`.
    to_any_cell: bool,
}

impl Morris {
    pub(crate) fn parse(options: &mut Options) -> Result<Morris, String> {
        let choices = spelled(&[("move=adjacent", false), ("move=any", true)]);
        let to_any_cell = options.take(&choices)?.unwrap_or(false);
        Ok(Morris { to_any_cell })
    }
}

// One step sideways, up or down, or diagonally to or from the center.
fn are_linked(from: Place, to: Place) -> bool {
    let center = (1, 1);
    match (from.0.abs_diff(to.0), from.1.abs_diff(to.1)) {
        (1, 0) | (0, 1) => true,
        (1, 1) => from == center || to == center,
        _ => false,
    }
}

impl Rules for Morris {
    fn name(&self) -> String {
        String::from(if self.to_any_cell {
            "morris:move=any"
        } else {
            "morris"
        })
    }

    fn start(&self) -> Position {
        Position::empty(1, 3, 3)
    }

    fn check(&self, position: &Position) -> Result<(), String> {
        all_of([
            check_limited_counts(position, PIECES),
            check_lines(|player| position.has_line(3, player), position.side),
        ])
    }

    fn outcome(&self, position: &Position) -> Option<&'static str> {
        winner(|player| position.has_line(3, player))
    }

    fn moves(&self, position: &Position) -> Vec<String> {
        // A player with a piece in hand places it.
        if position.count(position.side) < PIECES {
            return names(position.cells(), '.');
        }
        let places_with = |mark: char| {
            let mut found = places(position.cells());
            found.retain(|&(column, row)| position.cells()[row][column] == mark);
            found
        };
        let mut moves = Vec::new();
        for from in places_with(position.side) {
            for to in places_with('.') {
                if self.to_any_cell || are_linked(from, to) {
                    moves.push(format!("{}-{}", cell_name(from), cell_name(to)));
                }
            }
        }
        moves
    }

    fn apply(&self, position: &mut Position, mv: &str) {
        let (from, to) = mv.split_once('-').unwrap_or(("", mv));
        position.put(from, '.');
        position.put(to, position.side);
    }

    fn can_repeat(&self) -> bool {
        true
    }
}
