//! The review of a game: the list follows, the best line is that of the position, and what was found once is saved.

use serde_json::Value;

use crate::page::{Driver, Page};
use crate::server::Server;
use crate::{begin, moves};

const PEOPLE: &str = "p1-kind=person&p1-name=Ada&p2-kind=person&p2-name=Bob&starts=first";

/// The lines of the review, from the API.
async fn reviewed(page: &Page) -> Vec<Value> {
    let id = page.path().await;
    let text = page
        .wait_for(&format!(
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
    begin(&page, &server, &format!("variant=mnk:6,6,5&{PEOPLE}")).await;
    let played = "a1 a2 b1 b2 c2 c1 d3 e1 e2 d2 a3 a4 b4 b3 c3 c4 d5 d4 e4 e5 a5 a6 b6 b5 c5 c6 f1 f2 f3 f4 d6 e6 f6 f5";
    let played: Vec<&str> = played.split(' ').collect();
    for (made, cell) in played.iter().enumerate() {
        page.click(&format!("#c-{cell}")).await;
        moves(&page, made + 1).await;
    }
    page.click("[data-do=resign]").await;
    page.click("#settle [data-do=resign-now]").await;
    page.until("document.querySelector('#dialog-end').open")
        .await;
    page.click("#end [data-do=review]").await;
    page.until("!document.querySelector('#review-progress').hidden")
        .await;
    // Analyses have the system's lowest rank: beside other work they take long, and are waited for while they go on.
    let mut at = Value::Null;
    while at != "done" {
        let next = format!(
            "(() => {{ const {{hidden}} = document.querySelector('#review-progress');
                 const at = hidden ? 'done' : document.querySelector('#review-progress progress').value;
                 return at !== {at} && at; }})()"
        );
        at = page.until(&next).await;
    }
    // From the start on: the move that is shown is in sight in its box.
    let in_sight = "(() => { const at = document.querySelector('#moves [aria-current]');
        const [a, b] = [at, at?.closest('.move-box')].map(e => e?.getBoundingClientRect());
        return at && a.top >= b.top - 1 && a.bottom <= b.bottom + 1 && Number(at.dataset.ply); })()";
    let mut lines = std::collections::BTreeSet::new();
    for ply in [1, 2, 3, 12, 30, 4] {
        page.click(&format!("#plot .point[data-ply='{ply}']")).await;
        page.until(&format!("({in_sight}) === {ply}")).await;
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
    // Saved: every moment comes once, and twice the same.
    let saved = reviewed(&page).await;
    assert_eq!(saved.len(), played.len() + 1);
    assert_eq!(saved, reviewed(&page).await);
    page.close().await;
}
