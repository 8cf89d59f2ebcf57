//! Random requests: any method to any address from anybody with anything.

use axum::body::{Body, to_bytes};
use axum::http::{Request, StatusCode};
use axum::response::Response;
use futures_util::StreamExt;
use serde_json::Value;
use tower::ServiceExt;

use super::generator::{Generator, VARIANTS};
use super::tracker::GameTracker;

/// Addresses, with `ID` for a game; those that are for the dice to change things at
/// stand there more than once.
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
    "/api/v1/tables/VARIANT",
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

const QUESTIONS: [&str; 18] = [
    "html=1",
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

/// What may stand in headers beside who one is.
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

/// An answer, as far as it was read.
struct Said {
    status: StatusCode,
    text: String,
}

pub(super) async fn send(seed: u64, count: usize) {
    let mut dice = Generator::new(seed);
    let mut ledger = GameTracker::new(&mut dice).await;
    let mut done = [0; 2];
    for number in 0..count {
        let at = dice.below(ledger.games.len());
        let (request, what) = request(&mut dice, &ledger, at);
        let what = format!("seed {seed}, request {number}: {what}");
        let changes = request.method() == "POST";
        let head = request.method() == "HEAD";
        let answer = ledger.server.router.clone().oneshot(request).await.unwrap();
        let said = read(answer).await;
        assert!(!said.status.is_server_error(), "{what}: {}", said.text);
        if said.status.is_client_error() {
            if !head {
                has_the_form(&said, &what);
            }
            ledger.assert_unchanged(at, &what).await;
            done[1] += 1;
        } else if changes {
            ledger.refresh(at, &mut dice).await;
            done[0] += 1;
        }
        if number % 1000 == 0 {
            for at in 0..ledger.games.len() {
                ledger.assert_unchanged(at, &what).await;
            }
        }
    }
    // Otherwise something else was tried than was meant.
    assert!(done.iter().all(|&part| part > count / 30), "{done:?}");
}

/// A request, and in words what it is.
fn request(dice: &mut Generator, ledger: &GameTracker, at: usize) -> (Request<Body>, String) {
    let game = &ledger.games[at];
    let path = dice.pick(&PATHS);
    let id = match dice.below(8) {
        0 => dice.pick(&ODD_IDS).to_owned(),
        1 if !ledger.bot_games.is_empty() => {
            ledger.bot_games[dice.below(ledger.bot_games.len())].clone()
        }
        _ => game.id.clone(),
    };
    let variant = dice.pick(&VARIANTS);
    let code = if dice.one_in(2) { &game.code } else { "0" };
    let mut uri = path.replace("ID", &id);
    uri = uri.replace("VARIANT", variant).replace("CODE", code);
    if dice.one_in(5) {
        uri = format!("{uri}?{}", dice.pick(&QUESTIONS));
    }
    let last = path.rsplit('/').next().unwrap();
    let posted = [
        "actions",
        "join",
        "games",
        "positions",
        "position",
        "analyses",
        "hints",
        "token",
    ];
    let usual = if posted.contains(&last) {
        "POST"
    } else {
        "GET"
    };
    let method = if dice.one_in(10) {
        dice.pick(&METHODS)
    } else {
        usual
    };

    let mut request = Request::builder().method(method).uri(&uri);
    let mut headers = vec![("host", "127.0.0.1:7272".to_owned())];
    let who = dice.below(8);
    let token = |who: usize| &ledger.clients[who].token;
    match who {
        0..3 => headers.push(("authorization", format!("Bearer {}", token(who)))),
        3..6 => headers.push(("cookie", format!("a=b; noughts={}", token(who - 3)))),
        // With the game's id but no secret.
        6 => headers.push(("cookie", format!("noughts={}", game.id))),
        _ => {}
    }
    if !dice.one_in(20) {
        headers.push(("content-type", "application/json".to_owned()));
    }
    if dice.one_in(8) {
        let (name, value) = ODD_HEADERS[dice.below(ODD_HEADERS.len())];
        headers.retain(|(there, _)| *there != name);
        headers.push((name, value.to_owned()));
    }
    for (name, value) in &headers {
        request = request.header(*name, value);
    }
    let body = body(dice, last, &game.observed.view["game"], &game.code);
    let shown = String::from_utf8_lossy(&body[..body.len().min(300)]).into_owned();
    let what = format!("{method} {uri} {headers:?} {shown}");
    (request.body(Body::from(body)).unwrap(), what)
}

fn body(dice: &mut Generator, to: &str, game: &Value, code: &str) -> Vec<u8> {
    let body = dice.body(to, game, code);
    match dice.below(40) {
        0 => Vec::new(),
        1 => vec![0xff; dice.below(50)],
        2 if dice.one_in(10) => vec![b'['; 70_000 + dice.below(2) * 1_000_000],
        2 => format!("{body}{}", " ".repeat(dice.below(70_000))).into_bytes(),
        3..12 => dice.corrupt(&body),
        _ => body.to_string().into_bytes(),
    }
}

/// Of what would go on for as long as one listens, the beginning is enough.
async fn read(answer: Response) -> Said {
    let status = answer.status();
    let kind = answer.headers().get("content-type");
    let endless = kind.is_some_and(|kind| kind == "application/x-ndjson");
    let bytes = if endless {
        let mut stream = answer.into_body().into_data_stream();
        // To HEAD there is none.
        stream.next().await.transpose().unwrap().unwrap_or_default()
    } else {
        to_bytes(answer.into_body(), 1 << 24).await.unwrap()
    };
    Said {
        status,
        text: String::from_utf8_lossy(&bytes).into_owned(),
    }
}

fn has_the_form(said: &Said, what: &str) {
    if said.text.starts_with("<!DOCTYPE html>") {
        // These two explain on the page what is wrong with their own form.
        let is_form = what.contains(" /new") || what.contains(" /analysis");
        assert!(
            is_form || what.contains("text/html"),
            "{what}: a page nobody asked for"
        );
        return;
    }
    let body: Value = serde_json::from_str(&said.text)
        .unwrap_or_else(|error| panic!("{what}: {error} in {:?}", said.text));
    assert_error_body(&body, what);
    let has_view = body.get("view").is_some();
    match said.status {
        StatusCode::CONFLICT => assert!(has_view, "{what}: {body}"),
        StatusCode::UNPROCESSABLE_ENTITY => {}
        _ => assert!(!has_view, "{what}: {body}"),
    }
    let keys = 1 + usize::from(has_view);
    assert_eq!(body.as_object().unwrap().len(), keys, "{what}: {body}");
}

/// It has a kind and a sentence, and nothing else.
pub(super) fn assert_error_body(body: &Value, what: &str) {
    let error = body["error"].as_object();
    let error = error.unwrap_or_else(|| panic!("{what}: {body}"));
    assert_eq!(error.len(), 2, "{what}: {body}");
    for part in ["kind", "message"] {
        let text = error[part].as_str();
        assert!(text.is_some_and(|text| !text.is_empty()), "{what}: {body}");
    }
}
