//! Threads that take tasks from a fair queue. Turns rotate among addresses, and among the visitors
//! of one address: how much one of them asks for doesn't make the others wait longer.

use std::collections::{HashMap, VecDeque};
use std::net::IpAddr;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

use noughts_engine::StopFlag;
use noughts_session::SEARCH_STACK_BYTES;
use parking_lot::{Condvar, Mutex};
use thread_priority::{ThreadPriority, set_current_thread_priority};

use crate::middleware::{TaskOwner, VisitorKey};

/// The most addresses and visitors whose last turn is remembered.
const MAX_REMEMBERED: usize = 4096;

/// A kind of task with its own share of a pool's threads, so that it never waits for the others.
#[derive(Clone, Copy, Debug)]
pub(super) struct TaskLane {
    pub(super) name: &'static str,
    /// The most tasks that run at once.
    pub(super) threads: usize,
    /// The most queued tasks; one address may have a quarter of them.
    pub(super) max_waiting: usize,
    /// The most tasks of one visitor that run at once. One address may use all threads but one.
    pub(super) max_per_visitor: usize,
    /// A visitor's tasks beyond `max_per_visitor` stop the oldest ones instead of waiting: the
    /// newest is what the visitor is looking at.
    pub(super) replaces_oldest: bool,
    /// The most searches for reviews that run at once.
    pub(super) max_reviews: usize,
}

/// How much a pool has to do.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(crate) struct PoolLoad {
    /// Tasks that are running.
    pub(crate) running: usize,
    /// Tasks that are queued.
    pub(crate) waiting: usize,
}

/// What the scheduler knows about a task.
#[derive(Clone, Debug)]
pub(super) struct TaskInfo {
    pub(super) lane: TaskLane,
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
pub(super) struct WorkerPool(Arc<SharedPool>);

#[derive(Default)]
struct SharedPool {
    state: Mutex<PoolState>,
    changed: Condvar,
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
    /// Starts as many threads as these lanes need, at this priority if there is one.
    pub(super) fn new(
        name: &str,
        lanes: &[TaskLane],
        priority: Option<ThreadPriority>,
    ) -> WorkerPool {
        let shared = Arc::<SharedPool>::default();
        for _ in 0..lanes.iter().map(|lane| lane.threads).sum() {
            let worker = Arc::clone(&shared);
            let thread = thread::Builder::new()
                .name(name.into())
                .stack_size(SEARCH_STACK_BYTES);
            let spawned = thread.spawn(move || {
                // On a system without priorities all threads are equal.
                let _ = priority.map(set_current_thread_priority);
                worker.work();
            });
            shared.state.lock().threads += usize::from(spawned.is_ok());
        }
        WorkerPool(shared)
    }

    /// Queues a task. Returns false and drops it if too many are queued. A task whose flag is
    /// raised before its turn is never started.
    pub(super) fn submit(&self, work: impl FnOnce() + Send + 'static, info: &TaskInfo) -> bool {
        let mut state = self.0.state.lock();
        if state.is_full(info) {
            state.waiting.retain(|task| !task.info.stop.is_stopped());
        }
        if state.threads == 0 || state.is_full(info) {
            return false;
        }
        if info.lane.replaces_oldest && !info.is_review {
            state.stop_oldest(info);
        }
        state.waiting.push_back(Task {
            work: Box::new(work),
            info: info.clone(),
        });
        drop(state);
        // Wakes all threads: the first one to wake may not be allowed to run it.
        self.0.changed.notify_all();
        true
    }

    /// Preempts the longest-running task of a lane if it has used its time slice and another
    /// visitor's task is waiting.
    pub(super) fn preempt_expired(&self, lane: &TaskLane, slice: Duration) {
        let state = self.0.state.lock();
        let waiting = state.waiting.iter().map(|task| &task.info);
        let waiting = waiting.filter(|info| info.lane.name == lane.name);
        // A queued review search that waits for other reviews gains nothing from an analysis that
        // ends.
        let is_blocked = |info: &TaskInfo| info.is_review && state.is_review_limit_reached(info);
        let waiting = waiting.filter(|info| !info.stop.is_stopped() && !is_blocked(info));
        let waiting: Vec<&TaskInfo> = waiting.collect();
        if waiting.len() <= state.count_running(|info| info.preempted.is_stopped()) {
            return;
        }
        let is_other_visitor_waiting = |info: &TaskInfo| {
            let mut waiting = waiting.iter();
            waiting.any(|waiting_info| waiting_info.owner.visitor != info.owner.visitor)
        };
        let running = state.running.iter().filter(|(info, since)| {
            info.lane.name == lane.name
                && !info.is_review
                && !info.stop.is_stopped()
                && since.elapsed() >= slice
                && is_other_visitor_waiting(info)
        });
        if let Some((info, _)) = running.min_by_key(|(_, since)| *since) {
            info.preempted.stop();
            info.stop.stop();
        }
    }

