//! Every variant of the table against the slow reference, one test for each group, and the
//! properties that take millions of positions to test.

use noughts_conformance::hashes::check_hashes;
use noughts_conformance::setups::{MutationCounts, check_mutations};
use noughts_conformance::suite::{check_group, check_variant};
use noughts_conformance::test_rng::TestRng;
use noughts_conformance::variants::{GROUPS, all_variants};
use noughts_reference::canonical_variant;
use noughts_rules::{
    D1, D2, D3, Depth, FreeMoveTarget, MnkOptions, NestedOptions, Rule5a, SharedBoards, Tiebreak,
    TrailRule, Ultimate, Variant, WonBoardRule,
};

use crate::equivalence::{check_flat_equivalence, check_nested_equivalence};

const SEED: u64 = 20_261_115;

macro_rules! groups_conform {
    ($($test:ident: $group:literal,)*) => {
        const TESTED_GROUPS: &[&str] = &[$($group),*];
        $(
            #[test]
            fn $test() {
                let positions = check_group($group, SEED);
                println!("{positions} positions of {}", $group);
            }
        )*
    };
}

groups_conform! {
    flat_boards_conform: "flat",
    large_flat_boards_conform: "large flat",
    tic_tac_two_conforms: "tic-tac-two",
    depth_1_conforms: "depth 1",
    depth_2_conforms: "depth 2",
    depth_3_conforms: "depth 3",
    depth_3_with_history_conforms: "depth 3, history",
    depth_4_conforms: "depth 4",
    depth_5_conforms: "depth 5",
    depth_6_can_be_played: "depth 6",
}

#[test]
fn every_group_has_a_test() {
    let in_table: Vec<&str> = GROUPS.iter().map(|group| group.name).collect();
    assert_eq!(in_table, TESTED_GROUPS);
}

/// How many times longer the soak tests run: `NOUGHTS_SOAK=20`.
fn soak() -> usize {
    let setting = std::env::var("NOUGHTS_SOAK").ok();
    setting.and_then(|times| times.parse().ok()).unwrap_or(10)
}

#[test]
#[ignore = "soak"]
fn soak_every_variant_with_more_seeds() {
    for seed in 1..=3 * soak() as u64 {
        for group in GROUPS {
            for variant in group.variants {
                check_variant(variant, SEED.wrapping_add(seed), &group.effort);
            }
        }
    }
}

// ---- hashes ----

/// A transposition table that confuses two positions gives wrong answers: of millions, no two
/// may share a hash.
#[test]
fn no_hash_collisions_in_millions_of_positions() {
    let positions = [
        ("ultimate", 1_500_000),
        ("ception:5a", 500_000),
        ("ception:5c", 700_000),
        ("ception:4b,5d", 500_000),
        ("ception:depth=3,trail=history", 250_000),
        ("ception:5d,depth=3", 250_000),
        ("tic-tac-two", 700_000),
        ("tic-tac-two:board=7,pieces=9", 500_000),
        ("mnk:7,7,5", 400_000),
        ("mnk:16,16,6", 400_000),
    ];
    let distinct: usize = positions
        .map(|(name, positions)| check_hashes(name, SEED, positions))
        .iter()
        .sum();
    println!("{distinct} different positions");
    assert!(
        distinct > 4_000_000,
        "only {distinct} different positions were met"
    );
}

#[test]
fn no_hash_collisions_in_any_variant() {
    for name in all_variants().filter(|name| !name.contains("depth=5") && !name.contains("depth=6"))
    {
        check_hashes(&name, SEED, 3_000);
    }
}

#[test]
#[ignore = "soak"]
fn soak_hashes() {
    for name in [
        "ultimate",
        "ception:5c",
        "tic-tac-two",
        "mnk:9,9,5",
        "ception:4b,depth=3",
    ] {
        check_hashes(name, SEED + 1, soak() * 2_000_000);
    }
}

// ---- specialized types ----

