//! Values, plots, thumbnails and documents.

use noughts_conformance::variants;
use noughts_engine::{ExactValue, GameValue, RankedMove, SearchReport, Value};
use noughts_text::MistakeKind;

use super::super::pieces::{PieceStyle, draw_pieces};
use super::super::svg::{Square, SvgWriter};
use super::super::{
    PlotPoint, breadcrumbs, minimap, piece, plot, svg_document, svg_document_with_prompt,
    thumbnail, value_bar, value_overlay,
};
use super::{attribute_number, buttons, parse, state_after};
use noughts_rules::{AnyGameState, Piece, PieceSize, Side, games};

fn estimate(mean: f64) -> Value {
    Value::Estimate { mean, error: 0.1 }
}

#[test]
fn proved_and_estimated_values_have_distinct_labels() {
    let cases = [
        (Value::Exact(ExactValue::win(3)), "▲3"),
        (Value::Exact(ExactValue::loss(14)), "▼14"),
        (Value::Exact(ExactValue::DRAW), "="),
        (
            Value::Exact(ExactValue::without_distance(GameValue::Win)),
            "▲",
        ),
        (estimate(0.31), "66%"),
        (estimate(-0.046), "48%"),
        (estimate(1.7), "100%"),
        (estimate(-0.001), "50%"),
        (estimate(f64::NAN), "50%"),
    ];
    for (value, text) in cases {
        assert_eq!(noughts_text::value_symbol(value), text);
        assert_eq!(text.ends_with('%'), value.exact().is_none());
    }
}

fn report(moves: &[(&str, Value)]) -> SearchReport<String> {
    SearchReport {
        best: moves.first().map(|(mv, _)| (*mv).into()),
        moves: moves
            .iter()
            .map(|&(mv, value)| RankedMove {
                mv: mv.into(),
                value,
                nodes: 0,
                pv: Vec::new(),
            })
            .collect(),
        ..SearchReport::empty()
    }
}

/// The classes of the overlay's rectangles and the texts on them.
fn overlay_texts(
    variant: &str,
    moves: &str,
    path: &str,
    values: &[(&str, Value)],
) -> Vec<(String, String)> {
    let markup = value_overlay(&state_after(variant, moves), path, &report(values)).into_string();
    let markup = format!("<g>{markup}</g>");
    let document = parse(&markup);
    let plates = document
        .descendants()
        .filter(|node| node.has_tag_name("rect"));
    let texts = document.descendants().filter(|node| {
        let class = node.attribute("class").unwrap_or_default();
        node.has_tag_name("text") && !class.contains("more")
    });
    let pairs = plates.zip(texts).map(|(plate, text)| {
        let class = plate.attribute("class").unwrap_or_default();
        (class.into(), text.text().unwrap_or_default().into())
    });
    pairs.collect()
}

fn pairs(expected: &[(&str, &str)]) -> Vec<(String, String)> {
    let owned = |&(class, text): &(&str, &str)| (class.into(), text.into());
    expected.iter().map(owned).collect()
}

/// Guards against values that the lines of the board go through.
#[test]
fn values_on_lines_are_legible() {
    let value = Value::Exact(ExactValue::win(3));
    for (variant, is_on_line) in [("morris", true), ("classic", false)] {
        let report = report(&[("a1", value)]);
        let markup = value_overlay(&state_after(variant, ""), "", &report).into_string();
        assert_eq!(markup.contains("covering"), is_on_line, "{variant}");
    }
}

#[test]
fn values_are_drawn_on_their_cells() {
    let (win, loss) = (
        Value::Exact(ExactValue::win(3)),
        Value::Exact(ExactValue::loss(4)),
    );
    // O is to move: a win has O's class, a loss X's.
    let flat = overlay_texts(
        "classic",
        "b2",
        "",
        &[("a1", win), ("a2", loss), ("a3", estimate(0.5))],
    );
    let expected = [
        ("tint o best", "▲3"),
        ("tint x", "▼4"),
        ("estimate-outline", "75%"),
    ];
    assert_eq!(flat, pairs(&expected));
    // Of two moves to one cell the better one is shown. Grid moves are shown separately.
    let values = [
        ("d4", loss),
        ("b2-d4", win),
        ("@d3", loss),
        ("@c4", estimate(-0.2)),
    ];
    let two = overlay_texts("tic-tac-two", "b2 c2 d3 c4", "", &values);
    let expected = [
        ("tint x best", "▲3"),
        ("tint o", "⊞"),
        ("estimate-outline", "⊞"),
    ];
    assert_eq!(two.len(), 3);
    for ((class, text), (expected, begin)) in two.iter().zip(expected) {
        assert_eq!(class, expected);
        assert!(text.starts_with(begin), "{text}");
    }
    // A sign says that there are others.
    let count_signs = |values: &[(&str, Value)]| {
        let state = state_after("tic-tac-two", "b2 c2 d3 c4");
        let markup = value_overlay(&state, "", &report(values)).into_string();
        markup.matches(">+</text>").count()
    };
    assert_eq!((count_signs(&values), count_signs(&values[1..])), (1, 0));
    // Zoomed out, a board shows its best move; zoomed in, only visible moves are shown.
    let values = [("aaa", loss), ("aab", estimate(0.1)), ("bcd", win)];
    let deep = overlay_texts("ception:depth=3", "", "", &values);
    assert_eq!(
        deep,
        pairs(&[("estimate-outline best", "55%"), ("tint x", "▲3")])
    );
    let zoomed_in = overlay_texts("ception:depth=3", "", "1", &values);
    assert_eq!(zoomed_in, pairs(&[("tint x", "▲3")]));
    assert_eq!(
        overlay_texts("classic", "", "", &[("zz", win), ("d4", win)]),
        []
    );
}

