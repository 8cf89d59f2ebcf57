//! Runs the program in a pseudo-terminal: sends keys and mouse events, and reads the screen that a
//! terminal would show. Nothing sleeps: waiting ends when output arrives.

#![allow(
    dead_code,
    reason = "shared by tests and a benchmark; each uses a part"
)]

use std::io::{Read, Write};
use std::num::NonZero;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::mpsc;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use portable_pty::{Child, CommandBuilder, ExitStatus, MasterPty, PtySize, native_pty_system};

/// Longer than anything takes on a busy machine, so only a failure takes this long.
const TIMEOUT: Duration = Duration::from_secs(30);

/// An empty directory for one test.
pub(crate) fn test_dir(name: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("pty-{name}"));
    let _ = std::fs::remove_dir_all(&path);
    std::fs::create_dir_all(&path).expect("a folder can be made");
    path
}

/// The program in a terminal.
pub(crate) struct Terminal {
    child: Program,
    master: Box<dyn MasterPty + Send>,
    keys: Box<dyn Write + Send>,
    screen_output: Arc<SharedScreen>,
}

struct SharedScreen {
    state: Mutex<ScreenState>,
    changed: Condvar,
}

struct ScreenState {
    parser: vt100::Parser,
    /// Whether the program asked for the cursor's position (`ESC[6n`), which isn't answered here.
    asked_for_cursor: bool,
    /// The last bytes, in which the escape sequence may start.
    tail: Vec<u8>,
    /// Whether the reader stops after the next bytes.
    is_stopping: bool,
    /// The number of bytes received.
    bytes: usize,
    /// When the last bytes arrived.
    last_received: Instant,
    closed: bool,
}

impl ScreenState {
    fn look_for_cursor_query(&mut self, bytes: &[u8]) {
        const CURSOR_QUERY: &[u8] = b"\x1b[6n";
        self.tail.extend_from_slice(bytes);
        let mut all = self.tail.windows(CURSOR_QUERY.len());
        self.asked_for_cursor |= all.any(|window| window == CURSOR_QUERY);
        let keep = self.tail.len().saturating_sub(CURSOR_QUERY.len() - 1);
        self.tail.drain(..keep);
    }
}

impl Terminal {
    /// Starts the program with these arguments and this data directory.
    pub(crate) fn start(data: &Path, args: &[&str], columns: u16, rows: u16) -> Terminal {
        Terminal::start_with(data, args, columns, rows, &[])
    }

    pub(crate) fn start_with(
        data: &Path,
        args: &[&str],
        columns: u16,
        rows: u16,
        environment: &[(&str, &str)],
    ) -> Terminal {
        let mut command = CommandBuilder::new(env!("CARGO_BIN_EXE_noughts"));
        command.args(args);
        Terminal::start_command(command, data, columns, rows, environment)
    }

    /// Starts any program.
    pub(crate) fn start_command(
        mut command: CommandBuilder,
        data: &Path,
        columns: u16,
        rows: u16,
        environment: &[(&str, &str)],
    ) -> Terminal {
        let pair = native_pty_system()
            .openpty(size(columns, rows))
            .expect("a pseudo-terminal");
        command.env("NOUGHTS_DATA", data);
        command.env("TERM", "xterm-256color");
        command.env("LANG", "C.UTF-8");
        for unwanted in [
            "NO_COLOR",
            "COLORTERM",
            "COLORFGBG",
            "LC_ALL",
            "LC_CTYPE",
            "RUST_BACKTRACE",
        ] {
            command.env_remove(unwanted);
        }
        for (name, value) in environment {
            command.env(name, value);
        }
        let child = pair.slave.spawn_command(command).expect("the program");
        drop(pair.slave);
        let screen_output = Arc::new(SharedScreen {
            state: Mutex::new(ScreenState {
                parser: vt100::Parser::new(non_zero(rows), non_zero(columns), 0),
                asked_for_cursor: false,
                tail: Vec::new(),
                is_stopping: false,
                bytes: 0,
                last_received: Instant::now(),
                closed: false,
            }),
            changed: Condvar::new(),
        });
        let output = pair.master.try_clone_reader().expect("the output");
        let reader = Arc::clone(&screen_output);
        thread::spawn(move || read(output, &reader));
        Terminal {
            child: Program(child),
            keys: pair.master.take_writer().expect("the input"),
            master: pair.master,
            screen_output,
        }
    }

    /// Types these characters.
    pub(crate) fn type_keys(&mut self, keys: &str) {
        // Fails if the program has just ended; a later wait detects that.
        let _ = self.keys.write_all(keys.as_bytes());
        let _ = self.keys.flush();
    }

