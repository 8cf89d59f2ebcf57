//! Simulated matches and tournaments with known strengths: do tests err at most as often as they
//! claim, and do intervals contain the true value as often as they claim?

use super::{Dice, soak, tally};
use crate::plan::Sprt;
use crate::statistics::elo::NELO;
use crate::statistics::{Decision, Pairing, SprtState, expected_score, fit_ratings};

/// Distributions of pairs: mostly draws; all kinds; openings that often decide the game.
const SHAPES: [[f64; 5]; 3] = [
    [0.02, 0.18, 0.6, 0.18, 0.02],
    [0.15, 0.2, 0.3, 0.2, 0.15],
    [0.04, 0.06, 0.8, 0.06, 0.04],
];

/// Tilts the distribution so that its normalized Elo has this value.
fn tilted(shape: &[f64; 5], nelo: f64) -> [f64; 5] {
    let lean = |x: f64| {
        let mut p = *shape;
        (0..5).for_each(|i| p[i] *= (x * i as f64).exp());
        let all: f64 = p.iter().sum();
        p.map(|p| p / all)
    };
    let nelo_of = |p: &[f64; 5]| {
        let mean: f64 = (0..5).map(|i| p[i] * i as f64 / 4.0).sum();
        let variance: f64 = (0..5).map(|i| p[i] * (i as f64 / 4.0 - mean).powi(2)).sum();
        (mean - 0.5) / (2.0 * variance).sqrt() * NELO
    };
    let (mut low, mut high) = (-10.0, 10.0);
    for _ in 0..80 {
        let x = f64::midpoint(low, high);
        if nelo_of(&lean(x)) < nelo {
            low = x;
        } else {
            high = x;
        }
    }
    lean(low)
}

/// Three standard errors of a share estimated from this many samples.
fn tolerance(share: f64, of: u64) -> f64 {
    3.0 * (share * (1.0 - share) / of as f64).sqrt()
}

struct Errors {
    /// The share of matches that accepted the wrong hypothesis.
    wrong: f64,
    /// The mean number of pairs.
    pairs: f64,
}

/// Simulates matches between bots with this true difference, each until the SPRT is decided.
fn errors(sprt: &Sprt, truth: f64, wrong: Decision, matches: u64, seed: u64) -> Errors {
    let mut dice = Dice::new(seed);
    let (mut mistakes, mut pairs) = (0, 0);
    for i in 0..matches {
        let shares = tilted(&SHAPES[i as usize % SHAPES.len()], truth);
        let mut run = SprtState::new(*sprt);
        while run.add(dice.category(&shares)) == Decision::GoOn {
            assert!(run.pairs < 1_000_000, "it must end");
        }
        mistakes += u64::from(run.decision == wrong);
        pairs += run.pairs;
    }
    Errors {
        wrong: mistakes as f64 / matches as f64,
        pairs: pairs as f64 / matches as f64,
    }
}

fn sprt_error_rates_hold(matches: u64, sprt: &Sprt, seed: u64) {
    let not_better = errors(sprt, sprt.elo0, Decision::H1, matches, seed);
    let better = errors(sprt, sprt.elo1, Decision::H0, matches, seed + 1);
    println!(
        "[{}, {}] alpha {} beta {}, {matches} matches each: H1 at elo0 {:.4} ({:.0} pairs), \
         H0 at elo1 {:.4} ({:.0} pairs)",
        sprt.elo0,
        sprt.elo1,
        sprt.alpha,
        sprt.beta,
        not_better.wrong,
        not_better.pairs,
        better.wrong,
        better.pairs
    );
    assert!(not_better.wrong <= sprt.alpha + tolerance(sprt.alpha, matches));
    assert!(better.wrong <= sprt.beta + tolerance(sprt.beta, matches));
    // A test that never errs would take too long.
    assert!(not_better.wrong > sprt.alpha / 3.0 && better.wrong > sprt.beta / 3.0);
}

const USUAL: Sprt = Sprt {
    elo0: 0.0,
    elo1: 50.0,
    alpha: 0.05,
    beta: 0.05,
};

#[test]
fn sprt_error_rates_hold_in_500_matches() {
    sprt_error_rates_hold(500, &USUAL, 1);
}

#[test]
#[ignore = "soak"]
fn soak_sprt_error_rates_hold() {
    let bounds = [(0.0, 50.0), (0.0, 20.0), (-30.0, 0.0), (-10.0, 30.0)];
    let errors = [(0.05, 0.05), (0.05, 0.1), (0.1, 0.05)];
    for (i, (elo0, elo1)) in (0..).zip(bounds) {
        for (j, (alpha, beta)) in (0..).zip(errors) {
            let sprt = Sprt {
                elo0,
                elo1,
                alpha,
                beta,
            };
            sprt_error_rates_hold(200 * soak(), &sprt, 100 + 10 * i + 2 * j);
        }
    }
}

