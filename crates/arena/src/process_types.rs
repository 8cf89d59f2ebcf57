//! How an exchange with an outside program can fail, how a program is ended, and what is
//! known of it afterwards.

use std::process::ExitStatus;

/// The system's number of the signal for processor time that is used up.
const SIGXCPU: i32 = 24;

/// Why nothing was read or written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[cfg_attr(
    not(unix),
    allow(dead_code, reason = "outside programs can't be run there")
)]
pub(crate) enum ProcessIoError {
    /// Not in time.
    Timeout,
    /// The program has ended, or closed a pipe.
    Closed,
    /// Far too much was written.
    OutputLimit,
}

/// How a program is put away.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Termination {
    /// It is told this, and has a moment to leave.
    Quit(&'static str),
    /// It seems to leave on its own.
    CloseInput,
    /// It is killed.
    Kill,
}

/// What is known of a program that has ended.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct ExitReport {
    /// How it ended by itself; nothing, if it had to be killed.
    pub(crate) status: Option<ExitStatus>,
    /// Processes that it left behind, and that were killed.
    pub(crate) left_behind: usize,
    /// What it wrote last to its standard error.
    pub(crate) stderr_tail: String,
}

impl ExitReport {
    /// A sentence part: `it ended with exit code 3; its last words: …`.
    pub(crate) fn describe(&self) -> String {
        let mut text = match self.status {
            Some(status) => match (status.code(), signal(status)) {
                (Some(code), _) => format!("it ended with exit code {code}"),
                (None, Some(SIGXCPU)) => "it used up its processor time (--bot-cpu)".to_owned(),
                (None, Some(signal)) => format!("it was ended by signal {signal}"),
                (None, None) => "it ended".to_owned(),
            },
            None => "it closed its pipe".to_owned(),
        };
        if !self.stderr_tail.is_empty() {
            text += &format!("; its last words: {:?}", self.stderr_tail);
        }
        text
    }
}

#[cfg(unix)]
fn signal(status: ExitStatus) -> Option<i32> {
    use std::os::unix::process::ExitStatusExt;
    status.signal()
}

#[cfg(not(unix))]
fn signal(_: ExitStatus) -> Option<i32> {
    None
}
