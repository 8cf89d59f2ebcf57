//! Whoever tells of a tournament does so on a thread of its own: a reader that is slow, or
//! does not read at all, holds up no game, no disk and no end.

use std::io::IsTerminal as _;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread;
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};
use noughts_arena::{StopRequest, TournamentControl};
use unicode_width::UnicodeWidthChar as _;

use crate::error::Error;
use crate::output;

/// Something to tell.
pub(super) enum OutputMessage {
    /// A line of the result, on standard output.
    Line(String),
    /// A remark beside it.
    Note(String),
    /// How far it is, where a terminal shows it: games played, of so many, and what is
    /// drawn below the bar.
    Progress(u64, u64, Option<String>),
    /// That was it.
    End,
}

/// How long one waits for the last word where everything is to stop at once.
const GRACE: Duration = Duration::from_secs(1);
/// How often one looks whether that is wanted.
const LOOK: Duration = Duration::from_millis(50);

/// The thread, for the one who began it.
pub(super) struct OutputThread {
    voice: OutputSender,
    ended: Receiver<Result<(), Error>>,
    is_drawn: bool,
}

/// A way to tell something without waiting. Clones share it.
#[derive(Clone)]
pub(super) struct OutputSender {
    sender: Sender<OutputMessage>,
    waiting: Arc<AtomicUsize>,
}

impl OutputSender {
    pub(super) fn send(&self, told: OutputMessage) {
        self.waiting.fetch_add(1, Ordering::Relaxed);
        // Nobody listens any more: then nobody wants to know.
        let _ = self.sender.send(told);
    }

    pub(super) fn note(&self, text: impl Into<String>) {
        self.send(OutputMessage::Note(text.into()));
    }

    /// Is everything told? What is only worth telling at its time need not wait.
    pub(super) fn is_idle(&self) -> bool {
        self.waiting.load(Ordering::Relaxed) == 0
    }
}

impl OutputThread {
    /// Begins. What cannot be told is trouble, and stops the tournament.
    pub(super) fn start(draws: bool, control: &TournamentControl) -> Result<OutputThread, Error> {
        let (sender, told) = channel();
        let (end, ended) = channel();
        let waiting = Arc::new(AtomicUsize::new(0));
        let is_drawn = draws && std::io::stderr().is_terminal();
        let (counted, control) = (Arc::clone(&waiting), control.clone());
        let thread = thread::Builder::new().name("teller".into());
        let thread = thread.spawn(move || {
            let mut screen = Screen {
                bar: is_drawn.then(bar),
            };
            let mut trouble = Ok(());
            for one in told {
                if matches!(one, OutputMessage::End) {
                    break;
                }
                if trouble.is_ok() {
                    trouble = screen.show(one);
                    if trouble.is_err() {
                        control.stop();
                    }
                }
                counted.fetch_sub(1, Ordering::Relaxed);
            }
            if let Some(bar) = &screen.bar {
                bar.finish_and_clear();
            }
            let _ = end.send(trouble);
        });
        thread.map_err(|error| Error::Failure(format!("cannot start a thread: {error}")))?;
        Ok(OutputThread {
            voice: OutputSender { sender, waiting },
            ended,
            is_drawn,
        })
    }

    pub(super) fn sender(&self) -> OutputSender {
        self.voice.clone()
    }

    /// Is progress drawn in place?
    pub(super) fn draws_progress(&self) -> bool {
        self.is_drawn
    }

    /// Waits until all is told; false where that was given up, since nobody reads and
    /// everything is to stop at once.
    pub(super) fn finish(self, control: &TournamentControl) -> Result<bool, Error> {
        self.voice.send(OutputMessage::End);
        let mut since = None;
        loop {
            match self.ended.recv_timeout(LOOK) {
                Ok(trouble) => return trouble.map(|()| true),
                Err(RecvTimeoutError::Disconnected) => return Ok(true),
                Err(RecvTimeoutError::Timeout) => {}
            }
            if control.stop_request() == Some(StopRequest::Now)
                && since.get_or_insert_with(Instant::now).elapsed() > GRACE
            {
                return Ok(false);
            }
        }
    }
}

