//! A plain full search, slow and obvious: no pruning, no table, nothing but the
//! rules. What the engine claims is compared with it.

#![allow(dead_code, reason = "each test file uses its own part")]

use noughts_engine::{ExactValue, GameValue};
use noughts_rules::{Game, Outcome};

/// A value for the side to move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum ReferenceValue {
    /// Won in so many plies.
    Win(u32),
    /// Drawn.
    Draw,
    /// Lost in so many plies.
    Loss(u32),
    /// Not decided within the depth that was looked at.
    Undecided,
}

impl ReferenceValue {
    /// What the engine must say: none where it cannot know.
    pub(crate) fn exact(self) -> Option<ExactValue> {
        match self {
            ReferenceValue::Win(plies) => Some(ExactValue::win(plies)),
            ReferenceValue::Draw => Some(ExactValue::DRAW),
            ReferenceValue::Loss(plies) => Some(ExactValue::loss(plies)),
            ReferenceValue::Undecided => None,
        }
    }

    /// How good it is: sooner wins and later losses are better.
    fn rank(self) -> i64 {
        match self {
            ReferenceValue::Win(plies) => 1_000_000 - i64::from(plies),
            ReferenceValue::Draw | ReferenceValue::Undecided => 0,
            ReferenceValue::Loss(plies) => i64::from(plies) - 1_000_000,
        }
    }

    /// The same one ply earlier, for whoever made the move.
    fn of_move(self, again: bool) -> ReferenceValue {
        match (self, again) {
            (ReferenceValue::Win(plies), true) | (ReferenceValue::Loss(plies), false) => {
                ReferenceValue::Win(plies + 1)
            }
            (ReferenceValue::Loss(plies), true) | (ReferenceValue::Win(plies), false) => {
                ReferenceValue::Loss(plies + 1)
            }
            (other, _) => other,
        }
    }
}

/// The full search.
pub(crate) struct FullSearch {
    /// Positions that it may still look at.
    pub(crate) nodes: u64,
}

impl FullSearch {
    /// The value, looking `depth` plies ahead; none if that takes too many nodes.
    pub(crate) fn value<G: Game>(
        &mut self,
        game: &G,
        position: &G::Position,
        depth: u32,
    ) -> Option<ReferenceValue> {
        match game.outcome(position) {
            Some(Outcome::Draw) => return Some(ReferenceValue::Draw),
            Some(Outcome::Win(winner)) if winner == game.side(position) => {
                return Some(ReferenceValue::Win(0));
            }
            Some(Outcome::Win(_)) => return Some(ReferenceValue::Loss(0)),
            None if depth == 0 => return Some(ReferenceValue::Undecided),
            None => {}
        }
        self.nodes = self.nodes.checked_sub(1)?;
        let mut best = None;
        let mut open = false;
        for (_, truth) in self.moves(game, position, depth)? {
            open |= truth == ReferenceValue::Undecided;
            if best.is_none_or(|best: ReferenceValue| truth.rank() > best.rank()) {
                best = Some(truth);
            }
        }
        // A draw among moves that are not decided may still turn out better.
        match best? {
            ReferenceValue::Draw if open => Some(ReferenceValue::Undecided),
            best => Some(best),
        }
    }

    /// Every move with its value for the one who makes it.
    pub(crate) fn moves<G: Game>(
        &mut self,
        game: &G,
        position: &G::Position,
        depth: u32,
    ) -> Option<Vec<(G::Move, ReferenceValue)>> {
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
pub(crate) fn is_consistent(claim: Option<ExactValue>, truth: ReferenceValue) -> bool {
    let Some(claim) = claim else { return true };
    match truth.exact() {
        Some(exact) if claim.plies().is_none() => claim.game_value() == exact.game_value(),
        Some(exact) => claim == exact,
        None => false,
    }
}

/// The verdict of a truth.
pub(crate) fn game_value(truth: ReferenceValue) -> Option<GameValue> {
    truth.exact().map(ExactValue::game_value)
}
