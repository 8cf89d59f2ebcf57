//! Store errors with their messages, and the mapping from SQLite's error codes.

use std::io;
use std::path::{Path, PathBuf};

use crate::arena::TournamentId;
use crate::data_dir;
use crate::games::GameId;
use crate::name::{self, Name};

/// Why the store didn't do something. Nothing was changed.
#[derive(Clone, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum StoreError {
    /// The file has a newer schema than this program knows.
    #[error(
        "{file} was written by a newer version of noughts (file version {found}, this program reads up to {known}); \
         update noughts, or use another data folder"
    )]
    NewerVersion {
        /// The file.
        file: PathBuf,
        /// Its version.
        found: i64,
        /// The newest version that this program knows.
        known: i64,
    },
    /// The file must be upgraded but can't be written.
    #[error(
        "{file} was written by an older version of noughts and can't be upgraded because it isn't writable; \
         change its permissions, or free up disk space"
    )]
    OlderVersion {
        /// The file.
        file: PathBuf,
    },
    /// The file is a database of another program.
    #[error("{file} is another program's database; use another data folder")]
    Foreign {
        /// The file.
        file: PathBuf,
    },
    /// The file can't be read as a database, or contains invalid data.
    #[error(
        "{file} is corrupted ({what}); restore a backup, or move it aside to start with an empty database"
    )]
    Corrupt {
        /// The file.
        file: PathBuf,
        /// What was found.
        what: String,
    },
    /// The path can't be written.
    #[error("{path} isn't writable; change its permissions, or use another data folder")]
    ReadOnly {
        /// The folder or file.
        path: PathBuf,
    },
    /// The disk is full.
    #[error(
        "the disk is full, so nothing more can be saved in {path}; free up space and try again"
    )]
    DiskFull {
        /// The folder or file.
        path: PathBuf,
    },
    /// Another program has locked the file.
    #[error("another program has locked {file}; try again when it's done")]
    Busy {
        /// The file.
        file: PathBuf,
    },
    /// The file was deleted or replaced while it was open.
    #[error(
        "{file} was deleted or replaced while noughts was using it, so nothing more can be saved; \
         quit, restore the file from a backup if you have one, and start again"
    )]
    FileReplaced {
        /// The file.
        file: PathBuf,
    },
    /// This process has more concurrent requests than connections.
    #[error("too many requests for saved games at once; try again in a few seconds")]
    Overloaded,
    /// The process is shutting down: lists are interrupted, and nothing more is written.
    #[error("noughts is shutting down")]
    ShuttingDown,
    /// The path exists but isn't a folder or a file, as needed.
    #[error("{path} isn't a {wanted}; use another data folder")]
    WrongFileType {
        /// The path.
        path: PathBuf,
        /// What it should be: `folder` or `file`.
        wanted: &'static str,
    },
    /// A dangling link, or one that points to itself.
    #[error("{path} is a broken link; fix or remove it, or use another data folder")]
    BrokenLink {
        /// The link.
        path: PathBuf,
    },
    /// The database can't use such a path.
    #[error(
        "the path {path} isn't valid UTF-8, which the database requires; use another data folder"
    )]
    NotUtf8 {
        /// The folder.
        path: PathBuf,
    },
    /// The game isn't in the state the caller expects, or another process holds it.
    #[error("game {game} {what}")]
    Conflict {
        /// The game.
        game: GameId,
        /// Its state, as the rest of a sentence.
        what: String,
    },
    /// The game doesn't exist.
    #[error("game {0} doesn't exist; `noughts games` lists all games")]
    NoSuchGame(GameId),
    /// The tournament doesn't exist.
    #[error("tournament {0} doesn't exist; `noughts arena list` lists all tournaments")]
    NoSuchTournament(TournamentId),
    /// Another process holds the tournament, or none does.
    #[error("tournament {tournament} {what}")]
    TournamentConflict {
        /// The tournament.
        tournament: TournamentId,
        /// Its state, as the rest of a sentence.
        what: &'static str,
    },
    /// The player doesn't exist.
    #[error("there's no player named {0}; `noughts players` lists all players")]
    NoSuchPlayer(Name),
    /// No player or bot with this name is in any game.
    #[error(
        "there are no games with a player or computer named {name}; `noughts games` lists all games",
        name = printable(_0)
    )]
    NoSuchOpponent(String),
    /// Another player has this name.
    #[error("a player named {0} already exists; choose another name")]
    NameTaken(Name),
    /// A player can't play against themselves.
    #[error("{0} can't play both sides; give the other player a different name")]
    SamePlayer(Name),
    /// A player can't be deleted during one of their games.
    #[error("{0} is playing right now; finish or quit that game first")]
    PlayerInGame(Name),
    /// Invalid data for a game: its start, its result or a record's tags.
    #[error("{0}")]
    Invalid(String),
    /// Any other error.
    #[error("{file} can't be used ({what}); try again, or use another data folder")]
    Other {
        /// The file.
        file: PathBuf,
        /// The underlying message.
        what: String,
    },
}

