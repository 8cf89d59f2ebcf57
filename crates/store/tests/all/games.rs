//! Games while they are played and after: what is refused, and what is kept.

use crate::common::*;
use noughts_rules::{Outcome, Side, Variant};
use noughts_store::{
    Assistance, GameFilter, GameId, NewGame, ResultFilter, Seat, StoreError, Termination,
};

const X: Outcome = Outcome::Win(Side::X);

#[tokio::test]
async fn a_game_is_kept_as_it_was_played() {
    let store = memory().await;
    let id = played(&store, [person("Ada"), bot("hard")], X_WINS).await;
    let game = store.game(id).await.expect("read").expect("there");
    assert_eq!(game.seats, [person("Ada"), bot("hard")]);
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
async fn a_move_at_the_wrong_place_changes_nothing() {
    let store = memory().await;
    let id = begin(&store, [person("Ada"), person("Bob")]).await;
    store
        .add_move(id, 0, &mv("b2"), None)
        .await
        .expect("stored");
    for ply in [0, 2, usize::MAX] {
        let end = Some((X, Termination::Line));
        let error = store
            .add_move(id, ply, &mv("a1"), end)
            .await
            .expect_err("refused");
        assert!(matches!(error, StoreError::Conflict { .. }), "{error}");
        assert_eq!(error.to_string(), format!("game 1 has 1 moves, not {ply}"));
    }
    let game = store.game(id).await.expect("read").expect("there");
    assert_eq!((game.moves.len(), game.ended), (1, None));
}

#[tokio::test]
async fn what_is_finished_stays_as_it_is() {
    let store = memory().await;
    let id = played(&store, [person("Ada"), bot("easy")], X_WINS).await;
    let before = store.game(id).await.expect("read");
    let refusals = [
        store.add_move(id, 5, &mv("c3"), None).await,
        store.take_back(id, 2).await,
        store.finish_game(id, None, Termination::Abandoned).await,
        store.reseat(id, Side::X, &bot("hard")).await,
    ];
    for refused in refusals {
        let error = refused.expect_err("refused");
        assert_eq!(
            error.to_string(),
            "game 1 has ended; what is finished stays as it is"
        );
    }
    assert!(!store.acquire_game(id).await.expect("asked"));
    assert_eq!(store.game(id).await.expect("read"), before);
}

#[tokio::test]
async fn moves_can_be_taken_back_while_it_runs() {
    let store = memory().await;
    let id = begin(&store, [person("Ada"), bot("easy")]).await;
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
    let game = store.game(id).await.expect("read").expect("there");
    let moves: Vec<&str> = game.moves.iter().map(|mv| mv.text.as_str()).collect();
    assert_eq!(moves, ["b2", "c3"]);
}

/// Only what is empty and goes on can vanish, and its number is not given again.
#[tokio::test]
async fn a_game_without_a_move_can_be_discarded() {
    let store = memory().await;
    let empty = begin(&store, [person("Ada"), bot("easy")]).await;
    let begun = begin(&store, [person("Ada"), bot("easy")]).await;
    store
        .add_move(begun, 0, &mv("b2"), None)
        .await
        .expect("stored");
    let resigned = begin(&store, [person("Ada"), bot("easy")]).await;
    store
        .finish_game(resigned, Some(X), Termination::Resigned)
        .await
        .expect("ended");
    store.discard_game(empty).await.expect("discarded");
    assert_eq!(store.game(empty).await.expect("read"), None);
    for kept in [begun, resigned] {
        let error = store.discard_game(kept).await.expect_err("refused");
        assert!(matches!(error, StoreError::Conflict { .. }), "{error}");
        assert!(store.game(kept).await.expect("read").is_some());
    }
    let gone = store.discard_game(empty).await.expect_err("refused");
    assert!(matches!(gone, StoreError::NoSuchGame(_)), "{gone}");
    let next = begin(&store, [person("Ada"), bot("easy")]).await;
    assert!(next > resigned);
}

#[tokio::test]
async fn a_game_of_a_living_program_is_not_discarded() {
    let dir = tempfile::tempdir().expect("a folder");
    let here = noughts_store::Store::open(dir.path()).await.expect("open");
    let there = noughts_store::Store::open(dir.path()).await.expect("open");
    let id = begin(&there, [person("Ada"), bot("easy")]).await;
    let error = here.discard_game(id).await.expect_err("refused");
    assert!(matches!(error, StoreError::Conflict { .. }), "{error}");
    there.close().await;
    drop(there);
    here.discard_game(id)
        .await
        .expect("nobody holds it any more");
}

#[tokio::test]
async fn nobody_plays_against_themselves() {
    let store = memory().await;
    let game = NewGame {
        variant: Variant::CLASSIC,
        start: None,
        seats: [person("Ada"), person("ADA")],
    };
    let error = store.create_game(&game).await.expect_err("refused");
    assert_eq!(
        error.to_string(),
        "Ada cannot sit on both sides; choose another player"
    );
    assert!(store.all_players().await.expect("read").is_empty());

    let id = begin(&store, [person("Ada"), person("Bob")]).await;
    let error = store.reseat(id, Side::O, &person("ada")).await;
    assert!(matches!(error, Err(StoreError::SamePlayer(_))));
}

#[tokio::test]
async fn a_start_must_be_a_position_that_goes_on() {
    let store = memory().await;
    let mut game = NewGame {
        variant: Variant::CLASSIC,
        start: Some("xo./.../... x".into()),
        seats: [bot("easy"), bot("hard")],
    };
    let id = store.create_game(&game).await.expect("begun");
    let kept = store.game(id).await.expect("read").expect("there");
    assert_eq!(kept.start.as_deref(), Some("xo./.../... x"));
    game.start = Some(".../.../... x".into());
    let id = store.create_game(&game).await.expect("begun");
    assert_eq!(
        store.game(id).await.expect("read").expect("there").start,
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

/// Who takes over a running game has not played it, and neither has the other.
#[tokio::test]
async fn a_game_that_was_handed_over_counts_for_nobody() {
    let store = memory().await;
    let id = begin(&store, [person("Ada"), person("Bob")]).await;
    store
        .reseat(id, Side::O, &person("Cleo"))
        .await
        .expect("reseated");
    assert!(
        !store
            .game(id)
            .await
            .expect("read")
            .expect("there")
            .changed_hands
    );
    store
        .add_move(id, 0, &mv("b2"), None)
        .await
        .expect("stored");
    store
        .reseat(id, Side::O, &person("cleo"))
        .await
        .expect("the same");
    assert!(
        !store
            .game(id)
            .await
            .expect("read")
            .expect("there")
            .changed_hands
    );
    store
        .reseat(id, Side::X, &bot("hard"))
        .await
        .expect("reseated");
    store
        .reseat(id, Side::X, &person("Ada"))
        .await
        .expect("and back");
    let game = store.game(id).await.expect("read").expect("there");
    assert!(game.changed_hands);
    assert_eq!(game.seats, [person("Ada"), person("Cleo")]);
    store
        .finish_game(id, Some(X), Termination::Resigned)
        .await
        .expect("ended");
    assert_eq!(
        store.player_tally(&name("Ada")).await.expect("read"),
        Some(Default::default())
    );
}

/// Help that was had stays noted, whatever happens afterwards.
#[tokio::test]
async fn a_game_with_help_is_not_rated() {
    for how in Assistance::ALL {
        let store = memory().await;
        let id = begin(&store, [person("Ada"), bot("easy")]).await;
        for (ply, text) in ["b2", "a1"].into_iter().enumerate() {
            let stored = store.add_move(id, ply, &mv(text), None).await;
            stored.expect("stored");
        }
        let read = || async { store.game(id).await.expect("read").expect("there") };
        store.take_back(id, 2).await.expect("nothing to take back");
        assert!(read().await.is_rated());
        match how {
            Assistance::Takeback => store.take_back(id, 1).await.expect("taken back"),
            _ => store.mark_assisted(id, how).await.expect("marked"),
        }
        assert_eq!(read().await.assistance, Some(how));
        let other = Assistance::ALL.into_iter().find(|&one| one != how);
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
async fn games_that_were_abandoned_count_for_nobody() {
    let store = memory().await;
    let id = begin(&store, [person("Ada"), bot("easy")]).await;
    let error = store
        .finish_game(id, Some(X), Termination::Abandoned)
        .await
        .expect_err("refused");
    assert_eq!(error.to_string(), "a game that was abandoned has no result");
    store
        .finish_game(id, None, Termination::Abandoned)
        .await
        .expect("ended");
    let game = store.game(id).await.expect("read").expect("there");
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
async fn lists_give_what_is_asked_for_newest_first() {
    let store = memory().await;
    played(&store, [person("Ada"), bot("hard")], X_WINS).await;
    played(&store, [bot("hard"), person("Ada")], X_WINS).await;
    played(&store, [person("Bob"), person("Ada")], O_WINS).await;
    played(&store, [person("Bob"), bot("easy")], DRAW).await;
    begin(&store, [person("Ada"), person("Bob")]).await;
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

    let nobody_won = GameFilter {
        result: Some(ResultFilter::Won),
        ..GameFilter::default()
    };
    assert!(matches!(
        store.games(&nobody_won).await,
        Err(StoreError::Invalid(_))
    ));
}

#[tokio::test]
async fn a_seat_without_a_name_is_one() {
    let store = memory().await;
    let id = begin(&store, [Seat::Deleted, Seat::Deleted]).await;
    let game = store.game(id).await.expect("read").expect("there");
    assert_eq!(game.seats, [Seat::Deleted, Seat::Deleted]);
    assert_eq!(game.seats[0].to_string(), "deleted player");
}
