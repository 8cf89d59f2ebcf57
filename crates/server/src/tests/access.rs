//! Limits on what a visitor can store, ended sessions, bans, and games that the operator deletes.

use std::time::Duration;

use futures_util::StreamExt;
use noughts_store::{BanTarget, GameFilter, Store, VisitorId};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::tungstenite::protocol::frame::coding::CloseCode;

use super::test_server::*;
use crate::config::RateLimit;

/// Few enough for a test to reach, and no more are allowed while it runs.
const FEW: RateLimit = RateLimit {
    burst: 3,
    interval: Duration::from_secs(3600),
};

async fn strict_server() -> TestServer {
    let store = Store::in_memory().await.unwrap();
    TestServer::with_store_and_config(store, |config| config.limits.games = FEW).await
}

async fn stored_games(server: &TestServer) -> usize {
    let games = server.store().games(&GameFilter::default()).await;
    games.unwrap().len()
}

fn visitor_id(client: &TestClient) -> VisitorId {
    VisitorId::from_hash(&Sha256::digest(client.token.as_bytes()).into())
}

/// Guards against rematches that weren't counted: one visitor made 2,260 games a minute.
#[tokio::test]
async fn a_rematch_counts_as_a_new_game() {
    let server = strict_server().await;
    let me = server.client(1);
    let mut game = game_id(
        &me.create_game("classic", human_seat("Ada"), human_seat("Bob"))
            .await,
    );
    let mut created = 1;
    let refused = loop {
        me.play_move(&game, "b2").await;
        me.act_ok(&game, json!({"type": "resign"})).await;
        let again = json!({"type": "offer", "offer": "rematch"});
        let (status, response) = me.act_on_latest(&game, again).await;
        if status != 200 {
            break (status, response);
        }
        game = response["game"]["rematch"].as_str().unwrap().to_owned();
        created += 1;
        assert!(created <= 3, "there is no limit");
    };
    assert_eq!(refused.0, 429, "{}", refused.1);
    assert_eq!(refused.1["error"]["kind"], "too-many");
    assert_eq!((created, stored_games(&server).await), (3, 3));

    // A socket has the same limit.
    let address = listen(&server).await;
    let mut socket = open_socket(address, &me, &format!("/games/{game}/socket")).await;
    let rev = receive(&mut socket).await["game"]["rev"].clone();
    send(
        &mut socket,
        json!({"type": "offer", "offer": "rematch", "rev": rev}),
    )
    .await;
    let frame = loop {
        let frame = receive(&mut socket).await;
        if frame["type"] == "error" {
            break frame;
        }
    };
    assert_eq!(frame["error"]["kind"], "too-many", "{frame}");
    assert_eq!(stored_games(&server).await, 3);
    let new = json!({"variant": "classic", "x": human_seat("Ada"), "o": human_seat("Bob")});
    assert_eq!(me.post("/games", &new).await.0, 429);
    assert_eq!(server.client(2).post("/games", &new).await.0, 201);
}

/// A rematch counts for the visitor who agrees to it, and starts from the same position.
#[tokio::test]
async fn the_start_of_a_rematch_counts_as_stored_bytes() {
    let store = Store::in_memory().await.unwrap();
    let server = TestServer::with_store_and_config(store, |config| {
        config.limits.stored_kib = RateLimit { burst: 2, ..FEW };
    })
    .await;
    let me = server.client(1);
    let new = json!({
        "variant": "classic", "position": "x.o/.x./... o", "x": human_seat("Ada"), "o": human_seat("Bob"),
    });
    let (status, created) = me.post("/games", &new).await;
    assert_eq!(status, 201, "{created}");
    let mut game = game_id(&created);
    for expected in [200, 429] {
        me.play_move(&game, "a3").await;
        me.act_ok(&game, json!({"type": "resign"})).await;
        let again = json!({"type": "offer", "offer": "rematch"});
        let (status, response) = me.act_on_latest(&game, again).await;
        assert_eq!(status, expected, "{response}");
        if status == 200 {
            game = response["game"]["rematch"].as_str().unwrap().to_owned();
        }
    }
    assert_eq!(stored_games(&server).await, 2);
}

