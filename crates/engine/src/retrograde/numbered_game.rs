//! A game that numbers its positions itself.

use std::ops::ControlFlow;

use noughts_rules::Game;

use super::code::{self, Code};
use super::{PositionGraph, Successor, outcome_code};

pub(crate) struct NumberedGame<G>(pub(crate) G);

impl<G: Game> PositionGraph for NumberedGame<G> {
    fn len(&self) -> usize {
        usize::try_from(self.0.count_position_numbers()).unwrap_or(usize::MAX)
    }

    fn known_code(&self, number: usize) -> Option<Code> {
        let NumberedGame(game) = self;
        match game.position_from_number(number as u64) {
            Some(position) => {
                let outcome = game.outcome(&position)?;
                Some(outcome_code(game, &position, outcome))
            }
            None => Some(code::UNUSED),
        }
    }

    fn visit_successors(&self, number: usize, visit: &mut dyn FnMut(Successor) -> bool) {
        let NumberedGame(game) = self;
        let Some(position) = game.position_from_number(number as u64) else {
            return;
        };
        let side = game.side(&position);
        let _ = game.visit_moves(&position, |mv| {
            let next = game.after(&position, mv);
            let number = game.position_number(&next);
            debug_assert!(number.is_some(), "{} has no number", game.text(&next));
            let successor = Successor {
                number: number.map_or(usize::MAX, |number| number as usize),
                same_side: game.side(&next) == side,
            };
            match visit(successor) {
                true => ControlFlow::Continue(()),
                false => ControlFlow::Break(()),
            }
        });
    }
}
