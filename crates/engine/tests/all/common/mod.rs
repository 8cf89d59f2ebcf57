//! A plain full search, slow and obvious: no pruning, no table, nothing but the
//! rules. What the engine claims is compared with it.

#![allow(dead_code, reason = "each test file uses its own part")]

use noughts_engine::{Exact, Verdict};
use noughts_rules::{Game, Outcome};

/// A value for the side to move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Truth {
    /// Won in so many plies.
    Win(u32),
    /// Drawn.
    Draw,
    /// Lost in so many plies.
    Loss(u32),
    /// Not decided within the depth that was looked at.
    Open,
}

impl Truth {
    /// What the engine must say: none where it cannot know.
    pub(crate) fn exact(self) -> Option<Exact> {
        match self {
            Truth::Win(plies) => Some(Exact::win(plies)),
            Truth::Draw => Some(Exact::DRAW),
            Truth::Loss(plies) => Some(Exact::loss(plies)),
            Truth::Open => None,
        }
    }

    /// How good it is: sooner wins and later losses are better.
    fn rank(self) -> i64 {
        match self {
            Truth::Win(plies) => 1_000_000 - i64::from(plies),
            Truth::Draw | Truth::Open => 0,
            Truth::Loss(plies) => i64::from(plies) - 1_000_000,
        }
    }

    /// The same one ply earlier, for whoever made the move.
    fn of_move(self, again: bool) -> Truth {
        match (self, again) {
            (Truth::Win(plies), true) | (Truth::Loss(plies), false) => Truth::Win(plies + 1),
            (Truth::Loss(plies), true) | (Truth::Win(plies), false) => Truth::Loss(plies + 1),
            (other, _) => other,
        }
    }
}

/// The full search.
pub(crate) struct Reference {
    /// Positions that it may still look at.
    pub(crate) nodes: u64,
}

impl Reference {
    /// The value, looking `depth` plies ahead; none if that takes too many nodes.
    pub(crate) fn value<G: Game>(
        &mut self,
        game: &G,
        position: &G::Position,
        depth: u32,
    ) -> Option<Truth> {
        match game.outcome(position) {
            Some(Outcome::Draw) => return Some(Truth::Draw),
            Some(Outcome::Win(winner)) if winner == game.side(position) => {
                return Some(Truth::Win(0));
            }
            Some(Outcome::Win(_)) => return Some(Truth::Loss(0)),
            None if depth == 0 => return Some(Truth::Open),
            None => {}
        }
        self.nodes = self.nodes.checked_sub(1)?;
        let mut best = None;
        let mut open = false;
        for (_, truth) in self.moves(game, position, depth)? {
            open |= truth == Truth::Open;
            if best.is_none_or(|best: Truth| truth.rank() > best.rank()) {
                best = Some(truth);
            }
        }
        // A draw among moves that are not decided may still turn out better.
        match best? {
            Truth::Draw if open => Some(Truth::Open),
            best => Some(best),
        }
    }

    /// Every move with its value for the one who makes it.
    pub(crate) fn moves<G: Game>(
        &mut self,
        game: &G,
        position: &G::Position,
        depth: u32,
    ) -> Option<Vec<(G::Move, Truth)>> {
        let mut moves = Vec::new();
        for mv in game.moves(position) {
            let mut next = position.clone();
            game.apply(&mut next, mv);
            let again = game.side(&next) == game.side(position);
            moves.push((mv, self.value(game, &next, depth - 1)?.of_move(again)));
        }
        Some(moves)
    }
}

/// Does a claim, if there is one, say nothing but the truth? The length may be missing.
pub(crate) fn is_true(claim: Option<Exact>, truth: Truth) -> bool {
    let Some(claim) = claim else { return true };
    match truth.exact() {
        Some(exact) if claim.plies().is_none() => claim.verdict() == exact.verdict(),
        Some(exact) => claim == exact,
        None => false,
    }
}

/// The verdict of a truth.
pub(crate) fn verdict(truth: Truth) -> Option<Verdict> {
    truth.exact().map(Exact::verdict)
}
