//! Checks the reference against the golden games, the known perft counts and the variant names.

mod common;

use common::{assert_accepted, assert_rejected, check_perft, golden_games, replay, variant};
use noughts_reference::{State, canonical_variant};

fn replay_nested(wanted: impl Fn(&str) -> bool) {
    let games = golden_games("nested.json");
    let mut replayed = 0;
    for game in games.iter().filter(|game| wanted(variant(game))) {
        replay(game);
        replayed += 1;
    }
    assert!(replayed > 0);
}

#[test]
fn golden_nested_small() {
    replay_nested(|name| !name.contains("depth=3"));
}

#[test]
fn golden_nested_depth_3_suffix() {
    replay_nested(|name| name.contains("depth=3") && !name.contains("trail=history"));
}

#[test]
fn golden_nested_depth_3_history() {
    replay_nested(|name| name.contains("depth=3") && name.contains("trail=history"));
}

#[test]
fn golden_tic_tac_two() {
    for game in golden_games("tic-tac-two.json") {
        replay(&game);
    }
}

#[test]
fn perft_classic() {
    let counts = [9, 72, 504, 3024, 15120, 54720, 148176, 200448, 127872];
    check_perft("classic", &counts);
    // A misère game ends at the same time as a classic one.
    check_perft("misere", &counts[..5]);
}

#[test]
fn perft_tic_tac_two() {
    check_perft("tic-tac-two", &[9, 72, 504, 3024, 69552]);
}

#[test]
fn perft_ultimate() {
    check_perft("ultimate", &[81, 720, 6336, 55080]);
}

#[test]
fn perft_ception_5a() {
    check_perft("ception:5a", &[81, 720, 6336, 55080]);
}

#[test]
fn canonical_names() {
    let names = [
        ("classic", "classic"),
        ("misere", "misere"),
        ("ultimate", "ultimate"),
        ("tic-tac-two", "tic-tac-two"),
        ("mnk:3,3,3", "classic"),
        ("mnk:3,3,3,misere", "misere"),
        ("mnk:7,6,4", "mnk:7,6,4"),
        ("mnk:1,16,16,misere", "mnk:1,16,16,misere"),
        ("mnk:1,1,1", "mnk:1,1,1"),
        ("tic-tac-two:board=5,grid=3,pieces=4,after=2", "tic-tac-two"),
        ("tic-tac-two:board=7", "tic-tac-two:board=7"),
        (
            "tic-tac-two:after=9,pieces=9,grid=7,board=7",
            "tic-tac-two:board=7,grid=7,pieces=9,after=9",
        ),
        ("tic-tac-two:grid=5", "tic-tac-two:grid=5"),
        ("ception", "ultimate"),
        ("ception:4a,5b", "ultimate"),
        (
            "ception:4a,5b,free=open,depth=2,trail=suffix,end=draw",
            "ultimate",
        ),
        ("ception:trail=history", "ultimate"),
        ("ception:5a", "ception:5a"),
        ("ception:free=any", "ception:free=any"),
        ("ception:depth=3,5c,4b", "ception:4b,5c,depth=3"),
        ("ception:4b,5b", "ception:4b"),
        ("ception:5d,trail=history,end=most", "ception:5d,end=most"),
        (
            "ception:end=most,trail=history,depth=6,free=any",
            "ception:free=any,depth=6,trail=history,end=most",
        ),
        ("ception:depth=1", "ception:depth=1"),
        (
            "ception:4b,5c,depth=1,trail=history,end=most",
            "ception:depth=1",
        ),
        ("ception:free=any,depth=1", "ception:depth=1"),
    ];
    for (name, canonical) in names {
        assert_eq!(canonical_variant(name).as_deref(), Ok(canonical));
        assert_eq!(canonical_variant(canonical).as_deref(), Ok(canonical));
        assert_eq!(State::start(name), State::start(canonical));
    }
}

