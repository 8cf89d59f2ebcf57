//! Verifies a tablebase: compares every value with the values after each move.

use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

use super::code::{self, Score};
use super::numbering::{IndexBlock, LAYERS, MoverRelativePosition, Numbering};
use super::piece_moves::PieceMoveScores;
use crate::limits::StopFlag;
use crate::parallel;

/// The result of a check.
pub(super) struct TablebaseCheck {
    /// Number of positions, each including its symmetric images.
    pub(super) positions: usize,
    /// Number of entries with a wrong code.
    pub(super) wrong: usize,
    /// The first wrong entry.
    pub(super) first_error: Option<WrongCode>,
}

/// An entry with a wrong code.
pub(super) struct WrongCode {
    pub(super) number: usize,
    pub(super) position: MoverRelativePosition,
    /// The code that it should have.
    pub(super) expected: u8,
}

/// Checks all codes, by position number. `on_progress` is called with the number of codes checked
/// so far. If it is stopped, not all of them are checked.
pub(super) fn check(
    codes: &[u8],
    threads: usize,
    stop: &StopFlag,
    on_progress: impl Fn(usize) + Sync,
) -> TablebaseCheck {
    let checker = TablebaseChecker {
        numbering: Numbering::get(),
        codes,
        positions: AtomicUsize::new(0),
        wrong: AtomicUsize::new(0),
        first: Mutex::new(None),
    };
    let checked = AtomicUsize::new(0);
    let blocks = checker.numbering.block_range(&(0..LAYERS.len()));
    parallel::for_each(threads, stop, blocks, &|number| {
        let block = checker.numbering.block(number);
        checker.check_images(&block);
        match PieceMoveScores::new(checker.numbering, &block, |number| codes[number]) {
            Some(piece_moves) => checker.check_predecessors(&block, &piece_moves),
            None => checker.check_opening(&block),
        }
        on_progress(checked.fetch_add(block.len, Relaxed) + block.len);
    });
    TablebaseCheck {
        positions: checker.positions.into_inner(),
        wrong: checker.wrong.into_inner(),
        first_error: checker.first.into_inner().unwrap_or_default(),
    }
}

struct TablebaseChecker<'a> {
    numbering: &'static Numbering,
    codes: &'a [u8],
    positions: AtomicUsize,
    wrong: AtomicUsize,
    first: Mutex<Option<WrongCode>>,
}

impl TablebaseChecker<'_> {
    /// Checks entries that are only an image of a position stored elsewhere.
    fn check_images(&self, block: &IndexBlock) {
        for place in self.numbering.image_places(block) {
            let position = self.numbering.position_or_image_at(block, place);
            self.compare(block.start + place, position, code::IMAGE);
        }
    }

    /// Checks the positions that lead to this block by moving a piece. Since exchanging the players
    /// is a bijection, every position is covered exactly once.
    fn check_predecessors(&self, block: &IndexBlock, piece_moves: &PieceMoveScores) {
        let layer = piece_moves.layer();
        let mut positions = 0;
        for place in
            (0..block.len).filter(|&place| self.numbering.position_at(block, place).is_some())
        {
            let position = piece_moves.position(place);
            let expected = self
                .numbering
                .terminal_code(layer, position)
                .unwrap_or_else(|| {
                    self.best_code(piece_moves.best_score(place), |visit| {
                        self.numbering
                            .visit_placements(layer, position, &mut *visit)
                            && self.numbering.visit_grid_moves(layer, position, visit)
                    })
                });
            self.compare(self.numbering.index(layer, position), position, expected);
            positions += 1;
        }
        self.positions.fetch_add(positions, Relaxed);
    }

    /// Checks a block of the opening.
    fn check_opening(&self, block: &IndexBlock) {
        for place in 0..block.len {
            if let Some(position) = self.numbering.position_at(block, place) {
                let expected = self.best_code(Score::default(), |visit| {
                    self.numbering
                        .visit_successors(block.layer, position, visit)
                });
                self.compare(block.start + place, position, expected);
                self.positions.fetch_add(1, Relaxed);
            }
        }
    }

    /// The code of a position, given the best score so far and the moves to visit.
    #[inline]
    fn best_code(
        &self,
        mut best: Score,
        moves: impl FnOnce(&mut dyn FnMut(usize) -> bool) -> bool,
    ) -> u8 {
        if best < Score::BEST {
            moves(&mut |next| {
                best = best.max(Score::of_move_to(self.codes[next]));
                best < Score::BEST
            });
        }
        best.code()
    }

    #[inline]
    fn compare(&self, number: usize, position: MoverRelativePosition, expected: u8) {
        if self.codes[number] == expected {
            return;
        }
        self.wrong.fetch_add(1, Relaxed);
        if let Ok(mut first) = self.first.lock()
            && first.as_ref().is_none_or(|first| number < first.number)
        {
            *first = Some(WrongCode {
                number,
                position,
                expected,
            });
        }
    }
}
