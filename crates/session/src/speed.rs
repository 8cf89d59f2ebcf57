//! The speed at which bots play each other while somebody watches.

use std::time::Duration;

/// The name of each speed and the minimum delay between two moves, slowest first.
const SPEEDS: [(&str, u64); 6] = [
    ("4 s", 4000),
    ("2 s", 2000),
    ("1 s", 1000),
    ("0.5 s", 500),
    ("0.2 s", 200),
    ("no delay", 0),
];

/// A speed for watching a game between bots.
///
/// ```
/// use noughts_session::PlaybackSpeed;
/// let speed = PlaybackSpeed::default();
/// assert_eq!(speed.name(), "1 s");
/// assert!(speed.faster().delay() < speed.delay());
/// assert_eq!(PlaybackSpeed::FASTEST.faster(), PlaybackSpeed::FASTEST);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct PlaybackSpeed(usize);

impl Default for PlaybackSpeed {
    /// One move per second, so that each move can be seen.
    fn default() -> PlaybackSpeed {
        PlaybackSpeed(2)
    }
}

impl PlaybackSpeed {
    /// The fastest speed: as fast as the bots search.
    pub const FASTEST: PlaybackSpeed = PlaybackSpeed(SPEEDS.len() - 1);

    /// The speed with this number, counted from 1.
    #[must_use]
    pub fn from_number(number: usize) -> Option<PlaybackSpeed> {
        let speed = PlaybackSpeed(number.checked_sub(1)?);
        (speed <= PlaybackSpeed::FASTEST).then_some(speed)
    }

    /// The number, counted from 1.
    #[must_use]
    pub fn number(self) -> usize {
        self.0 + 1
    }

    /// The label.
    #[must_use]
    pub fn name(self) -> &'static str {
        SPEEDS[self.0].0
    }

    /// The minimum delay between two moves.
    #[must_use]
    pub fn delay(self) -> Duration {
        Duration::from_millis(SPEEDS[self.0].1)
    }

    /// The next faster speed, or the fastest.
    #[must_use]
    pub fn faster(self) -> PlaybackSpeed {
        PlaybackSpeed(self.0 + 1).min(PlaybackSpeed::FASTEST)
    }

    /// The next slower speed, or the slowest.
    #[must_use]
    pub fn slower(self) -> PlaybackSpeed {
        PlaybackSpeed(self.0.saturating_sub(1))
    }
}