    pub(super) fn load(&self) -> PoolLoad {
        let state = self.0.state.lock();
        let waiting = state.waiting.iter();
        PoolLoad {
            running: state.running.len(),
            waiting: waiting.filter(|task| !task.info.stop.is_stopped()).count(),
        }
    }
}

impl Drop for WorkerPool {
    fn drop(&mut self) {
        let mut state = self.0.state.lock();
        state.closed = true;
        state.waiting.clear();
        for (info, _) in &state.running {
            info.stop.stop();
        }
        drop(state);
        self.0.changed.notify_all();
    }
}

impl TaskInfo {
    fn is_in_lane_of(&self, other: &TaskInfo) -> bool {
        self.lane.name == other.lane.name
    }
}

impl PoolState {
    fn count_running(&self, predicate: impl Fn(&TaskInfo) -> bool) -> usize {
        let running = self.running.iter();
        running.filter(|(info, _)| predicate(info)).count()
    }

    fn is_review_limit_reached(&self, info: &TaskInfo) -> bool {
        self.count_running(|running| running.is_review) >= info.lane.max_reviews
    }

    /// Are too many tasks queued to accept this one?
    fn is_full(&self, info: &TaskInfo) -> bool {
        let limit = info.lane.max_waiting;
        let same_lane = self.waiting.iter().map(|task| &task.info);
        let same_lane = same_lane.filter(|waiting| waiting.is_in_lane_of(info));
        let same_address = same_lane.clone();
        let same_address = same_address.filter(|one| one.owner.address == info.owner.address);
        same_lane.count() >= limit || same_address.count() >= limit.div_ceil(4)
    }

    /// Stops the visitor's oldest tasks, so that a new one can run.
    fn stop_oldest(&self, new: &TaskInfo) {
        let running = self.running.iter().map(|(info, _)| info);
        let all = running.chain(self.waiting.iter().map(|task| &task.info));
        let same_visitor: Vec<&TaskInfo> = all
            .filter(|info| info.is_in_lane_of(new) && info.owner.visitor == new.owner.visitor)
            .filter(|info| !info.is_review && !info.stop.is_stopped())
            .collect();
        let excess = (same_visitor.len() + 1).saturating_sub(new.lane.max_per_visitor);
        for oldest in &same_visitor[..excess] {
            oldest.stop.stop();
        }
    }

    /// The index in the queue of the next task.
    fn next(&self) -> Option<usize> {
        let mut best = None;
        for (index, Task { info, .. }) in self.waiting.iter().enumerate() {
            let (lane, TaskOwner { visitor, address }) = (info.lane, info.owner);
            let running = |predicate: &dyn Fn(&TaskInfo) -> bool| {
                self.count_running(|running| running.is_in_lane_of(info) && predicate(running))
            };
            let of_address = running(&|info| info.owner.address == address);
            let of_visitor = running(&|info| info.owner.visitor == visitor);
            if running(&|_| true) >= lane.threads
                || of_address >= (lane.threads - 1).max(1)
                || of_visitor >= lane.max_per_visitor
                || (info.is_large && running(&|info| info.is_large) > 0)
                || (info.is_review && self.is_review_limit_reached(info))
            {
                continue;
            }
            let address_turn = self.address_turns.get(&address).copied();
            let visitor_turn = self.visitor_turns.get(&visitor).copied();
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
    /// The main loop of a thread.
    fn work(&self) {
        while let Some(task) = self.next() {
            // The thread survives a panic; the waiting side notices that its channel is
            // closed.
            let _ = catch_unwind(AssertUnwindSafe(task.work));
            let is_other = |info: &TaskInfo| !info.stop.ptr_eq(&task.info.stop);
            self.state.lock().running.retain(|(info, _)| is_other(info));
            // Tasks that had to wait for this one may start, also on other threads.
            self.changed.notify_all();
        }
    }

    /// Waits for a task; `None` once the pool is closed.
    fn next(&self) -> Option<Task> {
        let mut state = self.state.lock();
        loop {
            if state.closed {
                return None;
            }
            state.waiting.retain(|task| !task.info.stop.is_stopped());
            let index = state.next();
            if let Some(task) = index.and_then(|index| state.waiting.remove(index)) {
                state.record_start(&task.info);
                return Some(task);
            }
            self.changed.wait(&mut state);
        }
    }
}
