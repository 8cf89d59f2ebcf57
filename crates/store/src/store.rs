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

use crate::checkpoint::{Checkpoints, WalLimits};
use crate::data_dir::{self, FileIdentity};
use crate::error::{StoreError, StoreFailure};
use crate::group_commit::WriteQueue;
use crate::process::Process;

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
    pools: Pools,
    /// What moves the write-ahead log into the file; none in memory or where only reading
    /// is possible.
    checkpoints: Option<Arc<Checkpoints>>,
    file: PathBuf,
    /// The file as it was opened, to notice when it's deleted or replaced.
    identity: Option<FileIdentity>,
    process: Process,
    /// What is to be written next.
    queue: WriteQueue,
    /// The last that was to be written was not.
    failing: AtomicBool,
}

/// Connections by what they are for. A write-ahead log lets all of them work at once: nobody
/// who reads waits for a write, and no write waits for somebody who reads. In memory there is
/// only one connection, and all three are the same.
#[derive(Debug)]
struct Pools {
    /// The only one that writes.
    writer: SqlitePool,
    /// Short reads: one game, one player.
    readers: SqlitePool,
    /// Lists and exports. There are few, so that a crowd of them leaves processors to the
    /// players.
    lists: SqlitePool,
    /// Set once lists are to be interrupted.
    is_shutting_down: Arc<AtomicBool>,
}

/// Short reads at once.
const READ_CONNECTIONS: u32 = 4;

/// Lists and exports at once, at most: half the processors.
const MAX_LIST_CONNECTIONS: usize = 4;

/// SQLite asks after this many steps whether a list is still wanted: about a millisecond.
const PROGRESS_INTERVAL: i32 = 10_000;

/// The file in the data folder.
pub const DATABASE_FILE: &str = "noughts.db";

/// Where the programs that use the store have their locks.
const PROCESS_DIR: &str = "running";

/// How long to wait for another program that writes.
const BUSY_TIMEOUT: Duration = Duration::from_secs(5);

/// Waits for its turn when it begins, not when it first writes, where it could
/// no longer be granted.
const BEGIN_WRITE: &str = "BEGIN IMMEDIATE";

/// Files up to so many bytes are looked through when they are opened. That takes about
/// 7 ms for a MiB (some 1,500 games), and a tenth of a second for 20,000 games, which
/// would be felt.
const QUICK_CHECK_MAX_BYTES: u64 = 1 << 20;

/// What `migrations/` writes into files that are ours.
const APPLICATION_ID: i64 = 1_852_270_708;

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
        ("lists", include_str!("../migrations/0006_lists.sql")),
        ("access", include_str!("../migrations/0007_access.sql")),
        ("guests", include_str!("../migrations/0008_guests.sql")),
        ("reviews", include_str!("../migrations/0009_reviews.sql")),
        ("assisted", include_str!("../migrations/0010_assisted.sql")),
        (
            "unnamed visitors",
            include_str!("../migrations/0011_unnamed_visitors.sql"),
        ),
    ];
    let numbered = (1..).zip(versions);
    let migrations = numbered.map(|(version, (what, sql))| {
        let simple = MigrationType::Simple;
        Migration::new(version, what.into(), simple, sql.into_sql_str(), false)
    });
    migrations.collect()
}

/// A transaction that writes.
pub(crate) type WriteTransaction = Transaction<'static, Sqlite>;

impl Store {
    /// Opens the store of a data folder; makes both where there are none, and
    /// brings an older one up to date.
    ///
    /// # Errors
    /// The folder or the file cannot be used; nothing was changed.
    pub async fn open(dir: &Path) -> Result<Store, StoreError> {
        Store::open_with(dir, |options| options).await
    }

    /// As [`Store::open`], with other settings: tests want a smaller disk, or a faster one.
    pub(crate) async fn open_with(
        dir: &Path,
        settings: impl FnOnce(SqliteConnectOptions) -> SqliteConnectOptions,
    ) -> Result<Store, StoreError> {
        Store::open_with_wal_limits(dir, settings, WalLimits::default()).await
    }

