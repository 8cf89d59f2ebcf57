//! One visitor, playing both sides or against a bot.

use serde_json::json;

use super::*;

#[tokio::test]
async fn a_finished_game_is_stored_and_counted() {
    let server = TestServer::new().await;
    let me = server.client(1);
    let created = me
        .create_game("classic", human_seat("Ada"), human_seat("Bob"))
        .await;
    let id = game_id(&created);
    assert_eq!(created["you"], json!(["x", "o"]));
    assert_eq!(created["game"]["rev"], "0.0");
    assert_eq!(created["game"]["choices"]["count"], 9);
    let mut view = created;
    for mv in ["b2", "a1", "c1", "a2", "a3"] {
        view = me.play_move(&id, mv).await;
    }
    // o . x
    // o x .      Ada has a line.
    // x . .
    let game = &view["game"];
    assert_eq!(game["result"], "x");
    assert_eq!(game["ending"], "line");
    assert_eq!(game["choices"]["count"], 0);
    assert_eq!(
        game["x"]["tally"],
        json!({"games": 1, "wins": 1, "losses": 0, "draws": 0})
    );
    assert_eq!(
        game["o"]["tally"],
        json!({"games": 1, "wins": 0, "losses": 1, "draws": 0})
    );
    let stored = server.store().find_game(&id).await.unwrap().unwrap();
    let stored = server.store().game(stored).await.unwrap().unwrap();
    assert_eq!(stored.moves.len(), 5);
    assert!(stored.ended.is_some());
}

#[tokio::test]
async fn invalid_games_are_not_created() {
    let server = TestServer::new().await;
    let me = server.client(1);
    let name = "x".repeat(41);
    for (body, status, kind) in [
        (
            json!({"variant": "chess", "x": human_seat("A"), "o": human_seat("B")}),
            422,
            "invalid",
        ),
        (
            json!({"variant": "classic", "x": human_seat("A"), "o": human_seat("a")}),
            422,
            "refused",
        ),
        (
            json!({"variant": "classic", "x": human_seat(&name), "o": human_seat("B")}),
            422,
            "invalid",
        ),
        (
            json!({"variant": "classic", "x": bot_seat("hal"), "o": human_seat("B")}),
            422,
            "invalid",
        ),
        (
            json!({"variant": "ultimate", "x": bot_seat("negamax"), "o": human_seat("B")}),
            422,
            "invalid",
        ),
        (
            json!({"variant": "classic", "x": invite_seat(), "o": invite_seat()}),
            422,
            "invalid",
        ),
        (
            json!({"variant": "classic", "position": "xxx/oo./... o", "x": human_seat("A"), "o": human_seat("B")}),
            422,
            "invalid",
        ),
        (
            json!({"variant": "classic", "x": {"kind": "god"}, "o": human_seat("B")}),
            400,
            "bad-request",
        ),
        (
            json!({"variant": "classic", "x": human_seat("A")}),
            400,
            "bad-request",
        ),
        (json!([]), 400, "bad-request"),
    ] {
        let (found, response) = me.post("/games", &body).await;
        assert_eq!(
            (found, response["error"]["kind"].as_str()),
            (status, Some(kind)),
            "{body}: {response}"
        );
    }
    assert!(
        server
            .store()
            .games(&Default::default())
            .await
            .unwrap()
            .is_empty()
    );
}

