use std::convert::Infallible;
use std::time::Duration;

use axum::body::Body;
use axum::http::{Request, StatusCode};
use futures_util::StreamExt;
use noughts_rules::Record;
use noughts_session::titles::PRESETS;
use serde_json::{Value, json};

use super::{SeededServer, TestResponse, request};
use crate::config::{Config, RateLimit};

const ONE: &str = "00000000000000000000000000000001";

#[tokio::test]
async fn every_game_to_begin_with_is_told() {
    let served = SeededServer::new().await;
    let all = served.get("/variants").await.json();
    let all = all.as_array().expect("a list");
    assert_eq!(all.len(), PRESETS.len());
    for game in all {
        let name = game["variant"].as_str().expect("a name");
        let one = served.get(&format!("/variants/{name}")).await.json();
        assert_eq!(one["variant"], game["variant"]);
        assert_eq!(one["title"], game["title"]);
        for list in ["rules", "options", "bots"] {
            let list = one[list].as_array().expect(list);
            assert!(!list.is_empty(), "{name}");
        }
    }
    // Another spelling of the same game.
    let same = served.get("/variants/mnk:3,3,3").await.json();
    assert_eq!(same["variant"], "classic");
    let bots = same["bots"].as_array().expect("bots");
    let perfect =
        |name: &str| bots.iter().find(|bot| bot["bot"] == name).expect(name)["perfect"].clone();
    assert_eq!([perfect("hard"), perfect("perfect")], [false, true]);
}

