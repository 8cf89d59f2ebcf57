//! Treblecross passes the conformance suite, and the solver agrees with a slow count.

#[path = "../src/treblecross.rs"]
mod treblecross;

use noughts_conformance::suite::check_game;
use noughts_conformance::variants::SMALL;
use noughts_engine::solve::solve_any;
use noughts_engine::{BotSettings, ExactValue, GameValue, SearchLimits, StopFlag};
use noughts_rules::{AnyGameState, Game, GameState, GameVisitor, Variant, games};

struct Conformance;

impl GameVisitor for Conformance {
    type Output = usize;

    fn visit<G: Game>(self, state: &GameState<G>) -> usize {
        check_game(state.game(), 1, &SMALL)
    }
}

fn state(length: u8) -> AnyGameState {
    games::register(&treblecross::INFO).expect("the name is free");
    let name = format!("treblecross:length={length}");
    AnyGameState::new(name.parse::<Variant>().expect("a variant"))
}

#[test]
fn the_conformance_suite_passes() {
    for length in [3, 4, 9, 16] {
        assert!(state(length).visit(Conformance) >= 20, "length {length}");
    }
}

/// Does the player to move win? Tries everything.
fn wins(marks: u32, length: u8) -> bool {
    let empty = (0..length).filter(|cell| marks >> cell & 1 == 0);
    empty
        .map(|cell| marks | 1 << cell)
        .any(|next| next & next >> 1 & next >> 2 != 0 || !wins(next, length))
}

#[test]
fn the_solver_agrees_with_a_slow_count() {
    for length in 3..=11 {
        let (settings, stop) = (BotSettings::default(), StopFlag::new());
        let solved = solve_any(&state(length), &settings, SearchLimits::NONE, &stop);
        let value = solved.value.map(ExactValue::game_value);
        let expected = match wins(0, length) {
            true => GameValue::Win,
            false => GameValue::Loss,
        };
        assert_eq!(value, Some(expected), "length {length}");
    }
}
