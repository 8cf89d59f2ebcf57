//! How everything looks: light and dark, on a phone and on a large screen, with
//! nothing that axe-core has against it, nothing wider than the window, and little to
//! be loaded. The pictures are kept in the build folder's `screenshots`.

use crate::page::{Driver, Page};
use crate::server::Server;
use crate::{begin, moves};

const SIZES: [(u32, u32, bool); 2] = [(360, 740, true), (1440, 900, false)];

/// Checks the page as it is, in both schemes.
async fn look(page: &Page, name: &str, faults: &mut Vec<String>) {
    for (width, height, fingers) in SIZES {
        page.size(width, height, fingers).await;
        for dark in [false, true] {
            page.prefer(dark, true).await;
            let scheme = if dark { "dark" } else { "light" };
            page.picture(&format!("{name}-{width}-{scheme}")).await;
            let at = format!("{name}, {width} wide, {scheme}");
            let found = page.violations().await;
            faults.extend(found.into_iter().map(|fault| format!("{at}: {fault}")));
            let wide = page.ask("document.documentElement.scrollWidth").await;
            if wide.as_u64().is_none_or(|wide| wide > u64::from(width)) {
                faults.push(format!("{at}: the page is {wide} wide"));
            }
        }
    }
}

/// Nothing is wider than the window, however wide that is.
async fn widths(page: &Page, name: &str, faults: &mut Vec<String>) {
    for width in [
        300, 400, 480, 560, 600, 640, 700, 768, 899, 1024, 1200, 1920, 2600,
    ] {
        page.size(width, 900, false).await;
        let wide = page.ask("document.documentElement.scrollWidth").await;
        if wide.as_u64().is_none_or(|wide| wide > u64::from(width)) {
            faults.push(format!("{name}, {width} wide: the page is {wide} wide"));
        }
    }
}

/// A phone on its side shows the board whole.
async fn low(page: &Page, name: &str, faults: &mut Vec<String>) {
    page.size(740, 360, true).await;
    let high = page
        .ask("document.querySelector('#board svg').getBoundingClientRect().height")
        .await;
    if high
        .as_f64()
        .is_none_or(|high| !(200.0..=360.0).contains(&high))
    {
        faults.push(format!("{name}: the board is {high} high where 360 are"));
    }
}

#[tokio::test]
async fn every_page_in_every_state() {
    let server = Server::start("looks");
    let driver = Driver::start();
    let page = driver.open(1440, 900).await;
    let mut faults = Vec::new();
    for (name, path) in [
        ("home", "/"),
        ("new-classic", "/new?variant=classic"),
        ("new-nested", "/new?variant=ception:4b,5c,depth=3"),
        ("new-two", "/new?variant=tic-tac-two"),
        ("games-empty", "/games"),
        ("players-empty", "/players"),
        ("rules", "/rules"),
        ("rules-classic", "/rules/classic"),
        ("rules-two", "/rules/tic-tac-two"),
        ("rules-ultimate", "/rules/ultimate"),
        ("analysis", "/analysis"),
        ("analysis-wrong", "/analysis?variant=classic&position=xxxx"),
        ("api", "/api"),
        ("session", "/session"),
        ("missing", "/no/such/page"),
        ("no-game", "/games/00000000000000000000000000000000"),
    ] {
        page.go(server.address(), path).await;
        look(&page, name, &mut faults).await;
        widths(&page, name, &mut faults).await;
    }
    let people = "p1-kind=person&p1-name=Ada&p2-kind=person&p2-name=Bob&starts=first";
    for (name, variant, played) in [
        ("classic", "classic", "b2 a1 c1"),
        ("gomoku", "mnk:15,15,5", "h8 i9 i8 g8"),
        ("two", "tic-tac-two", "c3 b2 d4 b4"),
        ("ultimate", "ultimate", "ee ea ab bi ie"),
        ("deep", "ception:depth=3", "eee eea"),
        ("deepest", "ception:depth=6", "eeeeee"),
    ] {
        begin(&page, &server, &format!("variant={variant}&{people}")).await;
        for (made, mv) in played.split(' ').enumerate() {
            // Typed, as on every board.
            page.keys(&["/"]).await;
            page.until("document.activeElement.id === 'typed-move'")
                .await;
            for letter in mv.split("").filter(|letter| !letter.is_empty()) {
                page.keys(&[letter]).await;
            }
            page.keys(&["Enter"]).await;
            moves(&page, made + 1).await;
        }
        look(&page, name, &mut faults).await;
        widths(&page, name, &mut faults).await;
        low(&page, name, &mut faults).await;
        page.size(1440, 900, false).await;
    }
    // Dialogs, each opened by its key or button, on a board that is played.
    begin(&page, &server, &format!("variant=classic&{people}")).await;
    page.click("#c-b2").await;
    moves(&page, 1).await;
    for what in ["rules", "keys", "share", "seat", "reset", "resign"] {
        page.click(&format!("[data-do={what}]")).await;
        page.until(&format!("document.querySelector('#dialog-{what}').open"))
            .await;
        look(&page, &format!("dialog-{what}"), &mut faults).await;
        page.keys(&["Escape"]).await;
        page.until(&format!("!document.querySelector('#dialog-{what}').open"))
            .await;
    }
    page.click("[data-do=analyse]").await;
    page.until("document.querySelector('#tints').children.length > 0")
        .await;
    look(&page, "analysed", &mut faults).await;
    page.click("[data-do=analyse]").await;
    for (made, cell) in ["a1", "c1", "a2", "a3"].iter().enumerate() {
        page.click(&format!("#c-{cell}")).await;
        moves(&page, made + 2).await;
    }
    page.until("document.querySelector('#dialog-end').open")
        .await;
    look(&page, "end", &mut faults).await;
    page.click("#end [data-do=review]").await;
    page.until("document.querySelector('#plot svg')").await;
    look(&page, "review", &mut faults).await;
    page.go(server.address(), "/games").await;
    look(&page, "games", &mut faults).await;
    page.go(server.address(), "/players").await;
    look(&page, "players", &mut faults).await;
    page.go(server.address(), "/players/Ada").await;
    look(&page, "player", &mut faults).await;
    page.close().await;
    faults.sort();
    faults.dedup();
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

/// What the first visit loads, and that nothing jumps about.
#[tokio::test]
async fn the_first_visit_is_light_and_still() {
    let server = Server::start("weight");
    let driver = Driver::start();
    let page = driver.open(1440, 900).await;
    page.go(server.address(), "/").await;
    page.until(
        "document.readyState === 'complete' && performance.getEntriesByType('resource').length > 3",
    )
    .await;
    let bytes = page
        .ask("[...performance.getEntriesByType('navigation'), ...performance.getEntriesByType('resource')]
              .reduce((sum, entry) => sum + entry.transferSize, 0)")
        .await;
    assert!(
        bytes.as_u64().is_some_and(|bytes| bytes < 150 * 1024),
        "{bytes} bytes"
    );
    let hosts = page
        .ask("performance.getEntriesByType('resource').filter(entry => new URL(entry.name).host !== location.host).length")
        .await;
    assert_eq!(hosts, 0, "something is asked of another host");
    page.click("#c-b2").await;
    moves(&page, 2).await;
    let shift = page
        .until(
            "(() => { let sum = 0; const seen = new PerformanceObserver(() => {});
                 seen.observe({type: 'layout-shift', buffered: true});
                 for (const entry of seen.takeRecords()) sum += entry.value; return {sum}; })()",
        )
        .await;
    assert!(
        shift["sum"].as_f64().is_some_and(|sum| sum < 0.01),
        "{shift}"
    );
    page.close().await;
}
