//! Nested games of any depth, for front ends, which can't be generic over [`Depth`]. A board
//! is identified by its level and index: level 0 is the whole board, the last level is the
//! cells, and indices are in path order.

use super::move_area::{closed_board, won_target};
use super::{
    Area, Depth, FreeMoveTarget, MoveArea, Nested, NestedMove, NestedPosition, POWERS, WonBoardRule,
};
use crate::error::{MoveError, MoveErrorKind};
use crate::game::Game;
use crate::game_state::GameState;
use crate::outcome::{Outcome, Side};
use crate::setup::Owner;
use crate::view::Place;

/// A nested board, as needed to draw it.
///
/// ```
/// use noughts_rules::{AnyGameState, MoveArea, Side, Variant};
/// let mut state = AnyGameState::new(Variant::ULTIMATE);
/// state.play("ec")?;
/// // ┌a──────┬b──────┲c━━━━━━┓
/// // │       │       ┃ · · · ┃
/// // │       │       ┃ · · · ┃
/// // │       │       ┃ · · · ┃
/// // ├d──────┼e──────╄f━━━━━━┩
/// // │       │     X │       │
/// let board = state.nested().ok_or("a nested game")?;
/// assert_eq!(board.depth(), 2);
/// assert_eq!(board.mark(4 * 9 + 2), Some(Side::X));
/// assert_eq!(board.move_area(), MoveArea::Board("c".into()));
/// assert!(board.accepts_move(1, 2) && !board.accepts_move(1, 4));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait NestedBoard {
    /// How many levels there are below the whole board.
    fn depth(&self) -> u32;
    /// The side to move.
    fn side(&self) -> Side;
    /// Is the game over?
    fn is_over(&self) -> bool;
    /// The mark in this cell.
    fn mark(&self, cell: usize) -> Option<Side>;
    /// Who owns this board.
    fn owner(&self, level: u32, index: usize) -> Owner;
    /// Can the next move go into this board or cell?
    fn accepts_move(&self, level: u32, index: usize) -> bool;
    /// How many cells of this board can still be played in. Only the board itself is considered; those that contain it may
    /// be closed.
    fn count_open_cells(&self, level: u32, index: usize) -> u32;
    /// Where the next move may go, and why.
    fn move_area(&self) -> MoveArea;
    /// The cell of the last move.
    fn last_cell(&self) -> Option<usize>;
    /// The outermost cells or boards of the winning line, as bits.
    fn winning_line(&self) -> u32;
    /// Do won boards stop accepting moves?
    fn closes_won_boards(&self) -> bool;
    /// Where each of these moves would allow the next one to go. Illegal moves are skipped.
    fn next_move_areas(&self, cells: &[usize]) -> Vec<(usize, MoveArea)>;
}

/// A nested game in progress, as needed to play it.
///
/// ```
/// use noughts_rules::{AnyGameState, MoveArea, Variant};
/// let mut state = AnyGameState::new(Variant::ULTIMATE);
/// state.play("ec")?;
/// let game = state.nested().ok_or("a nested game")?;
/// assert_eq!(game.check_board(1, 0).unwrap_err().to_string(), "play in board c");
/// // The cell `ca`: the first of board c.
/// let preview = game.preview_move(2 * 9).ok_or("a legal move")?;
/// assert_eq!(preview.area, MoveArea::Board("a".into()));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait NestedGameState: NestedBoard {
    /// The cells where the next move can go.
    fn legal_cells(&self) -> Vec<usize>;
    /// The first legal cell, in path order.
    fn first_legal_cell(&self) -> Option<usize>;
    /// Which children of a board a side owns, as bits.
    fn owned_children(&self, level: u32, index: usize, side: Side) -> u32;
    /// Can the next move go there?
    ///
    /// # Errors
    /// Why not.
    fn check_board(&self, level: u32, index: usize) -> Result<(), MoveError>;
    /// What happens when a player is sent to a won board.
    fn won_board_rule(&self) -> WonBoardRule;
    /// Is the next move an extra move?
    fn is_extra_move(&self) -> bool;
    /// What a move would lead to; `None` if it is illegal.
    fn preview_move(&self, cell: usize) -> Option<MovePreview>;
}

