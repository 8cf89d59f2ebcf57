//! The evaluation of m,n,k games: lines that can still be completed.

use std::sync::Arc;

use noughts_rules::{Game, Mnk, Side};

use super::Evaluation;
use crate::search::heuristics::{cell_set, count_common, line_cells};

/// Counts, for each player, the lines without a mark of the opponent, weighted by the player's own
/// marks.
#[derive(Clone, Debug)]
pub struct MnkEvaluation<const W: usize> {
    lines: Arc<[[u64; W]]>,
    misere: bool,
}

/// The value of a line by the number of missing marks, in hundredths of a logit.
const VALUE_BY_MISSING_MARKS: [i32; 5] = [0, 120, 36, 8, 2];

/// The value of being the side to move.
const TEMPO: i32 = 15;

impl<const W: usize> MnkEvaluation<W> {
    /// The evaluation for this game's board.
    #[must_use]
    pub fn new(game: &Mnk<W>) -> MnkEvaluation<W> {
        MnkEvaluation {
            lines: line_cells(game)
                .iter()
                .map(|cells| cell_set(cells))
                .collect(),
            misere: game.options().is_misere(),
        }
    }
}

impl<const W: usize> Evaluation<Mnk<W>> for MnkEvaluation<W> {
    fn evaluate(&self, game: &Mnk<W>, position: &<Mnk<W> as Game>::Position) -> i32 {
        let me = game.side(position);
        let [mine, theirs] = [me, me.other()].map(|side: Side| position.marks(side));
        let k = usize::from(game.options().size().2);
        let mut score = 0;
        for line in self.lines.iter() {
            let [m, y] = [&mine, &theirs].map(|marks| count_common(line, marks) as usize);
            let line_value =
                |marks: usize| VALUE_BY_MISSING_MARKS.get(k - marks).copied().unwrap_or(0);
            match (m, y) {
                (0, 0) => {}
                (m, 0) => score += line_value(m),
                (0, y) => score -= line_value(y),
                _ => {}
            }
        }
        if self.misere {
            -score / 4
        } else {
            score + TEMPO
        }
    }
}
