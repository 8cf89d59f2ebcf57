//! How many files and connections the system lets this process have open.

/// As many as a server with all its connections could ever need.
#[cfg(unix)]
const WANTED: u64 = 1 << 16;

/// Files that are needed besides connections: the database, tables, the log.
const RESERVED: u64 = 128;

/// Raises the soft limit as far as the hard one allows, and returns what holds from now on;
/// none where there is no limit.
#[cfg(unix)]
pub(crate) fn raise_limit() -> Option<u64> {
    use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
    let limit = getrlimit(Resource::Nofile);
    let current = limit.current?;
    let wanted = limit.maximum.map_or(WANTED, |most| most.min(WANTED));
    if current >= wanted {
        return Some(current);
    }
    let raised = Rlimit {
        current: Some(wanted),
        maximum: limit.maximum,
    };
    match setrlimit(Resource::Nofile, raised) {
        Ok(()) => Some(wanted),
        // Some systems allow less than they say.
        Err(_) => Some(current),
    }
}

/// Other systems have no such limit.
#[cfg(not(unix))]
pub(crate) fn raise_limit() -> Option<u64> {
    None
}

/// How many connections fit, so that there are files left for everything else.
pub(crate) fn max_connections(files: Option<u64>, wanted: usize) -> usize {
    let Some(files) = files else {
        return wanted;
    };
    let left = files - RESERVED.min(files / 2);
    usize::try_from(left).map_or(wanted, |left| left.min(wanted))
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
