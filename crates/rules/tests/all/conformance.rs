//! Every game of the table against the slow reference, one test for each group,
//! and the promises that take millions of positions to test.

use noughts_conformance::equivalence::{check_flat_equivalence, check_nested_equivalence};
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

const SEED: u64 = 20_261_115;

macro_rules! groups_conform {
    ($($test:ident: $group:literal,)*) => {
        const TESTED: &[&str] = &[$($group),*];
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
fn every_group_of_the_table_has_its_test() {
    let in_table: Vec<&str> = GROUPS.iter().map(|group| group.name).collect();
    assert_eq!(in_table, TESTED);
}

/// How many times longer the soak tests run: `NOUGHTS_SOAK=20`.
fn soak() -> usize {
    let asked = std::env::var("NOUGHTS_SOAK").ok();
    asked.and_then(|times| times.parse().ok()).unwrap_or(10)
}

#[test]
#[ignore = "soak"]
fn soak_every_game_conforms_for_more_seeds() {
    for seed in 1..=3 * soak() as u64 {
        for group in GROUPS {
            for variant in group.variants {
                check_variant(variant, SEED.wrapping_add(seed), &group.effort);
            }
        }
    }
}

// ---- hashes ----

/// A transposition table that takes two positions for one gives wrong answers:
/// none of millions may share a hash.
#[test]
fn different_positions_have_different_hashes() {
    let wanted = [
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
    let different: usize = wanted
        .map(|(name, wanted)| check_hashes(name, SEED, wanted))
        .iter()
        .sum();
    println!("{different} different positions");
    assert!(
        different > 4_000_000,
        "only {different} different positions were met"
    );
}

#[test]
fn every_game_of_the_table_hashes_positions_apart() {
    for name in all_variants().filter(|name| !name.contains("depth=5") && !name.contains("depth=6"))
    {
        check_hashes(name, SEED, 3_000);
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

// ---- the fast paths ----

/// Every set of options of a depth.
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

fn all_alike<D: Depth>(depth: u8, positions: usize) {
    for options in options_of_depth(depth) {
        check_nested_equivalence::<D>(options, SEED, positions);
    }
}

fn nested(name: &str) -> NestedOptions {
    match name.parse() {
        Ok(Variant::Nested(options)) => options,
        other => panic!("{name} is no nested game: {other:?}"),
    }
}

#[test]
fn ultimate_and_5a_compiled_for_themselves_answer_as_the_general_game() {
    check_nested_equivalence::<Ultimate>(nested("ultimate"), SEED, 1_000_000);
    check_nested_equivalence::<Rule5a>(nested("ception:5a"), SEED, 1_000_000);
}

#[test]
fn depths_compiled_for_themselves_answer_as_the_general_game() {
    assert_eq!(options_of_depth(2).len(), 18);
    assert_eq!(options_of_depth(3).len(), 36);
    all_alike::<D1>(1, 50_000);
    all_alike::<D2>(2, 60_000);
    all_alike::<D3>(3, 30_000);
}

#[test]
fn flat_boards_of_one_word_answer_as_those_of_many() {
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

// ---- set-up positions ----

fn mutations(names: &[&str], each: usize) {
    for name in names {
        let MutationCounts {
            accepted: taken,
            rejected: refused,
        } = check_mutations(name, SEED, each);
        // A mutation test that refuses all or takes all would test nothing.
        assert!(
            taken * 20 > each && refused * 20 > each,
            "{name}: {taken} taken, {refused} not"
        );
        println!("{name}: {taken} texts taken, {refused} refused");
    }
}

#[test]
fn flat_set_ups_are_taken_and_refused_as_the_rules_say() {
    let names = [
        "classic",
        "misere",
        "mnk:3,4,3",
        "mnk:5,4,4,misere",
        "mnk:1,7,2",
        "mnk:8,8,4",
    ];
    mutations(&names, 20_000);
}

#[test]
fn tic_tac_two_set_ups_are_taken_and_refused_as_the_rules_say() {
    let names = [
        "tic-tac-two",
        "tic-tac-two:board=7,grid=5,pieces=6,after=3",
        "tic-tac-two:board=3,pieces=5,after=5",
        "tic-tac-two:pieces=9,after=5",
    ];
    mutations(&names, 20_000);
}

#[test]
fn nested_set_ups_are_taken_and_refused_as_the_rules_say() {
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
    mutations(&names, 10_000);
}

#[test]
fn nested_set_ups_of_depth_3_are_taken_and_refused_as_the_rules_say() {
    let names = [
        "ception:depth=3",
        "ception:free=any,depth=3,trail=history",
        "ception:5a,depth=3",
        "ception:5c,depth=3,trail=history",
        "ception:4b,5d,depth=3,end=most",
    ];
    mutations(&names, 2_000);
}

#[test]
#[ignore = "soak"]
fn soak_mutated_set_ups() {
    for name in all_variants().filter(|name| !name.contains("depth=5") && !name.contains("depth=6"))
    {
        let _ = check_mutations(name, SEED + 2, 500 * soak());
    }
}

// ---- names ----

#[test]
fn canonical_names_are_read_and_printed_unchanged() {
    for name in all_variants() {
        let read: Result<Variant, _> = name.parse();
        assert_eq!(read.map(|variant| variant.to_string()).as_deref(), Ok(name));
    }
}

/// Options as people may write them: right ones, wrong ones, twice, in any order.
fn random_name(dice: &mut TestRng) -> String {
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
    let family = dice.pick(&families).unwrap_or_default();
    let mut options = Vec::new();
    match family {
        "mnk" => {
            let count = if dice.chance(9, 10) { 3 } else { dice.below(5) };
            options.extend((0..count).map(|_| match dice.below(30) {
                0 => "0".to_string(),
                1 => "17".into(),
                2 => "03".into(),
                3 => "256".into(),
                4 => "-1".into(),
                _ => (1 + dice.below(16)).to_string(),
            }));
            if dice.chance(1, 3) {
                options.push(
                    if dice.chance(5, 6) {
                        "misere"
                    } else {
                        "misère"
                    }
                    .into(),
                );
            }
            // Three threes are a game with a name of its own.
            if dice.chance(1, 10) {
                options = ["3", "3", "3"].map(String::from).into();
            }
        }
        "tic-tac-two" => {
            for _ in 0..dice.below(4) {
                let key = dice.pick(&keys).unwrap_or_default();
                options.push(format!("{key}={}", dice.below(11)));
            }
        }
        _ => {
            let most = if family.starts_with(['c', 'C']) && family != "classic" {
                6
            } else {
                2
            };
            for _ in 0..dice.below(most) {
                options.extend(dice.pick(&words).map(String::from));
            }
        }
    }
    if dice.chance(1, 8) {
        let at = dice.below(options.len() + 1);
        options.insert(at, dice.pick(&wrong).unwrap_or_default().into());
    }
    if options.is_empty() && !dice.chance(1, 10) {
        return family.into();
    }
    format!("{family}:{}", options.join(","))
}

#[test]
fn names_are_read_and_refused_as_the_reference_does() {
    let mut dice = TestRng::new(SEED);
    let (mut right, mut wrong) = (0, 0);
    for _ in 0..60_000 {
        let name = random_name(&mut dice);
        let canonical = canonical_variant(&name);
        match name.parse::<Variant>() {
            Ok(variant) => {
                assert_eq!(Ok(variant.to_string()), canonical, "{name:?}");
                assert_eq!(variant.to_string().parse(), Ok(variant), "{name:?}");
                right += 1;
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
        right > 10_000 && wrong > 10_000,
        "{right} right names, {wrong} wrong ones"
    );
}
