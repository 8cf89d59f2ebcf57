//! Runs work on several threads. Nothing here is generic, so that it isn't compiled again for each game.

use std::ops::Range;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

use crate::limits::StopFlag;

/// Calls `help` with 1, 2, … up to this number of helpers, each on a thread of its own, and meanwhile `work` on this one.
/// Returns once all are done. A panic in one of them continues here.
pub(crate) fn with_helpers(helpers: usize, help: &(dyn Fn(usize) + Sync), work: &mut dyn FnMut()) {
    std::thread::scope(|scope| {
        for helper in 1..=helpers {
            scope.spawn(move || help(helper));
        }
        work();
    });
}

/// Calls `work` with each job on this many threads; an idle thread takes the next few. Once the
/// flag is raised, it returns after the current jobs.
pub(crate) fn for_each(
    threads: usize,
    stop: &StopFlag,
    jobs: Range<usize>,
    work: &(dyn Fn(usize) + Sync),
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
    with_helpers(threads.saturating_sub(1), &|_| run_batches(), &mut || {
        run_batches();
    });
}
