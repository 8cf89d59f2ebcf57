//! Writes a file atomically: it appears under its name completely or not at all.

use std::fs::{self, File, TryLockError};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use tempfile::NamedTempFile;

/// The end of the names of temporary files, which are in the same folder as the target.
const SUFFIX: &str = ".part";

/// A temporary file that replaces the target when it is committed. The writer holds a lock on it,
/// which distinguishes files being written from abandoned ones.
pub(super) struct AtomicFile {
    target: PathBuf,
    file: NamedTempFile,
}

impl AtomicFile {
    /// Creates a temporary file next to the target, and the folder if necessary. Removes abandoned
    /// files of killed builds.
    pub(super) fn new(target: &Path) -> io::Result<AtomicFile> {
        let folder = target.parent().unwrap_or(Path::new("."));
        fs::create_dir_all(folder)?;
        remove_abandoned(target, folder);
        let mut prefix = target.file_name().unwrap_or_default().to_os_string();
        prefix.push(".");
        let mut builder = tempfile::Builder::new();
        builder.prefix(&prefix).suffix(SUFFIX);
        // Other users can read a tablebase, as far as the umask allows.
        #[cfg(unix)]
        builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
        loop {
            let file = builder.tempfile_in(folder)?;
            // On a file system without locks abandoned files are never removed.
            let locked = !matches!(file.as_file().try_lock(), Err(TryLockError::WouldBlock));
            // Between creating and locking the file, another build may have removed it as abandoned.
            if locked && file.path().exists() {
                let target = target.into();
                return Ok(AtomicFile { target, file });
            }
        }
    }

    /// Writes the contents and replaces the target.
    pub(super) fn commit(mut self, contents: &[u8]) -> io::Result<()> {
        self.file.write_all(contents)?;
        self.file.as_file().sync_all()?;
        self.file.persist(&self.target)?;
        // The rename is durable once the folder is synced. Not every system can open a folder.
        if cfg!(unix) {
            let folder = self.target.parent().unwrap_or(Path::new("."));
            File::open(folder)?.sync_all()?;
        }
        Ok(())
    }
}

/// Removes temporary files of the target that nobody is writing. Files that can't be opened stay.
fn remove_abandoned(target: &Path, folder: &Path) {
    let name = target.file_name().unwrap_or_default().to_string_lossy();
    let Ok(entries) = fs::read_dir(folder) else {
        return;
    };
    for path in entries.flatten().map(|entry| entry.path()) {
        let file = path.file_name().unwrap_or_default().to_string_lossy();
        let suffix = file.strip_prefix(&*name);
        let is_temporary =
            suffix.is_some_and(|suffix| suffix.starts_with('.') && suffix.ends_with(SUFFIX));
        if is_temporary
            && let Ok(temporary) = File::open(&path)
            && temporary.try_lock().is_ok()
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
    fn uncommitted_file_leaves_the_target_unchanged() -> io::Result<()> {
        let folder = folder("given-up");
        let target = folder.join("table");
        AtomicFile::new(&target)?.commit(b"old")?;
        let temporary = AtomicFile::new(&target)?;
        assert_eq!(names(&folder).len(), 2);
        drop(temporary);
        assert_eq!(names(&folder), ["table"]);
        assert_eq!(fs::read(&target)?, b"old");
        AtomicFile::new(&target)?.commit(b"new")?;
        assert_eq!(fs::read(&target)?, b"new");
        assert_eq!(names(&folder), ["table"]);
        fs::remove_dir_all(&folder)
    }

    /// A killed build no longer holds its lock; a running one does.
    #[test]
    fn only_abandoned_files_are_removed() -> io::Result<()> {
        let folder = folder("abandoned");
        let target = folder.join("table");
        fs::create_dir_all(&folder)?;
        fs::write(folder.join("table.77-0.part"), b"half")?;
        fs::write(folder.join("other.1-0.part"), b"not ours")?;
        let running = AtomicFile::new(&target)?;
        let another = AtomicFile::new(&target)?;
        assert_eq!(names(&folder).len(), 3, "{:?}", names(&folder));
        another.commit(b"one")?;
        running.commit(b"two")?;
        assert_eq!(names(&folder), ["other.1-0.part", "table"]);
        assert_eq!(fs::read(&target)?, b"two");
        fs::remove_dir_all(&folder)
    }
}