#[test]
fn invalid_names() {
    let names = [
        "",
        ":",
        "Classic",
        " classic",
        "classic ",
        "classic:",
        "classic:3",
        "misere:misere",
        "ultimate:depth=3",
        "ultimate:",
        "chess",
        "mnk",
        "mnk:",
        "mnk:3,3",
        "mnk:3,3,4",
        "mnk:0,3,3",
        "mnk:3,3,0",
        "mnk:17,3,3",
        "mnk:03,3,3",
        "mnk:+3,3,3",
        "mnk:3,3,3,",
        "mnk:3,3,3,3",
        "mnk:3,3,3,misere,misere",
        "mnk:misere,3,3,3",
        "mnk:3, 3,3",
        "tic-tac-two:",
        "tic-tac-two:board=4",
        "tic-tac-two:board=9",
        "tic-tac-two:board=3,grid=5",
        "tic-tac-two:grid=7",
        "tic-tac-two:pieces=2",
        "tic-tac-two:pieces=10",
        "tic-tac-two:after=1",
        "tic-tac-two:after=5",
        "tic-tac-two:board=05",
        "tic-tac-two:board=5,board=5",
        "tic-tac-two:board=5,board=7",
        "tic-tac-two:Board=5",
        "tic-tac-two:depth=2",
        "ception:",
        "ception:4a,",
        "ception:4c",
        "ception:5e",
        "ception:4a,4a",
        "ception:4a,4b",
        "ception:5a,5b",
        "ception:5A",
        "ception:depth=0",
        "ception:depth=7",
        "ception:depth=02",
        "ception:depth",
        "ception:depth=2,depth=3",
        "ception:free=closed",
        "ception:free=open,free=any",
        "ception:5a,free=any",
        "ception:4b,free=any",
        "ception:4b,5b,free=open",
        "ception:5c,free=any,depth=1",
        "ception:trail=prefix",
        "ception:end=least",
    ];
    for name in names {
        assert!(canonical_variant(name).is_err(), "{name:?}");
        assert!(State::start(name).is_err(), "{name:?}");
        assert!(State::from_text(name, "").is_err(), "{name:?}");
    }
}

#[test]
fn set_up_flat() {
    assert_accepted("classic", "x.o/.x./... o", None);
    assert_accepted("classic", "xxx/oo./... o", Some("x"));
    assert_accepted("misere", "xxx/oo./... o", Some("o"));
    assert_accepted("classic", "xox/xxo/oxo o", Some("draw"));
    // A line on the last empty cell is a win.
    assert_accepted("classic", "xxx/oxo/oox o", Some("x"));
    // More than K in a row counts, too.
    assert_accepted("mnk:4,2,3", "xxxx/oo.o o", Some("x"));
    assert_rejected("mnk:4,2,3", &["xxxx/ooo. o"]);
    assert_rejected(
        "classic",
        &[
            "",
            "x.o/.x./...",
            "x.o/.x./...  o",
            "x.o/.x./... o ",
            "x.o/.x./... o -",
            "x.o/.x./... x",
            "x.o/.x./... X",
            "x.o/.x. o",
            "x.o/.x./.../... o",
            "x.o/.x./.... o",
            "x.o/.x./..* o",
            "o../.../... x",
            "xx./.../... o",
            "xxx/ooo/... x",
            "xxx/oo./o.. x",
        ],
    );
    assert_rejected("misere", &["xxx/oo./o.. x", "xxx/ooo/... x"]);
}

#[test]
fn set_up_tic_tac_two() {
    assert_accepted("tic-tac-two", "...../.xo../..x../...../..... o @c3", None);
    assert_accepted("tic-tac-two", "xxxx./...../...../...../...oo x @b4", None);
    assert_accepted(
        "tic-tac-two",
        "...../.xxx./.ooo./...../..... o @c3",
        Some("draw"),
    );
    assert_accepted(
        "tic-tac-two",
        "...../.xxx./.oo../...../..... x @c3",
        Some("x"),
    );
    assert_rejected(
        "tic-tac-two",
        &[
            "...../...../...../...../..... x",
            "...../...../...../...../..... x c3",
            "...../...../...../...../..... x @c3 +",
            "...../...../...../...../..... o @c3",
            "...../...../...../...../..... x @c4",
            "...../.xo../..x../...../..... o @b3",
            "...../.xo../..x../...../..... x @c3",
            "...../.xo../..o../...../..... x @c3",
            "...../.xo../.xx../...../..... o @c3",
            "xxxxx/oo.../...../...../..... x @c3",
            "xx.../oo.../...../...../..... x @a3",
            "xx.../oo.../...../...../..... x @c5",
            "xx.../oo.../...../...../..... x @",
            "xx.../oo.../...../...../.... x @c3",
            "xx.../oo.../...../..... x @c3",
            "xx.../oo.../...../...../....* x @c3",
        ],
    );
}

const EMPTY: &str =
    "........./........./........./........./........./........./........./.........";

