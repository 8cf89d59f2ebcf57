//! The review of a game: the move list follows the position, the best line belongs to the position, and results are saved.

use serde_json::Value;

use crate::page::{Driver, Page};
use crate::server::Server;
use crate::{start_game, wait_for_moves};

const PLAYERS: &str = "p1-kind=human&p1-name=Ada&p2-kind=human&p2-name=Bob&starts=first";

/// The entries of the review, from the API.
async fn fetch_review(page: &Page) -> Vec<Value> {
    let id = page.path().await;
    let text = page
        .await_promise(&format!(
            "fetch('/api/v1{id}/review').then(answer => answer.text())"
        ))
        .await;
    let text = text.as_str().expect("lines").to_owned();
    let lines = text.lines().map(serde_json::from_str);
    lines.collect::<Result<_, _>>().expect("JSON")
}

#[tokio::test]
async fn a_review_follows_the_moves_and_is_saved() {
    let server = Server::start("review");
    let driver = Driver::start();
    let page = driver.open(1200, 700).await;
    start_game(&page, &server, &format!("variant=mnk:6,6,5&{PLAYERS}")).await;
    let played = "a1 a2 b1 b2 c2 c1 d3 e1 e2 d2 a3 a4 b4 b3 c3 c4 d5 d4 e4 e5 a5 a6 b6 b5 c5 c6 f1 f2 f3 f4 d6 e6 f6 f5";
    let played: Vec<&str> = played.split(' ').collect();
    for (made, cell) in played.iter().enumerate() {
        page.click(&format!("#c-{cell}")).await;
        wait_for_moves(&page, made + 1).await;
    }
    page.click("[data-action=resign]").await;
    page.click("#resign-content [data-action=resign-now]").await;
    page.wait_until("document.querySelector('#dialog-game-over').open")
        .await;
    page.click("#game-over [data-action=review]").await;
    page.wait_until("!document.querySelector('#review-progress').hidden")
        .await;
    // Analyses have the lowest priority and take long next to other work, so wait as long as there is progress.
    let mut progress = Value::Null;
    while progress != "done" {
        let next = format!(
            "(() => {{ const {{hidden}} = document.querySelector('#review-progress');
                 const at = hidden ? 'done' : document.querySelector('#review-progress progress').value;
                 return at !== {progress} && at; }})()"
        );
        progress = page.wait_until(&next).await;
    }
    // The current move is always visible in its box.
    let in_sight = "(() => { const at = document.querySelector('#moves [aria-current]');
        const [a, b] = [at, at?.closest('.move-box')].map(e => e?.getBoundingClientRect());
        return at && a.top >= b.top - 1 && a.bottom <= b.bottom + 1 && Number(at.dataset.ply); })()";
    let mut lines = std::collections::BTreeSet::new();
    for ply in [1, 2, 3, 12, 30, 4] {
        page.click(&format!("#plot .point[data-ply='{ply}']")).await;
        page.wait_until(&format!("({in_sight}) === {ply}")).await;
        let line = page.text("#best-line").await;
        let first = line.trim_start_matches("Best line: ").split(' ').next();
        let first = first.unwrap_or_default();
        assert!(!played[..ply].contains(&first), "after {ply} moves: {line}");
        lines.insert(line);
    }
    assert!(
        lines.len() > 3,
        "each position has a line of its own: {lines:?}"
    );
    // The saved review has one entry per position, and is the same when it is read again.
    let saved = fetch_review(&page).await;
    assert_eq!(saved.len(), played.len() + 1);
    assert_eq!(saved, fetch_review(&page).await);
    page.close().await;
}
