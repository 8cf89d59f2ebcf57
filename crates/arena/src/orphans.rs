//! Finds and kills processes that external programs leave behind. A program can leave its process
//! group and outlive its parent, but what it starts inherits its environment, which contains a tag.
//! A process that has an empty environment *and* has left its group *and* its parent escapes for
//! the time being; under a [subreaper](become_subreaper) it is killed when the arena ends.
//!
//! Only Linux exposes the environment of processes; elsewhere only the process group is killed.

/// The environment variable with the tag: the tournament's tag, a dash, and the program's number.
pub(crate) const TAG_VARIABLE: &str = "NOUGHTS_ARENA";

/// Kills all processes with this tag, and everything they have started; returns their number.
///
/// An arena that was killed can't terminate its bots, so call this when resuming its tournament.
/// An empty tag matches nothing.
pub fn kill_tagged_processes(tag: &str) -> usize {
    if tag.is_empty() {
        return 0;
    }
    proc::kill(|process| process.has_tag(|other| tag_belongs_to(other, tag)))
}

/// Makes this process the subreaper of its descendants: orphaned processes become its children,
/// whatever their group, session and environment. For programs that only start bots.
pub fn become_subreaper() {
    // On other systems only the tags are used.
    #[cfg(target_os = "linux")]
    let _ = rustix::process::set_child_subreaper(Some(rustix::process::getpid()));
}

/// Kills all descendants of this process. Call it at the end of a program that only starts bots.
pub fn kill_descendants() -> usize {
    let me = std::process::id();
    proc::kill(|process| process.descends_from(me))
}

/// Whether `tag` equals `prefix` or is the tag of a program started under it.
fn tag_belongs_to(tag: &str, prefix: &str) -> bool {
    let Some(rest) = tag.strip_prefix(prefix) else {
        return false;
    };
    let number = rest.strip_prefix('-');
    rest.is_empty()
        || number.is_some_and(|n| !n.is_empty() && n.bytes().all(|byte| byte.is_ascii_digit()))
}

/// A bot and everything it has started, except for the launcher, which is terminated by its parent.
pub(crate) struct ProcessTree<'a> {
    launcher: u32,
    tag: &'a str,
    processes: Vec<proc::ProcessId>,
    /// Whether the bot itself is among them.
    has_bot: bool,
}

impl ProcessTree<'_> {
    /// Finds all descendants of the launcher and all processes with its tag.
    pub(crate) fn find(launcher: u32, bot: u32, tag: &str) -> ProcessTree<'_> {
        let processes = proc::find(&|process| process.belongs_to(launcher, tag));
        ProcessTree {
            launcher,
            tag,
            has_bot: processes.iter().any(|process| process.pid == bot),
            processes,
        }
    }

    /// Kills them, and everything started since; returns their number, not counting the bot.
    pub(crate) fn kill(self) -> usize {
        let killed = proc::kill(|process| {
            // A process started since then may have neither the tag nor its parent.
            process.is_one_of(&self.processes) || process.belongs_to(self.launcher, self.tag)
        });
        // Some may already have been killed with the process group.
        self.processes.len().max(killed) - usize::from(self.has_bot)
    }
}

/// The number of processes with this tag.
#[must_use]
pub fn count_tagged_processes(tag: &str) -> usize {
    proc::find(&|process| process.has_tag(|other| tag_belongs_to(other, tag))).len()
}

/// Processes by their entries in `/proc`, which only Linux has; elsewhere nothing is found.
mod proc {
    use std::collections::{HashMap, HashSet};
    use std::fs;

    use super::TAG_VARIABLE;

    /// How often to rescan; a process that forks faster escapes.
    const MAX_SCANS: usize = 100;

    /// A live process.
    #[derive(Clone, Copy)]
    pub(super) struct ProcessId {
        pub(super) pid: u32,
        parent: u32,
        /// The start time, since a PID may be reused.
        start_time: u64,
    }

