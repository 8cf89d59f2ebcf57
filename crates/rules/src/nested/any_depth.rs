//! A nested game whatever its depth, for front ends, which cannot be generic over
//! [`Depth`]. Boards are named by level and number: level 0 is the whole board, the
//! last level the cells, and numbers count in the order of paths.

use super::{Depth, Nested, NestedMove, POWERS, Place};
use crate::game::Game;
use crate::outcome::{Outcome, Player};
use crate::play::Play;
use crate::setup::Owner;
use crate::variant::{Free, Sent};

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
    fn side(&self) -> Player;
    /// Is the game over?
    fn is_over(&self) -> bool;
    /// Whose mark is in this cell.
    fn mark(&self, cell: usize) -> Option<Player>;
    /// Who owns this board.
    fn owner(&self, level: u32, index: usize) -> Owner;
    /// May the next move go there?
    fn takes(&self, level: u32, index: usize) -> bool;
    /// How many cells can still be played in.
    fn left(&self, level: u32, index: usize) -> u32;
    /// Where the next move may go, and why.
    fn place(&self) -> Place;
    /// The cell of the last move.
    fn last(&self) -> Option<usize>;
    /// The outermost places of the line that decided the game, as bits.
    fn line(&self) -> u32;
    /// Does a board take no more moves once it is won?
    fn closes_won(&self) -> bool;
    /// Where each of these moves would let the next one go; those that are not legal
    /// are passed over.
    fn sends(&self, cells: &[usize]) -> Vec<(usize, Place)>;
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
pub trait NestedPlay: NestedBoard {
    /// The cells that the next move may go to.
    fn legal_cells(&self) -> Vec<usize>;
    /// The first of them.
    fn first_open(&self) -> Option<usize>;
    /// Which children of a board a player owns, as bits.
    fn owned_in(&self, level: u32, index: usize, player: Player) -> u32;
    /// May the next move go there?
    ///
    /// # Errors
    /// Why not.
    fn check(&self, level: u32, index: usize) -> Result<(), String>;
    /// What happens to who is sent to a board that is won or full.
    fn sent(&self) -> Sent;
    /// Is the move to come an extra one?
    fn is_extra(&self) -> bool;
    /// What a legal move would bring about.
    fn foresee(&self, cell: usize) -> Option<Foreseen>;
}

/// What a move would bring about.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Foreseen {
    /// The path of the largest board that it would win.
    pub won: Option<String>,
    /// The result, if it would end the game.
    pub outcome: Option<Outcome>,
    /// Who moves next.
    pub side: Player,
    /// And where.
    pub place: Place,
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

impl<D: Depth> NestedBoard for Play<Nested<D>> {
    fn depth(&self) -> u32 {
        self.game().options().depth().into()
    }

    fn side(&self) -> Player {
        Play::side(self)
    }

    fn is_over(&self) -> bool {
        self.outcome().is_some()
    }

    fn mark(&self, cell: usize) -> Option<Player> {
        Player::BOTH
            .into_iter()
            .find(|&player| self.position().marks(cell / 9, player) >> (cell % 9) & 1 == 1)
    }

    fn owner(&self, level: u32, index: usize) -> Owner {
        self.game().owner(self.position(), level, index)
    }

    fn takes(&self, level: u32, index: usize) -> bool {
        self.game().takes_move(self.position(), level, index)
    }

    fn left(&self, level: u32, index: usize) -> u32 {
        self.game().cells_left_in(self.position(), level, index)
    }

    fn place(&self) -> Place {
        self.game().place(self.position())
    }

    fn last(&self) -> Option<usize> {
        self.moves().last().map(|mv| mv.index())
    }

    fn line(&self) -> u32 {
        self.game().line_places(self.position())
    }

    fn closes_won(&self) -> bool {
        self.game().options().free() == Free::Open
    }

    fn sends(&self, cells: &[usize]) -> Vec<(usize, Place)> {
        let moves = cells.iter().map(|&cell| NestedMove::from_index(cell));
        let mut sent = Vec::new();
        self.game().look_ahead(self.position(), moves, |mv, after| {
            sent.push((mv.index(), self.game().place(after)));
        });
        sent
    }
}

impl<D: Depth> NestedPlay for Play<Nested<D>> {
    fn legal_cells(&self) -> Vec<usize> {
        self.legal_moves().iter().map(|mv| mv.index()).collect()
    }

    fn first_open(&self) -> Option<usize> {
        let first = self.game().nth_move(self.position(), 0)?;
        Some(first.index())
    }

    fn owned_in(&self, level: u32, index: usize, player: Player) -> u32 {
        self.position().owned_in(level, index, player)
    }

    fn check(&self, level: u32, index: usize) -> Result<(), String> {
        let said = self.game().check_board(self.position(), level, index);
        said.map_err(|refusal| refusal.to_string())
    }

    fn sent(&self) -> Sent {
        self.game().options().sent()
    }

    fn is_extra(&self) -> bool {
        self.game().is_extra(self.position())
    }

    fn foresee(&self, cell: usize) -> Option<Foreseen> {
        let mv = NestedMove::from_index(cell);
        Play::check(self, mv).ok()?;
        let (game, mover) = (self.game(), Play::side(self));
        let mut next = self.position().clone();
        game.apply(&mut next, mv);
        let depth = NestedBoard::depth(self);
        let won = (1..depth).find_map(|level| {
            let index = cell / POWERS[(depth - level) as usize];
            let before = game.owner(self.position(), level, index);
            let after = game.owner(&next, level, index);
            (after.counts_for(mover) && !before.counts_for(mover)).then(|| path_text(index, level))
        });
        Some(Foreseen {
            won,
            outcome: game.outcome(&next),
            side: game.side(&next),
            place: game.place(&next),
        })
    }
}
