//! The built program in a real pseudo-terminal: keys and mouse go in, what a
//! terminal would show is read off. Nothing sleeps: whoever waits is woken by output.

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

/// Longer than anything takes on a busy machine; only a failure waits for it.
const PATIENCE: Duration = Duration::from_secs(30);

/// A folder of this test's own, empty.
pub(crate) fn folder(name: &str) -> PathBuf {
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
    seen: Arc<Seen>,
}

struct Seen {
    state: Mutex<State>,
    changed: Condvar,
}

struct State {
    parser: vt100::Parser,
    /// Whether the program asked for the cursor's position (`ESC[6n`): nobody answers here.
    asked_for_cursor: bool,
    /// The last bytes, in which a question may begin.
    tail: Vec<u8>,
    /// Whether the reader leaves after the next bytes.
    leaving: bool,
    /// Everything that came, to be counted.
    bytes: usize,
    /// When the last of it came.
    at: Instant,
    closed: bool,
}

impl State {
    fn look_for_question(&mut self, bytes: &[u8]) {
        const QUESTION: &[u8] = b"\x1b[6n";
        self.tail.extend_from_slice(bytes);
        let mut all = self.tail.windows(QUESTION.len());
        self.asked_for_cursor |= all.any(|window| window == QUESTION);
        let keep = self.tail.len().saturating_sub(QUESTION.len() - 1);
        self.tail.drain(..keep);
    }
}

impl Terminal {
    /// Starts the program with these arguments, its data in this folder.
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
        let seen = Arc::new(Seen {
            state: Mutex::new(State {
                parser: vt100::Parser::new(some(rows), some(columns), 0),
                asked_for_cursor: false,
                tail: Vec::new(),
                leaving: false,
                bytes: 0,
                at: Instant::now(),
                closed: false,
            }),
            changed: Condvar::new(),
        });
        let output = pair.master.try_clone_reader().expect("the output");
        let reader = Arc::clone(&seen);
        thread::spawn(move || read(output, &reader));
        Terminal {
            child: Program(child),
            keys: pair.master.take_writer().expect("the input"),
            master: pair.master,
            seen,
        }
    }

    /// Types these characters.
    pub(crate) fn type_keys(&mut self, keys: &str) {
        // A program that has just ended reads no more; whoever waits for it finds out.
        let _ = self.keys.write_all(keys.as_bytes());
        let _ = self.keys.flush();
    }

    /// Presses and releases the left button at this place, counted from 0.
    pub(crate) fn click(&mut self, column: u16, row: u16) {
        let (column, row) = (column + 1, row + 1);
        self.type_keys(&format!("\x1b[<0;{column};{row}M\x1b[<0;{column};{row}m"));
    }

    pub(crate) fn resize(&mut self, columns: u16, rows: u16) {
        // The picture first: what comes after the signal is drawn for the new size.
        self.lock().parser.set_size(some(rows), some(columns));
        self.master.resize(size(columns, rows)).expect("a new size");
    }

    /// Waits until the screen shows what is wanted, and gives its text.
    pub(crate) fn wait_until(&self, what: &str, wanted: impl Fn(&vt100::Screen) -> bool) -> String {
        let until = Instant::now() + PATIENCE;
        let mut state = self.lock();
        loop {
            if wanted(state.parser.screen()) {
                return state.parser.screen().contents();
            }
            let left = until.saturating_duration_since(Instant::now());
            let screen = || state.parser.screen().contents();
            assert!(
                !left.is_zero(),
                "never saw {what}; the screen:\n{}",
                screen()
            );
            assert!(
                !state.closed,
                "it ended without {what}; the screen:\n{}",
                screen()
            );
            let waited = self.seen.changed.wait_timeout(state, left);
            state = waited.expect("the reader is well").0;
        }
    }

    /// Waits until this text is on the screen.
    pub(crate) fn wait_for(&self, text: &str) -> String {
        self.wait_until(&format!("{text:?}"), |screen| {
            screen.contents().contains(text)
        })
    }

    /// What the screen shows now.
    pub(crate) fn contents(&self) -> String {
        self.lock().parser.screen().contents()
    }

    /// Where this text stands: column and row of its first character.
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

    /// How much has come so far, and when the last of it came.
    pub(crate) fn received(&self) -> (usize, Instant) {
        let state = self.lock();
        (state.bytes, state.at)
    }

    /// Waits for anything more to come than this.
    pub(crate) fn wait_for_more(&self, than: usize) -> Instant {
        let until = Instant::now() + PATIENCE;
        let mut state = self.lock();
        while state.bytes <= than {
            let left = until.saturating_duration_since(Instant::now());
            assert!(!left.is_zero() && !state.closed, "nothing more came");
            let waited = self.seen.changed.wait_timeout(state, left);
            state = waited.expect("the reader is well").0;
        }
        state.at
    }

    pub(crate) fn process(&self) -> u32 {
        self.child.0.process_id().expect("a running program")
    }

    /// Sends a signal by its name.
    pub(crate) fn signal(&self, name: &str) {
        let sent = Command::new("kill")
            .args([&format!("-{name}"), &self.process().to_string()])
            .status();
        assert!(sent.is_ok_and(|status| status.success()), "kill -{name}");
    }

    /// Whether the program ever asked for the cursor's position.
    pub(crate) fn asked_for_cursor(&self) -> bool {
        self.lock().asked_for_cursor
    }

    /// Types keys and stops reading what the program writes: from the next bytes on, the
    /// terminal's buffer fills up.
    pub(crate) fn stop_reading(&mut self, keys: &str) {
        let mut state = self.lock();
        state.leaving = true;
        drop(state);
        self.type_keys(keys);
        let until = Instant::now() + PATIENCE;
        let mut state = self.seen.state.lock().expect("the reader is well");
        while !state.closed {
            let left = until.saturating_duration_since(Instant::now());
            assert!(!left.is_zero(), "nothing was written after {keys:?}");
            let waited = self.seen.changed.wait_timeout(state, left);
            state = waited.expect("the reader is well").0;
        }
    }

    /// Closes the terminal as a window is closed, right after these keys, which make the
    /// program draw something. Returns the program's exit code.
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

    /// Waits for the program to end, whatever is left to read.
    pub(crate) fn exit_code(self) -> u32 {
        // The terminal stays open meanwhile.
        let Terminal {
            child,
            master: _master,
            keys: _keys,
            ..
        } = self;
        exit_code(child)
    }

    /// Waits for the program to end: its exit code, and what the terminal is like then.
    pub(crate) fn end_with_code(&mut self) -> (u32, Afterwards) {
        let (status, afterwards) = self.wait_for_end();
        (status.exit_code(), afterwards)
    }

    /// Waits for the program to end: whether it says that all went well, and what
    /// the terminal is like afterwards.
    pub(crate) fn end(&mut self) -> (bool, Afterwards) {
        let (status, afterwards) = self.wait_for_end();
        (status.success(), afterwards)
    }

    fn wait_for_end(&mut self) -> (ExitStatus, Afterwards) {
        let until = Instant::now() + PATIENCE;
        let mut state = self.seen.state.lock().expect("the reader is well");
        while !state.closed {
            let left = until.saturating_duration_since(Instant::now());
            let screen = || state.parser.screen().contents();
            assert!(
                !left.is_zero(),
                "it does not end; the screen:\n{}",
                screen()
            );
            let waited = self.seen.changed.wait_timeout(state, left);
            state = waited.expect("the reader is well").0;
        }
        let status = self.child.0.wait().expect("the program ends");
        let screen = state.parser.screen();
        let afterwards = Afterwards {
            alternate: screen.alternate_screen(),
            hidden_cursor: screen.hide_cursor(),
            mouse: screen.mouse_protocol_mode() != vt100::MouseProtocolMode::None,
            paste: screen.bracketed_paste(),
            text: screen.contents(),
        };
        (status, afterwards)
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.seen.state.lock().expect("the reader is well")
    }
}

