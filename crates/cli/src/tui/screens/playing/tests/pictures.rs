//! Snapshots of the game screen: every game in mid-game and every dialog, in the
//! smallest and in a comfortable size.

use insta::assert_snapshot;
use noughts_engine::{ExactValue, Value};

use super::{SIZES, driver};
use crate::store_handle::StoreHandle;
use crate::tui::app_context::AppContext;
use crate::tui::appearance::TerminalEnv;
use crate::tui::event::TaskMessage;
use crate::tui::screens::Screen;
use crate::tui::screens::testing::{report, send_to_last_task, stable_text};
use crate::tui::testing::Driver;
use noughts_session::SearchUpdate;

const GAMES: [(&str, &str, &str); 17] = [
    ("classic", "classic", "b2 a1 c1"),
    ("misere", "misere", "b2 a1 c1 a3"),
    ("gomoku", "mnk:15,15,5", "h8 h9 i8 g8 i9 i10 g7 j11"),
    ("opening", "tic-tac-two", "b2 c2 d3"),
    ("grid", "tic-tac-two", "b2 c2 d3 c4 @d3 e3 b2-e4"),
    ("ultimate", "ultimate", "ee eb be ec ce eg ge ei ie"),
    ("depth-3", "ception:depth=3", "eee eea eab abe bec"),
    ("depth-6", "ception:depth=6", "eeeeee eeeeea eeeeab"),
    ("connect-four", "connect-four", CONNECT_FOUR),
    ("qubic", "qubic", "2b2 3c3 1a1 4d4 2c2"),
    ("notakto", "notakto:3", "2b2 1a1 2a2 2c2 3c3"),
    ("wild", "wild", "b1=x a2=o c2=x"),
    ("order-and-chaos", "order-and-chaos", "c3=x d4=o c4=o b2=x"),
    ("numerical", "numerical", "b1=7 c3=4"),
    ("morris", "morris", "a1 c3 b2 b1 c1"),
    ("gobblers", "gobblers", "m@b2 l@b2 m@a1 s@c1"),
    ("vanishing", "vanishing", "b1 b2 c3 a2 c2 c1"),
];

const CONNECT_FOUR: &str = "d d d e c b c c e e f d b";

#[test]
fn every_game_in_mid_game() {
    for (name, variant, moves) in GAMES {
        for size in SIZES {
            let (driver, _) = driver(size, variant, ["Anna", "Bob"], moves);
            assert_snapshot!(format!("{name}-{}", size.0), stable_text(&driver));
        }
    }
}

/// Every game can be played in a terminal smaller than 80×24, most of them in 40×12.
#[test]
fn every_game_in_a_small_terminal() {
    for (name, variant, moves, size) in [
        ("classic", "classic", "b2 a1 c1", (40, 12)),
        ("gomoku", "mnk:15,15,5", "h8 h9 i8 g8", (40, 21)),
        ("grid", "tic-tac-two", "b2 c2 d3 c4 @d3", (40, 19)),
        ("ultimate", "ultimate", "ee eb be ec ce", (40, 18)),
        ("connect-four", "connect-four", CONNECT_FOUR, (40, 12)),
        ("qubic", "qubic", "2b2 3c3 1a1 4d4 2c2", (40, 12)),
        ("notakto", "notakto:3", "2b2 1a1 2a2 2c2 3c3", (40, 12)),
        ("wild", "wild", "b1=x a2=o c2=x", (40, 12)),
        ("order-and-chaos", "order-and-chaos", "c3=x d4=o", (40, 12)),
        ("numerical", "numerical", "b1=7 c3=4", (40, 12)),
        ("morris", "morris", "a1 c3 b2 b1 c1", (40, 12)),
        ("gobblers", "gobblers", "m@b2 l@b2 m@a1 s@c1", (40, 12)),
        ("vanishing", "vanishing", "b1 b2 c3 a2 c2 c1", (40, 12)),
    ] {
        let (mut driver, _) = driver(size, variant, ["Anna", "Bob"], moves);
        assert_snapshot!(format!("compact-{name}"), stable_text(&driver));
        driver.resize(size.0, size.1 - 1);
        assert!(stable_text(&driver).contains("Make it larger"), "{variant}");
    }
}