    /// Clicks with the left button at this position, counted from 0.
    pub(crate) fn click(&mut self, column: u16, row: u16) {
        let (column, row) = (column + 1, row + 1);
        self.type_keys(&format!("\x1b[<0;{column};{row}M\x1b[<0;{column};{row}m"));
    }

    pub(crate) fn resize(&mut self, columns: u16, rows: u16) {
        // The parser first: everything after the signal is drawn for the new size.
        self.lock()
            .parser
            .set_size(non_zero(rows), non_zero(columns));
        self.master.resize(size(columns, rows)).expect("a new size");
    }

    /// Waits until the screen meets the condition, and returns its text.
    pub(crate) fn wait_until(
        &self,
        what: &str,
        condition: impl Fn(&vt100::Screen) -> bool,
    ) -> String {
        let deadline = Instant::now() + TIMEOUT;
        let mut state = self.lock();
        loop {
            if condition(state.parser.screen()) {
                return state.parser.screen().contents();
            }
            let remaining = deadline.saturating_duration_since(Instant::now());
            let screen = || state.parser.screen().contents();
            assert!(
                !remaining.is_zero(),
                "never saw {what}; the screen:\n{}",
                screen()
            );
            assert!(
                !state.closed,
                "it ended without {what}; the screen:\n{}",
                screen()
            );
            let waited = self.screen_output.changed.wait_timeout(state, remaining);
            state = waited.expect("the reader is well").0;
        }
    }

    /// Waits until this text is on the screen, and returns the whole text.
    pub(crate) fn wait_for(&self, text: &str) -> String {
        self.wait_until(&format!("{text:?}"), |screen| {
            screen.contents().contains(text)
        })
    }

    /// The text on the screen.
    pub(crate) fn contents(&self) -> String {
        self.lock().parser.screen().contents()
    }

    /// The column and row of this text's first character.
    pub(crate) fn find(&self, text: &str) -> Option<(u16, u16)> {
        let state = self.lock();
        let screen = state.parser.screen();
        let (rows, columns) = screen.size();
        for row in 0..rows.get() {
            for column in 0..columns.get() {
                let rest: String = (column..columns.get())
                    .filter_map(|column| screen.cell(row, column))
                    .map(|cell| match cell.contents() {
                        "" => " ",
                        text => text,
                    })
                    .collect();
                if rest.starts_with(text) {
                    return Some((column, row));
                }
            }
        }
        None
    }

    /// How many bytes have been received, and when the last ones arrived.
    pub(crate) fn received(&self) -> (usize, Instant) {
        let state = self.lock();
        (state.bytes, state.last_received)
    }

    /// Waits until more bytes than this have been received.
    pub(crate) fn wait_for_more(&self, count: usize) -> Instant {
        let deadline = Instant::now() + TIMEOUT;
        let mut state = self.lock();
        while state.bytes <= count {
            let remaining = deadline.saturating_duration_since(Instant::now());
            assert!(!remaining.is_zero() && !state.closed, "nothing more came");
            let waited = self.screen_output.changed.wait_timeout(state, remaining);
            state = waited.expect("the reader is well").0;
        }
        state.last_received
    }

    pub(crate) fn process_id(&self) -> u32 {
        self.child.0.process_id().expect("a running program")
    }

    /// Sends a signal by its name.
    pub(crate) fn signal(&self, name: &str) {
        let sent = Command::new("kill")
            .args([&format!("-{name}"), &self.process_id().to_string()])
            .status();
        assert!(sent.is_ok_and(|status| status.success()), "kill -{name}");
    }

    /// Whether the program ever asked for the cursor's position.
    pub(crate) fn asked_for_cursor(&self) -> bool {
        self.lock().asked_for_cursor
    }

    /// Types keys and stops reading after the next bytes, so that the terminal's buffer fills up.
    pub(crate) fn stop_reading(&mut self, keys: &str) {
        let mut state = self.lock();
        state.is_stopping = true;
        drop(state);
        self.type_keys(keys);
        let deadline = Instant::now() + TIMEOUT;
        let mut state = self.screen_output.state.lock().expect("the reader is well");
        while !state.closed {
            let remaining = deadline.saturating_duration_since(Instant::now());
            assert!(!remaining.is_zero(), "nothing was written after {keys:?}");
            let waited = self.screen_output.changed.wait_timeout(state, remaining);
            state = waited.expect("the reader is well").0;
        }
    }

