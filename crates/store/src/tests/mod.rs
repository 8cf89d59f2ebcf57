//! Tests that need other connection options than `Store::open` uses.

mod access;
mod arena;
mod disk_full;
mod lists;
mod positions;
mod recount;
mod seat_claims;

use std::path::Path;

use noughts_rules::Record;
use sqlx::sqlite::SqliteSynchronous;

use crate::checkpoint::WalLimits;
use crate::{GameFilter, Store};

/// All records of these games.
async fn export_all(store: &Store, filter: &GameFilter) -> Vec<Record> {
    let export = store.export(filter).await.expect("exported");
    export.collect().await.expect("exported")
}

/// A store that doesn't wait for the disk.
async fn open_without_sync(dir: &Path) -> Store {
    let settings =
        |options: sqlx::sqlite::SqliteConnectOptions| options.synchronous(SqliteSynchronous::Off);
    let store = Store::open_with(dir, settings, WalLimits::default()).await;
    store.expect("the store opens")
}

/// Multi-threaded front ends need this.
#[test]
fn store_futures_are_send() {
    fn assert_send<T: Send>(_: T) {}
    fn assert_shared<T: Send + Sync + Clone>() {}
    assert_shared::<Store>();
    let _ = |store: &'static Store| {
        assert_send(store.import(&[]));
        assert_send(store.resumable_games());
        assert_send(Store::open(Path::new("")));
    };
}

/// Commits are durable, and foreign keys are enforced.
#[tokio::test]
async fn commits_are_durable_and_foreign_keys_are_enforced() {
    let dir = tempfile::tempdir().expect("a folder");
    let store = Store::open(dir.path()).await.expect("opens");
    for (setting, value) in [
        (
            "SELECT CAST(synchronous AS TEXT) FROM pragma_synchronous",
            "2",
        ),
        (
            "SELECT CAST(foreign_keys AS TEXT) FROM pragma_foreign_keys",
            "1",
        ),
        ("SELECT journal_mode FROM pragma_journal_mode", "wal"),
        (
            "SELECT CAST(timeout AS TEXT) FROM pragma_busy_timeout",
            "5000",
        ),
    ] {
        let found: String = sqlx::query_scalar(setting)
            .fetch_one(store.write_pool())
            .await
            .expect("read");
        assert_eq!(found, value, "{setting}");
    }
    // Checkpoints run on another connection, never inside a commit.
    let every: i64 = sqlx::query_scalar("PRAGMA wal_autocheckpoint")
        .fetch_one(store.write_pool())
        .await
        .expect("read");
    assert_eq!(every, 0);
}
