//! Was this program itself stopped (Ctrl-Z, a debugger, a machine that stood still)? Then
//! clocks ran on while nobody could think, and what they say is nobody's fault.

use std::io;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

/// How often it is looked.
const BEAT: Duration = Duration::from_millis(50);

/// A beat that is later than this was not slow: the program stood still.
const STILL: Duration = Duration::from_millis(500);

/// Nobody waits longer for a beat.
const PATIENCE: Duration = Duration::from_secs(2);

/// A thread that notices that it did not run for a while.
pub(super) struct Pulse {
    beating: Arc<Beating>,
    thread: Option<JoinHandle<()>>,
}

/// What it has noticed; clones are not needed, an `Arc` of it is passed on.
#[derive(Default)]
pub(super) struct Beating {
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Default)]
struct State {
    beats: u64,
    stops: u64,
    over: bool,
}

impl Pulse {
    pub(super) fn start() -> io::Result<Pulse> {
        let beating = Arc::new(Beating::default());
        let shared = Arc::clone(&beating);
        let thread = thread::Builder::new().name("pulse".into());
        let thread = thread.spawn(move || shared.beat())?;
        Ok(Pulse {
            beating,
            thread: Some(thread),
        })
    }

    pub(super) fn beating(&self) -> Arc<Beating> {
        Arc::clone(&self.beating)
    }
}

impl Drop for Pulse {
    fn drop(&mut self) {
        self.beating.lock().over = true;
        self.beating.changed.notify_all();
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

impl Beating {
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
    pub(super) fn stops(&self) -> u64 {
        self.lock().stops
    }

    /// Has it stood still since there were so many stops? Waits for a beat, so that a stop
    /// that has only just ended is known.
    pub(super) fn has_stopped_since(&self, stops: u64) -> bool {
        let mut state = self.lock();
        let next = state.beats + 1;
        let until = Instant::now() + PATIENCE;
        while state.stops == stops && state.beats < next && !state.over {
            let left = until.saturating_duration_since(Instant::now());
            if left.is_zero() {
                break;
            }
            let woken = self.changed.wait_timeout(state, left);
            state = woken.unwrap_or_else(PoisonError::into_inner).0;
        }
        state.stops != stops
    }
}

impl State {
    fn note(&mut self, gap: Duration) {
        self.beats += 1;
        if gap > STILL {
            self.stops += 1;
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
    fn who_asks_waits_for_a_beat_and_no_longer() {
        let pulse = Pulse::start().expect("a thread");
        let beating = pulse.beating();
        let stops = beating.stops();
        // On a machine that stands still it may well be true.
        let _ = beating.has_stopped_since(stops);
        assert!(beating.has_stopped_since(u64::MAX));
        drop(pulse);
        assert!(!beating.has_stopped_since(beating.stops()));
    }
}
