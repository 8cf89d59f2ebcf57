//! Errors of tablebase files.

use std::io;
use std::path::PathBuf;

use crate::value::ExactValue;

use super::file::VERSION;

/// Why a tablebase can't be used or wasn't built.
#[derive(Debug, thiserror::Error)]
pub enum TablebaseError {
    /// The file can't be read.
    #[error("cannot read {}: {source}", path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// The system's error.
        source: io::Error,
    },
    /// The file can't be written.
    #[error("cannot write {}: {source}", path.display())]
    Write {
        /// The file.
        path: PathBuf,
        /// The system's error.
        source: io::Error,
    },
    /// The operation was stopped; the existing file is unchanged.
    #[error("stopped: nothing has been done to {}", path.display())]
    Stopped {
        /// The file.
        path: PathBuf,
    },
    /// The file isn't a tablebase.
    #[error("{} is no table of tic-tac-two", path.display())]
    NotATablebase {
        /// The file.
        path: PathBuf,
    },
    /// The file has a version that this program can't read.
    #[error(
        "{} has version {found}, but this program reads version {VERSION}{}",
        path.display(),
        if *found > VERSION { "; a newer one made it" } else { "" },
    )]
    UnsupportedVersion {
        /// The file.
        path: PathBuf,
        /// Its version.
        found: u32,
    },
    /// The end of the file is missing.
    #[error("{} is cut short: it has {bytes} bytes of {of}", path.display())]
    Truncated {
        /// The file.
        path: PathBuf,
        /// Its length in bytes.
        bytes: u64,
        /// The expected length in bytes.
        of: u64,
    },
    /// The file was modified after it was written.
    #[error("{} is damaged: the checksum of {part} is wrong", path.display())]
    Corrupted {
        /// The file.
        path: PathBuf,
        /// The corrupted part.
        part: String,
    },
    /// A value doesn't follow from the values after each move.
    #[error(
        "{} is wrong in {wrong} positions, first in \"{position}\": it says {}, but the moves say {}",
        path.display(),
        value_text(*stored),
        value_text(*right),
    )]
    WrongValues {
        /// The file.
        path: PathBuf,
        /// Number of positions with a wrong value.
        wrong: usize,
        /// The first of them.
        position: String,
        /// Its stored value; `None` if the code is meaningless.
        stored: Option<ExactValue>,
        /// Its value according to the values after each move.
        right: Option<ExactValue>,
    },
}

fn value_text(value: Option<ExactValue>) -> String {
    value.map_or_else(|| "nothing".into(), |value| value.to_string())
}
