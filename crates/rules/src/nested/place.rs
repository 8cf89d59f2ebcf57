//! Where the next move may go and why, in words: for refusals, prompts and
//! drawings.

use std::fmt;
use std::ops::ControlFlow;

use super::{Area, Depth, Game, Nested, NestedMove, NestedPosition, POWERS, path_text};
use crate::error::{Refusal, RefusalKind};
use crate::nine::FULL;
use crate::setup::Owner;

/// Where the next move may go. Boards are named by their paths; the whole board
/// is the empty path.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Place {
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
        why: Why,
        /// The board that the move must stay inside.
        inside: String,
    },
}

/// Why a target cannot be played in.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Why {
    /// Somebody owns it, or a board around it.
    Won,
    /// It has no empty cell.
    Full,
}

impl fmt::Display for Why {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Why::Won => "won",
            Why::Full => "full",
        })
    }
}

/// A sentence part: `play in board e`, `board e is won: play anywhere else`, …
impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Place::Nowhere => f.write_str("the game is over"),
            Place::Anywhere => f.write_str("play anywhere"),
            Place::Board(path) => write!(f, "play in board {path}"),
            Place::Free {
                target,
                why,
                inside,
            } if inside.is_empty() => write!(f, "board {target} is {why}: play anywhere else"),
            Place::Free {
                target,
                why,
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
    pub fn place(&self, position: &NestedPosition<D>) -> Place {
        let depth = self.depth.get();
        let area = self.area(&position.boards, position.turn);
        match (area, self.target(position.turn)) {
            (Area::Nowhere, _) => Place::Nowhere,
            (Area::Board(board), Some(_)) => Place::Board(path_text(board, depth - 1)),
            (_, None) => Place::Anywhere,
            (Area::Free { level, index, .. }, Some(target)) => Place::Free {
                target: path_text(target, depth - 1),
                why: if position.boards.is_full(target) {
                    Why::Full
                } else {
                    Why::Won
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
    pub fn open_set(&self, position: &NestedPosition<D>) -> u32 {
        match self.area(&position.boards, position.turn) {
            Area::Nowhere => 0,
            Area::Board(board) => 1u32.wrapping_shl(board as u32),
            Area::Free { except, .. } => {
                let open = !position.shut() & FULL;
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
            .around_at(level - 1, index / 9)
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
    pub fn cells_left(&self, position: &NestedPosition<D>) -> u32 {
        position.boards.count_in(0, 0)
    }

    /// The board that the trail names, if it is complete: numbered in the order
    /// of paths. Whether it can be played in is another question.
    #[must_use]
    #[inline]
    pub fn sent_to(&self, position: &NestedPosition<D>) -> Option<usize> {
        self.target(position.turn)
    }

    /// Is the move to come an extra one (5c, 5d)?
    #[must_use]
    pub fn is_extra(&self, position: &NestedPosition<D>) -> bool {
        position.turn.extra
    }

    pub(super) fn check_move(
        &self,
        position: &NestedPosition<D>,
        mv: NestedMove,
    ) -> Result<(), Refusal> {
        let depth = self.depth.get();
        let refuse = |kind, sentence: String| Err(Refusal::new(kind, sentence));
        if let Some(outcome) = position.turn.over {
            return Err(Refusal::game_over(outcome));
        }
        if mv.index() >= POWERS[depth as usize] {
            return refuse(
                RefusalKind::NotAMove,
                format!("there are only {} cells", POWERS[depth as usize]),
            );
        }
        let (board, cell) = (mv.index() / 9, mv.index() % 9);
        if position.boards.board(board).taken() >> cell & 1 == 1 {
            return Err(Refusal::taken(&self.move_text(mv)));
        }
        let name = || path_text(board, depth - 1);
        let target = self.target(position.turn);
        match self.area(&position.boards, position.turn) {
            Area::Board(open) if open == board => Ok(()),
            Area::Board(open) => refuse(
                RefusalKind::SentElsewhere,
                format!(
                    "you were sent to board {}; it still has empty cells",
                    path_text(open, depth - 1)
                ),
            ),
            Area::Free { .. } if target == Some(board) => refuse(
                RefusalKind::BoardClosed,
                format!("board {} is won: play in another board", name()),
            ),
            Area::Free { level, index, .. }
                if board / POWERS[(depth - 1 - level) as usize] != index =>
            {
                refuse(
                    RefusalKind::SentElsewhere,
                    format!("{}", self.place(position)),
                )
            }
            Area::Free { .. } if self.open_only() && position.boards.is_shut(board) => refuse(
                RefusalKind::BoardClosed,
                format!("board {} is won and takes no more moves", name()),
            ),
            Area::Free { .. } => Ok(()),
            Area::Nowhere => refuse(RefusalKind::GameOver, "the game is over".into()),
        }
    }
}
