//! Values published by fastchess and by Stockfish's testing framework.

use super::tally;
use crate::plan::Sprt;
use crate::statistics::Decision;

fn sprt(elo0: f64, elo1: f64) -> Sprt {
    Sprt {
        elo0,
        elo1,
        alpha: 0.05,
        beta: 0.05,
    }
}

/// A printed result block: pairs, Elo, nElo, LOS and LLR with its bounds.
struct Block {
    pairs: [u64; 5],
    elo: &'static str,
    nelo: &'static str,
    los: &'static str,
    ratios: &'static str,
    llr: &'static str,
    bounds: (f64, f64),
}

#[test]
fn blocks_match_fastchess() {
    let blocks = [
        Block {
            pairs: [1, 11, 47, 25, 16],
            elo: "77.71 +/- 33.03",
            nelo: "117.50 +/- 48.15",
            los: "100.00",
            ratios: "47.00 3.42",
            llr: "1.71 57.9",
            bounds: (0.0, 10.0),
        },
        Block {
            pairs: [1, 15, 25, 33, 26],
            elo: "123.02 +/- 40.58",
            nelo: "159.46 +/- 48.15",
            los: "100.00",
            ratios: "25.00 3.69",
            llr: "2.19 74.4",
            bounds: (0.0, 10.0),
        },
        Block {
            pairs: [1, 24, 42, 25, 8],
            elo: "26.11 +/- 31.23",
            nelo: "40.51 +/- 48.15",
            los: "95.04",
            ratios: "42.00 1.32",
            llr: "0.60 20.3",
            bounds: (0.0, 10.0),
        },
        Block {
            pairs: [13, 34, 232, 71, 29],
            elo: "31.71 +/- 14.63",
            nelo: "53.96 +/- 24.73",
            los: "100.00",
            ratios: "61.21 2.13",
            llr: "2.95 100.3",
            bounds: (0.0, 10.0),
        },
        Block {
            pairs: [17, 1065, 2534, 1163, 37],
            elo: "4.98 +/- 3.49",
            nelo: "9.89 +/- 6.94",
            los: "99.74",
            ratios: "52.62 1.11",
            llr: "2.95 100.2",
            bounds: (0.0, 5.0),
        },
        Block {
            pairs: [764, 1591, 3006, 1630, 708],
            elo: "-1.65 +/- 4.22",
            nelo: "-2.14 +/- 5.49",
            los: "22.22",
            ratios: "39.04 0.99",
            llr: "-2.96 -100.5",
            bounds: (0.0, 5.0),
        },
        Block {
            pairs: [16, 25, 42, 12, 3],
            elo: "-70.07 +/- 35.86",
            nelo: "-98.03 +/- 48.64",
            los: "0.00",
            ratios: "42.86 0.37",
            llr: "-2.95 -100.3",
            bounds: (-10.0, 10.0),
        },
    ];
    for block in blocks {
        let e = tally(block.pairs).estimate();
        let sprt = sprt(block.bounds.0, block.bounds.1);
        let llr = sprt.llr(&block.pairs);
        let computed = [
            format!("{:.2} +/- {:.2}", e.elo, e.elo_error),
            format!("{:.2} +/- {:.2}", e.nelo, e.nelo_error),
            format!("{:.2}", 100.0 * e.los),
            format!("{:.2} {:.2}", 100.0 * e.draw_ratio, e.pairs_ratio),
            format!("{llr:.2} {:.1}", 100.0 * sprt.fraction(llr)),
        ];
        let published = [block.elo, block.nelo, block.los, block.ratios, block.llr];
        assert_eq!(computed, published, "{:?}", block.pairs);
    }
}

#[test]
fn the_published_value_of_the_normalized_sprt() {
    let pairs = [379, 10170, 21828, 10640, 343];
    let e = tally(pairs).estimate();
    assert_eq!(
        format!("{:.2} ± {:.2}", e.nelo, e.nelo_error),
        "3.05 ± 2.31"
    );
    let sprt = sprt(0.0, 2.0);
    // Published as 2.946. More precisely it is 2.94550 (confirmed by the slow computation); the
    // usual approximation gives 2.94598.
    let llr = sprt.llr(&pairs);
    assert!((llr - 2.946).abs() < 0.001, "{llr}");
    assert!((llr - 2.945_495).abs() < 1e-6, "{llr}");
    assert_eq!(sprt.decide(llr), Decision::H1);
}

/// The values in fastchess's own tests, which allow a relative error of one percent.
#[test]
fn values_of_fastchess_tests() {
    for (pairs, (elo0, elo1), published) in [
        ([365, 16618, 36229, 16974, 390], (0.0, 2.0), 2.25),
        ([127, 4883, 10712, 5150, 104], (-1.75, 0.25), 3.01),
    ] {
        let llr = sprt(elo0, elo1).llr(&pairs);
        assert!((llr / published - 1.0).abs() < 0.01, "{pairs:?}: {llr}");
    }
    for (pairs, nelo, nelo_error, elo, elo_error) in [
        ([34, 54, 63, 64, 75], 57.94, 28.28, 55.58, 27.65),
        ([332, 433, 498, 333, 334], -9.17, 10.96, -8.64, 10.33),
        ([7895, 8757, 5685, 568, 9999], -19.01, 2.65, -21.04, 2.95),
    ] {
        let e = tally(pairs).estimate();
        let computed = [e.nelo, e.nelo_error, e.elo, e.elo_error];
        for (computed, published) in computed.into_iter().zip([nelo, nelo_error, elo, elo_error]) {
            let relative_error: f64 = computed / published - 1.0;
            assert!(
                relative_error.abs() < 0.01,
                "{pairs:?}: {computed} is not {published}"
            );
        }
    }
}

#[test]
fn degenerate_results_have_estimates() {
    let none = tally([0; 5]).estimate();
    assert!(none.elo.is_nan() && none.nelo.is_nan() && none.los.is_nan());
    assert_eq!(sprt(0.0, 5.0).llr(&[0; 5]), 0.0);

    let one = tally([0, 0, 1, 0, 0]).estimate();
    assert_eq!((one.elo, one.score, one.los), (0.0, 0.5, 0.5));
    // One pair says very little.
    assert!(one.elo_error > 700.0 && (one.elo_low + one.elo_high).abs() < 1e-9);
    assert!(one.nelo.is_nan() && one.pairs_ratio.is_nan());

    let wins = tally([0, 0, 0, 0, 9]).estimate();
    assert_eq!((wins.elo, wins.nelo), (f64::INFINITY, f64::INFINITY));
    assert_eq!(wins.pairs_ratio, f64::INFINITY);
    assert!(wins.los > 0.99 && wins.los < 1.0);
    assert!(wins.elo_error.is_nan() && wins.nelo_error.is_nan());
    // One-sided: a bot that wins 0.05^(1/9) of its pairs wins nine in a row with probability 0.05.
    assert_eq!(format!("{:.2}", wins.elo_low), "161.38");
    assert_eq!(wins.elo_high, f64::INFINITY);
}
