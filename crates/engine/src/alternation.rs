//! Two searches that share one core. Each has its own thread, and so its own stack, but only the
//! one whose turn it is runs, so neither has to be restarted to let the other continue.

use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// How long a worker runs before the other one continues: until either limit is reached.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TimeSlice {
    pub(crate) nodes: u64,
    /// `None` where runs must be reproducible: then only nodes count.
    pub(crate) time: Option<Duration>,
}

/// Two workers, 0 and 1, that take turns.
#[derive(Debug)]
pub(crate) struct Alternation {
    state: Mutex<AlternationState>,
    changed: Condvar,
    slices: [TimeSlice; 2],
    /// How long each worker may run in total.
    allowances: [Option<Duration>; 2],
}

#[derive(Debug)]
struct AlternationState {
    /// Whose turn it is.
    turn: usize,
    /// When this turn started.
    turn_started: Instant,
    /// Nodes of this turn.
    nodes: u64,
    /// Nodes of all turns.
    total: u64,
    /// Time used in earlier turns.
    used: [Duration; 2],
    finished: [bool; 2],
    cancelled: bool,
}

/// One worker's handle to an [`Alternation`]. Clones belong to the same worker.
#[derive(Clone, Debug)]
pub(crate) struct WorkerSlice {
    shared: Arc<Alternation>,
    worker: usize,
}

/// Marks a worker as finished when dropped, so that the other one never waits for a thread that
/// panicked.
pub(crate) struct FinishGuard(WorkerSlice);

impl Alternation {
    /// Creates the two workers; the first has the first turn.
    pub(crate) fn new(
        slices: [TimeSlice; 2],
        allowances: [Option<Duration>; 2],
    ) -> (Arc<Alternation>, [WorkerSlice; 2]) {
        let shared = Arc::new(Alternation {
            state: Mutex::new(AlternationState {
                turn: 0,
                turn_started: Instant::now(),
                nodes: 0,
                total: 0,
                used: [Duration::ZERO; 2],
                finished: [false; 2],
                cancelled: false,
            }),
            changed: Condvar::new(),
            slices,
            allowances,
        });
        let turns = [0, 1].map(|worker| WorkerSlice {
            shared: Arc::clone(&shared),
            worker,
        });
        (shared, turns)
    }

    /// Nodes of both workers so far, rounded down.
    pub(crate) fn total_nodes(&self) -> u64 {
        self.lock().total
    }

    /// Stops both workers at their next checkpoint.
    pub(crate) fn cancel(&self) {
        self.lock().cancelled = true;
        self.changed.notify_all();
    }

    fn lock(&self) -> MutexGuard<'_, AlternationState> {
        // No code panics while it holds the lock.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl AlternationState {
    fn hand_over(&mut self) {
        self.used[self.turn] += self.turn_started.elapsed();
        self.turn = 1 - self.turn;
        self.turn_started = Instant::now();
        self.nodes = 0;
    }
}

impl WorkerSlice {
    /// Counts nodes. When the worker's slice is used up, waits for its next turn. Returns false
    /// when the worker should stop.
    pub(crate) fn checkpoint(&self, nodes: u64) -> bool {
        let shared = &*self.shared;
        let (me, other) = (self.worker, 1 - self.worker);
        let mut state = shared.lock();
        state.total += nodes;
        if state.turn == me {
            state.nodes += nodes;
            let slice = shared.slices[me];
            let has_elapsed = |time| state.turn_started.elapsed() >= time;
            let is_slice_used_up =
                state.nodes >= slice.nodes || slice.time.is_some_and(has_elapsed);
            if is_slice_used_up && !state.finished[other] {
                state.hand_over();
                shared.changed.notify_all();
            }
        }
        // Every thread of a multi-threaded worker waits here.
        let must_wait = |state: &mut AlternationState| {
            state.turn != me && !state.finished[me] && !state.cancelled
        };
        let waited = shared.changed.wait_while(state, must_wait);
        let state = waited.unwrap_or_else(PoisonError::into_inner);
        let used = match state.turn == me {
            true => state.used[me] + state.turn_started.elapsed(),
            false => state.used[me],
        };
        !state.cancelled && shared.allowances[me].is_none_or(|allowance| used < allowance)
    }

    /// Waits for the worker's first turn; the worker is finished when the result is dropped.
    pub(crate) fn start(&self) -> FinishGuard {
        self.checkpoint(0);
        FinishGuard(self.clone())
    }

    /// Marks the worker as finished before it has started.
    pub(crate) fn abandon(&self) {
        drop(FinishGuard(self.clone()));
    }
}

impl Drop for FinishGuard {
    fn drop(&mut self) {
        let WorkerSlice { shared, worker } = &self.0;
        let mut state = shared.lock();
        state.finished[*worker] = true;
        if state.turn == *worker {
            state.hand_over();
        }
        drop(state);
        shared.changed.notify_all();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::thread;

    fn slice(nodes: u64) -> TimeSlice {
        TimeSlice { nodes, time: None }
    }

    /// Runs both workers for this many checkpoints of one node each; returns the order in which
    /// they ran.
    fn run(slices: [TimeSlice; 2], steps: [usize; 2]) -> Vec<usize> {
        let (_, turns) = Alternation::new(slices, [None; 2]);
        let order = Mutex::new(Vec::new());
        thread::scope(|scope| {
            for turn in turns {
                let order = &order;
                scope.spawn(move || {
                    let _finish = turn.start();
                    for _ in 0..steps[turn.worker] {
                        order.lock().expect("no panic").push(turn.worker);
                        assert!(turn.checkpoint(1));
                    }
                });
            }
        });
        order.into_inner().expect("no panic")
    }

    #[test]
    fn workers_alternate_by_nodes() {
        let order = run([slice(3), slice(1)], [9, 2]);
        assert_eq!(order, [0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0]);
    }

    #[test]
    fn a_worker_runs_on_when_the_other_has_finished() {
        assert_eq!(run([slice(2), slice(2)], [0, 5]), [1; 5]);
        assert_eq!(run([slice(2), slice(2)], [5, 0]), [0; 5]);
    }

    #[test]
    fn cancelling_ends_the_worker_that_waits() {
        let (shared, [first, second]) = Alternation::new([slice(1), slice(1)], [None; 2]);
        thread::scope(|scope| {
            let waiting = scope.spawn(move || second.checkpoint(1));
            shared.cancel();
            assert!(!waiting.join().expect("no panic"));
        });
        assert!(!first.checkpoint(1));
    }

    #[test]
    fn an_allowance_ends_a_worker() {
        let (_, [first, second]) =
            Alternation::new([slice(9), slice(9)], [None, Some(Duration::ZERO)]);
        assert!(first.checkpoint(1));
        drop(first.start());
        assert!(!second.checkpoint(1));
    }

    /// A thread that panics during its turn must not leave the other one waiting forever.
    #[test]
    fn a_panic_hands_the_turn_over() {
        let (_, [first, second]) = Alternation::new([slice(9), slice(9)], [None; 2]);
        thread::scope(|scope| {
            let broken = scope.spawn(move || {
                let _finish = first.start();
                panic!("on purpose");
            });
            assert!(second.checkpoint(1));
            assert!(broken.join().is_err());
        });
    }
}
