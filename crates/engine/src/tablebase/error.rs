//! What can be wrong with a table: one sentence for each.

use std::io;
use std::path::PathBuf;

use crate::value::ExactValue;

use super::file::VERSION;

/// Why a table cannot be used, or was not made.
#[derive(Debug, thiserror::Error)]
pub enum TablebaseError {
    /// The file cannot be read.
    #[error("cannot read {}: {source}", path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// What the system says.
        source: io::Error,
    },
    /// The file cannot be written.
    #[error("cannot write {}: {source}", path.display())]
    Write {
        /// The file.
        path: PathBuf,
        /// What the system says.
        source: io::Error,
    },
    /// It was stopped before it was done; what was there is untouched.
    #[error("stopped: nothing has been done to {}", path.display())]
    Stopped {
        /// The file.
        path: PathBuf,
    },
    /// The file is something else.
    #[error("{} is no table of tic-tac-two", path.display())]
    NotATablebase {
        /// The file.
        path: PathBuf,
    },
    /// The file has another version than this program reads.
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
        /// How long it is.
        bytes: u64,
        /// How long it should be.
        of: u64,
    },
    /// Bytes of the file have changed since it was written.
    #[error("{} is damaged: the checksum of {part} is wrong", path.display())]
    Corrupted {
        /// The file.
        path: PathBuf,
        /// Which part it is.
        part: String,
    },
    /// A value does not follow from those one move on.
    #[error(
        "{} is wrong in {wrong} positions, first in \"{position}\": it says {}, but the moves say {}",
        path.display(),
        words(*stored),
        words(*right),
    )]
    WrongValues {
        /// The file.
        path: PathBuf,
        /// How many positions are wrong.
        wrong: usize,
        /// The first of them.
        position: String,
        /// What the table says of it; none where it says nothing that has a meaning.
        stored: Option<ExactValue>,
        /// What it is worth by the values one move on.
        right: Option<ExactValue>,
    },
}

fn words(value: Option<ExactValue>) -> String {
    value.map_or_else(|| "nothing".into(), |value| value.to_string())
}
