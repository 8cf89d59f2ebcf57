//! Tests that every drawn board has to pass, and helpers for them.

mod components;
mod outside;
mod properties;
mod snapshots;

use noughts_conformance::test_rng::TestRng;
use noughts_rules::AnyGameState;
use roxmltree::{Document, Node};

/// The state of a game after these moves.
fn state_after(variant: &str, moves: &str) -> AnyGameState {
    let mut state = AnyGameState::new(variant.parse().unwrap());
    for mv in moves.split_whitespace() {
        state.play(mv).unwrap();
    }
    state
}

/// Makes a random move. Returns false at the end of the game.
fn play_random_move(state: &mut AnyGameState, dice: &mut TestRng) -> bool {
    let legal = state.legal_moves();
    match legal.get(dice.below(legal.len())) {
        Some(mv) => {
            state.play(mv).unwrap();
            true
        }
        None => false,
    }
}

fn parse(markup: &str) -> Document<'_> {
    Document::parse(markup).unwrap_or_else(|error| panic!("{error}: {markup}"))
}

fn buttons<'a>(document: &'a Document<'a>) -> Vec<Node<'a, 'a>> {
    let all = document.descendants();
    all.filter(|node| node.attribute("role") == Some("button"))
        .collect()
}

fn attribute_number(node: Node<'_, '_>, name: &str) -> f64 {
    let text = node.attribute(name).unwrap_or_default();
    text.parse().unwrap_or_else(|_| panic!("{name}={text:?}"))
}
