//! The limit of open files, and how many connections it leaves room for.

/// As many as a server needs with all its connections, or an arena with all its bots.
#[cfg(unix)]
const WANTED: u64 = 1 << 16;

/// Files for everything except connections: the database, tablebases, the log.
const RESERVED: u64 = 128;

/// Raises the soft limit as far as the hard limit allows. Returns the limit in effect, or `None`
/// if there is no limit.
#[cfg(unix)]
pub(crate) fn raise_limit() -> Option<u64> {
    use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
    let limit = getrlimit(Resource::Nofile);
    let current = limit.current?;
    let requested = limit.maximum.map_or(WANTED, |max| max.min(WANTED));
    if current >= requested {
        return Some(current);
    }
    let raised = Rlimit {
        current: Some(requested),
        maximum: limit.maximum,
    };
    match setrlimit(Resource::Nofile, raised) {
        Ok(()) => Some(requested),
        // Some systems allow less than their hard limit.
        Err(_) => Some(current),
    }
}

/// Other systems have no such limit.
#[cfg(not(unix))]
pub(crate) fn raise_limit() -> Option<u64> {
    None
}

/// How many connections to accept, so that there are files left for everything else.
pub(crate) fn max_connections(files: Option<u64>, requested: usize) -> usize {
    let Some(files) = files else {
        return requested;
    };
    let available = files - RESERVED.min(files / 2);
    usize::try_from(available).map_or(requested, |available| available.min(requested))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn connections_leave_files_for_the_database() {
        assert_eq!(max_connections(None, 16_000), 16_000);
        assert_eq!(max_connections(Some(1 << 16), 16_000), 16_000);
        assert_eq!(max_connections(Some(1024), 16_000), 896);
        assert_eq!(max_connections(Some(100), 16_000), 50);
        assert_eq!(max_connections(Some(0), 16_000), 0);
    }
}
