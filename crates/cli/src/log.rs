//! The server's log on standard error: its form, what goes into it, and how it is written.

use std::io::{self, Write};
use std::time::Duration;

use clap::ValueEnum;
use noughts_server::LogWriter;
use tracing::{Level, Metadata};
use tracing_subscriber::filter::{FilterExt, filter_fn};
use tracing_subscriber::prelude::*;
use tracing_subscriber::{EnvFilter, fmt, registry};

use crate::error::Error;

/// What decides how much is logged.
const VARIABLE: &str = "NOUGHTS_LOG";

/// How long the end of the program waits for the last lines to be written.
const LAST_LINES: Duration = Duration::from_secs(1);

/// How the log is written.
#[derive(Clone, Copy, ValueEnum)]
pub(crate) enum LogFormat {
    /// For people.
    Text,
    /// For programs, one JSON object on each line.
    Json,
}

/// The log, until it is dropped.
pub(crate) struct LogGuard(LogWriter);

impl LogGuard {
    /// Starts logging. Panics are logged like everything else: written directly, they would
    /// wait for a standard error that nobody reads.
    pub(crate) fn init(form: LogFormat) -> Result<LogGuard, Error> {
        let filter = match std::env::var(VARIABLE) {
            Ok(chosen) => EnvFilter::try_new(chosen).map_err(|error| {
                Error::argument(VARIABLE, format!("{error}; try info or debug"))
            })?,
            Err(_) => EnvFilter::new("info"),
        };
        let failed = |error| Error::Failure(format!("cannot write the log: {error}"));
        let writer = LogWriter::start(standard_error().map_err(failed)?).map_err(failed)?;
        let lines = {
            let writer = writer.clone();
            fmt::layer()
                .with_writer(move || writer.clone())
                .with_target(false)
                .log_internal_errors(false)
        };
        let lines = match form {
            LogFormat::Text => lines.with_ansi(false).boxed(),
            LogFormat::Json => lines.json().boxed(),
        };
        let filter = filter.and(filter_fn(is_free_of_content));
        registry().with(lines.with_filter(filter)).init();
        std::panic::set_hook(Box::new(|panic| {
            let place = panic.location().map(ToString::to_string);
            let reason = panic.payload_as_str();
            tracing::error!(place, reason, "panic");
        }));
        Ok(LogGuard(writer))
    }

    pub(crate) fn writer(&self) -> LogWriter {
        self.0.clone()
    }
}

impl Drop for LogGuard {
    fn drop(&mut self) {
        let _ = self.0.flush_within(LAST_LINES);
    }
}

/// Libraries log at `debug` and `trace` what they send and receive, with everything that
/// players write in it. Our own events name nobody.
fn is_free_of_content(event: &Metadata<'_>) -> bool {
    event.target().starts_with("noughts") || *event.level() <= Level::INFO
}

/// Standard error without the lock that other threads would wait for while a write blocks.
#[cfg(unix)]
fn standard_error() -> io::Result<impl Write + Send + 'static> {
    use std::fs::File;
    use std::os::fd::AsFd;
    let descriptor = io::stderr().as_fd().try_clone_to_owned()?;
    Ok(File::from(descriptor))
}

#[cfg(not(unix))]
fn standard_error() -> io::Result<impl Write + Send + 'static> {
    Ok(io::stderr())
}
