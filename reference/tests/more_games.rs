//! Checks the nine games of the second rules page against its numbers and its golden files.

mod common;

use std::collections::HashSet;

use common::{
    assert_accepted, assert_rejected, check_perft_from, replay, texts_of_folders, variant,
};
use noughts_reference::{History, State, canonical_variant};
use serde_json::Value;

#[test]
fn golden_more_games() {
    let files = texts_of_folders("golden.json").into_iter();
    let games = files
        .flat_map(|text| -> Vec<Value> { serde_json::from_str(&text).expect("a list of games") });
    let games: Vec<Value> = games.collect();
    assert_eq!(games.len(), 76);
    let mut variants: Vec<&str> = games.iter().map(variant).collect();
    variants.dedup();
    assert_eq!(variants.len(), 19);
    games.iter().for_each(replay);
}

#[test]
fn golden_set_ups() {
    let setups = texts_of_folders("setups.tsv").concat();
    let mut checked = 0;
    for line in setups.lines() {
        let fields: Vec<&str> = line.split('\t').collect();
        match fields[..] {
            [variant, text, "accepted", "open"] => assert_accepted(variant, text, None),
            [variant, text, "accepted", outcome] => assert_accepted(variant, text, Some(outcome)),
            [variant, text, "refused", _] => assert_rejected(variant, &[text]),
            _ => panic!("{line:?} is not a set-up"),
        }
        checked += 1;
    }
    assert_eq!(checked, 60);
}

/// The most leaves that a test counts at one depth, to keep the tests fast.
const MOST_LEAVES: u64 = 300_000;

// Checks the rows of the rules page that start with this text, each up to its first large count.
fn check_rows(prefix: &str) {
    let mut checked = 0;
    for row in PERFT.lines().filter(|row| row.starts_with(prefix)) {
        let (position, counts) = row.split_once(" | ").expect("a row of the table");
        let counts: Vec<u64> = counts
            .split(", ")
            .map(|count| count.parse().expect("a leaf count"))
            .take_while(|count| *count <= MOST_LEAVES)
            .collect();
        let state = match position.split_once(' ') {
            Some((variant, text)) => State::from_text(variant, text),
            None => State::start(position),
        };
        check_perft_from(&state.expect(position), position, &counts);
        checked += 1;
    }
    assert!(checked > 1, "{prefix}");
}

