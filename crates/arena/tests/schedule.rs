//! The games of a plan and their openings.

mod plans;

use std::collections::{BTreeMap, HashSet};

use noughts_arena::{
    AgreementThreshold, BotSource, BotSpec, Format, GameKey, Openings, Plan, Program, Protocol,
    Schedule, Sprt, TimeControl, check_extension, game_seed,
};
use noughts_rules::{AnyGameState, Outcome, Side, Symmetry};
use plans::*;
use proptest::prelude::*;

const TWO: &[(&str, &str)] = &[("a", "random"), ("b", "easy")];

fn program(name: &str, protocol: Protocol) -> BotSpec {
    BotSpec {
        name: name.into(),
        source: BotSource::Program(Program {
            protocol,
            command: "./bot".into(),
            arguments: Vec::new(),
            directory: None,
            options: BTreeMap::new(),
            threads: 1,
            ..Program::default()
        }),
        time_control: None,
    }
}

fn plan_errors(change: impl FnOnce(&mut Plan)) -> String {
    let mut plan = plan("classic", TWO, 1);
    change(&mut plan);
    let error = Schedule::new(&plan).expect_err("refused");
    error.to_string()
}

#[test]
fn pairs_come_round_by_round_with_sides_swapped() {
    let three = [("a", "random"), ("b", "random"), ("c", "random")];
    let mut plan = plan("classic", &three, 2);
    let shown = |plan: &Plan| {
        let schedule = schedule(plan);
        let keys: Vec<GameKey> = schedule.games().collect();
        assert_eq!(keys.len() as u64, schedule.game_count());
        assert!(keys.iter().all(|key| schedule.contains(key)));
        let shown = keys.iter().map(|key| {
            let [x, o] =
                Side::BOTH.map(|side| schedule.bot(key, side).expect("a bot").name.as_str());
            format!("{}{x}{o}", key.round)
        });
        shown.collect::<Vec<_>>().join(" ")
    };
    assert_eq!(
        shown(&plan),
        "0ab 0ba 0ac 0ca 0bc 0cb 1ab 1ba 1ac 1ca 1bc 1cb"
    );
    plan.format = Format::Gauntlet;
    assert_eq!(shown(&plan), "0ab 0ba 0ac 0ca 1ab 1ba 1ac 1ca");
    let schedule = schedule(&plan);
    let (round, first, swapped) = (0, 1, false);
    for (first, second) in [(first, 2), (0, 0), (0, 3)] {
        assert!(!schedule.contains(&GameKey {
            round,
            first,
            second,
            swapped
        }));
    }
}

