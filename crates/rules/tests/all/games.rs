//! The games that have a folder of test data in `tests/games`: golden games and setups of an independent
//! implementation, leaf counts, and the variants that the conformance suite checks against the slow reference. A new
//! game needs no new test, only a folder.

use std::collections::BTreeSet;

use noughts_conformance::suite::check_variant;
use noughts_conformance::variants::{CheckEffort, GameFolder, MIDDLE, SMALL, game_folders};
use noughts_rules::{AnyGameState, Outcome, Variant, games};

use crate::{golden, perft};

const SEED: u64 = 20_261_119;

/// How many positions of each game are compared with the reference.
const POSITIONS: usize = 20_000;

/// Games that are older than the folders; their data is in the other folders of `tests`.
const OLDER: [&str; 3] = ["mnk", "tic-tac-two", "ception"];

#[test]
fn every_game_has_a_folder() {
    let names = games::all().into_iter().map(|info| info.name);
    let names: BTreeSet<&str> = names.filter(|name| !OLDER.contains(name)).collect();
    let folders = game_folders();
    let found: BTreeSet<&str> = folders.iter().map(|folder| folder.name.as_str()).collect();
    assert_eq!(found, names);
    for folder in &folders {
        assert!(!folder.variants.is_empty(), "{}", folder.name);
        for variant in &folder.variants {
            let variant: Variant = variant.parse().unwrap_or_else(|error| panic!("{error}"));
            assert_eq!(variant.info().name, folder.name);
        }
    }
}

#[test]
fn golden_games_replay() {
    for folder in game_folders() {
        let games = golden::games_of_file(&folder.file("golden.json"));
        assert!(games.len() >= 4, "{}", folder.name);
        games.iter().for_each(golden::replay);
    }
}

/// Setups that must be accepted, with their result, or rejected.
#[test]
fn golden_setups_are_accepted_or_rejected() {
    for folder in game_folders() {
        let file = folder.file("setups.tsv");
        let lines = std::fs::read_to_string(file).unwrap_or_else(|error| panic!("{error}"));
        for line in lines.lines() {
            check_setup(line);
        }
    }
}

fn check_setup(line: &str) {
    let fields: Vec<&str> = line.split('\t').collect();
    let [variant, position, verdict, result] = fields[..] else {
        panic!("{line:?} has four fields");
    };
    let variant = variant.parse().unwrap_or_else(|error| panic!("{error}"));
    match (AnyGameState::from_text(variant, position), verdict) {
        (Ok(state), "accepted") => {
            let outcome = state.outcome().map_or("open", Outcome::as_str);
            assert_eq!(outcome, result, "{line}");
            assert_eq!(state.position_text(), position, "{line}");
        }
        (Err(error), "refused") => assert!(!error.to_string().is_empty(), "{line}"),
        (Ok(_), _) => panic!("{line}: was accepted"),
        (Err(error), _) => panic!("{line}: {error}"),
    }
}

#[test]
fn leaf_counts_of_the_games() {
    for folder in game_folders() {
        perft::check_file(&folder.file("counts.perft"), false);
    }
}

#[test]
#[ignore = "soak"]
fn soak_larger_leaf_counts_of_the_games() {
    for folder in game_folders() {
        perft::check_file(&folder.file("counts.perft"), true);
    }
}

/// Every game agrees with the reference in thousands of positions.
#[test]
fn games_conform() {
    let folders = game_folders();
    std::thread::scope(|scope| {
        for folder in &folders {
            scope.spawn(|| check_folder(folder, POSITIONS));
        }
    });
}

fn check_folder(folder: &GameFolder, positions: usize) {
    for variant in &folder.variants {
        let parsed: Variant = variant.parse().unwrap_or_else(|error| panic!("{error}"));
        let cells = AnyGameState::new(parsed).view().shape().count_cells();
        let effort: &CheckEffort = if cells > 30 { &MIDDLE } else { &SMALL };
        let (mut seen, mut seed) = (0, SEED);
        while seen < positions / folder.variants.len() {
            seen += check_variant(variant, seed, effort);
            seed += 1;
        }
    }
}
