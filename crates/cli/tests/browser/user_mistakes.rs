//! User mistakes: a wrong number in a form, a tap in the wrong place, a double click, a late key, the
//! back button. None of them has an effect that would have to be undone.

use serde_json::json;

use crate::page::{Driver, Page, Point};
use crate::server::Server;
use crate::{start_game, wait_for_moves};

const PLAYERS: &str = "p1-kind=human&p1-name=Ada&p2-kind=human&p2-name=Bob&starts=first";

/// Replaces the text of a field.
async fn type_into(page: &Page, field: &str, text: &str) {
    page.evaluate(&format!(
        "(field => {{ field.focus(); field.select(); }})(document.querySelector({field:?}))"
    ))
    .await;
    page.press_keys(&["Backspace"]).await;
    for letter in text.split("").filter(|letter| !letter.is_empty()) {
        page.press_keys(&[letter]).await;
    }
}

#[tokio::test]
async fn invalid_rules_start_no_game() {
    let server = Server::start("wrong-rules");
    let driver = Driver::start();
    let page = driver.open(1200, 900).await;
    page.goto(server.address(), "/new?variant=classic").await;
    page.evaluate("(document.querySelector('details').open = true)")
        .await;
    for wrong in ["5", "", "2.5"] {
        type_into(&page, "#option-line", wrong).await;
        page.click("#create-here").await;
        page.wait_until(
            "document.querySelector('.form-error').textContent.startsWith('“In a row”')",
        )
        .await;
        page.wait_until("document.activeElement.id === 'option-line'")
            .await;
        assert_eq!(page.path().await, "/new", "{wrong:?} started a game");
    }
    // Late responses don't overwrite what was typed in the meantime.
    page.evaluate(
        "(window.fetch = (now => (...asked) =>
            new Promise(done => setTimeout(done, 350)).then(() => now(...asked)))(window.fetch))",
    )
    .await;
    for (field, text) in [("columns", "12"), ("rows", "11"), ("line", "5")] {
        type_into(&page, &format!("#option-{field}"), text).await;
    }
    type_into(&page, "#p1-name", "Grace").await;
    page.wait_until(
        "document.querySelector('.selected-game h2').textContent === '5 in a row on 12×11'",
    )
    .await;
    let written = page
        .evaluate("['#option-columns', '#option-rows', '#option-line', '#p1-name'].map(id => document.querySelector(id).value)")
        .await;
    assert_eq!(written, json!(["12", "11", "5", "Grace"]));
    // The links to other games keep the players.
    page.wait_until("[...document.querySelectorAll('a.chip')].every(chip => chip.href.includes('p1-name=Grace'))")
        .await;
    // The inviting player has to be a human, and the page says so before the game is created.
    page.click("label[for=p1-computer]").await;
    page.click("#create-invite").await;
    page.wait_until("document.querySelector('#p1-human').checked && document.querySelector('.start-message').textContent")
        .await;
    assert_eq!(page.path().await, "/new");
    page.close().await;
}

/// Presses the mouse button, moves the mouse, and doesn't release it yet.
async fn press_and_move(page: &Page, from: Point, to: Point) {
    page.mouse_event("mouseMoved", from, false).await;
    page.mouse_event("mousePressed", from, true).await;
    for part in [0.3, 0.6, 1.0] {
        let step = |a: f64, b: f64| a + (b - a) * part;
        page.mouse_event("mouseMoved", (step(from.0, to.0), step(from.1, to.1)), true)
            .await;
    }
}

