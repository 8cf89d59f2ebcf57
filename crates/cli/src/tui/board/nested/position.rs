//! What a nested board on the screen asks the rules, the same for every depth. Boards
//! are named by level and number: level 0 is the whole board, the last level the cells.

use noughts_rules::{
    AnyPlay, Depth, Free, Game, Nested, NestedMove, Outcome, Owner, Place, Play, Player, Sent,
};

/// A nested game of any depth.
pub(super) trait NestedPlay {
    fn depth(&self) -> u32;
    fn side(&self) -> Player;
    fn is_over(&self) -> bool;
    /// Whose mark is in this cell.
    fn mark(&self, cell: usize) -> Option<Player>;
    fn owner(&self, level: u32, index: usize) -> Owner;
    /// Which children of a board a player owns, as bits.
    fn owned_in(&self, level: u32, index: usize, player: Player) -> u32;
    /// May the next move go there?
    fn takes(&self, level: u32, index: usize) -> bool;
    fn check(&self, level: u32, index: usize) -> Result<(), String>;
    /// How many cells can still be played in.
    fn left(&self, level: u32, index: usize) -> u32;
    fn place(&self) -> Place;
    fn sent(&self) -> Sent;
    /// Is the move to come an extra one?
    fn is_extra(&self) -> bool;
    /// The cell of the last move.
    fn last(&self) -> Option<usize>;
    /// The outermost places of the line that decided the game.
    fn line(&self) -> u32;
    /// The first cell that the next move may go to.
    fn first_open(&self) -> Option<usize>;
    /// Does a board take no more moves once it is won?
    fn closes_won(&self) -> bool;
    /// What a legal move would bring about.
    fn foresee(&self, cell: usize) -> Option<Foreseen>;
}

/// What a move would bring about.
pub(super) struct Foreseen {
    /// The largest board that it would win.
    pub(super) won: Option<String>,
    pub(super) outcome: Option<Outcome>,
    /// Who moves next, and where.
    pub(super) side: Player,
    pub(super) place: Place,
}

/// The nested game, if it is one.
pub(super) fn nested(play: &AnyPlay) -> Option<&dyn NestedPlay> {
    match play {
        AnyPlay::Mnk(_) | AnyPlay::LargeMnk(_) | AnyPlay::TicTacTwo(_) => None,
        AnyPlay::Ultimate(play) => Some(play),
        AnyPlay::Rule5a(play) => Some(play),
        AnyPlay::Nested1(play) => Some(play),
        AnyPlay::Nested2(play) => Some(play),
        AnyPlay::Nested3(play) => Some(play),
        AnyPlay::NestedDeep(play) => Some(play),
    }
}

impl<D: Depth> NestedPlay for Play<Nested<D>> {
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

    fn owned_in(&self, level: u32, index: usize, player: Player) -> u32 {
        self.position().owned_in(level, index, player)
    }

    fn takes(&self, level: u32, index: usize) -> bool {
        self.game().takes_move(self.position(), level, index)
    }

    fn check(&self, level: u32, index: usize) -> Result<(), String> {
        let said = self.game().check_board(self.position(), level, index);
        said.map_err(|refusal| refusal.to_string())
    }

    fn left(&self, level: u32, index: usize) -> u32 {
        self.game().cells_left_in(self.position(), level, index)
    }

    fn place(&self) -> Place {
        self.game().place(self.position())
    }

    fn sent(&self) -> Sent {
        self.game().options().sent()
    }

    fn is_extra(&self) -> bool {
        self.game().is_extra(self.position())
    }

    fn last(&self) -> Option<usize> {
        self.moves().last().map(|mv| mv.index())
    }

    fn line(&self) -> u32 {
        self.game().line_places(self.position())
    }

    fn first_open(&self) -> Option<usize> {
        let first = self.game().nth_move(self.position(), 0)?;
        Some(first.index())
    }

    fn closes_won(&self) -> bool {
        self.game().options().free() == Free::Open
    }

    fn foresee(&self, cell: usize) -> Option<Foreseen> {
        let mv = NestedMove::from_index(cell);
        self.check(mv).ok()?;
        let (game, mover) = (self.game(), Play::side(self));
        let mut next = self.position().clone();
        game.apply(&mut next, mv);
        let depth = NestedPlay::depth(self);
        let won = (1..depth).find_map(|level| {
            let index = cell / super::power(depth - level);
            let before = game.owner(self.position(), level, index);
            let after = game.owner(&next, level, index);
            (after.counts_for(mover) && !before.counts_for(mover))
                .then(|| super::path(index, level))
        });
        Some(Foreseen {
            won,
            outcome: game.outcome(&next),
            side: game.side(&next),
            place: game.place(&next),
        })
    }
}