/// Guards against players without a name sharing the record of "Player 1".
#[tokio::test]
async fn guests_have_no_record() {
    let server = TestServer::new().await;
    let me = server.client(1);
    for unnamed in [
        json!({"kind": "human"}),
        json!({"kind": "human", "name": null}),
        human_seat("  "),
        human_seat("guest"),
    ] {
        let view = me.create_game("classic", unnamed.clone(), unnamed).await;
        let game = game_id(&view);
        me.play_move(&game, "b2").await;
        let view = me
            .act_ok(&game, json!({"type": "resign", "side": "o"}))
            .await;
        assert_eq!(view["game"]["result"], "x");
        for seat in [&view["game"]["x"], &view["game"]["o"]] {
            assert_eq!(
                (&seat["kind"], &seat["name"], &seat["label"]),
                (&json!("guest"), &json!(null), &json!("Guest"))
            );
            assert_eq!(seat["tally"], json!(null), "{seat}");
        }
    }
    assert_eq!(me.get("/players").await.1["players"], json!([]));
    assert_eq!(me.get("/players/Guest").await.0, 404);
    assert_eq!(me.get("/players/Player%201").await.0, 404);
    let (_, games) = me.get("/games").await;
    assert_eq!(
        games["games"][0]["x"],
        json!({"kind": "guest", "name": null})
    );
    assert!(server.store().all_players().await.unwrap().is_empty());

    // A player with a name has a record, against any opponent.
    let game = game_id(
        &me.create_game("classic", human_seat("Ada"), json!({"kind": "human"}))
            .await,
    );
    me.play_move(&game, "b2").await;
    me.act_ok(&game, json!({"type": "resign", "side": "o"}))
        .await;
    let (_, ada) = me.get("/players/Ada").await;
    assert_eq!(ada["wins"], 1);
    assert_eq!(ada["by_opponent"][0]["kind"], "guest");
    let (_, players) = me.get("/players").await;
    assert_eq!(players["players"].as_array().unwrap().len(), 1, "{players}");
}

/// Guests play like everyone else: bots reply, seats survive a restart, and an invited friend needs
/// no name.
#[tokio::test]
async fn guests_can_play() {
    let folder = tempfile::tempdir().unwrap();
    let server = TestServer::with_store(Store::open(folder.path()).await.unwrap()).await;
    let (me, friend) = (server.client(1), server.client(2));
    let created = me
        .create_game("classic", json!({"kind": "human"}), invite_seat())
        .await;
    assert_eq!(created["game"]["o"]["kind"], "invited");
    let code = created["invite"]
        .as_str()
        .unwrap()
        .rsplit('/')
        .next()
        .unwrap();
    let path = format!("/games/{}/join", game_id(&created));
    let (status, view) = friend.post(&path, &json!({"code": code})).await;
    assert_eq!((status, &view["you"]), (200, &json!(["o"])), "{view}");
    let game = game_id(&created);
    me.play_move(&game, "b2").await;
    friend.play_move(&game, "a1").await;
    server.stop().await;

    let server = TestServer::with_store(Store::open(folder.path()).await.unwrap()).await;
    let (me, friend) = (server.client(1), server.client(2));
    me.play_move(&game, "c3").await;
    let view = friend.game(&game).await;
    assert_eq!(view["game"]["moves"], json!(["b2", "a1", "c3"]));
    assert_eq!(view["game"]["x"]["kind"], "guest");
}

#[tokio::test]
async fn a_repeated_move_is_not_made_twice() {
    let server = TestServer::new().await;
    let me = server.client(1);
    let id = game_id(
        &me.create_game("classic", human_seat("Ada"), human_seat("Bob"))
            .await,
    );
    let first = json!({"type": "move", "rev": "0.0", "move": "b2"});
    assert_eq!(me.act(&id, &first).await.0, 200);
    // The response was lost, so the move is sent again, also after the game has moved on.
    for moves in [1, 1, 2] {
        if moves == 2 {
            me.play_move(&id, "a1").await;
        }
        let (status, view) = me.act(&id, &first).await;
        assert_eq!(status, 200, "{view}");
        assert_eq!(view["game"]["ply"], moves);
    }
    let late = json!({"type": "move", "rev": "0.0", "move": "c3"});
    let (status, response) = me.act(&id, &late).await;
    assert_eq!((status, &response["error"]["kind"]), (409, &json!("stale")));
    assert_eq!(
        response["view"]["game"]["rev"], "2.0",
        "how it stands is told"
    );
    // After a takeback, the same text refers to another revision.
    me.act_ok(&id, json!({"type": "takeback"})).await;
    let (status, _) = me
        .act(&id, &json!({"type": "move", "rev": "1.0", "move": "a1"}))
        .await;
    assert_eq!(status, 409);
    assert_eq!(me.game(&id).await["game"]["moves"], json!(["b2"]));
}

