//! What moving a piece is worth, for all positions at once that lead to one block.

use super::code::{self, Worth};
use super::numbering::{Block, Cells, LAYERS, MOVED, Numbering, Spot, each, inside};

/// A block, seen by the player whose moves lead there. His pieces are the other player's of
/// the block's positions: sets without gaps, as the block numbers them.
///
/// Moving a piece takes one away, which leaves a set with one fewer, and puts it down inside
/// the grid. What can be reached from each of the smaller sets is found once; asking every
/// position about every move instead takes twenty times as many looks.
pub(super) struct Around<'a> {
    numbering: &'a Numbering,
    block: &'a Block,
    layer: usize,
    /// By place: what it is worth to move there.
    worths: Vec<Worth>,
    /// By rank of the smaller set: the best and the second best way to add a piece.
    added: Vec<[Worth; 2]>,
    /// The cells inside the grid.
    room: Cells,
}

impl<'a> Around<'a> {
    /// Looks at a block whose positions have these codes. None in the opening, where pieces do
    /// not move.
    pub(super) fn new(
        numbering: &'a Numbering,
        block: &'a Block,
        code: impl Fn(usize) -> u8,
    ) -> Option<Around<'a>> {
        let layer = MOVED[block.layer]?;
        let (pieces, _) = LAYERS[layer];
        let worths: Vec<Worth> = (0..block.len)
            .map(|place| {
                let code = match code(block.start + place) {
                    code::IMAGE => code(block.start + numbering.original(block, place)),
                    code => code,
                };
                Worth::of_move(code)
            })
            .collect();
        let room = block.squeezed(inside(block.grid));
        let fewer = block.sets(numbering, pieces - 1).iter();
        let added = fewer.map(|&set| {
            let mut best = [Worth::default(); 2];
            for to in each(room & !set) {
                let worth = worths[numbering.rank(set | to)];
                if worth > best[0] {
                    best = [worth, best[0]];
                } else {
                    best[1] = best[1].max(worth);
                }
            }
            best
        });
        Some(Around {
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
    pub(super) fn spot(&self, place: usize) -> Spot {
        let there = self.numbering.spot_or_image(self.block, place);
        Spot {
            mine: there.theirs,
            theirs: there.mine,
            grid: there.grid,
        }
    }

    /// What the best move of a piece is worth in that position.
    #[inline]
    pub(super) fn best(&self, place: usize) -> Worth {
        let (pieces, _) = LAYERS[self.layer];
        let set = self.block.sets(self.numbering, pieces)[place];
        let best = each(set).map(|from| {
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
