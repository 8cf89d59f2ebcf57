//! The log of everything sent to and received from external bots, line by line with timestamps, in
//! one file.
//!
//! ```text
//!     0.002 mine#1 * started: python3 bot.py
//!     0.002 mine#1 > ugi
//!     0.031 mine#1 < id name Thirty Lines
//! ```
//!
//! Seconds since the file was opened, the bot and the number of its process, then `>` for a
//! line that it was sent, `<` for one that it wrote, and `*` for what happened to it.

use std::fmt::Write as _;
use std::fs::File;
use std::io::{self, Write as _};
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

use crate::error_text::is_unprintable;
use crate::spec::Program;

/// A log file of the communication with external bots. Clones share the file.
#[derive(Clone, Debug)]
pub struct ProtocolLog(Arc<SharedLog>);

#[derive(Debug)]
struct SharedLog {
    file: Mutex<LogState>,
    start: Instant,
    process_count: AtomicU64,
}

#[derive(Debug)]
struct LogState {
    file: File,
    /// The first write error, after which nothing more is written.
    error: Option<io::Error>,
}

impl ProtocolLog {
    /// Creates the file, replacing an existing one.
    ///
    /// # Errors
    /// The file can't be written.
    pub fn create(path: &Path) -> io::Result<ProtocolLog> {
        let mut file = File::create(path)?;
        writeln!(
            file,
            "# {time}: seconds, bot#process, > sent to the bot, < received from it, * event",
            time = jiff::Timestamp::now()
        )?;
        Ok(ProtocolLog::new(file))
    }

    fn new(file: File) -> ProtocolLog {
        ProtocolLog(Arc::new(SharedLog {
            file: Mutex::new(LogState { file, error: None }),
            start: Instant::now(),
            process_count: AtomicU64::new(0),
        }))
    }

    /// Why the log is incomplete, if it is: write errors such as a full disk don't end a game.
    #[must_use]
    pub fn error(&self) -> Option<String> {
        let state = self.0.file.lock().unwrap_or_else(PoisonError::into_inner);
        state.error.as_ref().map(ToString::to_string)
    }

    /// Logs the start of a process of this bot and returns its logger.
    pub(crate) fn process_logger(&self, name: &str, program: &Program) -> ProtocolLogWriter {
        let number = self.0.process_count.fetch_add(1, Ordering::Relaxed) + 1;
        let logger = ProtocolLogWriter {
            log: self.clone(),
            name: format!("{}#{number}", escape_unprintable(name)),
        };
        logger.log_event(&format!("started: {}", program.command_line()));
        logger
    }

    fn write(&self, lines: &str) {
        let mut state = self.0.file.lock().unwrap_or_else(PoisonError::into_inner);
        if state.error.is_none() {
            state.error = state.file.write_all(lines.as_bytes()).err();
        }
    }
}

/// Logs the lines of one process.
#[derive(Debug)]
pub(crate) struct ProtocolLogWriter {
    log: ProtocolLog,
    name: String,
}

impl ProtocolLogWriter {
    /// Logs lines sent to the process.
    pub(crate) fn log_sent(&self, text: &str) {
        self.log('>', text);
    }

    /// Logs a line received from the process.
    pub(crate) fn log_received(&self, line: &str) {
        // `str::lines` yields nothing for an empty string.
        self.log('<', if line.is_empty() { "\n" } else { line });
    }

    /// Logs an event, such as the process's exit.
    pub(crate) fn log_event(&self, event: &str) {
        self.log('*', event);
    }

    fn log(&self, direction: char, text: &str) {
        let time = self.log.0.start.elapsed().as_secs_f64();
        let mut lines = String::new();
        for line in text.lines() {
            let _ = writeln!(
                lines,
                "{time:9.3} {} {direction} {}",
                self.name,
                escape_unprintable(line)
            );
        }
        self.log.write(&lines);
    }
}

/// Escapes unprintable characters, so that the text stays on one line and has no effect on a
/// terminal.
fn escape_unprintable(text: &str) -> String {
    let mut line = String::with_capacity(text.len());
    for c in text.chars() {
        match is_unprintable(c) {
            true => line.extend(c.escape_default()),
            false => line.push(c),
        }
    }
    line
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_line_has_a_time_and_a_direction() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("log");
        let protocol_log = ProtocolLog::create(&path).expect("a file");
        let program = Program {
            command: "./bot".into(),
            arguments: vec!["-q".into()],
            ..Program::default()
        };
        let logger = protocol_log.process_logger("mine", &program);
        logger.log_sent("position startpos\ngo movetime 100\n");
        logger.log_received("bestmove a1\r\u{1b}[31m");
        logger.log_received("");
        protocol_log
            .process_logger("other", &program)
            .log_event("ended");
        let text = std::fs::read_to_string(&path).expect("a log");
        let lines: Vec<&str> = text.lines().skip(1).map(|line| &line[10..]).collect();
        assert_eq!(
            lines,
            [
                "mine#1 * started: ./bot -q",
                "mine#1 > position startpos",
                "mine#1 > go movetime 100",
                "mine#1 < bestmove a1\\r\\u{1b}[31m",
                "mine#1 < ",
                "other#2 * started: ./bot -q",
                "other#2 * ended",
            ]
        );
        for line in text.lines().skip(1) {
            assert!(line[..9].trim().parse::<f64>().is_ok(), "{line}");
        }
        assert_eq!(protocol_log.error(), None);
    }

    /// A disk that is full from the start is an error; one that fills up later is reported and
    /// doesn't end a game.
    #[cfg(target_os = "linux")]
    #[test]
    fn a_full_disk_is_reported() {
        assert!(ProtocolLog::create(Path::new("/dev/full")).is_err());
        let file = File::options().write(true).open("/dev/full");
        let protocol_log = ProtocolLog::new(file.expect("a device"));
        assert_eq!(protocol_log.error(), None);
        let logger = protocol_log.process_logger("mine", &Program::default());
        logger.log_sent("ugi");
        let error = protocol_log.error().expect("the disk is full");
        assert!(error.contains("No space left"), "{error}");
    }
}
