//! Threads that take tasks from one queue. Turns go round among addresses, and among the
//! visitors of one address: how much somebody wants makes nobody else wait longer.

use std::collections::{HashMap, VecDeque};
use std::net::IpAddr;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use noughts_engine::StopFlag;
use noughts_session::SEARCH_STACK_BYTES;
use thread_priority::{ThreadPriority, set_current_thread_priority};

use crate::middleware::{TaskOwner, VisitorKey};

/// So many are remembered who have had a turn.
const REMEMBERED: usize = 4096;

/// What the system is to think of a crew's threads.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Priority {
    Normal,
    /// They get what the others leave over.
    Lowest,
}

/// What a crew is made of.
#[derive(Clone, Copy, Debug)]
pub(super) struct PoolConfig {
    pub(super) threads: usize,
    /// So many tasks may wait, and a quarter of them from one address.
    pub(super) max_waiting: usize,
    /// So many of one visitor are done at once; of one address, all but one of the
    /// threads.
    pub(super) max_per_visitor: usize,
    /// This many looks of reviews are done at once.
    pub(super) max_reviews: usize,
    pub(super) priority: Priority,
}

/// How much a crew has to do.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(crate) struct Load {
    /// Tasks that a thread is at work on.
    pub(crate) running: usize,
    /// Tasks that wait for a thread.
    pub(crate) waiting: usize,
}

impl std::ops::Add for Load {
    type Output = Load;

    fn add(self, other: Load) -> Load {
        Load {
            running: self.running + other.running,
            waiting: self.waiting + other.waiting,
        }
    }
}

/// What is known of a task.
#[derive(Clone, Debug)]
pub(super) struct TaskInfo {
    pub(super) owner: TaskOwner,
    /// Raised when nobody waits for the task any more.
    pub(super) stop: StopFlag,
    /// Raised with it where the task had its share and others wait.
    pub(super) preempted: StopFlag,
    /// It takes so much memory that only one such is done at a time.
    pub(super) is_large: bool,
    /// It's a look of a review. Those must be complete to be saved, so they never make room for
    /// others: their nodes are limited, and each look waits for its own turn.
    pub(super) is_review: bool,
}

/// Threads and their queue. Dropping it stops what is done and waits for nobody.
pub(super) struct WorkerPool {
    shared: Arc<Shared>,
}

struct Shared {
    state: Mutex<State>,
    changed: Condvar,
    size: PoolConfig,
}

#[derive(Default)]
struct State {
    waiting: VecDeque<Task>,
    running: Vec<(TaskInfo, Instant)>,
    threads: usize,
    closed: bool,
    /// How many turns there were, and when whose was the last.
    turns: u64,
    of_address: HashMap<IpAddr, u64>,
    of_visitor: HashMap<VisitorKey, u64>,
}

struct Task {
    work: Box<dyn FnOnce() + Send>,
    about: TaskInfo,
}

impl WorkerPool {
    pub(super) fn new(name: &str, size: PoolConfig) -> WorkerPool {
        let shared = Arc::new(Shared {
            state: Mutex::default(),
            changed: Condvar::new(),
            size,
        });
        for _ in 0..size.threads {
            let mine = Arc::clone(&shared);
            let thread = thread::Builder::new()
                .name(name.into())
                .stack_size(SEARCH_STACK_BYTES);
            let spawned = thread.spawn(move || {
                if size.priority == Priority::Lowest {
                    // A system that knows no ranks shares alike.
                    let _ = set_current_thread_priority(ThreadPriority::Min);
                }
                mine.work();
            });
            shared.lock().threads += usize::from(spawned.is_ok());
        }
        WorkerPool { shared }
    }

    /// Takes a task, or drops it and says no where too many wait already. A task whose
    /// flag is raised before its turn is never begun.
    pub(super) fn submit(&self, work: impl FnOnce() + Send + 'static, about: &TaskInfo) -> bool {
        let mut state = self.shared.lock();
        let most = self.shared.size.max_waiting;
        let is_full = |state: &State| {
            let here = about.owner.address;
            let of_address = state.waiting.iter();
            let of_address = of_address.filter(|task| task.about.owner.address == here);
            state.waiting.len() >= most || of_address.count() >= most.div_ceil(4)
        };
        if is_full(&state) {
            state.waiting.retain(|task| !task.about.stop.is_stopped());
        }
        if state.threads == 0 || is_full(&state) {
            return false;
        }
        state.waiting.push_back(Task {
            work: Box::new(work),
            about: about.clone(),
        });
        drop(state);
        // All of them: whoever wakes first may not be allowed to take it.
        self.shared.changed.notify_all();
        true
    }

