//! Who may do how much, and who no longer: limits on everything that is stored, sessions
//! that end, games that the operator deletes.

use std::time::Duration;

use futures_util::StreamExt;
use noughts_store::{BanTarget, GameFilter, Store, VisitorId};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::tungstenite::protocol::frame::coding::CloseCode;

use super::test_server::*;
use crate::config::RateLimit;

/// So few that a test reaches it, and none comes back while it runs.
const FEW: RateLimit = RateLimit {
    burst: 3,
    interval: Duration::from_secs(3600),
};

async fn strict() -> TestServer {
    let store = Store::in_memory().await.unwrap();
    TestServer::with_store_and_config(store, |config| config.limits.games = FEW).await
}

async fn stored(house: &TestServer) -> usize {
    let games = house.store().games(&GameFilter::default()).await;
    games.unwrap().len()
}

fn visitor_id(who: &TestClient) -> VisitorId {
    VisitorId::from_hash(&Sha256::digest(who.token.as_bytes()).into())
}

/// Rematches were counted nowhere: 2,260 games a minute from one visitor.
#[tokio::test]
async fn a_rematch_counts_as_a_new_game() {
    let house = strict().await;
    let me = house.client(1);
    let mut game = game_id(
        &me.create_game("classic", human_seat("Ada"), human_seat("Bob"))
            .await,
    );
    let mut made = 1;
    let refused = loop {
        me.play_move(&game, "b2").await;
        me.act_ok(&game, json!({"do": "resign"})).await;
        let again = json!({"do": "offer", "offer": "rematch"});
        let (status, answer) = me.act_on_latest(&game, again).await;
        if status != 200 {
            break (status, answer);
        }
        game = answer["game"]["next"].as_str().unwrap().to_owned();
        made += 1;
        assert!(made <= 3, "there is no limit");
    };
    assert_eq!(refused.0, 429, "{}", refused.1);
    assert_eq!(refused.1["error"]["kind"], "too-many");
    assert_eq!((made, stored(&house).await), (3, 3));

    // On a socket it is the same limit.
    let address = listen(&house).await;
    let mut socket = open_socket(address, &me, &format!("/games/{game}/socket")).await;
    let rev = receive(&mut socket).await["game"]["rev"].clone();
    send(
        &mut socket,
        json!({"do": "offer", "offer": "rematch", "rev": rev}),
    )
    .await;
    let frame = loop {
        let frame = receive(&mut socket).await;
        if frame["type"] == "error" {
            break frame;
        }
    };
    assert_eq!(frame["error"]["kind"], "too-many", "{frame}");
    assert_eq!(stored(&house).await, 3);
    let new = json!({"variant": "classic", "x": human_seat("Ada"), "o": human_seat("Bob")});
    assert_eq!(me.post("/games", &new).await.0, 429);
    assert_eq!(house.client(2).post("/games", &new).await.0, 201);
}

/// A rematch is counted for the one who agrees to it, and begins where the game began.
#[tokio::test]
async fn the_start_of_a_rematch_counts_as_stored_bytes() {
    let store = Store::in_memory().await.unwrap();
    let house = TestServer::with_store_and_config(store, |config| {
        config.limits.stored_kib = RateLimit { burst: 2, ..FEW };
    })
    .await;
    let me = house.client(1);
    let new = json!({
        "variant": "classic", "position": "x.o/.x./... o", "x": human_seat("Ada"), "o": human_seat("Bob"),
    });
    let (status, made) = me.post("/games", &new).await;
    assert_eq!(status, 201, "{made}");
    let mut game = game_id(&made);
    for expected in [200, 429] {
        me.play_move(&game, "a3").await;
        me.act_ok(&game, json!({"do": "resign"})).await;
        let again = json!({"do": "offer", "offer": "rematch"});
        let (status, answer) = me.act_on_latest(&game, again).await;
        assert_eq!(status, expected, "{answer}");
        if status == 200 {
            game = answer["game"]["next"].as_str().unwrap().to_owned();
        }
    }
    assert_eq!(stored(&house).await, 2);
}