#[test]
fn every_error_is_reported() {
    let message = plan_errors(|plan| {
        plan.variant = "chess".into();
        plan.bots = vec![builtin("a", "hal")];
        plan.rounds = 0;
    });
    for part in [
        "chess",
        "only one bot",
        "rounds is 0",
        "a: unknown bot \"hal\"",
    ] {
        assert!(message.contains(part), "{part}: {message}");
    }
    for (message, part) in [
        (
            plan_errors(|plan| plan.bots[1].name = "a".into()),
            "two bots are named \"a\"",
        ),
        (
            plan_errors(|plan| plan.bots[1].name = " ".into()),
            "has no name",
        ),
        (plan_errors(|plan| plan.bots.clear()), "no bots"),
        (
            plan_errors(|plan| {
                plan.variant = "ultimate".into();
                plan.bots[0] = builtin("n", "negamax");
            }),
            "n doesn't play ultimate",
        ),
        (
            plan_errors(|plan| plan.rounds = u32::MAX),
            "the maximum is 1000000000",
        ),
        (
            plan_errors(|plan| plan.time_control = TimeControl::Nodes(0)),
            "the time control is 0",
        ),
        (
            plan_errors(|plan| plan.bots[0].time_control = Some(TimeControl::Depth(0))),
            "a has no time",
        ),
        (plan_errors(|plan| plan.patience_ms = 0), "patience"),
        (plan_errors(|plan| plan.move_limit = Some(0)), "limit is 0"),
        (plan_errors(|plan| plan.concurrency = Some(0)), "at once"),
        (
            plan_errors(|plan| plan.openings = Openings::Random(9)),
            "every game of classic is over after 9",
        ),
        (
            plan_errors(|plan| plan.openings = Openings::Random(201)),
            "too long",
        ),
        (
            plan_errors(|plan| plan.openings = Openings::All(9)),
            "every game of classic is over after 9",
        ),
        (
            plan_errors(|plan| {
                plan.variant = "ultimate".into();
                plan.openings = Openings::All(7);
            }),
            "too many positions",
        ),
        (
            plan_errors(|plan| {
                plan.variant = "ception:depth=6".into();
                plan.openings = Openings::All(1);
            }),
            "too many positions",
        ),
        (
            plan_errors(|plan| plan.openings = Openings::List(Vec::new())),
            "empty",
        ),
        (
            plan_errors(|plan| plan.openings = Openings::List(vec!["xxx/oo./... o".into()])),
            "the game is already over",
        ),
        (
            plan_errors(|plan| plan.openings = Openings::List(vec!["b2".into(), "b2 b2".into()])),
            "opening 2: move 2: b2 is taken",
        ),
        (
            plan_errors(|plan| plan.openings = Openings::List(vec!["xx/../..".into()])),
            "opening 1: neither moves",
        ),
        (
            plan_errors(|plan| plan.bots[1] = program("c", Protocol::Codingame)),
            "c doesn't play classic",
        ),
        (
            plan_errors(|plan| {
                plan.variant = "ultimate".into();
                plan.bots[1] = program("c", Protocol::Codingame);
            }),
            "start from the start position",
        ),
        (
            plan_errors(|plan| {
                plan.adjudication.win = Some(AgreementThreshold {
                    moves: 0,
                    value: 0.0,
                });
            }),
            "after 0 moves",
        ),
        (
            plan_errors(|plan| {
                plan.adjudication.draw = Some(AgreementThreshold {
                    moves: 1,
                    value: f64::NAN,
                });
            }),
            "by agreement is",
        ),
        (
            plan_errors(|plan| {
                plan.bots.push(builtin("c", "easy"));
                plan.sprt = Some(Sprt {
                    elo0: 5.0,
                    elo1: 0.0,
                    alpha: 0.0,
                    beta: 0.5,
                });
            }),
            "exactly two bots; the plan has 3; elo0 must be less than elo1",
        ),
        (
            plan_errors(|plan| plan.concurrency = Some(20_000)),
            "can't run 20000 games at once; use 1 to 1024",
        ),
        // Guards against a plan that was saved but could never be read again.
        (
            plan_errors(|plan| {
                use std::os::unix::ffi::OsStringExt as _;
                let odd = std::ffi::OsString::from_vec(vec![b'b', 0xff]);
                plan.bots[1] = program("c", Protocol::Ugi);
                if let BotSource::Program(program) = &mut plan.bots[1].source {
                    program.directory = Some(odd.into());
                }
            }),
            "isn't valid Unicode",
        ),
    ] {
        assert!(message.contains(part), "{part}: {message}");
    }
}

#[test]
fn codingame_bots_play_their_variant_from_the_start() {
    for variant in ["ultimate", "ception:end=most"] {
        let mut plan = plan(variant, TWO, 1);
        plan.bots[1] = program("c", Protocol::Codingame);
        plan.openings = Openings::Start;
        Schedule::new(&plan).expect("allowed");
    }
}

/// The same text for all positions that are images of each other.
fn smallest_image(state: &AnyGameState) -> String {
    let symmetries = (0..state.count_symmetries()).map(Symmetry);
    let images = symmetries.map(|symmetry| state.transformed(symmetry).position_text());
    images.min().expect("the identity")
}

