//! Takes over the terminal and restores it in every case: signals, job control, a panic, a terminal
//! that disappears.

use std::io::{self, Stdout};
use std::panic;
use std::process;
use std::sync::Once;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::Sender;
use std::thread;
use std::time::Duration;

use crossterm::cursor::Show;
use crossterm::event::{
    DisableBracketedPaste, DisableMouseCapture, EnableBracketedPaste, EnableMouseCapture,
};
use crossterm::execute;
use crossterm::terminal::{
    EnterAlternateScreen, LeaveAlternateScreen, disable_raw_mode, enable_raw_mode,
};
use ratatui::Terminal;
use ratatui::backend::{Backend, ClearType, CrosstermBackend, WindowSize};
use ratatui::buffer::Cell;
use ratatui::layout::{Position, Size};
use tokio::runtime::Handle;

use crate::tui::event::Event;

/// The numbers of the signals that end the program, the same on every Unix.
pub(crate) const SIGHUP: u8 = 1;
pub(crate) const SIGINT: u8 = 2;
#[cfg(unix)]
pub(crate) const SIGTERM: u8 = 15;

/// Is the terminal in our mode? It must be restored only once: leaving the alternate screen a
/// second time would move the cursor over what was printed since.
static IS_ACTIVE: AtomicBool = AtomicBool::new(false);

/// The terminal in raw mode on the alternate screen. Dropping it restores the terminal.
pub(crate) struct TerminalGuard {
    terminal: Terminal<ScreenBackend>,
}

impl TerminalGuard {
    pub(crate) fn enter() -> io::Result<TerminalGuard> {
        restore_on_panic();
        let terminal = set_up().and_then(|()| Terminal::new(ScreenBackend::new()));
        match terminal {
            Ok(terminal) => Ok(TerminalGuard { terminal }),
            Err(error) => {
                restore();
                Err(error)
            }
        }
    }

    /// Draws a frame, unless the terminal belongs to the shell.
    pub(crate) fn draw(&mut self, render: impl FnOnce(&mut ratatui::Frame)) -> io::Result<()> {
        if IS_ACTIVE.load(Ordering::SeqCst) {
            self.terminal.draw(render)?;
        }
        Ok(())
    }

    /// Makes the next frame draw every cell, whatever the terminal shows.
    pub(crate) fn force_redraw(&mut self) -> io::Result<()> {
        if IS_ACTIVE.load(Ordering::SeqCst) {
            self.terminal.clear()?;
        }
        Ok(())
    }

    /// Restores the terminal and stops the program until the shell continues it.
    #[cfg(unix)]
    pub(crate) fn suspend(&mut self) -> io::Result<()> {
        use rustix::process::{Signal, getpid, kill_process};
        if !can_suspend() {
            return Ok(());
        }
        restore();
        // SIGTSTP has a handler, so it can't stop the program; SIGSTOP can.
        match kill_process(getpid(), Signal::STOP) {
            Ok(()) => Ok(()),
            Err(_) => self.resume(),
        }
    }

    #[cfg(not(unix))]
    pub(crate) fn suspend(&mut self) -> io::Result<()> {
        Ok(())
    }

    /// Takes over the terminal again after the program was stopped and continued.
    pub(crate) fn resume(&mut self) -> io::Result<()> {
        // A program stopped by SIGSTOP couldn't restore the terminal, and the shell has changed its
        // modes since: crossterm must not assume that raw mode is still on.
        disable_raw_mode()?;
        set_up()?;
        self.terminal.clear()
    }
}

impl Drop for TerminalGuard {
    fn drop(&mut self) {
        restore();
    }
}

fn set_up() -> io::Result<()> {
    IS_ACTIVE.store(true, Ordering::SeqCst);
    enable_raw_mode()?;
    execute!(
        io::stdout(),
        EnterAlternateScreen,
        EnableMouseCapture,
        EnableBracketedPaste
    )
}

/// Errors can't be reported any more, and each step is worth trying.
fn restore() {
    if !IS_ACTIVE.swap(false, Ordering::SeqCst) {
        return;
    }
    let _ = execute!(io::stdout(), DisableBracketedPaste, DisableMouseCapture);
    let _ = execute!(io::stdout(), LeaveAlternateScreen, Show);
    let _ = disable_raw_mode();
}

/// Crossterm's backend, except that it remembers the cursor position instead of querying the
/// terminal. The query (`ESC[6n`) competes with the input thread for the answer, and a terminal
/// that doesn't answer would end the game.
struct ScreenBackend {
    inner: CrosstermBackend<Stdout>,
    cursor: Position,
}

impl ScreenBackend {
    fn new() -> ScreenBackend {
        ScreenBackend {
            inner: CrosstermBackend::new(io::stdout()),
            cursor: Position::ORIGIN,
        }
    }
}

impl Backend for ScreenBackend {
    type Error = io::Error;

