//! The server's log on standard error: its format, filter and writer.

use std::io::{self, Write};
use std::time::Duration;

use clap::ValueEnum;
use noughts_server::LogWriter;
use tracing::{Level, Metadata};
use tracing_subscriber::filter::{FilterExt, filter_fn};
use tracing_subscriber::prelude::*;
use tracing_subscriber::{EnvFilter, fmt, registry};

use crate::error::CliError;

/// The environment variable that holds the log filter.
const FILTER_VARIABLE: &str = "NOUGHTS_LOG";

/// How long the program waits for the last lines to be written when it ends.
const FLUSH_TIMEOUT: Duration = Duration::from_secs(1);

/// How the log is written.
#[derive(Clone, Copy, ValueEnum)]
pub(crate) enum LogFormat {
    /// Human-readable text
    Text,
    /// One JSON object per line
    Json,
}

/// Flushes the log when dropped.
pub(crate) struct LogGuard(LogWriter);

impl LogGuard {
    /// Starts logging. Panics go through the log, too: written directly, they would block on a
    /// standard error that nobody reads.
    pub(crate) fn init(format: LogFormat) -> Result<LogGuard, CliError> {
        let filter = match std::env::var(FILTER_VARIABLE) {
            Ok(directives) => EnvFilter::try_new(directives).map_err(|error| {
                CliError::argument(FILTER_VARIABLE, format!("{error}; try info or debug"))
            })?,
            Err(_) => EnvFilter::new("info"),
        };
        let failed = |error| CliError::Failure(format!("can't write the log: {error}"));
        let writer = LogWriter::start(standard_error().map_err(failed)?).map_err(failed)?;
        let lines = {
            let writer = writer.clone();
            fmt::layer()
                .with_writer(move || writer.clone())
                .with_target(false)
                .log_internal_errors(false)
        };
        let lines = match format {
            LogFormat::Text => lines.with_ansi(false).boxed(),
            LogFormat::Json => lines.json().boxed(),
        };
        let filter = filter.and(filter_fn(has_no_user_content));
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
        let _ = self.0.flush_within(FLUSH_TIMEOUT);
    }
}

/// At `debug` and `trace`, libraries log what they send and receive, including everything that
/// players type. Our own events contain no user content.
fn has_no_user_content(event: &Metadata<'_>) -> bool {
    event.target().starts_with("noughts") || *event.level() <= Level::INFO
}

/// Standard error without its lock, which other threads would wait for while a write blocks.
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
