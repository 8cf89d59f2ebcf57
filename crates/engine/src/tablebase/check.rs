//! Compares every value of a table with those one move on.

use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

use super::around::PieceMoves;
use super::code::{self, Score};
use super::numbering::{Block, LAYERS, Numbering, RelativePosition};
use super::parallel;
use crate::limits::StopFlag;

/// What was found.
pub(super) struct CheckResult {
    /// How many positions there are, each with its images.
    pub(super) positions: usize,
    /// How many numbers have a wrong code.
    pub(super) wrong: usize,
    /// The least of them.
    pub(super) first_error: Option<WrongCode>,
}

/// A number with a wrong code.
pub(super) struct WrongCode {
    pub(super) number: usize,
    pub(super) position: RelativePosition,
    /// The code that it should have.
    pub(super) expected: u8,
}

/// Checks all codes, by number. `done` is told how many were looked at: not all of them, if
/// it was stopped.
pub(super) fn check(
    codes: &[u8],
    threads: usize,
    stop: &StopFlag,
    done: impl Fn(usize) + Sync,
) -> CheckResult {
    let checker = Checker {
        numbering: Numbering::get(),
        codes,
        positions: AtomicUsize::new(0),
        wrong: AtomicUsize::new(0),
        first: Mutex::new(None),
    };
    let looked = AtomicUsize::new(0);
    let blocks = checker.numbering.block_range(&(0..LAYERS.len()));
    parallel::for_each(threads, stop, blocks, |number| {
        let block = checker.numbering.block(number);
        checker.images(&block);
        match PieceMoves::new(checker.numbering, &block, |number| codes[number]) {
            Some(around) => checker.around(&block, &around),
            None => checker.opening(&block),
        }
        done(looked.fetch_add(block.len, Relaxed) + block.len);
    });
    CheckResult {
        positions: checker.positions.into_inner(),
        wrong: checker.wrong.into_inner(),
        first_error: checker.first.into_inner().unwrap_or_default(),
    }
}

struct Checker<'a> {
    numbering: &'static Numbering,
    codes: &'a [u8],
    positions: AtomicUsize,
    wrong: AtomicUsize,
    first: Mutex<Option<WrongCode>>,
}

impl Checker<'_> {
    /// Places that only show an image of a position kept elsewhere.
    fn images(&self, block: &Block) {
        for place in self.numbering.image_places(block) {
            let spot = self.numbering.position_or_image_at(block, place);
            self.compare(block.start + place, spot, code::IMAGE);
        }
    }

    /// The positions that lead to this block by moving a piece. Exchanging the players goes
    /// through all positions, too, each once.
    fn around(&self, block: &Block, around: &PieceMoves) {
        let layer = around.layer();
        let mut positions = 0;
        for place in
            (0..block.len).filter(|&place| self.numbering.position_at(block, place).is_some())
        {
            let spot = around.position(place);
            let right = self
                .numbering
                .terminal_code(layer, spot)
                .unwrap_or_else(|| {
                    self.best(around.best_score(place), |visit| {
                        self.numbering.visit_placements(layer, spot, &mut *visit)
                            && self.numbering.visit_grid_moves(layer, spot, visit)
                    })
                });
            self.compare(self.numbering.index(layer, spot), spot, right);
            positions += 1;
        }
        self.positions.fetch_add(positions, Relaxed);
    }

    /// A block of the opening.
    fn opening(&self, block: &Block) {
        for place in 0..block.len {
            if let Some(spot) = self.numbering.position_at(block, place) {
                let right = self.best(Score::default(), |visit| {
                    self.numbering.visit_successors(block.layer, spot, visit)
                });
                self.compare(block.start + place, spot, right);
                self.positions.fetch_add(1, Relaxed);
            }
        }
    }

    /// The code of a position with moves worth this and the visited ones.
    #[inline]
    fn best(
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
    fn compare(&self, number: usize, spot: RelativePosition, right: u8) {
        if self.codes[number] == right {
            return;
        }
        self.wrong.fetch_add(1, Relaxed);
        if let Ok(mut first) = self.first.lock()
            && first.as_ref().is_none_or(|first| number < first.number)
        {
            *first = Some(WrongCode {
                number,
                position: spot,
                expected: right,
            });
        }
    }
}
