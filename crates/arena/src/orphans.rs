//! Finding and killing what outside programs leave behind. A program can leave its
//! process group and outlive its parent, but what it starts inherits its environment:
//! every program of the arena has a tag there. (One that starts others with an empty
//! environment *and* leaves its group *and* its parent gets away for the time being; where
//! they are [adopted](adopt), it goes when the arena ends.)
//!
//! Only Linux shows the environment of processes; elsewhere the process group has to do.

/// The variable of the tag: the tournament's, a dash, the program's number.
pub(crate) const TAG: &str = "NOUGHTS_ARENA";

/// Kills all programs of an arena that is no more: those that were started under this
/// tag, and whatever they have started. Gives how many there were.
///
/// An arena that was killed cannot end its bots; whoever goes on with its tournament
/// does it like this. An empty tag means nobody.
pub fn kill_tagged_processes(tag: &str) -> usize {
    if tag.is_empty() {
        return 0;
    }
    linux::kill(|process| process.tag_is(|other| is_of(other, tag)))
}

/// Takes in what outside programs leave behind: from now on it becomes this process's
/// child, whatever it does to its group, session and environment. For programs that start
/// nothing else.
pub fn become_subreaper() {
    // Where the system does not know of it, tags have to do.
    #[cfg(target_os = "linux")]
    let _ = rustix::process::set_child_subreaper(Some(rustix::process::getpid()));
}

/// Kills everything that descends from this process. For the end of a program that starts
/// nothing but bots.
pub fn kill_descendants() -> usize {
    let me = std::process::id();
    linux::kill(|process| process.descends_from(me))
}

/// Is it this tag, or of a program that was started under it?
#[cfg_attr(not(target_os = "linux"), allow(dead_code))]
fn is_of(tag: &str, of: &str) -> bool {
    let Some(rest) = tag.strip_prefix(of) else {
        return false;
    };
    let number = rest.strip_prefix('-');
    rest.is_empty()
        || number.is_some_and(|n| !n.is_empty() && n.bytes().all(|byte| byte.is_ascii_digit()))
}

/// A bot and what it has started, but for the launcher above them, which is ended by its
/// parent.
#[cfg(unix)]
pub(crate) struct ProcessTree<'a> {
    launcher: u32,
    tag: &'a str,
    seen: Vec<linux::Life>,
    /// Is the bot itself among them?
    has_bot: bool,
}

#[cfg(unix)]
impl ProcessTree<'_> {
    /// What descends from the launcher now, or has its tag.
    pub(crate) fn find(launcher: u32, bot: u32, tag: &str) -> ProcessTree<'_> {
        let seen = linux::find(&|process| {
            process.pid != launcher
                && (process.descends_from(launcher) || process.tag_is(|other| other == tag))
        });
        ProcessTree {
            launcher,
            tag,
            has_bot: seen.iter().any(|life| life.is(bot)),
            seen,
        }
    }

    /// Kills it, and what has come since; returns how many there were, the bot not counted.
    pub(crate) fn kill(self) -> usize {
        let ProcessTree {
            launcher,
            tag,
            seen,
            has_bot,
        } = self;
        let is = |process: &linux::Process<'_>| {
            process.pid != launcher
                && (process.is_one_of(&seen)
                    // What was started since then may have neither a tag nor its parent left.
                    || process.descends_from(launcher)
                    || process.tag_is(|other| other == tag))
        };
        let killed = linux::kill(is);
        // Some may have gone with the process group.
        seen.len().max(killed) - usize::from(has_bot)
    }
}

/// How many processes run under this tag.
#[must_use]
pub fn count_tagged_processes(tag: &str) -> usize {
    linux::find(&|process| process.tag_is(|other| is_of(other, tag))).len()
}

#[cfg(target_os = "linux")]
mod linux {
    use std::collections::{HashMap, HashSet};
    use std::fs;

    use rustix::process::{Pid, PidfdFlags, Signal, pidfd_open, pidfd_send_signal};

    use super::TAG;

    /// Who forks faster than this is not caught up with.
    const ROUNDS: usize = 100;

    /// What the system says of a process that is alive.
    #[derive(Clone, Copy)]
    pub(super) struct Life {
        pid: u32,
        parent: u32,
        /// When it began: the number alone may mean another process by now.
        began: u64,
    }

    impl Life {
        pub(super) fn is(&self, pid: u32) -> bool {
            self.pid == pid
        }
    }