/// What a move would lead to.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MovePreview {
    /// The path of the largest board that it would win.
    pub won_board: Option<String>,
    /// The result, if it would end the game.
    pub outcome: Option<Outcome>,
    /// The side to move after it.
    pub side: Side,
    /// Where the next move could go.
    pub area: MoveArea,
}

/// The letters of the path of a board or cell, outermost first.
///
/// ```
/// use noughts_rules::path_text;
/// assert_eq!(path_text(4 * 9 + 2, 2), "ec");
/// assert_eq!(path_text(0, 0), "");
/// ```
#[must_use]
pub fn path_text(index: usize, level: u32) -> String {
    (0..level)
        .rev()
        .map(|letter| char::from(b'a' + ((index / POWERS[letter as usize]) % 9) as u8))
        .collect()
}

impl<D: Depth> NestedBoard for GameState<Nested<D>> {
    fn depth(&self) -> u32 {
        self.game().options().depth().into()
    }

    fn side(&self) -> Side {
        GameState::side(self)
    }

    fn is_over(&self) -> bool {
        self.outcome().is_some()
    }

    fn mark(&self, cell: usize) -> Option<Side> {
        Side::BOTH
            .into_iter()
            .find(|&side| self.position().marks(cell / 9, side) >> (cell % 9) & 1 == 1)
    }

    fn owner(&self, level: u32, index: usize) -> Owner {
        self.game().owner(self.position(), level, index)
    }

    fn accepts_move(&self, level: u32, index: usize) -> bool {
        self.game().accepts_move_at(self.position(), level, index)
    }

    fn count_open_cells(&self, level: u32, index: usize) -> u32 {
        if level >= self.game().depth.get() {
            let taken = self.position().boards.leaf(index / 9).taken();
            return u32::from(taken >> (index % 9) & 1 == 0);
        }
        self.position().boards.count_open_in(level, index)
    }

    fn move_area(&self) -> MoveArea {
        self.game().move_area(self.position())
    }

    fn last_cell(&self) -> Option<usize> {
        self.moves().last().map(|mv| mv.index())
    }

    fn winning_line(&self) -> u32 {
        self.game().winning_line(self.position())
    }

    fn closes_won_boards(&self) -> bool {
        self.game().options().free_move_target() == FreeMoveTarget::OpenBoards
    }

    fn next_move_areas(&self, cells: &[usize]) -> Vec<(usize, MoveArea)> {
        let moves = cells.iter().map(|&cell| NestedMove::from_index(cell));
        let mut sent = Vec::new();
        self.game()
            .preview_moves(self.position(), moves, |mv, after| {
                sent.push((mv.index(), self.game().move_area(after)));
            });
        sent
    }
}

