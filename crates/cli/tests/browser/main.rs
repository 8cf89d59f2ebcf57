//! The page in a real browser: whole games by mouse, by touch and by keyboard, two
//! people and a spectator, connections that break, a server that is killed, and how
//! everything looks.

mod families;
mod kill;
mod link;
mod looks;
mod page;
mod report;
mod review;
mod server;
mod slips;

use page::Page;
use server::Server;

/// Waits until so many moves are shown.
async fn moves(page: &Page, count: usize) {
    let shown = format!("document.querySelectorAll('#moves .move').length === {count}");
    page.until(&shown).await;
}

/// Opens a new game from the form, filled in by the address.
async fn begin(page: &Page, server: &Server, fields: &str) {
    page.go(server.address(), &format!("/new?{fields}")).await;
    page.click("[data-do=make][value=here]").await;
    page.until(
        "/^.games.[0-9a-f]{32}$/.test(location.pathname) && document.querySelector('#board svg')",
    )
    .await;
}
