//! Games while they are played and afterwards: what is rejected, and what is stored.

use crate::common::*;
use noughts_rules::{Assistance, Outcome, Side, Termination, Variant};
use noughts_store::{GameFilter, GameId, NewGame, ResultFilter, Seat, StoreError};

const X: Outcome = Outcome::Win(Side::X);

#[tokio::test]
async fn played_games_are_stored() {
    let store = memory().await;
    let id = play_game(&store, [player("Ada"), bot("hard")], X_WINS).await;
    let game = store.game(id).await.expect("read").expect("exists");
    assert_eq!(game.seats, [player("Ada"), bot("hard")]);
    let moves: Vec<&str> = game.moves.iter().map(|mv| mv.text.as_str()).collect();
    assert_eq!(moves.join(" "), X_WINS);
    assert!(game.moves.iter().all(|mv| mv.took.as_millis() == 1234));
    assert_eq!((game.result, game.end), (Some(X), Some(Termination::Line)));
    assert!(game.ended >= Some(game.started));
    assert!(!game.changed_hands);
    assert_eq!(game.uid.len(), 32);
    assert_eq!(game.replay().expect("a game").outcome(), Some(X));
    assert_eq!(store.game(GameId(id.0 + 1)).await.expect("read"), None);
}

#[tokio::test]
async fn a_move_with_the_wrong_ply_changes_nothing() {
    let store = memory().await;
    let id = new_game(&store, [player("Ada"), player("Bob")]).await;
    store
        .add_move(id, 0, &mv("b2"), None)
        .await
        .expect("stored");
    for ply in [0, 2, usize::MAX] {
        let end = Some((X, Termination::Line));
        let error = store
            .add_move(id, ply, &mv("a1"), end)
            .await
            .expect_err("rejected");
        assert!(matches!(error, StoreError::Conflict { .. }), "{error}");
        assert_eq!(
            error.to_string(),
            format!("game 1 was changed in the meantime (expected moves: {ply}, stored: 1)")
        );
    }
    let game = store.game(id).await.expect("read").expect("exists");
    assert_eq!((game.moves.len(), game.ended), (1, None));
}

#[tokio::test]
async fn finished_games_cannot_be_changed() {
    let store = memory().await;
    let id = play_game(&store, [player("Ada"), bot("easy")], X_WINS).await;
    let before = store.game(id).await.expect("read");
    let rejections = [
        store.add_move(id, 5, &mv("c3"), None).await,
        store.take_back(id, 2).await,
        store.finish_game(id, None, Termination::Abandoned).await,
        store.reseat(id, Side::X, &bot("hard"), None).await,
    ];
    for rejected in rejections {
        let error = rejected.expect_err("rejected");
        assert_eq!(error.to_string(), "game 1 is over, so it can't be changed");
    }
    assert!(!store.acquire_game(id).await.expect("no error"));
    assert_eq!(store.game(id).await.expect("read"), before);
}

#[tokio::test]
async fn moves_of_open_games_can_be_taken_back() {
    let store = memory().await;
    let id = new_game(&store, [player("Ada"), bot("easy")]).await;
    for (ply, text) in ["b2", "a1", "c1"].into_iter().enumerate() {
        store
            .add_move(id, ply, &mv(text), None)
            .await
            .expect("stored");
    }
    store.take_back(id, 1).await.expect("taken back");
    store
        .add_move(id, 1, &mv("c3"), None)
        .await
        .expect("stored");
    let game = store.game(id).await.expect("read").expect("exists");
    let moves: Vec<&str> = game.moves.iter().map(|mv| mv.text.as_str()).collect();
    assert_eq!(moves, ["b2", "c3"]);
}

/// Only open games without moves can be discarded, and their IDs aren't reused.
#[tokio::test]
async fn a_game_without_a_move_can_be_discarded() {
    let store = memory().await;
    let empty = new_game(&store, [player("Ada"), bot("easy")]).await;
    let started = new_game(&store, [player("Ada"), bot("easy")]).await;
    store
        .add_move(started, 0, &mv("b2"), None)
        .await
        .expect("stored");
    let resigned = new_game(&store, [player("Ada"), bot("easy")]).await;
    store
        .finish_game(resigned, Some(X), Termination::Resigned)
        .await
        .expect("ended");
    store.discard_game(empty).await.expect("discarded");
    assert_eq!(store.game(empty).await.expect("read"), None);
    for stored in [started, resigned] {
        let error = store.discard_game(stored).await.expect_err("rejected");
        assert!(matches!(error, StoreError::Conflict { .. }), "{error}");
        assert!(store.game(stored).await.expect("read").is_some());
    }
    let missing = store.discard_game(empty).await.expect_err("rejected");
    assert!(matches!(missing, StoreError::NoSuchGame(_)), "{missing}");
    let next = new_game(&store, [player("Ada"), bot("easy")]).await;
    assert!(next > resigned);
}

