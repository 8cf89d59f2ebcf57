//! The fuzz targets' properties in the normal test run: every input that was kept, and
//! inputs made from those and from nothing, the same in each run.

use std::fs;
use std::path::Path;

use noughts_conformance::fuzz;
use rand_core::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

/// Inputs made for each target.
const INPUTS: usize = 40_000;

/// Longer inputs are cut.
const LONGEST: usize = 1_200;

#[test]
fn variant() {
    run("variant", fuzz::variant);
}

#[test]
fn position() {
    run("position", fuzz::position);
}

#[test]
fn moves() {
    run("moves", fuzz::moves);
}

#[test]
fn record() {
    run("record", fuzz::record);
}

#[test]
fn play() {
    run("play", fuzz::play);
}

fn run(target: &str, check: fn(&[u8])) {
    let kept = corpus(target);
    for (name, input) in &kept {
        checked(check, input, name);
    }
    let inputs: Vec<Vec<u8>> = kept.into_iter().map(|(_, input)| input).collect();
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(2026);
    for n in 0..INPUTS {
        let input = match n % 8 {
            0 => random_bytes(&mut rng),
            _ => mutated(&inputs, &mut rng),
        };
        checked(check, &input, "a made input");
    }
}

/// Names the input that fails.
fn checked(check: fn(&[u8]), input: &[u8], name: &str) {
    if std::panic::catch_unwind(|| check(input)).is_err() {
        panic!("{name}: {}", input.escape_ascii());
    }
}

/// The inputs that were kept for a target, in the order of their names.
fn corpus(target: &str) -> Vec<(String, Vec<u8>)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../../fuzz/corpus")
        .join(target);
    let files = fs::read_dir(&folder).expect("every target has a corpus");
    let mut inputs: Vec<(String, Vec<u8>)> = files
        .map(|file| {
            let file = file.expect("the folder can be listed");
            let input = fs::read(file.path()).expect("every file can be read");
            (file.file_name().to_string_lossy().into_owned(), input)
        })
        .collect();
    inputs.sort();
    assert!(!inputs.is_empty(), "{} is empty", folder.display());
    inputs
}

fn below(n: usize, rng: &mut impl Rng) -> usize {
    (rng.next_u64() % n.max(1) as u64) as usize
}

/// Some bytes; half of the time letters and signs that mean something somewhere.
fn random_bytes(rng: &mut impl Rng) -> Vec<u8> {
    const MEANT: &[u8] = b"ANJXaeixo.-/ @+:,=\"[]{}\\\n0129";
    let length = below(100, rng);
    let meant = below(2, rng) == 0;
    (0..length)
        .map(|_| match meant {
            true => MEANT[below(MEANT.len(), rng)],
            false => rng.next_u32() as u8,
        })
        .collect()
}

/// One of the kept inputs with a few changes.
fn mutated(inputs: &[Vec<u8>], rng: &mut impl Rng) -> Vec<u8> {
    let mut input = inputs[below(inputs.len(), rng)].clone();
    for _ in 0..=below(4, rng) {
        let at = below(input.len() + 1, rng);
        let end = (at + 1 + below(8, rng)).min(input.len());
        match below(7, rng) {
            // Another byte, one like it, a byte more.
            0 if at < input.len() => input[at] = rng.next_u32() as u8,
            1 if at < input.len() => input[at] ^= 1 << below(8, rng),
            2 => input.insert(at, rng.next_u32() as u8),
            // A piece left out, twice, or in place of another.
            3 => drop(input.drain(at..end)),
            4 => {
                let piece = input[at..end].to_vec();
                input.splice(at..at, piece);
            }
            5 => {
                let from = below(input.len() + 1, rng);
                let piece = input[from..(from + end - at).min(input.len())].to_vec();
                input.splice(at..end, piece);
            }
            // The end of another input.
            _ => {
                let other = &inputs[below(inputs.len(), rng)];
                input.truncate(at);
                input.extend_from_slice(&other[at.min(other.len())..]);
            }
        }
    }
    input.truncate(LONGEST);
    input
}
