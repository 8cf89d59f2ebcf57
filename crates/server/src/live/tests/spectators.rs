//! What those see who watch a game: lines, and sockets.

use std::time::Duration;

use futures_util::StreamExt;
use serde_json::json;
use tokio_tungstenite::tungstenite::Message;

use super::*;
use crate::config::RateLimit;

#[tokio::test]
async fn a_stream_tells_every_state_and_who_is_there() {
    let house = TestServer::new().await;
    let (ada, bob, id) = two_players(&house).await;
    let eve = house.client(3);
    let mut frames = eve.watch(&id).await;
    let first = frames.next().await;
    assert_eq!(
        (&first["type"], &first["you"]),
        (&json!("state"), &json!([]))
    );
    assert_eq!(first["game"]["seats"][0]["connected"], false);
    let hers = ada.watch(&id).await;
    let frame = frames.next().await;
    assert_eq!(frame["game"]["seats"][0]["connected"], true);
    drop(hers);
    frames
        .until(|frame| frame["game"]["seats"][0]["connected"] == false)
        .await;
    ada.play_move(&id, "b2").await;
    frames
        .until(|frame| frame["game"]["moves"] == json!(["b2"]))
        .await;
    bob.act_ok(&id, json!({"do": "resign"})).await;
    let last = frames
        .until(|frame| frame["game"]["over"].is_object())
        .await;
    assert_eq!(last["game"]["over"]["how"], "resigned");
}

#[tokio::test]
async fn a_bots_reply_comes_by_itself() {
    let house = TestServer::new().await;
    let me = house.client(1);
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
        let view = me.act_ok(&id, json!({"do": "undo"})).await;
        assert_eq!(view["game"]["ply"], 0, "{level}: back to her own decision");
    }
}

