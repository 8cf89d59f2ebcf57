//! A thread for a tournament's output, so that a slow reader, or one that doesn't read at all,
//! doesn't delay games, storage or shutdown.

use std::io::IsTerminal as _;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread;
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};
use noughts_arena::{StopRequest, TournamentControl};

use crate::error::CliError;
use crate::output;
use crate::tui::truncate;

/// A message to print.
pub(super) enum OutputMessage {
    /// A line of the result, on standard output.
    Line(String),
    /// A remark, on standard error.
    Note(String),
    /// Progress for a terminal: games played, games planned, and the text below the bar.
    Progress(u64, u64, Option<String>),
    /// Nothing follows.
    End,
}

/// How long to wait for the last output after an immediate stop was requested.
const GRACE: Duration = Duration::from_secs(1);
/// How often to check for that request.
const POLL_INTERVAL: Duration = Duration::from_millis(50);

/// The output thread.
pub(super) struct OutputThread {
    sender: OutputSender,
    result_receiver: Receiver<Result<(), CliError>>,
    draws_progress: bool,
}

/// Sends messages to the thread without blocking. Clones share the queue.
#[derive(Clone)]
pub(super) struct OutputSender {
    sender: Sender<OutputMessage>,
    pending: Arc<AtomicUsize>,
}

impl OutputSender {
    pub(super) fn send(&self, message: OutputMessage) {
        self.pending.fetch_add(1, Ordering::Relaxed);
        // Fails only if the thread has ended: then there is nothing left to print.
        let _ = self.sender.send(message);
    }

    pub(super) fn note(&self, text: impl Into<String>) {
        self.send(OutputMessage::Note(text.into()));
    }

    /// Is the queue empty? If not, callers can skip messages that would be outdated.
    pub(super) fn is_idle(&self) -> bool {
        self.pending.load(Ordering::Relaxed) == 0
    }
}

impl OutputThread {
    /// Starts the thread. An output error stops the tournament.
    pub(super) fn start(
        draws: bool,
        control: &TournamentControl,
    ) -> Result<OutputThread, CliError> {
        let (sender, messages) = channel();
        let (result_sender, result_receiver) = channel();
        let pending = Arc::new(AtomicUsize::new(0));
        let draws_progress = draws && std::io::stderr().is_terminal();
        let (pending_count, control) = (Arc::clone(&pending), control.clone());
        let thread = thread::Builder::new().name("output".into());
        let thread = thread.spawn(move || {
            let bar = draws_progress.then(bar);
            let mut result = Ok(());
            for message in messages {
                if matches!(message, OutputMessage::End) {
                    break;
                }
                if result.is_ok() {
                    result = show(message, bar.as_ref());
                    if result.is_err() {
                        control.stop();
                    }
                }
                pending_count.fetch_sub(1, Ordering::Relaxed);
            }
            if let Some(bar) = bar {
                bar.finish_and_clear();
            }
            let _ = result_sender.send(result);
        });
        thread.map_err(|error| CliError::failed("can't start a thread", error))?;
        Ok(OutputThread {
            sender: OutputSender { sender, pending },
            result_receiver,
            draws_progress,
        })
    }

    pub(super) fn sender(&self) -> OutputSender {
        self.sender.clone()
    }

    /// Is progress drawn in place on a terminal?
    pub(super) fn draws_progress(&self) -> bool {
        self.draws_progress
    }

    /// Waits until everything is printed. Returns false if it gave up because an immediate stop was
    /// requested and nobody reads the output.
    pub(super) fn finish(self, control: &TournamentControl) -> Result<bool, CliError> {
        self.sender.send(OutputMessage::End);
        let mut stop_seen = None;
        loop {
            match self.result_receiver.recv_timeout(POLL_INTERVAL) {
                Ok(result) => return result.map(|()| true),
                Err(RecvTimeoutError::Disconnected) => return Ok(true),
                Err(RecvTimeoutError::Timeout) => {}
            }
            if control.stop_request() == Some(StopRequest::Now)
                && stop_seen.get_or_insert_with(Instant::now).elapsed() > GRACE
            {
                return Ok(false);
            }
        }
    }
}

/// Prints a message, above the progress bar if there is one.
fn show(message: OutputMessage, bar: Option<&ProgressBar>) -> Result<(), CliError> {
    match (message, bar) {
        (OutputMessage::Line(text), _) => return output::print(&text),
        (OutputMessage::Note(text), Some(bar)) => bar.suspend(|| output::note(&text)),
        (OutputMessage::Note(text), None) => output::note(&text),
        (OutputMessage::Progress(done, planned, below), Some(bar)) => {
            bar.set_length(planned);
            bar.set_position(done);
            if let Some(below) = below {
                let size = crossterm::terminal::size().unwrap_or((80, 24));
                bar.set_message(fit_to_terminal(&below, size));
            }
        }
        (OutputMessage::Progress(..), None) | (OutputMessage::End, _) => {}
    }
    Ok(())
}

/// Cuts text to the terminal's columns and rows: wrapped lines would be redrawn incorrectly.
fn fit_to_terminal(text: &str, (columns, rows): (u16, u16)) -> String {
    // One row is for the bar and one for the cursor. The last column stays free, because a terminal
    // may wrap there.
    let (max, columns) = (rows.saturating_sub(2).max(1), columns.saturating_sub(1));
    let lines: Vec<&str> = text.lines().collect();
    let mut shown: Vec<String> = lines
        .iter()
        .take(max.into())
        .map(|line| truncate(line, columns, "…"))
        .collect();
    if lines.len() > max.into() {
        shown.pop();
        shown.push("…".into());
    }
    shown.join("\n")
}

fn bar() -> ProgressBar {
    let bar = ProgressBar::new(0);
    // The template is a constant that is covered by tests.
    if let Ok(style) = ProgressStyle::with_template("{bar:20} {pos} of {len} games\n{msg}") {
        bar.set_style(style);
    }
    bar
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test may panic")]
mod tests {
    use unicode_width::UnicodeWidthStr as _;

    use super::*;

    /// Guards against lines that wrap in a narrow terminal.
    #[test]
    fn progress_fits_the_terminal() {
        let table = format!("{}\nshort\n{}\nlast", "x".repeat(125), "四".repeat(60));
        for terminal_size in [(80, 24), (40, 24), (10, 4), (2, 2), (1, 1), (0, 0)] {
            let fitted = fit_to_terminal(&table, terminal_size);
            assert!(
                fitted.lines().count() <= usize::from(terminal_size.1.saturating_sub(2).max(1)),
                "{terminal_size:?}"
            );
            for line in fitted.lines() {
                let width = line.width();
                assert!(
                    width <= usize::from(terminal_size.0.saturating_sub(1).max(1)),
                    "{terminal_size:?}: {line}"
                );
            }
        }
        assert_eq!(fit_to_terminal("a\nb", (80, 24)), "a\nb");
        assert_eq!(fit_to_terminal("abcdef", (6, 24)), "abcd…");
    }

    /// Guards against a stalled reader that blocks the tournament.
    #[test]
    fn sending_does_not_block() {
        let control = TournamentControl::new();
        let thread = OutputThread::start(false, &control)
            .map_err(|_| ())
            .unwrap();
        let sender = thread.sender();
        sender.send(OutputMessage::Progress(1, 2, None));
        assert!(thread.finish(&control).map_err(|_| ()).unwrap());
        // The thread has ended.
        sender.note("more");
        assert!(!sender.is_idle());
    }
}
