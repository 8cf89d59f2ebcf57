//! Files and folders that aren't a store: one error message each, and nothing is changed.

use std::fs;
use std::path::{Path, PathBuf};

use crate::common::*;
use noughts_store::{GameFilter, GameId, Store, StoreError};
use sqlx::ConnectOptions;
use sqlx::sqlite::SqliteConnectOptions;

/// The error on opening the store, after checking that nothing has changed.
async fn open_rejected(dir: &Path) -> (StoreError, String) {
    let before = contents(dir);
    let error = Store::open(dir).await.expect_err("rejected");
    assert!(contents(dir) == before, "{error}: something has changed");
    let message = error.to_string();
    assert_eq!(message.lines().count(), 1, "{message}");
    (error, message)
}

/// A folder with a store and games in it.
async fn store_with_games() -> tempfile::TempDir {
    let dir = tempfile::tempdir().expect("a folder");
    let store = open(dir.path()).await;
    for _ in 0..50 {
        play_game(&store, [player("Ada"), bot("hard")], DRAW).await;
    }
    store.close().await;
    dir
}

fn file(dir: &tempfile::TempDir) -> PathBuf {
    dir.path().join("noughts.db")
}

async fn execute(path: &Path, execute: &'static str) {
    let options = SqliteConnectOptions::new().filename(path);
    let mut connection = options
        .create_if_missing(true)
        .connect()
        .await
        .expect("opens");
    sqlx::query(execute)
        .execute(&mut connection)
        .await
        .expect("done");
    sqlx::Connection::close(connection).await.expect("closed");
}

#[tokio::test]
async fn a_store_of_a_newer_version_is_not_touched() {
    let dir = store_with_games().await;
    let newer =
        "INSERT INTO _sqlx_migrations (version, description, success, checksum, execution_time)
                 VALUES (99, 'tomorrow', TRUE, x'00', 0)";
    execute(&file(&dir), newer).await;
    let (error, message) = open_rejected(dir.path()).await;
    let StoreError::NewerVersion {
        found: 99, known, ..
    } = error
    else {
        panic!("{error:?}");
    };
    let file = file(&dir).display().to_string();
    assert_eq!(
        message,
        format!(
            "{file} was written by a newer version of noughts (file version 99, this program reads up to {known}); \
             update noughts, or use another data folder"
        )
    );
}

#[tokio::test]
async fn a_database_of_another_program_is_not_touched() {
    let dir = tempfile::tempdir().expect("a folder");
    execute(&file(&dir), "CREATE TABLE bookmarks (address TEXT)").await;
    let (error, message) = open_rejected(dir.path()).await;
    assert!(matches!(error, StoreError::Foreign { .. }));
    let file = file(&dir).display().to_string();
    assert_eq!(
        message,
        format!("{file} is another program's database; use another data folder")
    );
}

#[tokio::test]
async fn a_file_that_is_not_a_database_is_not_touched() {
    let noise: Vec<u8> = (0..100_000u32)
        .map(|i| (i.wrapping_mul(2_654_435_761) >> 24) as u8)
        .collect();
    for bytes in [
        noise.as_slice(),
        b"x",
        b"Dear diary,\n",
        b"SQLite format 3\0",
        &[0; 5000],
    ] {
        let dir = tempfile::tempdir().expect("a folder");
        fs::write(file(&dir), bytes).expect("written");
        let (error, message) = open_rejected(dir.path()).await;
        assert!(matches!(error, StoreError::Corrupt { .. }), "{message}");
        let file = file(&dir).display().to_string();
        assert_eq!(
            message,
            format!(
                "{file} is corrupted (file is not a database); restore a backup, \
                 or move it aside to start with an empty database"
            )
        );
    }
}

#[tokio::test]
async fn a_truncated_file_is_not_touched() {
    let whole = store_with_games().await;
    let bytes = fs::read(file(&whole)).expect("read");
    for length in [100, 4096, 5000, bytes.len() / 2, bytes.len() - 4096] {
        let dir = tempfile::tempdir().expect("a folder");
        fs::write(file(&dir), &bytes[..length]).expect("written");
        let (error, message) = open_rejected(dir.path()).await;
        assert!(
            matches!(error, StoreError::Corrupt { .. }),
            "{length}: {message}"
        );
    }
}

/// The result of SQLite's own integrity check.
async fn integrity(path: &Path) -> String {
    let options = SqliteConnectOptions::new().filename(path);
    let mut connection = options.connect().await.expect("opens");
    let found = sqlx::query_scalar("PRAGMA integrity_check(1)")
        .fetch_one(&mut connection)
        .await
        .expect("checked");
    sqlx::Connection::close(connection).await.expect("closed");
    found
}

