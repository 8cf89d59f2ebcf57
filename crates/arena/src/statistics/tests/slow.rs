//! The likelihood ratio a second time, slowly and in another way: the most likely
//! distribution with t = (μ − ½)/σ is looked for directly, among all of them.

use proptest::prelude::*;

use crate::plan::Sprt;
use crate::statistics::elo::NELO;

/// The best log-likelihood (per pair) of a distribution with this t.
///
/// For a given deviation s the condition is two straight ones: the mean is ½ + t s, and
/// the mean square s² + mean². The best distribution under those has
/// pᵢ = p̂ᵢ / (1 + u (aᵢ − m) + v (aᵢ² − q)) with u and v where a concave function of
/// them is greatest. That leaves s, which is tried everywhere and then more closely.
fn best(seen: &[f64; 5], t: f64) -> f64 {
    let try_one = |s: f64| with_deviation(seen, 0.5 + t * s, s);
    let mut from = 1e-6;
    let mut to = 0.5;
    let mut best = f64::NEG_INFINITY;
    for _ in 0..14 {
        let tries: u32 = 120;
        let at = |i: u32| from + (to - from) * f64::from(i) / f64::from(tries);
        let (most, worth) = (0..=tries)
            .map(|i| (i, try_one(at(i))))
            .max_by(|a, b| a.1.total_cmp(&b.1))
            .expect("something was tried");
        best = worth.max(best);
        (from, to) = (at(most.saturating_sub(2)), at((most + 2).min(tries)));
    }
    best
}

/// Σ p̂ᵢ ln pᵢ of the best distribution with this mean and deviation; −∞ if there is none.
fn with_deviation(seen: &[f64; 5], mean: f64, s: f64) -> f64 {
    let square = s * s + mean * mean;
    let tilts: Vec<(f64, f64)> = (0..5)
        .map(|i| f64::from(i) / 4.0)
        .map(|a| (a - mean, a * a - square))
        .collect();
    // Greatest of Σ p̂ᵢ ln(1 + u xᵢ + v yᵢ), by Newton's steps that stay inside.
    let (mut u, mut v) = (0.0, 0.0);
    let value = |u: f64, v: f64| {
        let mut sum = 0.0;
        for (share, (x, y)) in seen.iter().zip(&tilts) {
            let d = 1.0 + u * x + v * y;
            if d <= 0.0 {
                return f64::NEG_INFINITY;
            }
            sum += share * d.ln();
        }
        sum
    };
    let mut worth = 0.0;
    for _ in 0..400 {
        let (mut gu, mut gv, mut huu, mut huv, mut hvv) = (0.0, 0.0, 0.0, 0.0, 0.0);
        for (share, (x, y)) in seen.iter().zip(&tilts) {
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
            if next > worth {
                (u, v, worth, moved) = (u + du, v + dv, next, true);
                break;
            }
            (du, dv) = (du / 2.0, dv / 2.0);
        }
        if !moved {
            break;
        }
        if worth > 50.0 {
            // It grows without end: no distribution has this mean and deviation.
            return f64::NEG_INFINITY;
        }
    }
    // The dual's greatest is minus the best log-likelihood, up to Σ p̂ ln p̂.
    let p: Vec<f64> = seen
        .iter()
        .zip(&tilts)
        .map(|(share, (x, y))| share / (1.0 + u * x + v * y))
        .collect();
    let all: f64 = p.iter().sum();
    let mu: f64 = p.iter().enumerate().map(|(i, p)| p * i as f64 / 4.0).sum();
    if (all - 1.0).abs() > 1e-5 || (mu - mean).abs() > 1e-5 {
        return f64::NEG_INFINITY;
    }
    seen.iter().zip(p).map(|(share, p)| share * p.ln()).sum()
}

fn slow_llr(pairs: &[u64; 5], sprt: &Sprt) -> f64 {
    let counts = pairs.map(|count| if count == 0 { 1e-3 } else { count as f64 });
    let all: f64 = counts.iter().sum();
    let seen = counts.map(|count| count / all);
    let t = |nelo: f64| nelo * 2f64.sqrt() / NELO;
    all * (best(&seen, t(sprt.elo1)) - best(&seen, t(sprt.elo0)))
}

fn agree(pairs: [u64; 5], elo0: f64, elo1: f64) {
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
fn the_ratio_is_that_of_the_most_likely_distributions() {
    agree([379, 10170, 21828, 10640, 343], 0.0, 2.0);
    agree([1, 11, 47, 25, 16], 0.0, 10.0);
    agree([16, 25, 42, 12, 3], -10.0, 10.0);
    agree([3, 10, 8, 30, 20], 0.0, 100.0);
    agree([5, 5, 5, 5, 5], -50.0, 50.0);
    // Far away, where a flat distribution is no place to begin.
    agree([1, 2, 5, 20, 40], 0.0, 300.0);
    agree([40, 20, 5, 2, 1], -300.0, 0.0);
    agree([1, 2, 3, 4, 90], 200.0, 500.0);
    // Only one kind of pair.
    agree([0, 0, 0, 0, 104], 0.0, 5.0);
    agree([1, 0, 80, 0, 1], 0.0, 20.0);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    #[test]
    fn the_ratio_is_that_of_the_most_likely_distributions_anywhere(
        pairs in prop::array::uniform5(1u64..400),
        elo0 in -150.0..100.0,
        width in 1.0..60.0,
    ) {
        agree(pairs, elo0, elo0 + width);
    }
}
