//! Threads that take tasks from a fair queue. Turns rotate among addresses, and among the visitors
//! of one address: how much one of them asks for doesn't make the others wait longer.

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

/// The most addresses and visitors whose last turn is remembered.
const MAX_REMEMBERED: usize = 4096;

/// The scheduling priority of a pool's threads.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Priority {
    Normal,
    /// They only get what other threads leave over.
    Lowest,
}

/// The size and limits of a pool.
#[derive(Clone, Copy, Debug)]
pub(super) struct PoolConfig {
    pub(super) threads: usize,
    /// The most queued tasks; one address may have a quarter of them.
    pub(super) max_waiting: usize,
    /// The most tasks of one visitor that run at once. One address may use all threads but one.
    pub(super) max_per_visitor: usize,
    /// The most searches for reviews that run at once.
    pub(super) max_reviews: usize,
    pub(super) priority: Priority,
}

/// How much a pool has to do.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(crate) struct Load {
    /// Tasks that are running.
    pub(crate) running: usize,
    /// Tasks that are queued.
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

/// What the scheduler knows about a task.
#[derive(Clone, Debug)]
pub(super) struct TaskInfo {
    pub(super) owner: TaskOwner,
    /// Raised when the task's result is no longer needed.
    pub(super) stop: StopFlag,
    /// Raised together with `stop` if the task has used its time slice and others are waiting.
    pub(super) preempted: StopFlag,
    /// The task needs so much memory that only one such task runs at a time.
    pub(super) is_large: bool,
    /// A search for a review. Those must be complete to be saved, so they are never preempted:
    /// their nodes are limited, and each search is queued separately.
    pub(super) is_review: bool,
}

/// Threads and their queue. Dropping it stops running tasks without waiting for them.
pub(super) struct WorkerPool {
    shared: Arc<SharedPool>,
}

struct SharedPool {
    state: Mutex<PoolState>,
    changed: Condvar,
    config: PoolConfig,
}

#[derive(Default)]
struct PoolState {
    waiting: VecDeque<Task>,
    running: Vec<(TaskInfo, Instant)>,
    threads: usize,
    closed: bool,
    /// The number of turns so far, and the last turn of each address and visitor.
    turns: u64,
    address_turns: HashMap<IpAddr, u64>,
    visitor_turns: HashMap<VisitorKey, u64>,
}

struct Task {
    work: Box<dyn FnOnce() + Send>,
    info: TaskInfo,
}

impl WorkerPool {
    pub(super) fn new(name: &str, config: PoolConfig) -> WorkerPool {
        let shared = Arc::new(SharedPool {
            state: Mutex::default(),
            changed: Condvar::new(),
            config,
        });
        for _ in 0..config.threads {
            let worker = Arc::clone(&shared);
            let thread = thread::Builder::new()
                .name(name.into())
                .stack_size(SEARCH_STACK_BYTES);
            let spawned = thread.spawn(move || {
                if config.priority == Priority::Lowest {
                    // On a system without priorities all threads are equal.
                    let _ = set_current_thread_priority(ThreadPriority::Min);
                }
                worker.work();
            });
            shared.lock().threads += usize::from(spawned.is_ok());
        }
        WorkerPool { shared }
    }

    /// Queues a task. Returns false and drops it if too many are queued. A task whose flag is
    /// raised before its turn is never started.
    pub(super) fn submit(&self, work: impl FnOnce() + Send + 'static, info: &TaskInfo) -> bool {
        let mut state = self.shared.lock();
        let limit = self.shared.config.max_waiting;
        let is_full = |state: &PoolState| {
            let address = info.owner.address;
            let same_address = state.waiting.iter();
            let same_address = same_address.filter(|task| task.info.owner.address == address);
            state.waiting.len() >= limit || same_address.count() >= limit.div_ceil(4)
        };
        if is_full(&state) {
            state.waiting.retain(|task| !task.info.stop.is_stopped());
        }
        if state.threads == 0 || is_full(&state) {
            return false;
        }
        state.waiting.push_back(Task {
            work: Box::new(work),
            info: info.clone(),
        });
        drop(state);
        // Wakes all threads: the first one to wake may not be allowed to run it.
        self.shared.changed.notify_all();
        true
    }

