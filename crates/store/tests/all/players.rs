//! Players: records, renaming and deleting.

use crate::common::*;
use noughts_rules::{Outcome, Side, Termination, Variant};
use noughts_store::{GameFilter, NewGame, PlayerDeletion, Seat, Store, StoreError, Tally};

fn tally(wins: u64, losses: u64, draws: u64) -> Tally {
    Tally {
        wins,
        losses,
        draws,
    }
}

/// Ada has three wins, a loss and a draw. Open and abandoned games don't count.
async fn store_with_games() -> Store {
    let store = memory().await;
    play_game(&store, [player("Ada"), bot("hard")], X_WINS).await;
    play_game(&store, [bot("hard"), player("ada")], O_WINS).await;
    play_game(&store, [player("ADA"), player("Bob")], O_WINS).await;
    play_game(&store, [player("Cleo"), player("Ada")], DRAW).await;
    let new = NewGame {
        variant: Variant::ULTIMATE,
        start: None,
        seats: [player("Ada"), player("Bob")],
    };
    let game = store.create_game(&new).await.expect("created");
    let resigned = Some(Outcome::Win(Side::X));
    store
        .finish_game(game, resigned, Termination::Resigned)
        .await
        .expect("ended");
    let game = new_game(&store, [player("Ada"), bot("easy")]).await;
    store
        .finish_game(game, None, Termination::Abandoned)
        .await
        .expect("ended");
    let game = new_game(&store, [player("Ada"), bot("medium")]).await;
    store.release_game(game).await.expect("released");
    store
}

#[tokio::test]
async fn records_have_totals_variants_and_opponents() {
    let store = store_with_games().await;
    let record = store
        .player_record(&name("aDa"))
        .await
        .expect("read")
        .expect("exists");
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
            (player("Bob"), tally(1, 1, 0)),
            (player("Cleo"), tally(0, 0, 1)),
            (bot("hard"), tally(2, 0, 0)),
        ]
    );
    let first = store.games(&GameFilter::default()).await.expect("read");
    assert_eq!(Some(record.since), first.last().map(|game| game.started));
    assert_eq!(store.player_record(&name("Zoë")).await.expect("read"), None);
    assert_eq!(store.player_tally(&name("Zoë")).await.expect("read"), None);
}

#[tokio::test]
async fn players_are_listed_most_recently_active_first() {
    let store = memory().await;
    for name in ["Ada", "Bob", "Cleo", "Bob"] {
        new_game(&store, [bot("easy"), player(name)]).await;
    }
    let players = store.all_players().await.expect("read");
    let names: Vec<&str> = players.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(names, ["Bob", "Cleo", "Ada"]);
    assert!(players.iter().all(|(_, tally)| tally.games() == 0));
}

#[tokio::test]
async fn renamed_players_keep_their_games() {
    let store = store_with_games().await;
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
    assert_eq!(games[0].seats[0], player("Lady Lovelace"));

    let old_name = store
        .rename_player(&name("LADY LOVELACE"), &name("lady Lovelace"))
        .await
        .expect("only the case");
    assert_eq!(old_name.as_str(), "Lady Lovelace");
    let games = store.games(&GameFilter::default()).await.expect("read");
    assert_eq!(games[0].seats[0].to_string(), "lady Lovelace");
}

#[tokio::test]
async fn unknown_and_taken_names_are_rejected() {
    let store = store_with_games().await;
    let message = |result: Result<_, StoreError>| result.expect_err("rejected").to_string();
    assert_eq!(
        message(store.rename_player(&name("Zoë"), &name("Ada")).await),
        "there's no player named Zoë; `noughts players` lists all players"
    );
    assert_eq!(
        message(store.rename_player(&name("Ada"), &name("BOB")).await),
        "a player named Bob already exists; choose another name"
    );
    let error = store
        .delete_player(&name("Zoë"))
        .await
        .expect_err("rejected");
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
async fn opponents_of_deleted_players_keep_their_games() {
    let store = store_with_games().await;
    let deleted = PlayerDeletion {
        name: name("Ada"),
        deleted_games: 4,
        anonymized_games: 3,
    };
    let preview = store
        .preview_delete_player(&name("ADA"))
        .await
        .expect("read");
    assert_eq!(preview.as_ref(), Some(&deleted));
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
        .expect("exists");
    assert_eq!(bob.total, tally(1, 1, 0));
    assert_eq!(bob.by_opponent, [(Seat::Deleted, tally(1, 1, 0))]);

    // A game of two deleted players is deleted.
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

    // The name is free, and IDs aren't reused.
    let game = new_game(&store, [player("Ada"), bot("easy")]).await;
    assert_eq!(game.0, 8);
    assert_eq!(
        store.player_tally(&name("Ada")).await.expect("read"),
        Some(Tally::default())
    );
}