#[tokio::test]
async fn undo_and_redo_change_the_revision() {
    let server = TestServer::new().await;
    let me = server.client(1);
    let id = game_id(
        &me.create_game("classic", human_seat("Ada"), human_seat("Bob"))
            .await,
    );
    me.play_move(&id, "b2").await;
    let view = me.act_ok(&id, json!({"type": "takeback"})).await;
    assert_eq!(
        (&view["game"]["rev"], &view["game"]["can_redo"]),
        (&json!("0.1"), &json!(true))
    );
    let view = me.act_ok(&id, json!({"type": "redo"})).await;
    assert_eq!(
        (&view["game"]["rev"], &view["game"]["can_redo"]),
        (&json!("1.1"), &json!(false))
    );
    let (status, response) = me.act_on_latest(&id, json!({"type": "redo"})).await;
    assert_eq!(
        (status, &response["error"]["kind"]),
        (422, &json!("refused"))
    );
}

#[tokio::test]
async fn invalid_actions_change_nothing() {
    let server = TestServer::new().await;
    let me = server.client(1);
    let id = game_id(
        &me.create_game("classic", human_seat("Ada"), bot_seat("medium"))
            .await,
    );
    let before = me.game(&id).await;
    for (action, status) in [
        (json!({"type": "move", "rev": "0.0", "move": "z9"}), 422),
        (json!({"type": "move", "rev": "0", "move": "b2"}), 400),
        (json!({"type": "move", "rev": "0.0"}), 400),
        (json!({"type": "fly", "rev": "0.0"}), 400),
        (json!({"type": "takeback", "rev": "0.0"}), 422),
        (
            json!({"type": "offer", "rev": "0.0", "offer": "rematch"}),
            422,
        ),
        (json!({"type": "offer", "rev": "0.0", "offer": "draw"}), 422),
        (
            json!({"type": "accept", "rev": "0.0", "offer": "draw"}),
            422,
        ),
        (json!({"type": "pause", "rev": "0.0", "paused": true}), 422),
        (json!({"type": "resign", "rev": "0.0", "side": "o"}), 403),
        (
            json!({"type": "seat", "rev": "0.0", "side": "o", "seat": invite_seat()}),
            422,
        ),
        (
            json!({"type": "seat", "rev": "0.0", "side": "o", "seat": bot_seat("hal")}),
            422,
        ),
        (
            json!({"type": "seat", "rev": "0.0", "side": "o", "seat": human_seat("Ada")}),
            422,
        ),
    ] {
        let (found, response) = me.act(&id, &action).await;
        assert_eq!(found, status, "{action}: {response}");
        assert!(response["error"]["message"].is_string(), "{response}");
    }
    assert_eq!(me.game(&id).await, before);
    let nowhere = format!("/games/{}", "0".repeat(32));
    assert_eq!(me.get(&nowhere).await.0, 404);
    assert_eq!(me.get("/games/elsewhere").await.0, 404);
}

#[tokio::test]
async fn a_side_can_be_handed_over() {
    let server = TestServer::new().await;
    let me = server.client(1);
    let id = game_id(
        &me.create_game("classic", human_seat("Ada"), bot_seat("medium"))
            .await,
    );
    let mut frames = me.watch(&id).await;
    me.play_move(&id, "a1").await;
    frames.until(|frame| frame["game"]["ply"] == 2).await;
    let hand = json!({"type": "seat", "side": "o", "seat": human_seat("Bob")});
    let view = me.act_ok(&id, hand).await;
    assert_eq!(view["you"], json!(["x", "o"]));
    assert_eq!(
        view["game"]["handed_over"], true,
        "it counts for nobody from now on"
    );
    let view = me.act_ok(&id, json!({"type": "resign", "side": "o"})).await;
    assert_eq!(view["game"]["result"], "x");
    assert_eq!(view["game"]["x"]["tally"]["wins"], 0);
}

