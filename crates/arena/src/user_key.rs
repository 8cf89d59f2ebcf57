//! A random key that only this user can read. It authenticates the user's own plans: a key that
//! others can read or guess would let them forge plans.

use std::fs::{self, DirBuilder, File, OpenOptions};
use std::io::{self, Read as _, Write as _};
use std::path::Path;

use etcetera::BaseStrategy as _;

/// The file name, in the program's configuration folder, which isn't part of a copy of the data
/// folder.
const FILE: &str = "arena-key";

/// This user's key, created on first use; `None` if it can't be stored or read.
#[must_use]
pub fn user_key() -> Option<[u8; 32]> {
    let dirs = etcetera::base_strategy::choose_native_strategy().ok()?;
    read_or_create(&dirs.config_dir().join("noughts")).ok()
}

fn read_or_create(folder: &Path) -> io::Result<[u8; 32]> {
    let path = folder.join(FILE);
    match read(&path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => {}
        // A key that others may have read is worthless, and so is a truncated one.
        Err(error) if error.kind() == io::ErrorKind::InvalidData => fs::remove_file(&path)?,
        key => return key,
    }
    let mut key = [0; 32];
    getrandom::fill(&mut key).map_err(io::Error::other)?;
    create_folder(folder)?;
    let temporary = folder.join(format!("{FILE}.{}.new", std::process::id()));
    let written = write(&temporary, &key).and_then(|()| {
        // Atomic: the file appears complete or not at all. If another process was faster, its key
        // is used.
        match fs::hard_link(&temporary, &path) {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Ok(()),
            linked => linked,
        }
    });
    let _ = fs::remove_file(&temporary);
    written?;
    read(&path)
}

fn read(path: &Path) -> io::Result<[u8; 32]> {
    let file = File::open(path)?;
    if !is_private(&file)? {
        return Err(io::ErrorKind::InvalidData.into());
    }
    let mut bytes = Vec::new();
    file.take(33).read_to_end(&mut bytes)?;
    bytes
        .try_into()
        .map_err(|_| io::ErrorKind::InvalidData.into())
}

fn write(path: &Path, key: &[u8; 32]) -> io::Result<()> {
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let mut file = options.open(path)?;
    file.write_all(key)?;
    file.sync_all()
}

fn create_folder(folder: &Path) -> io::Result<()> {
    let mut builder = DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(folder)
}

/// Whether the file belongs to this user and nobody else can read it.
#[cfg(unix)]
fn is_private(file: &File) -> io::Result<bool> {
    use std::os::unix::fs::MetadataExt as _;
    let metadata = file.metadata()?;
    let is_own = metadata.uid() == rustix::process::getuid().as_raw();
    Ok(metadata.is_file() && is_own && metadata.mode() & 0o077 == 0)
}

/// Whether the file is regular; on this system a user's folders are private anyway.
#[cfg(not(unix))]
fn is_private(file: &File) -> io::Result<bool> {
    Ok(file.metadata()?.is_file())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_is_stable_and_unique() {
        let home = tempfile::tempdir().expect("a folder");
        let folder = home.path().join("config/noughts");
        let key = read_or_create(&folder).expect("a key");
        assert_eq!(read_or_create(&folder).expect("a key"), key);
        let other = read_or_create(&home.path().join("other")).expect("a key");
        assert_ne!(other, key);
        let files = fs::read_dir(&folder).expect("a folder");
        assert_eq!(files.count(), 1, "nothing else is left");
    }

    #[cfg(unix)]
    #[test]
    fn the_key_is_private() {
        use std::os::unix::fs::PermissionsExt as _;
        let home = tempfile::tempdir().expect("a folder");
        let folder = home.path().join("noughts");
        let key = read_or_create(&folder).expect("a key");
        let path = folder.join(FILE);
        let mode = |path: &Path| path.metadata().expect("a file").permissions().mode() & 0o777;
        assert_eq!((mode(&path), mode(&folder)), (0o600, 0o700));
        // A key that others could have read is replaced, and so is a truncated one.
        fs::set_permissions(&path, fs::Permissions::from_mode(0o644)).expect("changed");
        let new = read_or_create(&folder).expect("a key");
        assert!(new != key && mode(&path) == 0o600);
        fs::write(&path, &new[..16]).expect("written");
        assert_ne!(read_or_create(&folder).expect("a key")[..16], new[..16]);
    }

    #[test]
    fn fails_where_the_key_cannot_be_stored() {
        let home = tempfile::tempdir().expect("a folder");
        let file = home.path().join("noughts");
        fs::write(&file, "not a folder").expect("written");
        assert!(read_or_create(&file).is_err());
    }
}