/// Every combination of options of a depth.
fn options_of_depth(depth: u8) -> Vec<NestedOptions> {
    let mut all = Vec::new();
    for owning in [SharedBoards::Forbidden, SharedBoards::Allowed] {
        for sent in [
            WonBoardRule::PlayOn,
            WonBoardRule::FreeMove,
            WonBoardRule::ExtraMove,
            WonBoardRule::ExtraMoveChain,
        ] {
            for free in [FreeMoveTarget::OpenBoards, FreeMoveTarget::AnyBoard] {
                for trail in [TrailRule::Suffix, TrailRule::History] {
                    for end in [Tiebreak::Draw, Tiebreak::MostBoards] {
                        all.extend(NestedOptions::new(owning, sent, free, depth, trail, end));
                    }
                }
            }
        }
    }
    all.sort();
    all.dedup();
    all
}

fn check_all_equivalent<D: Depth>(depth: u8, positions: usize) {
    for options in options_of_depth(depth) {
        check_nested_equivalence::<D>(options, SEED, positions);
    }
}

fn nested(name: &str) -> NestedOptions {
    let options = name.parse().ok().and_then(NestedOptions::of);
    options.unwrap_or_else(|| panic!("{name} is no nested game"))
}

#[test]
fn ultimate_and_5a_types_match_the_general_type() {
    check_nested_equivalence::<Ultimate>(nested("ultimate"), SEED, 1_000_000);
    check_nested_equivalence::<Rule5a>(nested("ception:5a"), SEED, 1_000_000);
}

#[test]
fn fixed_depth_types_match_the_general_type() {
    assert_eq!(options_of_depth(2).len(), 18);
    assert_eq!(options_of_depth(3).len(), 36);
    check_all_equivalent::<D1>(1, 50_000);
    check_all_equivalent::<D2>(2, 60_000);
    check_all_equivalent::<D3>(3, 30_000);
}

#[test]
fn one_word_flat_boards_match_large_ones() {
    for columns in 1..=16 {
        for rows in 1..=16 {
            for line in [1, 2, 3, 5, 16] {
                if let Ok(options) = MnkOptions::new(columns, rows, line, line == 3) {
                    check_flat_equivalence(options, SEED, 300);
                }
            }
        }
    }
}

// ---- setups ----

fn check_many_mutations(names: &[&str], each: usize) {
    for name in names {
        let MutationCounts { accepted, rejected } = check_mutations(name, SEED, each);
        // If all mutations were accepted or all rejected, this would test nothing.
        assert!(
            accepted * 20 > each && rejected * 20 > each,
            "{name}: {accepted} taken, {rejected} not"
        );
        println!("{name}: {accepted} texts taken, {rejected} refused");
    }
}

#[test]
fn flat_setups_are_validated_like_the_reference() {
    let names = [
        "classic",
        "misere",
        "mnk:3,4,3",
        "mnk:5,4,4,misere",
        "mnk:1,7,2",
        "mnk:8,8,4",
    ];
    check_many_mutations(&names, 20_000);
}

#[test]
fn tic_tac_two_setups_are_validated_like_the_reference() {
    let names = [
        "tic-tac-two",
        "tic-tac-two:board=7,grid=5,pieces=6,after=3",
        "tic-tac-two:board=3,pieces=5,after=5",
        "tic-tac-two:pieces=9,after=5",
    ];
    check_many_mutations(&names, 20_000);
}

#[test]
fn nested_setups_are_validated_like_the_reference() {
    let names = [
        "ultimate",
        "ception:free=any",
        "ception:5a,end=most",
        "ception:5c",
        "ception:5d,end=most",
        "ception:4b",
        "ception:4b,5a",
        "ception:4b,5c",
        "ception:depth=1",
    ];
    check_many_mutations(&names, 10_000);
}

#[test]
fn nested_setups_of_depth_3_are_validated_like_the_reference() {
    let names = [
        "ception:depth=3",
        "ception:free=any,depth=3,trail=history",
        "ception:5a,depth=3",
        "ception:5c,depth=3,trail=history",
        "ception:4b,5d,depth=3,end=most",
    ];
    check_many_mutations(&names, 2_000);
}

