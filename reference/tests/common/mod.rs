//! What the tests of the reference share.

// Each test file uses only some of it.
#![allow(dead_code)]

use noughts_reference::{History, State};
use serde_json::Value;

/// The games of a golden file.
pub(crate) fn golden_games(file: &str) -> Vec<Value> {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../crates/rules/tests/golden");
    let text = std::fs::read_to_string(format!("{folder}/{file}")).expect("a golden file");
    serde_json::from_str(&text).expect("a list of games")
}

/// The texts of the files with this name in the folders of games.
pub(crate) fn texts_of_folders(file: &str) -> Vec<String> {
    let folders = concat!(env!("CARGO_MANIFEST_DIR"), "/../crates/rules/tests/games");
    let folders = std::fs::read_dir(folders).expect("folders of games");
    let files = folders.map(|folder| folder.expect("a folder").path().join(file));
    files
        .filter_map(|path| std::fs::read_to_string(path).ok())
        .collect()
}

/// The variant of a golden game.
pub(crate) fn variant(game: &Value) -> &str {
    game["variant"].as_str().expect("a variant")
}

/// Plays a golden game and checks everything that it records.
pub(crate) fn replay(game: &Value) {
    let variant = variant(game);
    let moves = game["moves"].as_str().expect("moves").split(' ');
    let sides: Vec<char> = game["sides"].as_str().expect("sides").chars().collect();
    let counts = game["counts"].as_array().expect("counts");
    let mut history = History::new(State::start(variant).expect("a start"));
    check_positions(game, 0, history.state());
    let mut plies = 0;
    for mv in moves {
        let context = format!("{variant} ply {plies} {mv}");
        let legal = history.state().legal_moves().len() as u64;
        assert_eq!(history.outcome(), None, "{context}");
        assert_eq!(history.state().side(), sides[plies], "{context}");
        assert_eq!(Some(legal), counts[plies].as_u64(), "{context}");
        history.play(mv).expect(&context);
        plies += 1;
        check_positions(game, plies, history.state());
    }
    assert_eq!(plies, counts.len(), "{variant}");
    assert_eq!(plies, sides.len(), "{variant}");
    assert_eq!(history.outcome(), game["result"].as_str(), "{variant}");
    assert!(history.play("a1").is_err() && history.play("aa").is_err());
}

fn check_positions(game: &Value, ply: usize, state: &State) {
    for position in game["positions"].as_array().expect("positions") {
        if position[0].as_u64() == Some(ply as u64) {
            assert_eq!(Some(state.to_text().as_str()), position[1].as_str());
            let read = State::from_text(variant(game), &state.to_text());
            assert_eq!(read.as_ref(), Ok(state));
        }
    }
}

/// Checks the leaf counts from the start, depths 1, 2, 3, …
pub(crate) fn check_perft(variant: &str, counts: &[u64]) {
    check_perft_from(&State::start(variant).expect("a start"), variant, counts);
}

/// Checks the leaf counts from a position.
pub(crate) fn check_perft_from(position: &State, context: &str, counts: &[u64]) {
    let depth = u32::try_from(counts.len()).expect("a small depth");
    assert_eq!(position.leaf_counts(depth), counts, "{context}");
    assert_eq!(position.perft(0), 1, "{context}");
}

/// Checks that a position can be set up, is printed as it was read, and has this outcome.
pub(crate) fn assert_accepted(variant: &str, text: &str, outcome: Option<&str>) {
    let state = State::from_text(variant, text).expect(text);
    assert_eq!(state.to_text(), text, "{variant}");
    assert_eq!(state.outcome(), outcome, "{variant} {text}");
}

/// Checks that none of these positions can be set up.
pub(crate) fn assert_rejected(variant: &str, texts: &[&str]) {
    for text in texts {
        let read = State::from_text(variant, text);
        assert!(read.is_err(), "{variant} {text:?}");
    }
}