/// Every new name is a player who is stored for good.
#[tokio::test]
async fn names_count_wherever_they_come_in() {
    let house = strict().await;
    let me = house.client(1);
    let game = game_id(
        &me.create_game("classic", human_seat("Ada"), bot_seat("easy"))
            .await,
    );
    let mut statuses = Vec::new();
    for number in 0..4 {
        let who = human_seat(&format!("Somebody {number}"));
        let seat = json!({"do": "seat", "side": "o", "who": who});
        statuses.push(me.act_on_latest(&game, seat).await.0);
    }
    assert_eq!(statuses, [200, 200, 429, 429]);
    let people = house.store().all_players().await.unwrap();
    assert_eq!(people.len(), 3, "{people:?}");

    let host = house.client(2);
    let bob = house.client(3);
    for expected in [200, 200, 200] {
        let made = host
            .create_game("classic", human_seat("Cleo"), invite_seat())
            .await;
        assert_eq!(bob.join(&made, "Bob").await.0, expected);
    }
    let made = house
        .client(4)
        .create_game("classic", human_seat("Dan"), invite_seat())
        .await;
    assert_eq!(bob.join(&made, "Bob").await.0, 429);
}

/// The code was once computed from what the store has.
#[tokio::test]
async fn an_invite_code_does_not_follow_from_the_store() {
    let folder = tempfile::tempdir().unwrap();
    let house = TestServer::with_store(Store::open(folder.path()).await.unwrap()).await;
    let ada = house.client(1);
    let made = ada
        .create_game("classic", human_seat("Ada"), invite_seat())
        .await;
    let another = ada
        .create_game("classic", human_seat("Ada"), invite_seat())
        .await;
    let code_of = |view: &Value| {
        let link = view["invite"].as_str().unwrap();
        link.rsplit('/').next().unwrap().to_owned()
    };
    let (code, uid) = (code_of(&made), game_id(&made));
    assert_eq!(code.len(), 32, "128 bits");
    assert_ne!(code, code_of(&another));

    let number = house.store().find_game(&uid).await.unwrap().unwrap();
    let claims = house.store().seat_claims(number).await.unwrap().unwrap();
    let invite = claims.invites[1].unwrap();
    let hashed: [u8; 32] = Sha256::digest(code.as_bytes()).into();
    assert_eq!(invite.code_hash, hashed, "only its hash is stored");
    let hex = crate::digest::to_hex;
    assert_ne!(hex(&invite.encrypted_code.unwrap()), code);
    let computed = Sha256::new()
        .chain_update(b"an invitation to a game")
        .chain_update(claims.visitors[0].unwrap())
        .chain_update(&uid)
        .finalize();
    assert_ne!(hex(&computed[..16]), code);

    // The host sees the link again after a restart, and nobody else does.
    house.stop().await;
    let house = TestServer::with_store(Store::open(folder.path()).await.unwrap()).await;
    let view = house.client(1).game(&uid).await;
    assert_eq!(view["invite"], made["invite"]);
    assert_eq!(house.client(2).game(&uid).await["invite"], json!(null));
    let (status, view) = house.client(2).join(&made, "Bob").await;
    assert_eq!(status, 200, "{view}");
}

async fn delete(who: &TestClient, path: &str) -> (u16, Value) {
    who.send(who.request("DELETE", path, None)).await
}

/// The last frames of a socket, up to its close.
async fn last_words(socket: &mut Socket) -> (Vec<Value>, CloseCode) {
    let mut frames = Vec::new();
    loop {
        match socket.next().await.unwrap().unwrap() {
            Message::Text(text) => frames.push(serde_json::from_str(&text).unwrap()),
            Message::Close(Some(close)) => return (frames, close.code),
            _ => {}
        }
    }
}

#[tokio::test]
async fn the_owner_ends_a_session_and_its_token_is_worth_nothing() {
    let house = TestServer::new().await;
    let address = listen(&house).await;
    let (ada, bob, game) = two_players(&house).await;
    let path = format!("/games/{game}/socket");
    let mut hers = open_socket(address, &ada, &path).await;
    let mut his = open_socket(address, &bob, &path).await;
    receive(&mut hers).await;
    receive(&mut his).await;

    let (status, _) = delete(&ada, "/session").await;
    assert_eq!(status, 204);
    let (frames, code) = last_words(&mut hers).await;
    assert_eq!(code, CloseCode::Policy);
    assert_eq!(frames.last().unwrap()["error"]["kind"], "unknown-token");
    let mv = json!({"do": "move", "move": "b2", "rev": "0.1"});
    let (status, answer) = ada.act(&game, &mv).await;
    assert_eq!(
        (status, &answer["error"]["kind"]),
        (401, &json!("unknown-token"))
    );
    assert_eq!(bob.game(&game).await["you"], json!(["o"]), "his goes on");

    // Also in a server that starts later.
    let store = house.store().clone();
    let later = TestServer::with_store(store).await;
    assert_eq!(later.client(1).get("/games").await.0, 401);
    assert_eq!(later.client(2).get("/games").await.0, 200);
}

