//! The bots, one per file. The search algorithms are in `search/`, proofs in `solve/`.

pub(crate) mod alpha_beta;
pub(crate) mod analyzer;
pub(crate) mod best;
pub(crate) mod easy;
pub(crate) mod game_history;
pub(crate) mod hard;
pub(crate) mod levels;
pub(crate) mod mcts;
pub(crate) mod medium;
pub(crate) mod monte_carlo;
pub(crate) mod negamax;
pub(crate) mod perfect;
pub(crate) mod random;