    /// The same, with another bound for the write-ahead log.
    pub(crate) async fn open_with_wal_limits(
        dir: &Path,
        settings: impl FnOnce(SqliteConnectOptions) -> SqliteConnectOptions,
        bounds: WalLimits,
    ) -> Result<Store, StoreError> {
        let file = dir.join(DATABASE_FILE);
        data_dir::check_folder(dir)?;
        data_dir::check_folder(&dir.join(PROCESS_DIR))?;
        data_dir::check_file(&file)?;
        data_dir::create_private_folder(dir).map_err(|error| StoreError::io(dir, &error))?;
        data_dir::create_private_file(&file).map_err(|error| StoreError::io(dir, &error))?;
        // No setting here may read the file: what fails before there is a connection
        // cannot be waited for. That commits reach the disk is SQLite's usual setting.
        let options = settings(connect_options(&file)?.foreign_keys(true));
        // Checkpoints have a connection of their own.
        let writer = pool(options.clone().pragma("wal_autocheckpoint", "0"), 1);
        let ready = async {
            let prepared = prepare_with_retry(&writer, &file).await;
            let is_upgraded = prepared.map_err(|trouble| trouble.into_error(&file))?;
            if is_upgraded {
                // Older programs left the file readable by everybody.
                data_dir::make_private(&file);
            }
            Process::register(&dir.join(PROCESS_DIR))
        };
        let program = match ready.await {
            Ok(program) => program,
            Err(error) => {
                // Otherwise SQLite's own files would stay beside the database.
                writer.close().await;
                return Err(error);
            }
        };
        let checkpoints = pool(options.clone().busy_timeout(Duration::ZERO), 1);
        let checkpoints = Checkpoints::new(checkpoints, &file, bounds);
        let reading = options.pragma("query_only", "1");
        let pools = Pools::new(writer, &reading);
        Ok(Store::of(pools, Some(checkpoints), file, program))
    }

    /// Opens the store of a data folder to read it, on a full disk or a read-only one, too.
    /// Where nothing is stored and nothing can be, the store is empty.
    ///
    /// # Errors
    /// The file cannot be read.
    pub async fn open_for_reading(dir: &Path) -> Result<Store, StoreError> {
        let file = dir.join(DATABASE_FILE);
        match Store::open(dir).await {
            Err(StoreError::ReadOnly { .. } | StoreError::DiskFull { .. }) => match file.exists() {
                true => Store::open_read_only(dir, file).await,
                false => Store::in_memory().await,
            },
            opened => opened,
        }
    }

    async fn open_read_only(dir: &Path, file: PathBuf) -> Result<Store, StoreError> {
        // Without a log nobody else has the file open, and SQLite needs none of the files
        // that it could not make.
        let has_log = fs::metadata(data_dir::wal_path(&file)).is_ok_and(|log| log.len() > 0);
        let options = connect_options(&file)?.read_only(true).immutable(!has_log);
        let reader = pool(options.clone(), 1);
        let known = newest_version();
        let found = async { version(&mut *reader.acquire().await?, &file).await };
        let found = match found.await.map_err(|trouble| trouble.into_error(&file)) {
            Ok(Version::Number(found)) if found == known => Ok(()),
            Ok(Version::Number(found)) if found < known => {
                Err(StoreError::OlderVersion { file: file.clone() })
            }
            Ok(Version::Number(found)) => Err(StoreError::NewerVersion {
                file: file.clone(),
                found,
                known,
            }),
            Ok(Version::Foreign) => Err(StoreError::Foreign { file: file.clone() }),
            Err(error) => Err(error),
        };
        if let Err(error) = found {
            reader.close().await;
            return Err(error);
        }
        let program = Process::observer(&dir.join(PROCESS_DIR))?;
        Ok(Store::of(Pools::new(reader, &options), None, file, program))
    }

