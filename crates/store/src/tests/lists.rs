//! Lists: their indexes and pages, and that readers and writers don't wait for each other.

use std::fs;
use std::io::Read as _;
use std::time::Duration;

use noughts_rules::{Outcome, Record, Side, Variant};
use sqlx::{Connection, QueryBuilder, Row, Sqlite};
use tokio::time::timeout;

use super::open_without_sync;
use crate::checkpoint::WalLimits;
use crate::{
    GameFilter, GameId, Name, NewGame, PlayerFilter, ResultFilter, Seat, Store, StoreError,
    StoredMove,
};

/// Far more than anything here needs on a busy machine; turns an endless wait into a failure.
const TIMEOUT: Duration = Duration::from_secs(60);

fn name(text: &str) -> Name {
    Name::new(text).expect("a name")
}

fn new_game(x: &str, o: Seat) -> NewGame {
    NewGame {
        variant: Variant::ULTIMATE,
        start: None,
        seats: [Seat::Player(name(x)), o],
    }
}

fn mv(text: &str) -> StoredMove {
    StoredMove {
        text: text.into(),
        took: Duration::ZERO,
    }
}

async fn query_plan(store: &Store, query: &QueryBuilder<Sqlite>) -> Vec<String> {
    let mut explained = QueryBuilder::<Sqlite>::new("EXPLAIN QUERY PLAN ");
    // The query plan doesn't depend on values: none are bound.
    explained.push(query.sql().as_str());
    let rows = explained.build().fetch_all(store.list_pool()).await;
    let rows = rows.expect("explained");
    rows.iter()
        .map(|row| row.try_get::<String, _>("detail").expect("a text"))
        .collect()
}

/// A list that sorts or scans all games would get slower with every game.
#[tokio::test]
async fn every_list_order_uses_an_index() {
    let dir = tempfile::tempdir().expect("a folder");
    let store = open_without_sync(dir.path()).await;
    let all = GameFilter {
        limit: Some(51),
        played: true,
        ..GameFilter::default()
    };
    let ada = GameFilter {
        player: Some(name("Ada")),
        ..all.clone()
    };
    let filters = [
        all.clone(),
        ada.clone(),
        GameFilter {
            opponent: Some("hard".into()),
            ..all.clone()
        },
        GameFilter {
            opponent: Some("hard".into()),
            ..ada.clone()
        },
        GameFilter {
            variant: Some(Variant::CLASSIC),
            ..all.clone()
        },
        GameFilter {
            variant: Some(Variant::CLASSIC),
            ..ada.clone()
        },
        GameFilter {
            result: Some(ResultFilter::Outcome(Outcome::Draw)),
            ..all.clone()
        },
        GameFilter {
            result: Some(ResultFilter::Won),
            ..ada.clone()
        },
        GameFilter {
            open: Some(true),
            ..all.clone()
        },
        GameFilter {
            open: Some(false),
            ..all.clone()
        },
    ];
    for filter in filters {
        for before in [None, Some(GameId(12))] {
            let filter = GameFilter {
                before,
                ..filter.clone()
            };
            let mut query = QueryBuilder::new("");
            filter.push_page(&mut query).expect("a query");
            let query_plan = query_plan(&store, &query).await;
            for step in &query_plan {
                let sorts = step.contains("TEMP B-TREE");
                let scans = step == "SCAN games";
                assert!(!sorts && !scans, "{filter:?}: {query_plan:#?}");
            }
        }
    }
    let adas_games = GameFilter {
        variant: Some(Variant::CLASSIC),
        ..ada
    };
    let mut query = QueryBuilder::new("");
    adas_games.push_page(&mut query).expect("a query");
    let adas_games = query_plan(&store, &query).await;
    assert!(
        adas_games
            .iter()
            .any(|step| step.contains("games_of_x_by_variant")),
        "{adas_games:#?}"
    );
    for after in [None, Some("1-2-3".parse().expect("a place"))] {
        let filter = PlayerFilter {
            played: true,
            after,
            limit: Some(50),
        };
        let query_plan = query_plan(&store, &filter.query()).await;
        assert!(
            query_plan[0].contains("USING INDEX people_by_last"),
            "{query_plan:#?}"
        );
        assert!(
            !query_plan
                .iter()
                .any(|step| step.contains("TEMP B-TREE") || step == "SCAN games"),
            "{query_plan:#?}"
        );
    }
}