#[tokio::test]
async fn bots_play_only_while_somebody_watches() {
    let house = TestServer::new().await;
    let (me, other) = (house.client(1), house.client(2));
    let made = me
        .create_game("classic", bot_seat("random"), bot_seat("easy"))
        .await;
    let id = game_id(&made);
    assert_eq!(
        (&made["you"], &made["game"]["thinking"]),
        (&json!([]), &json!(false))
    );
    let mut frames = me.watch(&id).await;
    frames.until(|frame| frame["game"]["ply"] == 1).await;
    let pause = json!({"do": "pause", "paused": true});
    assert_eq!(other.act_on_latest(&id, pause.clone()).await.0, 403);
    let view = loop {
        // A bot may move between looking and saying it.
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
    let stood = view["game"]["ply"].as_u64();
    let speed = |speed: u32| json!({"do": "speed", "speed": speed});
    assert_eq!(other.act_on_latest(&id, speed(6)).await.0, 403);
    assert_eq!(me.act_on_latest(&id, speed(7)).await.0, 422);
    assert_eq!(me.act_ok(&id, speed(6)).await["game"]["speed"], 6);
    let view = me
        .act_ok(&id, json!({"do": "pause", "paused": false}))
        .await;
    assert_eq!(view["game"]["ply"].as_u64(), stood);
    let over = frames
        .until(|frame| frame["game"]["over"].is_object())
        .await;
    assert_eq!(over["game"]["thinking"], false);
}

/// One visitor once had bots make a thousand moves a second in games that nobody limits.
#[tokio::test]
async fn moves_of_bots_against_bots_are_counted() {
    let store = Store::in_memory().await.unwrap();
    let house = TestServer::with_store_and_config(store, |config| {
        config.limits.bot_moves = RateLimit {
            burst: 3,
            interval: Duration::from_secs(3600),
        };
    })
    .await;
    let mut watched = Vec::new();
    for number in [1, 2] {
        let me = house.client(number);
        let id = game_id(
            &me.create_game("mnk:9,9,5", bot_seat("random"), bot_seat("random"))
                .await,
        );
        me.act_ok(&id, json!({"do": "speed", "speed": 6})).await;
        let mut frames = me.watch(&id).await;
        // Each visitor has three moves, whatever others have had.
        frames.until(|frame| frame["game"]["ply"] == 3).await;
        watched.push((me, id, frames));
    }
    for (me, id, _) in &watched {
        assert_eq!(me.game(id).await["game"]["ply"], 3, "no more");
    }
}

#[tokio::test]
async fn a_game_of_bots_is_paused_when_the_last_spectator_leaves() {
    let house = TestServer::new().await;
    let (me, other) = (house.client(1), house.client(2));
    // Long enough not to end before the spectator has left.
    let id = game_id(
        &me.create_game("ception:depth=3", bot_seat("random"), bot_seat("random"))
            .await,
    );
    me.act_ok(&id, json!({"do": "speed", "speed": 6})).await;
    let mut frames = me.watch(&id).await;
    frames.until(|frame| frame["game"]["ply"] == 2).await;
    drop(frames);
    let room = house.app.rooms.open(&house.app, &id).await.unwrap();
    let room = room.into_room().unwrap();
    // A move that is being made is made to its end.
    while room.is_watched() || room.game.lock().await.bot_task.is_some() {
        tokio::task::yield_now().await;
    }
    let stood = me.game(&id).await["game"]["ply"].as_u64().unwrap();
    let table = room.game.lock().await;
    assert!(!room.should_bot_move(&table));
    drop(table);
    assert_eq!(me.game(&id).await["game"]["ply"], stood);
    let mut frames = other.watch(&id).await;
    frames
        .until(|frame| frame["game"]["ply"].as_u64() > Some(stood))
        .await;
}

#[tokio::test]
async fn a_socket_tells_and_hears() {
    let house = TestServer::new().await;
    let address = listen(&house).await;
    let (ada, bob, id) = two_players(&house).await;
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
    receive(&mut hers).await; // He has come.

    send(
        &mut hers,
        json!({"do": "move", "rev": "0.1", "move": "b2", "tag": "one"}),
    )
    .await;
    let answer = receive(&mut hers).await;
    assert_eq!(
        (&answer["type"], &answer["tag"]),
        (&json!("state"), &json!("one"))
    );
    assert_eq!(answer["game"]["moves"], json!(["b2"]));
    assert!(answer["html"]["board"].is_string(), "it has changed");
    assert!(answer["html"].get("link").is_none(), "that has not");
    assert_eq!(receive(&mut his).await["game"]["ply"], 1);

    send(
        &mut his,
        json!({"do": "move", "rev": "0.1", "move": "c3", "tag": 2}),
    )
    .await;
    let answer = receive(&mut his).await;
    assert_eq!(
        (&answer["type"], &answer["tag"]),
        (&json!("error"), &json!(2))
    );
    assert_eq!(answer["error"]["kind"], "stale");
    assert_eq!(answer["view"]["game"]["rev"], "1.1");
    for (nonsense, kind) in [
        ("hello", "bad-request"),
        ("[1]", "bad-request"),
        (r#"{"do":"fly"}"#, "bad-request"),
        (r#"{"do":"look","path":"zz"}"#, "bad-request"),
        (r#"{"do":"look","tag":{}}"#, "bad-request"),
        (r#"{"do":"move","rev":"1.1","move":"b2"}"#, "refused"),
    ] {
        send(&mut his, nonsense).await;
        let answer = receive(&mut his).await;
        assert_eq!(answer["error"]["kind"], kind, "{nonsense}: {answer}");
    }
    send(&mut his, json!({"do": "look", "tag": "again"})).await;
    assert_eq!(receive(&mut his).await["tag"], "again", "asked is answered");

    house.app.shutdown.start();
    // That she has left may be told before.
    let last = loop {
        let told = receive(&mut his).await;
        if told["type"] != "state" {
            break told;
        }
    };
    assert_eq!(last, json!({"type": "bye"}));
}

/// Nobody waits for a bot in a game that everybody has left.
#[tokio::test]
async fn a_bot_thinks_only_for_somebody() {
    let house = TestServer::new().await;
    let me = house.client(1);
    let id = game_id(
        &me.create_game("classic", human_seat("Ada"), bot_seat("medium"))
            .await,
    );
    let opened = house.app.rooms.open(&house.app, &id).await.unwrap();
    let room = opened.into_room().unwrap();
    let mut table = room.game.lock().await;
    let step = noughts_session::GameAction::Move("b2".into());
    room.apply_session_action(&house.app, &mut table, step)
        .await
        .unwrap();
    assert!(room.should_bot_move(&table));
    room.mark_abandoned();
    assert!(!room.should_bot_move(&table));
    assert!(!room.update_bot_task(&house.app, &mut table));
    room.publish(&table);
    drop(table);
    // Whoever looks again gets its move.
    let mut frames = me.watch(&id).await;
    frames.until(|frame| frame["game"]["ply"] == 2).await;
}

#[tokio::test]
async fn an_unknown_action_is_answered_with_the_known_ones() {
    let house = TestServer::new().await;
    let me = house.client(1);
    let id = game_id(
        &me.create_game("classic", human_seat("Ada"), human_seat("Bob"))
            .await,
    );
    let mut socket = open_socket(listen(&house).await, &me, &format!("/games/{id}/socket")).await;
    receive(&mut socket).await;
    send(&mut socket, json!({"do": "dance", "rev": "0.0"})).await;
    let told = receive(&mut socket).await;
    let message = told["error"]["message"].as_str().unwrap();
    assert!(message.contains("`look`, `move`"), "{message}");
    // The socket is still of use.
    send(
        &mut socket,
        json!({"do": "move", "move": "b2", "rev": "0.0"}),
    )
    .await;
    assert_eq!(receive(&mut socket).await["game"]["ply"], 1);
}

#[tokio::test]
async fn a_message_that_is_too_long_closes_the_socket_with_1009() {
    let house = TestServer::new().await;
    let (ada, _, id) = two_players(&house).await;
    let mut socket = open_socket(listen(&house).await, &ada, &format!("/games/{id}/socket")).await;
    receive(&mut socket).await;
    let limit = house.app.config.limits.message_bytes;
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
        format!("a message may have up to {limit} bytes")
    );
    assert_eq!(ada.game(&id).await["game"]["ply"], 0);
}
