//! Several programs on one store, and programs that are killed.
//!
//! A test that needs another program starts itself once more, with a folder in its
//! surroundings that tells it to be that program.

use std::io::{BufRead, BufReader, Read};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdout, Command, Stdio};

use crate::common::*;
use noughts_rules::{Side, Variant};
use noughts_store::{GameFilter, NewGame, Store, StoreError, Termination};

const ROLE: &str = "NOUGHTS_STORE_TEST_FOLDER";

/// The folder, if this is the other program.
fn role() -> Option<PathBuf> {
    std::env::var_os(ROLE).map(PathBuf::from)
}

/// Starts this test as another program.
fn start(test: &str, dir: &Path) -> Child {
    let me = std::env::current_exe().expect("this program has a file");
    Command::new(me)
        .args(["--exact", &format!("processes::{test}"), "--nocapture"])
        .env(ROLE, dir)
        .stdout(Stdio::piped())
        .spawn()
        .expect("started")
}

/// What the other program says, without what the test harness says around it.
fn lines(child: &mut Child) -> impl Iterator<Item = String> + use<> {
    let out: ChildStdout = child.stdout.take().expect("piped");
    let lines = BufReader::new(out).lines().map_while(Result::ok);
    lines.filter_map(|line| line.split_once("say ").map(|(_, said)| said.to_owned()))
}

/// On a line of its own, whatever the harness has begun to write.
fn say(what: impl std::fmt::Display) {
    println!("\nsay {what}");
}

