//! The signals that ask the program to stop.

#[cfg(unix)]
use std::task::{Context, Poll};

use crate::error::CliError;

/// Ctrl-C, SIGTERM, and the end of the terminal (SIGHUP) unless the program was started to outlive that. Signals that
/// arrive before somebody waits for them count, too.
#[cfg(unix)]
pub(crate) struct StopSignals(Vec<(u8, tokio::signal::unix::Signal)>);

/// The number of the signal for the end of the terminal.
pub(crate) const HANGUP: u8 = 1;

#[cfg(unix)]
impl StopSignals {
    /// Needs a runtime.
    pub(crate) fn new() -> Result<StopSignals, CliError> {
        use tokio::signal::unix::{SignalKind, signal};
        let mut kinds = vec![(2, SignalKind::interrupt()), (15, SignalKind::terminate())];
        if !ignores_hangup() {
            kinds.push((HANGUP, SignalKind::hangup()));
        }
        let kinds = kinds.into_iter();
        let signals = kinds.map(|(number, kind)| Ok((number, signal(kind)?)));
        let signals: std::io::Result<_> = signals.collect();
        (signals.map(StopSignals)).map_err(|error| CliError::failed("can't handle signals", error))
    }

    /// Waits for the next signal and returns its number.
    pub(crate) async fn next(&mut self) -> u8 {
        let poll = |context: &mut Context<'_>| {
            let arrived = (self.0.iter_mut()).find_map(|(number, signal)| {
                let is_ready = signal.poll_recv(context).is_ready();
                is_ready.then_some(*number)
            });
            arrived.map_or(Poll::Pending, Poll::Ready)
        };
        std::future::poll_fn(poll).await
    }
}

/// Ctrl-C.
#[cfg(not(unix))]
pub(crate) struct StopSignals;

#[cfg(not(unix))]
impl StopSignals {
    /// Needs a runtime.
    pub(crate) fn new() -> Result<StopSignals, CliError> {
        Ok(StopSignals)
    }

    /// Waits for the next signal and returns its number.
    pub(crate) async fn next(&mut self) -> u8 {
        match tokio::signal::ctrl_c().await {
            Ok(()) => 2,
            Err(_) => std::future::pending().await,
        }
    }
}

/// Was this process started to outlive its terminal, as with `nohup`? This is only known on Linux;
/// elsewhere the answer is no.
#[cfg(unix)]
fn ignores_hangup() -> bool {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let ignored = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    let ignored = ignored.and_then(|bits| u64::from_str_radix(bits.trim(), 16).ok());
    // SIGHUP has the number 1: the lowest bit.
    ignored.is_some_and(|bits| bits & 1 == 1)
}
