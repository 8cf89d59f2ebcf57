use std::sync::Arc;

use axum::body::Body;
use futures_util::StreamExt;
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};

use super::{SeededServer, request};
use crate::listen;

/// Hours of work, cut to the longest time allowed.
const DEEP: &str = r#"{"variant":"ultimate","time_ms":60000,"path":""}"#;

#[tokio::test]
async fn an_analysis_ends_with_the_final_values() {
    let server = SeededServer::new().await;
    let body = r#"{"variant":"classic","moves":["b2","b1"],"time_ms":20000}"#;
    let frames = server.post("/analyses", body).await.lines();
    let last = frames.last().expect("a frame");
    assert_eq!(last["done"], true);
    assert_eq!(
        [&last["exact"], &last["value"], &last["plies"]],
        [&json!(true), &json!("win"), &json!(5)]
    );
    assert_eq!([&last["side"], &last["share"]], [&json!("x"), &json!(1.0)]);
    assert_eq!(last["sentence"], "X wins in 5 moves (proved)");
    assert_eq!(last["html"], Value::Null);
    let moves = last["moves"].as_array().expect("moves");
    assert_eq!(moves.len(), 7);
    assert!(moves.iter().all(|mv| mv["exact"] == true));
    assert_eq!(moves[0]["label"], "▲5");
    let rest = &frames[..frames.len() - 1];
    assert!(rest.iter().all(|frame| frame["done"] == false));
}

#[tokio::test]
async fn estimates_never_look_proved() {
    let server = SeededServer::new().await;
    let body = r#"{"variant":"ultimate","moves":["ee"],"time_ms":300,"path":""}"#;
    let frames = server.post("/analyses", body).await.lines();
    let last = frames.last().expect("a frame");
    assert_eq!(
        (&last["done"], &last["exact"]),
        (&json!(true), &json!(false))
    );
    assert!(last["value"].is_number() && last["plies"].is_null());
    for part in ["tints", "value-bar"] {
        let part = last["html"][part].as_str().expect(part);
        assert!(part.contains('<'), "{part}");
    }
    for mv in last["moves"].as_array().expect("moves") {
        let sign = mv["label"].as_str().expect("a sign");
        assert_eq!(mv["exact"] == true, !sign.ends_with(['%', '?']), "{mv}");
    }
}

#[tokio::test]
async fn a_finished_game_needs_no_search() {
    let server = SeededServer::new().await;
    let body = r#"{"variant":"classic","position":"xxx/oo./... o"}"#;
    let frames = server.post("/analyses", body).await.lines();
    let last = frames.last().expect("a frame");
    assert_eq!(
        (&last["done"], &last["sentence"]),
        (&json!(true), &json!("X has won (proved)"))
    );
    assert_eq!(last["best"], Value::Null);
}

/// JSON is compressed. Streams aren't: their lines would be held back until there is enough to
/// compress.
#[tokio::test]
async fn json_is_compressed_and_lines_arrive_one_by_one() {
    let server = SeededServer::new().await;
    let accepting = |mut request: axum::http::Request<Body>| {
        let encodings = "gzip, br".parse().expect("a header");
        request.headers_mut().insert("accept-encoding", encodings);
        request
    };
    let plain = server.get("/games?limit=500").await;
    let compressed = accepting(request("GET", "/games?limit=500", None));
    let compressed = server.send(compressed).await;
    assert_eq!(compressed.headers()["content-encoding"], "br");
    let bytes = axum::body::to_bytes(compressed.into_body(), 1 << 20).await;
    assert!(bytes.expect("a body").len() < plain.bytes.len() / 2);

    // Guards against an export that panicked at its end when it was compressed.
    let export = accepting(request("GET", "/games/export", None));
    let export = server.send(export).await;
    assert_eq!(export.headers()["content-encoding"], "br");
    let bytes = axum::body::to_bytes(export.into_body(), 1 << 20).await;
    assert!(!bytes.expect("a body").is_empty());

    let analysis = accepting(request("POST", "/analyses", Some(DEEP)));
    let response = server.send(analysis).await;
    assert!(!response.headers().contains_key("content-encoding"));
    let mut body = response.into_body().into_data_stream();
    for _ in 0..2 {
        let line = body.next().await.expect("a line").expect("a line");
        assert_eq!(line.iter().filter(|byte| **byte == b'\n').count(), 1);
        let line: Value = serde_json::from_slice(&line).expect("a whole line");
        assert_eq!(line["done"], false);
    }
}

/// Work stops when nobody reads the response.
#[tokio::test]
async fn dropping_the_response_stops_the_work() {
    let server = SeededServer::new().await;
    let response = server.send(request("POST", "/analyses", Some(DEEP))).await;
    let mut body = response.into_body().into_data_stream();
    assert!(body.next().await.expect("a frame").is_ok());
    assert_eq!(server.app.pool.load()[1].running, 1);
    drop(body);
    wait_until_idle(&server).await;
}

