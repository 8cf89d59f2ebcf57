//! `noughts arena` on the command line: whole matches with external programs, stopped, killed and
//! resumed.
#![cfg(unix)]

use std::collections::BTreeSet;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

use serde_json::Value;

const NOUGHTS: &str = env!("CARGO_BIN_EXE_noughts");

/// Much longer than these operations take, even on a busy machine.
const TIMEOUT: Duration = Duration::from_secs(120);

fn command(dir: &Path, args: &[&str]) -> Command {
    let mut command = Command::new(NOUGHTS);
    command
        .arg("arena")
        .args(args)
        .current_dir(dir)
        .env("NOUGHTS_DATA", dir.join("data"))
        // Not the real user's key, which marks plans as their own.
        .env("XDG_CONFIG_HOME", dir.join("config"))
        .stdin(Stdio::null());
    command
}

fn arena(dir: &Path, args: &[&str]) -> Output {
    command(dir, args).output().expect("the program runs")
}

fn printed(dir: &Path, args: &[&str]) -> String {
    let output = arena(dir, args);
    let error = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(0), "{args:?}: {error}");
    String::from_utf8_lossy(&output.stdout).into_owned()
}

/// The rows of the CSV report, without the columns that depend on the clock or on the other
/// players.
fn games(dir: &Path) -> Vec<String> {
    printed(dir, &["report", "--csv", "games.csv"]);
    let text = std::fs::read_to_string(dir.join("games.csv")).expect("a table");
    let clock_columns = 8..12;
    let line = |line: &str| {
        let cells = line.split(',').enumerate();
        let cells = cells.filter(|(index, _)| *index > 0 && !clock_columns.contains(index));
        cells.map(|(_, cell)| cell).collect::<Vec<_>>().join(",")
    };
    text.lines().skip(1).map(line).collect()
}

/// Our own engine as an external program, with one thread and a node limit: fully determined by the
/// seed.
fn bots() -> [String; 2] {
    [
        format!("child=ugi:'{NOUGHTS}' engine"),
        "ours=mcts:nodes=20".into(),
    ]
}

fn plan(games: &str) -> Vec<String> {
    let [child, ours] = bots();
    let args = ["match", "classic", &child, &ours, "--games", games];
    let options = ["--nodes", "20", "--seed", "5", "--json"];
    args.into_iter().chain(options).map(String::from).collect()
}

fn start(dir: &Path, args: &[&str]) -> Child {
    let mut command = command(dir, args);
    command.stdout(Stdio::piped()).stderr(Stdio::null());
    command.spawn().expect("the program starts")
}

