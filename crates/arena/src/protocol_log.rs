//! The dialogue with outside bots, line by line with its times, in one file.
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

/// A file that the dialogue with outside bots is written to. Clones share it.
#[derive(Clone, Debug)]
pub struct ProtocolLog(Arc<Shared>);

#[derive(Debug)]
struct Shared {
    file: Mutex<State>,
    began: Instant,
    processes: AtomicU64,
}

#[derive(Debug)]
struct State {
    file: File,
    /// Why the file is not complete.
    error: Option<io::Error>,
}

impl ProtocolLog {
    /// Starts a new file; one that is there is replaced.
    ///
    /// # Errors
    /// It cannot be written.
    pub fn create(path: &Path) -> io::Result<ProtocolLog> {
        let mut file = File::create(path)?;
        writeln!(
            file,
            "# {}: seconds, bot#process, > sent to it, < written by it, * what happened",
            jiff::Timestamp::now()
        )?;
        Ok(ProtocolLog::new(file))
    }

    fn new(file: File) -> ProtocolLog {
        ProtocolLog(Arc::new(Shared {
            file: Mutex::new(State { file, error: None }),
            began: Instant::now(),
            processes: AtomicU64::new(0),
        }))
    }

    /// Why the file is not complete, if it isn't: a full disk ends no game.
    #[must_use]
    pub fn error(&self) -> Option<String> {
        let state = self.0.file.lock().unwrap_or_else(PoisonError::into_inner);
        state.error.as_ref().map(ToString::to_string)
    }

    /// A process of this bot has started.
    pub(crate) fn process_logger(&self, name: &str, program: &Program) -> ProcessLogger {
        let number = self.0.processes.fetch_add(1, Ordering::Relaxed) + 1;
        let speaker = ProcessLogger {
            dialogue: self.clone(),
            name: format!("{}#{number}", shown(name)),
        };
        let mut command = program.command.clone();
        for argument in &program.arguments {
            command.push(' ');
            command += argument;
        }
        speaker.log_event(&format!("started: {command}"));
        speaker
    }

    fn write(&self, lines: &str) {
        let mut state = self.0.file.lock().unwrap_or_else(PoisonError::into_inner);
        if state.error.is_none() {
            state.error = state.file.write_all(lines.as_bytes()).err();
        }
    }
}

/// One process in a dialogue.
#[derive(Debug)]
pub(crate) struct ProcessLogger {
    dialogue: ProtocolLog,
    name: String,
}

impl ProcessLogger {
    /// It was sent these lines.
    #[cfg_attr(
        not(unix),
        allow(dead_code, reason = "outside programs can't be run there")
    )]
    pub(crate) fn log_sent(&self, text: &str) {
        self.note('>', text);
    }

    /// It wrote this line.
    #[cfg_attr(
        not(unix),
        allow(dead_code, reason = "outside programs can't be run there")
    )]
    pub(crate) fn log_received(&self, line: &str) {
        // An empty line is a line.
        self.note('<', if line.is_empty() { "\n" } else { line });
    }

    /// Something happened to it.
    pub(crate) fn log_event(&self, what: &str) {
        self.note('*', what);
    }

    fn note(&self, mark: char, text: &str) {
        let time = self.dialogue.0.began.elapsed().as_secs_f64();
        let mut lines = String::new();
        for line in text.lines() {
            let _ = writeln!(lines, "{time:9.3} {} {mark} {}", self.name, shown(line));
        }
        self.dialogue.write(&lines);
    }
}

/// Text on one line; what a terminal would act on is spelled out.
fn shown(text: &str) -> String {
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
    fn every_line_has_its_time_and_its_direction() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("log");
        let dialogue = ProtocolLog::create(&path).expect("a file");
        let program = Program {
            command: "./bot".into(),
            arguments: vec!["-q".into()],
            ..Program::default()
        };
        let speaker = dialogue.process_logger("mine", &program);
        speaker.log_sent("position startpos\ngo movetime 100\n");
        speaker.log_received("bestmove a1\r\u{1b}[31m");
        speaker.log_received("");
        dialogue
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
        assert_eq!(dialogue.error(), None);
    }

    /// A disk that is full from the start is refused; one that fills up later is reported,
    /// and ends nothing.
    #[cfg(target_os = "linux")]
    #[test]
    fn a_full_disk_is_reported() {
        assert!(ProtocolLog::create(Path::new("/dev/full")).is_err());
        let file = File::options().write(true).open("/dev/full");
        let dialogue = ProtocolLog::new(file.expect("a device"));
        assert_eq!(dialogue.error(), None);
        let speaker = dialogue.process_logger("mine", &Program::default());
        speaker.log_sent("ugi");
        let error = dialogue.error().expect("the disk is full");
        assert!(error.contains("No space left"), "{error}");
    }
}
