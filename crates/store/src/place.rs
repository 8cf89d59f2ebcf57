//! A look at the data folder and what is in it before anything is made there: the
//! system's own words for what is wrong help nobody.

use std::fs::{self, File};
use std::io::{self, Read};
use std::path::Path;

use crate::error::StoreError;

/// What every database begins with.
const MAGIC: &[u8] = b"SQLite format 3\0";

/// Where the header says how the file is to be written and read.
const FORMATS: std::ops::RangeInclusive<usize> = 18..=19;

/// The newest way of writing and reading that SQLite knows.
const NEWEST_FORMAT: u8 = 2;

/// Can this be a folder for the store, or become one?
pub(crate) fn look_at_folder(dir: &Path) -> Result<(), StoreError> {
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
        Ok(about) if !about.is_dir() => Err(in_the_way(path, "folder")),
        Err(error) if about.is_symlink() && !is_denied(&error) => Err(leads_nowhere(path)),
        _ => Ok(()),
    }
}

/// Can this be the store's file, or become it?
pub(crate) fn look_at_file(file: &Path) -> Result<(), StoreError> {
    match fs::metadata(file) {
        Ok(about) if !about.is_file() => Err(in_the_way(file, "file")),
        // SQLite would find it out, too, but leave files beside it.
        Ok(about) if about.permissions().readonly() => {
            Err(StoreError::ReadOnly { path: file.into() })
        }
        Ok(_) => look_at_header(file),
        Err(error) if file.is_symlink() && !is_denied(&error) => match begins(file, &error) {
            true => Ok(()),
            false => Err(leads_nowhere(file)),
        },
        Err(_) => Ok(()),
    }
}

/// Does the link lead to where a file can be made?
fn begins(link: &Path, error: &io::Error) -> bool {
    let Ok(target) = fs::read_link(link) else {
        return false;
    };
    let from = link.parent().unwrap_or(Path::new("."));
    let folder = from.join(target).parent().map(Path::is_dir);
    error.kind() == io::ErrorKind::NotFound && folder == Some(true)
}

/// SQLite takes a file of a future format for one that it may not write.
fn look_at_header(file: &Path) -> Result<(), StoreError> {
    let mut header = Vec::new();
    let read = File::open(file).and_then(|file| file.take(100).read_to_end(&mut header));
    read.map_err(|error| StoreError::io(file, &error))?;
    let formats = header.get(FORMATS).unwrap_or_default();
    let known = formats
        .iter()
        .all(|format| (1..=NEWEST_FORMAT).contains(format));
    if header.starts_with(MAGIC) && !known {
        return Err(StoreError::Damaged {
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

fn in_the_way(path: &Path, wanted: &'static str) -> StoreError {
    let path = path.into();
    StoreError::InTheWay { path, wanted }
}

pub(crate) fn leads_nowhere(path: &Path) -> StoreError {
    StoreError::LeadsNowhere { path: path.into() }
}
