//! An outside program: its pipes, how long one waits for it, and its death. What is
//! said through the pipes is not known here.
//!
//! The program runs under a [launcher](crate::launcher), in a process group of its own, and
//! carries a tag in its environment. Whoever asks also waits: there is no thread between the pipe and the one who reads
//! it. Every wait has an end, for writing, too.

use std::io::{self, PipeReader, PipeWriter, Write};
use std::os::fd::AsFd;
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::Errno;

use crate::launcher::{LaunchedBot, StartError};
use crate::player::{PlayerError, PlayerErrorKind};
pub(crate) use crate::process_types::{ExitReport, ProcessIoError, Termination};
use crate::protocol_log::ProcessLogger;
use crate::spec::Program;
use crate::stderr_log::StderrLog;

/// A line has no more bytes.
const LONGEST_LINE: usize = 1 << 20;
/// So much may be written in one turn ...
const MOST_BYTES: usize = 4 << 20;
/// ... and so much more for each second of it: who thinks for hours may tell of it.
const MORE_A_SECOND: usize = 1 << 20;
/// Who is late and has written so much has not been thinking.
const MUCH: usize = 1 << 18;
/// How long a program that was asked to leave has for it.
const GRACE: Duration = Duration::from_millis(100);
const CHUNK: usize = 1 << 16;

/// A running program. Dropping it leaves nothing running.
pub(crate) struct BotProcess {
    /// Wakes the one who waits when the program ends, even if something else keeps its
    /// pipe open.
    bot: LaunchedBot,
    input: Option<PipeWriter>,
    output: PipeReader,
    errors: Option<StderrLog>,
    /// What was read and not yet asked for, from `begin` on; up to `scanned` there is no
    /// end of a line.
    buffer: Vec<u8>,
    begin: usize,
    scanned: usize,
    /// Nothing more will come.
    closed: bool,
    turn: Instant,
    turn_bytes: usize,
    /// The deadline that has passed and after which the pipe was read one last time.
    last_read: Option<Instant>,
    ended: Option<ExitReport>,
    /// Writes down what is said.
    speaker: Option<ProcessLogger>,
}

static NUMBER: AtomicU64 = AtomicU64::new(0);

impl BotProcess {
    /// Starts it. What it writes to its standard error goes to the log.
    ///
    /// # Errors
    /// There is no such program, or it may not be run: its fault. Or the system has no
    /// room for one more, or no place for its log: nobody's.
    pub(crate) fn start(
        program: &Program,
        tag: &str,
        log: Option<&Path>,
    ) -> Result<BotProcess, PlayerError> {
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        let tag = format!("{tag}-{number}");
        let hindered = |what: &str, error: &io::Error| {
            let message = format!("{} cannot be run: {what}: {error}", program.command);
            PlayerError::new(PlayerErrorKind::HostFailure, message)
        };
        let no_pipe = |error: io::Error| hindered("no pipe", &error);
        let (bot_input, input) = io::pipe().map_err(no_pipe)?;
        let (output, bot_output) = io::pipe().map_err(no_pipe)?;
        let (errors, bot_errors) = io::pipe().map_err(no_pipe)?;
        let pipes = [bot_input.into(), bot_output.into(), bot_errors.into()];
        let bot = LaunchedBot::start(program, &resolved(program), &tag, &pipes);
        // Only the bot has these ends now: it is noticed when it closes them.
        drop(pipes);
        let bot = bot.map_err(|error| match error {
            StartError::Launcher(message) => {
                PlayerError::new(PlayerErrorKind::HostFailure, message)
            }
            StartError::Program(error) => {
                let mishap = match is_lack(&error) {
                    true => PlayerErrorKind::HostFailure,
                    false => PlayerErrorKind::StartFailure,
                };
                PlayerError::new(mishap, cannot_run(program, &error))
            }
        })?;
        let mut process = BotProcess {
            bot,
            errors: None,
            input: Some(input),
            output,
            buffer: Vec::new(),
            begin: 0,
            scanned: 0,
            closed: false,
            turn: Instant::now(),
            turn_bytes: 0,
            last_read: None,
            ended: None,
            speaker: None,
        };
        // From here on it is ended by being dropped.
        if let Some(input) = &process.input {
            set_nonblocking(input).map_err(no_pipe)?;
        }
        set_nonblocking(&process.output).map_err(no_pipe)?;
        let kept = StderrLog::start(errors, log, &header(program, &tag));
        let kept = kept.map_err(|error| hindered("its log cannot be written", &error))?;
        process.errors = Some(kept);
        Ok(process)
    }

