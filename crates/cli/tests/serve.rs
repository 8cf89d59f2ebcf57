//! `noughts serve` as a program: its one line, its end, and why it does not begin.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::path::Path;
use std::process::{Child, Command, Stdio};

fn serve(dir: &Path, args: &[&str]) -> Child {
    Command::new(env!("CARGO_BIN_EXE_noughts"))
        .arg("serve")
        .args(args)
        .env("NOUGHTS_DATA", dir)
        .env("NOUGHTS_LOG", "info")
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts")
}

/// The host and port that it says it listens on.
fn address(child: &mut Child) -> String {
    let out = child.stdout.as_mut().expect("a pipe was asked for");
    let mut line = String::new();
    BufReader::new(out).read_line(&mut line).expect("a line");
    let address = line.trim_end().strip_prefix("http://");
    let address = address.and_then(|address| address.strip_suffix('/'));
    address.expect("an address").to_owned()
}

fn ask(address: &str, path: &str) -> String {
    let mut stream = TcpStream::connect(address).expect("connected");
    let request = format!("GET {path} HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n\r\n");
    stream.write_all(request.as_bytes()).expect("sent");
    let mut answer = String::new();
    stream.read_to_string(&mut answer).expect("an answer");
    answer
}

/// What it logged, once it has ended by itself.
fn ended(mut child: Child) -> (String, Option<i32>) {
    let mut log = String::new();
    let mut stderr = child.stderr.take().expect("a pipe was asked for");
    stderr.read_to_string(&mut log).expect("text");
    (log, child.wait().expect("it ends").code())
}

#[cfg(unix)]
#[test]
fn it_says_where_it_is_and_ends_when_asked() {
    for (signal, log) in [("TERM", "text"), ("INT", "json")] {
        let dir = tempfile::tempdir().expect("a folder");
        let mut child = serve(dir.path(), &["--addr", "127.0.0.1:0", "--log", log]);
        let address = address(&mut child);
        assert!(address.starts_with("127.0.0.1:") && !address.ends_with(":0"));
        assert!(ask(&address, "/healthz").ends_with("\r\n\r\nok"));
        assert!(ask(&address, "/").contains("<!DOCTYPE html>"));
        assert!(ask(&address, "/games/no-such-secret").starts_with("HTTP/1.1 404"));
        // Somebody who stays does not keep it.
        let mut staying = TcpStream::connect(&address).expect("connected");
        staying.write_all(b"GET / HT").expect("sent");
        let kill = Command::new("kill")
            .args(["-s", signal, &child.id().to_string()])
            .status();
        assert!(kill.expect("asked").success());
        let (log, code) = ended(child);
        assert_eq!(code, Some(0), "{log}");
        assert!(log.contains("/games/{"), "{log}");
        assert!(!log.contains("no-such-secret"), "{log}");
        let left: Vec<_> = std::fs::read_dir(dir.path())
            .expect("read")
            .flatten()
            .collect();
        let left: Vec<_> = left.iter().map(std::fs::DirEntry::file_name).collect();
        assert!(
            !left
                .iter()
                .any(|name| name.to_string_lossy().contains("-wal")),
            "{left:?}"
        );
    }
}

#[test]
fn a_port_that_is_taken_is_named() {
    let taken = TcpListener::bind("127.0.0.1:0").expect("a port");
    let address = taken.local_addr().expect("an address").to_string();
    let dir = tempfile::tempdir().expect("a folder");
    let (log, code) = ended(serve(dir.path(), &["--addr", &address]));
    assert_eq!(code, Some(1));
    assert_eq!(
        log,
        format!(
            "error: another program listens on {address}; choose another port with --addr, or 0 for any free one\n"
        )
    );
    assert!(!dir.path().join("noughts.db").exists());
}

/// Sends a request, and reads all that is answered until the server closes the connection.
fn send(address: &str, method: &str, path: &str, token: &str, body: &str) -> String {
    let mut stream = TcpStream::connect(address).expect("connected");
    let limit = Some(std::time::Duration::from_secs(60));
    stream.set_read_timeout(limit).expect("set");
    let bearer = match token {
        "" => String::new(),
        token => format!("Authorization: Bearer {token}\r\n"),
    };
    let request = format!(
        "{method} {path} HTTP/1.1\r\nHost: {address}\r\n{bearer}Content-Type: application/json\r\n\
         Content-Length: {}\r\nConnection: close\r\n\r\n{body}",
        body.len()
    );
    stream.write_all(request.as_bytes()).expect("sent");
    let mut answer = String::new();
    stream.read_to_string(&mut answer).expect("an answer");
    answer
}

/// The text of the first field of this name.
fn field<'a>(json: &'a str, name: &str) -> &'a str {
    let start = format!("\"{name}\":\"");
    let from = json
        .find(&start)
        .unwrap_or_else(|| panic!("{name} in {json}"))
        + start.len();
    json[from..].split('"').next().expect("a value")
}

fn noughts(dir: &Path, args: &[&str]) -> String {
    let out = Command::new(env!("CARGO_BIN_EXE_noughts"))
        .args(args)
        .env("NOUGHTS_DATA", dir)
        .output()
        .expect("the program starts");
    assert!(out.status.success(), "{args:?}: {out:?}");
    String::from_utf8(out.stdout).expect("text")
}

/// What the operator does on the command line reaches a running server by itself: streams
/// of a banned visitor, of one whose session was ended, and of a deleted game end.
#[cfg(unix)]
#[test]
fn it_follows_the_operator() {
    let dir = tempfile::tempdir().expect("a folder");
    let mut child = serve(dir.path(), &["--addr", "127.0.0.1:0"]);
    let address = address(&mut child);
    for command in ["ban", "end-session", "delete"] {
        let token = send(&address, "POST", "/api/v1/token", "", "{}");
        let token = field(&token, "token");
        let new =
            r#"{"variant":"classic","x":{"kind":"person","name":"Eve"},"o":{"kind":"person"}}"#;
        let made = send(&address, "POST", "/api/v1/games", token, new);
        let uid = field(&made, "id").to_owned();
        let number = made.split("\"number\":").nth(1).expect("a number");
        let number = number.split(',').next().expect("a number").to_owned();
        let shown = noughts(dir.path(), &["games", "show", &number, "--json"]);
        let visitor = field(&shown, "visitor");
        let watching = std::thread::spawn({
            let (address, token) = (address.clone(), token.to_owned());
            let path = format!("/api/v1/games/{uid}/stream");
            move || send(&address, "GET", &path, &token, "")
        });
        match command {
            "delete" => noughts(dir.path(), &["games", "delete", &number, "--yes"]),
            command => noughts(dir.path(), &["players", command, visitor]),
        };
        // The stream ends, or is refused where it comes later than that.
        let seen = watching.join().expect("it ends");
        let (word, status) = match command {
            "ban" => ("\"banned\"", "403"),
            "end-session" => ("\"unknown-token\"", "401"),
            _ => ("", "404"),
        };
        assert!(seen.contains(word) || seen.contains("404"), "{seen}");
        let path = format!("/api/v1/games/{uid}");
        let after = send(&address, "GET", &path, token, "");
        assert!(after.starts_with(&format!("HTTP/1.1 {status}")), "{after}");
    }
    let bans = noughts(dir.path(), &["players", "bans", "--json"]);
    assert_eq!(bans.matches("\"visitor\"").count(), 1, "{bans}");
    child.kill().expect("it was alive");
    child.wait().expect("it ends");
}