#[test]
fn set_up_nested() {
    let with = |first: &str, rest: &str| format!("{first}/{EMPTY} {rest}");
    assert_accepted("ception:depth=1", "......... - x -", None);
    assert_accepted("ultimate", &with(".........", "- x -"), None);
    assert_accepted("ultimate", &with("xxxoo....", "- o a"), None);
    assert_accepted("ception:4b", &with("xxxooo...", "- x a"), None);
    assert_accepted("ultimate", &with("xxxooo...", "x........ x a"), None);
    assert_accepted("ultimate", &with("xxxooo...", "o........ x a"), None);
    assert_accepted("ception:5c", &with("xxx......", "- x a +"), None);
    // Owners may be given even if they follow from the marks.
    let written = State::from_text("ultimate", &with("xxxoo....", "x........ o a"));
    assert_eq!(
        written,
        State::from_text("ultimate", &with("xxxoo....", "- o a"))
    );
    let texts = [
        with(".........", "- x"),
        with(".........", "- x - -"),
        with(".........", "- x - +"),
        with(".........", "- x - + +"),
        with(".........", "- o -"),
        with(".........", "- x j"),
        with(".........", "- x ab"),
        with(".........", "x........ x -"),
        with(".........", "........ x -"),
        with(".........", "........./......... x -"),
        with("........", "- x -"),
        with("........*", "- x -"),
        with("xx.......", "- o a"),
        with("xxxoo....", "o........ o a"),
        with("xxxoo....", "......... o a"),
        with("xxxooo...", "- x a"),
        with("xxxooo...", "*........ x a"),
        with("xxxooo...", "......... x a"),
        with("xxxooo...", "xx....... x a"),
        format!("{EMPTY} - x -"),
    ];
    assert_rejected("ultimate", &texts.each_ref().map(String::as_str));
    assert_rejected("ception:5a", &[&with("xxxooo...", "x........ x a +")]);
    assert_rejected("ception:4b", &[&with("xxxooo...", "x........ x a")]);
    assert_rejected(
        "ception:depth=1",
        &[
            "......... - x a",
            ".........  x -",
            "......... ......... x -",
            "xxxooo... - x -",
        ],
    );
}

#[test]
fn set_up_nested_both_own_the_outermost() {
    let (x, o, none) = ("xxx......", "ooo......", ".........");
    let both = [x, x, x, o, o, o, none, none, none].join("/");
    assert_rejected("ultimate", &[&format!("{both} - x -")]);
    assert_rejected("ception:4b", &[&format!("{both} - x -")]);
    let one = [x, x, x, o, o, none, o, none, none].join("/");
    assert_accepted("ultimate", &format!("{one} - x -"), Some("x"));
}

#[test]
fn set_up_trails() {
    let depth_3 = vec!["........."; 81].join("/");
    for trail in ["-", "ab"] {
        assert_accepted("ception:depth=3", &format!("{depth_3} - x {trail}"), None);
    }
    for trail in ["-", "a", "ab"] {
        let variant = "ception:depth=3,trail=history";
        assert_accepted(variant, &format!("{depth_3} - x {trail}"), None);
    }
    assert_rejected("ception:depth=3", &[&format!("{depth_3} - x a")]);
    assert_rejected(
        "ception:depth=3,trail=history",
        &[&format!("{depth_3} - x abc")],
    );
}

fn board(groups: [&str; 9]) -> String {
    groups.join("/")
}

#[test]
fn free_moves_and_won_boards() {
    let (won, none) = ("xxxo..o..", ".........");
    let cells = board([won, none, none, none, "....o....", none, none, none, none]);
    let legal = |variant: &str, trail: &str| {
        let text = format!("{cells} - x {trail}");
        let state = State::from_text(variant, &text).expect("a position");
        state.legal_moves().len()
    };
    // Anywhere: only `free=open` closes won boards.
    assert_eq!(legal("ultimate", "-"), 71);
    assert_eq!(legal("ception:free=any", "-"), 75);
    assert_eq!(legal("ception:4b", "-"), 75);
    assert_eq!(legal("ception:5a", "-"), 75);
    // Sent to the won board: under 5b the move must go elsewhere, otherwise into it.
    assert_eq!(legal("ultimate", "a"), 71);
    assert_eq!(legal("ception:free=any", "a"), 71);
    assert_eq!(legal("ception:5a", "a"), 4);
    assert_eq!(legal("ception:5c", "a"), 4);
    assert_eq!(legal("ultimate", "e"), 8);
}

// Full boards without a line.
const FULL_X: &str = "xoxxoooxx";
const FULL_O: &str = "oxooxxxoo";

#[test]
fn only_a_won_board_has_empty_cells() {
    let (x, o) = (FULL_X, FULL_O);
    let cells = board(["xxxoo....", x, x, x, x, o, o, o, o]);
    let outcomes = |variant: &str| {
        ["a", "b"].map(|trail| {
            let state = State::from_text(variant, &format!("{cells} - o {trail}"));
            state.expect("a position").outcome()
        })
    };
    // Sent to the won board, 5b requires another board, but there is none. Otherwise it is a free move.
    assert_eq!(outcomes("ception:free=any"), [Some("draw"), None]);
    assert_eq!(outcomes("ception:4b"), [Some("draw"), None]);
    assert_eq!(outcomes("ception:4b,end=most"), [Some("x"), None]);
    // With `free=open` the board is closed.
    assert_eq!(outcomes("ultimate"), [Some("draw"), Some("draw")]);
    assert_eq!(outcomes("ception:end=most"), [Some("x"), Some("x")]);
    // The others play in the won board.
    for variant in ["ception:5a", "ception:5c", "ception:5d"] {
        assert_eq!(outcomes(variant), [None, None]);
    }
}

