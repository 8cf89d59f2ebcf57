//! Properties that hold for all counts.

use proptest::prelude::*;

use super::llr_path;
use super::tally;
use crate::plan::Sprt;
use crate::statistics::{GamePair, Pairing, Pentanomial, expected_score, fit_ratings};
use noughts_rules::{Outcome, Side};

fn swapped(pairs: [u64; 5]) -> [u64; 5] {
    let [a, b, c, d, e] = pairs;
    [e, d, c, b, a]
}

fn any_outcome() -> impl Strategy<Value = Outcome> {
    prop::sample::select(vec![
        Outcome::Draw,
        Outcome::Win(Side::X),
        Outcome::Win(Side::O),
    ])
}

/// Nearly equal, or both NaN, or both infinite.
fn nearly_equal(a: f64, b: f64) -> bool {
    a == b || (a.is_nan() && b.is_nan()) || (a - b).abs() <= 1e-7 * (1.0 + a.abs())
}

proptest! {
    #[test]
    fn swapping_the_bots_negates_the_difference(pairs in prop::array::uniform5(0u64..300)) {
        let (one, other) = (tally(pairs).estimate(), tally(swapped(pairs)).estimate());
        prop_assert!(nearly_equal(one.elo, -other.elo));
        prop_assert!(nearly_equal(one.nelo, -other.nelo));
        prop_assert!(nearly_equal(one.elo_error, other.elo_error));
        prop_assert!(nearly_equal(one.nelo_error, other.nelo_error));
        prop_assert!(nearly_equal(one.los, 1.0 - other.los));
        prop_assert!(nearly_equal(one.score, 1.0 - other.score));
        prop_assert!(nearly_equal(one.draw_ratio, other.draw_ratio));
    }

    #[test]
    fn swapping_bots_and_bounds_negates_the_ratio(
        pairs in prop::array::uniform5(0u64..300),
        elo0 in -100.0..50.0,
        width in 1.0..50.0,
    ) {
        let sprt = Sprt { elo0, elo1: elo0 + width, alpha: 0.05, beta: 0.05 };
        let other = Sprt { elo0: -sprt.elo1, elo1: -sprt.elo0, ..sprt };
        let (one, other) = (sprt.llr(&pairs), other.llr(&swapped(pairs)));
        prop_assert!(nearly_equal(one, -other), "{one} {other}");
        let back = Sprt { elo0: sprt.elo1, elo1: sprt.elo0, ..sprt };
        prop_assert!(nearly_equal(one, -back.llr(&pairs)));
    }

    #[test]
    fn the_ratio_scales_with_the_counts(
        pairs in prop::array::uniform5(1u64..300),
        times in 2u64..20,
    ) {
        let sprt = Sprt { elo0: -5.0, elo1: 5.0, alpha: 0.05, beta: 0.05 };
        let (one, many) = (sprt.llr(&pairs), sprt.llr(&pairs.map(|count| count * times)));
        prop_assert!(nearly_equal(one * times as f64, many));
        let (one, many) = (tally(pairs).estimate(), tally(pairs.map(|c| c * times)).estimate());
        prop_assert!(nearly_equal(one.elo, many.elo));
        prop_assert!(nearly_equal(one.nelo_error, many.nelo_error * (times as f64).sqrt()));
    }

    #[test]
    fn the_ratio_is_always_finite(
        pairs in prop::array::uniform5(prop_oneof![Just(0u64), 1u64..50, 1u64..1_000_000]),
        elo0 in -2000.0..1999.0,
        width in 0.1..1000.0,
    ) {
        let sprt = Sprt { elo0, elo1: elo0 + width, alpha: 0.05, beta: 0.05 };
        prop_assert!(sprt.llr(&pairs).is_finite());
    }

    #[test]
    fn a_better_pair_increases_the_estimate(pairs in prop::array::uniform5(2u64..300), i in 0usize..4) {
        let mut more = pairs;
        more[i] -= 1;
        more[i + 1] += 1;
        let sprt = Sprt { elo0: 0.0, elo1: 10.0, alpha: 0.05, beta: 0.05 };
        prop_assert!(tally(more).estimate().elo > tally(pairs).estimate().elo);
        prop_assert!(sprt.llr(&more) > sprt.llr(&pairs));
    }

    #[test]
    fn a_tally_counts_games_consistently_with_pairs(
        games in prop::collection::vec((any_outcome(), any_outcome()), 0..60),
    ) {
        let pairs = games.iter().map(|&(first, second)| GamePair::new(first, second));
        let one: Pentanomial = pairs.clone().collect();
        let other: Pentanomial = pairs.map(GamePair::swapped).collect();
        prop_assert_eq!(one.swapped(), other);
        prop_assert_eq!(one.games(), 2 * one.pair_count());
        let points: u64 = (0..).zip(one.pairs).map(|(i, count)| i * count).sum();
        prop_assert_eq!(points as f64 / 2.0, one.points());
        prop_assert_eq!(one.penalty() + other.penalty(), 3 * one.games() - one.draws);
        prop_assert!(one.drawn_twice <= one.pairs[2]);
    }

    #[test]
    fn the_llr_path_ends_at_the_first_crossing(
        pairs in prop::collection::vec(0u8..5, 0..400),
        elo1 in 5.0..120.0,
    ) {
        let sprt = Sprt { elo0: 0.0, elo1, alpha: 0.05, beta: 0.05 };
        let path = llr_path(&pairs, &sprt);
        let inside = |llr: f64| llr > sprt.lower() && llr < sprt.upper();
        for (i, &(n, llr)) in path.iter().enumerate() {
            prop_assert_eq!(n, i as u64 + 1);
            prop_assert!(inside(llr) || i + 1 == path.len());
            let mut counts = [0; 5];
            pairs[..=i].iter().for_each(|&pair| counts[usize::from(pair)] += 1);
            prop_assert_eq!(llr, sprt.llr(&counts));
        }
        prop_assert!(path.len() == pairs.len() || !inside(path[path.len() - 1].1));
    }

    #[test]
    fn ratings_do_not_depend_on_the_order(
        all in prop::collection::vec((0usize..5, 0usize..5, prop::array::uniform5(0u64..40)), 1..8),
    ) {
        let pairings: Vec<Pairing> = all
            .iter()
            .map(|&(first, second, pairs)| Pairing { first, second, tally: tally(pairs) })
            .collect();
        // In reverse order, from the other bot's point of view, with other indices.
        let other: Vec<Pairing> = pairings
            .iter()
            .rev()
            .map(|pairings| Pairing {
                first: 4 - pairings.second,
                second: 4 - pairings.first,
                tally: pairings.tally.swapped(),
            })
            .collect();
        let (one, other) = (fit_ratings(5, &pairings), fit_ratings(5, &other));
        for bot in 0..5 {
            let (one, other) = (one.bots[bot], other.bots[4 - bot]);
            prop_assert!((one.elo - other.elo).abs() < 1e-5, "{one:?} {other:?}");
            prop_assert!(one.error == other.error || (one.error - other.error).abs() < 1e-5);
            prop_assert!(one.elo.is_finite());
        }
        for group in &one.groups {
            let mean: f64 = group.iter().map(|&bot| one.bots[bot].elo).sum();
            prop_assert!(mean.abs() < 1e-6);
        }
        prop_assert_eq!(one.groups.len(), other.groups.len());
    }
}

