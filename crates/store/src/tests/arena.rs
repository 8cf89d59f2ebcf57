//! Stored tournaments: saved once, held by one process at a time, in files of every version.

use noughts_conformance::test_rng::TestRng;
use sqlx::migrate::Migrator;
use sqlx::sqlite::{SqliteConnectOptions, SqlitePoolOptions};

use super::open_without_sync;
use crate::store::MIGRATIONS;
use crate::{
    ArenaGame, ArenaGameKey, GameFilter, Store, StoreError, TournamentId, TournamentState,
};

fn key(round: u32) -> ArenaGameKey {
    (round, 0, 1, false)
}

fn game(key: ArenaGameKey, rng: &mut TestRng) -> ArenaGame {
    let some = |rng: &mut TestRng| rng.chance(1, 2);
    let words = |rng: &mut TestRng| {
        let words = (0..rng.below(6)).map(|_| format!("m{},,4", rng.below(100)));
        words.collect::<Vec<_>>().join(" ")
    };
    ArenaGame {
        key,
        opening: rng.below(4) as u64,
        moves: words(rng),
        details: words(rng),
        start: some(rng).then(|| "x../.../... o".into()),
        outcome: ["x", "o", "draw"][rng.below(3)].into(),
        reason: "line".into(),
        note: some(rng).then(|| "two\nlines, 'and' a ; 李".into()),
    }
}

async fn save(store: &Store, id: TournamentId, game: &ArenaGame) -> Result<(), StoreError> {
    store.save_arena_games(id, vec![game.clone()]).await
}

async fn memory() -> Store {
    Store::in_memory().await.expect("opens")
}

#[tokio::test]
async fn games_round_trip_and_are_stored_once() {
    let store = memory().await;
    let mut rng = TestRng::new(1);
    let [one, other] = [
        store
            .create_tournament("{\"a\": 1}")
            .await
            .expect("created"),
        store.create_tournament("{}").await.expect("created"),
    ];
    let mut games = Vec::new();
    for round in 0..20 {
        for (first, second, swapped) in [(0, 1, false), (0, 1, true), (0, 2, false), (1, 2, true)] {
            games.push(game((round, first, second, swapped), &mut rng));
        }
    }
    // One at a time, several at once, and again.
    for game in &games[..10] {
        save(&store, one, game).await.expect("saved");
    }
    let rest = games[5..].to_vec();
    store.save_arena_games(one, rest).await.expect("saved");
    for game in &games {
        let mut another = game.clone();
        another.note = Some("played again".into());
        save(&store, one, &another).await.expect("saved again");
    }
    assert_eq!(store.arena_games(one).await.expect("read"), games);
    assert_eq!(store.arena_games(other).await.expect("read"), []);
    let listed = store.tournaments().await.expect("read");
    let summary: Vec<_> = listed
        .iter()
        .map(|t| (t.id, t.plan.as_str(), t.games, t.is_running))
        .collect();
    assert_eq!(
        summary,
        [(other, "{}", 0, true), (one, "{\"a\": 1}", 80, true)]
    );
    assert_eq!(
        store.tournament(one).await.expect("read").as_ref(),
        Some(&listed[1])
    );
    // Games of tournaments aren't listed as games of players.
    assert!(
        store
            .games(&GameFilter::default())
            .await
            .expect("read")
            .is_empty()
    );
}

#[tokio::test]
async fn a_new_plan_reopens_a_tournament() {
    let store = memory().await;
    let id = store.create_tournament("small").await.expect("created");
    let state = async |store: &Store| {
        let tournament = store.tournament(id).await.expect("read").expect("exists");
        (tournament.state, tournament.ended, tournament.plan)
    };
    assert_eq!(
        state(&store).await,
        (TournamentState::Open, None, "small".into())
    );
    for end in [TournamentState::Complete, TournamentState::Decided] {
        store.set_tournament_state(id, end).await.expect("ended");
        let (current, ended, _) = state(&store).await;
        assert!(current == end && ended.is_some());
        // The same plan changes nothing.
        store.update_plan(id, "small").await.expect("changed");
        assert_eq!(state(&store).await.0, end);
    }
    store.update_plan(id, "large").await.expect("changed");
    assert_eq!(
        state(&store).await,
        (TournamentState::Open, None, "large".into())
    );
}

