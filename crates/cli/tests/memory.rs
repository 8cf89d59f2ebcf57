//! The memory of `noughts serve` under the heaviest load: many games against bots, and many games,
//! analyses and exports on the deepest boards.
//! `cargo test -p noughts --test memory -- --ignored --nocapture` prints the numbers.
#![cfg(target_os = "linux")]

use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use serde_json::{Value, json};

/// The maximum memory of the server with deep boards, in MiB.
const MAX_MEBIBYTES: u64 = 400;

/// Depth 6: half a million cells.
const DEEPEST: &str = "ception:depth=6";

struct Server {
    child: Child,
    address: String,
    _data: tempfile::TempDir,
}

impl Server {
    fn start(args: &[&str]) -> Server {
        let data = tempfile::tempdir().expect("a folder");
        let mut child = Command::new(env!("CARGO_BIN_EXE_noughts"))
            .args(["serve", "--addr", "127.0.0.1:0", "--unlimited"])
            .args(args)
            .env("NOUGHTS_DATA", data.path())
            .env("NOUGHTS_LOG", "off")
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("the program starts");
        let mut line = String::new();
        let out = child.stdout.as_mut().expect("a pipe was asked for");
        BufReader::new(out).read_line(&mut line).expect("a line");
        let address = line.trim().trim_start_matches("http://");
        let address = address.trim_end_matches('/').to_owned();
        Server {
            child,
            address,
            _data: data,
        }
    }

    /// The memory of the process in MiB, current (`VmRSS`) or peak (`VmHWM`).
    fn mebibytes(&self, what: &str) -> u64 {
        let status = format!("/proc/{}/status", self.child.id());
        let status = fs::read_to_string(status).expect("the process is there");
        let line = status.lines().find_map(|line| line.strip_prefix(what));
        let figure = line.and_then(|line| line.trim_start_matches(':').split_whitespace().next());
        let kibibytes: u64 = figure.expect("a figure").parse().expect("a number");
        kibibytes >> 10
    }

    /// A metric without labels.
    fn metric(&self, name: &str) -> f64 {
        let (_, text) = self.request("GET", "/metrics", "", None);
        let line = text
            .lines()
            .find_map(|line| line.strip_prefix(name)?.strip_prefix(' '));
        line.map_or(0.0, |figure| figure.parse().expect("a number"))
    }

    fn visitor(&self) -> Visitor<'_> {
        let (status, body) = self.request("POST", "/api/v1/token", "", Some(&json!({})));
        assert!((200..300).contains(&status), "{status} {body}");
        let token: Value = serde_json::from_str(&body).expect("JSON");
        Visitor {
            server: self,
            token: token["token"].as_str().expect("a token").to_owned(),
        }
    }

    /// The status and the raw body: a chunked body still contains the sizes of its chunks.
    fn request(
        &self,
        method: &str,
        path: &str,
        token: &str,
        body: Option<&Value>,
    ) -> (u16, String) {
        let mut stream = TcpStream::connect(&self.address).expect("connected");
        let body = body.map_or_else(String::new, Value::to_string);
        let authorization = match token {
            "" => String::new(),
            token => format!("Authorization: Bearer {token}\r\n"),
        };
        let head = format!(
            "{method} {path} HTTP/1.1\r\nHost: {}\r\nConnection: close\r\n{authorization}\
             Content-Type: application/json\r\nContent-Length: {}\r\n\r\n",
            self.address,
            body.len()
        );
        stream.write_all(head.as_bytes()).expect("sent");
        stream.write_all(body.as_bytes()).expect("sent");
        let mut answer = Vec::new();
        stream.read_to_end(&mut answer).expect("an answer");
        let answer = String::from_utf8_lossy(&answer);
        let (head, body) = answer.split_once("\r\n\r\n").expect("a head");
        let status = head
            .split(' ')
            .nth(1)
            .and_then(|status| status.parse().ok());
        (status.expect("a status"), body.to_owned())
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

struct Visitor<'a> {
    server: &'a Server,
    token: String,
}

