//! Random positions of all games: the buttons agree with the rules, and the markup is valid
//! and accessible.

use std::collections::BTreeSet;

use noughts_conformance::test_rng::TestRng;
use noughts_conformance::variants::GROUPS;
use noughts_rules::{AnyGameState, Family, Variant};
use roxmltree::{Document, Node};

use super::super::{board, read_only_board};
use super::{attribute_number, buttons, parse, play_random_move};

fn depth(state: &AnyGameState) -> u8 {
    match state.variant().family() {
        Family::Nested(options) => options.depth(),
        _ => 0,
    }
}

/// The paths of the boards whose views together show every cell.
fn paths(state: &AnyGameState) -> Vec<String> {
    match depth(state) {
        0..=2 => vec![String::new()],
        3 => ('a'..='i').map(String::from).collect(),
        _ => unreachable!("too many"),
    }
}

/// The move that marks or places a piece on a button's cell.
fn placement<'a>(button: &Node<'a, '_>) -> Option<&'a str> {
    let is_placement =
        button.attribute("data-legal").is_some() && button.attribute("data-to").is_none();
    button.attribute("data-cell").filter(|_| is_placement)
}

/// The moves that a drawing offers.
fn offered_moves(document: &Document<'_>) -> Vec<String> {
    let mut moves = Vec::new();
    for button in buttons(document) {
        let attribute = |name: &str| button.attribute(name).map(String::from);
        moves.extend(placement(&button).map(String::from));
        moves.extend(attribute("data-grid"));
        let destinations = attribute("data-to").unwrap_or_default();
        let from = attribute("data-cell").unwrap_or_default();
        moves.extend(
            destinations
                .split_whitespace()
                .map(|to| format!("{from}-{to}")),
        );
        let legal = button.attribute("data-legal").is_some();
        if button.attribute("data-cell").is_some() {
            let disabled = button.attribute("aria-disabled") == Some("true");
            assert_eq!(disabled, !legal, "{:?}", button.attribute("data-cell"));
        }
    }
    moves
}

/// Checks ids, tab stops, accessible names and the placement of buttons.
fn check_markup(document: &Document<'_>, context: &str) {
    let mut ids = BTreeSet::new();
    for id in document
        .descendants()
        .filter_map(|node| node.attribute("id"))
    {
        assert!(ids.insert(id), "{context}: the id {id} is there twice");
    }
    let buttons = buttons(document);
    let reached = |node: &&_| Node::attribute(node, "tabindex") == Some("0");
    assert_eq!(
        buttons.iter().filter(reached).count(),
        1,
        "{context}: tab stops"
    );
    let max_buttons = if context.starts_with("mnk") { 256 } else { 81 };
    assert!(
        buttons.len() <= max_buttons,
        "{context}: {} buttons",
        buttons.len()
    );
    let mut labels = BTreeSet::new();
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
        assert!(
            !name.trim().is_empty(),
            "{context}: a button without a name"
        );
        assert!(
            labels.insert(name),
            "{context}: two buttons are called {name}"
        );
        let [x, y, w, h] = ["x", "y", "width", "height"].map(|side| attribute_number(button, side));
        assert!(
            x >= 0.0 && y >= 0.0 && x + w <= view[2] + 0.01 && y + h <= view[3] + 0.01,
            "{context}: {name} is outside"
        );
        squares.push((x, y, w, h, name));
    }
    for (n, first) in squares.iter().enumerate() {
        for other in &squares[n + 1..] {
            let apart = first.0 + first.2 <= other.0 + 0.02
                || other.0 + other.2 <= first.0 + 0.02
                || first.1 + first.3 <= other.1 + 0.02
                || other.1 + other.3 <= first.1 + 0.02;
            assert!(apart, "{context}: {} lies over {}", first.4, other.4);
        }
    }
}

fn check(state: &AnyGameState) {
    let context = format!("{} after {:?}", state.variant(), state.moves());
    let mut moves = Vec::new();
    for path in paths(state) {
        let markup = board(state, &path).into_string();
        let document = parse(&markup);
        check_markup(&document, &context);
        moves.extend(offered_moves(&document));
    }
    moves.sort_unstable();
    assert_eq!(moves, state.legal_moves(), "{context}");
}

