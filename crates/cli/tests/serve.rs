//! `noughts serve` as a process: its output, its shutdown, its log and its errors at startup.

#[cfg(unix)]
use std::fs::File;
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

/// The host and port that the server prints.
fn address(child: &mut Child) -> String {
    let out = child.stdout.as_mut().expect("a pipe was asked for");
    let mut line = String::new();
    BufReader::new(out).read_line(&mut line).expect("a line");
    let address = line.trim_end().strip_prefix("http://");
    let address = address.and_then(|address| address.strip_suffix('/'));
    address.expect("an address").to_owned()
}

fn get(address: &str, path: &str) -> String {
    let mut stream = TcpStream::connect(address).expect("connected");
    let request = format!("GET {path} HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n\r\n");
    stream.write_all(request.as_bytes()).expect("sent");
    let mut answer = String::new();
    stream.read_to_string(&mut answer).expect("an answer");
    answer
}

/// Waits for the server to exit. Returns its log and its exit code.
fn wait_for_exit(mut child: Child) -> (String, Option<i32>) {
    let mut log = String::new();
    let mut stderr = child.stderr.take().expect("a pipe was asked for");
    stderr.read_to_string(&mut log).expect("text");
    (log, child.wait().expect("it ends").code())
}

#[cfg(unix)]
fn send(signal: &str, child: &Child) {
    let kill = Command::new("kill")
        .args(["-s", signal, &child.id().to_string()])
        .status();
    assert!(kill.expect("asked").success());
}

/// A server that is killed when a test fails.
struct Server(Child);

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// Starts the server after a shell command, such as `ulimit -n 100`.
#[cfg(unix)]
fn serve_after(shell: &str, dir: &Path, args: &[&str], output: [Stdio; 2]) -> Server {
    let [stdout, stderr] = output;
    let child = Command::new("sh")
        .args(["-c", &format!("{shell}; exec \"$0\" \"$@\"")])
        .arg(env!("CARGO_BIN_EXE_noughts"))
        .args(["serve", "--addr", "127.0.0.1:0"])
        .args(args)
        .env("NOUGHTS_DATA", dir)
        .env("NOUGHTS_LOG", "info")
        .stdin(Stdio::null())
        .stdout(stdout)
        .stderr(stderr)
        .spawn();
    Server(child.expect("the program starts"))
}

/// Sends many requests on one connection and reads all responses.
#[cfg(unix)]
fn get_repeatedly(address: &str, times: usize) {
    let stream = TcpStream::connect(address).expect("connected");
    let mut reader = BufReader::new(stream.try_clone().expect("cloned"));
    let mut writer = stream;
    for number in 0..times {
        let request = format!("GET /api/v1/none HTTP/1.1\r\nHost: {address}\r\n\r\n");
        writer.write_all(request.as_bytes()).expect("sent");
        let (mut length, mut line) = (0, String::new());
        reader.read_line(&mut line).expect("an answer");
        assert!(line.starts_with("HTTP/1.1 404"), "{number}: {line}");
        while line != "\r\n" {
            line.clear();
            reader.read_line(&mut line).expect("a header");
            let header = line.to_ascii_lowercase();
            if let Some(bytes) = header.strip_prefix("content-length:") {
                length = bytes.trim().parse().expect("a number");
            }
        }
        let mut body = vec![0; length];
        reader.read_exact(&mut body).expect("a body");
    }
}

/// Guards against a server that hangs because its log is on a full disk, is a closed pipe, or isn't
/// read. In the last case it also ignored SIGTERM.
#[cfg(target_os = "linux")]
#[test]
fn a_log_that_cannot_be_written_stops_nothing() {
    for log in ["full", "closed", "unread"] {
        let dir = tempfile::tempdir().expect("a folder");
        // The reading end of the pipe stays open, or is closed immediately.
        let (reader, writer) = std::io::pipe().expect("a pipe");
        let stderr = match log {
            "full" => File::create("/dev/full").expect("opened").into(),
            _ => Stdio::from(writer),
        };
        let reader = (log != "closed").then_some(reader);
        let output = [Stdio::piped(), stderr];
        let mut server = serve_after(":", dir.path(), &["--unlimited"], output);
        let address = address(&mut server.0);
        // The pipe's buffer is 64 KiB and the queue 1 MiB.
        let times = if log == "unread" { 10_000 } else { 100 };
        get_repeatedly(&address, times);
        let health = get(&address, "/healthz");
        assert!(health.starts_with("HTTP/1.1 200"), "{log}: {health}");
        assert!(health.contains("\r\n\r\nok\n"), "{log}: {health}");
        assert!(
            health.contains("The log can't be written"),
            "{log}: {health}"
        );
        let metrics = get(&address, "/metrics");
        let mut lines = metrics.lines();
        let dropped = lines.find_map(|line| line.strip_prefix("noughts_log_lines_dropped_total "));
        let dropped: u64 = dropped.expect("a count").parse().expect("a number");
        assert!(dropped > 0, "{log}");
        send("TERM", &server.0);
        let status = server.0.wait().expect("it ends");
        assert_eq!(status.code(), Some(0), "{log}");
        drop(reader);
    }
}

