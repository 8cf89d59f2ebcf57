//! The terminal taken over and given back as it was, whatever happens in between:
//! signals, job control, a panic, a terminal that disappears.

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
pub(crate) const HANG_UP: u8 = 1;
pub(crate) const INTERRUPT: u8 = 2;
#[cfg(unix)]
pub(crate) const TERMINATE: u8 = 15;

/// Is the terminal ours? It is given back once: leaving the alternate screen a
/// second time would put the cursor over what was printed since.
static OURS: AtomicBool = AtomicBool::new(false);

/// The terminal while it is ours. Dropping it gives it back.
pub(crate) struct Screenful {
    terminal: Terminal<ScreenBackend>,
}

impl Screenful {
    pub(crate) fn enter() -> io::Result<Screenful> {
        give_back_on_panic();
        let terminal = take().and_then(|()| Terminal::new(ScreenBackend::new()));
        match terminal {
            Ok(terminal) => Ok(Screenful { terminal }),
            Err(error) => {
                give_back();
                Err(error)
            }
        }
    }

    /// Draws a frame, unless the terminal is lent to the shell.
    pub(crate) fn draw(&mut self, render: impl FnOnce(&mut ratatui::Frame)) -> io::Result<()> {
        if OURS.load(Ordering::SeqCst) {
            self.terminal.draw(render)?;
        }
        Ok(())
    }

    /// Makes the next frame draw every cell, whatever the terminal shows.
    pub(crate) fn redraw(&mut self) -> io::Result<()> {
        if OURS.load(Ordering::SeqCst) {
            self.terminal.clear()?;
        }
        Ok(())
    }

    /// Gives the terminal to the shell and stops the program until the shell continues it.
    #[cfg(unix)]
    pub(crate) fn suspend(&mut self) -> io::Result<()> {
        use rustix::process::{Signal, getpid, kill_process};
        if !can_suspend() {
            return Ok(());
        }
        give_back();
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

    /// Takes the terminal again after the program was stopped and continued.
    pub(crate) fn resume(&mut self) -> io::Result<()> {
        // A program stopped by SIGSTOP had no chance to give the terminal back, and the
        // shell has changed its modes since: crossterm must not believe them raw.
        disable_raw_mode()?;
        take()?;
        self.terminal.clear()
    }
}

impl Drop for Screenful {
    fn drop(&mut self) {
        give_back();
    }
}

fn take() -> io::Result<()> {
    OURS.store(true, Ordering::SeqCst);
    enable_raw_mode()?;
    execute!(
        io::stdout(),
        EnterAlternateScreen,
        EnableMouseCapture,
        EnableBracketedPaste
    )
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

/// Crossterm's backend, but it remembers the cursor's position instead of asking the
/// terminal for it. The question (`ESC[6n`) competes with the thread that reads keys
/// for the answer, and a terminal that doesn't answer would end the game.
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

    fn append_lines(&mut self, lines: u16) -> io::Result<()> {
        self.inner.append_lines(lines)
    }

    fn hide_cursor(&mut self) -> io::Result<()> {
        self.inner.hide_cursor()
    }

    /// Never fails: when ratatui drops its terminal it shows the cursor, and prints a
    /// failure to standard error, which panics if that terminal is gone, too.
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

/// How long the screen's thread has to store its moves and give the terminal back
/// before the program ends without it.
const GRACE: Duration = Duration::from_millis(3000);
/// With no terminal left there is nothing to give back.
const GRACE_WITHOUT_TERMINAL: Duration = Duration::from_millis(800);

/// Ends the program by this signal: through the screen's thread if that still takes
/// events, otherwise without it. It may be blocked writing to a terminal that nobody reads.
pub(crate) fn end_by(signal: u8, events: &Sender<Event>) {
    // No receiver: the program is ending already.
    let _ = events.send(Event::Terminate(signal));
    thread::spawn(move || {
        thread::sleep(match signal {
            HANG_UP => GRACE_WITHOUT_TERMINAL,
            _ => GRACE,
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
    let watch = |number: i32, handle: fn(&Sender<Event>)| {
        let events = events.clone();
        // Registered now: a signal that comes before the task runs counts, too.
        let _inside = runtime.enter();
        let Ok(mut signals) = signal(SignalKind::from_raw(number)) else {
            return;
        };
        runtime.spawn(async move {
            while signals.recv().await.is_some() {
                handle(&events);
            }
        });
    };
    watch(HANG_UP.into(), |events| end_by(HANG_UP, events));
    watch(INTERRUPT.into(), |events| end_by(INTERRUPT, events));
    watch(TERMINATE.into(), |events| end_by(TERMINATE, events));
    // No receiver: the program is ending already.
    watch(Signal::TSTP.as_raw(), |events| {
        let _ = events.send(Event::Suspend);
    });
    watch(Signal::CONT.as_raw(), |events| {
        let _ = events.send(Event::Resume);
    });
    watch_hang_up(events.clone());
}

/// Elsewhere a key is all there is.
#[cfg(not(unix))]
pub(crate) fn watch_signals(_: &Handle, _: &Sender<Event>) {}

/// Ends the program when its terminal disappears, also where no SIGHUP is sent.
/// Crossterm's reader doesn't report the end of its input: it reads again at once, forever.
#[cfg(unix)]
fn watch_hang_up(events: Sender<Event>) {
    thread::spawn(move || {
        if wait_for_hang_up(None) {
            end_by(HANG_UP, &events);
        }
    });
}

/// Is the terminal gone? Waits until it is, or as long as the limit says.
#[cfg(unix)]
fn wait_for_hang_up(limit: Option<&rustix::event::Timespec>) -> bool {
    use rustix::event::{PollFd, PollFlags, poll};
    let (stdin, stdout) = (io::stdin(), io::stdout());
    // A hang-up is always reported; nothing else is asked for.
    let watched = PollFlags::empty();
    let mut terminals = [PollFd::new(&stdin, watched), PollFd::new(&stdout, watched)];
    loop {
        match poll(&mut terminals, limit) {
            Ok(gone) => return gone > 0,
            Err(rustix::io::Errno::INTR) => {}
            Err(_) => return false,
        }
    }
}

/// Is the terminal gone?
#[cfg(unix)]
pub(crate) fn is_gone() -> bool {
    wait_for_hang_up(Some(&rustix::event::Timespec::default()))
}

#[cfg(not(unix))]
pub(crate) fn is_gone() -> bool {
    false
}

/// Ctrl-Z: the terminal doesn't send the signal in raw mode, so the program does. It goes
/// to the whole group, for a program that started this one and waits for it.
#[cfg(unix)]
pub(crate) fn ask_to_suspend() {
    use rustix::process::{Signal, kill_current_process_group};
    if can_suspend() {
        // What can't be stopped continues.
        let _ = kill_current_process_group(Signal::TSTP);
    }
}

#[cfg(not(unix))]
pub(crate) fn ask_to_suspend() {}

/// Is there a shell with job control that can continue the program? It gives every job
/// a group of its own. Alone in a window, a stopped program would stay stopped.
#[cfg(unix)]
fn can_suspend() -> bool {
    use rustix::process::{getpgrp, getsid};
    getsid(None).is_ok_and(|session| session != getpgrp())
}
