//! What one should know of a tournament besides its results: that they say less than they
//! seem to.

use std::collections::HashSet;
use std::hash::{BuildHasher, RandomState};

use noughts_arena::tournament::{Ended, How};
use noughts_arena::{Plan, Played, Reason, Who};
use noughts_rules::Player;

/// Fewer games may well be alike by chance.
const MANY: u64 = 20;

/// Counted while games end.
pub(super) struct Afterwards {
    hasher: RandomState,
    different: HashSet<u64>,
    games: u64,
    bots: Vec<Counts>,
}

#[derive(Clone, Default)]
struct Counts {
    games: u64,
    not_started: u64,
    late: u64,
    /// What it was that kept it from starting.
    why: Option<String>,
}

impl Afterwards {
    pub(super) fn new(plan: &Plan, before: &[Played]) -> Afterwards {
        let mut counted = Afterwards {
            hasher: RandomState::new(),
            different: HashSet::new(),
            games: 0,
            bots: vec![Counts::default(); plan.bots.len()],
        };
        for game in before {
            counted.add(game);
        }
        counted
    }

    pub(super) fn add(&mut self, game: &Played) {
        self.games += 1;
        let course = (game.play.start_text(), game.play.moves());
        self.different.insert(self.hasher.hash_one(course));
        for side in Player::BOTH {
            let Some(bot) = self.bots.get_mut(game.key.bot(side) as usize) else {
                continue;
            };
            bot.games += 1;
            if game.outcome.winner() == Some(side) {
                continue;
            }
            match game.reason {
                Reason::Start => {
                    bot.not_started += 1;
                    bot.why.clone_from(&game.note);
                }
                Reason::Time => bot.late += 1,
                _ => {}
            }
        }
    }

    /// Sentences, most important first.
    pub(super) fn sentences(&self, plan: &Plan, ended: &Ended, number: Option<i64>) -> Vec<String> {
        let mut said = Vec::new();
        for (spec, bot) in plan.bots.iter().zip(&self.bots) {
            if bot.games > 0 && bot.not_started == bot.games {
                let why = bot.why.as_deref().unwrap_or("it is not known why");
                said.push(format!(
                    "{} did not start in any of its {} games, so that these results say nothing of how it plays: {why}",
                    spec.name, bot.games
                ));
            }
        }
        let different = self.different.len() as u64;
        if self.games >= MANY && different * 2 <= self.games {
            said.push(format!(
                "only {different} of {} games differ: bots that leave nothing to chance play the same game again from the same opening; more openings help (--openings random:4)",
                self.games
            ));
        }
        let ours = |spec: &&noughts_arena::BotSpec| matches!(spec.who, Who::Ours(_));
        let pairs = plan.bots.iter().zip(&self.bots);
        let late: u64 = pairs
            .filter(|(spec, _)| ours(spec))
            .map(|(_, bot)| bot.late)
            .sum();
        if late > 0 {
            said.push(format!(
                "bots of this program lost {late} of {} games on time: the machine has other things to do; fewer games at once (--concurrency) or a larger --margin help",
                self.games
            ));
        }
        if plan.sprt.is_some() && ended.how == How::Complete {
            let more = u64::from(plan.rounds) * 4;
            let how = number.map_or(String::new(), |number| {
                format!("; noughts arena resume {number} --games {more} goes on")
            });
            said.push(format!(
                "the test is not decided after {} games{how}",
                ended.done
            ));
        }
        said
    }
}
