//! What outside programs write to their standard error: kept in a log that does not
//! grow without bound, and the end of it at hand for whoever tells of a crash.

use std::fs::{self, File, OpenOptions};
use std::io::{self, PipeReader, PipeWriter, Read, Write};
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, JoinHandle};

use rustix::event::{PollFd, PollFlags, poll};

use crate::process::set_nonblocking;

/// A log has no more bytes, but for the line that says so.
const LONGEST_LOG: u64 = 8 << 20;
const CUT: &str = "--- the log is full: what follows is not kept\n";
/// So many bytes of the end are remembered ...
const TAIL: usize = 2048;
/// ... and so many characters of the end of the last line are told.
const TOLD: usize = 200;
/// When the program has ended no more than this is still read.
const REST: usize = 1 << 20;

/// A thread that copies standard error.
pub(crate) struct StderrLog {
    thread: JoinHandle<()>,
    tail: Arc<Mutex<Vec<u8>>>,
    /// Dropped when the program has ended: somebody else may hold its pipe.
    end: PipeWriter,
}

impl StderrLog {
    /// Begins to copy to the log, with a line that says what has been started.
    ///
    /// # Errors
    /// The log cannot be written, or there is no thread left.
    pub(crate) fn start(
        errors: PipeReader,
        log: Option<&Path>,
        header: &str,
    ) -> io::Result<StderrLog> {
        let log = log.map(|path| Log::open(path, header)).transpose()?;
        set_nonblocking(&errors)?;
        let (ended, end) = io::pipe()?;
        let tail = Arc::new(Mutex::new(Vec::new()));
        let copy = Copy {
            errors,
            log,
            tail: Arc::clone(&tail),
        };
        let thread = thread::Builder::new()
            .name("standard error of a bot".into())
            .stack_size(256 << 10)
            .spawn(move || copy.run(&ended))?;
        Ok(StderrLog { thread, tail, end })
    }

    /// Ends the thread; gives the last line that makes sense.
    pub(crate) fn finish(self) -> String {
        drop(self.end);
        let _ = self.thread.join();
        let tail = self.tail.lock().unwrap_or_else(PoisonError::into_inner);
        let text = String::from_utf8_lossy(&tail);
        let last = text.lines().rev().find(|line| !line.trim().is_empty());
        end_of(last.unwrap_or_default())
    }
}

/// The end of a line, where most programs say what is wrong; `…` stands for the rest.
fn end_of(line: &str) -> String {
    let line: Vec<char> = line.trim().chars().filter(|c| !c.is_control()).collect();
    match line.len().checked_sub(TOLD) {
        None | Some(0) => line.into_iter().collect(),
        Some(surplus) => ['…']
            .into_iter()
            .chain(line.into_iter().skip(surplus))
            .collect(),
    }
}

struct Copy {
    errors: PipeReader,
    log: Option<Log>,
    tail: Arc<Mutex<Vec<u8>>>,
}

impl Copy {
    fn run(mut self, ended: &PipeReader) {
        let mut buffer = vec![0; 16 << 10];
        let (mut over, mut rest) = (false, REST);
        loop {
            if !over {
                let mut fds = [
                    PollFd::new(&self.errors, PollFlags::IN),
                    PollFd::new(ended, PollFlags::IN),
                ];
                match poll(&mut fds, None) {
                    Ok(_) | Err(rustix::io::Errno::INTR) => {}
                    Err(_) => return,
                }
                over = !fds[1].revents().is_empty();
            }
            match self.errors.read(&mut buffer) {
                Ok(0) => return,
                Ok(n) => {
                    self.take(buffer.get(..n).unwrap_or_default());
                    if over {
                        rest = rest.saturating_sub(n);
                        if rest == 0 {
                            return;
                        }
                    }
                }
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) if error.kind() == io::ErrorKind::WouldBlock && !over => {}
                Err(_) => return,
            }
        }
    }

    fn take(&mut self, bytes: &[u8]) {
        let mut tail = self.tail.lock().unwrap_or_else(PoisonError::into_inner);
        tail.extend_from_slice(bytes);
        let surplus = tail.len().saturating_sub(TAIL);
        tail.drain(..surplus);
        drop(tail);
        if let Some(log) = &mut self.log {
            log.write(bytes);
        }
    }
}

/// A file that several programs of the same bot append to.
struct Log(File);

impl Log {
    fn open(path: &Path, header: &str) -> io::Result<Log> {
        if let Some(folder) = path.parent() {
            fs::create_dir_all(folder)?;
        }
        let file = OpenOptions::new().create(true).append(true).open(path)?;
        let mut log = Log(file);
        log.write(format!("--- {header}\n").as_bytes());
        Ok(log)
    }

    /// A log that cannot be written is no reason to end a game.
    fn write(&mut self, bytes: &[u8]) {
        let Ok(length) = self.0.metadata().map(|data| data.len()) else {
            return;
        };
        let room = usize::try_from(LONGEST_LOG.saturating_sub(length)).unwrap_or(usize::MAX);
        if room == 0 {
            return;
        }
        let kept = bytes.get(..room).unwrap_or(bytes);
        let _ = self.0.write_all(kept);
        if kept.len() >= room {
            let _ = self.0.write_all(CUT.as_bytes());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::process::{Command, Stdio};

    /// A bot that writes for ever must not fill the disk, and its end is still told.
    #[test]
    fn a_log_ends_with_a_word_about_it() {
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
        let words = StderrLog::start(errors, Some(&path), "2026 a bot").expect("a thread");
        child.wait().expect("it ends");
        assert_eq!(
            words.finish(),
            format!("…{} last words", "z".repeat(TOLD - " last words".len()))
        );
        let log = fs::read_to_string(&path).expect("a log");
        assert!(log.starts_with("--- 2026 a bot\nzzz"));
        assert!(log.ends_with(CUT));
        assert_eq!(log.len() as u64, LONGEST_LOG + CUT.len() as u64);

        let mut log = Log::open(&path, "another start").expect("the log");
        log.write(b"more");
        let length = fs::metadata(&path).expect("the log").len();
        assert_eq!(length, LONGEST_LOG + CUT.len() as u64);
    }

    /// A stack trace on one line says at its end what went wrong.
    #[test]
    fn the_end_of_a_long_line_is_told() {
        assert_eq!(end_of(" short\t "), "short");
        assert_eq!(end_of(&"é".repeat(TOLD)), "é".repeat(TOLD));
        let long = format!("{}: division by zero", "at f ".repeat(100));
        let told = end_of(&long);
        assert!(
            told.starts_with('…') && told.ends_with(": division by zero"),
            "{told}"
        );
        assert_eq!(told.chars().count(), TOLD + 1);
    }
}
