//! Errors of tablebase files.

use std::io;
use std::path::PathBuf;

use super::generic::MAX_LISTED_POSITIONS;
use crate::retrograde::code::MAX_PLIES;
use noughts_rules::Variant;

use crate::value::ExactValue;

/// Why a tablebase can't be used or wasn't built.
#[derive(Debug, thiserror::Error)]
pub enum TablebaseError {
    /// The file can't be read.
    #[error("can't read {file}: {source}", file = path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// The system's error.
        source: io::Error,
    },
    /// The file can't be written.
    #[error("can't write {file}: {source}", file = path.display())]
    Write {
        /// The file.
        path: PathBuf,
        /// The system's error.
        source: io::Error,
    },
    /// The operation was stopped; the existing file is unchanged.
    #[error("stopped; {file} is unchanged", file = path.display())]
    Stopped {
        /// The file.
        path: PathBuf,
    },
    /// No tablebase can be built, because the game is too large.
    #[error(
        "{variant} is too large for a tablebase: more than {MAX_LISTED_POSITIONS} positions can be reached \
         (rotations and reflections count once)"
    )]
    TooLarge {
        /// The variant.
        variant: Variant,
    },
    /// No tablebase can be built, because a win takes too long.
    #[error(
        "{variant} can't be stored in a tablebase: some wins take more than {MAX_PLIES} moves (both players counted)"
    )]
    TooLong {
        /// The variant.
        variant: Variant,
    },
    /// No tablebase is needed.
    #[error(
        "{variant} needs no tablebase: no position can occur twice, so `noughts solve {variant}` finds exact values without one"
    )]
    NotNeeded {
        /// The variant.
        variant: Variant,
    },
    /// The file isn't a tablebase of this variant.
    #[error("{file} isn't a {variant} tablebase", file = path.display())]
    NotATablebase {
        /// The file.
        path: PathBuf,
        /// The variant that was looked for.
        variant: Variant,
    },
    /// The file was built with other rules of the same name.
    #[error("{file} was built when {variant} had other rules", file = path.display())]
    OtherRules {
        /// The file.
        path: PathBuf,
        /// The variant.
        variant: Variant,
    },
    /// The file has a version that this program can't read.
    #[error(
        "{file} has version {found}, but this program reads version {supported}{hint}",
        file = path.display(),
        hint = if found > supported { "; it was built by a newer version" } else { "" },
    )]
    UnsupportedVersion {
        /// The file.
        path: PathBuf,
        /// Its version.
        found: u32,
        /// The version that this variant's tablebase has.
        supported: u32,
    },
    /// The end of the file is missing.
    #[error("{file} is truncated: it has {bytes} of {of} bytes", file = path.display())]
    Truncated {
        /// The file.
        path: PathBuf,
        /// Its length in bytes.
        bytes: u64,
        /// The expected length in bytes.
        of: u64,
    },
    /// The file was modified after it was written.
    #[error("{file} is corrupted: the checksum of {part} is wrong", file = path.display())]
    Corrupted {
        /// The file.
        path: PathBuf,
        /// The corrupted part.
        part: String,
    },
    /// A value doesn't follow from the values after each move.
    #[error(
        "{file} has wrong values for {wrong} positions; the first is \"{position}\": \
         the file has {found}, but the moves give {expected}",
        file = path.display(),
        found = value_text(*stored),
        expected = value_text(*right),
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

impl TablebaseError {
    /// Whether the file doesn't exist.
    #[must_use]
    pub fn is_not_found(&self) -> bool {
        matches!(self, TablebaseError::Read { source, .. } if source.kind() == io::ErrorKind::NotFound)
    }
}

fn value_text(value: Option<ExactValue>) -> String {
    value.map_or_else(|| "no value".into(), |value| value.to_string())
}
