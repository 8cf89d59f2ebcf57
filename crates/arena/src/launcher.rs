//! The launcher: a small process between the arena and an outside bot. It is the bot's
//! parent, sets its limits and its environment, and ends it, with everything the bot has
//! started, as soon as the arena asks for it or is gone.
//!
//! Arena and launcher share a socket, which is the launcher's standard input. The arena
//! sends a [`Request`] and the three ends of the bot's pipes; the launcher sends
//! [`Report`]s, each a line of JSON. The end of the arena's side of the socket means: end
//! the bot. The system closes it when the arena is killed, so no bot outlives its arena.

use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::io::{self, IoSlice, IoSliceMut, Read, Write};
use std::mem::MaybeUninit;
use std::net::Shutdown;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::os::unix::net::UnixStream;
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitCode, ExitStatus, Stdio};
use std::sync::OnceLock;
use std::thread;
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::Errno;
use rustix::net::{
    RecvAncillaryBuffer, RecvAncillaryMessage, RecvFlags, SendAncillaryBuffer,
    SendAncillaryMessage, SendFlags, recvmsg, sendmsg,
};
use rustix::process::{
    Pid, Resource, Rlimit, Signal, WaitId, WaitIdOptions, WaitOptions, getrlimit,
    kill_process_group, setrlimit, waitid,
};
use serde::{Deserialize, Serialize};

use crate::orphans::{ProcessTree, TAG};
use crate::process::{set_nonblocking, timespec_until};
use crate::spec::Program;

/// The argument with which a program becomes the launcher.
const WORD: &str = "launch-bot";
/// How long the arena waits for the launcher to start the bot. On a machine that is not
/// stuck it takes milliseconds.
const START: Duration = Duration::from_secs(20);
/// How long the arena waits for the launcher to end the bot. That is immediate unless the
/// system itself is stuck.
const DEATH: Duration = Duration::from_secs(5);
/// How long the launcher waits for what it killed to be gone.
const REAP: Duration = Duration::from_secs(2);
/// How often to look where the system doesn't report the end of a process.
const LOOK: Duration = Duration::from_millis(2);
/// A request isn't longer than this.
const LONGEST_REQUEST: usize = 16 << 20;

/// What a bot finds in its environment unless more is asked for; also every variable that
/// starts with `LC_`.
const PASSED: [&str; 9] = [
    "PATH", "HOME", "USER", "LOGNAME", "SHELL", "LANG", "LANGUAGE", "TZ", "TMPDIR",
];

static LAUNCHER: OnceLock<Vec<OsString>> = OnceLock::new();

/// Sets the command that runs [`launch_bot`], for programs that don't call
/// [`launch_if_asked`] themselves. The first call counts.
pub fn set_launcher_command(command: Vec<OsString>) {
    let _ = LAUNCHER.set(command);
}

/// Becomes the launcher if the command line asks for it. Every program that starts outside
/// bots calls this first in `main`, or names another program with [`set_launcher`].
#[must_use]
pub fn run_launcher_if_requested() -> Option<ExitCode> {
    let asked = std::env::args_os().nth(1).is_some_and(|word| word == WORD);
    asked.then(|| ExitCode::from(run_launcher()))
}

/// What the arena asks for.
#[derive(Serialize, Deserialize)]
struct Request {
    program: PathBuf,
    arguments: Vec<String>,
    /// Variables beyond the usual ones: with a value, or as the arena has them.
    env: BTreeMap<String, Option<String>>,
    /// Bytes of memory for each process of the bot.
    memory: Option<u64>,
    /// Seconds of processor time for each process of the bot.
    cpu: Option<u64>,
}

/// What the launcher reports.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Report {
    /// The bot runs.
    Started { pid: u32 },
    /// The bot can't be run.
    Failed { code: Option<i32>, text: String },
    /// The bot has ended by itself.
    Ended {
        code: Option<i32>,
        signal: Option<i32>,
    },
    /// The bot and everything it has started is gone.
    Gone { left_behind: usize },
}

