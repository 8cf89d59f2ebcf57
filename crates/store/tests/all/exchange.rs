//! Export and import: nothing is lost on the way, and nothing comes twice.

use crate::common::*;
use noughts_rules::{Outcome, Record, Side, Variant};
use noughts_store::{
    GameFilter, ImportSummary, NewGame, PlayerRecord, Seat, Store, StoredGame, Termination,
};

async fn export(store: &Store) -> String {
    let records = exported(store, &GameFilter::default()).await;
    Record::format_all(&records)
}

async fn import(store: &Store, text: &str) -> ImportSummary {
    let records = Record::parse_all(text).expect("records");
    store.import(&records).await.expect("imported")
}

async fn all(store: &Store) -> Vec<StoredGame> {
    let mut games = Vec::new();
    for head in store.games(&GameFilter::default()).await.expect("read") {
        games.push(store.game(head.id).await.expect("read").expect("there"));
    }
    games
}

/// One of everything.
async fn varied() -> Store {
    let store = memory().await;
    played(&store, [person("Ada \"the\" 1st"), bot("hard")], X_WINS).await;
    played(&store, [person("?"), person("李\\")], DRAW).await;
    begin(&store, [Seat::Deleted, Seat::Deleted]).await;
    let game = begin(&store, [person("Ada"), bot("?")]).await;
    store
        .add_move(game, 0, &mv("b2"), None)
        .await
        .expect("stored");
    store
        .reseat(game, Side::X, &bot("easy"))
        .await
        .expect("reseated");
    for end in Termination::ALL {
        let result = match end {
            // The rules give them, and these games are too short.
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
            seats: [person("Ada"), person("Bob")],
        };
        let game = store.create_game(&new).await.expect("begun");
        store
            .add_move(game, 0, &mv("ee"), None)
            .await
            .expect("stored");
        store.finish_game(game, result, end).await.expect("ended");
    }
    let new = NewGame {
        variant: "tic-tac-two:board=7".parse().expect("a variant"),
        start: Some("......./......./..xo.../...x.../..o..../......./....... x @d4".into()),
        seats: [bot("best"), person("Bob")],
    };
    let game = store.create_game(&new).await.expect("begun");
    store
        .add_move(game, 0, &mv("@e4"), None)
        .await
        .expect("stored");
    store
}

#[tokio::test]
async fn what_is_exported_comes_back_whole() {
    let store = varied().await;
    let text = export(&store).await;
    let other = memory().await;
    let games = all(&store).await;
    let added = games.len() as u64;
    assert_eq!(
        import(&other, &text).await,
        ImportSummary {
            added,
            already_present: 0
        }
    );
    let mut back = all(&other).await;
    for (game, back) in games.iter().zip(&mut back) {
        back.id = game.id;
    }
    assert_eq!(games, back);
    assert_eq!(export(&other).await, text);
    for (who, tally) in store.all_players().await.expect("read") {
        let mine = store
            .player_record(&who)
            .await
            .expect("read")
            .expect("there");
        let theirs = other.player_record(&who).await.expect("read");
        let theirs = theirs.unwrap_or_else(|| panic!("{who} is not there"));
        assert_eq!(mine.total, tally);
        // Somebody's first game may have been handed over, and no longer names them.
        let since = mine.since;
        assert_eq!(mine, PlayerRecord { since, ..theirs });
    }
    // Open games can be resumed there.
    assert_eq!(other.resumable_games().await.expect("read").len(), 3);
}

#[tokio::test]
async fn importing_twice_is_importing_once() {
    let store = varied().await;
    let text = export(&store).await;
    let known = all(&store).await.len() as u64;
    assert_eq!(
        import(&store, &text).await,
        ImportSummary {
            added: 0,
            already_present: known
        }
    );
    assert_eq!(export(&store).await, text);
    // The same game twice in one file is one game.
    let other = memory().await;
    let doubled = format!("{text}\n{text}");
    assert_eq!(
        import(&other, &doubled).await,
        ImportSummary {
            added: known,
            already_present: known
        }
    );
    // What has gone on since stays as it is here.
    played(&store, [person("Cleo"), bot("easy")], X_WINS).await;
    let longer = export(&store).await;
    assert_eq!(
        import(&other, &longer).await,
        ImportSummary {
            added: 1,
            already_present: known
        }
    );
}