/// All dialogs fit in 40×12, with all of their choices reachable.
#[test]
fn dialogs_fit_in_a_small_terminal() {
    let (mut driver, _) = driver((40, 12), "classic", ["Anna", "medium"], "b2 a1");
    for (keys, seen) in [
        ("q", "Keep playing"),
        ("<esc>?", "Rules, keys"),
        ("<esc>x", "Resign"),
        ("<esc>s", "Hand over which side"),
        ("o<up>", "perfect"),
        ("<esc>/4 4<enter>", "rows go from 1 to 3"),
    ] {
        driver.keys(keys);
        assert!(driver.text().contains(seen), "{keys}: {}", driver.text());
    }
}

#[test]
fn a_partial_move() {
    for size in SIZES {
        let moves = "b2 c2 d3 c4";
        let (mut driver, _) = driver(size, "tic-tac-two", ["Anna", "medium"], moves);
        driver.keys("gl");
        assert_snapshot!(format!("half-made-{}", size.0), stable_text(&driver));
    }
}

fn estimate(mean: f64) -> Value {
    Value::Estimate { mean, error: 0.1 }
}

#[test]
fn a_bot_thinks() {
    for size in SIZES {
        let moves = "ee eb be";
        let (mut driver, _) = driver(size, "ultimate", ["Anna", "mcts"], moves);
        let report = report(estimate(0.31), "ea ae ef fe", &[]);
        send_to_last_task(
            &mut driver,
            TaskMessage::SearchUpdate(SearchUpdate::Progress(report)),
        );
        assert_snapshot!(format!("thinking-{}", size.0), stable_text(&driver));
    }
}

#[test]
fn proved_and_estimated_analysis() {
    let exact = |exact| Value::Exact(exact);
    let proved = report(
        exact(ExactValue::win(3)),
        "a3 c1 c3",
        &[
            ("a3", exact(ExactValue::win(3))),
            ("c3", exact(ExactValue::win(3))),
            ("b1", exact(ExactValue::DRAW)),
            ("c1", exact(ExactValue::loss(4))),
        ],
    );
    let estimated = report(
        estimate(-0.32),
        "ed de eb",
        &[
            ("ed", estimate(-0.32)),
            ("ec", estimate(-0.4)),
            ("ei", exact(ExactValue::loss(6))),
        ],
    );
    let games = [
        ("proved", "classic", "b2 a1 a2 c2", proved),
        ("guessed", "ultimate", "ee ea ae", estimated),
    ];
    for (name, variant, moves, found) in games {
        for size in SIZES {
            let (mut driver, _) = driver(size, variant, ["Anna", "Bob"], moves);
            driver.keys("aa");
            send_to_last_task(&mut driver, TaskMessage::AnalysisUpdate(found.clone()));
            assert_snapshot!(format!("{name}-{}", size.0), stable_text(&driver));
        }
    }
}

#[test]
fn a_hint() {
    for size in SIZES {
        let (mut driver, _) = driver(size, "classic", ["Anna", "Bob"], "b2 a1 a2 c2");
        driver.keys("tt");
        let found = report(Value::Exact(ExactValue::win(3)), "a3 c1 c3", &[]);
        send_to_last_task(
            &mut driver,
            TaskMessage::SearchUpdate(SearchUpdate::Finished(Ok(found))),
        );
        assert_snapshot!(format!("hint-{}", size.0), stable_text(&driver));
    }
}

#[test]
fn a_rejection_keeps_the_typed_move() {
    for size in SIZES {
        let (mut driver, _) = driver(size, "classic", ["Anna", "Bob"], "b2 a1");
        driver.keys("/b2<enter>");
        driver.wait_for_text("b2 is taken");
        assert_snapshot!(format!("refusal-{}", size.0), stable_text(&driver));
    }
}

