//! Many tasks that write at once share commits and nothing else.

use std::io::{BufRead, BufReader};
use std::process::{Command, Stdio};
use std::sync::Arc;

use crate::common::*;
use noughts_rules::{Outcome, Side, Termination};
use noughts_store::{GameId, NewGame, Store, StoreError};
use tokio::task::JoinSet;

/// Games on a board that is large enough for many moves.
async fn games(store: &Store, count: usize) -> Vec<GameId> {
    let mut games = Vec::new();
    for _ in 0..count {
        let new = NewGame {
            variant: "mnk:16,16,16".parse().expect("a variant"),
            start: None,
            seats: [player("Ada"), bot("hard")],
        };
        games.push(store.create_game(&new).await.expect("created"));
    }
    games
}

/// The moves of a game that nobody wins.
fn cells() -> impl Iterator<Item = String> {
    let columns = 'a'..='p';
    let cells = columns.flat_map(|column| (1..=16).map(move |row| format!("{column}{row}")));
    cells.take(15 * 16)
}

async fn stored_moves(store: &Store, game: GameId) -> Vec<String> {
    let game = store.game(game).await.expect("read").expect("exists");
    game.moves.into_iter().map(|mv| mv.text).collect()
}

const FOLDER_VAR: &str = "NOUGHTS_STORE_TOGETHER_FOLDER";

/// Starts itself as another process in which many tasks play, reads which moves were stored, and
/// kills it midway.
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn many_writers_of_a_killed_process_lose_no_move() {
    if let Some(dir) = std::env::var_os(FOLDER_VAR) {
        let store = open(dir.as_ref()).await;
        let mut tasks = JoinSet::new();
        for game in games(&store, 40).await {
            let store = store.clone();
            tasks.spawn(async move {
                for (ply, text) in cells().enumerate() {
                    let added = store.add_move(game, ply, &mv(&text), None).await;
                    added.expect("stored");
                    println!("\nstored {game} {text}");
                }
            });
        }
        tasks.join_all().await;
        std::future::pending::<()>().await;
    }
    for kill_after in [1, 100, 1000] {
        let dir = tempfile::tempdir().expect("a folder");
        let program = std::env::current_exe().expect("this program has a file");
        let mut child = Command::new(program)
            .args([
                "--exact",
                "group_commit::many_writers_of_a_killed_process_lose_no_move",
            ])
            .arg("--nocapture")
            .env(FOLDER_VAR, dir.path())
            .stdout(Stdio::piped())
            .spawn()
            .expect("started");
        let out = BufReader::new(child.stdout.take().expect("piped"));
        let mut lines = out.lines().map_while(Result::ok);
        let reported = lines.by_ref().filter(|line| line.starts_with("stored "));
        let mut reported: Vec<String> = reported.take(kill_after).collect();
        child.kill().expect("killed");
        reported.extend(lines.filter(|line| line.starts_with("stored ")));
        child.wait().expect("ended");

        let store = open(dir.path()).await;
        for number in 1..=40 {
            let moves = stored_moves(&store, GameId(number)).await;
            let prefix = format!("stored {number} ");
            let reported_moves: Vec<&str> = reported
                .iter()
                .filter_map(|s| s.strip_prefix(&prefix))
                .collect();
            // The last line may be incomplete.
            let whole = reported_moves.len().saturating_sub(1);
            assert!(
                moves.len() >= whole,
                "game {number}: {} of {whole}",
                moves.len()
            );
            assert_eq!(moves[..whole], reported_moves[..whole], "game {number}");
        }
    }
}

