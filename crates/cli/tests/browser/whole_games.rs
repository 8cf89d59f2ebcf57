//! A whole game of each preset, by mouse, by touch and by keyboard.

use std::collections::BTreeSet;

use noughts_rules::{AnyGameState, games};
use serde_json::Value;

use crate::page::{Driver, Page, Point};
use crate::server::Server;
use crate::{start_game, wait_for_moves};

/// The input device.
#[derive(Clone, Copy, PartialEq, Debug)]
enum Input {
    Mouse,
    Finger,
    Keys,
}

/// Sets the page's size: a phone for touch, otherwise a desktop.
async fn set_size_for(page: &Page, input: Input) {
    match input {
        Input::Finger => page.set_size(360, 740, true).await,
        Input::Mouse | Input::Keys => page.set_size(1200, 900, false).await,
    }
}

/// Moves the cursor to a cell with the arrow keys and presses Enter.
async fn choose_by_arrows(page: &Page, cell: &str) {
    page.evaluate("document.querySelector('#board [tabindex=\"0\"]').focus()")
        .await;
    let position_of = |selector: &str| {
        format!(
            "(({{dataset}}) => [Number(dataset.col), Number(dataset.row)])(document.querySelector({selector:?}).closest('[data-col]'))"
        )
    };
    let from = page.evaluate(&position_of("#board [tabindex=\"0\"]")).await;
    let to = page.evaluate(&position_of(&format!("#c-{cell}"))).await;
    let mut axes = [
        (0, ["ArrowLeft", "ArrowRight"]),
        (1, ["ArrowUp", "ArrowDown"]),
    ];
    // Where boards don't fill the last row, only one of the ways has no gap.
    let corner = format!("[data-col=\"{}\"][data-row=\"{}\"]", to[0], from[1]);
    if page
        .evaluate(&format!("document.querySelector('#board {corner}')"))
        .await
        .is_null()
    {
        axes.reverse();
    }
    for (axis, [less, more]) in axes {
        let steps = to[axis].as_i64().unwrap_or(0) - from[axis].as_i64().unwrap_or(0);
        let key = if steps < 0 { less } else { more };
        for _ in 0..steps.abs() {
            page.press_keys(&[key]).await;
        }
    }
    page.press_keys(&["Enter"]).await;
}

/// The start and end of the drag that moves the grid to this center, by its corner.
async fn grid_drag(page: &Page, to: &str) -> (Point, Point) {
    let center = page
        .evaluate("document.querySelector('.grid').dataset.center")
        .await;
    let center = center.as_str().expect("a center");
    let from = page.center_of(&format!("#c-{center}")).await;
    let end = page.center_of(&format!("#c-{to}")).await;
    let corner = page
        .evaluate("(({x, y}) => [x + 3, y + 3])(document.querySelector('.grid rect').getBoundingClientRect())")
        .await;
    let number = |i: usize| corner[i].as_f64().expect("a number");
    let start = (number(0), number(1));
    (start, (start.0 + end.0 - from.0, start.1 + end.1 - from.1))
}

/// The key that moves the grid from one center to a neighboring one.
fn grid_key(from: &str, to: &str) -> &'static str {
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

/// The target's element: a cell, the frame's handle, or a piece of the side's reserve or, once a cell is chosen, next
/// to that cell.
fn selector_of(target: &str, side: &str, is_first: bool) -> String {
    match target.starts_with('=') {
        true if is_first => {
            format!("button.reserve[data-side={side}][data-target=\"{target}\"]")
        }
        true => format!(".chooser [data-target=\"{target}\"]"),
        false if target == "@" => ".drag-target".into(),
        false => format!("#c-{target}"),
    }
}

/// Makes a move as a player would: drags what can be dragged with the mouse, taps with a finger, or uses the keys.
async fn make_move(page: &Page, input: Input, side: &str, choice: &Value) {
    // Make the whole board visible, so that scrolling doesn't change measured positions.
    page.evaluate(
        "document.querySelector('#board').scrollIntoView({block: 'center', behavior: 'instant'})",
    )
    .await;
    let taps = choice["taps"].as_array().expect("taps");
    let taps: Vec<&str> = taps.iter().filter_map(Value::as_str).collect();
    match (&taps[..], input) {
        (["@", to], Input::Keys) => {
            let center = page
                .evaluate("document.querySelector('.grid').dataset.center")
                .await;
            let key = grid_key(center.as_str().expect("a center"), to);
            page.press_keys(&["g", key, "Enter"]).await;
        }
        (["@", to], Input::Mouse) => {
            let (start, end) = grid_drag(page, to).await;
            page.drag(start, end).await;
        }
        (["@", to], Input::Finger) => {
            let (start, end) = grid_drag(page, to).await;
            page.swipe(start, end).await;
        }
        ([from, to], Input::Mouse) if !to.starts_with('=') => {
            let start = page.center_of(&selector_of(from, side, true)).await;
            let end = page.center_of(&selector_of(to, side, false)).await;
            page.drag(start, end).await;
        }
        _ => {
            for (n, target) in taps.iter().enumerate() {
                let selector = selector_of(target, side, n == 0);
                match input {
                    Input::Mouse => page.click(&selector).await,
                    Input::Finger => page.tap(&selector).await,
                    Input::Keys if !target.starts_with('=') => choose_by_arrows(page, target).await,
                    Input::Keys if n == 0 => {
                        page.evaluate(&format!("document.querySelector({selector:?}).focus()"))
                            .await;
                        page.press_keys(&["Enter"]).await;
                    }
                    // The buttons next to the cell have the focus.
                    Input::Keys => page.press_keys(&[&target[1..]]).await,
                }
            }
        }
    }
}

