//! Opening the file, bringing it up to date, and the transactions that all else uses.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use sqlx::migrate::{MigrateError, Migration, MigrationType, Migrator};
use sqlx::sqlite::{SqliteConnectOptions, SqlitePoolOptions};
use sqlx::{
    ConnectOptions, Connection, SqlSafeStr, Sqlite, SqliteConnection, SqlitePool, Transaction,
};

use crate::error::{StoreError, Trouble};
use crate::place;
use crate::running::Program;
use crate::together::Queue;

/// The players and games of one data folder. Clones share what they have open.
///
/// ```
/// use noughts_store::{Filter, Store};
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # let folder = tempfile::tempdir()?;
/// # let folder = folder.path();
/// let store = Store::open(folder).await?;
/// assert!(folder.join("noughts.db").exists());
/// assert!(store.games(&Filter::default()).await?.is_empty());
/// store.close().await;
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug)]
pub struct Store {
    inner: Arc<Inner>,
}

#[derive(Debug)]
struct Inner {
    pool: SqlitePool,
    file: PathBuf,
    program: Program,
    /// What is to be written next.
    queue: Queue,
    /// The last that was to be written was not.
    failing: AtomicBool,
}

/// The name of the database in the folder for data.
pub const FILE: &str = "noughts.db";

/// Where the programs that use the store have their locks.
const RUNNING: &str = "running";

/// How long to wait for another program that writes.
const PATIENCE: Duration = Duration::from_secs(5);

/// Waits for its turn when it begins, not when it first writes, where it could
/// no longer be granted.
const WRITE: &str = "BEGIN IMMEDIATE";

/// Files up to so many bytes are looked through when they are opened. That takes about
/// 7 ms for a MiB (some 1,500 games), and a tenth of a second for 20,000 games, which
/// would be felt.
const LOOKED_THROUGH: u64 = 1 << 20;

/// What `migrations/` writes into files that are ours.
const OUR_FILE: i64 = 1_852_270_708;

pub(crate) fn migrations() -> Vec<Migration> {
    let versions = [
        (
            "players and games",
            include_str!("../migrations/0001_players_and_games.sql"),
        ),
        (
            "seats by visitor",
            include_str!("../migrations/0002_seats_by_visitor.sql"),
        ),
        (
            "positions that go",
            include_str!("../migrations/0003_positions_that_go.sql"),
        ),
        (
            "games of a visitor",
            include_str!("../migrations/0004_games_of_a_visitor.sql"),
        ),
        (
            "tournaments",
            include_str!("../migrations/0005_tournaments.sql"),
        ),
        ("access", include_str!("../migrations/0006_access.sql")),
        ("guests", include_str!("../migrations/0007_guests.sql")),
    ];
    let numbered = (1..).zip(versions);
    let migrations = numbered.map(|(version, (what, sql))| {
        let simple = MigrationType::Simple;
        Migration::new(version, what.into(), simple, sql.into_sql_str(), false)
    });
    migrations.collect()
}

/// A transaction that writes.
pub(crate) type Writing = Transaction<'static, Sqlite>;

impl Store {
    /// Opens the store of a data folder; makes both where there are none, and
    /// brings an older one up to date.
    ///
    /// # Errors
    /// The folder or the file cannot be used; nothing was changed.
    pub async fn open(dir: &Path) -> Result<Store, StoreError> {
        Store::open_as(dir, |options| options).await
    }

    /// As [`Store::open`], with other settings: tests want a smaller disk, or a faster one.
    pub(crate) async fn open_as(
        dir: &Path,
        settings: impl FnOnce(SqliteConnectOptions) -> SqliteConnectOptions,
    ) -> Result<Store, StoreError> {
        let file = dir.join(FILE);
        place::look_at_folder(dir)?;
        place::look_at_folder(&dir.join(RUNNING))?;
        place::look_at_file(&file)?;
        fs::create_dir_all(dir).map_err(|error| StoreError::io(dir, &error))?;
        // No setting here may read the file: what fails before there is a connection
        // cannot be waited for. That commits reach the disk is SQLite's usual setting.
        // A name that begins with `file:` would be taken for an address.
        let full = std::path::absolute(&file).map_err(|error| StoreError::io(dir, &error))?;
        let options = SqliteConnectOptions::new()
            .filename(full)
            .create_if_missing(true)
            .foreign_keys(true)
            .busy_timeout(PATIENCE)
            .disable_statement_logging();
        let pool = pool(settings(options));
        let ready = async {
            let prepared = prepare_patiently(&pool, &file).await;
            prepared.map_err(|trouble| trouble.about(&file))?;
            Program::among_others(&dir.join(RUNNING))
        };
        match ready.await {
            Ok(program) => Ok(Store::of(pool, file, program)),
            Err(error) => {
                // Otherwise SQLite's own files would stay beside the database.
                pool.close().await;
                Err(error)
            }
        }
    }

