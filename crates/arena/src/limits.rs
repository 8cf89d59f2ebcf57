//! Parses the resource limits of external bots as users write them: memory, CPU time, and
//! environment variables.

use std::ops::RangeInclusive;

use crate::error_text::excerpt;
use crate::orphans::TAG_VARIABLE;

/// Most programs can't start with less, in MiB.
const MIN_MEMORY: u64 = 32;
/// One pebibyte, in MiB.
const MAX_MEMORY: u64 = 1 << 30;
const MAX_CPU: u64 = 365 * 24 * 3600;

/// Parses memory in MiB: `512M`, `2G`; a plain number is MiB.
///
/// ```
/// use noughts_arena::limits;
/// assert_eq!(limits::parse_memory("512M"), Ok(512));
/// assert_eq!(limits::parse_memory("2GiB"), Ok(2048));
/// assert_eq!(limits::parse_memory("64"), Ok(64));
/// assert!(limits::parse_memory("1K").is_err());
/// ```
///
/// # Errors
/// What is allowed, as a sentence.
pub fn parse_memory(text: &str) -> Result<u64, String> {
    let factor = |unit: &str| match unit.to_ascii_lowercase().as_str() {
        "" | "m" | "mb" | "mib" => Some(1),
        "g" | "gb" | "gib" => Some(1024),
        _ => None,
    };
    parse_quantity(text, factor, MIN_MEMORY..=MAX_MEMORY).ok_or_else(|| {
        format!("use an amount of memory such as 512M or 2G, at least {MIN_MEMORY}M")
    })
}

/// Parses a whole number with a unit, in multiples of the smallest unit.
fn parse_quantity(
    text: &str,
    factor: impl Fn(&str) -> Option<u64>,
    range: RangeInclusive<u64>,
) -> Option<u64> {
    let end = text.find(|c: char| c.is_ascii_alphabetic());
    let (number, unit) = text.split_at(end.unwrap_or(text.len()));
    let number: u64 = number.trim().parse().ok()?;
    let quantity = number.checked_mul(factor(unit)?)?;
    range.contains(&quantity).then_some(quantity)
}

/// Parses CPU time in seconds: `30s`, `2m`; a plain number is seconds.
///
/// ```
/// use noughts_arena::limits;
/// assert_eq!(limits::parse_cpu("30s"), Ok(30));
/// assert_eq!(limits::parse_cpu("2m"), Ok(120));
/// assert_eq!(limits::parse_cpu("5"), Ok(5));
/// assert!(limits::parse_cpu("100ms").is_err());
/// ```
///
/// # Errors
/// What is allowed, as a sentence.
pub fn parse_cpu(text: &str) -> Result<u64, String> {
    let factor = |unit: &str| match unit {
        "" | "s" => Some(1),
        "m" | "min" => Some(60),
        "h" => Some(3600),
        _ => None,
    };
    parse_quantity(text, factor, 1..=MAX_CPU)
        .ok_or_else(|| "use CPU time in whole seconds or minutes, such as 30s or 2m".into())
}

/// Parses an environment variable: `NAME=VALUE`, or `NAME` for the value in the arena's
/// environment.
///
/// ```
/// use noughts_arena::limits;
/// assert_eq!(limits::parse_env("A=b=c"), Ok(("A".into(), Some("b=c".into()))));
/// assert_eq!(limits::parse_env("PYTHONPATH"), Ok(("PYTHONPATH".into(), None)));
/// assert!(limits::parse_env("=x").is_err());
/// ```
///
/// # Errors
/// What is allowed, as a sentence.
pub fn parse_env(text: &str) -> Result<(String, Option<String>), String> {
    let (name, value) = match text.split_once('=') {
        Some((name, value)) => (name, Some(value.to_owned())),
        None => (text, None),
    };
    check_env_name(name)?;
    if value.as_ref().is_some_and(|value| value.contains('\0')) {
        return Err("the value of an environment variable can't contain a null byte".into());
    }
    Ok((name.to_owned(), value))
}

/// Checks the name of an environment variable.
pub(crate) fn check_env_name(name: &str) -> Result<(), String> {
    let is_odd = |c: char| c.is_control() || c.is_whitespace() || c == '=';
    match name {
        TAG_VARIABLE => Err(format!("{TAG_VARIABLE} is reserved for the arena")),
        _ if name.is_empty() || name.contains(is_odd) => Err(format!(
            "{name:?} isn't a valid variable name; use NAME or NAME=VALUE",
            name = excerpt(name)
        )),
        _ => Ok(()),
    }
}
