//! Runs the same work on many blocks in parallel.

use std::ops::Range;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

use crate::limits::StopFlag;

/// Calls `work` with each job on this many threads; an idle thread takes the next few. Once the
/// flag is raised, it returns after the current jobs.
pub(crate) fn for_each(
    threads: usize,
    stop: &StopFlag,
    jobs: Range<usize>,
    work: impl Fn(usize) + Sync,
) {
    /// Large enough that taking jobs costs nothing, small enough that all threads finish together.
    const BATCH: usize = 16;
    let next = AtomicUsize::new(jobs.start);
    let run_batches = || {
        loop {
            let first = next.fetch_add(BATCH, Relaxed);
            if first >= jobs.end {
                return;
            }
            for job in first..(first + BATCH).min(jobs.end) {
                if stop.is_stopped() {
                    return;
                }
                work(job);
            }
        }
    };
    std::thread::scope(|scope| {
        for _ in 1..threads {
            scope.spawn(run_batches);
        }
        run_batches();
    });
}
