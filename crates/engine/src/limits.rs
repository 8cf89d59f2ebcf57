//! How long a bot may think: limits that the caller sets, and what watches them.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use crate::alternation::WorkerTurn;

/// What a bot may spend on one move. Without any limit it thinks until it is
/// sure or stopped.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct SearchLimits {
    /// Time on the clock.
    pub time: Option<Duration>,
    /// Positions looked at (for bots that play random games: games).
    pub nodes: Option<u64>,
    /// Plies to look ahead, for bots that deepen step by step.
    pub depth: Option<u32>,
}

impl SearchLimits {
    /// No limit: until sure or stopped.
    pub const NONE: SearchLimits = SearchLimits {
        time: None,
        nodes: None,
        depth: None,
    };

    /// So much time.
    #[must_use]
    pub const fn time(time: Duration) -> SearchLimits {
        SearchLimits {
            time: Some(time),
            ..SearchLimits::NONE
        }
    }

    /// So many positions or games.
    #[must_use]
    pub const fn nodes(nodes: u64) -> SearchLimits {
        SearchLimits {
            nodes: Some(nodes),
            ..SearchLimits::NONE
        }
    }

    /// Is there no limit at all?
    #[must_use]
    pub fn is_unlimited(&self) -> bool {
        *self == SearchLimits::NONE
    }
}

/// A flag that stops a bot from another thread. Clones share it.
#[derive(Clone, Debug, Default)]
pub struct StopFlag(Arc<AtomicBool>);

impl StopFlag {
    /// A flag not yet raised.
    #[must_use]
    pub fn new() -> StopFlag {
        StopFlag::default()
    }

    /// Raises the flag.
    pub fn stop(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Is it the same flag?
    #[must_use]
    pub fn ptr_eq(&self, other: &StopFlag) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }

    /// Has it been raised?
    #[inline]
    #[must_use]
    pub fn is_stopped(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

/// Limits at work: they count from when this was made.
#[derive(Clone, Debug)]
pub struct Budget {
    limits: SearchLimits,
    started: Instant,
    deadline: Option<Instant>,
    stop_flag: StopFlag,
    /// Where two searches share one core.
    turn: Option<WorkerTurn>,
}

/// The clock is asked once in so many nodes: often enough for a millisecond.
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

    /// The same for a search that runs in turns with another one: it waits for its turn
    /// wherever it looks at the clock.
    pub(crate) fn with_turn(mut self, turn: Option<WorkerTurn>) -> Budget {
        self.turn = turn;
        self
    }

    /// Whose turn it has to be for a search with this budget.
    pub(crate) fn turn(&self) -> Option<&WorkerTurn> {
        self.turn.as_ref()
    }

    /// The limits.
    #[must_use]
    pub fn limits(&self) -> &SearchLimits {
        &self.limits
    }

    /// The flag.
    #[must_use]
    pub fn stop_flag(&self) -> &StopFlag {
        &self.stop_flag
    }

    /// How long it has been.
    #[must_use]
    pub fn elapsed(&self) -> Duration {
        self.started.elapsed()
    }

    /// How much time is left; none where there is no limit on it.
    #[must_use]
    pub fn time_left(&self) -> Option<Duration> {
        self.deadline
            .map(|deadline| deadline.saturating_duration_since(Instant::now()))
    }

    /// A smaller budget inside this one: it ends no later, and obeys the same flag.
    #[must_use]
    pub fn sub_budget(&self, limits: SearchLimits) -> Budget {
        let mut part = Budget::start(limits, &self.stop_flag).with_turn(self.turn.clone());
        part.deadline = match (part.deadline, self.deadline) {
            (Some(mine), Some(whole)) => Some(mine.min(whole)),
            (mine, whole) => mine.or(whole),
        };
        part
    }

    /// What is left of it after so many nodes.
    #[must_use]
    pub fn after_nodes(&self, nodes: u64) -> Budget {
        self.sub_budget(SearchLimits {
            time: None,
            nodes: self.limits.nodes.map(|most| most.saturating_sub(nodes)),
            depth: self.limits.depth,
        })
    }

    /// Is it time to stop, after so many nodes? Cheap enough to ask at every one:
    /// the clock is read only now and then.
    #[inline]
    #[must_use]
    pub fn is_spent(&self, nodes: u64) -> bool {
        if self.limits.nodes.is_some_and(|most| nodes >= most) {
            return true;
        }
        nodes.is_multiple_of(CLOCK_CHECK_INTERVAL) && self.should_stop_after(CLOCK_CHECK_INTERVAL)
    }

    /// The same for work whose steps take long: the clock is read each time.
    #[must_use]
    pub fn should_stop(&self) -> bool {
        self.should_stop_after(0)
    }

    fn should_stop_after(&self, nodes: u64) -> bool {
        let ended = |turn: &WorkerTurn| !turn.checkpoint(nodes);
        self.turn.as_ref().is_some_and(ended)
            || self.stop_flag.is_stopped()
            || self
                .deadline
                .is_some_and(|deadline| Instant::now() >= deadline)
    }
}
