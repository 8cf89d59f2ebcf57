//! The bot of the tests; where outside programs can't be run, there is nothing to test.

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
