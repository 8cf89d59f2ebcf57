//! What must hold of every drawn board.

mod components;
mod properties;
mod snapshots;

use noughts_conformance::test_rng::TestRng;
use noughts_rules::AnyGameState;
use roxmltree::{Document, Node};

/// A game after these moves.
fn after(variant: &str, moves: &str) -> AnyGameState {
    let mut play = AnyGameState::new(variant.parse().unwrap());
    for mv in moves.split_whitespace() {
        play.play(mv).unwrap();
    }
    play
}

/// Makes a random move; false at the end of the game.
fn step(play: &mut AnyGameState, dice: &mut TestRng) -> bool {
    let legal = play.legal_moves();
    match legal.get(dice.below(legal.len())) {
        Some(mv) => {
            play.play(mv).unwrap();
            true
        }
        None => false,
    }
}

fn read(markup: &str) -> Document<'_> {
    Document::parse(markup).unwrap_or_else(|problem| panic!("{problem}: {markup}"))
}

/// The buttons of a drawing.
fn buttons<'a>(document: &'a Document<'a>) -> Vec<Node<'a, 'a>> {
    let all = document.descendants();
    all.filter(|node| node.attribute("role") == Some("button"))
        .collect()
}

fn number(node: Node<'_, '_>, name: &str) -> f64 {
    let text = node.attribute(name).unwrap_or_default();
    text.parse().unwrap_or_else(|_| panic!("{name}={text:?}"))
}
