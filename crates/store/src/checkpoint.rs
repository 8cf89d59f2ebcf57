//! Checkpoints the write-ahead log on its own connection, so that a commit never waits for it.
//! SQLite itself would do it inside a commit, where it takes up to a few hundred milliseconds.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::time::Duration;

use sqlx::SqlitePool;
use tokio::sync::Notify;

use crate::data_dir;

/// Limits on the size of the write-ahead log.
#[derive(Clone, Copy, Debug)]
pub(crate) struct WalLimits {
    /// Start a checkpoint after this many writes.
    pub(crate) checkpoint_writes: usize,
    /// Restart the log from its beginning once it has this many pages.
    pub(crate) restart_pages: i64,
    /// Truncate an idle log that is larger than this many bytes.
    pub(crate) idle_truncate_bytes: u64,
}

impl Default for WalLimits {
    fn default() -> WalLimits {
        WalLimits {
            checkpoint_writes: 4096,
            // 64 MiB.
            restart_pages: 16_384,
            idle_truncate_bytes: 4 << 20,
        }
    }
}

/// A store without a write for this long is idle.
const IDLE: Duration = Duration::from_secs(1);

/// Checkpointing for one store.
#[derive(Debug)]
pub(crate) struct Checkpoints {
    pool: SqlitePool,
    log: PathBuf,
    limits: WalLimits,
    /// Writes since the last checkpoint started.
    pending: AtomicUsize,
    commits: AtomicU64,
    /// A task is taking care of checkpoints.
    has_task: AtomicBool,
    /// The log is too long, and only the writer can restart it.
    needs_restart: AtomicBool,
    checkpoint_due: Notify,
}

impl Checkpoints {
    pub(crate) fn new(pool: SqlitePool, file: &Path, limits: WalLimits) -> Arc<Checkpoints> {
        Arc::new(Checkpoints {
            pool,
            log: data_dir::wal_path(file),
            limits,
            pending: AtomicUsize::new(0),
            commits: AtomicU64::new(0),
            has_task: AtomicBool::new(false),
            needs_restart: AtomicBool::new(false),
            checkpoint_due: Notify::new(),
        })
    }

    /// Records that a transaction with this many writes was committed.
    pub(crate) fn record_commit(self: &Arc<Checkpoints>, writes: usize) {
        self.commits.fetch_add(1, Ordering::SeqCst);
        if self.pending.fetch_add(writes, Ordering::SeqCst) + writes
            >= self.limits.checkpoint_writes
        {
            self.pending.store(0, Ordering::SeqCst);
            self.checkpoint_due.notify_one();
        }
        self.ensure_task();
    }

    /// Should the writer restart the log now, between two commits?
    pub(crate) fn take_restart(&self) -> bool {
        self.needs_restart.swap(false, Ordering::SeqCst)
    }

    pub(crate) async fn close(&self) {
        self.pool.close().await;
    }

    /// Starts the checkpoint task unless it is running.
    fn ensure_task(self: &Arc<Checkpoints>) {
        if !self.has_task.swap(true, Ordering::SeqCst) {
            let task = CheckpointTask(self.clone());
            tokio::spawn(task.run());
        }
    }

    /// Copies as much of the log as possible without blocking anybody. Returns the number of pages
    /// in the log and how many of them are now in the database.
    async fn copy(&self) -> Option<(i64, i64)> {
        let copied: Result<(i64, i64, i64), sqlx::Error> =
            sqlx::query_as("PRAGMA wal_checkpoint(PASSIVE)")
                .fetch_one(&self.pool)
                .await;
        // A failed checkpoint loses nothing: the log stays, and the next one tries again.
        copied.ok().map(|(_, pages, copied)| (pages, copied))
    }

    /// Frees the disk space of a long log.
    async fn truncate(&self) {
        if fs::metadata(&self.log).is_ok_and(|log| log.len() > self.limits.idle_truncate_bytes) {
            // Fails while somebody is reading; the next idle phase tries again.
            let _ = sqlx::query("PRAGMA wal_checkpoint(TRUNCATE)")
                .execute(&self.pool)
                .await;
        }
    }
}

/// Checkpoints the log until the store is idle.
struct CheckpointTask(Arc<Checkpoints>);

impl CheckpointTask {
    async fn run(self) {
        let log = &self.0;
        let mut seen = log.commits.load(Ordering::SeqCst);
        loop {
            tokio::select! {
                () = log.checkpoint_due.notified() => {
                    if log.copy().await.is_some_and(|(pages, _)| pages > log.limits.restart_pages) {
                        log.needs_restart.store(true, Ordering::SeqCst);
                    }
                }
                () = tokio::time::sleep(IDLE) => {
                    let commits = log.commits.load(Ordering::SeqCst);
                    if commits == seen {
                        log.copy().await;
                        log.truncate().await;
                        break;
                    }
                    seen = commits;
                }
            }
            if log.pool.is_closed() {
                return;
            }
        }
        let log = log.clone();
        drop(self);
        // Another commit may have happened during the last checkpoint.
        if log.commits.load(Ordering::SeqCst) != seen {
            log.ensure_task();
        }
    }
}

/// A runtime that shuts down drops its tasks; the next commit starts a new one.
impl Drop for CheckpointTask {
    fn drop(&mut self) {
        self.0.has_task.store(false, Ordering::SeqCst);
    }
}