/// A store that has lost a part of itself must not be used.
#[tokio::test]
async fn corruption_is_found_before_anything_is_written() {
    let whole = store_with_games().await;
    let bytes = fs::read(file(&whole)).expect("read");
    let mut reported = 0;
    for (page, fill) in (0..bytes.len() / 4096).flat_map(|page| [(page, 0xff), (page, 0xa5)]) {
        let dir = tempfile::tempdir().expect("a folder");
        let mut bytes = bytes.clone();
        bytes[page * 4096..(page + 1) * 4096].fill(fill);
        fs::write(file(&dir), &bytes).expect("written");
        match Store::open(dir.path()).await {
            Ok(store) => {
                let games = export_all(&store, &GameFilter::default()).await;
                assert_eq!(games.len(), 50);
                play_game(&store, [player("Ada"), bot("hard")], DRAW).await;
                store.close().await;
                assert_eq!(integrity(&file(&dir)).await, "ok", "page {page}");
            }
            Err(StoreError::Corrupt { .. }) => {
                reported += 1;
                let left = contents(dir.path());
                assert_eq!(left.len(), 1, "page {page}: something lies beside it");
                assert!(fs::read(file(&dir)).expect("read") == bytes, "page {page}");
            }
            Err(error) => panic!("page {page}: {error}"),
        }
    }
    assert!(reported > 20, "{reported}");
}

/// Whatever is in the header, the store opens or reports a corrupt file.
#[tokio::test]
async fn a_corrupt_header_is_reported() {
    let whole = store_with_games().await;
    let bytes = fs::read(file(&whole)).expect("read");
    for at in 0..100 {
        for value in [0, 0xff] {
            let dir = tempfile::tempdir().expect("a folder");
            let mut bytes = bytes.clone();
            bytes[at] = value;
            fs::write(file(&dir), &bytes).expect("written");
            match Store::open(dir.path()).await {
                Ok(store) => {
                    store.all_players().await.expect("read");
                    store.close().await;
                }
                Err(StoreError::Corrupt { .. }) => {
                    assert!(fs::read(file(&dir)).expect("read") == bytes, "byte {at}");
                }
                Err(error) => panic!("byte {at}, {value}: {error}"),
            }
        }
    }
}

#[tokio::test]
async fn invalid_data_in_a_game_is_reported() {
    for (change, what) in [
        (
            "UPDATE games SET variant = 'chess' WHERE id = 7",
            "game 7 has an invalid variant: \"chess\"",
        ),
        (
            "UPDATE games SET how = 'boredom' WHERE id = 7",
            "game 7 has an invalid ending: \"boredom\"",
        ),
        (
            "DELETE FROM moves WHERE game = 7 AND ply = 3",
            "game 7 is missing a move",
        ),
        (
            "UPDATE people SET name = ''",
            "a player has the invalid name \"\"",
        ),
    ] {
        let dir = store_with_games().await;
        execute(&file(&dir), change).await;
        let store = open(dir.path()).await;
        let export = store.export(&GameFilter::default()).await.expect("IDs");
        let error = export.collect().await.expect_err("read");
        assert!(matches!(error, StoreError::Corrupt { .. }), "{error}");
        assert!(error.to_string().contains(what), "{error}");
    }
    let dir = store_with_games().await;
    execute(&file(&dir), "UPDATE moves SET text = 'b2' WHERE game = 7").await;
    let store = open(dir.path()).await;
    let message = format!(
        "{} is corrupted (game 7: move 2: b2 is taken; another program may have changed it); \
         restore a backup, or move it aside to start with an empty database",
        file(&dir).display()
    );
    let export = store.export(&GameFilter::default()).await.expect("IDs");
    let export_all = export.collect().await;
    assert_eq!(export_all.expect_err("read").to_string(), message);
    let read = store.game(GameId(7)).await;
    assert_eq!(read.expect_err("read").to_string(), message);
    assert!(store.game(GameId(8)).await.is_ok());
}

