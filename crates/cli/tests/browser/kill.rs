//! The server is killed in the middle of games, again and again.

use serde_json::json;

use crate::begin;
use crate::page::Driver;
use crate::server::Server;

/// How often; more in a soak.
const KILLS: usize = 20;

/// Every move that was made is there once, whether the server was killed before it was
/// shown or after.
#[tokio::test]
async fn no_move_is_lost_or_doubled_by_kills() {
    let mut server = Server::start("kill");
    let driver = Driver::start();
    let page = driver.open(1200, 900).await;
    let fields =
        "variant=mnk:16,16,16&p1-kind=person&p1-name=Ada&p2-kind=person&p2-name=Bob&starts=first";
    begin(&page, &server, fields).await;
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
            // At any moment on the move's way.
            0 => {}
            // Once it is shown.
            _ => {
                page.until(&shown).await;
            }
        }
        server.kill_and_restart();
        page.until(&shown).await;
        page.until("document.querySelector('#net').hidden").await;
        assert_eq!(
            page.game().await["moves"],
            json!(made),
            "after kill {}",
            kill + 1
        );
    }
    page.close().await;
}
