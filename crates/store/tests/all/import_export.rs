//! Export and import: nothing is lost, and nothing is added twice.

use crate::common::*;
use noughts_rules::{Outcome, Record, Side, Termination, Variant};
use noughts_store::{GameFilter, ImportSummary, NewGame, PlayerRecord, Seat, Store, StoredGame};

async fn export(store: &Store) -> String {
    let records = export_all(store, &GameFilter::default()).await;
    Record::format_all(&records)
}

async fn import(store: &Store, text: &str) -> ImportSummary {
    let records = Record::parse_all(text).expect("records");
    store.import(&records).await.expect("imported")
}

async fn all_games(store: &Store) -> Vec<StoredGame> {
    let mut games = Vec::new();
    for head in store.games(&GameFilter::default()).await.expect("read") {
        games.push(store.game(head.id).await.expect("read").expect("exists"));
    }
    games
}

/// A store with one game of every kind.
async fn store_with_all_kinds() -> Store {
    let store = memory().await;
    play_game(&store, [player("Ada \"the\" 1st"), bot("hard")], X_WINS).await;
    play_game(&store, [player("?"), player("李\\")], DRAW).await;
    new_game(&store, [Seat::Deleted, Seat::Deleted]).await;
    let game = new_game(&store, [player("Ada"), bot("?")]).await;
    store
        .add_move(game, 0, &mv("b2"), None)
        .await
        .expect("stored");
    store
        .reseat(game, Side::X, &bot("easy"), None)
        .await
        .expect("reseated");
    for end in Termination::ALL {
        let result = match end {
            // These come from the rules, and the games here are too short.
            Termination::Line
            | Termination::DoubleLine
            | Termination::NoMove
            | Termination::MostBoards
            | Termination::Repetition => {
                continue;
            }
            Termination::AgreedDraw => Some(Outcome::Draw),
            Termination::Abandoned => None,
            _ => Some(Outcome::Win(Side::O)),
        };
        let new = NewGame {
            variant: Variant::ULTIMATE,
            start: None,
            seats: [player("Ada"), player("Bob")],
        };
        let game = store.create_game(&new).await.expect("created");
        store
            .add_move(game, 0, &mv("ee"), None)
            .await
            .expect("stored");
        store.finish_game(game, result, end).await.expect("ended");
    }
    let new = NewGame {
        variant: "tic-tac-two:board=7".parse().expect("a variant"),
        start: Some("......./......./..xo.../...x.../..o..../......./....... x @d4".into()),
        seats: [bot("best"), player("Bob")],
    };
    let game = store.create_game(&new).await.expect("created");
    store
        .add_move(game, 0, &mv("@e4"), None)
        .await
        .expect("stored");
    store
}

#[tokio::test]
async fn exported_games_round_trip() {
    let store = store_with_all_kinds().await;
    let text = export(&store).await;
    let other = memory().await;
    let games = all_games(&store).await;
    let added = games.len() as u64;
    assert_eq!(
        import(&other, &text).await,
        ImportSummary {
            added,
            already_present: 0
        }
    );
    // Everything but the ID in the store, the holder, and whether it was imported.
    let content = |game: &StoredGame| {
        let (start, moves, game) = (game.start.clone(), game.moves.clone(), game.summary.clone());
        let times = (game.started, game.ended);
        let end = (game.result, game.end, game.changed_hands, game.assistance);
        (game.uid, game.variant, start, game.seats, moves, times, end)
    };
    let imported_games = all_games(&other).await;
    let contents = |games: &[StoredGame]| games.iter().map(content).collect::<Vec<_>>();
    assert_eq!(contents(&games), contents(&imported_games));
    assert_eq!(export(&other).await, text);
    for (name, tally) in store.all_players().await.expect("read") {
        let original = store
            .player_record(&name)
            .await
            .expect("read")
            .expect("exists");
        let imported = other.player_record(&name).await.expect("read");
        let imported = imported.unwrap_or_else(|| panic!("{name} is not there"));
        assert_eq!(original.total, tally);
        // A player's first game may have changed hands, and no longer names them.
        let since = original.since;
        assert_eq!(original, PlayerRecord { since, ..imported });
    }
    // Open games can be resumed there.
    assert_eq!(other.resumable_games().await.expect("read").len(), 3);
}

