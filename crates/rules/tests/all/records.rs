//! Records of games: what is written can be parsed, and errors have the line they are on.

use noughts_conformance::test_rng::TestRng;
use noughts_rules::{AnyGameState, Outcome, Record, Side, games};
use proptest::prelude::*;

/// Variants that no menu offers.
const OTHER_VARIANTS: [&str; 9] = [
    "mnk:1,1,1",
    "mnk:16,16,6",
    "mnk:7,6,4,misere",
    "tic-tac-two:board=7,grid=5,pieces=6,after=3",
    "ception:5c",
    "ception:4b,5d,end=most",
    "ception:free=any,depth=3",
    "ception:5d,depth=3,trail=history",
    "ception:depth=1",
];

/// These, and all that menus offer, except half a million cells.
fn variants() -> Vec<&'static str> {
    let presets = games::presets().into_iter().map(|(_, preset)| preset.name);
    let presets = presets.filter(|name| *name != "ception:depth=6");
    OTHER_VARIANTS.into_iter().chain(presets).collect()
}

/// A random game: from the start, or from a position some moves later.
fn random_game(variant: &str, seed: u64, skipped: usize, plies: usize) -> AnyGameState {
    let mut rng = TestRng::new(seed);
    let variant = variant.parse().unwrap_or_else(|error| panic!("{error}"));
    let mut state = AnyGameState::new(variant);
    let play_on = |state: &mut AnyGameState, plies, rng: &mut TestRng| {
        for _ in 0..plies {
            let moves = state.legal_moves();
            if moves.is_empty() {
                break;
            }
            let mv = &moves[rng.below(moves.len())];
            state.play(mv).unwrap_or_else(|error| panic!("{error}"));
        }
    };
    if skipped > 0 {
        play_on(&mut state, skipped, &mut rng);
        let text = state.position_text();
        state = AnyGameState::from_text(variant, &text).unwrap_or_else(|error| panic!("{error}"));
    }
    play_on(&mut state, plies, &mut rng);
    state
}

/// Arbitrary text, and text with characters that have a meaning in the notation.
fn tricky_text() -> impl Strategy<Value = String> {
    prop_oneof![
        any::<String>(),
        r#"[\[\]{}"\\\n\r\t 1.*/a-c?%;-]{0,40}"#,
        r#"\PC{0,200}"#,
    ]
}

fn tag_name() -> impl Strategy<Value = String> {
    prop_oneof![
        Just("X".to_string()),
        Just("O".to_string()),
        Just("Date".to_string()),
        "[A-Za-z][A-Za-z0-9_]{0,12}",
    ]
}

fn record() -> impl Strategy<Value = Record> {
    let result = prop_oneof![
        Just(None),
        Just(Some(Outcome::Draw)),
        Just(Some(Outcome::Win(Side::X))),
        Just(Some(Outcome::Win(Side::O))),
    ];
    let game = (
        proptest::sample::select(variants()),
        any::<u64>(),
        prop_oneof![Just(0usize), 1..60usize],
        0..90usize,
    );
    (
        game,
        proptest::collection::vec((tag_name(), tricky_text()), 0..6),
        proptest::collection::vec((0..95usize, tricky_text()), 0..6),
        result,
    )
        .prop_map(
            |((variant, seed, skipped, plies), tags, comments, result)| {
                let state = random_game(variant, seed, skipped, plies);
                let mut record = Record::new(state);
                for (name, value) in tags {
                    // `Variant`, `Position` and `Result` can't be set.
                    let _ = record.set_tag(&name, &value);
                }
                for (moves, comment) in comments {
                    record.set_comment(moves, &comment);
                }
                record.set_result(result);
                record
            },
        )
}

