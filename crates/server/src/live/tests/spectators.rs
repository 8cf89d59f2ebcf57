//! What spectators receive, over streams and sockets.

use std::time::Duration;

use futures_util::StreamExt;
use serde_json::json;
use tokio_tungstenite::tungstenite::Message;

use super::*;
use crate::config::RateLimit;

#[tokio::test]
async fn a_stream_sends_states_and_presence() {
    let server = TestServer::new().await;
    let (ada, bob, id) = two_players(&server).await;
    let eve = server.client(3);
    let mut frames = eve.watch(&id).await;
    let first = frames.next().await;
    assert_eq!(
        (&first["type"], &first["you"]),
        (&json!("state"), &json!([]))
    );
    assert_eq!(first["game"]["x"]["connected"], false);
    let hers = ada.watch(&id).await;
    let frame = frames.next().await;
    assert_eq!(frame["game"]["x"]["connected"], true);
    drop(hers);
    frames
        .until(|frame| frame["game"]["x"]["connected"] == false)
        .await;
    ada.play_move(&id, "b2").await;
    frames
        .until(|frame| frame["game"]["moves"] == json!(["b2"]))
        .await;
    bob.act_ok(&id, json!({"type": "resign"})).await;
    let last = frames
        .until(|frame| frame["game"]["ending"].is_string())
        .await;
    assert_eq!(last["game"]["ending"], "resigned");
}

#[tokio::test]
async fn a_bot_replies_without_a_request() {
    let server = TestServer::new().await;
    let me = server.client(1);
    for level in ["medium", "best", "monte-carlo"] {
        let id = game_id(
            &me.create_game("classic", human_seat("Ada"), bot_seat(level))
                .await,
        );
        let mut frames = me.watch(&id).await;
        let view = me.play_move(&id, "b2").await;
        assert_eq!(
            view["game"]["thinking"], true,
            "{level}: the answer does not wait"
        );
        let frame = frames.until(|frame| frame["game"]["ply"] == 2).await;
        assert_eq!(frame["game"]["thinking"], false);
        assert_eq!(frame["game"]["side"], "x");
        let view = me.act_ok(&id, json!({"type": "takeback"})).await;
        assert_eq!(view["game"]["ply"], 0, "{level}: back to her own decision");
    }
}

#[tokio::test]
async fn bots_play_each_other_only_while_watched() {
    let server = TestServer::new().await;
    let (me, other) = (server.client(1), server.client(2));
    let created = me
        .create_game("classic", bot_seat("random"), bot_seat("easy"))
        .await;
    let id = game_id(&created);
    assert_eq!(
        (&created["you"], &created["game"]["thinking"]),
        (&json!([]), &json!(false))
    );
    let mut frames = me.watch(&id).await;
    frames.until(|frame| frame["game"]["ply"] == 1).await;
    let pause = json!({"type": "pause", "paused": true});
    assert_eq!(other.act_on_latest(&id, pause.clone()).await.0, 403);
    let view = loop {
        // A bot may move between reading the revision and acting on it.
        let (status, view) = me.act_on_latest(&id, pause.clone()).await;
        if status == 200 {
            break view;
        }
        assert_eq!(status, 409);
    };
    assert_eq!(
        (&view["game"]["paused"], &view["game"]["thinking"]),
        (&json!(true), &json!(false))
    );
    let ply = view["game"]["ply"].as_u64();
    let speed = |speed: u32| json!({"type": "speed", "speed": speed});
    assert_eq!(other.act_on_latest(&id, speed(6)).await.0, 403);
    assert_eq!(me.act_on_latest(&id, speed(7)).await.0, 422);
    assert_eq!(me.act_ok(&id, speed(6)).await["game"]["speed"], 6);
    let view = me
        .act_ok(&id, json!({"type": "pause", "paused": false}))
        .await;
    assert_eq!(view["game"]["ply"].as_u64(), ply);
    let over = frames
        .until(|frame| frame["game"]["ending"].is_string())
        .await;
    assert_eq!(over["game"]["thinking"], false);
}