#[tokio::test]
async fn a_held_piece_stays_held_or_goes_back() {
    let server = Server::start("in-hand");
    let driver = Driver::start();
    let page = driver.open(1200, 900).await;
    start_game(&page, &server, &format!("variant=tic-tac-two&{PLAYERS}")).await;
    // The first piece is dragged from the player's panel.
    let hand = page.center_of("#panel-x .reserve svg").await;
    let cell = page.center_of("#c-c3").await;
    page.drag(hand, cell).await;
    wait_for_moves(&page, 1).await;
    for (made, cell) in ["b2", "d4", "b4"].into_iter().enumerate() {
        page.click(&format!("#c-{cell}")).await;
        wait_for_moves(&page, made + 2).await;
    }
    // A cell outside the grid, then an occupied one: the piece is still held.
    page.click("#c-c3").await;
    for wrong in ["#c-a1", "#c-b2"] {
        page.click(wrong).await;
        page.wait_until(
            "document.querySelector('#status .notice.error') && document.querySelector('.preview .held')",
        )
        .await;
    }
    page.click("#c-d3").await;
    wait_for_moves(&page, 5).await;
    // The grid by its handle: to an illegal cell, then to a legal one.
    page.click(".drag-target").await;
    page.click("#c-a5").await;
    page.wait_until("document.querySelector('#status .notice.error')")
        .await;
    page.click("#c-c4").await;
    wait_for_moves(&page, 6).await;
    // Drags that have no effect: canceled by Escape, dropped far away, and of an opponent's piece.
    let grip = page.center_of(".drag-target").await;
    press_and_move(&page, grip, (grip.0, grip.1 - 90.0)).await;
    page.wait_until("document.querySelector('.grid').hasAttribute('transform')")
        .await;
    page.press_keys(&["Escape"]).await;
    page.mouse_event("mouseReleased", (grip.0, grip.1 - 90.0), false)
        .await;
    press_and_move(&page, grip, (20.0, 880.0)).await;
    page.mouse_event("mouseReleased", (20.0, 880.0), false)
        .await;
    let other = page.center_of("#c-b4").await;
    press_and_move(&page, other, (other.0, other.1 - 90.0)).await;
    page.mouse_event("mouseReleased", (other.0, other.1 - 90.0), false)
        .await;
    page.click("#c-c3").await;
    wait_for_moves(&page, 7).await;
    assert_eq!(
        page.game().await["moves"],
        json!(["c3", "b2", "d4", "b4", "c3-d3", "@c4", "c3"])
    );
    page.close().await;
}

async fn double_click(page: &Page, position: Point) {
    for _ in 0..2 {
        page.mouse_event("mousePressed", position, true).await;
        page.mouse_event("mouseReleased", position, false).await;
    }
}

#[tokio::test]
async fn a_double_click_counts_once() {
    let server = Server::start("double");
    let driver = Driver::start();
    let page = driver.open(1200, 900).await;
    start_game(
        &page,
        &server,
        &format!("variant=ception:depth=4&{PLAYERS}"),
    )
    .await;
    let is_shown =
        |path: &str| format!("document.querySelector('#board svg').dataset.path === {path:?}");
    // Each click zooms in by one level; at the level of cells it makes a move.
    let middle = page.center_of("#board svg").await;
    for path in ["4", "4.4"] {
        double_click(&page, middle).await;
        page.wait_until(&is_shown(path)).await;
        // Clicks are ignored shortly after the view has changed.
        page.wait_until("performance.now() - (window.since ??= performance.now()) > 450")
            .await;
        page.evaluate("(window.since = null)").await;
        wait_for_moves(&page, 0).await;
    }
    double_click(&page, middle).await;
    wait_for_moves(&page, 1).await;
    assert_eq!(page.game().await["moves"], json!(["eeee"]));
    // Zoom out of the target board, and return with the button.
    page.click("#breadcrumbs [data-path='']").await;
    page.wait_until(&is_shown("")).await;
    page.click("#breadcrumbs .next-board-button").await;
    page.wait_until(&is_shown("4.4")).await;
    page.wait_until("document.querySelector('#live-region').textContent.includes('board ee')")
        .await;
    page.close().await;
}

