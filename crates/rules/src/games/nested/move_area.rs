//! Where the next move can go and why, in words: for error messages, prompts and drawings.

use std::fmt;
use std::ops::ControlFlow;

use super::{Area, Depth, Game, Nested, NestedMove, NestedPosition, POWERS, path_text};
use crate::bitboard9::{self, FULL};
use crate::error::{MoveError, MoveErrorKind};
use crate::outcome::Outcome;
use crate::view::Owner;

/// Where the next move can go. Boards are named by their paths; the path of the whole board is
/// empty.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum MoveArea {
    /// The game is over.
    Nowhere,
    /// Any open cell: the player hasn't been sent anywhere.
    Anywhere,
    /// The board that the trail names.
    Board(String),
    /// A free move, since the target can't be played in.
    Free {
        /// The board that the trail names.
        target: String,
        /// Why it can't be played in.
        reason: ClosedReason,
        /// The board that the move must stay inside.
        inside: String,
    },
}

/// Why a target can't be played in.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ClosedReason {
    /// Someone owns it, or a board that contains it.
    Won,
    /// It has no empty cell.
    Full,
}

impl fmt::Display for ClosedReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            ClosedReason::Won => "won",
            ClosedReason::Full => "full",
        })
    }
}

/// A sentence fragment: `play in board e`, `board e is won; play anywhere else`, …
impl fmt::Display for MoveArea {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            MoveArea::Nowhere => f.write_str("the game is over"),
            MoveArea::Anywhere => f.write_str("play anywhere"),
            MoveArea::Board(path) => write!(f, "play in board {path}"),
            MoveArea::Free {
                target,
                reason,
                inside,
            } => {
                write!(f, "board {target} is {reason}; play ")?;
                match inside.is_empty() {
                    true => f.write_str("anywhere else"),
                    false => write!(f, "elsewhere in board {inside}"),
                }
            }
        }
    }
}

impl<D: Depth> Nested<D> {
    /// Where the next move can go, and why.
    ///
    /// ```
    /// use noughts_rules::{Game, Nested};
    /// let game = Nested::ultimate();
    /// let start = game.start();
    /// assert_eq!(game.move_area(&start).to_string(), "play anywhere");
    /// let next = game.play(start, game.parse_move("ec")?).map_err(|error| error.reason)?;
    /// assert_eq!(game.move_area(&next).to_string(), "play in board c");
    /// # Ok::<(), noughts_rules::MoveError>(())
    /// ```
    #[must_use]
    pub fn move_area(&self, position: &NestedPosition<D>) -> MoveArea {
        let depth = self.depth.get();
        let area = self.area(&position.boards, position.turn);
        match (area, self.target(position.turn)) {
            (Area::Nowhere, _) => MoveArea::Nowhere,
            (Area::Board(board), Some(_)) => MoveArea::Board(path_text(board, depth - 1)),
            (_, None) => MoveArea::Anywhere,
            (Area::Free { level, index, .. }, Some(target)) => MoveArea::Free {
                target: path_text(target, depth - 1),
                reason: if position.boards.is_full(target) {
                    ClosedReason::Full
                } else {
                    ClosedReason::Won
                },
                inside: path_text(index, level),
            },
        }
    }

    /// The depth-1 boards where the next move can go, as indices in path order.
    ///
    /// ```
    /// use noughts_rules::{Game, Nested};
    /// let game = Nested::ultimate();
    /// //  0 1 2      The center cell sends to the center board, number 4.
    /// //  3 4 5
    /// //  6 7 8
    /// let next = game.play(game.start(), game.parse_move("ae")?).map_err(|error| error.reason)?;
    /// assert_eq!(game.open_boards(&next), [4]);
    /// # Ok::<(), noughts_rules::MoveError>(())
    /// ```
    #[must_use]
    pub fn open_boards(&self, position: &NestedPosition<D>) -> Vec<usize> {
        let mut boards = Vec::new();
        let ControlFlow::Continue(()) = self.visit_boards::<std::convert::Infallible>(
            &position.boards,
            self.area(&position.boards, position.turn),
            |board| {
                boards.push(board);
                ControlFlow::Continue(())
            },
        );
        boards
    }

