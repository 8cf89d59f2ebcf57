//! Retrograde analysis: computes the value of every position, backward from the end of the game.
//! Layers are solved one after the other, because a placed piece stays on the board; within a
//! layer, distances are solved ply by ply.

use std::ops::Range;
use std::sync::atomic::{AtomicU8, AtomicUsize, Ordering::Relaxed};

use super::code::{self, Score};
use super::numbering::{
    FIRST_OPENING_LAYER, IndexBlock, LAYER_AFTER_PLACEMENT, LAYERS, MoverRelativePosition,
    Numbering, adjacent_grids,
};
use super::piece_moves::PieceMoveScores;
use crate::limits::StopFlag;
use crate::parallel;

/// Layers that are solved together, those with more pieces first. Moves other than placements lead
/// back and forth between them.
const GROUPS: [Range<usize>; 6] = [0..1, 1..3, 3..4, 4..6, 6..8, 8..9];

/// The codes of all positions, by number; if it was stopped, they are meaningless. `on_progress` is
/// called with the number of positions solved so far.
pub(super) fn solve(
    threads: usize,
    stop: &StopFlag,
    on_progress: impl Fn(usize) + Sync,
) -> Vec<u8> {
    let numbering = Numbering::get();
    let mut solver = Solver {
        numbering,
        threads,
        stop: stop.clone(),
        codes: zeroed(numbering.len()),
        solved: AtomicUsize::new(0),
        on_progress,
        base: 0,
        placement_wins: Vec::new(),
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

fn zeroed(len: usize) -> Vec<AtomicU8> {
    std::iter::repeat_with(AtomicU8::default)
        .take(len)
        .collect()
}

/// Sweeping over a position is this many times cheaper than examining the predecessors of a new
/// one. Measured.
const SWEEP_ADVANTAGE: usize = 300;

struct Solver<R> {
    numbering: &'static Numbering,
    threads: usize,
    stop: StopFlag,
    /// By position number. A position gets its code once and keeps it. Within a round all threads
    /// assign the same code to a position, and no assignment affects what another thread reads, so
    /// the order of their work doesn't matter.
    codes: Vec<AtomicU8>,
    /// Number of positions with a code, including those of earlier groups.
    solved: AtomicUsize,
    on_progress: R,
    /// The first number of the group being solved.
    base: usize,
    /// In that group, by number from `base` on: the distance of the fastest win that starts with a
    /// placement; 0 if there is none. Empty if no piece can be placed.
    placement_wins: Vec<AtomicU8>,
    /// The longest distance in that group so far, including wins by placement.
    longest: AtomicU8,
}

/// What one thread found in one block; merged once per block to avoid contention on the counters.
#[derive(Default)]
struct BlockStats {
    positions: usize,
    longest: u8,
}

impl<R: Fn(usize) + Sync> Solver<R> {
    fn solve(&mut self, group: &Range<usize>) {
        let numbers = self.numbering.number_range(group);
        self.base = numbers.start;
        self.longest = AtomicU8::new(0);
        self.placement_wins = Vec::new();
        self.sweep(group, Solver::find_terminal_and_immediate_wins);
        if group
            .clone()
            .any(|layer| LAYER_AFTER_PLACEMENT[layer].is_some())
        {
            self.placement_wins = zeroed(numbers.len());
            self.sweep(group, Solver::record_placement_wins);
        }
        let mut plies = 1;
        let mut new_positions = usize::MAX;
        while plies <= self.longest.load(Relaxed) && plies < code::MAX_PLIES {
            new_positions = if plies % 2 == 0 {
                self.sweep(group, |solver, block, stats| {
                    solver.mark_wins(block, plies, stats);
                })
            } else if new_positions > numbers.len() / SWEEP_ADVANTAGE {
                self.sweep(group, Solver::mark_losses_by_block)
            } else {
                self.sweep(group, |solver, block, stats| {
                    solver.mark_losses(block, plies, stats);
                })
            };
            plies += 1;
        }
        // Nobody can force a win in the positions left: they are draws, which is the code they
        // have.
        self.solved.store(numbers.end, Relaxed);
        (self.on_progress)(numbers.end);
    }

    /// In the opening pieces are only placed, so one pass over the next layer is enough.
    fn solve_opening(&self, layer: usize) {
        let layers = layer..layer + 1;
        self.sweep(&layers, |solver, block, stats| {
            for place in 0..block.len {
                let code = match solver.numbering.position_at(block, place) {
                    Some(position) => solver.code_from_moves(block.layer, position),
                    None => code::IMAGE,
                };
                solver.assign(block.start + place, code, stats);
            }
        });
        let end = self.numbering.number_range(&layers).end;
        self.solved.store(end, Relaxed);
        (self.on_progress)(end);
    }

    /// Processes all blocks of these layers; returns how many positions got a code.
    fn sweep(
        &self,
        layers: &Range<usize>,
        work: impl Fn(&Solver<R>, &IndexBlock, &mut BlockStats) + Sync,
    ) -> usize {
        let before = self.solved.load(Relaxed);
        let blocks = self.numbering.block_range(layers);
        parallel::for_each(self.threads, &self.stop, blocks, &|number| {
            let mut stats = BlockStats::default();
            work(self, &self.numbering.block(number), &mut stats);
            self.longest.fetch_max(stats.longest, Relaxed);
            let solved = self.solved.fetch_add(stats.positions, Relaxed);
            (self.on_progress)(solved + stats.positions);
        });
        self.solved.load(Relaxed) - before
    }

    #[inline]
    fn code(&self, number: usize) -> u8 {
        self.codes[number].load(Relaxed)
    }

    /// The places of a block whose positions currently have this code.
    #[inline]
    fn places(&self, block: &IndexBlock, code: u8) -> impl Iterator<Item = usize> {
        let codes = self.codes[block.start..block.start + block.len].iter();
        let places = codes.enumerate();
        places.filter_map(move |(place, solved)| (solved.load(Relaxed) == code).then_some(place))
    }

    /// Assigns a code to a position without one, unless another thread just did.
    #[inline]
    fn assign(&self, number: usize, code: u8, stats: &mut BlockStats) {
        let entry = &self.codes[number];
        if code != code::DRAW
            && entry
                .compare_exchange(code::DRAW, code, Relaxed, Relaxed)
                .is_ok()
        {
            stats.positions += 1;
            if code <= code::MAX_PLIES {
                stats.longest = stats.longest.max(code);
            }
        }
    }

    /// Finds finished games and immediate wins.
    fn find_terminal_and_immediate_wins(&self, block: &IndexBlock, stats: &mut BlockStats) {
        let numbering = self.numbering;
        let (mine, theirs) = LAYERS[block.layer];
        let adjacent: u16 = adjacent_grids(block.grid)
            .iter()
            .map(|&grid| 1 << grid)
            .sum();
        let my_lines = numbering.grids_with_line(mine, block.mine);
        let completing = numbering.completing_cells(block);
        for place in 0..block.len {
            let code = match numbering.position_at(block, place) {
                None => code::IMAGE,
                Some(position) => numbering
                    .terminal_code(block.layer, position)
                    .unwrap_or_else(|| {
                        let their_lines = numbering.grids_with_line(theirs, position.theirs);
                        let by_piece = completing & !position.theirs != 0;
                        let by_grid = my_lines & !their_lines & adjacent != 0;
                        u8::from(by_piece || by_grid)
                    }),
            };
            self.assign(block.start + place, code, stats);
        }
    }

    /// Records wins by placing a piece: the resulting position is solved, but there may be a faster
    /// win.
    fn record_placement_wins(&self, block: &IndexBlock, stats: &mut BlockStats) {
        for place in self.places(block, code::DRAW) {
            let Some(position) = self.numbering.position_at(block, place) else {
                continue;
            };
            let mut best = Score::default();
            self.numbering
                .visit_placements(block.layer, position, |next| {
                    best = best.max(Score::of_move_to(self.code(next)));
                    true
                });
            let code = best.code();
            if code::is_win(code) {
                self.placement_wins[block.start + place - self.base].store(code, Relaxed);
                stats.longest = stats.longest.max(code);
            }
        }
    }

    /// The mover wins wherever a move leads to an opponent's loss in this many plies.
    fn mark_wins(&self, block: &IndexBlock, plies: u8, stats: &mut BlockStats) {
        for place in self.places(block, plies) {
            let Some(position) = self.numbering.position_at(block, place) else {
                continue;
            };
            self.numbering
                .visit_predecessors(block.layer, position, |layer, before| {
                    self.assign(self.numbering.index(layer, before), plies + 1, stats);
                });
        }
        if self.placement_wins.is_empty() {
            return;
        }
        for place in self.places(block, code::DRAW) {
            let number = block.start + place;
            if self.placement_wins[number - self.base].load(Relaxed) == plies + 1 {
                self.assign(number, plies + 1, stats);
            }
        }
    }

    /// The mover may lose wherever a move leads to a win of the opponent that was just found, in
    /// this many plies.
    fn mark_losses(&self, block: &IndexBlock, plies: u8, stats: &mut BlockStats) {
        for place in self.places(block, plies) {
            let Some(position) = self.numbering.position_at(block, place) else {
                continue;
            };
            self.numbering
                .visit_predecessors(block.layer, position, |layer, before| {
                    let number = self.numbering.index(layer, before);
                    if self.code(number) == code::DRAW {
                        self.mark_if_lost(number, Score::default(), stats, |visit| {
                            self.numbering.visit_successors(layer, before, visit)
                        });
                    }
                });
        }
    }

    /// Does the same for all positions that lead to this block by moving a piece; faster if many
    /// positions are new.
    fn mark_losses_by_block(&self, block: &IndexBlock, stats: &mut BlockStats) {
        let Some(piece_moves) =
            PieceMoveScores::new(self.numbering, block, |number| self.code(number))
        else {
            return;
        };
        let layer = piece_moves.layer();
        for place in 0..block.len {
            let by_piece = piece_moves.best_score(place);
            if !by_piece.is_loss() {
                continue;
            }
            let before = piece_moves.position(place);
            let number = self.numbering.index(layer, before);
            if self.code(number) == code::DRAW {
                self.mark_if_lost(number, by_piece, stats, |visit| {
                    self.numbering.visit_placements(layer, before, &mut *visit)
                        && self.numbering.visit_grid_moves(layer, before, visit)
                });
            }
        }
    }

    /// Marks a position as lost if all its moves lose. Placements may lose at a larger distance
    /// than this round's, but they are already solved, so the code is final.
    ///
    /// `best` is the best score among the moves known to lose; `moves` visits the others.
    #[inline]
    fn mark_if_lost(
        &self,
        number: usize,
        mut best: Score,
        stats: &mut BlockStats,
        moves: impl FnOnce(&mut dyn FnMut(usize) -> bool) -> bool,
    ) {
        let is_lost = moves(&mut |next| {
            best = best.max(Score::of_move_to(self.code(next)));
            best.is_loss()
        });
        if is_lost {
            self.assign(number, best.code(), stats);
        }
    }

    /// The code of a position from all its moves.
    fn code_from_moves(&self, layer: usize, position: MoverRelativePosition) -> u8 {
        let mut best = Score::default();
        self.numbering.visit_successors(layer, position, |next| {
            best = best.max(Score::of_move_to(self.code(next)));
            best < Score::BEST
        });
        best.code()
    }
}
