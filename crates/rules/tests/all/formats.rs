//! Notations of other programs: nine digits and lists, and uttt.ai's 93 digits.

use noughts_conformance::test_rng::TestRng;
use noughts_rules::{AnyGameState, SetupFaultKinds, Variant};

fn parse(variant: &str, text: &str) -> AnyGameState {
    let parsed = variant.parse().unwrap_or_else(|error| panic!("{error}"));
    AnyGameState::from_text(parsed, text)
        .unwrap_or_else(|error| panic!("{variant}, {text}: {error}"))
}

fn parse_error(variant: &str, text: &str) -> SetupFaultKinds {
    let parsed = variant.parse().unwrap_or_else(|error| panic!("{error}"));
    match AnyGameState::from_text(parsed, text) {
        Ok(_) => panic!("{variant} must refuse {text:?}"),
        Err(faults) => {
            assert!(!faults.to_string().is_empty());
            faults.kinds()
        }
    }
}

fn random_move(state: &AnyGameState, rng: &mut TestRng) -> Option<String> {
    let moves = state.legal_moves();
    (!moves.is_empty()).then(|| moves[rng.below(moves.len())].clone())
}

#[test]
fn digits_and_lists_are_parsed_and_formatted() {
    let cases = [
        ("000000000", "[[0,0,0],[0,0,0],[0,0,0]]", ".../.../... x"),
        ("120010000", "[[1,2,0],[0,1,0],[0,0,0]]", "xo./.x./... o"),
        ("121212210", "[[1,2,1],[2,1,2],[2,1,0]]", "xox/oxo/ox. x"),
        ("111220000", "[[1,1,1],[2,2,0],[0,0,0]]", "xxx/oo./... o"),
    ];
    for variant in ["classic", "misere"] {
        for (digits, lists, text) in cases {
            for written in [digits, lists, text] {
                let state = parse(variant, written);
                assert_eq!(state.position_text(), text, "{variant}, {written}");
                assert_eq!(
                    state.to_digits().as_deref(),
                    Ok(digits),
                    "{variant}, {written}"
                );
                assert_eq!(
                    state.to_lists().as_deref(),
                    Ok(lists),
                    "{variant}, {written}"
                );
            }
        }
    }
    // Whitespace doesn't matter in lists.
    let spaced = " [ [1, 2, 0],\n  [0, 1, 0],\n  [0, 0, 0] ] ";
    assert_eq!(parse("classic", spaced).position_text(), "xo./.x./... o");
    assert_eq!(
        parse("mnk:3,3,2", "100000000").position_text(),
        "x../.../... o"
    );
}

#[test]
fn digits_and_lists_round_trip_in_random_games() {
    let mut rng = TestRng::new(9);
    for _ in 0..300 {
        let mut state = AnyGameState::new(Variant::CLASSIC);
        while let Some(mv) = random_move(&state, &mut rng) {
            state.play(&mv).unwrap_or_else(|error| panic!("{error}"));
            for written in [state.to_digits(), state.to_lists()] {
                let written = written.unwrap_or_else(|error| panic!("{error}"));
                assert_eq!(
                    parse("classic", &written).position_text(),
                    state.position_text()
                );
            }
        }
    }
}

#[test]
fn invalid_digits_and_lists_are_rejected() {
    use SetupFaultKinds as K;
    for (text, kinds) in [
        ("00000000", K::SHAPE),
        ("0000000000", K::SHAPE),
        ("300000000", K::LETTERS),
        ("110000000", K::COUNTS),
        ("200000000", K::COUNTS),
        ("111222000", K::LINES),
        ("12300000", K::SHAPE | K::LETTERS),
        ("[[0,0,0],[0,0,0]]", K::SHAPE),
        ("[[0,0],[0,0,0,0],[0,0,0]]", K::SHAPE),
        ("[[0,0,0],[0,3,0],[0,0,0]]", K::LETTERS),
        ("[[0,0,0],[0,-1,0],[0,0,0]]", K::SHAPE),
        ("[[0,0,0],[0,\"x\",0],[0,0,0]]", K::SHAPE),
        ("[[0,0,0],[0,0,0],[0,0,0]", K::SHAPE),
        ("[", K::SHAPE),
        ("[[1,1,0],[0,0,0],[0,0,0]]", K::COUNTS),
    ] {
        assert_eq!(parse_error("classic", text), kinds, "{text}");
    }
    // Other boards have no such format, neither for parsing nor for printing.
    for variant in ["mnk:4,4,3", "tic-tac-two", "ception:5a", "ception:depth=1"] {
        let _ = parse_error(variant, "000000000");
        let _ = parse_error(variant, "[[0,0,0],[0,0,0],[0,0,0]]");
        let state = AnyGameState::new(variant.parse().unwrap_or_else(|error| panic!("{error}")));
        assert!(
            state
                .to_digits()
                .is_err_and(|error| !error.to_string().is_empty()),
            "{variant}"
        );
        assert!(
            state
                .to_lists()
                .is_err_and(|error| !error.to_string().is_empty()),
            "{variant}"
        );
    }
    assert!(AnyGameState::new(Variant::ULTIMATE).to_lists().is_err());
}

