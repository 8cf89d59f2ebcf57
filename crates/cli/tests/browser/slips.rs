//! What people do without meaning it: a wrong number in a form, a tap beside what was
//! meant, a double click, a key too late, the way back. Nothing happens then that one
//! would have to take back.

use serde_json::json;

use crate::page::{Driver, Page, Point};
use crate::server::Server;
use crate::{begin, moves};

const PEOPLE: &str = "p1-kind=person&p1-name=Ada&p2-kind=person&p2-name=Bob&starts=first";

/// Writes into a field what stands there from then on.
async fn write(page: &Page, field: &str, text: &str) {
    page.ask(&format!(
        "(field => {{ field.focus(); field.select(); }})(document.querySelector({field:?}))"
    ))
    .await;
    page.keys(&["Backspace"]).await;
    for letter in text.split("").filter(|letter| !letter.is_empty()) {
        page.keys(&[letter]).await;
    }
}

#[tokio::test]
async fn rules_that_make_no_game_start_none() {
    let server = Server::start("wrong-rules");
    let driver = Driver::start();
    let page = driver.open(1200, 900).await;
    page.go(server.address(), "/new?variant=classic").await;
    page.ask("(document.querySelector('details').open = true)")
        .await;
    for wrong in ["5", "", "2.5"] {
        write(&page, "#option-line", wrong).await;
        page.click("#make-here").await;
        page.until("document.querySelector('.problem').textContent.startsWith('In a row')")
            .await;
        page.until("document.activeElement.id === 'option-line'")
            .await;
        assert_eq!(page.path().await, "/new", "{wrong:?} started a game");
    }
    // Answers that come late touch nothing of what is written meanwhile.
    page.ask(
        "(window.fetch = (now => (...asked) =>
            new Promise(done => setTimeout(done, 350)).then(() => now(...asked)))(window.fetch))",
    )
    .await;
    for (field, text) in [("columns", "12"), ("rows", "11"), ("line", "5")] {
        write(&page, &format!("#option-{field}"), text).await;
    }
    write(&page, "#p1-name", "Grace").await;
    page.until("document.querySelector('.chosen h2').textContent === '5 in a row on 12×11'")
        .await;
    let written = page
        .ask("['#option-columns', '#option-rows', '#option-line', '#p1-name'].map(id => document.querySelector(id).value)")
        .await;
    assert_eq!(written, json!(["12", "11", "5", "Grace"]));
    // The other games are offered to the same players.
    page.until("[...document.querySelectorAll('a.chip')].every(chip => chip.href.includes('p1-name=Grace'))")
        .await;
    // Who invites is a person, and says so before the game is made.
    page.click("label[for=p1-computer]").await;
    page.click("#make-invite").await;
    page.until("document.querySelector('#p1-person').checked && document.querySelector('.begin-says').textContent")
        .await;
    assert_eq!(page.path().await, "/new");
    page.close().await;
}

/// Presses there, goes elsewhere, and is about to let go.
async fn hold(page: &Page, from: Point, to: Point) {
    page.mouse("mouseMoved", from, false).await;
    page.mouse("mousePressed", from, true).await;
    for part in [0.3, 0.6, 1.0] {
        let step = |a: f64, b: f64| a + (b - a) * part;
        page.mouse("mouseMoved", (step(from.0, to.0), step(from.1, to.1)), true)
            .await;
    }
}

