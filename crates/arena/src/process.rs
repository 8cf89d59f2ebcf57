//! An external bot's process: its pipes, the deadlines for reading and writing, and its termination.
//! What is sent through the pipes is up to the protocols.
//!
//! The program runs under a [launcher](crate::launcher), in its own process group, with a tag in
//! its environment. The caller polls the pipe itself; there is no reader thread. Every wait has a
//! deadline, including writes.

use std::io::{self, PipeReader, PipeWriter, Write};
use std::os::fd::AsFd;
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::ExitStatus;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::Errno;

use crate::launcher::{LaunchedBot, StartError};
use crate::player::{PlayerError, PlayerErrorKind};
use crate::protocol_log::{ProtocolLog, ProtocolLogWriter};
use crate::spec::Program;
use crate::stderr_log::StderrLog;

/// The longest line, in bytes.
const MAX_LINE: usize = 1 << 20;
/// How many bytes a program may write in one turn.
const MAX_TURN_BYTES: usize = 4 << 20;
/// How many more bytes it may write for each second of the turn, so that a bot that thinks for
/// hours can report it.
const MAX_BYTES_PER_SECOND: usize = 1 << 20;
/// A program that misses its deadline after writing more than this much per second counts as
/// flooding, not as late.
const FLOOD_BYTES_PER_SECOND: usize = 1 << 18;
/// How long a program has to exit after it was asked to.
const GRACE: Duration = Duration::from_millis(100);
const CHUNK: usize = 1 << 16;

/// The signal sent when a process has used up its CPU time.
const SIGXCPU: i32 = 24;

/// An external bot's program, and where its processes are logged.
#[derive(Clone)]
pub(crate) struct BotCommand {
    /// The bot's name in the protocol log.
    pub(crate) name: String,
    pub(crate) program: Program,
    /// The prefix of the processes' tags.
    pub(crate) tag: String,
    /// The log file of standard error.
    pub(crate) stderr_log: Option<PathBuf>,
    pub(crate) protocol_log: Option<ProtocolLog>,
}

/// Why a turn failed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum TurnError {
    /// The deadline passed.
    Timeout,
    /// The process exited or closed a pipe.
    Closed,
    /// The process wrote too much.
    OutputLimit,
    /// The process answered more than once.
    AnsweredTwice,
    /// The process violated the protocol in another way.
    Protocol(String),
}

/// How to terminate a process.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum ExitMode {
    /// Send this text and wait briefly for the process to exit.
    Quit(&'static str),
    /// Close the input and wait briefly for the process to exit.
    CloseInput,
    /// Kill the process immediately.
    Kill,
}

/// What is known about a process that has exited.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct ExitReport {
    /// The exit status; `None` if the process had to be killed.
    pub(crate) status: Option<ExitStatus>,
    /// The number of processes it left behind, which were killed.
    pub(crate) left_behind: usize,
    /// The last line written to standard error.
    pub(crate) stderr_tail: String,
}

impl ExitReport {
    /// A sentence part: `it exited with code 3; its last error output: …`.
    pub(crate) fn describe(&self) -> String {
        let mut text = match self.status.map(|status| (status.code(), status.signal())) {
            Some((Some(code), _)) => format!("it exited with code {code}"),
            Some((None, Some(SIGXCPU))) => "it reached its CPU time limit (--bot-cpu)".to_owned(),
            Some((None, Some(signal))) => format!("it was killed by signal {signal}"),
            Some((None, None)) => "it exited".to_owned(),
            None => "it closed its pipe".to_owned(),
        };
        if !self.stderr_tail.is_empty() {
            text += &format!("; its last error output: {tail:?}", tail = self.stderr_tail);
        }
        text
    }
}

/// A running program. Dropping it leaves nothing running.
pub(crate) struct BotProcess {
    /// Also wakes the poll when the program exits while another process keeps its pipe open.
    bot: LaunchedBot,
    input: Option<PipeWriter>,
    output: PipeReader,
    stderr_log: Option<StderrLog>,
    /// Bytes read from the program. Lines before `line_start` have been returned; there is no line
    /// break between `line_start` and `scanned`.
    buffer: Vec<u8>,
    line_start: usize,
    scanned: usize,
    /// Whether the program's output has ended.
    closed: bool,
    turn_start: Instant,
    turn_bytes: usize,
    /// The last deadline that passed; the pipe has been read once more after it.
    last_read: Option<Instant>,
    exit_report: Option<ExitReport>,
    /// Logs the lines sent and received, if set.
    logger: Option<ProtocolLogWriter>,
}