/// Paging gives the same list as one query for every filter, even with a player and a bot of the
/// same name.
#[tokio::test]
async fn pages_of_games_add_up_to_the_whole_list() {
    let store = Store::in_memory().await.expect("opens");
    let mut text = String::new();
    for i in 0..40 {
        let o = ["Bob", "hard", "Ada", "Cleo"][i % 4];
        let kind = ["person", "bot", "bot", "person"][i % 4];
        // Some start at the same time, and not in the order of their IDs.
        let minute = i * 7 % 10;
        text += &format!(
            "[Variant \"classic\"]\n[X \"Ada\"]\n[XKind \"{}\"]\n[O \"{o}\"]\n[OKind \"{kind}\"]\n\
             [Began \"2026-01-01T00:{minute:02}:00Z\"]\n\n1. b2 a1 2. c3 {}\n\n",
            ["person", "bot"][i / 20],
            ["1-0", "0-1", "1/2-1/2", "*"][i / 4 % 4],
        );
    }
    let records = Record::parse_all(&text).expect("records");
    store.import(&records).await.expect("imported");
    let mut filters = vec![GameFilter::default()];
    for player in [None, Some(name("Ada"))] {
        for opponent in [None, Some("Ada"), Some("hard"), Some("Bob")] {
            for result in [
                None,
                Some(ResultFilter::Outcome(Outcome::Win(Side::X))),
                Some(ResultFilter::Won),
            ] {
                if result == Some(ResultFilter::Won) && player.is_none() {
                    continue;
                }
                filters.push(GameFilter {
                    player: player.clone(),
                    opponent: opponent.map(Into::into),
                    result,
                    ..GameFilter::default()
                });
            }
        }
    }
    for filter in filters {
        let all = store.games(&filter).await.expect("listed");
        let order: Vec<_> = all.iter().map(|game| (game.started, game.id)).collect();
        assert!(order.is_sorted_by(|a, b| a > b), "{filter:?}");
        let mut paged = Vec::new();
        loop {
            let page = GameFilter {
                before: paged.last().map(|game: &crate::GameSummary| game.id),
                limit: Some(3),
                ..filter.clone()
            };
            let page = store.games(&page).await.expect("listed");
            if page.is_empty() {
                break;
            }
            paged.extend(page);
        }
        assert_eq!(paged, all, "{filter:?}");
    }
    let with_ada = GameFilter {
        opponent: Some("ada".into()),
        ..GameFilter::default()
    };
    // Ada plays in all of them, as a bot or a player, and in some on both sides.
    assert_eq!(store.games(&with_ada).await.expect("listed").len(), 40);
}

/// A list must not end because the game at the page boundary was deleted.
#[tokio::test]
async fn paging_continues_after_a_deleted_game() {
    let store = Store::in_memory().await.expect("opens");
    let mut games = Vec::new();
    for _ in 0..4 {
        games.push(
            store
                .create_game(&new_game("Ada", Seat::Deleted))
                .await
                .expect("created"),
        );
    }
    store.discard_game(games[2]).await.expect("deleted");
    let next = GameFilter {
        before: Some(games[2]),
        ..GameFilter::default()
    };
    let next = store.games(&next).await.expect("listed");
    let ids: Vec<GameId> = next.iter().map(|game| game.id).collect();
    assert_eq!(ids, [games[1], games[0]]);
}

/// A player who becomes active between two pages is neither lost nor listed twice.
#[tokio::test]
async fn pages_of_players_are_stable() {
    let store = Store::in_memory().await.expect("opens");
    for i in 0..7 {
        let player = format!("P{i}");
        store
            .create_game(&new_game(&player, Seat::Deleted))
            .await
            .expect("created");
    }
    let mut filter = PlayerFilter {
        limit: Some(3),
        ..PlayerFilter::default()
    };
    let mut names = Vec::new();
    for page in 0.. {
        let found = store.players(&filter).await.expect("listed");
        names.extend(found.players.iter().map(|(name, _)| name.to_string()));
        if page == 0 {
            // P5 was on the first page and moves to the top of the list.
            store
                .create_game(&new_game("P5", Seat::Deleted))
                .await
                .expect("created");
        }
        filter.after = found.next;
        if found.next.is_none() {
            break;
        }
    }
    assert_eq!(names, ["P6", "P5", "P4", "P3", "P2", "P1", "P0"]);
    let first = store.all_players().await.expect("listed");
    assert_eq!(first[0].0, name("P5"));
}

