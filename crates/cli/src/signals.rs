//! How the parent process told this one to treat signals.

/// Was this process started to outlive its terminal, as with `nohup`? This is only known on Linux;
/// elsewhere the answer is no.
#[cfg(unix)]
pub(crate) fn ignores_hangup() -> bool {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let ignored = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    let ignored = ignored.and_then(|bits| u64::from_str_radix(bits.trim(), 16).ok());
    // SIGHUP has the number 1: the lowest bit.
    ignored.is_some_and(|bits| bits & 1 == 1)
}
