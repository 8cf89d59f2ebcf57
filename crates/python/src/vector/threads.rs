//! The threads that step a vector's games: the caller's own and, where there is enough to
//! do, helpers that wait for the next step.

use std::num::NonZero;
use std::process;
use std::sync::{Mutex, PoisonError};
use std::thread;

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
    /// is not fixed.
    pub(crate) fn each<T: Send>(
        &mut self,
        items: impl ExactSizeIterator<Item = T> + Send,
        work: impl Fn(T) + Sync,
    ) {
        let helpers = items.len().min(self.count) - usize::from(items.len() > 0);
        if helpers == 0 {
            items.for_each(work);
            return;
        }
        let Some(pool) = self.pool() else {
            // The system has no threads left: it takes longer.
            items.for_each(work);
            return;
        };
        let items = Mutex::new(items);
        let take = || items.lock().unwrap_or_else(PoisonError::into_inner).next();
        let run = || {
            while let Some(item) = take() {
                work(item);
            }
        };
        pool.in_place_scope(|scope| {
            for _ in 0..helpers {
                scope.spawn(|_| run());
            }
            run();
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
