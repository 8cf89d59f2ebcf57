//! Finds the value of every position, distance by distance.

use std::sync::atomic::{AtomicU16, AtomicUsize, Ordering::Relaxed};

use super::PositionGraph;
use super::code::{self, Code};
use crate::limits::StopFlag;
use crate::parallel;
use crate::value::ExactValue;

/// Positions that one thread examines at a time.
const CHUNK: usize = 4096;

/// The codes found so far.
///
/// Pass 0 finds the finished games, and pass n all wins and losses in n plies: a player who can move to a loss of the
/// opponent in n − 1 plies wins, and a player whose moves all win for the opponent loses. What is left after a pass that
/// finds nothing is drawn, as both players can avoid losing for ever.
pub(crate) struct Solver {
    codes: Vec<AtomicU16>,
    /// The number of the next pass.
    pass: u32,
    /// Positions with a known value, and numbers that aren't positions.
    decided: usize,
}

impl Solver {
    pub(crate) fn new(graph: &dyn PositionGraph) -> Solver {
        let codes = std::iter::repeat_with(AtomicU16::default);
        Solver {
            codes: codes.take(graph.len()).collect(),
            pass: 0,
            decided: 0,
        }
    }

    /// Makes all passes that are left. `on_progress` is called with how many numbers are decided, draws aside. If it
    /// was stopped, nothing is certain.
    ///
    /// # Errors
    /// A distance is longer than codes allow.
    pub(crate) fn run(
        &mut self,
        graph: &dyn PositionGraph,
        threads: usize,
        stop: &StopFlag,
        on_progress: &(dyn Fn(usize) + Sync),
    ) -> Result<(), DistanceError> {
        while !stop.is_stopped() && self.make_pass(graph, threads, stop, on_progress)? {}
        Ok(())
    }

    /// Makes the next pass. Returns false if it was the last one.
    ///
    /// # Errors
    /// A distance is longer than codes allow.
    pub(crate) fn make_pass(
        &mut self,
        graph: &dyn PositionGraph,
        threads: usize,
        stop: &StopFlag,
        on_progress: &(dyn Fn(usize) + Sync),
    ) -> Result<bool, DistanceError> {
        if self.pass > code::MAX_PLIES {
            return Err(DistanceError);
        }
        let found = AtomicUsize::new(0);
        let chunks = self.codes.len().div_ceil(CHUNK);
        parallel::for_each(threads, stop, 0..chunks, &|chunk| {
            let numbers = chunk * CHUNK..self.codes.len().min((chunk + 1) * CHUNK);
            let mut found_here = 0;
            for number in numbers {
                if self.codes[number].load(Relaxed) != code::DRAW {
                    continue;
                }
                let code = match self.pass {
                    0 => graph.known_code(number),
                    pass => self.code_within(graph, number, pass),
                };
                if let Some(code) = code {
                    self.codes[number].store(code, Relaxed);
                    found_here += usize::from(code != code::DRAW);
                }
            }
            if found_here > 0 {
                on_progress(self.decided + found.fetch_add(found_here, Relaxed) + found_here);
            }
        });
        let found = found.into_inner();
        self.decided += found;
        self.pass += 1;
        Ok(found > 0)
    }

    /// The code of a position that isn't decided in less than this many plies, if it is in exactly this many. Other
    /// threads assign codes with the same distance meanwhile, which count as unknown.
    fn code_within(&self, graph: &dyn PositionGraph, number: usize, pass: u32) -> Option<Code> {
        let (mut has_move, mut wins, mut may_escape) = (false, false, false);
        graph.visit_successors(number, &mut |next| {
            has_move = true;
            let code = self.codes[next.number].load(Relaxed);
            if code == code::DRAW || code::plies(code) >= pass {
                may_escape = true;
            } else if code::is_win(code) == next.same_side {
                wins = true;
            }
            !wins
        });
        match wins {
            true => Some(code::decided(true, pass)),
            false => (has_move && !may_escape).then(|| code::decided(false, pass)),
        }
    }

    /// The codes, by number.
    pub(crate) fn into_codes(self) -> Vec<Code> {
        self.codes.into_iter().map(AtomicU16::into_inner).collect()
    }
}

/// A win takes more plies than can be stored.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct DistanceError;

/// The code that a number should have, given those of the positions after each move.
pub(crate) fn expected_code(
    graph: &dyn PositionGraph,
    number: usize,
    code_of: &dyn Fn(usize) -> Code,
) -> Code {
    if let Some(code) = graph.known_code(number) {
        return code;
    }
    let mut best: Option<ExactValue> = None;
    let mut is_complete = true;
    graph.visit_successors(number, &mut |next| {
        match code::decode(code_of(next.number)) {
            Some(value) => best = best.max(Some(value.backed_up(next.same_side))),
            None => is_complete = false,
        }
        true
    });
    match is_complete {
        // Without any move the game goes nowhere.
        true => best.map_or(code::DRAW, code::encode),
        false => code::UNUSED,
    }
}
