//! The launcher: a small process between the arena and an external bot. It is the bot's parent,
//! sets its limits and environment, and kills it, with everything the bot has started, as soon as
//! the arena asks for it or is gone.
//!
//! Arena and launcher share a socket, which is the launcher's standard input. The arena sends a
//! [`LaunchRequest`] with the bot's ends of three pipes; the launcher sends [`LauncherEvent`]s, one
//! line of JSON each. When the arena's end of the socket closes, the launcher kills the bot. The
//! operating system closes it if the arena is killed, so no bot outlives its arena.

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

use crate::orphans::{ProcessTree, TAG_VARIABLE, become_subreaper};
use crate::process::{set_nonblocking, timespec_until};
use crate::spec::Program;

/// The argument that turns a program into the launcher.
const LAUNCHER_ARGUMENT: &str = "launch-bot";
/// How long the arena waits for the launcher to start the bot. Normally this takes milliseconds.
const START_TIMEOUT: Duration = Duration::from_secs(20);
/// How long the arena waits for the launcher to kill the bot. Normally this is immediate.
const KILL_TIMEOUT: Duration = Duration::from_secs(5);
/// How long the launcher waits for killed processes to be gone.
const REAP_TIMEOUT: Duration = Duration::from_secs(2);
/// The polling interval on systems that don't report the exit of a process.
const POLL_INTERVAL: Duration = Duration::from_millis(2);
/// The largest request, in bytes.
const MAX_REQUEST: usize = 16 << 20;

/// The environment variables passed to every bot; also every variable that starts with `LC_`.
const PASSED_VARIABLES: [&str; 9] = [
    "PATH", "HOME", "USER", "LOGNAME", "SHELL", "LANG", "LANGUAGE", "TZ", "TMPDIR",
];

static LAUNCHER_COMMAND: OnceLock<Vec<OsString>> = OnceLock::new();

/// Sets the command that runs [`run_launcher`], for programs that don't call
/// [`run_launcher_if_requested`] themselves. Only the first call has an effect.
pub fn set_launcher_command(command: Vec<OsString>) {
    let _ = LAUNCHER_COMMAND.set(command);
}

/// Runs the launcher if the command line asks for it. Every program that starts external bots calls
/// this first in `main`, or names another program with [`set_launcher_command`].
#[must_use]
pub fn run_launcher_if_requested() -> Option<ExitCode> {
    let is_requested = std::env::args_os()
        .nth(1)
        .is_some_and(|word| word == LAUNCHER_ARGUMENT);
    is_requested.then(|| ExitCode::from(run_launcher()))
}

/// What the arena asks the launcher to start.
#[derive(Serialize, Deserialize)]
struct LaunchRequest {
    /// The program's file.
    path: PathBuf,
    program: Program,
}

/// What the launcher reports to the arena.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum LauncherEvent {
    /// The bot runs.
    Started { pid: u32 },
    /// The bot can't be run.
    Failed { code: Option<i32>, text: String },
    /// The bot exited by itself.
    Ended {
        code: Option<i32>,
        signal: Option<i32>,
    },
    /// The bot and everything it has started is gone.
    Gone { left_behind: usize },
}

/// Why a bot couldn't be started.
pub(crate) enum StartError {
    /// The program can't be run.
    Program(io::Error),
    /// The launcher failed, which isn't the program's fault.
    Launcher(String),
}

// ---- in the arena ----

/// A bot under its launcher, as seen by the arena.
pub(crate) struct LaunchedBot {
    launcher: Child,
    control: UnixStream,
    bot_pid: u32,
    tag: String,
    /// Bytes read that don't form a complete line yet.
    read_buffer: Vec<u8>,
    /// The bot's process ID, or why it can't be run.
    started: Option<io::Result<u32>>,
    status: Option<ExitStatus>,
    left_behind: Option<usize>,
    /// Whether the launcher has closed its end of the socket.
    closed: bool,
}