#[test]
#[ignore = "soak"]
fn soak_mutated_setups() {
    for name in all_variants().filter(|name| !name.contains("depth=5") && !name.contains("depth=6"))
    {
        let _ = check_mutations(&name, SEED + 2, 500 * soak());
    }
}

// ---- names ----

#[test]
fn canonical_names_round_trip() {
    for name in all_variants() {
        let read: Result<Variant, _> = name.parse();
        assert_eq!(read.map(|variant| variant.to_string()), Ok(name));
    }
}

/// Options as a user might write them: valid, invalid, repeated, in any order.
fn random_name(rng: &mut TestRng) -> String {
    let families = [
        "classic",
        "misere",
        "mnk",
        "mnk",
        "tic-tac-two",
        "tic-tac-two",
        "ultimate",
        "ception",
        "ception",
        "ception",
        "Ception",
        "chess",
        "",
    ];
    let words = [
        "4a",
        "4b",
        "5a",
        "5b",
        "5c",
        "5d",
        "free=open",
        "free=any",
        "depth=1",
        "depth=2",
        "depth=3",
        "depth=6",
        "trail=suffix",
        "trail=history",
        "end=draw",
        "end=most",
    ];
    let wrong = [
        "4c",
        "5e",
        "free",
        "free=",
        "depth=0",
        "depth=7",
        "depth=02",
        "depth=+2",
        "depth=",
        "end=",
        "trail=prefix",
        " 4a",
        "4A",
        "misere",
        "",
        "board=5",
        "=",
        "5b=",
    ];
    let keys = ["board", "grid", "pieces", "after"];
    let family = rng.pick(&families).unwrap_or_default();
    let mut options = Vec::new();
    match family {
        "mnk" => {
            let count = if rng.chance(9, 10) { 3 } else { rng.below(5) };
            options.extend((0..count).map(|_| match rng.below(30) {
                0 => "0".to_string(),
                1 => "17".into(),
                2 => "03".into(),
                3 => "256".into(),
                4 => "-1".into(),
                _ => (1 + rng.below(16)).to_string(),
            }));
            if rng.chance(1, 3) {
                options.push(
                    if rng.chance(5, 6) {
                        "misere"
                    } else {
                        "misère"
                    }
                    .into(),
                );
            }
            // `3,3,3` has its own name.
            if rng.chance(1, 10) {
                options = ["3", "3", "3"].map(String::from).into();
            }
        }
        "tic-tac-two" => {
            for _ in 0..rng.below(4) {
                let key = rng.pick(&keys).unwrap_or_default();
                options.push(format!("{key}={}", rng.below(11)));
            }
        }
        _ => {
            let max = if family.starts_with(['c', 'C']) && family != "classic" {
                6
            } else {
                2
            };
            for _ in 0..rng.below(max) {
                options.extend(rng.pick(&words).map(String::from));
            }
        }
    }
    if rng.chance(1, 8) {
        let at = rng.below(options.len() + 1);
        options.insert(at, rng.pick(&wrong).unwrap_or_default().into());
    }
    if options.is_empty() && !rng.chance(1, 10) {
        return family.into();
    }
    format!("{family}:{}", options.join(","))
}

#[test]
fn names_are_parsed_like_the_reference() {
    let mut rng = TestRng::new(SEED);
    let (mut valid, mut wrong) = (0, 0);
    for _ in 0..60_000 {
        let name = random_name(&mut rng);
        let canonical = canonical_variant(&name);
        match name.parse::<Variant>() {
            Ok(variant) => {
                assert_eq!(Ok(variant.to_string()), canonical, "{name:?}");
                assert_eq!(variant.to_string().parse(), Ok(variant), "{name:?}");
                valid += 1;
            }
            Err(error) => {
                assert!(
                    canonical.is_err(),
                    "{name:?} is right, but refused: {error}"
                );
                let sentence = error.to_string();
                assert!(
                    sentence.len() > name.len() + 10,
                    "{name:?} gets no reason: {sentence}"
                );
                wrong += 1;
            }
        }
    }
    assert!(
        valid > 10_000 && wrong > 10_000,
        "{valid} right names, {wrong} wrong ones"
    );
}