#[test]
fn two_bots_are_rated_by_their_score() {
    let pairs = [150, 300, 800, 700, 400];
    let estimate = tally(pairs).estimate();
    let pairings = Pairing {
        first: 0,
        second: 1,
        tally: tally(pairs),
    };
    let rated = fit_ratings(2, &[pairings]);
    let difference = rated.bots[0].elo - rated.bots[1].elo;
    assert!((difference - estimate.elo).abs() < 0.1);
    // Each rating is half the difference away from the mean, and so is its error.
    assert!((2.0 * rated.bots[0].error / estimate.elo_error - 1.0).abs() < 0.01);
    assert!((expected_score(difference) - estimate.score).abs() < 1e-3);
}

#[test]
fn all_wins_have_finite_ratings_and_groups_are_separate() {
    let wins = tally([0, 0, 0, 0, 50]);
    let pairings = |first, second, tally| Pairing {
        first,
        second,
        tally,
    };
    let rated = fit_ratings(5, &[pairings(0, 1, wins), pairings(2, 3, wins)]);
    assert_eq!(rated.groups, [vec![0, 1], vec![2, 3], vec![4]]);
    assert!(rated.bots[0].elo > 300.0 && rated.bots[0].elo < 1500.0);
    assert!(rated.bots[0].error.is_finite() && rated.bots[0].error > 0.0);
    assert_eq!(rated.bots[0], rated.bots[2]);
    assert_eq!(rated.bots[4].error, f64::INFINITY);
    assert_eq!(fit_ratings(0, &[]).bots, []);
}
