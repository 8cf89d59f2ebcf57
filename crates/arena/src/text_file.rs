//! Reads user-supplied text files with a size limit, without a byte order mark.

use std::fs::File;
use std::io::Read;
use std::path::Path;

/// Reads a text file of at most `max_bytes` bytes.
///
/// # Errors
/// It can't be read, is too large, or isn't UTF-8; the message is a sentence part.
pub fn read_text(path: &Path, max_bytes: u64) -> Result<String, String> {
    let read_error = |error: std::io::Error| format!("can't be read: {error}");
    let file = File::open(path).map_err(read_error)?;
    if file.metadata().is_ok_and(|metadata| metadata.is_dir()) {
        return Err("is a folder, not a file".into());
    }
    let mut bytes = Vec::new();
    // One byte more than allowed shows that the file is too large; devices have no file size.
    file.take(max_bytes.saturating_add(1))
        .read_to_end(&mut bytes)
        .map_err(read_error)?;
    if bytes.len() as u64 > max_bytes {
        return Err(format!(
            "is too large; the maximum is {mib} MiB",
            mib = max_bytes.div_ceil(1 << 20)
        ));
    }
    let text = String::from_utf8(bytes).map_err(|_| "isn't UTF-8 text".to_owned())?;
    Ok(match text.strip_prefix('\u{feff}') {
        Some(rest) => rest.to_owned(),
        None => text,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_read_up_to_a_limit() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("file");
        let write = |bytes: &[u8]| std::fs::write(&path, bytes).expect("written");
        write("\u{feff}a1 b2\n".as_bytes());
        assert_eq!(read_text(&path, 100).as_deref(), Ok("a1 b2\n"));
        write(&[b'a'; 101]);
        let error = read_text(&path, 100).expect_err("too large");
        assert_eq!(error, "is too large; the maximum is 1 MiB");
        write(&[0xff]);
        assert_eq!(read_text(&path, 100), Err("isn't UTF-8 text".into()));
        assert!(read_text(folder.path(), 100).is_err_and(|error| error.contains("folder")));
        let gone = read_text(&folder.path().join("none"), 100).expect_err("none");
        assert!(gone.starts_with("can't be read: "), "{gone}");
    }

    /// Reading stops at the limit even if the file never ends.
    #[cfg(unix)]
    #[test]
    fn endless_files_are_rejected() {
        let error = read_text(Path::new("/dev/zero"), 1 << 20).expect_err("too much");
        assert!(error.starts_with("is too large"), "{error}");
    }
}
