use std::convert::Infallible;
use std::time::Duration;

use axum::body::Body;
use axum::http::{Request, StatusCode};
use futures_util::StreamExt;
use noughts_rules::{Record, Variant, games};
use serde_json::{Value, json};

use super::{SeededServer, TestResponse, request};
use crate::config::{Config, RateLimit};

const ONE: &str = "00000000000000000000000000000001";

#[tokio::test]
async fn all_presets_are_listed_with_details() {
    let server = SeededServer::new().await;
    let all = server.get("/variants").await.json();
    let all = all.as_array().expect("a list");
    assert_eq!(all.len(), games::presets().len());
    for game in all {
        let name = game["variant"].as_str().expect("a name");
        let one = server.get(&format!("/variants/{name}")).await.json();
        assert_eq!(one["variant"], game["variant"]);
        assert_eq!(one["title"], game["title"]);
        for list in ["rules", "bots"] {
            let list = one[list].as_array().expect(list);
            assert!(!list.is_empty(), "{name}");
        }
        let options = name.parse::<Variant>().expect("a variant").info().options;
        let listed = one["options"].as_array().expect("options");
        assert_eq!(listed.is_empty(), options.is_empty(), "{name}");
        check_form(&one);
    }
    // Another spelling of the same game.
    let same = server.get("/variants/mnk:3,3,3").await.json();
    assert_eq!(same["variant"], "classic");
    let bots = same["bots"].as_array().expect("bots");
    let perfect =
        |name: &str| bots.iter().find(|bot| bot["name"] == name).expect(name)["perfect"].clone();
    assert_eq!([perfect("hard"), perfect("perfect")], [false, true]);
}

/// Guards against options from which no client could build a form: the name that the values make is the variant's.
fn check_form(variant: &Value) {
    let name = variant["variant"].as_str().expect("a name");
    let options = variant["options"].as_array().expect("options").iter();
    let applied = options.filter(|option| option["applies"] == true);
    let spellings = applied.map(|option| {
        let value = option["value"].as_str().expect("a value");
        let Some(words) = option["values"].as_array() else {
            let numbers = &option["numbers"];
            let number = value.parse().expect("a number");
            let bound = |name: &str| numbers[name].as_u64().expect(name);
            assert!(
                (bound("minimum")..=bound("maximum")).contains(&number),
                "{name}"
            );
            assert!(
                (number - bound("minimum")).is_multiple_of(bound("step")),
                "{name}"
            );
            return format!("{}{value}", numbers["prefix"].as_str().expect("text"));
        };
        assert!(option["numbers"].is_null(), "{name}");
        let word = words
            .iter()
            .find(|word| word["value"] == value)
            .expect("the value");
        word["spelling"].as_str().expect("text").to_owned()
    });
    let spellings: Vec<String> = spellings.filter(|spelling| !spelling.is_empty()).collect();
    let colon = if spellings.is_empty() { "" } else { ":" };
    let spelled = format!(
        "{}{colon}{}",
        variant["game"].as_str().expect("a name"),
        spellings.join(",")
    );
    assert_eq!(spelled.parse(), name.parse::<Variant>(), "{spelled}");
}

