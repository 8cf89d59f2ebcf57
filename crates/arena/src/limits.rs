//! What an outside bot may use, as people write it: memory, processor time, and variables
//! of its environment.

use crate::error_text::excerpt;
use crate::orphans::TAG;

/// Less would not let most programs start.
const LEAST_MEMORY: u64 = 32;
/// A pebibyte.
const MOST_MEMORY: u64 = 1 << 30;
const MOST_CPU: u64 = 365 * 24 * 3600;

/// Memory in MiB: `512M`, `2G`; a bare number is MiB.
///
/// ```
/// use noughts_arena::limits;
/// assert_eq!(limits::memory("512M"), Ok(512));
/// assert_eq!(limits::memory("2GiB"), Ok(2048));
/// assert_eq!(limits::memory("64"), Ok(64));
/// assert!(limits::memory("1K").is_err());
/// ```
///
/// # Errors
/// What is allowed, as a sentence.
pub fn memory(text: &str) -> Result<u64, String> {
    let end = text.find(|c: char| c.is_ascii_alphabetic());
    let (number, unit) = text.split_at(end.unwrap_or(text.len()));
    let factor = match unit.to_ascii_lowercase().as_str() {
        "" | "m" | "mb" | "mib" => Some(1),
        "g" | "gb" | "gib" => Some(1024),
        _ => None,
    };
    let number = number.trim().parse::<u64>().ok();
    number
        .zip(factor)
        .and_then(|(number, factor)| number.checked_mul(factor))
        .filter(|mebibytes| (LEAST_MEMORY..=MOST_MEMORY).contains(mebibytes))
        .ok_or_else(|| format!("memory is needed, such as 512M or 2G; at least {LEAST_MEMORY}M"))
}

/// Processor time in seconds: `30s`, `2m`; a bare number is seconds.
///
/// ```
/// use noughts_arena::limits;
/// assert_eq!(limits::cpu("30s"), Ok(30));
/// assert_eq!(limits::cpu("2m"), Ok(120));
/// assert_eq!(limits::cpu("5"), Ok(5));
/// assert!(limits::cpu("100ms").is_err());
/// ```
///
/// # Errors
/// What is allowed, as a sentence.
pub fn cpu(text: &str) -> Result<u64, String> {
    let end = text.find(|c: char| c.is_ascii_alphabetic());
    let (number, unit) = text.split_at(end.unwrap_or(text.len()));
    let factor = match unit {
        "" | "s" => Some(1),
        "m" | "min" => Some(60),
        "h" => Some(3600),
        _ => None,
    };
    let number = number.trim().parse::<u64>().ok();
    number
        .zip(factor)
        .and_then(|(number, factor)| number.checked_mul(factor))
        .filter(|seconds| (1..=MOST_CPU).contains(seconds))
        .ok_or_else(|| "processor time in whole seconds is needed, such as 30s or 2m".into())
}

/// A variable: `NAME=VALUE`, or `NAME` for the value that the arena has.
///
/// ```
/// use noughts_arena::limits;
/// assert_eq!(limits::env("A=b=c"), Ok(("A".into(), Some("b=c".into()))));
/// assert_eq!(limits::env("PYTHONPATH"), Ok(("PYTHONPATH".into(), None)));
/// assert!(limits::env("=x").is_err());
/// ```
///
/// # Errors
/// What is allowed, as a sentence.
pub fn env(text: &str) -> Result<(String, Option<String>), String> {
    let (name, value) = match text.split_once('=') {
        Some((name, value)) => (name, Some(value.to_owned())),
        None => (text, None),
    };
    check_env_name(name)?;
    if value.as_ref().is_some_and(|value| value.contains('\0')) {
        return Err("a variable's value can't hold a zero byte".into());
    }
    Ok((name.to_owned(), value))
}

/// Can a variable have this name?
pub(crate) fn check_env_name(name: &str) -> Result<(), String> {
    let is_odd = |c: char| c.is_control() || c.is_whitespace() || c == '=';
    match name {
        TAG => Err(format!("{TAG} is set by the arena itself")),
        _ if name.is_empty() || name.contains(is_odd) => Err(format!(
            "{:?} isn't a variable's name; NAME or NAME=VALUE is needed",
            excerpt(name)
        )),
        _ => Ok(()),
    }
}
