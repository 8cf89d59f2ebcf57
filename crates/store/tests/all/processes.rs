//! Several processes on one store, and processes that are killed.
//!
//! A test that needs another process starts itself again, with an environment variable that names
//! the folder.

use std::io::{BufRead, BufReader, Read};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdout, Command, Stdio};

use crate::common::*;
use noughts_rules::{Side, Termination, Variant};
use noughts_store::{GameFilter, NewGame, Store, StoreError};

const FOLDER_VAR: &str = "NOUGHTS_STORE_TEST_FOLDER";

/// The folder, if this is the other process.
fn child_folder() -> Option<PathBuf> {
    std::env::var_os(FOLDER_VAR).map(PathBuf::from)
}

/// Starts this test as another process.
fn start(test: &str, dir: &Path) -> Child {
    let program = std::env::current_exe().expect("this program has a file");
    Command::new(program)
        .args(["--exact", &format!("processes::{test}"), "--nocapture"])
        .env(FOLDER_VAR, dir)
        .stdout(Stdio::piped())
        .spawn()
        .expect("started")
}

/// The lines that the other process prints, without the test harness's own output.
fn reported_lines(child: &mut Child) -> impl Iterator<Item = String> + use<> {
    let out: ChildStdout = child.stdout.take().expect("piped");
    let reported_lines = BufReader::new(out).lines().map_while(Result::ok);
    reported_lines.filter_map(|line| {
        line.split_once("say ")
            .map(|(_, reported)| reported.to_owned())
    })
}

/// On its own line, whatever the test harness has printed before.
fn report(what: impl std::fmt::Display) {
    println!("\nsay {what}");
}

