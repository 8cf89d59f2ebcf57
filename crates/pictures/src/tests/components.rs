//! Values, plots, thumbnails and files.

use noughts_conformance::variants;
use noughts_engine::{ExactValue, GameValue, RankedMove, SearchReport, Value};

use super::super::svg::runs;
use super::super::{
    MistakeSeverity, PlotPoint, breadcrumbs, minimap, plot, svg_document, thumbnail, value_bar,
    value_label, value_overlay,
};
use super::{after, buttons, number, read};

fn guess(mean: f64) -> Value {
    Value::Estimate { mean, error: 0.1 }
}

#[test]
fn proofs_and_guesses_have_signs_of_their_own() {
    let signs = [
        (Value::Exact(ExactValue::win(3)), "▲3"),
        (Value::Exact(ExactValue::loss(14)), "▼14"),
        (Value::Exact(ExactValue::DRAW), "="),
        (
            Value::Exact(ExactValue::without_distance(GameValue::Win)),
            "▲",
        ),
        (guess(0.31), "66%"),
        (guess(-0.046), "48%"),
        (guess(1.7), "100%"),
        (guess(-0.001), "50%"),
        (guess(f64::NAN), "50%"),
    ];
    for (value, text) in signs {
        assert_eq!(value_label(value), text);
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

/// The classes of the plates and the texts on them.
fn laid(variant: &str, moves: &str, path: &str, values: &[(&str, Value)]) -> Vec<(String, String)> {
    let markup = value_overlay(&after(variant, moves), path, &report(values)).into_string();
    let markup = format!("<g>{markup}</g>");
    let document = read(&markup);
    let plates = document
        .descendants()
        .filter(|node| node.has_tag_name("rect"));
    let texts = document
        .descendants()
        .filter(|node| node.has_tag_name("text"));
    let pairs = plates.zip(texts).map(|(plate, text)| {
        let class = plate.attribute("class").unwrap_or_default();
        (class.into(), text.text().unwrap_or_default().into())
    });
    pairs.collect()
}

fn pairs(wanted: &[(&str, &str)]) -> Vec<(String, String)> {
    let owned = |&(class, text): &(&str, &str)| (class.into(), text.into());
    wanted.iter().map(owned).collect()
}

#[test]
fn values_lie_on_the_cells_that_they_are_about() {
    let (win, loss) = (
        Value::Exact(ExactValue::win(3)),
        Value::Exact(ExactValue::loss(4)),
    );
    // O moves: a win of hers is in her hue, a loss in X's.
    let flat = laid(
        "classic",
        "b2",
        "",
        &[("a1", win), ("a2", loss), ("a3", guess(0.5))],
    );
    let wanted = [("tint o best", "▲3"), ("tint x", "▼4"), ("guess", "75%")];
    assert_eq!(flat, pairs(&wanted));
    // Two moves to one cell: the better one. The grid's moves lie apart.
    let values = [
        ("d4", loss),
        ("b2-d4", win),
        ("@d3", loss),
        ("@c4", guess(-0.2)),
    ];
    let two = laid("tic-tac-two", "b2 c2 d3 c4", "", &values);
    let wanted = [("tint x best", "▲3"), ("tint o", "⊞"), ("guess", "⊞")];
    assert_eq!(two.len(), 3);
    for ((class, text), (wanted, begin)) in two.iter().zip(wanted) {
        assert_eq!(class, wanted);
        assert!(text.starts_with(begin), "{text}");
    }
    // From afar the best move of a whole board; from near only what is seen.
    let values = [("aaa", loss), ("aab", guess(0.1)), ("bcd", win)];
    let deep = laid("ception:depth=3", "", "", &values);
    assert_eq!(deep, pairs(&[("guess best", "55%"), ("tint x", "▲3")]));
    let near = laid("ception:depth=3", "", "b", &values);
    assert_eq!(near, pairs(&[("tint x", "▲3")]));
    assert_eq!(laid("classic", "", "", &[("zz", win), ("d4", win)]), []);
}

fn points(count: usize) -> Vec<PlotPoint> {
    let point = |n: usize| PlotPoint {
        value: (n % 7 != 3).then(|| (n as f64).sin()),
        exact: n > 5,
        mistake: match n {
            2 => Some(MistakeSeverity::Mistake),
            4 => Some(MistakeSeverity::Blunder),
            _ => None,
        },
        label: format!("after {n} moves"),
    };
    (0..count).map(point).collect()
}

#[test]
fn a_plot_can_be_pressed_everywhere() {
    for (count, current) in [(0, 0), (1, 0), (2, 1), (10, 7), (121, 120), (4000, 17)] {
        let markup = plot(&points(count), current).into_string();
        let document = read(&markup);
        let buttons = buttons(&document);
        assert!(buttons.len() <= 120, "{count}: {} buttons", buttons.len());
        assert_eq!(buttons.is_empty(), count == 0);
        let stops = buttons
            .iter()
            .filter(|node| node.attribute("tabindex") == Some("0"));
        assert_eq!(stops.count(), count.min(1), "{count}: tab stops");
        let mut before = f64::NEG_INFINITY;
        for button in buttons {
            let (x, width) = (number(button, "x"), number(button, "width"));
            assert!(x >= before - 0.02, "{count}: a button lies over another");
            assert!(width > 0.0 && x + width <= 380.01, "{count}");
            before = x + width;
        }
    }
    let markup = plot(&points(10), 0).into_string();
    let document = read(&markup);
    let signs = document
        .descendants()
        .filter(|node| node.has_tag_name("text"));
    let signs: Vec<_> = signs.filter_map(|node| node.text()).collect();
    assert_eq!(signs, ["?", "??"]);
    let strange = PlotPoint {
        value: Some(f64::NAN),
        ..points(1).remove(0)
    };
    let markup = plot(&[strange.clone(), strange], 0).into_string();
    assert!(!markup.contains("NaN"), "{markup}");
}

#[test]
fn a_bar_says_in_words_what_it_shows() {
    for (share, width) in [(0.25, "25"), (-1.0, "0"), (7.0, "100"), (f64::NAN, "50")] {
        for exact in [false, true] {
            let markup = value_bar(share, exact, "X <wins>").into_string();
            let document = read(&markup);
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
fn every_game_has_a_thumbnail_in_mid_game() {
    for name in variants::all_variants() {
        let markup = thumbnail(name.parse().unwrap()).into_string();
        let document = read(&markup);
        let marks = document.descendants().filter(|node| {
            let class = node.attribute("class").unwrap_or_default();
            class.starts_with("mark") || class.starts_with("won")
        });
        // The only move of the smallest board would end the game.
        let least = if name.starts_with("mnk:1,1,1") || name == "mnk:3,3,1" {
            0
        } else {
            1
        };
        assert!(marks.count() >= least, "{name}: {markup}");
        assert!(
            !markup.contains(" id="),
            "{name}: a list holds many of them"
        );
    }
}

#[test]
fn files_need_nothing_else() {
    let plays = [
        after("classic", "b2 a1 a3 c3 c1"),
        after("mnk:16,3,3", "h2"),
        after("tic-tac-two", "b2 c2 d3 c4 @d3"),
        after("ultimate", "df fa"),
        after("ception:4b,5c,depth=6", "abcdef"),
    ];
    for play in plays {
        let text = svg_document(&play);
        let document = read(&text);
        let name = play.variant().to_string();
        let title = document
            .descendants()
            .find(|node| node.has_tag_name(("http://www.w3.org/2000/svg", "title")));
        assert!(
            title
                .and_then(|node| node.text())
                .unwrap()
                .starts_with(&name)
        );
        for foreign in ["var(", "href", "color-mix", "url("] {
            assert!(!text.contains(foreign), "{name}: {foreign}");
        }
    }
}

#[test]
fn one_finds_ones_way_in_deep_boards_only() {
    let deep = after("ception:depth=4", "abcd");
    let markup = format!("<g>{}</g>", breadcrumbs(&deep, "bcx").into_string());
    let document = read(&markup);
    let paths = document
        .descendants()
        .filter_map(|node| node.attribute("data-path"));
    assert_eq!(paths.collect::<Vec<_>>(), ["", "b", "bc"]);
    // From elsewhere a button leads to where the next move goes.
    let markup = breadcrumbs(&deep, "a").into_string();
    assert!(
        markup.contains("data-path=\"bc\">Where to play"),
        "{markup}"
    );
    let markup = minimap(&deep, "bcd").into_string();
    let document = read(&markup);
    let with = |class: &str| {
        document
            .descendants()
            .filter(|node| node.attribute("class") == Some(class))
            .count()
    };
    assert_eq!((with("shown"), with("target"), with("jump")), (1, 1, 9));
    let shallow = after("ultimate", "df");
    assert_eq!(breadcrumbs(&shallow, "a").into_string(), "");
    assert_eq!(minimap(&shallow, "a").into_string(), "");
}

#[test]
fn lines_run_from_end_to_end() {
    let set = |rows: &str| {
        rows.bytes()
            .filter(|&c| c != b'/')
            .map(|c| c == b'x')
            .collect::<Vec<_>>()
    };
    let cases = [
        ("xxx/.../...", 3, vec![(0, 2)]),
        ("x../.x./..x", 3, vec![(0, 8)]),
        ("..x/.x./x..", 3, vec![(2, 6)]),
        ("xxx/.x./x..", 3, vec![(0, 2), (2, 6)]),
        ("xx./.../...", 3, vec![]),
        (".../.x./...", 1, vec![(4, 4)]),
    ];
    for (rows, least, ends) in cases {
        assert_eq!(runs(&set(rows), 3, least), ends, "{rows}");
    }
}