#[tokio::test]
async fn games_held_by_a_live_process_are_not_discarded() {
    let dir = tempfile::tempdir().expect("a folder");
    let here = noughts_store::Store::open(dir.path()).await.expect("open");
    let there = noughts_store::Store::open(dir.path()).await.expect("open");
    let id = new_game(&there, [player("Ada"), bot("easy")]).await;
    let error = here.discard_game(id).await.expect_err("rejected");
    assert!(matches!(error, StoreError::Conflict { .. }), "{error}");
    there.close().await;
    drop(there);
    here.discard_game(id)
        .await
        .expect("nobody holds it any more");
}

#[tokio::test]
async fn a_player_cannot_have_both_sides() {
    let store = memory().await;
    let game = NewGame {
        variant: Variant::CLASSIC,
        start: None,
        seats: [player("Ada"), player("ADA")],
    };
    let error = store.create_game(&game).await.expect_err("rejected");
    assert_eq!(
        error.to_string(),
        "Ada can't play both sides; give the other player a different name"
    );
    assert!(store.all_players().await.expect("read").is_empty());

    let id = new_game(&store, [player("Ada"), player("Bob")]).await;
    let error = store.reseat(id, Side::O, &player("ada"), None).await;
    assert!(matches!(error, Err(StoreError::SamePlayer(_))));
}

#[tokio::test]
async fn the_start_must_be_a_valid_open_position() {
    let store = memory().await;
    let mut game = NewGame {
        variant: Variant::CLASSIC,
        start: Some("xo./.../... x".into()),
        seats: [bot("easy"), bot("hard")],
    };
    let id = store.create_game(&game).await.expect("created");
    let stored = store.game(id).await.expect("read").expect("exists");
    assert_eq!(stored.start.as_deref(), Some("xo./.../... x"));
    game.start = Some(".../.../... x".into());
    let id = store.create_game(&game).await.expect("created");
    assert_eq!(
        store.game(id).await.expect("read").expect("exists").start,
        None
    );
    for bad in ["xxx/oo./... o", "xx./.../... x", "?"] {
        game.start = Some(bad.into());
        assert!(
            matches!(store.create_game(&game).await, Err(StoreError::Invalid(_))),
            "{bad}"
        );
    }
}

/// A player who took over a running game hasn't played all of it, and neither has the one who left.
#[tokio::test]
async fn games_that_changed_hands_are_not_rated() {
    let store = memory().await;
    let id = new_game(&store, [player("Ada"), player("Bob")]).await;
    store
        .reseat(id, Side::O, &player("Cleo"), None)
        .await
        .expect("reseated");
    assert!(
        !store
            .game(id)
            .await
            .expect("read")
            .expect("exists")
            .changed_hands
    );
    store
        .add_move(id, 0, &mv("b2"), None)
        .await
        .expect("stored");
    store
        .reseat(id, Side::O, &player("cleo"), None)
        .await
        .expect("the same");
    assert!(
        !store
            .game(id)
            .await
            .expect("read")
            .expect("exists")
            .changed_hands
    );
    store
        .reseat(id, Side::X, &bot("hard"), None)
        .await
        .expect("reseated");
    store
        .reseat(id, Side::X, &player("Ada"), None)
        .await
        .expect("and back");
    let game = store.game(id).await.expect("read").expect("exists");
    assert!(game.changed_hands);
    assert_eq!(game.seats, [player("Ada"), player("Cleo")]);
    store
        .finish_game(id, Some(X), Termination::Resigned)
        .await
        .expect("ended");
    assert_eq!(
        store.player_tally(&name("Ada")).await.expect("read"),
        Some(Default::default())
    );
}

/// Recorded assistance stays recorded, whatever happens afterwards.
#[tokio::test]
async fn assisted_games_are_not_rated() {
    for how in Assistance::ALL {
        let store = memory().await;
        let id = new_game(&store, [player("Ada"), bot("easy")]).await;
        for (ply, text) in ["b2", "a1"].into_iter().enumerate() {
            let stored = store.add_move(id, ply, &mv(text), None).await;
            stored.expect("stored");
        }
        let read = || async { store.game(id).await.expect("read").expect("exists") };
        store.take_back(id, 2).await.expect("nothing to take back");
        assert!(read().await.is_rated());
        match how {
            Assistance::Takeback => store.take_back(id, 1).await.expect("taken back"),
            _ => store.mark_assisted(id, how).await.expect("marked"),
        }
        assert_eq!(read().await.assistance, Some(how));
        let other = Assistance::ALL
            .into_iter()
            .find(|&other_kind| other_kind != how);
        let marked = store.mark_assisted(id, other.expect("another")).await;
        marked.expect("marked again");
        assert_eq!(read().await.assistance, Some(how), "the first one stays");
        let finished = store.finish_game(id, Some(X), Termination::Resigned).await;
        finished.expect("ended");
        assert!(!read().await.is_rated());
        let tally = store.player_tally(&name("Ada")).await.expect("read");
        assert_eq!(tally, Some(Default::default()));
        let late = store.mark_assisted(id, how).await;
        assert!(matches!(late, Err(StoreError::Conflict { .. })), "{late:?}");
    }
}