#[tokio::test]
async fn a_rematch_swaps_sides_and_happens_once() {
    let server = TestServer::new().await;
    let me = server.client(1);
    let id = game_id(
        &me.create_game("classic", human_seat("Ada"), bot_seat("random"))
            .await,
    );
    me.act_ok(&id, json!({"type": "resign"})).await;
    let again = json!({"type": "offer", "offer": "rematch"});
    let view = me.act_ok(&id, again.clone()).await;
    let next = view["game"]["rematch"].as_str().unwrap().to_owned();
    assert_eq!(
        me.act_ok(&id, again).await["game"]["rematch"],
        next.as_str()
    );
    let view = me.game(&next).await;
    assert_eq!(view["you"], json!(["o"]));
    assert_eq!(view["game"]["x"]["name"], "random");
    // The bot moves first without a request.
    let mut frames = me.watch(&next).await;
    frames.until(|frame| frame["game"]["ply"] == 1).await;
}

/// A killed program has stored what it acknowledged.
#[tokio::test]
async fn a_game_continues_after_a_restart() {
    let folder = tempfile::tempdir().unwrap();
    let server = TestServer::with_store(Store::open(folder.path()).await.unwrap()).await;
    let me = server.client(1);
    let id = game_id(
        &me.create_game("classic", human_seat("Ada"), human_seat("Bob"))
            .await,
    );
    me.play_move(&id, "b2").await;
    me.act_ok(&id, json!({"type": "takeback"})).await;
    let before = me.play_move(&id, "a1").await;
    server.stop().await;

    let server = TestServer::with_store(Store::open(folder.path()).await.unwrap()).await;
    let (me, other) = (server.client(1), server.client(2));
    let mut after = me.game(&id).await;
    assert_eq!(after["you"], json!(["x", "o"]));
    assert_eq!(after["game"]["rev"], "1.1", "a state is called the same");
    // No client is connected now, unlike before.
    after["game"]["can_take_back"] = before["game"]["can_take_back"].clone();
    assert_eq!(after, before);
    let repeat = json!({"type": "move", "rev": "0.1", "move": "a1"});
    assert_eq!(me.act(&id, &repeat).await.1["game"]["ply"], 1);
    assert_eq!(
        other
            .act_on_latest(&id, json!({"type": "move", "move": "b2"}))
            .await
            .0,
        403
    );
    assert_eq!(me.play_move(&id, "b2").await["game"]["ply"], 2);
    server.stop().await;
}

/// A canceled request may have been applied; the room and the store never disagree about it.
#[tokio::test]
async fn a_canceled_request_leaves_no_partial_move() {
    let server = TestServer::new().await;
    let me = server.client(1);
    let id = game_id(
        &me.create_game("mnk:15,15,5", human_seat("Ada"), human_seat("Bob"))
            .await,
    );
    for column in ["a", "b", "c", "d", "e", "f", "g", "h"] {
        let mut action = json!({"type": "move", "move": format!("{column}1")});
        action["rev"] = me.game(&id).await["game"]["rev"].clone();
        let mut work = std::pin::pin!(me.act(&id, &action));
        // Start the request, then drop it.
        for _ in 0..2 {
            let _ = futures_util::poll!(&mut work);
        }
    }
    let view = loop {
        // The canceled requests may be applied in between.
        let (status, view) = me
            .act_on_latest(&id, json!({"type": "move", "move": "o15"}))
            .await;
        if status == 200 {
            break view;
        }
        assert_eq!(status, 409, "{view}");
    };
    let stored = server.store().find_game(&id).await.unwrap().unwrap();
    let stored = server.store().game(stored).await.unwrap().unwrap();
    let stored: Vec<String> = stored.moves.into_iter().map(|mv| mv.text).collect();
    assert_eq!(view["game"]["moves"], json!(stored));
}

