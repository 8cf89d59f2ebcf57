//! Random keys in files that only this user can read.

use std::fs::{self, DirBuilder, File};
use std::io::{self, Read as _, Write as _};
use std::path::Path;

/// The key in this file, created on first use.
pub(crate) fn read_or_create(path: &Path) -> io::Result<[u8; 32]> {
    match read(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => {}
        // A key that others may have read is worthless, and so is a truncated one.
        Err(error) if error.kind() == io::ErrorKind::InvalidData => fs::remove_file(path)?,
        key => return key,
    }
    let mut key = [0; 32];
    getrandom::fill(&mut key).map_err(io::Error::other)?;
    let folder = path.parent().unwrap_or(Path::new("."));
    create_folder(folder)?;
    // Private, and atomic: the file appears complete or not at all. If another process was faster,
    // its key is used.
    let mut file = tempfile::NamedTempFile::new_in(folder)?;
    file.write_all(&key)?;
    file.as_file().sync_all()?;
    match file.persist_noclobber(path) {
        Err(error) if error.error.kind() != io::ErrorKind::AlreadyExists => Err(error.into()),
        _ => read(path),
    }
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
        let path = folder.join("key");
        let key = read_or_create(&path).expect("a key");
        assert_eq!(read_or_create(&path).expect("a key"), key);
        let other = read_or_create(&home.path().join("other/key")).expect("a key");
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
        let path = folder.join("key");
        let key = read_or_create(&path).expect("a key");
        let mode = |path: &Path| path.metadata().expect("a file").permissions().mode() & 0o777;
        assert_eq!((mode(&path), mode(&folder)), (0o600, 0o700));
        // A key that others could have read is replaced, and so is a truncated one.
        fs::set_permissions(&path, fs::Permissions::from_mode(0o644)).expect("changed");
        let new = read_or_create(&path).expect("a key");
        assert!(new != key && mode(&path) == 0o600);
        fs::write(&path, &new[..16]).expect("written");
        assert_ne!(read_or_create(&path).expect("a key")[..16], new[..16]);
    }

    #[test]
    fn fails_where_the_key_cannot_be_stored() {
        let home = tempfile::tempdir().expect("a folder");
        let file = home.path().join("noughts");
        fs::write(&file, "not a folder").expect("written");
        assert!(read_or_create(&file.join("key")).is_err());
    }
}
