//! `noughts players` and `noughts games`: transcripts, each with its own store, and tests that don't
//! fit in a transcript.

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

/// A damaged store gives a one-line error and no output, and the file stays unchanged.
#[test]
fn a_damaged_store_gives_a_one_line_error() {
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
            assert!(error.contains("noughts.db is corrupted"), "{error}");
            assert!(output.stdout.is_empty());
            assert!(
                fs::read(&file).expect("read") == bytes,
                "the file has changed"
            );
        }
    }
}

/// Games that are exported to a file and imported elsewhere are the same.
#[test]
fn exported_games_can_be_imported() {
    let source = tempfile::tempdir().expect("a folder");
    let target = tempfile::tempdir().expect("a folder");
    let club = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/players.in/club.games");
    let club = club.to_str().expect("a path");
    printed(source.path(), &["games", "import", club]);
    let file = target.path().join("all.games");
    let file = file.to_str().expect("a path");
    assert_eq!(printed(source.path(), &["games", "export", file]), "");
    // An existing file isn't overwritten without `--force`.
    let before = fs::read(file).expect("read");
    let output = noughts(source.path(), &["games", "export", file, "--limit", "1"]);
    let error = String::from_utf8_lossy(&output.stderr);
    assert_eq!(
        error,
        format!("error: {file} already exists; use --force to overwrite it\n")
    );
    assert_eq!(output.status.code(), Some(1));
    assert!(fs::read(file).expect("read") == before);

    assert_eq!(
        printed(target.path(), &["games", "import", file]),
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
            printed(source.path(), args),
            printed(target.path(), args),
            "{args:?}"
        );
    }
    printed(
        source.path(),
        &["games", "export", file, "--limit", "1", "--force"],
    );
    assert!(fs::read(file).expect("read").len() < before.len());
}

/// A game from a position keeps its start position when it is shown, exported and imported.
#[test]
fn a_game_from_a_position_keeps_its_start() {
    let source = tempfile::tempdir().expect("a folder");
    let target = tempfile::tempdir().expect("a folder");
    let played = [
        &[
            "play", "classic", "--x", "easy", "--o", "easy", "--seed", "1",
        ],
        &["--position", "x../.../... o", "--moves", "b2 c3"][..],
    ];
    printed(source.path(), &played.concat());
    let shown = printed(source.path(), &["games", "show", "1"]);
    assert!(shown.contains("\nstart: x../.../... o\n"), "{shown}");
    assert!(shown.contains("\n1... b2\n2. c3 "), "{shown}");
    let record = printed(source.path(), &["games", "export"]);
    let tag = "[Position \"x../.../... o\"]\n";
    assert!(record.contains(tag), "{record}");
    let file = target.path().join("all.games");
    fs::write(&file, &record).expect("written");
    let file = file.to_str().expect("a path");
    printed(target.path(), &["games", "import", file]);
    for args in [
        &["games", "export"][..],
        &["games", "show", "1", "--json"],
        &["games", "replay", "1", "--json"],
    ] {
        let (one, other) = (printed(source.path(), args), printed(target.path(), args));
        assert_eq!(one, other, "{args:?}");
    }
}

/// Guards against lists that fail on a read-only disk, although they write nothing.
#[test]
fn lists_work_on_a_read_only_file() {
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
    assert!(error.contains("isn't writable"), "{error}");
}

#[test]
fn records_are_imported_from_a_pipe() {
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

/// A command leaves no open or locked database files behind.
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

/// A data folder written by commit 6352cb4, before the schema and the words changed, opens with every game, player and
/// tournament.
#[test]
fn data_from_6352cb4_opens_complete() {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data-6352cb4");
    let dir = tempfile::tempdir().expect("a folder");
    fs::create_dir(dir.path().join("data")).expect("made");
    fs::copy(
        source.join("noughts.db"),
        dir.path().join("data/noughts.db"),
    )
    .expect("copied");
    let read = |name: &str| fs::read_to_string(source.join(name)).expect("read");

    // The identity, variant, result and moves of each game.
    let games = |records: &str| -> Vec<[String; 4]> {
        let tag = |record: &str, name: &str| {
            let start = format!("[{name} \"");
            let tag = record.lines().find_map(|line| line.strip_prefix(&start));
            tag.expect(name).trim_end_matches("\"]").to_owned()
        };
        let records = records.split("[Variant ").skip(1);
        let game = |record: &str| {
            let record = format!("[Variant {record}");
            let moves = record.split_once("\n\n").expect("moves").1;
            let moves = moves.split_whitespace().collect::<Vec<_>>().join(" ");
            let tags = ["Id", "Variant", "Result"].map(|name| tag(&record, name));
            let [id, variant, result] = tags;
            [id, variant, result, moves]
        };
        records.map(game).collect()
    };
    let before = games(&read("export.txt"));
    assert_eq!(before.len(), 15);
    assert_eq!(games(&printed(dir.path(), &["games", "export"])), before);

    let tallies = |json: &str| -> Vec<(String, u64, u64, u64)> {
        let json: serde_json::Value = serde_json::from_str(json).expect("JSON");
        let players = json["players"].as_array().expect("players").iter();
        let count =
            |player: &serde_json::Value, name: &str| player[name].as_u64().expect("a number");
        let mut players: Vec<_> = players
            .map(|player| {
                let name = player["name"].as_str().expect("a name").to_owned();
                let [games, wins, losses] =
                    ["games", "wins", "losses"].map(|name| count(player, name));
                (name, games, wins, losses)
            })
            // Unnamed visitors of the server had these names; they are guests now.
            .filter(|(name, ..)| name != "Player 1" && name != "Player 2")
            .collect();
        players.sort();
        players
    };
    let before = tallies(&read("players.json"));
    assert_eq!(before.len(), 10);
    assert_eq!(
        tallies(&printed(dir.path(), &["players", "--json"])),
        before
    );

    let tournament = printed(dir.path(), &["arena", "report", "1", "--json"]);
    let tournament: serde_json::Value = serde_json::from_str(&tournament).expect("JSON");
    assert_eq!(
        (&tournament["games"], &tournament["planned"]),
        (&6.into(), &6.into())
    );
}
