//! Compares every value of a table with those one move on.

use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

use super::around::Around;
use super::code::{self, Worth};
use super::numbering::{Block, LAYERS, Numbering, Spot};
use super::parallel;
use crate::limits::Stop;

/// What was found.
pub(super) struct Checked {
    /// How many positions there are, each with its images.
    pub(super) positions: usize,
    /// How many numbers have a wrong code.
    pub(super) wrong: usize,
    /// The least of them.
    pub(super) first: Option<Fault>,
}

/// A number with a wrong code.
pub(super) struct Fault {
    pub(super) number: usize,
    pub(super) spot: Spot,
    /// The code that it should have.
    pub(super) right: u8,
}

/// Checks all codes, by number. `done` is told how many were looked at: not all of them, if
/// it was stopped.
pub(super) fn check(
    codes: &[u8],
    threads: usize,
    stop: &Stop,
    done: impl Fn(usize) + Sync,
) -> Checked {
    let checker = Checker {
        numbering: Numbering::get(),
        codes,
        positions: AtomicUsize::new(0),
        wrong: AtomicUsize::new(0),
        first: Mutex::new(None),
    };
    let looked = AtomicUsize::new(0);
    let blocks = checker.numbering.block_numbers(&(0..LAYERS.len()));
    parallel::each(threads, stop, blocks, |number| {
        let block = checker.numbering.block(number);
        checker.images(&block);
        match Around::new(checker.numbering, &block, |number| codes[number]) {
            Some(around) => checker.around(&block, &around),
            None => checker.opening(&block),
        }
        done(looked.fetch_add(block.len, Relaxed) + block.len);
    });
    Checked {
        positions: checker.positions.into_inner(),
        wrong: checker.wrong.into_inner(),
        first: checker.first.into_inner().unwrap_or_default(),
    }
}

struct Checker<'a> {
    numbering: &'static Numbering,
    codes: &'a [u8],
    positions: AtomicUsize,
    wrong: AtomicUsize,
    first: Mutex<Option<Fault>>,
}

impl Checker<'_> {
    /// Places that only show an image of a position kept elsewhere.
    fn images(&self, block: &Block) {
        for place in self.numbering.images(block) {
            let spot = self.numbering.spot_or_image(block, place);
            self.compare(block.start + place, spot, code::IMAGE);
        }
    }

    /// The positions that lead to this block by moving a piece. Exchanging the players goes
    /// through all positions, too, each once.
    fn around(&self, block: &Block, around: &Around) {
        let layer = around.layer();
        let mut positions = 0;
        for place in (0..block.len).filter(|&place| self.numbering.spot(block, place).is_some()) {
            let spot = around.spot(place);
            let right = self.numbering.finished(layer, spot).unwrap_or_else(|| {
                self.best(around.best(place), |visit| {
                    self.numbering.placed(layer, spot, &mut *visit)
                        && self.numbering.grid_moved(layer, spot, visit)
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
            if let Some(spot) = self.numbering.spot(block, place) {
                let right = self.best(Worth::default(), |visit| {
                    self.numbering.successors(block.layer, spot, visit)
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
        mut best: Worth,
        moves: impl FnOnce(&mut dyn FnMut(usize) -> bool) -> bool,
    ) -> u8 {
        if best < Worth::BEST {
            moves(&mut |next| {
                best = best.max(Worth::of_move(self.codes[next]));
                best < Worth::BEST
            });
        }
        best.code()
    }

    #[inline]
    fn compare(&self, number: usize, spot: Spot, right: u8) {
        if self.codes[number] == right {
            return;
        }
        self.wrong.fetch_add(1, Relaxed);
        if let Ok(mut first) = self.first.lock()
            && first.as_ref().is_none_or(|first| number < first.number)
        {
            *first = Some(Fault {
                number,
                spot,
                right,
            });
        }
    }
}
