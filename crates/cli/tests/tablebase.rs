//! `noughts tablebase` with a real tablebase: built, killed while building, described, corrupted.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use noughts_conformance::tablebase_cache::{build_lock, tablebase_dir};

fn command(data: &Path, args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_noughts"));
    command
        .arg("tablebase")
        .args(args)
        .env("NOUGHTS_DATA", data);
    command
}

fn run(data: &Path, args: &[&str]) -> Output {
    command(data, args).output().expect("the program runs")
}

fn text(bytes: &[u8]) -> &str {
    std::str::from_utf8(bytes).expect("it prints text")
}

/// The names of the files in the tablebase directory.
fn names(data: &Path) -> Vec<String> {
    let entries = fs::read_dir(data.join("tables")).into_iter().flatten();
    let names = entries.flatten().map(|entry| entry.file_name());
    let mut names: Vec<String> = names.map(|name| name.to_string_lossy().into()).collect();
    names.sort();
    names
}

/// Starts a build and kills it as soon as its temporary file exists.
fn start_and_kill(data: &Path, args: &[&str]) {
    let before = names(data);
    let has_started = || {
        let mut drafts = names(data).into_iter();
        drafts.any(|name| name.ends_with(".part") && !before.contains(&name))
    };
    let mut child = command(data, args)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .expect("the program starts");
    while !has_started() {
        let ended = child.try_wait().expect("the program can be asked");
        assert_eq!(ended, None, "it ended without a draft");
        std::thread::yield_now();
    }
    child.kill().expect("the program can be killed");
    child.wait().expect("the program ends");
}

/// A directory for one test.
fn test_dir(name: &str) -> PathBuf {
    let data = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("tablebase-{name}"));
    let _ = fs::remove_dir_all(&data);
    data
}

