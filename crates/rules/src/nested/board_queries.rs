//! Queries about one board inside the whole, of any size. Their cost doesn't depend on the
//! depth: a front end that shows a board of half a million cells can't look at all of them.
//!
//! A board is identified by its level and its index in path order: level 0 is the whole
//! board, level 1 its nine children, the last but one the depth-1 boards, and the last one
//! the cells.

use super::{Area, Depth, Game, Nested, NestedMove, NestedPosition, POWERS, path_text};
use crate::bitboard9;
use crate::error::{MoveError, MoveErrorKind};
use crate::outcome::Outcome;

impl<D: Depth> Nested<D> {
    /// Can the next move go into this board?
    ///
    /// ```
    /// use noughts_rules::{Game, Nested};
    /// let game = Nested::ultimate();
    /// //  0 1 2
    /// //  3 4 5      The cell `ec` sends to board c, number 2.
    /// //  6 7 8
    /// let next = game.play(game.start(), game.parse_move("ec")?).map_err(|error| error.reason)?;
    /// assert!(game.accepts_move(&next, 0, 0));
    /// assert!(game.accepts_move(&next, 1, 2));
    /// assert!(!game.accepts_move(&next, 1, 4));
    /// # Ok::<(), noughts_rules::MoveError>(())
    /// ```
    #[must_use]
    pub fn accepts_move(&self, position: &NestedPosition<D>, level: u32, index: usize) -> bool {
        let depth = self.depth.get();
        if level >= depth {
            let cell = NestedMove::from_index(index);
            return level == depth && self.check(position, cell).is_ok();
        }
        let boards = &position.boards;
        // The ancestor of a board at another level.
        let ancestor = |index: usize, from: u32, to: u32| index / POWERS[(from - to) as usize];
        match self.area(boards, position.turn) {
            Area::Nowhere => false,
            Area::Board(board) => ancestor(board, depth - 1, level) == index,
            Area::Free {
                level: area_level,
                index: area_index,
                ..
            } if level <= area_level => ancestor(area_index, area_level, level) == index,
            Area::Free {
                level: area_level,
                index: area_index,
                excluded,
            } => {
                let closed = (area_level..level).any(|outer| {
                    let child = ancestor(index, level, outer + 1);
                    boards.parent_at(outer, child / 9).closed >> (child % 9) & 1 == 1
                });
                let contains_excluded = excluded < POWERS[depth as usize - 1]
                    && ancestor(excluded, depth - 1, level) == index;
                let count = boards.count_open_in(level, index);
                let open = match contains_excluded {
                    true => count.saturating_sub(boards.leaf(excluded).count_empty()),
                    false => count,
                };
                ancestor(index, level, area_level) == area_index && !closed && open > 0
            }
        }
    }

    /// The same, with the reason if it can't.
    ///
    /// ```
    /// use noughts_rules::{Game, Nested};
    /// let game = Nested::ultimate();
    /// // Board a:  x x x      It is won, so free moves can't go there.
    /// //           . . .
    /// //           . . .
    /// let text = "xxx....../o..o..o../........./........./........./........./........./........./......... - x -";
    /// let position = game.parse(text)?;
    /// let reason = game.check_board(&position, 1, 0).unwrap_err();
    /// assert_eq!(reason.to_string(), "board a is won and closed: play in another board");
    /// # Ok::<(), noughts_rules::SetupError>(())
    /// ```
    ///
    /// # Errors
    /// The reason, as a sentence for people.
    pub fn check_board(
        &self,
        position: &NestedPosition<D>,
        level: u32,
        index: usize,
    ) -> Result<(), MoveError> {
        let depth = self.depth.get();
        if level >= depth {
            return self.check(position, NestedMove::from_index(index));
        }
        if self.accepts_move(position, level, index) {
            return Ok(());
        }
        if let Some(outcome) = position.turn.outcome {
            return Err(MoveError::game_over(outcome));
        }
        let closed = |message: String| Err(MoveError::new(MoveErrorKind::BoardClosed, message));
        let name = path_text(index, level);
        let is_elsewhere = match self.area(&position.boards, position.turn) {
            Area::Free {
                level: area_level,
                index: area_index,
                ..
            } => level >= area_level && index / POWERS[(level - area_level) as usize] != area_index,
            _ => true,
        };
        if is_elsewhere {
            Err(MoveError::new(
                MoveErrorKind::WrongBoard,
                self.move_area(position).to_string(),
            ))
        } else if self
            .target(position.turn)
            .is_some_and(|target| level + 1 == depth && target == index)
        {
            closed(format!("board {name} is won: play in another board"))
        } else if position.boards.is_won_at(level, index) {
            closed(format!(
                "board {name} is won and closed: play in another board"
            ))
        } else {
            closed(format!("board {name} has no open cells"))
        }
    }

    /// How many cells of this board can still be played in. Only the board itself is considered;
    /// those that contain it may be closed.
    ///
    /// ```
    /// use noughts_rules::{Game, Nested};
    /// let game = Nested::ultimate();
    /// // Board e:  . . x
    /// //           . . .
    /// //           . . .
    /// let next = game.play(game.start(), game.parse_move("ec")?).map_err(|error| error.reason)?;
    /// assert_eq!(game.count_open_cells_in(&next, 1, 4), 8);
    /// assert_eq!(game.count_open_cells_in(&next, 1, 0), 9);
    /// # Ok::<(), noughts_rules::MoveError>(())
    /// ```
    #[must_use]
    pub fn count_open_cells_in(
        &self,
        position: &NestedPosition<D>,
        level: u32,
        index: usize,
    ) -> u32 {
        if level >= self.depth.get() {
            let taken = position.boards.leaf(index / 9).taken();
            return u32::from(taken >> (index % 9) & 1 == 0);
        }
        position.boards.count_open_in(level, index)
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
    /// use noughts_rules::{D1, Game, Nested, Variant};
    /// let Ok(Variant::Nested(options)) = "ception:depth=1".parse() else { unreachable!() };
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
}
