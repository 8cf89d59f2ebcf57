//! Seats and tokens: what nobody can do to another visitor, one test each.

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

/// Sends a request with these headers. Returns the status, and the headers and body as text.
async fn send_request(
    server: &TestServer,
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
    let response = server.router.clone().oneshot(request).await.unwrap();
    let status = response.status().as_u16();
    let mut texts = format!("{:?}\n", response.headers());
    let bytes = to_bytes(response.into_body(), 1 << 24).await.unwrap();
    texts.push_str(&String::from_utf8_lossy(&bytes));
    (status, texts)
}

fn hash(token: &str) -> String {
    hex::encode(Sha256::digest(token.as_bytes()))
}

#[tokio::test]
async fn a_visitor_cannot_move_for_another() {
    let server = TestServer::new().await;
    let address = listen(&server).await;
    let (ada, bob, id) = two_players(&server).await;
    let eve = server.client(3);
    let before = ada.game(&id).await["game"].clone();
    let mv = json!({"type": "move", "move": "b2", "rev": before["rev"]});

    // Clients with what they could know of the game, or of what is stored.
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
        let (status, texts) =
            send_request(&server, "POST", &path, &[(*name, value)], Some(&mv)).await;
        let kind = match status {
            401 => "unknown-token",
            _ => "not-yours",
        };
        assert!([401, 403].contains(&status), "{name} {value}: {texts}");
        assert!(texts.contains(kind), "{texts}");
    }
    for client in [&eve, &bob] {
        let mut socket = open_socket(address, client, &format!("/games/{id}/socket")).await;
        receive(&mut socket).await;
        for action in [
            mv.clone(),
            json!({"type": "resign", "rev": before["rev"], "side": "x"}),
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
        (&after["rev"], &after["ending"]),
        (&before["rev"], &json!(null))
    );
    assert_eq!(
        ada.play_move(&id, "b2").await["game"]["moves"],
        json!(["b2"])
    );
}

#[tokio::test]
async fn tokens_are_never_disclosed() {
    let log = Log::default();
    // With a single subscriber, the first event from another test's thread would register its
    // callsite as disabled, and it would be missing from then on.
    let second = tracing::Dispatch::new(Log::default());
    let logging = tracing::subscriber::set_default(log.clone());

    let server = TestServer::new().await;
    let address = listen(&server).await;
    let (ada, bob, played) = two_players(&server).await;
    let eve = server.client(3);
    let created = ada
        .create_game("classic", human_seat("Ada"), invite_seat())
        .await;
    let awaiting = game_id(&created);
    let code = created["invite"]
        .as_str()
        .unwrap()
        .rsplit('/')
        .next()
        .unwrap();
    ada.play_move(&played, "b2").await;
    send_request(
        &server,
        "GET",
        &format!("/join/{awaiting}/{code}"),
        &[],
        None,
    )
    .await;

    let mut texts = Vec::new();
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
    for client in [&bob, &eve] {
        let cookie = format!("noughts={}", client.token);
        for page in &pages {
            let (status, text) =
                send_request(&server, "GET", page, &[("cookie", &cookie)], None).await;
            assert_eq!(status, 200, "{page}: {text}");
            texts.push((format!("{page} to {}", client.token), text));
        }
        for id in [&played, &awaiting] {
            let frame = client.watch(id).await.next().await;
            texts.push((format!("the stream of {id}"), frame.to_string()));
            let mut socket =
                open_socket(address, client, &format!("/games/{id}/socket?html=1")).await;
            texts.push((
                format!("the socket of {id}"),
                receive(&mut socket).await.to_string(),
            ));
            let (_, refused) = client
                .act(id, &json!({"type": "takeback", "rev": "9.9"}))
                .await;
            texts.push((format!("a refusal in {id}"), refused.to_string()));
        }
        let wrong = json!({"code": "0".repeat(32), "name": "Eve"});
        let (_, refused) = client
            .post(&format!("/games/{awaiting}/join"), &wrong)
            .await;
        texts.push(("a wrong code".into(), refused.to_string()));
    }
    drop((logging, second));
    let logged = log.text();
    assert!(logged.contains("/games/{"), "requests are logged: {logged}");
    texts.push(("the log".into(), logged));
    // Not even one's own token: a page doesn't need it, and could leak it to a malicious script.
    for (what, text) in &texts {
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

/// The middleware's tests cover all kinds of foreign origins; this checks that the middleware
/// protects real games.
#[tokio::test]
async fn cross_origin_requests_cannot_act() {
    let server = TestServer::new().await;
    let address = listen(&server).await;
    let (ada, _, id) = two_players(&server).await;
    let cookie = format!("noughts={}", ada.token);
    let mv = json!({"type": "move", "move": "b2", "rev": ada.game(&id).await["game"]["rev"]});
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
            let (status, texts) = send_request(&server, "POST", &path, &headers, Some(body)).await;
            assert_eq!(status, 403, "{path} {foreign:?}: {texts}");
            assert!(texts.contains("foreign-origin"), "{texts}");
        }
    }
    assert_eq!(
        server
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
async fn an_invitation_works_once() {
    let server = TestServer::new().await;
    let (ada, bob, eve) = (server.client(1), server.client(2), server.client(3));
    let created = ada
        .create_game("classic", human_seat("Ada"), invite_seat())
        .await;
    let another = ada
        .create_game("classic", human_seat("Ada"), invite_seat())
        .await;
    let code = created["invite"]
        .as_str()
        .unwrap()
        .rsplit('/')
        .next()
        .unwrap();
    let elsewhere = json!({"code": code, "name": "Eve"});
    let path = format!("/games/{}/join", game_id(&another));
    assert_eq!(
        eve.post(&path, &elsewhere).await.0,
        403,
        "one code, one game"
    );

    // Both come at once, and one of them is first.
    let (his, hers) = tokio::join!(bob.join(&created, "Bob"), eve.join(&created, "Eve"));
    let mut statuses = [his.0, hers.0];
    statuses.sort_unstable();
    assert_eq!(statuses, [200, 422]);
    let (late, name) = if his.0 == 200 {
        (&eve, "Bob")
    } else {
        (&bob, "Eve")
    };
    let id = game_id(&created);
    for client in [late, &server.client(4)] {
        assert_eq!(client.join(&created, "Eve").await.0, 422);
        let view = client.game(&id).await;
        assert_eq!((&view["you"], &view["invite"]), (&json!([]), &json!(null)));
        assert_eq!(view["game"]["o"]["name"], name);
        let mv = json!({"type": "move", "move": "b2"});
        assert_eq!(client.act_on_latest(&id, mv).await.0, 403);
    }
    assert_eq!(
        ada.game(&id).await["invite"],
        json!(null),
        "nobody else is to come"
    );
}
