//! Random positions of all games: the buttons say what the rules say, and the markup is
//! fit for pages.

use std::collections::BTreeSet;

use noughts_conformance::test_rng::TestRng;
use noughts_conformance::variants::GROUPS;
use noughts_rules::{AnyGameState, Variant};
use roxmltree::{Document, Node};

use super::super::{board, read_only_board};
use super::{buttons, number, read, step};

fn depth(play: &AnyGameState) -> u8 {
    match play.variant() {
        Variant::Nested(options) => options.depth(),
        _ => 0,
    }
}

/// The paths of the boards that show cells and together show them all.
fn paths(play: &AnyGameState) -> Vec<String> {
    match depth(play) {
        0..=2 => vec![String::new()],
        3 => ('a'..='i').map(String::from).collect(),
        _ => unreachable!("too many"),
    }
}

/// The moves that a drawing offers.
fn offered(document: &Document<'_>) -> Vec<String> {
    let mut moves = Vec::new();
    for button in buttons(document) {
        let said = |name: &str| button.attribute(name).map(String::from);
        moves.extend(said("data-move"));
        moves.extend(said("data-grid"));
        let to = said("data-to").unwrap_or_default();
        let from = said("data-cell").unwrap_or_default();
        moves.extend(to.split_whitespace().map(|to| format!("{from}-{to}")));
        let legal = button.attribute("data-legal").is_some();
        let playable = said("data-move").is_some() || !to.is_empty();
        if button.attribute("data-cell").is_some() {
            assert_eq!(legal, playable, "{:?}", button.attribute("id"));
            let disabled = button.attribute("aria-disabled") == Some("true");
            assert_eq!(disabled, !legal, "{:?}", button.attribute("id"));
        }
    }
    moves
}

/// What every page wants of a drawing.
fn check_markup(document: &Document<'_>, at: &str) {
    let mut ids = BTreeSet::new();
    for id in document
        .descendants()
        .filter_map(|node| node.attribute("id"))
    {
        assert!(ids.insert(id), "{at}: the id {id} is there twice");
    }
    let buttons = buttons(document);
    let reached = |node: &&_| Node::attribute(node, "tabindex") == Some("0");
    assert_eq!(buttons.iter().filter(reached).count(), 1, "{at}: tab stops");
    let most = if at.starts_with("mnk") { 256 } else { 81 };
    assert!(buttons.len() <= most, "{at}: {} buttons", buttons.len());
    let mut names = BTreeSet::new();
    let mut squares = Vec::new();
    let view: Vec<f64> = document
        .root_element()
        .attribute("viewBox")
        .unwrap()
        .split(' ')
        .map(|n| n.parse().unwrap())
        .collect();
    for button in buttons {
        let name = button.attribute("aria-label").unwrap_or_default();
        assert!(!name.trim().is_empty(), "{at}: a button without a name");
        assert!(names.insert(name), "{at}: two buttons are called {name}");
        let [x, y, w, h] = ["x", "y", "width", "height"].map(|side| number(button, side));
        assert!(
            x >= 0.0 && y >= 0.0 && x + w <= view[2] + 0.01 && y + h <= view[3] + 0.01,
            "{at}: {name} is outside"
        );
        squares.push((x, y, w, h, name));
    }
    for (n, one) in squares.iter().enumerate() {
        for other in &squares[n + 1..] {
            let apart = one.0 + one.2 <= other.0 + 0.02
                || other.0 + other.2 <= one.0 + 0.02
                || one.1 + one.3 <= other.1 + 0.02
                || other.1 + other.3 <= one.1 + 0.02;
            assert!(apart, "{at}: {} lies over {}", one.4, other.4);
        }
    }
}

fn check(play: &AnyGameState) {
    let at = format!("{} after {:?}", play.variant(), play.moves());
    let mut moves = Vec::new();
    for path in paths(play) {
        let markup = board(play, &path).into_string();
        let document = read(&markup);
        check_markup(&document, &at);
        moves.extend(offered(&document));
    }
    moves.sort_unstable();
    assert_eq!(moves, play.legal_moves(), "{at}");
}

