//! What to know about a tournament besides its results: that they say less than they seem
//! to, or nothing at all.

use noughts_arena::statistics::Results;
use noughts_arena::tournament::{TournamentEnd, TournamentSummary};
use noughts_arena::{BotSource, BotSpec, EndReason, Plan, PlayedGame};
use noughts_rules::Side;

/// Fewer games may well be alike by chance.
const MANY: u64 = 20;

/// What kept bots from starting, by their numbers in the plan.
pub(super) struct StartFailures {
    why: Vec<Option<String>>,
}

impl StartFailures {
    pub(super) fn new(plan: &Plan, before: &[PlayedGame]) -> StartFailures {
        let mut counted = StartFailures {
            why: vec![None; plan.bots.len()],
        };
        for game in before {
            counted.record(game);
        }
        counted
    }

    pub(super) fn record(&mut self, game: &PlayedGame) {
        if game.reason != EndReason::StartFailure {
            return;
        }
        for side in Side::BOTH {
            let why = self.why.get_mut(game.key.bot(side) as usize);
            if let Some(why) = why.filter(|_| game.outcome.winner() != Some(side)) {
                why.clone_from(&game.note);
            }
        }
    }

    /// Why the command failed although it was played, if it did: a bot never started, or a
    /// test can't be decided.
    pub(super) fn failure(
        &self,
        plan: &Plan,
        ended: &TournamentSummary,
        results: &Results,
    ) -> Option<String> {
        let mut failures = Vec::new();
        for (bot, (spec, why)) in plan.bots.iter().zip(&self.why).enumerate() {
            if results.never_started(bot) {
                let why = why.as_deref().unwrap_or("it is not known why");
                failures.push(format!(
                    "{} did not start in any of its {} games, so these results say nothing about how it plays: {why}",
                    spec.name,
                    results.games_played(bot)
                ));
            }
        }
        failures.extend(ended.why_undecidable());
        (!failures.is_empty()).then(|| failures.join("; "))
    }
}

/// Sentences, most important first.
pub(super) fn sentences(
    plan: &Plan,
    ended: &TournamentSummary,
    results: &Results,
    number: Option<i64>,
) -> Vec<String> {
    let mut said = Vec::new();
    let (games, different) = (results.game_count(), results.distinct_games());
    if games >= MANY && different * 2 <= games && ended.end != TournamentEnd::Repeating {
        said.push(format!(
            "only {different} of {games} games differ, and pairs that repeat earlier ones don't count in Elo and its interval: \
             bots that leave nothing to chance play the same game again from the same opening; more openings help \
             (--openings random:4)"
        ));
    }
    said.extend(lateness(plan, ended, results, number));
    if plan.sprt.is_some() && ended.end == TournamentEnd::Complete {
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
fn lateness(
    plan: &Plan,
    ended: &TournamentSummary,
    results: &Results,
    number: Option<i64>,
) -> Option<String> {
    let late_bots: Vec<(&BotSpec, u64)> = plan
        .bots
        .iter()
        .enumerate()
        .map(|(bot, spec)| (spec, results.faults(bot).late))
        .filter(|(_, late)| *late > 0)
        .collect();
    if late_bots.is_empty() {
        return None;
    }
    let late: u64 = late_bots.iter().map(|(_, late)| late).sum();
    // Ours keep to their time wherever they get it.
    let ours_late = late_bots
        .iter()
        .any(|(spec, _)| matches!(spec.who, BotSource::Ours(_)));
    let who: Vec<String> = late_bots
        .iter()
        .map(|(spec, late)| format!("{} {late}", spec.name))
        .collect();
    let who = format!(
        "{late} of {} games were lost on time ({})",
        results.game_count(),
        who.join(", ")
    );
    let measured = ended.scheduling_delay;
    let worst = measured.worst.as_millis();
    if !measured.is_overloaded() && !ours_late {
        return Some(format!(
            "{who}; the machine had time for them (this program itself was at most {worst} ms late), so the bots are too slow: noughts arena check shows how long they take"
        ));
    }
    let evidence = match measured.delayed {
        0 => String::new(),
        late => format!(
            " (this program itself was late in {late} of {} measurements, by up to {worst} ms)",
            measured.samples
        ),
    };
    let replay = number.map_or(String::new(), |number| {
        format!("; noughts arena resume {number} --replay-late plays these games again")
    });
    Some(format!(
        "{who}, and the machine has too much to do{evidence}, so they say little about the bots: play fewer games at once (--concurrency), pin bots to cores (--affinity) or allow a larger --margin{replay}"
    ))
}
