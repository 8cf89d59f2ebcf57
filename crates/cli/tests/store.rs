//! `noughts players` and `noughts games` as a person types them, each transcript with a
//! store of its own; and what a transcript cannot show.

use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Output, Stdio};

#[test]
fn transcripts_are_what_the_program_prints() {
    trycmd::TestCases::new()
        .env("TZ", "UTC")
        .case("tests/cmd/store/*.trycmd");
}

fn noughts(dir: &Path, args: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_noughts"));
    let command = command.args(args).current_dir(dir).stdin(Stdio::null());
    command
        .env("NOUGHTS_DATA", dir.join("data"))
        .output()
        .expect("the program runs")
}

fn printed(dir: &Path, args: &[&str]) -> String {
    let output = noughts(dir, args);
    let error = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(0), "{args:?}: {error}");
    String::from_utf8_lossy(&output.stdout).into_owned()
}

/// Whatever is wrong: one line, nothing on standard output, and the file as it was.
#[test]
fn a_store_that_cannot_be_used_gets_one_line() {
    for bytes in [b"Dear diary".as_slice(), &[7; 9000]] {
        let dir = tempfile::tempdir().expect("a folder");
        let file = dir.path().join("data/noughts.db");
        fs::create_dir(dir.path().join("data")).expect("made");
        fs::write(&file, bytes).expect("written");
        for args in [["players", "list"], ["games", "list"], ["games", "export"]] {
            let output = noughts(dir.path(), &args);
            let error = String::from_utf8_lossy(&output.stderr);
            assert_eq!(output.status.code(), Some(1), "{args:?}: {error}");
            assert_eq!(error.lines().count(), 1, "{error}");
            assert!(error.contains("noughts.db is damaged"), "{error}");
            assert!(output.stdout.is_empty());
            assert!(
                fs::read(&file).expect("read") == bytes,
                "the file has changed"
            );
        }
    }
}

/// What is exported to a file can be imported elsewhere, and is the same there.
#[test]
fn games_travel_in_a_file() {
    let here = tempfile::tempdir().expect("a folder");
    let there = tempfile::tempdir().expect("a folder");
    let club = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/players.in/club.games");
    let club = club.to_str().expect("a path");
    printed(here.path(), &["games", "import", club]);
    let file = there.path().join("all.games");
    let file = file.to_str().expect("a path");
    assert_eq!(printed(here.path(), &["games", "export", file]), "");
    // What is there is not written over unless that is asked for.
    let before = fs::read(file).expect("read");
    let output = noughts(here.path(), &["games", "export", file, "--limit", "1"]);
    let error = String::from_utf8_lossy(&output.stderr);
    assert_eq!(
        error,
        format!("error: {file} is there already; --force writes over it\n")
    );
    assert_eq!(output.status.code(), Some(1));
    assert!(fs::read(file).expect("read") == before);

    assert_eq!(
        printed(there.path(), &["games", "import", file]),
        "3 games added\n"
    );
    for args in [
        &["players", "--json"][..],
        &["players", "show", "Ada", "--json"],
        &["games", "--json"],
        &["games", "show", "1", "--json"],
        &["games", "replay", "2", "--json"],
        &["games", "export"],
    ] {
        assert_eq!(
            printed(here.path(), args),
            printed(there.path(), args),
            "{args:?}"
        );
    }
    printed(
        here.path(),
        &["games", "export", file, "--limit", "1", "--force"],
    );
    assert!(fs::read(file).expect("read").len() < before.len());
}

/// A game from a position says where it started, wherever it goes.
#[test]
fn a_game_from_a_position_travels_with_its_start() {
    let here = tempfile::tempdir().expect("a folder");
    let there = tempfile::tempdir().expect("a folder");
    let played = [
        &[
            "play", "classic", "--x", "easy", "--o", "easy", "--seed", "1",
        ],
        &["--position", "x../.../... o", "--moves", "b2 c3"][..],
    ];
    printed(here.path(), &played.concat());
    let shown = printed(here.path(), &["games", "show", "1"]);
    assert!(shown.contains("\nstart: x../.../... o\n"), "{shown}");
    assert!(shown.contains("\n1... b2\n2. c3 "), "{shown}");
    let record = printed(here.path(), &["games", "export"]);
    let tag = "[Position \"x../.../... o\"]\n";
    assert!(record.contains(tag), "{record}");
    let file = there.path().join("all.games");
    fs::write(&file, &record).expect("written");
    let file = file.to_str().expect("a path");
    printed(there.path(), &["games", "import", file]);
    for args in [
        &["games", "export"][..],
        &["games", "show", "1", "--json"],
        &["games", "replay", "1", "--json"],
    ] {
        let (one, other) = (printed(here.path(), args), printed(there.path(), args));
        assert_eq!(one, other, "{args:?}");
    }
}

/// Lists failed on a read-only disk, although they write nothing.
#[test]
fn lists_need_no_writing() {
    let dir = tempfile::tempdir().expect("a folder");
    let club = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/players.in/club.games");
    printed(
        dir.path(),
        &["games", "import", club.to_str().expect("a path")],
    );
    let lists: [&[&str]; 8] = [
        &["arena", "list"],
        &["players"],
        &["players", "bans"],
        &["players", "show", "Ada"],
        &["players", "ratings"],
        &["games", "--json"],
        &["games", "show", "1"],
        &["games", "export"],
    ];
    let before = lists.map(|args| printed(dir.path(), args));
    let file = dir.path().join("data/noughts.db");
    let mut permissions = fs::metadata(&file).expect("there").permissions();
    permissions.set_readonly(true);
    fs::set_permissions(&file, permissions).expect("set");
    assert_eq!(lists.map(|args| printed(dir.path(), args)), before);
    let refused = noughts(dir.path(), &["players", "rename", "Ada", "Eve"]);
    assert_eq!(refused.status.code(), Some(1));
    let error = String::from_utf8_lossy(&refused.stderr);
    assert!(error.contains("cannot be written"), "{error}");
}

#[test]
fn records_come_through_a_pipe() {
    let dir = tempfile::tempdir().expect("a folder");
    let mut child = Command::new(env!("CARGO_BIN_EXE_noughts"))
        .args(["games", "import", "-", "--json"])
        .env("NOUGHTS_DATA", dir.path())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("the program starts");
    let mut stdin = child.stdin.take().expect("a pipe was asked for");
    let record = b"[Variant \"classic\"]\n[X \"Ada\"]\n\n1. b2 a1 1-0\n";
    stdin.write_all(record).expect("written");
    drop(stdin);
    let output = child.wait_with_output().expect("the program ends");
    assert_eq!(output.stdout, b"{\"added\":1,\"known\":0}\n");
}

/// Nothing of the database is left open or locked behind a command.
#[test]
fn a_command_leaves_one_file_behind() {
    let dir = tempfile::tempdir().expect("a folder");
    printed(dir.path(), &["players"]);
    let list = |path: &Path| {
        let entries = fs::read_dir(path).expect("a folder").flatten();
        let mut names: Vec<_> = entries.map(|entry| entry.file_name()).collect();
        names.sort();
        names
    };
    assert_eq!(list(&dir.path().join("data")), ["noughts.db", "running"]);
    assert!(list(&dir.path().join("data/running")).is_empty());
}