#[test]
fn free_moves_stay_in_the_smallest_board_at_depth_3() {
    // Board aa is won by X; the rest is empty except for O's marks in ii.
    let mut groups = vec!["........."; 81];
    groups[0] = "xxx......";
    groups[80] = "oo.......";
    let text = format!("{} - o aa", groups.join("/"));
    let legal = |variant: &str, text: &str| {
        let state = State::from_text(variant, text).expect("a position");
        state.legal_moves()
    };
    let moves = legal("ception:depth=3", &text);
    assert_eq!(moves.len(), 72);
    assert!(moves.iter().all(|mv| mv.starts_with('a')));
    assert_eq!(legal("ception:5a,depth=3", &text).len(), 6);
    // Board a is won as a whole, and so are all its boards: the free move leaves it.
    for group in [1, 2] {
        groups[group] = "xxx......";
        groups[group + 40] = "oo..o....";
    }
    groups[80] = "oo..o....";
    let text = format!("{} - x ai", groups.join("/"));
    assert_eq!(legal("ception:depth=3", &text).len(), 648 - 9);
    assert_eq!(legal("ception:free=any,depth=3", &text).len(), 729 - 18 - 9);
    assert_eq!(legal("ception:5a,depth=3", &text).len(), 9);
}

#[test]
fn free_moves_widen_if_necessary() {
    // In board a only aa, won by X, has empty cells; the other large boards are empty.
    let (x, o) = (FULL_X, FULL_O);
    let cells = board(["xxxoo....", x, x, x, x, o, o, o, o]);
    let cells = format!("{cells}{}", "/.........".repeat(72));
    let legal = |variant: &str, trail: &str| {
        let state = State::from_text(variant, &format!("{cells} - o {trail}"));
        state.expect("a position").legal_moves().len()
    };
    // Sent to aa: no other board in a has an empty cell, so the move leaves a.
    assert_eq!(legal("ception:depth=3", "aa"), 648);
    assert_eq!(legal("ception:free=any,depth=3", "aa"), 648);
    assert_eq!(legal("ception:4b,depth=3", "aa"), 648);
    // Sent to a full board in a: into aa, unless it is closed.
    assert_eq!(legal("ception:depth=3", "ab"), 648);
    assert_eq!(legal("ception:free=any,depth=3", "ab"), 4);
    assert_eq!(legal("ception:5a,depth=3", "ab"), 4);
}

#[test]
fn extra_moves() {
    let (won, none) = ("xxx......", ".........");
    let full = "xxxooxoxo";
    let cells = board([won, full, none, won, none, none, none, none, none]);
    let sides = |variant: &str, trail: &str, moves: &str| {
        let text = format!("{cells} - o {trail}");
        let mut state = State::from_text(variant, &text).expect("a position");
        let mut sides = String::from(state.side());
        for mv in moves.split_whitespace() {
            state = state.play(mv).expect(mv);
            sides.push(state.side());
            if state.to_text().ends_with(" +") {
                sides.push('+');
            }
        }
        sides
    };
    // Sent to a won board and then to one that isn't: the turn passes after two moves.
    assert_eq!(sides("ception:5c", "a", "ae ef"), "oo+x");
    assert_eq!(sides("ception:5d", "a", "ae ef"), "oo+x");
    // Sent to two won boards in a row: only 5d continues.
    assert_eq!(sides("ception:5c", "a", "ad de"), "oo+x");
    assert_eq!(sides("ception:5d", "a", "ad de ed"), "oo+o+x");
    // After the turn has passed, the opponent gets an extra move, too.
    assert_eq!(sides("ception:5c", "a", "ae ed de"), "oo+xx+");
    // A free move into a won board, and a move without a target, give no extra move.
    for trail in ["b", "-"] {
        assert_eq!(sides("ception:5c", trail, "ae"), "ox");
        assert_eq!(sides("ception:5d", trail, "ae"), "ox");
    }
    // Moves in boards that aren't won pass the turn.
    assert_eq!(sides("ception:5c", "e", "eg gg"), "oxo");
}

#[test]
fn tic_tac_two_without_a_legal_move() {
    let variant = "tic-tac-two:board=3,pieces=9,after=9";
    assert_accepted(variant, "xox/xxo/oxo o @b2", Some("draw"));
    assert_accepted(
        "tic-tac-two:board=3,pieces=5",
        "xox/xxo/oxo o @b2",
        Some("draw"),
    );
}

#[test]
fn depth_6_can_be_played() {
    let start = State::start("ception:depth=6").expect("a start");
    let next = start.play("abcdef").expect("a first move");
    assert_eq!(next.legal_moves().len(), 9);
    assert!(next.to_text().ends_with(" - o bcdef"));
}