/// Guards against games between bots without a limit: one visitor had them make a thousand moves a
/// second.
#[tokio::test]
async fn moves_in_bot_matches_are_limited() {
    let store = Store::in_memory().await.unwrap();
    let server = TestServer::with_store_and_config(store, |config| {
        config.limits.bot_moves = RateLimit {
            burst: 3,
            interval: Duration::from_secs(3600),
        };
    })
    .await;
    let mut matches = Vec::new();
    for number in [1, 2] {
        let me = server.client(number);
        let id = game_id(
            &me.create_game("mnk:9,9,5", bot_seat("random"), bot_seat("random"))
                .await,
        );
        me.act_ok(&id, json!({"type": "speed", "speed": 6})).await;
        let mut frames = me.watch(&id).await;
        // Each visitor has three moves, whatever others have used.
        frames.until(|frame| frame["game"]["ply"] == 3).await;
        matches.push((me, id, frames));
    }
    for (me, id, _) in &matches {
        assert_eq!(me.game(id).await["game"]["ply"], 3, "no more");
    }
}

#[tokio::test]
async fn a_bot_match_stops_when_the_last_spectator_leaves() {
    let server = TestServer::new().await;
    let (me, other) = (server.client(1), server.client(2));
    // Long enough not to end before the spectator has left.
    let id = game_id(
        &me.create_game("ception:depth=3", bot_seat("random"), bot_seat("random"))
            .await,
    );
    me.act_ok(&id, json!({"type": "speed", "speed": 6})).await;
    let mut frames = me.watch(&id).await;
    frames.until(|frame| frame["game"]["ply"] == 2).await;
    drop(frames);
    let room = server.app.rooms.open(&server.app, &id).await.unwrap();
    let room = room.into_room().unwrap();
    // A move that was started is completed.
    while room.is_watched() || room.game.lock().await.bot_task.is_some() {
        tokio::task::yield_now().await;
    }
    let ply = me.game(&id).await["game"]["ply"].as_u64().unwrap();
    let game = room.game.lock().await;
    assert!(!room.should_bot_move(&game));
    drop(game);
    assert_eq!(me.game(&id).await["game"]["ply"], ply);
    let mut frames = other.watch(&id).await;
    frames
        .until(|frame| frame["game"]["ply"].as_u64() > Some(ply))
        .await;
}

