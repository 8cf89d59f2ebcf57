//! The terminal taken over and given back as it was, whatever happens in between.

use std::io::{self, Stdout};
use std::panic;
use std::sync::Once;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::Sender;
use std::thread;

use ratatui::Terminal;
use ratatui::backend::CrosstermBackend;
use ratatui::crossterm::cursor::Show;
use ratatui::crossterm::event::{
    DisableBracketedPaste, DisableMouseCapture, EnableBracketedPaste, EnableMouseCapture,
};
use ratatui::crossterm::execute;
use ratatui::crossterm::terminal::{
    EnterAlternateScreen, LeaveAlternateScreen, disable_raw_mode, enable_raw_mode,
};
use tokio::runtime::Handle;

use crate::tui::event::Event;

/// Is the terminal ours? It is given back once: leaving the alternate screen a
/// second time would put the cursor over what was printed since.
static OURS: AtomicBool = AtomicBool::new(false);

/// The terminal while it is ours. Dropping it gives it back.
pub(crate) struct Screenful {
    pub(crate) terminal: Terminal<CrosstermBackend<Stdout>>,
}

impl Screenful {
    pub(crate) fn take() -> io::Result<Screenful> {
        give_back_on_panic();
        OURS.store(true, Ordering::SeqCst);
        let taken = enable_raw_mode().and_then(|()| {
            execute!(
                io::stdout(),
                EnterAlternateScreen,
                EnableMouseCapture,
                EnableBracketedPaste
            )
        });
        let terminal = taken.and_then(|()| Terminal::new(CrosstermBackend::new(io::stdout())));
        match terminal {
            Ok(terminal) => Ok(Screenful { terminal }),
            Err(error) => {
                give_back();
                Err(error)
            }
        }
    }
}

impl Drop for Screenful {
    fn drop(&mut self) {
        give_back();
    }
}

/// There is nobody left to tell of a failure, and each step is worth trying.
fn give_back() {
    if !OURS.swap(false, Ordering::SeqCst) {
        return;
    }
    let _ = execute!(io::stdout(), DisableBracketedPaste, DisableMouseCapture);
    let _ = execute!(io::stdout(), LeaveAlternateScreen, Show);
    let _ = disable_raw_mode();
}

/// A panic of this thread ends the program: the message is to be read on the
/// terminal as it was. Other threads' panics are caught where they are waited for,
/// and a message would only spoil the screen.
fn give_back_on_panic() {
    static HOOKED: Once = Once::new();
    HOOKED.call_once(|| {
        let screen = thread::current().id();
        let before = panic::take_hook();
        panic::set_hook(Box::new(move |info| {
            let ends_program = thread::current().id() == screen;
            if ends_program {
                give_back();
            }
            if ends_program || !OURS.load(Ordering::SeqCst) {
                before(info);
            }
        }));
    });
}

/// Turns the system's wishes to end the program into an event.
#[cfg(unix)]
pub(crate) fn watch_signals(runtime: &Handle, events: &Sender<Event>) {
    use tokio::signal::unix::{SignalKind, signal};
    let kinds = [
        SignalKind::terminate(),
        SignalKind::hangup(),
        SignalKind::interrupt(),
    ];
    for kind in kinds {
        let events = events.clone();
        // Registered now: a signal that comes before the task runs counts, too.
        let _inside = runtime.enter();
        let Ok(mut signals) = signal(kind) else {
            continue;
        };
        runtime.spawn(async move {
            if signals.recv().await.is_some() {
                // Nobody listens any more: the program is ending already.
                let _ = events.send(Event::Terminate);
            }
        });
    }
}

/// Elsewhere a key is all there is.
#[cfg(not(unix))]
pub(crate) fn watch_signals(_: &Handle, _: &Sender<Event>) {}
