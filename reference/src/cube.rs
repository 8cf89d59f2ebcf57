//! Cube and Qubic: layers of cells, K in a straight line in space.

use crate::board::{
    Cells, Position, Rules, all_of, check_alternation, check_lines, names, put, winner,
};
use crate::variant::Options;

#[derive(Debug)]
pub(crate) struct Cube {
    size: usize,
    in_a_row: usize,
}

impl Cube {
    pub(crate) fn qubic() -> Cube {
        Cube {
            size: 4,
            in_a_row: 4,
        }
    }

    // `cube:S` or `cube:S,K`
    pub(crate) fn parse(options: &mut Options) -> Result<Cube, String> {
        let size = options.number("S", 3..=5)?;
        let in_a_row = if options.is_empty() {
            size
        } else {
            options.number("K", 3..=size)?
        };
        Ok(Cube { size, in_a_row })
    }

    // Walks from every cell in every direction.
    fn count_lines(&self, layers: &[Cells], mark: char) -> usize {
        let size = self.size as i32;
        let holds = |layer: i32, row: i32, column: i32| {
            let inside = [layer, row, column].iter().all(|n| (0..size).contains(n));
            inside && layers[layer as usize][row as usize][column as usize] == mark
        };
        let mut lines = 0;
        for (layer, row, column) in triples(0..size) {
            for (down, forward, right) in directions() {
                let is_line = (0..self.in_a_row as i32).all(|step| {
                    holds(
                        layer + step * down,
                        row + step * forward,
                        column + step * right,
                    )
                });
                lines += usize::from(is_line);
            }
        }
        lines
    }
}

fn triples(range: std::ops::Range<i32>) -> Vec<(i32, i32, i32)> {
    let mut triples = Vec::new();
    for first in range.clone() {
        for second in range.clone() {
            triples.extend(range.clone().map(|third| (first, second, third)));
        }
    }
    triples
}

// The 26 neighbors of a cell are 13 pairs of opposites, and one direction of each pair is enough.
fn directions() -> Vec<(i32, i32, i32)> {
    let mut directions = triples(-1..2);
    directions.retain(|direction| *direction > (0, 0, 0));
    directions
}

impl Rules for Cube {
    fn name(&self) -> String {
        match (self.size, self.in_a_row) {
            (4, 4) => String::from("qubic"),
            (s, k) if s == k => format!("cube:{s}"),
            (s, k) => format!("cube:{s},{k}"),
        }
    }

    // The first board is the top layer.
    fn start(&self) -> Position {
        Position::empty(self.size, self.size, self.size)
    }

    fn check(&self, position: &Position) -> Result<(), String> {
        let has_line = |player| self.count_lines(&position.boards, player) > 0;
        all_of([
            check_alternation(position),
            check_lines(has_line, position.side),
        ])
    }

    fn outcome(&self, position: &Position) -> Option<&'static str> {
        let full = position.count('.') == 0;
        winner(|player| self.count_lines(&position.boards, player) > 0).or(full.then_some("draw"))
    }

    fn moves(&self, position: &Position) -> Vec<String> {
        let mut moves = Vec::new();
        for (number, layer) in (1..).zip(&position.boards) {
            moves.extend(
                names(layer, '.')
                    .iter()
                    .map(|cell| format!("{number}{cell}")),
            );
        }
        moves
    }

    fn apply(&self, position: &mut Position, mv: &str) {
        for (number, layer) in (1..).zip(&mut position.boards) {
            if let Some(cell) = mv.strip_prefix(&number.to_string()) {
                put(layer, cell, position.side);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn number_of_lines() {
        assert_eq!(directions().len(), 13);
        let counts = [
            (3, 3, 49),
            (4, 4, 76),
            (5, 5, 109),
            (4, 3, 224),
            (5, 4, 302),
            (5, 3, 603),
        ];
        for (size, in_a_row, lines) in counts {
            let cube = Cube { size, in_a_row };
            // In the empty cube every line consists of dots.
            assert_eq!(cube.count_lines(&cube.start().boards, '.'), lines);
        }
    }
}
