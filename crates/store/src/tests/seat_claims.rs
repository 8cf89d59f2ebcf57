//! Seat claims, and upgrades of files from before they existed.

use std::time::Duration;

use noughts_rules::{Side, Variant};
use sqlx::migrate::Migrator;
use sqlx::sqlite::{SqliteConnectOptions, SqlitePoolOptions};

use crate::store::MIGRATIONS;
use crate::{
    GameFilter, GameId, Invite, Name, NewGame, NewOnlineGame, PlayerFilter, Seat, SeatClaims,
    Store, StoreError, StoredMove, Timestamp,
};

fn player(name: &str) -> Seat {
    Seat::Player(Name::new(name).expect("a name"))
}

fn new_online_game(rematch_of: Option<GameId>) -> NewOnlineGame {
    NewOnlineGame {
        uid: Store::new_uid().expect("random"),
        game: NewGame {
            variant: Variant::CLASSIC,
            start: None,
            seats: [player("Ada"), player("Player 2")],
        },
        visitors: [Some([1; 32]), None],
        invites: [
            None,
            Some(Invite {
                code_hash: [9; 32],
                encrypted_code: Some([7; 16]),
            }),
        ],
        rematch_of,
    }
}

#[tokio::test]
async fn an_invited_guest_takes_the_open_seat() {
    let store = Store::in_memory().await.expect("opens");
    let new = new_online_game(None);
    let id = store.create_online_game(&new).await.expect("created");
    assert_eq!(store.find_game(&new.uid).await.expect("read"), Some(id));
    assert_eq!(store.find_game("no such game").await.expect("read"), None);
    let mut expected = SeatClaims {
        changes: 0,
        visitors: new.visitors,
        invites: new.invites,
        rematch: None,
    };
    let claims = store.seat_claims(id).await.expect("read");
    assert_eq!(claims.as_ref(), Some(&expected));

    let (ada, bob) = (player("ADA"), player("Bob"));
    let taken = store.reseat(id, Side::O, &ada, Some(&[2; 32]));
    assert!(matches!(taken.await, Err(StoreError::SamePlayer(_))));
    assert_eq!(
        store.seat_claims(id).await.expect("read"),
        claims,
        "nothing changed"
    );
    let taken = store.reseat(id, Side::O, &bob, Some(&[2; 32]));
    taken.await.expect("taken");
    expected = SeatClaims {
        changes: 1,
        visitors: [Some([1; 32]), Some([2; 32])],
        invites: [None; 2],
        rematch: None,
    };
    assert_eq!(store.seat_claims(id).await.expect("read"), Some(expected));
    let seats = store
        .game(id)
        .await
        .expect("read")
        .expect("exists")
        .summary
        .seats;
    assert_eq!(seats, [player("Ada"), bob]);
}

#[tokio::test]
async fn a_game_has_at_most_one_rematch() {
    let store = Store::in_memory().await.expect("opens");
    let first = store
        .create_online_game(&new_online_game(None))
        .await
        .expect("created");
    let next = new_online_game(Some(first));
    store.create_online_game(&next).await.expect("created");
    let again = store
        .create_online_game(&new_online_game(Some(first)))
        .await;
    assert!(
        matches!(again, Err(StoreError::Conflict { .. })),
        "{again:?}"
    );
    let claims = store
        .seat_claims(first)
        .await
        .expect("read")
        .expect("exists");
    assert_eq!(claims.rematch, Some(next.uid));
    assert_eq!(
        store.games(&Default::default()).await.expect("read").len(),
        2
    );
}

#[tokio::test]
async fn old_games_without_moves_are_deleted() {
    let store = Store::in_memory().await.expect("opens");
    let uninvited = NewOnlineGame {
        invites: [None; 2],
        ..new_online_game(None)
    };
    let id = store.create_online_game(&uninvited).await.expect("created");
    let invited = store
        .create_online_game(&new_online_game(None))
        .await
        .expect("created");
    let later = Timestamp::from_millis(Timestamp::now().as_millis() + 1);
    let before = Timestamp::from_millis(0);
    let delete_unplayed = async |cutoff, invited| {
        let deleted = store.delete_unplayed_games(cutoff, invited).await;
        deleted.expect("done")
    };
    assert_eq!(
        delete_unplayed(later, later).await,
        0,
        "they are being played"
    );
    store.release_game(id).await.expect("done");
    store.release_game(invited).await.expect("done");
    assert_eq!(delete_unplayed(before, before).await, 0);
    assert_eq!(delete_unplayed(later, before).await, 1);
    assert_eq!(store.seat_claims(id).await.expect("read"), None);
    assert_eq!(
        delete_unplayed(later, later).await,
        1,
        "nobody came by the link"
    );
    assert_eq!(store.seat_claims(invited).await.expect("read"), None);
}

/// Players without a played game aren't listed.
#[tokio::test]
async fn only_played_games_and_their_players_are_listed() {
    let store = Store::in_memory().await.expect("opens");
    let id = store
        .create_online_game(&new_online_game(None))
        .await
        .expect("created");
    let played = GameFilter {
        played: true,
        ..GameFilter::default()
    };
    assert!(store.games(&played).await.expect("read").is_empty());
    let active = PlayerFilter {
        played: true,
        ..PlayerFilter::default()
    };
    let players = async || store.players(&active).await.expect("read").players;
    assert!(players().await.is_empty());
    assert_eq!(store.all_players().await.expect("read").len(), 2);
    let mv = StoredMove {
        text: "b2".into(),
        took: Duration::ZERO,
    };
    store.add_move(id, 0, &mv, None).await.expect("stored");
    assert_eq!(store.games(&played).await.expect("read").len(), 1);
    assert_eq!(players().await.len(), 2);
}

