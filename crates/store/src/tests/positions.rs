//! Stored positions: compressed, with a limited total size.

use noughts_rules::{AnyGameState, Variant};

use crate::{NewGame, NewOnlineGame, Seat, Store, StoredPosition};

fn deep_variant() -> Variant {
    "ception:depth=6".parse().expect("a variant")
}

/// A position of half a million cells.
fn deep_position(mv: &str) -> StoredPosition {
    let mut state = AnyGameState::new(deep_variant());
    state.play(mv).expect("a legal move");
    StoredPosition {
        variant: deep_variant(),
        position: state.position_text(),
        moves: Vec::new(),
    }
}

#[tokio::test]
async fn long_positions_are_stored_compressed() {
    let store = Store::in_memory().await.expect("opens");
    let position = deep_position("aaaaaa");
    assert!(position.position.len() > 500_000);
    assert!(
        position.compress().bytes() < 10_000,
        "{}",
        position.compress().bytes()
    );
    let id = store
        .save_position(&position.compress())
        .await
        .expect("saved");
    let read = store.position(&id).await.expect("read");
    assert_eq!(read, Some(position.clone()));

    let new = NewOnlineGame {
        uid: Store::new_uid().expect("random numbers"),
        game: NewGame {
            variant: deep_variant(),
            start: Some(position.position.clone()),
            seats: [Seat::Deleted, Seat::Deleted],
        },
        visitors: [None; 2],
        invites: [None; 2],
        rematch_of: None,
    };
    let game = store.create_online_game(&new).await.expect("created");
    let bytes: i64 = sqlx::query_scalar("SELECT LENGTH(start) FROM games")
        .fetch_one(store.write_pool())
        .await
        .expect("read");
    assert!(bytes < 10_000, "{bytes}");
    let read = store.game(game).await.expect("read").expect("exists");
    assert_eq!(read.start, Some(position.position));
}

/// Positions stored before compression existed are read as they are.
#[tokio::test]
async fn uncompressed_positions_are_read() {
    let store = Store::in_memory().await.expect("opens");
    let id = "0123456789abcdef0123456789abcdef";
    sqlx::query("INSERT INTO positions (id, variant, position, moves, since) VALUES ($1, 'classic', 'x../.../... o', 'b2 c3', 0)")
        .bind(id)
        .execute(store.write_pool())
        .await
        .expect("written");
    let read = store.position(id).await.expect("read").expect("exists");
    assert_eq!(read.moves, ["b2", "c3"]);
    // It was used, so it is no longer among the oldest.
    let since: i64 = sqlx::query_scalar("SELECT since FROM positions")
        .fetch_one(store.write_pool())
        .await
        .expect("read");
    assert!(since > 0);
}

#[tokio::test]
async fn the_least_recently_used_positions_are_deleted() {
    let store = Store::in_memory().await.expect("opens");
    let all: Vec<_> = ["aaaaaa", "bbbbbb", "cccccc", "dddddd"]
        .map(|mv| deep_position(mv).compress())
        .into();
    let max_total_bytes = all[..3]
        .iter()
        .map(|position| position.bytes() as i64)
        .sum::<i64>()
        + 10;
    let mut ids = Vec::new();
    for (age, position) in all[..3].iter().enumerate() {
        let id = store
            .save_position_within(position, max_total_bytes)
            .await
            .expect("saved");
        let sql = "UPDATE positions SET since = $1 WHERE id = $2";
        let aged = sqlx::query(sql).bind(1000 + age as i64).bind(&id);
        aged.execute(store.write_pool()).await.expect("written");
        ids.push(id);
    }
    // The first one is used again, so the second is the next to go.
    store
        .position(&ids[0])
        .await
        .expect("read")
        .expect("exists");
    ids.push(
        store
            .save_position_within(&all[3], max_total_bytes)
            .await
            .expect("saved"),
    );
    let mut exists = Vec::new();
    for id in &ids {
        exists.push(store.position(id).await.expect("read").is_some());
    }
    assert_eq!(exists, [true, false, true, true]);
}

/// Regression test: games were replayed and converted to text on async threads, where a deep board
/// blocked a thread for a tenth of a second.
#[tokio::test]
async fn games_are_replayed_on_another_thread() {
    let store = Store::in_memory().await.expect("opens");
    let new = NewGame {
        variant: Variant::CLASSIC,
        start: Some("x../.../... o".into()),
        seats: [Seat::Guest, Seat::Bot("easy".into())],
    };
    let id = store.create_game(&new).await.expect("created");
    let thread = store.read_game_with(id, |_| Ok(std::thread::current().id()));
    let thread = thread.await.expect("read").expect("exists");
    assert_ne!(thread, std::thread::current().id());
    let (game, state) = store.replay_game(id).await.expect("read").expect("exists");
    assert_eq!(state.position_text(), "x../.../... o");
    let text = store.record_text(id).await.expect("read").expect("exists");
    assert_eq!(text, game.to_record().expect("a record").to_text());
    store.delete_game(id).await.expect("deleted");
    assert!(store.replay_game(id).await.expect("read").is_none());
    assert!(store.record_text(id).await.expect("read").is_none());
}