/// Why there is no bot.
pub(crate) enum StartError {
    /// The program can't be run.
    Program(io::Error),
    /// The launcher failed, which isn't the program's fault.
    Launcher(String),
}

// ---- in the arena ----

/// A bot under its launcher, as the arena sees it.
pub(crate) struct LaunchedBot {
    launcher: Child,
    control: UnixStream,
    bot: u32,
    tag: String,
    /// What was read and isn't a whole line yet.
    read: Vec<u8>,
    status: Option<ExitStatus>,
    left_behind: Option<usize>,
    /// The launcher sends nothing more.
    closed: bool,
}

impl LaunchedBot {
    /// Starts a program with these ends of its pipes: standard input, output, error.
    pub(crate) fn start(
        program: &Program,
        path: &Path,
        tag: &str,
        pipes: &[OwnedFd; 3],
    ) -> Result<LaunchedBot, StartError> {
        let failed = |error: io::Error| {
            let message = format!("the launcher of {} failed: {error}", program.command);
            StartError::Launcher(message)
        };
        let (control, theirs) = UnixStream::pair().map_err(failed)?;
        let mut command = launcher();
        command
            .env(TAG, tag)
            .stdin(OwnedFd::from(theirs))
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .process_group(0);
        if let Some(directory) = &program.directory {
            if !directory.is_dir() {
                return Err(StartError::Program(io::ErrorKind::NotFound.into()));
            }
            command.current_dir(directory);
        }
        let launcher = command.spawn().map_err(failed)?;
        // The launcher's end is open in the launcher alone from here on.
        drop(command);
        let mut launched = LaunchedBot {
            launcher,
            control,
            bot: 0,
            tag: tag.to_owned(),
            read: Vec::new(),
            status: None,
            left_behind: None,
            closed: false,
        };
        let request = Request {
            program: path.to_owned(),
            arguments: program.arguments.clone(),
            env: program.env.clone(),
            memory: program.memory.map(|mebibytes| mebibytes << 20),
            cpu: program.cpu,
        };
        let sent = launched.send(&request, pipes).map_err(failed);
        let started = sent.and_then(|()| launched.await_start().map_err(failed)?);
        match started {
            Ok(pid) => {
                launched.bot = pid;
                set_nonblocking(&launched.control).map_err(failed)?;
                Ok(launched)
            }
            Err(error) => {
                launched.terminate();
                Err(error)
            }
        }
    }