impl<D: Depth> Nested<D> {
    /// Can the next move go into this board or cell?
    pub(super) fn accepts_move_at(
        &self,
        position: &NestedPosition<D>,
        level: u32,
        index: usize,
    ) -> bool {
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

    pub(super) fn check_board(
        &self,
        position: &NestedPosition<D>,
        level: u32,
        index: usize,
    ) -> Result<(), MoveError> {
        let depth = self.depth.get();
        if level >= depth {
            return self.check(position, NestedMove::from_index(index));
        }
        if self.accepts_move_at(position, level, index) {
            return Ok(());
        }
        if let Some(outcome) = position.turn.outcome {
            return Err(MoveError::game_over(outcome));
        }
        let name = path_text(index, level);
        let is_elsewhere = match self.area(&position.boards, position.turn) {
            Area::Free {
                level: area_level,
                index: area_index,
                ..
            } => level >= area_level && index / POWERS[(level - area_level) as usize] != area_index,
            _ => true,
        };
        Err(if is_elsewhere {
            MoveError::new(
                MoveErrorKind::NotAllowed,
                self.move_area(position).to_string(),
            )
        } else if level + 1 == depth && self.target(position.turn) == Some(index) {
            won_target(&name)
        } else if position.boards.is_won_at(level, index) {
            closed_board(&name)
        } else {
            let reason = format!("board {name} has no open cells");
            MoveError::new(MoveErrorKind::NotAllowed, reason)
        })
    }

    /// The board that the next move must stay inside; the whole board if it may go anywhere.
    pub(super) fn target_place(&self, position: &NestedPosition<D>) -> Option<Place> {
        let place = |level: u32, index: usize| Place::new(level as u8, index as u32);
        let depth = self.depth.get();
        match (
            self.area(&position.boards, position.turn),
            self.target(position.turn),
        ) {
            (Area::Nowhere, _) => None,
            (Area::Board(board), Some(_)) => Some(place(depth - 1, board)),
            (Area::Free { level, index, .. }, Some(_)) => Some(place(level, index)),
            (_, None) => Some(Place::BOARD),
        }
    }

    /// What a move wins and where it sends, as a continuation of its name.
    pub(super) fn consequence_text(
        &self,
        position: &NestedPosition<D>,
        mv: NestedMove,
    ) -> Option<String> {
        let depth = self.depth.get();
        if depth == 1 {
            return None;
        }
        let mover = self.side(position);
        let after = self.after(position, mv);
        let won = (1..depth).find_map(|level| {
            let index = mv.index() / POWERS[(depth - level) as usize];
            let is_owned = |position| self.owner(position, level, index).counts_for(mover);
            (is_owned(&after) && !is_owned(position)).then(|| path_text(index, level))
        });
        let next = self.side(&after);
        let sends = match self.move_area(&after) {
            MoveArea::Board(path) if next == mover => format!("lets {next} move again in {path}"),
            MoveArea::Board(path) => format!("sends {next} to {path}"),
            MoveArea::Free { inside, .. } if !inside.is_empty() => {
                format!("lets {next} play anywhere in {inside}")
            }
            _ => format!("lets {next} play anywhere"),
        };
        Some(match won {
            Some(board) => format!("wins {board} and {sends}"),
            None => sends,
        })
    }

    /// What the side to move may do, and what a won board gives.
    pub(super) fn prompt_text(&self, position: &NestedPosition<D>) -> String {
        let area = self.move_area(position);
        let is_extra = position.turn.extra;
        let extra = if is_extra { " (extra move)" } else { "" };
        let reward = match self.options().won_board_rule() {
            WonBoardRule::ExtraMove if !is_extra => "then move again",
            WonBoardRule::ExtraMoveChain => "then keep moving while you're sent to won boards",
            _ => return format!("{area}{extra}"),
        };
        match (&area, self.area(&position.boards, position.turn)) {
            (MoveArea::Board(path), Area::Board(board))
                if position.boards.is_won_at(self.depth.get() - 1, board) =>
            {
                format!("board {path} is won; play there{extra}, {reward}")
            }
            _ => format!("{area}{extra}"),
        }
    }
}

impl<D: Depth> NestedGameState for GameState<Nested<D>> {
    fn legal_cells(&self) -> Vec<usize> {
        self.legal_moves().iter().map(|mv| mv.index()).collect()
    }

    fn first_legal_cell(&self) -> Option<usize> {
        let first = self.game().nth_move(self.position(), 0)?;
        Some(first.index())
    }

    fn owned_children(&self, level: u32, index: usize, side: Side) -> u32 {
        self.position().owned_children(level, index, side)
    }

    fn check_board(&self, level: u32, index: usize) -> Result<(), MoveError> {
        self.game().check_board(self.position(), level, index)
    }

    fn won_board_rule(&self) -> WonBoardRule {
        self.game().options().won_board_rule()
    }

    fn is_extra_move(&self) -> bool {
        self.game().is_extra_move(self.position())
    }

    fn preview_move(&self, cell: usize) -> Option<MovePreview> {
        let mv = NestedMove::from_index(cell);
        GameState::check(self, mv).ok()?;
        let (game, mover) = (self.game(), GameState::side(self));
        let next = game.after(self.position(), mv);
        let depth = NestedBoard::depth(self);
        let won = (1..depth).find_map(|level| {
            let index = cell / POWERS[(depth - level) as usize];
            let before = game.owner(self.position(), level, index);
            let after = game.owner(&next, level, index);
            (after.counts_for(mover) && !before.counts_for(mover)).then(|| path_text(index, level))
        });
        Some(MovePreview {
            won_board: won,
            outcome: game.outcome(&next),
            side: game.side(&next),
            area: game.move_area(&next),
        })
    }
}
