//! The program plays Treblecross by every way to play: line by line, in the solver, in the arena and over HTTP.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, Command, Stdio};

use serde_json::{Value, json};

fn own_game(data: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_own-game"));
    command
        .env("NOUGHTS_DATA", data)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped());
    command
}

/// Runs the program to its end. Returns its standard output.
fn run(arguments: &str, input: &str) -> String {
    let data = tempfile::tempdir().expect("a folder");
    let mut program = own_game(data.path());
    let program = program.args(arguments.split(' ')).spawn();
    let mut program = program.expect("the program starts");
    // The input is short enough for the pipe.
    let mut stdin = program.stdin.take().expect("a pipe was asked for");
    stdin.write_all(input.as_bytes()).expect("it is read");
    drop(stdin);
    let output = program.wait_with_output().expect("the program ends");
    assert!(output.status.success(), "{arguments}");
    String::from_utf8(output.stdout).expect("text")
}

#[test]
fn a_game_is_played_line_by_line() {
    let arguments = "play treblecross --plain --x human:Ada --o human:Bob --ascii";
    let output = run(arguments, "rules\ne1\nE1\n1 4\nc1\nn\n");
    for expected in [
        "The board is a row of 9 cells.",
        "e1 is taken",
        "Ada (X) wins",
        "Ada: 1 game: 1 won",
    ] {
        assert!(output.contains(expected), "{expected}: {output}");
    }
}

#[test]
fn help_lists_the_game() {
    let help = run("play --help", "");
    assert!(
        help.contains("vanishing, treblecross [default: classic]"),
        "{help}"
    );
}

/// The number of plies to the end with best play, with a minus sign if the player to move loses. Tries everything.
fn slow_value(marks: u32, length: u8) -> i32 {
    if marks & marks >> 1 & marks >> 2 != 0 {
        return 0;
    }
    let empty = (0..length).filter(|cell| marks >> cell & 1 == 0);
    let values = empty.map(|cell| after(slow_value(marks | 1 << cell, length)));
    // The fastest win, otherwise the slowest loss.
    values
        .min_by_key(|&value| if value > 0 { value - 1000 } else { value })
        .expect("three in a row end the game before the row is full")
}

/// The value of a move, from that of the position after it, which is lost in 0 plies if the game is over.
fn after(value: i32) -> i32 {
    if value > 0 { -value - 1 } else { 1 - value }
}

#[test]
fn every_move_has_the_value_of_a_slow_solver() {
    for length in 3..=9 {
        let output = run(&format!("solve treblecross:length={length} --json"), "");
        let solved: Value = serde_json::from_str(&output).expect("JSON");
        let check = |solved: &Value, expected: i32, what: &str| {
            let word = if expected > 0 { "win" } else { "loss" };
            assert_eq!(solved["value"], word, "{what} of {length}");
            assert_eq!(solved["plies"], expected.abs(), "{what} of {length}");
        };
        check(&solved, slow_value(0, length), "the start");
        let moves = solved["moves"].as_array().expect("a list");
        assert_eq!(moves.len(), usize::from(length));
        for solved in moves {
            let name = solved["move"].as_str().expect("a name");
            let column = name.as_bytes()[0] - b'a';
            check(solved, after(slow_value(1 << column, length)), name);
        }
    }
}

/// The perfect bot wins at least one game of each pair: both players start from the same position once.
#[test]
fn bots_play_in_the_arena() {
    let plan = "arena match treblecross perfect random --games 10 --nodes 100000";
    let output = run(&format!("{plan} --unsaved --concurrency 1 --json"), "");
    let lines = output.lines();
    let events = lines.map(|line| serde_json::from_str(line).expect("JSON"));
    let games: Vec<Value> = events
        .filter(|event: &Value| event["event"] == "game")
        .collect();
    assert_eq!(games.len(), 10);
    let winner = |game: &Value| {
        let side = game["result"].as_str().expect("a result");
        game["game"][side].clone()
    };
    let won = games.iter().filter(|game| winner(game) == "perfect");
    assert!(won.count() >= 5, "{output}");
}

/// A running server, which is ended with the test.
struct Server {
    child: Child,
    address: String,
    _data: tempfile::TempDir,
}

impl Server {
    fn start() -> Server {
        let data = tempfile::tempdir().expect("a folder");
        let mut command = own_game(data.path());
        let command = command.args(["serve", "--addr", "127.0.0.1:0"]);
        let mut child = command.stderr(Stdio::null()).spawn().expect("it starts");
        let output = child.stdout.as_mut().expect("a pipe was asked for");
        let mut line = String::new();
        BufReader::new(output).read_line(&mut line).expect("a line");
        let address = line.trim().trim_start_matches("http://");
        Server {
            address: address.trim_end_matches('/').to_owned(),
            child,
            _data: data,
        }
    }

    fn get(&self, path: &str) -> String {
        self.request(&format!("GET {path}"), "", "")
    }

    fn post(&self, path: &str, token: &str, body: &Value) -> Value {
        let body = body.to_string();
        let length = body.len();
        let mut headers = format!("Content-Type: application/json\r\nContent-Length: {length}\r\n");
        if !token.is_empty() {
            headers += &format!("Authorization: Bearer {token}\r\n");
        }
        let answer = self.request(&format!("POST /api/v1{path}"), &headers, &body);
        serde_json::from_str(&answer).unwrap_or_else(|_| panic!("{path}: {answer}"))
    }

    /// The body of the response, which must be a success.
    fn request(&self, line: &str, headers: &str, body: &str) -> String {
        let address = &self.address;
        let mut stream = TcpStream::connect(address).expect("it listens");
        let head = format!("{line} HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n{headers}");
        stream
            .write_all(format!("{head}\r\n{body}").as_bytes())
            .expect("sent");
        let mut answer = String::new();
        stream.read_to_string(&mut answer).expect("a response");
        let (head, body) = answer.split_once("\r\n\r\n").expect("a head");
        assert!(head.starts_with("HTTP/1.1 2"), "{line}: {answer}");
        body.to_owned()
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[test]
fn a_game_is_played_on_the_web_page() {
    let server = Server::start();
    for (path, expected) in [
        ("/", "Treblecross"),
        (
            "/rules/treblecross:length=12",
            "a1 is the leftmost cell, l1",
        ),
        ("/new?variant=treblecross", "Cells"),
    ] {
        let page = server.get(path);
        assert!(page.contains(expected), "{path}: {page}");
    }
    let token = server.post("/token", "", &json!({}));
    let token = token["token"].as_str().expect("a token");
    let human = json!({ "kind": "human" });
    let game = json!({ "variant": "treblecross", "x": human, "o": human });
    let mut view = server.post("/games", token, &game);
    let id = view["game"]["id"].as_str().expect("an id").to_owned();
    for mv in ["e1", "d1", "c1"] {
        assert_eq!(view["game"]["result"], Value::Null);
        let action = json!({ "type": "move", "rev": view["game"]["rev"], "move": mv });
        view = server.post(&format!("/games/{id}/actions"), token, &action);
    }
    assert_eq!(view["game"]["result"], "x");
    assert!(server.get(&format!("/games/{id}")).contains("(X) wins"));
}