    /// Somebody has waited for a while: who has had this much time makes room.
    pub(super) fn preempt_expired(&self, share: Duration) {
        let state = self.shared.lock();
        let waiting = state.waiting.iter().map(|task| &task.about);
        // A look that waits for other looks gets no turn from an analysis that ends.
        let has_looks = state.running_looks() >= self.shared.size.max_reviews;
        let waiting = waiting.filter(|about| !(about.is_review && has_looks));
        let waiting: Vec<&TaskInfo> = waiting.filter(|about| !about.stop.is_stopped()).collect();
        let leaving = |(about, _): &&(TaskInfo, Instant)| about.preempted.is_stopped();
        if waiting.len() <= state.running.iter().filter(leaving).count() {
            return;
        }
        let others = |about: &TaskInfo| {
            let mut waiting = waiting.iter();
            waiting.any(|waits| waits.owner.visitor != about.owner.visitor)
        };
        let running = state.running.iter().filter(|(about, since)| {
            !about.is_review
                && !about.stop.is_stopped()
                && since.elapsed() >= share
                && others(about)
        });
        if let Some((about, _)) = running.min_by_key(|(_, since)| *since) {
            about.preempted.stop();
            about.stop.stop();
        }
    }

    pub(super) fn load(&self) -> Load {
        let state = self.shared.lock();
        let waiting = state.waiting.iter();
        Load {
            running: state.running.len(),
            waiting: waiting.filter(|task| !task.about.stop.is_stopped()).count(),
        }
    }
}

impl Drop for WorkerPool {
    fn drop(&mut self) {
        let mut state = self.shared.lock();
        state.closed = true;
        state.waiting.clear();
        for (about, _) in &state.running {
            about.stop.stop();
        }
        drop(state);
        self.shared.changed.notify_all();
    }
}

impl State {
    fn running_looks(&self) -> usize {
        let running = self.running.iter();
        running.filter(|(about, _)| about.is_review).count()
    }

    /// The place in the queue of the task whose turn it is.
    fn next(&self, size: &PoolConfig) -> Option<usize> {
        let running = |is: &dyn Fn(&TaskInfo) -> bool| {
            let running = self.running.iter();
            running.filter(|(about, _)| is(about)).count()
        };
        let large = running(&|about| about.is_large) > 0;
        let has_looks = self.running_looks() >= size.max_reviews;
        let of_address = (size.threads - 1).max(1);
        let mut best = None;
        for (place, Task { about, .. }) in self.waiting.iter().enumerate() {
            let TaskOwner { visitor, address } = about.owner;
            let here = running(&|about| about.owner.address == address);
            let mine = running(&|about| about.owner.visitor == visitor);
            if (about.is_large && large) || (about.is_review && has_looks) {
                continue;
            }
            if here >= of_address || mine >= size.max_per_visitor {
                continue;
            }
            let turn_here = self.of_address.get(&address).copied().unwrap_or_default();
            let my_turn = self.of_visitor.get(&visitor).copied().unwrap_or_default();
            let rank = (here, turn_here, mine, my_turn, place);
            if best.is_none_or(|best| rank < best) {
                best = Some(rank);
            }
        }
        best.map(|(.., place)| place)
    }

    fn begin(&mut self, about: &TaskInfo) {
        self.turns += 1;
        if self.of_address.len() >= REMEMBERED {
            self.of_address.clear();
        }
        if self.of_visitor.len() >= REMEMBERED {
            self.of_visitor.clear();
        }
        self.of_address.insert(about.owner.address, self.turns);
        self.of_visitor.insert(about.owner.visitor, self.turns);
        self.running.push((about.clone(), Instant::now()));
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
            let place = Running(self, task.about.stop);
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
            state.waiting.retain(|task| !task.about.stop.is_stopped());
            let place = state.next(&self.size);
            if let Some(task) = place.and_then(|place| state.waiting.remove(place)) {
                state.begin(&task.about);
                return Some(task);
            }
            let waited = self.changed.wait(state);
            state = waited.unwrap_or_else(PoisonError::into_inner);
        }
    }
}

/// A task that is being done.
struct Running<'a>(&'a Shared, StopFlag);

impl Drop for Running<'_> {
    fn drop(&mut self) {
        let mut state = self.0.lock();
        let mut running = state.running.iter();
        if let Some(at) = running.position(|(about, _)| about.stop.ptr_eq(&self.1)) {
            state.running.swap_remove(at);
        }
        drop(state);
        // What had to wait for this one may begin, on another thread, too.
        self.0.changed.notify_all();
    }
}