/// Reads events until this many games have ended. Returns how many were reported.
fn count_ended_games(child: &mut Child, games: usize) -> usize {
    let output = child.stdout.take().expect("a pipe");
    let lines = BufReader::new(output).lines().map_while(Result::ok);
    let ended = lines.filter(|line| line.contains(r#""event":"game","#));
    ended.take(games).count()
}

/// After any number of `kill -9` in mid-tournament, exactly the planned games are played, each once,
/// and they are the same as without kills.
#[test]
fn a_killed_tournament_resumes_with_the_same_games() {
    const GAMES: usize = 200;
    let undisturbed_dir = tempfile::tempdir().expect("a folder");
    let args = plan(&GAMES.to_string());
    let args: Vec<&str> = args.iter().map(String::as_str).collect();
    printed(undisturbed_dir.path(), &args);
    let undisturbed = games(undisturbed_dir.path());
    assert_eq!(undisturbed.len(), GAMES);

    let dir = tempfile::tempdir().expect("a folder");
    let mut reported = 0;
    for kill in 0..4 {
        let mut child = match kill {
            0 => start(dir.path(), &args),
            // By number: on a busy machine the tournament may be complete before it is killed.
            _ => start(dir.path(), &["resume", "1", "--json"]),
        };
        reported += count_ended_games(&mut child, 3 + 4 * kill);
        child.kill().expect("killed");
        child.wait().expect("gone");
        let stored_games = games(dir.path());
        assert!(
            stored_games.len() >= reported,
            "{} saved, {reported} reported",
            stored_games.len()
        );
    }
    printed(dir.path(), &["resume", "1", "--json"]);
    let disturbed = games(dir.path());
    let each: BTreeSet<&String> = disturbed.iter().collect();
    assert_eq!(each.len(), disturbed.len(), "a game is there twice");
    assert_eq!(disturbed, undisturbed);
}

/// After one Ctrl-C, running games are finished and stored, and the tournament can be resumed.
#[test]
fn ctrl_c_finishes_running_games() {
    let dir = tempfile::tempdir().expect("a folder");
    let args = plan("1000");
    let args: Vec<&str> = args.iter().map(String::as_str).collect();
    let mut child = start(dir.path(), &args);
    let output = child.stdout.take().expect("a pipe");
    let mut lines = BufReader::new(output).lines().map_while(Result::ok);
    lines
        .find(|line| line.contains(r#""event":"game","#))
        .expect("a game");
    let kill = Command::new("kill")
        .args(["-INT", &child.id().to_string()])
        .status();
    assert!(kill.expect("kill runs").success());
    let last = lines.last().expect("an end");
    assert_eq!(child.wait().expect("ends").code(), Some(130));
    let end: Value = serde_json::from_str(&last).expect("JSON");
    assert_eq!(
        (&end["event"], &end["how"]),
        (&"finished".into(), &"stopped".into())
    );
    assert_eq!(
        games(dir.path()).len() as u64,
        end["done"].as_u64().expect("a number")
    );
    let list = printed(dir.path(), &["list"]);
    let done = format!("stopped  {} of 1000  ", end["done"]);
    assert!(list.contains(&done), "{list}");
    // Times are shown to the minute, as in other lists.
    let line = list.lines().nth(1).unwrap_or_default();
    assert!(!line.contains('Z') && !line.contains('.'), "{list}");
}

/// The exit code of a stopped tournament is 128 plus the signal's number.
#[test]
fn sigterm_determines_the_exit_code() {
    let dir = tempfile::tempdir().expect("a folder");
    let args = plan("1000");
    let args: Vec<&str> = args.iter().map(String::as_str).collect();
    let mut child = start(dir.path(), &args);
    let output = child.stdout.take().expect("a pipe");
    let mut lines = BufReader::new(output).lines().map_while(Result::ok);
    lines
        .find(|line| line.contains(r#""event":"game","#))
        .expect("a game");
    let kill = Command::new("kill").arg(child.id().to_string()).status();
    assert!(kill.expect("kill runs").success());
    assert!(lines.last().is_some_and(|last| last.contains("stopped")));
    assert_eq!(child.wait().expect("ends").code(), Some(143));
}

/// Guards against `--unsaved` in the help of `resume`, which always rejected it.
#[test]
fn resume_does_not_list_options_that_it_rejects() {
    let dir = tempfile::tempdir().expect("a folder");
    assert!(!printed(dir.path(), &["resume", "--help"]).contains("--unsaved"));
    assert!(printed(dir.path(), &["match", "--help"]).contains("--unsaved"));
}

/// Guards against a test that repeats the same games forever and accepts a hypothesis from them.
#[test]
fn a_test_of_repeating_games_is_rejected() {
    let dir = tempfile::tempdir().expect("a folder");
    let args = [
        "sprt",
        "classic",
        "a=random:seed=1",
        "b=random:seed=2",
        "--openings",
        "start",
        "--nodes",
        "1",
    ];
    let output = arena(dir.path(), &args);
    assert_eq!(output.status.code(), Some(1));
    let error = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(
        error.contains("error: the test can't be decided"),
        "{error}"
    );
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(text.contains("Repeated pairs: "), "{text}");
    assert!(!text.contains("was accepted"), "{text}");
}

/// A tournament can be extended by rounds and bots, and keeps its games.
#[test]
fn a_tournament_can_be_extended() {
    let dir = tempfile::tempdir().expect("a folder");
    let options = ["--nodes", "10", "--games", "2"];
    let args = ["tournament", "ultimate", "random", "easy", "medium"];
    printed(dir.path(), &[&args[..], &options[..]].concat());
    let before: BTreeSet<String> = games(dir.path()).into_iter().collect();
    let text = printed(
        dir.path(),
        &["resume", "1", "--games", "4", "--add", "hard"],
    );
    assert!(text.contains("hard"), "{text}");
    let after: BTreeSet<String> = games(dir.path()).into_iter().collect();
    assert_eq!((before.len(), after.len()), (6, 24));
    assert!(after.is_superset(&before));
    let fewer = arena(dir.path(), &["resume", "1", "--games", "2"]);
    assert_eq!(fewer.status.code(), Some(2));
    let error = String::from_utf8_lossy(&fewer.stderr).into_owned();
    assert!(error.contains("you can only add games"), "{error}");
}

/// Guards against extending the latest tournament by mistake, which can't be undone.
#[test]
fn the_tournament_to_extend_must_be_named() {
    let dir = tempfile::tempdir().expect("a folder");
    for added in [["--games", "4"], ["--add", "hard"]] {
        let unclear = arena(dir.path(), &["resume", added[0], added[1]]);
        assert_eq!(unclear.status.code(), Some(2));
        let error = String::from_utf8_lossy(&unclear.stderr).into_owned();
        assert!(error.contains("give the number"), "{error}");
    }
}

/// Guards against games that are stored as lost because of a typo in a command, or because a
/// program was moved.
#[test]
fn a_missing_program_plays_no_games() {
    let dir = tempfile::tempdir().expect("a folder");
    let args = [
        "match",
        "classic",
        "mine=ugi:./mine engine",
        "random",
        "--games",
        "4",
    ];
    let missing = arena(dir.path(), &args);
    assert_eq!(missing.status.code(), Some(2));
    let error = String::from_utf8_lossy(&missing.stderr).into_owned();
    assert!(error.contains("mine: can't run ./mine"), "{error}");
    let program = dir.path().join("mine");
    std::os::unix::fs::symlink(NOUGHTS, &program).expect("a link");
    printed(dir.path(), &args);
    std::fs::remove_file(&program).expect("removed");
    let gone = arena(dir.path(), &["resume", "1", "--games", "8"]);
    assert_eq!(gone.status.code(), Some(1));
    assert_eq!(games(dir.path()).len(), 4);
}

/// Guards against a stalled reader that blocks the tournament: games are stored anyway.
#[test]
fn a_stalled_reader_blocks_nothing() {
    let dir = tempfile::tempdir().expect("a folder");
    let args = [
        "match", "ultimate", "random", "easy", "--games", "400", "--json",
    ];
    // The output is far larger than a pipe's buffer.
    let child = start(dir.path(), &args);
    let stored = || printed(dir.path(), &["list", "--json"]);
    let start_time = Instant::now();
    while !stored().contains(r#""games":400"#) {
        assert!(start_time.elapsed() < TIMEOUT, "games wait for a reader");
    }
    let output = child.wait_with_output().expect("it ends");
    assert_eq!(output.status.code(), Some(0));
    let reported = String::from_utf8_lossy(&output.stdout);
    let ended = reported
        .lines()
        .filter(|line| line.contains(r#""event":"game","#));
    assert_eq!(ended.count(), 400);
}

/// Results that say less than they seem to come with a note.
#[test]
fn misleading_results_have_a_note() {
    let dir = tempfile::tempdir().expect("a folder");
    let cases: [(&[&str], &str); 4] = [
        (
            &[
                "match",
                "classic",
                "none=ugi:false",
                "random",
                "--games",
                "4",
            ],
            "none didn't start in any of its 4 games",
        ),
        (
            // With fixed seeds, every game is the same.
            &[
                "match",
                "classic",
                "a=random:seed=1",
                "b=random:seed=2",
                "--openings",
                "start",
                "--games",
                "20",
            ],
            "only 2 of 20 games are distinct",
        ),
        (
            &["sprt", "classic", "a=easy", "b=easy", "--games", "4"],
            "undecided after 4 games; continue with `noughts arena resume 3 --games 8`",
        ),
        (
            &["match", "classic", "random", "easy", "--games", "4"],
            "tournament 4: classic",
        ),
    ];
    for (args, message) in cases {
        let output = arena(dir.path(), &[args, &["--nodes", "1"]].concat());
        // A bot that never starts is a failure.
        let code = i32::from(message.contains("didn't start"));
        assert_eq!(output.status.code(), Some(code), "{args:?}");
        let notes = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(notes.contains(message), "{args:?}: {notes}");
        let others = ["didn't start", "games are distinct", "undecided"];
        for other in others.into_iter().filter(|other| !message.contains(other)) {
            assert!(!notes.contains(other), "{args:?}: {notes}");
        }
    }
}

/// `check` detects a broken bot; in a match it loses its games, and the match continues.
#[test]
fn a_broken_bot_fails_the_check_and_loses_its_games() {
    let dir = tempfile::tempdir().expect("a folder");
    let checked = arena(dir.path(), &["check", "--patience", "1", "false"]);
    assert_eq!(checked.status.code(), Some(1));
    let message = String::from_utf8_lossy(&checked.stdout).into_owned();
    assert!(message.contains("fail"), "{message}");
    let args = [
        "match",
        "classic",
        "broken=ugi:false",
        "random",
        "--games",
        "4",
        "--json",
    ];
    let output = arena(dir.path(), &args);
    assert_eq!(output.status.code(), Some(1));
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let last = text.lines().last().expect("an end");
    let end: Value = serde_json::from_str(last).expect("JSON");
    let rows = end["standings"]["rows"].as_array().expect("rows");
    let broken = rows.iter().find(|row| row["name"] == "broken");
    assert_eq!(broken.expect("a row")["faults"]["crashed"], 4);
}

/// The files of a report are complete, and its records can be imported.
#[test]
fn report_files_are_complete_and_records_can_be_imported() {
    let dir = tempfile::tempdir().expect("a folder");
    printed(
        dir.path(),
        &[
            "match",
            "tic-tac-two",
            "random",
            "hard",
            "--games",
            "4",
            "--nodes",
            "10",
        ],
    );
    let files = ["--html", "report.html", "--records", "games.txt"];
    printed(dir.path(), &[&["report"][..], &files].concat());
    let page = std::fs::read_to_string(dir.path().join("report.html")).expect("a page");
    assert!(page.starts_with("<!doctype html>") && page.trim_end().ends_with("</html>"));
    assert!(!page.contains("src=\"http"), "the page loads something");
    let imported = Command::new(NOUGHTS)
        .args(["games", "import", "games.txt"])
        .current_dir(dir.path())
        .env("NOUGHTS_DATA", dir.path().join("data"))
        .output()
        .expect("the program runs");
    let error = String::from_utf8_lossy(&imported.stderr);
    assert_eq!(imported.status.code(), Some(0), "{error}");
}

/// A bot as a shell script that runs `first` when it starts and `go` on each `go`.
fn script(dir: &Path, name: &str, first: &str, go: &str) -> String {
    let text = format!(
        "{first}\nwhile read word rest; do case $word in ugi) echo ugiok;; isready) echo readyok;; \
         go) {go};; quit) exit;; esac; done\n"
    );
    let file = dir.join(name);
    std::fs::write(&file, text).expect("a script");
    format!("{name}=ugi:sh '{}'", file.display())
}

/// Is the process alive, and not a zombie?
fn is_running(pid: &str) -> bool {
    let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
    let state = stat.rsplit_once(')').map(|(_, rest)| rest.trim_start());
    state.is_some_and(|state| !state.starts_with(['Z', 'X']))
}

fn wait_until(what: &str, mut condition: impl FnMut() -> bool) {
    let deadline = Instant::now() + TIMEOUT;
    while !condition() {
        assert!(Instant::now() < deadline, "{what}: not within {TIMEOUT:?}");
        std::thread::yield_now();
    }
}

/// After `kill -9` of the arena, thinking bots and their child processes end by themselves, without
/// a resume.
#[cfg(target_os = "linux")]
#[test]
fn bots_end_when_the_arena_is_killed() {
    let dir = tempfile::tempdir().expect("a folder");
    // The bot ignores all signals that it can, and its child has its own session.
    let first = "trap '' TERM HUP PIPE\nsetsid sh -c 'echo $$ > child; exec sleep 10000' &";
    let bot = script(
        dir.path(),
        "busy",
        first,
        "echo $$ > busy; while :; do :; done",
    );
    let mut arena = start(
        dir.path(),
        &[
            "match", "classic", &bot, "random", "--games", "2", "--time", "10m",
        ],
    );
    let pid = |name: &str| {
        let text = std::fs::read_to_string(dir.path().join(name)).unwrap_or_default();
        text.ends_with('\n').then(|| text.trim().to_owned())
    };
    // Both games have such a bot, and each overwrites the other's files.
    let mut pids = Vec::new();
    wait_until("the bot thinks", || {
        pids = ["busy", "child"].into_iter().filter_map(&pid).collect();
        pids.len() == 2 && pids.iter().all(|pid| is_running(pid))
    });
    arena.kill().expect("killed");
    arena.wait().expect("gone");
    wait_until("its bots end", || !pids.iter().any(|pid| is_running(pid)));
}

/// A database may come from anybody, so its command lines aren't run without asking.
#[test]
fn command_lines_of_another_user_are_not_run_without_asking() {
    use noughts_store::{Store, TournamentId};
    let dir = tempfile::tempdir().expect("a folder");
    let first = format!("echo run >> ran; exec '{NOUGHTS}' engine");
    let bot = script(dir.path(), "mine", &first, "exit");
    let args = [
        "match",
        "classic",
        &bot,
        "random",
        "--games",
        "2",
        "--nodes",
        "1",
        "--bot-env",
        "SECRET_TOKEN",
    ];
    printed(dir.path(), &args);
    let ran = || std::fs::read_to_string(dir.path().join("ran")).unwrap_or_default();
    let before = ran();
    assert!(!before.is_empty());

    // The user's own plan is resumed without asking.
    printed(dir.path(), &["resume", "1", "--games", "4"]);
    assert_ne!(ran(), before);

    // The same plan as if from another machine.
    let runtime = tokio::runtime::Runtime::new().expect("a runtime");
    runtime.block_on(async {
        let store = Store::open(&dir.path().join("data"))
            .await
            .expect("a store");
        let tournament = store.tournament(TournamentId(1)).await.expect("read");
        let mut plan: Value = serde_json::from_str(&tournament.expect("kept").plan).expect("JSON");
        plan["origin"] = serde_json::json!({"user": "eve", "machine": "lair", "seal": "00"});
        assert!(
            store
                .acquire_tournament(TournamentId(1))
                .await
                .expect("held")
        );
        let plan = plan.to_string();
        let changed = store.update_plan(TournamentId(1), &plan).await;
        changed.expect("changed");
        store
            .release_tournament(TournamentId(1))
            .await
            .expect("let go");
    });
    let before = ran();
    let refused = arena(dir.path(), &["resume", "1", "--games", "6"]);
    let message = String::from_utf8_lossy(&refused.stderr).into_owned();
    assert_eq!(refused.status.code(), Some(1), "{message}");
    let parts = [
        "eve on lair",
        "mine: sh ",
        "/mine",
        "it can read your SECRET_TOKEN",
        "--yes",
    ];
    for part in parts {
        assert!(message.contains(part), "{part}: {message}");
    }
    assert_eq!(ran(), before, "it was run: {message}");
    printed(dir.path(), &["resume", "1", "--games", "6", "--yes"]);
    assert_ne!(ran(), before);
    // From now on it is this user's plan.
    printed(dir.path(), &["resume", "1", "--games", "8"]);

    // A copy of the data directory doesn't include the user's key.
    let before = ran();
    let stolen = command(dir.path(), &["resume", "1", "--games", "10"])
        .env("XDG_CONFIG_HOME", dir.path().join("another-user"))
        .output()
        .expect("the program runs");
    let message = String::from_utf8_lossy(&stolen.stderr).into_owned();
    assert_eq!(stolen.status.code(), Some(1), "{message}");
    assert!(message.contains("nothing was run"), "{message}");
    assert_eq!(ran(), before, "it was run: {message}");
}

/// Guards against limits that only apply to added bots.
#[test]
fn limits_given_to_resume_apply_to_every_program_in_that_run() {
    let dir = tempfile::tempdir().expect("a folder");
    let first = format!("echo \"${{EXTRA:-none}} $(ulimit -t)\" >> seen; exec '{NOUGHTS}' engine");
    let bot = script(dir.path(), "mine", &first, "exit");
    let seen = |args: &[&str]| -> BTreeSet<String> {
        let file = dir.path().join("seen");
        let _ = std::fs::remove_file(&file);
        printed(dir.path(), args);
        let text = std::fs::read_to_string(&file).expect("it was run");
        text.lines().map(String::from).collect()
    };
    let only = |line: &str| BTreeSet::from([line.to_owned()]);
    let first_run = seen(&[
        "match",
        "classic",
        &bot,
        "random",
        "--games",
        "2",
        "--nodes",
        "1",
        "--bot-cpu",
        "555s",
    ]);
    assert_eq!(first_run, only("none 555"));
    let limited = seen(&[
        "resume",
        "1",
        "--games",
        "4",
        "--bot-cpu",
        "444s",
        "--bot-env",
        "EXTRA=yes",
    ]);
    assert_eq!(limited, only("yes 444"));
    // The limits were for that run only: the plan keeps its own.
    assert_eq!(seen(&["resume", "1", "--games", "6"]), only("none 555"));
}

/// Guards against a command that fails after it has stored a tournament or deleted games.
#[test]
fn a_log_that_cannot_be_written_changes_nothing() {
    let dir = tempfile::tempdir().expect("a folder");
    let bot = script(dir.path(), "slow", ":", "sleep 600");
    let args = [
        "match", "classic", &bot, "random", "--games", "2", "--time", "30ms",
    ];
    let bad_log = ["--log", "missing/log"];
    let refused = |args: &[&str]| {
        let output = arena(dir.path(), &[args, &bad_log].concat());
        let message = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(2), "{message}");
        assert!(message.contains("--log"), "{message}");
    };
    refused(&args);
    assert!(printed(dir.path(), &["list", "--json"]).contains(r#""tournaments":[]"#));
    arena(dir.path(), &args);
    let before = games(dir.path());
    assert_eq!(before.len(), 2);
    assert!(before.iter().all(|game| game.contains(",\"time\",")));
    refused(&["resume", "1", "--replay-late"]);
    assert_eq!(games(dir.path()), before);
}

/// Games that were lost on time are reported, and can be replayed.
#[test]
fn late_games_are_reported_and_can_be_replayed() {
    let dir = tempfile::tempdir().expect("a folder");
    let first = format!("[ -e cured ] && exec '{NOUGHTS}' engine");
    let bot = script(dir.path(), "slow", &first, "sleep 600");
    let args = [
        "match", "classic", &bot, "random", "--games", "2", "--time", "30ms",
    ];
    let output = arena(dir.path(), &args);
    let message = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(
        message.contains("2 of 2 games were lost on time (slow 2)"),
        "{message}"
    );
    assert_eq!(games(dir.path()).len(), 2);

    let unnamed = arena(dir.path(), &["resume", "--replay-late"]);
    assert_eq!(unnamed.status.code(), Some(2));
    std::fs::write(dir.path().join("cured"), "").expect("a file");
    // On a busy machine the bot may be late again, so retry.
    wait_until("games in time", || {
        let again = arena(dir.path(), &["resume", "1", "--replay-late"]);
        let message = String::from_utf8_lossy(&again.stderr).into_owned();
        assert_eq!(again.status.code(), Some(0), "{message}");
        !message.contains("lost on time")
    });
    let replayed = games(dir.path());
    assert_eq!(replayed.len(), 2);
    assert!(
        replayed.iter().all(|game| !game.contains(",\"time\",")),
        "{replayed:?}"
    );
    let nothing = arena(dir.path(), &["resume", "1", "--replay-late"]);
    let message = String::from_utf8_lossy(&nothing.stderr).into_owned();
    assert_eq!(nothing.status.code(), Some(1), "{message}");
    assert!(message.contains("nothing to replay"), "{message}");
}

/// More concurrent games than cores are allowed, but with a warning. Only bots with a time limit
/// can lose on time because of it.
#[test]
fn more_games_than_cores_come_with_a_warning() {
    let dir = tempfile::tempdir().expect("a folder");
    let message = |more: &[&str]| {
        let args = [
            "match",
            "classic",
            "random",
            "easy",
            "--games",
            "2",
            "--unsaved",
        ];
        let output = arena(dir.path(), &[&args[..], more].concat());
        assert_eq!(output.status.code(), Some(0));
        String::from_utf8_lossy(&output.stderr).into_owned()
    };
    let crowded = message(&["--concurrency", "1024", "--time", "5s"]);
    assert!(
        crowded.contains("1024 games at once takes 1024 cores"),
        "{crowded}"
    );
    assert!(crowded.contains("lose on time"), "{crowded}");
    let counted = message(&["--concurrency", "1024", "--nodes", "1"]);
    assert!(
        counted.contains("1024 games at once takes 1024 cores"),
        "{counted}"
    );
    assert!(!counted.contains("lose on time"), "{counted}");
    for calm in [
        &["--concurrency", "1", "--time", "5s"][..],
        &["--time", "5s"],
    ] {
        let message = message(calm);
        assert!(!message.contains("cores"), "{calm:?}: {message}");
    }
}

/// With `--affinity`, all bots of a game run on the same single core.
#[cfg(target_os = "linux")]
#[test]
fn bots_can_be_pinned_to_a_core() {
    let dir = tempfile::tempdir().expect("a folder");
    let first =
        format!("grep Cpus_allowed_list /proc/self/status >> cores; exec '{NOUGHTS}' engine");
    let bot = script(dir.path(), "pinned", &first, "exit");
    let args = [
        "match", "classic", &bot, "random", "--games", "4", "--nodes", "1",
    ];
    printed(
        dir.path(),
        &[&args[..], &["--unsaved", "--affinity"]].concat(),
    );
    let text = std::fs::read_to_string(dir.path().join("cores")).expect("written");
    assert!(!text.is_empty());
    for line in text.lines() {
        let (_, cores) = line.split_once(':').expect("a list");
        assert!(cores.trim().parse::<usize>().is_ok(), "{line}");
    }
}

/// Guards against a wrong number of games in the note.
#[cfg(target_os = "linux")]
#[test]
fn the_note_on_pinned_games_has_the_actual_number() {
    let dir = tempfile::tempdir().expect("a folder");
    let args = ["match", "classic", "random", "easy", "--games", "2"];
    let options = ["--nodes", "1", "--unsaved", "--json", "--affinity"];
    let concurrency = ["--concurrency", "1024"];
    let output = arena(dir.path(), &[&args[..], &options, &concurrency].concat());
    assert_eq!(output.status.code(), Some(0));
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let start: Value = serde_json::from_str(text.lines().next().expect("a line")).expect("JSON");
    let concurrency = start["concurrency"].as_u64().expect("a number");
    let games = match concurrency {
        1 => "1 game is".to_owned(),
        games => format!("{games} games are"),
    };
    let notes = String::from_utf8_lossy(&output.stderr).into_owned();
    let note = format!("{games} played at once, not 1024");
    assert!(notes.contains(&note), "{note}: {notes}");
    assert!(!notes.contains("takes 1024 cores"), "{notes}");
}