static PROCESS_COUNT: AtomicU64 = AtomicU64::new(0);

impl BotProcess {
    /// Starts the program. Its standard error goes to the log.
    ///
    /// # Errors
    /// [`StartFailure`](PlayerErrorKind::StartFailure) if there is no such program or it can't be
    /// executed; [`HostFailure`](PlayerErrorKind::HostFailure) if the system is out of resources or
    /// the log can't be written.
    pub(crate) fn start(command: &BotCommand) -> Result<BotProcess, PlayerError> {
        let program = &command.program;
        let number = PROCESS_COUNT.fetch_add(1, Ordering::Relaxed);
        let tag = format!("{}-{number}", command.tag);
        let host_failure = |cause: &str, error: &io::Error| {
            let message = format!("can't run {bot}: {cause}: {error}", bot = program.command);
            PlayerError::new(PlayerErrorKind::HostFailure, message)
        };
        let no_pipe = |error: io::Error| host_failure("can't create a pipe", &error);
        let (bot_input, input) = io::pipe().map_err(no_pipe)?;
        let (output, bot_output) = io::pipe().map_err(no_pipe)?;
        let (errors, bot_errors) = io::pipe().map_err(no_pipe)?;
        let pipes = [bot_input.into(), bot_output.into(), bot_errors.into()];
        let bot = LaunchedBot::start(program, &resolved_path(program), &tag, &pipes);
        // Only the bot holds these ends now, so that their closing is noticed.
        drop(pipes);
        let bot = bot.map_err(|error| match error {
            StartError::Launcher(message) => {
                PlayerError::new(PlayerErrorKind::HostFailure, message)
            }
            StartError::Program(error) => {
                let kind = match is_resource_exhaustion(&error) {
                    true => PlayerErrorKind::HostFailure,
                    false => PlayerErrorKind::StartFailure,
                };
                PlayerError::new(kind, run_error_text(program, &error))
            }
        })?;
        let mut process = BotProcess {
            bot,
            stderr_log: None,
            input: Some(input),
            output,
            buffer: Vec::new(),
            line_start: 0,
            scanned: 0,
            closed: false,
            turn_start: Instant::now(),
            turn_bytes: 0,
            last_read: None,
            exit_report: None,
            logger: None,
        };
        // From here on dropping `process` terminates it.
        if let Some(input) = &process.input {
            set_nonblocking(input).map_err(no_pipe)?;
        }
        set_nonblocking(&process.output).map_err(no_pipe)?;
        let log = command.stderr_log.as_deref();
        let stderr_log = StderrLog::start(errors, log, &log_header(program, &tag));
        let stderr_log = stderr_log.map_err(|error| host_failure("can't write its log", &error))?;
        process.stderr_log = Some(stderr_log);
        let protocol_log = command.protocol_log.as_ref();
        process.logger = protocol_log.map(|log| log.process_logger(&command.name, program));
        Ok(process)
    }

    /// Starts a turn: resets the byte count of the output limit.
    pub(crate) fn start_turn(&mut self) {
        self.turn_start = Instant::now();
        self.turn_bytes = 0;
    }

    /// Sends text. Reads incoming bytes while the pipe is full, so that the two sides can't
    /// deadlock.
    pub(crate) fn send(&mut self, text: &str, deadline: Instant) -> Result<(), TurnError> {
        if let Some(logger) = &self.logger {
            logger.log_sent(text);
        }
        let mut rest = text.as_bytes();
        // Writing nothing would return 0, which means a closed pipe.
        while !rest.is_empty() {
            let Some(input) = &mut self.input else {
                return Err(TurnError::Closed);
            };
            match input.write(rest) {
                Ok(0) => return Err(TurnError::Closed),
                Ok(n) => rest = rest.get(n..).unwrap_or_default(),
                Err(error) => match error.kind() {
                    io::ErrorKind::Interrupted => {}
                    io::ErrorKind::WouldBlock => {
                        if self.closed {
                            return Err(TurnError::Closed);
                        }
                        self.poll_pipes(true, deadline)?;
                        self.check_output_limit()?;
                    }
                    _ => return Err(TurnError::Closed),
                },
            }
        }
        Ok(())
    }

