//! How much memory this program may use: the machine's, or less in a container.

use std::fs;
use std::path::Path;

/// Assumed if the system doesn't say.
const DEFAULT_MEMORY: u64 = 4 << 30;

/// Bytes of memory that this program may use.
pub(crate) fn memory_limit() -> u64 {
    memory_limit_below(Path::new("/"))
}

/// The same, with the system's files below this folder.
fn memory_limit_below(root: &Path) -> u64 {
    let machine = fs::read_to_string(root.join("proc/meminfo"));
    let machine = machine.ok().and_then(|text| parse_mem_total(&text));
    let limits = fs::read_to_string(root.join("proc/self/cgroup")).unwrap_or_default();
    let limits = limits.lines().filter_map(|line| limit(root, line));
    machine
        .into_iter()
        .chain(limits)
        .min()
        .unwrap_or(DEFAULT_MEMORY)
}

/// `MemTotal:       24681472 kB`
fn parse_mem_total(meminfo: &str) -> Option<u64> {
    let line = meminfo
        .lines()
        .find_map(|line| line.strip_prefix("MemTotal:"))?;
    let kibibytes: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    kibibytes.checked_mul(1024)
}

/// The lowest limit of a control group and its ancestors. A line is `0::/path` in version 2 and
/// `4:memory:/path` in version 1.
fn limit(root: &Path, line: &str) -> Option<u64> {
    let mut fields = line.splitn(3, ':').skip(1);
    let (controllers, group) = (fields.next()?, fields.next()?);
    let (mount, file) = match controllers {
        "" => ("sys/fs/cgroup", "memory.max"),
        _ if controllers.split(',').any(|name| name == "memory") => {
            ("sys/fs/cgroup/memory", "memory.limit_in_bytes")
        }
        _ => return None,
    };
    let mount = root.join(mount);
    // In a container the group's path may be outside of what is mounted; then only the mount itself
    // exists.
    let group = group.trim_start_matches('/');
    let groups = Path::new(group).ancestors();
    // `max` means no limit.
    let read = |group: &Path| -> Option<u64> {
        let text = fs::read_to_string(mount.join(group).join(file)).ok()?;
        text.trim().parse().ok()
    };
    groups.filter_map(read).min()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A folder with these files.
    fn root(files: &[(&str, &str)]) -> tempfile::TempDir {
        let root = tempfile::tempdir().expect("a folder");
        for (path, text) in files {
            let path = root.path().join(path);
            fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
            fs::write(path, text).expect("a file");
        }
        root
    }

    const MEMINFO: (&str, &str) = (
        "proc/meminfo",
        "MemTotal:        8000000 kB\nMemFree:          1000 kB\n",
    );

    #[test]
    fn container_memory_limits_are_respected() {
        let v2 = ("proc/self/cgroup", "0::/a/b\n");
        let v1 = (
            "proc/self/cgroup",
            "5:cpu,cpuacct:/\n4:memory:/docker/1\n0::/\n",
        );
        let no_limit = "9223372036854771712\n";
        for (files, expected) in [
            (vec![], DEFAULT_MEMORY),
            (vec![MEMINFO], 8_192_000_000),
            (vec![MEMINFO, v2], 8_192_000_000),
            (
                vec![MEMINFO, v2, ("sys/fs/cgroup/a/b/memory.max", "max\n")],
                8_192_000_000,
            ),
            (
                vec![MEMINFO, v2, ("sys/fs/cgroup/a/b/memory.max", "1048576\n")],
                1 << 20,
            ),
            // An ancestor group, or the container's own mount.
            (
                vec![MEMINFO, v2, ("sys/fs/cgroup/a/memory.max", "2097152\n")],
                2 << 20,
            ),
            (
                vec![MEMINFO, v2, ("sys/fs/cgroup/memory.max", "4194304\n")],
                4 << 20,
            ),
            (
                vec![
                    MEMINFO,
                    v1,
                    ("sys/fs/cgroup/memory/memory.limit_in_bytes", no_limit),
                ],
                8_192_000_000,
            ),
            (
                vec![
                    MEMINFO,
                    v1,
                    ("sys/fs/cgroup/memory/memory.limit_in_bytes", "8388608\n"),
                ],
                8 << 20,
            ),
            (
                vec![
                    MEMINFO,
                    v1,
                    ("sys/fs/cgroup/memory/memory.limit_in_bytes", no_limit),
                    (
                        "sys/fs/cgroup/memory/docker/1/memory.limit_in_bytes",
                        "1048576\n",
                    ),
                ],
                1 << 20,
            ),
            (vec![("proc/meminfo", "nonsense"), v2], DEFAULT_MEMORY),
        ] {
            assert_eq!(
                memory_limit_below(root(&files).path()),
                expected,
                "{files:?}"
            );
        }
    }
}
