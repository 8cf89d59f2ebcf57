//! What search needs to know about a game beyond its rules, implemented for each game family.

use noughts_rules::{Depth, Game, Mnk, Nested, TicTacTwo, Tiebreak, WonBoardRule};

use crate::bots::levels::{LevelHeuristics, MoveMerit, SkillLevel};
use crate::evaluation::{
    Evaluation, MnkEvaluation, NestedEvaluation, PlainEvaluation, TicTacTwoEvaluation,
};
use crate::limits::Budget;
use crate::search::heuristics::{
    MnkHeuristics, NestedHeuristics, PlainHeuristics, SearchHeuristics, TicTacTwoHeuristics,
};
use crate::search::mcts::MctsParams;
use crate::solve::{StrategyProof, strategy_5a};

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

    /// The number of different values of [`SearchGame::history_index`].
    fn history_len(&self) -> usize {
        self.count_actions()
    }

    /// The index of a move in the history heuristic.
    fn history_index(&self, mv: Self::Move) -> usize {
        self.action(mv)
    }

    /// Proves the position by a known strategy, if there is one. The proof is repeated each time,
    /// within the budget.
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

impl<const W: usize> SearchGame for Mnk<W> {
    type Evaluation = MnkEvaluation<W>;
    type Heuristics = MnkHeuristics<W>;

    fn evaluation(&self) -> MnkEvaluation<W> {
        MnkEvaluation::new(self)
    }

    fn winner_moves_last(&self) -> bool {
        !self.options().is_misere()
    }

    fn heuristics(&self) -> MnkHeuristics<W> {
        MnkHeuristics::new(self)
    }

    fn history_len(&self) -> usize {
        let (columns, rows, _) = self.options().size();
        usize::from(columns) * usize::from(rows)
    }

    #[inline]
    fn history_index(&self, mv: Self::Move) -> usize {
        let (col, row) = self.column_row(mv);
        usize::from(row) * usize::from(self.options().size().0) + usize::from(col)
    }
}

impl SearchGame for TicTacTwo {
    type Evaluation = TicTacTwoEvaluation;
    type Heuristics = TicTacTwoHeuristics;

    fn evaluation(&self) -> TicTacTwoEvaluation {
        TicTacTwoEvaluation
    }

    fn winner_moves_last(&self) -> bool {
        // Moving the grid can complete a line of the opponent.
        false
    }

    fn heuristics(&self) -> TicTacTwoHeuristics {
        TicTacTwoHeuristics
    }

    fn history_len(&self) -> usize {
        3 * 64
    }

    fn history_index(&self, mv: Self::Move) -> usize {
        use noughts_rules::TicTacTwoMove::{MoveGrid, MovePiece, PlacePiece};
        let (kind, cell) = match mv {
            PlacePiece(cell) => (0, cell),
            MoveGrid(cell) => (1, cell),
            MovePiece(_, to) => (2, to),
        };
        let (col, row) = cell.column_row();
        kind * 64 + usize::from(row) * 8 + usize::from(col)
    }
}

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

    fn strategy_proof(
        &self,
        position: &Self::Position,
        budget: &Budget,
    ) -> Result<StrategyProof<Self::Move>, u64> {
        strategy_5a::prove_by_strategy(self, position, budget)
    }
}

macro_rules! search_plainly {
    ([] $($case:ident: $game:ty,)*) => {
        $(
            impl SearchGame for $game {
                type Evaluation = PlainEvaluation;
                type Heuristics = PlainHeuristics;

                fn evaluation(&self) -> PlainEvaluation {
                    PlainEvaluation
                }

                fn heuristics(&self) -> PlainHeuristics {
                    PlainHeuristics
                }

                fn mcts_params(&self) -> MctsParams {
                    // There is no evaluation to mix in.
                    MctsParams {
                        exploration: 1.0,
                        evaluation_weight: 0.0,
                    }
                }
            }

            impl LevelHeuristics for $game {
                fn merit(&self, _: &Self::Position, _: Self::Move, _: SkillLevel) -> MoveMerit {
                    MoveMerit::NONE
                }
            }
        )*
    };
}

noughts_rules::for_each_plain_game_type!(search_plainly []);