/// Compares the games, not their text.
fn assert_same(read: &Record, written: &Record) {
    assert_eq!(read.state().variant(), written.state().variant());
    assert_eq!(read.state().start_text(), written.state().start_text());
    assert_eq!(read.state().moves(), written.state().moves());
    assert_eq!(
        read.state().position_text(),
        written.state().position_text()
    );
    assert_eq!(read.state().outcome(), written.state().outcome());
    assert_eq!(read.result(), written.result());
    for moves in 0..=written.state().moves().len() {
        assert_eq!(
            read.comment(moves),
            written.comment(moves),
            "behind {moves} moves"
        );
    }
    for (name, value) in written.tags() {
        // Placeholders aren't kept.
        let is_placeholder =
            [("X", "?"), ("O", "?"), ("Date", "????.??.??")].contains(&(name, value));
        assert_eq!(
            read.tag(name),
            (!is_placeholder).then_some(value),
            "tag {name}"
        );
    }
    assert!(read.tags().count() <= written.tags().count());
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn records_round_trip(record in record()) {
        let text = record.to_text();
        let read = Record::parse_all(&text).unwrap_or_else(|error| panic!("{error} in\n{text}"));
        prop_assert_eq!(read.len(), 1, "{}", text);
        assert_same(&read[0], &record);
        prop_assert_eq!(read[0].to_text(), text);
    }

    #[test]
    fn files_with_many_games_round_trip(
        records in proptest::collection::vec(record(), 0..6),
        windows in any::<bool>(),
    ) {
        let text = Record::format_all(&records);
        // Line endings of other systems don't matter.
        let file = if windows { text.replace('\n', "\r\n") } else { text.clone() };
        let read = Record::parse_all(&file).unwrap_or_else(|error| panic!("{error} in\n{file}"));
        prop_assert_eq!(read.len(), records.len());
        for (read, written) in read.iter().zip(&records) {
            assert_same(read, written);
        }
        prop_assert_eq!(Record::format_all(&read), text);
    }

    #[test]
    fn arbitrary_text_does_not_panic(text in tricky_text(), record in record(), position in any::<usize>()) {
        let _ = Record::parse_all(&text);
        // A valid record with something inserted.
        let mut mutated = record.to_text();
        let indices: Vec<usize> = mutated.char_indices().map(|(i, _)| i).collect();
        mutated.insert_str(indices[position % indices.len()], &text);
        if let Ok(read) = Record::parse_all(&mutated) {
            let again = Record::format_all(&read);
            let reread = Record::parse_all(&again).unwrap_or_else(|error| panic!("{error}"));
            prop_assert_eq!(Record::format_all(&reread), again);
        }
    }
}

/// Long games are wrapped, so that a line of moves stays readable.
#[test]
fn moves_are_wrapped_at_eighty_columns() {
    let record = Record::new(random_game("ultimate", 5, 0, 81));
    let text = record.to_text();
    assert!(
        text.lines().all(|line| line.chars().count() <= 80),
        "{text}"
    );
    assert!(text.lines().count() > 8, "{text}");
}

/// Each turn of X gets a number, even if a turn has several moves.
#[test]
fn turns_are_numbered() {
    let text = "[Variant \"classic\"]\n\nb2 a1 c1 *\n";
    let read = Record::parse_all(text).unwrap_or_else(|error| panic!("{error}"));
    assert!(
        read[0].to_text().ends_with("\n\n1. b2 a1 2. c1 *\n"),
        "{}",
        read[0].to_text()
    );
    // O moves first in a set-up position.
    let text = "[Variant \"classic\"]\n[Position \"x../.../... o\"]\n\na2 a3 *\n";
    let read = Record::parse_all(text).unwrap_or_else(|error| panic!("{error}"));
    assert!(
        read[0].to_text().ends_with("\n\n1... a2 2. a3 *\n"),
        "{}",
        read[0].to_text()
    );
}

/// Move numbers, blank lines, comments and the order of tags don't matter.
#[test]
fn records_parse_in_any_layout() {
    let same = [
        "[Variant \"classic\"]\n[X \"Ada\"]\n\n1. b2 a1 {hm} 2. c1 1-0\n",
        "\u{feff}[X \"Ada\"] [Variant \"mnk:3,3,3\"] 1.b2 a1{hm}2.c1 1-0",
        "\n\n[  X  \"Ada\"  ]\n[Variant \"classic\"]\nb2\na1\n{hm}\nc1\n1-0",
        "[Variant \"classic\"]\r\n[X \"Ada\"]\r\n[Result \"1-0\"]\r\n\r\n1. b2 1... a1 {hm} 7. c1 1-0\r\n",
    ];
    for text in same {
        let read = Record::parse_all(text).unwrap_or_else(|error| panic!("{error} in\n{text}"));
        assert_eq!(read.len(), 1, "{text}");
        assert_eq!(read[0].tag("X"), Some("Ada"), "{text}");
        assert_eq!(read[0].state().moves(), ["b2", "a1", "c1"], "{text}");
        assert_eq!(read[0].comment(2), Some("hm"), "{text}");
        assert_eq!(read[0].result(), Some(Outcome::Win(Side::X)), "{text}");
    }
    for is_placeholder in ["", "\n \n", "\u{feff}"] {
        assert_eq!(
            Record::parse_all(is_placeholder).map(|read| read.len()),
            Ok(0),
            "{is_placeholder:?}"
        );
    }
}

