//! Checks that each option is explained in the variants that have it, and only there.

use super::*;

fn text(name: &str) -> String {
    let variant: Variant = name.parse().expect("a variant");
    let paragraphs = rules_text(variant).into_iter();
    let texts = paragraphs
        .map(|paragraph| [paragraph.heading.unwrap_or_default(), paragraph.text].join("\n"));
    texts.collect::<Vec<_>>().join("\n")
}

/// All variant names of nested games of this depth.
fn nested_names(depth: u8) -> Vec<String> {
    let mut names = Vec::new();
    for owning in ["4a", "4b"] {
        for sent in ["5a", "5b", "5c", "5d"] {
            for end in ["end=draw", "end=most"] {
                for trail in ["trail=suffix", "trail=history"] {
                    let rest = format!("depth={depth},{trail},{end}");
                    if (owning, sent) == ("4a", "5b") {
                        names.push(format!("ception:4a,5b,free=open,{rest}"));
                        names.push(format!("ception:4a,5b,free=any,{rest}"));
                    } else {
                        names.push(format!("ception:{owning},{sent},{rest}"));
                    }
                }
            }
        }
    }
    names
}

const NESTED_OPTIONS: [&str; 12] = [
    "4a",
    "4b",
    "5a",
    "5b",
    "5c",
    "5d",
    "free=open",
    "free=any",
    "trail=suffix",
    "trail=history",
    "end=draw",
    "end=most",
];

/// Phrases that explain an option without naming it.
fn expected_phrases(name: &str) -> Vec<(&'static str, bool)> {
    let has = |option| name.contains(option);
    vec![
        ("counts for both", has("4b")),
        ("first owner keeps", has("4a")),
        ("move again", has("5c") || has("5d")),
        ("won boards are closed", has("free=open")),
        ("can go into a won board", !has("free=open")),
        ("oldest first", has("trail=history") && !has("depth=2")),
        ("owns more of the nine", has("end=most")),
    ]
}

#[test]
fn the_text_names_exactly_the_options_of_its_game() {
    for depth in 2..=6 {
        for name in nested_names(depth) {
            let text = text(&name);
            for option in NESTED_OPTIONS {
                let dropped = depth == 2 && option.starts_with("trail");
                let holds = name.contains(option) && !dropped;
                assert_eq!(text.contains(option), holds, "{option} in {name}:\n{text}");
            }
            assert!(text.contains(&format!("depth={depth}")), "{name}:\n{text}");
            for (words, holds) in expected_phrases(&name) {
                let found = text.to_lowercase().contains(words);
                assert_eq!(found, holds, "{words:?} in {name}:\n{text}");
            }
        }
    }
    let single = text("ception:depth=1");
    for option in NESTED_OPTIONS {
        assert!(!single.contains(option), "{option} in {single}");
    }
}

#[test]
fn mnk_text_has_the_size_and_misere_rule() {
    for (name, shown) in [
        ("classic", "mnk:3,3,3"),
        ("misere", "mnk:3,3,3,misere"),
        ("mnk:7,5,4", "mnk:7,5,4"),
        ("mnk:16,1,1,misere", "mnk:16,1,1,misere"),
    ] {
        let text = text(name);
        assert!(text.contains(shown), "{text}");
        let misere = name.contains("misere");
        assert_eq!(text.contains("misère"), misere, "{text}");
        assert_eq!(text.contains("loses"), misere, "{text}");
        assert_eq!(text.contains(" wins"), !misere, "{text}");
    }
    assert!(text("mnk:7,5,4").contains("g5 the bottom-right"));
    assert!(!text("classic").contains("Longer lines"));
}

#[test]
fn tic_tac_two_names_all_its_options() {
    for board in [3, 5, 7] {
        for grid in [3, 5, 7].into_iter().filter(|&grid| grid <= board) {
            let options = [
                ("board", board),
                ("grid", grid),
                ("pieces", 6),
                ("after", 3),
            ];
            let options = options.map(|(key, value)| format!("{key}={value}"));
            let text = text(&format!("tic-tac-two:{}", options.join(",")));
            for option in options {
                assert!(text.contains(&format!("({option})")), "{option} in {text}");
            }
            assert_eq!(text.contains("so it can't move"), grid == board, "{text}");
            assert_eq!(text.contains("Move the grid:"), grid < board, "{text}");
        }
    }
}

/// The text for one family doesn't mention features of another.
#[test]
fn texts_of_families_do_not_mix() {
    for (name, foreign) in [
        ("classic", ["grid", "target", "free", "pieces"]),
        ("tic-tac-two", ["target", "free move", "depth", "misère"]),
        ("ultimate", ["grid", "pieces", "misère", "mnk"]),
        ("ception:depth=1", ["grid", "pieces", "target", "owns"]),
    ] {
        let text = text(name);
        for word in foreign {
            assert!(!text.contains(word), "{word} in {name}:\n{text}");
        }
    }
}

/// The text is short enough, and no wider than requested.
#[test]
fn every_text_fits_the_width() {
    let mut names = nested_names(2);
    names.extend(nested_names(6));
    names.extend(
        [
            "classic",
            "misere",
            "mnk:16,16,5,misere",
            "tic-tac-two",
            "ception:depth=1",
        ]
        .map(str::to_owned),
    );
    for name in names {
        let variant: Variant = name.parse().expect("a variant");
        let lines = rules_lines(variant, 76);
        assert!(lines.len() <= 60, "{name}: {} lines", lines.len());
        for line in &lines {
            assert!(line.chars().count() <= 76, "{name}: {line}");
            assert!(!line.starts_with('#'), "{name}: {line}");
        }
        let words = |text: &str| text.split_whitespace().count();
        assert_eq!(words(&lines.join("\n")), words(&text(&name)), "{name}");
    }
}
