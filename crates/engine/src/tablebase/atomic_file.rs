//! A file in the making: under its own name it is there whole or not at all, whatever happens
//! meanwhile.

use std::fs::{self, File, TryLockError};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// Drafts lie beside the file, with this ending.
const ENDING: &str = "part";

/// A new file that replaces the old one when it is finished. Until then its maker holds a lock
/// on it, so that drafts which somebody left behind can be told from those being written.
pub(super) struct AtomicFile {
    target: PathBuf,
    path: PathBuf,
    file: File,
    finished: bool,
}

impl AtomicFile {
    /// Begins a draft beside the target, and makes the folder if need be. Removes what builds
    /// that were killed have left.
    pub(super) fn new(target: &Path) -> io::Result<AtomicFile> {
        let folder = target.parent().unwrap_or(Path::new("."));
        fs::create_dir_all(folder)?;
        remove_abandoned(target, folder);
        let mut tries = 0;
        loop {
            let path = draft_path(target, &format!("{}-{tries}", std::process::id()));
            match File::create_new(&path) {
                Ok(file) => {
                    // A file system without locks keeps what is left behind.
                    let locked = !matches!(file.try_lock(), Err(TryLockError::WouldBlock));
                    // Between making and locking it, another build may have taken it for abandoned.
                    if locked && path.exists() {
                        return Ok(AtomicFile {
                            target: target.into(),
                            path,
                            file,
                            finished: false,
                        });
                    }
                }
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
                Err(error) => return Err(error),
            }
            tries += 1;
            if tries == 100 {
                return Err(io::ErrorKind::AlreadyExists.into());
            }
        }
    }

    /// Writes the contents and puts the file in its place.
    pub(super) fn commit(mut self, contents: &[u8]) -> io::Result<()> {
        self.file.write_all(contents)?;
        self.file.sync_all()?;
        fs::rename(&self.path, &self.target)?;
        self.finished = true;
        // The new name is on the disk once the folder is. Not every system can open a folder.
        if cfg!(unix) {
            let folder = self.target.parent().unwrap_or(Path::new("."));
            File::open(folder)?.sync_all()?;
        }
        Ok(())
    }
}

impl Drop for AtomicFile {
    fn drop(&mut self) {
        if !self.finished {
            // Nothing more can be done; the next build tries again.
            let _ = fs::remove_file(&self.path);
        }
    }
}

fn draft_path(target: &Path, mark: &str) -> PathBuf {
    let mut name = target.file_name().unwrap_or_default().to_os_string();
    name.push(format!(".{mark}.{ENDING}"));
    target.with_file_name(name)
}

/// Removes the target's drafts that nobody is writing any more. What cannot be looked at stays.
fn remove_abandoned(target: &Path, folder: &Path) {
    let name = target.file_name().unwrap_or_default().to_string_lossy();
    let Ok(entries) = fs::read_dir(folder) else {
        return;
    };
    for path in entries.flatten().map(|entry| entry.path()) {
        let file = path.file_name().unwrap_or_default().to_string_lossy();
        let mark = file.strip_prefix(&*name);
        let is_draft = mark.is_some_and(|mark| mark.starts_with('.') && mark.ends_with(ENDING));
        if is_draft
            && let Ok(draft) = File::open(&path)
            && draft.try_lock().is_ok()
        {
            let _ = fs::remove_file(&path);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn folder(name: &str) -> PathBuf {
        let folder = std::env::temp_dir().join(format!("noughts-{name}-{}", std::process::id()));
        let _ = fs::remove_dir_all(&folder);
        folder
    }

    fn names(folder: &Path) -> Vec<String> {
        let entries = fs::read_dir(folder).expect("the folder is there");
        let names = entries.flatten().map(|entry| entry.file_name());
        let mut names: Vec<String> = names.map(|name| name.to_string_lossy().into()).collect();
        names.sort();
        names
    }

    #[test]
    fn a_draft_that_is_given_up_leaves_the_old_file_alone() -> io::Result<()> {
        let folder = folder("given-up");
        let target = folder.join("table");
        AtomicFile::new(&target)?.commit(b"old")?;
        let draft = AtomicFile::new(&target)?;
        assert_eq!(names(&folder).len(), 2);
        drop(draft);
        assert_eq!(names(&folder), ["table"]);
        assert_eq!(fs::read(&target)?, b"old");
        AtomicFile::new(&target)?.commit(b"new")?;
        assert_eq!(fs::read(&target)?, b"new");
        assert_eq!(names(&folder), ["table"]);
        fs::remove_dir_all(&folder)
    }

    /// A build that was killed holds no lock any more; one that goes on does.
    #[test]
    fn only_abandoned_drafts_are_removed() -> io::Result<()> {
        let folder = folder("abandoned");
        let target = folder.join("table");
        fs::create_dir_all(&folder)?;
        fs::write(draft_path(&target, "77-0"), b"half")?;
        fs::write(folder.join("other.1-0.part"), b"not ours")?;
        let going_on = AtomicFile::new(&target)?;
        let another = AtomicFile::new(&target)?;
        assert_eq!(names(&folder).len(), 3, "{:?}", names(&folder));
        another.commit(b"one")?;
        going_on.commit(b"two")?;
        assert_eq!(names(&folder), ["other.1-0.part", "table"]);
        assert_eq!(fs::read(&target)?, b"two");
        fs::remove_dir_all(&folder)
    }
}