#[tokio::test]
async fn a_killed_program_loses_no_move_and_its_games_can_be_resumed() {
    if let Some(dir) = role() {
        let store = open(&dir).await;
        let new = NewGame {
            variant: "mnk:16,16,16".parse().expect("a variant"),
            start: None,
            seats: [person("Ada"), bot("hard")],
        };
        let game = store.create_game(&new).await.expect("begun");
        for (ply, text) in ('a'..='p')
            .flat_map(|c| (1..=16).map(move |r| format!("{c}{r}")))
            // No longer: in the last column X would have a line.
            .take(15 * 16)
            .enumerate()
        {
            store
                .add_move(game, ply, &mv(&text), None)
                .await
                .expect("stored");
            say(&text);
        }
        // It never ends by itself: it waits for what never comes.
        std::future::pending::<()>().await;
    }
    let dir = tempfile::tempdir().expect("a folder");
    let store = open(dir.path()).await;
    for kill_after in [1, 2, 10, 37] {
        let mut child = start(
            "a_killed_program_loses_no_move_and_its_games_can_be_resumed",
            dir.path(),
        );
        let mut said = lines(&mut child);
        let mut shown: Vec<String> = said.by_ref().take(kill_after).collect();
        let newest = &store.games(&GameFilter::default()).await.expect("read")[0];
        // While it lives, the game is its own.
        assert!(store.resumable_games().await.expect("read").is_empty());
        assert!(!store.acquire_game(newest.id).await.expect("asked"));
        let error = store
            .finish_game(newest.id, None, Termination::Abandoned)
            .await
            .expect_err("refused");
        assert!(matches!(error, StoreError::Conflict { .. }));
        let busy = store
            .delete_player(&name("Ada"))
            .await
            .expect_err("refused")
            .to_string();
        assert_eq!(
            busy,
            "Ada is playing just now; finish or leave that game first"
        );

        child.kill().expect("killed");
        shown.extend(said);
        child.wait().expect("gone");
        let resumable = store.resumable_games().await.expect("read");
        assert_eq!(
            resumable.iter().map(|game| game.id).collect::<Vec<_>>(),
            [newest.id]
        );
        let game = store.game(newest.id).await.expect("read").expect("there");
        let kept: Vec<&str> = game.moves.iter().map(|mv| mv.text.as_str()).collect();
        assert!(kept.len() >= shown.len() && kept.len() <= shown.len() + 1);
        assert_eq!(kept[..shown.len()], shown);
        // One takes it over, and then nobody else.
        let other = open(dir.path()).await;
        assert!(other.acquire_game(game.id).await.expect("asked"));
        assert!(!store.acquire_game(game.id).await.expect("asked"));
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
async fn several_programs_play_at_once() {
    const TASKS: usize = 4;
    const GAMES: usize = 5;
    async fn work(dir: PathBuf, who: String) {
        let store = open(&dir).await;
        for _ in 0..GAMES {
            played(&store, [person(&who), bot("hard")], DRAW).await;
            played(&store, [person("Ada"), person(&who)], O_WINS).await;
        }
    }
    if let Some(dir) = role() {
        let store = open(&dir).await;
        say("ready");
        work(dir, format!("P{}", std::process::id())).await;
        store.close().await;
        return;
    }
    let dir = tempfile::tempdir().expect("a folder");
    // Nobody has made the store yet: all begin at once.
    let children: Vec<Child> = (0..2)
        .map(|_| start("several_programs_play_at_once", dir.path()))
        .collect();
    let tasks = (0..TASKS).map(|i| tokio::spawn(work(dir.path().into(), format!("T{i}"))));
    for task in tasks.collect::<Vec<_>>() {
        task.await.expect("no task fails");
    }
    for mut child in children {
        let mut all = String::new();
        let mut out = child.stdout.take().expect("piped");
        out.read_to_string(&mut all).expect("read");
        assert!(child.wait().expect("gone").success(), "{all}");
    }
    let store = open(dir.path()).await;
    let people = store.all_players().await.expect("read");
    let programs = TASKS + 2;
    assert_eq!(people.len(), programs + 1);
    for (who, tally) in people {
        let (wins, losses, ties) = match who == name("Ada") {
            true => (0, programs * GAMES, 0),
            false => (GAMES, 0, GAMES),
        };
        let expected = (wins as u64, losses as u64, ties as u64);
        assert_eq!((tally.wins, tally.losses, tally.draws), expected, "{who}");
    }
}

/// Of many that want to resume a game one gets it.
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_game_is_resumed_once() {
    let dir = tempfile::tempdir().expect("a folder");
    let store = open(dir.path()).await;
    for _ in 0..10 {
        let game = begin(&store, [person("Ada"), bot("easy")]).await;
        store.release_game(game).await.expect("released");
        let mut stores = Vec::new();
        for _ in 0..6 {
            stores.push(open(dir.path()).await);
        }
        let asking = stores.iter().cloned().map(|store| {
            tokio::spawn(async move { store.acquire_game(game).await.expect("asked") })
        });
        let mut held = 0;
        for asked in asking.collect::<Vec<_>>() {
            held += usize::from(asked.await.expect("no task fails"));
        }
        assert_eq!(held, 1);
    }
}

/// A move that two programs make at once is made by one; the other is told.
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_move_is_made_once() {
    let dir = tempfile::tempdir().expect("a folder");
    let first = open(dir.path()).await;
    let second = open(dir.path()).await;
    let game = begin(&first, [person("Ada"), person("Bob")]).await;
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
    let kept = first.game(game).await.expect("read").expect("there");
    assert_eq!(kept.moves.len(), 9);
}

#[tokio::test]
async fn a_game_that_was_left_can_be_resumed_at_once_by_anybody() {
    let dir = tempfile::tempdir().expect("a folder");
    let first = open(dir.path()).await;
    let second = open(dir.path()).await;
    let new = NewGame {
        variant: Variant::CLASSIC,
        start: None,
        seats: [person("Ada"), bot("easy")],
    };
    let game = first.create_game(&new).await.expect("begun");
    assert!(first.resumable_games().await.expect("read").is_empty());
    assert!(second.resumable_games().await.expect("read").is_empty());
    let refused = second.reseat(game, Side::X, &bot("hard")).await;
    let error = refused.expect_err("refused").to_string();
    assert_eq!(error, "game 1 is being played in another program");
    assert!(second.release_game(game).await.is_err());

    first.release_game(game).await.expect("released");
    for store in [&first, &second] {
        let resumable = store.resumable_games().await.expect("read");
        assert_eq!(resumable.len(), 1);
        assert_eq!(resumable[0].seats, new.seats);
    }
    assert!(second.acquire_game(game).await.expect("asked"));
    assert!(!first.acquire_game(game).await.expect("asked"));
    // Closing lets go of everything.
    second.close().await;
    assert!(first.acquire_game(game).await.expect("asked"));
}

/// Where a folder cannot be written, one sentence says so, and nothing is begun.
#[cfg(unix)]
#[tokio::test]
async fn a_folder_that_cannot_be_written_is_told() {
    use std::fs;
    use std::os::unix::fs::PermissionsExt;
    use std::os::unix::process::CommandExt;

    fn allow(path: &Path, mode: u32) {
        fs::set_permissions(path, fs::Permissions::from_mode(mode)).expect("allowed");
    }
    async fn told(dir: &Path) {
        for (data, path) in [
            ("empty", "empty"),
            ("empty/below", "empty/below"),
            ("full", "full"),
            ("file", "file/noughts.db"),
        ] {
            let before = crate::common::contents(dir);
            let error = Store::open(&dir.join(data)).await.expect_err("refused");
            assert!(
                crate::common::contents(dir) == before,
                "{error}: something has changed"
            );
            let path = dir.join(path);
            let said = format!(
                "{} cannot be written; allow it, or use another data folder",
                path.display()
            );
            assert_eq!(error.to_string(), said);
        }
    }
    if let Some(dir) = role() {
        return told(&dir).await;
    }
    let dir = tempfile::tempdir().expect("a folder");
    let path = |name: &str| dir.path().join(name);
    fs::create_dir(path("empty")).expect("made");
    for data in ["full", "file"] {
        let store = open(&path(data)).await;
        begin(&store, [person("Ada"), bot("easy")]).await;
        store.close().await;
    }
    for data in ["full", "file"] {
        // Otherwise somebody else could not even look into them.
        allow(&path(data).join("running"), 0o755);
    }
    allow(&path("full").join("noughts.db"), 0o666);
    allow(&path("file").join("noughts.db"), 0o444);
    allow(dir.path(), 0o755);
    allow(&path("empty"), 0o555);
    allow(&path("full"), 0o555);
    allow(&path("file"), 0o777);
    if fs::File::create(path("empty").join("probe")).is_err() {
        return told(dir.path()).await;
    }
    // Root may write everywhere; somebody else may not. A copy of this program lies
    // where they can start it.
    fs::remove_file(path("empty").join("probe")).expect("removed");
    let me = path("program");
    fs::copy(
        std::env::current_exe().expect("this program has a file"),
        &me,
    )
    .expect("copied");
    allow(&me, 0o755);
    let output = Command::new(&me)
        .args([
            "--exact",
            "processes::a_folder_that_cannot_be_written_is_told",
        ])
        .env(ROLE, dir.path())
        .current_dir(dir.path())
        .uid(65534)
        .gid(65534)
        .output()
        .expect("started");
    let said = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{said}");
    assert!(said.contains("1 passed"), "{said}");
}
