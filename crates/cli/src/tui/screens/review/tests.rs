//! A review, driven without a terminal.

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
    let mut kept = None;
    let driver = Driver::new(width, height, |house| {
        let id = store_game(house, variant, seats, moves);
        let review = ReviewScreen::load(house, id, Box::new(MenuScreen::open)).expect("a game");
        SharedScreen::boxed(review, &mut kept)
    });
    (driver, kept.expect("a screen"))
}

/// O wastes a win, X a draw.
const CLASSIC: &str = "b2 a3 a1 c3 b1 c1 a2 b3";

/// All values of a small game are found by themselves.
#[test]
fn a_small_game_is_known_exactly() {
    let (mut driver, inside) = driver((80, 24), "classic", ["Anna", "medium"], CLASSIC);
    driver.until_text("9 exact ");
    let signs: Vec<Option<&str>> = (0..8)
        .map(|mv| {
            let review = inside.screen();
            review
                .values
                .mistake(mv)
                .map(|mistake| mistake.kind.annotation())
        })
        .collect();
    let (no, bad) = (None, Some("??"));
    assert_eq!(signs, [no, no, no, no, bad, bad, bad, no]);
}

fn exact(exact: ExactValue) -> Value {
    Value::Exact(exact)
}

fn guess(mean: f64) -> Value {
    Value::Estimate { mean, error: 0.05 }
}

/// Says what is known of each moment, in place of what is being found out.
fn teach(inside: &ScreenProbe<ReviewScreen>, values: &[SearchReport<String>]) {
    let mut review = inside.look_mut();
    for (at, report) in values.iter().enumerate() {
        review.values.set_report(at, report.clone());
    }
    review.note();
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
        let (mut driver, inside) = driver(size, "classic", ["Anna", "medium"], CLASSIC);
        teach(&inside, &values);
        driver.keys("<left><left>");
        assert_snapshot!(format!("classic-{}", size.0), stable_text(&driver));
    }
}

/// Estimates look otherwise than proofs, in the plot, in the bar and as reproaches.
#[test]
fn opinions() {
    let moves = "ee eb be ec ce eg ge ei ie ea";
    let values: Vec<SearchReport<String>> =
        [0.1, -0.1, 0.15, -0.2, 0.3, 0.2, -0.1, 0.1, -0.2, 0.3, -0.2]
            .into_iter()
            .enumerate()
            .map(|(at, mean)| match at {
                4 => report(guess(0.5), "ca", &[("ca", guess(0.5)), ("ce", guess(0.05))]),
                10 => report(exact(ExactValue::loss(4)), "ae", &[]),
                _ => report(guess(mean), "ee", &[]),
            })
            .collect();
    for size in SIZES {
        let (mut driver, inside) = driver(size, "ultimate", ["Anna", "hard"], moves);
        teach(&inside, &values);
        driver.keys("<home>m");
        assert_snapshot!(format!("ultimate-{}", size.0), stable_text(&driver));
    }
}

#[test]
fn every_key_and_click_leads_to_its_moment() {
    let moves = "di id df fg gb be eh hc ch hh hd de";
    let (mut driver, inside) = driver((80, 24), "ultimate", ["Anna", "hard"], moves);
    let at = || inside.screen().ply;
    assert_eq!(at(), 12);
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
        assert_eq!(at(), moment, "{keys}");
        let (variant, all) = ("ultimate".parse().expect("a variant"), moves.split(' '));
        let mut play = AnyGameState::new(variant);
        for mv in all.take(moment) {
            play.play(mv).expect("a legal move");
        }
        assert_eq!(inside.screen().state.position_text(), play.position_text());
    }
    driver.click_on("X ch");
    assert_eq!(at(), 9);
}

#[test]
fn one_comes_back_to_where_one_came_from() {
    let (mut driver, inside) = driver((80, 24), "classic", ["Anna", "medium"], CLASSIC);
    driver.keys("?");
    assert!(driver.text().contains("The rules of classic"));
    driver.keys("<esc>");
    assert!(inside.is_driven());
    driver.keys("<esc>");
    assert!(!inside.is_driven());
}

