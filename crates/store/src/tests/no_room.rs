//! A disk that is full, and a file that can only be read.

use std::time::Duration;

use noughts_rules::Variant;
use sqlx::sqlite::SqliteConnectOptions;

use crate::{GameFilter, GameId, NewGame, Seat, Store, StoreError, StoredMove};

const NEW: NewGame = NewGame {
    variant: Variant::ULTIMATE,
    start: None,
    seats: [Seat::Deleted, Seat::Deleted],
};

/// Pages of 4 KiB; an empty store has about forty.
fn small(options: SqliteConnectOptions) -> SqliteConnectOptions {
    options.pragma("max_page_count", "52")
}

fn long(ply: usize) -> StoredMove {
    StoredMove {
        text: format!("{ply}{}", "e".repeat(2000)),
        took: Duration::ZERO,
    }
}

/// Fills the disk; how many moves were stored?
async fn filled(store: &Store, game: GameId) -> (usize, StoreError) {
    for ply in 0..1000 {
        if let Err(error) = store.add_move(game, ply, &long(ply), None).await {
            return (ply, error);
        }
    }
    panic!("a thousand long moves found room");
}

/// How many moves the only game has; long ones are no moves that could be read back.
async fn kept(store: &Store) -> usize {
    let games = store.games(&GameFilter::default()).await.expect("read");
    games[0].move_count
}

#[tokio::test]
async fn a_full_disk_is_told_and_loses_nothing() {
    let dir = tempfile::tempdir().expect("a folder");
    let store = Store::open_with(dir.path(), small).await.expect("opens");
    let game = store.create_game(&NEW).await.expect("begun");
    assert!(!store.is_failing());
    let (stored, error) = filled(&store, game).await;
    assert!(stored > 5);
    assert!(store.is_failing());
    let file = store.file().display().to_string();
    assert_eq!(
        error.to_string(),
        format!("the disk is full: nothing more can be kept in {file}; make room and try again")
    );
    // Not only once, and other work is told the same.
    let (again, error) = (store.add_move(game, stored, &long(0), None).await, error);
    assert!(
        matches!(again, Err(StoreError::DiskFull { .. })),
        "{again:?}"
    );
    assert!(matches!(error, StoreError::DiskFull { .. }));
    assert_eq!(kept(&store).await, stored);
    // Taking something back makes room.
    store.take_back(game, stored - 5).await.expect("taken back");
    let added = store.add_move(game, stored - 5, &long(0), None).await;
    added.expect("there is room");
    assert!(!store.is_failing());
    store.close().await;

    let store = Store::open(dir.path()).await.expect("opens");
    assert_eq!(kept(&store).await, stored - 4);
    let added = store.add_move(game, stored - 4, &long(0), None).await;
    added.expect("the disk is larger now");
}

#[tokio::test]
async fn a_disk_with_no_room_for_a_store_is_told() {
    let dir = tempfile::tempdir().expect("a folder");
    let tiny = |options: SqliteConnectOptions| options.pragma("max_page_count", "5");
    let error = Store::open_with(dir.path(), tiny)
        .await
        .expect_err("refused");
    assert!(matches!(error, StoreError::DiskFull { .. }), "{error}");
    // What was begun there is no obstacle later.
    let store = Store::open(dir.path()).await.expect("opens");
    assert!(
        store
            .games(&GameFilter::default())
            .await
            .expect("read")
            .is_empty()
    );
}

/// Root may write everywhere, so that the file's permissions would prove nothing.
#[tokio::test]
async fn a_file_that_can_only_be_read_is_told_when_it_is_opened() {
    let dir = tempfile::tempdir().expect("a folder");
    Store::open(dir.path()).await.expect("opens").close().await;
    let read_only = |options: SqliteConnectOptions| options.read_only(true);
    let error = Store::open_with(dir.path(), read_only)
        .await
        .expect_err("refused");
    let file = dir.path().join("noughts.db");
    assert_eq!(
        error.to_string(),
        format!(
            "{} cannot be written; allow it, or use another data folder",
            file.display()
        )
    );
}

/// Those whose moves found no room are told, and the moves of the others are there.
#[tokio::test]
async fn a_disk_that_fills_under_many_writers_loses_nothing() {
    let dir = tempfile::tempdir().expect("a folder");
    let store = Store::open_with(dir.path(), small).await.expect("opens");
    let mut games = Vec::new();
    for _ in 0..30 {
        games.push(store.create_game(&NEW).await.expect("begun"));
    }
    let mut tasks = tokio::task::JoinSet::new();
    for &game in &games {
        let store = store.clone();
        tasks.spawn(async move { (game, store.add_move(game, 0, &long(0), None).await) });
    }
    let outcomes = tasks.join_all().await;
    let listed = store.games(&GameFilter::default()).await.expect("read");
    let (mut stored, mut full) = (0, 0);
    for (game, outcome) in outcomes {
        let listed = listed.iter().find(|listed| listed.id == game);
        let moves = listed.expect("there").move_count;
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
