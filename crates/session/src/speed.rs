//! How fast computers play each other while one watches.

use std::time::Duration;

/// The name of a speed and the least time between two moves, slowest first.
const SPEEDS: [(&str, u64); 6] = [
    ("4 s", 4000),
    ("2 s", 2000),
    ("1 s", 1000),
    ("0.5 s", 500),
    ("0.2 s", 200),
    ("no pause", 0),
];

/// A speed for watching.
///
/// ```
/// use noughts_session::Speed;
/// let speed = Speed::default();
/// assert_eq!(speed.name(), "1 s");
/// assert!(speed.faster().wait() < speed.wait());
/// assert_eq!(Speed::SLOWEST.slower(), Speed::SLOWEST);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Speed(usize);

impl Default for Speed {
    /// A move a second: time to see what happened.
    fn default() -> Speed {
        Speed(2)
    }
}

impl Speed {
    /// The slowest.
    pub const SLOWEST: Speed = Speed(0);

    /// The fastest: as fast as they think.
    pub const FASTEST: Speed = Speed(SPEEDS.len() - 1);

    /// The speed with this number, from 1.
    #[must_use]
    pub fn from_number(number: usize) -> Option<Speed> {
        let speed = Speed(number.checked_sub(1)?);
        (speed <= Speed::FASTEST).then_some(speed)
    }

    /// Its number, from 1.
    #[must_use]
    pub fn number(self) -> usize {
        self.0 + 1
    }

    /// What it is called.
    #[must_use]
    pub fn name(self) -> &'static str {
        SPEEDS[self.0].0
    }

    /// The least time between two moves.
    #[must_use]
    pub fn delay(self) -> Duration {
        Duration::from_millis(SPEEDS[self.0].1)
    }

    /// The next faster one; the fastest stays.
    #[must_use]
    pub fn faster(self) -> Speed {
        Speed(self.0 + 1).min(Speed::FASTEST)
    }

    /// The next slower one; the slowest stays.
    #[must_use]
    pub fn slower(self) -> Speed {
        Speed(self.0.saturating_sub(1))
    }
}
