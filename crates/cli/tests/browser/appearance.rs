//! How the pages look: in light and dark mode, on a phone and on a large screen, without violations
//! reported by axe-core, nothing wider than the window, and little to load. Screenshots are saved in
//! the build directory's `screenshots`.

use noughts_rules::games;

use crate::page::{Driver, Page};
use crate::server::Server;
use crate::{start_game, wait_for_moves};

const SIZES: [(u32, u32, bool); 2] = [(360, 740, true), (1440, 900, false)];

/// How much is checked.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Scope {
    /// Each size and each color scheme once: light on the phone and dark on the large screen, or the other way around;
    /// and the narrowest width of each layout.
    Brief,
    /// Each color scheme in each size, and every width where the layout could change.
    Full,
}

/// A variant's name as part of a file's name.
fn file_name(variant: &str) -> String {
    variant.replace([':', ','], "-")
}

/// Checks the current page.
async fn check_page(page: &Page, name: &str, scope: Scope, faults: &mut Vec<String>) {
    let schemes = SIZES
        .into_iter()
        .flat_map(|size| [false, true].map(|dark| (size, dark)));
    for ((width, height, is_touch), dark) in schemes {
        if scope == Scope::Brief && dark != (is_touch == name.len().is_multiple_of(2)) {
            continue;
        }
        page.set_size(width, height, is_touch).await;
        page.set_preferences(dark, true).await;
        let scheme = if dark { "dark" } else { "light" };
        page.screenshot(&format!("{name}-{width}-{scheme}")).await;
        let context = format!("{name}, {width} wide, {scheme}");
        let found = page.violations().await;
        faults.extend(found.into_iter().map(|fault| format!("{context}: {fault}")));
        let page_width = page.evaluate("document.documentElement.scrollWidth").await;
        if page_width
            .as_u64()
            .is_none_or(|page_width| page_width > u64::from(width))
        {
            faults.push(format!("{context}: the page is {page_width} wide"));
        }
    }
}

/// Checks that nothing is wider than the window.
async fn check_widths(page: &Page, name: &str, scope: Scope, faults: &mut Vec<String>) {
    let widths: &[u32] = match scope {
        Scope::Brief => &[300, 319, 560, 700, 900, 2600],
        Scope::Full => &[
            300, 319, 320, 360, 480, 559, 560, 699, 700, 768, 899, 900, 1024, 1280, 1920, 2600,
        ],
    };
    for &width in widths {
        page.set_size(width, 900, false).await;
        let page_width = page.evaluate("document.documentElement.scrollWidth").await;
        if page_width
            .as_u64()
            .is_none_or(|page_width| page_width > u64::from(width))
        {
            faults.push(format!(
                "{name}, {width} wide: the page is {page_width} wide"
            ));
        }
    }
}

/// Checks that a phone in landscape orientation shows the whole board.
async fn check_landscape(page: &Page, name: &str, faults: &mut Vec<String>) {
    page.set_size(740, 360, true).await;
    let board_height = page
        .evaluate("document.querySelector('#board svg').getBoundingClientRect().height")
        .await;
    if board_height
        .as_f64()
        .is_none_or(|board_height| !(200.0..=360.0).contains(&board_height))
    {
        faults.push(format!(
            "{name}: the board is {board_height} high in a window of 360"
        ));
    }
}

const PLAYERS: &str = "p1-kind=human&p1-name=Ada&p2-kind=human&p2-name=Bob&starts=first";

