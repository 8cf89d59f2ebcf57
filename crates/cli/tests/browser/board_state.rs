//! What a board keeps when it is redrawn, such as the cursor, and what it forgets, such as a hint.

use crate::page::{Driver, Page};
use crate::server::Server;
use crate::{start_game, wait_for_moves};

const PLAYERS: &str = "p1-kind=human&p1-name=Ada&p2-kind=human&p2-name=Bob&starts=first";

const FOCUSED_CELL: &str = "document.activeElement?.dataset.cell";

async fn focus_cell(page: &Page, selector: &str) {
    page.wait_until(&format!("document.querySelector({selector:?})"))
        .await;
    page.evaluate(&format!("document.querySelector({selector:?}).focus()"))
        .await;
}

/// Guards against a cursor that returns to the center after each move.
#[tokio::test]
async fn the_cursor_stays_where_the_last_move_was() {
    let server = Server::start("cursor");
    let driver = Driver::start();
    let page = driver.open(1200, 900).await;
    for variant in ["mnk:15,15,5", "connect-four"] {
        start_game(&page, &server, &format!("variant={variant}&{PLAYERS}")).await;
        // The first key focuses the cursor.
        page.press_keys(&["ArrowRight", "ArrowRight", "ArrowRight", "ArrowDown"])
            .await;
        let cell = page.wait_until(FOCUSED_CELL).await;
        page.press_keys(&["Enter"]).await;
        wait_for_moves(&page, 1).await;
        assert_eq!(page.evaluate(FOCUSED_CELL).await, cell, "{variant}");
    }
    page.close().await;
}

/// Guards against examples of rules that stop listening to keys after one move.
#[tokio::test]
async fn a_rule_example_is_played_by_keys() {
    let server = Server::start("example-keys");
    let driver = Driver::start();
    let page = driver.open(1200, 900).await;
    page.goto(server.address(), "/rules/classic").await;
    let legal = ".example .cell[data-legal]";
    page.wait_until("document.querySelector('.example .example-tools')")
        .await;
    page.center_of(legal).await;
    let count = format!("document.querySelectorAll({legal:?}).length");
    let before = page.wait_until(&count).await;
    focus_cell(&page, legal).await;
    page.press_keys(&["Enter"]).await;
    page.wait_until(&format!("{count} < {before}")).await;
    page.wait_until("document.activeElement.closest('.example .board-frame') != null")
        .await;
    page.close().await;
}

/// Guards against the hint of one position on the board of another.
#[tokio::test]
async fn a_hint_belongs_to_its_position() {
    let server = Server::start("hint-position");
    let driver = Driver::start();
    let page = driver.open(1200, 900).await;
    start_game(&page, &server, &format!("variant=tic-tac-two&{PLAYERS}")).await;
    for (made, cell) in ["b2", "c2"].into_iter().enumerate() {
        page.click(&format!("#c-{cell}")).await;
        wait_for_moves(&page, made + 1).await;
    }
    let hint = "document.querySelector('.preview .hint')";
    page.press_keys(&["t"]).await;
    page.wait_until(&format!("{hint} || document.querySelector('dialog[open]')"))
        .await;
    if page.evaluate(hint).await.is_null() {
        page.click("dialog[open] [data-assistance=hint]").await;
        page.wait_until(hint).await;
    }
    page.press_keys(&["PageUp"]).await;
    page.wait_until(&format!("!{hint}")).await;
    page.close().await;
}

/// Guards against a prompt with its button that disappears while a piece is still picked up.
#[tokio::test]
async fn a_piece_in_hand_can_always_be_put_back() {
    let server = Server::start("held-piece");
    let driver = Driver::start();
    let page = driver.open(1200, 900).await;
    start_game(&page, &server, &format!("variant=gobblers&{PLAYERS}")).await;
    page.click("button.reserve[data-side=x]:enabled").await;
    let cancel = "document.querySelector('#status .notice button')";
    let held = "document.querySelector('button.reserve[aria-pressed=true]')";
    page.wait_until(&format!("{cancel} && {held}")).await;
    page.click("header").await;
    assert!(!page.evaluate(cancel).await.is_null(), "no way to cancel");
    page.click("#status .notice button").await;
    page.wait_until(&format!("!{cancel} && !{held}")).await;
    // A piece that is dropped where it was isn't asked about either.
    let from = page.center_of("button.reserve[data-side=x]:enabled").await;
    page.drag(from, (from.0 + 20.0, from.1 + 4.0)).await;
    page.wait_until(&format!("!{cancel} && !{held}")).await;
    page.close().await;
}

/// Guards against digits that choose other cells than those of a numeric keypad.
#[tokio::test]
async fn digits_are_not_used_in_large_frames() {
    let server = Server::start("large-frame");
    let driver = Driver::start();
    let page = driver.open(1200, 900).await;
    let variant = "variant=tic-tac-two:board=7,grid=5";
    start_game(&page, &server, &format!("{variant}&{PLAYERS}")).await;
    page.press_keys(&["5"]).await;
    page.wait_until("document.querySelector('#status .notice')")
        .await;
    assert_eq!(page.game().await["moves"], serde_json::json!([]));
    page.close().await;
}
