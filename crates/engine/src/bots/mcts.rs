//! `mcts`: Monte Carlo tree search. The tree is kept from move to move.

use noughts_rules::Play;

use crate::bot::{Bot, Settings};
use crate::bots::alpha_beta::{find_length, settle};
use crate::bots::history::heed;
use crate::family::Family;
use crate::limits::{Budget, Limits};
use crate::report::Report;
use crate::search::Lore;
use crate::search::mcts::{Growth, Tree};
use crate::value::{Exact, Value};

/// So many simulations show where a forced move leads.
const ONLY_MOVE: u64 = 1000;

/// Grows a tree of games.
pub(crate) struct Mcts<G: Family> {
    lore: Lore<G>,
    tree: Tree,
    growth: Growth,
    /// The game that the tree's root belongs to.
    at: Option<(G::Position, Vec<G::Move>)>,
}

impl<G: Family> Mcts<G> {
    pub(crate) fn new(game: &G, settings: &Settings) -> Mcts<G> {
        // Half of the memory for the tree, half for proofs.
        let half = Settings {
            memory: settings.memory / 2,
            ..settings.clone()
        };
        Mcts {
            lore: Lore::new(game, &half, game.most_plies(&game.start())).ready(),
            tree: Tree::new(half.memory, settings.seed),
            growth: game.growth(),
            at: None,
        }
    }

    /// Goes down the tree to where the game is now, if it is in there.
    fn follow(&mut self, play: &Play<G>) {
        let game = &self.lore.game;
        let moves = play.moves();
        let mut found = false;
        if let Some((start, before)) = &self.at
            && start == play.start()
            && moves.starts_with(before)
        {
            let mut position = start.clone();
            for &mv in before {
                game.apply(&mut position, mv);
            }
            found = moves[before.len()..].iter().all(|&mv| {
                let number = game.moves(&position).iter().position(|&other| other == mv);
                game.apply(&mut position, mv);
                number.is_some_and(|number| self.tree.advance(number))
            });
        }
        if found {
            self.tree.tidy();
        } else {
            self.tree.clear();
        }
        self.at = Some((play.start().clone(), moves.to_vec()));
    }
}

impl<G: Family> Bot<G> for Mcts<G> {
    fn think(
        &mut self,
        play: &Play<G>,
        budget: &Budget,
        watch: &mut dyn FnMut(&Report<G::Move>),
    ) -> Report<G::Move> {
        self.lore.table.grow_older();
        let spent = match settle(&self.lore, play, budget, watch) {
            Ok(report) => return heed(&self.lore, play, budget, report),
            Err(nodes) => nodes,
        };
        self.follow(play);
        let rest = budget.part(Limits {
            nodes: match budget.limits().nodes {
                Some(most) => Some(most.saturating_sub(spent)),
                // There is nothing to choose.
                None => (play.legal_moves().len() == 1).then_some(ONLY_MOVE),
            },
            ..Limits::NONE
        });
        let position = play.position();
        let mut report = self
            .tree
            .grow(&self.lore, position, self.growth, &rest, watch);
        report.nodes += spent;
        if let Value::Exact(exact) = report.value
            && exact != Exact::DRAW
        {
            find_length(&self.lore, position, exact.verdict(), budget, &mut report);
        }
        heed(&self.lore, play, budget, report)
    }

    fn memory(&self) -> usize {
        self.lore.table.bytes() + self.tree.bytes()
    }
}