    fn draw<'a, I>(&mut self, content: I) -> io::Result<()>
    where
        I: Iterator<Item = (u16, u16, &'a Cell)>,
    {
        self.inner.draw(content)
    }

    fn hide_cursor(&mut self) -> io::Result<()> {
        self.inner.hide_cursor()
    }

    /// Never fails: when ratatui drops its terminal it shows the cursor and prints an error to
    /// standard error, which panics if that is closed, too.
    fn show_cursor(&mut self) -> io::Result<()> {
        let _ = self.inner.show_cursor();
        Ok(())
    }

    fn get_cursor_position(&mut self) -> io::Result<Position> {
        Ok(self.cursor)
    }

    fn set_cursor_position<P: Into<Position>>(&mut self, position: P) -> io::Result<()> {
        self.cursor = position.into();
        self.inner.set_cursor_position(self.cursor)
    }

    fn clear(&mut self) -> io::Result<()> {
        self.inner.clear()
    }

    fn clear_region(&mut self, region: ClearType) -> io::Result<()> {
        self.inner.clear_region(region)
    }

    fn size(&self) -> io::Result<Size> {
        self.inner.size()
    }

    fn window_size(&mut self) -> io::Result<WindowSize> {
        self.inner.window_size()
    }

    fn flush(&mut self) -> io::Result<()> {
        Backend::flush(&mut self.inner)
    }
}

/// Restores the terminal before the message of a panic in this thread, which ends the program.
/// Panics of other threads are caught where the threads are joined, and their messages would only
/// garble the screen.
fn restore_on_panic() {
    static HOOK_INSTALLED: Once = Once::new();
    HOOK_INSTALLED.call_once(|| {
        let main_thread = thread::current().id();
        let previous_hook = panic::take_hook();
        panic::set_hook(Box::new(move |info| {
            let is_main_thread = thread::current().id() == main_thread;
            if is_main_thread {
                restore();
            }
            if is_main_thread || !IS_ACTIVE.load(Ordering::SeqCst) {
                previous_hook(info);
            }
        }));
    });
}

/// How long the main thread has to store moves and restore the terminal before the process exits
/// without it.
const EXIT_GRACE: Duration = Duration::from_millis(3000);
/// Without a terminal there is nothing to restore.
const EXIT_GRACE_WITHOUT_TERMINAL: Duration = Duration::from_millis(800);

/// Exits because of this signal: through the main thread if it still handles events, otherwise
/// without it. It may be blocked writing to a terminal that nobody reads.
pub(crate) fn exit_by_signal(signal: u8, events: &Sender<Event>) {
    // No receiver: the program is already exiting.
    let _ = events.send(Event::Terminate(signal));
    thread::spawn(move || {
        thread::sleep(match signal {
            SIGHUP => EXIT_GRACE_WITHOUT_TERMINAL,
            _ => EXIT_GRACE,
        });
        let _ = disable_raw_mode();
        process::exit(128 + i32::from(signal));
    });
}

/// Turns signals and a hang-up of the terminal into events.
#[cfg(unix)]
pub(crate) fn watch_signals(runtime: &Handle, events: &Sender<Event>) {
    use rustix::process::Signal;
    use tokio::signal::unix::{SignalKind, signal};
    let watch = |signal_number: i32, handle: fn(&Sender<Event>)| {
        let events = events.clone();
        // Registered now: a signal that arrives before the task runs isn't lost.
        let _runtime_guard = runtime.enter();
        let Ok(mut signals) = signal(SignalKind::from_raw(signal_number)) else {
            return;
        };
        runtime.spawn(async move {
            while signals.recv().await.is_some() {
                handle(&events);
            }
        });
    };
    watch(SIGHUP.into(), |events| exit_by_signal(SIGHUP, events));
    watch(SIGINT.into(), |events| exit_by_signal(SIGINT, events));
    watch(SIGTERM.into(), |events| exit_by_signal(SIGTERM, events));
    // No receiver: the program is already exiting.
    watch(Signal::TSTP.as_raw(), |events| {
        let _ = events.send(Event::Suspend);
    });
    watch(Signal::CONT.as_raw(), |events| {
        let _ = events.send(Event::Resume);
    });
    watch_disconnect(events.clone());
}

/// Other systems have only keys.
#[cfg(not(unix))]
pub(crate) fn watch_signals(_: &Handle, _: &Sender<Event>) {}

/// Exits when the terminal disappears, even if no SIGHUP is sent. Crossterm's reader doesn't report
/// the end of its input: it retries immediately, forever.
#[cfg(unix)]
fn watch_disconnect(events: Sender<Event>) {
    thread::spawn(move || {
        if wait_for_disconnect(None) {
            exit_by_signal(SIGHUP, &events);
        }
    });
}

/// Waits until the terminal is disconnected or the timeout has passed; returns whether it is
/// disconnected.
#[cfg(unix)]
fn wait_for_disconnect(timeout: Option<&rustix::event::Timespec>) -> bool {
    use rustix::event::{PollFd, PollFlags, poll};
    let (stdin, stdout) = (io::stdin(), io::stdout());
    // A hang-up is always reported; no other events are needed.
    let no_events = PollFlags::empty();
    let mut terminals = [
        PollFd::new(&stdin, no_events),
        PollFd::new(&stdout, no_events),
    ];
    loop {
        match poll(&mut terminals, timeout) {
            Ok(gone) => return gone > 0,
            Err(rustix::io::Errno::INTR) => {}
            Err(_) => return false,
        }
    }
}

#[cfg(unix)]
pub(crate) fn is_disconnected() -> bool {
    wait_for_disconnect(Some(&rustix::event::Timespec::default()))
}

#[cfg(not(unix))]
pub(crate) fn is_disconnected() -> bool {
    false
}

/// Ctrl-Z: in raw mode the terminal doesn't send the signal, so the program does. It goes to the
/// whole process group, for a parent that waits for this program.
#[cfg(unix)]
pub(crate) fn request_suspend() {
    use rustix::process::{Signal, kill_current_process_group};
    if can_suspend() {
        // If it fails, the program just continues.
        let _ = kill_current_process_group(Signal::TSTP);
    }
}

#[cfg(not(unix))]
pub(crate) fn request_suspend() {}

/// Is there a shell with job control that can continue the program? It runs every job in its own
/// process group. Without one, a stopped program would stay stopped.
#[cfg(unix)]
fn can_suspend() -> bool {
    use rustix::process::{getpgrp, getsid};
    getsid(None).is_ok_and(|session| session != getpgrp())
}
