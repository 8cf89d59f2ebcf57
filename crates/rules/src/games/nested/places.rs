//! What can be asked about a board or cell of any level. It is identified by its level and index: level 0 is the whole board,
//! the last level is the cells, and indices are in path order.

use super::move_area::{closed_board, won_target};
use super::{Area, Depth, MoveArea, Nested, NestedMove, NestedPosition, POWERS, WonBoardRule};
use crate::error::{MoveError, MoveErrorKind};
use crate::game::Game;
use crate::view::Place;

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