    /// From here on what is said is written down.
    pub(crate) fn set_logger(&mut self, speaker: Option<ProcessLogger>) {
        self.speaker = speaker;
    }

    /// A turn begins: the bytes are counted anew.
    pub(crate) fn start_turn(&mut self) {
        self.turn = Instant::now();
        self.turn_bytes = 0;
    }

    /// Writes all of it. What comes in meanwhile is kept, so that nobody waits for the
    /// other one.
    pub(crate) fn send(&mut self, text: &str, until: Instant) -> Result<(), ProcessIoError> {
        if let Some(speaker) = &self.speaker {
            speaker.log_sent(text);
        }
        let mut rest = text.as_bytes();
        // Of nothing nothing can be written, which a pipe says like one that is closed.
        while !rest.is_empty() {
            let Some(input) = &mut self.input else {
                return Err(ProcessIoError::Closed);
            };
            match input.write(rest) {
                Ok(0) => return Err(ProcessIoError::Closed),
                Ok(n) => rest = rest.get(n..).unwrap_or_default(),
                Err(error) => match error.kind() {
                    io::ErrorKind::Interrupted => {}
                    io::ErrorKind::WouldBlock => {
                        if self.closed {
                            return Err(ProcessIoError::Closed);
                        }
                        self.wait(true, until)?;
                        self.check_flood()?;
                    }
                    _ => return Err(ProcessIoError::Closed),
                },
            }
        }
        Ok(())
    }

    /// The next line, without its end. An answer that is there when one looks is in time.
    pub(crate) fn read_line(&mut self, until: Instant) -> Result<String, ProcessIoError> {
        loop {
            if let Some(line) = self.take_line() {
                return Ok(line);
            }
            self.check_flood()?;
            if self.closed {
                return Err(ProcessIoError::Closed);
            }
            self.wait(false, until)?;
        }
    }

    /// A line that is there already.
    pub(crate) fn try_read_line(&mut self) -> Result<Option<String>, ProcessIoError> {
        match self.read_line(self.turn) {
            Ok(line) => Ok(Some(line)),
            Err(ProcessIoError::Timeout) => Ok(None),
            Err(trouble) => Err(trouble),
        }
    }

    /// A line that has been read already: no look at the pipe.
    pub(crate) fn buffered_line(&mut self) -> Option<String> {
        self.take_line()
    }

    /// What was written after the last end of a line.
    pub(crate) fn partial_line(&self) -> Option<String> {
        let rest = self.buffer.get(self.begin..).unwrap_or_default();
        let rest = String::from_utf8_lossy(rest.get(..80).unwrap_or(rest));
        (!rest.is_empty()).then(|| rest.into_owned())
    }

    /// Ends it, and whatever it has started.
    pub(crate) fn terminate(&mut self, manner: Termination) -> ExitReport {
        self.terminate_within(manner, GRACE)
    }

    /// Ends it, and waits this long for one that may leave by itself.
    pub(crate) fn terminate_within(&mut self, manner: Termination, grace: Duration) -> ExitReport {
        if let Some(ended) = &self.ended {
            return ended.clone();
        }
        let until = Instant::now() + grace;
        match manner {
            Termination::Quit(words) => {
                let _ = self.send(words, until);
                self.input = None;
                self.await_end(until);
            }
            Termination::CloseInput => {
                self.input = None;
                self.await_end(until);
            }
            // Its input stays open: a program that ends with its input would seem to have left by itself.
            Termination::Kill => {}
        }
        let (status, left_behind) = self.bot.terminate();
        self.input = None;
        let ended = ExitReport {
            status,
            left_behind,
            stderr_tail: self
                .errors
                .take()
                .map(StderrLog::finish)
                .unwrap_or_default(),
        };
        self.closed = true;
        if self.speaker.is_some() {
            while self.take_line().is_some() {}
        }
        if let Some(speaker) = &self.speaker {
            if let Some(half) = self.partial_line() {
                speaker.log_received(&format!("{half} (no end of the line)"));
            }
            speaker.log_event(&match ended.status {
                Some(_) => ended.describe(),
                None => "it was killed".to_owned(),
            });
        }
        self.ended.insert(ended).clone()
    }