#[tokio::test]
async fn a_socket_sends_states_and_accepts_actions() {
    let server = TestServer::new().await;
    let address = listen(&server).await;
    let (ada, bob, id) = two_players(&server).await;
    let path = format!("/games/{id}/socket?html=1");
    let mut hers = open_socket(address, &ada, &path).await;
    let first = receive(&mut hers).await;
    assert_eq!(
        (&first["type"], &first["you"]),
        (&json!("state"), &json!(["x"]))
    );
    assert!(first["html"]["board"].as_str().unwrap().contains("<svg"));
    let mut his = open_socket(address, &bob, &format!("/games/{id}/socket")).await;
    assert_eq!(
        receive(&mut his).await["html"],
        json!(null),
        "only for those who ask"
    );
    receive(&mut hers).await; // Bob has connected.

    send(
        &mut hers,
        json!({"type": "move", "rev": "0.1", "move": "b2", "tag": "one"}),
    )
    .await;
    let response = receive(&mut hers).await;
    assert_eq!(
        (&response["type"], &response["tag"]),
        (&json!("update"), &json!("one"))
    );
    assert_eq!(response["moves"], json!({"keep": 0, "add": ["b2"]}));
    assert!(
        response["game"].get("variant").is_none(),
        "that never changes"
    );
    assert!(response["html"]["board"].is_array(), "it has changed");
    assert!(response["html"].get("invite").is_none(), "that has not");
    assert_eq!(receive(&mut his).await["game"]["ply"], 1);

    send(
        &mut his,
        json!({"type": "move", "rev": "0.1", "move": "c3", "tag": 2}),
    )
    .await;
    let response = receive(&mut his).await;
    assert_eq!(
        (&response["type"], &response["tag"]),
        (&json!("error"), &json!(2))
    );
    assert_eq!(response["error"]["kind"], "stale");
    assert_eq!(
        response["update"],
        json!({"game": {}}),
        "he knows it already"
    );
    for (text, kind) in [
        ("hello", "bad-request"),
        ("[1]", "bad-request"),
        (r#"{"type": "fly"}"#, "bad-request"),
        (r#"{"type": "view","path":"z/z"}"#, "bad-request"),
        (r#"{"type": "view","tag":{}}"#, "bad-request"),
        (r#"{"type": "move","rev":"1.1","move":"b2"}"#, "refused"),
    ] {
        send(&mut his, text).await;
        let response = receive(&mut his).await;
        assert_eq!(response["error"]["kind"], kind, "{text}: {response}");
    }
    send(&mut his, json!({"type": "view", "tag": "again"})).await;
    assert_eq!(receive(&mut his).await["tag"], "again", "asked is answered");

    server.app.shutdown.cancel();
    // A frame saying that she has left may come before.
    let last = loop {
        let frame = receive(&mut his).await;
        if frame["type"] != "update" {
            break frame;
        }
    };
    assert_eq!(last, json!({"type": "shutdown"}));
}

/// A bot doesn't think in a game that everyone has left.
#[tokio::test]
async fn a_bot_thinks_only_while_someone_waits() {
    let server = TestServer::new().await;
    let me = server.client(1);
    let id = game_id(
        &me.create_game("classic", human_seat("Ada"), bot_seat("medium"))
            .await,
    );
    let opened = server.app.rooms.open(&server.app, &id).await.unwrap();
    let room = opened.into_room().unwrap();
    let mut game = room.game.lock().await;
    let step = noughts_session::GameAction::Move("b2".into());
    room.apply_session_action(&server.app, &mut game, step)
        .await
        .unwrap();
    assert!(room.should_bot_move(&game));
    room.mark_abandoned();
    assert!(!room.should_bot_move(&game));
    assert!(!room.update_bot_task(&server.app, &mut game));
    room.publish(&game);
    drop(game);
    // A new viewer gets the move.
    let mut frames = me.watch(&id).await;
    frames.until(|frame| frame["game"]["ply"] == 2).await;
}

#[tokio::test]
async fn an_unknown_action_error_lists_the_known_ones() {
    let server = TestServer::new().await;
    let me = server.client(1);
    let id = game_id(
        &me.create_game("classic", human_seat("Ada"), human_seat("Bob"))
            .await,
    );
    let mut socket = open_socket(listen(&server).await, &me, &format!("/games/{id}/socket")).await;
    receive(&mut socket).await;
    send(&mut socket, json!({"type": "dance", "rev": "0.0"})).await;
    let frame = receive(&mut socket).await;
    let message = frame["error"]["message"].as_str().unwrap();
    assert!(message.contains("`view`, `move`"), "{message}");
    // The socket still works.
    send(
        &mut socket,
        json!({"type": "move", "move": "b2", "rev": "0.0"}),
    )
    .await;
    assert_eq!(receive(&mut socket).await["game"]["ply"], 1);
}

#[tokio::test]
async fn a_too_long_message_closes_the_socket_with_1009() {
    let server = TestServer::new().await;
    let (ada, _, id) = two_players(&server).await;
    let mut socket = open_socket(listen(&server).await, &ada, &format!("/games/{id}/socket")).await;
    receive(&mut socket).await;
    let limit = server.app.config.limits.message_bytes;
    send(&mut socket, "x".repeat(limit + 1)).await;
    let closed = loop {
        match socket.next().await.unwrap().unwrap() {
            Message::Close(frame) => break frame.unwrap(),
            Message::Text(_) | Message::Ping(_) => {}
            other => panic!("{other:?}"),
        }
    };
    assert_eq!(u16::from(closed.code), 1009);
    assert_eq!(
        closed.reason.as_str(),
        format!("a message can be up to {limit} bytes long")
    );
    assert_eq!(ada.game(&id).await["game"]["ply"], 0);
}