/// A few positions of a game, its start and its end among them.
fn walk(name: &str, positions: usize, mut visit: impl FnMut(&AnyGameState)) {
    let mut dice = TestRng::for_name(5, name);
    let mut play = AnyGameState::new(name.parse().unwrap());
    visit(&play);
    let mut left = positions;
    let most = if depth(&play) > 3 { 120 } else { 400 };
    for ply in 0..most {
        if !step(&mut play, &mut dice) {
            break;
        }
        if left > 0 && (ply < 3 || dice.chance(1, 9)) {
            left -= 1;
            visit(&play);
        }
    }
    visit(&play);
}

fn names(deep: bool) -> impl Iterator<Item = &'static str> {
    let groups = GROUPS.iter();
    let groups = groups.filter(move |group| {
        let is_deep = ["depth 4", "depth 5", "depth 6"].contains(&group.name);
        is_deep == deep
    });
    groups.flat_map(|group| group.variants.iter().copied())
}

#[test]
fn the_buttons_offer_exactly_the_legal_moves() {
    for name in names(false) {
        walk(name, 6, check);
    }
}

#[test]
fn of_a_deep_board_only_what_is_visible_is_drawn() {
    for name in names(true).chain(["ception:depth=3"]) {
        walk(name, 3, |play| {
            let (legal, last) = (play.legal_moves(), play.last_move().unwrap_or_default());
            let depth = usize::from(depth(play));
            let path = legal.first().unwrap_or(&last);
            for letters in 0..depth {
                let path = path.get(..letters).unwrap_or_default();
                let at = format!("{name} at {path:?}, {} moves made", play.moves().len());
                let markup = board(play, path).into_string();
                let document = read(&markup);
                check_markup(&document, &at);
                let elements = document.descendants().filter(Node::is_element);
                let count = elements.count();
                assert!(count < 1000, "{at}: {count} elements");
                for button in buttons(&document) {
                    let open = button.attribute("data-legal").is_some();
                    let here = button.attribute("id").unwrap_or_default();
                    let takes = legal.iter().any(|mv| mv.starts_with(&here[2..]));
                    assert_eq!(open, takes, "{at}: {here}");
                }
            }
        });
    }
}

#[test]
fn a_cell_says_where_it_sends() {
    for name in names(false).filter(|name| name.starts_with("ception") || *name == "ultimate") {
        walk(name, 2, |play| {
            for path in paths(play) {
                let markup = board(play, &path).into_string();
                for button in buttons(&read(&markup)) {
                    let Some(mv) = button.attribute("data-move") else {
                        assert_eq!(button.attribute("data-sends"), None);
                        continue;
                    };
                    let mut next = play.clone();
                    next.play(mv).unwrap();
                    let sent = next.legal_moves();
                    match button.attribute("data-sends") {
                        Some(sends) => {
                            assert!(!sent.is_empty(), "{name}: {mv} ends the game");
                            let there = sent.iter().all(|next| next.starts_with(sends));
                            assert!(there, "{name}: {mv} sends to {sends}, not {sent:?}");
                        }
                        None => assert!(sent.is_empty() || depth(play) == 1, "{name}: {mv}"),
                    }
                }
            }
        });
    }
}

#[test]
fn a_line_that_a_move_would_complete_is_named() {
    let flat = names(false).filter(|name| !name.starts_with("ception") && *name != "ultimate");
    let mut seen = 0;
    for name in flat {
        walk(name, 6, |play| {
            let markup = board(play, "").into_string();
            for button in buttons(&read(&markup)) {
                let Some(mv) = button.attribute("data-move") else {
                    continue;
                };
                let mut next = play.clone();
                next.play(mv).unwrap();
                let over = next
                    .outcome()
                    .is_some_and(|outcome| outcome.winner().is_some());
                let lines = button.attribute("data-lines");
                assert_eq!(
                    lines.is_some(),
                    over,
                    "{name}: {mv} after {:?}",
                    play.moves()
                );
                seen += usize::from(over);
            }
        });
    }
    assert!(seen > 50, "only {seen} lines");
}

#[test]
fn the_past_offers_nothing() {
    for name in names(false) {
        walk(name, 2, |play| {
            let markup = read_only_board(play, "").into_string();
            let document = read(&markup);
            assert_eq!(offered(&document), [""; 0], "{name}");
            check_markup(&document, name);
        });
    }
}
