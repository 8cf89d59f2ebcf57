//! The web pages in a real browser: whole games by mouse, touch and keyboard, two players and a
//! spectator, connections that break, a server that is killed, and how the pages look.

mod appearance;
mod board_state;
mod killed_server;
mod online_game;
mod page;
mod report;
mod review;
mod server;
mod user_mistakes;
mod whole_games;

use page::Page;
use server::Server;

/// Waits until this many moves are shown.
async fn wait_for_moves(page: &Page, count: usize) {
    let shown = format!("document.querySelectorAll('#moves .move').length === {count}");
    page.wait_until(&shown).await;
}

/// Starts a game with the form for new games, filled in by its URL.
async fn start_game(page: &Page, server: &Server, fields: &str) {
    page.goto(server.address(), &format!("/new?{fields}")).await;
    page.click("[data-action=create-game][value=here]").await;
    page.wait_until(
        "/^.games.[0-9a-f]{32}$/.test(location.pathname) && document.querySelector('#board svg')",
    )
    .await;
}
