//! The log's writer. Lines go through a bounded queue to a separate thread: if the log can't be
//! written (a full disk, a closed or unread pipe), lines are dropped and counted, and the server is
//! neither delayed nor stopped.

use std::io::{self, Write};
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, mpsc};
use std::thread;
use std::time::Duration;

/// The size of the queue; several thousand lines.
const QUEUE_BYTES: usize = 1 << 20;

/// The memory of a queued line in addition to its text.
const LINE_OVERHEAD: usize = 64;

/// The pause before retrying a sink that would block.
const RETRY_AFTER: Duration = Duration::from_millis(20);

/// Writes log lines without ever blocking. Every call of `write` is one line.
///
/// ```
/// use std::io::Write;
/// use std::time::Duration;
///
/// let mut log = noughts_server::LogWriter::start(std::io::sink()).unwrap();
/// log.write_all(b"a line\n").unwrap();
/// assert!(log.flush_within(Duration::from_secs(60)));
/// assert_eq!(log.dropped(), 0);
/// ```
#[derive(Clone)]
pub struct LogWriter {
    queue: mpsc::Sender<Entry>,
    stats: Arc<LogStats>,
}

enum Entry {
    Line(Vec<u8>),
    /// Everything before this was written or lost.
    Flushed(mpsc::Sender<()>),
}

#[derive(Default)]
struct LogStats {
    /// Bytes that lines in the queue use.
    queued: AtomicUsize,
    dropped: AtomicU64,
    is_failing: AtomicBool,
}

impl LogWriter {
    /// Starts the thread that writes to `sink`. It may stay blocked in a write until the
    /// process ends.
    ///
    /// # Errors
    /// The thread can't be started.
    pub fn start(sink: impl Write + Send + 'static) -> io::Result<LogWriter> {
        let (queue, entries) = mpsc::channel();
        let stats = Arc::<LogStats>::default();
        let writer_stats = Arc::clone(&stats);
        let thread = thread::Builder::new().name("log".into());
        thread.spawn(move || write_entries(sink, &entries, &writer_stats))?;
        Ok(LogWriter { queue, stats })
    }

    /// How many lines were lost because the queue was full or a write failed.
    #[must_use]
    pub fn dropped(&self) -> u64 {
        self.stats.dropped.load(Ordering::Relaxed)
    }

    /// Was the latest line lost? True until a line is written again.
    #[must_use]
    pub fn is_failing(&self) -> bool {
        self.stats.is_failing.load(Ordering::Relaxed)
    }

    /// Waits until every line is written or lost, at most this long. Returns whether that
    /// happened in time.
    #[must_use]
    pub fn flush_within(&self, limit: Duration) -> bool {
        let (sender, flushed) = mpsc::channel();
        let _ = self.queue.send(Entry::Flushed(sender));
        flushed.recv_timeout(limit).is_ok()
    }
}

impl Write for LogWriter {
    fn write(&mut self, line: &[u8]) -> io::Result<usize> {
        let size = line.len() + LINE_OVERHEAD;
        let queued = &self.stats.queued;
        if queued.fetch_add(size, Ordering::Relaxed) + size > QUEUE_BYTES {
            queued.fetch_sub(size, Ordering::Relaxed);
            self.stats.drop_line();
        } else {
            // The thread receives as long as there is a sender.
            let _ = self.queue.send(Entry::Line(line.to_vec()));
        }
        Ok(line.len())
    }