/// The known numbers of positions of the classic game up to symmetry, without those with a line.
#[test]
fn all_openings_are_complete() {
    for (plies, count) in [(1, 3), (2, 12), (3, 38), (4, 108), (5, 174 - 21)] {
        let mut plan = plan("classic", TWO, count + 3);
        plan.openings = Openings::All(plies);
        let schedule = schedule(&plan);
        let pairs = schedule.games().filter(|key| !key.swapped);
        let seen: Vec<String> = pairs
            .map(|key| smallest_image(&schedule.opening(&key).state))
            .collect();
        let different: HashSet<&String> = seen.iter().collect();
        assert_eq!(different.len(), count as usize, "{plies} plies");
        assert_eq!(seen[..3], seen[count as usize..], "then from the beginning");
        plan.seed += 1;
        let other = plans::schedule(&plan);
        let other = other.games().filter(|key| !key.swapped).map(|key| {
            let opening = other.opening(&key);
            assert_eq!(opening.plies, plies as usize);
            smallest_image(&opening.state)
        });
        assert!(
            plies == 1 || other.collect::<Vec<_>>() != seen,
            "an order of the seed"
        );
    }
}

#[test]
fn random_openings_do_not_repeat_while_new_ones_exist() {
    // There are twelve after two moves, and 38 after three.
    let plan = plan("classic", TWO, 40);
    let schedule = schedule(&plan);
    let all: Vec<String> = schedule
        .games()
        .filter(|key| !key.swapped)
        .map(|key| smallest_image(&schedule.opening(&key).state))
        .collect();
    let different: HashSet<&String> = all.iter().collect();
    assert_eq!(different.len(), 40);
    let short = all.iter().filter(|text| text.ends_with('x')).count();
    assert_eq!(short, 12, "those of the length asked for come first");
}

/// A board of two cells has one opening of one move. There is no longer one, so it repeats.
#[test]
fn openings_start_over_when_exhausted() {
    let mut plan = plan("mnk:2,1,2", TWO, 6);
    plan.openings = Openings::Random(1);
    let schedule = schedule(&plan);
    let openings = schedule.games().map(|key| schedule.opening(&key).plies);
    assert!(openings.into_iter().all(|moves| moves == 1));
}

#[test]
fn listed_openings_are_used_in_turn_and_finished_ones_skipped() {
    let mut plan = plan("classic", TWO, 5);
    let list = [
        "a1 b2",
        "xxx/oo./... o",
        "x../.o./... x",
        "x../.../... o moves c3",
    ];
    plan.openings = Openings::List(list.map(str::to_owned).to_vec());
    let schedule = schedule(&plan);
    let openings: Vec<(String, usize)> = schedule
        .games()
        .filter(|key| !key.swapped)
        .map(|key| schedule.opening(&key))
        .map(|opening| (opening.state.position_text(), opening.plies))
        .collect();
    let [one, two, three] = [
        ("x../.o./... x".to_owned(), 2),
        ("x../.o./... x".to_owned(), 0),
        ("x../.../..o x".to_owned(), 1),
    ];
    assert_eq!(openings, [one.clone(), two.clone(), three, one, two]);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    /// Adding bots and rounds doesn't change existing games.
    #[test]
    fn an_extended_plan_has_the_same_games(
        seed: u64,
        bots in 2..5usize,
        rounds in 1..6u32,
        plies in 0..5u32,
        all: bool,
        variant in prop::sample::select(vec!["classic", "ultimate", "tic-tac-two", "mnk:5,4,3"]),
        gauntlet: bool,
    ) {
        let names = [("a", "random"), ("b", "easy"), ("c", "medium"), ("d", "hard"), ("e", "best"), ("f", "mcts")];
        let mut small = plan(variant, &names[..bots], rounds);
        small.seed = seed;
        if gauntlet {
            small.format = Format::Gauntlet;
        }
        small.openings = match all {
            true => Openings::All(plies.min(3)),
            false => Openings::Random(plies),
        };
        let mut large = plan(variant, &names[..bots + 1], rounds + 2);
        (large.seed, large.format, large.openings) = (seed, small.format, small.openings.clone());
        let (small, large) = (schedule(&small), schedule(&large));
        let keys: HashSet<GameKey> = small.games().collect();
        // Also if openings are requested in another order.
        let all_games: Vec<GameKey> = large.games().collect();
        for key in all_games.iter().rev() {
            let _ = large.opening(key);
        }
        for key in &keys {
            prop_assert!(large.contains(key));
            let [one, other] = [small.opening(key), large.opening(key)];
            prop_assert_eq!(one.state.moves(), other.state.moves());
            let length = plies.min(if all { 3 } else { 9 }) as usize;
            // Random openings get longer once all of this length are used up.
            prop_assert!(one.plies == length || !all && length > 0 && one.plies > length);
            prop_assert_eq!(one.state.outcome(), None::<Outcome>);
            let swapped = small.opening(&GameKey { swapped: !key.swapped, ..*key });
            prop_assert_eq!(one.state.moves(), swapped.state.moves());
            for side in Side::BOTH {
                prop_assert_eq!(small.seed(key, side), large.seed(key, side));
            }
        }
        let rest: HashSet<GameKey> = large.remaining(keys.clone()).collect();
        prop_assert_eq!(rest.len(), all_games.len() - keys.len());
        prop_assert!(rest.is_disjoint(&keys));
    }
}