#[tokio::test]
async fn what_is_in_the_hand_stays_there_or_goes_back() {
    let server = Server::start("in-hand");
    let driver = Driver::start();
    let page = driver.open(1200, 900).await;
    begin(&page, &server, &format!("variant=tic-tac-two&{PEOPLE}")).await;
    // The first piece comes from beside the name.
    let hand = page.middle("#panel-x .hand svg").await;
    let cell = page.middle("#c-c3").await;
    page.drag(hand, cell).await;
    moves(&page, 1).await;
    for (made, cell) in ["b2", "d4", "b4"].into_iter().enumerate() {
        page.click(&format!("#c-{cell}")).await;
        moves(&page, made + 2).await;
    }
    // Outside the grid, then where somebody is: the piece is still held.
    page.click("#c-c3").await;
    for wrong in ["#c-a1", "#c-b2"] {
        page.click(wrong).await;
        page.until(
            "document.querySelector('#say .notice') && document.querySelector('.preview .held')",
        )
        .await;
    }
    page.click("#c-d3").await;
    moves(&page, 5).await;
    // The grid by its handle: a place it cannot go to, then one it can.
    page.click(".grip").await;
    page.click("#c-a5").await;
    page.until("document.querySelector('#say .notice')").await;
    page.click("#c-c4").await;
    moves(&page, 6).await;
    // Drags that are thought better of: Esc, far away, and by a piece of the other's.
    let grip = page.middle(".grip").await;
    hold(&page, grip, (grip.0, grip.1 - 90.0)).await;
    page.until("document.querySelector('.glass').hasAttribute('transform')")
        .await;
    page.keys(&["Escape"]).await;
    page.mouse("mouseReleased", (grip.0, grip.1 - 90.0), false)
        .await;
    hold(&page, grip, (20.0, 880.0)).await;
    page.mouse("mouseReleased", (20.0, 880.0), false).await;
    let other = page.middle("#c-b4").await;
    hold(&page, other, (other.0, other.1 - 90.0)).await;
    page.mouse("mouseReleased", (other.0, other.1 - 90.0), false)
        .await;
    page.click("#c-c3").await;
    moves(&page, 7).await;
    assert_eq!(
        page.game().await["moves"],
        json!(["c3", "b2", "d4", "b4", "c3-d3", "@c4", "c3"])
    );
    page.close().await;
}

async fn double(page: &Page, at: Point) {
    for _ in 0..2 {
        page.mouse("mousePressed", at, true).await;
        page.mouse("mouseReleased", at, false).await;
    }
}

#[tokio::test]
async fn a_double_click_is_one() {
    let server = Server::start("double");
    let driver = Driver::start();
    let page = driver.open(1200, 900).await;
    begin(&page, &server, &format!("variant=ception:depth=4&{PEOPLE}")).await;
    let seen =
        |path: &str| format!("document.querySelector('#board svg').dataset.path === {path:?}");
    // One level closer with each, up to where there are cells: the click there plays.
    let middle = page.middle("#board svg").await;
    for path in ["e", "ee"] {
        double(&page, middle).await;
        page.until(&seen(path)).await;
        // Nothing is done so soon after the view has changed.
        page.until("performance.now() - (window.since ??= performance.now()) > 450")
            .await;
        page.ask("(window.since = null)").await;
        moves(&page, 0).await;
    }
    double(&page, middle).await;
    moves(&page, 1).await;
    assert_eq!(page.game().await["moves"], json!(["eeee"]));
    // Away from where one must play, and back by the button that says so.
    page.click("#crumbs [data-path='']").await;
    page.until(&seen("")).await;
    page.click("#crumbs .next-place").await;
    page.until(&seen("ee")).await;
    page.until("document.querySelector('#live').textContent.startsWith('Board ee')")
        .await;
    page.close().await;
}

