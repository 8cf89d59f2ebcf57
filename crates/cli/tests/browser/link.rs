//! Two people by a link, a spectator, and connections that break.

use crate::moves;
use crate::page::{Driver, Page};
use crate::server::{Cord, Server};

/// The invited friend: the link is opened and the seat taken under a name.
async fn join(page: &Page, cord: &Cord, path: &str) {
    page.go(cord.address(), path).await;
    page.click("#join [name=name]").await;
    for letter in ["B", "o", "b"] {
        page.keys(&[letter]).await;
    }
    page.keys(&["Enter"]).await;
    page.until("location.pathname.startsWith('/games/') && document.querySelector('#board svg')")
        .await;
}

/// A game that Ada has made and shares by a link; its path.
async fn invite(page: &Page, cord: &Cord) -> String {
    let fields = "variant=classic&p1-kind=person&p1-name=Ada&starts=first";
    page.go(cord.address(), &format!("/new?{fields}")).await;
    page.click("[data-do=make][value=invite]").await;
    let link = page
        .until("/\\/join\\/[0-9a-f]{32}\\/[0-9a-f]+/.exec(document.querySelector('#link').innerHTML)?.[0]")
        .await;
    link.as_str().expect("a link").to_owned()
}

async fn is_turn_of(page: &Page, side: &str) {
    page.until(&format!(
        "document.querySelector('#board svg').dataset.side === '{side}'"
    ))
    .await;
}

#[tokio::test]
async fn two_people_and_a_spectator() {
    let server = Server::start("link");
    let cords = [(); 3].map(|()| Cord::to(server.address()));
    let driver = Driver::start();
    let ada = driver.open(1200, 900).await;
    let bob = driver.open(360, 740).await;
    let eve = driver.open(1200, 900).await;
    let link = invite(&ada, &cords[0]).await;
    // Nobody can move before the friend is there.
    ada.click("#c-b2").await;
    join(&bob, &cords[1], &link).await;
    let game = bob.path().await;
    eve.go(cords[2].address(), &game).await;
    moves(&ada, 0).await;
    ada.until("document.querySelector('#panel-o').innerText.includes('Bob')")
        .await;

    ada.click("#c-a1").await;
    for page in [&ada, &bob, &eve] {
        moves(page, 1).await;
    }
    // Whoever only looks on cannot move, nor can Ada twice.
    eve.click("#c-b2").await;
    ada.click("#c-b2").await;
    bob.click("#c-c3").await;
    for page in [&ada, &bob, &eve] {
        moves(page, 2).await;
        let made = page.game().await["moves"].clone();
        assert_eq!(made, serde_json::json!(["a1", "c3"]));
    }

    // Bob's connection is cut; Ada moves meanwhile. He is told, and then sees it.
    cords[1].cut();
    ada.click("#c-a2").await;
    moves(&ada, 3).await;
    bob.until("!document.querySelector('#net').hidden").await;
    bob.picture("connection-lost").await;
    cords[1].mend();
    bob.until("document.querySelector('#net').hidden").await;
    moves(&bob, 3).await;
    is_turn_of(&bob, "o").await;

    // The other order: Bob moves while he is cut off, and it is made once, later.
    cords[1].cut();
    bob.click("#c-a3").await;
    bob.until("!document.querySelector('#net').hidden").await;
    moves(&ada, 3).await;
    cords[1].mend();
    for page in [&ada, &bob, &eve] {
        moves(page, 4).await;
    }

    // A closed tab is opened again into the seat.
    bob.go(cords[1].address(), "/players").await;
    bob.go(cords[1].address(), &game).await;
    ada.click("#c-b1").await;
    for page in [&ada, &bob, &eve] {
        moves(page, 5).await;
    }
    bob.click("#c-b2").await;
    for page in [&ada, &bob, &eve] {
        moves(page, 6).await;
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