impl Visitor<'_> {
    fn post(&self, path: &str, body: &Value) -> (u16, String) {
        let path = format!("/api/v1{path}");
        self.server.request("POST", &path, &self.token, Some(body))
    }

    fn get(&self, path: &str) -> (u16, String) {
        self.server
            .request("GET", &format!("/api/v1{path}"), &self.token, None)
    }

    /// Creates a game and makes its first move. Returns the game's ID.
    fn play(&self, variant: &str, opponent: &Value, first: &str) -> String {
        let me = json!({"kind": "human"});
        let new = json!({"variant": variant, "x": me, "o": opponent});
        let (status, body) = self.post("/games", &new);
        assert_eq!(status, 201, "{body}");
        let view: Value = serde_json::from_str(&body).expect("JSON");
        let id = view["game"]["id"].as_str().expect("a name").to_owned();
        let action = json!({"type": "move", "rev": view["game"]["rev"], "move": first});
        let (status, body) = self.post(&format!("/games/{id}/actions"), &action);
        assert_eq!(status, 200, "{body}");
        id
    }

    /// Reads a game's stream until this many moves have been made.
    fn wait_for(&self, id: &str, ply: u64) {
        let mut stream = TcpStream::connect(&self.server.address).expect("connected");
        let head = format!(
            "GET /api/v1/games/{id}/stream HTTP/1.1\r\nHost: {}\r\nAuthorization: Bearer {}\r\n\r\n",
            self.server.address, self.token
        );
        stream.write_all(head.as_bytes()).expect("sent");
        for line in BufReader::new(stream).lines() {
            let line = line.expect("a line");
            // Other lines are headers or chunk sizes.
            let frame: Value = serde_json::from_str(&line).unwrap_or_default();
            if frame["game"]["ply"].as_u64() >= Some(ply) {
                return;
            }
        }
        panic!("the stream has ended");
    }

    fn analyze(&self, variant: &str, ms: u64) {
        let (status, body) = self.post("/analyses", &json!({"variant": variant, "time_ms": ms}));
        assert_eq!(status, 200, "{body}");
        assert!(body.contains("\"done\":true"), "it has come to its end");
    }
}

/// Games on the deepest board, analyses of it, and an export.
fn deep_boards(games: usize, analyses: usize, ms: u64) {
    let server = Server::start(&[]);
    let visitor = server.visitor();
    let idle = server.mebibytes("VmRSS");
    for _ in 0..games {
        visitor.play(DEEPEST, &json!({"kind": "human", "name": "Bob"}), "abcdef");
    }
    let rooms = server.mebibytes("VmRSS");
    thread::scope(|scope| {
        for number in 0..analyses {
            let server = &server;
            scope.spawn(move || {
                let variant = if number % 2 == 0 {
                    DEEPEST
                } else {
                    "ception:depth=5"
                };
                server.visitor().analyze(variant, ms);
            });
        }
    });
    let analyzed = server.mebibytes("VmHWM");
    let (status, _) = visitor.get("/games/export");
    assert_eq!(status, 200);
    let (peak, now) = (server.mebibytes("VmHWM"), server.mebibytes("VmRSS"));
    println!(
        "deep boards, MiB: {idle} idle, {rooms} with {games} games, {analyzed} at most with \
         {analyses} analyses, {peak} at most with an export, {now} afterwards"
    );
    assert!(peak < MAX_MEBIBYTES, "{peak} MiB");
}

/// Games against a bot, each with its own search tables.
fn games_against_bots(games: usize, budget: u64) {
    let server = Server::start(&["--bot-memory-total", &budget.to_string()]);
    let idle = server.mebibytes("VmRSS");
    let next = AtomicUsize::new(0);
    thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                while next.fetch_add(1, Ordering::Relaxed) < games {
                    let visitor = server.visitor();
                    let best = json!({"kind": "bot", "name": "best"});
                    let id = visitor.play("ultimate", &best, "ee");
                    visitor.wait_for(&id, 2);
                }
            });
        }
    });
    let (used, limit) = (
        server.metric("noughts_bot_memory_bytes") / f64::from(1 << 20),
        server.metric("noughts_bot_memory_limit_bytes") / f64::from(1 << 20),
    );
    let dropped = server.metric("noughts_bot_tables_dropped_total");
    let (peak, now) = (server.mebibytes("VmHWM"), server.mebibytes("VmRSS"));
    println!(
        "{games} games against best, MiB: {idle} idle, {used:.1} of {limit:.1} in tables, {dropped} \
         tables dropped, {peak} at most, {now} afterwards"
    );
    assert!(used <= limit && limit <= budget as f64);
    // Not part of the budget: stacks, rooms and the allocator's overhead.
    assert!(peak <= idle + budget + 64, "{peak} MiB");
}

#[test]
fn deep_boards_take_little_memory() {
    deep_boards(20, 2, 1500);
}

#[test]
#[ignore = "soak"]
fn hundreds_of_deep_games_and_analyses_stay_within_bounds() {
    deep_boards(600, 12, 20_000);
}

#[test]
#[ignore = "soak"]
fn tables_of_many_bots_stay_within_the_budget() {
    games_against_bots(130, 128);
}
