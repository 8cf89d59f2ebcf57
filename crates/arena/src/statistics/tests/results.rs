//! Results that come in in any order.

use proptest::prelude::*;

use super::llr_path;
use super::new_game;
use crate::plan::Sprt;
use crate::played_game::{EndReason, GameFingerprint, GameKey};
use crate::report::tests::plan;
use crate::statistics::{Decision, GamePair, Pentanomial, Results};
use noughts_rules::{Outcome, Side};

fn outcome(points: u8) -> Outcome {
    match points {
        0 => Outcome::Win(Side::O),
        1 => Outcome::Draw,
        _ => Outcome::Win(Side::X),
    }
}

fn games(rounds: &[(u8, u8)]) -> Vec<(GameKey, Outcome)> {
    let mut games = Vec::new();
    for (round, &(first, second)) in (0..).zip(rounds) {
        for (swapped, points) in [(false, first), (true, second)] {
            let key = GameKey {
                round,
                first: 0,
                second: 1,
                swapped,
            };
            games.push((key, outcome(points)));
        }
    }
    games
}

fn results(games: &[(GameKey, Outcome)], sprt: Option<Sprt>) -> Results {
    let mut plan = plan("classic", &["a", "b"]);
    plan.sprt = sprt;
    let mut results = Results::new(&plan);
    for &(key, outcome) in games {
        results.add(&new_game(key, outcome, EndReason::Line));
    }
    results
}

proptest! {
    #[test]
    fn the_order_in_which_games_end_does_not_matter(
        rounds in prop::collection::vec((0u8..3, 0u8..3), 1..40),
        order in any::<u64>(),
        missing in 0usize..80,
    ) {
        let mut games = games(&rounds);
        let missing = missing.min(games.len() - 1);
        games.remove(missing);
        let mut mixed = games.clone();
        let mut dice = super::Dice::new(order);
        for i in (1..mixed.len()).rev() {
            mixed.swap(i, (dice.share() * (i + 1) as f64) as usize);
        }
        // A game added twice counts once.
        mixed.extend(games.first().copied());
        let (one, other) = (results(&games, None), results(&mixed, None));
        prop_assert_eq!(one.tally_between(0, 1), other.tally_between(0, 1));
        prop_assert_eq!(one.game_count(), other.game_count());
        // Counting stops at the first gap.
        let expected: Pentanomial = rounds[..missing / 2]
            .iter()
            .map(|&(first, second)| GamePair::new(outcome(first), outcome(second)))
            .collect();
        prop_assert_eq!(one.tally_between(0, 1), expected);
        prop_assert_eq!(one.tally_between(1, 0), expected.swapped());
        prop_assert_eq!(one.uncounted_games() + 2 * expected.pair_count(), games.len() as u64);
    }
}

#[test]
fn nothing_counts_after_the_decision() {
    let rounds: Vec<(u8, u8)> = (0..60)
        .map(|i| if i % 7 == 0 { (1, 1) } else { (2, 0) })
        .collect();
    let sprt = Sprt {
        elo0: 0.0,
        elo1: 100.0,
        alpha: 0.05,
        beta: 0.05,
    };
    let games = games(&rounds);
    let results = results(&games, Some(sprt));
    let pairs: Vec<u8> = rounds.iter().map(|&(a, b)| a + 2 - b).collect();
    let path = llr_path(&pairs, &sprt);
    assert!(path.len() < rounds.len());
    let run = results.sprt().expect("a test");
    assert_eq!(run.decision, Decision::H1);
    assert_eq!(run.pairs, path.len() as u64);
    assert_eq!(results.tally_between(0, 1).pair_count(), path.len() as u64);
    assert_eq!(run.history.len(), path.len());
    assert_eq!(
        results.uncounted_games(),
        2 * (rounds.len() - path.len()) as u64
    );
}

#[test]
fn faults_are_counted_for_the_failing_bot() {
    let mut results = Results::new(&plan("classic", &["a", "b"]));
    let key = |round, swapped| GameKey {
        round,
        first: 0,
        second: 1,
        swapped,
    };
    // The second bot plays O in the first game and X in the second.
    results.add(&new_game(
        key(0, false),
        Outcome::Win(Side::X),
        EndReason::Timeout,
    ));
    results.add(&new_game(
        key(0, true),
        Outcome::Win(Side::O),
        EndReason::Crash,
    ));
    results.add(&new_game(
        key(1, false),
        Outcome::Win(Side::O),
        EndReason::IllegalMove,
    ));
    // Both bots failed: neither won, and it counts for both.
    results.add(&new_game(
        key(1, true),
        Outcome::Draw,
        EndReason::StartFailure,
    ));
    results.add(&new_game(
        key(2, true),
        Outcome::Win(Side::O),
        EndReason::ProtocolError,
    ));
    // A draw on the board is no fault.
    results.add(&new_game(key(2, false), Outcome::Draw, EndReason::NoMove));
    let counts = |bot| {
        let faults = results.faults(bot);
        [faults.late, faults.crashed, faults.illegal, faults.protocol]
    };
    assert_eq!(counts(0), [0, 1, 1, 0]);
    assert_eq!(counts(1), [1, 2, 0, 1]);
    // Bots outside the plan are ignored.
    let stranger = GameKey {
        second: 7,
        ..key(0, false)
    };
    results.add(&new_game(stranger, Outcome::Draw, EndReason::Line));
    assert_eq!(results.game_count(), 6);
    assert!(!results.never_started(0) && !results.never_started(1));
}