#[tokio::test]
async fn importing_twice_adds_nothing() {
    let store = store_with_all_kinds().await;
    let text = export(&store).await;
    let already_present = all_games(&store).await.len() as u64;
    assert_eq!(
        import(&store, &text).await,
        ImportSummary {
            added: 0,
            already_present
        }
    );
    assert_eq!(export(&store).await, text);
    // The same game twice in one file is one game.
    let other = memory().await;
    let doubled = format!("{text}\n{text}");
    assert_eq!(
        import(&other, &doubled).await,
        ImportSummary {
            added: already_present,
            already_present
        }
    );
    // Games that changed in the meantime stay as they are here.
    play_game(&store, [player("Cleo"), bot("easy")], X_WINS).await;
    let longer = export(&store).await;
    assert_eq!(
        import(&other, &longer).await,
        ImportSummary {
            added: 1,
            already_present
        }
    );
}

#[tokio::test]
async fn games_without_an_id_are_identified_by_their_text() {
    let one =
        "[Variant \"classic\"]\n[X \"Ada\"]\n[O \"hard\"]\n[Event \"club\"]\n\n1. b2 a1 1-0\n";
    let two = "[Variant \"classic\"]\n[X \"Ada\"]\n[Id \"17\"]\n\n1. b2 a1 1-0\n";
    let file = format!("{one}\n{one}\n{two}");
    let store = memory().await;
    assert_eq!(
        import(&store, &file).await,
        ImportSummary {
            added: 3,
            already_present: 0
        }
    );
    assert_eq!(
        import(&store, &file).await,
        ImportSummary {
            added: 0,
            already_present: 3
        }
    );
    assert_eq!(
        import(&store, one).await,
        ImportSummary {
            added: 0,
            already_present: 1
        }
    );
    let more = format!("{file}\n{one}");
    assert_eq!(
        import(&store, &more).await,
        ImportSummary {
            added: 1,
            already_present: 3
        }
    );
    let games = all_games(&store).await;
    assert!(games.iter().all(|game| game.uid.len() == 32));
    // The store doesn't know which bots exist: a name is a player's.
    assert_eq!(games[0].seats, [player("Ada"), player("hard")]);
    assert_eq!(
        (games[0].end, games[0].result),
        (Some(Termination::Resigned), Some(Outcome::Win(Side::X)))
    );
    // From here on they have an `Id` like all others.
    let text = export(&store).await;
    assert_eq!(
        import(&store, &text).await,
        ImportSummary {
            added: 0,
            already_present: 4
        }
    );
}

#[tokio::test]
async fn an_invalid_record_rejects_the_whole_import() {
    let good = "[Variant \"classic\"]\n[X \"Ada\"]\n\n1. b2 *\n";
    let store = memory().await;
    for (bad, message) in [
        (
            "[Variant \"classic\"]\n[X \"Ada\"]\n[O \"ADA\"]\n\n*\n",
            "game 2 of the records: Ada can't play both sides; give the other player a different name",
        ),
        (
            "[Variant \"classic\"]\n[X \"Ada\"]\n[End \"line\"]\n\n1. b2 1-0\n",
            "game 2 of the records: the End tag is line, but by the rules, the game isn't over",
        ),
        (
            "[Variant \"classic\"]\n[X \"Ada\"]\n\n1. b2 {[%emt -0:00:01]} 1-0\n",
            "game 2 of the records: move 1: a move time must look like [%emt 0:01:02.345]",
        ),
        (
            "[Variant \"classic\"]\n[Ended \"never\"]\n\n1-0\n",
            "game 2 of the records: the Ended tag: a time must look like 2026-11-15T19:31:07.250Z",
        ),
    ] {
        let records = Record::parse_all(&format!("{good}\n{bad}")).expect("records");
        let error = store.import(&records).await.expect_err("rejected");
        assert_eq!(error.to_string(), message);
        assert!(all_games(&store).await.is_empty());
        assert!(store.all_players().await.expect("read").is_empty());
    }
}

