//! Positions that are kept: packed, and only so many.

use noughts_rules::{AnyGameState, Variant};

use crate::{NewGame, NewOnlineGame, Seat, Store, StoredPosition};

fn deep() -> Variant {
    "ception:depth=6".parse().expect("a variant")
}

/// A position of half a million cells.
fn position(mv: &str) -> StoredPosition {
    let mut play = AnyGameState::new(deep());
    play.play(mv).expect("a legal move");
    StoredPosition {
        variant: deep(),
        position: play.position_text(),
        moves: Vec::new(),
    }
}

#[tokio::test]
async fn long_positions_take_little_room() {
    let store = Store::in_memory().await.expect("opens");
    let kept = position("aaaaaa");
    assert!(kept.position.len() > 500_000);
    assert!(
        kept.compress().bytes() < 10_000,
        "{}",
        kept.compress().bytes()
    );
    let id = store.save_position(&kept.compress()).await.expect("kept");
    let read = store.position(&id).await.expect("read");
    assert_eq!(read, Some(kept.clone()));

    let new = NewOnlineGame {
        uid: Store::new_uid().expect("random numbers"),
        game: NewGame {
            variant: deep(),
            start: Some(kept.position.clone()),
            seats: [Seat::Deleted, Seat::Deleted],
        },
        visitors: [None; 2],
        invites: [None; 2],
        rematch_of: None,
    };
    let game = store.create_online_game(&new).await.expect("begun");
    let bytes: i64 = sqlx::query_scalar("SELECT LENGTH(start) FROM games")
        .fetch_one(store.write_pool())
        .await
        .expect("told");
    assert!(bytes < 10_000, "{bytes}");
    let read = store.game(game).await.expect("read").expect("there");
    assert_eq!(read.start, Some(kept.position));
}

/// What was kept before texts were packed is read as it is.
#[tokio::test]
async fn older_positions_are_read() {
    let store = Store::in_memory().await.expect("opens");
    let id = "0123456789abcdef0123456789abcdef";
    sqlx::query("INSERT INTO positions (id, variant, position, moves, since) VALUES ($1, 'classic', 'x../.../... o', 'b2 c3', 0)")
        .bind(id)
        .execute(store.write_pool())
        .await
        .expect("written");
    let read = store.position(id).await.expect("read").expect("there");
    assert_eq!(read.moves, ["b2", "c3"]);
    // It was asked for, and is not among the oldest any more.
    let since: i64 = sqlx::query_scalar("SELECT since FROM positions")
        .fetch_one(store.write_pool())
        .await
        .expect("told");
    assert!(since > 0);
}

#[tokio::test]
async fn the_oldest_go_when_there_are_too_many() {
    let store = Store::in_memory().await.expect("opens");
    let all: Vec<_> = ["aaaaaa", "bbbbbb", "cccccc", "dddddd"]
        .map(|mv| position(mv).compress())
        .into();
    let most = all[..3].iter().map(|kept| kept.bytes() as i64).sum::<i64>() + 10;
    let mut ids = Vec::new();
    for (age, kept) in all[..3].iter().enumerate() {
        let id = store.save_position_within(kept, most).await.expect("kept");
        let sql = "UPDATE positions SET since = $1 WHERE id = $2";
        let aged = sqlx::query(sql).bind(1000 + age as i64).bind(&id);
        aged.execute(store.write_pool()).await.expect("written");
        ids.push(id);
    }
    // The first is asked for again: the second is now the one that goes.
    store.position(&ids[0]).await.expect("read").expect("there");
    ids.push(
        store
            .save_position_within(&all[3], most)
            .await
            .expect("kept"),
    );
    let mut there = Vec::new();
    for id in &ids {
        there.push(store.position(id).await.expect("read").is_some());
    }
    assert_eq!(there, [true, false, true, true]);
}

/// Guards games that were replayed and written as text on the threads of all tasks: a deep board
/// kept one busy for a tenth of a second.
#[tokio::test]
async fn games_are_replayed_on_another_thread() {
    let store = Store::in_memory().await.expect("opens");
    let new = NewGame {
        variant: Variant::CLASSIC,
        start: Some("x../.../... o".into()),
        seats: [Seat::Guest, Seat::Bot("easy".into())],
    };
    let id = store.create_game(&new).await.expect("begun");
    let thread = store.read_game_with(id, |_| Ok(std::thread::current().id()));
    let thread = thread.await.expect("read").expect("there");
    assert_ne!(thread, std::thread::current().id());
    let (game, play) = store.replay_game(id).await.expect("read").expect("there");
    assert_eq!(play.position_text(), "x../.../... o");
    let text = store.record_text(id).await.expect("read").expect("there");
    assert_eq!(text, game.to_record().expect("a record").to_text());
    store.delete_game(id).await.expect("deleted");
    assert!(store.replay_game(id).await.expect("read").is_none());
    assert!(store.record_text(id).await.expect("read").is_none());
}
