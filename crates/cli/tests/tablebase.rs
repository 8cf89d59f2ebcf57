//! `noughts tablebase` with a real table: built, killed while building, described, spoiled.

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

/// What lies in the folder of tables.
fn names(data: &Path) -> Vec<String> {
    let entries = fs::read_dir(data.join("tables")).into_iter().flatten();
    let names = entries.flatten().map(|entry| entry.file_name());
    let mut names: Vec<String> = names.map(|name| name.to_string_lossy().into()).collect();
    names.sort();
    names
}

/// Begins a build and kills it as soon as its draft is there.
fn begin_and_kill(data: &Path, args: &[&str]) {
    let before = names(data);
    let has_begun = || {
        let mut drafts = names(data).into_iter();
        drafts.any(|name| name.ends_with(".part") && !before.contains(&name))
    };
    let mut child = command(data, args)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .expect("the program starts");
    while !has_begun() {
        let ended = child.try_wait().expect("the program can be asked");
        assert_eq!(ended, None, "it ended without a draft");
        std::thread::yield_now();
    }
    child.kill().expect("the program can be killed");
    child.wait().expect("the program ends");
}

/// A folder of this test's own.
fn own(name: &str) -> PathBuf {
    let data = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("tablebase-{name}"));
    let _ = fs::remove_dir_all(&data);
    data
}

/// One test, because all of it needs the one table that takes a minute to build.
#[test]
fn a_table_is_built_whole_or_not_at_all() {
    let data = tablebase_dir(Path::new(env!("CARGO_TARGET_TMPDIR")));
    let table = data.join("tables/tic-tac-two.table");

    // Killed: nothing under the real name.
    let fresh = own("fresh");
    begin_and_kill(&fresh, &["build", "tic-tac-two"]);
    assert!(!fresh.join("tables/tic-tac-two.table").exists());
    assert_eq!(names(&fresh).len(), 1, "{:?}", names(&fresh));
    let output = run(&fresh, &["info", "tic-tac-two"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(text(&output.stderr).contains("there is no"), "{output:?}");

    let lock = build_lock(&data);
    let output = run(&data, &["build", "tic-tac-two"]);
    drop(lock);
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    assert_eq!(names(&data), ["tic-tac-two.table"]);
    let bytes = fs::read(&table).expect("the table is there");
    assert!(bytes.len() <= 16 << 20, "{}", bytes.len());

    // A good one stays.
    let output = run(&data, &["build", "tic-tac-two", "--json"]);
    let built: serde_json::Value = serde_json::from_slice(&output.stdout).expect("it is JSON");
    assert_eq!(built["built"], false);
    assert_eq!(built["bytes"], bytes.len());

    // Killed while building it anew: the old one is as it was.
    let other = own("killed");
    fs::create_dir_all(other.join("tables")).expect("a folder can be made");
    fs::copy(&table, other.join("tables/tic-tac-two.table")).expect("it can be copied");
    begin_and_kill(&other, &["build", "tic-tac-two", "--force"]);
    begin_and_kill(&other, &["build", "tic-tac-two", "--force"]);
    // The second build has removed what the first left, and left its own.
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

    // Spoiled: one sentence, exit 1, whatever is asked.
    let refuse = |bytes: &[u8], words: &str| {
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
    refuse(&bytes[..bytes.len() / 2], "is cut short");
    refuse(b"something else", "is no table");
    let mut spoiled = bytes.clone();
    spoiled[8] = 9;
    refuse(&spoiled, "a newer one made it");
    // What a newer program made is not replaced without being asked.
    let output = run(&other, &["build", "tic-tac-two"]);
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    assert!(fs::read(&copy).expect("it is there") == spoiled);
    spoiled = bytes.clone();
    let last = spoiled.len() - 20;
    spoiled[last] ^= 4;
    refuse(&spoiled, "is damaged: the checksum of block 2093");
    let output = run(&other, &["check", "tic-tac-two", "--json"]);
    let checked: serde_json::Value = serde_json::from_slice(&output.stdout).expect("it is JSON");
    assert_eq!(
        (output.status.code(), &checked["ok"]),
        (Some(1), &false.into())
    );
    // A bot that meets the damage searches, says so, and claims nothing. (The blocks end
    // the file; wherever the start's lies, it is spoiled now.)
    let first = spoiled.len() / 10;
    for byte in &mut spoiled[first..last] {
        *byte ^= 4;
    }
    fs::write(&copy, &spoiled).expect("it can be written");
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
    assert!(note.contains("is damaged, so this is a search"), "{note}");
    fs::remove_dir_all(&other).expect("it can be removed");
}

#[test]
fn a_folder_that_cannot_be_written_is_named_at_once() {
    let data = own("file");
    fs::write(&data, "a file in place of the folder").expect("it can be written");
    let output = run(&data, &["build", "tic-tac-two"]);
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    let error = text(&output.stderr);
    assert!(error.starts_with("error: cannot "), "{error}");
    assert_eq!(error.lines().count(), 1, "{error}");
    fs::remove_file(&data).expect("it can be removed");
}