#[tokio::test]
async fn abandoned_games_are_not_rated() {
    let store = memory().await;
    let id = new_game(&store, [player("Ada"), bot("easy")]).await;
    let error = store
        .finish_game(id, Some(X), Termination::Abandoned)
        .await
        .expect_err("rejected");
    assert_eq!(error.to_string(), "an abandoned game can't have a result");
    store
        .finish_game(id, None, Termination::Abandoned)
        .await
        .expect("ended");
    let game = store.game(id).await.expect("read").expect("exists");
    assert_eq!(
        (game.result, game.end),
        (None, Some(Termination::Abandoned))
    );
    assert_eq!(
        store.player_tally(&name("ada")).await.expect("read"),
        Some(Default::default())
    );
}

#[tokio::test]
async fn lists_are_filtered_and_newest_first() {
    let store = memory().await;
    play_game(&store, [player("Ada"), bot("hard")], X_WINS).await;
    play_game(&store, [bot("hard"), player("Ada")], X_WINS).await;
    play_game(&store, [player("Bob"), player("Ada")], O_WINS).await;
    play_game(&store, [player("Bob"), bot("easy")], DRAW).await;
    new_game(&store, [player("Ada"), player("Bob")]).await;
    let ada = || GameFilter {
        player: Some(name("ada")),
        ..GameFilter::default()
    };
    let against = |opponent: &str| GameFilter {
        opponent: Some(opponent.into()),
        ..GameFilter::default()
    };
    let result = |result| GameFilter {
        result: Some(result),
        ..ada()
    };
    for (filter, expected) in [
        (GameFilter::default(), vec![5, 4, 3, 2, 1]),
        (
            GameFilter {
                played: true,
                ..GameFilter::default()
            },
            vec![4, 3, 2, 1],
        ),
        (ada(), vec![5, 3, 2, 1]),
        (
            GameFilter {
                opponent: Some("BOB".into()),
                ..ada()
            },
            vec![5, 3],
        ),
        (
            GameFilter {
                opponent: Some("hard".into()),
                ..ada()
            },
            vec![2, 1],
        ),
        (against("hard"), vec![2, 1]),
        (against(" HARD "), vec![2, 1]),
        (against("Bob"), vec![5, 4, 3]),
        (against("nobody"), vec![]),
        (against(""), vec![]),
        (result(ResultFilter::Won), vec![3, 1]),
        (result(ResultFilter::Lost), vec![2]),
        (result(ResultFilter::Outcome(Outcome::Draw)), vec![]),
        (result(ResultFilter::Outcome(X)), vec![2, 1]),
        (
            GameFilter {
                open: Some(true),
                ..GameFilter::default()
            },
            vec![5],
        ),
        (
            GameFilter {
                open: Some(false),
                limit: Some(2),
                ..GameFilter::default()
            },
            vec![4, 3],
        ),
        (
            GameFilter {
                limit: Some(0),
                ..GameFilter::default()
            },
            vec![],
        ),
        (
            GameFilter {
                variant: Some(Variant::ULTIMATE),
                ..GameFilter::default()
            },
            vec![],
        ),
        (
            GameFilter {
                games: Some(vec![GameId(2), GameId(4), GameId(9)]),
                ..GameFilter::default()
            },
            vec![4, 2],
        ),
        (
            GameFilter {
                games: Some(vec![]),
                ..GameFilter::default()
            },
            vec![],
        ),
        (
            GameFilter {
                player: Some(name("Zoë")),
                ..GameFilter::default()
            },
            vec![],
        ),
    ] {
        let games = store.games(&filter).await.expect("listed");
        let ids: Vec<i64> = games.iter().map(|game| game.id.0).collect();
        assert_eq!(ids, expected, "{filter:?}");
    }
    let games = store.games(&ada()).await.expect("listed");
    assert_eq!(
        games.iter().map(|game| game.move_count).collect::<Vec<_>>(),
        [0, 6, 5, 5]
    );

    let without_player = GameFilter {
        result: Some(ResultFilter::Won),
        ..GameFilter::default()
    };
    assert!(matches!(
        store.games(&without_player).await,
        Err(StoreError::Invalid(_))
    ));
}

#[tokio::test]
async fn seats_of_deleted_players_are_stored() {
    let store = memory().await;
    let id = new_game(&store, [Seat::Deleted, Seat::Deleted]).await;
    let game = store.game(id).await.expect("read").expect("exists");
    assert_eq!(game.seats, [Seat::Deleted, Seat::Deleted]);
    assert_eq!(game.seats[0].to_string(), "Deleted player");
}