/// The share of matches whose 95% interval contains the true Elo, and the true normalized Elo.
fn covered(matches: u64, pairs: u64, nelo: f64, seed: u64) -> (f64, f64) {
    let mut dice = Dice::new(seed);
    let (mut elo_covered, mut nelo_covered) = (0, 0);
    for i in 0..matches {
        let shares = tilted(&SHAPES[i as usize % SHAPES.len()], nelo);
        let score: f64 = (0..5).map(|i| shares[i] * i as f64 / 4.0).sum();
        let elo = -400.0 * (1.0 / score - 1.0).log10();
        let mut counts = [0; 5];
        for _ in 0..pairs {
            counts[usize::from(dice.category(&shares))] += 1;
        }
        let e = tally(counts).estimate();
        elo_covered += u64::from((e.elo - elo).abs() <= e.elo_error);
        nelo_covered += u64::from((e.nelo - nelo).abs() <= e.nelo_error);
    }
    let share = |count: u64| count as f64 / matches as f64;
    (share(elo_covered), share(nelo_covered))
}

fn error_bars_cover_the_true_value(matches: u64, seed: u64) {
    // For short matches the normal approximation is slightly too narrow.
    for (pairs, nelo, slack) in [(50, 0.0, 0.02), (300, 30.0, 0.005), (300, -80.0, 0.005)] {
        let (elo, normalised) = covered(matches, pairs, nelo, seed + pairs);
        println!("{pairs} pairs at {nelo} nElo: Elo {elo:.4}, nElo {normalised:.4} of 0.95");
        for covered in [elo, normalised] {
            let tolerated = tolerance(0.95, matches);
            assert!(
                covered >= 0.95 - slack - tolerated && covered <= 0.95 + tolerated + 0.01,
                "{covered}"
            );
        }
    }
}

#[test]
fn error_bars_cover_the_true_value_in_2000_matches() {
    error_bars_cover_the_true_value(2000, 7);
}

#[test]
#[ignore = "soak"]
fn soak_error_bars_cover_the_true_value() {
    error_bars_cover_the_true_value(2000 * soak(), 1007);
}

/// A random pair between bots of which the first scores `expected`. Openings favor one side, the
/// more the larger `bias` is, so that the two games of a pair tend to end in opposite ways.
fn pair(dice: &mut Dice, expected: f64, bias: f64, draws: f64) -> u8 {
    let max_shift = expected.min(1.0 - expected) * bias;
    let shift = if dice.share() < 0.5 {
        max_shift
    } else {
        -max_shift
    };
    let mut points = 0;
    for score in [expected + shift, expected - shift] {
        let drawn = draws * 2.0 * score.min(1.0 - score);
        let chance = dice.share();
        if chance < score - drawn / 2.0 {
            points += 2;
        } else if chance < score + drawn / 2.0 {
            points += 1;
        }
    }
    points
}

/// The share of ratings whose interval contains the true value.
fn rating_coverage(tournaments: u64, pairs: u64, truth: &[f64], gauntlet: bool, seed: u64) -> f64 {
    let mut dice = Dice::new(seed);
    let mean = truth.iter().sum::<f64>() / truth.len() as f64;
    let mut covered = 0;
    for i in 0..tournaments {
        let (bias, draws) = [(0.0, 0.0), (0.8, 0.2), (0.3, 0.7)][i as usize % 3];
        let mut pairings = Vec::new();
        for first in 0..if gauntlet { 1 } else { truth.len() } {
            for second in first + 1..truth.len() {
                let expected = expected_score(truth[first] - truth[second]);
                let mut counts = [0; 5];
                for _ in 0..pairs {
                    counts[usize::from(pair(&mut dice, expected, bias, draws))] += 1;
                }
                pairings.push(Pairing {
                    first,
                    second,
                    tally: tally(counts),
                });
            }
        }
        let rated = fit_ratings(truth.len(), &pairings);
        for (rating, truth) in rated.bots.iter().zip(truth) {
            covered += u64::from((rating.elo - (truth - mean)).abs() <= rating.error);
        }
    }
    covered as f64 / (tournaments * truth.len() as u64) as f64
}

fn ratings_cover_the_true_value(tournaments: u64, seed: u64) {
    let fields: [(u64, &[f64], bool, f64); 4] = [
        (15, &[150.0, 60.0, 0.0, -60.0, -150.0], false, 0.01),
        (60, &[150.0, 60.0, 0.0, -60.0, -150.0], false, 0.005),
        (60, &[0.0, 40.0, -40.0, 120.0, -120.0, 10.0], true, 0.01),
        (150, &[25.0, -25.0], false, 0.005),
    ];
    for (pairs, truth, gauntlet, slack) in fields {
        let covered = rating_coverage(tournaments, pairs, truth, gauntlet, seed + pairs);
        println!(
            "{} bots, {pairs} pairs each{}: {covered:.4} of 0.95",
            truth.len(),
            if gauntlet { ", gauntlet" } else { "" }
        );
        // The ratings of one tournament are correlated: they count as one sample.
        let tolerated = tolerance(0.95, tournaments);
        assert!(
            covered >= 0.95 - slack - tolerated && covered <= 0.95 + tolerated + 0.01,
            "{covered}"
        );
    }
}

#[test]
fn ratings_cover_the_true_value_in_1000_tournaments() {
    ratings_cover_the_true_value(1000, 3);
}

#[test]
#[ignore = "soak"]
fn soak_ratings_cover_the_true_value() {
    ratings_cover_the_true_value(1000 * soak(), 2003);
}
