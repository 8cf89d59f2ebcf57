//! Replays games of an independent implementation move by move: number of legal moves, sides,
//! results (including repetition), and positions as text.

use std::path::Path;

use noughts_rules::{AnyGameState, Outcome};
use serde_json::Value;

fn games(name: &str) -> Vec<Value> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden");
    games_of_file(&folder.join(name))
}

/// The games of a file.
pub(crate) fn games_of_file(file: &Path) -> Vec<Value> {
    let text = std::fs::read_to_string(file);
    let text = text.unwrap_or_else(|error| panic!("{file:?}: {error}"));
    serde_json::from_str(&text).unwrap_or_else(|error| panic!("{file:?}: {error}"))
}

fn text<'a>(game: &'a Value, field: &str) -> &'a str {
    game[field]
        .as_str()
        .unwrap_or_else(|| panic!("{field} is missing"))
}

fn list<'a>(game: &'a Value, field: &str) -> &'a [Value] {
    game[field].as_array().map_or(&[], Vec::as_slice)
}

pub(crate) fn replay(game: &Value) {
    let name = text(game, "variant");
    let variant = name.parse().unwrap_or_else(|error| panic!("{error}"));
    let moves: Vec<&str> = text(game, "moves").split(' ').collect();
    let sides: Vec<char> = text(game, "sides").chars().collect();
    let counts: Vec<u64> = list(game, "counts")
        .iter()
        .filter_map(Value::as_u64)
        .collect();
    assert_eq!(
        (moves.len(), sides.len()),
        (counts.len(), counts.len()),
        "{name}"
    );

    let mut state = AnyGameState::new(variant);
    for (ply, &mv) in moves.iter().enumerate() {
        check_position(game, ply, &state);
        let context = format!("{name}, ply {ply}, at {}", state.position_text());
        assert_eq!(state.outcome(), None, "{context}: the game goes on");
        assert_eq!(state.side().letter(), sides[ply], "{context}: side");
        assert_eq!(state.count_moves() as u64, counts[ply], "{context}: count");
        let legal = state.legal_moves();
        assert_eq!(legal.len() as u64, counts[ply], "{context}: legal moves");
        assert!(
            legal.iter().any(|legal| legal == mv),
            "{context}: {mv} is legal"
        );
        state
            .play(mv)
            .unwrap_or_else(|error| panic!("{context}: {mv}: {error}"));
    }
    check_position(game, moves.len(), &state);
    let result = state.outcome().map(Outcome::as_str);
    assert_eq!(
        result,
        Some(text(game, "result")),
        "{name}, {}",
        state.position_text()
    );
    assert_eq!(state.count_moves(), 0, "{name}: no moves after the end");
    assert_eq!(state.moves(), moves, "{name}");
}

fn check_position(game: &Value, ply: usize, state: &AnyGameState) {
    for expected_position in list(game, "positions") {
        if expected_position[0].as_u64() == Some(ply as u64) {
            let expected = expected_position[1].as_str().unwrap_or_default();
            assert_eq!(
                state.position_text(),
                expected,
                "{}, ply {ply}",
                state.variant()
            );
            let read = AnyGameState::from_text(state.variant(), expected);
            let read = read.unwrap_or_else(|error| panic!("{expected}: {error}"));
            assert_eq!(read.position_text(), expected);
            assert_eq!(read.hash(), state.hash(), "{expected}: read back");
        }
    }
}

#[test]
fn golden_nested_games_replay() {
    let games = games("nested.json");
    assert!(games.len() >= 70);
    games.iter().for_each(replay);
}

#[test]
fn golden_tic_tac_two_games_replay() {
    let games = games("tic-tac-two.json");
    assert!(games.len() >= 12);
    games.iter().for_each(replay);
}
