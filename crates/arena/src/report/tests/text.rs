//! The exact text of the result block and the tables.

use std::time::Duration;

use super::plan;
use crate::plan::{Openings, Plan, Scoring, Sprt};
use crate::played_game::{EndReason, GameFingerprint, GameKey};
use crate::spec::{BotSource, Program, Protocol};
use crate::standings::{Standings, StandingsRow};
use crate::statistics::Results;
use crate::statistics::tests::new_game;
use crate::time_control::TimeControl;
use noughts_rules::{Outcome, Side};

/// Adds pairs of two bots: the first bot's points ×2 in the first and second game, and how often.
fn add(results: &mut Results, first: u32, second: u32, pairs: &[(u8, u8, u32)]) {
    let mut round = 0;
    for &(one, other, times) in pairs {
        for _ in 0..times {
            for (swapped, points) in [(false, one), (true, other)] {
                let key = GameKey {
                    round,
                    first,
                    second,
                    swapped,
                };
                let outcome = match (points, swapped) {
                    (1, _) => Outcome::Draw,
                    (0, true) | (2, false) => Outcome::Win(Side::X),
                    _ => Outcome::Win(Side::O),
                };
                results.add(&new_game(key, outcome, EndReason::Line));
            }
            round += 1;
        }
    }
}

/// Two bots and their pairs.
type PairCounts<'a> = (u32, u32, &'a [(u8, u8, u32)]);