/// The address is also in the log, so the server runs even if standard output can't be written.
#[cfg(target_os = "linux")]
#[test]
fn an_address_that_cannot_be_printed_stops_nothing() {
    let dir = tempfile::tempdir().expect("a folder");
    let full = File::create("/dev/full").expect("opened");
    let mut server = serve_after(":", dir.path(), &[], [full.into(), Stdio::piped()]);
    let mut log = BufReader::new(server.0.stderr.take().expect("a pipe"));
    let mut line = String::new();
    while !line.contains("listening on http://") {
        line.clear();
        assert_ne!(log.read_line(&mut line).expect("a line"), 0);
    }
    let (_, address) = line.trim_end().split_once("http://").expect("an address");
    let address = address.strip_suffix('/').expect("an address");
    assert!(get(address, "/healthz").ends_with("\r\n\r\nok"));
    send("TERM", &server.0);
    assert_eq!(server.0.wait().expect("it ends").code(), Some(0));
    let mut rest = String::new();
    log.read_to_string(&mut rest).expect("text");
    assert!(
        rest.contains("can't write the address to standard output"),
        "{rest}"
    );
}

/// `nohup` makes a program ignore SIGHUP.
#[cfg(target_os = "linux")]
#[test]
fn it_outlives_its_terminal_with_nohup() {
    let dir = tempfile::tempdir().expect("a folder");
    let output = [Stdio::piped(), Stdio::null()];
    let mut server = serve_after("trap '' HUP", dir.path(), &[], output);
    let address = address(&mut server.0);
    send("HUP", &server.0);
    let status = std::fs::read_to_string(format!("/proc/{}/status", server.0.id()));
    let status = status.expect("it runs");
    let mut lines = status.lines();
    let ignored = lines.find_map(|line| line.strip_prefix("SigIgn:"));
    let ignored = u64::from_str_radix(ignored.expect("a line").trim(), 16).expect("bits");
    assert_eq!(ignored & 1, 1, "it is still ignored");
    assert!(get(&address, "/healthz").ends_with("\r\n\r\nok"));
    send("TERM", &server.0);
    assert_eq!(server.0.wait().expect("it ends").code(), Some(0));
}

/// Guards against a server that runs out of files at the soft limit.
#[cfg(target_os = "linux")]
#[test]
fn the_limit_of_open_files_is_raised_and_never_used_up() {
    let dir = tempfile::tempdir().expect("a folder");
    // The hard limit is 300 and the soft one 50: 172 connections fit.
    let shell = "ulimit -Sn 50 && ulimit -Hn 300";
    let output = [Stdio::piped(), Stdio::piped()];
    let mut server = serve_after(shell, dir.path(), &[], output);
    let address = address(&mut server.0);
    let limits = std::fs::read_to_string(format!("/proc/{}/limits", server.0.id()));
    let limits = limits.expect("it runs");
    let files = limits
        .lines()
        .find(|line| line.starts_with("Max open files"));
    let soft = files.and_then(|line| line.split_whitespace().nth(3));
    assert_eq!(soft, Some("300"), "{limits}");
    let mut silent = Vec::new();
    for _ in 0..350 {
        silent.push(TcpStream::connect(&address).expect("connected"));
    }
    // Requests are answered while all connections are open.
    assert!(get(&address, "/healthz").ends_with("\r\n\r\nok"));
    assert!(get(&address, "/players").starts_with("HTTP/1.1 200"));
    drop(silent);
    send("TERM", &server.0);
    let mut log = String::new();
    let mut stderr = server.0.stderr.take().expect("a pipe");
    stderr.read_to_string(&mut log).expect("text");
    assert!(
        log.contains("the limit on open files allows fewer connections than intended"),
        "{log}"
    );
    assert!(!log.contains("can't accept"), "{log}");
}