#[test]
fn never_started_is_detected() {
    let mut results = Results::new(&plan("classic", &["a", "b"]));
    for (key, _) in games(&[(2, 2), (2, 2)]) {
        let winner = if key.swapped { Side::O } else { Side::X };
        results.add(&new_game(
            key,
            Outcome::Win(winner),
            EndReason::StartFailure,
        ));
    }
    assert!(results.never_started(1) && !results.never_started(0));
    assert_eq!(results.faults(1).not_started, 4);
}

/// An SPRT used to accept a hypothesis on the evidence of the same games played repeatedly.
#[test]
fn repeated_pairs_are_counted_but_are_no_evidence() {
    let sprt = Sprt {
        elo0: 0.0,
        elo1: 10.0,
        alpha: 0.05,
        beta: 0.05,
    };
    let mut plan = plan("classic", &["a", "b"]);
    plan.sprt = Some(sprt);
    let mut results = Results::new(&plan);
    let rounds: Vec<(u8, u8)> = (0..600).map(|i| (0, [1, 2][i % 2])).collect();
    for (key, outcome) in games(&rounds) {
        // Seven distinct pairs, repeated.
        let mut game = new_game(key, outcome, EndReason::Line);
        game.fingerprint = GameFingerprint(u64::from(key.round % 7 * 2 + u32::from(key.swapped)));
        results.add(&game);
    }
    let tally = results.tally_between(0, 1);
    // The seven, and fifty repetitions, after which the SPRT is given up.
    assert_eq!((tally.pair_count(), tally.games()), (57, 114));
    assert!(results.is_repeating());
    assert_eq!(
        (results.game_count(), results.uncounted_games()),
        (1200, 1086)
    );
    assert_eq!(results.distinct_games(), 14);
    assert_eq!(tally.distinct_pairs().iter().sum::<u64>(), 7);
    let run = results.sprt().expect("a test");
    assert_eq!((run.pairs, run.decision), (7, Decision::GoOn));
    let different: Pentanomial = rounds
        .iter()
        .take(7)
        .map(|&(first, second)| GamePair::new(outcome(first), outcome(second)))
        .collect();
    assert_eq!(tally.estimate().elo_error, different.estimate().elo_error);
    assert_eq!(
        results.tally_between(1, 0).distinct_pairs(),
        different.swapped().pairs
    );
}

/// Guards against an SPRT that was given up and then resumed: games that were still running brought
/// one new pair, which reset the count of repetitions.
#[test]
fn an_sprt_that_was_given_up_stays_given_up() {
    let sprt = Sprt {
        elo0: 0.0,
        elo1: 10.0,
        alpha: 0.05,
        beta: 0.05,
    };
    let mut plan = plan("classic", &["a", "b"]);
    plan.sprt = Some(sprt);
    let all = games(&[(2, 1); 54]);
    let with_new_pair_at = |new: u32| {
        let mut results = Results::new(&plan);
        for &(key, outcome) in &all {
            let mut game = new_game(key, outcome, EndReason::Line);
            if key.round != new {
                game.fingerprint = GameFingerprint(u64::from(key.swapped));
            }
            results.add(&game);
        }
        results
    };
    // Pairs 1 to 50 repeat pair 0; later pairs are ignored.
    let late = with_new_pair_at(51);
    assert!(late.is_repeating());
    assert_eq!(late.sprt().map(|sprt| sprt.pairs), Some(1));
    assert_eq!(
        (
            late.tally_between(0, 1).pair_count(),
            late.uncounted_games()
        ),
        (51, 6)
    );
    // A new pair before that is in time.
    let early = with_new_pair_at(50);
    assert!(!early.is_repeating());
    assert_eq!(early.sprt().map(|sprt| sprt.pairs), Some(2));
    assert_eq!(
        (
            early.tally_between(0, 1).pair_count(),
            early.uncounted_games()
        ),
        (54, 0)
    );
}

/// Repeated pairs aren't part of any ratio.
#[test]
fn ratios_leave_out_repeated_pairs() {
    let draws = GamePair::new(Outcome::Draw, Outcome::Draw);
    let win_and_loss = GamePair::new(outcome(2), outcome(2));
    let mut tally: Pentanomial = [draws, win_and_loss, win_and_loss].into_iter().collect();
    let ratio = tally.estimate().wl_dd_ratio;
    assert_eq!(ratio, 2.0);
    tally.add_repeated(draws);
    tally.add_repeated(win_and_loss);
    assert_eq!(tally.estimate().wl_dd_ratio, ratio);
    assert_eq!((tally.pairs[2], tally.draws, tally.wins), (5, 4, 3));
}
