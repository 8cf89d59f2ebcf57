//! Where the next move may go and why, in words: for refusals, prompts and
//! drawings.

use std::fmt;
use std::ops::ControlFlow;

use super::{Area, Depth, Game, Nested, NestedMove, NestedPosition, POWERS, path_text};
use crate::bitboard9::FULL;
use crate::error::{MoveError, MoveErrorKind};
use crate::setup::Owner;

/// Where the next move may go. Boards are named by their paths; the whole board
/// is the empty path.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum MoveArea {
    /// The game is over.
    Nowhere,
    /// Any cell that is open: nobody has been sent anywhere yet.
    Anywhere,
    /// The board that the last move points to.
    Board(String),
    /// A free move, since the target cannot be played in.
    Free {
        /// The board that the last move points to.
        target: String,
        /// Why it cannot be played in.
        reason: ClosedReason,
        /// The board that the move must stay inside.
        inside: String,
    },
}

/// Why a target cannot be played in.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ClosedReason {
    /// Somebody owns it, or a board around it.
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

/// A sentence part: `play in board e`, `board e is won: play anywhere else`, …
impl fmt::Display for MoveArea {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            MoveArea::Nowhere => f.write_str("the game is over"),
            MoveArea::Anywhere => f.write_str("play anywhere"),
            MoveArea::Board(path) => write!(f, "play in board {path}"),
            MoveArea::Free {
                target,
                reason: why,
                inside,
            } if inside.is_empty() => write!(f, "board {target} is {why}: play anywhere else"),
            MoveArea::Free {
                target,
                reason: why,
                inside,
            } => write!(
                f,
                "board {target} is {why}: play elsewhere in board {inside}"
            ),
        }
    }
}

impl<D: Depth> Nested<D> {
    /// Where the next move may go, and why.
    ///
    /// ```
    /// use noughts_rules::{Game, Nested};
    /// let game = Nested::ultimate();
    /// let start = game.start();
    /// assert_eq!(game.place(&start).to_string(), "play anywhere");
    /// let next = game.play(start, game.parse_move("ec")?).map_err(|e| e.reason)?;
    /// assert_eq!(game.place(&next).to_string(), "play in board c");
    /// # Ok::<(), noughts_rules::Refusal>(())
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

    /// The depth-1 boards that the next move may go to, numbered in the order
    /// of their paths.
    ///
    /// ```
    /// use noughts_rules::{Game, Nested};
    /// let game = Nested::ultimate();
    /// //  0 1 2      The centre cell sends to the centre board, number 4.
    /// //  3 4 5
    /// //  6 7 8
    /// let next = game.play(game.start(), game.parse_move("ae")?).map_err(|e| e.reason)?;
    /// assert_eq!(game.open_boards(&next), [4]);
    /// # Ok::<(), noughts_rules::Refusal>(())
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

    /// The same for a board of depth 2, as bits: what search asks at every node.
    #[must_use]
    #[inline]
    pub fn open_board_mask(&self, position: &NestedPosition<D>) -> u32 {
        match self.area(&position.boards, position.turn) {
            Area::Nowhere => 0,
            Area::Board(board) => 1u32.wrapping_shl(board as u32),
            Area::Free { except, .. } => {
                let open = !position.closed_boards() & FULL;
                open & !1u32.checked_shl(except as u32).unwrap_or_default()
            }
        }
    }

    /// Who owns board `index` of `level`, level 1 being the nine outermost
    /// boards and `index` counting in the order of paths.
    ///
    /// ```
    /// use noughts_rules::{Game, Nested, Owner, Player};
    /// let game = Nested::ultimate();
    /// // Board a:  x x x      Board b:  o . .
    /// //           . . .                o . .
    /// //           . . .                . . .
    /// let text = "xxx....../o..o...../........./........./........./........./........./........./......... - o -";
    /// let position = game.parse(text)?;
    /// assert_eq!(game.owner(&position, 1, 0), Owner::One(Player::X));
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

    /// How many cells can still be played in: empty, and not in a board that is
    /// closed. No game lasts longer.
    ///
    /// ```
    /// use noughts_rules::{Game, Nested};
    /// let game = Nested::ultimate();
    /// // Board a:  x x x      It is won: its six empty cells are closed.
    /// //           . . .
    /// //           . . .
    /// let text = "xxx....../o..o..o../........./........./........./........./........./........./......... - x -";
    /// let position = game.parse(text)?;
    /// assert_eq!(game.cells_left(&position), 7 * 9);
    /// # Ok::<(), noughts_rules::SetupError>(())
    /// ```
    #[must_use]
    pub fn count_open_cells(&self, position: &NestedPosition<D>) -> u32 {
        position.boards.count_open_in(0, 0)
    }

    /// The board that the trail names, if it is complete: numbered in the order
    /// of paths. Whether it can be played in is another question.
    #[must_use]
    #[inline]
    pub fn target_board(&self, position: &NestedPosition<D>) -> Option<usize> {
        self.target(position.turn)
    }

    /// Is the move to come an extra one (5c, 5d)?
    #[must_use]
    pub fn is_extra_move(&self, position: &NestedPosition<D>) -> bool {
        position.turn.extra
    }

    pub(super) fn check_move(
        &self,
        position: &NestedPosition<D>,
        mv: NestedMove,
    ) -> Result<(), MoveError> {
        let depth = self.depth.get();
        let refuse = |kind, sentence: String| Err(MoveError::new(kind, sentence));
        if let Some(outcome) = position.turn.outcome {
            return Err(MoveError::game_over(outcome));
        }
        if mv.index() >= POWERS[depth as usize] {
            return refuse(
                MoveErrorKind::NotAMove,
                format!("there are only {} cells", POWERS[depth as usize]),
            );
        }
        let (board, cell) = (mv.index() / 9, mv.index() % 9);
        if position.boards.leaf(board).taken() >> cell & 1 == 1 {
            return Err(MoveError::cell_taken(&self.move_text(mv)));
        }
        let name = || path_text(board, depth - 1);
        let target = self.target(position.turn);
        match self.area(&position.boards, position.turn) {
            Area::Board(open) if open == board => Ok(()),
            Area::Board(open) => refuse(
                MoveErrorKind::WrongBoard,
                format!(
                    "you were sent to board {}; it still has empty cells",
                    path_text(open, depth - 1)
                ),
            ),
            Area::Free { .. } if target == Some(board) => refuse(
                MoveErrorKind::BoardClosed,
                format!("board {} is won: play in another board", name()),
            ),
            Area::Free { level, index, .. }
                if board / POWERS[(depth - 1 - level) as usize] != index =>
            {
                refuse(
                    MoveErrorKind::WrongBoard,
                    format!("{}", self.move_area(position)),
                )
            }
            Area::Free { .. } if self.closes_won_boards() && position.boards.is_closed(board) => {
                refuse(
                    MoveErrorKind::BoardClosed,
                    format!("board {} is won and takes no more moves", name()),
                )
            }
            Area::Free { .. } => Ok(()),
            Area::Nowhere => refuse(MoveErrorKind::GameOver, "the game is over".into()),
        }
    }
}
