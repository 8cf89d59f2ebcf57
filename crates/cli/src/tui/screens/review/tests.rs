//! The review screen, driven without a terminal.

use insta::assert_snapshot;
use noughts_engine::{ExactValue, SearchReport, Value};
use noughts_rules::AnyGameState;
use noughts_store::GameFilter;
use rand_core::{Rng, SeedableRng};
use rand_xoshiro::SplitMix64;

use super::ReviewScreen;
use crate::tui::event::{Event, TaskMessage};
use crate::tui::screens::menu::MenuScreen;
use crate::tui::screens::testing::{
    ScreenProbe, SharedScreen, report, seat, stable_text, store_game,
};
use crate::tui::testing::Driver;

const SIZES: [(u16, u16); 2] = [(80, 24), (140, 45)];

fn driver(
    (width, height): (u16, u16),
    variant: &str,
    seats: [&str; 2],
    moves: &str,
) -> (Driver, ScreenProbe<ReviewScreen>) {
    let mut probe = None;
    let driver = Driver::new(width, height, |context| {
        let id = store_game(context, variant, seats, moves);
        let review = ReviewScreen::open(context, id, Box::new(MenuScreen::open)).expect("a game");
        SharedScreen::boxed(review, &mut probe)
    });
    (driver, probe.expect("a screen"))
}

/// O throws away a win, X a draw.
const CLASSIC: &str = "b2 a3 a1 c3 b1 c1 a2 b3";

/// All values of a small game are found without input.
#[test]
fn a_small_game_is_solved() {
    let (mut driver, probe) = driver((80, 24), "classic", ["Anna", "medium"], CLASSIC);
    driver.wait_for_text("9 proved ");
    let glyphs: Vec<Option<&str>> = (0..8)
        .map(|mv| {
            let review = probe.screen();
            review
                .values
                .mistake(mv)
                .map(|mistake| mistake.kind.annotation())
        })
        .collect();
    let (none, blunder) = (None, Some("??"));
    assert_eq!(
        glyphs,
        [none, none, none, none, blunder, blunder, blunder, none]
    );
}

fn exact(exact: ExactValue) -> Value {
    Value::Exact(exact)
}

fn estimate(mean: f64) -> Value {
    Value::Estimate { mean, error: 0.05 }
}

/// Sets the report of each ply instead of waiting for the analysis.
fn set_reports(probe: &ScreenProbe<ReviewScreen>, values: &[SearchReport<String>]) {
    let mut review = probe.screen_mut();
    for (ply, report) in values.iter().enumerate() {
        review.values.add_report(ply, report.clone());
    }
    review.update_annotations();
}

#[test]
fn mistakes_and_plot() {
    let draw = exact(ExactValue::DRAW);
    let values = [
        report(draw, "b2", &[]),
        report(draw, "a3", &[]),
        report(draw, "a1", &[]),
        report(draw, "c3", &[]),
        report(
            draw,
            "b3",
            &[("b3", draw), ("b1", exact(ExactValue::loss(2)))],
        ),
        report(
            exact(ExactValue::win(1)),
            "b3",
            &[
                ("b3", exact(ExactValue::win(1))),
                ("c1", exact(ExactValue::loss(2))),
            ],
        ),
        report(
            exact(ExactValue::win(1)),
            "c2",
            &[
                ("b3", exact(ExactValue::win(1))),
                ("a2", exact(ExactValue::loss(2))),
            ],
        ),
        report(
            exact(ExactValue::win(1)),
            "b3",
            &[("b3", exact(ExactValue::win(1)))],
        ),
    ];
    for size in SIZES {
        let (mut driver, probe) = driver(size, "classic", ["Anna", "medium"], CLASSIC);
        set_reports(&probe, &values);
        driver.keys("<left><left>");
        assert_snapshot!(format!("classic-{}", size.0), stable_text(&driver));
    }
}

/// Estimates look different from proved values in the plot, the value bar and the mistakes.
#[test]
fn estimates() {
    let moves = "ee eb be ec ce eg ge ei ie ea";
    let values: Vec<SearchReport<String>> =
        [0.1, -0.1, 0.15, -0.2, 0.3, 0.2, -0.1, 0.1, -0.2, 0.3, -0.2]
            .into_iter()
            .enumerate()
            .map(|(ply, mean)| match ply {
                4 => report(
                    estimate(0.5),
                    "ca",
                    &[("ca", estimate(0.5)), ("ce", estimate(0.05))],
                ),
                10 => report(exact(ExactValue::loss(4)), "ae", &[]),
                _ => report(estimate(mean), "ee", &[]),
            })
            .collect();
    for size in SIZES {
        let (mut driver, probe) = driver(size, "ultimate", ["Anna", "hard"], moves);
        set_reports(&probe, &values);
        driver.keys("<home>m");
        assert_snapshot!(format!("ultimate-{}", size.0), stable_text(&driver));
    }
}

