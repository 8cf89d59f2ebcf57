//! `perfect`: exact play wherever it is known or can be proved. Elsewhere it searches and says how
//! deep.

use noughts_rules::GameState;

use crate::bot::{Bot, BotSettings};
use crate::bots::alpha_beta::{move_by_tablebase, search_move};
use crate::bots::game_history::avoid_repetition;
use crate::limits::{Budget, SearchLimits};
use crate::report::SearchReport;
use crate::search::SearchContext;
use crate::search_game::SearchGame;
use crate::solve::{move_by_strategy, prove_move};

/// Probes tablebases, tries a known strategy and a proof, and searches only if these fail.
pub(crate) struct Perfect<G: SearchGame> {
    context: SearchContext<G>,
    /// Whether the missing tablebase has been mentioned; it is mentioned only once.
    noted_missing_tablebase: bool,
}

/// In games that last at most this many more plies, most of the budget goes into a proof; in longer
/// ones only short wins and losses are likely to be proved.
const MAX_PLIES_FOR_LONG_PROOF: u32 = 36;
const PROOF_SHARE: f64 = 0.8;
const LONG_GAME_PROOF_SHARE: f64 = 0.3;

/// Without limits a proof may never end and is stopped from outside. A search of this many nodes
/// first ensures a reasonable move.
const FALLBACK_NODES: u64 = 200_000;

impl<G: SearchGame> Perfect<G> {
    pub(crate) fn new(game: &G, settings: &BotSettings) -> Perfect<G> {
        Perfect {
            context: SearchContext::new(game, settings, game.max_plies_left(&game.start()))
                .warmed_up(),
            noted_missing_tablebase: false,
        }
    }

    /// Adds a note that the move isn't proved, and why.
    fn add_unproved_note(&mut self, mut report: SearchReport<G::Move>) -> SearchReport<G::Move> {
        if report.value.exact().is_none() {
            let missing = match self.noted_missing_tablebase {
                true => None,
                false => self
                    .context
                    .game
                    .missing_tablebase_note(&self.context.tablebases),
            };
            self.noted_missing_tablebase = true;
            report.note = Some(match missing {
                Some(sentence) => sentence,
                None => match report.depth {
                    0 => "not proved: no time to search".into(),
                    1 => "not proved: searched 1 ply ahead".into(),
                    depth => format!("not proved: searched {depth} plies ahead"),
                },
            });
        }
        report
    }
}

impl<G: SearchGame> Bot<G> for Perfect<G> {
    fn think(
        &mut self,
        state: &GameState<G>,
        budget: &Budget,
        on_report: &mut dyn FnMut(&SearchReport<G::Move>),
    ) -> SearchReport<G::Move> {
        self.context.transposition_table.new_search();
        let (context, position) = (&self.context, state.position());
        if let Some(report) = move_by_tablebase(context, state, budget, on_report) {
            return avoid_repetition(context, state, budget, report);
        }
        let strategy_nodes = match move_by_strategy(context, position, budget) {
            Ok(report) => return report,
            Err(nodes_spent) => nodes_spent,
        };
        let budget = &budget.after_nodes(strategy_nodes);
        let limits = budget.limits();
        let is_unlimited = budget.time_left().is_none() && limits.nodes.is_none();
        let is_short_game = context
            .game
            .max_plies_left(position)
            .is_some_and(|plies| plies <= MAX_PLIES_FOR_LONG_PROOF);
        let fallback = (is_unlimited && !is_short_game).then(|| {
            let limited = budget.sub_budget(SearchLimits {
                nodes: Some(FALLBACK_NODES),
                ..*limits
            });
            search_move(context, state, &limited, 0, on_report)
        });
        if let Some(report) = &fallback
            && report
                .value
                .exact()
                .is_some_and(|exact| exact.plies().is_some())
        {
            return report.clone();
        }
        let share = if is_short_game {
            PROOF_SHARE
        } else {
            LONG_GAME_PROOF_SHARE
        };
        let part = budget.sub_budget(SearchLimits {
            time: budget.time_left().map(|left| left.mul_f64(share)),
            nodes: match limits.nodes {
                Some(nodes) => Some((nodes as f64 * share) as u64),
                // With only a depth limit, the proof must still end.
                None => (is_unlimited && limits.depth.is_some()).then_some(FALLBACK_NODES),
            },
            depth: limits.depth,
        });
        let report = match prove_move(context, position, &part, budget, on_report) {
            Ok(report) => report,
            Err(nodes_spent) => match fallback {
                Some(mut report) => {
                    report.nodes += nodes_spent;
                    report
                }
                None => search_move(context, state, budget, nodes_spent, on_report),
            },
        };
        let report = avoid_repetition(context, state, budget, report);
        let mut report = self.add_unproved_note(report);
        report.nodes += strategy_nodes;
        report
    }

    fn memory_usage(&self) -> usize {
        self.context.transposition_table.memory_usage()
    }
}
