//! How long a bot may think: the limits set by the caller, and the budget that enforces them.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use crate::alternation::WorkerSlice;

/// What a bot may spend on one move. Without limits it thinks until the result is certain or it is
/// stopped.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct SearchLimits {
    /// Wall-clock time.
    pub time: Option<Duration>,
    /// Positions searched (random games, for bots that play these).
    pub nodes: Option<u64>,
    /// Search depth in plies, for bots with iterative deepening.
    pub depth: Option<u32>,
}

impl SearchLimits {
    /// No limits: think until the result is certain or the bot is stopped.
    pub const NONE: SearchLimits = SearchLimits {
        time: None,
        nodes: None,
        depth: None,
    };

    /// Only a time limit.
    #[must_use]
    pub const fn time(time: Duration) -> SearchLimits {
        SearchLimits {
            time: Some(time),
            ..SearchLimits::NONE
        }
    }

    /// Only a node limit.
    #[must_use]
    pub const fn nodes(nodes: u64) -> SearchLimits {
        SearchLimits {
            nodes: Some(nodes),
            ..SearchLimits::NONE
        }
    }

    /// Whether there is no limit at all.
    #[must_use]
    pub fn is_unlimited(&self) -> bool {
        *self == SearchLimits::NONE
    }
}

/// A flag that stops a bot from another thread. Clones share the flag.
#[derive(Clone, Debug, Default)]
pub struct StopFlag(Arc<AtomicBool>);

impl StopFlag {
    /// Creates a flag that isn't raised.
    #[must_use]
    pub fn new() -> StopFlag {
        StopFlag::default()
    }

    /// Raises the flag.
    pub fn stop(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Whether both are the same flag.
    #[must_use]
    pub fn ptr_eq(&self, other: &StopFlag) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }

    /// Whether the flag has been raised.
    #[inline]
    #[must_use]
    pub fn is_stopped(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

/// Limits in effect, counted from when the budget was created.
#[derive(Clone, Debug)]
pub struct Budget {
    limits: SearchLimits,
    started: Instant,
    deadline: Option<Instant>,
    stop_flag: StopFlag,
    /// Set where two searches share one core.
    turn: Option<WorkerSlice>,
}

/// The clock is read once in this many nodes, which is accurate to about a millisecond.
const CLOCK_CHECK_INTERVAL: u64 = 256;

impl Budget {
    /// Starts the clock.
    #[must_use]
    pub fn start(limits: SearchLimits, stop: &StopFlag) -> Budget {
        let started = Instant::now();
        Budget {
            limits,
            started,
            deadline: limits.time.and_then(|time| started.checked_add(time)),
            stop_flag: stop.clone(),
            turn: None,
        }
    }

    /// Makes the search alternate with another one: it waits for its turn whenever it checks the
    /// clock.
    pub(crate) fn with_turn(mut self, turn: Option<WorkerSlice>) -> Budget {
        self.turn = turn;
        self
    }

    /// The turn that a search with this budget has to wait for.
    pub(crate) fn turn(&self) -> Option<&WorkerSlice> {
        self.turn.as_ref()
    }

    /// The limits.
    #[must_use]
    pub fn limits(&self) -> &SearchLimits {
        &self.limits
    }

    /// The stop flag.
    #[must_use]
    pub fn stop_flag(&self) -> &StopFlag {
        &self.stop_flag
    }

    /// Time since the budget was created.
    #[must_use]
    pub fn elapsed(&self) -> Duration {
        self.started.elapsed()
    }

    /// Time left; `None` without a time limit.
    #[must_use]
    pub fn time_left(&self) -> Option<Duration> {
        self.deadline
            .map(|deadline| deadline.saturating_duration_since(Instant::now()))
    }

    /// A smaller budget within this one: it ends no later and has the same stop flag.
    #[must_use]
    pub fn sub_budget(&self, limits: SearchLimits) -> Budget {
        let mut part = Budget::start(limits, &self.stop_flag).with_turn(self.turn.clone());
        part.deadline = match (part.deadline, self.deadline) {
            (Some(mine), Some(whole)) => Some(mine.min(whole)),
            (mine, whole) => mine.or(whole),
        };
        part
    }

    /// This budget with at most this many nodes.
    #[must_use]
    pub fn at_most_nodes(&self, nodes: u64) -> Budget {
        self.sub_budget(SearchLimits {
            nodes: Some(self.limits.nodes.map_or(nodes, |all| all.min(nodes))),
            ..self.limits
        })
    }

    /// The remaining budget after this many nodes.
    #[must_use]
    pub fn after_nodes(&self, nodes: u64) -> Budget {
        self.sub_budget(SearchLimits {
            time: None,
            nodes: self.limits.nodes.map(|max| max.saturating_sub(nodes)),
            depth: self.limits.depth,
        })
    }

    /// Whether to stop after this many nodes. Cheap enough to call for every node, because the
    /// clock is read only once in a while.
    #[inline]
    #[must_use]
    pub fn is_spent(&self, nodes: u64) -> bool {
        self.is_node_limit_reached(nodes)
            || nodes.is_multiple_of(CLOCK_CHECK_INTERVAL)
                && self.should_stop_after(CLOCK_CHECK_INTERVAL)
    }

    /// Whether this many nodes are all that are allowed.
    #[inline]
    pub(crate) fn is_node_limit_reached(&self, nodes: u64) -> bool {
        self.limits.nodes.is_some_and(|max| nodes >= max)
    }

    /// The same as [`Budget::is_spent`], but reads the clock every time.
    pub(crate) fn is_spent_now(&self, nodes: u64) -> bool {
        self.is_node_limit_reached(nodes) || self.should_stop()
    }

    /// Whether to stop now. Reads the clock every time, for work with long steps.
    #[must_use]
    pub fn should_stop(&self) -> bool {
        self.should_stop_after(0)
    }

    /// The same after this many nodes since the last time.
    pub(crate) fn should_stop_after(&self, nodes: u64) -> bool {
        let is_turn_over = |turn: &WorkerSlice| !turn.checkpoint(nodes);
        self.turn.as_ref().is_some_and(is_turn_over)
            || self.stop_flag.is_stopped()
            || self
                .deadline
                .is_some_and(|deadline| Instant::now() >= deadline)
    }
}