    /// Waits until it has gone, and throws away what it says.
    fn await_end(&mut self, until: Instant) {
        while !self.bot.has_exited() {
            while self.take_line().is_some() {}
            self.buffer.clear();
            (self.begin, self.scanned) = (0, 0);
            if Instant::now() >= until {
                break;
            }
            let _ = self.wait(false, until);
        }
    }

    /// Waits until something can be read (or written), or the program has ended; reads.
    ///
    /// After the deadline the pipe is read once more, for what was written in time. A program
    /// that keeps writing would otherwise never be late.
    fn wait(&mut self, write: bool, until: Instant) -> Result<(), ProcessIoError> {
        if Instant::now() >= until && self.last_read.replace(until) == Some(until) {
            return Err(self.late());
        }
        let timeout = timespec_until(until);
        let nothing = PollFlags::empty();
        let (read, news) = {
            let mut fds = Vec::with_capacity(3);
            if !self.closed {
                fds.push(PollFd::new(&self.output, PollFlags::IN));
            }
            let written = fds.len();
            if let (true, Some(input)) = (write, &self.input) {
                fds.push(PollFd::new(input, PollFlags::OUT));
            }
            let watched = fds.len();
            let watch = self.bot.exit_fd();
            fds.push(PollFd::new(&watch, PollFlags::IN));
            match poll(&mut fds, Some(&timeout)) {
                Ok(0) if Instant::now() >= until => return Err(self.late()),
                Ok(_) | Err(Errno::INTR) => {}
                Err(_) => return Err(ProcessIoError::Closed),
            }
            let happened = |at: usize| fds.get(at).map_or(nothing, PollFd::revents);
            let read = written > 0 && happened(0) != nothing;
            (read, happened(watched) != nothing)
        };
        let ended = news && self.bot.has_exited();
        if read || ended {
            // What it wrote before it ended is in the pipe now.
            while self.read() && ended && self.check_flood().is_ok() {}
        }
        self.closed |= ended;
        Ok(())
    }

    /// Reads what is there; false when there is nothing more.
    fn read(&mut self) -> bool {
        let at = self.buffer.len();
        self.buffer.resize(at + CHUNK, 0);
        let space = self.buffer.get_mut(at..).unwrap_or_default();
        let read = rustix::io::retry_on_intr(|| rustix::io::read(&self.output, &mut *space));
        let (n, more) = match read {
            Ok(0) => {
                self.closed = true;
                (0, false)
            }
            Ok(n) => (n, true),
            Err(Errno::AGAIN) => (0, false),
            Err(_) => {
                self.closed = true;
                (0, false)
            }
        };
        self.buffer.truncate(at + n);
        self.turn_bytes += n;
        more
    }

    fn take_line(&mut self) -> Option<String> {
        let fresh = self.buffer.get(self.scanned..).unwrap_or_default();
        let Some(end) = fresh.iter().position(|&byte| byte == b'\n') else {
            self.scanned = self.buffer.len();
            // What was asked for is forgotten now and then, not line by line.
            if self.begin > 0 {
                self.buffer.drain(..self.begin);
                self.scanned -= self.begin;
                self.begin = 0;
            }
            return None;
        };
        let end = self.scanned + end;
        let line = self.buffer.get(self.begin..end).unwrap_or_default();
        let line = String::from_utf8_lossy(line).trim_end().to_owned();
        self.begin = end + 1;
        self.scanned = self.begin;
        if let Some(speaker) = &self.speaker {
            speaker.log_received(&line);
        }
        Some(line)
    }

    fn check_flood(&self) -> Result<(), ProcessIoError> {
        let seconds = usize::try_from(self.turn.elapsed().as_secs()).unwrap_or(usize::MAX);
        let most = MOST_BYTES.saturating_add(seconds.saturating_mul(MORE_A_SECOND));
        if self.turn_bytes > most || self.buffer.len() - self.begin > LONGEST_LINE {
            return Err(ProcessIoError::OutputLimit);
        }
        Ok(())
    }

    /// Late; or, where it was busy writing, something else.
    fn late(&self) -> ProcessIoError {
        let seconds = self.turn.elapsed().as_secs_f64();
        match self.turn_bytes as f64 > MUCH as f64 * (1.0 + seconds) {
            true => ProcessIoError::OutputLimit,
            false => ProcessIoError::Timeout,
        }
    }
}

