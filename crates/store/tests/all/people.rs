//! People: their records, new names, and what is left of them.

use crate::common::*;
use noughts_rules::{Outcome, Side, Variant};
use noughts_store::{
    GameFilter, NewGame, PlayerDeletion, Seat, Store, StoreError, Tally, Termination,
};

fn tally(wins: u64, losses: u64, ties: u64) -> Tally {
    Tally {
        wins,
        losses,
        draws: ties,
    }
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
    let game = store.create_game(&new).await.expect("begun");
    let resigned = Some(Outcome::Win(Side::X));
    store
        .finish_game(game, resigned, Termination::Resigned)
        .await
        .expect("ended");
    let game = begin(&store, [person("Ada"), bot("easy")]).await;
    store
        .finish_game(game, None, Termination::Abandoned)
        .await
        .expect("ended");
    let game = begin(&store, [person("Ada"), bot("medium")]).await;
    store.release_game(game).await.expect("released");
    store
}

#[tokio::test]
async fn a_record_tells_totals_games_and_opponents() {
    let store = some_games().await;
    let record = store
        .player_record(&name("aDa"))
        .await
        .expect("read")
        .expect("there");
    assert_eq!(record.name.as_str(), "Ada");
    assert_eq!(record.total, tally(3, 1, 1));
    assert_eq!(record.total.games(), 5);
    assert_eq!(
        record.by_variant,
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
    let first = store.games(&GameFilter::default()).await.expect("read");
    assert_eq!(Some(record.since), first.last().map(|game| game.started));
    assert_eq!(store.player_record(&name("Zoë")).await.expect("read"), None);
    assert_eq!(store.player_tally(&name("Zoë")).await.expect("read"), None);
}

#[tokio::test]
async fn the_one_who_played_last_comes_first() {
    let store = memory().await;
    for who in ["Ada", "Bob", "Cleo", "Bob"] {
        begin(&store, [bot("easy"), person(who)]).await;
    }
    let people = store.all_players().await.expect("read");
    let names: Vec<&str> = people.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(names, ["Bob", "Cleo", "Ada"]);
    assert!(people.iter().all(|(_, tally)| tally.games() == 0));
}

#[tokio::test]
async fn a_new_name_keeps_the_games() {
    let store = some_games().await;
    store
        .rename_player(&name("Ada"), &name("Lady Lovelace"))
        .await
        .expect("renamed");
    assert_eq!(store.player_tally(&name("Ada")).await.expect("read"), None);
    let tallied = store
        .player_tally(&name("lady lovelace"))
        .await
        .expect("read");
    assert_eq!(tallied, Some(tally(3, 1, 1)));
    let games = store.games(&GameFilter::default()).await.expect("read");
    assert_eq!(games[0].seats[0], person("Lady Lovelace"));

    let until_now = store
        .rename_player(&name("LADY LOVELACE"), &name("lady Lovelace"))
        .await
        .expect("only the case");
    assert_eq!(until_now.as_str(), "Lady Lovelace");
    let games = store.games(&GameFilter::default()).await.expect("read");
    assert_eq!(games[0].seats[0].to_string(), "lady Lovelace");
}

#[tokio::test]
async fn names_that_are_unknown_or_taken_are_refused() {
    let store = some_games().await;
    let said = |result: Result<_, StoreError>| result.expect_err("refused").to_string();
    assert_eq!(
        said(store.rename_player(&name("Zoë"), &name("Ada")).await),
        "there is no player called Zoë; `noughts players` lists those there are"
    );
    assert_eq!(
        said(store.rename_player(&name("Ada"), &name("BOB")).await),
        "there is a player called Bob already; choose another name"
    );
    let error = store
        .delete_player(&name("Zoë"))
        .await
        .expect_err("refused");
    assert!(matches!(error, StoreError::NoSuchPlayer(_)));
    assert_eq!(
        store
            .preview_delete_player(&name("Zoë"))
            .await
            .expect("read"),
        None
    );
    assert_eq!(store.all_players().await.expect("read").len(), 3);
}

#[tokio::test]
async fn who_is_deleted_leaves_the_others_their_games() {
    let store = some_games().await;
    let deleted = PlayerDeletion {
        name: name("Ada"),
        deleted_games: 4,
        anonymized_games: 3,
    };
    let would = store
        .preview_delete_player(&name("ADA"))
        .await
        .expect("read");
    assert_eq!(would.as_ref(), Some(&deleted));
    assert_eq!(store.all_players().await.expect("read").len(), 3);

    assert_eq!(
        store.delete_player(&name("ADA")).await.expect("deleted"),
        deleted
    );
    assert_eq!(store.player_tally(&name("Ada")).await.expect("read"), None);
    let games = store.games(&GameFilter::default()).await.expect("read");
    assert_eq!(games.len(), 3);
    assert!(games.iter().all(|game| game.seats.contains(&Seat::Deleted)));
    let bob = store
        .player_record(&name("Bob"))
        .await
        .expect("read")
        .expect("there");
    assert_eq!(bob.total, tally(1, 1, 0));
    assert_eq!(bob.by_opponent, [(Seat::Deleted, tally(1, 1, 0))]);

    // Nobody is left in a game of two who were deleted.
    let deleted = store.delete_player(&name("Bob")).await.expect("deleted");
    assert_eq!((deleted.deleted_games, deleted.anonymized_games), (2, 0));
    assert_eq!(
        store
            .games(&GameFilter::default())
            .await
            .expect("read")
            .len(),
        1
    );

    // The name is free, and a number is not given twice.
    let game = begin(&store, [person("Ada"), bot("easy")]).await;
    assert_eq!(game.0, 8);
    assert_eq!(
        store.player_tally(&name("Ada")).await.expect("read"),
        Some(Tally::default())
    );
}