/// Every new name is a player who is stored forever.
#[tokio::test]
async fn new_names_count_against_the_limit() {
    let server = strict_server().await;
    let me = server.client(1);
    let game = game_id(
        &me.create_game("classic", human_seat("Ada"), bot_seat("easy"))
            .await,
    );
    let mut statuses = Vec::new();
    for number in 0..4 {
        let client = human_seat(&format!("Somebody {number}"));
        let seat = json!({"type": "seat", "side": "o", "seat": client});
        statuses.push(me.act_on_latest(&game, seat).await.0);
    }
    assert_eq!(statuses, [200, 200, 429, 429]);
    let players = server.store().all_players().await.unwrap();
    assert_eq!(players.len(), 3, "{players:?}");

    let host = server.client(2);
    let bob = server.client(3);
    for expected in [200, 200, 200] {
        let created = host
            .create_game("classic", human_seat("Cleo"), invite_seat())
            .await;
        assert_eq!(bob.join(&created, "Bob").await.0, expected);
    }
    let created = server
        .client(4)
        .create_game("classic", human_seat("Dan"), invite_seat())
        .await;
    assert_eq!(bob.join(&created, "Bob").await.0, 429);
}

/// Guards against codes that could be computed from what is stored.
#[tokio::test]
async fn an_invite_code_cannot_be_derived_from_the_store() {
    let folder = tempfile::tempdir().unwrap();
    let server = TestServer::with_store(Store::open(folder.path()).await.unwrap()).await;
    let ada = server.client(1);
    let created = ada
        .create_game("classic", human_seat("Ada"), invite_seat())
        .await;
    let another = ada
        .create_game("classic", human_seat("Ada"), invite_seat())
        .await;
    let code_of = |view: &Value| {
        let link = view["invite"].as_str().unwrap();
        link.rsplit('/').next().unwrap().to_owned()
    };
    let (code, uid) = (code_of(&created), game_id(&created));
    assert_eq!(code.len(), 32, "128 bits");
    assert_ne!(code, code_of(&another));

    let number = server.store().find_game(&uid).await.unwrap().unwrap();
    let claims = server.store().seat_claims(number).await.unwrap().unwrap();
    let invite = claims.invites[1].unwrap();
    let hashed: [u8; 32] = Sha256::digest(code.as_bytes()).into();
    assert_eq!(invite.code_hash, hashed, "only its hash is stored");
    assert_ne!(hex::encode(invite.encrypted_code.unwrap()), code);
    let computed = Sha256::new()
        .chain_update(b"an invitation to a game")
        .chain_update(claims.visitors[0].unwrap())
        .chain_update(&uid)
        .finalize();
    assert_ne!(hex::encode(&computed[..16]), code);

    // After a restart the host sees the link again, and nobody else does.
    server.stop().await;
    let server = TestServer::with_store(Store::open(folder.path()).await.unwrap()).await;
    let view = server.client(1).game(&uid).await;
    assert_eq!(view["invite"], created["invite"]);
    assert_eq!(server.client(2).game(&uid).await["invite"], json!(null));
    let (status, view) = server.client(2).join(&created, "Bob").await;
    assert_eq!(status, 200, "{view}");
}

async fn delete(client: &TestClient, path: &str) -> (u16, Value) {
    client.send(client.request("DELETE", path, None)).await
}

