//! Checks the data folder before anything is created in it, for better messages than the system's.

use std::fs::{self, DirBuilder, File, OpenOptions};
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use crate::error::StoreError;

/// The first bytes of every SQLite database.
const MAGIC: &[u8] = b"SQLite format 3\0";

/// The header bytes with the file format versions for writing and reading.
const FORMATS: std::ops::RangeInclusive<usize> = 18..=19;

/// The newest file format version of SQLite.
const NEWEST_FORMAT: u8 = 2;

/// Can this be a data folder, or become one?
pub(crate) fn check_folder(dir: &Path) -> Result<(), StoreError> {
    let full = std::path::absolute(dir).map_err(|error| StoreError::io(dir, &error))?;
    if full.to_str().is_none() {
        return Err(StoreError::NotUtf8 { path: full });
    }
    // The deepest existing ancestor: if it is a folder, everything below it can be created.
    let existing = dir.ancestors().find_map(|path| {
        let metadata = fs::symlink_metadata(path).ok()?;
        Some((path, metadata))
    });
    let Some((path, metadata)) = existing else {
        return Ok(());
    };
    match fs::metadata(path) {
        Ok(metadata) if !metadata.is_dir() => Err(wrong_file_type(path, "folder")),
        Err(error) if metadata.is_symlink() && !is_denied(&error) => Err(broken_link(path)),
        _ => Ok(()),
    }
}

/// Can this be the database file, or become it?
pub(crate) fn check_file(file: &Path) -> Result<(), StoreError> {
    match fs::metadata(file) {
        Ok(metadata) if !metadata.is_file() => Err(wrong_file_type(file, "file")),
        // SQLite would notice as well, but leave files next to it.
        Ok(metadata) if metadata.permissions().readonly() => {
            Err(StoreError::ReadOnly { path: file.into() })
        }
        Ok(_) => check_header(file),
        Err(error) if file.is_symlink() && !is_denied(&error) => {
            match can_create_target(file, &error) {
                true => Ok(()),
                false => Err(broken_link(file)),
            }
        }
        Err(_) => Ok(()),
    }
}

/// Does the link point to where a file can be created?
fn can_create_target(link: &Path, error: &io::Error) -> bool {
    let Ok(target) = fs::read_link(link) else {
        return false;
    };
    let from = link.parent().unwrap_or(Path::new("."));
    let folder = from.join(target).parent().map(Path::is_dir);
    error.kind() == io::ErrorKind::NotFound && folder == Some(true)
}

/// SQLite treats a file of an unknown format as read-only.
fn check_header(file: &Path) -> Result<(), StoreError> {
    let mut header = Vec::new();
    let read = File::open(file).and_then(|file| file.take(100).read_to_end(&mut header));
    read.map_err(|error| StoreError::io(file, &error))?;
    let formats = header.get(FORMATS).unwrap_or_default();
    let known = formats
        .iter()
        .all(|format| (1..=NEWEST_FORMAT).contains(format));
    if header.starts_with(MAGIC) && !known {
        return Err(StoreError::Corrupt {
            file: file.into(),
            what: "its header has an unknown format version".into(),
        });
    }
    Ok(())
}

/// Denied access is reported later, when something is to be created there.
fn is_denied(error: &io::Error) -> bool {
    error.kind() == io::ErrorKind::PermissionDenied
}

fn wrong_file_type(path: &Path, wanted: &'static str) -> StoreError {
    let path = path.into();
    StoreError::WrongFileType { path, wanted }
}

pub(crate) fn broken_link(path: &Path) -> StoreError {
    StoreError::BrokenLink { path: path.into() }
}

/// Creates a folder that only its owner can access, and its missing parents.
pub(crate) fn create_private_folder(dir: &Path) -> io::Result<()> {
    let mut builder = DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(dir)
}

/// Creates an empty file that only its owner can read, unless it exists. SQLite gives the files it
/// creates next to it the same permissions.
pub(crate) fn create_private_file(file: &Path) -> io::Result<()> {
    if file.exists() {
        return Ok(());
    }
    private_open_options().create(true).open(file).map(drop)
}

/// Options to create a file that only its owner can read.
pub(crate) fn private_open_options() -> OpenOptions {
    let mut options = OpenOptions::new();
    options.write(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options
}

/// Removes the permissions of everybody but the owner. Fails silently if the file belongs to
/// somebody else.
#[cfg(unix)]
pub(crate) fn make_private(file: &Path) {
    use std::os::unix::fs::PermissionsExt;
    let mut shared = file.as_os_str().to_owned();
    shared.push("-shm");
    for file in [file, &wal_path(file), Path::new(&shared)] {
        let _ = fs::set_permissions(file, fs::Permissions::from_mode(0o600));
    }
}

#[cfg(not(unix))]
pub(crate) fn make_private(_: &Path) {}

/// The path of a database's write-ahead log.
pub(crate) fn wal_path(file: &Path) -> PathBuf {
    let mut log = file.as_os_str().to_owned();
    log.push("-wal");
    log.into()
}

/// The identity of the file that a path referred to when it was opened.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct FileIdentity {
    #[cfg(unix)]
    device_and_inode: (u64, u64),
}

impl FileIdentity {
    /// `None` if there is no file.
    pub(crate) fn read(file: &Path) -> Option<FileIdentity> {
        let metadata = fs::metadata(file).ok()?;
        #[cfg(unix)]
        {
            use std::os::unix::fs::MetadataExt;
            Some(FileIdentity {
                device_and_inode: (metadata.dev(), metadata.ino()),
            })
        }
        #[cfg(not(unix))]
        metadata.is_file().then_some(FileIdentity {})
    }

    /// Does the path still refer to that file? Always true on systems without file identities.
    pub(crate) fn is_at(&self, file: &Path) -> bool {
        match fs::metadata(file) {
            Ok(_) => FileIdentity::read(file).as_ref() == Some(self),
            Err(error) => error.kind() != io::ErrorKind::NotFound,
        }
    }
}