#[tokio::test]
async fn records_are_paged() {
    let store = Store::in_memory().await.expect("opens");
    let mut text = String::new();
    for i in 0..5 {
        text += &format!(
            "[Variant \"mnk:3,{},3\"]\n[X \"Ada\"]\n[O \"P{i}\"]\n\n1. b2 a1 1-0\n\n",
            3 + i
        );
    }
    let records = Record::parse_all(&text).expect("records");
    store.import(&records).await.expect("imported");
    let ada = name("Ada");
    let whole = store
        .player_record(&ada)
        .await
        .expect("read")
        .expect("exists");
    assert!(!whole.has_more && whole.by_opponent.len() == 5);
    for (from, more) in [(0, true), (2, true), (4, false), (6, false)] {
        let page = store.player_record_page(&ada, from, 2).await.expect("read");
        let page = page.expect("exists");
        let expected: Vec<_> = whole
            .by_opponent
            .iter()
            .skip(from as usize)
            .take(2)
            .collect();
        assert_eq!(page.by_opponent.iter().collect::<Vec<_>>(), expected);
        assert_eq!(page.by_variant.len(), expected.len());
        assert_eq!((page.total, page.has_more), (whole.total, more));
    }
}

/// Regression test: with one connection for everything, readers and writers waited for each other.
#[tokio::test]
async fn readers_and_writers_do_not_wait_for_each_other() {
    let dir = tempfile::tempdir().expect("a folder");
    let store = open_without_sync(dir.path()).await;
    let ada = name("Ada");
    let game = store
        .create_game(&new_game("Ada", Seat::Deleted))
        .await
        .expect("created");

    let tx = store.begin_write().await.expect("created");
    let reads = async {
        assert_eq!(
            store
                .games(&GameFilter::default())
                .await
                .expect("listed")
                .len(),
            1
        );
        assert_eq!(store.all_players().await.expect("listed").len(), 1);
        assert!(store.player_record(&ada).await.expect("read").is_some());
        assert!(store.game(game).await.expect("read").is_some());
        assert_eq!(
            super::export_all(&store, &GameFilter::default())
                .await
                .len(),
            1
        );
    };
    timeout(TIMEOUT, reads)
        .await
        .expect("reads don't wait for a write");
    tx.rollback().await.expect("undone");

    // Every list connection is in the middle of a transaction.
    let mut lists = Vec::new();
    while let Some(mut connection) = store.list_pool().try_acquire() {
        sqlx::query("BEGIN")
            .execute(&mut *connection)
            .await
            .expect("created");
        sqlx::query("SELECT * FROM games")
            .fetch_all(&mut *connection)
            .await
            .expect("read");
        lists.push(connection);
        if lists.len() as u32 == store.list_pool().options().get_max_connections() {
            break;
        }
    }
    let writes = async {
        store
            .add_move(game, 0, &mv("ee"), None)
            .await
            .expect("stored");
        assert!(store.game(game).await.expect("read").is_some());
        assert!(store.player_tally(&ada).await.expect("read").is_some());
    };
    timeout(TIMEOUT, writes)
        .await
        .expect("a write doesn't wait for lists");
    for mut connection in lists {
        sqlx::query("ROLLBACK")
            .execute(&mut *connection)
            .await
            .expect("ended");
    }
    store.close().await;
}