impl Drop for BotProcess {
    fn drop(&mut self) {
        self.terminate(Termination::Quit("quit\n"));
    }
}

/// Why a program cannot be run.
fn cannot_run(program: &Program, error: &io::Error) -> String {
    use io::ErrorKind;
    let command = &program.command;
    let hint = match error.kind() {
        ErrorKind::NotFound
            if program
                .directory
                .as_ref()
                .is_some_and(|path| !path.is_dir()) =>
        {
            ": its directory is not there"
        }
        ErrorKind::NotFound if command.contains('/') => {
            ": no such file (or the interpreter of its first line is missing)"
        }
        ErrorKind::NotFound => {
            ": no such program is on the PATH; write ./NAME for one that is here"
        }
        ErrorKind::PermissionDenied => ": it may not be run (chmod +x helps)",
        _ => "",
    };
    match hint {
        "" => format!("{command} cannot be run: {error}"),
        hint => format!("{command} cannot be run{hint}"),
    }
}

/// Is there a program to be run? Whether it can be used is seen when it is.
///
/// # Errors
/// What is wrong, as a sentence.
pub(crate) fn check_executable(program: &Program) -> Result<(), String> {
    let path = resolved(program);
    let mut found = match program.command.contains('/') {
        true => runnable(&path),
        false => Err(io::ErrorKind::NotFound.into()),
    };
    if !program.command.contains('/') {
        let folders = std::env::var_os("PATH").unwrap_or_default();
        let mut folders = std::env::split_paths(&folders);
        if folders.any(|folder| runnable(&folder.join(&program.command)).is_ok()) {
            found = Ok(());
        }
    }
    if let Some(directory) = &program.directory
        && !directory.is_dir()
    {
        found = Err(io::ErrorKind::NotFound.into());
    }
    found.map_err(|error| cannot_run(program, &error))
}

fn runnable(path: &Path) -> io::Result<()> {
    use rustix::fs::{Access, access};
    if path.metadata()?.is_dir() {
        return Err(io::Error::from(Errno::ACCESS));
    }
    Ok(access(path, Access::EXEC_OK)?)
}

/// Is this the system's lack, and not the program's fault?
fn is_lack(error: &io::Error) -> bool {
    let lacks = [Errno::MFILE, Errno::NFILE, Errno::AGAIN, Errno::NOMEM];
    error.kind() == io::ErrorKind::OutOfMemory
        || error
            .raw_os_error()
            .is_some_and(|code| lacks.iter().any(|lack| lack.raw_os_error() == code))
}

/// Lets this process open as many files as the system permits: every outside bot needs
/// half a dozen.
pub fn raise_open_file_limit() {
    use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
    let now = getrlimit(Resource::Nofile);
    // Where it is refused, fewer have to do.
    let _ = setrlimit(
        Resource::Nofile,
        Rlimit {
            current: now.maximum,
            ..now
        },
    );
}

/// A path is meant from where the program is started; a bare name is looked for.
fn resolved(program: &Program) -> std::borrow::Cow<'_, Path> {
    let command = Path::new(&program.command);
    match &program.directory {
        Some(directory) if command.is_relative() && program.command.contains('/') => {
            // The child is started elsewhere: the path is to mean the same for both.
            let path = directory.join(command);
            std::path::absolute(&path).unwrap_or(path).into()
        }
        _ => command.into(),
    }
}

fn header(program: &Program, tag: &str) -> String {
    let mut line = format!("{} {tag} {}", jiff::Timestamp::now(), program.command);
    for argument in &program.arguments {
        line += " ";
        line += argument;
    }
    line.chars()
        .map(|c| if c.is_control() { '?' } else { c })
        .collect()
}

/// How long it is until then.
pub(crate) fn timespec_until(until: Instant) -> Timespec {
    let left = until.saturating_duration_since(Instant::now());
    Timespec {
        tv_sec: left.as_secs().try_into().unwrap_or(i64::MAX),
        tv_nsec: left.subsec_nanos().into(),
    }
}

/// A pipe from which nobody is kept waiting.
pub(crate) fn set_nonblocking(fd: impl AsFd) -> io::Result<()> {
    Ok(rustix::io::ioctl_fionbio(fd, true)?)
}
