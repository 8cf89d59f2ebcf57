//! What a nested board's picture asks the rules, the same for every depth. Boards are
//! named by level and number: level 0 is the whole board, the last level the cells.

use noughts_rules::{Depth, Free, Nested, NestedMove, Owner, Place, Play, Player};

/// A nested board that can be drawn.
pub(in super::super) trait Ask {
    fn depth(&self) -> u32;
    fn side(&self) -> Player;
    fn is_over(&self) -> bool;
    /// Whose mark is in this cell.
    fn mark(&self, cell: usize) -> Option<Player>;
    fn owner(&self, level: u32, index: usize) -> Owner;
    /// May the next move go there?
    fn takes(&self, level: u32, index: usize) -> bool;
    /// How many cells can still be played in.
    fn left(&self, level: u32, index: usize) -> u32;
    fn place(&self) -> Place;
    /// The cell of the last move.
    fn last(&self) -> Option<usize>;
    /// The outermost places of the line that decided the game.
    fn line(&self) -> u32;
    /// Does a board take no more moves once it is won?
    fn closes_won(&self) -> bool;
    /// Where each of these moves would let the next one go; nothing for those that are
    /// not legal or that end the game.
    fn sends(&self, cells: &[usize]) -> Vec<(usize, Place)>;
}

impl<D: Depth> Ask for Play<Nested<D>> {
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
            match self.game().place(after) {
                Place::Nowhere => {}
                place => sent.push((mv.index(), place)),
            }
        });
        sent
    }
}