#[tokio::test]
async fn a_killed_process_loses_no_move_and_its_games_can_be_resumed() {
    if let Some(dir) = child_folder() {
        let store = open(&dir).await;
        let new = NewGame {
            variant: "mnk:16,16,16".parse().expect("a variant"),
            start: None,
            seats: [player("Ada"), bot("hard")],
        };
        let game = store.create_game(&new).await.expect("created");
        for (ply, text) in ('a'..='p')
            .flat_map(|c| (1..=16).map(move |r| format!("{c}{r}")))
            // No further: in the last column X would complete a line.
            .take(15 * 16)
            .enumerate()
        {
            store
                .add_move(game, ply, &mv(&text), None)
                .await
                .expect("stored");
            report(&text);
        }
        // Wait to be killed.
        std::future::pending::<()>().await;
    }
    let dir = tempfile::tempdir().expect("a folder");
    let store = open(dir.path()).await;
    for kill_after in [1, 2, 10, 37] {
        let mut child = start(
            "a_killed_process_loses_no_move_and_its_games_can_be_resumed",
            dir.path(),
        );
        let mut reported = reported_lines(&mut child);
        let mut shown: Vec<String> = reported.by_ref().take(kill_after).collect();
        let newest = &store.games(&GameFilter::default()).await.expect("read")[0];
        // While it lives, no other process can take the game.
        assert!(store.resumable_games().await.expect("read").is_empty());
        assert!(!store.acquire_game(newest.id).await.expect("no error"));
        let error = store
            .finish_game(newest.id, None, Termination::Abandoned)
            .await
            .expect_err("rejected");
        assert!(matches!(error, StoreError::Conflict { .. }));
        let message = store
            .delete_player(&name("Ada"))
            .await
            .expect_err("rejected")
            .to_string();
        assert_eq!(
            message,
            "Ada is playing right now; finish or quit that game first"
        );

        child.kill().expect("killed");
        shown.extend(reported);
        child.wait().expect("ended");
        let resumable = store.resumable_games().await.expect("read");
        assert_eq!(
            resumable.iter().map(|game| game.id).collect::<Vec<_>>(),
            [newest.id]
        );
        let game = store.game(newest.id).await.expect("read").expect("exists");
        let stored: Vec<&str> = game.moves.iter().map(|mv| mv.text.as_str()).collect();
        assert!(stored.len() >= shown.len() && stored.len() <= shown.len() + 1);
        assert_eq!(stored[..shown.len()], shown);
        // One process acquires it, and then no other can.
        let other = open(dir.path()).await;
        assert!(other.acquire_game(game.id).await.expect("no error"));
        assert!(!store.acquire_game(game.id).await.expect("no error"));
        assert!(store.resumable_games().await.expect("read").is_empty());
        other
            .finish_game(game.id, None, Termination::Abandoned)
            .await
            .expect("ended");
    }
    let left = std::fs::read_dir(dir.path().join("running"))
        .expect("read")
        .count();
    assert!(left <= 2, "the locks of {left} programs are left");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn several_processes_play_at_once() {
    const TASKS: usize = 4;
    const GAMES: usize = 5;
    async fn work(dir: PathBuf, player_name: String) {
        let store = open(&dir).await;
        for _ in 0..GAMES {
            play_game(&store, [player(&player_name), bot("hard")], DRAW).await;
            play_game(&store, [player("Ada"), player(&player_name)], O_WINS).await;
        }
    }
    if let Some(dir) = child_folder() {
        let store = open(&dir).await;
        report("ready");
        work(dir, format!("P{}", std::process::id())).await;
        store.close().await;
        return;
    }
    let dir = tempfile::tempdir().expect("a folder");
    // The store doesn't exist yet: all start at once.
    let children: Vec<Child> = (0..2)
        .map(|_| start("several_processes_play_at_once", dir.path()))
        .collect();
    let tasks = (0..TASKS).map(|i| tokio::spawn(work(dir.path().into(), format!("T{i}"))));
    for task in tasks.collect::<Vec<_>>() {
        task.await.expect("no task fails");
    }
    for mut child in children {
        let mut all = String::new();
        let mut out = child.stdout.take().expect("piped");
        out.read_to_string(&mut all).expect("read");
        assert!(child.wait().expect("ended").success(), "{all}");
    }
    let store = open(dir.path()).await;
    let players = store.all_players().await.expect("read");
    let workers = TASKS + 2;
    assert_eq!(players.len(), workers + 1);
    for (player, tally) in players {
        let (wins, losses, draws) = match player == name("Ada") {
            true => (0, workers * GAMES, 0),
            false => (GAMES, 0, GAMES),
        };
        let expected = (wins as u64, losses as u64, draws as u64);
        assert_eq!(
            (tally.wins, tally.losses, tally.draws),
            expected,
            "{player}"
        );
    }
}

/// Of many processes that try to resume a game, one succeeds.
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_game_is_resumed_by_one_process() {
    let dir = tempfile::tempdir().expect("a folder");
    let store = open(dir.path()).await;
    for _ in 0..10 {
        let game = new_game(&store, [player("Ada"), bot("easy")]).await;
        store.release_game(game).await.expect("released");
        let mut stores = Vec::new();
        for _ in 0..6 {
            stores.push(open(dir.path()).await);
        }
        let attempts = stores.iter().cloned().map(|store| {
            tokio::spawn(async move { store.acquire_game(game).await.expect("no error") })
        });
        let mut held = 0;
        for attempt in attempts.collect::<Vec<_>>() {
            held += usize::from(attempt.await.expect("no task fails"));
        }
        assert_eq!(held, 1);
    }
}

/// If two processes make the same move at once, one succeeds and the other gets an error.
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_move_is_made_by_one_process() {
    let dir = tempfile::tempdir().expect("a folder");
    let first = open(dir.path()).await;
    let second = open(dir.path()).await;
    let game = new_game(&first, [player("Ada"), player("Bob")]).await;
    first.release_game(game).await.expect("released");
    for (ply, text) in DRAW.split(' ').map(String::from).enumerate() {
        let make = |store: Store, text: String| {
            tokio::spawn(async move { store.add_move(game, ply, &mv(&text), None).await })
        };
        let (one, other) = (
            make(first.clone(), text.clone()),
            make(second.clone(), text),
        );
        let made = [
            one.await.expect("no task fails"),
            other.await.expect("no task fails"),
        ];
        assert_eq!(made.iter().filter(|made| made.is_ok()).count(), 1);
        for error in made.into_iter().filter_map(Result::err) {
            assert!(matches!(error, StoreError::Conflict { .. }), "{error}");
        }
    }
    let stored = first.game(game).await.expect("read").expect("exists");
    assert_eq!(stored.moves.len(), 9);
}

#[tokio::test]
async fn a_released_game_can_be_resumed_by_any_process() {
    let dir = tempfile::tempdir().expect("a folder");
    let first = open(dir.path()).await;
    let second = open(dir.path()).await;
    let new = NewGame {
        variant: Variant::CLASSIC,
        start: None,
        seats: [player("Ada"), bot("easy")],
    };
    let game = first.create_game(&new).await.expect("created");
    assert!(first.resumable_games().await.expect("read").is_empty());
    assert!(second.resumable_games().await.expect("read").is_empty());
    let rejected = second.reseat(game, Side::X, &bot("hard"), None).await;
    let error = rejected.expect_err("rejected").to_string();
    assert_eq!(error, "game 1 is being played in another program");
    assert!(second.release_game(game).await.is_err());

    first.release_game(game).await.expect("released");
    for store in [&first, &second] {
        let resumable = store.resumable_games().await.expect("read");
        assert_eq!(resumable.len(), 1);
        assert_eq!(resumable[0].seats, new.seats);
    }
    assert!(second.acquire_game(game).await.expect("no error"));
    assert!(!first.acquire_game(game).await.expect("no error"));
    // Closing releases everything.
    second.close().await;
    assert!(first.acquire_game(game).await.expect("no error"));
}

/// A folder that can't be written gives one error message, and nothing is created.
#[cfg(unix)]
#[tokio::test]
async fn an_unwritable_folder_is_reported() {
    use std::fs;
    use std::os::unix::fs::PermissionsExt;
    use std::os::unix::process::CommandExt;

    fn allow(path: &Path, mode: u32) {
        fs::set_permissions(path, fs::Permissions::from_mode(mode)).expect("allowed");
    }
    async fn check_errors(dir: &Path) {
        for (data, path) in [
            ("empty", "empty"),
            ("empty/below", "empty/below"),
            ("full", "full"),
            ("file", "file/noughts.db"),
        ] {
            let before = crate::common::contents(dir);
            let error = Store::open(&dir.join(data)).await.expect_err("rejected");
            assert!(
                crate::common::contents(dir) == before,
                "{error}: something has changed"
            );
            let path = dir.join(path);
            let reported = format!(
                "{} isn't writable; change its permissions, or use another data folder",
                path.display()
            );
            assert_eq!(error.to_string(), reported);
        }
    }
    if let Some(dir) = child_folder() {
        return check_errors(&dir).await;
    }
    let dir = tempfile::tempdir().expect("a folder");
    let path = |name: &str| dir.path().join(name);
    fs::create_dir(path("empty")).expect("made");
    for data in ["full", "file"] {
        let store = open(&path(data)).await;
        new_game(&store, [player("Ada"), bot("easy")]).await;
        store.close().await;
    }
    for data in ["full", "file"] {
        // Otherwise another user couldn't even open them.
        allow(&path(data).join("running"), 0o755);
    }
    allow(&path("full").join("noughts.db"), 0o666);
    allow(&path("file").join("noughts.db"), 0o444);
    allow(dir.path(), 0o755);
    allow(&path("empty"), 0o555);
    allow(&path("full"), 0o555);
    allow(&path("file"), 0o777);
    if fs::File::create(path("empty").join("probe")).is_err() {
        return check_errors(dir.path()).await;
    }
    // Root may write anywhere, so run this as another user. They need a copy of this program that
    // they can execute.
    fs::remove_file(path("empty").join("probe")).expect("removed");
    let program = path("program");
    fs::copy(
        std::env::current_exe().expect("this program has a file"),
        &program,
    )
    .expect("copied");
    allow(&program, 0o755);
    let output = Command::new(&program)
        .args(["--exact", "processes::an_unwritable_folder_is_reported"])
        .env(FOLDER_VAR, dir.path())
        .current_dir(dir.path())
        .uid(65534)
        .gid(65534)
        .output()
        .expect("started");
    let reported = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{reported}");
    assert!(reported.contains("1 passed"), "{reported}");
}
