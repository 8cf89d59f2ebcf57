//! `noughts arena` as a person uses it: whole matches with outside programs, stopped,
//! killed and gone on with.
#![cfg(unix)]

use std::collections::BTreeSet;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

use serde_json::Value;

const NOUGHTS: &str = env!("CARGO_BIN_EXE_noughts");

/// Longer than any machine needs for what takes a second.
const PATIENCE: Duration = Duration::from_secs(120);

fn command(dir: &Path, args: &[&str]) -> Command {
    let mut command = Command::new(NOUGHTS);
    command
        .arg("arena")
        .args(args)
        .current_dir(dir)
        .env("NOUGHTS_DATA", dir.join("data"))
        // The key that marks plans as this user's is not the real user's.
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

/// The games of a report, as a spreadsheet has them, without what depends on the clock and
/// on who else takes part.
fn games(dir: &Path) -> Vec<String> {
    printed(dir, &["report", "--csv", "games.csv"]);
    let text = std::fs::read_to_string(dir.join("games.csv")).expect("a table");
    let timed = 8..12;
    let line = |line: &str| {
        let cells = line.split(',').enumerate();
        let cells = cells.filter(|(at, _)| *at > 0 && !timed.contains(at));
        cells.map(|(_, cell)| cell).collect::<Vec<_>>().join(",")
    };
    text.lines().skip(1).map(line).collect()
}

/// Our own engine as an outside program, one thread and a number of nodes: everything
/// follows from the seed.
fn bots() -> [String; 2] {
    [
        format!("child=ugi:'{NOUGHTS}' engine"),
        "ours=mcts:nodes=20".into(),
    ]
}

fn plan(games: &str) -> Vec<String> {
    let [child, ours] = bots();
    let words = ["match", "classic", &child, &ours, "--games", games];
    let terms = ["--nodes", "20", "--seed", "5", "--json"];
    words.into_iter().chain(terms).map(String::from).collect()
}

fn begin(dir: &Path, args: &[&str]) -> Child {
    let mut command = command(dir, args);
    command.stdout(Stdio::piped()).stderr(Stdio::null());
    command.spawn().expect("the program starts")
}

/// Reads events until so many games have ended; gives how many were told of.
fn read(child: &mut Child, games: usize) -> usize {
    let output = child.stdout.take().expect("a pipe");
    let lines = BufReader::new(output).lines().map_while(Result::ok);
    let ended = lines.filter(|line| line.contains(r#""event":"game","#));
    ended.take(games).count()
}

/// kill -9 in mid-tournament, as often as one likes: exactly the planned games, each
/// once, and the same as if nothing had happened.
#[test]
fn a_killed_tournament_goes_on_as_if_nothing_had_happened() {
    const GAMES: usize = 200;
    let calm = tempfile::tempdir().expect("a folder");
    let args = plan(&GAMES.to_string());
    let args: Vec<&str> = args.iter().map(String::as_str).collect();
    printed(calm.path(), &args);
    let undisturbed = games(calm.path());
    assert_eq!(undisturbed.len(), GAMES);

    let dir = tempfile::tempdir().expect("a folder");
    let mut told = 0;
    for kill in 0..4 {
        let mut child = match kill {
            0 => begin(dir.path(), &args),
            // By its number: on a busy machine it may be over before it is killed.
            _ => begin(dir.path(), &["resume", "1", "--json"]),
        };
        told += read(&mut child, 3 + 4 * kill);
        child.kill().expect("killed");
        child.wait().expect("gone");
        let kept = games(dir.path());
        assert!(kept.len() >= told, "{} kept, {told} told of", kept.len());
    }
    printed(dir.path(), &["resume", "1", "--json"]);
    let disturbed = games(dir.path());
    let each: BTreeSet<&String> = disturbed.iter().collect();
    assert_eq!(each.len(), disturbed.len(), "a game is there twice");
    assert_eq!(disturbed, undisturbed);
}

/// Ctrl-C once: running games are finished and kept, and it can go on.
#[test]
fn ctrl_c_finishes_running_games() {
    let dir = tempfile::tempdir().expect("a folder");
    let args = plan("1000");
    let args: Vec<&str> = args.iter().map(String::as_str).collect();
    let mut child = begin(dir.path(), &args);
    let output = child.stdout.take().expect("a pipe");
    let mut lines = BufReader::new(output).lines().map_while(Result::ok);
    lines
        .find(|line| line.contains(r#""event":"game","#))
        .expect("a game");
    let asked = Command::new("kill")
        .args(["-INT", &child.id().to_string()])
        .status();
    assert!(asked.expect("kill runs").success());
    let last = lines.last().expect("an end");
    assert_eq!(child.wait().expect("ends").code(), Some(130));
    let end: Value = serde_json::from_str(&last).expect("JSON");
    assert_eq!(
        (&end["event"], &end["how"]),
        (&"end".into(), &"stopped".into())
    );
    assert_eq!(
        games(dir.path()).len() as u64,
        end["done"].as_u64().expect("a number")
    );
    let list = printed(dir.path(), &["list"]);
    let done = format!("stopped  {} of 1000  ", end["done"]);
    assert!(list.contains(&done), "{list}");
    // To the minute, as other lists have it.
    let line = list.lines().nth(1).unwrap_or_default();
    assert!(!line.contains('Z') && !line.contains('.'), "{list}");
}

/// A tournament that was stopped says so by its exit code: 128 and the signal's number.
#[test]
fn sigterm_is_the_exit_code() {
    let dir = tempfile::tempdir().expect("a folder");
    let args = plan("1000");
    let args: Vec<&str> = args.iter().map(String::as_str).collect();
    let mut child = begin(dir.path(), &args);
    let output = child.stdout.take().expect("a pipe");
    let mut lines = BufReader::new(output).lines().map_while(Result::ok);
    lines
        .find(|line| line.contains(r#""event":"game","#))
        .expect("a game");
    let asked = Command::new("kill").arg(child.id().to_string()).status();
    assert!(asked.expect("kill runs").success());
    assert!(lines.last().is_some_and(|last| last.contains("stopped")));
    assert_eq!(child.wait().expect("ends").code(), Some(143));
}

/// `--unsaved` was listed there, and always refused.
#[test]
fn resume_does_not_list_what_it_refuses() {
    let dir = tempfile::tempdir().expect("a folder");
    assert!(!printed(dir.path(), &["resume", "--help"]).contains("--unsaved"));
    assert!(printed(dir.path(), &["match", "--help"]).contains("--unsaved"));
}

/// A test went on with the same games for ever, and accepted what they said.
#[test]
fn a_test_of_games_that_repeat_is_refused() {
    let dir = tempfile::tempdir().expect("a folder");
    let words = [
        "sprt",
        "classic",
        "a=random:seed=1",
        "b=random:seed=2",
        "--openings",
        "start",
        "--nodes",
        "1",
    ];
    let output = arena(dir.path(), &words);
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

/// A tournament grows by a round and a bot, and what was played stays.
#[test]
fn a_tournament_can_be_extended() {
    let dir = tempfile::tempdir().expect("a folder");
    let terms = ["--nodes", "10", "--games", "2"];
    let words = ["tournament", "ultimate", "random", "easy", "medium"];
    printed(dir.path(), &[&words[..], &terms[..]].concat());
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
    assert!(error.contains("games can only be added"), "{error}");
}

/// Guards against a slip that extended whatever came last: what is added stays.
#[test]
fn what_is_extended_must_be_named() {
    let dir = tempfile::tempdir().expect("a folder");
    for added in [["--games", "4"], ["--add", "hard"]] {
        let unclear = arena(dir.path(), &["resume", added[0], added[1]]);
        assert_eq!(unclear.status.code(), Some(2));
        let error = String::from_utf8_lossy(&unclear.stderr).into_owned();
        assert!(error.contains("Name its number"), "{error}");
    }
}

/// Guards against games that were lost, and kept as lost, by a slip in a command, or since
/// a program has been moved.
#[test]
fn a_program_that_is_not_there_plays_no_games() {
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
    assert!(error.contains("mine: ./mine cannot be run"), "{error}");
    let program = dir.path().join("mine");
    std::os::unix::fs::symlink(NOUGHTS, &program).expect("a link");
    printed(dir.path(), &args);
    std::fs::remove_file(&program).expect("removed");
    let gone = arena(dir.path(), &["resume", "1", "--games", "8"]);
    assert_eq!(gone.status.code(), Some(1));
    assert_eq!(games(dir.path()).len(), 4);
}

/// Guards against a reader that stood still, and with it the tournament: games are stored
/// all the same.
#[test]
fn whoever_does_not_read_holds_nothing_up() {
    let dir = tempfile::tempdir().expect("a folder");
    let args = [
        "match", "ultimate", "random", "easy", "--games", "400", "--json",
    ];
    // Far more than a pipe holds.
    let child = begin(dir.path(), &args);
    let stored = || printed(dir.path(), &["list", "--json"]);
    let began = Instant::now();
    while !stored().contains(r#""games":400"#) {
        assert!(began.elapsed() < PATIENCE, "games wait for a reader");
    }
    let output = child.wait_with_output().expect("it ends");
    assert_eq!(output.status.code(), Some(0));
    let told = String::from_utf8_lossy(&output.stdout);
    let ended = told
        .lines()
        .filter(|line| line.contains(r#""event":"game","#));
    assert_eq!(ended.count(), 400);
}

/// Results that say less than they seem to are followed by a word on it.
#[test]
fn what_results_do_not_say_is_told() {
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
            "none did not start in any of its 4 games",
        ),
        (
            // Seeds of their own leave nothing to chance.
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
            "only 2 of 20 games differ",
        ),
        (
            &["sprt", "classic", "a=easy", "b=easy", "--games", "4"],
            "not decided after 4 games; noughts arena resume 3 --games 8 goes on",
        ),
        (
            &["match", "classic", "random", "easy", "--games", "4"],
            "tournament 4: classic",
        ),
    ];
    for (words, said) in cases {
        let output = arena(dir.path(), &[words, &["--nodes", "1"]].concat());
        // A bot that never started is a failure, not a result.
        let code = i32::from(said.contains("did not start"));
        assert_eq!(output.status.code(), Some(code), "{words:?}");
        let notes = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(notes.contains(said), "{words:?}: {notes}");
        let others = ["did not start", "games differ", "not decided"];
        for other in others.into_iter().filter(|other| !said.contains(other)) {
            assert!(!notes.contains(other), "{words:?}: {notes}");
        }
    }
}

/// A bot that does not work is found out, and loses its games; the rest goes on.
#[test]
fn a_bot_that_is_none_loses_and_is_told_why() {
    let dir = tempfile::tempdir().expect("a folder");
    let checked = arena(dir.path(), &["check", "--patience", "1", "false"]);
    assert_eq!(checked.status.code(), Some(1));
    let said = String::from_utf8_lossy(&checked.stdout).into_owned();
    assert!(said.contains("fail"), "{said}");
    let words = [
        "match",
        "classic",
        "broken=ugi:false",
        "random",
        "--games",
        "4",
        "--json",
    ];
    let output = arena(dir.path(), &words);
    assert_eq!(output.status.code(), Some(1));
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let last = text.lines().last().expect("an end");
    let end: Value = serde_json::from_str(last).expect("JSON");
    let rows = end["standings"]["rows"].as_array().expect("rows");
    let broken = rows.iter().find(|row| row["name"] == "broken");
    assert_eq!(broken.expect("a row")["faults"]["crashed"], 4);
}

/// The files of a report are whole, and records are games that can be imported.
#[test]
fn reports_can_be_used_elsewhere() {
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

/// A bot in a shell script: what it does first, and whatever it does at `go`.
fn script(dir: &Path, name: &str, first: &str, go: &str) -> String {
    let text = format!(
        "{first}\nwhile read word rest; do case $word in ugi) echo ugiok;; isready) echo readyok;; \
         go) {go};; quit) exit;; esac; done\n"
    );
    let file = dir.join(name);
    std::fs::write(&file, text).expect("a script");
    format!("{name}=ugi:sh '{}'", file.display())
}

/// Is it alive, and not only waiting to be reaped?
fn runs(pid: &str) -> bool {
    let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
    let state = stat.rsplit_once(')').map(|(_, rest)| rest.trim_start());
    state.is_some_and(|state| !state.starts_with(['Z', 'X']))
}

fn wait_until(what: &str, mut is_so: impl FnMut() -> bool) {
    let until = Instant::now() + PATIENCE;
    while !is_so() {
        assert!(Instant::now() < until, "{what}: not within {PATIENCE:?}");
        std::thread::yield_now();
    }
}

/// After `kill -9` of the arena, bots that think, and what they have started, end by
/// themselves: nobody has to resume the tournament for that.
#[cfg(target_os = "linux")]
#[test]
fn bots_end_by_themselves_when_the_arena_is_killed() {
    let dir = tempfile::tempdir().expect("a folder");
    // It ignores what it could notice, and its child has a session of its own.
    let first = "trap '' TERM HUP PIPE\nsetsid sh -c 'echo $$ > child; exec sleep 10000' &";
    let bot = script(
        dir.path(),
        "busy",
        first,
        "echo $$ > busy; while :; do :; done",
    );
    let mut arena = begin(
        dir.path(),
        &[
            "match", "classic", &bot, "random", "--games", "2", "--time", "10m",
        ],
    );
    let pid = |name: &str| {
        let text = std::fs::read_to_string(dir.path().join(name)).unwrap_or_default();
        text.ends_with('\n').then(|| text.trim().to_owned())
    };
    // Both games have such a bot, and each writes over what the other wrote.
    let mut pids = Vec::new();
    wait_until("the bot thinks", || {
        pids = ["busy", "child"].into_iter().filter_map(&pid).collect();
        pids.len() == 2 && pids.iter().all(|pid| runs(pid))
    });
    arena.kill().expect("killed");
    arena.wait().expect("gone");
    wait_until("its bots end", || !pids.iter().any(|pid| runs(pid)));
}

/// A database may come from anybody: what it says is not run without a question.
#[test]
fn command_lines_of_somebody_else_are_not_run_without_asking() {
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

    // One's own plan goes on without a question.
    printed(dir.path(), &["resume", "1", "--games", "4"]);
    assert_ne!(ran(), before);

    // The same from another machine, as far as anybody can tell.
    let runtime = tokio::runtime::Runtime::new().expect("a runtime");
    runtime.block_on(async {
        let store = Store::open(&dir.path().join("data"))
            .await
            .expect("a store");
        let one = store.tournament(TournamentId(1)).await.expect("read");
        let mut plan: Value = serde_json::from_str(&one.expect("kept").plan).expect("JSON");
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
    let said = String::from_utf8_lossy(&refused.stderr).into_owned();
    assert_eq!(refused.status.code(), Some(1), "{said}");
    let parts = [
        "eve on lair",
        "mine: sh ",
        "/mine",
        "it can read your SECRET_TOKEN",
        "--yes",
    ];
    for part in parts {
        assert!(said.contains(part), "{part}: {said}");
    }
    assert_eq!(ran(), before, "it was run: {said}");
    printed(dir.path(), &["resume", "1", "--games", "6", "--yes"]);
    assert_ne!(ran(), before);
    // From now on it is this user's.
    printed(dir.path(), &["resume", "1", "--games", "8"]);

    // A copy of the data folder doesn't have the key that says so.
    let before = ran();
    let stolen = command(dir.path(), &["resume", "1", "--games", "10"])
        .env("XDG_CONFIG_HOME", dir.path().join("another-user"))
        .output()
        .expect("the program runs");
    let said = String::from_utf8_lossy(&stolen.stderr).into_owned();
    assert_eq!(stolen.status.code(), Some(1), "{said}");
    assert!(said.contains("nothing was run"), "{said}");
    assert_eq!(ran(), before, "it was run: {said}");
}

/// Guards against limits that were accepted and then used for added bots alone.
#[test]
fn limits_given_to_resume_hold_for_every_program_in_that_run() {
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
    let begun = seen(&[
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
    assert_eq!(begun, only("none 555"));
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
    // They were for that run: the plan has its own.
    assert_eq!(seen(&["resume", "1", "--games", "6"]), only("none 555"));
}

/// Guards against a command that fails after it has stored a tournament, or deleted games.
#[test]
fn a_log_that_cannot_be_written_changes_nothing() {
    let dir = tempfile::tempdir().expect("a folder");
    let bot = script(dir.path(), "slow", ":", "sleep 600");
    let args = [
        "match", "classic", &bot, "random", "--games", "2", "--time", "30ms",
    ];
    let bad = ["--log", "missing/log"];
    let refused = |args: &[&str]| {
        let output = arena(dir.path(), &[args, &bad].concat());
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(2), "{said}");
        assert!(said.contains("--log"), "{said}");
    };
    refused(&args);
    assert!(printed(dir.path(), &["list", "--json"]).contains(r#""tournaments":[]"#));
    arena(dir.path(), &args);
    let before = games(dir.path());
    assert_eq!(before.len(), 2);
    assert!(before.iter().all(|game| game.contains(",time,")));
    refused(&["resume", "1", "--replay-late"]);
    assert_eq!(games(dir.path()), before);
}

/// Games that any bot lost on time are told of, and can be played again.
#[test]
fn late_games_are_told_of_and_can_be_replayed() {
    let dir = tempfile::tempdir().expect("a folder");
    let first = format!("[ -e cured ] && exec '{NOUGHTS}' engine");
    let bot = script(dir.path(), "slow", &first, "sleep 600");
    let args = [
        "match", "classic", &bot, "random", "--games", "2", "--time", "30ms",
    ];
    let output = arena(dir.path(), &args);
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(
        said.contains("2 of 2 games were lost on time (slow 2)"),
        "{said}"
    );
    assert_eq!(games(dir.path()).len(), 2);

    let unnamed = arena(dir.path(), &["resume", "--replay-late"]);
    assert_eq!(unnamed.status.code(), Some(2));
    std::fs::write(dir.path().join("cured"), "").expect("a file");
    // On a busy machine it may be late again: then once more.
    wait_until("games in time", || {
        let again = arena(dir.path(), &["resume", "1", "--replay-late"]);
        let said = String::from_utf8_lossy(&again.stderr).into_owned();
        assert_eq!(again.status.code(), Some(0), "{said}");
        !said.contains("lost on time")
    });
    let all = games(dir.path());
    assert_eq!(all.len(), 2);
    assert!(all.iter().all(|game| !game.contains(",time,")), "{all:?}");
    let nothing = arena(dir.path(), &["resume", "1", "--replay-late"]);
    let said = String::from_utf8_lossy(&nothing.stderr).into_owned();
    assert_eq!(nothing.status.code(), Some(1), "{said}");
    assert!(said.contains("nothing to replay"), "{said}");
}

/// More games at once than cores are played, but not without a word. Only bots that play by
/// time can lose by it.
#[test]
fn more_games_than_cores_are_not_played_without_a_word() {
    let dir = tempfile::tempdir().expect("a folder");
    let said = |more: &[&str]| {
        let words = [
            "match",
            "classic",
            "random",
            "easy",
            "--games",
            "2",
            "--unsaved",
        ];
        let output = arena(dir.path(), &[&words[..], more].concat());
        assert_eq!(output.status.code(), Some(0));
        String::from_utf8_lossy(&output.stderr).into_owned()
    };
    let crowded = said(&["--concurrency", "1024", "--time", "5s"]);
    assert!(
        crowded.contains("1024 games at once need 1024 cores"),
        "{crowded}"
    );
    assert!(crowded.contains("lose on time"), "{crowded}");
    let counted = said(&["--concurrency", "1024", "--nodes", "1"]);
    assert!(
        counted.contains("1024 games at once need 1024 cores"),
        "{counted}"
    );
    assert!(!counted.contains("lose on time"), "{counted}");
    for calm in [
        &["--concurrency", "1", "--time", "5s"][..],
        &["--time", "5s"],
    ] {
        let said = said(calm);
        assert!(!said.contains("cores"), "{calm:?}: {said}");
    }
}

/// With `--affinity` every bot of a game has the same core, and only that one.
#[cfg(target_os = "linux")]
#[test]
fn bots_can_be_kept_on_a_core() {
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

/// Guards against a number of games that wasn't the one played.
#[cfg(target_os = "linux")]
#[test]
fn the_note_on_pinned_games_has_the_real_number() {
    let dir = tempfile::tempdir().expect("a folder");
    let words = ["match", "classic", "random", "easy", "--games", "2"];
    let terms = ["--nodes", "1", "--unsaved", "--json", "--affinity"];
    let many = ["--concurrency", "1024"];
    let output = arena(dir.path(), &[&words[..], &terms, &many].concat());
    assert_eq!(output.status.code(), Some(0));
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let begin: Value = serde_json::from_str(text.lines().next().expect("a line")).expect("JSON");
    let at_once = begin["at_once"].as_u64().expect("a number");
    let games = match at_once {
        1 => "1 game is".to_owned(),
        games => format!("{games} games are"),
    };
    let notes = String::from_utf8_lossy(&output.stderr).into_owned();
    let note = format!("{games} played at once, not 1024");
    assert!(notes.contains(&note), "{note}: {notes}");
    assert!(!notes.contains("need 1024 cores"), "{notes}");
}