#[tokio::test]
async fn the_end_and_the_way_back() {
    let server = Server::start("way-back");
    let driver = Driver::start();
    let page = driver.open(1200, 900).await;
    begin(&page, &server, &format!("variant=classic&{PEOPLE}")).await;
    for (made, cell) in ["a1", "b1", "a2"].into_iter().enumerate() {
        page.click(&format!("#c-{cell}")).await;
        moves(&page, made + 1).await;
    }
    // In the past one is told where the game is, and led there.
    page.click("#ply-1").await;
    page.until("document.querySelector('#ply-1[aria-current]')")
        .await;
    page.click("#c-c3").await;
    page.click("#say button[data-ply='3']").await;
    page.until("document.querySelector('#ply-3[aria-current]')")
        .await;
    // A late Enter gives nothing up and begins nothing.
    page.keys(&["x"]).await;
    page.until("document.querySelector('#dialog-resign').open")
        .await;
    page.keys(&["Enter", "Escape"]).await;
    // The analysis comes, and goes.
    page.keys(&["a"]).await;
    page.until("document.querySelector('#tints').children.length")
        .await;
    page.keys(&["a"]).await;
    page.until("document.querySelector('#analysis').hidden && !document.querySelector('#tints').children.length")
        .await;
    for (made, cell) in ["b2", "a3"].into_iter().enumerate() {
        page.click(&format!("#c-{cell}")).await;
        moves(&page, made + 4).await;
    }
    page.until("document.querySelector('#dialog-end').open")
        .await;
    let first = page.path().await;
    page.keys(&["Enter"]).await;
    page.until("document.activeElement.id === 'end-title'")
        .await;
    assert_eq!(page.path().await, first);
    page.click("#end [data-do=again]").await;
    page.until(&format!("location.pathname !== {first:?}"))
        .await;
    let second = page.path().await;
    // Back, and play again: the game that was begun is the one.
    page.ask("history.back()").await;
    page.until(&format!(
        "location.pathname === {first:?} && document.querySelector('#do-again')"
    ))
    .await;
    page.click("#do-again").await;
    page.until(&format!("location.pathname === {second:?}"))
        .await;
    // Reset: the same people on the same sides, and the old game is left.
    page.click("#c-b2").await;
    moves(&page, 1).await;
    page.click("#do-reset").await;
    page.click("[data-do=reset-now]").await;
    page.until(&format!(
        "/^.games./.test(location.pathname) && location.pathname !== {second:?}"
    ))
    .await;
    moves(&page, 0).await;
    assert!(page.text("#panel-x").await.starts_with("Bob"));
    page.close().await;
}

/// Guards clicks that were lost because the modules had not arrived yet. Modules run when the page has been read; the
/// click comes while it is being read.
#[tokio::test]
async fn a_click_before_the_scripts_are_ready_is_a_move() {
    let server = Server::start("early-click");
    let driver = Driver::start();
    let page = driver.open(1200, 900).await;
    let click = "new MutationObserver((_, seen) => {
        const cell = document.querySelector('#c-b2');
        if (!cell) return;
        seen.disconnect();
        window.early = document.readyState;
        cell.dispatchEvent(new MouseEvent('click', {bubbles: true, clientX: 9, clientY: 9}));
    }).observe(document, {childList: true, subtree: true});";
    page.on_every_page(click).await;
    page.go(server.address(), "/").await;
    moves(&page, 2).await;
    assert_eq!(page.ask("window.early").await, "loading");
    page.close().await;
}

/// Single letters can be turned off; the choice is remembered.
#[tokio::test]
async fn letters_do_nothing_once_they_are_turned_off() {
    let server = Server::start("letter-keys");
    let driver = Driver::start();
    let page = driver.open(1200, 900).await;
    begin(&page, &server, &format!("variant=classic&{PEOPLE}")).await;
    page.keys(&["?"]).await;
    page.click("#letter-keys").await;
    page.keys(&["Escape"]).await;
    page.until("!document.querySelector('dialog[open]')").await;
    page.reload().await;
    page.until("document.querySelector('#letter-keys')?.checked === false")
        .await;
    for letter in ["n", "?", "5", "x"] {
        page.keys(&[letter]).await;
    }
    // Keys with names still work: the first arrow shows the cursor, Enter plays.
    page.keys(&["ArrowRight"]).await;
    page.keys(&["Enter"]).await;
    moves(&page, 1).await;
    assert_eq!(
        page.ask("document.querySelector('dialog[open]')").await,
        json!(null)
    );
    assert!(page.path().await.starts_with("/games/"));
    page.close().await;
}