/// A program in a terminal; a test that fails leaves none running.
struct Program(Box<dyn Child + Send + Sync>);

impl Drop for Program {
    fn drop(&mut self) {
        let _ = self.0.kill();
    }
}

/// The exit code of a program that has to end by itself.
fn exit_code(mut program: Program) -> u32 {
    let mut killer = program.0.clone_killer();
    let (sender, ended) = mpsc::channel();
    thread::spawn(move || {
        let _ = sender.send(program.0.wait());
    });
    match ended.recv_timeout(PATIENCE) {
        Ok(status) => status.expect("the program ends").exit_code(),
        Err(_) => {
            let _ = killer.kill();
            panic!("it does not end");
        }
    }
}

/// What a program left of its terminal.
#[derive(Debug)]
pub(crate) struct Afterwards {
    pub(crate) alternate: bool,
    pub(crate) hidden_cursor: bool,
    pub(crate) mouse: bool,
    pub(crate) paste: bool,
    pub(crate) text: String,
}

impl Afterwards {
    /// Is everything as it was before?
    pub(crate) fn is_as_before(&self) -> bool {
        !(self.alternate || self.hidden_cursor || self.mouse || self.paste)
    }
}

fn some(length: u16) -> NonZero<u16> {
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

fn read(mut output: Box<dyn Read + Send>, seen: &Seen) {
    let mut buffer = [0; 65_536];
    loop {
        let read = output.read(&mut buffer);
        // Whoever breaks down while looking has told why.
        let mut state = seen.state.lock().unwrap_or_else(PoisonError::into_inner);
        match read {
            Ok(length) if length > 0 => {
                state.parser.process(&buffer[..length]);
                state.look_for_question(&buffer[..length]);
                state.bytes += length;
                state.at = Instant::now();
            }
            // Linux reports an error once the other side is closed.
            _ => state.closed = true,
        }
        state.closed |= state.leaving;
        let closed = state.closed;
        drop(state);
        seen.changed.notify_all();
        if closed {
            return;
        }
    }
}
