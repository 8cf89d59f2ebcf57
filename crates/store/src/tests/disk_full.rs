//! A full disk and a read-only file.

use std::time::Duration;

use noughts_rules::Variant;
use sqlx::sqlite::SqliteConnectOptions;

use crate::checkpoint::WalLimits;
use crate::{GameFilter, GameId, NewGame, Seat, Store, StoreError, StoredMove};

const NEW_GAME: NewGame = NewGame {
    variant: Variant::ULTIMATE,
    start: None,
    seats: [Seat::Deleted, Seat::Deleted],
};

/// Pages of 4 KiB; an empty store has about forty.
fn small_disk(options: SqliteConnectOptions) -> SqliteConnectOptions {
    options.pragma("max_page_count", "52")
}

fn long_move(ply: usize) -> StoredMove {
    StoredMove {
        text: format!("{ply}{}", "e".repeat(2000)),
        took: Duration::ZERO,
    }
}

/// Fills the disk. Returns how many moves were stored.
async fn fill_disk(store: &Store, game: GameId) -> (usize, StoreError) {
    for ply in 0..1000 {
        if let Err(error) = store.add_move(game, ply, &long_move(ply), None).await {
            return (ply, error);
        }
    }
    panic!("a thousand long moves found room");
}

/// The number of moves of the only game; its overlong moves can't be replayed.
async fn stored_moves(store: &Store) -> usize {
    let games = store.games(&GameFilter::default()).await.expect("read");
    games[0].move_count
}

#[tokio::test]
async fn a_full_disk_is_reported_and_loses_nothing() {
    let dir = tempfile::tempdir().expect("a folder");
    let store = Store::open_with(dir.path(), small_disk, WalLimits::default())
        .await
        .expect("opens");
    let game = store.create_game(&NEW_GAME).await.expect("created");
    assert!(!store.is_failing());
    let (stored, error) = fill_disk(&store, game).await;
    assert!(stored > 5);
    assert!(store.is_failing());
    let file = store.file().display().to_string();
    assert_eq!(
        error.to_string(),
        format!(
            "the disk is full, so nothing more can be saved in {file}; free up space and try again"
        )
    );
    // The error repeats.
    let (again, error) = (
        store.add_move(game, stored, &long_move(0), None).await,
        error,
    );
    assert!(
        matches!(again, Err(StoreError::DiskFull { .. })),
        "{again:?}"
    );
    assert!(matches!(error, StoreError::DiskFull { .. }));
    assert_eq!(stored_moves(&store).await, stored);
    // A takeback frees space.
    store.take_back(game, stored - 5).await.expect("taken back");
    let added = store.add_move(game, stored - 5, &long_move(0), None).await;
    added.expect("there is room");
    assert!(!store.is_failing());
    store.close().await;

    let store = Store::open(dir.path()).await.expect("opens");
    assert_eq!(stored_moves(&store).await, stored - 4);
    let added = store.add_move(game, stored - 4, &long_move(0), None).await;
    added.expect("the disk is larger now");
}

#[tokio::test]
async fn a_disk_too_small_for_a_store_is_reported() {
    let dir = tempfile::tempdir().expect("a folder");
    let tiny = |options: SqliteConnectOptions| options.pragma("max_page_count", "5");
    let error = Store::open_with(dir.path(), tiny, WalLimits::default())
        .await
        .expect_err("rejected");
    assert!(matches!(error, StoreError::DiskFull { .. }), "{error}");
    // The leftovers don't prevent opening it later.
    let store = Store::open(dir.path()).await.expect("opens");
    assert!(
        store
            .games(&GameFilter::default())
            .await
            .expect("read")
            .is_empty()
    );
}

/// Root may write anywhere, so file permissions would prove nothing.
#[tokio::test]
async fn a_read_only_file_is_reported_on_open() {
    let dir = tempfile::tempdir().expect("a folder");
    Store::open(dir.path()).await.expect("opens").close().await;
    let read_only = |options: SqliteConnectOptions| options.read_only(true);
    let error = Store::open_with(dir.path(), read_only, WalLimits::default())
        .await
        .expect_err("rejected");
    let file = dir.path().join("noughts.db");
    assert_eq!(
        error.to_string(),
        format!(
            "{} isn't writable; change its permissions, or use another data folder",
            file.display()
        )
    );
}

/// Writers without space get an error, and the moves of the others are stored.
#[tokio::test]
async fn a_disk_that_fills_under_many_writers_loses_nothing() {
    let dir = tempfile::tempdir().expect("a folder");
    let store = Store::open_with(dir.path(), small_disk, WalLimits::default())
        .await
        .expect("opens");
    let mut games = Vec::new();
    for _ in 0..30 {
        games.push(store.create_game(&NEW_GAME).await.expect("created"));
    }
    let mut tasks = tokio::task::JoinSet::new();
    for &game in &games {
        let store = store.clone();
        tasks.spawn(async move { (game, store.add_move(game, 0, &long_move(0), None).await) });
    }
    let outcomes = tasks.join_all().await;
    let listed = store.games(&GameFilter::default()).await.expect("read");
    let (mut stored, mut full) = (0, 0);
    for (game, outcome) in outcomes {
        let listed = listed.iter().find(|listed| listed.id == game);
        let moves = listed.expect("exists").move_count;
        match outcome {
            Ok(()) => {
                stored += 1;
                assert_eq!(moves, 1);
            }
            Err(StoreError::DiskFull { .. }) => {
                full += 1;
                assert_eq!(moves, 0);
            }
            Err(error) => panic!("{error}"),
        }
    }
    assert!(stored > 0 && full > 0, "{stored} stored, {full} not");
}