#[tokio::test]
async fn what_cannot_be_has_its_sentence() {
    let served = SeededServer::new().await;
    for (path, status, part) in [
        ("/variants/chess", 422, "there is no such game"),
        ("/variants/mnk:17,3,3", 422, "must be from 1 to 16"),
        ("/players/Nobody", 404, "Nobody"),
        ("/players/%20", 422, "name"),
        ("/players/Ada?limit=501", 400, "from 1 to 500"),
        ("/players?limit=0", 400, "from 1 to 500"),
        ("/players?after=Ada", 400, "three numbers"),
        ("/games?limit=0", 400, "from 1 to 500"),
        ("/games?limit=501", 400, "from 1 to 500"),
        ("/games?limit=x", 400, "not a whole number"),
        ("/games?before=0", 400, "number of a game"),
        ("/games?open=maybe", 400, "true"),
        ("/games?variant=chess", 422, "there is no such game"),
        ("/games?player=%20", 422, "name"),
        ("/games?opponent=", 422, "1 to 100 characters"),
        ("/games?result=win", 422, "name a player"),
        ("/games?result=lucky", 400, "unknown variant"),
        ("/games?limt=3", 400, "limt"),
        ("/games?limit=1&limit=2", 400, "duplicate"),
        (
            "/games/00000000000000000000000000000009/record",
            404,
            "no such game",
        ),
        ("/games/nonsense/record", 404, "no such game"),
        ("/games/nonsense/review", 404, "no such game"),
        ("/positions/nonsense", 404, "no such position"),
        ("/tables/chess", 422, "there is no such game"),
        ("/nowhere", 404, "nothing"),
    ] {
        let (got, message) = served.get(path).await.error();
        assert_eq!(got, status, "{path}: {message}");
        assert!(message.contains(part), "{path}: {message}");
    }
    for (path, body, status, part) in [
        ("/position", "{", 400, "cannot be read"),
        ("/position", "{}", 400, "variant"),
        (
            "/position",
            r#"{"variant":"classic","extra":1}"#,
            400,
            "extra",
        ),
        ("/position", r#"{"variant":"chess"}"#, 422, "no such game"),
        (
            "/position",
            r#"{"variant":"classic","position":"x"}"#,
            422,
            "the position",
        ),
        (
            "/position",
            r#"{"variant":"classic","moves":["b2","b2"]}"#,
            422,
            "move 2: b2 is taken",
        ),
        (
            "/position",
            r#"{"variant":"classic","path":"xyz"}"#,
            400,
            "letters from a to i",
        ),
        (
            "/positions",
            r#"{"variant":"classic","moves":["z9"]}"#,
            422,
            "move 1",
        ),
        (
            "/analyses",
            r#"{"variant":"classic","ms":0}"#,
            400,
            "from 1 to 60000",
        ),
        (
            "/analyses",
            r#"{"variant":"classic","ms":60001}"#,
            400,
            "from 1 to 60000",
        ),
        (
            "/analyses",
            r#"{"variant":"classic","ms":-1}"#,
            400,
            "cannot be read",
        ),
        (
            "/analyses",
            r#"{"variant":"classic","moves":["b2","b2"]}"#,
            422,
            "move 2",
        ),
        (
            "/hints",
            r#"{"variant":"classic","position":"xxx/oo./... o"}"#,
            422,
            "no move to recommend",
        ),
        ("/tables/classic", "{}", 422, "no tables for classic"),
    ] {
        let (got, message) = served.post(path, body).await.error();
        assert_eq!(got, status, "{path} {body}: {message}");
        assert!(message.contains(part), "{path} {body}: {message}");
    }
}

#[tokio::test]
async fn a_body_says_what_it_is_and_has_its_bounds() {
    let served = SeededServer::with_config(|config| config.limits.position_bytes = 1000).await;
    let mut form = super::request("POST", "/position", Some(r#"{"variant":"classic"}"#));
    form.headers_mut().remove("content-type");
    let said = super::TestResponse::from_response(served.send(form).await).await;
    assert_eq!(said.error().0, 415);
    let long = format!(
        r#"{{"variant":"classic","position":"{}"}}"#,
        "x".repeat(1000)
    );
    let (status, message) = served.post("/position", &long).await.error();
    assert_eq!((status, message.contains("1000")), (413, true), "{message}");
}

fn ids(page: &Value) -> Vec<&str> {
    let games = page["games"].as_array().expect("a list");
    let ids = games.iter().map(|game| game["id"].as_str().expect("an id"));
    ids.map(|id| id.trim_start_matches('0')).collect()
}

#[tokio::test]
async fn lists_are_filtered_and_paged() {
    let served = SeededServer::new().await;
    for (query, expected) in [
        ("", vec!["3", "2", "1"]),
        ("?player=ada&limit=500", vec!["3", "2", "1"]),
        ("?player=Bob", vec!["3", "2"]),
        ("?player=Ada&opponent=hard", vec!["1"]),
        ("?player=Nobody", vec![]),
        ("?variant=classic", vec!["2", "1"]),
        ("?open=true", vec!["3"]),
        ("?open=false", vec!["2", "1"]),
        ("?player=Ada&result=win", vec!["1"]),
        ("?result=draw", vec!["2"]),
        ("?result=o", vec![]),
    ] {
        let page = served.get(&format!("/games{query}")).await.json();
        assert_eq!(ids(&page), expected, "{query}");
        assert_eq!(page["more"], false, "{query}");
    }
    let first = served.get("/games?limit=2").await.json();
    assert_eq!(
        (ids(&first), &first["more"]),
        (vec!["3", "2"], &json!(true))
    );
    let last = first["games"][1]["number"].as_i64().expect("a number");
    let second = served
        .get(&format!("/games?limit=2&before={last}"))
        .await
        .json();
    assert_eq!((ids(&second), &second["more"]), (vec!["1"], &json!(false)));
    let game = &second["games"][0];
    assert_eq!(game["o"], json!({"kind": "bot", "name": "hard"}));
    assert_eq!([&game["result"], &game["ending"]], ["x", "line"]);
    assert_eq!(game["rated"], true);
    assert_eq!(game["moves"], 5);
}

#[tokio::test]
async fn exports_are_read_back() {
    let served = SeededServer::new().await;
    let said = served.get("/games/export?player=Ada&variant=classic").await;
    assert_eq!(said.kind, "text/plain; charset=utf-8");
    let records = Record::parse_all(said.text()).expect("records");
    let ids: Vec<_> = records
        .iter()
        .filter_map(|record| record.tag("Id"))
        .collect();
    assert_eq!(ids, ["1", "2"].map(|id| format!("{id:0>32}")));
    let one = served.get(&format!("/games/{ONE}/record")).await;
    let one = Record::parse_all(one.text()).expect("one");
    assert_eq!(one[0].to_text(), records[0].to_text());
}

#[tokio::test]
async fn people_have_their_records() {
    let served = SeededServer::new().await;
    let all = served.get("/players").await.json();
    let ada = json!({"name": "Ada", "wins": 1, "losses": 0, "ties": 1});
    let players = all["players"].as_array().expect("a list");
    assert!(players.contains(&ada), "{all}");
    assert_eq!((&all["more"], &all["next"]), (&json!(false), &json!(null)));
    let ada = served.get("/players/ADA").await.json();
    assert_eq!(ada["name"], "Ada");
    assert_eq!(ada["total"], json!({"wins": 1, "losses": 0, "ties": 1}));
    let classic = json!({"variant": "classic", "wins": 1, "losses": 0, "ties": 1});
    assert_eq!(ada["by_game"], json!([classic]));
    let hard = json!({"kind": "bot", "name": "hard", "wins": 1, "losses": 0, "ties": 0});
    let opponents = ada["by_opponent"].as_array().expect("a list");
    assert!(opponents.contains(&hard), "{ada}");
}

/// 60,000 players were one answer of 10 MB.
#[tokio::test]
async fn players_and_their_records_come_in_pages() {
    let served = SeededServer::new().await;
    let mut text = String::new();
    for i in 0..130 {
        text += &format!("[Variant \"classic\"]\n[X \"Zed\"]\n[O \"P{i}\"]\n\n1. b2 a1 1-0\n\n");
    }
    let records = Record::parse_all(&text).expect("records");
    served
        .app
        .config
        .store
        .import(&records)
        .await
        .expect("games");
    let (mut names, mut path) = (Vec::new(), "/players".to_owned());
    loop {
        let page = served.get(&path).await.json();
        let players = page["players"].as_array().expect("a list");
        assert!(players.len() <= 50);
        names.extend(players.iter().map(|player| player["name"].to_string()));
        assert_eq!(page["more"], !page["next"].is_null());
        let Some(next) = page["next"].as_str() else {
            break;
        };
        path = format!("/players?after={next}");
    }
    // With Ada and Bob.
    assert_eq!(names.len(), 133);
    names.sort();
    names.dedup();
    assert_eq!(names.len(), 133, "nobody twice");

    let (mut opponents, mut more) = (0, json!(true));
    while more == json!(true) {
        let page = served.get(&format!("/players/zed?from={opponents}")).await;
        let page = page.json();
        let some = page["by_opponent"].as_array().expect("a list").len();
        assert!((1..=50).contains(&some), "{page}");
        opponents += some;
        more = page["more"].clone();
        assert_eq!(page["total"]["wins"], 130);
    }
    assert_eq!(opponents, 130);
    let page = served.send(
        Request::get("/players")
            .header("host", "127.0.0.1:7272")
            .body(Body::empty())
            .expect("a request"),
    );
    let page = TestResponse::from_response(page.await).await;
    assert_eq!(page.text().matches("href=\"/players/").count(), 50);
    assert!(page.text().contains("href=\"/players?after="));
}

/// The whole text of an export was in memory, and the client waited for all of it.
#[tokio::test]
async fn an_export_is_sent_in_parts() {
    let served = SeededServer::new().await;
    let mut text = String::new();
    for i in 0..100 {
        text += &format!("[Variant \"classic\"]\n[X \"P{i}\"]\n\n1. b2 a1 *\n\n");
    }
    let records = Record::parse_all(&text).expect("records");
    served
        .app
        .config
        .store
        .import(&records)
        .await
        .expect("games");
    let export = || request("GET", "/games/export?limit=500", None);
    let mut body = served.send(export()).await.into_body().into_data_stream();
    let (mut parts, mut games) = (0, 0);
    while let Some(part) = body.next().await {
        let part = part.expect("a part");
        let text = std::str::from_utf8(&part).expect("text");
        games += text.matches("[Variant ").count();
        parts += 1;
    }
    // With those that were there.
    assert_eq!(games, 103);
    assert!(parts > 2, "{parts} parts");

    // Nobody waits for the rest of it when the server stops.
    let mut body = served.send(export()).await.into_body().into_data_stream();
    assert!(body.next().await.expect("a part").is_ok());
    served.app.config.store.interrupt_lists();
    assert!(body.next().await.expect("an end").is_err());
}

/// Guards exports that no limit counted: one address could have any number of them open.
#[tokio::test]
async fn an_open_export_counts_as_a_stream() {
    let served = SeededServer::with_config(|config| config.limits.streams = 1).await;
    let export = || request("GET", "/games/export", None);
    let first = served.send(export()).await;
    assert_eq!(first.status(), StatusCode::OK);
    let refused = TestResponse::from_response(served.send(export()).await)
        .await
        .error();
    assert_eq!(refused.0, 429, "{}", refused.1);
    drop(first);
    assert_eq!(served.send(export()).await.status(), StatusCode::OK);
}

#[tokio::test]
async fn any_position_has_a_board() {
    let served = SeededServer::new().await;
    for (variant, moves, ply) in [
        ("classic", json!(["b2", "a1"]), json!(null)),
        ("tic-tac-two", json!(["c3"]), json!(0)),
        ("ception:depth=4", json!([]), json!(null)),
    ] {
        let body = json!({"variant": variant, "moves": moves, "ply": ply, "path": ""});
        let view = served.post("/position", &body.to_string()).await.json();
        assert_eq!(view["state"]["moves"], moves);
        assert_eq!(view["state"]["over"], json!(null));
        let board = view["html"]["board"].as_str().expect("a board");
        assert!(board.starts_with("<svg"), "{variant}: {board}");
        assert!(view["html"]["say"].is_string() && view["html"]["panel-x"].is_null());
    }
    let back = r#"{"variant":"classic","moves":["b2","a1","c1"],"ply":1}"#;
    let back = served.post("/position", back).await.json();
    assert_eq!(
        [&back["state"]["ply"], &back["state"]["side"]],
        [&json!(1), &json!("o")]
    );
    assert_eq!(back["state"]["position"], ".../.x./... o");
    assert_eq!(back["state"]["moves"], json!(["b2", "a1", "c1"]));
    assert_eq!(back["state"]["choices"]["count"], 8);
    let over = r#"{"variant":"classic","position":"xxx/oo./... o"}"#;
    let over = served.post("/position", over).await.json();
    assert_eq!(over["state"]["over"]["result"], "x");
    assert_eq!(over["state"]["choices"]["count"], 0);
}

#[tokio::test]
async fn a_position_is_kept_under_one_name() {
    let served = SeededServer::new().await;
    let body = r#"{"variant":"mnk:3,3,3","moves":["b2","a1"]}"#;
    let said = served.post("/positions", body).await;
    assert_eq!(said.status, 201);
    let kept = said.json();
    assert_eq!(served.post("/positions", body).await.json(), kept);
    let id = kept["id"].as_str().expect("an id");
    assert_eq!(served.get(&format!("/positions/{id}")).await.json(), kept);
    assert_eq!(kept["variant"], "classic");
    assert_eq!(kept["position"], ".../.../... x");
}

#[tokio::test]
async fn hints_win_where_they_can() {
    let served = SeededServer::new().await;
    let body = r#"{"variant":"classic","position":"xx./oo./... x"}"#;
    let hint = served.post("/hints", body).await.json();
    assert_eq!(hint["move"], "c1");
    assert_eq!(
        [&hint["exact"], &hint["value"], &hint["plies"]],
        [&json!(true), &json!("win"), &json!(1)]
    );
    assert_eq!(hint["sentence"], "c1 wins in 1 (exact).");
}

#[tokio::test]
async fn tables_are_built_only_where_that_is_allowed() {
    let served = SeededServer::with_config(|config| config.is_local = false).await;
    let none = served.get("/tables/classic").await.json();
    assert_eq!(none["state"], "none");
    let missing = served.get("/tables/tic-tac-two").await.json();
    assert_eq!(
        [&missing["state"], &missing["allowed"]],
        [&json!("missing"), &json!(false)]
    );
    let (status, _) = served.post("/tables/tic-tac-two", "").await.error();
    assert_eq!(status, 403);
    assert_eq!(served.get("/tables/tic-tac-two").await.json(), missing);
}

#[tokio::test]
async fn boards_are_pictures() {
    let served = SeededServer::new().await;
    for (file, kind, begins) in [
        ("board.svg", "image/svg+xml", &b"<svg"[..]),
        ("board.svg?ply=0", "image/svg+xml", b"<svg"),
        ("board.png?width=64&ply=3", "image/png", b"\x89PNG"),
    ] {
        let said = served.get(&format!("/games/{ONE}/{file}")).await;
        assert_eq!(
            (said.status.as_u16(), said.kind.as_str()),
            (200, kind),
            "{file}"
        );
        let start = said.bytes.windows(begins.len()).take(200);
        assert!(start.into_iter().any(|bytes| bytes == begins), "{file}");
    }
    for file in [
        "board.svg?ply=6",
        "board.png?width=9",
        "board.png?width=2049",
    ] {
        let (status, message) = served.get(&format!("/games/{ONE}/{file}")).await.error();
        assert_eq!(status, 400, "{file}: {message}");
    }
}

/// A request with this body and these headers, whose body may never end.
fn posted(path: &str, headers: Headers<'_>, body: Body) -> Request<Body> {
    let mut request = Request::post(format!("/api/v1{path}")).header("host", "127.0.0.1:7272");
    for (name, value) in headers {
        request = request.header(*name, *value);
    }
    request.body(body).expect("a request")
}

type Headers<'a> = &'a [(&'a str, &'a str)];

const JSON: (&str, &str) = ("content-type", "application/json");

#[tokio::test]
async fn bodies_that_are_late_long_or_broken_are_told_of() {
    let served =
        SeededServer::with_config(|config| config.limits.body_timeout = Duration::from_millis(10))
            .await;
    let never =
        || Body::from_stream(futures_util::stream::pending::<Result<Vec<u8>, Infallible>>());
    let broken = || {
        let error = std::io::Error::other("bad chunk");
        Body::from_stream(futures_util::stream::iter([Err::<Vec<u8>, _>(error)]))
    };
    let long = [
        JSON,
        ("content-length", "999999999"),
        ("expect", "100-continue"),
    ];
    let text = |text: &str| Body::from(text.to_owned());
    let given = r#"{"variant":"classic"}"#;
    let cases: [(Headers<'_>, Body, u16); 10] = [
        (&[JSON], never(), 408),
        (&long, never(), 413),
        (&[JSON], broken(), 400),
        (&[JSON], text(given), 201),
        (&[], text(given), 415),
        (&[("content-type", "text/plain")], text(given), 415),
        (&[("content-type", "application/json+x")], text(given), 415),
        (&[("content-type", "application/jsonx")], text(given), 415),
        (
            &[("content-type", "application/json; charset=latin1")],
            text(given),
            415,
        ),
        (
            &[("content-type", "application/JSON; charset=UTF-8")],
            text(given),
            201,
        ),
    ];
    for (headers, body, status) in cases {
        let said =
            TestResponse::from_response(served.send(posted("/positions", headers, body)).await)
                .await;
        assert_eq!(said.status, status, "{headers:?}: {}", said.text());
    }
}

#[tokio::test]
async fn addresses_that_cannot_be_read_are_told_of_plainly() {
    let served = SeededServer::new().await;
    for (path, part) in [
        ("/games?limit=-1", "limit is not a whole number"),
        ("/games?limit=99999999999", "limit is out of range"),
        ("/games?open=perhaps", "open is `true` or `false`"),
        ("/games?player=%ff", "no UTF-8"),
    ] {
        let (status, message) = served.get(path).await.error();
        assert_eq!(status, 400, "{path}: {message}");
        assert!(message.contains(part), "{path}: {message}");
    }
    let ties = served.get("/games?result=tie").await.json();
    assert_eq!(ties, served.get("/games?result=draw").await.json());
}

/// A player could otherwise collect rating from won positions.
#[tokio::test]
async fn a_game_from_a_chosen_position_is_not_rated() {
    let served = SeededServer::new().await;
    for (position, rated) in [("", true), (r#""position":"xx./oo./... x","#, false)] {
        let body = format!(
            r#"{{"variant":"classic",{position}"x":{{"kind":"person"}},"o":{{"kind":"person"}}}}"#
        );
        let made = served.post("/games", &body).await;
        assert_eq!(made.status, 201);
        assert_eq!(made.json()["game"]["rated"], rated, "{position}");
    }
}

/// Positions take room on the disk for a long time, and everybody has a share of it.
#[tokio::test]
async fn positions_and_starts_of_games_are_counted_by_their_size() {
    let served = SeededServer::with_config(|config| {
        config.limits.stored_kib = RateLimit {
            burst: 3,
            interval: Duration::from_secs(3600),
        };
    })
    .await;
    let body = |mv: &str| format!(r#"{{"variant":"classic","moves":["{mv}"]}}"#);
    for mv in ["a1", "b2"] {
        assert_eq!(served.post("/positions", &body(mv)).await.status, 201);
    }
    let start = r#"{"variant":"classic","position":"x../.../... o","x":{"kind":"person"},"o":{"kind":"person"}}"#;
    assert_eq!(served.post("/games", start).await.status, 201);
    for (path, body) in [("/positions", body("c3")), ("/games", start.into())] {
        let answer = served.send(request("POST", path, Some(&body))).await;
        assert_eq!(answer.status(), 429, "{path}");
        assert!(answer.headers().contains_key("retry-after"), "{path}");
    }
    let usual = r#"{"variant":"classic","x":{"kind":"person"},"o":{"kind":"person"}}"#;
    assert_eq!(served.post("/games", usual).await.status, 201);
}

#[tokio::test]
async fn too_many_games_say_when_to_come_again() {
    let served = SeededServer::with_config(|config| {
        config.limits.games = RateLimit {
            burst: 1,
            interval: Duration::from_secs(100),
        };
    })
    .await;
    let body = r#"{"variant":"classic","x":{"kind":"person"},"o":{"kind":"person"}}"#;
    assert_eq!(served.post("/games", body).await.status, 201);
    let answer = served.send(request("POST", "/games", Some(body))).await;
    assert_eq!(answer.status(), 429);
    let seconds = answer.headers()["retry-after"].to_str().expect("text");
    assert!((90..=101).contains(&seconds.parse().expect("seconds")));
}

/// A server that can store nothing says so to those who watch over it.
#[tokio::test]
async fn health_is_more_than_being_there() {
    let served = SeededServer::new().await;
    let health = async || {
        let request = Request::get("/healthz").body(Body::empty());
        served.send(request.expect("a request")).await.status()
    };
    assert_eq!(health().await, 200);
    served.app.config.store.close().await;
    let body = r#"{"variant":"classic","x":{"kind":"person"},"o":{"kind":"person"}}"#;
    assert!(served.post("/games", body).await.status.is_server_error());
    assert_eq!(health().await, 503);
}

/// Building a table takes a whole machine: only who sits at it may.
#[tokio::test]
async fn visitors_of_a_public_server_build_no_tables() {
    let origin = |config: &mut Config| config.origin = Some("https://play.example".into());
    let served = SeededServer::with_config(origin).await;
    for (host, from, allowed) in [
        ("127.0.0.1:7272", None, true),
        ("play.example", Some("1.2.3.4"), false),
        ("play.example", None, false),
        ("127.0.0.1:7272", Some("unknown"), false),
    ] {
        let ask = |method| {
            let mut request = Request::builder()
                .method(method)
                .uri("/api/v1/tables/tic-tac-two")
                .header("host", host);
            if let Some(from) = from {
                request = request.header("x-forwarded-for", from);
            }
            request.body(Body::empty()).expect("a request")
        };
        let table = TestResponse::from_response(served.send(ask("GET")).await)
            .await
            .json();
        assert_eq!(table["allowed"], allowed, "{host} {from:?}");
        if !allowed {
            assert_eq!(served.send(ask("POST")).await.status(), 403);
        }
    }
}

/// A picture that is opened by itself was black: its own colours were forbidden to it.
#[tokio::test]
async fn pictures_may_have_their_colours_and_nothing_else() {
    let served = SeededServer::new().await;
    for path in [
        "/games/00000000000000000000000000000001/board.svg",
        "/position/board.svg?variant=classic&moves=b2%20a1",
    ] {
        let answer = served.send(request("GET", path, None)).await;
        assert_eq!(answer.status(), StatusCode::OK, "{path}");
        let policy = answer.headers().get("content-security-policy");
        let policy = policy.expect("a policy").to_str().expect("text");
        assert!(policy.contains("style-src 'unsafe-inline'"), "{policy}");
        assert!(
            policy.starts_with("default-src 'none'") && !policy.contains("script"),
            "{policy}"
        );
    }
    let page = served.send(request("GET", "/games", None)).await;
    let policy = page.headers().get("content-security-policy");
    let policy = policy.expect("a policy").to_str().expect("text");
    assert!(!policy.contains("unsafe-inline"), "{policy}");
}

/// A position has files of its own, or a sentence that says what is wrong with it.
#[tokio::test]
async fn positions_have_files_of_their_own() {
    let served = SeededServer::new().await;
    let record = served
        .get("/position/record?variant=classic&moves=b2%20a1")
        .await;
    assert!(record.text().contains("1. b2 a1"), "{}", record.text());
    let picture = served
        .get("/position/board.png?variant=classic&width=64")
        .await;
    assert_eq!(
        (picture.status, &*picture.kind),
        (StatusCode::OK, "image/png")
    );
    assert!(picture.bytes.starts_with(b"\x89PNG"));
    let refused = served
        .get("/position/board.svg?variant=classic&moves=b2%20b2")
        .await;
    assert_eq!(refused.status, StatusCode::UNPROCESSABLE_ENTITY);
    assert!(
        refused.text().contains("move 2: b2 is taken"),
        "{}",
        refused.text()
    );
}
