//! Retrograde analysis: what every position is worth, from the finished games backwards.
//! Layer by layer, since a piece once placed stays on the board; within a layer ply by ply.

use std::ops::Range;
use std::sync::atomic::{AtomicU8, AtomicUsize, Ordering::Relaxed};

use super::around::PieceMoves;
use super::code::{self, Score};
use super::numbering::{
    Block, FIRST_OPENING_LAYER, LAYER_AFTER_PLACEMENT, LAYERS, Numbering, RelativePosition,
    adjacent_grids,
};
use super::parallel;
use crate::limits::StopFlag;

/// The layers that are solved together, those with more pieces first: moves other than
/// placing lead back and forth between them.
const GROUPS: [Range<usize>; 6] = [0..1, 1..3, 3..4, 4..6, 6..8, 8..9];

/// The codes of all positions, by number; they mean nothing if it was stopped. `known` is
/// told how many there are so far.
pub(super) fn solve(threads: usize, stop: &StopFlag, known: impl Fn(usize) + Sync) -> Vec<u8> {
    let numbering = Numbering::get();
    let mut solver = Solver {
        numbering,
        threads,
        stop: stop.clone(),
        codes: zeros(numbering.len()),
        known: AtomicUsize::new(0),
        report: known,
        base: 0,
        placing: Vec::new(),
        longest: AtomicU8::new(0),
    };
    for group in GROUPS {
        solver.solve(&group);
    }
    for layer in FIRST_OPENING_LAYER..LAYERS.len() {
        solver.solve_opening(layer);
    }
    solver.codes.into_iter().map(AtomicU8::into_inner).collect()
}

fn zeros(len: usize) -> Vec<AtomicU8> {
    std::iter::repeat_with(AtomicU8::default)
        .take(len)
        .collect()
}

/// Sweeping over a position costs this many times less than going back from one that is new.
/// Measured.
const SWEEP_ADVANTAGE: usize = 300;

struct Solver<R> {
    numbering: &'static Numbering,
    threads: usize,
    stop: StopFlag,
    /// By number. A position gets its code once and keeps it. Within a round all threads give
    /// the same code to a position, and no code that is given changes what another thread is
    /// asking of it, so the order of their work does not matter.
    codes: Vec<AtomicU8>,
    /// How many positions have their codes, those of former groups included.
    known: AtomicUsize,
    report: R,
    /// The first number of the group that is being solved.
    base: usize,
    /// In that group, by number from `base` on: the plies of the soonest win that begins with
    /// placing a piece; 0 where there is none. Empty where nobody has a piece to place.
    placing: Vec<AtomicU8>,
    /// The most plies of any position of that group so far, wins by placing included.
    longest: AtomicU8,
}

/// What one thread has found in one block: added up once, so that threads do not fight over
/// the counters.
#[derive(Default)]
struct Found {
    positions: usize,
    longest: u8,
}

impl<R: Fn(usize) + Sync> Solver<R> {
    fn solve(&mut self, group: &Range<usize>) {
        let numbers = self.numbering.number_range(group);
        self.base = numbers.start;
        self.longest = AtomicU8::new(0);
        self.placing = Vec::new();
        self.sweep(group, Solver::begin);
        if group
            .clone()
            .any(|layer| LAYER_AFTER_PLACEMENT[layer].is_some())
        {
            self.placing = zeros(numbers.len());
            self.sweep(group, Solver::place);
        }
        let mut plies = 1;
        let mut fresh = usize::MAX;
        while plies <= self.longest.load(Relaxed) && plies < code::MAX_PLIES {
            fresh = if plies % 2 == 0 {
                self.sweep(group, |solver, block, found| {
                    solver.win_before(block, plies, found);
                })
            } else if fresh > numbers.len() / SWEEP_ADVANTAGE {
                self.sweep(group, Solver::lose_around)
            } else {
                self.sweep(group, |solver, block, found| {
                    solver.lose_before(block, plies, found);
                })
            };
            plies += 1;
        }
        // What is still open nobody can force: a draw, with the code it has.
        self.known.store(numbers.end, Relaxed);
        (self.report)(numbers.end);
    }

    /// In the opening pieces are only placed: one look at the layer above.
    fn solve_opening(&self, layer: usize) {
        let layers = layer..layer + 1;
        self.sweep(&layers, |solver, block, found| {
            for place in 0..block.len {
                let code = match solver.numbering.position_at(block, place) {
                    Some(spot) => solver.worth(block.layer, spot),
                    None => code::IMAGE,
                };
                solver.settle(block.start + place, code, found);
            }
        });
        let end = self.numbering.number_range(&layers).end;
        self.known.store(end, Relaxed);
        (self.report)(end);
    }

    /// Does something with all blocks of these layers; says how many positions got their codes.
    fn sweep(
        &self,
        layers: &Range<usize>,
        work: impl Fn(&Solver<R>, &Block, &mut Found) + Sync,
    ) -> usize {
        let before = self.known.load(Relaxed);
        let blocks = self.numbering.block_range(layers);
        parallel::for_each(self.threads, &self.stop, blocks, |number| {
            let mut found = Found::default();
            work(self, &self.numbering.block(number), &mut found);
            self.longest.fetch_max(found.longest, Relaxed);
            let known = self.known.fetch_add(found.positions, Relaxed);
            (self.report)(known + found.positions);
        });
        self.known.load(Relaxed) - before
    }

    #[inline]
    fn code(&self, number: usize) -> u8 {
        self.codes[number].load(Relaxed)
    }