// A variant, in some rows a position, and the leaf counts of the depths 1, 2, 3, …
const PERFT: &str = "\
connect-four | 7, 49, 343, 2401, 16807, 117649, 823536, 5673234, 39394572
gravity:4,4,4 | 4, 16, 64, 256, 1020, 4020, 15540, 57504, 206904, 690504, 2160504, 5992096, 14712024, 28850920, 42756080
gravity:5,4,3 | 5, 25, 125, 625, 3120, 14020, 65330, 269032, 1122030, 3986884, 13933310, 40430150
gravity:8,8,5 | 8, 64, 512, 4096, 32768, 262144, 2097152, 16777216
qubic | 64, 4032, 249984, 15249024
cube:3 | 27, 702, 17550, 421200, 9687600
cube:4,3 | 64, 4032, 249984, 15249024
cube:5 | 125, 15500, 1906500
cube:5,4 | 125, 15500, 1906500
vanishing | 9, 72, 504, 3024, 15120, 54720, 148176, 396576, 1059984, 2830752, 7557624, 20151432, 53788464
vanishing:marks=4 | 9, 72, 504, 3024, 15120, 54720, 148176, 200448, 127872, 80640, 54144
gobblers | 27, 675, 20313, 572472, 16635384
morris | 9, 72, 504, 3024, 15120, 54720, 199296, 705312, 2567232, 9503136, 35139744
morris:move=any | 9, 72, 504, 3024, 15120, 54720, 444528, 3569184, 28619568
wild | 18, 288, 4032, 47232, 437760, 2991360, 13651200, 35078400
wild:misere | 18, 288, 4032, 47232, 437760, 2991360, 13651200, 35078400
notakto | 9, 72, 504, 2736, 9360, 13440
notakto:2 | 18, 306, 4896, 72864, 990720, 12027840
notakto:3 | 27, 702, 17550, 420336, 9592560
notakto:4 | 36, 1260, 42840, 1412568, 45060480
notakto:5 | 45, 1980, 85140, 3574440
numerical | 45, 1440, 40320, 725760, 10471680, 80590848, 430672896, 767969280
order-and-chaos | 72, 5040, 342720, 22619520
order-and-chaos:size=3,line=3 | 18, 288, 4032, 47232, 437760, 2991360, 13651200, 35078400
order-and-chaos:size=4,line=4 | 32, 960, 26880, 698880, 16761600
order-and-chaos:size=8 | 128, 16128, 1999872
connect-four ..ox.../o.xo.x./x.xx.o./xxooox./ooxxoox/xoxooxo x | 5, 18, 63, 207, 696, 2139, 6541, 17537, 44115, 89461, 148666, 138074
gravity:4,4,4 x.../o.../x..o/ox.x o | 3, 9, 26, 71, 174, 394, 644, 846, 762, 0
qubic oxox/.ox./..x./xo.x//xx.o/.x.o/xox./.xo.//xoxx/..xo/ox../oox.//.xoo/...o/.oox/.oxo o | 23, 484, 8841, 165200, 2612348, 42840360
cube:3 .x./..o/...//..x/x../..x//..x/.oo/oox o | 16, 195, 2212, 20540, 160896, 1050456, 5164200
cube:5,4 x..x./oo.o./.o.ox/...xo/x.x..//ox.o./...../x.x.x/x.oxo/xoxx.//oxx.x/x.x.x/oo.../.oxox/.....//oo.../ox.oo/....x/oo.../oxoox//...../.xoxx/x.oo./...../oxoo. x | 61, 3180, 163017, 8099352
vanishing .ox/xxo/.o. o b2,c1,a2 c2,b1,b3 | 3, 9, 27, 69, 183, 462
gobblers ..o/.../...//.../.../o..//o../ox./x.. o | 23, 372, 6069, 97619, 1482621, 23079307
morris .x./oo./xox o | 4, 18, 64, 260, 988, 3675
morris:move=any x.x/xoo/.o. o | 9, 72, 549, 4365, 34920, 281169
wild .../xo./o.x x | 10, 72, 360, 1056, 1248, 0
numerical 98./.72/... x | 15, 120, 648, 1208, 992, 0
notakto:3 .x./x.x/.x.//..x/.../xx.//.../.../.x. x | 19, 328, 5096, 70214, 840574, 8508384
order-and-chaos ooxo../xx.ox./oxoooo/oxoxox/o.xx.o/x.xoox o | 14, 156, 1420, 10128, 52992, 180480, 299520, 0
order-and-chaos:size=4,line=4 xo../o..x/...o/o.x. o | 18, 288, 4032, 48024, 469440, 3586560";

#[test]
fn perft_connect_four() {
    check_rows("connect-four");
}

#[test]
fn perft_gravity() {
    check_rows("gravity");
}

#[test]
fn perft_qubic() {
    check_rows("qubic");
}

#[test]
fn perft_cube() {
    check_rows("cube");
}

#[test]
fn perft_vanishing() {
    check_rows("vanishing");
}

#[test]
fn perft_gobblers() {
    check_rows("gobblers");
}

#[test]
fn perft_morris() {
    check_rows("morris");
}

#[test]
fn perft_wild() {
    check_rows("wild");
}

#[test]
fn perft_notakto() {
    check_rows("notakto");
}

#[test]
fn perft_numerical() {
    check_rows("numerical");
}

#[test]
fn perft_order_and_chaos() {
    check_rows("order-and-chaos");
}

#[test]
fn canonical_names() {
    let names = [
        ("connect-four", "connect-four"),
        ("gravity:7,6,4", "connect-four"),
        ("gravity:6,7,4", "gravity:6,7,4"),
        ("gravity:10,10,10", "gravity:10,10,10"),
        ("gravity:1,1,1", "gravity:1,1,1"),
        ("gravity:3,5,5", "gravity:3,5,5"),
        ("qubic", "qubic"),
        ("cube:4", "qubic"),
        ("cube:4,4", "qubic"),
        ("cube:4,3", "cube:4,3"),
        ("cube:3", "cube:3"),
        ("cube:3,3", "cube:3"),
        ("cube:5,5", "cube:5"),
        ("cube:5,4", "cube:5,4"),
        ("notakto", "notakto"),
        ("notakto:1", "notakto"),
        ("notakto:5", "notakto:5"),
        ("wild", "wild"),
        ("wild:misere", "wild:misere"),
        ("order-and-chaos", "order-and-chaos"),
        ("order-and-chaos:line=5,size=6", "order-and-chaos"),
        ("order-and-chaos:size=5", "order-and-chaos:size=5"),
        ("order-and-chaos:line=6", "order-and-chaos:line=6"),
        (
            "order-and-chaos:line=4,size=4",
            "order-and-chaos:size=4,line=4",
        ),
        ("numerical", "numerical"),
        ("morris", "morris"),
        ("morris:move=adjacent", "morris"),
        ("morris:move=any", "morris:move=any"),
        ("gobblers", "gobblers"),
        ("vanishing", "vanishing"),
        ("vanishing:marks=3", "vanishing"),
        ("vanishing:marks=4", "vanishing:marks=4"),
    ];
    for (name, canonical) in names {
        assert_eq!(canonical_variant(name).as_deref(), Ok(canonical));
        assert_eq!(canonical_variant(canonical).as_deref(), Ok(canonical));
        assert_eq!(State::start(name), State::start(canonical));
    }
}

