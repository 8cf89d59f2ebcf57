//! Notakto: both players write X, and the player who completes the last board's line loses.

use crate::board::{
    Cells, Position, Rules, all_of, check_last_move, check_parity, has_line, lines, names, put,
};
use crate::variant::Options;
use crate::win_text;

#[derive(Debug)]
pub(crate) struct Notakto {
    boards: usize,
}

impl Notakto {
    // `notakto` or `notakto:B`
    pub(crate) fn parse(options: &mut Options) -> Result<Notakto, String> {
        let boards = if options.is_empty() {
            1
        } else {
            options.number("B", 1..=5)?
        };
        Ok(Notakto { boards })
    }

    // How the names of the moves on the board with this index start.
    fn prefix(&self, board: usize) -> String {
        if self.boards == 1 {
            return String::new();
        }
        (board + 1).to_string()
    }
}

fn is_dead(board: &Cells) -> bool {
    has_line(board, 3, 'x')
}

impl Rules for Notakto {
    fn name(&self) -> String {
        match self.boards {
            1 => String::from("notakto"),
            boards => format!("notakto:{boards}"),
        }
    }

    fn start(&self) -> Position {
        Position::empty(self.boards, 3, 3)
    }

    fn letters(&self) -> &'static str {
        "x."
    }

    fn check(&self, position: &Position) -> Result<(), String> {
        let mut checks = vec![check_parity(position)];
        for board in &position.boards {
            let lines = lines(board, 3, |(column, row)| board[row][column] == 'x');
            checks.push(check_last_move(&lines));
        }
        all_of(checks)
    }

    // The player who has just killed the last board loses.
    fn outcome(&self, position: &Position) -> Option<&'static str> {
        let over = position.boards.iter().all(is_dead);
        over.then_some(win_text(position.side))
    }

    // A dead board takes no more moves.
    fn moves(&self, position: &Position) -> Vec<String> {
        let mut moves = Vec::new();
        for (index, board) in position.boards.iter().enumerate() {
            if !is_dead(board) {
                let prefix = self.prefix(index);
                moves.extend(
                    names(board, '.')
                        .iter()
                        .map(|cell| format!("{prefix}{cell}")),
                );
            }
        }
        moves
    }

    fn apply(&self, position: &mut Position, mv: &str) {
        for (index, board) in position.boards.iter_mut().enumerate() {
            if let Some(cell) = mv.strip_prefix(&self.prefix(index)) {
                put(board, cell, 'x');
            }
        }
    }
}
