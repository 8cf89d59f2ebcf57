//! Setups: all faults are reported at once, each with its kind.

use noughts_rules::{AnyGameState, Outcome, SetupError, SetupFaultKinds};

fn faults(variant: &str, text: &str) -> SetupError {
    let parsed = variant.parse().unwrap_or_else(|error| panic!("{error}"));
    match AnyGameState::from_text(parsed, text) {
        Ok(_) => panic!("{variant} must refuse {text:?}"),
        Err(faults) => faults,
    }
}

const EIGHT: &str =
    "........./........./........./........./........./........./........./.........";

/// The reported kinds are exactly those of the text's faults.
#[test]
fn all_faults_of_a_text_are_reported_at_once() {
    use SetupFaultKinds as K;
    let nested = |first: &str, rest: &str| format!("{first}/{EIGHT} {rest}");
    let cases = [
        // Flat boards.
        ("classic", "xx./.../...".to_string(), K::FIELDS | K::SIDE | K::COUNTS),
        ("classic", "x../... x y".into(), K::FIELDS | K::SHAPE),
        ("classic", "x..?/.../... z".into(), K::SHAPE | K::LETTERS | K::SIDE),
        ("classic", "xx./.../..? o".into(), K::LETTERS | K::COUNTS),
        // With O to move this would be valid, so only the unreadable side is reported.
        ("classic", "x../.../... z".into(), K::SIDE),
        ("classic", "xxx/ooo/... o".into(), K::COUNTS | K::LINES),
        ("classic", "xxx/.../... x".into(), K::COUNTS | K::LINES),
        ("classic", "xxx/ooo/..q x extra".into(), K::FIELDS | K::LETTERS | K::LINES),
        // Tic-Tac-Two.
        (
            "tic-tac-two",
            "xxxxx/..?../...../...../..... z @a1".into(),
            K::LETTERS | K::SIDE | K::DETAILS | K::COUNTS,
        ),
        ("tic-tac-two", "...../...../.....y @c3".into(), K::FIELDS | K::SHAPE | K::LETTERS | K::SIDE | K::DETAILS),
        ("tic-tac-two", "...../...../...../....? x c3".into(), K::SHAPE | K::LETTERS | K::DETAILS),
        ("tic-tac-two", "x..../...../...../...../..... x @b3".into(), K::COUNTS | K::DETAILS),
        // Nested boards.
        (
            "ultimate",
            nested("xx......?", "x........ z ab +"),
            K::LETTERS | K::SIDE | K::DETAILS | K::DETAILS | K::COUNTS,
        ),
        ("ultimate", nested("xxxooo...", "- x j"), K::DETAILS | K::LETTERS),
        ("ultimate", nested("xxxooo...", "*........ o abc"), K::DETAILS | K::COUNTS),
        ("ultimate", nested("........", "........ x -"), K::SHAPE),
        ("ultimate", format!("{EIGHT} ......... q ab -"), K::SHAPE | K::SIDE | K::DETAILS),
        ("ception:5c", nested("xxxooo...", "- x ab -"), K::DETAILS | K::DETAILS),
        ("ception:4b", nested("xxxooo...", "x........ o -"), K::DETAILS | K::COUNTS),
        ("ception:depth=1", "xx....... ......... x a +".into(), K::DETAILS | K::DETAILS | K::COUNTS),
        (
            "ception:5a",
            "xxx....../xxx....../xxx....../ooo....../ooo....../ooo....../........./........./......... - o -".into(),
            K::LINES | K::COUNTS,
        ),
    ];
    for (variant, text, kinds) in cases {
        let faults = faults(variant, &text);
        assert_eq!(faults.kinds(), kinds, "{variant}, {text:?}: {faults}");
        let reasons: Vec<&str> = faults.reasons().collect();
        assert!(
            reasons.len() >= kinds.iter().count(),
            "{variant}, {text:?}: {reasons:?}"
        );
        assert!(
            reasons.iter().all(|reason| !reason.is_empty()),
            "{reasons:?}"
        );
        assert_eq!(
            faults.to_string(),
            reasons.join("; "),
            "{variant}, {text:?}"
        );
    }
}