#[tokio::test]
async fn late_keys_and_the_back_button_after_a_game() {
    let server = Server::start("way-back");
    let driver = Driver::start();
    let page = driver.open(1200, 900).await;
    start_game(&page, &server, &format!("variant=classic&{PLAYERS}")).await;
    for (made, cell) in ["a1", "b1", "a2"].into_iter().enumerate() {
        page.click(&format!("#c-{cell}")).await;
        wait_for_moves(&page, made + 1).await;
    }
    // A click on a past position offers to return to the current one.
    page.click("#ply-1").await;
    page.wait_until("document.querySelector('#ply-1[aria-current]')")
        .await;
    page.click("#c-c3").await;
    page.click("#status button[data-ply='3']").await;
    page.wait_until("document.querySelector('#ply-3[aria-current]')")
        .await;
    // A late Enter neither resigns nor starts a game.
    page.press_keys(&["x"]).await;
    page.wait_until("document.querySelector('#dialog-resign').open")
        .await;
    page.press_keys(&["Enter", "Escape"]).await;
    // The analysis is turned on, after a question, and off.
    page.press_keys(&["a"]).await;
    page.wait_until("document.querySelector('#dialog-unrated-analyze').open")
        .await;
    page.click("#dialog-unrated-analyze [data-action=assist]")
        .await;
    page.wait_until("document.querySelector('#tints').children.length")
        .await;
    page.press_keys(&["a"]).await;
    page.wait_until("document.querySelector('#analysis').hidden && !document.querySelector('#tints').children.length")
        .await;
    for (made, cell) in ["b2", "a3"].into_iter().enumerate() {
        page.click(&format!("#c-{cell}")).await;
        wait_for_moves(&page, made + 4).await;
    }
    page.wait_until("document.querySelector('#dialog-game-over').open")
        .await;
    let first = page.path().await;
    page.press_keys(&["Enter"]).await;
    page.wait_until("document.activeElement.id === 'game-over-title'")
        .await;
    assert_eq!(page.path().await, first);
    page.click("#game-over [data-action=rematch]").await;
    page.wait_until(&format!("location.pathname !== {first:?}"))
        .await;
    let second = page.path().await;
    // Back, and play again: this opens the rematch that already exists.
    page.evaluate("history.back()").await;
    page.wait_until(&format!(
        "location.pathname === {first:?} && document.querySelector('#button-rematch')"
    ))
    .await;
    page.click("#button-rematch").await;
    page.wait_until(&format!("location.pathname === {second:?}"))
        .await;
    // Reset: a new game with the same players on the same sides.
    page.click("#c-b2").await;
    wait_for_moves(&page, 1).await;
    page.click("#button-reset").await;
    page.click("[data-action=reset-now]").await;
    page.wait_until(&format!(
        "/^.games./.test(location.pathname) && location.pathname !== {second:?}"
    ))
    .await;
    wait_for_moves(&page, 0).await;
    assert!(page.text("#panel-x").await.starts_with("Bob"));
    page.close().await;
}

/// Makes a move on the front page with an event that is dispatched while the page is being parsed. Modules run after that.
async fn play_early(name: &str, event: &str) {
    let server = Server::start(name);
    let driver = Driver::start();
    let page = driver.open(1200, 900).await;
    let script = format!(
        "new MutationObserver((_, seen) => {{
            const cell = document.querySelector('#c-b2 > .cell');
            if (!cell) return;
            seen.disconnect();
            window.early = document.readyState;
            {event}
        }}).observe(document, {{childList: true, subtree: true}});"
    );
    page.on_every_page(&script).await;
    page.goto(server.address(), "/").await;
    wait_for_moves(&page, 2).await;
    assert_eq!(page.evaluate("window.early").await, "loading");
    assert_eq!(page.game().await["moves"][0], "b2");
    page.close().await;
}

/// Guards against clicks that are lost because the modules haven't loaded.
#[tokio::test]
async fn a_click_before_the_scripts_are_ready_is_a_move() {
    let click =
        "cell.dispatchEvent(new MouseEvent('click', {bubbles: true, clientX: 9, clientY: 9}));";
    play_early("early-click", click).await;
}

/// Guards against key presses that are lost because the modules haven't loaded.
#[tokio::test]
async fn a_key_before_the_scripts_are_ready_is_a_move() {
    let key =
        "document.body.dispatchEvent(new KeyboardEvent('keydown', {bubbles: true, key: '5'}));";
    play_early("early-key", key).await;
}

/// Single-letter shortcuts can be turned off, and the setting is saved.
#[tokio::test]
async fn letter_shortcuts_can_be_turned_off() {
    let server = Server::start("letter-keys");
    let driver = Driver::start();
    let page = driver.open(1200, 900).await;
    start_game(&page, &server, &format!("variant=classic&{PLAYERS}")).await;
    page.press_keys(&["?"]).await;
    page.click("#letter-keys").await;
    page.press_keys(&["Escape"]).await;
    page.wait_until("!document.querySelector('dialog[open]')")
        .await;
    page.reload().await;
    page.wait_until("document.querySelector('#letter-keys')?.checked === false")
        .await;
    for letter in ["n", "?", "5", "x"] {
        page.press_keys(&[letter]).await;
    }
    // Named keys still work: the first arrow shows the cursor, Enter makes a move.
    page.press_keys(&["ArrowRight"]).await;
    page.press_keys(&["Enter"]).await;
    wait_for_moves(&page, 1).await;
    assert_eq!(
        page.evaluate("document.querySelector('dialog[open]')")
            .await,
        json!(null)
    );
    assert!(page.path().await.starts_with("/games/"));
    page.close().await;
}
