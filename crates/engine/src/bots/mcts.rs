//! `mcts`: Monte Carlo tree search. The tree is kept between moves.

use noughts_rules::GameState;

use crate::bot::{Bot, BotSettings};
use crate::bots::alpha_beta::{find_distance, resolve};
use crate::bots::game_history::avoid_repetition;
use crate::bots::mention_missing_tablebase;
use crate::limits::{Budget, SearchLimits};
use crate::report::SearchReport;
use crate::search::SearchContext;
use crate::search::mcts::{MctsParams, Tree};
use crate::search_game::SearchGame;

/// With only one legal move, this many simulations show where it leads.
const ONLY_MOVE_SIMULATIONS: u64 = 1000;

/// Keeps the tree between moves.
pub(crate) struct Mcts<G: SearchGame> {
    context: SearchContext<G>,
    tree: Tree,
    params: MctsParams,
    /// The start position and the moves that lead to the tree's root.
    root_game: Option<(G::Position, Vec<G::Move>)>,
    /// Whether to mention a missing tablebase; it is mentioned only once.
    notes_missing_tablebase: bool,
}

impl<G: SearchGame> Mcts<G> {
    pub(crate) fn new(game: &G, settings: &BotSettings, notes_missing_tablebase: bool) -> Mcts<G> {
        // Half of the memory is for the tree and half for proofs.
        let half_memory = BotSettings {
            memory: settings.memory / 2,
            ..settings.clone()
        };
        Mcts {
            context: SearchContext::for_bot(game, &half_memory),
            tree: Tree::new(half_memory.memory, settings.seed),
            params: game.mcts_params(),
            root_game: None,
            notes_missing_tablebase,
        }
    }

    /// Moves the root to the current position if the tree contains it.
    fn advance_root(&mut self, state: &GameState<G>) {
        let game = &self.context.game;
        let moves = state.moves();
        let mut is_in_tree = false;
        if let Some((start, root_moves)) = &self.root_game
            && start == state.start()
            && moves.starts_with(root_moves)
        {
            let mut position = start.clone();
            for &mv in root_moves {
                game.apply(&mut position, mv);
            }
            is_in_tree = moves[root_moves.len()..].iter().all(|&mv| {
                let number = game.moves(&position).iter().position(|&other| other == mv);
                game.apply(&mut position, mv);
                number.is_some_and(|number| self.tree.advance(number))
            });
        }
        if is_in_tree {
            self.tree.compact();
        } else {
            self.tree.clear();
        }
        self.root_game = Some((state.start().clone(), moves.to_vec()));
    }
}

impl<G: SearchGame> Bot<G> for Mcts<G> {
    fn think(
        &mut self,
        state: &GameState<G>,
        budget: &Budget,
        on_report: &mut dyn FnMut(&SearchReport<G::Move>),
    ) -> SearchReport<G::Move> {
        self.context.transposition_table.new_search();
        let nodes_spent = match resolve(&self.context, state, budget, on_report) {
            Ok(report) => return avoid_repetition(&self.context, state, budget, report),
            Err(nodes) => nodes,
        };
        self.advance_root(state);
        let remaining = budget.sub_budget(SearchLimits {
            nodes: match budget.limits().nodes {
                Some(max) => Some(max.saturating_sub(nodes_spent)),
                // There is no choice to make.
                None => (state.legal_moves().len() == 1).then_some(ONLY_MOVE_SIMULATIONS),
            },
            ..SearchLimits::NONE
        });
        let position = state.position();
        let mut report =
            self.tree
                .search(&self.context, position, self.params, &remaining, on_report);
        report.nodes += nodes_spent;
        find_distance(&self.context, position, budget, &mut report);
        let mut report = avoid_repetition(&self.context, state, budget, report);
        mention_missing_tablebase(
            &mut self.notes_missing_tablebase,
            &self.context,
            &mut report,
        );
        report
    }

    fn memory_usage(&self) -> usize {
        self.context.transposition_table.memory_usage() + self.tree.memory_usage()
    }
}
