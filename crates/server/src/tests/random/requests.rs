//! Random requests: any method to any path from any client with any body.

use axum::body::{Body, to_bytes};
use axum::http::{Request, StatusCode};
use axum::response::Response;
use futures_util::StreamExt;
use serde_json::Value;
use tower::ServiceExt;

use super::generator::Generator;
use super::tracker::GameTracker;

/// Paths, with `ID` for a game. Those that change something are listed more than once.
const PATHS: [&str; 40] = [
    "/api/v1/games/ID/actions",
    "/api/v1/games/ID/actions",
    "/api/v1/games/ID/actions",
    "/api/v1/games/ID/actions",
    "/api/v1/games/ID/actions",
    "/api/v1/games/ID/actions",
    "/api/v1/games/ID/actions",
    "/api/v1/games/ID/actions",
    "/api/v1/games/ID/actions",
    "/api/v1/games/ID/actions",
    "/api/v1/games/ID/actions",
    "/api/v1/games/ID/actions",
    "/api/v1/games/ID/join",
    "/api/v1/games/ID/join",
    "/api/v1/games/ID",
    "/api/v1/games/ID/socket",
    "/api/v1/games/ID/stream",
    "/api/v1/games/ID/record",
    "/api/v1/games/ID/board.svg",
    "/api/v1/games",
    "/api/v1/games",
    "/api/v1/positions",
    "/api/v1/position",
    "/api/v1/analyses",
    "/api/v1/hints",
    "/api/v1/token",
    "/api/v1/variants/VARIANT",
    "/api/v1/tablebases/VARIANT",
    "/api/v1/players/ID",
    "/api/v1/positions/ID",
    "/api/v1/ID",
    "/api/openapi.json",
    "/games/ID",
    "/join/ID/CODE",
    "/rules/VARIANT",
    "/analysis",
    "/new",
    "/players/ID",
    "/assets/ID/main.js",
    "/healthz",
];

const ODD_IDS: [&str; 10] = [
    "00000000000000000000000000000000",
    "1",
    "-1",
    "%00",
    "%ff%fe",
    "..",
    "%2e%2e%2fnoughts.db",
    "'%20or%201=1",
    "%3Cscript%3E",
    "Ada",
];

const QUERIES: [&str; 19] = [
    "html=1",
    "html=1&path=4.0",
    "html=1&path=ab",
    "html=2",
    "html=x",
    "html=1&html=1",
    "path=zz",
    "path=aaaaaaaaaaaaaaaaaaa",
    "ply=0",
    "ply=-1",
    "ply=99999999999999999999",
    "limit=0",
    "limit=1&before=2",
    "before=-5",
    "variant=classic",
    "variant=%ff",
    "player=%00",
    "%",
    "&&&=",
];

const METHODS: [&str; 8] = [
    "GET", "HEAD", "POST", "PUT", "DELETE", "PATCH", "OPTIONS", "BREW",
];

/// Headers in addition to those that identify the client.
const ODD_HEADERS: [(&str, &str); 10] = [
    ("origin", "http://evil.example"),
    ("origin", "null"),
    ("host", "evil.example"),
    ("host", ""),
    ("sec-fetch-site", "cross-site"),
    ("authorization", "Bearer 12"),
    ("authorization", "Basic YTpi"),
    ("cookie", "noughts=; noughts=%%%;;"),
    ("accept", "text/html"),
    ("content-length", "7"),
];

/// A response, as far as it was read.
struct ReadResponse {
    status: StatusCode,
    text: String,
}

pub(super) async fn send(seed: u64, count: usize) {
    let mut generator = Generator::new(seed);
    let mut tracker = GameTracker::new(&mut generator).await;
    let mut done = [0; 2];
    for number in 0..count {
        let index = generator.below(tracker.games.len());
        let (request, context) = request(&mut generator, &tracker, index);
        let context = format!("seed {seed}, request {number}: {context}");
        let is_post = request.method() == "POST";
        let is_head = request.method() == "HEAD";
        let response = tracker
            .server
            .router
            .clone()
            .oneshot(request)
            .await
            .unwrap();
        let response = read(response).await;
        assert!(
            !response.status.is_server_error(),
            "{context}: {}",
            response.text
        );
        if response.status.is_client_error() {
            if !is_head {
                assert_error_format(&response, &context);
            }
            tracker.assert_unchanged(index, &context).await;
            done[1] += 1;
        } else if is_post {
            tracker.refresh(index, &mut generator).await;
            done[0] += 1;
        }
        if number % 1000 == 0 {
            for index in 0..tracker.games.len() {
                tracker.assert_unchanged(index, &context).await;
            }
        }
    }
    // Otherwise the test wouldn't cover what it's meant to.
    assert!(done.iter().all(|&part| part > count / 30), "{done:?}");
}

