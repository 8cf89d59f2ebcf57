//! Copies the standard error of external bots to a log file of limited size, and keeps the last
//! line for error messages.

use std::fs::{self, File, OpenOptions};
use std::io::{self, PipeReader, PipeWriter, Read, Write};
use std::path::Path;
use std::thread::{self, JoinHandle};

use rustix::event::{PollFd, PollFlags, poll};

use crate::process::set_nonblocking;

/// The size limit of a log file in bytes, not counting the line that reports it.
const MAX_LOG_SIZE: u64 = 8 << 20;
const LOG_FULL_LINE: &str = "--- the log is full: further output isn't saved\n";
/// How many bytes from the end are kept in memory.
const TAIL_BYTES: usize = 2048;
/// How many characters from the end of the last line are reported.
const TAIL_CHARS: usize = 200;
/// The most that is read after the program has exited.
const MAX_REST: usize = 1 << 20;

/// A thread that copies a bot's standard error.
pub(crate) struct StderrLog {
    /// Returns the last bytes.
    thread: JoinHandle<Vec<u8>>,
    /// Dropped when the program has exited: another process may still hold the pipe open.
    exit_signal: PipeWriter,
}

impl StderrLog {
    /// Starts copying to the log file, beginning with a header line.
    ///
    /// # Errors
    /// The log file can't be written, or no thread can be started.
    pub(crate) fn start(
        errors: PipeReader,
        log: Option<&Path>,
        header: &str,
    ) -> io::Result<StderrLog> {
        let log = log.map(|path| LogFile::open(path, header)).transpose()?;
        set_nonblocking(&errors)?;
        let (exited, exit_signal) = io::pipe()?;
        let thread = thread::Builder::new()
            .name("standard error of a bot".into())
            .stack_size(256 << 10)
            .spawn(move || copy(errors, log, &exited))?;
        Ok(StderrLog {
            thread,
            exit_signal,
        })
    }

    /// Stops the thread; returns the last nonempty line.
    pub(crate) fn finish(self) -> String {
        drop(self.exit_signal);
        let tail = self.thread.join().unwrap_or_default();
        let text = String::from_utf8_lossy(&tail);
        let last = text.lines().rev().find(|line| !line.trim().is_empty());
        line_tail(last.unwrap_or_default())
    }
}

/// The end of a line, where most programs say what is wrong; `…` marks the omitted start.
fn line_tail(line: &str) -> String {
    let line: Vec<char> = line.trim().chars().filter(|c| !c.is_control()).collect();
    match line.len().checked_sub(TAIL_CHARS) {
        None | Some(0) => line.into_iter().collect(),
        Some(surplus) => ['…']
            .into_iter()
            .chain(line.into_iter().skip(surplus))
            .collect(),
    }
}

/// Copies to the log until the end of the pipe or shortly after the program has exited; returns the
/// last bytes.
fn copy(mut errors: PipeReader, mut log: Option<LogFile>, exited: &PipeReader) -> Vec<u8> {
    let mut buffer = vec![0; 16 << 10];
    let mut tail = Vec::new();
    let (mut has_exited, mut rest) = (false, MAX_REST);
    while rest > 0 {
        if !has_exited {
            let mut fds = [
                PollFd::new(&errors, PollFlags::IN),
                PollFd::new(exited, PollFlags::IN),
            ];
            match poll(&mut fds, None) {
                Ok(_) | Err(rustix::io::Errno::INTR) => {}
                Err(_) => break,
            }
            has_exited = !fds[1].revents().is_empty();
        }
        match errors.read(&mut buffer) {
            Ok(0) => break,
            Ok(n) => {
                let bytes = buffer.get(..n).unwrap_or_default();
                tail.extend_from_slice(bytes);
                tail.drain(..tail.len().saturating_sub(TAIL_BYTES));
                if let Some(log) = &mut log {
                    log.write(bytes);
                }
                if has_exited {
                    rest = rest.saturating_sub(n);
                }
            }
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) if error.kind() == io::ErrorKind::WouldBlock && !has_exited => {}
            Err(_) => break,
        }
    }
    tail
}

/// A log file that several processes of the same bot append to.
struct LogFile(File);

impl LogFile {
    fn open(path: &Path, header: &str) -> io::Result<LogFile> {
        if let Some(folder) = path.parent() {
            fs::create_dir_all(folder)?;
        }
        let file = OpenOptions::new().create(true).append(true).open(path)?;
        let mut log = LogFile(file);
        log.write(format!("--- {header}\n").as_bytes());
        Ok(log)
    }

    /// Write errors are ignored: they are no reason to end a game.
    fn write(&mut self, bytes: &[u8]) {
        let Ok(length) = self.0.metadata().map(|data| data.len()) else {
            return;
        };
        let room = usize::try_from(MAX_LOG_SIZE.saturating_sub(length)).unwrap_or(usize::MAX);
        if room == 0 {
            return;
        }
        let written = bytes.get(..room).unwrap_or(bytes);
        let _ = self.0.write_all(written);
        if written.len() >= room {
            let _ = self.0.write_all(LOG_FULL_LINE.as_bytes());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::process::{Command, Stdio};

    /// A bot that writes without end doesn't fill the disk, and its last line is still reported.
    #[test]
    fn a_full_log_says_so() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("logs").join("bot.log");
        let (errors, theirs) = io::pipe().expect("a pipe");
        let mut child = Command::new("sh")
            .args([
                "-c",
                "head -c 9000000 /dev/zero | tr '\\0' 'z' >&2; echo ' last words' >&2; echo >&2",
            ])
            .stdout(Stdio::null())
            .stderr(theirs)
            .spawn()
            .expect("a shell");
        let stderr_log = StderrLog::start(errors, Some(&path), "2026 a bot").expect("a thread");
        child.wait().expect("it ends");
        assert_eq!(
            stderr_log.finish(),
            format!(
                "…{} last words",
                "z".repeat(TAIL_CHARS - " last words".len())
            )
        );
        let log = fs::read_to_string(&path).expect("a log");
        assert!(log.starts_with("--- 2026 a bot\nzzz"));
        assert!(log.ends_with(LOG_FULL_LINE));
        assert_eq!(log.len() as u64, MAX_LOG_SIZE + LOG_FULL_LINE.len() as u64);

        let mut log = LogFile::open(&path, "another start").expect("the log");
        log.write(b"more");
        let length = fs::metadata(&path).expect("the log").len();
        assert_eq!(length, MAX_LOG_SIZE + LOG_FULL_LINE.len() as u64);
    }

    /// The end of a one-line stack trace says what went wrong.
    #[test]
    fn the_end_of_a_long_line_is_reported() {
        assert_eq!(line_tail(" short\t "), "short");
        assert_eq!(line_tail(&"é".repeat(TAIL_CHARS)), "é".repeat(TAIL_CHARS));
        let long = format!("{}: division by zero", "at f ".repeat(100));
        let tail = line_tail(&long);
        assert!(
            tail.starts_with('…') && tail.ends_with(": division by zero"),
            "{tail}"
        );
        assert_eq!(tail.chars().count(), TAIL_CHARS + 1);
    }
}