#[test]
fn invalid_names() {
    // Each name with a part of the error that says what is wrong.
    let names = [
        ("gravity", "M is missing, must be a number from 1 to 10"),
        ("gravity:", "M is \"\""),
        ("gravity:7", "N is missing"),
        ("gravity:7,6", "K is missing, must be a number from 1 to 7"),
        ("gravity:7,6,8", "K is \"8\""),
        ("gravity:7,6,0", "K is \"0\""),
        ("gravity:11,6,4", "M is \"11\""),
        ("gravity:7,11,4", "N is \"11\""),
        ("gravity:07,6,4", "M is \"07\""),
        ("gravity:7,6,04", "K is \"04\""),
        ("gravity:+7,6,4", "M is \"+7\""),
        ("gravity:7,6,4,4", "no option \"4\""),
        ("gravity:7,6,4,misere", "no option \"misere\""),
        ("connect-four:7,6,4", "no option \"7\""),
        ("connect-four:", "no option \"\""),
        ("cube", "S is missing, must be a number from 3 to 5"),
        ("cube:2", "S is \"2\""),
        ("cube:6", "S is \"6\""),
        ("cube:04", "S is \"04\""),
        ("cube:4,2", "K is \"2\""),
        ("cube:4,5", "K is \"5\", must be a number from 3 to 4"),
        ("cube:4,", "K is \"\""),
        ("cube:4,4,4", "no option \"4\""),
        ("qubic:5", "no option \"5\""),
        ("qubic:4", "no option \"4\""),
        ("notakto:0", "B is \"0\", must be a number from 1 to 5"),
        ("notakto:6", "B is \"6\""),
        ("notakto:01", "B is \"01\""),
        ("notakto:2,2", "no option \"2\""),
        ("notakto:", "B is \"\""),
        ("wild:", "no option \"\", only misere"),
        ("wild:misere,misere", "a second time"),
        ("wild:3", "no option \"3\", only misere"),
        ("order-and-chaos:size=4", "line=5 must be at most size=4"),
        ("order-and-chaos:line=7", "line=7 must be at most size=6"),
        (
            "order-and-chaos:size=2,line=2",
            "size=2\" must be one of size=3, ",
        ),
        ("order-and-chaos:size=9", "size=9\" must be one of size=3, "),
        (
            "order-and-chaos:size=3,line=2",
            "line=2\" must be one of line=3, ",
        ),
        ("order-and-chaos:size=06", "\"size=06\""),
        ("order-and-chaos:size=6,size=6", "a second time"),
        ("order-and-chaos:size=6,size=7", "a second time"),
        ("order-and-chaos:6,5", "no option \"6\", only size=3, "),
        ("order-and-chaos:", "no option \"\""),
        ("numerical:misere", "no option \"misere\""),
        (
            "morris:any",
            "no option \"any\", only move=adjacent, move=any",
        ),
        ("morris:move=all", "must be one of move=adjacent, move=any"),
        ("morris:move=any,move=any", "a second time"),
        ("morris:move=any,move=adjacent", "a second time"),
        ("gobblers:3", "no option \"3\""),
        ("vanishing:3", "no option \"3\", only marks=3, marks=4"),
        ("vanishing:marks=2", "must be one of marks=3, marks=4"),
        ("vanishing:marks=5", "must be one of marks=3, marks=4"),
        ("vanishing:marks=03", "must be one of marks=3, marks=4"),
        ("vanishing:marks=3,marks=4", "a second time"),
        ("Wild", "no family is called \"Wild\""),
        ("connect4", "no family is called \"connect4\""),
    ];
    for (name, reason) in names {
        let error = canonical_variant(name).expect_err(name);
        assert!(error.contains(reason), "{name}: {error}");
        assert!(State::start(name).is_err(), "{name:?}");
    }
}

