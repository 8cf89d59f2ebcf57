//! Which processes are alive. Each one holds the lock of its own file, which the system releases
//! when the process ends, however it ends.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use crate::data_dir;
use crate::error::StoreError;

/// This process, as recorded in the games it holds.
#[derive(Debug)]
pub(crate) struct Process {
    uid: String,
    /// The folder with the locks; `None` if the store is in memory and no other process can see it.
    dir: Option<PathBuf>,
    lock: Mutex<Option<ProcessLock>>,
}

#[derive(Debug)]
struct ProcessLock {
    path: PathBuf,
    /// Holds the lock while it is open.
    _file: File,
}

/// The extension of files that aren't locked yet.
const UNLOCKED_EXTENSION: &str = "new";

/// A file that never got its final name and is this old was left behind.
const STALE_AFTER: Duration = Duration::from_secs(3600);

impl Process {
    /// Registers this process in the folder, and removes the locks of processes that have ended.
    pub(crate) fn register(dir: &Path) -> Result<Process, StoreError> {
        let uid = random_uid()?;
        let failed = |error: io::Error| StoreError::io(dir, &error);
        data_dir::create_private_folder(dir).map_err(failed)?;
        remove_stale_locks(dir);
        let path = dir.join(&uid);
        let unlocked_path = path.with_extension(UNLOCKED_EXTENSION);
        let file = data_dir::private_open_options()
            .create_new(true)
            .open(&unlocked_path);
        let file = file.map_err(failed)?;
        // The file must not be visible unlocked under its final name, or another process would take
        // it for a stale lock.
        let locked = file.try_lock().map_err(io::Error::from);
        if let Err(error) = locked.and_then(|()| fs::rename(&unlocked_path, &path)) {
            let _ = fs::remove_file(&unlocked_path);
            return Err(failed(error));
        }
        let lock = ProcessLock { path, _file: file };
        Ok(Process {
            uid,
            dir: Some(dir.into()),
            lock: Mutex::new(Some(lock)),
        })
    }

    /// A process that isn't registered: it only reads, or (without a folder) shares the store with no
    /// other.
    pub(crate) fn unregistered(dir: Option<PathBuf>) -> Result<Process, StoreError> {
        Ok(Process {
            uid: random_uid()?,
            dir,
            lock: Mutex::default(),
        })
    }

    pub(crate) fn uid(&self) -> &str {
        &self.uid
    }

    /// Is the process with this ID alive?
    pub(crate) fn is_alive(&self, uid: &str) -> bool {
        if uid == self.uid {
            return true;
        }
        // IDs from the database are checked before they become part of a path.
        match &self.dir {
            Some(dir) if is_uid(uid) => is_locked(&dir.join(uid)),
            _ => false,
        }
    }

    /// Releases the lock: to other processes, this one has ended.
    pub(crate) fn unregister(&self) {
        let mut lock = self.lock.lock().unwrap_or_else(PoisonError::into_inner);
        lock.take();
    }
}

impl Drop for ProcessLock {
    fn drop(&mut self) {
        // If this fails, the next process removes it.
        let _ = fs::remove_file(&self.path);
    }
}

/// Might a live process hold this lock? Only a missing or free lock means that its process has
/// ended: if the file can't be opened or tested (no file descriptors left, no permission), the
/// process counts as alive, because the games of a live process must not be taken over. The test
/// uses a shared lock, so that two processes testing at the same time don't see each other.
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
        let is_stale = match path.extension() {
            None => is_named_by_uid(&path) && !is_locked(&path),
            Some(extension) => {
                extension == UNLOCKED_EXTENSION
                    && is_named_by_uid(&path)
                    && is_older_than(&path, STALE_AFTER)
            }
        };
        if is_stale {
            let _ = fs::remove_file(&path);
        }
    }
}

fn is_named_by_uid(path: &Path) -> bool {
    let stem = path.file_stem().and_then(|stem| stem.to_str());
    stem.is_some_and(is_uid)
}

fn is_older_than(path: &Path, age: Duration) -> bool {
    let changed = fs::metadata(path).and_then(|metadata| metadata.modified());
    changed.is_ok_and(|changed| changed.elapsed().is_ok_and(|elapsed| elapsed > age))
}

/// 128 random bits in hexadecimal.
pub(crate) fn random_uid() -> Result<String, StoreError> {
    random_bytes::<16>().map(hex::encode)
}

pub(crate) fn random_bytes<const N: usize>() -> Result<[u8; N], StoreError> {
    let mut bytes = [0; N];
    getrandom::fill(&mut bytes).map_err(|error| {
        StoreError::Invalid(format!("the system can't provide random numbers: {error}"))
    })?;
    Ok(bytes)
}

/// Does it have the form of [`random_uid`]?
pub(crate) fn is_uid(text: &str) -> bool {
    text.len() == 32 && text.bytes().all(|b| matches!(b, b'0'..=b'9' | b'a'..=b'f'))
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    /// Regression test: running out of file descriptors made a live process count as dead, and its
    /// game was taken over. A link to itself can't be opened either, not even by root.
    #[test]
    fn a_process_that_cannot_be_checked_counts_as_alive() {
        let dir = tempfile::tempdir().expect("a folder");
        let other = "0123456789abcdef0123456789abcdef";
        let path = dir.path().join(other);
        std::os::unix::fs::symlink(&path, &path).expect("a link");
        let process = Process::register(dir.path()).expect("announced");
        assert!(fs::symlink_metadata(&path).is_ok(), "its lock was removed");
        assert!(process.is_alive(other));

        fs::remove_file(&path).expect("removed");
        assert!(
            !process.is_alive(other),
            "without a lock file, the process counts as dead"
        );
        fs::write(&path, "").expect("written");
        assert!(
            !process.is_alive(other),
            "with an unlocked lock file, the process counts as dead"
        );
    }
}