#[tokio::test]
async fn invalid_requests_get_an_error_message() {
    let server = SeededServer::new().await;
    for (path, status, expected) in [
        ("/variants/chess", 422, "unknown game"),
        ("/variants/mnk:17,3,3", 422, "must be from 1 to 16"),
        ("/players/Nobody", 404, "GET /api/v1/players"),
        ("/players/%20", 422, "name"),
        ("/players/Ada?limit=501", 400, "from 1 to 500"),
        ("/players?limit=0", 400, "from 1 to 500"),
        ("/players?after=Ada", 400, "three numbers"),
        ("/games?limit=0", 400, "from 1 to 500"),
        ("/games?limit=501", 400, "from 1 to 500"),
        ("/games?limit=x", 400, "limit must be a whole number"),
        ("/games?before=0", 400, "game number"),
        ("/games?open=maybe", 400, "true"),
        ("/games?variant=chess", 422, "unknown game"),
        ("/games?player=%20", 422, "name"),
        ("/games?opponent=", 422, "1 to 100 characters"),
        ("/games?result=win", 422, "name the player"),
        ("/games?result=lucky", 400, "unknown variant"),
        ("/games?limt=3", 400, "limt"),
        ("/games?limit=1&limit=2", 400, "duplicate"),
        (
            "/games/00000000000000000000000000000009/record",
            404,
            "this game doesn't exist",
        ),
        ("/games/nonsense/record", 404, "this game doesn't exist"),
        ("/games/nonsense/review", 404, "this game doesn't exist"),
        ("/positions/nonsense", 404, "this position doesn't exist"),
        ("/tablebases/chess", 422, "unknown game"),
        ("/nowhere", 404, "doesn't exist"),
    ] {
        let (got, message) = server.get(path).await.error();
        assert_eq!(got, status, "{path}: {message}");
        assert!(message.contains(expected), "{path}: {message}");
    }
    for (path, body, status, expected) in [
        ("/position", "{", 400, "body is invalid"),
        ("/position", "{}", 400, "variant"),
        (
            "/position",
            r#"{"variant":"classic","extra":1}"#,
            400,
            "extra",
        ),
        ("/position", r#"{"variant":"chess"}"#, 422, "unknown game"),
        (
            "/position",
            r#"{"variant":"classic","position":"x"}"#,
            422,
            "invalid position",
        ),
        (
            "/position",
            r#"{"variant":"classic","moves":["b2","b2"]}"#,
            422,
            "move 2: b2 is taken",
        ),
        (
            "/position",
            r#"{"variant":"classic","path":"x/z"}"#,
            400,
            "numbers separated by points",
        ),
        (
            "/positions",
            r#"{"variant":"classic","moves":["z9"]}"#,
            422,
            "move 1",
        ),
        (
            "/analyses",
            r#"{"variant":"classic","time_ms":0}"#,
            400,
            "from 1 to 60000",
        ),
        (
            "/analyses",
            r#"{"variant":"classic","time_ms":60001}"#,
            400,
            "from 1 to 60000",
        ),
        (
            "/analyses",
            r#"{"variant":"classic","time_ms":-1}"#,
            400,
            "body is invalid",
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
            "the game is over, so there's no hint",
        ),
        (
            "/tablebases/classic",
            "{}",
            422,
            "no tablebase is available for classic",
        ),
    ] {
        let (got, message) = server.post(path, body).await.error();
        assert_eq!(got, status, "{path} {body}: {message}");
        assert!(message.contains(expected), "{path} {body}: {message}");
    }
}

#[tokio::test]
async fn content_type_and_size_of_bodies_are_checked() {
    let server = SeededServer::with_config(|config| config.limits.position_bytes = 1000).await;
    let mut form = super::request("POST", "/position", Some(r#"{"variant":"classic"}"#));
    form.headers_mut().remove("content-type");
    let response = super::TestResponse::from_response(server.send(form).await).await;
    assert_eq!(response.error().0, 415);
    let long = format!(
        r#"{{"variant":"classic","position":"{}"}}"#,
        "x".repeat(1000)
    );
    let (status, message) = server.post("/position", &long).await.error();
    assert_eq!((status, message.contains("1000")), (413, true), "{message}");
}

fn ids(page: &Value) -> Vec<&str> {
    let games = page["games"].as_array().expect("a list");
    let ids = games.iter().map(|game| game["id"].as_str().expect("an id"));
    ids.map(|id| id.trim_start_matches('0')).collect()
}

#[tokio::test]
async fn lists_are_filtered_and_paged() {
    let server = SeededServer::new().await;
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
        let page = server.get(&format!("/games{query}")).await.json();
        assert_eq!(ids(&page), expected, "{query}");
        assert_eq!(page["more"], false, "{query}");
    }
    let first = server.get("/games?limit=2").await.json();
    assert_eq!(
        (ids(&first), &first["more"]),
        (vec!["3", "2"], &json!(true))
    );
    let last = first["games"][1]["number"].as_i64().expect("a number");
    let second = server
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
async fn exports_can_be_imported() {
    let server = SeededServer::new().await;
    let response = server.get("/games/export?player=Ada&variant=classic").await;
    assert_eq!(response.content_type, "text/plain; charset=utf-8");
    let records = Record::parse_all(response.text()).expect("records");
    let ids: Vec<_> = records
        .iter()
        .filter_map(|record| record.tag("Id"))
        .collect();
    assert_eq!(ids, ["1", "2"].map(|id| format!("{id:0>32}")));
    let one = server.get(&format!("/games/{ONE}/record")).await;
    let one = Record::parse_all(one.text()).expect("one");
    assert_eq!(one[0].to_text(), records[0].to_text());
}

#[tokio::test]
async fn players_have_records() {
    let server = SeededServer::new().await;
    let all = server.get("/players").await.json();
    let ada = json!({"name": "Ada", "games": 2, "wins": 1, "losses": 0, "draws": 1});
    let players = all["players"].as_array().expect("a list");
    assert!(players.contains(&ada), "{all}");
    assert_eq!((&all["more"], &all["next"]), (&json!(false), &json!(null)));
    let ada = server.get("/players/ADA").await.json();
    assert_eq!(ada["name"], "Ada");
    assert_eq!([&ada["games"], &ada["wins"], &ada["draws"]], [2, 1, 1]);
    let classic = json!({"variant": "classic", "games": 2, "wins": 1, "losses": 0, "draws": 1});
    assert_eq!(ada["by_game"], json!([classic]));
    let hard =
        json!({"kind": "bot", "name": "hard", "games": 1, "wins": 1, "losses": 0, "draws": 0});
    let opponents = ada["by_opponent"].as_array().expect("a list");
    assert!(opponents.contains(&hard), "{ada}");
}

/// Guards against one response with all players: 60,000 of them took 10 MB.
#[tokio::test]
async fn players_and_their_records_are_paged() {
    let server = SeededServer::new().await;
    let mut text = String::new();
    for i in 0..130 {
        text += &format!("[Variant \"classic\"]\n[X \"Zed\"]\n[O \"P{i}\"]\n\n1. b2 a1 1-0\n\n");
    }
    let records = Record::parse_all(&text).expect("records");
    server
        .app
        .config
        .store
        .import(&records)
        .await
        .expect("games");
    let (mut names, mut path) = (Vec::new(), "/players".to_owned());
    loop {
        let page = server.get(&path).await.json();
        let players = page["players"].as_array().expect("a list");
        assert!(players.len() <= 50);
        names.extend(players.iter().map(|player| player["name"].to_string()));
        assert_eq!(page["more"], !page["next"].is_null());
        let Some(next) = page["next"].as_str() else {
            break;
        };
        path = format!("/players?after={next}");
    }
    // Including Ada and Bob.
    assert_eq!(names.len(), 133);
    names.sort();
    names.dedup();
    assert_eq!(names.len(), 133, "nobody twice");

    let (mut opponents, mut more) = (0, json!(true));
    while more == json!(true) {
        let page = server.get(&format!("/players/zed?from={opponents}")).await;
        let page = page.json();
        let count = page["by_opponent"].as_array().expect("a list").len();
        assert!((1..=50).contains(&count), "{page}");
        opponents += count;
        more = page["more"].clone();
        assert_eq!(page["wins"], 130);
    }
    assert_eq!(opponents, 130);
    let page = server.send(
        Request::get("/players")
            .header("host", "127.0.0.1:7272")
            .body(Body::empty())
            .expect("a request"),
    );
    let page = TestResponse::from_response(page.await).await;
    assert_eq!(page.text().matches("href=\"/players/").count(), 50);
    assert!(page.text().contains("href=\"/players?after="));
}

/// Guards against exports that were built in memory before the first byte was sent.
#[tokio::test]
async fn exports_are_streamed() {
    let server = SeededServer::new().await;
    let mut text = String::new();
    for i in 0..100 {
        text += &format!("[Variant \"classic\"]\n[X \"P{i}\"]\n\n1. b2 a1 *\n\n");
    }
    let records = Record::parse_all(&text).expect("records");
    server
        .app
        .config
        .store
        .import(&records)
        .await
        .expect("games");
    let export = || request("GET", "/games/export?limit=500", None);
    let mut body = server.send(export()).await.into_body().into_data_stream();
    let (mut parts, mut games) = (0, 0);
    while let Some(expected) = body.next().await {
        let expected = expected.expect("a part");
        let text = std::str::from_utf8(&expected).expect("text");
        games += text.matches("[Variant ").count();
        parts += 1;
    }
    // Including those stored before.
    assert_eq!(games, 103);
    assert!(parts > 2, "{parts} parts");

    // When the server stops, an export doesn't run to its end.
    let mut body = server.send(export()).await.into_body().into_data_stream();
    assert!(body.next().await.expect("a part").is_ok());
    server.app.config.store.interrupt_lists();
    assert!(body.next().await.expect("an end").is_err());
}

/// Guards against exports that no limit counted: one address could have any number open.
#[tokio::test]
async fn an_open_export_counts_as_a_stream() {
    let server = SeededServer::with_config(|config| config.limits.streams = 1).await;
    let export = || request("GET", "/games/export", None);
    let first = server.send(export()).await;
    assert_eq!(first.status(), StatusCode::OK);
    let refused = TestResponse::from_response(server.send(export()).await)
        .await
        .error();
    assert_eq!(refused.0, 429, "{}", refused.1);
    drop(first);
    assert_eq!(server.send(export()).await.status(), StatusCode::OK);
}

#[tokio::test]
async fn any_position_can_be_rendered() {
    let server = SeededServer::new().await;
    for (variant, moves, ply) in [
        ("classic", json!(["b2", "a1"]), json!(null)),
        ("tic-tac-two", json!(["c3"]), json!(0)),
        ("ception:depth=4", json!([]), json!(null)),
    ] {
        let body = json!({"variant": variant, "moves": moves, "ply": ply, "path": ""});
        let view = server.post("/position", &body.to_string()).await.json();
        assert_eq!(view["moves"], moves);
        assert_eq!(view["ending"], json!(null));
        let board = view["html"]["board"].as_str().expect("a board");
        assert!(board.starts_with("<svg"), "{variant}: {board}");
        assert!(view["html"]["status"].is_string() && view["html"]["panel-x"].is_null());
    }
    let back = r#"{"variant":"classic","moves":["b2","a1","c1"],"ply":1}"#;
    let back = server.post("/position", back).await.json();
    assert_eq!([&back["ply"], &back["side"]], [&json!(1), &json!("o")]);
    assert_eq!(back["position"], ".../.x./... o");
    assert_eq!(back["moves"], json!(["b2", "a1", "c1"]));
    assert_eq!(back["choices"]["count"], 8);
    let over = r#"{"variant":"classic","position":"xxx/oo./... o"}"#;
    let over = server.post("/position", over).await.json();
    assert_eq!(over["outcome"], "x");
    assert_eq!(over["choices"]["count"], 0);
    assert_eq!(over["choices"]["moves"], json!([]));
}

#[tokio::test]
async fn a_stored_position_has_one_id() {
    let server = SeededServer::new().await;
    let body = r#"{"variant":"mnk:3,3,3","moves":["b2","a1"]}"#;
    let response = server.post("/positions", body).await;
    assert_eq!(response.status, 201);
    let stored = response.json();
    assert_eq!(server.post("/positions", body).await.json(), stored);
    let id = stored["id"].as_str().expect("an id");
    assert_eq!(server.get(&format!("/positions/{id}")).await.json(), stored);
    assert_eq!(stored["variant"], "classic");
    assert_eq!(stored["position"], ".../.../... x");
}

#[tokio::test]
async fn hints_find_a_win() {
    let server = SeededServer::new().await;
    let body = r#"{"variant":"classic","position":"xx./oo./... x"}"#;
    let hint = server.post("/hints", body).await.json();
    assert_eq!(hint["move"], "c1");
    assert_eq!(
        [&hint["exact"], &hint["value"], &hint["plies"]],
        [&json!(true), &json!("win"), &json!(1)]
    );
    assert_eq!(hint["sentence"], "c1 wins in 1 move (proved).");
}

#[tokio::test]
async fn tablebases_are_built_only_where_allowed() {
    let server = SeededServer::with_config(|config| config.is_local = false).await;
    let none = server.get("/tablebases/classic").await.json();
    assert_eq!(none["status"], "none");
    let missing = server.get("/tablebases/tic-tac-two").await.json();
    assert_eq!(
        [&missing["status"], &missing["allowed"]],
        [&json!("missing"), &json!(false)]
    );
    let (status, _) = server.post("/tablebases/tic-tac-two", "").await.error();
    assert_eq!(status, 403);
    assert_eq!(server.get("/tablebases/tic-tac-two").await.json(), missing);
}

#[tokio::test]
async fn boards_are_served_as_images() {
    let server = SeededServer::new().await;
    for (file, kind, prefix) in [
        ("board.svg", "image/svg+xml", &b"<svg"[..]),
        ("board.svg?ply=0", "image/svg+xml", b"<svg"),
        ("board.png?width=64&ply=3", "image/png", b"\x89PNG"),
    ] {
        let response = server.get(&format!("/games/{ONE}/{file}")).await;
        assert_eq!(
            (response.status.as_u16(), response.content_type.as_str()),
            (200, kind),
            "{file}"
        );
        let start = response.bytes.windows(prefix.len()).take(200);
        assert!(start.into_iter().any(|bytes| bytes == prefix), "{file}");
    }
    for file in [
        "board.svg?ply=6",
        "board.png?width=9",
        "board.png?width=2049",
    ] {
        let (status, message) = server.get(&format!("/games/{ONE}/{file}")).await.error();
        assert_eq!(status, 400, "{file}: {message}");
    }
}

/// A request with this body, which may never end, and these headers.
fn post_request(path: &str, headers: Headers<'_>, body: Body) -> Request<Body> {
    let mut request = Request::post(format!("/api/v1{path}")).header("host", "127.0.0.1:7272");
    for (name, value) in headers {
        request = request.header(*name, *value);
    }
    request.body(body).expect("a request")
}

type Headers<'a> = &'a [(&'a str, &'a str)];

const JSON: (&str, &str) = ("content-type", "application/json");

#[tokio::test]
async fn slow_large_and_broken_bodies_are_rejected() {
    let server =
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
    let body = r#"{"variant":"classic"}"#;
    let cases: [(Headers<'_>, Body, u16); 10] = [
        (&[JSON], never(), 408),
        (&long, never(), 413),
        (&[JSON], broken(), 400),
        (&[JSON], text(body), 201),
        (&[], text(body), 415),
        (&[("content-type", "text/plain")], text(body), 415),
        (&[("content-type", "application/json+x")], text(body), 415),
        (&[("content-type", "application/jsonx")], text(body), 415),
        (
            &[("content-type", "application/json; charset=latin1")],
            text(body),
            415,
        ),
        (
            &[("content-type", "application/JSON; charset=UTF-8")],
            text(body),
            201,
        ),
    ];
    for (headers, body, status) in cases {
        let response = TestResponse::from_response(
            server.send(post_request("/positions", headers, body)).await,
        )
        .await;
        assert_eq!(response.status, status, "{headers:?}: {}", response.text());
    }
}

#[tokio::test]
async fn invalid_query_strings_get_plain_messages() {
    let server = SeededServer::new().await;
    for (path, expected) in [
        ("/games?limit=-1", "limit can't be negative"),
        (
            "/games?limit=99999999999",
            "limit is too large; use a smaller number",
        ),
        ("/games?open=perhaps", "open must be `true` or `false`"),
        ("/games?player=%ff", "aren't valid UTF-8"),
    ] {
        let (status, message) = server.get(path).await.error();
        assert_eq!(status, 400, "{path}: {message}");
        assert!(message.contains(expected), "{path}: {message}");
    }
    let ties = server.get("/games?result=tie").await.json();
    assert_eq!(ties, server.get("/games?result=draw").await.json());
}

/// Otherwise players could collect wins from won positions.
#[tokio::test]
async fn a_game_from_a_chosen_position_is_not_rated() {
    let server = SeededServer::new().await;
    for (position, rated) in [("", true), (r#""position":"xx./oo./... x","#, false)] {
        let body = format!(
            r#"{{"variant":"classic",{position}"x":{{"kind":"human"}},"o":{{"kind":"human"}}}}"#
        );
        let created = server.post("/games", &body).await;
        assert_eq!(created.status, 201);
        assert_eq!(created.json()["game"]["rated"], rated, "{position}");
    }
}

/// Stored positions take disk space for a long time, so each visitor has a quota.
#[tokio::test]
async fn stored_positions_and_starts_are_limited_by_size() {
    let server = SeededServer::with_config(|config| {
        config.limits.stored_kib = RateLimit {
            burst: 3,
            interval: Duration::from_secs(3600),
        };
    })
    .await;
    let body = |mv: &str| format!(r#"{{"variant":"classic","moves":["{mv}"]}}"#);
    for mv in ["a1", "b2"] {
        assert_eq!(server.post("/positions", &body(mv)).await.status, 201);
    }
    let start = r#"{"variant":"classic","position":"x../.../... o","x":{"kind":"human"},"o":{"kind":"human"}}"#;
    assert_eq!(server.post("/games", start).await.status, 201);
    for (path, body) in [("/positions", body("c3")), ("/games", start.into())] {
        let response = server.send(request("POST", path, Some(&body))).await;
        assert_eq!(response.status(), 429, "{path}");
        assert!(response.headers().contains_key("retry-after"), "{path}");
    }
    let default_start = r#"{"variant":"classic","x":{"kind":"human"},"o":{"kind":"human"}}"#;
    assert_eq!(server.post("/games", default_start).await.status, 201);
}

#[tokio::test]
async fn too_many_games_get_retry_after() {
    let server = SeededServer::with_config(|config| {
        config.limits.games = RateLimit {
            burst: 1,
            interval: Duration::from_secs(100),
        };
    })
    .await;
    let body = r#"{"variant":"classic","x":{"kind":"human"},"o":{"kind":"human"}}"#;
    assert_eq!(server.post("/games", body).await.status, 201);
    let response = server.send(request("POST", "/games", Some(body))).await;
    assert_eq!(response.status(), 429);
    let seconds = response.headers()["retry-after"].to_str().expect("text");
    assert!((90..=101).contains(&seconds.parse().expect("seconds")));
}

/// A server that can't store anything reports that to health checks.
#[tokio::test]
async fn health_fails_if_the_store_is_closed() {
    let server = SeededServer::new().await;
    let health = async || {
        let request = Request::get("/healthz").body(Body::empty());
        server.send(request.expect("a request")).await.status()
    };
    assert_eq!(health().await, 200);
    server.app.config.store.close().await;
    let body = r#"{"variant":"classic","x":{"kind":"human"},"o":{"kind":"human"}}"#;
    assert!(server.post("/games", body).await.status.is_server_error());
    assert_eq!(health().await, 503);
}

/// A build takes the whole machine, so it's allowed only from the machine itself.
#[tokio::test]
async fn tablebases_are_built_only_from_this_machine() {
    let origin = |config: &mut Config| config.origin = Some("https://play.example".into());
    let server = SeededServer::with_config(origin).await;
    for (host, from, allowed) in [
        ("127.0.0.1:7272", None, true),
        ("play.example", Some("1.2.3.4"), false),
        ("play.example", None, false),
        ("127.0.0.1:7272", Some("unknown"), false),
    ] {
        let table_request = |method| {
            let mut request = Request::builder()
                .method(method)
                .uri("/api/v1/tablebases/tic-tac-two")
                .header("host", host);
            if let Some(from) = from {
                request = request.header("x-forwarded-for", from);
            }
            request.body(Body::empty()).expect("a request")
        };
        let tablebase = TestResponse::from_response(server.send(table_request("GET")).await)
            .await
            .json();
        assert_eq!(tablebase["allowed"], allowed, "{host} {from:?}");
        if !allowed {
            assert_eq!(server.send(table_request("POST")).await.status(), 403);
        }
    }
}

/// Guards against images that were black when opened on their own: their colors were blocked by the
/// content security policy.
#[tokio::test]
async fn images_may_use_inline_styles_and_nothing_else() {
    let server = SeededServer::new().await;
    for path in [
        "/games/00000000000000000000000000000001/board.svg",
        "/position/board.svg?variant=classic&moves=b2%20a1",
    ] {
        let response = server.send(request("GET", path, None)).await;
        assert_eq!(response.status(), StatusCode::OK, "{path}");
        let policy = response.headers().get("content-security-policy");
        let policy = policy.expect("a policy").to_str().expect("text");
        assert!(policy.contains("style-src 'unsafe-inline'"), "{policy}");
        assert!(
            policy.starts_with("default-src 'none'") && !policy.contains("script"),
            "{policy}"
        );
    }
    let page = server.send(request("GET", "/games", None)).await;
    let policy = page.headers().get("content-security-policy");
    let policy = policy.expect("a policy").to_str().expect("text");
    assert!(!policy.contains("unsafe-inline"), "{policy}");
}

#[tokio::test]
async fn positions_have_records_and_images() {
    let server = SeededServer::new().await;
    let record = server
        .get("/position/record?variant=classic&moves=b2%20a1")
        .await;
    assert!(record.text().contains("1. b2 a1"), "{}", record.text());
    let picture = server
        .get("/position/board.png?variant=classic&width=64")
        .await;
    assert_eq!(
        (picture.status, &*picture.content_type),
        (StatusCode::OK, "image/png")
    );
    assert!(picture.bytes.starts_with(b"\x89PNG"));
    let refused = server
        .get("/position/board.svg?variant=classic&moves=b2%20b2")
        .await;
    assert_eq!(refused.status, StatusCode::UNPROCESSABLE_ENTITY);
    assert!(
        refused.text().contains("move 2: b2 is taken"),
        "{}",
        refused.text()
    );
}