#[test]
fn every_key_and_click_leads_to_its_ply() {
    let moves = "di id df fg gb be eh hc ch hh hd de";
    let (mut driver, probe) = driver((80, 24), "ultimate", ["Anna", "hard"], moves);
    let ply = || probe.screen().ply;
    assert_eq!(ply(), 12);
    for (keys, moment) in [
        ("<left>", 11),
        ("<home>", 0),
        ("<left>", 0),
        ("<right><right>", 2),
        ("<pgdn>", 12),
        ("<right>", 12),
        ("<pgup>", 2),
        ("<end>", 12),
    ] {
        driver.keys(keys);
        assert_eq!(ply(), moment, "{keys}");
        let (variant, all) = ("ultimate".parse().expect("a variant"), moves.split(' '));
        let mut state = AnyGameState::new(variant);
        for mv in all.take(moment) {
            state.play(mv).expect("a legal move");
        }
        assert_eq!(probe.screen().state.position_text(), state.position_text());
    }
    driver.click_on("X ch");
    assert_eq!(ply(), 9);
}

#[test]
fn leaving_returns_to_the_previous_screen() {
    let (mut driver, probe) = driver((80, 24), "classic", ["Anna", "medium"], CLASSIC);
    driver.keys("?");
    assert!(driver.text().contains("Rules"));
    driver.keys("<esc>");
    assert!(probe.is_shown());
    driver.keys("<esc>");
    assert!(!probe.is_shown());
}

/// Late messages of a stopped analysis are ignored.
#[test]
fn messages_of_other_tasks_are_ignored() {
    let (mut driver, probe) = driver((80, 24), "ultimate", ["Anna", "hard"], "ee eb be");
    let before = probe.screen().values.progress();
    let (other_task, _) = driver.context().new_task();
    let found = report(exact(ExactValue::DRAW), "ea", &[]);
    driver.send_event(Event::Task(other_task, TaskMessage::AnalysisUpdate(found)));
    assert_eq!(probe.screen().values.progress(), before);
}

/// With random keys, clicks and sizes, the board always shows the current ply.
#[test]
fn random_events_never_break_anything() {
    let moves = "di id df fg gb be eh hc ch hh hd de";
    let (mut driver, probe) = driver((80, 24), "ultimate", ["Anna", "hard"], moves);
    let mut rng = SplitMix64::seed_from_u64(3);
    let mut random_below = |n: u64| rng.next_u64() % n;
    let keys = [
        "<left>", "<right>", "<home>", "<end>", "<pgup>", "<pgdn>", "m", "M", "a", "z", "?",
        "p<esc>",
    ];
    for _ in 0..1500 {
        match random_below(8) {
            0 => {
                let (x, y) = (random_below(150) as u16, random_below(50) as u16);
                driver.click(x, y);
            }
            1 => driver.process_pending(),
            2 if random_below(10) == 0 => {
                driver.resize(80 + random_below(90) as u16, 24 + random_below(30) as u16);
            }
            _ => driver.keys(keys[random_below(keys.len() as u64) as usize]),
        }
        // A click on the key that leaves.
        if !probe.is_shown() {
            break;
        }
        let review = probe.screen();
        let shown = super::state_after(&review.start, &review.entries, review.ply);
        assert_eq!(review.state.position_text(), shown.position_text());
    }
}

#[test]
fn a_review_without_mistakes_says_so() {
    let (mut driver, _) = driver(
        (80, 24),
        "classic",
        ["Anna", "Bob"],
        "b2 a1 c1 a3 a2 c2 b1 b3 c3",
    );
    driver.wait_for_text("10 proved ");
    driver.keys("m");
    assert!(
        driver.text().contains("No mistakes found."),
        "{}",
        driver.text()
    );
    driver.keys("<left>");
    assert!(!driver.text().contains("No mistake"), "{}", driver.text());
}

/// The players of the game come first if they can play again.
#[test]
fn a_new_game_starts_from_the_current_position() {
    for (seats, key, expected) in [
        (["Anna", "medium"], "1", ["Anna", "medium"]),
        (["Anna", "medium"], "2", ["medium", "Anna"]),
        (["Anna", "Bob"], "2", ["Bob", "Anna"]),
        (["Anna", "Bob"], "3", ["medium", "Anna"]),
        (["hard", "easy"], "1", ["hard", "Player 1"]),
    ] {
        let (mut driver, probe) = driver((80, 24), "classic", seats, CLASSIC);
        driver.keys("<home><right>p");
        let text = driver.text();
        assert!(text.contains("Play from here"), "{text}");
        assert!(text.contains("after move 1. O is to move."), "{text}");
        driver.keys(key);
        assert!(!probe.is_shown(), "{}", driver.text());
        let context = driver.context();
        let store = context.store_handle.store();
        let games = context
            .store_handle
            .block_on(store.games(&GameFilter::default()));
        let games = games.expect("a store in memory");
        let game = context.store_handle.block_on(store.game(games[0].id));
        let game = game.expect("a store in memory").expect("a game");
        assert_eq!(game.start.as_deref(), Some(".../.x./... o"));
        assert_eq!(game.seats, expected.map(seat), "{seats:?} {key}");
    }
}

#[test]
fn a_finished_position_cannot_be_played() {
    let (mut driver, probe) = driver((80, 24), "classic", ["Anna", "medium"], CLASSIC);
    driver.keys("p");
    let text = driver.text();
    assert!(text.contains("The game is over here."), "{text}");
    driver.keys("<left>p<esc>");
    assert!(probe.is_shown());
    driver.keys("?<pgdn><pgdn>");
    let text = driver.text();
    assert!(text.contains("play a new game from here"), "{text}");
}
