//! What holds of every bot here whatever the game: legal moves, the same ones
//! for the same seed, no more than was allowed, and a stop at once.

use std::time::Duration;

use noughts_conformance::test_rng::TestRng;
use noughts_conformance::variants;
use noughts_engine::{AnyBot, BotKind, BotSettings, SearchLimits, SearchReport, StopFlag, Value};
use noughts_rules::{AnyGameState, Variant};

const BOTS: [BotKind; 10] = BotKind::ALL;

/// Those that make the same move whatever the seed.
const DETERMINED: [BotKind; 3] = [BotKind::AlphaBeta, BotKind::Perfect, BotKind::Best];

fn bot(kind: BotKind, variant: Variant, seed: u64, threads: usize) -> Option<AnyBot> {
    let settings = BotSettings {
        seed,
        threads,
        memory: 1 << 20,
        ..BotSettings::default()
    };
    AnyBot::new(kind, variant, &settings).ok()
}

fn variant(name: &str) -> Variant {
    name.parse().expect("a variant")
}

/// Everything a report says, but for the time it took.
fn said(report: &SearchReport<String>) -> String {
    let report = SearchReport {
        elapsed: Duration::ZERO,
        ..report.clone()
    };
    format!("{report:?}")
}

/// Plays a game, or the beginning of a long one, and gives all that was said.
fn play_on(
    name: &str,
    kind: BotKind,
    seed: u64,
    plies: usize,
    limits: SearchLimits,
) -> Vec<String> {
    let mut all = Vec::new();
    let Some(mut bot) = bot(kind, variant(name), seed, 1) else {
        return all;
    };
    let mut play = AnyGameState::new(variant(name));
    for _ in 0..plies {
        if play.outcome().is_some() {
            break;
        }
        let report = bot.think(&play, limits, &StopFlag::new(), &mut |_| {});
        let mv = report.best.clone().expect("the game is not over");
        assert_eq!(report.pv.first(), Some(&mv), "{kind} in {name}");
        let mut line = play.clone();
        for mv in &report.pv {
            line.play(mv).expect("the line is legal");
        }
        play.play(&mv).expect("the move is legal");
        all.push(said(&report));
    }
    all
}

#[test]
fn whole_games_of_every_variant_are_legal() {
    for group in variants::GROUPS {
        let cells_matter = group.name.starts_with("depth 5") || group.name.starts_with("depth 6");
        for name in group.variants {
            for kind in BOTS {
                // A random game of a vast board is no small budget: a few plies will do.
                let (plies, games) = match kind {
                    _ if cells_matter => (12, 1),
                    BotKind::MonteCarlo => (60, 20),
                    _ => (300, 100),
                };
                play_on(name, kind, 1, plies, SearchLimits::nodes(games));
            }
        }
    }
}

#[test]
fn the_same_seed_says_the_same_and_another_something_else() {
    for name in [
        "classic",
        "misere",
        "mnk:7,7,5",
        "tic-tac-two",
        "ultimate",
        "ception:5d",
    ] {
        for kind in BOTS {
            let limits = SearchLimits::nodes(500);
            let one = play_on(name, kind, 1, 40, limits);
            assert_eq!(one, play_on(name, kind, 1, 40, limits), "{kind} in {name}");
            if !one.is_empty() && !DETERMINED.contains(&kind) {
                let others = (2..6).map(|seed| play_on(name, kind, seed, 40, limits));
                assert!(
                    others.into_iter().any(|other| other != one),
                    "{kind} in {name}"
                );
            }
        }
    }
}

#[test]
fn a_bot_that_is_stopped_or_has_no_time_still_moves() {
    for name in [
        "classic",
        "mnk:16,16,5",
        "tic-tac-two",
        "ultimate",
        "ception:5c,depth=6",
    ] {
        for kind in BOTS {
            let Some(mut bot) = bot(kind, variant(name), 1, 2) else {
                continue;
            };
            let stop = StopFlag::new();
            stop.stop();
            for (limits, stop) in [
                (SearchLimits::NONE, &stop),
                (SearchLimits::time(Duration::ZERO), &StopFlag::new()),
                (SearchLimits::nodes(0), &StopFlag::new()),
            ] {
                let mut play = AnyGameState::new(variant(name));
                let report = bot.think(&play, limits, stop, &mut |_| {});
                let mv = report.best.expect("the game is not over");
                play.play(&mv).expect("legal");
            }
        }
    }
}