// Plays the moves and checks that the last one, and no earlier one, repeats a position for the
// third time.
fn check_repetition(start: State, moves: &str) {
    let mut history = History::new(start);
    for (ply, mv) in (1..).zip(moves.split_whitespace()) {
        assert_eq!(history.outcome(), None, "{moves}: ply {ply}");
        history.play(mv).expect(mv);
    }
    assert_eq!(history.outcome(), Some("draw"), "{moves}");
    assert_eq!(history.state().outcome(), None, "{moves}");
    assert!(history.play(&history.state().legal_moves()[0]).is_err());
}

fn check_repetition_after(variant: &str, plies: usize, opening: &str, cycle: &str) {
    let start = State::start(variant).expect("a start");
    let moves = format!("{opening} {cycle} {cycle}");
    assert_eq!(moves.split_whitespace().count(), plies, "{variant}");
    check_repetition(start.clone(), &moves);
    // A set-up position counts as its first occurrence.
    let mut state = start;
    for mv in opening.split_whitespace() {
        state = state.play(mv).expect(mv);
    }
    let set_up = State::from_text(variant, &state.to_text()).expect("a position");
    check_repetition(set_up, &format!("{cycle} {cycle}"));
}

#[test]
fn third_occurrences() {
    for variant in ["morris", "morris:move=any"] {
        let cycle = "a3-b3 c2-c3 b3-a3 c3-c2";
        check_repetition_after(variant, 14, "a1 b1 c1 a2 a3 c2", cycle);
    }
    check_repetition_after("gobblers", 10, "s@a1 l@c3", "a1-a2 c3-c2 a2-a1 c2-c3");
    // X uses the four cells of a corner and O four of the others, so that nobody gets a line.
    let cycle = "a2 a3 a1 c1 b1 c2 b2 b3";
    check_repetition_after("vanishing", 22, "a1 c1 b1 c2 b2 b3", cycle);
    // With four marks each the moves are forced, and after nine turns each mark is where it was.
    let opening = "b3 b1 b2 a2 a1 c3 a3 c1";
    let cycle = format!("c2 {opening} c2 {opening}");
    check_repetition_after("vanishing:marks=4", 44, opening, &cycle);
}

#[test]
fn a_win_after_repetitions() {
    // Two positions have occurred twice when O lets X win.
    let mut history = History::new(State::start("morris").expect("a start"));
    let moves = "a1 b1 c1 a2 a3 c2 a3-b3 c2-c3 b3-a3 c3-c2 a3-b3 c2-c3 b3-a3 c3-b3";
    for mv in moves.split(' ') {
        history.play(mv).expect(mv);
    }
    history.play("a1-b2").expect("a winning move");
    assert_eq!(history.outcome(), Some("x"));
}

#[test]
fn every_reason_is_given() {
    let reasons = [
        (
            "connect-four",
            "......./......./......./......./oooo.../xxxx..x o",
            ["both players have a line"].as_slice(),
        ),
        (
            "connect-four",
            "......./......./......./xxxx.../......./....... x",
            &["4 of x and 0 of o", "a disc above", "x is to move and has"],
        ),
        (
            "notakto:2",
            ".../.../...//.z./.../.... z",
            &["board 2 does not have", "board 2 has 'z'", "side to move"],
        ),
        (
            "numerical",
            "11./.../... o",
            &["2 of x and 0 of o", "the number 1 twice"],
        ),
        (
            "vanishing",
            "xxx/x../... x a1 b2",
            &[
                "more than 3",
                "4 of x",
                "order of x",
                "order of o",
                "a line",
            ],
        ),
        (
            "gobblers",
            "xxx/.../...//.../.../...//.../.../... o",
            &["3 x and 0 o", "size s of x"],
        ),
    ];
    for (variant, text, parts) in reasons {
        let error = State::from_text(variant, text).expect_err(text);
        for part in parts {
            assert!(error.contains(part), "{variant} {text}: {error}");
        }
    }
}

#[test]
fn more_set_ups() {
    let full =
        "oxxx/oxxo/xoox/oxox//oxxx/xooo/ooxo/xxox//xooo/xoxo/oxxx/ooxo//oxoo/xoxx/ooox/xoxx x";
    assert_accepted("qubic", full, Some("draw"));
    // Whether the discs can have been played in some order isn't checked: two separate lines.
    let discs = "......./......./......./o....../oooxxxx/xxxxooo o";
    assert_accepted("connect-four", discs, Some("x"));
    assert_accepted("gravity:1,1,1", "x o", Some("x"));
    assert_rejected("gravity:1,1,1", &["o x", "x x", ". o"]);
    // Both players have all their marks: either side may move.
    for side in ["x", "o"] {
        let text = format!("xox/oxo/.xo {side} a1,c1,b2,b3 b1,a2,c2,c3");
        assert_rejected("vanishing", &[&text]);
        assert_accepted("vanishing:marks=4", &text, None);
    }
    let orders = [
        "a1 ", "a1 -,", "a1, -", ",a1 -", "a1  -", "- -", "- a1", "a1,b1 -", "A1 -",
    ];
    for order in orders {
        assert_rejected("vanishing", &[&format!("x../.../... o {order}")]);
    }
    // Chaos has filled the board.
    assert_accepted("order-and-chaos:size=3,line=3", "xox/xxo/oxo o", Some("o"));
}

