//! The server is killed repeatedly in the middle of a game.

use serde_json::json;

use crate::page::Driver;
use crate::server::Server;
use crate::start_game;

/// How often the server is killed.
const KILLS: usize = 20;

/// Every move is there exactly once, whether the server was killed before or after it was shown.
#[tokio::test]
async fn kills_neither_lose_nor_repeat_moves() {
    let mut server = Server::start("kill");
    let driver = Driver::start();
    let page = driver.open(1200, 900).await;
    let fields =
        "variant=mnk:16,16,16&p1-kind=human&p1-name=Ada&p2-kind=human&p2-name=Bob&starts=first";
    start_game(&page, &server, fields).await;
    let mut made = Vec::new();
    for kill in 0..KILLS {
        let cell = format!("{}{}", char::from(b'a' + (kill % 16) as u8), 1 + kill / 16);
        page.click(&format!("#c-{cell}")).await;
        made.push(cell);
        let shown = format!(
            "document.querySelectorAll('#moves .move').length === {}",
            made.len()
        );
        match kill % 2 {
            // At any moment while the move is sent.
            0 => {}
            // After the move is shown.
            _ => {
                page.wait_until(&shown).await;
            }
        }
        server.kill_and_restart();
        page.wait_until(&shown).await;
        page.wait_until("document.querySelector('#offline-banner').hidden")
            .await;
        assert_eq!(
            page.game().await["moves"],
            json!(made),
            "after kill {}",
            kill + 1
        );
    }
    page.close().await;
}
