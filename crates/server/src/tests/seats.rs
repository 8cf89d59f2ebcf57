//! Seats and secrets: what nobody can do to somebody else, one test each.

use axum::body::{Body, to_bytes};
use axum::http::Request;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use tokio_tungstenite::connect_async;
use tokio_tungstenite::tungstenite::client::IntoClientRequest;
use tower::ServiceExt;

use super::Log;
use super::test_server::*;

type Headers<'a> = &'a [(&'a str, &'a str)];

/// Asks as somebody who shows these headers; gives the status, and all that is said.
async fn ask(
    house: &TestServer,
    method: &str,
    path: &str,
    headers: Headers<'_>,
    body: Option<&Value>,
) -> (u16, String) {
    let mut request = Request::builder().method(method).uri(path);
    request = request.header("host", "127.0.0.1:7272");
    request = request.header("content-type", "application/json");
    for (name, value) in headers {
        request = request.header(*name, *value);
    }
    let body = body.map_or_else(Body::empty, |body| body.to_string().into());
    let request = request.body(body).unwrap();
    let answer = house.router.clone().oneshot(request).await.unwrap();
    let status = answer.status().as_u16();
    let mut said = format!("{:?}\n", answer.headers());
    let bytes = to_bytes(answer.into_body(), 1 << 24).await.unwrap();
    said.push_str(&String::from_utf8_lossy(&bytes));
    (status, said)
}

fn hash(token: &str) -> String {
    crate::digest::to_hex(&Sha256::digest(token.as_bytes()))
}

#[tokio::test]
async fn nobody_can_move_in_anothers_seat() {
    let house = TestServer::new().await;
    let address = listen(&house).await;
    let (ada, bob, id) = two_players(&house).await;
    let eve = house.client(3);
    let before = ada.game(&id).await["game"].clone();
    let mv = json!({"do": "move", "move": "b2", "rev": before["rev"]});

    // Those who come with what they could know of the game, or of what is stored.
    let bearer = |token: &str| format!("Bearer {token}");
    let shown = [
        ("authorization", bearer(&eve.token)),
        ("authorization", bearer(&bob.token)),
        ("authorization", bearer(&id.repeat(2))),
        ("authorization", bearer(&hash(&ada.token))),
        ("cookie", format!("noughts={}", eve.token)),
        ("cookie", format!("noughts={id}")),
        ("cookie", format!("noughts={}", hash(&ada.token))),
        ("cookie", format!("other={}", ada.token)),
        ("x-noughts", ada.token.clone()),
    ];
    let path = format!("/api/v1/games/{id}/actions");
    for (name, value) in &shown {
        let (status, said) = ask(&house, "POST", &path, &[(*name, value)], Some(&mv)).await;
        let kind = match status {
            401 => "unknown-token",
            _ => "not-yours",
        };
        assert!([401, 403].contains(&status), "{name} {value}: {said}");
        assert!(said.contains(kind), "{said}");
    }
    for who in [&eve, &bob] {
        let mut socket = open_socket(address, who, &format!("/games/{id}/socket")).await;
        receive(&mut socket).await;
        for action in [
            mv.clone(),
            json!({"do": "resign", "rev": before["rev"], "side": "x"}),
        ] {
            send(&mut socket, &action).await;
            let frame = loop {
                let frame = receive(&mut socket).await;
                if frame["type"] == "error" {
                    break frame;
                }
            };
            assert_eq!(frame["error"]["kind"], "not-yours", "{action}: {frame}");
        }
    }
    let after = ada.game(&id).await["game"].clone();
    assert_eq!(after["moves"], json!([]));
    assert_eq!(
        (&after["rev"], &after["over"]),
        (&before["rev"], &json!(null))
    );
    assert_eq!(
        ada.play_move(&id, "b2").await["game"]["moves"],
        json!(["b2"])
    );
}