fn points(count: usize) -> Vec<PlotPoint> {
    let point = |n: usize| PlotPoint {
        value: (n % 7 != 3).then(|| (n as f64).sin()),
        exact: n > 5,
        mistake: match n {
            2 => Some(MistakeKind::Mistake),
            4 => Some(MistakeKind::Blunder),
            _ => None,
        },
        label: format!("after {n} moves"),
    };
    (0..count).map(point).collect()
}

#[test]
fn plot_buttons_cover_the_plot_without_overlap() {
    for (count, current) in [(0, 0), (1, 0), (2, 1), (10, 7), (121, 120), (4000, 17)] {
        let markup = plot(&points(count), current).into_string();
        let document = parse(&markup);
        let buttons = buttons(&document);
        assert!(buttons.len() <= 120, "{count}: {} buttons", buttons.len());
        assert_eq!(buttons.is_empty(), count == 0);
        let stops = buttons
            .iter()
            .filter(|node| node.attribute("tabindex") == Some("0"));
        assert_eq!(stops.count(), count.min(1), "{count}: tab stops");
        let mut previous_end = f64::NEG_INFINITY;
        for button in buttons {
            let (x, width) = (
                attribute_number(button, "x"),
                attribute_number(button, "width"),
            );
            assert!(
                x >= previous_end - 0.02,
                "{count}: a button lies over another"
            );
            assert!(width > 0.0 && x + width <= 380.01, "{count}");
            previous_end = x + width;
        }
    }
    let markup = plot(&points(10), 0).into_string();
    let document = parse(&markup);
    let cases = document
        .descendants()
        .filter(|node| node.has_tag_name("text"));
    let cases: Vec<_> = cases.filter_map(|node| node.text()).collect();
    assert_eq!(cases, ["?", "??"]);
    let invalid = PlotPoint {
        value: Some(f64::NAN),
        ..points(1).remove(0)
    };
    let markup = plot(&[invalid.clone(), invalid], 0).into_string();
    assert!(!markup.contains("NaN"), "{markup}");
}

#[test]
fn value_bar_has_an_accessible_name() {
    for (share, width) in [(0.25, "25"), (-1.0, "0"), (7.0, "100"), (f64::NAN, "50")] {
        for exact in [false, true] {
            let markup = value_bar(share, exact, "X <wins>").into_string();
            let document = parse(&markup);
            let root = document.root_element();
            assert_eq!(root.attribute("aria-label"), Some("X <wins>"));
            let mut all = document.descendants();
            let x = all.find(|node| node.attribute("class") == Some("share x"));
            assert_eq!(x.and_then(|node| node.attribute("width")), Some(width));
            assert_eq!(markup.contains("hatch"), !exact);
        }
    }
}

#[test]
fn every_variant_has_a_thumbnail_with_marks() {
    for name in variants::all_variants() {
        let markup = thumbnail(name.parse().unwrap()).into_string();
        let document = parse(&markup);
        let marks = document.descendants().filter(|node| {
            let class = node.attribute("class").unwrap_or_default();
            class.starts_with("mark") || class.starts_with("won")
        });
        let state = AnyGameState::new(name.parse().unwrap());
        let ends_game = |mv: &String| {
            let mut next = state.clone();
            next.play(mv).unwrap();
            next.outcome().is_some()
        };
        let is_over_at_once =
            state.view().choices().is_some() && state.legal_moves().iter().all(ends_game);
        assert!(is_over_at_once || marks.count() > 0, "{name}: {markup}");
        assert!(
            !markup.contains(" id="),
            "{name}: a list holds many of them"
        );
    }
}

