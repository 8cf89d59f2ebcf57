//! What every bot must do in every game: play legal moves, be reproducible from its seed, respect
//! its limits and stop at once.

use std::time::Duration;

use noughts_conformance::test_rng::TestRng;
use noughts_conformance::variants;
use noughts_engine::{AnyBot, BotKind, BotSettings, SearchLimits, SearchReport, StopFlag, Value};
use noughts_rules::{AnyGameState, Variant, games};

const BOTS: [BotKind; 10] = BotKind::ALL;

/// Bots that don't use the seed.
const SEED_INDEPENDENT: [BotKind; 3] = [BotKind::AlphaBeta, BotKind::Perfect, BotKind::Best];

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

/// The whole report except for the elapsed time.
fn without_time(report: &SearchReport<String>) -> String {
    let report = SearchReport {
        elapsed: Duration::ZERO,
        ..report.clone()
    };
    format!("{report:?}")
}

/// Plays a game, or the start of a long one, and returns all reports.
fn play_game(
    name: &str,
    kind: BotKind,
    seed: u64,
    plies: usize,
    limits: SearchLimits,
) -> Vec<String> {
    let mut reports = Vec::new();
    let Some(mut bot) = bot(kind, variant(name), seed, 1) else {
        return reports;
    };
    let mut state = AnyGameState::new(variant(name));
    for _ in 0..plies {
        if state.outcome().is_some() {
            break;
        }
        let report = bot.think(&state, limits, &StopFlag::new(), &mut |_| {});
        let mv = report.best.clone().expect("the game is not over");
        assert_eq!(report.pv.first(), Some(&mv), "{kind} in {name}");
        let mut line = state.clone();
        for mv in &report.pv {
            line.play(mv).expect("the line is legal");
        }
        state.play(&mv).expect("the move is legal");
        reports.push(without_time(&report));
    }
    reports
}

#[test]
fn bots_play_legal_games_in_every_variant() {
    for group in variants::GROUPS {
        let is_huge = group.name.starts_with("depth 5") || group.name.starts_with("depth 6");
        for name in group.variants {
            for kind in BOTS {
                // On a huge board even one random game is expensive, so a few plies must do.
                let (plies, games) = match kind {
                    _ if is_huge => (12, 1),
                    BotKind::MonteCarlo => (60, 20),
                    _ => (300, 100),
                };
                play_game(name, kind, 1, plies, SearchLimits::nodes(games));
            }
        }
    }
}

/// The names of all variants that menus offer.
fn presets() -> impl Iterator<Item = &'static str> {
    games::presets().into_iter().map(|(_, preset)| preset.name)
}

#[test]
fn bots_play_legal_games_of_every_preset() {
    for name in presets() {
        // The largest boards are checked above.
        if AnyGameState::new(variant(name)).count_actions() > 1000 {
            continue;
        }
        for kind in BOTS {
            let (plies, nodes) = match kind {
                BotKind::MonteCarlo => (12, 20),
                _ => (40, 100),
            };
            let limits = SearchLimits::nodes(nodes);
            let first = play_game(name, kind, 1, plies, limits);
            assert_eq!(
                first,
                play_game(name, kind, 1, plies, limits),
                "{kind} in {name}"
            );
        }
    }
}

#[test]
fn same_seed_gives_the_same_reports_and_other_seeds_differ() {
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
            let first = play_game(name, kind, 1, 40, limits);
            assert_eq!(
                first,
                play_game(name, kind, 1, 40, limits),
                "{kind} in {name}"
            );
            if !first.is_empty() && !SEED_INDEPENDENT.contains(&kind) {
                let others = (2..6).map(|seed| play_game(name, kind, seed, 40, limits));
                assert!(
                    others.into_iter().any(|other| other != first),
                    "{kind} in {name}"
                );
            }
        }
    }
}

#[test]
fn stopped_bot_or_bot_without_time_still_moves() {
    for name in [
        "classic",
        "mnk:16,16,5",
        "tic-tac-two",
        "ultimate",
        "ception:5c,depth=6",
    ]
    .into_iter()
    .chain(presets())
    {
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
                let mut state = AnyGameState::new(variant(name));
                let report = bot.think(&state, limits, stop, &mut |_| {});
                let mv = report.best.expect("the game is not over");
                state.play(&mv).expect("legal");
            }
        }
    }
}