/// At `trace`, libraries log what they send and receive.
#[cfg(unix)]
#[test]
fn a_trace_log_contains_no_user_content() {
    let dir = tempfile::tempdir().expect("a folder");
    let shell = "export NOUGHTS_LOG=trace";
    let output = [Stdio::piped(), Stdio::piped()];
    let mut server = serve_after(shell, dir.path(), &[], output);
    let address = address(&mut server.0);
    let body = r#"{"variant":"classic","x":{"kind":"human","name":"Zebulon"},"o":{"kind":"bot","name":"easy"}}"#;
    let post = |path: &str, token: &str, body: &str| {
        let mut stream = TcpStream::connect(&address).expect("connected");
        let length = body.len();
        let request = format!(
            "POST {path} HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n{token}\
             Content-Type: application/json\r\nContent-Length: {length}\r\n\r\n{body}"
        );
        stream.write_all(request.as_bytes()).expect("sent");
        let mut answer = String::new();
        stream.read_to_string(&mut answer).expect("an answer");
        answer
    };
    let answer = post("/api/v1/token", "", "");
    let (_, token) = answer.split_once("\"token\":\"").expect("a token");
    let token = &token[..64];
    let bearer = format!("Authorization: Bearer {token}\r\n");
    let made = post("/api/v1/games", &bearer, body);
    assert!(made.contains("Zebulon"), "{made}");
    let (_, id) = made.split_once("\"id\":\"").expect("a game");
    let id = &id[..32];
    get(&address, "/players/Zebulon");
    post(
        "/api/v1/games",
        &bearer,
        r#"{"variant":"classic","x":"Zebulon"}"#,
    );
    // A WebSocket message that contains the name.
    let mut socket = TcpStream::connect(&address).expect("connected");
    let upgrade = format!(
        "GET /api/v1/games/{id}/socket HTTP/1.1\r\nHost: {address}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\
         Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n{bearer}\r\n"
    );
    socket.write_all(upgrade.as_bytes()).expect("sent");
    // A masked text frame, with a mask of zeros, and a Close frame.
    let text = br#"{"type": "Zebulon"}"#;
    let mut frame = vec![0x81, 0x80 | text.len() as u8, 0, 0, 0, 0];
    frame.extend(text);
    frame.extend([0x88, 0x82, 0, 0, 0, 0, 0x03, 0xe8]);
    socket.write_all(&frame).expect("sent");
    let mut received = Vec::new();
    socket.read_to_end(&mut received).expect("it ends");
    assert!(
        received.ends_with(&[0x88, 2, 0x03, 0xe8]),
        "the Close is answered"
    );
    send("TERM", &server.0);
    let mut log = String::new();
    let mut stderr = server.0.stderr.take().expect("a pipe");
    stderr.read_to_string(&mut log).expect("text");
    assert!(log.contains("/games/{id}/socket"), "{log}");
    for secret in ["Zebulon", token] {
        assert!(!log.contains(secret), "{secret} in {log}");
    }
}

#[cfg(unix)]
#[test]
fn metrics_have_an_address_of_their_own_or_a_token() {
    let dir = tempfile::tempdir().expect("a folder");
    let output = [Stdio::piped(), Stdio::piped()];
    let args = ["--metrics-addr", "127.0.0.1:0"];
    let shell = "export NOUGHTS_METRICS_TOKEN=0123456789abcdef";
    let mut server = serve_after(shell, dir.path(), &args, output);
    let main = address(&mut server.0);
    let mut log = BufReader::new(server.0.stderr.take().expect("a pipe"));
    let mut line = String::new();
    while !line.contains("serving metrics at http://") {
        line.clear();
        assert_ne!(log.read_line(&mut line).expect("a line"), 0);
    }
    let (_, place) = line.trim_end().split_once("http://").expect("an address");
    let (metrics, _) = place.split_once('/').expect("an address");
    assert!(get(&main, "/metrics").starts_with("HTTP/1.1 404"));
    assert!(get(metrics, "/metrics").starts_with("HTTP/1.1 403"));
    assert!(get(metrics, "/healthz").ends_with("\r\n\r\nok"));
    let with_token = "/metrics HTTP/1.1\r\nAuthorization: Bearer 0123456789abcdef\r\nX:";
    assert!(get(metrics, with_token).contains("noughts_requests_total"));
    send("TERM", &server.0);
    // Read the rest of the log, so that the server can exit.
    log.read_to_string(&mut line).expect("text");
    assert_eq!(server.0.wait().expect("it ends").code(), Some(0));
}

#[test]
fn bad_options_are_explained() {
    let dir = tempfile::tempdir().expect("a folder");
    for (args, reason) in [
        (
            &["--metrics-token", "short"][..],
            "at least 16 ASCII characters",
        ),
        (&["--trusted-proxy", "10.0.0.0/40"], "at most 32"),
        (&["--trusted-proxy", "proxy.example"], "such as 10.0.0.0/8"),
        (&["--metrics-addr", "nonsense"], "--metrics-addr 'nonsense'"),
    ] {
        let (log, code) = wait_for_exit(serve(
            dir.path(),
            &[&["--addr", "127.0.0.1:0"], args].concat(),
        ));
        assert_eq!(code, Some(2), "{args:?}: {log}");
        assert!(log.contains(reason), "{args:?}: {log}");
    }
}