#[tokio::test]
async fn games_from_elsewhere_are_known_again_by_their_text() {
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
    let games = all(&store).await;
    assert!(games.iter().all(|game| game.uid.len() == 32));
    // Which bots there are is not known here: a name is a person's.
    assert_eq!(games[0].seats, [person("Ada"), person("hard")]);
    assert_eq!(
        (games[0].end, games[0].result),
        (Some(Termination::Resigned), Some(Outcome::Win(Side::X)))
    );
    // From here on they have an Id like all others.
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
async fn a_bad_record_keeps_all_of_them_out() {
    let good = "[Variant \"classic\"]\n[X \"Ada\"]\n\n1. b2 *\n";
    let store = memory().await;
    for (bad, said) in [
        (
            "[Variant \"classic\"]\n[X \"Ada\"]\n[O \"ADA\"]\n\n*\n",
            "game 2 of the records: Ada cannot sit on both sides; choose another player",
        ),
        (
            "[Variant \"classic\"]\n[X \"Ada\"]\n[End \"line\"]\n\n1. b2 1-0\n",
            "game 2 of the records: the tag End says line, but by the rules the game goes on",
        ),
        (
            "[Variant \"classic\"]\n[X \"Ada\"]\n\n1. b2 {[%emt -0:00:01]} 1-0\n",
            "game 2 of the records: move 1: what a move took is written like [%emt 0:01:02.345]",
        ),
        (
            "[Variant \"classic\"]\n[Ended \"never\"]\n\n1-0\n",
            "game 2 of the records: the tag Ended: a moment is written like 2026-11-15T19:31:07.250Z",
        ),
    ] {
        let records = Record::parse_all(&format!("{good}\n{bad}")).expect("records");
        let error = store.import(&records).await.expect_err("refused");
        assert_eq!(error.to_string(), said);
        assert!(all(&store).await.is_empty());
        assert!(store.all_players().await.expect("read").is_empty());
    }
}

#[tokio::test]
async fn an_export_can_be_a_part() {
    let store = varied().await;
    let filter = GameFilter {
        player: Some(name("bob")),
        limit: Some(3),
        ..GameFilter::default()
    };
    let records = exported(&store, &filter).await;
    let numbers: Vec<Option<&str>> = records.iter().map(|record| record.tag("End")).collect();
    // The newest three, oldest first; the last goes on.
    assert_eq!(numbers, [Some("crash"), Some("abandoned"), None]);
}

#[tokio::test]
async fn a_long_game_comes_back_whole() {
    let variant: Variant = "mnk:16,16,16".parse().expect("a variant");
    let mut play = noughts_rules::AnyGameState::new(variant);
    while play.outcome().is_none() {
        let mv = play.legal_moves()[0].clone();
        play.play(&mv).expect("a legal move");
    }
    let text = Record::new(play).to_text().repeat(5);
    let store = memory().await;
    assert_eq!(import(&store, &text).await.added, 5);
    let records = Record::parse_all(&export(&store).await).expect("records");
    assert!(
        records
            .iter()
            .all(|record| record.state().moves().len() > 200)
    );
}

/// Guards against a long import that keeps a running server from storing moves: it is refused
/// after five seconds.
#[tokio::test]
async fn others_can_write_during_a_long_import() {
    let dir = tempfile::tempdir().expect("a folder");
    let here = Store::open(dir.path()).await.expect("open");
    let there = Store::open(dir.path()).await.expect("open");
    let text = "[Variant \"classic\"]\n[X \"Ada\"]\n[O \"Bob\"]\n\n1. b2 a1 *\n\n";
    let records = Record::parse_all(&text.repeat(4000)).expect("records");
    let importing = tokio::spawn(async move { here.import(&records).await });
    // Its first batch is written.
    while there.all_players().await.expect("read").is_empty() {
        tokio::task::yield_now().await;
    }
    begin(&there, [person("Cleo"), bot("easy")]).await;
    assert!(!importing.is_finished(), "the import came first");
    let imported = importing.await.expect("it ran").expect("imported");
    let added = 4000;
    assert_eq!(
        imported,
        ImportSummary {
            added,
            already_present: 0
        }
    );
}

/// Guards parts that were bounded by moves alone: 32 games that start on deep boards were one
/// part of many megabytes.
#[tokio::test]
async fn a_part_of_an_export_is_bounded_by_bytes() {
    const MOST: usize = 256 << 10;
    let variant: Variant = "ception:depth=5".parse().expect("a variant");
    let mut play = noughts_rules::AnyGameState::new(variant);
    play.play("abcde").expect("a legal move");
    let start = play.position_text();
    assert!((MOST / 8..MOST / 2).contains(&start.len()));
    let store = memory().await;
    for _ in 0..10 {
        let new = NewGame {
            variant,
            start: Some(start.clone()),
            seats: [person("Ada"), bot("easy")],
        };
        store.create_game(&new).await.expect("begun");
    }
    let mut export = store
        .export(&GameFilter::default())
        .await
        .expect("exported");
    let (mut games, mut largest) = (0, 0);
    while let Some(part) = export.next_part().await {
        let part = part.expect("a part");
        // Each record has a few tags, too.
        assert!(part.text.len() < MOST + (8 << 10), "{}", part.text.len());
        games += part.games;
        largest = largest.max(part.games);
    }
    assert_eq!(games, 10);
    assert!(largest > 1, "several fit into one part");
}
