//! The threads that step a vector's games: the caller's thread and, if there are enough games, a pool of
//! workers.

use std::process;
use std::sync::{Mutex, PoisonError};
use std::vec;

use rayon::{ThreadPool, ThreadPoolBuilder};

use crate::background::STACK_BYTES;

/// The number of threads that a vector may use, and its workers once they are needed.
pub(crate) struct Threads {
    count: usize,
    workers: Option<Workers>,
}

struct Workers {
    pool: ThreadPool,
    /// The process that started them: a forked child has a copy of the pool, but no threads.
    process: u32,
}

impl Threads {
    /// Uses this many threads, including the caller's.
    pub(crate) fn new(count: usize) -> Threads {
        Threads {
            count: count.max(1),
            workers: None,
        }
    }

    /// Processes every item, on at most as many threads as there are items. The order isn't fixed,
    /// but each thread starts with the same items every time, because they are still in its cache;
    /// when it is done with them it steals from the others.
    pub(crate) fn for_each<T: Send>(
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
            // The system can't start threads: do everything on this one.
            items.for_each(work);
            return;
        };
        let queues = split_evenly(items, count);
        let run = |own: usize| {
            while let Some(item) = take_item(&queues[own], Iterator::next) {
                work(item);
            }
            for other in queues[own + 1..].iter().chain(&queues[..own]) {
                // Steal from the back: the owner takes from the front.
                while let Some(item) = take_item(other, DoubleEndedIterator::next_back) {
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
        if let Some(workers) = self.workers.take_if(|workers| workers.process != process) {
            // Its threads are in the parent process; dropping the pool would wait for them forever.
            std::mem::forget(workers);
        }
        if self.workers.is_none() {
            let pool = ThreadPoolBuilder::new()
                .num_threads(self.count - 1)
                // Opponents may search.
                .stack_size(STACK_BYTES)
                .thread_name(|number| format!("vector {number}"))
                .build()
                .ok()?;
            self.workers = Some(Workers { pool, process });
        }
        self.workers.as_ref().map(|workers| &workers.pool)
    }
}

/// The items that one thread starts with.
type WorkQueue<T> = Mutex<vec::IntoIter<T>>;

/// Splits the items into `count` runs of neighbors.
fn split_evenly<T>(mut items: impl ExactSizeIterator<Item = T>, count: usize) -> Vec<WorkQueue<T>> {
    let all = items.len();
    (0..count)
        .map(|index| {
            let length = all * (index + 1) / count - all * index / count;
            let own: Vec<T> = items.by_ref().take(length).collect();
            Mutex::new(own.into_iter())
        })
        .collect()
}

fn take_item<T>(
    queue: &WorkQueue<T>,
    take: impl FnOnce(&mut vec::IntoIter<T>) -> Option<T>,
) -> Option<T> {
    take(&mut queue.lock().unwrap_or_else(PoisonError::into_inner))
}