    /// Reads the next line, without its line break. A line that is already available counts as in
    /// time even if the deadline has passed.
    pub(crate) fn read_line(&mut self, deadline: Instant) -> Result<String, TurnError> {
        loop {
            if let Some(line) = self.buffered_line() {
                return Ok(line);
            }
            self.check_output_limit()?;
            if self.closed {
                return Err(TurnError::Closed);
            }
            self.poll_pipes(false, deadline)?;
        }
    }

    /// Reads a line if one is available without waiting.
    pub(crate) fn try_read_line(&mut self) -> Result<Option<String>, TurnError> {
        match self.read_line(self.turn_start) {
            Ok(line) => Ok(Some(line)),
            Err(TurnError::Timeout) => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// The incomplete line at the end of the output.
    pub(crate) fn partial_line(&self) -> Option<String> {
        let rest = self.buffer.get(self.line_start..).unwrap_or_default();
        let rest = String::from_utf8_lossy(rest.get(..80).unwrap_or(rest));
        (!rest.is_empty()).then(|| rest.into_owned())
    }

    /// Terminates the program after a failed turn, and says what happened. `late` is how to
    /// terminate a program that may still be thinking.
    pub(crate) fn fail_turn(
        &mut self,
        error: TurnError,
        allowed: Duration,
        late: ExitMode,
    ) -> PlayerError {
        let (kind, message) = match error {
            TurnError::Closed => {
                let exit = self.terminate(ExitMode::CloseInput);
                return PlayerError::new(PlayerErrorKind::Crash, exit.describe());
            }
            TurnError::Timeout => {
                let mut text = format!("no answer after {:.0} ms", allowed.as_secs_f64() * 1e3);
                if let Some(partial) = self.partial_line() {
                    text += &format!("; it wrote an incomplete line: {partial:?}");
                }
                self.terminate(late);
                (PlayerErrorKind::Timeout, text)
            }
            TurnError::OutputLimit => (
                PlayerErrorKind::ProtocolError,
                "it wrote too much output".into(),
            ),
            TurnError::AnsweredTwice => (
                PlayerErrorKind::ProtocolError,
                "it answered more than once; each `go` needs exactly one `bestmove`".into(),
            ),
            TurnError::Protocol(text) => (PlayerErrorKind::ProtocolError, text),
        };
        self.terminate(ExitMode::Kill);
        PlayerError::new(kind, message)
    }

    /// Terminates the program and everything it has started.
    pub(crate) fn terminate(&mut self, termination: ExitMode) -> ExitReport {
        self.terminate_within(termination, GRACE)
    }

    /// Terminates the program, waiting up to `grace` for it to exit by itself.
    pub(crate) fn terminate_within(
        &mut self,
        termination: ExitMode,
        grace: Duration,
    ) -> ExitReport {
        if let Some(report) = &self.exit_report {
            return report.clone();
        }
        let deadline = Instant::now() + grace;
        if let ExitMode::Quit(command) = termination {
            let _ = self.send(command, deadline);
        }
        // Before a kill the input stays open: otherwise a program that exits at the end of its input
        // would seem to have exited by itself.
        if termination != ExitMode::Kill {
            self.input = None;
            self.wait_for_exit(deadline);
        }
        let (status, left_behind) = self.bot.terminate();
        self.input = None;
        let stderr_log = self.stderr_log.take();
        let report = ExitReport {
            status,
            left_behind,
            stderr_tail: stderr_log.map(StderrLog::finish).unwrap_or_default(),
        };
        self.closed = true;
        if self.logger.is_some() {
            while self.buffered_line().is_some() {}
        }
        if let Some(logger) = &self.logger {
            if let Some(partial) = self.partial_line() {
                logger.log_received(&format!("{partial} (no line break)"));
            }
            logger.log_event(&match report.status {
                Some(_) => report.describe(),
                None => "it was killed".to_owned(),
            });
        }
        self.exit_report.insert(report).clone()
    }

    /// Waits until the program has exited, discarding its output.
    fn wait_for_exit(&mut self, deadline: Instant) {
        while !self.bot.has_exited() {
            while self.buffered_line().is_some() {}
            self.buffer.clear();
            (self.line_start, self.scanned) = (0, 0);
            if Instant::now() >= deadline {
                break;
            }
            let _ = self.poll_pipes(false, deadline);
        }
    }

    /// Waits until the pipes can be read (or written) or the program has exited; reads what is
    /// available.
    ///
    /// After the deadline the pipe is read once more, for what was written in time. A program
    /// that keeps writing would otherwise never be late.
    fn poll_pipes(&mut self, write: bool, deadline: Instant) -> Result<(), TurnError> {
        if Instant::now() >= deadline && self.last_read.replace(deadline) == Some(deadline) {
            return Err(self.timeout_error());
        }
        let timeout = timespec_until(deadline);
        let (is_readable, exit_ready) = {
            let exit_fd = self.bot.exit_fd();
            let mut fds = vec![PollFd::new(&exit_fd, PollFlags::IN)];
            if !self.closed {
                fds.push(PollFd::new(&self.output, PollFlags::IN));
            }
            if let (true, Some(input)) = (write, &self.input) {
                fds.push(PollFd::new(input, PollFlags::OUT));
            }
            match poll(&mut fds, Some(&timeout)) {
                Ok(0) if Instant::now() >= deadline => return Err(self.timeout_error()),
                Ok(_) | Err(Errno::INTR) => {}
                Err(_) => return Err(TurnError::Closed),
            }
            let is_ready = |index: usize| fds.get(index).is_some_and(|fd| !fd.revents().is_empty());
            (!self.closed && is_ready(1), is_ready(0))
        };
        let has_exited = exit_ready && self.bot.has_exited();
        if is_readable || has_exited {
            // Everything it wrote before it exited is in the pipe now.
            while self.read_available() && has_exited && self.check_output_limit().is_ok() {}
        }
        self.closed |= has_exited;
        Ok(())
    }

    /// Reads once; returns false if nothing is available.
    fn read_available(&mut self) -> bool {
        let length = self.buffer.len();
        self.buffer.resize(length + CHUNK, 0);
        let space = self.buffer.get_mut(length..).unwrap_or_default();
        let read = rustix::io::retry_on_intr(|| rustix::io::read(&self.output, &mut *space));
        self.closed |= !matches!(read, Ok(1..) | Err(Errno::AGAIN));
        let n = read.unwrap_or(0);
        self.buffer.truncate(length + n);
        self.turn_bytes += n;
        n > 0
    }

    /// A line that is already in the buffer; doesn't read from the pipe.
    pub(crate) fn buffered_line(&mut self) -> Option<String> {
        let fresh = self.buffer.get(self.scanned..).unwrap_or_default();
        let Some(end) = fresh.iter().position(|&byte| byte == b'\n') else {
            self.scanned = self.buffer.len();
            // Discard returned lines only now, not one by one.
            if self.line_start > 0 {
                self.buffer.drain(..self.line_start);
                self.scanned -= self.line_start;
                self.line_start = 0;
            }
            return None;
        };
        let end = self.scanned + end;
        let line = self.buffer.get(self.line_start..end).unwrap_or_default();
        let line = String::from_utf8_lossy(line).trim_end().to_owned();
        self.line_start = end + 1;
        self.scanned = self.line_start;
        if let Some(logger) = &self.logger {
            logger.log_received(&line);
        }
        Some(line)
    }

    fn check_output_limit(&self) -> Result<(), TurnError> {
        let seconds = usize::try_from(self.turn_start.elapsed().as_secs()).unwrap_or(usize::MAX);
        let max_bytes = MAX_TURN_BYTES.saturating_add(seconds.saturating_mul(MAX_BYTES_PER_SECOND));
        if self.turn_bytes > max_bytes || self.buffer.len() - self.line_start > MAX_LINE {
            return Err(TurnError::OutputLimit);
        }
        Ok(())
    }

    /// A timeout, or an output overflow if the program was busy writing.
    fn timeout_error(&self) -> TurnError {
        let seconds = self.turn_start.elapsed().as_secs_f64();
        match self.turn_bytes as f64 > FLOOD_BYTES_PER_SECOND as f64 * (1.0 + seconds) {
            true => TurnError::OutputLimit,
            false => TurnError::Timeout,
        }
    }
}

impl Drop for BotProcess {
    fn drop(&mut self) {
        self.terminate(ExitMode::Quit("quit\n"));
    }
}

/// Why a program can't be run, as a sentence.
fn run_error_text(program: &Program, error: &io::Error) -> String {
    use io::ErrorKind;
    let command = &program.command;
    let directory = program.directory.as_ref();
    let hint = match error.kind() {
        ErrorKind::NotFound if directory.is_some_and(|path| !path.is_dir()) => {
            ": its folder doesn't exist"
        }
        ErrorKind::NotFound if command.contains('/') => {
            ": no such file, or the interpreter in its first line is missing"
        }
        ErrorKind::NotFound => ": not found on the PATH; write ./NAME for a program in this folder",
        ErrorKind::PermissionDenied => ": it isn't executable; run chmod +x on it",
        _ => "",
    };
    match hint {
        "" => format!("can't run {command}: {error}"),
        hint => format!("can't run {command}{hint}"),
    }
}

/// Checks that a program exists and is executable; doesn't run it.
///
/// # Errors
/// What is wrong, as a sentence.
pub(crate) fn check_executable(program: &Program) -> Result<(), String> {
    let has_directory = program.directory.as_ref().is_none_or(|path| path.is_dir());
    let path = std::env::var_os("PATH").unwrap_or_default();
    let mut on_path = std::env::split_paths(&path).map(|folder| folder.join(&program.command));
    let found = match program.command.contains('/') {
        true if has_directory => check_runnable(&resolved_path(program)),
        false if has_directory && on_path.any(|path| check_runnable(&path).is_ok()) => Ok(()),
        _ => Err(io::ErrorKind::NotFound.into()),
    };
    found.map_err(|error| run_error_text(program, &error))
}

fn check_runnable(path: &Path) -> io::Result<()> {
    use rustix::fs::{Access, access};
    if path.metadata()?.is_dir() {
        return Err(io::Error::from(Errno::ACCESS));
    }
    Ok(access(path, Access::EXEC_OK)?)
}

/// Whether the system is out of resources, which isn't the program's fault.
fn is_resource_exhaustion(error: &io::Error) -> bool {
    let errors = [Errno::MFILE, Errno::NFILE, Errno::AGAIN, Errno::NOMEM];
    error.kind() == io::ErrorKind::OutOfMemory
        || error
            .raw_os_error()
            .is_some_and(|code| errors.iter().any(|lack| lack.raw_os_error() == code))
}

/// Resolves a path against the program's directory; a plain name is searched for in PATH.
fn resolved_path(program: &Program) -> std::borrow::Cow<'_, Path> {
    let command = Path::new(&program.command);
    match &program.directory {
        Some(directory) if command.is_relative() && program.command.contains('/') => {
            // The child's working directory differs: make the path absolute.
            let path = directory.join(command);
            std::path::absolute(&path).unwrap_or(path).into()
        }
        _ => command.into(),
    }
}

fn log_header(program: &Program, tag: &str) -> String {
    let command = program.command_line().replace(char::is_control, "?");
    format!("{} {tag} {command}", jiff::Timestamp::now())
}

pub(crate) fn timespec_until(deadline: Instant) -> Timespec {
    let left = deadline.saturating_duration_since(Instant::now());
    Timespec {
        tv_sec: left.as_secs().try_into().unwrap_or(i64::MAX),
        tv_nsec: left.subsec_nanos().into(),
    }
}

pub(crate) fn set_nonblocking(fd: impl AsFd) -> io::Result<()> {
    Ok(rustix::io::ioctl_fionbio(fd, true)?)
}