/// Visits a few positions of a random game, including its start and its end.
fn walk(name: &str, positions: usize, mut visit: impl FnMut(&AnyGameState)) {
    let mut dice = TestRng::for_name(5, name);
    let mut state = AnyGameState::new(name.parse().unwrap());
    visit(&state);
    let mut remaining = positions;
    let max_plies = if depth(&state) > 3 { 120 } else { 400 };
    for ply in 0..max_plies {
        if !play_random_move(&mut state, &mut dice) {
            break;
        }
        if remaining > 0 && (ply < 3 || dice.chance(1, 9)) {
            remaining -= 1;
            visit(&state);
        }
    }
    visit(&state);
}

fn variant_names(is_deep: bool) -> impl Iterator<Item = &'static str> {
    let groups = GROUPS.iter();
    let groups = groups.filter(move |group| {
        let in_deep_group = ["depth 4", "depth 5", "depth 6"].contains(&group.name);
        in_deep_group == is_deep
    });
    groups.flat_map(|group| group.variants.iter().copied())
}

#[test]
fn buttons_match_legal_moves() {
    for name in variant_names(false) {
        walk(name, 6, check);
    }
}

#[test]
fn deep_boards_draw_only_the_visible_part() {
    for name in variant_names(true).chain(["ception:depth=3"]) {
        walk(name, 3, |state| {
            let (legal, last) = (state.legal_moves(), state.last_move().unwrap_or_default());
            let depth = usize::from(depth(state));
            let path = legal.first().unwrap_or(&last);
            for letters in 0..depth {
                let path = path.get(..letters).unwrap_or_default();
                let context = format!("{name} at {path:?}, {} moves made", state.moves().len());
                let markup = board(state, path).into_string();
                let document = parse(&markup);
                check_markup(&document, &context);
                let elements = document.descendants().filter(Node::is_element);
                let count = elements.count();
                assert!(count < 1000, "{context}: {count} elements");
                for button in buttons(&document) {
                    let is_open = button.attribute("data-legal").is_some();
                    let parent = button.parent().expect("a grid cell");
                    let id = parent.attribute("id").unwrap_or_default();
                    let has_legal_move = legal.iter().any(|mv| mv.starts_with(&id[2..]));
                    assert_eq!(is_open, has_legal_move, "{context}: {id}");
                }
            }
        });
    }
}

#[test]
fn cells_name_the_board_they_send_to() {
    for name in
        variant_names(false).filter(|name| name.starts_with("ception") || *name == "ultimate")
    {
        walk(name, 2, |state| {
            for path in paths(state) {
                let markup = board(state, &path).into_string();
                for button in buttons(&parse(&markup)) {
                    let Some(mv) = placement(&button) else {
                        assert_eq!(button.attribute("data-next-board"), None);
                        continue;
                    };
                    let mut next = state.clone();
                    next.play(mv).unwrap();
                    let replies = next.legal_moves();
                    match button.attribute("data-next-board") {
                        Some(sends) => {
                            assert!(!replies.is_empty(), "{name}: {mv} ends the game");
                            let in_target = replies.iter().all(|next| next.starts_with(sends));
                            assert!(in_target, "{name}: {mv} sends to {sends}, not {replies:?}");
                        }
                        None => assert!(replies.is_empty() || depth(state) == 1, "{name}: {mv}"),
                    }
                }
            }
        });
    }
}

#[test]
fn winning_moves_list_the_cells_of_their_line() {
    let flat =
        variant_names(false).filter(|name| !name.starts_with("ception") && *name != "ultimate");
    let mut line_count = 0;
    for name in flat {
        walk(name, 6, |state| {
            let markup = board(state, "").into_string();
            for button in buttons(&parse(&markup)) {
                let Some(mv) = placement(&button) else {
                    continue;
                };
                let mut next = state.clone();
                next.play(mv).unwrap();
                let over = next
                    .outcome()
                    .is_some_and(|outcome| outcome.winner().is_some());
                let lines = button.attribute("data-lines");
                assert_eq!(
                    lines.is_some(),
                    over,
                    "{name}: {mv} after {:?}",
                    state.moves()
                );
                line_count += usize::from(over);
            }
        });
    }
    assert!(line_count > 50, "only {line_count} lines");
}

#[test]
fn read_only_boards_offer_no_moves() {
    for name in variant_names(false) {
        walk(name, 2, |state| {
            let markup = read_only_board(state, "").into_string();
            let document = parse(&markup);
            assert_eq!(offered_moves(&document), [""; 0], "{name}");
            check_markup(&document, name);
        });
    }
}
