//! Timestamps, as in the store and in records.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use jiff::tz::TimeZone;

/// A point in time with millisecond precision. Formats and parses as RFC 3339.
///
/// ```
/// use noughts_store::Timestamp;
///
/// let time: Timestamp = "2026-11-15T20:31:07.250+01:00".parse()?;
/// assert_eq!(time.to_string(), "2026-11-15T19:31:07.250Z");
/// assert_eq!(Timestamp::from_millis(0).to_string(), "1970-01-01T00:00:00.000Z");
/// # Ok::<(), noughts_store::TimestampError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Timestamp(i64);

/// A text that isn't a timestamp.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("a time must look like 2026-11-15T19:31:07.250Z")]
pub struct TimestampError;

impl Timestamp {
    /// The current time.
    #[must_use]
    pub fn now() -> Timestamp {
        Timestamp(jiff::Timestamp::now().as_millisecond())
    }

    /// This many milliseconds after the start of 1970, clamped to the years −9999 to 9999.
    #[must_use]
    pub fn from_millis(millis: i64) -> Timestamp {
        let first = jiff::Timestamp::MIN.as_second() * 1000;
        let last = jiff::Timestamp::MAX.as_second() * 1000;
        Timestamp(millis.clamp(first, last))
    }

    /// Milliseconds since the start of 1970.
    #[must_use]
    pub const fn as_millis(self) -> i64 {
        self.0
    }

    /// The timestamp this much later; `None` after the year 9999.
    #[must_use]
    pub fn checked_add(self, duration: Duration) -> Option<Timestamp> {
        let duration = i64::try_from(duration.as_millis()).ok()?;
        let later = self.0.checked_add(duration)?;
        Some(Timestamp::from_millis(later)).filter(|time| time.0 == later)
    }

    /// Local date and time to the minute: `2026-11-15 20:31`.
    #[must_use]
    pub fn to_local_string(self) -> String {
        let zoned = self.jiff().to_zoned(TimeZone::system());
        zoned.strftime("%Y-%m-%d %H:%M").to_string()
    }

    /// The UTC date as in records: `2026.11.15`.
    #[must_use]
    pub fn to_record_date(self) -> String {
        let zoned = self.jiff().to_zoned(TimeZone::UTC);
        zoned.strftime("%Y.%m.%d").to_string()
    }

    /// The start of a date in a record, in UTC.
    pub(crate) fn from_record_date(text: &str) -> Option<Timestamp> {
        // From the end, because the year may have a sign.
        let mut parts = text.rsplitn(3, '.');
        let (day, month, year) = (parts.next()?, parts.next()?, parts.next()?);
        let (day, month, year) = (day.parse().ok()?, month.parse().ok()?, year.parse().ok()?);
        let date = jiff::civil::Date::new(year, month, day).ok()?;
        // The first and last dates of the range are incomplete.
        let nearest = if date.year() < 0 { i64::MIN } else { i64::MAX };
        let zoned = date.to_zoned(TimeZone::UTC);
        let millis = zoned.map_or(nearest, |zoned| zoned.timestamp().as_millisecond());
        Some(Timestamp::from_millis(millis))
    }

    fn jiff(self) -> jiff::Timestamp {
        jiff::Timestamp::from_millisecond(self.0).unwrap_or_default()
    }
}

impl fmt::Display for Timestamp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:.3}", self.jiff())
    }
}

impl FromStr for Timestamp {
    type Err = TimestampError;

    fn from_str(text: &str) -> Result<Timestamp, TimestampError> {
        let parsed: Result<jiff::Timestamp, _> = text.parse();
        parsed
            .map(|time| Timestamp::from_millis(time.as_millisecond()))
            .map_err(|_| TimestampError)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn timestamps_round_trip() {
        for millis in [0, 1, -1, 1_794_771_067_250, i64::MAX, i64::MIN] {
            let time = Timestamp::from_millis(millis);
            assert_eq!(time.to_string().parse(), Ok(time), "{millis}");
        }
        for text in ["", "yesterday", "2026-11-15", "2026-13-15T00:00:00Z"] {
            assert_eq!(text.parse::<Timestamp>(), Err(TimestampError));
        }
    }

    #[test]
    fn record_dates_round_trip() {
        let start = Timestamp::from_record_date("2026.11.15").expect("a date");
        assert_eq!(start.to_string(), "2026-11-15T00:00:00.000Z");
        assert_eq!(start.to_record_date(), "2026.11.15");
        // Every exported date can be imported.
        for millis in [i64::MIN, -62_200_000_000_000, -1, i64::MAX] {
            let date = Timestamp::from_millis(millis).to_record_date();
            let parsed = Timestamp::from_record_date(&date);
            assert_eq!(parsed.map(Timestamp::to_record_date), Some(date));
        }
        for text in ["????.??.??", "2026.11.??", "2026.02.30", "15.11.2026"] {
            assert_eq!(Timestamp::from_record_date(text), None, "{text}");
        }
    }
}