#[tokio::test]
async fn a_store_of_the_first_version_is_upgraded() {
    let dir = tempfile::tempdir().expect("a folder");
    let options = SqliteConnectOptions::new()
        .filename(dir.path().join("noughts.db"))
        .create_if_missing(true);
    let pool = SqlitePoolOptions::new().connect_lazy_with(options);
    let first: Vec<_> = MIGRATIONS.iter().take(1).cloned().collect();
    let migrator = Migrator::with_migrations(first);
    migrator.run(&pool).await.expect("made");
    let old = "INSERT INTO games (uid, variant, o_bot, began)
               VALUES ('00112233445566778899aabbccddeeff', 'classic', 'easy', 5)";
    sqlx::query(old).execute(&pool).await.expect("written");
    pool.close().await;

    let store = Store::open(dir.path()).await.expect("opens");
    let uid = "00112233445566778899aabbccddeeff";
    let id = store.find_game(uid).await.expect("read").expect("exists");
    assert_eq!(
        store.seat_claims(id).await.expect("read"),
        Some(SeatClaims::default())
    );
    let listed = store.games(&Default::default()).await.expect("read");
    assert!(!listed[0].is_online);
    store.close().await;
}

#[tokio::test]
async fn games_are_found_by_visitor() {
    let store = Store::in_memory().await.expect("opens");
    let id = store
        .create_online_game(&new_online_game(None))
        .await
        .expect("created");
    for (visitor, expected) in [([1; 32], vec![id]), ([2; 32], vec![])] {
        let filter = GameFilter {
            visitor: Some(visitor),
            ..GameFilter::default()
        };
        let games = store.games(&filter).await.expect("listed");
        let ids: Vec<GameId> = games.iter().map(|game| game.id).collect();
        assert_eq!(ids, expected);
    }
}

/// Regression test: visitors without a name shared the records of "Player 1" and "Player 2". Their
/// online games become guests' games, and local games stay.
#[tokio::test]
async fn unnamed_visitors_of_an_older_store_become_guests() {
    let dir = tempfile::tempdir().expect("a folder");
    let options = SqliteConnectOptions::new()
        .filename(dir.path().join("noughts.db"))
        .create_if_missing(true);
    let pool = SqlitePoolOptions::new().connect_lazy_with(options);
    let old: Vec<_> = MIGRATIONS.iter().take(10).cloned().collect();
    let migrator = Migrator::with_migrations(old);
    migrator.run(&pool).await.expect("made");
    for sql in [
        "INSERT INTO people (id, name, key, since, last, last_game) VALUES
         (1, 'Player 1', 'player 1', 5, 40, 4), (2, 'Player 2', 'player 2', 5, 30, 3),
         (3, 'Ada', 'ada', 20, 30, 3)",
        "INSERT INTO games (id, uid, variant, x_person, o_person, o_bot, began, ended, result, how)
         VALUES
         (1, '00000000000000000000000000000001', 'classic', 1, 2, NULL, 5, 6, 'x', 'resigned'),
         (2, '00000000000000000000000000000002', 'classic', 1, NULL, 'easy', 20, 21, 'x', 'resigned'),
         (3, '00000000000000000000000000000003', 'classic', 3, 2, NULL, 30, 31, 'o', 'resigned'),
         (4, '00000000000000000000000000000004', 'classic', 1, NULL, 'easy', 40, 41, 'o', 'resigned')",
        // All but the second are online games.
        "INSERT INTO sitters (game, side, token_hash) VALUES (1, 'x', '01'), (1, 'o', '02'),
         (3, 'x', '03'), (4, 'o', '04')",
    ] {
        sqlx::query(sql).execute(&pool).await.expect("written");
    }
    pool.close().await;

    let store = Store::open(dir.path()).await.expect("opens");
    let bot = || Seat::Bot("easy".into());
    let games = store.games(&GameFilter::default()).await.expect("read");
    let seats: Vec<[Seat; 2]> = games.into_iter().map(|game| game.seats).collect();
    assert_eq!(
        seats,
        [
            [Seat::Guest, bot()],
            [player("Ada"), Seat::Guest],
            [player("Player 1"), bot()],
            [Seat::Guest, Seat::Guest],
        ]
    );
    let players = store.all_players().await.expect("read");
    let counted: Vec<(&str, u64, u64)> = players
        .iter()
        .map(|(name, tally)| (name.as_str(), tally.wins, tally.losses))
        .collect();
    // Ordered by their last games: the local game of "Player 1" is older than Ada's.
    assert_eq!(counted, [("Ada", 0, 1), ("Player 1", 1, 0)]);
    let one = Name::new("Player 1").expect("a name");
    let record = store
        .player_record(&one)
        .await
        .expect("read")
        .expect("exists");
    assert_eq!(record.since.as_millis(), 20);
    let ada = Name::new("Ada").expect("a name");
    let ada = store
        .player_record(&ada)
        .await
        .expect("read")
        .expect("exists");
    assert_eq!(ada.by_opponent[0].0, Seat::Guest);
    store.close().await;
}
