//! Threads that take tasks from one queue, first come first served.

use std::collections::VecDeque;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;

use noughts_engine::Stop;
use noughts_session::STACK;
use thread_priority::{ThreadPriority, set_current_thread_priority};

/// What the system is to think of a crew's threads.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Rank {
    Usual,
    /// They get what the others leave over.
    Lowest,
}

/// How much a crew has to do.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(crate) struct Load {
    /// Tasks that a thread is at work on.
    pub(crate) running: usize,
    /// Tasks that wait for a thread.
    pub(crate) waiting: usize,
}

/// Threads and their queue. Dropping it stops what is done and waits for nobody.
pub(super) struct Crew {
    shared: Arc<Shared>,
}

struct Shared {
    state: Mutex<State>,
    changed: Condvar,
    /// So many may wait.
    most: usize,
}

#[derive(Default)]
struct State {
    waiting: VecDeque<Task>,
    running: Vec<Stop>,
    threads: usize,
    closed: bool,
}

struct Task {
    work: Box<dyn FnOnce() + Send>,
    /// Raised when nobody waits for the task any more.
    stop: Stop,
}

impl Crew {
    pub(super) fn new(name: &str, threads: usize, most: usize, rank: Rank) -> Crew {
        let shared = Arc::new(Shared {
            state: Mutex::default(),
            changed: Condvar::new(),
            most,
        });
        for _ in 0..threads {
            let mine = Arc::clone(&shared);
            let thread = thread::Builder::new().name(name.into()).stack_size(STACK);
            let spawned = thread.spawn(move || {
                if rank == Rank::Lowest {
                    // A system that knows no ranks shares alike.
                    let _ = set_current_thread_priority(ThreadPriority::Min);
                }
                mine.work();
            });
            shared.lock().threads += usize::from(spawned.is_ok());
        }
        Crew { shared }
    }

    /// Takes a task, or drops it and says no where too many wait already. A task whose
    /// flag is raised before its turn is never begun.
    pub(super) fn take(&self, work: impl FnOnce() + Send + 'static, stop: &Stop) -> bool {
        let mut state = self.shared.lock();
        if state.waiting.len() >= self.shared.most {
            state.waiting.retain(|task| !task.stop.is_stopped());
        }
        if state.threads == 0 || state.waiting.len() >= self.shared.most {
            return false;
        }
        state.waiting.push_back(Task {
            work: Box::new(work),
            stop: stop.clone(),
        });
        drop(state);
        self.shared.changed.notify_one();
        true
    }

    pub(super) fn load(&self) -> Load {
        let state = self.shared.lock();
        let waiting = state.waiting.iter();
        Load {
            running: state.running.len(),
            waiting: waiting.filter(|task| !task.stop.is_stopped()).count(),
        }
    }
}

impl Drop for Crew {
    fn drop(&mut self) {
        let mut state = self.shared.lock();
        state.closed = true;
        state.waiting.clear();
        for stop in &state.running {
            stop.stop();
        }
        drop(state);
        self.shared.changed.notify_all();
    }
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, State> {
        // Nothing panics while it holds the lock.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// What a thread does all its life.
    fn work(&self) {
        while let Some(task) = self.next() {
            let place = Running(self, task.stop);
            // A thread outlives what it was given; whoever waits sees the end of it.
            let _ = catch_unwind(AssertUnwindSafe(task.work));
            drop(place);
        }
    }

    /// Waits for a task; none once the crew is sent home.
    fn next(&self) -> Option<Task> {
        let mut state = self.lock();
        loop {
            if state.closed {
                return None;
            }
            match state.waiting.pop_front() {
                Some(task) if task.stop.is_stopped() => {}
                Some(task) => {
                    state.running.push(task.stop.clone());
                    return Some(task);
                }
                None => {
                    let waited = self.changed.wait(state);
                    state = waited.unwrap_or_else(PoisonError::into_inner);
                }
            }
        }
    }
}

/// A task that is being done.
struct Running<'a>(&'a Shared, Stop);

impl Drop for Running<'_> {
    fn drop(&mut self) {
        let mut state = self.0.lock();
        if let Some(at) = state.running.iter().position(|stop| stop.is(&self.1)) {
            state.running.swap_remove(at);
        }
    }
}