    fn send(&mut self, request: &Request, pipes: &[OwnedFd; 3]) -> io::Result<()> {
        let mut text = serde_json::to_vec(request)?;
        text.push(b'\n');
        let pipes = pipes.each_ref().map(AsFd::as_fd);
        let mut space = [MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(3))];
        let mut ancillary = SendAncillaryBuffer::new(&mut space);
        if !ancillary.push(SendAncillaryMessage::ScmRights(&pipes)) {
            return Err(io::Error::other("no room for three files in a message"));
        }
        let flags = SendFlags::NOSIGNAL;
        let sent = rustix::io::retry_on_intr(|| {
            sendmsg(&self.control, &[IoSlice::new(&text)], &mut ancillary, flags)
        })?;
        self.control.write_all(text.get(sent..).unwrap_or_default())
    }

    fn await_start(&mut self) -> io::Result<Result<u32, StartError>> {
        let until = Instant::now() + START;
        loop {
            let left = until.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return Err(io::ErrorKind::TimedOut.into());
            }
            self.control.set_read_timeout(Some(left))?;
            match self.read_once() {
                Ok(0) => return Err(io::Error::other("it ended without a word")),
                Ok(_) => {}
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
            match self.next_report() {
                Some(Report::Started { pid }) => return Ok(Ok(pid)),
                Some(Report::Failed { code, text }) => {
                    let error = match code {
                        Some(code) => io::Error::from_raw_os_error(code),
                        None => io::Error::other(text),
                    };
                    return Ok(Err(StartError::Program(error)));
                }
                Some(_) | None => {}
            }
        }
    }

    fn read_once(&mut self) -> io::Result<usize> {
        let mut bytes = [0; 1024];
        let n = self.control.read(&mut bytes)?;
        self.read
            .extend_from_slice(bytes.get(..n).unwrap_or_default());
        Ok(n)
    }

    fn next_report(&mut self) -> Option<Report> {
        let end = self.read.iter().position(|&byte| byte == b'\n')?;
        let line: Vec<u8> = self.read.drain(..=end).collect();
        serde_json::from_slice(&line).ok()
    }

    /// What becomes readable when the bot ends.
    pub(crate) fn exit_fd(&self) -> BorrowedFd<'_> {
        self.control.as_fd()
    }

    /// Has the bot ended (or its launcher)?
    pub(crate) fn has_exited(&mut self) -> bool {
        while !self.closed {
            match self.read_once() {
                Ok(0) => self.closed = true,
                Ok(_) => {}
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => break,
                Err(_) => self.closed = true,
            }
        }
        while let Some(report) = self.next_report() {
            match report {
                Report::Ended { code, signal } => {
                    let raw = signal.unwrap_or(0) | code.unwrap_or(0) << 8;
                    self.status = Some(ExitStatus::from_raw(raw));
                }
                Report::Gone { left_behind } => self.left_behind = Some(left_behind),
                Report::Started { .. } | Report::Failed { .. } => {}
            }
        }
        self.status.is_some() || self.closed
    }

    /// Ends the bot and everything it has started. Returns how the bot ended, if it did so
    /// by itself, and how many processes it had left behind.
    pub(crate) fn terminate(&mut self) -> (Option<ExitStatus>, usize) {
        // It may be one that never started: nothing is waited for before its end is asked for.
        let _ = set_nonblocking(&self.control);
        self.has_exited();
        let status = self.status;
        let _ = self.control.shutdown(Shutdown::Write);
        let until = Instant::now() + DEATH;
        while !self.closed && Instant::now() < until {
            let mut fds = [PollFd::new(&self.control, PollFlags::IN)];
            let _ = poll(&mut fds, Some(&timespec_until(until)));
            self.has_exited();
        }
        let left_behind = match self.left_behind {
            Some(left_behind) => left_behind,
            // The launcher is gone or stuck, perhaps by what the bot did to it.
            None => {
                let family = ProcessTree::find(self.launcher.id(), self.bot, &self.tag);
                if let Some(pid) = pid(self.launcher.id()) {
                    let _ = kill_process_group(pid, Signal::KILL);
                }
                family.kill()
            }
        };
        loop {
            match self.launcher.try_wait() {
                Ok(None) if Instant::now() < until => thread::sleep(LOOK),
                Ok(None) => {
                    let _ = self.launcher.kill();
                    let _ = self.launcher.wait();
                    break;
                }
                Ok(Some(_)) | Err(_) => break,
            }
        }
        (status, left_behind)
    }
}

/// The command that becomes the launcher.
fn launcher() -> Command {
    if let Some([program, arguments @ ..]) = LAUNCHER.get().map(Vec::as_slice) {
        let mut command = Command::new(program);
        command.args(arguments);
        return command;
    }
    // This program, also when its file was replaced meanwhile.
    let program = match cfg!(target_os = "linux") {
        true => PathBuf::from("/proc/self/exe"),
        false => std::env::current_exe().unwrap_or_default(),
    };
    let mut command = Command::new(program);
    command.arg0("noughts").arg(WORD);
    command
}

// ---- in the launcher ----

