//! The arena's HTML report, opened from a file: the replay by mouse and keyboard.

use std::path::Path;
use std::process::{Command, Stdio};

use crate::page::{Driver, Page};

/// Runs the arena with its data in this directory.
fn arena(dir: &Path, args: &[&str]) {
    let status = Command::new(env!("CARGO_BIN_EXE_noughts"))
        .arg("arena")
        .args(args)
        .current_dir(dir)
        .env("NOUGHTS_DATA", dir.join("data"))
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status();
    assert!(status.expect("the program runs").success(), "{args:?}");
}

/// Opens the report of a small tournament of this game.
async fn report(page: &Page, dir: &Path, game: &str) {
    let bots = ["random", "easy", "medium"];
    let args = [
        &["tournament", game][..],
        &bots,
        &["--games", "10", "--nodes", "10"],
    ];
    arena(dir, &args.concat());
    arena(dir, &["report", "--html", "report.html"]);
    page.open_file(&dir.join("report.html")).await;
}

/// The ply that the board shows.
async fn ply(page: &Page) -> u64 {
    let text = page.text("#say").await;
    let number = text.split(' ').next().and_then(|word| word.parse().ok());
    number.unwrap_or_else(|| panic!("{text}"))
}

/// The keys of the replay work after selecting a game and after every button, even if the button is
/// now disabled.
#[tokio::test]
async fn the_keys_of_the_replay_work_after_any_click() {
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
        page.press_keys(&["ArrowRight", "ArrowRight"]).await;
        assert_eq!(ply(&page).await, 2, "{chosen}");
    }
    page.press_keys(&["End"]).await;
    let last_ply = ply(&page).await;
    assert!(last_ply > 2);
    page.press_keys(&["Home"]).await;
    assert_eq!(ply(&page).await, 0);
    for (button, key, expected_ply) in [
        ("#last", "ArrowLeft", last_ply - 1),
        ("#first", "ArrowRight", 1),
        ("#next", "ArrowRight", 3),
        ("#back", "ArrowLeft", 1),
        ("#moves li:nth-child(4) button", "ArrowRight", 5),
        ("#board", "ArrowRight", 6),
    ] {
        page.click(button).await;
        page.press_keys(&[key]).await;
        assert_eq!(ply(&page).await, expected_ply, "{button}");
    }
    // To the next page of the list, where the keys work, too.
    page.click(last).await;
    let title = page.text("#game-title").await;
    page.press_keys(&["ArrowDown", "ArrowRight"]).await;
    assert_ne!(page.text("#game-title").await, title);
    assert_eq!(
        (ply(&page).await, page.text("#page").await.as_str()),
        (1, "Page 2 of 2")
    );
    // A select element keeps its own keys.
    page.evaluate("document.querySelector('#filters select').focus()")
        .await;
    page.press_keys(&["ArrowRight"]).await;
    assert_eq!(ply(&page).await, 1);
    page.close().await;
}

/// Boards have labels, winning lines are marked, nothing is wider than the window, and a table that
/// scrolls shows a hint.
#[tokio::test]
async fn boards_have_labels_and_winning_lines() {
    let driver = Driver::start();
    let page = driver.open(1440, 900).await;
    let games = [
        ("ultimate", 9),
        ("connect-four", 7 + 6),
        ("qubic", 4 * (1 + 4 + 4)),
        ("ception:depth=3", 9),
    ];
    for (game, labels) in games {
        let dir = tempfile::tempdir().expect("a folder");
        report(&page, dir.path(), game).await;
        let count = page
            .evaluate("document.querySelectorAll('#board :is(.label, .heading)').length")
            .await;
        assert_eq!(count, labels, "{game}");
        assert!(page.text(".letters").await.contains(" to "), "{game}");
        let lines = page
            .evaluate("[...document.querySelectorAll('#list tr')].filter(row => row.innerText.includes('line')).length")
            .await;
        assert_ne!(lines, 0, "{game}: no game was won");
        page.evaluate("[...document.querySelectorAll('#list tr')].find(row => row.innerText.includes('line')).click()")
            .await;
        page.press_keys(&["End"]).await;
        let marked = page
            .evaluate("document.querySelectorAll('#board .won').length")
            .await;
        assert!(marked.as_u64() >= Some(3), "{game}: {marked}");
        page.set_size(390, 844, true).await;
        let wide = page.evaluate("document.documentElement.scrollWidth").await;
        assert_eq!(wide, 390, "{game}");
        page.wait_until("document.querySelector('#standings .more').offsetParent")
            .await;
        page.set_size(1440, 900, false).await;
    }
    page.close().await;
}
