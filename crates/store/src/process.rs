//! Which programs are alive. Each one holds the lock of a file of its own; the
//! system frees it when the program ends, however it ends.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use crate::data_dir;
use crate::error::StoreError;

/// This program, as the games that it holds name it.
#[derive(Debug)]
pub(crate) struct Process {
    uid: String,
    /// The folder of the locks; none where the store is in memory and nobody else
    /// can see it.
    dir: Option<PathBuf>,
    lock: Mutex<Option<ProcessLock>>,
}

#[derive(Debug)]
struct ProcessLock {
    path: PathBuf,
    /// Holds the lock for as long as it is open.
    _file: File,
}

/// Files that are not yet locked have this behind their names.
const UNLOCKED_EXTENSION: &str = "new";

/// So old a file that never got its name was left behind.
const STALE_AFTER: Duration = Duration::from_secs(3600);

impl Process {
    /// The only one there is.
    pub(crate) fn standalone() -> Result<Process, StoreError> {
        Ok(Process {
            uid: random_uid()?,
            dir: None,
            lock: Mutex::default(),
        })
    }

    /// Announces this program in the folder, and forgets those that are gone.
    pub(crate) fn register(dir: &Path) -> Result<Process, StoreError> {
        let uid = random_uid()?;
        let failed = |error: io::Error| StoreError::io(dir, &error);
        data_dir::create_private_folder(dir).map_err(failed)?;
        remove_stale_locks(dir);
        let path = dir.join(&uid);
        let unborn = path.with_extension(UNLOCKED_EXTENSION);
        let file = data_dir::private_open_options()
            .create_new(true)
            .open(&unborn);
        let file = file.map_err(failed)?;
        // Nobody may see the file unlocked under its name and take it for a dead one's.
        let locked = file.try_lock().map_err(io::Error::from);
        if let Err(error) = locked.and_then(|()| fs::rename(&unborn, &path)) {
            let _ = fs::remove_file(&unborn);
            return Err(failed(error));
        }
        let lock = ProcessLock { path, _file: file };
        Ok(Process {
            uid,
            dir: Some(dir.into()),
            lock: Mutex::new(Some(lock)),
        })
    }

    /// One that sees the others and announces nothing, since it only reads.
    pub(crate) fn observer(dir: &Path) -> Result<Process, StoreError> {
        Ok(Process {
            uid: random_uid()?,
            dir: Some(dir.into()),
            lock: Mutex::default(),
        })
    }

    pub(crate) fn uid(&self) -> &str {
        &self.uid
    }

    /// Is this program, or another that is called so, alive?
    pub(crate) fn is_alive(&self, uid: &str) -> bool {
        if uid == self.uid {
            return true;
        }
        // What stands in the database is no path until it was looked at.
        match &self.dir {
            Some(dir) if is_uid(uid) => is_locked(&dir.join(uid)),
            _ => false,
        }
    }

    /// Is gone from now on, for all others.
    pub(crate) fn unregister(&self) {
        let mut lock = self.lock.lock().unwrap_or_else(PoisonError::into_inner);
        lock.take();
    }
}

impl Drop for ProcessLock {
    fn drop(&mut self) {
        // Left behind, it would be removed by the next program.
        let _ = fs::remove_file(&self.path);
    }
}

/// Might a running program hold this lock? Only a lock that is gone or free says that its
/// program has ended: when the file can't be opened or tried (no file descriptors left, no
/// permission), the program counts as alive, since the games of a live one must not be taken
/// over. The lock is tried as a shared one, so that two programs that look at the same time
/// don't see each other.
fn is_locked(path: &Path) -> bool {
    match File::open(path) {
        Ok(file) => file.try_lock_shared().is_err(),
        Err(error) => error.kind() != io::ErrorKind::NotFound,
    }
}

fn remove_stale_locks(dir: &Path) {
    let Ok(entries) = fs::read_dir(dir) else {
        return;
    };
    for path in entries.flatten().map(|entry| entry.path()) {
        let dead = match path.extension() {
            None => is_named_by_uid(&path) && !is_locked(&path),
            Some(extension) => {
                extension == UNLOCKED_EXTENSION
                    && is_named_by_uid(&path)
                    && is_older_than(&path, STALE_AFTER)
            }
        };
        if dead {
            let _ = fs::remove_file(&path);
        }
    }
}

fn is_named_by_uid(path: &Path) -> bool {
    let stem = path.file_stem().and_then(|stem| stem.to_str());
    stem.is_some_and(is_uid)
}

fn is_older_than(path: &Path, age: Duration) -> bool {
    let changed = fs::metadata(path).and_then(|about| about.modified());
    changed.is_ok_and(|changed| changed.elapsed().is_ok_and(|passed| passed > age))
}

/// 128 random bits in hexadecimal digits.
pub(crate) fn random_uid() -> Result<String, StoreError> {
    let mut bytes = [0; 16];
    getrandom::fill(&mut bytes).map_err(|error| {
        StoreError::Invalid(format!("the system gives no random numbers: {error}"))
    })?;
    Ok(to_hex(&bytes))
}

pub(crate) fn to_hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Has it the form of [`random_uid`]'s?
pub(crate) fn is_uid(text: &str) -> bool {
    text.len() == 32 && text.bytes().all(|b| matches!(b, b'0'..=b'9' | b'a'..=b'f'))
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    /// Running out of file descriptors once made a live program count as dead, and its game
    /// was taken over. A link to itself can't be opened either, whoever tries.
    #[test]
    fn a_program_that_cannot_be_checked_counts_as_alive() {
        let dir = tempfile::tempdir().expect("a folder");
        let other = "0123456789abcdef0123456789abcdef";
        let path = dir.path().join(other);
        std::os::unix::fs::symlink(&path, &path).expect("a link");
        let program = Process::register(dir.path()).expect("announced");
        assert!(fs::symlink_metadata(&path).is_ok(), "its lock was removed");
        assert!(program.is_alive(other));

        fs::remove_file(&path).expect("removed");
        assert!(!program.is_alive(other), "without a lock it is gone");
        fs::write(&path, "").expect("written");
        assert!(!program.is_alive(other), "with a free lock it is gone");
    }
}