    /// A store that is gone with the program.
    ///
    /// # Errors
    /// The system has no memory or no random numbers.
    pub async fn in_memory() -> Result<Store, StoreError> {
        let file = PathBuf::from("the memory");
        let pool = pool(SqliteConnectOptions::new().in_memory(true));
        prepare(&pool, &file).await.map_err(|t| t.about(&file))?;
        Ok(Store::of(pool, file, Program::alone()?))
    }

    fn of(pool: SqlitePool, file: PathBuf, program: Program) -> Store {
        let inner = Inner {
            pool,
            file,
            program,
            queue: Queue::default(),
            failing: AtomicBool::new(false),
        };
        Store {
            inner: Arc::new(inner),
        }
    }

    /// The file that everything is in.
    #[must_use]
    pub fn file(&self) -> &Path {
        &self.inner.file
    }

    /// Closes the file, for all clones, and lets go of all games, once everything that
    /// waits is written. A program that ends
    /// without it loses nothing, but leaves SQLite's own files beside the database.
    pub async fn close(&self) {
        self.settle().await;
        self.inner.pool.close().await;
        self.inner.program.leave();
    }

    /// Could nothing be written when something last was to be? So it stays until
    /// something is.
    #[must_use]
    pub fn is_failing(&self) -> bool {
        self.inner.failing.load(Ordering::Relaxed)
    }

    /// Takes note of whether something could be written.
    pub(crate) fn note_writing(&self, went_well: bool) {
        self.inner.failing.store(!went_well, Ordering::Relaxed);
    }

    /// Writes something that is of no use, to know whether that is possible.
    ///
    /// # Errors
    /// Why it is not.
    pub async fn try_writing(&self) -> Result<(), StoreError> {
        self.written((), |_, (), writing| {
            Box::pin(async move {
                for sql in [
                    "INSERT INTO choices (key, value) VALUES ('', '') ON CONFLICT (key) DO NOTHING",
                    "DELETE FROM choices WHERE key = ''",
                ] {
                    sqlx::query(sql).execute(&mut *writing).await?;
                }
                Ok(())
            })
        })
        .await
    }

    pub(crate) fn program(&self) -> &Program {
        &self.inner.program
    }

    pub(crate) fn queue(&self) -> &Queue {
        &self.inner.queue
    }

    pub(crate) fn pool(&self) -> &SqlitePool {
        &self.inner.pool
    }

    pub(crate) async fn write(&self) -> Result<Writing, Trouble> {
        Ok(self.inner.pool.begin_with(WRITE).await?)
    }

    /// Does a piece of work; what goes wrong gets its sentence.
    pub(crate) async fn told<T>(
        &self,
        work: impl Future<Output = Result<T, Trouble>>,
    ) -> Result<T, StoreError> {
        work.await.map_err(|trouble| trouble.about(self.file()))
    }
}

/// One connection, which waits its turn among tasks in order: SQLite would have
/// several poll for it, and a store in memory would be a different one for each.
fn pool(options: SqliteConnectOptions) -> SqlitePool {
    SqlitePoolOptions::new()
        .max_connections(1)
        .idle_timeout(None)
        .max_lifetime(None)
        .acquire_timeout(2 * PATIENCE)
        .test_before_acquire(false)
        .before_acquire(|connection, _| {
            // On a full disk SQLite ends the transaction by itself, which the
            // connection does not notice: it is of no use then.
            let usable = !connection.is_in_transaction();
            Box::pin(async move { Ok(usable) })
        })
        .connect_lazy_with(options)
}

/// Several programs may make the same new file at once; SQLite does not wait by
/// itself while a file learns to keep a log.
async fn prepare_patiently(pool: &SqlitePool, file: &Path) -> Result<(), Trouble> {
    let began = Instant::now();
    loop {
        match prepare(pool, file).await {
            Err(trouble) if trouble.is_busy() && began.elapsed() < PATIENCE => {
                tokio::time::sleep(Duration::from_millis(10)).await;
            }
            done => return done,
        }
    }
}

