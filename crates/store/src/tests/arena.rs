//! Tournaments: kept once, by one program at a time, in files of every age.

use std::time::Duration;

use noughts_conformance::test_rng::TestRng;
use noughts_rules::{Outcome, Side};
use sqlx::migrate::Migrator;
use sqlx::sqlite::{SqliteConnectOptions, SqlitePoolOptions};

use super::hasty;
use crate::store::migrations;
use crate::{
    ArenaGame, ArenaGameKey, ArenaMove, GameFilter, Store, StoreError, TournamentId,
    TournamentState,
};

const OUTCOMES: [Outcome; 3] = [Outcome::Win(Side::X), Outcome::Win(Side::O), Outcome::Draw];

fn key(round: u32) -> ArenaGameKey {
    ArenaGameKey {
        round,
        first: 0,
        second: 1,
        swapped: false,
    }
}

fn game(key: ArenaGameKey, dice: &mut TestRng) -> ArenaGame {
    let word = |dice: &mut TestRng| format!("m{}", dice.below(100));
    let some = |dice: &mut TestRng| dice.chance(1, 2);
    let opening = (0..dice.below(4)).map(|_| word(dice)).collect();
    let moves = (0..dice.below(6)).map(|_| ArenaMove {
        text: word(dice),
        took: Duration::from_nanos(dice.below(usize::MAX >> 1) as u64),
        value: some(dice).then(|| "win:5".to_owned()),
        depth: some(dice).then(|| dice.below(99) as u32),
        nodes: some(dice).then_some(u64::MAX),
    });
    ArenaGame {
        key,
        moves: moves.collect(),
        opening,
        start: some(dice).then(|| "x../.../... o".into()),
        outcome: OUTCOMES[dice.below(3)],
        reason: "line".into(),
        note: some(dice).then(|| "two\nlines, 'and' a ; 李".into()),
    }
}

async fn memory() -> Store {
    Store::in_memory().await.expect("opens")
}

#[tokio::test]
async fn games_come_back_as_they_were_and_each_once() {
    let store = memory().await;
    let mut dice = TestRng::new(1);
    let [one, other] = [
        store.create_tournament("{\"a\": 1}").await.expect("begun"),
        store.create_tournament("{}").await.expect("begun"),
    ];
    let mut games = Vec::new();
    for round in 0..20 {
        for (first, second, swapped) in [(0, 1, false), (0, 1, true), (0, 2, false), (1, 2, true)] {
            let key = ArenaGameKey {
                round,
                first,
                second,
                swapped,
            };
            games.push(game(key, &mut dice));
        }
    }
    // One by one, several at once, and again.
    for game in &games[..10] {
        store.save_arena_game(one, game).await.expect("kept");
    }
    let rest = games[5..].to_vec();
    store.save_arena_games(one, rest).await.expect("kept");
    for game in &games {
        let mut another = game.clone();
        another.note = Some("played again".into());
        store.save_arena_game(one, &another).await.expect("no harm");
    }
    assert_eq!(store.arena_games(one).await.expect("read"), games);
    assert_eq!(store.arena_games(other).await.expect("read"), []);
    let listed = store.tournaments().await.expect("read");
    let told: Vec<_> = listed
        .iter()
        .map(|t| (t.id, t.plan.as_str(), t.games, t.is_running))
        .collect();
    assert_eq!(
        told,
        [(other, "{}", 0, true), (one, "{\"a\": 1}", 80, true)]
    );
    assert_eq!(
        store.tournament(one).await.expect("read").as_ref(),
        Some(&listed[1])
    );
    // Games of tournaments are nobody's games.
    assert!(
        store
            .games(&GameFilter::default())
            .await
            .expect("read")
            .is_empty()
    );
}

