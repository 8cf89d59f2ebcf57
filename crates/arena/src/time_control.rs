//! Time controls: a time per move, a clock for the game, or a limit on nodes or depth.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use serde::{Deserialize, Serialize};

/// How long a player may think.
///
/// ```
/// use noughts_arena::TimeControl;
/// for text in ["time=100ms", "tc=10s+100ms", "nodes=5000", "depth=4"] {
///     assert_eq!(text.parse::<TimeControl>()?.to_string(), text);
/// }
/// assert_eq!("tc=1m+0.5".parse::<TimeControl>()?.to_string(), "tc=60s+500ms");
/// # Ok::<(), noughts_arena::TimeControlError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub enum TimeControl {
    /// Time per move.
    MoveTime(Duration),
    /// A clock for the game with an increment per move.
    Clock {
        /// The initial time on the clock.
        base: Duration,
        /// The time added after each move.
        increment: Duration,
    },
    /// Nodes (or playouts) per move.
    Nodes(u64),
    /// Search depth in plies.
    Depth(u32),
}

/// The text isn't a time control.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error(
    "{0:?} isn't a time control; use `time=100ms` (per move), `tc=10s+100ms` (clock plus \
     increment per move), `nodes=5000` or `depth=4`"
)]
pub struct TimeControlError(pub String);

/// The longest time accepted.
const MAX_TIME: Duration = Duration::from_secs(30 * 24 * 60 * 60);

impl FromStr for TimeControl {
    type Err = TimeControlError;

    fn from_str(text: &str) -> Result<TimeControl, TimeControlError> {
        let error = || TimeControlError(text.chars().take(40).collect());
        let (name, value) = text.split_once('=').ok_or_else(error)?;
        let time_control = match name {
            // A plain number is milliseconds for a move, as in `noughts best`.
            "time" => parse_duration(value, "ms").map(TimeControl::MoveTime),
            "tc" => {
                let (base, increment) = value.split_once('+').unwrap_or((value, "0"));
                // A plain number is seconds for a game, as in other match runners.
                parse_duration(base, "s")
                    .zip(parse_duration(increment, "s"))
                    .map(|(base, increment)| TimeControl::Clock { base, increment })
            }
            "nodes" => value.parse().ok().map(TimeControl::Nodes),
            "depth" => value.parse().ok().map(TimeControl::Depth),
            _ => None,
        };
        time_control
            .filter(|time_control| time_control.is_nonzero())
            .ok_or_else(error)
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

/// Parses `100ms`, `2s`, `1.5m`, `1h`; a plain number has the default unit.
fn parse_duration(text: &str, default_unit: &str) -> Option<Duration> {
    let end = text.find(|c: char| c.is_ascii_alphabetic());
    let (number, unit) = text.split_at(end.unwrap_or(text.len()));
    let unit = match if unit.is_empty() { default_unit } else { unit } {
        "us" => 1e-6,
        "ms" => 1e-3,
        "s" => 1.0,
        "m" | "min" => 60.0,
        "h" => 3600.0,
        _ => return None,
    };
    let number: f64 = number.parse().ok()?;
    let time = Duration::try_from_secs_f64(number * unit).ok()?;
    // Round to whole microseconds, so that the printed form is exact.
    let time = Duration::from_micros(u64::try_from(time.as_micros()).ok()?);
    (time <= MAX_TIME).then_some(time)
}

fn duration_text(time: Duration) -> String {
    let micros = time.as_micros();
    match micros {
        _ if micros.is_multiple_of(1_000_000) => format!("{}s", micros / 1_000_000),
        _ if micros.is_multiple_of(1_000) => format!("{}ms", micros / 1_000),
        _ => format!("{micros}us"),
    }
}

impl fmt::Display for TimeControl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            TimeControl::MoveTime(time) => write!(f, "time={}", duration_text(*time)),
            TimeControl::Clock { base, increment } => {
                let [base, increment] = [base, increment].map(|time| duration_text(*time));
                write!(f, "tc={base}+{increment}")
            }
            TimeControl::Nodes(nodes) => write!(f, "nodes={nodes}"),
            TimeControl::Depth(depth) => write!(f, "depth={depth}"),
        }
    }
}

impl From<TimeControl> for String {
    fn from(time_control: TimeControl) -> String {
        time_control.to_string()
    }
}

impl TryFrom<String> for TimeControl {
    type Error = TimeControlError;

    fn try_from(text: String) -> Result<TimeControl, TimeControlError> {
        text.parse()
    }
}