// How many positions can be reached first after 0, 1, 2, … plies. All of them can be set up.
fn reachable(variant: &str, plies: usize) -> Vec<usize> {
    let mut seen = HashSet::new();
    let mut level = vec![State::start(variant).expect("a start")];
    let mut sizes = Vec::new();
    while !level.is_empty() && sizes.len() <= plies {
        sizes.push(level.len());
        let mut next = Vec::new();
        for state in level {
            for mv in state.legal_moves() {
                let after = state.play(&mv).expect("a legal move");
                let text = after.to_text();
                if !seen.contains(&text) {
                    assert_eq!(State::from_text(variant, &text).as_ref(), Ok(&after));
                    seen.insert(text);
                    next.push(after);
                }
            }
        }
        level = next;
    }
    sizes
}

#[test]
fn reachable_positions() {
    let all = |variant| reachable(variant, usize::MAX).iter().sum::<usize>();
    assert_eq!(all("wild"), 18_753);
    assert_eq!(all("notakto"), 450);
    assert_eq!(all("morris"), 5_390);
    assert_eq!(all("vanishing"), 128_170);
}

#[test]
fn reachable_positions_with_gravity() {
    let sizes = reachable("gravity:4,4,4", usize::MAX);
    assert_eq!(sizes.iter().sum::<usize>(), 161_029);
    let per_ply = [1, 7, 49, 238, 1120, 4263, 16422];
    assert_eq!(reachable("connect-four", 6), per_ply);
}

// The positions on a 3×3 board that can be set up.
fn accepted(variant: &str, letters: &str) -> Vec<State> {
    let mut boards = vec![String::new()];
    for cell in 0..9 {
        let separator = if cell % 3 == 0 && cell > 0 { "/" } else { "" };
        let longer = |board: &String| {
            let letters: Vec<char> = letters.chars().collect();
            let board = board.clone();
            letters
                .into_iter()
                .map(move |letter| format!("{board}{separator}{letter}"))
        };
        boards = boards.iter().flat_map(longer).collect();
    }
    let sides = |board: &String| [format!("{board} x"), format!("{board} o")];
    let texts = boards.iter().flat_map(sides);
    texts
        .flat_map(|text| State::from_text(variant, &text))
        .collect()
}

#[test]
fn exactly_the_reachable_positions_can_be_set_up() {
    // All reachable positions are accepted, and there are this many: see `reachable_positions`.
    assert_eq!(accepted("wild", "xo.").len(), 18_753);
    assert_eq!(accepted("wild:misere", "xo.").len(), 18_753);
    assert_eq!(
        accepted("order-and-chaos:size=3,line=3", "xo.").len(),
        18_753
    );
    assert_eq!(accepted("notakto", "x.").len(), 450);
}

#[test]
fn nobody_is_blocked_in_morris() {
    for variant in ["morris", "morris:move=any"] {
        let states = accepted(variant, "xo.");
        assert!(states.len() > 5_000, "{variant}: {}", states.len());
        for state in states {
            let over = state.outcome().is_some();
            assert_eq!(state.legal_moves().is_empty(), over, "{}", state.to_text());
        }
    }
}

#[test]
fn gobblers_reveal_lines() {
    let outcome = |text: &str, mv: &str| {
        let state = State::from_text("gobblers", text).expect(text);
        state.play(mv).expect(mv).outcome()
    };
    // X lifts the piece that hides O's line: O wins, unless the piece covers the line again.
    let text = "oo./.../...//..o/.../...//x../.../... x";
    assert_eq!(outcome(text, "a1-a2"), Some("o"));
    assert_eq!(outcome(text, "a1-c1"), None);
    // O wins even if the same move completes a line of X.
    let text = "oo./.../...//..o/.../.xx//x../.../... x";
    assert_eq!(outcome(text, "a1-a3"), Some("o"));
    assert_eq!(outcome(text, "l@a3"), Some("x"));
}
