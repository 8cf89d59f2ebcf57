//! What the levels see in a move: the lines of their own that it opens, and with more experience also what it takes from the
//! opponent.

use noughts_rules::Game;
use noughts_rules::games::gravity::{Gravity, GravityMove, GravityPosition};
use rand_xoshiro::Xoshiro256PlusPlus;

use super::evaluation::GravityEvaluation;
use crate::bots::levels::{LevelHeuristics, MoveMerit, SkillLevel};
use crate::evaluation::Evaluation as _;

impl<const W: usize> LevelHeuristics for Gravity<W> {
    fn merit(
        &self,
        position: &GravityPosition<W>,
        mv: GravityMove,
        skill: SkillLevel,
        _: &mut Xoshiro256PlusPlus,
    ) -> MoveMerit {
        let evaluation = GravityEvaluation::new(self);
        let after = self.after(position, mv);
        let gain = match skill {
            SkillLevel::Novice => evaluation.potential(self, &after, self.side(position)),
            SkillLevel::Experienced => -evaluation.evaluate(self, &after),
        };
        MoveMerit {
            boards: 0,
            gain: f64::from(gain),
        }
    }
}
