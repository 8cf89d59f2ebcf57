//! Random positions of all games: the buttons agree with the rules, and the markup is valid
//! and accessible.

use std::collections::{BTreeMap, BTreeSet};

use noughts_conformance::test_rng::TestRng;
use noughts_conformance::variants::all_variants;
use noughts_rules::{AnyGameState, BoardShape, BoardView, Place, Target};
use roxmltree::{Document, Node};

use super::super::{board, path_of, read_only_board, value_overlay};
use super::{attribute_number, buttons, parse, play_random_move};

/// The paths of the boards whose views together show every cell.
fn paths(view: &dyn BoardView) -> Vec<String> {
    let shape = view.shape();
    let level = shape.depth().saturating_sub(2);
    let boards = (0..shape.count_places(level)).map(|index| Place::new(level, index));
    boards.map(|board| path_of(&shape, board)).collect()
}

/// Boards with this many levels aren't shown as a whole.
fn is_deep(shape: &BoardShape) -> bool {
    shape.depth() > 3
}

fn variants(deep: bool) -> impl Iterator<Item = String> {
    let shape = |name: &str| AnyGameState::new(name.parse().unwrap()).view().shape();
    all_variants().filter(move |name| is_deep(&shape(name)) == deep)
}

/// Visits a few positions of a random game, including its start and its end.
fn walk(name: &str, positions: usize, mut visit: impl FnMut(&AnyGameState)) {
    let mut dice = TestRng::for_name(5, name);
    let mut state = AnyGameState::new(name.parse().unwrap());
    visit(&state);
    let mut remaining = positions;
    let max_plies = if is_deep(&state.view().shape()) {
        120
    } else {
        400
    };
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

/// Checks ids, tab stops, accessible names and the placement of buttons.
fn check_markup(document: &Document<'_>, context: &str) {
    let mut ids = BTreeSet::new();
    for id in document
        .descendants()
        .filter_map(|node| node.attribute("id"))
    {
        assert!(ids.insert(id), "{context}: the id {id} is there twice");
    }
    let root = document.root_element();
    let description = root.attribute("aria-label").unwrap_or_default();
    assert!(!description.is_empty(), "{context}: no description");
    let buttons = buttons(document);
    let reached = |node: &&_| Node::attribute(node, "tabindex") == Some("0");
    assert_eq!(
        buttons.iter().filter(reached).count(),
        1,
        "{context}: tab stops"
    );
    assert!(buttons.len() <= 256, "{context}: {} buttons", buttons.len());
    let (mut labels, mut positions) = (BTreeSet::new(), BTreeSet::new());
    let mut squares = Vec::new();
    let view: Vec<f64> = root
        .attribute("viewBox")
        .unwrap()
        .split(' ')
        .map(|n| n.parse().unwrap())
        .collect();
    assert!(
        view[3] > 10.0 && view[3] <= 1.6 * view[2],
        "{context}: {view:?} is too tall"
    );
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
        let parent = button.parent().expect("a grid cell");
        let [row, column] = ["data-row", "data-col"].map(|name| attribute_number(parent, name));
        assert!(
            positions.insert((row as u32, column as u32)),
            "{context}: two buttons in column {column}, row {row}"
        );
        // Arrow keys lead to what is next to it.
        let is_before = |(other_x, other_y): (f64, f64)| other_x < x + 0.01 && other_y < y + 0.01;
        assert!(
            positions.len() == 1 || is_before((squares[0].0, squares[0].1)),
            "{context}: {name} is above or to the left of the first button"
        );
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

/// The buttons of cells by name, with their attributes.
fn cells(document: &Document<'_>) -> BTreeMap<String, BTreeMap<String, String>> {
    let buttons = buttons(document).into_iter();
    let cells = buttons.filter_map(|button| {
        let attributes = button.attributes();
        let all = attributes.map(|a| (a.name().to_owned(), a.value().to_owned()));
        Some((button.attribute("data-cell")?.to_owned(), all.collect()))
    });
    cells.collect()
}

/// The buttons of all cells and what starts a move, compared with the rules.
fn check(state: &AnyGameState) {
    let context = format!("{} after {:?}", state.variant(), state.moves());
    let view = state.view();
    let shape = view.shape();
    let mut found = BTreeMap::new();
    let mut can_drag_frame = false;
    for path in paths(view) {
        let markup = board(state, &path).into_string();
        let document = parse(&markup);
        check_markup(&document, &context);
        found.append(&mut cells(&document));
        let mut nodes = document.descendants();
        can_drag_frame |= nodes.any(|node| node.attribute("data-target") == Some("@"));
    }
    assert_eq!(found.len(), shape.count_cells() as usize, "{context}");
    // Every legal move starts with something that can be touched, and its other targets exist.
    let choices = view.choices().expect("few moves");
    for (mv, taps) in &choices {
        for (n, target) in taps.iter().enumerate() {
            match target {
                Target::Place(place) => {
                    let cell = &found[&view.place_name(*place)];
                    assert!(n > 0 || cell.contains_key("data-legal"), "{context}: {mv}");
                }
                Target::Frame => assert!(can_drag_frame, "{context}: {mv}"),
                Target::Piece(_) => {}
            }
        }
    }
    let starts: BTreeSet<&Target> = choices
        .iter()
        .filter_map(|(_, taps)| taps.first())
        .collect();
    assert_eq!(can_drag_frame, starts.contains(&Target::Frame), "{context}");
    for (name, attributes) in found {
        let cell = view.parse_cell(&name).expect("a cell's name");
        let (aim, attribute) = (view.aim(cell), |name: &str| {
            attributes.get(name).map(String::as_str)
        });
        let is_legal = starts.contains(&Target::Place(aim));
        assert_eq!(
            attribute("data-legal").is_some(),
            is_legal,
            "{context}: {name}"
        );
        assert_eq!(
            attribute("aria-disabled"),
            Some(if is_legal { "false" } else { "true" })
        );
        let aim = (aim != cell).then(|| view.place_name(aim));
        assert_eq!(attribute("data-aim"), aim.as_deref(), "{context}: {name}");
        let contents = view.cell(cell);
        let kind = attribute("data-piece").and_then(|kind| kind.parse::<usize>().ok());
        let drawn = kind.map(|kind| (view.pieces()[kind].mark, view.pieces()[kind].size));
        let top = contents.top().map(|piece| (piece.mark, piece.size));
        assert_eq!(drawn, top, "{context}: {name}");
        let label = attribute("aria-label").unwrap_or_default();
        match contents.top() {
            Some(piece) => assert!(label.contains(&format!(", {piece}")), "{context}: {label}"),
            None => assert!(label.contains(", empty"), "{context}: {label}"),
        }
        let is_fading = contents.top().is_some_and(|piece| piece.is_fading);
        assert_eq!(label.contains("vanish"), is_fading, "{context}: {label}");
    }
}

#[test]
fn buttons_match_legal_moves() {
    for name in variants(false) {
        walk(&name, 6, check);
    }
}

#[test]
fn deep_boards_draw_only_the_visible_part() {
    for name in variants(true).chain(["ception:depth=3".into()]) {
        walk(&name, 3, |state| {
            let (view, shape) = (state.view(), state.view().shape());
            // The boards around where the next move can go.
            let mut board_to_show = Place::BOARD;
            while board_to_show.level + 1 < shape.depth() {
                let path = path_of(&shape, board_to_show);
                let context = format!("{name} at {path:?}, {} moves made", state.moves().len());
                let markup = board(state, &path).into_string();
                let document = parse(&markup);
                assert_eq!(
                    document.root_element().attribute("data-path"),
                    Some(&*path),
                    "{context}"
                );
                check_markup(&document, &context);
                let elements = document.descendants().filter(Node::is_element);
                let count = elements.count();
                assert!(count < 1000, "{context}: {count} elements");
                let level = (board_to_show.level + 2).min(shape.depth());
                for index in 0..81 {
                    let place = Place::new(level, board_to_show.index * 81 + index);
                    let name = view.place_name(place);
                    let mut nodes = buttons(&document).into_iter();
                    let button = nodes.find(|button| {
                        let id = button.parent().and_then(|parent| parent.attribute("id"));
                        id.is_some_and(|id| id[2..] == name)
                    });
                    let is_open = button.unwrap().attribute("data-legal").is_some();
                    assert_eq!(is_open, view.accepts_move(place), "{context}: {name}");
                }
                let mut parts = shape.parts(board_to_show);
                board_to_show = match parts.find(|&part| view.accepts_move(part)) {
                    Some(part) => part,
                    None => break,
                };
            }
        });
    }
}

#[test]
fn every_piece_is_drawn() {
    for name in variants(false) {
        walk(&name, 3, |state| {
            let (view, shape) = (state.view(), state.view().shape());
            if shape.depth() > 2 {
                return;
            }
            let markup = board(state, "").into_string();
            let document = parse(&markup);
            let count = |class: &str| {
                let nodes = document.descendants();
                let classes = nodes.filter_map(|node| node.attribute("class"));
                classes
                    .filter(|all| all.split(' ').any(|one| one == class))
                    .count()
            };
            let cells = (0..shape.count_cells()).map(|index| view.cell(shape.cell(index)));
            let pieces: Vec<_> = cells.map(|contents| contents.pieces).collect();
            let tops = pieces.iter().filter(|pieces| !pieces.is_empty()).count();
            let all: usize = pieces.iter().map(Vec::len).sum();
            let fading = pieces
                .iter()
                .flatten()
                .filter(|piece| piece.is_fading)
                .count();
            let context = format!("{name} after {:?}", state.moves());
            assert_eq!(count("mark"), tops, "{context}");
            assert_eq!(count("covered"), all - tops, "{context}");
            assert_eq!(count("age"), fading, "{context}");
            let moved_frame = view.previous_frame().is_some();
            let is_marked = moved_frame || !view.last_places().is_empty();
            assert!(is_marked || state.moves().is_empty(), "{context}");
            if let Some(last) = view.last_places().last() {
                let rings = usize::from(view.cell(*last).top().is_some());
                assert!(count("last-ring") >= rings, "{context}");
            }
        });
    }
}

#[test]
fn the_value_of_every_move_can_be_shown() {
    use noughts_engine::{ExactValue, RankedMove, SearchReport, Value};
    for name in variants(false) {
        walk(&name, 2, |state| {
            let (view, moves) = (state.view(), state.legal_moves());
            for path in paths(view).into_iter().take(1) {
                let ranked = moves.iter().map(|mv| RankedMove {
                    mv: mv.clone(),
                    value: Value::Exact(ExactValue::DRAW),
                    nodes: 0,
                    pv: Vec::new(),
                });
                let report = SearchReport {
                    moves: ranked.collect(),
                    ..SearchReport::empty()
                };
                let markup = format!(
                    "<g>{}</g>",
                    value_overlay(state, &path, &report).into_string()
                );
                let document = parse(&markup);
                let plates = document
                    .descendants()
                    .filter(|node| node.has_tag_name("rect"))
                    .count();
                let shown = moves
                    .iter()
                    .filter_map(|mv| view.shown_places(mv).last().copied());
                let places: BTreeSet<_> = shown.collect();
                let context = format!("{name} after {:?}", state.moves());
                assert_eq!(places.is_empty(), moves.is_empty(), "{context}");
                if view.shape().depth() <= 2 {
                    assert!(plates >= places.len(), "{context}");
                }
            }
        });
    }
}

#[test]
fn read_only_boards_offer_no_moves() {
    for name in variants(false) {
        walk(&name, 2, |state| {
            let markup = read_only_board(state, "").into_string();
            let document = parse(&markup);
            check_markup(&document, &name);
            for what in ["data-legal", "data-target"] {
                let mut nodes = document.descendants();
                assert!(
                    !nodes.any(|node| node.has_attribute(what)),
                    "{name}: {what}"
                );
            }
        });
    }
}
