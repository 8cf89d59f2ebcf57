//! Nested boards.

mod evaluation;
mod heuristics;
mod levels;
mod network;
mod strategy_5a;

use noughts_rules::{Depth, Nested, Tiebreak, WonBoardRule};

use crate::limits::Budget;
use crate::search::mcts::MctsParams;
use crate::search_game::SearchGame;
use crate::solve::StrategyProof;

pub use evaluation::NestedEvaluation;
pub use heuristics::NestedHeuristics;
pub use network::{Network, NetworkError};

impl<D: Depth> SearchGame for Nested<D> {
    type Evaluation = NestedEvaluation;
    type Heuristics = NestedHeuristics;

    fn evaluation(&self) -> NestedEvaluation {
        NestedEvaluation::new(self)
    }

    fn winner_moves_last(&self) -> bool {
        matches!(
            self.options().won_board_rule(),
            WonBoardRule::PlayOn | WonBoardRule::FreeMove
        ) && self.options().tiebreak() == Tiebreak::Draw
    }

    fn mcts_params(&self) -> MctsParams {
        // The evaluation is faster than a random game and more informative: on the deepest boards a
        // random game has half a million moves.
        MctsParams {
            exploration: 0.3,
            evaluation_weight: 1.0,
        }
    }

    fn heuristics(&self) -> NestedHeuristics {
        NestedHeuristics
    }

    fn history_len(&self) -> usize {
        9usize.pow(u32::from(self.options().depth()))
    }

    #[inline]
    fn history_index(&self, mv: Self::Move) -> usize {
        mv.index()
    }

    fn has_strategy(&self) -> bool {
        strategy_5a::applies(self)
    }

    fn strategy_proof(
        &self,
        position: &Self::Position,
        budget: &Budget,
    ) -> Result<StrategyProof<Self::Move>, u64> {
        strategy_5a::prove_by_strategy(self, position, budget)
    }
}
