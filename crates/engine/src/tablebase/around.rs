//! What moving a piece is worth, for all positions at once that lead to one block.

use super::code::{self, Score};
use super::numbering::{
    Block, CellSet, LAYER_AFTER_MOVE, LAYERS, Numbering, RelativePosition, grid_cells, singletons,
};

/// A block, seen by the player whose moves lead there. His pieces are the other player's of
/// the block's positions: sets without gaps, as the block numbers them.
///
/// Moving a piece takes one away, which leaves a set with one fewer, and puts it down inside
/// the grid. What can be reached from each of the smaller sets is found once; asking every
/// position about every move instead takes twenty times as many looks.
pub(super) struct PieceMoves<'a> {
    numbering: &'a Numbering,
    block: &'a Block,
    layer: usize,
    /// By place: what it is worth to move there.
    worths: Vec<Score>,
    /// By rank of the smaller set: the best and the second best way to add a piece.
    added: Vec<[Score; 2]>,
    /// The cells inside the grid.
    room: CellSet,
}

impl<'a> PieceMoves<'a> {
    /// Looks at a block whose positions have these codes. None in the opening, where pieces do
    /// not move.
    pub(super) fn new(
        numbering: &'a Numbering,
        block: &'a Block,
        code: impl Fn(usize) -> u8,
    ) -> Option<PieceMoves<'a>> {
        let layer = LAYER_AFTER_MOVE[block.layer]?;
        let (pieces, _) = LAYERS[layer];
        let worths: Vec<Score> = (0..block.len)
            .map(|place| {
                let code = match code(block.start + place) {
                    code::IMAGE => code(block.start + numbering.canonical_place(block, place)),
                    code => code,
                };
                Score::of_move_to(code)
            })
            .collect();
        let room = block.without_gaps(grid_cells(block.grid));
        let fewer = block.sets(numbering, pieces - 1).iter();
        let added = fewer.map(|&set| {
            let mut best = [Score::default(); 2];
            for to in singletons(room & !set) {
                let worth = worths[numbering.rank(set | to)];
                if worth > best[0] {
                    best = [worth, best[0]];
                } else {
                    best[1] = best[1].max(worth);
                }
            }
            best
        });
        Some(PieceMoves {
            added: added.collect(),
            numbering,
            block,
            layer,
            worths,
            room,
        })
    }

    /// The layer of the positions that lead to the block.
    pub(super) fn layer(&self) -> usize {
        self.layer
    }

    /// The position that has, of the player to move, the pieces that the other one has at this
    /// place of the block.
    pub(super) fn position(&self, place: usize) -> RelativePosition {
        let there = self.numbering.position_or_image_at(self.block, place);
        RelativePosition {
            mine: there.theirs,
            theirs: there.mine,
            grid: there.grid,
        }
    }

    /// What the best move of a piece is worth in that position.
    #[inline]
    pub(super) fn best_score(&self, place: usize) -> Score {
        let (pieces, _) = LAYERS[self.layer];
        let set = self.block.sets(self.numbering, pieces)[place];
        let best = singletons(set).map(|from| {
            let [best, second] = self.added[self.numbering.rank(set ^ from)];
            // Putting the piece back where it was is no move.
            if from & self.room != 0 && best == self.worths[place] {
                second
            } else {
                best
            }
        });
        best.max().unwrap_or_default()
    }
}