/// The text without its trail.
fn without_trail(text: &str) -> &str {
    text.rsplit_once(' ').map_or(text, |(rest, _)| rest)
}

#[test]
fn uttt_ai_digits_round_trip_in_random_games() {
    let mut rng = TestRng::new(93);
    let (mut positions, mut free) = (0, 0);
    for _ in 0..150 {
        let mut state = AnyGameState::new(Variant::ULTIMATE);
        loop {
            let text = state.position_text();
            let digits = state
                .to_digits()
                .unwrap_or_else(|error| panic!("{text}: {error}"));
            assert_eq!(digits.len(), 93, "{text}");
            let back = parse("ultimate", &digits);
            assert_eq!(back.legal_moves(), state.legal_moves(), "{text}, {digits}");
            assert_eq!(back.outcome(), state.outcome(), "{text}, {digits}");
            assert_eq!(back.to_digits().as_deref(), Ok(digits.as_str()), "{text}");
            // If the target is closed, the digits say "anywhere" instead.
            if digits.as_bytes()[91] == b'9' {
                assert_eq!(without_trail(&back.position_text()), without_trail(&text));
                free += 1;
            } else {
                assert_eq!(back.position_text(), text, "{digits}");
            }
            positions += 1;
            let Some(mv) = random_move(&state, &mut rng) else {
                break;
            };
            state.play(&mv).unwrap_or_else(|error| panic!("{error}"));
        }
    }
    assert!(
        positions > 5_000 && free > 500,
        "{positions} positions, {free} free"
    );
}

#[test]
fn uttt_ai_digits_match_the_site() {
    let start = AnyGameState::new(Variant::ULTIMATE);
    let expected = format!("{}{}190", "0".repeat(81), "0".repeat(9));
    assert_eq!(start.to_digits().as_deref(), Ok(expected.as_str()));
    // X in the center of the center board; O is sent to the center board.
    let mut state = start;
    state.play("ee").unwrap_or_else(|error| panic!("{error}"));
    let expected = format!("{}1{}{}240", "0".repeat(40), "0".repeat(40), "0".repeat(9));
    assert_eq!(state.to_digits().as_deref(), Ok(expected.as_str()));
}

#[test]
fn contradictory_uttt_ai_digits_are_rejected() {
    use SetupFaultKinds as K;
    // Board a is won by X, O is sent to board b.
    let cells = format!("111220000{}", "0".repeat(72));
    let state = |owners: &str, rest: &str| format!("{cells}{owners}{rest}");
    let right = state("100000000", "210");
    assert_eq!(
        parse("ultimate", &right).to_digits().as_deref(),
        Ok(right.as_str())
    );
    for (text, kinds) in [
        (state("100000000", "21"), K::SHAPE),
        (state("100000000", "2100"), K::SHAPE),
        (state("000000000", "210"), K::DETAILS),
        (state("200000000", "210"), K::DETAILS),
        (state("300000000", "210"), K::DETAILS),
        (state("130000000", "210"), K::DETAILS),
        (state("400000000", "210"), K::DETAILS),
        (state("100000000", "110"), K::COUNTS),
        (state("100000000", "310"), K::SIDE),
        // Sent to a won board; a result that isn't true.
        (state("100000000", "200"), K::DETAILS),
        (state("100000000", "211"), K::LINES),
        (state("100000000", "213"), K::LINES),
        (state("100000000", "214"), K::LINES),
    ] {
        let found = parse_error("ultimate", &text);
        assert!(
            found.contains(kinds),
            "{text}: {found:?} instead of {kinds:?}"
        );
        // Digits that are missing aren't wrong as well: the last one used to be reported as a wrong side.
        if kinds == K::SHAPE {
            assert_eq!(found, kinds, "{text}");
        }
    }
    for digits in [10, 91, 92, 94, 1000] {
        let text = "0".repeat(digits);
        assert_eq!(parse_error("ultimate", &text), K::SHAPE, "{digits}");
    }
    let letters = right.replacen('0', "3", 1);
    assert!(parse_error("ultimate", &letters).contains(K::LETTERS));
    // uttt.ai only plays `ultimate`.
    let _ = parse_error("ception:end=most", &right);
}