#[test]
fn stop_flag_ends_random_games() {
    let stop = StopFlag::new();
    let state = AnyGameState::new(variant("ception:depth=6"));
    let mut bot = bot(BotKind::MonteCarlo, state.variant(), 1, 2).expect("plays everything");
    let (reported, first) = std::sync::mpsc::channel();
    let report = std::thread::scope(|scope| {
        let stop = &stop;
        scope.spawn(move || {
            first.recv().expect("the bot reports");
            stop.stop();
        });
        // Without the stop flag this would never end.
        bot.think(&state, SearchLimits::NONE, stop, &mut |_| {
            let _ = reported.send(());
        })
    });
    assert!(report.best.is_some());
}

#[test]
fn monte_carlo_respects_the_node_limit_exactly() {
    for threads in [1, 3] {
        for games in [1, 10, 1000] {
            let state = AnyGameState::new(Variant::ULTIMATE);
            let report = || {
                let mut bot =
                    bot(BotKind::MonteCarlo, Variant::ULTIMATE, 1, threads).expect("it plays");
                bot.think(
                    &state,
                    SearchLimits::nodes(games),
                    &StopFlag::new(),
                    &mut |_| {},
                )
            };
            let first = report();
            assert_eq!(first.nodes, games);
            assert_eq!(
                first.moves.iter().map(|ranked| ranked.nodes).sum::<u64>(),
                games
            );
            let sorted = first
                .moves
                .is_sorted_by(|a, b| a.value.expected_result() >= b.value.expected_result());
            assert!(sorted);
            assert_eq!(
                without_time(&first),
                without_time(&report()),
                "{threads} threads"
            );
        }
    }
}

#[test]
fn monte_carlo_reports_estimates() {
    // x . .
    // . o .      Every move draws, which random games can't prove.
    // . . .
    let state = AnyGameState::from_text(Variant::CLASSIC, "x../.o./... x").expect("a position");
    let mut bot = bot(BotKind::MonteCarlo, Variant::CLASSIC, 1, 1).expect("it plays");
    let report = bot.think(
        &state,
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
    // . o .      O threatens c1. Random games usually overlook it, but early results
    // o . x      count most.
    let state = AnyGameState::from_text(Variant::CLASSIC, "x../.o./o.x x").expect("a position");
    let report = bot.think(
        &state,
        SearchLimits::nodes(6000),
        &StopFlag::new(),
        &mut |_| {},
    );
    assert_eq!(report.best.as_deref(), Some("c1"));
}

#[test]
fn monte_carlo_takes_an_immediate_win_without_playouts() {
    let state = AnyGameState::from_text(Variant::CLASSIC, "xx./oo./... x").expect("a position");
    let mut bot = bot(BotKind::MonteCarlo, Variant::CLASSIC, 1, 1).expect("it plays");
    let report = bot.think(&state, SearchLimits::NONE, &StopFlag::new(), &mut |_| {});
    assert_eq!(report.best.as_deref(), Some("c1"));
    assert_eq!(report.value.to_string(), "win in 1");
    assert_eq!(report.nodes, 0);
}

#[test]
fn state_of_another_variant_gets_no_move() {
    let state = AnyGameState::new(Variant::ULTIMATE);
    for kind in BOTS {
        let mut bot = bot(kind, Variant::CLASSIC, 1, 1).expect("all play the classic game");
        let report = bot.think(&state, SearchLimits::NONE, &StopFlag::new(), &mut |_| {});
        assert_eq!(report.best, None, "{kind}");
    }
}

#[test]
fn bots_move_in_the_middle_of_any_game() {
    let mut rng = TestRng::new(3);
    for name in variants::all_variants()
        .filter(|name| !name.contains("depth=5") && !name.contains("depth=6"))
    {
        let mut state = AnyGameState::new(variant(&name));
        let mut plies = rng.below(60);
        while plies > 0 && state.outcome().is_none() {
            let moves = state.legal_moves();
            state.play(&moves[rng.below(moves.len())]).expect("legal");
            plies -= 1;
        }
        for kind in BOTS {
            let Some(mut bot) = bot(kind, variant(&name), 4, 1) else {
                continue;
            };
            let report = bot.think(
                &state,
                SearchLimits::nodes(30),
                &StopFlag::new(),
                &mut |_| {},
            );
            match report.best {
                Some(mv) => state.clone().play(&mv).expect("legal"),
                None => assert!(state.outcome().is_some(), "{kind} in {name}"),
            }
        }
    }
}