    /// A process as one look at the system showed it.
    pub(super) struct Process<'a> {
        pub(super) pid: u32,
        all: &'a HashMap<u32, Life>,
    }

    impl Process<'_> {
        pub(super) fn tag_is(&self, is: impl Fn(&str) -> bool) -> bool {
            // Other people's processes cannot be looked into, and are none of ours.
            let Ok(environment) = fs::read(format!("/proc/{}/environ", self.pid)) else {
                return false;
            };
            environment.split(|&byte| byte == 0).any(|variable| {
                variable
                    .strip_prefix(TAG.as_bytes())
                    .and_then(|rest| rest.strip_prefix(b"="))
                    .and_then(|tag| str::from_utf8(tag).ok())
                    .is_some_and(&is)
            })
        }

        pub(super) fn is_one_of(&self, lives: &[Life]) -> bool {
            self.all.get(&self.pid).is_some_and(|life| {
                let mut lives = lives.iter();
                lives.any(|other| (other.pid, other.began) == (life.pid, life.began))
            })
        }

        pub(super) fn descends_from(&self, ancestor: u32) -> bool {
            let mut pid = self.pid;
            // A look at a changing system may show a circle.
            for _ in 0..self.all.len() {
                match self.all.get(&pid) {
                    Some(life) if life.parent == ancestor => return true,
                    Some(life) => pid = life.parent,
                    None => return false,
                }
            }
            false
        }
    }

    /// The processes that are alive, this one aside.
    pub(super) fn find(is: &dyn Fn(&Process<'_>) -> bool) -> Vec<Life> {
        let Ok(entries) = fs::read_dir("/proc") else {
            return Vec::new();
        };
        let all: HashMap<u32, Life> = entries
            .filter_map(|entry| entry.ok()?.file_name().to_str()?.parse::<u32>().ok())
            .filter(|&pid| pid != std::process::id())
            .filter_map(|pid| Some((pid, life(pid)?)))
            .collect();
        let matches = |pid: u32| is(&Process { pid, all: &all });
        let lives = all.values().copied();
        lives.filter(|life| matches(life.pid)).collect()
    }

    /// Nothing of a process that has ended, even if its parent has not noticed.
    fn life(pid: u32) -> Option<Life> {
        let stat = fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
        // The name, in brackets, may hold anything.
        let fields: Vec<&str> = stat.rsplit_once(')')?.1.split_whitespace().collect();
        if matches!(fields.first(), Some(&("Z" | "X"))) {
            return None;
        }
        Some(Life {
            pid,
            parent: fields.get(1)?.parse().ok()?,
            began: fields.get(19)?.parse().ok()?,
        })
    }

    /// Kills them until there is none.
    pub(super) fn kill(is: impl Fn(&Process<'_>) -> bool) -> usize {
        let mut killed = HashSet::new();
        for _ in 0..ROUNDS {
            let found = find(&is);
            if found.is_empty() {
                break;
            }
            for process in found {
                let pid = i32::try_from(process.pid).ok().and_then(Pid::from_raw);
                // A handle means one process for good; then a look at whether it is the one.
                let Some(handle) = pid.and_then(|pid| pidfd_open(pid, PidfdFlags::empty()).ok())
                else {
                    continue;
                };
                let same = life(process.pid).is_some_and(|life| life.began == process.began);
                if same && pidfd_send_signal(&handle, Signal::KILL).is_ok() {
                    killed.insert((process.pid, process.began));
                }
            }
        }
        killed.len()
    }
}

#[cfg(not(target_os = "linux"))]
#[cfg_attr(
    not(unix),
    allow(dead_code, reason = "outside programs can't be run there")
)]
mod linux {
    use std::marker::PhantomData;

    pub(super) struct Life;

    impl Life {
        pub(super) fn is(&self, _: u32) -> bool {
            false
        }
    }

    pub(super) struct Process<'a> {
        pub(super) pid: u32,
        all: PhantomData<&'a ()>,
    }

    impl Process<'_> {
        pub(super) fn tag_is(&self, _: impl Fn(&str) -> bool) -> bool {
            false
        }

        pub(super) fn is_one_of(&self, _: &[Life]) -> bool {
            false
        }

        pub(super) fn descends_from(&self, _: u32) -> bool {
            false
        }
    }

    pub(super) fn find(_: &dyn Fn(&Process<'_>) -> bool) -> Vec<Life> {
        Vec::new()
    }

    pub(super) fn kill(_: impl Fn(&Process<'_>) -> bool) -> usize {
        0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tag_means_its_own_programs_only() {
        assert!(is_of("t1", "t1") && is_of("t1-0", "t1") && is_of("t1-23", "t1"));
        for other in ["t", "t11-0", "t1-", "t1-2-3", "t1-x", "t2-1", ""] {
            assert!(!is_of(other, "t1"), "{other}");
        }
        assert_eq!(kill_tagged_processes(""), 0);
    }
}