async fn finish(page: Page, mut faults: Vec<String>) {
    page.close().await;
    faults.sort();
    faults.dedup();
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[tokio::test]
async fn every_page_without_a_game() {
    check_every_page_without_a_game(Scope::Brief).await;
}

#[tokio::test]
#[ignore = "soak"]
async fn soak_every_page_without_a_game() {
    check_every_page_without_a_game(Scope::Full).await;
}

async fn check_every_page_without_a_game(scope: Scope) {
    let server = Server::start(&format!("looks-pages-{scope:?}"));
    let driver = Driver::start();
    let page = driver.open(1440, 900).await;
    let mut faults = Vec::new();
    let mut pages: Vec<(String, String)> = [
        ("home", "/"),
        ("new-options", "/new?variant=ception:4b,5c,depth=3"),
        ("games-empty", "/games"),
        ("players-empty", "/players"),
        ("rules", "/rules"),
        ("analysis", "/analysis"),
        ("analysis-wrong", "/analysis?variant=classic&position=xxxx"),
        ("api", "/api"),
        ("session", "/session"),
        ("missing", "/no/such/page"),
        ("no-game", "/games/00000000000000000000000000000000"),
    ]
    .map(|(name, path)| (name.into(), path.into()))
    .into();
    // The form and the rules of each game.
    for info in games::all() {
        let Some(preset) = info.presets.first() else {
            continue;
        };
        let (name, path) = (file_name(preset.name), preset.name);
        pages.push((format!("new-{name}"), format!("/new?variant={path}")));
        pages.push((format!("rules-{name}"), format!("/rules/{path}")));
    }
    for (name, path) in &pages {
        page.goto(server.address(), path).await;
        check_page(&page, name, scope, &mut faults).await;
        check_widths(&page, name, scope, &mut faults).await;
    }
    finish(page, faults).await;
}

#[tokio::test]
async fn every_kind_of_board() {
    check_every_kind_of_board(Scope::Brief).await;
}

#[tokio::test]
#[ignore = "soak"]
async fn soak_every_kind_of_board() {
    check_every_kind_of_board(Scope::Full).await;
}

async fn check_every_kind_of_board(scope: Scope) {
    let server = Server::start(&format!("looks-boards-{scope:?}"));
    let driver = Driver::start();
    let page = driver.open(1440, 900).await;
    let mut faults = Vec::new();
    for (variant, preset) in games::presets() {
        let name = &file_name(preset.name);
        start_game(&page, &server, &format!("variant={variant}&{PLAYERS}")).await;
        for (made, mv) in preset.sample.iter().enumerate() {
            // Typed, which works on every board.
            page.press_keys(&["/"]).await;
            page.wait_until("document.activeElement.id === 'move-field'")
                .await;
            for letter in mv.split("").filter(|letter| !letter.is_empty()) {
                page.press_keys(&[letter]).await;
            }
            page.press_keys(&["Enter"]).await;
            wait_for_moves(&page, made + 1).await;
        }
        check_page(&page, name, scope, &mut faults).await;
        check_widths(&page, name, scope, &mut faults).await;
        check_landscape(&page, name, &mut faults).await;
        page.set_size(1440, 900, false).await;
    }
    finish(page, faults).await;
}

#[tokio::test]
async fn every_state_of_a_game_and_its_dialogs() {
    check_every_state_of_a_game_and_its_dialogs(Scope::Brief).await;
}

#[tokio::test]
#[ignore = "soak"]
async fn soak_every_state_of_a_game_and_its_dialogs() {
    check_every_state_of_a_game_and_its_dialogs(Scope::Full).await;
}

async fn check_every_state_of_a_game_and_its_dialogs(scope: Scope) {
    let server = Server::start(&format!("looks-dialogs-{scope:?}"));
    let driver = Driver::start();
    let page = driver.open(1440, 900).await;
    let mut faults = Vec::new();
    // Every dialog, opened by its button during a game.
    start_game(&page, &server, &format!("variant=classic&{PLAYERS}")).await;
    page.click("#c-b2").await;
    wait_for_moves(&page, 1).await;
    for dialog in ["rules", "shortcuts", "share", "seat", "reset", "resign"] {
        page.click(&format!("[data-action={dialog}]")).await;
        page.wait_until(&format!("document.querySelector('#dialog-{dialog}').open"))
            .await;
        check_page(&page, &format!("dialog-{dialog}"), scope, &mut faults).await;
        page.press_keys(&["Escape"]).await;
        page.wait_until(&format!("!document.querySelector('#dialog-{dialog}').open"))
            .await;
    }
    page.click("[data-action=analyze]").await;
    let question = "#dialog-unrated-analyze";
    page.wait_until(&format!("document.querySelector('{question}').open"))
        .await;
    check_page(&page, "dialog-unrated", scope, &mut faults).await;
    page.click(&format!("{question} [data-action=assist]"))
        .await;
    page.wait_until("document.querySelector('#tints').children.length > 0")
        .await;
    check_page(&page, "analyzed", scope, &mut faults).await;
    page.click("[data-action=analyze]").await;
    for (made, cell) in ["a1", "c1", "a2", "a3"].iter().enumerate() {
        page.click(&format!("#c-{cell}")).await;
        wait_for_moves(&page, made + 2).await;
    }
    page.wait_until("document.querySelector('#dialog-game-over').open")
        .await;
    check_page(&page, "end", scope, &mut faults).await;
    page.click("#game-over [data-action=review]").await;
    page.wait_until("document.querySelector('#plot svg')").await;
    check_page(&page, "review", scope, &mut faults).await;
    page.goto(server.address(), "/games").await;
    check_page(&page, "games", scope, &mut faults).await;
    page.goto(server.address(), "/players").await;
    check_page(&page, "players", scope, &mut faults).await;
    page.goto(server.address(), "/players/Ada").await;
    check_page(&page, "player", scope, &mut faults).await;
    finish(page, faults).await;
}

/// Marks on boards that can't be played are dimmed, but still have a contrast of 3:1 with the background.
#[tokio::test]
async fn dimmed_marks_are_visible() {
    let server = Server::start("dimmed");
    let driver = Driver::start();
    let page = driver.open(1440, 900).await;
    let players = "p1-kind=human&p1-name=Ada&p2-kind=human&p2-name=Bob&starts=first";
    start_game(&page, &server, &format!("variant=ultimate&{players}")).await;
    for (made, mv) in ["ee", "ea", "ab", "bi", "ie", "eh"].into_iter().enumerate() {
        page.click(&format!("#c-{mv}")).await;
        wait_for_moves(&page, made + 1).await;
    }
    let contrast_script = "(() => {
        const linear = c => c <= .03928 ? c / 12.92 : ((c + .055) / 1.055) ** 2.4;
        const light = rgb => rgb.map(c => linear(c / 255)).reduce((sum, c, i) => sum + c * [.2126, .7152, .0722][i], 0);
        const numbers = color => color.match(/[\\d.]+/g).slice(0, 3).map(Number);
        const paper = numbers(getComputedStyle(document.body).backgroundColor);
        const found = [...document.querySelectorAll('#board .subboard.dim:not(.owned) .mark .stroke')].map(stroke => {
            let seen = 1;
            for (let e = stroke; e && e.tagName !== 'svg'; e = e.parentElement) seen *= Number(getComputedStyle(e).opacity);
            const ink = numbers(getComputedStyle(stroke).stroke).map((c, i) => c * seen + paper[i] * (1 - seen));
            const [a, b] = [light(ink), light(paper)].sort((a, b) => b - a);
            return (a + .05) / (b + .05);
        });
        return [found.length, Math.min(...found)];
    })()";
    for dark in [false, true] {
        page.set_preferences(dark, true).await;
        let found = page.evaluate(contrast_script).await;
        assert!(found[0].as_u64().is_some_and(|marks| marks > 2), "{found}");
        assert!(
            found[1].as_f64().is_some_and(|contrast| contrast >= 3.0),
            "dark: {dark}, {found}"
        );
    }
    page.close().await;
}

