//! How fast computers move: a moment after they have found their move, so that one
//! sees it happen; as fast as one likes where nobody else plays.

use std::time::Duration;

use crate::tui::look::Look;

/// The least time between two moves of which the second is a computer's.
const MOMENT: Duration = Duration::from_millis(350);

/// When watching: the name of a speed and the time between two moves.
const SPEEDS: [(&str, u64); 6] = [
    ("4 s", 4000),
    ("2 s", 2000),
    ("1 s", 1000),
    ("0.5 s", 500),
    ("0.2 s", 200),
    ("no pause", 0),
];
const USUAL: usize = 2;

pub(super) struct Pace {
    speed: usize,
    paused: bool,
    /// One more move although it is paused.
    one: bool,
}

impl Pace {
    pub(super) fn new() -> Pace {
        Pace {
            speed: USUAL,
            paused: false,
            one: false,
        }
    }

    /// The least time for a move.
    pub(super) fn wait(&self, watching: bool) -> Duration {
        match watching {
            true if self.one => Duration::ZERO,
            true => Duration::from_millis(SPEEDS[self.speed].1),
            false => MOMENT,
        }
    }

    /// May a computer move now?
    pub(super) fn lets_move(&self) -> bool {
        !self.paused || self.one
    }

    pub(super) fn is_paused(&self) -> bool {
        self.paused
    }

    /// The speed's name, and where it lies among the others.
    pub(super) fn speed(&self, look: &Look) -> String {
        let [full, empty] = if look.ascii() {
            ["#", "."]
        } else {
            ["▮", "▯"]
        };
        let (there, more) = (self.speed + 1, SPEEDS.len() - self.speed - 1);
        let bar = full.repeat(there) + &empty.repeat(more);
        format!("{bar} {}", SPEEDS[self.speed].0)
    }

    pub(super) fn faster(&mut self) {
        self.speed = (self.speed + 1).min(SPEEDS.len() - 1);
    }

    pub(super) fn slower(&mut self) {
        self.speed = self.speed.saturating_sub(1);
    }

    pub(super) fn pause(&mut self, paused: bool) {
        self.paused = paused;
        self.one = false;
    }

    /// Pauses, but lets one move happen first.
    pub(super) fn step(&mut self) {
        self.paused = true;
        self.one = true;
    }

    /// A computer has moved.
    pub(super) fn moved(&mut self) {
        self.one = false;
    }
}