    /// A process in a snapshot of the system.
    pub(super) struct ProcessView<'a> {
        pub(super) pid: u32,
        all: &'a HashMap<u32, ProcessId>,
    }

    impl ProcessView<'_> {
        pub(super) fn has_tag(&self, is: impl Fn(&str) -> bool) -> bool {
            // Processes of other users can't be read, and can't be ours.
            let Ok(environment) = fs::read(format!("/proc/{}/environ", self.pid)) else {
                return false;
            };
            environment.split(|&byte| byte == 0).any(|variable| {
                variable
                    .strip_prefix(TAG_VARIABLE.as_bytes())
                    .and_then(|rest| rest.strip_prefix(b"="))
                    .and_then(|tag| str::from_utf8(tag).ok())
                    .is_some_and(&is)
            })
        }

        /// Whether a launcher with this tag started it, even indirectly.
        pub(super) fn belongs_to(&self, launcher: u32, tag: &str) -> bool {
            let is_descendant = || self.descends_from(launcher);
            self.pid != launcher && (is_descendant() || self.has_tag(|other| other == tag))
        }

        pub(super) fn is_one_of(&self, processes: &[ProcessId]) -> bool {
            self.all.get(&self.pid).is_some_and(|this| {
                let is_this = |other: &ProcessId| {
                    (other.pid, other.start_time) == (this.pid, this.start_time)
                };
                processes.iter().any(is_this)
            })
        }

        pub(super) fn descends_from(&self, ancestor: u32) -> bool {
            let mut pid = self.pid;
            // A snapshot of a changing system may contain a cycle.
            for _ in 0..self.all.len() {
                match self.all.get(&pid) {
                    Some(process) if process.parent == ancestor => return true,
                    Some(process) => pid = process.parent,
                    None => return false,
                }
            }
            false
        }
    }

    /// All matching live processes, except this one.
    pub(super) fn find(is: &dyn Fn(&ProcessView<'_>) -> bool) -> Vec<ProcessId> {
        let Ok(entries) = fs::read_dir("/proc") else {
            return Vec::new();
        };
        let all: HashMap<u32, ProcessId> = entries
            .filter_map(|entry| entry.ok()?.file_name().to_str()?.parse::<u32>().ok())
            .filter(|&pid| pid != std::process::id())
            .filter_map(|pid| Some((pid, read_process(pid)?)))
            .collect();
        let matches = |pid: u32| is(&ProcessView { pid, all: &all });
        let processes = all.values().copied();
        processes.filter(|process| matches(process.pid)).collect()
    }

    /// `None` for a process that has exited, even if it hasn't been reaped.
    fn read_process(pid: u32) -> Option<ProcessId> {
        let stat = fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
        // The process name, in parentheses, may contain anything.
        let fields: Vec<&str> = stat.rsplit_once(')')?.1.split_whitespace().collect();
        if matches!(fields.first(), Some(&("Z" | "X"))) {
            return None;
        }
        Some(ProcessId {
            pid,
            parent: fields.get(1)?.parse().ok()?,
            start_time: fields.get(19)?.parse().ok()?,
        })
    }

    /// Kills all matching processes, rescanning until none is left.
    pub(super) fn kill(is: impl Fn(&ProcessView<'_>) -> bool) -> usize {
        let mut killed = HashSet::new();
        for _ in 0..MAX_SCANS {
            let found = find(&is);
            if found.is_empty() {
                break;
            }
            for process in found {
                if kill_process(process).is_some() {
                    killed.insert((process.pid, process.start_time));
                }
            }
        }
        killed.len()
    }

    #[cfg(target_os = "linux")]
    fn kill_process(process: ProcessId) -> Option<()> {
        use rustix::process::{Pid, PidfdFlags, Signal, pidfd_open, pidfd_send_signal};
        let pid = Pid::from_raw(process.pid.try_into().ok()?)?;
        // A pidfd always refers to the same process; check that it is the right one.
        let handle = pidfd_open(pid, PidfdFlags::empty()).ok()?;
        let now = read_process(process.pid)?;
        (now.start_time == process.start_time).then_some(())?;
        pidfd_send_signal(&handle, Signal::KILL).ok()
    }

    #[cfg(not(target_os = "linux"))]
    fn kill_process(_: ProcessId) -> Option<()> {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tag_matches_only_its_own_programs() {
        assert!(
            tag_belongs_to("t1", "t1")
                && tag_belongs_to("t1-0", "t1")
                && tag_belongs_to("t1-23", "t1")
        );
        for other in ["t", "t11-0", "t1-", "t1-2-3", "t1-x", "t2-1", ""] {
            assert!(!tag_belongs_to(other, "t1"), "{other}");
        }
        assert_eq!(kill_tagged_processes(""), 0);
    }
}