/// Checks the size of the first visit, and that the layout doesn't shift.
#[tokio::test]
async fn the_first_visit_is_small_and_has_no_layout_shift() {
    let server = Server::start("weight");
    let driver = Driver::start();
    let page = driver.open(1440, 900).await;
    page.goto(server.address(), "/").await;
    page.wait_until(
        "document.readyState === 'complete' && performance.getEntriesByType('resource').length > 3",
    )
    .await;
    let bytes = page
        .evaluate("[...performance.getEntriesByType('navigation'), ...performance.getEntriesByType('resource')]
              .reduce((sum, entry) => sum + entry.transferSize, 0)")
        .await;
    assert!(
        bytes.as_u64().is_some_and(|bytes| bytes < 150 * 1024),
        "{bytes} bytes"
    );
    let hosts = page
        .evaluate("performance.getEntriesByType('resource').filter(entry => new URL(entry.name).host !== location.host).length")
        .await;
    assert_eq!(hosts, 0, "a resource comes from another host");
    page.click("#c-b2").await;
    wait_for_moves(&page, 2).await;
    let shift = page
        .wait_until(
            "(() => { let sum = 0; const seen = new PerformanceObserver(() => {});
                 seen.observe({type: 'layout-shift', buffered: true});
                 for (const entry of seen.takeRecords()) if (!entry.hadRecentInput) sum += entry.value;
                 return {sum}; })()",
        )
        .await;
    assert!(
        shift["sum"].as_f64().is_some_and(|sum| sum < 0.02),
        "{shift}"
    );
    page.close().await;
}