#[tokio::test]
async fn invalid_games_and_unknown_tournaments_are_rejected() {
    let store = memory().await;
    let unknown = TournamentId(99);
    let message = "tournament 99 doesn't exist; `noughts arena list` lists all tournaments";
    let rejected = [
        store.acquire_tournament(unknown).await.map(drop),
        store.release_tournament(unknown).await,
        store.update_plan(unknown, "").await,
        store.arena_games(unknown).await.map(drop),
        store.save_arena_games(unknown, Vec::new()).await,
    ];
    for rejected in rejected {
        assert_eq!(rejected.expect_err("rejected").to_string(), message);
    }
    assert_eq!(store.tournament(unknown).await.expect("read"), None);

    // All or none.
    let id = store.create_tournament("").await.expect("created");
    let valid = game(key(0), &mut TestRng::new(3));
    let mut invalid = valid.clone();
    (invalid.key, invalid.outcome) = (key(1), "nobody".into());
    let rejected = store.save_arena_games(id, vec![valid, invalid]).await;
    rejected.expect_err("the schema rejects the result");
    assert!(store.arena_games(id).await.expect("read").is_empty());
}

#[tokio::test]
async fn one_process_at_a_time_holds_a_tournament() {
    let dir = tempfile::tempdir().expect("a folder");
    let first = open_without_sync(dir.path()).await;
    let second = open_without_sync(dir.path()).await;
    let id = first.create_tournament("plan").await.expect("created");
    let game = game(key(0), &mut TestRng::new(5));
    assert!(!second.acquire_tournament(id).await.expect("no error"));
    assert!(first.acquire_tournament(id).await.expect("no error"));
    let listed = second.tournaments().await.expect("read");
    assert!(listed[0].is_running);
    let message = format!("tournament {id} is running in another program");
    for rejected in [
        save(&second, id, &game).await,
        second.update_plan(id, "other").await,
        second.release_tournament(id).await,
        second
            .set_tournament_state(id, TournamentState::Complete)
            .await,
    ] {
        assert_eq!(rejected.expect_err("rejected").to_string(), message);
    }
    save(&first, id, &game).await.expect("saved");

    first.release_tournament(id).await.expect("released");
    let rejected = save(&first, id, &game).await;
    let message = format!("tournament {id} isn't running in this program");
    assert_eq!(rejected.expect_err("rejected").to_string(), message);
    assert!(second.acquire_tournament(id).await.expect("no error"));
    assert!(!first.acquire_tournament(id).await.expect("no error"));
    // Closing releases everything, as the end of a process does.
    second.close().await;
    assert!(!first.tournaments().await.expect("read")[0].is_running);
    assert!(first.acquire_tournament(id).await.expect("no error"));
    assert_eq!(first.arena_games(id).await.expect("read"), [game]);
}

/// Files from before tournaments existed.
#[tokio::test]
async fn older_stores_are_upgraded() {
    for version in [1, 2] {
        let dir = tempfile::tempdir().expect("a folder");
        let options = SqliteConnectOptions::new()
            .filename(dir.path().join("noughts.db"))
            .create_if_missing(true);
        let pool = SqlitePoolOptions::new().connect_lazy_with(options);
        let old: Vec<_> = MIGRATIONS.iter().take(version).cloned().collect();
        let migrator = Migrator::with_migrations(old);
        migrator.run(&pool).await.expect("made");
        let old = "INSERT INTO games (uid, variant, o_bot, began)
                   VALUES ('00112233445566778899aabbccddeeff', 'classic', 'easy', 5)";
        sqlx::query(old).execute(&pool).await.expect("written");
        pool.close().await;

        let store = open_without_sync(dir.path()).await;
        assert_eq!(
            store
                .games(&GameFilter::default())
                .await
                .expect("read")
                .len(),
            1
        );
        assert!(store.tournaments().await.expect("read").is_empty());
        let id = store.create_tournament("plan").await.expect("created");
        assert!(store.arena_games(id).await.expect("read").is_empty());
        store.close().await;
    }
}