    /// Does nothing: waiting is what this writer avoids. See [`LogWriter::flush_within`].
    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl LogStats {
    fn drop_line(&self) {
        self.dropped.fetch_add(1, Ordering::Relaxed);
        self.is_failing.store(true, Ordering::Relaxed);
    }
}

fn write_entries(mut sink: impl Write, entries: &mpsc::Receiver<Entry>, stats: &LogStats) {
    let mut is_partial = false;
    for entry in entries {
        match entry {
            Entry::Line(line) => {
                let size = line.len() + LINE_OVERHEAD;
                stats.queued.fetch_sub(size, Ordering::Relaxed);
                match write_line(&mut sink, &line, &mut is_partial) {
                    Ok(()) => stats.is_failing.store(false, Ordering::Relaxed),
                    Err(_) => stats.drop_line(),
                }
            }
            Entry::Flushed(sender) => {
                let _ = sender.send(());
            }
        }
    }
}

/// Writes a line, after ending one that was only partly written.
fn write_line(sink: &mut impl Write, line: &[u8], is_partial: &mut bool) -> io::Result<()> {
    if *is_partial {
        write_bytes(sink, b"\n", is_partial)?;
    }
    write_bytes(sink, line, is_partial)?;
    sink.flush()
}

/// Like `write_all`, but waits if the sink would block, and keeps track of whether the line was cut
/// off in the middle.
fn write_bytes(sink: &mut impl Write, mut bytes: &[u8], is_partial: &mut bool) -> io::Result<()> {
    while !bytes.is_empty() {
        match sink.write(bytes) {
            Ok(0) => return Err(io::ErrorKind::WriteZero.into()),
            Ok(written) => {
                bytes = &bytes[written..];
                *is_partial = !bytes.is_empty();
            }
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) if error.kind() == io::ErrorKind::WouldBlock => thread::sleep(RETRY_AFTER),
            Err(error) => return Err(error),
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::sync::Mutex;

    use super::*;

    const LONG: Duration = Duration::from_secs(60);

    /// Returns scripted results from `write`.
    struct Scripted {
        answers: mpsc::Receiver<io::Result<usize>>,
        written: Arc<Mutex<Vec<u8>>>,
    }

    impl Write for Scripted {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            // Blocks until the test sends a result; fails once the test is over.
            let answer = self.answers.recv();
            let limit = answer.unwrap_or(Err(io::ErrorKind::Other.into()))?;
            let written = &bytes[..bytes.len().min(limit)];
            self.written.lock().expect("no panic").extend(written);
            Ok(written.len())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    type Answers = mpsc::Sender<io::Result<usize>>;

    fn scripted() -> (LogWriter, Answers, Arc<Mutex<Vec<u8>>>) {
        let (answer, answers) = mpsc::channel();
        let written = Arc::default();
        let sink = Scripted {
            answers,
            written: Arc::clone(&written),
        };
        let log = LogWriter::start(sink).expect("a thread");
        (log, answer, written)
    }

    /// Guards against an unread pipe that stopped the whole server after 64 KiB of lines.
    #[test]
    fn a_blocking_sink_drops_lines_without_delay() {
        let (mut log, answer, written) = scripted();
        let line = [b'a'; 1000];
        for _ in 0..2000 {
            log.write_all(&line).expect("never fails");
        }
        let dropped = log.dropped();
        assert!((900..1100).contains(&dropped), "{dropped}");
        assert!(log.is_failing());
        assert!(!log.flush_within(Duration::from_millis(1)));
        let queued = 2000 - dropped;
        for _ in 0..queued {
            answer.send(Ok(line.len())).expect("it waits");
        }
        assert!(log.flush_within(LONG));
        assert!(!log.is_failing());
        assert_eq!(
            written.lock().expect("no panic").len() as u64,
            queued * 1000
        );
    }

    #[test]
    fn failed_writes_are_counted_and_partial_lines_are_ended() {
        let (mut log, answer, written) = scripted();
        for line in ["one\n", "two\n", "three\n"] {
            log.write_all(line.as_bytes()).expect("never fails");
        }
        let failed = || Err(io::ErrorKind::StorageFull.into());
        let retried = || Err(io::ErrorKind::WouldBlock.into());
        for result in [Ok(2), failed(), failed(), Ok(1), retried(), Ok(100)] {
            answer.send(result).expect("it waits");
        }
        assert!(log.flush_within(LONG));
        assert_eq!(log.dropped(), 2);
        assert!(!log.is_failing());
        assert_eq!(*written.lock().expect("no panic"), b"on\nthree\n");
    }
}