#[tokio::test]
async fn files_in_place_of_folders_are_reported() {
    let dir = tempfile::tempdir().expect("a folder");
    let blocked = dir.path().join("notes.txt");
    fs::write(&blocked, "no folder").expect("written");
    for data in [blocked.clone(), blocked.join("deeper").join("down")] {
        let before = contents(dir.path());
        let error = Store::open(&data).await.expect_err("rejected").to_string();
        let message = format!(
            "{} isn't a folder; use another data folder",
            blocked.display()
        );
        assert_eq!(error, message);
        assert!(contents(dir.path()) == before);
    }
    let dir = tempfile::tempdir().expect("a folder");
    fs::create_dir(file(&dir)).expect("made");
    let (_, message) = open_rejected(dir.path()).await;
    let path = file(&dir).display().to_string();
    assert_eq!(
        message,
        format!("{path} isn't a file; use another data folder")
    );
}

/// Whatever the system's error is, the message names the path and a way out.
#[cfg(unix)]
#[tokio::test]
async fn links_and_special_files_are_reported() {
    use std::os::unix::fs::symlink;
    let dir = tempfile::tempdir().expect("a folder");
    let at = |name: &str| dir.path().join(name);
    symlink(at("missing"), at("dangling")).expect("made");
    symlink(at("loop"), at("loop")).expect("made");
    for name in ["running", "linked", "looped", "piped"] {
        fs::create_dir(at(name)).expect("made");
    }
    fs::write(at("running/running"), "").expect("written");
    symlink(at("missing/noughts.db"), at("linked/noughts.db")).expect("made");
    symlink(at("looped/noughts.db"), at("looped/noughts.db")).expect("made");
    let made = std::process::Command::new("mkfifo")
        .arg(at("piped/noughts.db"))
        .status();
    assert!(made.expect("there is such a command").success());

    let broken = "is a broken link; fix or remove it, or use another data folder";
    let not_a_folder = "isn't a folder; use another data folder";
    for (data, path, message) in [
        ("dangling", "dangling", broken),
        ("dangling/deeper", "dangling", broken),
        ("loop", "loop", broken),
        ("running", "running/running", not_a_folder),
        ("linked", "linked/noughts.db", broken),
        ("looped", "looped/noughts.db", broken),
        (
            "piped",
            "piped/noughts.db",
            "isn't a file; use another data folder",
        ),
        ("/dev/null", "/dev/null", not_a_folder),
        ("/dev/null/deeper", "/dev/null", not_a_folder),
    ] {
        let error = Store::open(&at(data)).await.expect_err("rejected");
        assert_eq!(
            error.to_string(),
            format!("{} {message}", at(path).display())
        );
    }
    assert!(!at("missing").exists());
}

/// The database file may be a link to a file elsewhere.
#[cfg(unix)]
#[tokio::test]
async fn the_file_may_be_a_link() {
    let dir = tempfile::tempdir().expect("a folder");
    let elsewhere = tempfile::tempdir().expect("a folder");
    let target = elsewhere.path().join("mine.db");
    std::os::unix::fs::symlink(&target, file(&dir)).expect("made");
    for _ in 0..2 {
        let store = open(dir.path()).await;
        new_game(&store, [player("Ada"), bot("easy")]).await;
        store.close().await;
    }
    assert!(target.is_file());
}

#[cfg(target_os = "linux")]
#[tokio::test]
async fn a_path_that_is_not_utf_8_is_rejected() {
    use std::os::unix::ffi::OsStrExt;
    let dir = tempfile::tempdir().expect("a folder");
    let name = std::ffi::OsStr::from_bytes(b"caf\xe9");
    for data in [dir.path().join(name), dir.path().join(name).join("deeper")] {
        let error = Store::open(&data).await.expect_err("rejected");
        let message = format!(
            "the path {} isn't valid UTF-8, which the database requires; use another data folder",
            data.display()
        );
        assert_eq!(error.to_string(), message);
    }
    assert!(contents(dir.path()).is_empty());
}

/// An empty file is treated as a new database.
#[tokio::test]
async fn an_empty_file_becomes_a_store() {
    let dir = tempfile::tempdir().expect("a folder");
    fs::write(file(&dir), "").expect("written");
    assert!(
        open(dir.path())
            .await
            .all_players()
            .await
            .expect("read")
            .is_empty()
    );
}

#[tokio::test]
async fn unusual_folder_names_work() {
    let dir = tempfile::tempdir().expect("a folder");
    for name in ["file:x?mode=memory", "a b/c%20d", "ü#ñ", ":memory:"] {
        let data = dir.path().join(name);
        new_game(&open(&data).await, [player("Ada"), bot("easy")]).await;
        assert!(data.join("noughts.db").is_file());
        assert_eq!(
            open(&data).await.all_players().await.expect("read").len(),
            1
        );
    }
}
