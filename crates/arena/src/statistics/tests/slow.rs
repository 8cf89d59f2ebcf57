//! A slow reference computation of the likelihood ratio: searches directly for the
//! maximum-likelihood distribution with t = (μ − ½)/σ.

use proptest::prelude::*;

use crate::plan::Sprt;
use crate::statistics::elo::NELO;

/// The best log-likelihood (per pair) of a distribution with this t.
///
/// For a fixed deviation s there are two linear constraints: the mean is ½ + t s, and the mean
/// square is s² + mean². The best distribution under them is pᵢ = p̂ᵢ / (1 + u (aᵢ − m) + v (aᵢ² −
/// q)), where u and v maximize a concave function. The remaining parameter s is found by a grid
/// search that is refined repeatedly.
fn best(observed: &[f64; 5], t: f64) -> f64 {
    let try_one = |s: f64| with_deviation(observed, 0.5 + t * s, s);
    let mut from = 1e-6;
    let mut to = 0.5;
    let mut best = f64::NEG_INFINITY;
    for _ in 0..14 {
        let tries: u32 = 120;
        let grid_point = |i: u32| from + (to - from) * f64::from(i) / f64::from(tries);
        let (best_index, value) = (0..=tries)
            .map(|i| (i, try_one(grid_point(i))))
            .max_by(|a, b| a.1.total_cmp(&b.1))
            .expect("something was tried");
        best = value.max(best);
        (from, to) = (
            grid_point(best_index.saturating_sub(2)),
            grid_point((best_index + 2).min(tries)),
        );
    }
    best
}

/// Σ p̂ᵢ ln pᵢ of the best distribution with this mean and deviation; −∞ if there is none.
fn with_deviation(observed: &[f64; 5], mean: f64, s: f64) -> f64 {
    let square = s * s + mean * mean;
    let tilts: Vec<(f64, f64)> = (0..5)
        .map(|i| f64::from(i) / 4.0)
        .map(|a| (a - mean, a * a - square))
        .collect();
    // Maximizes Σ p̂ᵢ ln(1 + u xᵢ + v yᵢ) by damped Newton steps.
    let (mut u, mut v) = (0.0, 0.0);
    let value = |u: f64, v: f64| {
        let mut sum = 0.0;
        for (share, (x, y)) in observed.iter().zip(&tilts) {
            let d = 1.0 + u * x + v * y;
            if d <= 0.0 {
                return f64::NEG_INFINITY;
            }
            sum += share * d.ln();
        }
        sum
    };
    let mut maximum = 0.0;
    for _ in 0..400 {
        let (mut gu, mut gv, mut huu, mut huv, mut hvv) = (0.0, 0.0, 0.0, 0.0, 0.0);
        for (share, (x, y)) in observed.iter().zip(&tilts) {
            let d = 1.0 + u * x + v * y;
            gu += share * x / d;
            gv += share * y / d;
            huu += share * x * x / d / d;
            huv += share * x * y / d / d;
            hvv += share * y * y / d / d;
        }
        let det = huu * hvv - huv * huv;
        let (mut du, mut dv) = ((gu * hvv - gv * huv) / det, (gv * huu - gu * huv) / det);
        if !(du.is_finite() && dv.is_finite()) {
            return f64::NEG_INFINITY;
        }
        let mut moved = false;
        for _ in 0..60 {
            let next = value(u + du, v + dv);
            if next > maximum {
                (u, v, maximum, moved) = (u + du, v + dv, next, true);
                break;
            }
            (du, dv) = (du / 2.0, dv / 2.0);
        }
        if !moved {
            break;
        }
        if maximum > 50.0 {
            // Unbounded: no distribution has this mean and deviation.
            return f64::NEG_INFINITY;
        }
    }
    // The maximum of the dual is minus the best log-likelihood, up to Σ p̂ ln p̂.
    let p: Vec<f64> = observed
        .iter()
        .zip(&tilts)
        .map(|(share, (x, y))| share / (1.0 + u * x + v * y))
        .collect();
    let all: f64 = p.iter().sum();
    let mu: f64 = p.iter().enumerate().map(|(i, p)| p * i as f64 / 4.0).sum();
    if (all - 1.0).abs() > 1e-5 || (mu - mean).abs() > 1e-5 {
        return f64::NEG_INFINITY;
    }
    observed
        .iter()
        .zip(p)
        .map(|(share, p)| share * p.ln())
        .sum()
}

fn slow_llr(pairs: &[u64; 5], sprt: &Sprt) -> f64 {
    let counts = pairs.map(|count| if count == 0 { 1e-3 } else { count as f64 });
    let all: f64 = counts.iter().sum();
    let observed = counts.map(|count| count / all);
    let t = |nelo: f64| nelo * 2f64.sqrt() / NELO;
    all * (best(&observed, t(sprt.elo1)) - best(&observed, t(sprt.elo0)))
}

fn assert_matches_slow_llr(pairs: [u64; 5], elo0: f64, elo1: f64) {
    let sprt = Sprt {
        elo0,
        elo1,
        alpha: 0.05,
        beta: 0.05,
    };
    let (llr, slow) = (sprt.llr(&pairs), slow_llr(&pairs, &sprt));
    let near = 1e-3 * (1.0 + slow.abs());
    assert!(
        (llr - slow).abs() < near,
        "{pairs:?} [{elo0}, {elo1}]: {llr} is not {slow}"
    );
}

#[test]
fn the_ratio_matches_the_slow_computation() {
    assert_matches_slow_llr([379, 10170, 21828, 10640, 343], 0.0, 2.0);
    assert_matches_slow_llr([1, 11, 47, 25, 16], 0.0, 10.0);
    assert_matches_slow_llr([16, 25, 42, 12, 3], -10.0, 10.0);
    assert_matches_slow_llr([3, 10, 8, 30, 20], 0.0, 100.0);
    assert_matches_slow_llr([5, 5, 5, 5, 5], -50.0, 50.0);
    // Large t, where the uniform distribution is a bad starting point.
    assert_matches_slow_llr([1, 2, 5, 20, 40], 0.0, 300.0);
    assert_matches_slow_llr([40, 20, 5, 2, 1], -300.0, 0.0);
    assert_matches_slow_llr([1, 2, 3, 4, 90], 200.0, 500.0);
    // Only one category.
    assert_matches_slow_llr([0, 0, 0, 0, 104], 0.0, 5.0);
    assert_matches_slow_llr([1, 0, 80, 0, 1], 0.0, 20.0);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    #[test]
    fn the_ratio_matches_the_slow_computation_for_random_counts(
        pairs in prop::array::uniform5(1u64..400),
        elo0 in -150.0..100.0,
        width in 1.0..60.0,
    ) {
        assert_matches_slow_llr(pairs, elo0, elo0 + width);
    }
}
