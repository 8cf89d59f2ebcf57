//! Cubes: lines that can still be completed, in three dimensions.

use noughts_rules::games::cube::{Cube, CubeMove, CubePosition};
use noughts_rules::{Game, Side, Symmetry};

use super::lines::{Lines, SymmetricKeys};
use crate::bots::levels::{LevelHeuristics, plain_levels};
use crate::evaluation::Evaluation;
use crate::search::heuristics::{ForcedMove, SearchHeuristics};
use crate::search_game::SearchGame;

plain_levels!(Cube);

impl SearchGame for Cube {
    type Evaluation = CubeEvaluation;
    type Heuristics = CubeHeuristics;

    fn evaluation(&self) -> CubeEvaluation {
        CubeEvaluation { lines: lines(self) }
    }

    fn winner_moves_last(&self) -> bool {
        true
    }

    fn heuristics(&self) -> CubeHeuristics {
        let image = |symmetry, cell| {
            let image = self.map_move(self.move_from_action(cell)?, Symmetry(symmetry as u32));
            Some(self.action(image))
        };
        let (cells, symmetries) = (self.count_actions(), self.count_symmetries());
        CubeHeuristics {
            keys: SymmetricKeys::new(cells, symmetries as usize, image),
            lines: lines(self),
        }
    }
}

fn lines(game: &Cube) -> Lines<2> {
    let length = u32::from(game.size().1);
    Lines::new(game.count_actions(), length, &game.lines())
}

/// The lines that can still be completed.
#[derive(Clone, Debug)]
pub struct CubeEvaluation {
    lines: Lines<2>,
}

/// The value of being the side to move.
const TEMPO: i32 = 15;

impl Evaluation<Cube> for CubeEvaluation {
    fn evaluate(&self, game: &Cube, position: &CubePosition) -> i32 {
        let me = game.side(position);
        let [mine, theirs] = [me, me.other()].map(|side| position.marks(side).0);
        self.lines.balance(&mine, &theirs) + TEMPO
    }
}

/// Threats and symmetries.
#[derive(Clone, Debug)]
pub struct CubeHeuristics {
    keys: SymmetricKeys,
    lines: Lines<2>,
}

impl SearchHeuristics<Cube> for CubeHeuristics {
    #[inline]
    fn proof_key(&self, _: &Cube, position: &CubePosition) -> u64 {
        self.keys
            .key(&Side::BOTH.map(|side| position.marks(side).0))
    }

    #[inline]
    fn forced_move(&self, game: &Cube, position: &CubePosition) -> ForcedMove<CubeMove> {
        let me = game.side(position);
        let [mine, theirs] = [me, me.other()].map(|side| position.marks(side).0);
        let mv = |cell| game.move_from_action(cell);
        if let Some(win) = self.lines.completing_cell(&mine, &theirs).and_then(mv) {
            return ForcedMove::Win(win);
        }
        match self.lines.completing_cell(&theirs, &mine).and_then(mv) {
            Some(block) => ForcedMove::OnlyMove(block),
            None => ForcedMove::None,
        }
    }

    #[inline]
    fn move_score(&self, game: &Cube, position: &CubePosition, mv: CubeMove) -> i32 {
        let marks = Side::BOTH.map(|side| position.marks(side).0);
        self.lines.move_score(game.action(mv), &marks)
    }

    #[inline]
    fn can_win(&self, game: &Cube, position: &CubePosition, side: Side, plies: u32) -> bool {
        let marks = [side, side.other()].map(|side| position.marks(side).0);
        let moves_next = game.side(position) == side;
        let plies = plies.min(game.count_moves(position) as u32);
        let moves = (plies + u32::from(moves_next)) / 2;
        self.lines.can_complete(&marks, moves_next, moves)
    }
}