/// The last frames of a socket, up to its Close.
async fn read_to_close(socket: &mut Socket) -> (Vec<Value>, CloseCode) {
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
async fn an_ended_session_invalidates_its_token() {
    let server = TestServer::new().await;
    let address = listen(&server).await;
    let (ada, bob, game) = two_players(&server).await;
    let path = format!("/games/{game}/socket");
    let mut hers = open_socket(address, &ada, &path).await;
    let mut his = open_socket(address, &bob, &path).await;
    receive(&mut hers).await;
    receive(&mut his).await;

    let (status, _) = delete(&ada, "/session").await;
    assert_eq!(status, 204);
    let (frames, code) = read_to_close(&mut hers).await;
    assert_eq!(code, CloseCode::Policy);
    assert_eq!(frames.last().unwrap()["error"]["kind"], "unknown-token");
    let mv = json!({"type": "move", "move": "b2", "rev": "0.1"});
    let (status, response) = ada.act(&game, &mv).await;
    assert_eq!(
        (status, &response["error"]["kind"]),
        (401, &json!("unknown-token"))
    );
    assert_eq!(bob.game(&game).await["you"], json!(["o"]), "his goes on");

    // Also in a server that starts later.
    let store = server.store().clone();
    let later = TestServer::with_store(store).await;
    assert_eq!(later.client(1).get("/games").await.0, 401);
    assert_eq!(later.client(2).get("/games").await.0, 200);
}

/// What the operator does in another program reaches connected clients.
#[tokio::test]
async fn a_ban_from_another_program_closes_open_connections() {
    let folder = tempfile::tempdir().unwrap();
    let operator = Store::open(folder.path()).await.unwrap();
    let server = TestServer::with_store(Store::open(folder.path()).await.unwrap()).await;
    let address = listen(&server).await;
    let (ada, bob, game) = two_players(&server).await;
    let mut socket = open_socket(address, &ada, &format!("/games/{game}/socket")).await;
    receive(&mut socket).await;
    let stream = ada.request("GET", &format!("/games/{game}/stream"), None);
    let stream = tower::ServiceExt::oneshot(server.router.clone(), stream).await;
    let mut lines = stream.unwrap().into_body().into_data_stream();
    lines.next().await.unwrap().unwrap();

    let target = BanTarget::Visitor(visitor_id(&ada));
    operator.ban(target, Some("cheating")).await.unwrap();
    server.app.access.refresh(server.store()).await.unwrap();
    let (frames, code) = read_to_close(&mut socket).await;
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
    server.app.access.refresh(server.store()).await.unwrap();
    assert_eq!(ada.game(&game).await["you"], json!(["x"]), "her seat again");
}

/// Guards against analyses, reviews and exports that continued for a banned visitor.
#[tokio::test]
async fn a_ban_ends_analyses_reviews_and_exports() {
    let server = TestServer::new().await;
    let ada = server.client(1);
    let mut text = String::new();
    for i in 0..100 {
        text += &format!("[Variant \"ultimate\"]\n[X \"P{i}\"]\n\n1. ee ea 2. ab bc 3. ce *\n\n");
    }
    let records = noughts_rules::Record::parse_all(&text).unwrap();
    server.store().import(&records).await.unwrap();
    let games = server.store().games(&GameFilter::default()).await.unwrap();
    let endless = json!({"variant": "ultimate", "time_ms": 60000});
    let review = format!("/games/{}/review", games[0].uid);
    let requests = [
        ada.request("POST", "/analyses", Some(&endless)),
        ada.request("GET", &review, None),
        ada.request("GET", "/games/export?limit=100", None),
    ];
    let mut bodies = Vec::new();
    for request in requests {
        let response = tower::ServiceExt::oneshot(server.router.clone(), request).await;
        let mut body = response.unwrap().into_body().into_data_stream();
        body.next().await.unwrap().unwrap();
        bodies.push(body);
    }

    let target = BanTarget::Visitor(visitor_id(&ada));
    server.store().ban(target, None).await.unwrap();
    server.app.access.refresh(server.store()).await.unwrap();
    let mut export = bodies.pop().unwrap();
    assert!(export.next().await.unwrap().is_err(), "it is broken off");
    for mut body in bodies {
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
async fn a_game_deleted_by_the_operator_ends_its_streams() {
    let folder = tempfile::tempdir().unwrap();
    let operator = Store::open(folder.path()).await.unwrap();
    let server = TestServer::with_store(Store::open(folder.path()).await.unwrap()).await;
    let (ada, bob, game) = two_players(&server).await;
    ada.play_move(&game, "b2").await;
    let stream = bob.request("GET", &format!("/games/{game}/stream"), None);
    let stream = tower::ServiceExt::oneshot(server.router.clone(), stream).await;
    let mut lines = stream.unwrap().into_body().into_data_stream();
    lines.next().await.unwrap().unwrap();

    let number = operator.find_game(&game).await.unwrap().unwrap();
    operator.delete_game(number).await.unwrap();
    let stale = server.app.access.refresh(server.store()).await.unwrap();
    assert_eq!(stale, [game.as_str()]);
    server.app.rooms.drop_stale(&stale).await;
    while let Some(line) = lines.next().await {
        line.unwrap();
    }
    assert_eq!(ada.get(&format!("/games/{game}")).await.0, 404);
}