/// What the operator does in another program reaches those who are connected.
#[tokio::test]
async fn a_ban_from_another_program_closes_what_is_open() {
    let folder = tempfile::tempdir().unwrap();
    let operator = Store::open(folder.path()).await.unwrap();
    let house = TestServer::with_store(Store::open(folder.path()).await.unwrap()).await;
    let address = listen(&house).await;
    let (ada, bob, game) = two_players(&house).await;
    let mut socket = open_socket(address, &ada, &format!("/games/{game}/socket")).await;
    receive(&mut socket).await;
    let stream = ada.request("GET", &format!("/games/{game}/stream"), None);
    let stream = tower::ServiceExt::oneshot(house.router.clone(), stream).await;
    let mut lines = stream.unwrap().into_body().into_data_stream();
    lines.next().await.unwrap().unwrap();

    let target = BanTarget::Visitor(visitor_id(&ada));
    operator.ban(target, Some("cheating")).await.unwrap();
    house.app.access.refresh(house.store()).await.unwrap();
    let (frames, code) = last_words(&mut socket).await;
    assert_eq!(code, CloseCode::Policy);
    assert_eq!(frames.last().unwrap()["error"]["kind"], "banned");
    let mut last = Vec::new();
    while let Some(line) = lines.next().await {
        last = line.unwrap().to_vec();
    }
    let last: Value = serde_json::from_slice(&last).unwrap();
    assert_eq!(last["error"]["kind"], "banned");
    assert_eq!(ada.get("/games").await.0, 403);
    assert_eq!(bob.get("/games").await.0, 200);

    assert!(operator.unban(target).await.unwrap());
    house.app.access.refresh(house.store()).await.unwrap();
    assert_eq!(ada.game(&game).await["you"], json!(["x"]), "her seat again");
}

/// Guards analyses, reviews and exports that went on for a visitor who was banned.
#[tokio::test]
async fn a_ban_ends_analyses_reviews_and_exports() {
    let house = TestServer::new().await;
    let ada = house.client(1);
    let mut text = String::new();
    for i in 0..100 {
        text += &format!("[Variant \"ultimate\"]\n[X \"P{i}\"]\n\n1. ee ea 2. ab bc 3. ce *\n\n");
    }
    let records = noughts_rules::Record::parse_all(&text).unwrap();
    house.store().import(&records).await.unwrap();
    let games = house.store().games(&GameFilter::default()).await.unwrap();
    let endless = json!({"variant": "ultimate", "ms": 60000});
    let review = format!("/games/{}/review", games[0].uid);
    let requests = [
        ada.request("POST", "/analyses", Some(&endless)),
        ada.request("GET", &review, None),
        ada.request("GET", "/games/export?limit=100", None),
    ];
    let mut answers = Vec::new();
    for request in requests {
        let answer = tower::ServiceExt::oneshot(house.router.clone(), request).await;
        let mut body = answer.unwrap().into_body().into_data_stream();
        body.next().await.unwrap().unwrap();
        answers.push(body);
    }

    let target = BanTarget::Visitor(visitor_id(&ada));
    house.store().ban(target, None).await.unwrap();
    house.app.access.refresh(house.store()).await.unwrap();
    let mut export = answers.pop().unwrap();
    assert!(export.next().await.unwrap().is_err(), "it is broken off");
    for mut body in answers {
        let mut last = Vec::new();
        while let Some(line) = body.next().await {
            last = line.unwrap().to_vec();
        }
        let last: Value = serde_json::from_slice(&last).unwrap();
        assert_eq!(last["type"], "error", "{last}");
        assert_eq!(last["error"]["kind"], "banned", "{last}");
    }
}

#[tokio::test]
async fn a_game_that_the_operator_deletes_is_gone_for_those_who_watch() {
    let folder = tempfile::tempdir().unwrap();
    let operator = Store::open(folder.path()).await.unwrap();
    let house = TestServer::with_store(Store::open(folder.path()).await.unwrap()).await;
    let (ada, bob, game) = two_players(&house).await;
    ada.play_move(&game, "b2").await;
    let stream = bob.request("GET", &format!("/games/{game}/stream"), None);
    let stream = tower::ServiceExt::oneshot(house.router.clone(), stream).await;
    let mut lines = stream.unwrap().into_body().into_data_stream();
    lines.next().await.unwrap().unwrap();

    let number = operator.find_game(&game).await.unwrap().unwrap();
    operator.delete_game(number).await.unwrap();
    let stale = house.app.access.refresh(house.store()).await.unwrap();
    assert_eq!(stale, [game.as_str()]);
    house.app.rooms.drop_stale(&stale).await;
    while let Some(line) = lines.next().await {
        line.unwrap();
    }
    assert_eq!(ada.get(&format!("/games/{game}")).await.0, 404);
}