/// The line of each error, and part of its message.
#[test]
fn errors_have_their_line() {
    let cases = [
        // Tags.
        ("1. b2 *", 1, "Variant tag is missing"),
        ("[X \"Ada\"]\n\nb2 *", 3, "Variant tag is missing"),
        (
            "[X \"Ada\"]\n[Variant \"chess\"]\n\nb2 *",
            2,
            "unknown game",
        ),
        (
            "[Variant \"classic\"]\n[Position \"xx./.../... o\"]\n\n*",
            2,
            "Position tag",
        ),
        (
            "[Variant \"classic\"]\n[Result \"2-0\"]\n\n*",
            2,
            "Result tag",
        ),
        (
            "[Variant \"classic\"]\n[X \"Ada\"]\n[X \"Bea\"]\n\n*",
            3,
            "appears twice",
        ),
        (
            "[Variant \"classic\"]\n[Variant \"misere\"]\n\n*",
            2,
            "appears twice",
        ),
        (
            "[Variant \"classic\"]\n[X \"Ada]\n\n*",
            2,
            "missing its closing",
        ),
        (
            "[Variant \"classic\"]\n[X \"Ada\"\n\n*",
            4,
            "missing its closing",
        ),
        ("[Variant \"classic\"]\n[X Ada]\n\n*", 2, "double quotes"),
        ("[Variant \"classic\"]\n[9 \"Ada\"]\n\n*", 2, "tag name"),
        ("[Variant \"classic\"]\n[\"Ada\"]\n\n*", 2, "tag name"),
        // Moves.
        ("[Variant \"classic\"]\n\n1. b2 b2 *", 3, "b2 is taken"),
        ("[Variant \"classic\"]\n\n1. b2\nd4 *", 4, "`d4`"),
        (
            "[Variant \"classic\"]\n\n1. a1 b1 2. a2 b2\n3. a3 b3 1-0",
            4,
            "game is over",
        ),
        (
            "[Variant \"classic\"]\n\n1. b2 a1 {hm\n *",
            3,
            "missing its closing",
        ),
        ("[Variant \"classic\"]\n\n1. b2 } *", 3, "`}`"),
        // Results.
        (
            "[Variant \"classic\"]\n\n1. b2 a1\n",
            4,
            "must end with a result",
        ),
        ("[Variant \"classic\"]\n", 2, "must end with a result"),
        (
            "[Variant \"classic\"]\n\nb2\n[Variant \"classic\"]\n\n*",
            4,
            "must end with a result",
        ),
        (
            "[Variant \"classic\"]\n\n1. a1 b1 2. a2 b2 3. a3 0-1",
            3,
            "by the rules it must be 1-0",
        ),
        (
            "[Variant \"classic\"]\n\n1. a1 b1 2. a2 b2 3. a3 *",
            3,
            "by the rules it must be 1-0",
        ),
        (
            "[Variant \"misere\"]\n\n1. a1 b1 2. a2 b2 3. a3 1-0",
            3,
            "by the rules it must be 0-1",
        ),
        (
            "[Variant \"classic\"]\n[Result \"1-0\"]\n\n1. b2 *",
            4,
            "Result tag is 1-0",
        ),
        (
            "[Variant \"classic\"]\n[Result \"*\"]\n\n1. b2 1-0",
            4,
            "Result tag is *",
        ),
        // The second game of a file.
        (
            "[Variant \"classic\"]\n\nb2 *\n\n[Variant \"classic\"]\n\nb2 b2 *",
            7,
            "b2 is taken",
        ),
    ];
    for (text, line, part) in cases {
        match Record::parse_all(text) {
            Ok(_) => panic!("must be rejected:\n{text}"),
            Err(error) => {
                let sentence = error.to_string();
                assert!(
                    sentence.contains(part),
                    "{sentence:?} lacks {part:?} for\n{text}"
                );
                assert_eq!(error.line, line, "{sentence:?} for\n{text}");
            }
        }
    }
}

#[test]
fn tags_that_follow_from_the_game_cannot_be_set() {
    let mut record = Record::new(random_game("classic", 1, 0, 3));
    for name in [
        "Variant", "Position", "Result", "", "9", "a b", "é", "_x", "a\"b", "a]",
    ] {
        assert!(record.set_tag(name, "value").is_err(), "{name:?}");
    }
    assert_eq!(record.tags().count(), 0);
    // Setting again replaces.
    for value in ["Ada", "Bea"] {
        assert_eq!(record.set_tag("X", value), Ok(()));
        assert_eq!(record.tag("X"), Some(value));
    }
    assert_eq!(record.tags().count(), 1);
}

#[test]
fn a_result_under_the_rules_cannot_be_overridden() {
    let mut won = Record::new(random_game("mnk:1,1,1", 1, 0, 1));
    won.set_result(Some(Outcome::Draw));
    assert_eq!(won.result(), Some(Outcome::Win(Side::X)));
    won.set_result(None);
    assert_eq!(won.result(), Some(Outcome::Win(Side::X)));
    let mut open = Record::new(random_game("classic", 1, 0, 2));
    open.set_result(Some(Outcome::Win(Side::O)));
    assert_eq!(open.result(), Some(Outcome::Win(Side::O)));
    open.set_comment(3, "beyond the last move");
    assert_eq!(open.comment(3), None);
}
