//! Nested games of any depth, for front ends, which can't be generic over [`Depth`]. A board
//! is identified by its level and index: level 0 is the whole board, the last level is the
//! cells, and indices are in path order.

use super::{Depth, MoveArea, Nested, NestedMove, POWERS};
use crate::game::Game;
use crate::game_state::GameState;
use crate::outcome::{Outcome, Side};
use crate::setup::Owner;
use crate::variant::{FreeMoveTarget, WonBoardRule};

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
    /// Can the next move go there?
    fn accepts_move(&self, level: u32, index: usize) -> bool;
    /// How many cells can still be played in.
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
/// assert_eq!(game.check_board(1, 0).unwrap_err(), "play in board c");
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
    fn check_board(&self, level: u32, index: usize) -> Result<(), String>;
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
        self.game().accepts_move(self.position(), level, index)
    }

    fn count_open_cells(&self, level: u32, index: usize) -> u32 {
        self.game()
            .count_open_cells_in(self.position(), level, index)
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

    fn check_board(&self, level: u32, index: usize) -> Result<(), String> {
        let result = self.game().check_board(self.position(), level, index);
        result.map_err(|error| error.to_string())
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
        let mut next = self.position().clone();
        game.apply(&mut next, mv);
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
