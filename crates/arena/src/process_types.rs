//! Types shared by `process.rs` and its replacement on systems that can't run external bots: I/O
//! errors, ways to terminate a process, and its exit report.

use std::process::ExitStatus;

/// The signal sent when a process has used up its CPU time.
const SIGXCPU: i32 = 24;

/// Why reading from or writing to a process failed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[cfg_attr(
    not(unix),
    allow(dead_code, reason = "external programs can't be run there")
)]
pub(crate) enum ProcessIoError {
    /// The deadline passed.
    Timeout,
    /// The process exited or closed a pipe.
    Closed,
    /// The process wrote too much.
    OutputLimit,
}

/// How to terminate a process.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum ExitMode {
    /// Send this text and wait briefly for the process to exit.
    Quit(&'static str),
    /// Close the input and wait briefly for the process to exit.
    CloseInput,
    /// Kill the process immediately.
    Kill,
}

/// What is known about a process that has exited.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct ExitReport {
    /// The exit status; `None` if the process had to be killed.
    pub(crate) status: Option<ExitStatus>,
    /// The number of processes it left behind, which were killed.
    pub(crate) left_behind: usize,
    /// The last line written to standard error.
    pub(crate) stderr_tail: String,
}

impl ExitReport {
    /// A sentence part: `it exited with code 3; its last error output: …`.
    pub(crate) fn describe(&self) -> String {
        let mut text = match self.status {
            Some(status) => match (status.code(), exit_signal(status)) {
                (Some(code), _) => format!("it exited with code {code}"),
                (None, Some(SIGXCPU)) => "it reached its CPU time limit (--bot-cpu)".to_owned(),
                (None, Some(signal)) => format!("it was killed by signal {signal}"),
                (None, None) => "it exited".to_owned(),
            },
            None => "it closed its pipe".to_owned(),
        };
        if !self.stderr_tail.is_empty() {
            text += &format!("; its last error output: {tail:?}", tail = self.stderr_tail);
        }
        text
    }
}

#[cfg(unix)]
fn exit_signal(status: ExitStatus) -> Option<i32> {
    use std::os::unix::process::ExitStatusExt;
    status.signal()
}

#[cfg(not(unix))]
fn exit_signal(_: ExitStatus) -> Option<i32> {
    None
}