/// All requests are made at once, so that they end up in one group.
#[tokio::test]
async fn rejected_writes_do_not_affect_others() {
    let dir = tempfile::tempdir().expect("a folder");
    let store = open(dir.path()).await;
    let other = open(dir.path()).await;
    let games = games(&store, 50).await;
    store
        .finish_game(games[1], None, Termination::Abandoned)
        .await
        .expect("ended");
    store.release_game(games[2]).await.expect("released");
    assert!(other.acquire_game(games[2]).await.expect("no error"));
    let ended = "game 2 is over, so it can't be changed";
    let elsewhere = "game 3 is being played in another program";
    for (ply, text) in ["a1", "b1", "c1"].into_iter().enumerate() {
        let mut tasks = JoinSet::new();
        for (i, &game) in games.iter().enumerate() {
            let (mover, other) = (store.clone(), store.clone());
            let (mv, wrong) = (mv(text), i == 3);
            let ply = if wrong { ply + 7 } else { ply };
            tasks.spawn(async move { (i, mover.add_move(game, ply, &mv, None).await) });
            tasks.spawn(async move {
                let rejected = match i {
                    // The game doesn't exist, or a player would have both sides.
                    _ if wrong => other.discard_game(GameId(9999)).await,
                    _ => other.reseat(game, Side::O, &player("ada"), None).await,
                };
                (1000 + i, rejected)
            });
        }
        for (i, outcome) in tasks.join_all().await {
            let reported = outcome.err().map(|error| error.to_string());
            let expected = match i {
                1 | 1001 => Some(ended.to_owned()),
                2 | 1002 => Some(elsewhere.to_owned()),
                3 => Some(format!(
                    "game 4 was changed in the meantime (expected moves: {}, stored: 0)",
                    ply + 7
                )),
                1003 => Some(StoreError::NoSuchGame(GameId(9999)).to_string()),
                1000.. => {
                    Some("Ada can't play both sides; give the other player a different name".into())
                }
                _ => None,
            };
            assert_eq!(
                reported.map(|s| s.to_lowercase()),
                expected.map(|s| s.to_lowercase()),
                "{i}"
            );
        }
    }
    for (i, &game) in games.iter().enumerate() {
        let expected: &[&str] = match i {
            1..=3 => &[],
            _ => &["a1", "b1", "c1"],
        };
        assert_eq!(stored_moves(&store, game).await, expected, "game {game}");
    }
}

#[tokio::test]
async fn a_move_requested_many_times_is_made_once() {
    let store = Store::in_memory().await.expect("opens");
    let game = new_game(&store, [player("Ada"), player("Bob")]).await;
    for (ply, text) in X_WINS.split(' ').enumerate() {
        let end = (ply == 4).then_some((Outcome::Win(Side::X), Termination::Line));
        let mut tasks = JoinSet::new();
        for _ in 0..20 {
            let (store, mv) = (store.clone(), mv(text));
            tasks.spawn(async move { store.add_move(game, ply, &mv, end).await });
        }
        let made = tasks.join_all().await;
        assert_eq!(made.iter().filter(|made| made.is_ok()).count(), 1);
        let rejected = made.into_iter().filter_map(Result::err);
        assert!(
            rejected
                .into_iter()
                .all(|error| matches!(error, StoreError::Conflict { .. }))
        );
    }
    assert_eq!(stored_moves(&store, game).await.join(" "), X_WINS);
    let tally = store.player_tally(&name("Ada")).await.expect("read");
    assert_eq!(tally.expect("exists").wins, 1);
}

/// Writes are completed even if their callers are canceled.
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn canceled_callers_leave_nothing_half_done() {
    let dir = tempfile::tempdir().expect("a folder");
    let store = Arc::new(open(dir.path()).await);
    let games = games(&store, 30).await;
    for (ply, text) in cells().take(20).enumerate() {
        let tasks = games.iter().map(|&game| {
            let (store, mv) = (store.clone(), mv(&text));
            tokio::spawn(async move { store.add_move(game, ply, &mv, None).await })
        });
        let tasks: Vec<_> = tasks.collect();
        for task in tasks.iter().step_by(2) {
            task.abort();
        }
        for (task, &game) in tasks.into_iter().zip(&games) {
            // Done, or canceled before or after it was done.
            if task.await.is_err() && stored_moves(&store, game).await.len() == ply {
                let added = store.add_move(game, ply, &mv(&text), None).await;
                assert!(matches!(added, Ok(()) | Err(StoreError::Conflict { .. })));
            }
        }
    }
    let expected: Vec<String> = cells().take(20).collect();
    for game in games {
        assert_eq!(stored_moves(&store, game).await, expected);
    }
}