impl LaunchedBot {
    /// Starts a program with its ends of the pipes: standard input, output, error.
    pub(crate) fn start(
        program: &Program,
        path: &Path,
        tag: &str,
        pipes: &[OwnedFd; 3],
    ) -> Result<LaunchedBot, StartError> {
        let failure = |error: io::Error| {
            let message = format!(
                "the launcher for {bot} failed: {error}",
                bot = program.command
            );
            StartError::Launcher(message)
        };
        let (control, launcher_end) = UnixStream::pair().map_err(failure)?;
        let mut command = launcher_command();
        command
            .env(TAG_VARIABLE, tag)
            .stdin(OwnedFd::from(launcher_end))
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .process_group(0);
        if let Some(directory) = &program.directory {
            if !directory.is_dir() {
                return Err(StartError::Program(io::ErrorKind::NotFound.into()));
            }
            command.current_dir(directory);
        }
        let launcher = command.spawn().map_err(failure)?;
        // From here on the launcher's end is open only in the launcher.
        drop(command);
        let mut launched = LaunchedBot {
            launcher,
            control,
            bot_pid: 0,
            tag: tag.to_owned(),
            read_buffer: Vec::new(),
            started: None,
            status: None,
            left_behind: None,
            closed: false,
        };
        let request = LaunchRequest {
            path: path.to_owned(),
            program: program.clone(),
        };
        let sent = launched.send(&request, pipes).map_err(failure);
        let started = sent.and_then(|()| launched.wait_for_start().map_err(failure)?);
        match started {
            Ok(pid) => {
                launched.bot_pid = pid;
                Ok(launched)
            }
            Err(error) => {
                launched.terminate();
                Err(error)
            }
        }
    }

    fn send(&mut self, request: &LaunchRequest, pipes: &[OwnedFd; 3]) -> io::Result<()> {
        let mut text = serde_json::to_vec(request)?;
        text.push(b'\n');
        let pipes = pipes.each_ref().map(AsFd::as_fd);
        let mut space = [MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(3))];
        let mut ancillary = SendAncillaryBuffer::new(&mut space);
        if !ancillary.push(SendAncillaryMessage::ScmRights(&pipes)) {
            return Err(io::Error::other(
                "can't pass the bot's pipes to the launcher",
            ));
        }
        let flags = SendFlags::NOSIGNAL;
        let sent = rustix::io::retry_on_intr(|| {
            sendmsg(&self.control, &[IoSlice::new(&text)], &mut ancillary, flags)
        })?;
        self.control
            .write_all(text.get(sent..).unwrap_or_default())?;
        // Events are waited for with a deadline.
        set_nonblocking(&self.control)
    }

    fn wait_for_start(&mut self) -> io::Result<Result<u32, StartError>> {
        let deadline = Instant::now() + START_TIMEOUT;
        loop {
            self.receive_events(deadline);
            match self.started.take() {
                Some(started) => return Ok(started.map_err(StartError::Program)),
                None if self.closed => return Err(io::Error::other("it exited without a reply")),
                None if Instant::now() >= deadline => return Err(io::ErrorKind::TimedOut.into()),
                None => {}
            }
        }
    }

    /// Handles the launcher's events; waits for the first one until the deadline.
    fn receive_events(&mut self, deadline: Instant) {
        if !self.closed {
            let mut fds = [PollFd::new(&self.control, PollFlags::IN)];
            let _ = poll(&mut fds, Some(&timespec_until(deadline)));
        }
        while !self.closed {
            let mut bytes = [0; 1024];
            match self.control.read(&mut bytes) {
                Ok(0) => self.closed = true,
                Ok(n) => self.read_buffer.extend(bytes.iter().take(n)),
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => break,
                Err(_) => self.closed = true,
            }
        }
        while let Some(end) = self.read_buffer.iter().position(|&byte| byte == b'\n') {
            let line: Vec<u8> = self.read_buffer.drain(..=end).collect();
            match serde_json::from_slice(&line) {
                Ok(LauncherEvent::Started { pid }) => self.started = Some(Ok(pid)),
                Ok(LauncherEvent::Failed { code, text }) => {
                    self.started = Some(Err(match code {
                        Some(code) => io::Error::from_raw_os_error(code),
                        None => io::Error::other(text),
                    }));
                }
                Ok(LauncherEvent::Ended { code, signal }) => {
                    let raw = signal.unwrap_or(0) | code.unwrap_or(0) << 8;
                    self.status = Some(ExitStatus::from_raw(raw));
                }
                Ok(LauncherEvent::Gone { left_behind }) => self.left_behind = Some(left_behind),
                Err(_) => {}
            }
        }
    }

    /// Becomes readable when the bot exits.
    pub(crate) fn exit_fd(&self) -> BorrowedFd<'_> {
        self.control.as_fd()
    }

    /// Whether the bot (or its launcher) has exited.
    pub(crate) fn has_exited(&mut self) -> bool {
        self.receive_events(Instant::now());
        self.status.is_some() || self.closed
    }

    /// Kills the bot and everything it has started. Returns the bot's exit status, if it exited by
    /// itself, and the number of processes it had left behind.
    pub(crate) fn terminate(&mut self) -> (Option<ExitStatus>, usize) {
        // The bot may never have started: don't block before asking for its end.
        let _ = set_nonblocking(&self.control);
        self.has_exited();
        let status = self.status;
        let _ = self.control.shutdown(Shutdown::Write);
        let deadline = Instant::now() + KILL_TIMEOUT;
        while !self.closed && Instant::now() < deadline {
            self.receive_events(deadline);
        }
        let left_behind = match self.left_behind {
            Some(left_behind) => left_behind,
            // The launcher is gone or stuck, perhaps because of the bot.
            None => {
                let tree = ProcessTree::find(self.launcher.id(), self.bot_pid, &self.tag);
                if let Some(pid) = to_pid(self.launcher.id()) {
                    let _ = kill_process_group(pid, Signal::KILL);
                }
                tree.kill()
            }
        };
        while matches!(self.launcher.try_wait(), Ok(None)) && Instant::now() < deadline {
            thread::sleep(POLL_INTERVAL);
        }
        // Does nothing if it has exited.
        let _ = self.launcher.kill();
        let _ = self.launcher.wait();
        (status, left_behind)
    }
}