/// Shutdown doesn't wait for lists.
#[tokio::test]
async fn shutdown_interrupts_lists() {
    let dir = tempfile::tempdir().expect("a folder");
    let store = open_without_sync(dir.path()).await;
    let game = store
        .create_game(&new_game("Ada", Seat::Deleted))
        .await
        .expect("created");
    let endless = store.clone();
    let (started_sender, started) = tokio::sync::oneshot::channel();
    let endless = tokio::spawn(async move {
        let mut connection = endless.list_pool().acquire().await.expect("a connection");
        let _ = started_sender.send(());
        let sql = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n)
                   SELECT COUNT(*) FROM n";
        let counted = sqlx::query_scalar::<_, i64>(sql).fetch_one(&mut *connection);
        endless
            .with_error_context(async { Ok(counted.await?) })
            .await
    });
    started.await.expect("created");
    store.interrupt_lists();
    let counted = timeout(TIMEOUT, endless)
        .await
        .expect("it ends")
        .expect("no panic");
    assert!(
        matches!(counted, Err(StoreError::ShuttingDown)),
        "{counted:?}"
    );
    // Everything else works until the store is closed.
    store
        .add_move(game, 0, &mv("ee"), None)
        .await
        .expect("stored");
    assert!(store.game(game).await.expect("read").is_some());
    let export = store.export(&GameFilter::default()).await;
    if let Ok(export) = export {
        assert!(matches!(
            export.collect().await,
            Err(StoreError::ShuttingDown)
        ));
    }
    timeout(TIMEOUT, store.close()).await.expect("it closes");
}

/// The log of a store that is never idle must not grow without bound: the writer restarts it after
/// a checkpoint, and its header counts the restarts.
#[tokio::test]
async fn the_log_is_restarted_under_load() {
    let dir = tempfile::tempdir().expect("a folder");
    let limits = WalLimits {
        checkpoint_writes: 20,
        restart_pages: 50,
        ..WalLimits::default()
    };
    let settings = |options: sqlx::sqlite::SqliteConnectOptions| {
        options.synchronous(sqlx::sqlite::SqliteSynchronous::Off)
    };
    let store = Store::open_with(dir.path(), settings, limits)
        .await
        .expect("opens");
    let restarts = || {
        let log = fs::read(dir.path().join("noughts.db-wal")).expect("a log");
        let count = log.get(12..16).expect("a header");
        u32::from_be_bytes(count.try_into().expect("four bytes"))
    };
    let game = store
        .create_game(&new_game("Ada", Seat::Deleted))
        .await
        .expect("created");
    let before = restarts();
    let mut writes = 0;
    while restarts() < before + 3 {
        writes += 1;
        assert!(
            writes < 100_000,
            "the log has {} restarts",
            restarts() - before
        );
        store
            .reseat(game, Side::O, &Seat::Bot(format!("b{writes}")), None)
            .await
            .expect("stored");
    }
    let copied: (i64, i64, i64) = sqlx::query_as("PRAGMA wal_checkpoint(PASSIVE)")
        .fetch_one(store.write_pool())
        .await
        .expect("copied");
    assert_eq!(copied.1, copied.2, "nobody reads");
    store.close().await;
    assert!(!dir.path().join("noughts.db-wal").exists());
}

/// Regression test: commits of preferences didn't count toward the limit of the log.
#[tokio::test]
async fn preferences_count_as_writes_to_the_log() {
    let dir = tempfile::tempdir().expect("a folder");
    let limits = WalLimits {
        checkpoint_writes: 20,
        restart_pages: 50,
        ..WalLimits::default()
    };
    let settings = |options: sqlx::sqlite::SqliteConnectOptions| {
        options.synchronous(sqlx::sqlite::SqliteSynchronous::Off)
    };
    let store = Store::open_with(dir.path(), settings, limits)
        .await
        .expect("opens");
    let restarts = || {
        let mut log = fs::File::open(dir.path().join("noughts.db-wal")).expect("a log");
        let mut header = [0; 16];
        log.read_exact(&mut header).expect("a header");
        let [.., a, b, c, d] = header;
        u32::from_be_bytes([a, b, c, d])
    };
    store.set_preference("key", "0").await.expect("stored");
    let before = restarts();
    let mut writes = 0;
    while restarts() == before {
        writes += 1;
        assert!(writes < 5_000, "the log was never restarted");
        let value = writes.to_string();
        store.set_preference("key", &value).await.expect("stored");
    }
    store.close().await;
}

