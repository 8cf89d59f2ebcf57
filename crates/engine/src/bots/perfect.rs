//! `perfect`: exact play wherever it is known or can be proved. Where it cannot, it
//! searches, and says how far it sees.

use noughts_rules::Play;

use crate::bot::{Bot, Settings};
use crate::bots::alpha_beta::{by_table, search};
use crate::bots::history::heed;
use crate::family::Family;
use crate::limits::{Budget, Limits};
use crate::report::Report;
use crate::search::Lore;
use crate::solve::{by_strategy, prove};

/// Looks up, walks a strategy, proves, and only then searches.
pub(crate) struct Perfect<G: Family> {
    lore: Lore<G>,
    /// Has it said that a table is missing? Once is enough.
    told: bool,
}

/// Games that last no longer than this are worth most of the budget; in longer ones
/// only short wins and losses are likely to be proved.
const HOPEFUL: u32 = 36;
const SHARE: f64 = 0.8;
const SHARE_OF_LONG: f64 = 0.3;

/// Without any limit a proof may take forever, and is stopped from outside: then
/// there must be a move that was searched this far.
const BEFOREHAND: u64 = 200_000;

impl<G: Family> Perfect<G> {
    pub(crate) fn new(game: &G, settings: &Settings) -> Perfect<G> {
        Perfect {
            lore: Lore::new(game, settings, game.most_plies(&game.start())).ready(),
            told: false,
        }
    }

    /// Says that a move is not proved, and why not.
    fn owning_up(&mut self, mut report: Report<G::Move>) -> Report<G::Move> {
        if report.value.exact().is_none() {
            let missing = match self.told {
                true => None,
                false => self.lore.game.missing_table(&self.lore.tables),
            };
            self.told = true;
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

impl<G: Family> Bot<G> for Perfect<G> {
    fn think(
        &mut self,
        play: &Play<G>,
        budget: &Budget,
        watch: &mut dyn FnMut(&Report<G::Move>),
    ) -> Report<G::Move> {
        self.lore.table.grow_older();
        let (lore, position) = (&self.lore, play.position());
        if let Some(report) = by_table(lore, play, budget, watch) {
            return heed(lore, play, budget, report);
        }
        let walked = match by_strategy(lore, position, budget) {
            Ok(report) => return report,
            Err(spent) => spent,
        };
        let budget = &budget.after(walked);
        let limits = budget.limits();
        let endless = budget.time_left().is_none() && limits.nodes.is_none();
        let hopeful = lore
            .game
            .most_plies(position)
            .is_some_and(|plies| plies <= HOPEFUL);
        let beforehand = (endless && !hopeful).then(|| {
            let few = budget.part(Limits {
                nodes: Some(BEFOREHAND),
                ..*limits
            });
            search(lore, play, &few, 0, watch)
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
        let part = budget.part(Limits {
            time: budget.time_left().map(|left| left.mul_f64(share)),
            nodes: match limits.nodes {
                Some(nodes) => Some((nodes as f64 * share) as u64),
                // Told how far to look, it does not go on forever.
                None => (endless && limits.depth.is_some()).then_some(BEFOREHAND),
            },
            depth: limits.depth,
        });
        let report = match prove(lore, position, &part, budget, watch) {
            Ok(report) => report,
            Err(spent) => match beforehand {
                Some(mut report) => {
                    report.nodes += spent;
                    report
                }
                None => search(lore, play, budget, spent, watch),
            },
        };
        let report = heed(lore, play, budget, report);
        let mut report = self.owning_up(report);
        report.nodes += walked;
        report
    }

    fn memory(&self) -> usize {
        self.lore.table.bytes()
    }
}