fn standings(plan: &Plan, pairs: &[PairCounts<'_>]) -> Standings {
    let mut results = Results::new(plan);
    for (first, second, pairs) in pairs {
        add(&mut results, *first, *second, pairs);
    }
    Standings::new(plan, &results)
}

/// 100 pairs for which fastchess printed a block, with games and ratios.
const PUBLISHED: [(u8, u8, u32); 6] = [
    (0, 0, 1),
    (0, 1, 11),
    (1, 1, 37),
    (2, 0, 10),
    (1, 2, 25),
    (2, 2, 16),
];

#[test]
fn the_block_matches_fastchess() {
    let mut plan = plan("ultimate", &["new", "old"]);
    plan.sprt = Some(Sprt {
        elo0: 0.0,
        elo1: 10.0,
        alpha: 0.05,
        beta: 0.05,
    });
    let standings = standings(&plan, &[(0, 1, &PUBLISHED)]);
    assert_eq!(
        standings.text(),
        "Results of new vs old (0.1/move, 1t, 64MB, random4):\n\
         Elo: 77.71 +/- 33.03, nElo: 117.50 +/- 48.15\n\
         LOS: 100.00 %, DrawRatio: 47.00 %, PairsRatio: 3.42\n\
         Games: 200, Wins: 67, Losses: 23, Draws: 110, Points: 122.0 (61.00 %)\n\
         Ptnml(0-2): [1, 11, 47, 25, 16], WL/DD Ratio: 0.27\n\
         LLR: 1.71 (57.9%) (-2.94, 2.94) [0.00, 10.00]\n"
    );
}

#[test]
fn decisions_and_faults_have_their_own_lines() {
    let mut plan = plan("classic", &["a", "b"]);
    plan.sprt = Some(Sprt {
        elo0: -50.0,
        elo1: 0.0,
        alpha: 0.05,
        beta: 0.05,
    });
    let mut results = Results::new(&plan);
    add(&mut results, 0, 1, &[(2, 1, 30), (0, 1, 5), (2, 1, 300)]);
    let key = |round, swapped| GameKey {
        round,
        first: 0,
        second: 1,
        swapped,
    };
    results.add(&new_game(
        key(900, false),
        Outcome::Win(Side::X),
        EndReason::Timeout,
    ));
    let text = Standings::new(&plan, &results).text();
    assert!(
        text.contains("SPRT ([-50.00, 0.00]) completed - H1 was accepted\n"),
        "{text}"
    );
    assert!(
        text.ends_with("Player: b\n  Timeouts: 1\n  Crashed: 0\n"),
        "{text}"
    );
    // An illegal move isn't a crash; a failure of both counts for both.
    results.add(&new_game(
        key(900, true),
        Outcome::Win(Side::O),
        EndReason::IllegalMove,
    ));
    results.add(&new_game(
        key(901, true),
        Outcome::Win(Side::X),
        EndReason::ProtocolError,
    ));
    results.add(&new_game(
        key(901, false),
        Outcome::Draw,
        EndReason::StartFailure,
    ));
    let text = Standings::new(&plan, &results).text();
    assert!(
        text.ends_with(
            "Player: a\n  Timeouts: 0\n  Crashed: 1\n  Protocol errors: 1\n\
             Player: b\n  Timeouts: 1\n  Crashed: 1\n  Illegal moves: 1\n"
        ),
        "{text}"
    );
}

#[test]
fn extreme_results_are_printed() {
    let mut plan = plan("classic", &["a", "b"]);
    plan.openings = Openings::Start;
    assert_eq!(
        standings(&plan, &[]).text(),
        "Results of a vs b (0.1/move, 1t, 64MB):\nNo games have been played yet.\n"
    );
    // Half a pair doesn't give a result yet.
    let mut half = Results::new(&plan);
    let key = GameKey {
        round: 0,
        first: 0,
        second: 1,
        swapped: false,
    };
    half.add(&new_game(key, Outcome::Draw, EndReason::Line));
    let text = Standings::new(&plan, &half).text();
    assert!(text.contains("No game pair is complete yet"), "{text}");
    let many = super::plan("classic", &["a", "b", "c"]);
    assert_eq!(
        standings(&many, &[]).text(),
        "No games have been played yet.\n"
    );
    let wins = standings(&plan, &[(0, 1, &[(2, 2, 4)])]).text();
    assert!(wins.contains("Elo: at least -18.87, nElo: -\n"), "{wins}");
    assert!(
        wins.contains("LOS: 93.75 %, DrawRatio: 0.00 %, PairsRatio: -\n"),
        "{wins}"
    );
    let losses = standings(&plan, &[(0, 1, &[(0, 0, 4)])]).text();
    assert!(losses.contains("Elo: at most 18.87, nElo: -\n"), "{losses}");
    let even = standings(&plan, &[(0, 1, &[(2, 0, 1)])]).text();
    assert!(even.contains("Elo: 0.00 +/- 759.05, nElo: -\n"), "{even}");
    let mostly_wins = standings(&plan, &[(0, 1, &[(2, 2, 4), (1, 1, 1)])]).text();
    assert!(
        mostly_wins.contains("Elo: 381.70 (at least "),
        "{mostly_wins}"
    );
    assert!(mostly_wins.contains("PairsRatio: -\n"), "{mostly_wins}");
    let table = standings(&many, &[(0, 1, &[(2, 2, 10)])]).text();
    assert!(table.contains("   >182.73          -"), "{table}");
    for text in [&wins, &losses, &even, &mostly_wins, &table] {
        assert!(!text.contains("inf") && !text.contains("nan"), "{text}");
    }
}

/// A bot that never started used to be reported with "LOS: 100 %".
#[test]
fn a_bot_that_never_started_is_not_rated() {
    let plan = plan("classic", &["a", "b"]);
    let mut results = Results::new(&plan);
    for round in 0..4 {
        for (swapped, winner) in [(false, Side::X), (true, Side::O)] {
            let key = GameKey {
                round,
                first: 0,
                second: 1,
                swapped,
            };
            results.add(&new_game(
                key,
                Outcome::Win(winner),
                EndReason::StartFailure,
            ));
        }
    }
    let standings = Standings::new(&plan, &results);
    let text = standings.text();
    assert!(
        text.contains("b never started, so there is nothing to rate.\n"),
        "{text}"
    );
    assert!(!text.contains("LOS") && !text.contains("Elo:"), "{text}");
    assert!(standings.conclusion().starts_with("b never started"));
}

/// Repeated pairs are listed below the figures that exclude them.
#[test]
fn repeated_pairs_are_reported() {
    let plan = plan("classic", &["a", "b"]);
    let mut results = Results::new(&plan);
    for round in 0..20 {
        for (swapped, winner) in [(false, Side::X), (true, Side::X)] {
            let key = GameKey {
                round,
                first: 0,
                second: 1,
                swapped,
            };
            let mut game = new_game(key, Outcome::Win(winner), EndReason::Line);
            game.fingerprint = GameFingerprint(u64::from(round % 3));
            results.add(&game);
        }
    }
    let standings = Standings::new(&plan, &results);
    let text = standings.text();
    assert!(text.contains("\nGames: 40, "), "{text}");
    assert!(text.contains("Ptnml(0-2): [0, 0, 3, 0, 0]"), "{text}");
    assert!(text.contains("\nRepeated pairs: 17 of 20 ("), "{text}");
    let verdict = standings.conclusion();
    assert!(verdict.contains("17 of 20 game pairs repeat"), "{verdict}");
}

#[test]
fn the_table_matches_fastchess() {
    let plan = plan("classic", &["baseline", "bare", "random"]);
    let table = standings(
        &plan,
        &[
            (0, 1, &[(0, 1, 1), (2, 0, 2), (1, 2, 2)]),
            (0, 2, &[(1, 2, 2), (2, 2, 3)]),
            (1, 2, &[(1, 1, 4), (1, 2, 1)]),
        ],
    );
    assert_eq!(
        table.standings_table(),
        "Rank Name                             Elo        +/-       nElo        +/-      Games      Score       Draw           Ptnml(0-2)\n   \
         1 baseline                      168.40     138.41     234.37     152.27         20      72.5%      20.0%      [0, 1, 2, 4, 3]\n   \
         2 bare                            0.00      68.99       0.00     152.27         20      50.0%      60.0%      [0, 2, 6, 2, 0]\n   \
         3 random                       -168.40     119.34    -266.18     152.27         20      27.5%      40.0%      [3, 3, 4, 0, 0]\n"
    );
    assert_eq!(
        table.cross_table(),
        "Points of each row against each column\n     \
         Name          1      2      3\n   \
         1 baseline      - 5.5/10 9.0/10\n   \
         2 bare     4.5/10      - 5.5/10\n   \
         3 random   1.0/10 4.5/10      -\n"
    );
    assert!(table.ratings_table().contains("   1 baseline"));
    assert_eq!(table.groups, [["baseline", "bare", "random"]]);
}

#[test]
fn penalties_change_the_order() {
    // The first bot wins more and loses more; the second draws.
    let mut plan = plan("classic", &["bold", "meek", "weak"]);
    let pairs: &[PairCounts<'_>] = &[
        (0, 1, &[(1, 1, 5)]),
        (0, 2, &[(2, 2, 6), (0, 0, 4)]),
        (1, 2, &[(1, 1, 10)]),
    ];
    let points = standings(&plan, pairs);
    assert_eq!(points.rows[0].name, "bold");
    plan.scoring = Scoring::Penalty;
    let penalty = standings(&plan, pairs);
    let order: Vec<&str> = penalty.rows.iter().map(|row| row.name.as_str()).collect();
    assert_eq!(order, ["meek", "bold", "weak"]);
    assert_eq!((penalty.rows[0].penalty, penalty.rows[1].penalty), (30, 34));
    let table = penalty.standings_table();
    assert!(
        table
            .lines()
            .next()
            .is_some_and(|head| head.ends_with("    Penalty   per game"))
    );
    assert!(
        table
            .lines()
            .nth(1)
            .is_some_and(|row| row.ends_with("         30       1.00"))
    );
}

#[test]
fn ties_share_a_rank_and_idle_bots_are_last() {
    let plan = plan("classic", &["none", "a", "b", "c"]);
    let table = standings(&plan, &[(1, 2, &[(1, 1, 3)]), (2, 3, &[(1, 1, 3)])]);
    let ranks: Vec<(usize, &str)> = table
        .rows
        .iter()
        .map(|row| (row.rank, row.name.as_str()))
        .collect();
    assert_eq!(ranks, [(1, "a"), (1, "b"), (1, "c"), (4, "none")]);
    assert_eq!(table.groups, [vec!["none"], vec!["a", "b", "c"]]);
    assert!(table.text().contains("can't be compared"));
}

#[test]
fn conditions_list_differences() {
    let mut plan = plan("ultimate", &["a", "b"]);
    plan.time_control = TimeControl::Clock {
        base: Duration::from_secs(10),
        increment: Duration::from_millis(100),
    };
    plan.bots[1].time_control = Some(TimeControl::Nodes(5000));
    plan.bots[1].source = BotSource::Program(Program {
        protocol: Protocol::Ugi,
        command: "./bot".into(),
        arguments: Vec::new(),
        directory: None,
        options: [("hash".into(), "16".into())].into(),
        threads: 4,
        ..Program::default()
    });
    plan.openings = Openings::List(vec!["ee".into(), "ea".into()]);
    let conditions = standings(&plan, &[]).conditions;
    assert_eq!(
        conditions,
        "10+0.1 - 5000 nodes, 1t - 4t, 64MB - 16MB, list2"
    );
}

#[test]
fn json_matches_the_text() {
    let plan = plan("classic", &["a", "b"]);
    let standings = standings(&plan, &[(0, 1, &PUBLISHED)]);
    let json = serde_json::to_value(&standings).expect("plain data");
    assert_eq!(json["rows"][0]["name"], "a");
    assert_eq!(json["rows"][0]["tally"]["pairs"][2], 47);
    assert_eq!(json["rows"][0]["estimate"]["score"], 0.61);
    assert_eq!(json["scoring"], "points");
    // NaN becomes null.
    let none = super::text::standings(&plan, &[]);
    let json = serde_json::to_value(&none).expect("plain data");
    assert!(json["rows"][0]["estimate"]["elo"].is_null());
}

#[test]
fn names_are_sanitized() {
    let plan = plan("classic", &["a\nb\u{1b}[31m", "c"]);
    let text = standings(&plan, &[]).fastchess_block();
    assert!(text.starts_with("Results of a\u{fffd}b\u{fffd}[31m vs c ("));
}

/// In a gauntlet the first bot plays more games than the others, so its total penalty is larger.
#[test]
fn ranks_follow_the_penalty_per_game() {
    let mut plan = plan("classic", &["first", "b", "c"]);
    plan.scoring = Scoring::Penalty;
    let pairs: &[PairCounts<'_>] = &[
        (0, 1, &[(2, 2, 4), (0, 1, 4)]),
        (0, 2, &[(2, 2, 4), (0, 1, 4)]),
    ];
    let table = standings(&plan, pairs);
    let rows: Vec<(usize, &str)> = table
        .rows
        .iter()
        .map(|row| (row.rank, &*row.name))
        .collect();
    assert_eq!(rows, [(1, "first"), (2, "b"), (2, "c")]);
    assert!(table.rows[0].penalty > table.rows[1].penalty);
    let shares: Vec<f64> = table
        .rows
        .iter()
        .map(StandingsRow::penalty_per_game)
        .collect();
    assert!(shares.is_sorted(), "{shares:?}");
}

/// The heading states the prior.
#[test]
fn the_ratings_table_states_its_prior() {
    let plan = plan("classic", &["a", "b"]);
    let table = standings(&plan, &[(0, 1, &[(2, 2, 1)])]).ratings_table();
    assert!(
        table.contains("one virtual draw each against the mean"),
        "{table}"
    );
}