/// A request and its description.
fn request(
    generator: &mut Generator,
    tracker: &GameTracker,
    index: usize,
) -> (Request<Body>, String) {
    let game = &tracker.games[index];
    let path = generator.pick(&PATHS);
    let id = match generator.below(8) {
        0 => generator.pick(&ODD_IDS).to_owned(),
        1 if !tracker.bot_games.is_empty() => {
            tracker.bot_games[generator.below(tracker.bot_games.len())].clone()
        }
        _ => game.id.clone(),
    };
    let variant = generator.variant();
    let code = if generator.one_in(2) { &game.code } else { "0" };
    let mut uri = path.replace("ID", &id);
    uri = uri.replace("VARIANT", variant).replace("CODE", code);
    if generator.one_in(5) {
        uri = format!("{uri}?{}", generator.pick(&QUERIES));
    }
    let last = path.rsplit('/').next().unwrap();
    let post_endpoints = [
        "actions",
        "join",
        "games",
        "positions",
        "position",
        "analyses",
        "hints",
        "token",
    ];
    let default_method = if post_endpoints.contains(&last) {
        "POST"
    } else {
        "GET"
    };
    let method = if generator.one_in(10) {
        generator.pick(&METHODS)
    } else {
        default_method
    };

    let mut request = Request::builder().method(method).uri(&uri);
    let mut headers = vec![("host", "127.0.0.1:7272".to_owned())];
    let client = generator.below(8);
    let token = |client: usize| &tracker.clients[client].token;
    match client {
        0..3 => headers.push(("authorization", format!("Bearer {}", token(client)))),
        3..6 => headers.push(("cookie", format!("a=b; noughts={}", token(client - 3)))),
        // The game's id instead of a token.
        6 => headers.push(("cookie", format!("noughts={}", game.id))),
        _ => {}
    }
    if !generator.one_in(20) {
        headers.push(("content-type", "application/json".to_owned()));
    }
    if generator.one_in(8) {
        let (name, value) = ODD_HEADERS[generator.below(ODD_HEADERS.len())];
        headers.retain(|(existing, _)| *existing != name);
        headers.push((name, value.to_owned()));
    }
    for (name, value) in &headers {
        request = request.header(*name, value);
    }
    let body = body(generator, last, &game.observed.view["game"], &game.code);
    let shown = String::from_utf8_lossy(&body[..body.len().min(300)]).into_owned();
    let context = format!("{method} {uri} {headers:?} {shown}");
    (request.body(Body::from(body)).unwrap(), context)
}

fn body(generator: &mut Generator, endpoint: &str, game: &Value, code: &str) -> Vec<u8> {
    let body = generator.body(endpoint, game, code);
    match generator.below(40) {
        0 => Vec::new(),
        1 => vec![0xff; generator.below(50)],
        2 if generator.one_in(10) => vec![b'['; 70_000 + generator.below(2) * 1_000_000],
        2 => format!("{body}{}", " ".repeat(generator.below(70_000))).into_bytes(),
        3..12 => generator.corrupt(&body),
        _ => body.to_string().into_bytes(),
    }
}

/// Of an endless response only the start is read.
async fn read(response: Response) -> ReadResponse {
    let status = response.status();
    let kind = response.headers().get("content-type");
    let is_stream = kind.is_some_and(|kind| kind == "application/x-ndjson");
    let bytes = if is_stream {
        let mut stream = response.into_body().into_data_stream();
        // A response to HEAD has no body.
        stream.next().await.transpose().unwrap().unwrap_or_default()
    } else {
        to_bytes(response.into_body(), 1 << 24).await.unwrap()
    };
    ReadResponse {
        status,
        text: String::from_utf8_lossy(&bytes).into_owned(),
    }
}

fn assert_error_format(response: &ReadResponse, context: &str) {
    if response.text.starts_with("<!DOCTYPE html>") {
        // These two explain on the page what is wrong with their own form.
        let is_form = context.contains(" /new") || context.contains(" /analysis");
        assert!(
            is_form || context.contains("text/html"),
            "{context}: a page nobody asked for"
        );
        return;
    }
    let body: Value = serde_json::from_str(&response.text)
        .unwrap_or_else(|error| panic!("{context}: {error} in {:?}", response.text));
    assert_error_body(&body, context);
    let has_view = body.get("view").is_some();
    match response.status {
        StatusCode::CONFLICT => assert!(has_view, "{context}: {body}"),
        StatusCode::UNPROCESSABLE_ENTITY => {}
        _ => assert!(!has_view, "{context}: {body}"),
    }
    let keys = 1 + usize::from(has_view);
    assert_eq!(body.as_object().unwrap().len(), keys, "{context}: {body}");
}

/// Checks that an error has a kind and a message, and nothing else.
pub(super) fn assert_error_body(body: &Value, context: &str) {
    let error = body["error"].as_object();
    let error = error.unwrap_or_else(|| panic!("{context}: {body}"));
    assert_eq!(error.len(), 2, "{context}: {body}");
    for part in ["kind", "message"] {
        let text = error[part].as_str();
        assert!(
            text.is_some_and(|text| !text.is_empty()),
            "{context}: {body}"
        );
    }
}