    /// Closes the terminal like a window, right after these keys, which make the program draw
    /// something. Returns the program's exit code.
    pub(crate) fn hang_up(mut self, keys: &str) -> u32 {
        self.stop_reading(keys);
        let Terminal {
            child,
            master,
            keys,
            ..
        } = self;
        drop(keys);
        drop(master);
        exit_code(child)
    }

    /// Waits for the program to end without reading its output.
    pub(crate) fn exit_code(self) -> u32 {
        // The terminal stays open until then.
        let Terminal {
            child,
            master: _master,
            keys: _keys,
            ..
        } = self;
        exit_code(child)
    }

    /// Waits for the program to end. Returns its exit code and the state of the terminal.
    pub(crate) fn wait_for_exit_code(&mut self) -> (u32, TerminalState) {
        let (status, terminal_state) = self.wait_for_status();
        (status.exit_code(), terminal_state)
    }

    /// Waits for the program to end. Returns whether it succeeded and the state of the terminal.
    pub(crate) fn wait_for_end(&mut self) -> (bool, TerminalState) {
        let (status, terminal_state) = self.wait_for_status();
        (status.success(), terminal_state)
    }

    fn wait_for_status(&mut self) -> (ExitStatus, TerminalState) {
        let deadline = Instant::now() + TIMEOUT;
        let mut state = self.screen_output.state.lock().expect("the reader is well");
        while !state.closed {
            let remaining = deadline.saturating_duration_since(Instant::now());
            let screen = || state.parser.screen().contents();
            assert!(
                !remaining.is_zero(),
                "it does not end; the screen:\n{}",
                screen()
            );
            let waited = self.screen_output.changed.wait_timeout(state, remaining);
            state = waited.expect("the reader is well").0;
        }
        let status = self.child.0.wait().expect("the program ends");
        let screen = state.parser.screen();
        let terminal_state = TerminalState {
            alternate: screen.alternate_screen(),
            hidden_cursor: screen.hide_cursor(),
            mouse: screen.mouse_protocol_mode() != vt100::MouseProtocolMode::None,
            paste: screen.bracketed_paste(),
            text: screen.contents(),
        };
        (status, terminal_state)
    }

    fn lock(&self) -> MutexGuard<'_, ScreenState> {
        self.screen_output.state.lock().expect("the reader is well")
    }
}

/// The program, which is killed when a test fails.
struct Program(Box<dyn Child + Send + Sync>);

impl Drop for Program {
    fn drop(&mut self) {
        let _ = self.0.kill();
    }
}

/// Waits for a program to end by itself. Returns its exit code.
fn exit_code(mut program: Program) -> u32 {
    let mut killer = program.0.clone_killer();
    let (sender, ended) = mpsc::channel();
    thread::spawn(move || {
        let _ = sender.send(program.0.wait());
    });
    match ended.recv_timeout(TIMEOUT) {
        Ok(status) => status.expect("the program ends").exit_code(),
        Err(_) => {
            let _ = killer.kill();
            panic!("it does not end");
        }
    }
}

/// The state of the terminal after the program has ended.
#[derive(Debug)]
pub(crate) struct TerminalState {
    pub(crate) alternate: bool,
    pub(crate) hidden_cursor: bool,
    pub(crate) mouse: bool,
    pub(crate) paste: bool,
    pub(crate) text: String,
}

impl TerminalState {
    /// Are all terminal modes reset?
    pub(crate) fn is_restored(&self) -> bool {
        !(self.alternate || self.hidden_cursor || self.mouse || self.paste)
    }
}

fn non_zero(length: u16) -> NonZero<u16> {
    NonZero::new(length).expect("a screen has columns and rows")
}

fn size(columns: u16, rows: u16) -> PtySize {
    PtySize {
        rows,
        cols: columns,
        pixel_width: 0,
        pixel_height: 0,
    }
}

fn read(mut output: Box<dyn Read + Send>, screen_output: &SharedScreen) {
    let mut buffer = [0; 65_536];
    loop {
        let read = output.read(&mut buffer);
        // A test that panicked with the lock has already reported why.
        let mut state = screen_output
            .state
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        match read {
            Ok(length) if length > 0 => {
                state.parser.process(&buffer[..length]);
                state.look_for_cursor_query(&buffer[..length]);
                state.bytes += length;
                state.last_received = Instant::now();
            }
            // Linux reports an error once the other side is closed.
            _ => state.closed = true,
        }
        state.closed |= state.is_stopping;
        let closed = state.closed;
        drop(state);
        screen_output.changed.notify_all();
        if closed {
            return;
        }
    }
}