/// How a move is made: the kinds of its targets.
fn kind(choice: &Value) -> Vec<&str> {
    let taps = choice["taps"].as_array().into_iter().flatten();
    taps.filter_map(Value::as_str)
        .map(|target| match &target[..1] {
            first @ ("=" | "@") => first,
            _ => "cell",
        })
        .collect()
}

/// Picks a winning move if there is one, otherwise each kind of move in turn: games end, and every
/// kind of move is tested. Where there is only one kind, lines are filled in order. What the last move ended with isn't
/// touched again at once, if there is anything else: that would be a double click.
fn pick_move(game: &Value, input: Input, turn: usize, last_tap: &Value) -> Value {
    let all = game["choices"]["moves"].as_array().expect("choices");
    let others = all.iter().filter(|choice| choice["taps"][0] != *last_tap);
    let mut choices: Vec<&Value> = others.collect();
    if choices.is_empty() {
        choices = all.iter().collect();
    }
    let side = &game["side"];
    let wins = |choice: &&&Value| {
        let lines = choice["lines"].as_array();
        lines.is_some_and(|lines| {
            !lines.is_empty() && lines.iter().all(|line| line["side"] == *side)
        })
    };
    if let Some(winning) = choices.iter().find(wins) {
        return (*winning).clone();
    }
    let kinds: BTreeSet<Vec<&str>> = choices.iter().map(|choice| kind(choice)).collect();
    let wanted = kinds.iter().nth(turn % kinds.len());
    let among = choices
        .into_iter()
        .filter(|choice| Some(&kind(choice)) == wanted);
    let among: Vec<&Value> = among.collect();
    let index = match (kinds.len(), input) {
        (1, Input::Finger) => among.len() - 1,
        (1, _) => 0,
        _ => turn * 7 % among.len(),
    };
    among[index].clone()
}

async fn play_whole_game(page: &Page, server: &Server, variant: &str, input: Input) {
    let context = format!("{variant} by {input:?}");
    let players = "p1-kind=human&p1-name=Ada&p2-kind=computer&p2-bot=random&starts=first";
    start_game(page, server, &format!("variant={variant}&{players}")).await;
    let (mut last_tap, mut tapped_at) = (Value::Null, Value::from(0));
    for turn in 0.. {
        page.wait_until("(({over, side}) => over != null || side === 'x')(document.querySelector('#board svg').dataset)").await;
        let game = page.game().await;
        if !game["ending"].is_null() {
            break;
        }
        assert!(turn < 150, "{context} doesn't end");
        let made = game["moves"].as_array().map_or(0, Vec::len);
        let choice = pick_move(&game, input, turn, &last_tap);
        if choice["taps"][0] == last_tap {
            // There is no other move, and it mustn't be taken for a double click.
            page.wait_until(&format!("performance.now() > {tapped_at} + 500"))
                .await;
        }
        last_tap = choice["taps"]
            .as_array()
            .and_then(|taps| taps.last())
            .cloned()
            .unwrap_or_default();
        make_move(page, input, "x", &choice).await;
        tapped_at = page.evaluate("performance.now()").await;
        // Our move and, unless it ended the game, the bot's.
        page.wait_until(&format!(
            "document.querySelectorAll('#moves .move').length > {made}"
        ))
        .await;
        let after = page.game().await;
        assert_eq!(
            after["moves"][made], choice["move"],
            "{context}: another move was made"
        );
        if turn == 2 {
            let name = format!("play-{variant}-{input:?}").to_lowercase();
            page.screenshot(&name.replace(':', "-")).await;
        }
    }
    page.wait_until("document.querySelector('#dialog-game-over').open")
        .await;
    assert!(!page.text("#game-over").await.is_empty(), "{context}");
    let before = page.path().await;
    match input {
        Input::Mouse => page.click("#game-over [data-action=rematch]").await,
        Input::Finger => page.tap("#game-over [data-action=rematch]").await,
        // The title has the focus, so that a late key doesn't start a game.
        Input::Keys => page.press_keys(&["Tab", "Enter"]).await,
    }
    page.wait_until(&format!(
        "location.pathname !== {before:?} && document.querySelector('#board svg')"
    ))
    .await;
    // Sides are swapped: the bot moves first now, and then it is Ada's turn.
    wait_for_moves(page, 1).await;
}

