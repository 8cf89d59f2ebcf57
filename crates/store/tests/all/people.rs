//! People: their records, new names, and what is left of them.

use crate::common::*;
use noughts_rules::{Outcome, Player, Variant};
use noughts_store::{Deleted, End, Filter, NewGame, Seat, Store, StoreError, Tally};

fn tally(wins: u64, losses: u64, ties: u64) -> Tally {
    Tally { wins, losses, ties }
}

/// Ada: three wins, a loss, a tie. Nothing of what is open or was abandoned counts.
async fn some_games() -> Store {
    let store = memory().await;
    played(&store, [person("Ada"), bot("hard")], X_WINS).await;
    played(&store, [bot("hard"), person("ada")], O_WINS).await;
    played(&store, [person("ADA"), person("Bob")], O_WINS).await;
    played(&store, [person("Cleo"), person("Ada")], DRAW).await;
    let new = NewGame {
        variant: Variant::ULTIMATE,
        start: None,
        seats: [person("Ada"), person("Bob")],
    };
    let game = store.begin(&new).await.expect("begun");
    let resigned = Some(Outcome::Win(Player::X));
    store
        .finish(game, resigned, End::Resigned)
        .await
        .expect("ended");
    let game = begin(&store, [person("Ada"), bot("easy")]).await;
    store
        .finish(game, None, End::Abandoned)
        .await
        .expect("ended");
    let game = begin(&store, [person("Ada"), bot("medium")]).await;
    store.release(game).await.expect("released");
    store
}

#[tokio::test]
async fn a_record_tells_totals_games_and_opponents() {
    let store = some_games().await;
    let record = store
        .record(&name("aDa"))
        .await
        .expect("read")
        .expect("there");
    assert_eq!(record.name.as_str(), "Ada");
    assert_eq!(record.total, tally(3, 1, 1));
    assert_eq!(record.total.games(), 5);
    assert_eq!(
        record.by_game,
        [
            (Variant::CLASSIC, tally(2, 1, 1)),
            (Variant::ULTIMATE, tally(1, 0, 0))
        ]
    );
    let mut opponents = record.by_opponent;
    opponents.sort_by_key(|(seat, _)| seat.to_string());
    assert_eq!(
        opponents,
        [
            (person("Bob"), tally(1, 1, 0)),
            (person("Cleo"), tally(0, 0, 1)),
            (bot("hard"), tally(2, 0, 0)),
        ]
    );
    let first = store.games(&Filter::default()).await.expect("read");
    assert_eq!(Some(record.since), first.last().map(|game| game.began));
    assert_eq!(store.record(&name("Zoë")).await.expect("read"), None);
    assert_eq!(store.tally(&name("Zoë")).await.expect("read"), None);
}

#[tokio::test]
async fn the_one_who_played_last_comes_first() {
    let store = memory().await;
    for who in ["Ada", "Bob", "Cleo", "Bob"] {
        begin(&store, [bot("easy"), person(who)]).await;
    }
    let people = store.people().await.expect("read");
    let names: Vec<&str> = people.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(names, ["Bob", "Cleo", "Ada"]);
    assert!(people.iter().all(|(_, tally)| tally.games() == 0));
}

#[tokio::test]
async fn a_new_name_keeps_the_games() {
    let store = some_games().await;
    store
        .rename(&name("Ada"), &name("Lady Lovelace"))
        .await
        .expect("renamed");
    assert_eq!(store.tally(&name("Ada")).await.expect("read"), None);
    let tallied = store.tally(&name("lady lovelace")).await.expect("read");
    assert_eq!(tallied, Some(tally(3, 1, 1)));
    let games = store.games(&Filter::default()).await.expect("read");
    assert_eq!(games[0].seats[0], person("Lady Lovelace"));

    let until_now = store
        .rename(&name("LADY LOVELACE"), &name("lady Lovelace"))
        .await
        .expect("only the case");
    assert_eq!(until_now.as_str(), "Lady Lovelace");
    let games = store.games(&Filter::default()).await.expect("read");
    assert_eq!(games[0].seats[0].to_string(), "lady Lovelace");
}

#[tokio::test]
async fn names_that_are_unknown_or_taken_are_refused() {
    let store = some_games().await;
    let said = |result: Result<_, StoreError>| result.expect_err("refused").to_string();
    assert_eq!(
        said(store.rename(&name("Zoë"), &name("Ada")).await),
        "there is no player called Zoë; `noughts players` lists those there are"
    );
    assert_eq!(
        said(store.rename(&name("Ada"), &name("BOB")).await),
        "there is a player called Bob already; choose another name"
    );
    let error = store.delete(&name("Zoë")).await.expect_err("refused");
    assert!(matches!(error, StoreError::NoSuchPerson(_)));
    assert_eq!(store.would_delete(&name("Zoë")).await.expect("read"), None);
    assert_eq!(store.people().await.expect("read").len(), 3);
}

#[tokio::test]
async fn who_is_deleted_leaves_the_others_their_games() {
    let store = some_games().await;
    let deleted = Deleted {
        name: name("Ada"),
        gone: 4,
        kept: 3,
    };
    let would = store.would_delete(&name("ADA")).await.expect("read");
    assert_eq!(would.as_ref(), Some(&deleted));
    assert_eq!(store.people().await.expect("read").len(), 3);

    assert_eq!(store.delete(&name("ADA")).await.expect("deleted"), deleted);
    assert_eq!(store.tally(&name("Ada")).await.expect("read"), None);
    let games = store.games(&Filter::default()).await.expect("read");
    assert_eq!(games.len(), 3);
    assert!(games.iter().all(|game| game.seats.contains(&Seat::Deleted)));
    let bob = store
        .record(&name("Bob"))
        .await
        .expect("read")
        .expect("there");
    assert_eq!(bob.total, tally(1, 1, 0));
    assert_eq!(bob.by_opponent, [(Seat::Deleted, tally(1, 1, 0))]);

    // Nobody is left in a game of two who were deleted.
    let deleted = store.delete(&name("Bob")).await.expect("deleted");
    assert_eq!((deleted.gone, deleted.kept), (2, 0));
    assert_eq!(
        store.games(&Filter::default()).await.expect("read").len(),
        1
    );

    // The name is free, and a number is not given twice.
    let game = begin(&store, [person("Ada"), bot("easy")]).await;
    assert_eq!(game.0, 8);
    assert_eq!(
        store.tally(&name("Ada")).await.expect("read"),
        Some(Tally::default())
    );
}
