//! Upright boards: threats and their parity, and a search for proofs.

mod evaluation;
mod levels;
mod solver;
mod strategy;

use noughts_rules::games::gravity::{Gravity, GravityMove, GravityPosition};
use noughts_rules::{Bitboard, Game};

use super::lines::mix;
use crate::limits::Budget;
use crate::search::{ForcedMove, MctsParams, ProofControl, ProofSearch, SearchHeuristics};
use crate::search_game::SearchGame;
use crate::solve::StrategyProof;
use evaluation::GravityEvaluation;
use solver::Solver;

impl<const W: usize> SearchGame for Gravity<W> {
    type Evaluation = GravityEvaluation<W>;
    type Heuristics = GravityHeuristics;

    fn evaluation(&self) -> GravityEvaluation<W> {
        GravityEvaluation::new(self)
    }

    fn winner_moves_last(&self) -> bool {
        true
    }

    fn heuristics(&self) -> GravityHeuristics {
        GravityHeuristics
    }

    fn mcts_params(&self) -> MctsParams {
        MctsParams::PLAYOUTS
    }

    fn has_strategy(&self) -> bool {
        strategy::applies(self)
    }

    fn strategy_proof(
        &self,
        position: &GravityPosition<W>,
        _: &Budget,
    ) -> Result<StrategyProof<GravityMove>, u64> {
        strategy::proof(self, position).ok_or(0)
    }
}

/// Immediate threats, and a search of its own for proofs.
#[derive(Clone, Copy, Debug)]
pub struct GravityHeuristics;

/// Positions with more discs are rarely mirror images of others that were searched.
const MAX_MIRRORED_DISCS: u32 = 12;

/// The key of a position in a proof. Mirror images share it if there are few discs. On boards of one word, no other position
/// has the same key.
#[inline]
fn key<const W: usize>(game: &Gravity<W>, mine: Bitboard<W>, occupied: Bitboard<W>) -> u64 {
    let hash = |cells: Bitboard<W>| cells.0.iter().fold(0, |hash, &word| mix(hash ^ word));
    let cells = cells_of_position(game, mine, occupied);
    if occupied.len() > MAX_MIRRORED_DISCS {
        return hash(cells);
    }
    let image = cells_of_position(game, game.mirror(mine), game.mirror(occupied));
    hash(cells.min(image))
}

/// Cells that only this position has: the discs of the side to move, and the cell above the top disc of each column, which
/// shows where the discs end.
#[inline]
fn cells_of_position<const W: usize>(
    game: &Gravity<W>,
    mine: Bitboard<W>,
    occupied: Bitboard<W>,
) -> Bitboard<W> {
    let above = occupied.shift_up(1).union(game.bottom());
    mine.union(above.difference(occupied))
}

impl<const W: usize> SearchHeuristics<Gravity<W>> for GravityHeuristics {
    fn proof_key(&self, game: &Gravity<W>, position: &GravityPosition<W>) -> u64 {
        key(
            game,
            position.marks(game.side(position)),
            position.occupied(),
        )
    }

    #[inline]
    fn forced_move(
        &self,
        game: &Gravity<W>,
        position: &GravityPosition<W>,
    ) -> ForcedMove<GravityMove> {
        let me = game.side(position);
        let landing = game.landing_cells(position);
        let wins = game
            .completing_cells(position.marks(me))
            .intersection(landing);
        if let Some(bit) = wins.nth(0) {
            return ForcedMove::Win(game.move_at(bit));
        }
        // A disc below a cell where the opponent wins loses at once.
        let threats = game.completing_cells(position.marks(me.other()));
        let blocks = landing.intersection(threats);
        let safe = match blocks.is_empty() {
            true => landing,
            false => blocks,
        };
        let safe = safe.difference(threats.shift_down(1));
        match (safe.len(), blocks.len(), safe.nth(0)) {
            (1, 0 | 1, Some(bit)) => ForcedMove::OnlyMove(game.move_at(bit)),
            _ => ForcedMove::None,
        }
    }

    #[inline]
    fn move_score(&self, game: &Gravity<W>, position: &GravityPosition<W>, mv: GravityMove) -> i32 {
        let landing = game.landing_cells(position);
        let disc = landing.intersection(game.column_cells(mv.column()));
        let marks = position.marks(game.side(position)).union(disc);
        let threats = game.completing_cells(marks).difference(position.occupied());
        // Discs in the middle are on more lines.
        let last = i32::from(game.size().0) - 1;
        let from_middle = (2 * i32::from(mv.column()) - last).abs();
        8 * threats.len() as i32 - from_middle
    }

    fn proof_search(&self) -> Option<&dyn ProofSearch<Gravity<W>>> {
        Some(self)
    }
}

impl<const W: usize> ProofSearch<Gravity<W>> for GravityHeuristics {
    fn prove(
        &self,
        game: &Gravity<W>,
        position: &GravityPosition<W>,
        alpha: i32,
        beta: i32,
        control: &mut ProofControl<'_>,
    ) -> i32 {
        Solver::new(game, control).prove(position, alpha, beta)
    }

    fn max_plies(&self) -> u32 {
        32
    }
}