#[tokio::test]
async fn nobody_can_read_anothers_token() {
    let log = Log::default();
    // With only one, what another test's thread logs first would be asked of that thread,
    // where nobody listens, and be left out from then on.
    let second = tracing::Dispatch::new(Log::default());
    let logging = tracing::subscriber::set_default(log.clone());

    let house = TestServer::new().await;
    let address = listen(&house).await;
    let (ada, bob, played) = two_players(&house).await;
    let eve = house.client(3);
    let made = ada
        .create_game("classic", human_seat("Ada"), invite_seat())
        .await;
    let awaiting = game_id(&made);
    let code = made["invite"].as_str().unwrap().rsplit('/').next().unwrap();
    ada.play_move(&played, "b2").await;
    ask(
        &house,
        "GET",
        &format!("/join/{awaiting}/{code}"),
        &[],
        None,
    )
    .await;

    let mut said = Vec::new();
    let mut pages = vec![
        "/".to_owned(),
        "/games".into(),
        "/players".into(),
        "/metrics".into(),
    ];
    pages.extend(["/players/Ada", "/api/v1/games", "/api/v1/players"].map(String::from));
    pages.extend(["/api/v1/players/Ada", "/api/v1/games/export"].map(String::from));
    for id in [&played, &awaiting] {
        pages.push(format!("/games/{id}"));
        for part in ["", "?html=1", "/record", "/board.svg"] {
            pages.push(format!("/api/v1/games/{id}{part}"));
        }
    }
    for who in [&bob, &eve] {
        let cookie = format!("noughts={}", who.token);
        for page in &pages {
            let (status, text) = ask(&house, "GET", page, &[("cookie", &cookie)], None).await;
            assert_eq!(status, 200, "{page}: {text}");
            said.push((format!("{page} to {}", who.token), text));
        }
        for id in [&played, &awaiting] {
            let frame = who.watch(id).await.next().await;
            said.push((format!("the stream of {id}"), frame.to_string()));
            let mut socket = open_socket(address, who, &format!("/games/{id}/socket?html=1")).await;
            said.push((
                format!("the socket of {id}"),
                receive(&mut socket).await.to_string(),
            ));
            let (_, refused) = who.act(id, &json!({"do": "undo", "rev": "9.9"})).await;
            said.push((format!("a refusal in {id}"), refused.to_string()));
        }
        let wrong = json!({"code": "0".repeat(32), "name": "Eve"});
        let (_, refused) = who.post(&format!("/games/{awaiting}/join"), &wrong).await;
        said.push(("a wrong code".into(), refused.to_string()));
    }
    drop((logging, second));
    let logged = log.text();
    assert!(logged.contains("/games/{"), "requests are logged: {logged}");
    said.push(("the log".into(), logged));
    // Not one's own either: a page has no need of it, and its scripts could be another's.
    for (what, text) in &said {
        for token in [&ada.token, &bob.token, &eve.token] {
            for secret in [token, &hash(token)] {
                assert!(!text.contains(secret), "{what} tells a token: {text}");
            }
        }
        assert!(!text.contains(code), "{what} tells the invitation: {text}");
    }
    assert!(
        ada.game(&awaiting).await["invite"]
            .as_str()
            .unwrap()
            .contains(code)
    );
}

/// What every kind of request with a foreign origin comes to is tested at the guard;
/// here, that it stands before real games.
#[tokio::test]
async fn nobody_can_act_across_origins() {
    let house = TestServer::new().await;
    let address = listen(&house).await;
    let (ada, _, id) = two_players(&house).await;
    let cookie = format!("noughts={}", ada.token);
    let mv = json!({"do": "move", "move": "b2", "rev": ada.game(&id).await["game"]["rev"]});
    let new = json!({"variant": "classic", "x": human_seat("Ada"), "o": human_seat("Eve")});
    let game = format!("/api/v1/games/{id}");
    for foreign in [
        ("origin", "http://evil.example"),
        ("origin", "null"),
        ("sec-fetch-site", "cross-site"),
        ("referer", "http://evil.example/"),
    ] {
        for (path, body) in [
            (format!("{game}/actions"), &mv),
            (format!("{game}/join"), &json!({"code": "", "name": "Eve"})),
            ("/api/v1/games".into(), &new),
            ("/api/v1/token".into(), &json!({})),
        ] {
            let headers = [("cookie", cookie.as_str()), foreign];
            let (status, said) = ask(&house, "POST", &path, &headers, Some(body)).await;
            assert_eq!(status, 403, "{path} {foreign:?}: {said}");
            assert!(said.contains("foreign-origin"), "{said}");
        }
    }
    assert_eq!(
        house
            .store()
            .games(&Default::default())
            .await
            .unwrap()
            .len(),
        1
    );
    let ours = format!("http://{address}");
    for (origin, opens) in [
        ("http://evil.example", false),
        ("null", false),
        (&ours, true),
    ] {
        let mut request = format!("ws://{address}{game}/socket")
            .into_client_request()
            .unwrap();
        let headers = request.headers_mut();
        headers.insert("cookie", cookie.parse().unwrap());
        headers.insert("origin", origin.parse().unwrap());
        let socket = connect_async(request).await;
        assert_eq!(socket.is_ok(), opens, "{origin}");
    }
    assert_eq!(ada.game(&id).await["game"]["moves"], json!([]));
}

#[tokio::test]
async fn an_invitation_is_good_once() {
    let house = TestServer::new().await;
    let (ada, bob, eve) = (house.client(1), house.client(2), house.client(3));
    let made = ada
        .create_game("classic", human_seat("Ada"), invite_seat())
        .await;
    let another = ada
        .create_game("classic", human_seat("Ada"), invite_seat())
        .await;
    let code = made["invite"].as_str().unwrap().rsplit('/').next().unwrap();
    let elsewhere = json!({"code": code, "name": "Eve"});
    let path = format!("/games/{}/join", game_id(&another));
    assert_eq!(
        eve.post(&path, &elsewhere).await.0,
        403,
        "one code, one game"
    );

    // Both come at once, and one of them is first.
    let (his, hers) = tokio::join!(bob.join(&made, "Bob"), eve.join(&made, "Eve"));
    let mut statuses = [his.0, hers.0];
    statuses.sort_unstable();
    assert_eq!(statuses, [200, 422]);
    let (late, name) = if his.0 == 200 {
        (&eve, "Bob")
    } else {
        (&bob, "Eve")
    };
    let id = game_id(&made);
    for who in [late, &house.client(4)] {
        assert_eq!(who.join(&made, "Eve").await.0, 422);
        let view = who.game(&id).await;
        assert_eq!((&view["you"], &view["invite"]), (&json!([]), &json!(null)));
        assert_eq!(view["game"]["seats"][1]["name"], name);
        let mv = json!({"do": "move", "move": "b2"});
        assert_eq!(who.act_on_latest(&id, mv).await.0, 403);
    }
    assert_eq!(
        ada.game(&id).await["invite"],
        json!(null),
        "nobody else is to come"
    );
}