    /// A store that is gone with the program.
    ///
    /// # Errors
    /// The system has no memory or no random numbers.
    pub async fn in_memory() -> Result<Store, StoreError> {
        let file = PathBuf::from("the memory");
        let pool = pool(SqliteConnectOptions::new().in_memory(true), 1);
        prepare(&pool, &file)
            .await
            .map_err(|t| t.into_error(&file))?;
        let pools = Pools {
            writer: pool.clone(),
            readers: pool.clone(),
            lists: pool,
            is_shutting_down: Arc::default(),
        };
        Ok(Store::of(pools, None, file, Process::standalone()?))
    }

    fn of(
        pools: Pools,
        checkpoints: Option<Arc<Checkpoints>>,
        file: PathBuf,
        program: Process,
    ) -> Store {
        let identity = checkpoints.as_ref().and_then(|_| FileIdentity::read(&file));
        let inner = Inner {
            pools,
            checkpoints,
            file,
            identity,
            process: program,
            queue: WriteQueue::default(),
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
        self.interrupt_lists();
        self.flush().await;
        let pools = &self.inner.pools;
        pools.lists.close().await;
        pools.readers.close().await;
        if let Some(checkpoints) = &self.inner.checkpoints {
            checkpoints.close().await;
        }
        // The last to be closed moves the log into the file and removes it.
        pools.writer.close().await;
        self.inner.process.unregister();
    }

    /// Interrupts lists and exports, now and from now on: the program is about to end.
    /// Everything else goes on until the store is closed.
    pub fn interrupt_lists(&self) {
        self.inner
            .pools
            .is_shutting_down
            .store(true, Ordering::Relaxed);
    }

    /// Are lists interrupted?
    pub(crate) fn is_shutting_down(&self) -> bool {
        self.inner.pools.is_shutting_down.load(Ordering::Relaxed)
    }

    /// Could nothing be written when something last was to be? So it stays until
    /// something is.
    #[must_use]
    pub fn is_failing(&self) -> bool {
        self.inner.failing.load(Ordering::Relaxed)
    }

    /// Takes note of whether something could be written.
    pub(crate) fn record_write_result(&self, went_well: bool) {
        self.inner.failing.store(!went_well, Ordering::Relaxed);
    }

    /// Writes something that is of no use, to know whether that is possible.
    ///
    /// # Errors
    /// Why it is not.
    pub async fn check_writable(&self) -> Result<(), StoreError> {
        self.submit_write((), |_, (), writing| {
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

    pub(crate) fn process(&self) -> &Process {
        &self.inner.process
    }

    pub(crate) fn queue(&self) -> &WriteQueue {
        &self.inner.queue
    }

    /// For one short read.
    pub(crate) fn read_pool(&self) -> &SqlitePool {
        &self.inner.pools.readers
    }

    /// For a list, or a part of an export.
    pub(crate) fn list_pool(&self) -> &SqlitePool {
        &self.inner.pools.lists
    }

    /// Starts a transaction that writes.
    pub(crate) async fn begin_write(&self) -> Result<WriteTransaction, StoreFailure> {
        self.check_file_identity()?;
        Ok(self.inner.pools.writer.begin_with(BEGIN_WRITE).await?)
    }

    /// Commits: when this returns, `writes` pieces of work are on the disk, in the file
    /// that the next program will open.
    pub(crate) async fn commit(
        &self,
        writing: WriteTransaction,
        writes: usize,
    ) -> Result<(), StoreFailure> {
        writing.commit().await?;
        self.check_file_identity()?;
        let Some(checkpoints) = &self.inner.checkpoints else {
            return Ok(());
        };
        checkpoints.record_commit(writes);
        if checkpoints.take_restart() {
            // Nothing is written meanwhile, so that nothing is left in the log, and the next
            // write starts it from its beginning. It is short: most was copied just now.
            let _ = sqlx::query("PRAGMA wal_checkpoint(PASSIVE)")
                .execute(&self.inner.pools.writer)
                .await;
        }
        Ok(())
    }

    /// Is the file still the one that was opened? What is written to a deleted file is
    /// lost as soon as the program ends.
    fn check_file_identity(&self) -> Result<(), StoreError> {
        match &self.inner.identity {
            Some(identity) if !identity.is_at(self.file()) => Err(StoreError::FileReplaced {
                file: self.file().into(),
            }),
            _ => Ok(()),
        }
    }

    #[cfg(test)]
    pub(crate) fn write_pool(&self) -> &SqlitePool {
        &self.inner.pools.writer
    }

    /// Does a piece of work; what goes wrong gets its sentence.
    pub(crate) async fn with_error_context<T>(
        &self,
        work: impl Future<Output = Result<T, StoreFailure>>,
    ) -> Result<T, StoreError> {
        work.await
            .map_err(|trouble| trouble.into_error(self.file()))
    }
}

impl Pools {
    fn new(writer: SqlitePool, reading: &SqliteConnectOptions) -> Pools {
        let processors = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
        let lists = (processors / 2).clamp(1, MAX_LIST_CONNECTIONS) as u32;
        let is_shutting_down = Arc::new(AtomicBool::new(false));
        Pools {
            writer,
            readers: pool(reading.clone(), READ_CONNECTIONS),
            lists: interruptible_pool(reading, lists, &is_shutting_down),
            is_shutting_down,
        }
    }
}

/// How the file is opened. It exists: one that was deleted is not silently made again.
fn connect_options(file: &Path) -> Result<SqliteConnectOptions, StoreError> {
    // A name that begins with `file:` would be taken for an address.
    let full = std::path::absolute(file).map_err(|error| StoreError::io(file, &error))?;
    Ok(SqliteConnectOptions::new()
        .filename(full)
        .busy_timeout(BUSY_TIMEOUT)
        .disable_statement_logging())
}

/// Some connections, for which tasks wait in order. There is one that writes: SQLite would
/// have several poll for their turn.
fn pool(options: SqliteConnectOptions, connections: u32) -> SqlitePool {
    pool_options(connections).connect_lazy_with(options)
}

/// Connections whose statements end early once the program is ending.
fn interruptible_pool(
    options: &SqliteConnectOptions,
    connections: u32,
    is_ending: &Arc<AtomicBool>,
) -> SqlitePool {
    let is_ending = is_ending.clone();
    pool_options(connections)
        .after_connect(move |connection, _| {
            let is_ending = is_ending.clone();
            Box::pin(async move {
                let goes_on = move || !is_ending.load(Ordering::Relaxed);
                let mut handle = connection.lock_handle().await?;
                handle.set_progress_handler(PROGRESS_INTERVAL, goes_on);
                Ok(())
            })
        })
        .connect_lazy_with(options.clone())
}

fn pool_options(connections: u32) -> SqlitePoolOptions {
    SqlitePoolOptions::new()
        .max_connections(connections)
        .idle_timeout(None)
        .max_lifetime(None)
        .acquire_timeout(2 * BUSY_TIMEOUT)
        .test_before_acquire(false)
        .before_acquire(|connection, _| {
            // On a full disk SQLite ends the transaction by itself, which the
            // connection does not notice: it is of no use then.
            let usable = !connection.is_in_transaction();
            Box::pin(async move { Ok(usable) })
        })
}

/// Several programs may make the same new file at once; SQLite does not wait by
/// itself while a file learns to keep a log.
async fn prepare_with_retry(pool: &SqlitePool, file: &Path) -> Result<bool, StoreFailure> {
    let began = Instant::now();
    loop {
        match prepare(pool, file).await {
            Err(trouble) if trouble.is_busy() && began.elapsed() < BUSY_TIMEOUT => {
                tokio::time::sleep(Duration::from_millis(10)).await;
            }
            done => return done,
        }
    }
}

/// Looks whether the file is ours before anything is written, and brings it up to date.
/// Returns whether that was necessary.
async fn prepare(pool: &SqlitePool, file: &Path) -> Result<bool, StoreFailure> {
    let migrator = Migrator::with_migrations(migrations());
    let known = newest_version();
    let mut connection = pool.acquire().await?;
    let found = version(&mut connection, file).await?;
    match found {
        Version::Foreign => {
            let file = file.into();
            return Err(StoreError::Foreign { file }.into());
        }
        Version::Number(found) if found > known => {
            let file = file.into();
            return Err(StoreError::NewerVersion { file, found, known }.into());
        }
        Version::Number(_) => quick_check(&mut connection, file).await?,
    }
    if matches!(found, Version::Number(found) if found == known) {
        probe_write(&mut connection).await?;
        return Ok(false);
    }
    sqlx::query("PRAGMA journal_mode = WAL")
        .execute(&mut *connection)
        .await?;
    drop(connection);
    // In one transaction, so that a program that comes at the same time finds all or nothing.
    let mut transaction = pool.begin_with(BEGIN_WRITE).await?;
    migrator
        .run_direct(None, &mut *transaction, false)
        .await
        .map_err(failure_from_migration)?;
    transaction.commit().await?;
    Ok(true)
}

fn newest_version() -> i64 {
    let all = migrations().into_iter().map(|migration| migration.version);
    all.max().unwrap_or_default()
}

/// What the file is, as far as it says.
enum Version {
    Number(i64),
    Foreign,
}

async fn version(connection: &mut SqliteConnection, file: &Path) -> Result<Version, StoreFailure> {
    let bytes = fs::metadata(file).map_or(0, |about| about.len());
    // All questions at one moment: another program may be making the file.
    let mut reading = connection.begin().await?;
    let tables: i64 = sqlx::query_scalar("SELECT COUNT(*) FROM sqlite_master")
        .fetch_one(&mut *reading)
        .await?;
    let mark: i64 = sqlx::query_scalar("PRAGMA application_id")
        .fetch_one(&mut *reading)
        .await?;
    if mark == APPLICATION_ID {
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
        (0, 0, 0) if bytes > 0 => Err(StoreFailure::Corrupt("file is not a database".into())),
        (0, 0, _) => Ok(Version::Number(0)),
        _ if has_our_tables(&mut reading).await? => {
            Err(StoreFailure::Corrupt("its header is not ours".into()))
        }
        _ => Ok(Version::Foreign),
    }
}

async fn has_our_tables(connection: &mut SqliteConnection) -> Result<bool, StoreFailure> {
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
async fn quick_check(connection: &mut SqliteConnection, file: &Path) -> Result<(), StoreFailure> {
    let bytes = fs::metadata(file).map_or(0, |about| about.len());
    if bytes > QUICK_CHECK_MAX_BYTES {
        return Ok(());
    }
    let found: String = sqlx::query_scalar("PRAGMA quick_check(1)")
        .fetch_one(connection)
        .await?;
    match found.as_str() {
        "ok" => Ok(()),
        // The rest of it is about SQLite's trees.
        _ => Err(StoreFailure::Corrupt(
            "a part of it was overwritten or lost".into(),
        )),
    }
}

/// SQLite opens what cannot be written, too, and says so only when it is written to:
/// too late for somebody who has begun to play.
async fn probe_write(connection: &mut SqliteConnection) -> Result<(), StoreFailure> {
    sqlx::query("DELETE FROM choices WHERE key = ''")
        .execute(connection)
        .await?;
    Ok(())
}

fn failure_from_migration(error: MigrateError) -> StoreFailure {
    match error {
        MigrateError::Execute(error) | MigrateError::ExecuteMigration(error, _) => {
            StoreFailure::Sql(error)
        }
        error => StoreFailure::Corrupt(error.to_string()),
    }
}
