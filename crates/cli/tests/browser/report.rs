//! The arena's report, opened from the disk: its replay by mouse and keys.

use std::path::Path;
use std::process::{Command, Stdio};

use crate::page::{Driver, Page};

/// Runs the arena with its data in a folder.
fn arena(dir: &Path, words: &[&str]) {
    let status = Command::new(env!("CARGO_BIN_EXE_noughts"))
        .arg("arena")
        .args(words)
        .current_dir(dir)
        .env("NOUGHTS_DATA", dir.join("data"))
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status();
    assert!(status.expect("the program runs").success(), "{words:?}");
}

/// The report of a small tournament at this game.
async fn report(page: &Page, dir: &Path, game: &str) {
    let bots = ["random", "easy", "medium"];
    let words = [
        &["tournament", game][..],
        &bots,
        &["--games", "10", "--nodes", "10"],
    ];
    arena(dir, &words.concat());
    arena(dir, &["report", "--html", "report.html"]);
    page.file(&dir.join("report.html")).await;
}

/// How many moves are made on the board that is shown.
async fn ply(page: &Page) -> u64 {
    let said = page.text("#say").await;
    let number = said.split(' ').next().and_then(|word| word.parse().ok());
    number.unwrap_or_else(|| panic!("{said}"))
}

/// The keys that the page names work after a game was chosen and after every button, also
/// when the button has nothing left to do.
#[tokio::test]
async fn the_keys_of_the_replay_work_wherever_one_clicked() {
    let dir = tempfile::tempdir().expect("a folder");
    let driver = Driver::start();
    let page = driver.open(1440, 900).await;
    report(&page, dir.path(), "ultimate").await;
    let last = "#list tr:last-child td:nth-child(3)";
    for chosen in [
        "#list tr:nth-child(2) button",
        "#list tr:nth-child(3) td:nth-child(3)",
    ] {
        page.click(chosen).await;
        page.keys(&["ArrowRight", "ArrowRight"]).await;
        assert_eq!(ply(&page).await, 2, "{chosen}");
    }
    page.keys(&["End"]).await;
    let all = ply(&page).await;
    assert!(all > 2);
    page.keys(&["Home"]).await;
    assert_eq!(ply(&page).await, 0);
    for (button, key, at) in [
        ("#last", "ArrowLeft", all - 1),
        ("#first", "ArrowRight", 1),
        ("#next", "ArrowRight", 3),
        ("#back", "ArrowLeft", 1),
        ("#moves li:nth-child(4) button", "ArrowRight", 5),
        ("#board", "ArrowRight", 6),
    ] {
        page.click(button).await;
        page.keys(&[key]).await;
        assert_eq!(ply(&page).await, at, "{button}");
    }
    // On to the next page of the list, and the keys go with it.
    page.click(last).await;
    let title = page.text("#game-title").await;
    page.keys(&["ArrowDown", "ArrowRight"]).await;
    assert_ne!(page.text("#game-title").await, title);
    assert_eq!(
        (ply(&page).await, page.text("#page").await.as_str()),
        (1, "2 of 2")
    );
    // A list of choices keeps its keys.
    page.ask("document.querySelector('#filters select').focus()")
        .await;
    page.keys(&["ArrowRight"]).await;
    assert_eq!(ply(&page).await, 1);
    page.close().await;
}

/// Boards have their letters, and at the end the line is marked; nothing is wider than the
/// window, and what scrolls says so.
#[tokio::test]
async fn boards_are_lettered_and_lines_marked() {
    let driver = Driver::start();
    let page = driver.open(1440, 900).await;
    for (game, letters) in [("ultimate", 90), ("classic", 6), ("ception:depth=3", 90)] {
        let dir = tempfile::tempdir().expect("a folder");
        report(&page, dir.path(), game).await;
        let count = page
            .ask("document.querySelectorAll('#board text').length")
            .await;
        assert_eq!(count, letters, "{game}");
        let lines = page
            .ask("[...document.querySelectorAll('#list tr')].filter(row => row.innerText.includes('a line')).length")
            .await;
        assert_ne!(lines, 0, "{game}: no game was won");
        page.ask("[...document.querySelectorAll('#list tr')].find(row => row.innerText.includes('a line')).click()")
            .await;
        page.keys(&["End"]).await;
        let marked = page
            .ask("document.querySelectorAll('#board .won').length")
            .await;
        assert!(marked.as_u64() >= Some(3), "{game}: {marked}");
        page.size(390, 844, true).await;
        let wide = page.ask("document.documentElement.scrollWidth").await;
        assert_eq!(wide, 390, "{game}");
        page.until("document.querySelector('#standings .more').offsetParent")
            .await;
        page.size(1440, 900, false).await;
    }
    page.close().await;
}
