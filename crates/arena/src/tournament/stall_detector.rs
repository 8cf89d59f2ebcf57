//! Detects when this process was suspended (Ctrl-Z, a debugger, a suspended machine): clocks kept
//! running while no bot could think, so losses on time are invalid. Also measures how late timers
//! fire, as a sign of an overloaded machine.

use std::io;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

/// The timer interval.
const TICK: Duration = Duration::from_millis(50);

/// A gap longer than this means that the process was suspended.
const STALL: Duration = Duration::from_millis(500);

/// A delay longer than this means that threads wait for a core.
const DELAY: Duration = Duration::from_millis(5);

/// The longest time to wait for a tick.
const MAX_WAIT: Duration = Duration::from_secs(2);

/// What a thread that runs regularly has noticed. The thread ends with the last reference to it.
#[derive(Default)]
pub(super) struct StallDetector {
    state: Mutex<StallState>,
    changed: Condvar,
}

#[derive(Default)]
struct StallState {
    ticks: u64,
    stalls: u64,
    delay: SchedulingDelay,
}

/// How late this process's own timer fired: a measure of the load on the machine.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct SchedulingDelay {
    /// The number of measurements.
    pub samples: u64,
    /// How many were late by more than 5 milliseconds.
    pub delayed: u64,
    /// The largest delay.
    pub worst: Duration,
}

impl SchedulingDelay {
    /// Whether delays were frequent enough to have affected bots: one in twenty is more than
    /// chance.
    #[must_use]
    pub fn is_overloaded(&self) -> bool {
        self.delayed >= 2 && self.delayed * 20 >= self.samples
    }
}

impl StallDetector {
    pub(super) fn start() -> io::Result<Arc<StallDetector>> {
        let detector = Arc::new(StallDetector::default());
        let weak = Arc::downgrade(&detector);
        let thread = thread::Builder::new().name("stall detector".into());
        thread.spawn(move || {
            loop {
                let started = Instant::now();
                thread::sleep(TICK);
                let Some(detector) = weak.upgrade() else {
                    return;
                };
                detector.lock().record_tick(started.elapsed());
                detector.changed.notify_all();
            }
        })?;
        Ok(detector)
    }

    fn lock(&self) -> MutexGuard<'_, StallState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// How often the process was suspended.
    pub(super) fn stall_count(&self) -> u64 {
        self.lock().stalls
    }

    /// The delays so far.
    pub(super) fn scheduling_delay(&self) -> SchedulingDelay {
        self.lock().delay
    }

    /// Whether the process was suspended since `stall_count` returned `stalls`. Waits for a tick,
    /// so that a suspension that has only just ended is included.
    pub(super) fn has_stalled_since(&self, stalls: u64) -> bool {
        let state = self.lock();
        let first = state.ticks;
        let has_stalled = |state: &StallState| state.has_stalled_since(stalls, first);
        let is_unknown = |state: &mut StallState| has_stalled(state).is_none();
        let woken = self.changed.wait_timeout_while(state, MAX_WAIT, is_unknown);
        let (state, _) = woken.unwrap_or_else(PoisonError::into_inner);
        has_stalled(&state).unwrap_or(false)
    }
}

impl StallState {
    fn record_tick(&mut self, gap: Duration) {
        self.ticks += 1;
        let delay = gap.saturating_sub(TICK);
        if gap > STALL {
            self.stalls += 1;
            // A suspension says nothing about the load.
            return;
        }
        self.delay.samples += 1;
        self.delay.delayed += u64::from(delay > DELAY);
        self.delay.worst = self.delay.worst.max(delay);
    }

    /// `None` if there was no tick since `first`: a suspension may not be known yet.
    fn has_stalled_since(&self, stalls: u64, first: u64) -> Option<bool> {
        match self.stalls == stalls {
            false => Some(true),
            true => (self.ticks > first).then_some(false),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_long_gap_is_a_stall() {
        let mut state = StallState::default();
        for gap in [TICK, TICK * 2, STALL] {
            state.record_tick(gap);
        }
        assert_eq!((state.ticks, state.stalls), (3, 0));
        state.record_tick(STALL + TICK);
        assert_eq!((state.ticks, state.stalls), (4, 1));
    }

    #[test]
    fn a_stall_is_known_after_the_next_tick() {
        let mut state = StallState::default();
        state.record_tick(TICK);
        // No tick since the question: not known yet.
        assert_eq!(state.has_stalled_since(0, 1), None);
        state.record_tick(TICK);
        assert_eq!(state.has_stalled_since(0, 1), Some(false));
        assert_eq!(state.has_stalled_since(0, 2), None);
        state.record_tick(STALL + TICK);
        assert_eq!(state.has_stalled_since(0, 2), Some(true));
        // The same suspension isn't counted for a game that started after it.
        assert_eq!(state.has_stalled_since(1, 3), None);
    }

    /// The thread ticks, and waiters are woken by a tick.
    #[test]
    fn the_thread_wakes_waiters() {
        let monitor = StallDetector::start().expect("a thread");
        let before = monitor.lock().ticks;
        let stalls = monitor.stall_count();
        let stalled = monitor.has_stalled_since(stalls);
        let ticks = monitor.lock().ticks;
        let now = monitor.stall_count();
        assert!(ticks > before, "it returned without a beat");
        // On a machine that is suspended during the test there may have been a stall.
        assert!(!stalled || now > stalls);
    }

    #[test]
    fn overload_is_distinguished_from_a_hiccup() {
        let mut state = StallState::default();
        for _ in 0..98 {
            state.record_tick(TICK + Duration::from_millis(1));
        }
        state.record_tick(TICK + Duration::from_millis(30));
        assert!(!state.delay.is_overloaded(), "{:?}", state.delay);
        assert_eq!(state.delay.worst, Duration::from_millis(30));
        for _ in 0..6 {
            state.record_tick(TICK + DELAY * 2);
        }
        assert!(state.delay.is_overloaded(), "{:?}", state.delay);
    }
}
