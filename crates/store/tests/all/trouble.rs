//! Files and folders that are no store: one sentence each, and nothing is changed.

use std::fs;
use std::path::{Path, PathBuf};

use crate::common::*;
use noughts_store::{GameFilter, GameId, Store, StoreError};
use sqlx::ConnectOptions;
use sqlx::sqlite::SqliteConnectOptions;

/// The sentence with which the store is refused, after a look that nothing has changed.
async fn refused(dir: &Path) -> (StoreError, String) {
    let before = contents(dir);
    let error = Store::open(dir).await.expect_err("refused");
    assert!(contents(dir) == before, "{error}: something has changed");
    let said = error.to_string();
    assert_eq!(said.lines().count(), 1, "{said}");
    (error, said)
}

/// A folder with a store and games in it.
async fn filled() -> tempfile::TempDir {
    let dir = tempfile::tempdir().expect("a folder");
    let store = open(dir.path()).await;
    for _ in 0..50 {
        played(&store, [person("Ada"), bot("hard")], DRAW).await;
    }
    store.close().await;
    dir
}

fn file(dir: &tempfile::TempDir) -> PathBuf {
    dir.path().join("noughts.db")
}

async fn sql(path: &Path, sql: &'static str) {
    let options = SqliteConnectOptions::new().filename(path);
    let mut connection = options
        .create_if_missing(true)
        .connect()
        .await
        .expect("opens");
    sqlx::query(sql)
        .execute(&mut connection)
        .await
        .expect("done");
    sqlx::Connection::close(connection).await.expect("closed");
}

#[tokio::test]
async fn a_store_of_a_newer_version_is_left_alone() {
    let dir = filled().await;
    let newer =
        "INSERT INTO _sqlx_migrations (version, description, success, checksum, execution_time)
                 VALUES (99, 'tomorrow', TRUE, x'00', 0)";
    sql(&file(&dir), newer).await;
    let (error, said) = refused(dir.path()).await;
    let StoreError::NewerVersion {
        found: 99, known, ..
    } = error
    else {
        panic!("{error:?}");
    };
    let file = file(&dir).display().to_string();
    assert_eq!(
        said,
        format!(
            "{file} was written by a newer noughts (version 99 of the file, this program knows {known}); \
             use that one, or another data folder"
        )
    );
}

#[tokio::test]
async fn a_database_of_another_program_is_left_alone() {
    let dir = tempfile::tempdir().expect("a folder");
    sql(&file(&dir), "CREATE TABLE bookmarks (address TEXT)").await;
    let (error, said) = refused(dir.path()).await;
    assert!(matches!(error, StoreError::Foreign { .. }));
    let file = file(&dir).display().to_string();
    assert_eq!(
        said,
        format!("{file} is the database of another program; use another data folder")
    );
}

#[tokio::test]
async fn a_file_that_is_no_database_is_left_alone() {
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
        let (error, said) = refused(dir.path()).await;
        assert!(matches!(error, StoreError::Corrupt { .. }), "{said}");
        let file = file(&dir).display().to_string();
        assert_eq!(
            said,
            format!(
                "{file} is damaged (file is not a database); put a copy of it in its place, \
                 or move it away to begin anew"
            )
        );
    }
}

#[tokio::test]
async fn a_file_that_was_cut_short_is_left_alone() {
    let whole = filled().await;
    let bytes = fs::read(file(&whole)).expect("read");
    for length in [100, 4096, 5000, bytes.len() / 2, bytes.len() - 4096] {
        let dir = tempfile::tempdir().expect("a folder");
        fs::write(file(&dir), &bytes[..length]).expect("written");
        let (error, said) = refused(dir.path()).await;
        assert!(
            matches!(error, StoreError::Corrupt { .. }),
            "{length}: {said}"
        );
    }
}

/// What SQLite itself finds wrong with a file.
async fn integrity(path: &Path) -> String {
    let options = SqliteConnectOptions::new().filename(path);
    let mut connection = options.connect().await.expect("opens");
    let found = sqlx::query_scalar("PRAGMA integrity_check(1)")
        .fetch_one(&mut connection)
        .await
        .expect("looked at");
    sqlx::Connection::close(connection).await.expect("closed");
    found
}

/// Nobody plays on in a store that has lost a part of itself.
#[tokio::test]
async fn damage_inside_is_found_before_anything_is_written() {
    let whole = filled().await;
    let bytes = fs::read(file(&whole)).expect("read");
    let mut told = 0;
    for (page, fill) in (0..bytes.len() / 4096).flat_map(|page| [(page, 0xff), (page, 0xa5)]) {
        let dir = tempfile::tempdir().expect("a folder");
        let mut bytes = bytes.clone();
        bytes[page * 4096..(page + 1) * 4096].fill(fill);
        fs::write(file(&dir), &bytes).expect("written");
        match Store::open(dir.path()).await {
            Ok(store) => {
                let games = exported(&store, &GameFilter::default()).await;
                assert_eq!(games.len(), 50);
                played(&store, [person("Ada"), bot("hard")], DRAW).await;
                store.close().await;
                assert_eq!(integrity(&file(&dir)).await, "ok", "page {page}");
            }
            Err(StoreError::Corrupt { .. }) => {
                told += 1;
                let left = contents(dir.path());
                assert_eq!(left.len(), 1, "page {page}: something lies beside it");
                assert!(fs::read(file(&dir)).expect("read") == bytes, "page {page}");
            }
            Err(error) => panic!("page {page}: {error}"),
        }
    }
    assert!(told > 20, "{told}");
}

