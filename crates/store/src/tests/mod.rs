//! Tests that need other settings than `Store::open` has.

mod access;
mod arena;
mod lists;
mod no_room;
mod positions;
mod recount;
mod sitters;

use std::path::Path;

use noughts_rules::Record;
use sqlx::sqlite::SqliteSynchronous;

use crate::{GameFilter, Store};

/// All records of these games.
async fn exported(store: &Store, filter: &GameFilter) -> Vec<Record> {
    let export = store.export(filter).await.expect("exported");
    export.collect().await.expect("exported")
}

/// A store that does not wait for the disk.
async fn hasty(dir: &Path) -> Store {
    let settings =
        |options: sqlx::sqlite::SqliteConnectOptions| options.synchronous(SqliteSynchronous::Off);
    let store = Store::open_with(dir, settings).await;
    store.expect("the store opens")
}

/// What front ends with many threads need.
#[test]
fn work_on_the_store_can_move_between_threads() {
    fn moves<T: Send>(_: T) {}
    fn shared<T: Send + Sync + Clone>() {}
    shared::<Store>();
    let _ = |store: &'static Store| {
        moves(store.import(&[]));
        moves(store.resumable_games());
        moves(Store::open(Path::new("")));
    };
}

/// A commit is on the disk when it returns, and what refers to something is held to it.
#[tokio::test]
async fn connections_are_safe() {
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
            .expect("told");
        assert_eq!(found, value, "{setting}");
    }
    // Checkpoints are made on another connection, never inside a commit.
    let every: i64 = sqlx::query_scalar("PRAGMA wal_autocheckpoint")
        .fetch_one(store.write_pool())
        .await
        .expect("told");
    assert_eq!(every, 0);
}
