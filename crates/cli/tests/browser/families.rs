//! A whole game of each family, by mouse, by touch and by keyboard.

use serde_json::Value;

use crate::page::{Driver, Page, Point};
use crate::server::Server;
use crate::{begin, moves};

/// How somebody plays.
#[derive(Clone, Copy, PartialEq, Debug)]
enum Hand {
    Mouse,
    Finger,
    Keys,
}

/// A phone for fingers.
async fn sized(page: &Page, hand: Hand) {
    match hand {
        Hand::Finger => page.size(360, 740, true).await,
        Hand::Mouse | Hand::Keys => page.size(1200, 900, false).await,
    }
}

/// Moves the cursor to a cell by arrows and chooses it.
async fn walk(page: &Page, cell: &str) {
    page.ask("document.querySelector('#board [tabindex=\"0\"]').focus()")
        .await;
    let place = |selector: &str| {
        format!(
            "(({{dataset}}) => [Number(dataset.col), Number(dataset.row)])(document.querySelector({selector:?}))"
        )
    };
    let from = page.ask(&place("#board [tabindex=\"0\"]")).await;
    let to = page.ask(&place(&format!("#c-{cell}"))).await;
    for (axis, [less, more]) in [
        (0, ["ArrowLeft", "ArrowRight"]),
        (1, ["ArrowUp", "ArrowDown"]),
    ] {
        let steps = to[axis].as_i64().unwrap_or(0) - from[axis].as_i64().unwrap_or(0);
        let key = if steps < 0 { less } else { more };
        for _ in 0..steps.abs() {
            page.keys(&[key]).await;
        }
    }
    page.keys(&["Enter"]).await;
}

/// From where to where the pane of glass is dragged: by its corner.
async fn drag_of_glass(page: &Page, to: &str) -> (Point, Point) {
    let centre = page
        .ask("document.querySelector('.glass').dataset.centre")
        .await;
    let centre = centre.as_str().expect("a centre");
    let from = page.middle(&format!("#c-{centre}")).await;
    let end = page.middle(&format!("#c-{to}")).await;
    let corner = page
        .ask("(({x, y}) => [x + 3, y + 3])(document.querySelector('.glass rect').getBoundingClientRect())")
        .await;
    let number = |i: usize| corner[i].as_f64().expect("a number");
    let start = (number(0), number(1));
    (start, (start.0 + end.0 - from.0, start.1 + end.1 - from.1))
}

fn field<'a>(choice: &'a Value, name: &str) -> &'a str {
    choice[name].as_str().unwrap_or_default()
}

/// The keys that take the grid from one centre to another, a step away.
fn way(from: &str, to: &str) -> &'static str {
    let [from, to] = [from, to].map(|cell| {
        let mut bytes = cell.bytes();
        [bytes.next(), bytes.next()].map(|byte| i16::from(byte.expect("a cell")))
    });
    match (to[0] - from[0], to[1] - from[1]) {
        (-1, -1) => "y",
        (0, -1) => "k",
        (1, -1) => "u",
        (-1, 0) => "h",
        (1, 0) => "l",
        (-1, 1) => "b",
        (0, 1) => "j",
        _ => "n",
    }
}

async fn make(page: &Page, hand: Hand, choice: &Value) {
    // All of the board in sight: what is dragged ends where it was measured.
    page.ask(
        "document.querySelector('#board').scrollIntoView({block: 'center', behavior: 'instant'})",
    )
    .await;
    let (from, to) = (field(choice, "from"), field(choice, "to"));
    let cell = format!("#c-{to}");
    match (field(choice, "kind"), hand) {
        ("grid", Hand::Keys) => {
            let centre = page
                .ask("document.querySelector('.glass').dataset.centre")
                .await;
            let key = way(centre.as_str().expect("a centre"), to);
            page.keys(&["g", key, "Enter"]).await;
        }
        ("grid", _) => {
            let (start, end) = drag_of_glass(page, to).await;
            match hand {
                Hand::Finger => page.swipe(start, end).await,
                _ => page.drag(start, end).await,
            }
        }
        ("piece", Hand::Mouse) => {
            let start = page.middle(&format!("#c-{from}")).await;
            let end = page.middle(&cell).await;
            page.drag(start, end).await;
        }
        ("piece", Hand::Finger) => {
            page.tap(&format!("#c-{from}")).await;
            page.tap(&cell).await;
        }
        ("piece", Hand::Keys) => {
            walk(page, from).await;
            walk(page, to).await;
        }
        (_, Hand::Mouse) => page.click(&cell).await,
        (_, Hand::Finger) => page.tap(&cell).await,
        (_, Hand::Keys) => walk(page, to).await,
    }
}