#[test]
fn every_piece_has_a_small_picture() {
    for name in variants::all_variants() {
        let state = AnyGameState::new(name.parse().unwrap());
        for kind in state.view().pieces() {
            let markup = piece(state.view(), &kind, "chosen").into_string();
            let document = parse(&markup);
            let class = document.root_element().attribute("class").unwrap();
            assert!(class.ends_with("piece chosen"), "{class}");
            assert!(
                document.descendants().any(|node| node.has_attribute("d")),
                "{name}: {kind}"
            );
        }
    }
}

#[test]
fn stacks_show_what_they_cover() {
    let of = |side: Side, size: PieceSize| Piece {
        size: Some(size),
        ..Piece::of(side)
    };
    let stack = [
        of(Side::O, PieceSize::Large),
        of(Side::X, PieceSize::Medium),
        of(Side::O, PieceSize::Small),
    ];
    let square = Square::new(0.0, 0.0, 100.0);
    let mut writer = SvgWriter::default();
    draw_pieces(&mut writer, "mark", &stack, square, PieceStyle::Written);
    let markup = format!("<g>{}</g>", writer.finish().into_string());
    let document = parse(&markup);
    let groups = document.root_element().children();
    let classes: Vec<_> = groups.filter_map(|node| node.attribute("class")).collect();
    assert_eq!(classes, ["mark o", "covered x", "covered o"]);
    let discs: Vec<_> = document
        .descendants()
        .filter(|node| node.attribute("class") == Some("disc"))
        .collect();
    // Covered pieces are smaller, at the lower right, inside the cell, and don't cover each other.
    let disc = |n: usize| ["cx", "cy", "r"].map(|name| attribute_number(discs[n], name));
    let [top, first, second] = [0, 1, 2].map(disc);
    for [x, y, r] in [first, second] {
        assert!(r < top[2] && x + y > 120.0 && x + r <= 100.0 && y + r <= 100.0);
    }
    let distance = (first[0] - second[0]).hypot(first[1] - second[1]);
    assert!(distance > first[2] + second[2]);
}

#[test]
fn svg_documents_are_self_contained() {
    let presets = games::presets().into_iter();
    let samples = presets.map(|(_, preset)| state_after(preset.name, &preset.sample.join(" ")));
    let others = [
        state_after("classic", "b2 a1 a3 c3 c1"),
        state_after("mnk:16,3,3", "h2"),
        state_after("ception:4b,5c,depth=6", "abcdef"),
    ];
    for state in samples.chain(others) {
        let text = svg_document(&state);
        let document = parse(&text);
        let name = state.variant().to_string();
        let title = document
            .descendants()
            .find(|node| node.has_tag_name(("http://www.w3.org/2000/svg", "title")));
        assert!(
            title
                .and_then(|node| node.text())
                .unwrap()
                .starts_with(&name)
        );
        for external in ["var(", "href", "color-mix", "url("] {
            assert!(!text.contains(external), "{name}: {external}");
        }
    }
}

#[test]
fn an_svg_document_can_have_another_prompt() {
    let state = state_after("classic", "b2");
    let text = svg_document_with_prompt(&state, "Ada (X) wins: Bob resigned.");
    assert!(text.contains(">classic: Ada (X) wins: Bob resigned.</title>"));
    assert!(!text.contains("to move"), "{text}");
}

#[test]
fn only_deep_boards_have_navigation() {
    let deep = state_after("ception:depth=4", "abcd");
    let markup = format!("<g>{}</g>", breadcrumbs(&deep, "1.2.9").into_string());
    let document = parse(&markup);
    let paths = document
        .descendants()
        .filter_map(|node| node.attribute("data-path"));
    assert_eq!(paths.collect::<Vec<_>>(), ["", "1", "1.2"]);
    // From another board, a button leads to the next move's board.
    let markup = breadcrumbs(&deep, "0").into_string();
    assert!(
        markup.contains("data-path=\"1.2\">Show where to play"),
        "{markup}"
    );
    let markup = minimap(&deep, "1.2.3").into_string();
    let document = parse(&markup);
    let count_class = |class: &str| {
        document
            .descendants()
            .filter(|node| node.attribute("class") == Some(class))
            .count()
    };
    assert_eq!(
        (
            count_class("viewport"),
            count_class("target"),
            count_class("jump")
        ),
        (1, 1, 9)
    );
    let shallow = state_after("ultimate", "df");
    assert_eq!(breadcrumbs(&shallow, "0").into_string(), "");
    assert_eq!(minimap(&shallow, "0").into_string(), "");
}
