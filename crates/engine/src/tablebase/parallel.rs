//! The same work on many blocks, on all cores.

use std::ops::Range;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

use crate::limits::StopFlag;

/// Calls `work` with each of the jobs on so many threads; whichever is idle takes the next few.
/// Once the flag is raised it ends after the jobs at hand.
pub(super) fn for_each(
    threads: usize,
    stop: &StopFlag,
    jobs: Range<usize>,
    work: impl Fn(usize) + Sync,
) {
    /// Enough that taking them costs nothing, few enough that all threads end together.
    const FEW: usize = 16;
    let next = AtomicUsize::new(jobs.start);
    let take = || {
        loop {
            let first = next.fetch_add(FEW, Relaxed);
            if first >= jobs.end {
                return;
            }
            for job in first..(first + FEW).min(jobs.end) {
                if stop.is_stopped() {
                    return;
                }
                work(job);
            }
        }
    };
    std::thread::scope(|scope| {
        for _ in 1..threads {
            scope.spawn(take);
        }
        take();
    });
}
