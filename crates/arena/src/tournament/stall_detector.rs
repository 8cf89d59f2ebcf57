//! Was this program itself stopped (Ctrl-Z, a debugger, a machine that stood still)? Then
//! clocks ran on while nobody could think, and what they say is nobody's fault. And does it
//! wake up late, as bots do on a machine with too much to do?

use std::io;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

/// How often it is looked.
const BEAT: Duration = Duration::from_millis(50);

/// A beat that is later than this was not slow: the program stood still.
const STILL: Duration = Duration::from_millis(500);

/// A beat that is later than this shows that threads wait for a core.
const LATE: Duration = Duration::from_millis(5);

/// Nobody waits longer for a beat.
const PATIENCE: Duration = Duration::from_secs(2);

/// A thread that notices that it did not run for a while.
pub(super) struct StallDetector {
    beating: Arc<StallMonitor>,
    thread: Option<JoinHandle<()>>,
}

/// What it has noticed; clones are not needed, an `Arc` of it is passed on.
#[derive(Default)]
pub(super) struct StallMonitor {
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Default)]
struct State {
    beats: u64,
    stops: u64,
    over: bool,
    lateness: SchedulingDelay,
}

/// How late this program itself woke up when it had asked for a time: what it measures of
/// the load on the machine.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct SchedulingDelay {
    /// How often it was measured.
    pub samples: u64,
    /// How often it was late by more than 5 milliseconds.
    pub delayed: u64,
    /// The most that it was late by.
    pub worst: Duration,
}

impl SchedulingDelay {
    /// Was it late so often that bots must have been, too? Once in twenty is more than
    /// chance.
    #[must_use]
    pub fn is_overloaded(&self) -> bool {
        self.delayed >= 2 && self.delayed * 20 >= self.samples
    }
}

impl StallDetector {
    pub(super) fn start() -> io::Result<StallDetector> {
        let beating = Arc::new(StallMonitor::default());
        let shared = Arc::clone(&beating);
        let thread = thread::Builder::new().name("pulse".into());
        let thread = thread.spawn(move || shared.beat())?;
        Ok(StallDetector {
            beating,
            thread: Some(thread),
        })
    }

    pub(super) fn monitor(&self) -> Arc<StallMonitor> {
        Arc::clone(&self.beating)
    }
}

impl Drop for StallDetector {
    fn drop(&mut self) {
        self.beating.lock().over = true;
        self.beating.changed.notify_all();
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

impl StallMonitor {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn beat(&self) {
        let mut state = self.lock();
        loop {
            let began = Instant::now();
            let mut left = BEAT;
            // Whoever waits for a beat wakes others of its kind: only time makes one.
            while !state.over && !left.is_zero() {
                let woken = self.changed.wait_timeout(state, left);
                state = woken.unwrap_or_else(PoisonError::into_inner).0;
                left = BEAT.saturating_sub(began.elapsed());
            }
            if state.over {
                return;
            }
            state.note(began.elapsed());
            self.changed.notify_all();
        }
    }

    /// How often the program has stood still.
    pub(super) fn stall_count(&self) -> u64 {
        self.lock().stops
    }

    /// How late it was so far.
    pub(super) fn scheduling_delay(&self) -> SchedulingDelay {
        self.lock().lateness
    }

    /// Has it stood still since there were so many stops? Waits for a beat, so that a stop
    /// that has only just ended is known.
    pub(super) fn has_stalled_since(&self, stops: u64) -> bool {
        let mut state = self.lock();
        let first = state.beats;
        let until = Instant::now() + PATIENCE;
        loop {
            if let Some(stopped) = state.has_stopped_since(stops, first) {
                return stopped;
            }
            let left = until.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return false;
            }
            let woken = self.changed.wait_timeout(state, left);
            state = woken.unwrap_or_else(PoisonError::into_inner).0;
        }
    }
}

impl State {
    fn note(&mut self, gap: Duration) {
        self.beats += 1;
        let late = gap.saturating_sub(BEAT);
        if gap > STILL {
            self.stops += 1;
            // That says nothing about the load.
            return;
        }
        self.lateness.samples += 1;
        self.lateness.delayed += u64::from(late > LATE);
        self.lateness.worst = self.lateness.worst.max(late);
    }

    /// Nothing as long as there was no beat since the first: a stop may not be known yet.
    fn has_stopped_since(&self, stops: u64, first: u64) -> Option<bool> {
        match self.stops == stops {
            false => Some(true),
            true => (self.beats > first || self.over).then_some(false),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_late_beat_is_a_stop_and_others_are_not() {
        let mut state = State::default();
        for gap in [BEAT, BEAT * 2, STILL] {
            state.note(gap);
        }
        assert_eq!((state.beats, state.stops), (3, 0));
        state.note(STILL + BEAT);
        assert_eq!((state.beats, state.stops), (4, 1));
    }

    #[test]
    fn a_stop_is_known_with_the_next_beat_and_not_before() {
        let mut state = State::default();
        state.note(BEAT);
        // No beat since the question: nobody can say.
        assert_eq!(state.has_stopped_since(0, 1), None);
        state.note(BEAT);
        assert_eq!(state.has_stopped_since(0, 1), Some(false));
        assert_eq!(state.has_stopped_since(0, 2), None);
        state.note(STILL + BEAT);
        assert_eq!(state.has_stopped_since(0, 2), Some(true));
        // The same stop isn't counted for a game that began after it.
        assert_eq!(state.has_stopped_since(1, 3), None);
        state.over = true;
        assert_eq!(state.has_stopped_since(1, 3), Some(false));
    }

    /// The thread beats, and whoever waits for a beat is woken by it and by the end.
    #[test]
    fn the_thread_wakes_those_who_wait() {
        let pulse = StallDetector::start().expect("a thread");
        let beating = pulse.monitor();
        let before = beating.lock().beats;
        let stops = beating.stall_count();
        let stopped = beating.has_stalled_since(stops);
        let beats = beating.lock().beats;
        let now = beating.stall_count();
        assert!(beats > before, "it returned without a beat");
        // On a machine that stands still there may have been a stop.
        assert!(!stopped || now > stops);
        drop(pulse);
        assert!(!beating.has_stalled_since(beating.stall_count()));
    }

    #[test]
    fn an_overloaded_machine_is_told_from_a_hiccup() {
        let mut state = State::default();
        for _ in 0..98 {
            state.note(BEAT + Duration::from_millis(1));
        }
        state.note(BEAT + Duration::from_millis(30));
        assert!(!state.lateness.is_overloaded(), "{:?}", state.lateness);
        assert_eq!(state.lateness.worst, Duration::from_millis(30));
        for _ in 0..6 {
            state.note(BEAT + LATE * 2);
        }
        assert!(state.lateness.is_overloaded(), "{:?}", state.lateness);
    }
}
