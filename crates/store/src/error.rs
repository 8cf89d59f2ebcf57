//! What can go wrong with the store, in sentences, and how SQLite's codes become them.

use std::io;
use std::path::{Path, PathBuf};

use crate::arena::TournamentId;
use crate::data_dir;
use crate::games::GameId;
use crate::name::{self, Name};

/// Why the store did not do something. Whatever the reason, nothing was changed.
#[derive(Clone, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum StoreError {
    /// The file knows more than this program does.
    #[error(
        "{} was written by a newer noughts (version {found} of the file, this program knows {known}); \
         use that one, or another data folder", file.display()
    )]
    NewerVersion {
        /// The file.
        file: PathBuf,
        /// Its version.
        found: i64,
        /// The newest version that this program knows.
        known: i64,
    },
    /// The file must be upgraded, which needs writing.
    #[error(
        "{} was written by an older noughts, and can't be upgraded because it can't be written; \
         allow it, or make room on the disk", file.display()
    )]
    OlderVersion {
        /// The file.
        file: PathBuf,
    },
    /// The file is a database, but none of ours.
    #[error("{} is the database of another program; use another data folder", file.display())]
    Foreign {
        /// The file.
        file: PathBuf,
    },
    /// The file cannot be read as a database, or holds what cannot be.
    #[error("{} is damaged ({what}); put a copy of it in its place, or move it away to begin anew", file.display())]
    Corrupt {
        /// The file.
        file: PathBuf,
        /// What was found.
        what: String,
    },
    /// Nothing can be written there.
    #[error("{} cannot be written; allow it, or use another data folder", path.display())]
    ReadOnly {
        /// The folder or file.
        path: PathBuf,
    },
    /// No room is left.
    #[error("the disk is full: nothing more can be kept in {}; make room and try again", path.display())]
    DiskFull {
        /// The folder or file.
        path: PathBuf,
    },
    /// Another program keeps the file to itself.
    #[error("another program keeps {} to itself; try again when it is done", file.display())]
    Busy {
        /// The file.
        file: PathBuf,
    },
    /// The file was deleted or replaced under the running program.
    #[error(
        "{} was deleted or replaced while noughts was using it, so nothing more can be saved; \
         quit, restore the file from a backup if you have one, and start again", file.display()
    )]
    FileReplaced {
        /// The file.
        file: PathBuf,
    },
    /// This program itself asks for more at once than there are connections.
    #[error("too many requests for saved games at once; try again in a few seconds")]
    Overloaded,
    /// The program is ending: lists are interrupted, and nothing more is written.
    #[error("the program is ending")]
    ShuttingDown,
    /// Something else stands where the folder or the file should be.
    #[error("{} is not a {wanted}; use another data folder", path.display())]
    WrongFileType {
        /// What is in the way.
        path: PathBuf,
        /// What should be there: `folder` or `file`.
        wanted: &'static str,
    },
    /// A link whose end is missing, or that comes back to itself.
    #[error("{} is a link that leads nowhere; mend or remove it, or use another data folder", path.display())]
    BrokenLink {
        /// The link.
        path: PathBuf,
    },
    /// The database takes no such path.
    #[error("the path {} is not written in UTF-8, which the database needs; use another data folder", path.display())]
    NotUtf8 {
        /// The folder.
        path: PathBuf,
    },
    /// The game stands elsewhere than the caller believes, or is played elsewhere.
    #[error("game {game} {what}")]
    Conflict {
        /// The game.
        game: GameId,
        /// How it stands, as the rest of a sentence.
        what: String,
    },
    /// There is no game of this number.
    #[error("there is no game {0}; `noughts games` lists those there are")]
    NoSuchGame(GameId),
    /// There is no tournament of this number.
    #[error("there is no tournament {0}; `noughts arena list` lists those there are")]
    NoSuchTournament(TournamentId),
    /// The tournament is played elsewhere, or by nobody.
    #[error("tournament {tournament} {what}")]
    TournamentConflict {
        /// The tournament.
        tournament: TournamentId,
        /// How it stands, as the rest of a sentence.
        what: &'static str,
    },
    /// There is nobody of this name.
    #[error("there is no player called {0}; `noughts players` lists those there are")]
    NoSuchPlayer(Name),
    /// Neither a person nor a bot of this name is in any game.
    #[error(
        "nobody called {} has played, no person and no computer; `noughts games` lists all games",
        shown(_0)
    )]
    NoSuchOpponent(String),
    /// Somebody else has this name.
    #[error("there is a player called {0} already; choose another name")]
    NameTaken(Name),
    /// A person cannot play against themselves.
    #[error("{0} cannot sit on both sides; choose another player")]
    SamePlayer(Name),
    /// A person cannot go while a game of theirs is being played.
    #[error("{0} is playing just now; finish or leave that game first")]
    PlayerInGame(Name),
    /// The game is none: its start, its result, a record's tags.
    #[error("{0}")]
    Invalid(String),
    /// Anything else.
    #[error("{} cannot be used ({what}); try again, or use another data folder", file.display())]
    Other {
        /// The file.
        file: PathBuf,
        /// What was said.
        what: String,
    },
}