/// Looks whether the file is ours before anything is written, and brings it up to date.
async fn prepare(pool: &SqlitePool, file: &Path) -> Result<(), Trouble> {
    let migrator = Migrator::with_migrations(migrations());
    let known = migrator.iter().map(|m| m.version).max().unwrap_or_default();
    let mut connection = pool.acquire().await?;
    let found = version(&mut connection, file).await?;
    match found {
        Version::Foreign => {
            let file = file.into();
            return Err(StoreError::Foreign { file }.into());
        }
        Version::Number(found) if found > known => {
            let file = file.into();
            return Err(StoreError::Newer { file, found, known }.into());
        }
        Version::Number(_) => look_through(&mut connection, file).await?,
    }
    if matches!(found, Version::Number(found) if found == known) {
        return writable(&mut connection).await;
    }
    sqlx::query("PRAGMA journal_mode = WAL")
        .execute(&mut *connection)
        .await?;
    drop(connection);
    // In one transaction, so that a program that comes at the same time finds all or nothing.
    let mut transaction = pool.begin_with(WRITE).await?;
    migrator
        .run_direct(None, &mut *transaction, false)
        .await
        .map_err(of_migration)?;
    Ok(transaction.commit().await?)
}

/// What the file is, as far as it says.
enum Version {
    Number(i64),
    Foreign,
}

async fn version(connection: &mut SqliteConnection, file: &Path) -> Result<Version, Trouble> {
    let bytes = fs::metadata(file).map_or(0, |about| about.len());
    // All questions at one moment: another program may be making the file.
    let mut reading = connection.begin().await?;
    let tables: i64 = sqlx::query_scalar("SELECT COUNT(*) FROM sqlite_master")
        .fetch_one(&mut *reading)
        .await?;
    let mark: i64 = sqlx::query_scalar("PRAGMA application_id")
        .fetch_one(&mut *reading)
        .await?;
    if mark == OUR_FILE {
        let newest: Option<i64> = sqlx::query_scalar("SELECT MAX(version) FROM _sqlx_migrations")
            .fetch_one(&mut *reading)
            .await?;
        return Ok(Version::Number(newest.unwrap_or_default()));
    }
    let pages: i64 = sqlx::query_scalar("PRAGMA page_count")
        .fetch_one(&mut *reading)
        .await?;
    match (mark, tables, pages) {
        // SQLite takes a very short file for one that it may begin.
        (0, 0, 0) if bytes > 0 => Err(Trouble::Odd("file is not a database".into())),
        (0, 0, _) => Ok(Version::Number(0)),
        _ if has_our_tables(&mut reading).await? => {
            Err(Trouble::Odd("its header is not ours".into()))
        }
        _ => Ok(Version::Foreign),
    }
}

async fn has_our_tables(connection: &mut SqliteConnection) -> Result<bool, Trouble> {
    let found: i64 = sqlx::query_scalar(
        "SELECT COUNT(*) FROM sqlite_master
         WHERE type = 'table' AND name IN ('people', 'games', 'moves', '_sqlx_migrations')",
    )
    .fetch_one(connection)
    .await?;
    Ok(found == 4)
}

/// Damage in the middle of a file is met only by those who read there; what is written
/// before that may be lost.
async fn look_through(connection: &mut SqliteConnection, file: &Path) -> Result<(), Trouble> {
    let bytes = fs::metadata(file).map_or(0, |about| about.len());
    if bytes > LOOKED_THROUGH {
        return Ok(());
    }
    let found: String = sqlx::query_scalar("PRAGMA quick_check(1)")
        .fetch_one(connection)
        .await?;
    match found.as_str() {
        "ok" => Ok(()),
        // The rest of it is about SQLite's trees.
        _ => Err(Trouble::Odd("a part of it was overwritten or lost".into())),
    }
}

/// SQLite opens what cannot be written, too, and says so only when it is written to:
/// too late for somebody who has begun to play.
async fn writable(connection: &mut SqliteConnection) -> Result<(), Trouble> {
    sqlx::query("DELETE FROM choices WHERE key = ''")
        .execute(connection)
        .await?;
    Ok(())
}

fn of_migration(error: MigrateError) -> Trouble {
    match error {
        MigrateError::Execute(error) | MigrateError::ExecuteMigration(error, _) => {
            Trouble::Sql(error)
        }
        error => Trouble::Odd(error.to_string()),
    }
}