    /// Preempts the longest-running task if it has used its time slice and another visitor's task
    /// is waiting.
    pub(super) fn preempt_expired(&self, slice: Duration) {
        let state = self.shared.lock();
        let waiting = state.waiting.iter().map(|task| &task.info);
        // A queued review search that waits for other reviews gains nothing from an analysis that
        // ends.
        let is_review_limit_reached = state.running_reviews() >= self.shared.config.max_reviews;
        let waiting = waiting.filter(|info| !(info.is_review && is_review_limit_reached));
        let waiting: Vec<&TaskInfo> = waiting.filter(|info| !info.stop.is_stopped()).collect();
        let is_preempted = |(info, _): &&(TaskInfo, Instant)| info.preempted.is_stopped();
        if waiting.len() <= state.running.iter().filter(is_preempted).count() {
            return;
        }
        let is_other_visitor_waiting = |info: &TaskInfo| {
            let mut waiting = waiting.iter();
            waiting.any(|waiting_info| waiting_info.owner.visitor != info.owner.visitor)
        };
        let running = state.running.iter().filter(|(info, since)| {
            !info.is_review
                && !info.stop.is_stopped()
                && since.elapsed() >= slice
                && is_other_visitor_waiting(info)
        });
        if let Some((info, _)) = running.min_by_key(|(_, since)| *since) {
            info.preempted.stop();
            info.stop.stop();
        }
    }

    pub(super) fn load(&self) -> Load {
        let state = self.shared.lock();
        let waiting = state.waiting.iter();
        Load {
            running: state.running.len(),
            waiting: waiting.filter(|task| !task.info.stop.is_stopped()).count(),
        }
    }
}

impl Drop for WorkerPool {
    fn drop(&mut self) {
        let mut state = self.shared.lock();
        state.closed = true;
        state.waiting.clear();
        for (info, _) in &state.running {
            info.stop.stop();
        }
        drop(state);
        self.shared.changed.notify_all();
    }
}

impl PoolState {
    fn running_reviews(&self) -> usize {
        let running = self.running.iter();
        running.filter(|(info, _)| info.is_review).count()
    }

    /// The index in the queue of the next task.
    fn next(&self, config: &PoolConfig) -> Option<usize> {
        let running = |predicate: &dyn Fn(&TaskInfo) -> bool| {
            let running = self.running.iter();
            running.filter(|(info, _)| predicate(info)).count()
        };
        let is_large_running = running(&|info| info.is_large) > 0;
        let is_review_limit_reached = self.running_reviews() >= config.max_reviews;
        let max_per_address = (config.threads - 1).max(1);
        let mut best = None;
        for (index, Task { info, .. }) in self.waiting.iter().enumerate() {
            let TaskOwner { visitor, address } = info.owner;
            let of_address = running(&|info| info.owner.address == address);
            let of_visitor = running(&|info| info.owner.visitor == visitor);
            if (info.is_large && is_large_running) || (info.is_review && is_review_limit_reached) {
                continue;
            }
            if of_address >= max_per_address || of_visitor >= config.max_per_visitor {
                continue;
            }
            let address_turn = self
                .address_turns
                .get(&address)
                .copied()
                .unwrap_or_default();
            let visitor_turn = self
                .visitor_turns
                .get(&visitor)
                .copied()
                .unwrap_or_default();
            let key = (of_address, address_turn, of_visitor, visitor_turn, index);
            if best.is_none_or(|best| key < best) {
                best = Some(key);
            }
        }
        best.map(|(.., index)| index)
    }

    fn record_start(&mut self, info: &TaskInfo) {
        self.turns += 1;
        if self.address_turns.len() >= MAX_REMEMBERED {
            self.address_turns.clear();
        }
        if self.visitor_turns.len() >= MAX_REMEMBERED {
            self.visitor_turns.clear();
        }
        self.address_turns.insert(info.owner.address, self.turns);
        self.visitor_turns.insert(info.owner.visitor, self.turns);
        self.running.push((info.clone(), Instant::now()));
    }
}

impl SharedPool {
    fn lock(&self) -> MutexGuard<'_, PoolState> {
        // Nothing panics while holding the lock.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The main loop of a thread.
    fn work(&self) {
        while let Some(task) = self.next() {
            let running = RunningTask(self, task.info.stop);
            // The thread survives a panic; the waiting side notices that its channel is
            // closed.
            let _ = catch_unwind(AssertUnwindSafe(task.work));
            drop(running);
        }
    }

    /// Waits for a task; `None` once the pool is closed.
    fn next(&self) -> Option<Task> {
        let mut state = self.lock();
        loop {
            if state.closed {
                return None;
            }
            state.waiting.retain(|task| !task.info.stop.is_stopped());
            let index = state.next(&self.config);
            if let Some(task) = index.and_then(|index| state.waiting.remove(index)) {
                state.record_start(&task.info);
                return Some(task);
            }
            let waited = self.changed.wait(state);
            state = waited.unwrap_or_else(PoisonError::into_inner);
        }
    }
}

/// A running task. Dropping it makes room for others.
struct RunningTask<'a>(&'a SharedPool, StopFlag);

impl Drop for RunningTask<'_> {
    fn drop(&mut self) {
        let mut state = self.0.lock();
        let mut running = state.running.iter();
        if let Some(index) = running.position(|(info, _)| info.stop.ptr_eq(&self.1)) {
            state.running.swap_remove(index);
        }
        drop(state);
        // Tasks that had to wait for this one may start, also on other threads.
        self.0.changed.notify_all();
    }
}