#[test]
fn another_thread_stops_random_games() {
    let stop = StopFlag::new();
    let play = AnyGameState::new(variant("ception:depth=6"));
    let mut bot = bot(BotKind::MonteCarlo, play.variant(), 1, 2).expect("plays everything");
    let (reported, first) = std::sync::mpsc::channel();
    let report = std::thread::scope(|scope| {
        let stop = &stop;
        scope.spawn(move || {
            first.recv().expect("the bot reports");
            stop.stop();
        });
        // Without the stop this would never end.
        bot.think(&play, SearchLimits::NONE, stop, &mut |_| {
            let _ = reported.send(());
        })
    });
    assert!(report.best.is_some());
}

#[test]
fn monte_carlo_plays_exactly_the_games_it_may() {
    for threads in [1, 3] {
        for games in [1, 10, 1000] {
            let play = AnyGameState::new(Variant::ULTIMATE);
            let report = || {
                let mut bot =
                    bot(BotKind::MonteCarlo, Variant::ULTIMATE, 1, threads).expect("it plays");
                bot.think(
                    &play,
                    SearchLimits::nodes(games),
                    &StopFlag::new(),
                    &mut |_| {},
                )
            };
            let one = report();
            assert_eq!(one.nodes, games);
            assert_eq!(
                one.moves.iter().map(|ranked| ranked.nodes).sum::<u64>(),
                games
            );
            let sorted = one
                .moves
                .is_sorted_by(|a, b| a.value.expected_result() >= b.value.expected_result());
            assert!(sorted);
            assert_eq!(said(&one), said(&report()), "{threads} threads");
        }
    }
}

#[test]
fn monte_carlo_estimates_what_it_cannot_know() {
    // x . .
    // . o .      Anything is a draw, which random games cannot prove.
    // . . .
    let play = AnyGameState::from_text(Variant::CLASSIC, "x../.o./... x").expect("a position");
    let mut bot = bot(BotKind::MonteCarlo, Variant::CLASSIC, 1, 1).expect("it plays");
    let report = bot.think(
        &play,
        SearchLimits::nodes(7000),
        &StopFlag::new(),
        &mut |_| {},
    );
    assert_eq!(report.moves.len(), 7);
    for ranked in &report.moves {
        let Value::Estimate { mean, error } = ranked.value else {
            panic!("nothing is proved");
        };
        assert!((-1.0..=1.0).contains(&mean));
        assert!(error > 0.0 && error < 0.1, "{error}");
    }
    // x . .
    // . o .      O threatens c1. Random games mostly overlook it, but what comes
    // o . x      soon counts most.
    let play = AnyGameState::from_text(Variant::CLASSIC, "x../.o./o.x x").expect("a position");
    let report = bot.think(
        &play,
        SearchLimits::nodes(6000),
        &StopFlag::new(),
        &mut |_| {},
    );
    assert_eq!(report.best.as_deref(), Some("c1"));
}

#[test]
fn monte_carlo_takes_a_win_without_a_game() {
    let play = AnyGameState::from_text(Variant::CLASSIC, "xx./oo./... x").expect("a position");
    let mut bot = bot(BotKind::MonteCarlo, Variant::CLASSIC, 1, 1).expect("it plays");
    let report = bot.think(&play, SearchLimits::NONE, &StopFlag::new(), &mut |_| {});
    assert_eq!(report.best.as_deref(), Some("c1"));
    assert_eq!(report.value.to_string(), "win in 1");
    assert_eq!(report.nodes, 0);
}

#[test]
fn a_game_of_another_variant_gets_no_move() {
    let play = AnyGameState::new(Variant::ULTIMATE);
    for kind in BOTS {
        let mut bot = bot(kind, Variant::CLASSIC, 1, 1).expect("all play the classic game");
        let report = bot.think(&play, SearchLimits::NONE, &StopFlag::new(), &mut |_| {});
        assert_eq!(report.best, None, "{kind}");
    }
}

#[test]
fn bots_answer_in_the_middle_of_any_game() {
    let mut dice = TestRng::new(3);
    for name in variants::all_variants()
        .filter(|name| !name.contains("depth=5") && !name.contains("depth=6"))
    {
        let mut play = AnyGameState::new(variant(name));
        let mut plies = dice.below(60);
        while plies > 0 && play.outcome().is_none() {
            let moves = play.legal_moves();
            play.play(&moves[dice.below(moves.len())]).expect("legal");
            plies -= 1;
        }
        for kind in BOTS {
            let Some(mut bot) = bot(kind, variant(name), 4, 1) else {
                continue;
            };
            let report = bot.think(
                &play,
                SearchLimits::nodes(30),
                &StopFlag::new(),
                &mut |_| {},
            );
            match report.best {
                Some(mv) => play.clone().play(&mv).expect("legal"),
                None => assert!(play.outcome().is_some(), "{kind} in {name}"),
            }
        }
    }
}