#[cfg(unix)]
#[test]
fn it_prints_its_address_and_stops_on_signals() {
    for (signal, log) in [("TERM", "text"), ("INT", "json"), ("HUP", "text")] {
        let dir = tempfile::tempdir().expect("a folder");
        let mut child = serve(dir.path(), &["--addr", "127.0.0.1:0", "--log", log]);
        let address = address(&mut child);
        assert!(address.starts_with("127.0.0.1:") && !address.ends_with(":0"));
        assert!(get(&address, "/healthz").ends_with("\r\n\r\nok"));
        assert!(get(&address, "/").contains("<!DOCTYPE html>"));
        assert!(get(&address, "/games/no-such-secret").starts_with("HTTP/1.1 404"));
        // An open connection doesn't delay the shutdown.
        let mut staying = TcpStream::connect(&address).expect("connected");
        staying.write_all(b"GET / HT").expect("sent");
        send(signal, &child);
        let (log, code) = wait_for_exit(child);
        assert_eq!(code, Some(0), "{log}");
        assert!(log.contains("/games/{"), "{log}");
        assert!(!log.contains("no-such-secret"), "{log}");
        let remaining: Vec<_> = std::fs::read_dir(dir.path())
            .expect("read")
            .flatten()
            .collect();
        let remaining: Vec<_> = remaining.iter().map(std::fs::DirEntry::file_name).collect();
        assert!(
            !remaining
                .iter()
                .any(|name| name.to_string_lossy().contains("-wal")),
            "{remaining:?}"
        );
    }
}

#[test]
fn a_port_in_use_is_reported() {
    let taken = TcpListener::bind("127.0.0.1:0").expect("a port");
    let address = taken.local_addr().expect("an address").to_string();
    let dir = tempfile::tempdir().expect("a folder");
    let (log, code) = wait_for_exit(serve(dir.path(), &["--addr", &address]));
    assert_eq!(code, Some(1));
    assert_eq!(
        log,
        format!(
            "error: {address} is already in use; choose another port with --addr, or 0 for any free port\n"
        )
    );
    assert!(!dir.path().join("noughts.db").exists());
}

/// Sends a request and reads the response until the server closes the connection.
fn request(address: &str, method: &str, path: &str, token: &str, body: &str) -> String {
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

/// The value of the first field with this name.
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

/// A running server applies the operator's commands: the streams of a banned visitor, of an ended
/// session and of a deleted game end.
#[cfg(unix)]
#[test]
fn it_applies_the_operators_commands() {
    let dir = tempfile::tempdir().expect("a folder");
    let mut child = serve(dir.path(), &["--addr", "127.0.0.1:0"]);
    let address = address(&mut child);
    for command in ["ban", "end-session", "delete"] {
        let token = request(&address, "POST", "/api/v1/token", "", "{}");
        let token = field(&token, "token");
        let new = r#"{"variant":"classic","x":{"kind":"human","name":"Eve"},"o":{"kind":"bot","name":"easy"}}"#;
        let made = request(&address, "POST", "/api/v1/games", token, new);
        let uid = field(&made, "id").to_owned();
        let number = made.split("\"number\":").nth(1).expect("a number");
        let number = number.split(',').next().expect("a number").to_owned();
        let shown = noughts(dir.path(), &["games", "show", &number, "--json"]);
        let visitor = field(&shown, "visitor");
        assert_eq!(shown.matches("\"visitor\"").count(), 1, "a bot: {shown}");
        let watching = std::thread::spawn({
            let (address, token) = (address.clone(), token.to_owned());
            let path = format!("/api/v1/games/{uid}/stream");
            move || request(&address, "GET", &path, &token, "")
        });
        match command {
            "delete" => noughts(dir.path(), &["games", "delete", &number, "--yes"]),
            command => noughts(dir.path(), &["players", command, visitor]),
        };
        // The stream ends, or is rejected if the request arrives after the command.
        let seen = watching.join().expect("it ends");
        let (word, status) = match command {
            "ban" => ("\"banned\"", "403"),
            "end-session" => ("\"unknown-token\"", "401"),
            _ => ("", "404"),
        };
        assert!(seen.contains(word) || seen.contains("404"), "{seen}");
        let path = format!("/api/v1/games/{uid}");
        let after = request(&address, "GET", &path, token, "");
        assert!(after.starts_with(&format!("HTTP/1.1 {status}")), "{after}");
    }
    let bans = noughts(dir.path(), &["players", "bans", "--json"]);
    assert_eq!(bans.matches("\"visitor\"").count(), 1, "{bans}");
    child.kill().expect("it was alive");
    child.wait().expect("it ends");
}
