//! What search needs to know about a game beyond its rules. What it knows of particular games is in `knowledge/`.

use noughts_rules::{DynGame, Game};

use crate::bots::levels::{LevelHeuristics, plain_levels};
use crate::evaluation::{Evaluation, PlainEvaluation};
use crate::limits::Budget;
use crate::search::heuristics::{PlainHeuristics, SearchHeuristics};
use crate::search::mcts::MctsParams;
use crate::solve::StrategyProof;

/// A game that bots can play: its rules, and what search needs in addition.
pub trait SearchGame: Game + LevelHeuristics {
    /// The evaluation of positions that aren't searched to the end.
    type Evaluation: Evaluation<Self>;

    /// The evaluation for this variant.
    fn evaluation(&self) -> Self::Evaluation;

    /// Whether the players strictly alternate and nobody can lose by their own move. Then a win
    /// takes an odd number of plies and a loss an even number.
    fn winner_moves_last(&self) -> bool {
        false
    }

    /// Move ordering and other search heuristics.
    type Heuristics: SearchHeuristics<Self>;

    /// The heuristics for this variant.
    fn heuristics(&self) -> Self::Heuristics;

    /// The parameters of Monte Carlo tree search, tuned by matches.
    fn mcts_params(&self) -> MctsParams {
        MctsParams {
            exploration: 0.8,
            evaluation_weight: 0.5,
        }
    }

    /// The search that `best` uses, decided by matches.
    fn best_search(&self) -> BestSearch {
        BestSearch::AlphaBeta
    }

    /// The number of different values of [`SearchGame::history_index`].
    fn history_len(&self) -> usize {
        self.count_actions()
    }

    /// The index of a move in the history heuristic.
    fn history_index(&self, mv: Self::Move) -> usize {
        self.action(mv)
    }

    /// Proves the position by a known strategy, if there is one: within the budget, or because the strategy was proved
    /// beforehand.
    ///
    /// # Errors
    /// Nothing was proved; the nodes spent trying.
    fn strategy_proof(
        &self,
        _: &Self::Position,
        _: &Budget,
    ) -> Result<StrategyProof<Self::Move>, u64> {
        Err(0)
    }

    /// Whether [`SearchGame::strategy_proof`] proves a win from the start.
    fn has_strategy(&self) -> bool {
        false
    }
}

/// A search that plays.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum BestSearch {
    /// Alpha-beta, where there is an evaluation.
    AlphaBeta,
    /// Monte Carlo tree search.
    Mcts,
}

macro_rules! match_game_type {
    ([$any:expr, $state:ident, $body:expr] $($case:ident: $game:ty,)*) => {
        match $any {
            $(noughts_rules::AnyGameState::$case($state) => $body,)*
        }
    };
}
pub(crate) use match_game_type;

/// Evaluates an expression for the concrete type of a game state, with everything that
/// [`SearchGame`] offers.
macro_rules! dispatch_game {
    ($any:expr, $state:ident => $body:expr) => {{
        use crate::search_game::match_game_type;
        noughts_rules::for_each_game_type!(match_game_type [$any, $state, $body])
    }};
}
pub(crate) use dispatch_game;

/// Games of which search knows nothing but the rules.
impl SearchGame for DynGame {
    type Evaluation = PlainEvaluation;
    type Heuristics = PlainHeuristics;

    fn evaluation(&self) -> PlainEvaluation {
        PlainEvaluation
    }

    fn heuristics(&self) -> PlainHeuristics {
        PlainHeuristics
    }

    fn mcts_params(&self) -> MctsParams {
        MctsParams::PLAYOUTS
    }

    fn best_search(&self) -> BestSearch {
        BestSearch::Mcts
    }
}

plain_levels!(DynGame);
