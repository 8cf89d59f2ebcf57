//! A nested game whatever its depth, for front ends, which cannot be generic over
//! [`Depth`]. Boards are named by level and number: level 0 is the whole board, the
//! last level the cells, and numbers count in the order of paths.

use super::{Depth, MoveArea, Nested, NestedMove, POWERS};
use crate::game::Game;
use crate::game_state::GameState;
use crate::outcome::{Outcome, Side};
use crate::setup::Owner;
use crate::variant::{FreeMoveTarget, WonBoardRule};

/// A nested board as it can be drawn.
///
/// ```
/// use noughts_rules::{AnyPlay, Place, Player, Variant};
/// let mut play = AnyPlay::new(Variant::ULTIMATE);
/// play.play("ec")?;
/// // ┌a──────┬b──────┲c━━━━━━┓
/// // │       │       ┃ · · · ┃
/// // │       │       ┃ · · · ┃
/// // │       │       ┃ · · · ┃
/// // ├d──────┼e──────╄f━━━━━━┩
/// // │       │     X │       │
/// let board = play.nested().ok_or("a nested game")?;
/// assert_eq!(board.depth(), 2);
/// assert_eq!(board.mark(4 * 9 + 2), Some(Player::X));
/// assert_eq!(board.place(), Place::Board("c".into()));
/// assert!(board.takes(1, 2) && !board.takes(1, 4));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait NestedBoard {
    /// How many levels there are below the whole board.
    fn depth(&self) -> u32;
    /// Who moves next.
    fn side(&self) -> Side;
    /// Is the game over?
    fn is_over(&self) -> bool;
    /// Whose mark is in this cell.
    fn mark(&self, cell: usize) -> Option<Side>;
    /// Who owns this board.
    fn owner(&self, level: u32, index: usize) -> Owner;
    /// May the next move go there?
    fn accepts_move(&self, level: u32, index: usize) -> bool;
    /// How many cells can still be played in.
    fn count_open_cells(&self, level: u32, index: usize) -> u32;
    /// Where the next move may go, and why.
    fn move_area(&self) -> MoveArea;
    /// The cell of the last move.
    fn last_cell(&self) -> Option<usize>;
    /// The outermost places of the line that decided the game, as bits.
    fn winning_line(&self) -> u32;
    /// Does a board take no more moves once it is won?
    fn closes_won_boards(&self) -> bool;
    /// Where each of these moves would let the next one go; those that are not legal
    /// are passed over.
    fn next_move_areas(&self, cells: &[usize]) -> Vec<(usize, MoveArea)>;
}

/// A nested game as it can be played.
///
/// ```
/// use noughts_rules::{AnyPlay, Place, Variant};
/// let mut play = AnyPlay::new(Variant::ULTIMATE);
/// play.play("ec")?;
/// let game = play.nested().ok_or("a nested game")?;
/// assert_eq!(game.check(1, 0).unwrap_err(), "play in board c");
/// // The cell `ca`: the first of board c.
/// let foreseen = game.foresee(2 * 9).ok_or("a legal move")?;
/// assert_eq!(foreseen.place, Place::Board("a".into()));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait NestedGameState: NestedBoard {
    /// The cells that the next move may go to.
    fn legal_cells(&self) -> Vec<usize>;
    /// The first of them.
    fn first_legal_cell(&self) -> Option<usize>;
    /// Which children of a board a player owns, as bits.
    fn owned_children(&self, level: u32, index: usize, player: Side) -> u32;
    /// May the next move go there?
    ///
    /// # Errors
    /// Why not.
    fn check_board(&self, level: u32, index: usize) -> Result<(), String>;
    /// What happens to who is sent to a board that is won or full.
    fn won_board_rule(&self) -> WonBoardRule;
    /// Is the move to come an extra one?
    fn is_extra_move(&self) -> bool;
    /// What a legal move would bring about.
    fn preview_move(&self, cell: usize) -> Option<MovePreview>;
}

/// What a move would bring about.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MovePreview {
    /// The path of the largest board that it would win.
    pub won_board: Option<String>,
    /// The result, if it would end the game.
    pub outcome: Option<Outcome>,
    /// Who moves next.
    pub side: Side,
    /// And where.
    pub area: MoveArea,
}

/// The letters of a board or cell, outermost first.
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
            .find(|&player| self.position().marks(cell / 9, player) >> (cell % 9) & 1 == 1)
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

    fn owned_children(&self, level: u32, index: usize, player: Side) -> u32 {
        self.position().owned_children(level, index, player)
    }

    fn check_board(&self, level: u32, index: usize) -> Result<(), String> {
        let said = self.game().check_board(self.position(), level, index);
        said.map_err(|refusal| refusal.to_string())
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