    /// The same for a board of depth 2, as bits: search needs it at every node.
    #[must_use]
    #[inline]
    pub fn open_board_mask(&self, position: &NestedPosition<D>) -> u32 {
        match self.area(&position.boards, position.turn) {
            Area::Nowhere => 0,
            Area::Board(board) => 1u32.wrapping_shl(board as u32),
            Area::Free { excluded, .. } => {
                let open = !position.closed_boards() & FULL;
                open & !1u32.checked_shl(excluded as u32).unwrap_or_default()
            }
        }
    }

    /// Who owns board `index` of `level`; level 1 is the nine outermost boards, and `index` is in
    /// path order.
    ///
    /// ```
    /// use noughts_rules::{Game, Nested, Owner, Side};
    /// let game = Nested::ultimate();
    /// // Board a:  x x x      Board b:  o . .
    /// //           . . .                o . .
    /// //           . . .                . . .
    /// let text = "xxx....../o..o...../........./........./........./........./........./........./......... - o -";
    /// let position = game.parse(text)?;
    /// assert_eq!(game.owner(&position, 1, 0), Owner::One(Side::X));
    /// assert_eq!(game.owner(&position, 1, 1), Owner::Nobody);
    /// # Ok::<(), noughts_rules::SetupError>(())
    /// ```
    #[must_use]
    pub fn owner(&self, position: &NestedPosition<D>, level: u32, index: usize) -> Owner {
        if level == 0 || level >= self.depth.get() {
            return Owner::Nobody;
        }
        position
            .boards
            .parent_at(level - 1, index / 9)
            .owner(index % 9)
    }

    /// How many cells can still be played in: empty, and not in a closed board. This is an upper
    /// bound on the remaining length of the game.
    ///
    /// ```
    /// use noughts_rules::{Game, Nested};
    /// let game = Nested::ultimate();
    /// // Board a:  x x x      It is won: its six empty cells are closed.
    /// //           . . .
    /// //           . . .
    /// let text = "xxx....../o..o..o../........./........./........./........./........./........./......... - x -";
    /// let position = game.parse(text)?;
    /// assert_eq!(game.count_open_cells(&position), 7 * 9);
    /// # Ok::<(), noughts_rules::SetupError>(())
    /// ```
    #[must_use]
    pub fn count_open_cells(&self, position: &NestedPosition<D>) -> u32 {
        position.boards.count_open_in(0, 0)
    }

    /// The board that the trail names, if it is complete, as an index in path order. It may be won
    /// or full.
    #[must_use]
    #[inline]
    pub fn target_board(&self, position: &NestedPosition<D>) -> Option<usize> {
        self.target(position.turn)
    }

    /// Calls `visit` with each of these moves and the position after it. Illegal moves are
    /// skipped. The board is copied only once for all moves, and restored between them where they
    /// changed it.
    ///
    /// ```
    /// use noughts_rules::{Game, Nested, NestedMove};
    /// let game = Nested::ultimate();
    /// let next = game.play(game.start(), game.parse_move("ec")?).map_err(|error| error.reason)?;
    /// // O must play in board c; its cells `ca` and `cb` send X to boards a and b.
    /// let mut sent = Vec::new();
    /// let cells = ["ca", "cb", "ee"].map(|text| game.parse_move(text).unwrap());
    /// game.preview_moves(&next, cells, |mv, after| {
    ///     sent.push((game.move_text(mv), game.move_area(after).to_string()));
    /// });
    /// assert_eq!(sent, [
    ///     ("ca".into(), "play in board a".into()),
    ///     ("cb".into(), "play in board b".into()),
    /// ]);
    /// # Ok::<(), noughts_rules::MoveError>(())
    /// ```
    pub fn preview_moves(
        &self,
        position: &NestedPosition<D>,
        moves: impl IntoIterator<Item = NestedMove>,
        mut visit: impl FnMut(NestedMove, &NestedPosition<D>),
    ) {
        let mut after = position.clone();
        for mv in moves {
            if self.check(position, mv).is_ok() {
                self.apply(&mut after, mv);
                visit(mv, &after);
                after.boards.restore_from(&position.boards, mv.index() / 9);
                after.turn = position.turn;
            }
        }
    }

