//! Opens and upgrades the database file, and provides the connections and transactions that
//! everything else uses.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use sqlx::migrate::{MigrateError, Migrator};
use sqlx::sqlite::{SqliteConnectOptions, SqlitePoolOptions};
use sqlx::{ConnectOptions, Connection, Sqlite, SqliteConnection, SqlitePool, Transaction};

use crate::checkpoint::{Checkpoints, WalLimits};
use crate::data_dir::{self, FileIdentity};
use crate::error::{RawResult, RawStoreError, StoreError};
use crate::group_commit::WriteQueue;
use crate::process::Process;

/// The players and games of one data folder. Clones share the connections.
///
/// ```
/// use noughts_store::{GameFilter, Store};
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # let folder = tempfile::tempdir()?;
/// # let folder = folder.path();
/// let store = Store::open(folder).await?;
/// assert!(folder.join("noughts.db").exists());
/// assert!(store.games(&GameFilter::default()).await?.is_empty());
/// store.close().await;
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug)]
pub struct Store {
    inner: Arc<StoreInner>,
}

#[derive(Debug)]
struct StoreInner {
    pools: Pools,
    /// `None` in memory and for read-only stores.
    checkpoints: Option<Arc<Checkpoints>>,
    file: PathBuf,
    /// The file as it was opened, to notice when it's deleted or replaced.
    identity: Option<FileIdentity>,
    process: Process,
    /// Writes waiting for the next transaction.
    queue: WriteQueue,
    /// The last write failed.
    failing: AtomicBool,
}

/// Connections by purpose. With a write-ahead log, reads and writes don't wait for each other. In
/// memory there is only one connection, and all three pools are the same.
#[derive(Debug)]
struct Pools {
    /// The only connection that writes.
    writer: SqlitePool,
    /// Short reads: one game, one player.
    readers: SqlitePool,
    /// Lists and exports. There are few, so that many requests for lists leave processors to games
    /// in progress.
    lists: SqlitePool,
    /// Set when lists are to be interrupted.
    is_shutting_down: Arc<AtomicBool>,
}

/// Concurrent short reads.
const READ_CONNECTIONS: u32 = 4;

/// Concurrent lists and exports: half the processors, at most this many.
const MAX_LIST_CONNECTIONS: usize = 4;

/// SQLite checks after this many virtual machine steps whether a list is still wanted: about every
/// millisecond.
const PROGRESS_INTERVAL: i32 = 10_000;

/// The name of the database file in the data folder.
pub const DATABASE_FILE: &str = "noughts.db";

/// The folder with the locks of the processes that use the store.
const PROCESS_DIR: &str = "running";

/// How long to wait for another process that writes.
const BUSY_TIMEOUT: Duration = Duration::from_secs(5);

/// Waits for the write lock at the start of the transaction. At its first write, SQLite could no
/// longer grant it.
const BEGIN_WRITE: &str = "BEGIN IMMEDIATE";

/// Files up to this many bytes are checked when they are opened. That takes about 7 ms per MiB
/// (some 1,500 games); the tenth of a second for 20,000 games would be noticeable.
const QUICK_CHECK_MAX_BYTES: u64 = 1 << 20;

/// The `application_id` that the first migration sets.
const APPLICATION_ID: i64 = 1_852_270_708;

/// The versions of the schema.
pub(crate) static MIGRATIONS: Migrator = sqlx::migrate!();

/// A transaction that writes.
pub(crate) type WriteTransaction = Transaction<'static, Sqlite>;

impl Store {
    /// Opens the store of a data folder. Creates both if they don't exist, and upgrades an older
    /// store.
    ///
    /// # Errors
    /// The folder or the file can't be used; nothing was changed.
    pub async fn open(dir: &Path) -> Result<Store, StoreError> {
        Store::open_with(dir, |options| options, WalLimits::default()).await
    }