    /// The places of a block whose positions have this code now.
    #[inline]
    fn places(&self, block: &Block, code: u8) -> impl Iterator<Item = usize> {
        let codes = self.codes[block.start..block.start + block.len].iter();
        let places = codes.enumerate();
        places.filter_map(move |(place, known)| (known.load(Relaxed) == code).then_some(place))
    }

    /// Gives an open position its code, unless another thread has just done so.
    #[inline]
    fn settle(&self, number: usize, code: u8, found: &mut Found) {
        let slot = &self.codes[number];
        if code != code::DRAW
            && slot
                .compare_exchange(code::DRAW, code, Relaxed, Relaxed)
                .is_ok()
        {
            found.positions += 1;
            if code <= code::MAX_PLIES {
                found.longest = found.longest.max(code);
            }
        }
    }

    /// Finished games, and wins by the next move.
    fn begin(&self, block: &Block, found: &mut Found) {
        let numbering = self.numbering;
        let (mine, theirs) = LAYERS[block.layer];
        let near: u16 = adjacent_grids(block.grid)
            .iter()
            .map(|&grid| 1 << grid)
            .sum();
        let my_lines = numbering.grids_with_line(mine, block.mine);
        let completing = numbering.completing_cells(block);
        for place in 0..block.len {
            let code = match numbering.position_at(block, place) {
                None => code::IMAGE,
                Some(spot) => numbering
                    .terminal_code(block.layer, spot)
                    .unwrap_or_else(|| {
                        let their_lines = numbering.grids_with_line(theirs, spot.theirs);
                        let by_piece = completing & !spot.theirs != 0;
                        let by_grid = my_lines & !their_lines & near != 0;
                        u8::from(by_piece || by_grid)
                    }),
            };
            self.settle(block.start + place, code, found);
        }
    }

    /// Notes wins by placing a piece: where that leads is known, but the mover may win sooner.
    fn place(&self, block: &Block, found: &mut Found) {
        for place in self.places(block, code::DRAW) {
            let Some(spot) = self.numbering.position_at(block, place) else {
                continue;
            };
            let mut best = Score::default();
            self.numbering.visit_placements(block.layer, spot, |next| {
                best = best.max(Score::of_move_to(self.code(next)));
                true
            });
            let code = best.code();
            if code::is_win(code) {
                self.placing[block.start + place - self.base].store(code, Relaxed);
                found.longest = found.longest.max(code);
            }
        }
    }

    /// The mover wins wherever he can lead the other to a loss in so many plies.
    fn win_before(&self, block: &Block, plies: u8, found: &mut Found) {
        for place in self.places(block, plies) {
            let Some(spot) = self.numbering.position_at(block, place) else {
                continue;
            };
            self.numbering
                .visit_predecessors(block.layer, spot, |layer, before| {
                    self.settle(self.numbering.index(layer, before), plies + 1, found);
                });
        }
        if self.placing.is_empty() {
            return;
        }
        for place in self.places(block, code::DRAW) {
            let number = block.start + place;
            if self.placing[number - self.base].load(Relaxed) == plies + 1 {
                self.settle(number, plies + 1, found);
            }
        }
    }

    /// The mover may have lost wherever the other has just been found to win in so many plies.
    fn lose_before(&self, block: &Block, plies: u8, found: &mut Found) {
        for place in self.places(block, plies) {
            let Some(spot) = self.numbering.position_at(block, place) else {
                continue;
            };
            self.numbering
                .visit_predecessors(block.layer, spot, |layer, before| {
                    let number = self.numbering.index(layer, before);
                    if self.code(number) == code::DRAW {
                        self.lose(number, Score::default(), found, |visit| {
                            self.numbering.visit_successors(layer, before, visit)
                        });
                    }
                });
        }
    }

    /// The same for all positions that lead to this block by moving a piece: sooner done
    /// where many positions are new.
    fn lose_around(&self, block: &Block, found: &mut Found) {
        let Some(around) = PieceMoves::new(self.numbering, block, |number| self.code(number))
        else {
            return;
        };
        let layer = around.layer();
        for place in 0..block.len {
            let by_piece = around.best_score(place);
            if !by_piece.is_loss() {
                continue;
            }
            let before = around.position(place);
            let number = self.numbering.index(layer, before);
            if self.code(number) == code::DRAW {
                self.lose(number, by_piece, found, |visit| {
                    self.numbering.visit_placements(layer, before, &mut *visit)
                        && self.numbering.visit_grid_moves(layer, before, visit)
                });
            }
        }
    }

    /// Settles an open position if all its moves lose. Those by placing may lose later than
    /// this round; that is known already, and the code is right at once.
    ///
    /// `best` is the best of the moves that are known to lose; `moves` visits the others.
    #[inline]
    fn lose(
        &self,
        number: usize,
        mut best: Score,
        found: &mut Found,
        moves: impl FnOnce(&mut dyn FnMut(usize) -> bool) -> bool,
    ) {
        let lost = moves(&mut |next| {
            best = best.max(Score::of_move_to(self.code(next)));
            best.is_loss()
        });
        if lost {
            self.settle(number, best.code(), found);
        }
    }

    /// What a position is worth by all its moves.
    fn worth(&self, layer: usize, spot: RelativePosition) -> u8 {
        let mut best = Score::default();
        self.numbering.visit_successors(layer, spot, |next| {
            best = best.max(Score::of_move_to(self.code(next)));
            best < Score::BEST
        });
        best.code()
    }
}
