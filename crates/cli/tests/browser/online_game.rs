//! Two players with an invite link, a spectator, and connections that break.

use crate::page::{Driver, Page};
use crate::server::{Proxy, Server};
use crate::wait_for_moves;

/// Opens the invite link and joins the game as Bob.
async fn join(page: &Page, proxy: &Proxy, path: &str) {
    page.goto(proxy.address(), path).await;
    page.click("#join [name=name]").await;
    for letter in ["B", "o", "b"] {
        page.press_keys(&[letter]).await;
    }
    page.press_keys(&["Enter"]).await;
    page.wait_until(
        "location.pathname.startsWith('/games/') && document.querySelector('#board svg')",
    )
    .await;
}

/// Creates a game as Ada. Returns the path of its invite link.
async fn invite(page: &Page, proxy: &Proxy) -> String {
    let fields = "variant=classic&p1-kind=human&p1-name=Ada&starts=first";
    page.goto(proxy.address(), &format!("/new?{fields}")).await;
    page.click("[data-action=create-game][value=invite]").await;
    let link = page
        .wait_until("/\\/join\\/[0-9a-f]{32}\\/[0-9a-f]+/.exec(document.querySelector('#invite').innerHTML)?.[0]")
        .await;
    link.as_str().expect("a link").to_owned()
}

async fn is_turn_of(page: &Page, side: &str) {
    page.wait_until(&format!(
        "document.querySelector('#board svg').dataset.side === '{side}'"
    ))
    .await;
}

#[tokio::test]
async fn two_players_and_a_spectator() {
    let server = Server::start("link");
    let proxies = [(); 3].map(|()| Proxy::new(server.address()));
    let driver = Driver::start();
    let ada = driver.open(1200, 900).await;
    let bob = driver.open(360, 740).await;
    let eve = driver.open(1200, 900).await;
    let link = invite(&ada, &proxies[0]).await;
    // Nobody can move before the opponent has joined.
    ada.click("#c-b2").await;
    join(&bob, &proxies[1], &link).await;
    let game = bob.path().await;
    eve.goto(proxies[2].address(), &game).await;
    wait_for_moves(&ada, 0).await;
    ada.wait_until("document.querySelector('#panel-o').innerText.includes('Bob')")
        .await;

    ada.click("#c-a1").await;
    for page in [&ada, &bob, &eve] {
        wait_for_moves(page, 1).await;
    }
    // A spectator can't move, nor can Ada move twice.
    eve.click("#c-b2").await;
    ada.click("#c-b2").await;
    bob.click("#c-c3").await;
    for page in [&ada, &bob, &eve] {
        wait_for_moves(page, 2).await;
        let made = page.game().await["moves"].clone();
        assert_eq!(made, serde_json::json!(["a1", "c3"]));
    }

    // Ada moves while Bob is disconnected. He is told that he is offline, and then sees the move.
    proxies[1].disconnect();
    ada.click("#c-a2").await;
    wait_for_moves(&ada, 3).await;
    bob.wait_until("!document.querySelector('#offline-banner').hidden")
        .await;
    bob.screenshot("connection-lost").await;
    proxies[1].reconnect();
    bob.wait_until("document.querySelector('#offline-banner').hidden")
        .await;
    wait_for_moves(&bob, 3).await;
    is_turn_of(&bob, "o").await;

    // Bob moves while he is disconnected. The move is made once, later.
    proxies[1].disconnect();
    bob.click("#c-a3").await;
    bob.wait_until("!document.querySelector('#offline-banner').hidden")
        .await;
    wait_for_moves(&ada, 3).await;
    proxies[1].reconnect();
    for page in [&ada, &bob, &eve] {
        wait_for_moves(page, 4).await;
    }

    // Bob leaves the page and gets his seat back when he returns.
    bob.goto(proxies[1].address(), "/players").await;
    bob.goto(proxies[1].address(), &game).await;
    ada.click("#c-b1").await;
    for page in [&ada, &bob, &eve] {
        wait_for_moves(page, 5).await;
    }
    bob.click("#c-b2").await;
    for page in [&ada, &bob, &eve] {
        wait_for_moves(page, 6).await;
        let made = page.game().await["moves"].clone();
        assert_eq!(
            made,
            serde_json::json!(["a1", "c3", "a2", "a3", "b1", "b2"])
        );
    }
    for page in [ada, bob, eve] {
        page.close().await;
    }
}
