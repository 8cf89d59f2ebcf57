//! What to know about a tournament besides its results: that they say less than they seem
//! to, or nothing at all.

use std::collections::HashSet;
use std::hash::{BuildHasher, RandomState};

use noughts_arena::tournament::{Ended, How};
use noughts_arena::{BotSpec, Plan, Played, Reason, Who};
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

    /// Why the command failed although it was played, if it did: a bot never started, or a
    /// test can't be decided.
    pub(super) fn failure(&self, plan: &Plan, ended: &Ended) -> Option<String> {
        let mut failures = Vec::new();
        for (spec, bot) in plan.bots.iter().zip(&self.bots) {
            if bot.games > 0 && bot.not_started == bot.games {
                let why = bot.why.as_deref().unwrap_or("it is not known why");
                failures.push(format!(
                    "{} did not start in any of its {} games, so these results say nothing about how it plays: {why}",
                    spec.name, bot.games
                ));
            }
        }
        if ended.how == How::Repeating {
            let different: u64 = ended.pairs.iter().sum();
            failures.push(format!(
                "the test can't be decided: the bots play the same games again and again, {different} different pairs so \
                 far, and only those count; use more openings (--openings random:4) or bots that vary their play"
            ));
        }
        (!failures.is_empty()).then(|| failures.join("; "))
    }

    /// Sentences, most important first.
    pub(super) fn sentences(&self, plan: &Plan, ended: &Ended, number: Option<i64>) -> Vec<String> {
        let mut said = Vec::new();
        let different = self.different.len() as u64;
        if self.games >= MANY && different * 2 <= self.games && ended.how != How::Repeating {
            said.push(format!(
                "only {different} of {} games differ, and pairs that repeat earlier ones don't count in Elo and its interval: \
                 bots that leave nothing to chance play the same game again from the same opening; more openings help \
                 (--openings random:4)",
                self.games
            ));
        }
        said.extend(self.lateness(plan, ended, number));
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

    /// Who lost on time, and whether that was the bots' fault or the machine's.
    fn lateness(&self, plan: &Plan, ended: &Ended, number: Option<i64>) -> Option<String> {
        let late: u64 = self.bots.iter().map(|bot| bot.late).sum();
        if late == 0 {
            return None;
        }
        let pairs = plan.bots.iter().zip(&self.bots);
        // Ours keep to their time wherever they get it.
        let ours = |spec: &BotSpec| matches!(spec.who, Who::Ours(_));
        let ours_late = pairs.clone().any(|(spec, bot)| ours(spec) && bot.late > 0);
        let who: Vec<String> = pairs
            .filter(|(_, bot)| bot.late > 0)
            .map(|(spec, bot)| format!("{} {}", spec.name, bot.late))
            .collect();
        let who = format!(
            "{late} of {} games were lost on time ({})",
            self.games,
            who.join(", ")
        );
        let measured = ended.lateness;
        let worst = measured.worst.as_millis();
        if !measured.is_overloaded() && !ours_late {
            return Some(format!(
                "{who}; the machine had time for them (this program itself was at most {worst} ms late), so the bots are too slow: noughts arena check shows how long they take"
            ));
        }
        let evidence = match measured.late {
            0 => String::new(),
            late => format!(
                " (this program itself was late in {late} of {} measurements, by up to {worst} ms)",
                measured.measured
            ),
        };
        let replay = number.map_or(String::new(), |number| {
            format!("; noughts arena resume {number} --replay-late plays these games again")
        });
        Some(format!(
            "{who}, and the machine has too much to do{evidence}, so they say little about the bots: play fewer games at once (--concurrency), pin bots to cores (--affinity) or allow a larger --margin{replay}"
        ))
    }
}
