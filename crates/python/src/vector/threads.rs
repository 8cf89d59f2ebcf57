//! The threads that step a vector's games: the caller's own and, where there is enough to
//! do, helpers that wait for the next step.

use std::num::NonZero;
use std::process;
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::vec;

use rayon::{ThreadPool, ThreadPoolBuilder};

use crate::work::STACK;

/// How many threads a vector may use, and its helpers once they are needed.
pub(crate) struct Threads {
    count: usize,
    helpers: Option<Helpers>,
}

struct Helpers {
    pool: ThreadPool,
    /// The process they were started in: a fork has a copy of the pool, but no threads.
    process: u32,
}

impl Threads {
    /// This many threads, the caller's among them.
    pub(crate) fn new(count: usize) -> Threads {
        Threads {
            count: count.max(1),
            helpers: None,
        }
    }

    /// The cores of this machine that this process may use.
    pub(crate) fn cores() -> usize {
        thread::available_parallelism().map_or(1, NonZero::get)
    }

    /// Does the work with every item, on as many threads as there are items for. The order
    /// is not fixed, but each thread starts with the same items every time, which are still
    /// in its cache; when it is done with them it helps the others.
    pub(crate) fn each<T: Send>(
        &mut self,
        items: impl ExactSizeIterator<Item = T>,
        work: impl Fn(T) + Sync,
    ) {
        let count = items.len().min(self.count);
        if count < 2 {
            items.for_each(work);
            return;
        }
        let Some(pool) = self.pool() else {
            // The system has no threads left: it takes longer.
            items.for_each(work);
            return;
        };
        let shares = shares(items, count);
        let run = |own: usize| {
            while let Some(item) = next(&shares[own], Iterator::next) {
                work(item);
            }
            for other in shares[own + 1..].iter().chain(&shares[..own]) {
                // From the end: its owner comes from the front.
                while let Some(item) = next(other, DoubleEndedIterator::next_back) {
                    work(item);
                }
            }
        };
        let run = &run;
        pool.in_place_scope(|scope| {
            for own in 1..count {
                scope.spawn(move |_| run(own));
            }
            run(0);
        });
    }

    fn pool(&mut self) -> Option<&ThreadPool> {
        let process = process::id();
        if let Some(helpers) = self.helpers.take_if(|helpers| helpers.process != process) {
            // Its threads are in the other process; saying goodbye would wait for them.
            std::mem::forget(helpers);
        }
        if self.helpers.is_none() {
            let pool = ThreadPoolBuilder::new()
                .num_threads(self.count - 1)
                // Opponents may search.
                .stack_size(STACK)
                .thread_name(|number| format!("vector {number}"))
                .build()
                .ok()?;
            self.helpers = Some(Helpers { pool, process });
        }
        self.helpers.as_ref().map(|helpers| &helpers.pool)
    }
}

/// What one thread starts with.
type Share<T> = Mutex<vec::IntoIter<T>>;

/// Neighboring items for each of so many threads.
fn shares<T>(mut items: impl ExactSizeIterator<Item = T>, count: usize) -> Vec<Share<T>> {
    let all = items.len();
    (0..count)
        .map(|share| {
            let length = all * (share + 1) / count - all * share / count;
            let own: Vec<T> = items.by_ref().take(length).collect();
            Mutex::new(own.into_iter())
        })
        .collect()
}

fn next<T>(share: &Share<T>, take: impl FnOnce(&mut vec::IntoIter<T>) -> Option<T>) -> Option<T> {
    take(&mut share.lock().unwrap_or_else(PoisonError::into_inner))
}