#[tokio::test]
async fn a_tournament_ends_and_grows() {
    let store = memory().await;
    let id = store.create_tournament("small").await.expect("begun");
    let state = async |store: &Store| {
        let tournament = store.tournament(id).await.expect("read").expect("there");
        (tournament.state, tournament.ended, tournament.plan)
    };
    assert_eq!(
        state(&store).await,
        (TournamentState::Open, None, "small".into())
    );
    for end in [TournamentState::Complete, TournamentState::Decided] {
        store.set_tournament_state(id, end).await.expect("ended");
        let (is, ended, _) = state(&store).await;
        assert!(is == end && ended.is_some());
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
async fn what_does_not_fit_is_refused_in_words() {
    let store = memory().await;
    let nowhere = TournamentId(99);
    let said = "there is no tournament 99; `noughts arena list` lists those there are";
    let refused = [
        store.acquire_tournament(nowhere).await.map(drop),
        store.release_tournament(nowhere).await,
        store.update_plan(nowhere, "").await,
        store.arena_games(nowhere).await.map(drop),
        store.save_arena_games(nowhere, Vec::new()).await,
    ];
    for refused in refused {
        assert_eq!(refused.expect_err("refused").to_string(), said);
    }
    assert_eq!(store.tournament(nowhere).await.expect("read"), None);

    let id = store.create_tournament("").await.expect("begun");
    let sound = game(key(0), &mut TestRng::new(3));
    let odd: [fn(&mut ArenaGame); 5] = [
        |game| game.reason = "two words".into(),
        |game| game.opening = vec![String::new()],
        |game| game.moves = vec![ArenaMove::default()],
        |game| game.moves[0].value = Some("1,5".into()),
        |game| game.moves[0].text = "a\tb".into(),
    ];
    for change in odd {
        let mut game = sound.clone();
        game.moves = vec![ArenaMove {
            text: "b2".into(),
            ..ArenaMove::default()
        }];
        change(&mut game);
        // All or none.
        let both = vec![sound.clone(), game];
        let refused = store.save_arena_games(id, both).await;
        assert!(
            matches!(refused, Err(StoreError::Invalid(_))),
            "{refused:?}"
        );
    }
    assert!(store.arena_games(id).await.expect("read").is_empty());
}

#[tokio::test]
async fn one_program_at_a_time_plays_a_tournament() {
    let dir = tempfile::tempdir().expect("a folder");
    let first = hasty(dir.path()).await;
    let second = hasty(dir.path()).await;
    let id = first.create_tournament("plan").await.expect("begun");
    let game = game(key(0), &mut TestRng::new(5));
    assert!(!second.acquire_tournament(id).await.expect("asked"));
    assert!(first.acquire_tournament(id).await.expect("asked"));
    let listed = second.tournaments().await.expect("read");
    assert!(listed[0].is_running);
    let said = format!("tournament {id} is being played in another program");
    for refused in [
        second.save_arena_game(id, &game).await,
        second.update_plan(id, "other").await,
        second.release_tournament(id).await,
        second
            .set_tournament_state(id, TournamentState::Complete)
            .await,
    ] {
        assert_eq!(refused.expect_err("refused").to_string(), said);
    }
    first.save_arena_game(id, &game).await.expect("kept");

    first.release_tournament(id).await.expect("released");
    let refused = first.save_arena_game(id, &game).await;
    let said = format!("tournament {id} is not held by this program");
    assert_eq!(refused.expect_err("refused").to_string(), said);
    assert!(second.acquire_tournament(id).await.expect("asked"));
    assert!(!first.acquire_tournament(id).await.expect("asked"));
    // Closing lets go of everything, as the end of a program does.
    second.close().await;
    assert!(!first.tournaments().await.expect("read")[0].is_running);
    assert!(first.acquire_tournament(id).await.expect("asked"));
    assert_eq!(first.arena_games(id).await.expect("read"), [game]);
}

/// Files from before there were tournaments.
#[tokio::test]
async fn an_older_store_is_brought_up_to_date() {
    for version in [1, 2] {
        let dir = tempfile::tempdir().expect("a folder");
        let options = SqliteConnectOptions::new()
            .filename(dir.path().join("noughts.db"))
            .create_if_missing(true);
        let pool = SqlitePoolOptions::new().connect_lazy_with(options);
        let old: Vec<_> = migrations().into_iter().take(version).collect();
        let migrator = Migrator::with_migrations(old);
        migrator.run(&pool).await.expect("made");
        let old = "INSERT INTO games (uid, variant, o_bot, began)
                   VALUES ('00112233445566778899aabbccddeeff', 'classic', 'easy', 5)";
        sqlx::query(old).execute(&pool).await.expect("written");
        pool.close().await;

        let store = hasty(dir.path()).await;
        assert_eq!(
            store
                .games(&GameFilter::default())
                .await
                .expect("read")
                .len(),
            1
        );
        assert!(store.tournaments().await.expect("read").is_empty());
        let id = store.create_tournament("plan").await.expect("begun");
        assert!(store.arena_games(id).await.expect("read").is_empty());
        store.close().await;
    }
}
