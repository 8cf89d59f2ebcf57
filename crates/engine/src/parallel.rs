//! Runs work on several threads. Nothing here is generic, so that it isn't compiled again for each game.

use std::ops::Range;
use std::panic::resume_unwind;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

use crate::limits::StopFlag;

/// Calls `help` with 1, 2, … up to this number of helpers, each on a thread of its own, and meanwhile `work` on this one.
/// Returns once all are done. If one of them panics, this continues with its panic, message included, once the others are
/// done.
pub(crate) fn with_helpers(helpers: usize, help: &(dyn Fn(usize) + Sync), work: &mut dyn FnMut()) {
    std::thread::scope(|scope| {
        let threads = (1..=helpers).map(|helper| scope.spawn(move || help(helper)));
        let threads: Vec<_> = threads.collect();
        work();
        for thread in threads {
            if let Err(panic) = thread.join() {
                resume_unwind(panic);
            }
        }
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

#[cfg(test)]
mod tests {
    use std::panic::catch_unwind;

    use super::*;

    /// A panic used to continue as "a scoped thread panicked".
    #[test]
    fn panic_of_a_helper_keeps_its_message() {
        let panic = catch_unwind(|| {
            let help = |helper: usize| assert_ne!(helper, 2, "helper {helper} failed");
            with_helpers(3, &help, &mut || {});
        });
        let message = panic.map_err(|panic| panic.downcast_ref::<String>().cloned());
        let message = message.expect_err("a panic").expect("a message");
        assert!(message.contains("helper 2 failed"), "{message}");
    }
}
