//! Types compiled for one game answer as the general ones do.

use noughts_rules::{Depth, DynDepth, Game, LargeMnk, Mnk, MnkOptions, Nested, NestedOptions};

use crate::test_rng::TestRng;

/// Plays random games of both types in step, over this many positions.
///
/// # Panics
/// Where they differ, or the options do not fit the type.
pub fn check_nested_equivalence<D: Depth>(options: NestedOptions, seed: u64, positions: usize) {
    let fixed = Nested::<D>::new(options);
    let deep = Nested::<DynDepth>::new(options);
    let (Some(fixed), Some(deep)) = (fixed, deep) else {
        panic!("{options:?} is not for this type");
    };
    // Both mix the same words, so that equal hashes stand for equal positions.
    in_step(&fixed, &deep, seed, positions, true);
}

/// The same for flat boards that fit one word, against those of several.
///
/// # Panics
/// Where they differ.
pub fn check_flat_equivalence(options: MnkOptions, seed: u64, positions: usize) {
    if let (Some(small), Some(large)) = (Mnk::<1>::new(options), LargeMnk::new(options)) {
        in_step(&small, &large, seed, positions, false);
    }
}

fn in_step<A: Game, B: Game>(a: &A, b: &B, seed: u64, positions: usize, hashes: bool) {
    assert_eq!(a.variant(), b.variant());
    let name = a.variant().to_string();
    let mut dice = TestRng::for_name(seed, &name);
    let mut seen = 0;
    while seen < positions {
        let (mut one, mut other) = (a.start(), b.start());
        loop {
            let at = || format!("{name} at {}", a.text(&one));
            let count = a.count_moves(&one);
            assert_eq!(count, b.count_moves(&other), "{}: count", at());
            assert_eq!(a.outcome(&one), b.outcome(&other), "{}: outcome", at());
            assert_eq!(a.side(&one), b.side(&other), "{}: side", at());
            if hashes {
                assert_eq!(a.hash(&one), b.hash(&other), "{}: hash", at());
            }
            // Texts are slow; every fiftieth position is enough beside the hashes.
            if seen % 50 == 0 {
                assert_eq!(a.text(&one), b.text(&other));
                let of_a = a.moves(&one).into_iter().map(|mv| a.move_text(mv));
                let of_b = b.moves(&other).into_iter().map(|mv| b.move_text(mv));
                assert!(of_a.eq(of_b), "{}: moves", at());
            }
            seen += 1;
            let n = dice.below(count);
            let (mine, theirs) = (a.nth_move(&one, n), b.nth_move(&other, n));
            let (Some(mine), Some(theirs)) = (mine, theirs) else {
                assert!(mine.is_none() && theirs.is_none(), "{}: move {n}", at());
                break;
            };
            if seen % 16 == 0 {
                assert_eq!(a.move_text(mine), b.move_text(theirs), "{}: move {n}", at());
            }
            a.apply(&mut one, mine);
            b.apply(&mut other, theirs);
        }
    }
}
