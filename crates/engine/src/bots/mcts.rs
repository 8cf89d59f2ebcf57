//! `mcts`: Monte Carlo tree search. The tree is kept from move to move.

use noughts_rules::GameState;

use crate::bot::{Bot, BotSettings};
use crate::bots::alpha_beta::{find_distance, resolve};
use crate::bots::game_history::avoid_repetition;
use crate::limits::{Budget, SearchLimits};
use crate::report::SearchReport;
use crate::search::SearchContext;
use crate::search::mcts::{MctsParams, Tree};
use crate::search_game::SearchGame;
use crate::value::{ExactValue, Value};

/// So many simulations show where a forced move leads.
const ONLY_MOVE: u64 = 1000;

/// Grows a tree of games.
pub(crate) struct Mcts<G: SearchGame> {
    context: SearchContext<G>,
    tree: Tree,
    params: MctsParams,
    /// The game that the tree's root belongs to.
    at: Option<(G::Position, Vec<G::Move>)>,
}

impl<G: SearchGame> Mcts<G> {
    pub(crate) fn new(game: &G, settings: &BotSettings) -> Mcts<G> {
        // Half of the memory for the tree, half for proofs.
        let half = BotSettings {
            memory: settings.memory / 2,
            ..settings.clone()
        };
        Mcts {
            context: SearchContext::new(game, &half, game.max_plies_left(&game.start()))
                .warmed_up(),
            tree: Tree::new(half.memory, settings.seed),
            params: game.mcts_params(),
            at: None,
        }
    }

    /// Goes down the tree to where the game is now, if it is in there.
    fn follow(&mut self, play: &GameState<G>) {
        let game = &self.context.game;
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
            self.tree.compact();
        } else {
            self.tree.clear();
        }
        self.at = Some((play.start().clone(), moves.to_vec()));
    }
}

impl<G: SearchGame> Bot<G> for Mcts<G> {
    fn think(
        &mut self,
        play: &GameState<G>,
        budget: &Budget,
        watch: &mut dyn FnMut(&SearchReport<G::Move>),
    ) -> SearchReport<G::Move> {
        self.context.transposition_table.new_search();
        let spent = match resolve(&self.context, play, budget, watch) {
            Ok(report) => return avoid_repetition(&self.context, play, budget, report),
            Err(nodes) => nodes,
        };
        self.follow(play);
        let rest = budget.sub_budget(SearchLimits {
            nodes: match budget.limits().nodes {
                Some(most) => Some(most.saturating_sub(spent)),
                // There is nothing to choose.
                None => (play.legal_moves().len() == 1).then_some(ONLY_MOVE),
            },
            ..SearchLimits::NONE
        });
        let position = play.position();
        let mut report = self
            .tree
            .search(&self.context, position, self.params, &rest, watch);
        report.nodes += spent;
        if let Value::Exact(exact) = report.value
            && exact != ExactValue::DRAW
        {
            find_distance(
                &self.context,
                position,
                exact.game_value(),
                budget,
                &mut report,
            );
        }
        avoid_repetition(&self.context, play, budget, report)
    }

    fn memory_usage(&self) -> usize {
        self.context.transposition_table.memory_usage() + self.tree.memory_usage()
    }
}