/// The launcher's life; returns its exit code.
#[must_use]
pub fn run_launcher() -> u8 {
    let control = io::stdin();
    let Ok((request, [input, output, errors])) = receive(control.as_fd()) else {
        eprintln!(
            "{WORD} is how the arena starts bots, and does nothing else; \
             try noughts arena --help"
        );
        return 2;
    };
    // In lists of processes it would be called `exe`, by how it was started.
    #[cfg(target_os = "linux")]
    let _ = std::fs::write("/proc/self/comm", "noughts-launch");
    // Processes that lose their parent become this one's children, and can be found.
    #[cfg(target_os = "linux")]
    let _ = rustix::process::set_child_subreaper(Some(rustix::process::getpid()));
    let spawned = limit(&request).and_then(|()| {
        let mut command = Command::new(&request.program);
        command
            .args(&request.arguments)
            .env_clear()
            .envs(environment(&request.env))
            .stdin(input)
            .stdout(output)
            .stderr(errors)
            .process_group(0);
        // With it go the launcher's copies of the pipes: they end with the bot.
        command.spawn()
    });
    let bot = match spawned {
        Ok(bot) => bot,
        Err(error) => {
            let failed = Report::Failed {
                code: error.raw_os_error(),
                text: error.to_string(),
            };
            send(control.as_fd(), &failed);
            send(control.as_fd(), &Report::Gone { left_behind: 0 });
            return 0;
        }
    };
    send(control.as_fd(), &Report::Started { pid: bot.id() });
    await_end(control.as_fd(), &bot);
    let left_behind = end(&bot);
    send(control.as_fd(), &Report::Gone { left_behind });
    0
}

/// The request and the pipes that came with it.
fn receive(control: BorrowedFd<'_>) -> io::Result<(Request, [OwnedFd; 3])> {
    let mut text = Vec::new();
    let mut pipes: Vec<OwnedFd> = Vec::new();
    while text.last() != Some(&b'\n') {
        let mut bytes = [0; 4096];
        let mut space = [MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(3))];
        let mut ancillary = RecvAncillaryBuffer::new(&mut space);
        let flags = RecvFlags::CMSG_CLOEXEC;
        let received = rustix::io::retry_on_intr(|| {
            recvmsg(
                control,
                &mut [IoSliceMut::new(&mut bytes)],
                &mut ancillary,
                flags,
            )
        })?;
        for message in ancillary.drain() {
            if let RecvAncillaryMessage::ScmRights(files) = message {
                pipes.extend(files);
            }
        }
        if received.bytes == 0 || text.len() > LONGEST_REQUEST {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        text.extend_from_slice(bytes.get(..received.bytes).unwrap_or_default());
    }
    let request = serde_json::from_slice(&text)?;
    let pipes = pipes
        .try_into()
        .map_err(|_| io::Error::from(io::ErrorKind::InvalidData))?;
    Ok((request, pipes))
}

/// Where nobody listens any more, nobody needs to know.
fn send(control: BorrowedFd<'_>, report: &Report) {
    let Ok(mut text) = serde_json::to_vec(report) else {
        return;
    };
    text.push(b'\n');
    let _ = rustix::io::retry_on_intr(|| rustix::net::send(control, &text, SendFlags::NOSIGNAL));
}

/// Limits this process, and so the bot that inherits them.
fn limit(request: &Request) -> io::Result<()> {
    if let Some(bytes) = request.memory {
        // What programs allocate, not what they reserve: some reserve terabytes.
        let resource = match cfg!(target_os = "linux") {
            true => Resource::Data,
            false => Resource::As,
        };
        lower(resource, bytes, bytes)?;
    }
    if let Some(seconds) = request.cpu {
        // SIGXCPU first, which says why; a second later SIGKILL.
        lower(Resource::Cpu, seconds, seconds.saturating_add(1))?;
    }
    Ok(())
}

fn lower(resource: Resource, current: u64, maximum: u64) -> io::Result<()> {
    setrlimit(resource, lowered(getrlimit(resource), current, maximum))?;
    Ok(())
}

/// A limit that is lower already stays as it is.
fn lowered(now: Rlimit, current: u64, maximum: u64) -> Rlimit {
    let least = |old: Option<u64>, new: u64| Some(old.map_or(new, |old| old.min(new)));
    Rlimit {
        current: least(now.current, current),
        maximum: least(now.maximum, maximum),
    }
}