/// A single test, because all of it needs the tablebase, which takes a minute to build.
#[test]
fn a_tablebase_is_built_completely_or_not_at_all() {
    let data = tablebase_dir(Path::new(env!("CARGO_TARGET_TMPDIR")));
    let table = data.join("tables/tic-tac-two.table");

    // After a kill, there is no file with the final name.
    let fresh = test_dir("fresh");
    start_and_kill(&fresh, &["build", "tic-tac-two"]);
    assert!(!fresh.join("tables/tic-tac-two.table").exists());
    assert_eq!(names(&fresh).len(), 1, "{:?}", names(&fresh));
    let output = run(&fresh, &["info", "tic-tac-two"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(text(&output.stderr).contains("doesn't exist"), "{output:?}");

    let lock = build_lock(&data);
    let output = run(&data, &["build", "tic-tac-two"]);
    drop(lock);
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    assert_eq!(names(&data), ["tic-tac-two.table"]);
    let bytes = fs::read(&table).expect("the table is there");
    assert!(bytes.len() <= 16 << 20, "{}", bytes.len());

    // A valid tablebase isn't rebuilt.
    let output = run(&data, &["build", "tic-tac-two", "--json"]);
    let built: serde_json::Value = serde_json::from_slice(&output.stdout).expect("it is JSON");
    assert_eq!(built["built"], false);
    assert_eq!(built["bytes"], bytes.len());

    // A kill while rebuilding leaves the old file unchanged.
    let other = test_dir("killed");
    fs::create_dir_all(other.join("tables")).expect("a folder can be made");
    fs::copy(&table, other.join("tables/tic-tac-two.table")).expect("it can be copied");
    start_and_kill(&other, &["build", "tic-tac-two", "--force"]);
    start_and_kill(&other, &["build", "tic-tac-two", "--force"]);
    // The second build has removed the first one's temporary file, and left its own.
    assert_eq!(names(&other).len(), 2, "{:?}", names(&other));
    let copy = other.join("tables/tic-tac-two.table");
    assert!(fs::read(&copy).expect("it is there") == bytes);

    let output = run(&other, &["info", "tic-tac-two"]);
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    let page = include_str!("../../../docs/tablebase.md");
    let printed = text(&output.stdout).split_once('\n').expect("many lines").1;
    assert!(page.contains(printed), "the page does not show\n{printed}");
    let output = run(&other, &["info", "tic-tac-two", "--json"]);
    let info: serde_json::Value = serde_json::from_slice(&output.stdout).expect("it is JSON");
    assert_eq!(text(&output.stdout).lines().count(), 1);
    assert_eq!(info["start"], "draw");
    assert_eq!(info["layers"].as_array().map(Vec::len), Some(13));

    // A corrupted file gives a one-line error and exit code 1 for every action.
    let assert_rejected = |bytes: &[u8], words: &str| {
        fs::write(&copy, bytes).expect("it can be written");
        for action in ["info", "check"] {
            let output = run(&other, &[action, "tic-tac-two"]);
            assert_eq!(output.status.code(), Some(1), "{output:?}");
            assert_eq!(text(&output.stdout), "");
            let error = text(&output.stderr);
            assert!(
                error.starts_with("error: ") && error.contains(words),
                "{error}"
            );
            assert_eq!(error.lines().count(), 1, "{error}");
        }
    };
    assert_rejected(&bytes[..bytes.len() / 2], "is truncated");
    assert_rejected(b"something else", "isn't a tic-tac-two tablebase");
    let mut corrupted = bytes.clone();
    corrupted[8] = 9;
    assert_rejected(&corrupted, "it was built by a newer version");
    // A newer program's file isn't replaced without `--force`.
    let output = run(&other, &["build", "tic-tac-two"]);
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    assert!(fs::read(&copy).expect("it is there") == corrupted);
    corrupted = bytes.clone();
    let last = corrupted.len() - 20;
    corrupted[last] ^= 4;
    assert_rejected(&corrupted, "is corrupted: the checksum of block 2093");
    let output = run(&other, &["check", "tic-tac-two", "--json"]);
    let checked: serde_json::Value = serde_json::from_slice(&output.stdout).expect("it is JSON");
    assert_eq!(
        (output.status.code(), &checked["ok"]),
        (Some(1), &false.into())
    );
    // A bot that reads a damaged block falls back to search, says so, and claims no exact value.
    // (The blocks are at the end of the file; the start position's block is damaged in any case.)
    let first = corrupted.len() / 10;
    for byte in &mut corrupted[first..last] {
        *byte ^= 4;
    }
    fs::write(&copy, &corrupted).expect("it can be written");
    let output = Command::new(env!("CARGO_BIN_EXE_noughts"))
        .args(["best", "tic-tac-two", "--bot", "perfect", "--nodes", "1000"])
        .arg("--json")
        .env("NOUGHTS_DATA", &other)
        .output()
        .expect("the program runs");
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    let best: serde_json::Value = serde_json::from_slice(&output.stdout).expect("it is JSON");
    assert_eq!(best["exact"], false, "{best}");
    let note = text(&output.stderr);
    let advice = "is corrupted, so this value comes from a search; rebuild it with `noughts tablebase build tic-tac-two --force`";
    assert!(note.contains(advice), "{note}");
    fs::remove_dir_all(&other).expect("it can be removed");
}

#[test]
fn an_unwritable_directory_is_reported_at_once() {
    let data = test_dir("file");
    fs::write(&data, "a file in place of the folder").expect("it can be written");
    let output = run(&data, &["build", "tic-tac-two"]);
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    let error = text(&output.stderr);
    assert!(error.starts_with("error: can't "), "{error}");
    assert_eq!(error.lines().count(), 1, "{error}");
    fs::remove_file(&data).expect("it can be removed");
}

/// The table of a game that nothing but its own file knows.
#[test]
fn a_small_game_is_built_checked_and_used() {
    let data = test_dir("morris");
    let output = run(&data, &["build", "morris", "--json"]);
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    let built: serde_json::Value = serde_json::from_slice(&output.stdout).expect("it is JSON");
    assert_eq!(
        (&built["built"], &built["version"]),
        (&true.into(), &2.into())
    );
    assert_eq!(names(&data), ["morris.table"]);
    let output = run(&data, &["check", "morris"]);
    assert!(
        text(&output.stdout).contains("all 744 positions have the values that follow"),
        "{output:?}"
    );
    let output = run(&data, &["info", "morris"]);
    let (_, printed) = text(&output.stdout).split_once('\n').expect("many lines");
    let page = include_str!("../../../docs/tablebase.md");
    assert!(page.contains(printed), "the page does not show\n{printed}");
    // A file of another game under this name is refused.
    let other = data.join("tables/vanishing.table");
    fs::copy(data.join("tables/morris.table"), &other).expect("it can be copied");
    let output = run(&data, &["info", "vanishing"]);
    assert_eq!(output.status.code(), Some(1));
    let error = text(&output.stderr);
    assert!(error.contains("isn't a vanishing tablebase"), "{error}");
    fs::remove_dir_all(&data).expect("it can be removed");
}

/// Small games are solved without a table.
#[test]
fn small_games_are_solved_in_memory() {
    let data = test_dir("no-table");
    let output = Command::new(env!("CARGO_BIN_EXE_noughts"))
        .args(["solve", "morris", "--json"])
        .env("NOUGHTS_DATA", &data)
        .output()
        .expect("the program runs");
    let solved: serde_json::Value = serde_json::from_slice(&output.stdout).expect("it is JSON");
    assert_eq!(
        (&solved["value"], &solved["plies"]),
        (&"win".into(), &9.into())
    );
    let moves = solved["moves"].as_array().expect("all moves");
    let value = |name: &str| {
        let found = moves.iter().find(|mv| mv["move"] == name).expect("legal");
        (found["value"].clone(), found["plies"].clone())
    };
    assert_eq!(value("b2"), ("win".into(), 9.into()));
    assert_eq!(value("a1"), ("draw".into(), serde_json::Value::Null));
    assert_eq!(value("b1"), ("loss".into(), 8.into()));
}
