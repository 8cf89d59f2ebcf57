//! How this process was told to treat signals by whoever started it.

/// Was this process started to outlive its terminal, as with `nohup`? Known on Linux; elsewhere
/// the answer is no.
#[cfg(unix)]
pub(crate) fn ignores_hangup() -> bool {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let ignored = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    let ignored = ignored.and_then(|bits| u64::from_str_radix(bits.trim(), 16).ok());
    // The signal's number is 1: the lowest bit.
    ignored.is_some_and(|bits| bits & 1 == 1)
}