    /// The children of the whole board that form the winning line, as bits; `a` is the lowest.
    ///
    /// ```
    /// use noughts_rules::{D1, Game, Nested, NestedOptions};
    /// let Ok(Some(options)) = "ception:depth=1".parse().map(NestedOptions::of) else { unreachable!() };
    /// let game = Nested::<D1>::new(options).unwrap();
    /// // x x x
    /// // o o .
    /// // . . .
    /// let position = game.parse("xxxoo.... - o -")?;
    /// assert_eq!(game.winning_line(&position), 0b111);
    /// # Ok::<(), noughts_rules::SetupError>(())
    /// ```
    #[must_use]
    pub fn winning_line(&self, position: &NestedPosition<D>) -> u32 {
        let winner = position.turn.outcome.and_then(Outcome::winner);
        let owned = winner.map_or(0, |winner| position.owned_boards(winner));
        let lines = bitboard9::LINES
            .iter()
            .filter(|&&line| owned & line == line);
        lines.fold(0, |all, line| all | line)
    }

    pub(super) fn check_move(
        &self,
        position: &NestedPosition<D>,
        mv: NestedMove,
    ) -> Result<(), MoveError> {
        let depth = self.depth.get();
        let cells = POWERS[depth as usize];
        if let Some(outcome) = position.turn.outcome {
            return Err(MoveError::game_over(outcome));
        }
        if mv.index() >= cells {
            let reason = format!("the board has only {cells} cells");
            return Err(MoveError::new(MoveErrorKind::NotAMove, reason));
        }
        let (board, cell) = (mv.index() / 9, mv.index() % 9);
        if position.boards.leaf(board).taken() >> cell & 1 == 1 {
            return Err(MoveError::cell_taken(&self.move_text(mv)));
        }
        let name = |board| path_text(board, depth - 1);
        let wrong_board = |reason| Err(MoveError::new(MoveErrorKind::NotAllowed, reason));
        match self.area(&position.boards, position.turn) {
            Area::Board(open) if open == board => Ok(()),
            Area::Board(open) => wrong_board(format!(
                "you have to play in board {board}, which still has empty cells",
                board = name(open)
            )),
            Area::Free { .. } if self.target(position.turn) == Some(board) => {
                Err(won_target(&name(board)))
            }
            Area::Free { level, index, .. }
                if board / POWERS[(depth - 1 - level) as usize] != index =>
            {
                wrong_board(self.move_area(position).to_string())
            }
            Area::Free { .. } if self.closes_won_boards() && position.boards.is_closed(board) => {
                Err(closed_board(&name(board)))
            }
            Area::Free { .. } => Ok(()),
            Area::Nowhere => Err(MoveError::new(MoveErrorKind::GameOver, "the game is over")),
        }
    }
}

/// A free move can't go into the target itself.
pub(super) fn won_target(name: &str) -> MoveError {
    let reason = format!("board {name} is won: play in another board");
    MoveError::new(MoveErrorKind::NotAllowed, reason)
}

/// With `free=open`, no move can go into a won board.
pub(super) fn closed_board(name: &str) -> MoveError {
    let reason = format!("board {name} is won and closed: play in another board");
    MoveError::new(MoveErrorKind::NotAllowed, reason)
}
