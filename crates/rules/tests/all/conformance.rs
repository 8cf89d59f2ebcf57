//! Every variant of the table against the slow reference, one test for each group, and the
//! properties that take millions of positions to test.

use std::collections::BTreeMap;

use noughts_conformance::hashes::check_hashes;
use noughts_conformance::setups::{MutationCounts, check_mutations};
use noughts_conformance::suite::{check_group, check_variant};
use noughts_conformance::test_rng::TestRng;
use noughts_conformance::variants::{GROUPS, all_variants};
use noughts_reference::canonical_variant;
use noughts_rules::{
    D1, D2, D3, Depth, FreeMoveTarget, MnkOptions, NestedOptions, OptionKind, OptionSpec, Rule5a,
    SharedBoards, Tiebreak, TrailRule, Ultimate, Variant, WonBoardRule, games,
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
    options.unwrap_or_else(|| panic!("{name} isn't a nested game"))
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
            "{name}: {accepted} accepted, {rejected} rejected"
        );
        println!("{name}: {accepted} texts accepted, {rejected} rejected");
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

/// Names as a user might write them: every game, with valid, invalid and repeated options in any order.
fn random_name(rng: &mut TestRng) -> String {
    let wrong = [
        "4c", "free", "free=", "depth=02", "depth=+2", "=", "5b=", "4A", " 4a", "misere", "misère",
        "2b", "",
    ];
    let games = games::all();
    let info = games[rng.below(games.len())];
    if let Some(preset) = rng.pick(info.presets).filter(|_| rng.chance(1, 6)) {
        return match rng.below(4) {
            0 => preset.name.to_owned(),
            1 => preset.name.to_uppercase(),
            // All options that have an effect: `mnk:3,3,3` for `classic`.
            2 => {
                let variant: Result<Variant, _> = preset.name.parse();
                variant.map_or_else(|error| panic!("{error}"), |variant| variant.full_name())
            }
            // An option of any game, which most presets don't take: `classic:5a`.
            _ => {
                let other = games[rng.below(games.len())].options;
                let option = rng.pick(other);
                let word = option.map(|option| random_option(&option, rng));
                let word = word.unwrap_or_else(|| rng.pick(&wrong).unwrap_or_default().into());
                format!("{}:{word}", preset.name)
            }
        };
    }
    let options = info.options.iter();
    let (by_place, by_name): (Vec<&OptionSpec>, Vec<&OptionSpec>) =
        options.partition(|option| option.key.is_empty() && is_number(option));
    let mut words = Vec::new();
    for option in by_place {
        if rng.chance(19, 20) {
            words.push(random_option(option, rng));
        }
    }
    for _ in 0..rng.below(by_name.len() + 2) {
        let other = games[rng.below(games.len())].options;
        let foreign = rng.pick(other).filter(|_| rng.chance(1, 12));
        let option = foreign.or_else(|| rng.pick(&by_name).copied());
        words.extend(option.map(|option| random_option(&option, rng)));
    }
    if rng.chance(1, 8) {
        let at = rng.below(words.len() + 1);
        words.insert(at, rng.pick(&wrong).unwrap_or_default().into());
    }
    let family = match rng.below(20) {
        0 => rng.pick(&["chess", "", "Ception"]).unwrap_or_default(),
        _ => info.name,
    };
    if words.is_empty() && !rng.chance(1, 10) {
        return family.into();
    }
    format!("{family}:{}", words.join(","))
}

fn is_number(option: &OptionSpec) -> bool {
    matches!(option.kind, OptionKind::Number(..))
}

/// One of an option's values, or a number that isn't.
fn random_option(option: &OptionSpec, rng: &mut TestRng) -> String {
    let (from, to) = match option.kind {
        OptionKind::Words(words) => return option.spell(rng.below(words.len()) as u8),
        OptionKind::Number(_, range, _) => range,
    };
    let number = match rng.below(60) {
        0 => (from - 1).to_string(),
        1 => (to + 1).to_string(),
        2 => format!("0{from}"),
        3 => "256".into(),
        4 => "-1".into(),
        _ => (usize::from(from) + rng.below(usize::from(to - from) + 1)).to_string(),
    };
    format!("{}{number}", option.key)
}

#[test]
fn names_are_parsed_like_the_reference() {
    let mut rng = TestRng::new(SEED);
    let (mut valid, mut wrong) = (BTreeMap::new(), 0);
    for _ in 0..60_000 {
        let name = random_name(&mut rng);
        let canonical = canonical_variant(&name);
        match name.parse::<Variant>() {
            Ok(variant) => {
                assert_eq!(Ok(variant.to_string()), canonical, "{name:?}");
                assert_eq!(variant.to_string().parse(), Ok(variant), "{name:?}");
                *valid.entry(variant.info().name).or_insert(0) += 1;
            }
            Err(error) => {
                assert!(
                    canonical.is_err(),
                    "{name:?} is right, but rejected: {error}"
                );
                let reason = error.reason();
                assert!(reason.len() > 10, "{name:?} gets no reason: {reason}");
                wrong += 1;
            }
        }
    }
    assert!(wrong > 10_000, "{wrong} wrong names");
    for info in games::all() {
        let found = valid.get(info.name).copied().unwrap_or(0);
        assert!(found > 1_000, "{found} right names of {}", info.name);
    }
}
