//! Gobblers: visible lines, and larger pieces to come.

use noughts_rules::games::gobblers::{Gobblers, GobblersMove, GobblersPosition};
use noughts_rules::{Game, LINES, PieceSize, Side};

use super::lines::Lines;
use crate::bots::levels::{LevelHeuristics, plain_levels};
use crate::evaluation::Evaluation;
use crate::search::heuristics::{ForcedMove, PlainHeuristics, SearchHeuristics};
use crate::search_game::SearchGame;

plain_levels!(Gobblers);

impl SearchGame for Gobblers {
    type Evaluation = GobblersEvaluation;
    type Heuristics = GobblersHeuristics;

    fn evaluation(&self) -> GobblersEvaluation {
        let cells = |line: u32| (0..9).filter(|cell| line >> cell & 1 == 1).collect();
        let lines: Vec<Vec<usize>> = LINES.into_iter().map(cells).collect();
        GobblersEvaluation {
            lines: Lines::new(9, 3, &lines),
        }
    }

    fn heuristics(&self) -> GobblersHeuristics {
        GobblersHeuristics
    }
}

/// Lines without a visible piece of the opponent, and the reach of each side's pieces.
#[derive(Clone, Debug)]
pub struct GobblersEvaluation {
    lines: Lines<1>,
}

/// The value of a piece that can still be placed, by size.
const RESERVE_VALUES: [i32; 3] = [4, 14, 30];

/// The value of a piece on top of a cell, by size.
const TOP_VALUES: [i32; 3] = [6, 12, 24];

/// The value of being the side to move.
const TEMPO: i32 = 15;

impl Evaluation<Gobblers> for GobblersEvaluation {
    fn evaluate(&self, game: &Gobblers, position: &GobblersPosition) -> i32 {
        let me = game.side(position);
        let tops = [me, me.other()].map(|side| position.top_pieces(side));
        let [mine, theirs] = tops.map(|[small, medium, large]| [u64::from(small | medium | large)]);
        let force = |side: Side, tops: &[u16; 3]| {
            let sizes = [PieceSize::Small, PieceSize::Medium, PieceSize::Large].into_iter();
            let value = |size: PieceSize| {
                let n = size as usize;
                RESERVE_VALUES[n] * position.in_reserve(side, size) as i32
                    + TOP_VALUES[n] * tops[n].count_ones() as i32
            };
            sizes.map(value).sum::<i32>()
        };
        self.lines.balance(&mine, &theirs) + force(me, &tops[0]) - force(me.other(), &tops[1])
            + TEMPO
    }
}

/// Immediate wins, and larger pieces first.
#[derive(Clone, Copy, Debug)]
pub struct GobblersHeuristics;

impl SearchHeuristics<Gobblers> for GobblersHeuristics {
    fn proof_key(&self, game: &Gobblers, position: &GobblersPosition) -> u64 {
        PlainHeuristics.proof_key(game, position)
    }

    fn forced_move(
        &self,
        game: &Gobblers,
        position: &GobblersPosition,
    ) -> ForcedMove<GobblersMove> {
        PlainHeuristics.forced_move(game, position)
    }

    fn move_score(&self, game: &Gobblers, position: &GobblersPosition, mv: GobblersMove) -> i32 {
        // The size that becomes visible, and a hidden piece of the opponent that doesn't.
        let after = game.after(position, mv);
        let me = position.side();
        let visible = |position: &GobblersPosition, side| {
            let [small, medium, large] = position.top_pieces(side);
            (small | medium | large).count_ones() as i32
        };
        let gain = visible(&after, me) - visible(position, me);
        gain - (visible(&after, me.other()) - visible(position, me.other()))
    }
}