/// The bot's environment: the usual variables, the tag, and what was asked for.
fn environment(more: &BTreeMap<String, Option<String>>) -> BTreeMap<OsString, OsString> {
    let passes = |name: &OsStr| {
        let name = name.to_string_lossy();
        PASSED.contains(&&*name)
            || name.starts_with("LC_")
            || name == TAG
            || more.contains_key(&*name)
    };
    let mut all: BTreeMap<OsString, OsString> = std::env::vars_os()
        .filter(|(name, _)| passes(name))
        .collect();
    for (name, value) in more {
        if let Some(value) = value {
            all.insert(name.into(), value.into());
        }
    }
    all
}

/// Waits until the arena closes its side, and reports the bot's end if that comes first.
fn await_end(control: BorrowedFd<'_>, bot: &Child) {
    let watch = watch(bot.id());
    let mut ended = false;
    loop {
        let mut fds = vec![PollFd::new(&control, PollFlags::IN)];
        if let (Some(watch), false) = (&watch, ended) {
            fds.push(PollFd::new(watch, PollFlags::IN));
        }
        let look = Timespec {
            tv_sec: 0,
            tv_nsec: (LOOK * 10).subsec_nanos().into(),
        };
        let timeout = (watch.is_none() && !ended).then_some(&look);
        match poll(&mut fds, timeout) {
            Ok(_) | Err(Errno::INTR) => {}
            Err(_) => return,
        }
        let is_asked = fds.first().is_some_and(|fd| !fd.revents().is_empty());
        if !ended && let Some(report) = ending(bot) {
            ended = true;
            send(control, &report);
        }
        if is_asked {
            return;
        }
    }
}

/// How the bot ended, if it did. It isn't reaped: its number must not mean another process
/// before its group is killed.
fn ending(bot: &Child) -> Option<Report> {
    let options = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
    match waitid(WaitId::Pid(pid(bot.id())?), options) {
        Ok(None) => None,
        Ok(Some(status)) => Some(Report::Ended {
            code: status.exit_status(),
            signal: status.terminating_signal(),
        }),
        Err(_) => Some(Report::Ended {
            code: None,
            signal: None,
        }),
    }
}

/// Kills the bot and everything it has started; returns how many processes that were, the
/// bot not counted.
fn end(bot: &Child) -> usize {
    let tag = std::env::var(TAG).unwrap_or_default();
    let family = ProcessTree::find(std::process::id(), bot.id(), &tag);
    if let Some(pid) = pid(bot.id()) {
        let _ = kill_process_group(pid, Signal::KILL);
    }
    let left_behind = family.kill();
    // All of them are children of this process by now. Whoever isn't reaped here would be
    // left to the arena as a zombie.
    let until = Instant::now() + REAP;
    while Instant::now() < until {
        match rustix::process::wait(WaitOptions::NOHANG) {
            Ok(Some(_)) | Err(Errno::INTR) => {}
            Ok(None) => thread::sleep(LOOK / 4),
            Err(_) => break,
        }
    }
    left_behind
}

fn pid(id: u32) -> Option<Pid> {
    Pid::from_raw(id.try_into().ok()?)
}

#[cfg(target_os = "linux")]
fn watch(id: u32) -> Option<OwnedFd> {
    use rustix::process::{PidfdFlags, pidfd_open};
    pidfd_open(pid(id)?, PidfdFlags::empty()).ok()
}

#[cfg(not(target_os = "linux"))]
fn watch(_: u32) -> Option<OwnedFd> {
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Guards against a bot that was given more than the arena itself may use: a soft limit
    /// below the one asked for was raised to it.
    #[test]
    fn a_limit_is_never_raised() {
        let limits = |current, maximum| Rlimit { current, maximum };
        let lowered = |now| {
            let limit = lowered(now, 100, 101);
            (limit.current, limit.maximum)
        };
        assert_eq!(lowered(limits(None, None)), (Some(100), Some(101)));
        assert_eq!(lowered(limits(Some(7), None)), (Some(7), Some(101)));
        assert_eq!(lowered(limits(Some(7), Some(50))), (Some(7), Some(50)));
        assert_eq!(
            lowered(limits(Some(500), Some(900))),
            (Some(100), Some(101))
        );
    }
}
