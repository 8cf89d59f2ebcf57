//! Search heuristics: immediate wins and forced moves, move ordering, keys of
//! equivalent positions, and bounds on what can still be won.

use std::ops::ControlFlow;

use noughts_rules::{Game, Outcome, Side};

use super::proof_search::ProofSearch;

/// Search heuristics of a game.
pub trait SearchHeuristics<G: Game>: Clone + Send + Sync {
    /// The transposition table key of a position in a proof. Equivalent positions share a key where
    /// that is cheap to detect; others collide with probability 2⁻⁶⁴.
    fn proof_key(&self, game: &G, position: &G::Position) -> u64;

    /// The forced move, if it is cheap to detect. The game must not be over.
    fn forced_move(&self, game: &G, position: &G::Position) -> ForcedMove<G::Move>;

    /// The move-ordering score: moves with higher scores are searched first.
    fn move_score(&self, game: &G, position: &G::Position, mv: G::Move) -> i32;

    /// Whether this side can still win within this many plies, as far as that is cheap to tell.
    /// False proves that it can't, either at all or against an opponent who only defends. The game
    /// must not be over.
    fn can_win(&self, _: &G, _: &G::Position, _: Side, _plies: u32) -> bool {
        true
    }

    /// The game's own search for proofs, if it has one that is faster than the general one.
    fn proof_search(&self) -> Option<&dyn ProofSearch<G>> {
        None
    }
}

/// A move that doesn't have to be compared with others.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ForcedMove<M> {
    /// This move wins at once.
    Win(M),
    /// After any other move the opponent wins at once, and this one doesn't lose at once. (It may
    /// still lose later.)
    OnlyMove(M),
    /// No forced move was found.
    None,
}

/// For games without knowledge of their own: immediate wins, and keys of symmetric images.
#[derive(Clone, Copy, Debug)]
pub struct PlainHeuristics;

impl<G: Game> SearchHeuristics<G> for PlainHeuristics {
    fn proof_key(&self, game: &G, position: &G::Position) -> u64 {
        game.hash(&game.representative(position))
    }

    fn forced_move(&self, game: &G, position: &G::Position) -> ForcedMove<G::Move> {
        let me = game.side(position);
        let win = game.visit_moves(position, |mv| {
            match game.outcome(&game.after(position, mv)) {
                Some(Outcome::Win(winner)) if winner == me => ControlFlow::Break(mv),
                _ => ControlFlow::Continue(()),
            }
        });
        win.break_value().map_or(ForcedMove::None, ForcedMove::Win)
    }

    fn move_score(&self, _: &G, _: &G::Position, _: G::Move) -> i32 {
        0
    }
}
