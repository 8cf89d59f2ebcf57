//! Who may do how much, and who no longer: limits on everything that is stored, sessions
//! that end, games that the operator deletes.

use std::time::Duration;

use futures_util::StreamExt;
use noughts_store::{BanTarget, Filter, Store, VisitorId};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::tungstenite::protocol::frame::coding::CloseCode;

use super::house::*;
use crate::config::Rate;

/// So few that a test reaches it, and none comes back while it runs.
const FEW: Rate = Rate {
    burst: 3,
    every: Duration::from_secs(3600),
};

async fn strict() -> House {
    let store = Store::in_memory().await.unwrap();
    House::over_with(store, |config| config.limits.games = FEW).await
}

async fn stored(house: &House) -> usize {
    let games = house.store().games(&Filter::default()).await;
    games.unwrap().len()
}

fn visitor_id(who: &Visitor) -> VisitorId {
    VisitorId::of(&Sha256::digest(who.token.as_bytes()).into())
}

/// Rematches were counted nowhere: 2,260 games a minute from one visitor.
#[tokio::test]
async fn a_rematch_counts_as_a_new_game() {
    let house = strict().await;
    let me = house.visitor(1);
    let mut game = id(&me.make("classic", person("Ada"), person("Bob")).await);
    let mut made = 1;
    let refused = loop {
        me.moves(&game, "b2").await;
        me.does(&game, json!({"do": "resign"})).await;
        let again = json!({"do": "offer", "offer": "rematch"});
        let (status, answer) = me.act_now(&game, again).await;
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
    let address = at(&house).await;
    let mut socket = open(address, &me, &format!("/games/{game}/socket")).await;
    let rev = hear(&mut socket).await["game"]["rev"].clone();
    say(
        &mut socket,
        json!({"do": "offer", "offer": "rematch", "rev": rev}),
    )
    .await;
    let frame = loop {
        let frame = hear(&mut socket).await;
        if frame["type"] == "error" {
            break frame;
        }
    };
    assert_eq!(frame["error"]["kind"], "too-many", "{frame}");
    assert_eq!(stored(&house).await, 3);
    let new = json!({"variant": "classic", "x": person("Ada"), "o": person("Bob")});
    assert_eq!(me.post("/games", &new).await.0, 429);
    assert_eq!(house.visitor(2).post("/games", &new).await.0, 201);
}

/// A rematch is counted for the one who agrees to it, and begins where the game began.
#[tokio::test]
async fn the_start_of_a_rematch_counts_as_stored_bytes() {
    let store = Store::in_memory().await.unwrap();
    let house = House::over_with(store, |config| {
        config.limits.kept = Rate { burst: 2, ..FEW };
    })
    .await;
    let me = house.visitor(1);
    let new = json!({
        "variant": "classic", "position": "x.o/.x./... o", "x": person("Ada"), "o": person("Bob"),
    });
    let (status, made) = me.post("/games", &new).await;
    assert_eq!(status, 201, "{made}");
    let mut game = id(&made);
    for expected in [200, 429] {
        me.moves(&game, "a3").await;
        me.does(&game, json!({"do": "resign"})).await;
        let again = json!({"do": "offer", "offer": "rematch"});
        let (status, answer) = me.act_now(&game, again).await;
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
    let me = house.visitor(1);
    let game = id(&me.make("classic", person("Ada"), bot("easy")).await);
    let mut statuses = Vec::new();
    for number in 0..4 {
        let who = person(&format!("Somebody {number}"));
        let seat = json!({"do": "seat", "side": "o", "who": who});
        statuses.push(me.act_now(&game, seat).await.0);
    }
    assert_eq!(statuses, [200, 200, 429, 429]);
    let people = house.store().people().await.unwrap();
    assert_eq!(people.len(), 3, "{people:?}");

    let host = house.visitor(2);
    let bob = house.visitor(3);
    for expected in [200, 200, 200] {
        let made = host.make("classic", person("Cleo"), invite()).await;
        assert_eq!(bob.join(&made, "Bob").await.0, expected);
    }
    let made = house
        .visitor(4)
        .make("classic", person("Dan"), invite())
        .await;
    assert_eq!(bob.join(&made, "Bob").await.0, 429);
}

/// The code was once computed from what the store has.
#[tokio::test]
async fn an_invite_code_does_not_follow_from_the_store() {
    let folder = tempfile::tempdir().unwrap();
    let house = House::over(Store::open(folder.path()).await.unwrap()).await;
    let ada = house.visitor(1);
    let made = ada.make("classic", person("Ada"), invite()).await;
    let another = ada.make("classic", person("Ada"), invite()).await;
    let code_of = |view: &Value| {
        let link = view["invite"].as_str().unwrap();
        link.rsplit('/').next().unwrap().to_owned()
    };
    let (code, uid) = (code_of(&made), id(&made));
    assert_eq!(code.len(), 32, "128 bits");
    assert_ne!(code, code_of(&another));

    let number = house.store().find(&uid).await.unwrap().unwrap();
    let claims = house.store().claims(number).await.unwrap().unwrap();
    let invite = claims.invites[1].unwrap();
    let hashed: [u8; 32] = Sha256::digest(code.as_bytes()).into();
    assert_eq!(invite.code, hashed, "only its hash is stored");
    let hex = crate::digest::hexadecimal;
    assert_ne!(hex(&invite.sealed.unwrap()), code);
    let computed = Sha256::new()
        .chain_update(b"an invitation to a game")
        .chain_update(claims.sitters[0].unwrap())
        .chain_update(&uid)
        .finalize();
    assert_ne!(hex(&computed[..16]), code);

    // The host sees the link again after a restart, and nobody else does.
    house.stop().await;
    let house = House::over(Store::open(folder.path()).await.unwrap()).await;
    let view = house.visitor(1).read(&uid).await;
    assert_eq!(view["invite"], made["invite"]);
    assert_eq!(house.visitor(2).read(&uid).await["invite"], json!(null));
    let (status, view) = house.visitor(2).join(&made, "Bob").await;
    assert_eq!(status, 200, "{view}");
}

async fn delete(who: &Visitor, path: &str) -> (u16, Value) {
    who.ask(who.request("DELETE", path, None)).await
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
    let house = House::new().await;
    let address = at(&house).await;
    let (ada, bob, game) = two(&house).await;
    let path = format!("/games/{game}/socket");
    let mut hers = open(address, &ada, &path).await;
    let mut his = open(address, &bob, &path).await;
    hear(&mut hers).await;
    hear(&mut his).await;

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
    assert_eq!(bob.read(&game).await["you"], json!(["o"]), "his goes on");

    // Also in a server that starts later.
    let store = house.store().clone();
    let later = House::over(store).await;
    assert_eq!(later.visitor(1).get("/games").await.0, 401);
    assert_eq!(later.visitor(2).get("/games").await.0, 200);
}

/// What the operator does in another program reaches those who are connected.
#[tokio::test]
async fn a_ban_from_another_program_closes_what_is_open() {
    let folder = tempfile::tempdir().unwrap();
    let operator = Store::open(folder.path()).await.unwrap();
    let house = House::over(Store::open(folder.path()).await.unwrap()).await;
    let address = at(&house).await;
    let (ada, bob, game) = two(&house).await;
    let mut socket = open(address, &ada, &format!("/games/{game}/socket")).await;
    hear(&mut socket).await;
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
    assert_eq!(ada.read(&game).await["you"], json!(["x"]), "her seat again");
}

/// Guards analyses, reviews and exports that went on for a visitor who was banned.
#[tokio::test]
async fn a_ban_ends_analyses_reviews_and_exports() {
    let house = House::new().await;
    let ada = house.visitor(1);
    let mut text = String::new();
    for i in 0..100 {
        text += &format!("[Variant \"ultimate\"]\n[X \"P{i}\"]\n\n1. ee ea 2. ab bc 3. ce *\n\n");
    }
    let records = noughts_rules::Record::read_all(&text).unwrap();
    house.store().import(&records).await.unwrap();
    let games = house.store().games(&Filter::default()).await.unwrap();
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
    let house = House::over(Store::open(folder.path()).await.unwrap()).await;
    let (ada, bob, game) = two(&house).await;
    ada.moves(&game, "b2").await;
    let stream = bob.request("GET", &format!("/games/{game}/stream"), None);
    let stream = tower::ServiceExt::oneshot(house.router.clone(), stream).await;
    let mut lines = stream.unwrap().into_body().into_data_stream();
    lines.next().await.unwrap().unwrap();

    let number = operator.find(&game).await.unwrap().unwrap();
    operator.delete_game(number).await.unwrap();
    let stale = house.app.access.refresh(house.store()).await.unwrap();
    assert_eq!(stale, [game.as_str()]);
    house.app.rooms.drop_stale(&stale).await;
    while let Some(line) = lines.next().await {
        line.unwrap();
    }
    assert_eq!(ada.get(&format!("/games/{game}")).await.0, 404);
}