/// Guards against keeping every game in memory for five minutes: one of depth 6 took 1.2 MB.
#[tokio::test]
async fn games_are_evicted_from_memory_over_the_limit() {
    let server = TestServer::new().await;
    let me = server.client(1);
    let mut ids = Vec::new();
    for _ in 0..3 {
        let id = game_id(
            &me.create_game("ception:depth=6", human_seat("Ada"), human_seat("Bob"))
                .await,
        );
        me.play_move(&id, "abcdef").await;
        ids.push(id);
    }
    let rooms = &server.app.rooms;
    let room_bytes = rooms.rooms.lock()[&ids[0]].snapshot().estimated_bytes();
    assert!(
        (200_000..500_000).contains(&room_bytes),
        "{room_bytes} bytes"
    );
    // The first was used longest ago, and the second has a viewer.
    rooms.rooms.lock()[&ids[0]].mark_abandoned();
    let _frames = me.watch(&ids[1]).await;
    rooms
        .evict_to_limit(server.store(), 2 * room_bytes + room_bytes / 2)
        .await;
    let left: Vec<bool> = ids
        .iter()
        .map(|id| rooms.rooms.lock().contains_key(id))
        .collect();
    assert_eq!(left, [false, true, true]);
    rooms.evict_to_limit(server.store(), 0).await;
    let left: Vec<bool> = ids
        .iter()
        .map(|id| rooms.rooms.lock().contains_key(id))
        .collect();
    assert_eq!(left, [false, true, false], "one is watched");
    for id in &ids {
        let view = me.game(id).await;
        assert_eq!(view["game"]["moves"], json!(["abcdef"]), "it comes back");
    }
}

/// Help with the position of a game, or with one that follows from it, is recorded in the game of
/// the visitor who plays it, shown on its page, and makes it unrated.
#[tokio::test]
async fn an_assisted_game_is_not_rated() {
    let moves = json!({"variant": "classic", "moves": ["b2", "a1"]});
    let continuation = json!({"variant": "classic", "moves": ["b2", "a1", "c3"], "time_ms": 50});
    let placed = json!({"variant": "classic", "position": "o../.x./... x", "time_ms": 50});
    for (path, body, how) in [
        ("/hints", Some(&moves), "hint"),
        ("/analyses", Some(&continuation), "analysis"),
        ("/analyses", Some(&placed), "analysis"),
        ("", None, "takeback"),
    ] {
        let server = TestServer::new().await;
        let (me, other) = (server.client(1), server.client(2));
        let id = game_id(
            &me.create_game("classic", human_seat("Ada"), human_seat("Bob"))
                .await,
        );
        for mv in ["b2", "a1"] {
            me.play_move(&id, mv).await;
        }
        // Help for another visitor, or with another position, doesn't count.
        if let Some(body) = body {
            assert_eq!(other.post(path, body).await.0, 200);
            let elsewhere = json!({"variant": "classic", "moves": ["a1"]});
            assert_eq!(me.post(path, &elsewhere).await.0, 200);
        }
        let view = me.game(&id).await;
        assert_eq!(view["game"]["rated"], true, "{view}");
        let rev = view["game"]["rev"].clone();
        if let Some(body) = body {
            let (status, response) = me.post(path, body).await;
            assert_eq!(status, 200, "{response}");
            if how == "hint" {
                let sentence = response["sentence"].as_str().unwrap();
                let notice = "This game isn't rated: you used a hint.";
                assert!(sentence.ends_with(notice), "{sentence}");
                let again = me.post(path, body).await.1;
                assert!(!again["sentence"].as_str().unwrap().contains("rated"));
            }
            assert_eq!(me.game(&id).await["game"]["rev"], rev, "no move is late");
        } else {
            me.act_ok(&id, json!({"type": "takeback"})).await;
            me.play_move(&id, "a1").await;
        }
        let view = me.game(&id).await;
        assert_eq!(
            (&view["game"]["rated"], &view["game"]["assisted"]),
            (&json!(false), &json!(how))
        );
        let mut view = view;
        for mv in ["c1", "a2", "a3"] {
            view = me.play_move(&id, mv).await;
        }
        assert_eq!(view["game"]["result"], "x");
        assert_eq!(view["game"]["x"]["tally"]["wins"], 0);
        let list = me.get("/games").await.1;
        assert_eq!(list["games"][0]["rated"], false, "{list}");
    }
}

