//! `perfect`: exact play wherever it is known or can be proved. Where it cannot, it
//! searches, and says how far it sees.

use noughts_rules::GameState;

use crate::bot::{Bot, BotSettings};
use crate::bots::alpha_beta::{move_by_tablebase, search_move};
use crate::bots::game_history::avoid_repetition;
use crate::limits::{Budget, SearchLimits};
use crate::report::SearchReport;
use crate::search::SearchContext;
use crate::search_game::SearchGame;
use crate::solve::{move_by_strategy, prove_move};

/// Looks up, walks a strategy, proves, and only then searches.
pub(crate) struct Perfect<G: SearchGame> {
    context: SearchContext<G>,
    /// Has it said that a table is missing? Once is enough.
    noted_missing_tablebase: bool,
}

/// Games that last no longer than this are worth most of the budget; in longer ones
/// only short wins and losses are likely to be proved.
const HOPEFUL: u32 = 36;
const SHARE: f64 = 0.8;
const SHARE_OF_LONG: f64 = 0.3;

/// Without any limit a proof may take forever, and is stopped from outside: then
/// there must be a move that was searched this far.
const BEFOREHAND: u64 = 200_000;

impl<G: SearchGame> Perfect<G> {
    pub(crate) fn new(game: &G, settings: &BotSettings) -> Perfect<G> {
        Perfect {
            context: SearchContext::new(game, settings, game.max_plies_left(&game.start()))
                .warmed_up(),
            noted_missing_tablebase: false,
        }
    }

    /// Says that a move is not proved, and why not.
    fn owning_up(&mut self, mut report: SearchReport<G::Move>) -> SearchReport<G::Move> {
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
                    0 => "not proved, and there was no time to search".into(),
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
        play: &GameState<G>,
        budget: &Budget,
        watch: &mut dyn FnMut(&SearchReport<G::Move>),
    ) -> SearchReport<G::Move> {
        self.context.transposition_table.new_search();
        let (lore, position) = (&self.context, play.position());
        if let Some(report) = move_by_tablebase(lore, play, budget, watch) {
            return avoid_repetition(lore, play, budget, report);
        }
        let walked = match move_by_strategy(lore, position, budget) {
            Ok(report) => return report,
            Err(spent) => spent,
        };
        let budget = &budget.after_nodes(walked);
        let limits = budget.limits();
        let endless = budget.time_left().is_none() && limits.nodes.is_none();
        let hopeful = lore
            .game
            .max_plies_left(position)
            .is_some_and(|plies| plies <= HOPEFUL);
        let beforehand = (endless && !hopeful).then(|| {
            let few = budget.sub_budget(SearchLimits {
                nodes: Some(BEFOREHAND),
                ..*limits
            });
            search_move(lore, play, &few, 0, watch)
        });
        if let Some(report) = &beforehand
            && report
                .value
                .exact()
                .is_some_and(|exact| exact.plies().is_some())
        {
            return report.clone();
        }
        let share = if hopeful { SHARE } else { SHARE_OF_LONG };
        let part = budget.sub_budget(SearchLimits {
            time: budget.time_left().map(|left| left.mul_f64(share)),
            nodes: match limits.nodes {
                Some(nodes) => Some((nodes as f64 * share) as u64),
                // Told how far to look, it does not go on forever.
                None => (endless && limits.depth.is_some()).then_some(BEFOREHAND),
            },
            depth: limits.depth,
        });
        let report = match prove_move(lore, position, &part, budget, watch) {
            Ok(report) => report,
            Err(spent) => match beforehand {
                Some(mut report) => {
                    report.nodes += spent;
                    report
                }
                None => search_move(lore, play, budget, spent, watch),
            },
        };
        let report = avoid_repetition(lore, play, budget, report);
        let mut report = self.owning_up(report);
        report.nodes += walked;
        report
    }

    fn memory_usage(&self) -> usize {
        self.context.transposition_table.memory_usage()
    }
}
