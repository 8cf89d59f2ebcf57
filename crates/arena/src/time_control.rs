//! How long the players may think: per move, by a clock for the whole game, or by the
//! work they may do.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use serde::{Deserialize, Serialize};

/// How long a player may think.
///
/// ```
/// use noughts_arena::Pace;
/// for text in ["time=100ms", "tc=10s+100ms", "nodes=5000", "depth=4"] {
///     assert_eq!(text.parse::<Pace>()?.to_string(), text);
/// }
/// assert_eq!("tc=1m+0.5".parse::<Pace>()?.to_string(), "tc=60s+500ms");
/// # Ok::<(), noughts_arena::PaceError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub enum TimeControl {
    /// So long for each move.
    MoveTime(Duration),
    /// So long for the game, and so much more after each move.
    Clock {
        /// What the clock shows at first.
        base: Duration,
        /// What each move adds.
        increment: Duration,
    },
    /// So many positions (or random games) for each move.
    Nodes(u64),
    /// So many plies ahead.
    Depth(u32),
}

/// A pace that cannot be read.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error(
    "{0:?} is no pace: `time=100ms` for each move, `tc=10s+100ms` for a clock and what each move \
     adds, `nodes=5000` or `depth=4`"
)]
pub struct TimeControlError(pub String);

/// No game is planned for longer.
const LONGEST: Duration = Duration::from_secs(30 * 24 * 60 * 60);

impl FromStr for TimeControl {
    type Err = TimeControlError;

    fn from_str(text: &str) -> Result<TimeControl, TimeControlError> {
        let wrong = || TimeControlError(text.chars().take(40).collect());
        let (name, value) = text.split_once('=').ok_or_else(wrong)?;
        let pace = match name {
            // A bare number is milliseconds for a move, as in `noughts best`, ...
            "time" => duration(value, "ms").map(TimeControl::MoveTime),
            "tc" => {
                let (base, increment) = value.split_once('+').unwrap_or((value, "0"));
                // ... and seconds for a game, as other arenas have it.
                duration(base, "s")
                    .zip(duration(increment, "s"))
                    .map(|(base, increment)| TimeControl::Clock { base, increment })
            }
            "nodes" => value.parse().ok().map(TimeControl::Nodes),
            "depth" => value.parse().ok().map(TimeControl::Depth),
            _ => None,
        };
        pace.filter(|pace| pace.is_nonzero()).ok_or_else(wrong)
    }
}

impl TimeControl {
    pub(crate) fn is_nonzero(self) -> bool {
        match self {
            TimeControl::MoveTime(time) => !time.is_zero(),
            TimeControl::Clock { base, .. } => !base.is_zero(),
            TimeControl::Nodes(nodes) => nodes > 0,
            TimeControl::Depth(depth) => depth > 0,
        }
    }
}

/// `100ms`, `2s`, `1.5m`, `1h`; the usual unit where none is said.
fn duration(text: &str, usual: &str) -> Option<Duration> {
    let end = text.find(|c: char| c.is_ascii_alphabetic());
    let (number, unit) = text.split_at(end.unwrap_or(text.len()));
    let unit = match unit {
        "" => usual,
        unit => unit,
    };
    let unit = match unit {
        "us" => 1e-6,
        "ms" => 1e-3,
        "s" => 1.0,
        "m" | "min" => 60.0,
        "h" => 3600.0,
        _ => return None,
    };
    let number: f64 = number.parse().ok()?;
    let time = Duration::try_from_secs_f64(number * unit).ok()?;
    // Whole microseconds: what is printed is what is meant.
    let time = Duration::from_micros(u64::try_from(time.as_micros()).ok()?);
    (time <= LONGEST).then_some(time)
}

struct Shown(Duration);

impl fmt::Display for Shown {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let micros = self.0.as_micros();
        match micros {
            _ if micros.is_multiple_of(1_000_000) => write!(f, "{}s", micros / 1_000_000),
            _ if micros.is_multiple_of(1_000) => write!(f, "{}ms", micros / 1_000),
            _ => write!(f, "{micros}us"),
        }
    }
}

impl fmt::Display for TimeControl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            TimeControl::MoveTime(time) => write!(f, "time={}", Shown(*time)),
            TimeControl::Clock { base, increment } => {
                write!(f, "tc={}+{}", Shown(*base), Shown(*increment))
            }
            TimeControl::Nodes(nodes) => write!(f, "nodes={nodes}"),
            TimeControl::Depth(depth) => write!(f, "depth={depth}"),
        }
    }
}

impl From<TimeControl> for String {
    fn from(pace: TimeControl) -> String {
        pace.to_string()
    }
}

impl TryFrom<String> for TimeControl {
    type Error = TimeControlError;

    fn try_from(text: String) -> Result<TimeControl, TimeControlError> {
        text.parse()
    }
}
