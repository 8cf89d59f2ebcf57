//! `medium`: looks out. Wins if it can, leaves no win that anybody would see, and
//! takes what a move gains at once. On the classic board: the middle, then a block.

use noughts_rules::Play;
use rand_xoshiro::Xoshiro256PlusPlus;

use super::levels::{self, Danger, Eye, Levels, Lookout};
use crate::bot::{Bot, Settings};
use crate::limits::Budget;
use crate::report::Report;

/// Plays like somebody who looks out.
pub(crate) struct Medium {
    rng: Xoshiro256PlusPlus,
}

impl Medium {
    pub(crate) fn new(settings: &Settings) -> Medium {
        Medium {
            rng: levels::generator(settings),
        }
    }
}

impl<G: Levels> Bot<G> for Medium {
    fn think(
        &mut self,
        play: &Play<G>,
        budget: &Budget,
        _: &mut dyn FnMut(&Report<G::Move>),
    ) -> Report<G::Move> {
        let (game, position) = (play.game(), play.position());
        if budget.is_over() {
            return levels::any_move(play, &mut self.rng);
        }
        if let Some(middle) = game.classic_middle() {
            return levels::classic(play, middle, false, &mut self.rng);
        }
        if let Some(mv) = game.find_win(position, Eye::Plain) {
            return levels::winning(mv, 1);
        }
        let me = game.side(position);
        let moves = levels::by_merit(game, position, Eye::Plain, &mut self.rng);
        let mut lookout = Lookout::new(Eye::Plain);
        // The best so far: the least danger, and among equals the first.
        let mut best: Option<(Danger, G::Move)> = None;
        let mut nodes = 1;
        for &(_, mv) in &moves {
            let mut after = position.clone();
            game.apply(&mut after, mv);
            let danger = lookout.danger(game, &after, me);
            nodes += 1;
            if best.is_none_or(|(least, _)| danger < least) {
                best = Some((danger, mv));
            }
            if danger == Danger::None || levels::is_used_up(budget, nodes) {
                break;
            }
        }
        match best {
            Some((_, mv)) => Report::of_move(mv, nodes),
            None => Report::empty(),
        }
    }
}
