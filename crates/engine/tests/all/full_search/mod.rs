//! A plain full search, slow and obvious, without pruning or a table. The engine's results are
//! compared with it.

#![allow(dead_code, reason = "each test file uses its own part")]

use noughts_engine::{ExactValue, GameValue};
use noughts_rules::{Game, Outcome};

/// A value for the side to move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum ReferenceValue {
    /// Won in this many plies.
    Win(u32),
    /// Drawn.
    Draw,
    /// Lost in this many plies.
    Loss(u32),
    /// Not decided within the searched depth.
    Undecided,
}

impl ReferenceValue {
    /// The value that the engine must report; `None` where it can't know it.
    pub(crate) fn exact(self) -> Option<ExactValue> {
        match self {
            ReferenceValue::Win(plies) => Some(ExactValue::win(plies)),
            ReferenceValue::Draw => Some(ExactValue::DRAW),
            ReferenceValue::Loss(plies) => Some(ExactValue::loss(plies)),
            ReferenceValue::Undecided => None,
        }
    }

    /// A number that is greater for earlier wins and later losses.
    fn ordering_key(self) -> i64 {
        match self {
            ReferenceValue::Win(plies) => 1_000_000 - i64::from(plies),
            ReferenceValue::Draw | ReferenceValue::Undecided => 0,
            ReferenceValue::Loss(plies) => i64::from(plies) - 1_000_000,
        }
    }

    /// The value one ply earlier, for the side that made the move.
    fn backed_up(self, same_side: bool) -> ReferenceValue {
        match (self, same_side) {
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
    /// Positions that may still be searched.
    pub(crate) nodes: u64,
}

impl FullSearch {
    /// The value by a search of `depth` plies; `None` if that takes too many nodes.
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
        let mut has_undecided = false;
        for (_, value) in self.moves(game, position, depth)? {
            has_undecided |= value == ReferenceValue::Undecided;
            if best.is_none_or(|best: ReferenceValue| value.ordering_key() > best.ordering_key()) {
                best = Some(value);
            }
        }
        // Undecided moves may still turn out better than a draw.
        match best? {
            ReferenceValue::Draw if has_undecided => Some(ReferenceValue::Undecided),
            best => Some(best),
        }
    }

    /// Every move with its value for the side that makes it.
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
            let same_side = game.side(&next) == game.side(position);
            moves.push((mv, self.value(game, &next, depth - 1)?.backed_up(same_side)));
        }
        Some(moves)
    }
}

/// Whether a claimed value, if there is one, is correct. Its distance may be missing.
pub(crate) fn is_consistent(claimed: Option<ExactValue>, value: ReferenceValue) -> bool {
    let Some(claimed) = claimed else { return true };
    match value.exact() {
        Some(exact) if claimed.plies().is_none() => claimed.game_value() == exact.game_value(),
        Some(exact) => claimed == exact,
        None => false,
    }
}

/// The game-theoretic value.
pub(crate) fn game_value(value: ReferenceValue) -> Option<GameValue> {
    value.exact().map(ExactValue::game_value)
}