    /// Like [`Store::open`], with other connection options and other limits for the write-ahead log:
    /// tests need a smaller disk, or a faster one.
    pub(crate) async fn open_with(
        dir: &Path,
        settings: impl FnOnce(SqliteConnectOptions) -> SqliteConnectOptions,
        limits: WalLimits,
    ) -> Result<Store, StoreError> {
        let file = dir.join(DATABASE_FILE);
        data_dir::check_folder(dir)?;
        data_dir::check_folder(&dir.join(PROCESS_DIR))?;
        data_dir::check_file(&file)?;
        data_dir::create_private_folder(dir).map_err(|error| StoreError::io(dir, &error))?;
        data_dir::create_private_file(&file).map_err(|error| StoreError::io(dir, &error))?;
        // No option here may read the file: an error before the connection exists can't be retried.
        // SQLite's default already makes commits durable.
        let options = settings(connect_options(&file)?.foreign_keys(true));
        // Checkpoints have their own connection.
        let writer_options = options.clone().pragma("wal_autocheckpoint", "0");
        let writer = pool(1).connect_lazy_with(writer_options);
        let ready = async {
            let prepared = prepare_with_retry(&writer, &file).await;
            let is_upgraded = prepared.map_err(|failure| failure.into_error(&file))?;
            if is_upgraded {
                // Older versions left the file readable by everybody.
                data_dir::make_private(&file);
            }
            Process::register(&dir.join(PROCESS_DIR))
        };
        let program = match ready.await {
            Ok(program) => program,
            Err(error) => {
                // Otherwise SQLite's own files would stay next to the database.
                writer.close().await;
                return Err(error);
            }
        };
        let checkpoint_options = options.clone().busy_timeout(Duration::ZERO);
        let checkpoints = pool(1).connect_lazy_with(checkpoint_options);
        let checkpoints = Checkpoints::new(checkpoints, &file, limits);
        let read_options = options.pragma("query_only", "1");
        let pools = Pools::new(writer, &read_options);
        Ok(Store::from_parts(pools, Some(checkpoints), file, program))
    }