/// The command that starts the launcher.
fn launcher_command() -> Command {
    if let Some([program, arguments @ ..]) = LAUNCHER_COMMAND.get().map(Vec::as_slice) {
        let mut command = Command::new(program);
        command.args(arguments);
        return command;
    }
    // This program, even if its file has been replaced since.
    let program = match cfg!(target_os = "linux") {
        true => PathBuf::from("/proc/self/exe"),
        false => std::env::current_exe().unwrap_or_default(),
    };
    let mut command = Command::new(program);
    command.arg0("noughts").arg(LAUNCHER_ARGUMENT);
    command
}

// ---- in the launcher ----

/// Runs the launcher; returns its exit code.
#[must_use]
pub fn run_launcher() -> u8 {
    let control = io::stdin();
    let Ok((request, [input, output, errors])) = receive_request(control.as_fd()) else {
        eprintln!(
            "{LAUNCHER_ARGUMENT} is only for the arena, which starts bots with it; \
             see noughts arena --help"
        );
        return 2;
    };
    // Process lists would show it as `exe`, after the path it was started by.
    #[cfg(target_os = "linux")]
    let _ = std::fs::write("/proc/self/comm", "noughts-launch");
    become_subreaper();
    let LaunchRequest { path, program } = request;
    let spawned = apply_limits(&program).and_then(|()| {
        let mut command = Command::new(&path);
        command
            .args(&program.arguments)
            .env_clear()
            .envs(bot_environment(&program.env))
            .stdin(input)
            .stdout(output)
            .stderr(errors)
            .process_group(0);
        // Dropping the command closes the launcher's copies of the pipes, so that they close with
        // the bot.
        command.spawn()
    });
    let bot = match spawned {
        Ok(bot) => bot,
        Err(error) => {
            let failure = LauncherEvent::Failed {
                code: error.raw_os_error(),
                text: error.to_string(),
            };
            send_event(control.as_fd(), &failure);
            send_event(control.as_fd(), &LauncherEvent::Gone { left_behind: 0 });
            return 0;
        }
    };
    send_event(control.as_fd(), &LauncherEvent::Started { pid: bot.id() });
    wait_for_exit(control.as_fd(), &bot);
    let left_behind = kill_bot(&bot);
    send_event(control.as_fd(), &LauncherEvent::Gone { left_behind });
    0
}