#[tokio::test]
async fn exports_are_filtered() {
    let store = store_with_all_kinds().await;
    let filter = GameFilter {
        player: Some(name("bob")),
        limit: Some(3),
        ..GameFilter::default()
    };
    let records = export_all(&store, &filter).await;
    let ends: Vec<Option<&str>> = records.iter().map(|record| record.tag("End")).collect();
    // The newest three, oldest first; the last is open.
    assert_eq!(ends, [Some("crash"), Some("abandoned"), None]);
}

#[tokio::test]
async fn long_games_round_trip() {
    let variant: Variant = "mnk:16,16,16".parse().expect("a variant");
    let mut state = noughts_rules::AnyGameState::new(variant);
    while state.outcome().is_none() {
        let mv = state.legal_moves()[0].clone();
        state.play(&mv).expect("a legal move");
    }
    let text = Record::new(state).to_text().repeat(5);
    let store = memory().await;
    assert_eq!(import(&store, &text).await.added, 5);
    let records = Record::parse_all(&export(&store).await).expect("records");
    assert!(
        records
            .iter()
            .all(|record| record.state().moves().len() > 200)
    );
}

/// Guards against a long import that blocks a running server from storing moves, which fails after
/// five seconds.
#[tokio::test]
async fn others_can_write_during_a_long_import() {
    let dir = tempfile::tempdir().expect("a folder");
    let here = Store::open(dir.path()).await.expect("open");
    let there = Store::open(dir.path()).await.expect("open");
    let text = "[Variant \"classic\"]\n[X \"Ada\"]\n[O \"Bob\"]\n\n1. b2 a1 *\n\n";
    let records = Record::parse_all(&text.repeat(4000)).expect("records");
    let import_task = tokio::spawn(async move { here.import(&records).await });
    // The first batch is written.
    while there.all_players().await.expect("read").is_empty() {
        tokio::task::yield_now().await;
    }
    new_game(&there, [player("Cleo"), bot("easy")]).await;
    assert!(!import_task.is_finished(), "the import came first");
    let imported = import_task.await.expect("it ran").expect("imported");
    let added = 4000;
    assert_eq!(
        imported,
        ImportSummary {
            added,
            already_present: 0
        }
    );
}

/// Regression test: batches were limited by moves alone, so that 32 games starting on deep boards
/// made a batch of many megabytes.
#[tokio::test]
async fn export_batches_are_limited_in_bytes() {
    const MAX_BYTES: usize = 256 << 10;
    let variant: Variant = "ception:depth=5".parse().expect("a variant");
    let mut state = noughts_rules::AnyGameState::new(variant);
    state.play("abcde").expect("a legal move");
    let start = state.position_text();
    assert!((MAX_BYTES / 8..MAX_BYTES / 2).contains(&start.len()));
    let store = memory().await;
    for _ in 0..10 {
        let new = NewGame {
            variant,
            start: Some(start.clone()),
            seats: [player("Ada"), bot("easy")],
        };
        store.create_game(&new).await.expect("created");
    }
    let mut export = store
        .export(&GameFilter::default())
        .await
        .expect("exported");
    let (mut games, mut largest) = (0, 0);
    while let Some(part) = export.next_part().await {
        let part = part.expect("a part");
        // Each record has a few tags as well.
        assert!(
            part.text.len() < MAX_BYTES + (8 << 10),
            "{}",
            part.text.len()
        );
        games += part.games;
        largest = largest.max(part.games);
    }
    assert_eq!(games, 10);
    assert!(largest > 1, "several fit into one part");
}
