//! A random key that only this user can read, by which plans of this user are known: what
//! others can read or guess, they can forge.

use std::fs::{self, DirBuilder, File, OpenOptions};
use std::io::{self, Read as _, Write as _};
use std::path::Path;

use etcetera::BaseStrategy as _;

/// The name of its file, in the folder of the program's configuration. A copy of the data
/// folder doesn't have it.
const FILE: &str = "arena-key";

/// This user's key. It is made when it is first asked for; none where it can't be stored or
/// read.
#[must_use]
pub fn user_key() -> Option<[u8; 32]> {
    let places = etcetera::base_strategy::choose_native_strategy().ok()?;
    read_or_make(&places.config_dir().join("noughts")).ok()
}

fn read_or_make(folder: &Path) -> io::Result<[u8; 32]> {
    let path = folder.join(FILE);
    match read(&path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => {}
        // A key that others have seen is worth nothing, nor is half of one.
        Err(error) if error.kind() == io::ErrorKind::InvalidData => fs::remove_file(&path)?,
        key => return key,
    }
    let mut key = [0; 32];
    getrandom::fill(&mut key).map_err(io::Error::other)?;
    make_folder(folder)?;
    let unfinished = folder.join(format!("{FILE}.{}.new", std::process::id()));
    let written = write(&unfinished, &key).and_then(|()| {
        // Whole, or not at all; if another program was faster, its key counts.
        match fs::hard_link(&unfinished, &path) {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Ok(()),
            linked => linked,
        }
    });
    let _ = fs::remove_file(&unfinished);
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

fn make_folder(folder: &Path) -> io::Result<()> {
    let mut builder = DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(folder)
}

/// Does it belong to this user, and can nobody else read it?
#[cfg(unix)]
fn is_private(file: &File) -> io::Result<bool> {
    use std::os::unix::fs::MetadataExt as _;
    let about = file.metadata()?;
    let own = about.uid() == rustix::process::getuid().as_raw();
    Ok(about.is_file() && own && about.mode() & 0o077 == 0)
}

/// Does it belong to this user, and can nobody else read it? A user's folders are private.
#[cfg(not(unix))]
fn is_private(file: &File) -> io::Result<bool> {
    Ok(file.metadata()?.is_file())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_stays_and_differs_from_others() {
        let home = tempfile::tempdir().expect("a folder");
        let folder = home.path().join("config/noughts");
        let key = read_or_make(&folder).expect("a key");
        assert_eq!(read_or_make(&folder).expect("a key"), key);
        let other = read_or_make(&home.path().join("other")).expect("a key");
        assert_ne!(other, key);
        let files = fs::read_dir(&folder).expect("a folder");
        assert_eq!(files.count(), 1, "nothing else is left");
    }

    #[cfg(unix)]
    #[test]
    fn nobody_else_can_read_it() {
        use std::os::unix::fs::PermissionsExt as _;
        let home = tempfile::tempdir().expect("a folder");
        let folder = home.path().join("noughts");
        let key = read_or_make(&folder).expect("a key");
        let path = folder.join(FILE);
        let mode = |path: &Path| path.metadata().expect("a file").permissions().mode() & 0o777;
        assert_eq!((mode(&path), mode(&folder)), (0o600, 0o700));
        // One that others could have read is replaced, and so is half of one.
        fs::set_permissions(&path, fs::Permissions::from_mode(0o644)).expect("changed");
        let new = read_or_make(&folder).expect("a key");
        assert!(new != key && mode(&path) == 0o600);
        fs::write(&path, &new[..16]).expect("written");
        assert_ne!(read_or_make(&folder).expect("a key")[..16], new[..16]);
    }

    #[test]
    fn there_is_none_where_it_cannot_be_stored() {
        let home = tempfile::tempdir().expect("a folder");
        let file = home.path().join("noughts");
        fs::write(&file, "not a folder").expect("written");
        assert!(read_or_make(&file).is_err());
    }
}