/// A read transaction keeps its snapshot while others write.
#[tokio::test]
async fn a_read_transaction_keeps_its_snapshot() {
    let dir = tempfile::tempdir().expect("a folder");
    let store = open_without_sync(dir.path()).await;
    let game = store
        .create_game(&new_game("Ada", Seat::Deleted))
        .await
        .expect("created");
    let mut connection = store.list_pool().acquire().await.expect("a connection");
    let mut tx = connection.begin().await.expect("created");
    let before: i64 = sqlx::query_scalar("SELECT COUNT(*) FROM moves")
        .fetch_one(&mut *tx)
        .await
        .expect("read");
    store
        .add_move(game, 0, &mv("ee"), None)
        .await
        .expect("stored");
    // A reader sees one snapshot, whatever is written meanwhile.
    let after: i64 = sqlx::query_scalar("SELECT COUNT(*) FROM moves")
        .fetch_one(&mut *tx)
        .await
        .expect("read");
    assert_eq!((before, after), (0, 0));
}

/// Regression test: deleting a player was one transaction over all their games, and moves of others
/// failed meanwhile.
#[tokio::test]
async fn players_are_deleted_in_resumable_batches() {
    let store = Store::in_memory().await.expect("opens");
    let ada = name("Ada");
    let mut text = String::new();
    for i in 0..120 {
        let other = if i % 12 == 0 { "Bob" } else { "?" };
        text += &format!("[Variant \"classic\"]\n[X \"Ada\"]\n[O \"{other}\"]\n");
        text += &format!("[Id \"{i:032x}\"]\n\n1. b2 a1 1-0\n\n");
    }
    let records = Record::parse_all(&text).expect("records");
    store.import(&records).await.expect("imported");

    let (deleted, anonymized) = store
        .with_error_context(store.delete_player_batch(&ada))
        .await
        .expect("deleted")
        .expect("the first of several steps");
    assert_eq!(deleted + anonymized, 50);
    assert!(
        store.player_tally(&ada).await.expect("read").is_some(),
        "not yet"
    );
    let remaining = store.preview_delete_player(&ada).await.expect("read");
    let remaining = remaining.expect("exists");
    assert_eq!(remaining.deleted_games + remaining.anonymized_games, 70);

    assert_eq!(store.delete_player(&ada).await.expect("deleted"), remaining);
    assert_eq!(store.player_tally(&ada).await.expect("read"), None);
    assert_eq!(
        (
            deleted + remaining.deleted_games,
            anonymized + remaining.anonymized_games
        ),
        (110, 10)
    );
    let games = store.games(&GameFilter::default()).await.expect("read");
    assert_eq!(games.len(), 10);
    assert!(games.iter().all(|game| game.seats[0] == Seat::Deleted));
}

/// Regression test: deleting a game scanned all games.
#[tokio::test]
async fn the_preceding_game_is_found_by_an_index() {
    let store = Store::in_memory().await.expect("opens");
    let query =
        QueryBuilder::new("SELECT id FROM games WHERE next = (SELECT uid FROM games WHERE id = 1)");
    let query_plan = query_plan(&store, &query).await;
    assert!(
        query_plan.iter().any(|step| step.contains("games_next")),
        "{query_plan:#?}"
    );
}

/// Regression test: the front page waited for exports to read three games.
#[tokio::test]
async fn games_of_a_visitor_do_not_wait_for_lists() {
    let dir = tempfile::tempdir().expect("a folder");
    let store = open_without_sync(dir.path()).await;
    let new = crate::NewOnlineGame {
        uid: Store::new_uid().expect("random"),
        game: new_game("Ada", Seat::Deleted),
        visitors: [Some([1; 32]), None],
        invites: [None; 2],
        rematch_of: None,
    };
    let game = store.create_online_game(&new).await.expect("created");
    store
        .add_move(game, 0, &mv("ee"), None)
        .await
        .expect("stored");
    // Every list connection is in use.
    let mut taken = Vec::new();
    for _ in 0..store.list_pool().options().get_max_connections() {
        taken.push(store.list_pool().acquire().await.expect("a connection"));
    }
    let found = timeout(TIMEOUT, store.open_games_of([1; 32], 3)).await;
    let found = found.expect("it doesn't wait").expect("read");
    assert_eq!(found.len(), 1);
    assert_eq!(found[0].id, game);
    let others = store.open_games_of([2; 32], 3).await.expect("read");
    assert!(others.is_empty());
    let none = store.open_games_of([1; 32], 0).await.expect("read");
    assert!(none.is_empty());
}
