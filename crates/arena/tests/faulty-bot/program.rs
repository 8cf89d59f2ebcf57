//! The bot used by the tests. On systems where external programs can't be run there is nothing to
//! test.

use std::process::ExitCode;

#[cfg(unix)]
mod bot;

#[cfg(unix)]
fn main() -> ExitCode {
    bot::main()
}

#[cfg(not(unix))]
fn main() -> ExitCode {
    ExitCode::FAILURE
}
