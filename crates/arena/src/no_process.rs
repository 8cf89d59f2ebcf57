//! The replacement for `process.rs` and `launcher.rs` on systems where external bots can't be run
//! yet.

use std::ffi::OsString;
use std::process::ExitCode;

pub(crate) const UNSUPPORTED: &str =
    "external bots aren't supported on this system yet; use built-in bots";

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