/// Wins where it can, else plays anything, but all kinds of moves in turn: games that
/// end, and in which everything is tried.
fn pick(game: &Value, seed: usize) -> Value {
    let choices = game["choices"]["moves"].as_array().expect("choices");
    let side = &game["side"];
    let wins = |choice: &&Value| {
        let lines = choice["lines"].as_array();
        lines.is_some_and(|lines| {
            !lines.is_empty() && lines.iter().all(|line| line["side"] == *side)
        })
    };
    if let Some(winning) = choices.iter().find(wins) {
        return winning.clone();
    }
    let kind = ["grid", "piece", "place"][seed % 3];
    let of_kind: Vec<&Value> = choices
        .iter()
        .filter(|choice| choice["kind"] == kind)
        .collect();
    let among: Vec<&Value> = if of_kind.is_empty() {
        choices.iter().collect()
    } else {
        of_kind
    };
    among[seed * 7 % among.len()].clone()
}

async fn whole_game(variant: &str, hand: Hand) {
    let server = Server::start(&format!("{variant}-{hand:?}").to_lowercase());
    let driver = Driver::start();
    let page = driver.open(1200, 900).await;
    sized(&page, hand).await;
    let players = "p1-kind=person&p1-name=Ada&p2-kind=computer&p2-bot=random&starts=first";
    begin(&page, &server, &format!("variant={variant}&{players}")).await;
    for turn in 0.. {
        page.until("(({over, side}) => over != null || side === 'x')(document.querySelector('#board svg').dataset)").await;
        let game = page.game().await;
        if !game["over"].is_null() {
            break;
        }
        assert!(turn < 120, "this game does not end");
        let made = game["moves"].as_array().map_or(0, Vec::len);
        let choice = pick(&game, turn);
        make(&page, hand, &choice).await;
        // One's own move and, if that did not end it, the bot's.
        page.until(&format!(
            "document.querySelectorAll('#moves .move').length > {made}"
        ))
        .await;
        let after = page.game().await;
        assert_eq!(
            after["moves"][made], choice["move"],
            "{hand:?} made another move"
        );
    }
    page.until("document.querySelector('#dialog-end').open")
        .await;
    page.picture(&format!("end-{variant}-{hand:?}").to_lowercase())
        .await;
    assert!(!page.text("#end").await.is_empty());
    let before = page.path().await;
    match hand {
        Hand::Mouse => page.click("#end [data-do=again]").await,
        Hand::Finger => page.tap("#end [data-do=again]").await,
        // The title has the focus, so that a late key begins nothing.
        Hand::Keys => page.keys(&["Tab", "Enter"]).await,
    }
    page.until(&format!(
        "location.pathname !== {before:?} && document.querySelector('#board svg')"
    ))
    .await;
    // The colours have changed: the bot begins now, and then it is Ada's turn.
    moves(&page, 1).await;
    page.close().await;
}

macro_rules! games {
    ($($name:ident: $variant:literal, $hand:ident;)*) => {
        $(#[tokio::test]
        async fn $name() {
            whole_game($variant, Hand::$hand).await;
        })*
    };
}

games! {
    classic_by_mouse: "classic", Mouse;
    classic_by_touch: "classic", Finger;
    classic_by_keyboard: "classic", Keys;
    tic_tac_two_by_mouse: "tic-tac-two", Mouse;
    tic_tac_two_by_touch: "tic-tac-two", Finger;
    tic_tac_two_by_keyboard: "tic-tac-two", Keys;
    ultimate_by_mouse: "ultimate", Mouse;
    ultimate_by_touch: "ultimate", Finger;
    ultimate_by_keyboard: "ultimate", Keys;
}

/// The first visit: the board is there, the first click makes the game, and it is kept.
#[tokio::test]
async fn the_first_board_is_played_at_once() {
    let server = Server::start("first-visit");
    let driver = Driver::start();
    let page = driver.open(1200, 900).await;
    page.go(server.address(), "/").await;
    page.click("#c-b2").await;
    moves(&page, 2).await;
    let path = page.path().await;
    assert!(path.starts_with("/games/"), "{path}");
    page.reload().await;
    moves(&page, 2).await;
    assert_eq!(page.game().await["moves"][0], "b2");
    // Back is the front page, where the game is offered.
    page.ask("history.back()").await;
    page.until("location.pathname === '/'").await;
    page.click(&format!(".going-on a[href='{path}']")).await;
    moves(&page, 2).await;
    page.close().await;
}
