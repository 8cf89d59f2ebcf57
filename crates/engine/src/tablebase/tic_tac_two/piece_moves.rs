//! Scores of piece moves, computed at once for all positions that lead to one block.

use super::code::{self, Score};
use super::numbering::{
    CellSet, IndexBlock, LAYER_AFTER_MOVE, LAYERS, MoverRelativePosition, Numbering, grid_cells,
    singletons,
};

/// A block from the point of view of the player whose moves lead to it. That player's pieces are
/// the opponent's pieces in the block's positions, as sets without gaps in the block's numbering.
///
/// Moving a piece removes it, which leaves a smaller set, and puts it down inside the grid. The
/// best score reachable from each smaller set is computed once; examining every move of every
/// position would take twenty times as many lookups.
pub(super) struct PieceMoveScores<'a> {
    numbering: &'a Numbering,
    block: &'a IndexBlock,
    layer: usize,
    /// By place: the score of moving there.
    scores: Vec<Score>,
    /// By rank of the smaller set: the best and the second-best score of adding a piece.
    best_after_adding: Vec<[Score; 2]>,
    /// The cells inside the grid.
    grid_cells: CellSet,
}

impl<'a> PieceMoveScores<'a> {
    /// Examines a block whose positions have these codes. `None` in the opening, where pieces don't
    /// move.
    pub(super) fn new(
        numbering: &'a Numbering,
        block: &'a IndexBlock,
        code: impl Fn(usize) -> u8,
    ) -> Option<PieceMoveScores<'a>> {
        let layer = LAYER_AFTER_MOVE[block.layer]?;
        let (pieces, _) = LAYERS[layer];
        let scores: Vec<Score> = (0..block.len)
            .map(|place| {
                let code = match code(block.start + place) {
                    code::IMAGE => code(block.start + numbering.canonical_place(block, place)),
                    code => code,
                };
                Score::of_move_to(code)
            })
            .collect();
        let grid_cells = block.without_gaps(grid_cells(block.grid));
        let smaller_sets = block.sets(numbering, pieces - 1).iter();
        let best_after_adding = smaller_sets.map(|&set| {
            let mut best = [Score::default(); 2];
            for to in singletons(grid_cells & !set) {
                let score = scores[numbering.rank(set | to)];
                if score > best[0] {
                    best = [score, best[0]];
                } else {
                    best[1] = best[1].max(score);
                }
            }
            best
        });
        Some(PieceMoveScores {
            best_after_adding: best_after_adding.collect(),
            numbering,
            block,
            layer,
            scores,
            grid_cells,
        })
    }

    /// The layer of the positions that lead to the block.
    pub(super) fn layer(&self) -> usize {
        self.layer
    }

    /// The position in which the side to move has the pieces that the opponent has at this place of
    /// the block.
    pub(super) fn position(&self, place: usize) -> MoverRelativePosition {
        let stored = self.numbering.position_or_image_at(self.block, place);
        MoverRelativePosition {
            mine: stored.theirs,
            theirs: stored.mine,
            grid: stored.grid,
        }
    }

    /// The best score of moving a piece in that position.
    #[inline]
    pub(super) fn best_score(&self, place: usize) -> Score {
        let (pieces, _) = LAYERS[self.layer];
        let set = self.block.sets(self.numbering, pieces)[place];
        let best = singletons(set).map(|from| {
            let [best, second] = self.best_after_adding[self.numbering.rank(set ^ from)];
            // Putting the piece back where it was isn't a move.
            if from & self.grid_cells != 0 && best == self.scores[place] {
                second
            } else {
                best
            }
        });
        best.max().unwrap_or_default()
    }
}
