//! The replacement for `process.rs` on systems where external programs can't be run yet: starting
//! one always fails.

use std::ffi::OsString;
use std::path::Path;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use crate::player::{PlayerError, PlayerErrorKind};
pub(crate) use crate::process_types::{ExitMode, ExitReport, ProcessIoError};
use crate::protocol_log::ProcessLogger;
use crate::spec::Program;

const UNSUPPORTED: &str = "external bots aren't supported on this system yet; use built-in bots";

/// Can't be constructed.
pub(crate) enum BotProcess {}

impl BotProcess {
    pub(crate) fn start(_: &Program, _: &str, _: Option<&Path>) -> Result<BotProcess, PlayerError> {
        Err(PlayerError::new(PlayerErrorKind::StartFailure, UNSUPPORTED))
    }

    pub(crate) fn set_logger(&mut self, _: Option<ProcessLogger>) {
        match *self {}
    }

    pub(crate) fn start_turn(&mut self) {
        match *self {}
    }

    pub(crate) fn send(&mut self, _: &str, _: Instant) -> Result<(), ProcessIoError> {
        match *self {}
    }

    pub(crate) fn read_line(&mut self, _: Instant) -> Result<String, ProcessIoError> {
        match *self {}
    }

    pub(crate) fn try_read_line(&mut self) -> Result<Option<String>, ProcessIoError> {
        match *self {}
    }

    pub(crate) fn buffered_line(&mut self) -> Option<String> {
        match *self {}
    }

    pub(crate) fn partial_line(&self) -> Option<String> {
        match *self {}
    }

    pub(crate) fn terminate(&mut self, _: ExitMode) -> ExitReport {
        match *self {}
    }

    pub(crate) fn terminate_within(&mut self, _: ExitMode, _: Duration) -> ExitReport {
        match *self {}
    }
}

pub(crate) fn check_executable(program: &Program) -> Result<(), String> {
    Err(format!(
        "can't run {command}: {UNSUPPORTED}",
        command = program.command
    ))
}

/// Does nothing: no external bot can be started.
pub fn raise_open_file_limit() {}

/// Does nothing: no external bot can be started.
pub fn set_launcher_command(_: Vec<OsString>) {}

/// Fails: external bots can't be started here.
#[must_use]
pub fn run_launcher() -> u8 {
    eprintln!("{UNSUPPORTED}");
    2
}

/// Returns `None`: external bots can't be started here.
#[must_use]
pub fn run_launcher_if_requested() -> Option<ExitCode> {
    None
}