#[test]
fn seeds_depend_on_all_inputs() {
    let mut seeds = HashSet::new();
    let mut count = 0;
    for plan in [0, 1, u64::MAX] {
        for (round, first, second) in [
            (0, 0, 1),
            (1, 0, 1),
            (0, 1, 2),
            (0, 0, 2),
            (2, 0, 1),
            (0, 1, 0),
        ] {
            for swapped in [false, true] {
                for side in Side::BOTH {
                    let key = GameKey {
                        round,
                        first,
                        second,
                        swapped,
                    };
                    seeds.insert(game_seed(plan, &key, side));
                    count += 1;
                }
            }
        }
    }
    assert_eq!(seeds.len(), count);
    let key = GameKey {
        round: 3,
        first: 0,
        second: 1,
        swapped: true,
    };
    // Must never change: saved tournaments depend on it.
    assert_eq!(game_seed(42, &key, Side::O), 7_114_714_281_988_793_158);
}

#[test]
fn only_extensions_of_a_plan_are_allowed() {
    let old = plan("classic", TWO, 3);
    let message = |change: fn(&mut Plan)| {
        let mut new = old.clone();
        change(&mut new);
        check_extension(&old, &new).map_err(|error| error.to_string())
    };
    assert_eq!(message(|_| {}), Ok(()));
    assert_eq!(
        message(|plan| {
            plan.bots.push(builtin("c", "hard"));
            plan.rounds = 9;
            plan.concurrency = Some(1);
            plan.margin_ms = 0;
        }),
        Ok(())
    );
    type Change = fn(&mut Plan);
    let changes: [(Change, &str); 9] = [
        (
            |plan| plan.variant = "misere".into(),
            "the game was classic, not misere",
        ),
        (|plan| plan.seed = 8, "the seed was 7, not 8"),
        (
            |plan| plan.time_control = TimeControl::Depth(3),
            "the time control was nodes=8, not depth=3",
        ),
        (
            |plan| plan.rounds = 2,
            "6 games per pairing were planned, so 4",
        ),
        (
            |plan| plan.bots.swap(0, 1),
            "bot 1 of the tournament was \"a\"",
        ),
        (
            |plan| drop(plan.bots.pop()),
            "bot 2 of the tournament was \"b\"",
        ),
        (
            |plan| plan.format = Format::Gauntlet,
            "the format can't be changed",
        ),
        (
            |plan| plan.openings = Openings::Start,
            "the openings can't be changed",
        ),
        (
            |plan| plan.move_limit = Some(9),
            "the move limit can't be changed",
        ),
    ];
    for (change, part) in changes {
        let error = message(change).expect_err("refused");
        assert!(error.contains(part), "{part}: {error}");
    }
}