#[test]
fn dialogs() {
    let keys = [
        ("side", "s"),
        ("hand-over", "so"),
        ("end-game", "x"),
        ("offer", "xd"),
        ("rules", "?"),
        ("leave", "n"),
        ("quit", "q"),
    ];
    for (name, keys) in keys {
        for size in SIZES {
            let (mut driver, _) = driver(size, "classic", ["Anna", "Bob"], "b2 a1 c1");
            driver.keys(keys);
            assert_snapshot!(format!("dialog-{name}-{}", size.0), stable_text(&driver));
        }
    }
}

/// Each game has one move left: a human types it or a bot finds it.
#[test]
fn game_over_dialogs() {
    let games = [
        ("win", ["Anna", "easy"], "b2 a1 c1 a2", "a3"),
        ("loss", ["Anna", "best"], "a1 b2 b1 c1 a2", ""),
        ("humans", ["Anna", "Bob"], "b2 a1 c1 c2", "a3"),
        ("draw", ["Anna", "Bob"], "b2 a1 c1 a3 a2 c2 b1 b3", "c3"),
        ("watched", ["best", "best"], "a1 b2 b1 c1 a2", ""),
    ];
    for (name, seats, moves, typed) in games {
        for size in SIZES {
            let (mut driver, _) = driver(size, "classic", seats, moves);
            if !typed.is_empty() {
                driver.keys(&format!("/{typed}<enter>"));
            }
            driver.wait_for_text("Rematch, same sides");
            assert_snapshot!(format!("end-{name}-{}", size.0), stable_text(&driver));
        }
    }
}

/// A long name doesn't hide the choices.
#[test]
fn game_over_with_long_names() {
    let names = ["Hubert Blaine Wolfeschlegelsteinhausenber", "Bob"];
    let names = names.map(|name| &name[..name.len().min(40)]);
    let (mut driver, _) = driver((80, 24), "classic", names, "b2 a1 c1 c2");
    driver.keys("/a3<enter>");
    driver.wait_for_text("Rematch, same sides");
    assert_snapshot!("end-long-80", stable_text(&driver));
}

#[test]
fn watching_paused() {
    for size in SIZES {
        let moves = "ee eb be ec ce";
        let (mut driver, _) = driver(size, "ultimate", ["easy", "hard"], moves);
        driver.keys(" +");
        assert_snapshot!(format!("paused-{}", size.0), stable_text(&driver));
    }
}

#[test]
fn a_failed_bot() {
    let (mut driver, _) = driver((80, 24), "ultimate", ["Anna", "mcts"], "ee eb be");
    let done = SearchUpdate::Finished(Err("mcts crashed in this position".into()));
    send_to_last_task(&mut driver, TaskMessage::SearchUpdate(done));
    assert_snapshot!("broken", stable_text(&driver));
}

/// Without colors and Unicode no information is lost.
#[test]
fn in_ascii() {
    let terminal_env = TerminalEnv {
        no_color: true,
        ascii: true,
        ..TerminalEnv::default()
    };
    let first = |context: &mut AppContext| -> Box<dyn Screen> {
        let moves = "b2 c2 d3 c4 @d3 e3";
        Box::new(super::resumed_game(
            context,
            "tic-tac-two",
            ["Anna", "Bob"],
            moves,
        ))
    };
    let store_handle = StoreHandle::in_memory().expect("a store");
    let mut driver = Driver::with_store(80, 24, store_handle, terminal_env, first);
    driver.keys("aa");
    let found = report(estimate(0.2), "d4 @c3", &[("d4", estimate(0.2))]);
    send_to_last_task(&mut driver, TaskMessage::AnalysisUpdate(found));
    let text = stable_text(&driver);
    assert!(text.is_ascii(), "{text}");
    assert_snapshot!("ascii", text);
}