/// Whatever stands in the header, the store is used, or the file is said to be damaged.
#[tokio::test]
async fn a_damaged_header_is_told() {
    let whole = filled().await;
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
async fn what_cannot_be_in_a_game_is_told() {
    for (change, what) in [
        (
            "UPDATE games SET variant = 'chess' WHERE id = 7",
            "game 7 has the variant \"chess\"",
        ),
        (
            "UPDATE games SET how = 'boredom' WHERE id = 7",
            "game 7 has the end \"boredom\"",
        ),
        (
            "DELETE FROM moves WHERE game = 7 AND ply = 3",
            "game 7 lacks a move",
        ),
        ("UPDATE people SET name = ''", "a player is called \"\""),
    ] {
        let dir = filled().await;
        sql(&file(&dir), change).await;
        let store = open(dir.path()).await;
        let export = store.export(&GameFilter::default()).await.expect("numbers");
        let error = export.collect().await.expect_err("told");
        assert!(matches!(error, StoreError::Corrupt { .. }), "{error}");
        assert!(error.to_string().contains(what), "{error}");
    }
    let dir = filled().await;
    sql(&file(&dir), "UPDATE moves SET text = 'b2' WHERE game = 7").await;
    let store = open(dir.path()).await;
    let said = format!(
        "{} is damaged (game 7: move 2: b2 is taken; another program may have written that); \
         put a copy of it in its place, or move it away to begin anew",
        file(&dir).display()
    );
    let export = store.export(&GameFilter::default()).await.expect("numbers");
    let exported = export.collect().await;
    assert_eq!(exported.expect_err("told").to_string(), said);
    let read = store.game(GameId(7)).await;
    assert_eq!(read.expect_err("told").to_string(), said);
    assert!(store.game(GameId(8)).await.is_ok());
}

#[tokio::test]
async fn what_is_in_the_way_is_named() {
    let dir = tempfile::tempdir().expect("a folder");
    let blocked = dir.path().join("notes.txt");
    fs::write(&blocked, "no folder").expect("written");
    for data in [blocked.clone(), blocked.join("deeper").join("down")] {
        let before = contents(dir.path());
        let error = Store::open(&data).await.expect_err("refused").to_string();
        let said = format!(
            "{} is not a folder; use another data folder",
            blocked.display()
        );
        assert_eq!(error, said);
        assert!(contents(dir.path()) == before);
    }
    let dir = tempfile::tempdir().expect("a folder");
    fs::create_dir(file(&dir)).expect("made");
    let (_, said) = refused(dir.path()).await;
    let path = file(&dir).display().to_string();
    assert_eq!(
        said,
        format!("{path} is not a file; use another data folder")
    );
}

/// Whatever the system would say, the sentence names the place and what can be done.
#[cfg(unix)]
#[tokio::test]
async fn odd_places_are_named() {
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

    let nowhere = "is a link that leads nowhere; mend or remove it, or use another data folder";
    let no_folder = "is not a folder; use another data folder";
    for (data, path, said) in [
        ("dangling", "dangling", nowhere),
        ("dangling/deeper", "dangling", nowhere),
        ("loop", "loop", nowhere),
        ("running", "running/running", no_folder),
        ("linked", "linked/noughts.db", nowhere),
        ("looped", "looped/noughts.db", nowhere),
        (
            "piped",
            "piped/noughts.db",
            "is not a file; use another data folder",
        ),
        ("/dev/null", "/dev/null", no_folder),
        ("/dev/null/deeper", "/dev/null", no_folder),
    ] {
        let error = Store::open(&at(data)).await.expect_err("refused");
        assert_eq!(error.to_string(), format!("{} {said}", at(path).display()));
    }
    assert!(!at("missing").exists());
}

/// The link of somebody who keeps the file elsewhere.
#[cfg(unix)]
#[tokio::test]
async fn a_file_may_be_elsewhere() {
    let dir = tempfile::tempdir().expect("a folder");
    let elsewhere = tempfile::tempdir().expect("a folder");
    let target = elsewhere.path().join("mine.db");
    std::os::unix::fs::symlink(&target, file(&dir)).expect("made");
    for _ in 0..2 {
        let store = open(dir.path()).await;
        begin(&store, [person("Ada"), bot("easy")]).await;
        store.close().await;
    }
    assert!(target.is_file());
}

#[cfg(target_os = "linux")]
#[tokio::test]
async fn a_path_that_is_not_utf_8_is_refused() {
    use std::os::unix::ffi::OsStrExt;
    let dir = tempfile::tempdir().expect("a folder");
    let odd = std::ffi::OsStr::from_bytes(b"caf\xe9");
    for data in [dir.path().join(odd), dir.path().join(odd).join("deeper")] {
        let error = Store::open(&data).await.expect_err("refused");
        let said = format!(
            "the path {} is not written in UTF-8, which the database needs; use another data folder",
            data.display()
        );
        assert_eq!(error.to_string(), said);
    }
    assert!(contents(dir.path()).is_empty());
}

/// Nothing is lost where a file was begun but nothing written.
#[tokio::test]
async fn an_empty_file_is_a_store_to_be() {
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
async fn odd_folders_are_folders() {
    let dir = tempfile::tempdir().expect("a folder");
    for odd in ["file:x?mode=memory", "a b/c%20d", "ü#ñ", ":memory:"] {
        let data = dir.path().join(odd);
        begin(&open(&data).await, [person("Ada"), bot("easy")]).await;
        assert!(data.join("noughts.db").is_file());
        assert_eq!(
            open(&data).await.all_players().await.expect("read").len(),
            1
        );
    }
}