/// User input without terminal control characters.
fn printable(text: &str) -> String {
    text.trim().replace(name::is_unprintable, "\u{fffd}")
}

impl StoreError {
    /// Converts a file system error.
    pub(crate) fn io(path: &Path, error: &io::Error) -> StoreError {
        let path = path.to_path_buf();
        match error.kind() {
            io::ErrorKind::PermissionDenied | io::ErrorKind::ReadOnlyFilesystem => {
                StoreError::ReadOnly { path }
            }
            io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => {
                StoreError::DiskFull { path }
            }
            _ => StoreError::Other {
                file: path,
                what: error.to_string(),
            },
        }
    }
}

pub(crate) type RawResult<T> = Result<T, RawStoreError>;

/// An error inside the store, before the file's name is added.
#[derive(Debug)]
pub(crate) enum RawStoreError {
    /// An error of the database.
    Sql(sqlx::Error),
    /// An invalid value in the database.
    Corrupt(String),
    /// An error with a complete message.
    Store(StoreError),
}

impl From<sqlx::Error> for RawStoreError {
    fn from(error: sqlx::Error) -> RawStoreError {
        RawStoreError::Sql(error)
    }
}

impl From<StoreError> for RawStoreError {
    fn from(error: StoreError) -> RawStoreError {
        RawStoreError::Store(error)
    }
}

impl RawStoreError {
    /// Adds the file's name.
    pub(crate) fn into_error(self, file: &Path) -> StoreError {
        match self {
            RawStoreError::Store(error) => error,
            RawStoreError::Corrupt(what) => StoreError::Corrupt {
                file: file.into(),
                what,
            },
            RawStoreError::Sql(error) => error_from_sql(file, &error),
        }
    }

    /// Is the file only locked by another program?
    pub(crate) fn is_busy(&self) -> bool {
        matches!(self, RawStoreError::Sql(error) if matches!(primary_code(error), Some(5 | 6)))
    }
}

/// SQLite's primary result code: the low byte of an extended code.
fn primary_code(error: &sqlx::Error) -> Option<i32> {
    extended_code(error).map(|code| code & 0xff)
}

fn extended_code(error: &sqlx::Error) -> Option<i32> {
    let sqlx::Error::Database(error) = error else {
        return None;
    };
    error.code()?.parse().ok()
}

/// The shared-memory file next to the database couldn't grow.
const SHARED_MEMORY_SIZE: i32 = 10 | (19 << 8);

/// The database file could be written, but not the files SQLite keeps next to it.
const READ_ONLY_FOLDER: i32 = 8 | (6 << 8);

fn error_from_sql(file: &Path, error: &sqlx::Error) -> StoreError {
    let path = file.to_path_buf();
    let what = match error {
        sqlx::Error::Database(error) => error.message().to_owned(),
        error => error.to_string(),
    };
    let decoding = matches!(
        error,
        sqlx::Error::ColumnDecode { .. } | sqlx::Error::Decode(_)
    );
    match (extended_code(error), primary_code(error)) {
        (Some(SHARED_MEMORY_SIZE), _) | (_, Some(13)) => StoreError::DiskFull { path },
        (_, Some(5 | 6)) => StoreError::Busy { file: path },
        (Some(READ_ONLY_FOLDER), _) => StoreError::ReadOnly {
            path: file.parent().unwrap_or(file).into(),
        },
        (_, Some(8)) => StoreError::ReadOnly { path },
        // The SQL is known to be valid, so the schema must be wrong: a table is missing.
        (_, Some(1 | 11 | 26)) => StoreError::Corrupt { file: path, what },
        (_, Some(14)) => error_from_cant_open(file, what),
        _ if decoding => StoreError::Corrupt { file: path, what },
        // An interrupted list.
        (_, Some(9)) => StoreError::ShuttingDown,
        _ if matches!(error, sqlx::Error::PoolClosed) => StoreError::ShuttingDown,
        _ if matches!(error, sqlx::Error::PoolTimedOut) => StoreError::Overloaded,
        _ => StoreError::Other { file: path, what },
    }
}

/// SQLite only reports that it can't open the file; find out why.
fn error_from_cant_open(file: &Path, what: String) -> StoreError {
    if file.is_dir() {
        return StoreError::WrongFileType {
            path: file.into(),
            wanted: "file",
        };
    }
    if file.is_symlink() && !file.exists() {
        return data_dir::broken_link(file);
    }
    // It existed, or was created, before it was first opened.
    if std::fs::metadata(file).is_err_and(|error| error.kind() == io::ErrorKind::NotFound) {
        return StoreError::FileReplaced { file: file.into() };
    }
    let dir = file.parent().unwrap_or(Path::new("."));
    match tempfile::tempfile_in(dir) {
        Err(error) => StoreError::io(dir, &error),
        Ok(_) => StoreError::Other {
            file: file.into(),
            what,
        },
    }
}
