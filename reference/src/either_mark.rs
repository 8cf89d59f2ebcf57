//! Wild tic-tac-toe, and Order and Chaos: a move writes either mark, so the marks have no owner.

use crate::board::{Place, Position, Rules, all_of, check_last_move, check_parity, lines, names};
use crate::variant::{Options, changed, numbered, spelled, with_options};
use crate::{opponent, win_text};

/// What a line means, and a full board without one.
#[derive(Clone, Copy, Debug)]
enum Goal {
    /// `wild`: a player who completes a line wins. A full board is a draw.
    MakeLine,
    /// `wild:misere`: a player who completes a line loses. A full board is a draw.
    AvoidLine,
    /// `order-and-chaos`: X wins with a line, no matter who completes it, and O without one.
    Order,
}

#[derive(Debug)]
pub(crate) struct EitherMark {
    goal: Goal,
    size: usize,
    in_a_row: usize,
}

impl EitherMark {
    pub(crate) fn parse_wild(options: &mut Options) -> Result<EitherMark, String> {
        let misere = options.take(&spelled(&[("misere", Goal::AvoidLine)]))?;
        Ok(EitherMark {
            goal: misere.unwrap_or(Goal::MakeLine),
            size: 3,
            in_a_row: 3,
        })
    }

    pub(crate) fn parse_order_and_chaos(options: &mut Options) -> Result<EitherMark, String> {
        let size = options.take(&numbered("size", 3..=8))?.unwrap_or(6);
        let line = options.take(&numbered("line", 3..=8))?.unwrap_or(5);
        if line > size {
            return Err(format!("line={line} must be at most size={size}"));
        }
        Ok(EitherMark {
            goal: Goal::Order,
            size,
            in_a_row: line,
        })
    }

    // The lines of either mark. More marks in a row than necessary are several lines.
    fn lines(&self, position: &Position) -> Vec<Vec<Place>> {
        let cells = position.cells();
        let of_mark = |mark: char| {
            lines(cells, self.in_a_row, |(column, row)| {
                cells[row][column] == mark
            })
        };
        [of_mark('x'), of_mark('o')].concat()
    }
}

impl Rules for EitherMark {
    fn name(&self) -> String {
        match self.goal {
            Goal::MakeLine => String::from("wild"),
            Goal::AvoidLine => String::from("wild:misere"),
            Goal::Order => {
                let options = changed(&[("size", self.size, 6), ("line", self.in_a_row, 5)]);
                with_options("order-and-chaos", &options)
            }
        }
    }

    fn start(&self) -> Position {
        Position::empty(1, self.size, self.size)
    }

    fn check(&self, position: &Position) -> Result<(), String> {
        all_of([
            check_parity(position),
            check_last_move(&self.lines(position)),
        ])
    }

    fn outcome(&self, position: &Position) -> Option<&'static str> {
        // The side to move isn't the one that completed the line.
        let (with_line, without_line) = match self.goal {
            Goal::MakeLine => (win_text(opponent(position.side)), "draw"),
            Goal::AvoidLine => (win_text(position.side), "draw"),
            Goal::Order => ("x", "o"),
        };
        if !self.lines(position).is_empty() {
            return Some(with_line);
        }
        (position.count('.') == 0).then_some(without_line)
    }

    fn moves(&self, position: &Position) -> Vec<String> {
        let mut moves = Vec::new();
        for cell in names(position.cells(), '.') {
            moves.extend(["x", "o"].map(|mark| format!("{cell}={mark}")));
        }
        moves
    }

    fn apply(&self, position: &mut Position, mv: &str) {
        for mark in ['x', 'o'] {
            if let Some(cell) = mv.strip_suffix(&format!("={mark}")) {
                position.put(cell, mark);
            }
        }
    }
}
