//! A look at the data folder and what is in it before anything is made there: the
//! system's own words for what is wrong help nobody.

use std::fs::{self, DirBuilder, File, OpenOptions};
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use crate::error::StoreError;

/// What every database begins with.
const MAGIC: &[u8] = b"SQLite format 3\0";

/// Where the header says how the file is to be written and read.
const FORMATS: std::ops::RangeInclusive<usize> = 18..=19;

/// The newest way of writing and reading that SQLite knows.
const NEWEST_FORMAT: u8 = 2;

/// Can this be a folder for the store, or become one?
pub(crate) fn check_folder(dir: &Path) -> Result<(), StoreError> {
    let full = std::path::absolute(dir).map_err(|error| StoreError::io(dir, &error))?;
    if full.to_str().is_none() {
        return Err(StoreError::NotUtf8 { path: full });
    }
    // The deepest that is there: everything below it can be made, if it is a folder.
    let there = dir.ancestors().find_map(|path| {
        let about = fs::symlink_metadata(path).ok()?;
        Some((path, about))
    });
    let Some((path, about)) = there else {
        return Ok(());
    };
    match fs::metadata(path) {
        Ok(about) if !about.is_dir() => Err(wrong_file_type(path, "folder")),
        Err(error) if about.is_symlink() && !is_denied(&error) => Err(broken_link(path)),
        _ => Ok(()),
    }
}

/// Can this be the store's file, or become it?
pub(crate) fn check_file(file: &Path) -> Result<(), StoreError> {
    match fs::metadata(file) {
        Ok(about) if !about.is_file() => Err(wrong_file_type(file, "file")),
        // SQLite would find it out, too, but leave files beside it.
        Ok(about) if about.permissions().readonly() => {
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

/// Does the link lead to where a file can be made?
fn can_create_target(link: &Path, error: &io::Error) -> bool {
    let Ok(target) = fs::read_link(link) else {
        return false;
    };
    let from = link.parent().unwrap_or(Path::new("."));
    let folder = from.join(target).parent().map(Path::is_dir);
    error.kind() == io::ErrorKind::NotFound && folder == Some(true)
}

/// SQLite takes a file of a future format for one that it may not write.
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
            what: "its header names a format that there is not".into(),
        });
    }
    Ok(())
}

/// That nothing can be seen there has its sentence where something is to be made.
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

/// Makes a folder that only its owner can look into, and those above it that are missing.
pub(crate) fn create_private_folder(dir: &Path) -> io::Result<()> {
    let mut builder = DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(dir)
}

/// Makes an empty file that only its owner can read, unless it exists. SQLite gives the files
/// that it keeps next to it the same permissions.
pub(crate) fn create_private_file(file: &Path) -> io::Result<()> {
    if file.exists() {
        return Ok(());
    }
    private_open_options().create(true).open(file).map(drop)
}

/// How a file is opened that only its owner can read once it is made.
pub(crate) fn private_open_options() -> OpenOptions {
    let mut options = OpenOptions::new();
    options.write(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options
}

/// Takes everybody else's permissions away. The file may belong to somebody else, who decides
/// on them.
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

/// SQLite's write-ahead log of a database.
pub(crate) fn wal_path(file: &Path) -> PathBuf {
    let mut log = file.as_os_str().to_owned();
    log.push("-wal");
    log.into()
}

/// Which file a path led to when it was opened.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct FileIdentity {
    #[cfg(unix)]
    device_and_inode: (u64, u64),
}

impl FileIdentity {
    /// None where there is no file.
    pub(crate) fn read(file: &Path) -> Option<FileIdentity> {
        let about = fs::metadata(file).ok()?;
        #[cfg(unix)]
        {
            use std::os::unix::fs::MetadataExt;
            Some(FileIdentity {
                device_and_inode: (about.dev(), about.ino()),
            })
        }
        #[cfg(not(unix))]
        about.is_file().then_some(FileIdentity {})
    }

    /// Does the path still lead to that file? Where the system does not tell, it does.
    pub(crate) fn is_at(&self, file: &Path) -> bool {
        match fs::metadata(file) {
            Ok(_) => FileIdentity::read(file).as_ref() == Some(self),
            Err(error) => error.kind() != io::ErrorKind::NotFound,
        }
    }
}
