//! The files of a store: permissions, deletion while open, and reading without write access.

use std::fs;

use crate::common::*;
use noughts_rules::Record;
use noughts_store::{GameFilter, Store, StoreError};

#[cfg(unix)]
fn mode(path: &std::path::Path) -> u32 {
    use std::os::unix::fs::PermissionsExt;
    fs::metadata(path).expect("exists").permissions().mode() & 0o777
}

/// Names, invitations and seats are private.
#[cfg(unix)]
#[tokio::test]
async fn created_files_are_private() {
    let parent = tempfile::tempdir().expect("a folder");
    let dir = parent.path().join("made/deeper");
    let store = open(&dir).await;
    new_game(&store, [player("Ada"), bot("easy")]).await;
    for folder in [dir.clone(), parent.path().join("made"), dir.join("running")] {
        assert_eq!(mode(&folder), 0o700, "{}", folder.display());
    }
    let locks = fs::read_dir(dir.join("running"))
        .expect("a folder")
        .flatten();
    let mut files: Vec<_> = locks.map(|entry| entry.path()).collect();
    assert_eq!(files.len(), 1);
    files.extend(["", "-wal", "-shm"].map(|end| dir.join(format!("noughts.db{end}"))));
    for file in files {
        assert_eq!(mode(&file), 0o600, "{}", file.display());
    }
    store.close().await;
}

/// A file that an older version left readable is made private once; after that, the owner's choice
/// stays.
#[cfg(unix)]
#[tokio::test]
async fn upgrading_makes_a_file_private_once() {
    use std::os::unix::fs::PermissionsExt;
    let dir = tempfile::tempdir().expect("a folder");
    let file = dir.path().join("noughts.db");
    fs::write(&file, "").expect("written");
    fs::set_permissions(&file, fs::Permissions::from_mode(0o644)).expect("set");
    open(dir.path()).await.close().await;
    assert_eq!(mode(&file), 0o600);
    fs::set_permissions(&file, fs::Permissions::from_mode(0o640)).expect("set");
    open(dir.path()).await.close().await;
    assert_eq!(mode(&file), 0o640);
}

/// SQLite keeps writing to a file that has been deleted.
#[cfg(unix)]
#[tokio::test]
async fn a_deleted_file_is_noticed() {
    let dir = tempfile::tempdir().expect("a folder");
    let file = dir.path().join("noughts.db");
    let store = open(dir.path()).await;
    let game = new_game(&store, [player("Ada"), bot("easy")]).await;
    store
        .add_move(game, 0, &mv("b2"), None)
        .await
        .expect("stored");
    fs::remove_file(&file).expect("removed");
    for _ in 0..2 {
        let error = store.add_move(game, 1, &mv("a1"), None).await;
        let error = error.expect_err("it would be lost");
        assert!(matches!(error, StoreError::FileReplaced { .. }), "{error}");
        assert!(error.to_string().contains("deleted or replaced"), "{error}");
    }
    assert!(store.is_failing());
    let error = store.rename_player(&name("Ada"), &name("Bob")).await;
    assert!(
        matches!(error, Err(StoreError::FileReplaced { .. })),
        "{error:?}"
    );
    // No new file was created.
    assert!(!file.exists());

    // Another process's new file isn't mistaken for ours.
    let other = open(dir.path()).await;
    let error = store.add_move(game, 1, &mv("a1"), None).await;
    assert!(
        matches!(error, Err(StoreError::FileReplaced { .. })),
        "{error:?}"
    );
    assert!(
        other
            .games(&GameFilter::default())
            .await
            .expect("read")
            .is_empty()
    );
    other.close().await;
    store.close().await;
}

/// Concurrent writers notice it as well.
#[cfg(unix)]
#[tokio::test]
async fn a_deleted_file_is_noticed_by_concurrent_writers() {
    let dir = tempfile::tempdir().expect("a folder");
    let store = open(dir.path()).await;
    let mut games = Vec::new();
    for _ in 0..20 {
        games.push(new_game(&store, [player("Ada"), bot("easy")]).await);
    }
    fs::remove_file(dir.path().join("noughts.db")).expect("removed");
    let mut tasks = tokio::task::JoinSet::new();
    for game in games {
        let store = store.clone();
        tasks.spawn(async move { store.add_move(game, 0, &mv("b2"), None).await });
    }
    for outcome in tasks.join_all().await {
        assert!(
            matches!(outcome, Err(StoreError::FileReplaced { .. })),
            "{outcome:?}"
        );
    }
}

/// Lists don't need to write: they work on a full disk and with a read-only file.
#[tokio::test]
async fn a_read_only_file_can_be_read() {
    let dir = tempfile::tempdir().expect("a folder");
    let store = open(dir.path()).await;
    let game = play_game(&store, [player("Ada"), bot("hard")], X_WINS).await;
    store.close().await;
    let file = dir.path().join("noughts.db");
    let mut permissions = fs::metadata(&file).expect("exists").permissions();
    permissions.set_readonly(true);
    fs::set_permissions(&file, permissions).expect("set");
    let before = contents(dir.path());

    let rejected = Store::open(dir.path()).await;
    assert!(matches!(rejected, Err(StoreError::ReadOnly { .. })));
    let store = Store::open_for_reading(dir.path()).await.expect("opens");
    assert_eq!(
        store
            .games(&GameFilter::default())
            .await
            .expect("read")
            .len(),
        1
    );
    assert_eq!(store.all_players().await.expect("read").len(), 1);
    assert!(store.game(game).await.expect("read").is_some());
    assert_eq!(export_all(&store, &GameFilter::default()).await.len(), 1);
    let rejected = store.rename_player(&name("Ada"), &name("Bob")).await;
    assert!(
        matches!(rejected, Err(StoreError::ReadOnly { .. })),
        "{rejected:?}"
    );
    store.close().await;
    assert!(contents(dir.path()) == before, "something has changed");
}

/// Imported games are kept, even without moves.
#[tokio::test]
async fn imported_positions_are_not_discarded() {
    let store = memory().await;
    let text = "[Variant \"classic\"]\n[X \"Ada\"]\n[Position \"x../.o./... x\"]\n\n*";
    let records = Record::parse_all(text).expect("a record");
    store.import(&records).await.expect("imported");
    let game = store.games(&GameFilter::default()).await.expect("read")[0].clone();
    assert!(game.is_imported && game.move_count == 0);
    assert!(store.acquire_game(game.id).await.expect("acquired"));
    store.discard_game(game.id).await.expect("released");
    assert_eq!(export_all(&store, &GameFilter::default()).await.len(), 1);
    assert!(!store.resumable_games().await.expect("read").is_empty());
}