/// What somebody typed, without what would do something to a terminal.
fn shown(text: &str) -> String {
    text.trim().replace(name::is_unprintable, "\u{fffd}")
}

impl StoreError {
    /// Something about files went wrong.
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

/// What stops a piece of work on the store before the file is named.
#[derive(Debug)]
pub(crate) enum StoreFailure {
    /// The database said no.
    Sql(sqlx::Error),
    /// A value in the database is none.
    Corrupt(String),
    /// It has its sentence already.
    Store(StoreError),
}

impl From<sqlx::Error> for StoreFailure {
    fn from(error: sqlx::Error) -> StoreFailure {
        StoreFailure::Sql(error)
    }
}

impl From<StoreError> for StoreFailure {
    fn from(error: StoreError) -> StoreFailure {
        StoreFailure::Store(error)
    }
}

impl StoreFailure {
    /// Its sentence, with the file's name.
    pub(crate) fn into_error(self, file: &Path) -> StoreError {
        match self {
            StoreFailure::Store(error) => error,
            StoreFailure::Corrupt(what) => StoreError::Corrupt {
                file: file.into(),
                what,
            },
            StoreFailure::Sql(error) => error_from_sql(file, &error),
        }
    }

    /// The same once more, for another who waited for the same.
    pub(crate) fn duplicate(&self, file: &Path) -> StoreFailure {
        match self {
            StoreFailure::Sql(error) => StoreFailure::Store(error_from_sql(file, error)),
            StoreFailure::Corrupt(what) => StoreFailure::Corrupt(what.clone()),
            StoreFailure::Store(error) => StoreFailure::Store(error.clone()),
        }
    }

    /// Is it only that another program was faster?
    pub(crate) fn is_busy(&self) -> bool {
        matches!(self, StoreFailure::Sql(error) if matches!(primary_code(error), Some(5 | 6)))
    }
}

/// SQLite's primary result code; extended ones keep it in their low byte.
fn primary_code(error: &sqlx::Error) -> Option<i32> {
    extended_code(error).map(|code| code & 0xff)
}

fn extended_code(error: &sqlx::Error) -> Option<i32> {
    let sqlx::Error::Database(error) = error else {
        return None;
    };
    error.code()?.parse().ok()
}

/// The shared-memory file beside the database could not grow.
const SHARED_MEMORY_SIZE: i32 = 10 | (19 << 8);

/// The file could be written, but not what SQLite keeps beside it.
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
        // What is asked is right, so what is asked for must be wrong: a table is missing.
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

/// SQLite only says that it cannot open the file; people want to know why.
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
    // It was there, or was made, before it was first opened.
    if std::fs::metadata(file).is_err_and(|error| error.kind() == io::ErrorKind::NotFound) {
        return StoreError::FileReplaced { file: file.into() };
    }
    let dir = file.parent().unwrap_or(Path::new("."));
    let probe = dir.join(".writable");
    match std::fs::File::create_new(&probe) {
        Err(error) => StoreError::io(dir, &error),
        Ok(_) => {
            // Only what was made here is removed.
            let _ = std::fs::remove_file(&probe);
            StoreError::Other {
                file: file.into(),
                what,
            }
        }
    }
}