/// The same over a connection that breaks.
#[tokio::test]
async fn a_client_that_disconnects_stops_the_work() {
    let server = SeededServer::new().await;
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let address = listener.local_addr().expect("an address");
    let (app, router) = (server.app.clone(), server.router.clone());
    let serving =
        tokio::spawn(async move { listen::serve(Arc::new(listener), router, &app).await });
    let mut reader = TcpStream::connect(address).await.expect("a connection");
    let length = DEEP.len();
    let request = format!(
        "POST /api/v1/analyses HTTP/1.1\r\nHost: {address}\r\nContent-Type: application/json\r\nContent-Length: {length}\r\n\r\n{DEEP}"
    );
    reader.write_all(request.as_bytes()).await.expect("written");
    let mut received = String::new();
    while !received.contains("\"done\":false") {
        let mut buffer = [0; 4096];
        let read = reader.read(&mut buffer).await.expect("an answer");
        assert!(read > 0, "{received}");
        received += &String::from_utf8_lossy(&buffer[..read]);
    }
    assert_eq!(server.app.pool.load()[1].running, 1);
    drop(reader);
    wait_until_idle(&server).await;
    server.app.shutdown.cancel();
    serving.await.expect("no panic");
}

/// A server that stops doesn't wait for the end of an analysis.
#[tokio::test]
async fn stopping_ends_streams() {
    let server = SeededServer::new().await;
    let response = server.send(request("POST", "/analyses", Some(DEEP))).await;
    let mut body = response.into_body().into_data_stream();
    assert!(body.next().await.expect("a frame").is_ok());
    server.app.shutdown.cancel();
    let mut last = None;
    while let Some(line) = body.next().await {
        last = line.ok();
    }
    let last: Value = serde_json::from_slice(&last.expect("a line")).expect("JSON");
    assert_eq!(last, json!({"type": "shutdown"}));
    drop(body);
    wait_until_idle(&server).await;
}

#[tokio::test]
async fn a_visitors_third_analysis_ends_the_first() {
    let server = SeededServer::new().await;
    let mut bodies: Vec<Body> = Vec::new();
    for _ in 0..3 {
        let response = server.send(request("POST", "/analyses", Some(DEEP))).await;
        bodies.push(response.into_body());
    }
    let mut first = bodies.remove(0).into_data_stream();
    let mut last = None;
    while let Some(frame) = first.next().await {
        last = Some(frame.expect("a frame"));
    }
    let last: Value = serde_json::from_slice(&last.expect("a frame")).expect("JSON");
    assert_eq!(last["done"], true);
}

#[tokio::test]
async fn a_review_finds_the_blunder() {
    let server = SeededServer::new().await;
    let id = "00000000000000000000000000000001";
    let lines = server.get(&format!("/games/{id}/review")).await.lines();
    // The newest line of each ply.
    let line_at = |ply: usize| {
        let found = lines.iter().rfind(|line| line["ply"] == ply);
        found.unwrap_or_else(|| panic!("nothing of {ply}"))
    };
    // 1. b2 b1 loses: it gives away a draw at once.
    assert_eq!(line_at(0)["label"], "=");
    assert_eq!(line_at(2)["mistake"], "blunder");
    assert_eq!(line_at(2)["move"], "b1");
    let sentence = line_at(2)["sentence"].as_str().expect("a sentence");
    assert!(
        sentence.starts_with("b1 turns a draw into a win"),
        "{sentence}"
    );
    assert_eq!(
        (
            &line_at(5)["side"],
            &line_at(5)["exact"],
            &line_at(5)["value"]
        ),
        (&json!("o"), &json!(true), &json!("loss"))
    );
    for ply in [1, 3, 5] {
        assert_eq!(line_at(ply)["mistake"], Value::Null, "{}", line_at(ply));
    }
    let plot = lines
        .iter()
        .rev()
        .find_map(|line| line["html"]["plot"].as_str());
    assert!(plot.expect("a plot").starts_with("<svg"));
}

async fn wait_until_idle(server: &SeededServer) {
    while server.app.pool.load()[1].running > 0 {
        tokio::task::yield_now().await;
    }
}

/// One address leaves a thread to others: an analysis beyond that is queued, and says so.
#[tokio::test]
async fn a_queued_analysis_says_so() {
    let server = SeededServer::new().await;
    let access = &server.app.access;
    access.load(&server.app.config.store).await.expect("read");
    let start_analysis = async |number: usize| {
        let mut request = request("POST", "/analyses", Some(DEEP));
        let bearer = format!("Bearer {}", access.token_of(number as u8));
        let bearer = bearer.parse().expect("a header");
        request.headers_mut().insert("authorization", bearer);
        server.send(request).await.into_body().into_data_stream()
    };
    let mut all = Vec::new();
    let waiting = loop {
        let mut body = start_analysis(all.len()).await;
        let line = body.next().await.expect("a line").expect("bytes");
        let line: Value = serde_json::from_slice(&line).expect("JSON");
        let note = line["note"].as_str().unwrap_or_default().to_owned();
        if note.contains("waiting for its turn") {
            assert_eq!(line["done"], false);
            assert_eq!([&line["value"], &line["share"]], [&Value::Null; 2]);
            break body;
        }
        assert!(all.len() < 64, "nobody waits");
        all.push(body);
    };
    drop(all);
    let mut waiting = waiting;
    let line = waiting.next().await.expect("a line").expect("bytes");
    let line: Value = serde_json::from_slice(&line).expect("JSON");
    assert!(line["nodes"].as_u64() > Some(0), "{line}");
}