/// Guards against reviews of a game in progress that weren't recorded as help.
#[tokio::test]
async fn a_review_of_your_open_game_counts_as_help() {
    let server = TestServer::new().await;
    let (me, other) = (server.client(1), server.client(2));
    let game = game_id(
        &me.create_game("classic", human_seat("Ada"), human_seat("Bob"))
            .await,
    );
    for mv in ["b2", "a1"] {
        me.play_move(&game, mv).await;
    }
    let review = format!("/games/{game}/review");
    assert_eq!(other.get(&review).await.0, 200);
    assert_eq!(me.game(&game).await["game"]["rated"], true);
    assert_eq!(me.get(&review).await.0, 200);
    let view = me.game(&game).await;
    assert_eq!(
        (&view["game"]["rated"], &view["game"]["assisted"]),
        (&json!(false), &json!("analysis"))
    );
}

/// Guards against games that became unrated by help that was never delivered because the pool was
/// full.
#[tokio::test]
async fn undelivered_help_leaves_the_game_rated() {
    let server = TestServer::new().await;
    let me = server.client(1);
    let game = game_id(
        &me.create_game("ultimate", human_seat("Ada"), human_seat("Bob"))
            .await,
    );
    me.play_move(&game, "ee").await;
    let position = json!({"variant": "ultimate", "moves": ["ee"]});

    // Others from the same address fill its quarter of both queues, and all threads it may use.
    let state = noughts_rules::AnyGameState::new(noughts_rules::Variant::ULTIMATE);
    let limits = noughts_engine::SearchLimits::time(std::time::Duration::from_secs(3600));
    let pool = &server.app.pool;
    let address: std::net::IpAddr = "127.0.0.1".parse().unwrap();
    let owner = |number: u8| crate::middleware::TaskOwner {
        visitor: crate::middleware::VisitorKey::Token([number; 32]),
        address,
    };
    let cores = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
    // All analysis threads but one, one of two hint threads, and 16 queued for each.
    let most_analyses = cores.max(4) - 1;
    let until_running = |kind: usize, count| {
        while pool.load()[kind].running < count {
            std::thread::yield_now();
        }
    };
    let mut analyses = Vec::new();
    for number in 1..=most_analyses + 16 {
        let analysis = pool.start_analysis(owner(number as u8), &state, limits);
        analyses.push(analysis.unwrap());
        until_running(1, number.min(most_analyses));
    }
    let settings = pool.bot_settings(state.variant());
    let mut hints = Vec::new();
    for number in 1..=1 + 16 {
        let best = noughts_engine::BotKind::Best;
        let bot = noughts_session::BotPlayer::new(best, state.variant(), &settings).unwrap();
        hints.push(pool.start_hint(owner(number), &bot, &state, limits));
        until_running(0, 1);
    }
    for path in ["/analyses", "/hints"] {
        let (status, response) = me.post(path, &position).await;
        assert_eq!(status, 503, "{path}: {response}");
        assert_eq!(response["error"]["kind"], "busy", "{path}");
        assert_eq!(me.game(&game).await["game"]["rated"], true, "{path}");
    }
    drop((analyses, hints));
    let (status, response) = me.post("/hints", &position).await;
    assert_eq!(status, 200, "{response}");
    assert_eq!(me.game(&game).await["game"]["rated"], false);
}

/// Guards against bots that declined every draw on the server, whatever the position.
#[tokio::test]
async fn a_bot_accepts_a_draw_in_a_drawn_position() {
    let server = TestServer::new().await;
    let me = server.client(1);
    let seats = (human_seat("Ada"), bot_seat("perfect"));
    let id = game_id(&me.create_game("classic", seats.0, seats.1).await);
    let offer = json!({"type": "offer", "offer": "draw"});
    let (status, answer) = me.act_on_latest(&id, offer.clone()).await;
    assert_eq!(
        (status, &answer["error"]["message"]),
        (
            422,
            &json!("perfect declines the draw: it's too early in the game.")
        )
    );
    let mut frames = me.watch(&id).await;
    me.play_move(&id, "b2").await;
    frames.until(|frame| frame["game"]["ply"] == 2).await;
    let view = me.act_ok(&id, offer).await;
    assert_eq!(
        (&view["game"]["ending"], &view["game"]["result"]),
        (&json!("agreed-draw"), &json!("draw"))
    );
}
