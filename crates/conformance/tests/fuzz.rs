//! The properties of the fuzz targets as normal tests: every input of the corpus, mutations of
//! them, and random inputs, the same in each run.

use std::fs;
use std::path::Path;

use noughts_conformance::fuzz;
use noughts_rules::{AnyGameState, OptionKind, Record, games};
use rand_core::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

/// The number of generated inputs for each target.
const INPUTS: usize = 40_000;

/// Longer inputs are truncated.
const MAX_LENGTH: usize = 1_200;

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

/// Without a word in the dictionary, a fuzzer hardly finds it.
#[test]
fn the_dictionary_has_every_game_and_option() {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz/dict/variant.dict");
    let dictionary = fs::read_to_string(file).expect("the dictionary can be read");
    for info in games::all() {
        let names = info
            .presets
            .iter()
            .filter_map(|preset| preset.name.split(':').next());
        let mut words: Vec<String> = names.map(str::to_owned).collect();
        for option in info.options {
            match option.kind {
                OptionKind::Number(..) => words.push(option.key.to_owned()),
                OptionKind::Words(values) => {
                    words.extend((0..values.len()).map(|value| option.spell(value as u8)));
                }
            }
        }
        for word in words {
            assert!(
                dictionary.contains(&word),
                "{}: {word:?} is missing",
                info.name
            );
        }
    }
}

fn run(target: &str, check: fn(&[u8])) {
    let mut corpus_inputs = corpus(target);
    corpus_inputs.extend(preset_inputs(target));
    for (name, input) in &corpus_inputs {
        check_input(check, input, name);
    }
    let inputs: Vec<Vec<u8>> = corpus_inputs.into_iter().map(|(_, input)| input).collect();
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(2026);
    for n in 0..INPUTS {
        let input = match n % 8 {
            0 => random_bytes(&mut rng),
            _ => mutated(&inputs, &mut rng),
        };
        check_input(check, &input, "a made input");
    }
}

/// Names the input that fails.
fn check_input(check: fn(&[u8]), input: &[u8], name: &str) {
    if std::panic::catch_unwind(|| check(input)).is_err() {
        panic!("{name}: {}", input.escape_ascii());
    }
}

/// The corpus of a target, sorted by file name.
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

/// An input for each preset of every game, so that a new game needs no corpus.
fn preset_inputs(target: &str) -> Vec<(String, Vec<u8>)> {
    let inputs = games::presets()
        .into_iter()
        .filter_map(|(variant, preset)| {
            let mut state = AnyGameState::new(variant);
            let mut rng = Xoshiro256PlusPlus::seed_from_u64(1);
            for _ in 0..9 {
                let moves = state.legal_moves();
                if let Some(mv) = moves.get(below(moves.len(), &mut rng)) {
                    state.play(mv).expect("a legal move");
                }
            }
            let text = match target {
                "variant" => variant.full_name(),
                "position" => format!("{variant}\n{}", state.position_text()),
                "moves" => format!("{variant}\n{}", state.moves().join("\n")),
                "record" => Record::format_all(&[Record::new(state)]),
                _ => format!("{variant}\n{}", "0123456789".repeat(5)),
            };
            (text.len() <= MAX_LENGTH).then(|| (preset.name.to_owned(), text.into_bytes()))
        });
    inputs.collect()
}

fn below(n: usize, rng: &mut impl Rng) -> usize {
    (rng.next_u64() % n.max(1) as u64) as usize
}

/// Random bytes; half of the time only characters that have a meaning somewhere.
fn random_bytes(rng: &mut impl Rng) -> Vec<u8> {
    const MEANINGFUL: &[u8] = b"ANJX\x80\x8c\x90\x92aeixo.-/ @+:,=\"[]{}\\\n0129";
    let length = below(100, rng);
    let meaningful = below(2, rng) == 0;
    (0..length)
        .map(|_| match meaningful {
            true => MEANINGFUL[below(MEANINGFUL.len(), rng)],
            false => rng.next_u32() as u8,
        })
        .collect()
}

/// An input of the corpus with a few changes.
fn mutated(inputs: &[Vec<u8>], rng: &mut impl Rng) -> Vec<u8> {
    let mut input = inputs[below(inputs.len(), rng)].clone();
    for _ in 0..=below(4, rng) {
        let index = below(input.len() + 1, rng);
        let end = (index + 1 + below(8, rng)).min(input.len());
        match below(7, rng) {
            // Replace a byte, flip a bit, insert a byte.
            0 if index < input.len() => input[index] = rng.next_u32() as u8,
            1 if index < input.len() => input[index] ^= 1 << below(8, rng),
            2 => input.insert(index, rng.next_u32() as u8),
            // Remove a piece, repeat it, or replace it with another.
            3 => drop(input.drain(index..end)),
            4 => {
                let piece = input[index..end].to_vec();
                input.splice(index..index, piece);
            }
            5 => {
                let from = below(input.len() + 1, rng);
                let piece = input[from..(from + end - index).min(input.len())].to_vec();
                input.splice(index..end, piece);
            }
            // Append the end of another input.
            _ => {
                let other = &inputs[below(inputs.len(), rng)];
                input.truncate(index);
                input.extend_from_slice(&other[index.min(other.len())..]);
            }
        }
    }
    input.truncate(MAX_LENGTH);
    input
}