/// Receives the request and the pipes sent with it.
fn receive_request(control: BorrowedFd<'_>) -> io::Result<(LaunchRequest, [OwnedFd; 3])> {
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
        if received.bytes == 0 || text.len() > MAX_REQUEST {
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

/// Send errors are ignored: the arena is gone then.
fn send_event(control: BorrowedFd<'_>, event: &LauncherEvent) {
    let Ok(mut text) = serde_json::to_vec(event) else {
        return;
    };
    text.push(b'\n');
    let _ = rustix::io::retry_on_intr(|| rustix::net::send(control, &text, SendFlags::NOSIGNAL));
}

/// Limits this process; the bot inherits the limits.
fn apply_limits(program: &Program) -> io::Result<()> {
    if let Some(mebibytes) = program.memory {
        let bytes = mebibytes << 20;
        // Limit what programs allocate, not what they reserve: some reserve terabytes.
        let resource = match cfg!(target_os = "linux") {
            true => Resource::Data,
            false => Resource::As,
        };
        lower_limit(resource, bytes, bytes)?;
    }
    if let Some(seconds) = program.cpu {
        // SIGXCPU first, which identifies the reason; a second later SIGKILL.
        lower_limit(Resource::Cpu, seconds, seconds.saturating_add(1))?;
    }
    Ok(())
}

fn lower_limit(resource: Resource, current: u64, maximum: u64) -> io::Result<()> {
    let limit = lowered_limit(getrlimit(resource), current, maximum);
    Ok(setrlimit(resource, limit)?)
}

/// Never raises an existing limit.
fn lowered_limit(now: Rlimit, current: u64, maximum: u64) -> Rlimit {
    let min = |old: Option<u64>, new: u64| Some(old.map_or(new, |old| old.min(new)));
    Rlimit {
        current: min(now.current, current),
        maximum: min(now.maximum, maximum),
    }
}

/// The bot's environment: the usual variables, the tag, and the requested ones.
fn bot_environment(extra: &BTreeMap<String, Option<String>>) -> BTreeMap<OsString, OsString> {
    let is_passed = |name: &OsStr| {
        let name = name.to_string_lossy();
        PASSED_VARIABLES.contains(&&*name)
            || name.starts_with("LC_")
            || name == TAG_VARIABLE
            || extra.contains_key(&*name)
    };
    let mut all: BTreeMap<OsString, OsString> = std::env::vars_os()
        .filter(|(name, _)| is_passed(name))
        .collect();
    for (name, value) in extra {
        if let Some(value) = value {
            all.insert(name.into(), value.into());
        }
    }
    all
}

/// Waits until the arena closes its end of the socket. If the bot exits first, reports that.
fn wait_for_exit(control: BorrowedFd<'_>, bot: &Child) {
    let watch = pidfd(bot.id());
    let mut has_ended = false;
    loop {
        let mut fds = vec![PollFd::new(&control, PollFlags::IN)];
        if let (Some(watch), false) = (&watch, has_ended) {
            fds.push(PollFd::new(watch, PollFlags::IN));
        }
        let interval = Timespec {
            tv_sec: 0,
            tv_nsec: (POLL_INTERVAL * 10).subsec_nanos().into(),
        };
        let timeout = (watch.is_none() && !has_ended).then_some(&interval);
        match poll(&mut fds, timeout) {
            Ok(_) | Err(Errno::INTR) => {}
            Err(_) => return,
        }
        let is_asked = fds.first().is_some_and(|fd| !fd.revents().is_empty());
        if !has_ended && let Some(event) = exit_event(bot) {
            has_ended = true;
            send_event(control, &event);
        }
        if is_asked {
            return;
        }
    }
}

/// How the bot exited, if it did. The process isn't reaped, so that its PID can't be reused before
/// its process group is killed.
fn exit_event(bot: &Child) -> Option<LauncherEvent> {
    let options = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
    match waitid(WaitId::Pid(to_pid(bot.id())?), options) {
        Ok(None) => None,
        Ok(Some(status)) => Some(LauncherEvent::Ended {
            code: status.exit_status(),
            signal: status.terminating_signal(),
        }),
        Err(_) => Some(LauncherEvent::Ended {
            code: None,
            signal: None,
        }),
    }
}

/// Kills the bot and everything it has started; returns the number of processes, not counting the
/// bot.
fn kill_bot(bot: &Child) -> usize {
    let tag = std::env::var(TAG_VARIABLE).unwrap_or_default();
    let tree = ProcessTree::find(std::process::id(), bot.id(), &tag);
    if let Some(pid) = to_pid(bot.id()) {
        let _ = kill_process_group(pid, Signal::KILL);
    }
    let left_behind = tree.kill();
    // All of them are children of this process by now. Those that aren't reaped here would be left
    // to the arena as zombies.
    let deadline = Instant::now() + REAP_TIMEOUT;
    while Instant::now() < deadline {
        match rustix::process::wait(WaitOptions::NOHANG) {
            Ok(Some(_)) | Err(Errno::INTR) => {}
            Ok(None) => thread::sleep(POLL_INTERVAL / 4),
            Err(_) => break,
        }
    }
    left_behind
}

fn to_pid(id: u32) -> Option<Pid> {
    Pid::from_raw(id.try_into().ok()?)
}

#[cfg(target_os = "linux")]
fn pidfd(id: u32) -> Option<OwnedFd> {
    use rustix::process::{PidfdFlags, pidfd_open};
    pidfd_open(to_pid(id)?, PidfdFlags::empty()).ok()
}

#[cfg(not(target_os = "linux"))]
fn pidfd(_: u32) -> Option<OwnedFd> {
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Guards against giving a bot more than the arena itself may use: a soft limit below the
    /// requested one used to be raised to it.
    #[test]
    fn a_limit_is_never_raised() {
        let limits = |current, maximum| Rlimit { current, maximum };
        let lowered = |now| {
            let limit = lowered_limit(now, 100, 101);
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