/// What is told late, of a look that was given up, is nobody's.
#[test]
fn strangers_news_change_nothing() {
    let (mut driver, inside) = driver((80, 24), "ultimate", ["Anna", "hard"], "ee eb be");
    let before = inside.screen().values.progress();
    let (stranger, _) = driver.context().new_task();
    let found = report(exact(ExactValue::DRAW), "ea", &[]);
    driver.send_event(Event::Task(stranger, TaskMessage::Analysed(found)));
    assert_eq!(inside.screen().values.progress(), before);
}

/// Keys, clicks and sizes at random: the board is always that of the moment.
#[test]
fn random_events_never_break_anything() {
    let moves = "di id df fg gb be eh hc ch hh hd de";
    let (mut driver, inside) = driver((80, 24), "ultimate", ["Anna", "hard"], moves);
    let mut dice = SplitMix64::seed_from_u64(3);
    let mut below = |n: u64| dice.next_u64() % n;
    let keys = [
        "<left>", "<right>", "<home>", "<end>", "<pgup>", "<pgdn>", "m", "M", "a", "z", "?",
        "p<esc>",
    ];
    for _ in 0..1500 {
        match below(8) {
            0 => {
                let (x, y) = (below(150) as u16, below(50) as u16);
                driver.click(x, y);
            }
            1 => driver.process_pending(),
            2 if below(10) == 0 => driver.resize(80 + below(90) as u16, 24 + below(30) as u16),
            _ => driver.keys(keys[below(keys.len() as u64) as usize]),
        }
        // A click on the key that leaves.
        if !inside.is_driven() {
            break;
        }
        let review = inside.screen();
        let shown = super::state_after(&review.start, &review.entries, review.ply);
        assert_eq!(review.state.position_text(), shown.position_text());
    }
}

#[test]
fn a_review_says_that_there_is_no_mistake() {
    let (mut driver, _) = driver(
        (80, 24),
        "classic",
        ["Anna", "Bob"],
        "b2 a1 c1 a3 a2 c2 b1 b3 c3",
    );
    driver.until_text("10 exact ");
    driver.keys("m");
    assert!(
        driver.text().contains("No mistake found."),
        "{}",
        driver.text()
    );
    driver.keys("<left>");
    assert!(!driver.text().contains("No mistake"), "{}", driver.text());
}

/// The players of the game come first if they can play again.
#[test]
fn a_new_game_starts_from_the_position_that_is_shown() {
    for (seats, key, expected) in [
        (["Anna", "medium"], "1", ["Anna", "medium"]),
        (["Anna", "medium"], "2", ["medium", "Anna"]),
        (["Anna", "Bob"], "2", ["Bob", "Anna"]),
        (["Anna", "Bob"], "3", ["medium", "Anna"]),
        (["hard", "easy"], "1", ["hard", "Player 1"]),
    ] {
        let (mut driver, inside) = driver((80, 24), "classic", seats, CLASSIC);
        driver.keys("<home><right>p");
        let text = driver.text();
        assert!(text.contains("Play from here"), "{text}");
        assert!(text.contains("after move 1. O is to move."), "{text}");
        driver.keys(key);
        assert!(!inside.is_driven(), "{}", driver.text());
        let house = driver.context();
        let store = house.store_handle.store();
        let games = house
            .store_handle
            .block_on(store.games(&GameFilter::default()));
        let games = games.expect("a store in memory");
        let game = house.store_handle.block_on(store.game(games[0].id));
        let game = game.expect("a store in memory").expect("a game");
        assert_eq!(game.start.as_deref(), Some(".../.x./... o"));
        assert_eq!(game.seats, expected.map(seat), "{seats:?} {key}");
    }
}

#[test]
fn nobody_plays_from_a_finished_position() {
    let (mut driver, inside) = driver((80, 24), "classic", ["Anna", "medium"], CLASSIC);
    driver.keys("p");
    let text = driver.text();
    assert!(text.contains("The game is over here."), "{text}");
    driver.keys("<left>p<esc>");
    assert!(inside.is_driven());
    driver.keys("?<pgdn><pgdn>");
    let text = driver.text();
    assert!(text.contains("play a new game from here"), "{text}");
}