/// Guards against rejecting a finished position, and against moves in it.
#[test]
fn a_finished_position_can_be_set_up_and_has_no_moves() {
    for (variant, text, result) in [
        ("classic", "xxx/oo./... o", "x"),
        ("misere", "xxx/oo./... o", "o"),
        ("classic", "xox/xxo/oxo o", "draw"),
        ("tic-tac-two", "...../.xxx./.ooo./...../..... o @c3", "draw"),
        ("tic-tac-two:board=3,pieces=5", "xox/xxo/oxo o @b2", "draw"),
        ("ception:depth=1", "xxxoo.... - o -", "x"),
    ] {
        let variant = variant.parse().unwrap_or_else(|error| panic!("{error}"));
        let state =
            AnyGameState::from_text(variant, text).unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(state.outcome().map(Outcome::as_str), Some(result), "{text}");
        assert!(state.legal_moves().is_empty(), "{text}");
        assert_eq!(state.position_text(), text);
    }
}

/// A board of one row, one column or one group used to have "1 rows" of "1 characters".
#[test]
fn faults_of_narrow_boards_are_grammatical() {
    for (variant, text, expected) in [
        ("mnk:3,1,2", ".../... x", "there must be 1 row, not 2"),
        (
            "mnk:1,3,2",
            "../. x",
            "there must be 3 rows separated by `/`, not 2; row 1 must have 1 character, not 2",
        ),
        (
            "ception:depth=1",
            "........./......... - x -",
            "there must be 1 group of cells, not 2",
        ),
        (
            "gravity:1,2,2",
            "./.. x",
            "row 2 must have 1 character, not 2",
        ),
        (
            "notakto",
            "x../.../... x",
            "with 1 mark on the board, O must be to move, not X",
        ),
        (
            "notakto",
            "xx./.../... o",
            "with 2 marks on the board, X must be to move, not O",
        ),
    ] {
        assert_eq!(faults(variant, text).to_string(), expected, "{variant}");
    }
}

/// Guards against a length that overflows a small number, or a number with thousands of digits.
#[test]
fn an_overlong_trail_is_rejected() {
    for variant in [
        "ultimate",
        "ception:depth=3",
        "ception:depth=3,trail=history",
        "ception:depth=6,trail=history",
    ] {
        let start = AnyGameState::new(variant.parse().unwrap_or_else(|error| panic!("{error}")));
        let position = start.position_text();
        let cells = position
            .strip_suffix('-')
            .unwrap_or_else(|| panic!("{position}"));
        for letters in [257, 258, 65_537, 70_000] {
            let faults = faults(variant, &format!("{cells}{}", "i".repeat(letters)));
            assert_eq!(
                faults.kinds(),
                SetupFaultKinds::DETAILS,
                "{variant}: {faults}"
            );
            let end = format!("but it has {letters} letters");
            assert!(faults.to_string().ends_with(&end), "{variant}: {faults}");
        }
    }
}

/// A deep board can have thousands of wrong owners: only a few are named, the rest is counted.
#[test]
fn thousands_of_wrong_owners_make_a_short_error() {
    let cells = vec!["........."; 6561 / 9].join("/");
    let owners = vec!["xxxxxxxxx"; 1 + 9 + 81].join("/");
    let faults = faults("ception:depth=4", &format!("{cells} {owners} x -"));
    assert_eq!(faults.kinds(), SetupFaultKinds::DETAILS);
    assert_eq!(faults.reasons().count(), 10, "{faults}");
    let last = faults.reasons().last().unwrap_or_default();
    assert_eq!(last, "more boards with wrong owners: 810");
}

/// Guards against a report that takes quadratic time: every fault is compared with all others.
#[test]
fn hundreds_of_thousands_of_wrong_rows_make_a_short_error() {
    for (variant, separator) in [("notakto:3", "//"), ("classic", "/"), ("ultimate", "/")] {
        let text = format!("{} x", separator.repeat(300_000));
        let faults = faults(variant, &text);
        assert!(faults.kinds().contains(SetupFaultKinds::SHAPE), "{variant}");
        assert!(faults.reasons().count() < 20, "{variant}: {faults}");
    }
}