    /// Opens the store of a data folder for reading, even on a full or read-only disk. If nothing
    /// is stored and nothing can be, the store is empty.
    ///
    /// # Errors
    /// The file can't be read.
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
        // Without a log no other process has the file open, and SQLite needs none of the files that
        // it couldn't create.
        let has_log = fs::metadata(data_dir::wal_path(&file)).is_ok_and(|log| log.len() > 0);
        let options = connect_options(&file)?.read_only(true).immutable(!has_log);
        let reader = pool(1).connect_lazy_with(options.clone());
        let checked = async {
            match is_current_version(&mut *reader.acquire().await?, &file).await? {
                true => Ok(()),
                false => Err(StoreError::OlderVersion { file: file.clone() }.into()),
            }
        };
        if let Err(failure) = checked.await {
            reader.close().await;
            return Err(RawStoreError::into_error(failure, &file));
        }
        let program = Process::unregistered(Some(dir.join(PROCESS_DIR)))?;
        Ok(Store::from_parts(
            Pools::new(reader, &options),
            None,
            file,
            program,
        ))
    }

    /// Opens a store in memory.
    ///
    /// # Errors
    /// The system has no memory or no random numbers.
    pub async fn in_memory() -> Result<Store, StoreError> {
        let file = PathBuf::from("the in-memory database");
        let pool = pool(1).connect_lazy_with(SqliteConnectOptions::new().in_memory(true));
        prepare(&pool, &file)
            .await
            .map_err(|t| t.into_error(&file))?;
        let pools = Pools {
            writer: pool.clone(),
            readers: pool.clone(),
            lists: pool,
            is_shutting_down: Arc::default(),
        };
        Ok(Store::from_parts(
            pools,
            None,
            file,
            Process::unregistered(None)?,
        ))
    }

    fn from_parts(
        pools: Pools,
        checkpoints: Option<Arc<Checkpoints>>,
        file: PathBuf,
        program: Process,
    ) -> Store {
        let identity = checkpoints.as_ref().and_then(|_| FileIdentity::read(&file));
        let inner = StoreInner {
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

    /// The database file.
    #[must_use]
    pub fn file(&self) -> &Path {
        &self.inner.file
    }

    /// Closes the file for all clones and releases all games, after all queued writes. A process
    /// that ends without it loses nothing, but leaves SQLite's own files next to the database.
    pub async fn close(&self) {
        self.interrupt_lists();
        self.flush().await;
        let pools = &self.inner.pools;
        pools.lists.close().await;
        pools.readers.close().await;
        if let Some(checkpoints) = &self.inner.checkpoints {
            checkpoints.close().await;
        }
        // The last connection to close moves the log into the file and removes it.
        pools.writer.close().await;
        self.inner.process.unregister();
    }

    /// Interrupts all lists and exports from now on, because the process is about to end.
    /// Everything else works until the store is closed.
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

    /// Did the last write fail? Stays true until a write succeeds.
    #[must_use]
    pub fn is_failing(&self) -> bool {
        self.inner.failing.load(Ordering::Relaxed)
    }

    /// Records whether a write succeeded.
    pub(crate) fn record_write_result(&self, succeeded: bool) {
        self.inner.failing.store(!succeeded, Ordering::Relaxed);
    }

    /// Writes and deletes a dummy row, to test whether writing is possible.
    ///
    /// # Errors
    /// Why it isn't.
    pub async fn check_writable(&self) -> Result<(), StoreError> {
        self.submit_write(async |_, tx| {
            for sql in [
                "INSERT INTO choices (key, value) VALUES ('', '') ON CONFLICT (key) DO NOTHING",
                "DELETE FROM choices WHERE key = ''",
            ] {
                execute!(&mut *tx, sql)?;
            }
            Ok(())
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

    /// For a list, or one batch of an export.
    pub(crate) fn list_pool(&self) -> &SqlitePool {
        &self.inner.pools.lists
    }

    /// Starts a write transaction.
    pub(crate) async fn begin_write(&self) -> RawResult<WriteTransaction> {
        self.check_file_identity()?;
        Ok(self.inner.pools.writer.begin_with(BEGIN_WRITE).await?)
    }

    /// Commits: when this returns, `writes` queued writes are on disk, in the file that the next
    /// process will open.
    pub(crate) async fn commit(&self, tx: WriteTransaction, writes: usize) -> RawResult<()> {
        tx.commit().await?;
        self.check_file_identity()?;
        let Some(checkpoints) = &self.inner.checkpoints else {
            return Ok(());
        };
        checkpoints.record_commit(writes);
        if checkpoints.take_restart() {
            // Nothing is written during this checkpoint, so the log is empty afterwards, and the
            // next write starts it from its beginning. It is short, because most pages were copied
            // just now.
            let _ = sqlx::query("PRAGMA wal_checkpoint(PASSIVE)")
                .execute(&self.inner.pools.writer)
                .await;
        }
        Ok(())
    }

    /// Is the file still the one that was opened? Writes to a deleted file are lost when the
    /// process ends.
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

    /// Runs a future and adds the file's name to its error.
    pub(crate) async fn with_error_context<T>(
        &self,
        work: impl Future<Output = RawResult<T>>,
    ) -> Result<T, StoreError> {
        work.await
            .map_err(|failure| failure.into_error(self.file()))
    }
}

impl Pools {
    fn new(writer: SqlitePool, read_options: &SqliteConnectOptions) -> Pools {
        let processors = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
        let lists = (processors / 2).clamp(1, MAX_LIST_CONNECTIONS) as u32;
        let is_shutting_down = Arc::new(AtomicBool::new(false));
        Pools {
            writer,
            readers: pool(READ_CONNECTIONS).connect_lazy_with(read_options.clone()),
            lists: interruptible_pool(read_options, lists, &is_shutting_down),
            is_shutting_down,
        }
    }
}

/// How to open the file. `create_if_missing` isn't set, so that a deleted file isn't silently
/// recreated.
fn connect_options(file: &Path) -> Result<SqliteConnectOptions, StoreError> {
    // SQLite would interpret a name that starts with `file:` as a URI.
    let full = std::path::absolute(file).map_err(|error| StoreError::io(file, &error))?;
    Ok(SqliteConnectOptions::new()
        .filename(full)
        .busy_timeout(BUSY_TIMEOUT)
        .disable_statement_logging())
}

/// A pool of connections whose statements are interrupted on shutdown.
fn interruptible_pool(
    options: &SqliteConnectOptions,
    connections: u32,
    is_shutting_down: &Arc<AtomicBool>,
) -> SqlitePool {
    let is_shutting_down = is_shutting_down.clone();
    pool(connections)
        .after_connect(move |connection, _| {
            let is_shutting_down = is_shutting_down.clone();
            Box::pin(async move {
                let keep_running = move || !is_shutting_down.load(Ordering::Relaxed);
                let mut handle = connection.lock_handle().await?;
                handle.set_progress_handler(PROGRESS_INTERVAL, keep_running);
                Ok(())
            })
        })
        .connect_lazy_with(options.clone())
}

/// A pool of connections, for which tasks wait in order. Only one connection writes: with several,
/// SQLite would poll for the lock.
fn pool(connections: u32) -> SqlitePoolOptions {
    SqlitePoolOptions::new()
        .max_connections(connections)
        .idle_timeout(None)
        .max_lifetime(None)
        .acquire_timeout(2 * BUSY_TIMEOUT)
        .test_before_acquire(false)
        .before_acquire(|connection, _| {
            // On a full disk SQLite rolls the transaction back by itself, and sqlx doesn't notice:
            // the connection is unusable then.
            let usable = !connection.is_in_transaction();
            Box::pin(async move { Ok(usable) })
        })
}

/// Several processes may create the same file at once, and SQLite doesn't wait by itself while a
/// file is switched to WAL mode.
async fn prepare_with_retry(pool: &SqlitePool, file: &Path) -> RawResult<bool> {
    let started = Instant::now();
    loop {
        match prepare(pool, file).await {
            Err(failure) if failure.is_busy() && started.elapsed() < BUSY_TIMEOUT => {
                tokio::time::sleep(Duration::from_millis(10)).await;
            }
            done => return done,
        }
    }
}

/// Checks that the file is ours before anything is written, and upgrades it. Returns whether that
/// was necessary.
async fn prepare(pool: &SqlitePool, file: &Path) -> RawResult<bool> {
    let mut connection = pool.acquire().await?;
    let is_current = is_current_version(&mut connection, file).await?;
    quick_check(&mut connection, file).await?;
    if is_current {
        probe_write(&mut connection).await?;
        return Ok(false);
    }
    execute!(&mut *connection, "PRAGMA journal_mode = WAL")?;
    drop(connection);
    // In one transaction, so that a process that starts at the same time sees all or nothing.
    let mut transaction = pool.begin_with(BEGIN_WRITE).await?;
    MIGRATIONS
        .run_direct(None, &mut *transaction, false)
        .await
        .map_err(failure_from_migration)?;
    transaction.commit().await?;
    Ok(true)
}

/// Does the file have the newest version that this program knows? An older one can be upgraded; a
/// newer one and another program's database are errors.
async fn is_current_version(connection: &mut SqliteConnection, file: &Path) -> RawResult<bool> {
    let versions = MIGRATIONS.iter().map(|migration| migration.version);
    let known = versions.max().unwrap_or_default();
    let found = version(connection, file).await?;
    if found > known {
        let file = file.into();
        return Err(StoreError::NewerVersion { file, found, known }.into());
    }
    Ok(found == known)
}

/// The file's version; 0 if it is empty.
async fn version(connection: &mut SqliteConnection, file: &Path) -> RawResult<i64> {
    let file_len = fs::metadata(file).map_or(0, |metadata| metadata.len());
    // All queries see the same snapshot: another process may be creating the file.
    let mut tx = connection.begin().await?;
    let (tables,): (i64,) = fetch_one!(&mut *tx, "SELECT COUNT(*) FROM sqlite_master")?;
    let (application_id,): (i64,) = fetch_one!(&mut *tx, "PRAGMA application_id")?;
    if application_id == APPLICATION_ID {
        let sql = "SELECT COALESCE(MAX(version), 0) FROM _sqlx_migrations";
        let (newest,) = fetch_one!(&mut *tx, sql)?;
        return Ok(newest);
    }
    let (pages,): (i64,) = fetch_one!(&mut *tx, "PRAGMA page_count")?;
    match (application_id, tables, pages) {
        // SQLite treats a very short file as an empty database.
        (0, 0, 0) if file_len > 0 => Err(RawStoreError::Corrupt("file is not a database".into())),
        (0, 0, _) => Ok(0),
        _ if has_our_tables(&mut tx).await? => Err(RawStoreError::Corrupt(
            "its header has the wrong application ID".into(),
        )),
        _ => Err(StoreError::Foreign { file: file.into() }.into()),
    }
}

async fn has_our_tables(connection: &mut SqliteConnection) -> RawResult<bool> {
    let sql = "SELECT COUNT(*) = 4 FROM sqlite_master
         WHERE type = 'table' AND name IN ('people', 'games', 'moves', '_sqlx_migrations')";
    let (found,) = fetch_one!(connection, sql)?;
    Ok(found)
}

/// SQLite notices corruption only when it reads the page; writes before that may be lost.
async fn quick_check(connection: &mut SqliteConnection, file: &Path) -> RawResult<()> {
    let bytes = fs::metadata(file).map_or(0, |metadata| metadata.len());
    if bytes > QUICK_CHECK_MAX_BYTES {
        return Ok(());
    }
    let (found,): (String,) = fetch_one!(connection, "PRAGMA quick_check(1)")?;
    match found.as_str() {
        "ok" => Ok(()),
        // SQLite's message is about its b-trees.
        _ => Err(RawStoreError::Corrupt(
            "part of it was overwritten or lost".into(),
        )),
    }
}

/// SQLite opens read-only files without an error, and fails at the first write: too late for
/// somebody who has started to play.
async fn probe_write(connection: &mut SqliteConnection) -> RawResult<()> {
    execute!(connection, "DELETE FROM choices WHERE key = ''")?;
    Ok(())
}

fn failure_from_migration(error: MigrateError) -> RawStoreError {
    match error {
        MigrateError::Execute(error) | MigrateError::ExecuteMigration(error, _) => {
            RawStoreError::Sql(error)
        }
        error => RawStoreError::Corrupt(error.to_string()),
    }
}
