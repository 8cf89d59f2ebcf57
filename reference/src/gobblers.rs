//! Gobblers: pieces of three sizes, of which larger ones cover smaller ones.

use crate::board::{
    Place, Position, Rules, all_of, cell_name, count, has_line, places, put, reject_if,
};
use crate::{opponent, win_text};

/// Each size has its own board, as a cell holds at most one piece of each size.
const SIZES: [char; 3] = ['s', 'm', 'l'];

/// How many pieces of each size a player has.
const PIECES: usize = 2;

#[derive(Debug)]
pub(crate) struct Gobblers;

// The size and the player of the piece on top of a cell; none if the cell is empty.
fn top(position: &Position, (column, row): Place) -> Option<(usize, char)> {
    let piece = |size: usize| (size, position.boards[size][row][column]);
    let largest_first = (0..SIZES.len()).rev();
    largest_first.map(piece).find(|(_, player)| *player != '.')
}

// An empty cell takes any piece, another one only a piece that is larger than its top piece.
fn takes(position: &Position, place: Place, size: usize) -> bool {
    top(position, place).is_none_or(|(covered, _)| covered < size)
}

// Only top pieces count.
fn has_line_on_top(position: &Position, player: char) -> bool {
    let mut seen_from_above = position.cells().clone();
    for (column, row) in places(position.cells()) {
        if let Some((_, owner)) = top(position, (column, row)) {
            seen_from_above[row][column] = owner;
        }
    }
    has_line(&seen_from_above, 3, player)
}

impl Rules for Gobblers {
    fn name(&self) -> String {
        String::from("gobblers")
    }

    fn start(&self) -> Position {
        Position::empty(SIZES.len(), 3, 3)
    }

    fn check(&self, position: &Position) -> Result<(), String> {
        let (xs, os, side) = (position.count('x'), position.count('o'), position.side);
        // Pieces never leave the board, so a player has none only before the first move.
        let is_possible = match (xs, os) {
            (0, 0) => side == 'x',
            (1, 0) => side == 'o',
            (xs, os) => xs > 0 && os > 0,
        };
        let reason = format!("{xs} x and {os} o with {side} to move");
        let mut checks = vec![reject_if(!is_possible, reason)];
        for (size, board) in SIZES.iter().zip(&position.boards) {
            for player in ['x', 'o'] {
                let reason = format!("more than two pieces of size {size} of {player}");
                checks.push(reject_if(count(board, player) > PIECES, reason));
            }
        }
        all_of(checks)
    }

    fn outcome(&self, position: &Position) -> Option<&'static str> {
        // A line that the mover has revealed to the opponent comes before the mover's own line.
        [position.side, opponent(position.side)]
            .into_iter()
            .find(|player| has_line_on_top(position, *player))
            .map(win_text)
    }

    fn moves(&self, position: &Position) -> Vec<String> {
        let mut moves = Vec::new();
        for to in places(position.cells()) {
            // Place a piece from the reserve.
            for (size, board) in position.boards.iter().enumerate() {
                if count(board, position.side) < PIECES && takes(position, to, size) {
                    moves.push(format!("{}@{}", SIZES[size], cell_name(to)));
                }
            }
            // Move a top piece. Its own cell doesn't take it, as it isn't larger than itself.
            for from in places(position.cells()) {
                if let Some((size, player)) = top(position, from)
                    && player == position.side
                    && takes(position, to, size)
                {
                    moves.push(format!("{}-{}", cell_name(from), cell_name(to)));
                }
            }
        }
        moves
    }

    fn apply(&self, position: &mut Position, mv: &str) {
        for (size, letter) in SIZES.iter().enumerate() {
            if let Some(to) = mv.strip_prefix(&format!("{letter}@")) {
                put(&mut position.boards[size], to, position.side);
            }
        }
        if let Some((from, to)) = mv.split_once('-') {
            let mut cells = places(position.cells()).into_iter();
            let from_place = cells.find(|place| cell_name(*place) == from);
            if let Some((size, player)) = from_place.and_then(|place| top(position, place)) {
                put(&mut position.boards[size], from, '.');
                put(&mut position.boards[size], to, player);
            }
        }
    }

    fn can_repeat(&self) -> bool {
        true
    }
}