/// Plays every preset with boards that are shown as a whole.
async fn play_every_game(input: Input) {
    let server = Server::start_unlimited(&format!("games-{input:?}").to_lowercase());
    let driver = Driver::start();
    let page = driver.open(1200, 900).await;
    set_size_for(&page, input).await;
    for (variant, _) in games::presets() {
        if AnyGameState::new(variant).view().shape().depth() <= 2 {
            play_whole_game(&page, &server, &variant.to_string(), input).await;
        }
    }
    page.close().await;
}

#[tokio::test]
async fn every_game_by_mouse() {
    play_every_game(Input::Mouse).await;
}

#[tokio::test]
async fn every_game_by_touch() {
    play_every_game(Input::Finger).await;
}

#[tokio::test]
async fn every_game_by_keyboard() {
    play_every_game(Input::Keys).await;
}

/// Digits name a place on every level, whatever its cells are called: as on a numeric keypad, or counted in a row.
#[tokio::test]
async fn digits_select_columns_boards_and_cells() {
    let server = Server::start_unlimited("digits");
    let driver = Driver::start();
    let page = driver.open(1200, 900).await;
    for (variant, moves) in [
        ("classic", &[("5", "b2"), ("7", "a1")][..]),
        ("connect-four", &[("4", "d"), ("4", "d"), ("7", "g")]),
        // The second move has to go to the board in the center.
        ("ultimate", &[("55", "ee"), ("9", "ec")]),
        ("notakto:2", &[("15", "1b2"), ("27", "2a1")]),
        ("cube:3", &[("25", "2b2"), ("39", "3c1")]),
        // Typed faster than the boards are shown.
        ("ception:depth=4", &[("5579", "eeac"), ("1", "eacg")]),
    ] {
        let players = "p1-kind=human&p1-name=Ada&p2-kind=human&p2-name=Bob&starts=first";
        start_game(&page, &server, &format!("variant={variant}&{players}")).await;
        for (made, (keys, mv)) in moves.iter().enumerate() {
            let keys: Vec<String> = keys.chars().map(String::from).collect();
            let keys: Vec<&str> = keys.iter().map(String::as_str).collect();
            page.press_keys(&keys).await;
            wait_for_moves(&page, made + 1).await;
            assert_eq!(page.game().await["moves"][made], *mv, "{variant}: {keys:?}");
        }
    }
    page.close().await;
}

/// Guards against a frame that can't be dragged where a piece of either side is in the grid's corner.
#[tokio::test]
async fn the_grid_is_dragged_by_its_frame_next_to_any_piece() {
    let server = Server::start("grid-frame");
    let driver = Driver::start();
    let page = driver.open(1200, 900).await;
    // X to move; the piece on b2, in the grid's top left corner, is X's and then O's.
    for opening in [["b2", "b3", "d2", "d4"], ["b3", "b2", "d2", "d4"]] {
        let players = "p1-kind=human&p1-name=Ada&p2-kind=human&p2-name=Bob&starts=first";
        start_game(&page, &server, &format!("variant=tic-tac-two&{players}")).await;
        for (made, cell) in opening.into_iter().enumerate() {
            page.click(&format!("#c-{cell}")).await;
            wait_for_moves(&page, made + 1).await;
        }
        let (start, end) = grid_drag(&page, "c4").await;
        page.drag(start, end).await;
        wait_for_moves(&page, 5).await;
        assert_eq!(page.game().await["moves"][4], "@c4", "{opening:?}");
    }
    page.close().await;
}

/// On the first visit, the board is shown at once, and the first click creates and saves a game.
#[tokio::test]
async fn the_first_click_creates_a_game() {
    let server = Server::start("first-visit");
    let driver = Driver::start();
    let page = driver.open(1200, 900).await;
    page.goto(server.address(), "/").await;
    page.click("#c-b2").await;
    wait_for_moves(&page, 2).await;
    let path = page.path().await;
    assert!(path.starts_with("/games/"), "{path}");
    page.reload().await;
    wait_for_moves(&page, 2).await;
    assert_eq!(page.game().await["moves"][0], "b2");
    // The back button leads to the home page, which offers the game.
    page.evaluate("history.back()").await;
    page.wait_until("location.pathname === '/'").await;
    page.click(&format!(".unfinished-games a[href='{path}']"))
        .await;
    wait_for_moves(&page, 2).await;
    page.close().await;
}