/// Where things are shown.
struct Screen {
    bar: Option<ProgressBar>,
}

impl Screen {
    fn show(&mut self, told: OutputMessage) -> Result<(), Error> {
        match (told, &self.bar) {
            (OutputMessage::Line(text), _) => return output::print(&text),
            (OutputMessage::Note(text), Some(bar)) => bar.suspend(|| output::note(&text)),
            (OutputMessage::Note(text), None) => output::note(&text),
            (OutputMessage::Progress(done, planned, below), Some(bar)) => {
                bar.set_length(planned);
                bar.set_position(done);
                if let Some(below) = below {
                    bar.set_message(fitted(&below, size()));
                }
            }
            (OutputMessage::Progress(..), None) | (OutputMessage::End, _) => {}
        }
        Ok(())
    }
}

/// Columns and rows of the terminal.
fn size() -> (usize, usize) {
    let (columns, rows) = crossterm::terminal::size().unwrap_or((80, 24));
    (columns.into(), rows.into())
}

/// What fits: a line that is longer would be broken, and drawn over wrongly next time.
fn fitted(text: &str, (columns, rows): (usize, usize)) -> String {
    // One row is the bar's own, one the cursor's.
    let most = rows.saturating_sub(2).max(1);
    let lines: Vec<&str> = text.lines().collect();
    let mut shown: Vec<String> = lines
        .iter()
        .take(most)
        .map(|line| cut(line, columns))
        .collect();
    if lines.len() > most {
        shown.pop();
        shown.push(cut("…", columns));
    }
    shown.join("\n")
}

/// A line that is no wider than so many columns.
fn cut(line: &str, columns: usize) -> String {
    // The last column stays free: a terminal may go on to the next line there.
    let most = columns.saturating_sub(1);
    let width = |c: char| c.width().unwrap_or(0);
    if line.chars().map(width).sum::<usize>() <= most {
        return line.into();
    }
    let mut left = most.saturating_sub(1);
    let mut kept: String = line
        .chars()
        .take_while(|&c| {
            let fits = width(c) <= left;
            left = left.saturating_sub(width(c));
            fits
        })
        .collect();
    kept.push('…');
    kept
}

fn bar() -> ProgressBar {
    let bar = ProgressBar::new(0);
    // The template is ours and is tried by the tests.
    if let Ok(style) = ProgressStyle::with_template("{bar:20} {pos} of {len} games\n{msg}") {
        bar.set_style(style);
    }
    bar
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test may panic")]
mod tests {
    use super::*;

    /// Guards against lines that a narrow terminal breaks in two.
    #[test]
    fn what_is_drawn_fits_the_terminal() {
        let table = format!("{}\nshort\n{}\nlast", "x".repeat(125), "四".repeat(60));
        for size in [(80, 24), (40, 24), (10, 4), (2, 2), (1, 1), (0, 0)] {
            let fitted = fitted(&table, size);
            assert!(
                fitted.lines().count() <= size.1.saturating_sub(2).max(1),
                "{size:?}"
            );
            for line in fitted.lines() {
                let width: usize = line.chars().map(|c| c.width().unwrap()).sum();
                assert!(width <= size.0.saturating_sub(1).max(1), "{size:?}: {line}");
            }
        }
        assert_eq!(fitted("a\nb", (80, 24)), "a\nb");
        assert_eq!(fitted("abcdef", (6, 24)), "abcd…");
    }

    /// Guards against a reader that stands still and holds everything up.
    #[test]
    fn whoever_tells_does_not_wait() {
        let control = TournamentControl::new();
        let teller = OutputThread::start(false, &control)
            .map_err(|_| ())
            .unwrap();
        let voice = teller.sender();
        voice.send(OutputMessage::Progress(1, 2, None));
        assert!(teller.finish(&control).map_err(|_| ()).unwrap());
        // Nobody is there any more.
        voice.note("more");
        assert!(!voice.is_idle());
    }
}
