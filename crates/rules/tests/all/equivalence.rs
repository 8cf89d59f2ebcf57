//! Types compiled for one game behave like the general ones.

use noughts_conformance::test_rng::TestRng;
use noughts_rules::{Depth, DynDepth, Game, LargeMnk, Mnk, MnkOptions, Nested, NestedOptions};

/// Plays random games with both types in lockstep, for this many positions.
pub(crate) fn check_nested_equivalence<D: Depth>(
    options: NestedOptions,
    seed: u64,
    positions: usize,
) {
    let fixed = Nested::<D>::new(options);
    let general = Nested::<DynDepth>::new(options);
    let (Some(fixed), Some(general)) = (fixed, general) else {
        panic!("{options:?} is not for this type");
    };
    // Both hash the same words, so equal hashes mean equal positions.
    check_in_lockstep(&fixed, &general, seed, positions, true);
}

/// The same for flat boards that fit into one word, compared with those of several words.
pub(crate) fn check_flat_equivalence(options: MnkOptions, seed: u64, positions: usize) {
    if let (Some(small), Some(large)) = (Mnk::<1>::new(options), LargeMnk::new(options)) {
        check_in_lockstep(&small, &large, seed, positions, false);
    }
}

fn check_in_lockstep<A: Game, B: Game>(a: &A, b: &B, seed: u64, positions: usize, hashes: bool) {
    assert_eq!(a.variant(), b.variant());
    let name = a.variant().to_string();
    let mut rng = TestRng::for_name(seed, &name);
    let mut seen = 0;
    while seen < positions {
        let (mut one, mut other) = (a.start(), b.start());
        loop {
            let context = || format!("{name} at {}", a.text(&one));
            let count = a.count_moves(&one);
            assert_eq!(count, b.count_moves(&other), "{}: count", context());
            assert_eq!(a.outcome(&one), b.outcome(&other), "{}: outcome", context());
            assert_eq!(a.side(&one), b.side(&other), "{}: side", context());
            if hashes {
                assert_eq!(a.hash(&one), b.hash(&other), "{}: hash", context());
            }
            // Texts are slow; every 50th position is enough in addition to the hashes.
            if seen % 50 == 0 {
                assert_eq!(a.text(&one), b.text(&other));
                let of_a = a.moves(&one).into_iter().map(|mv| a.move_text(mv));
                let of_b = b.moves(&other).into_iter().map(|mv| b.move_text(mv));
                assert!(of_a.eq(of_b), "{}: moves", context());
            }
            seen += 1;
            let n = rng.below(count);
            let (mine, theirs) = (a.nth_move(&one, n), b.nth_move(&other, n));
            let (Some(mine), Some(theirs)) = (mine, theirs) else {
                assert!(
                    mine.is_none() && theirs.is_none(),
                    "{}: move {n}",
                    context()
                );
                break;
            };
            if seen % 16 == 0 {
                assert_eq!(
                    a.move_text(mine),
                    b.move_text(theirs),
                    "{}: move {n}",
                    context()
                );
            }
            a.apply(&mut one, mine);
            b.apply(&mut other, theirs);
        }
    }
}
