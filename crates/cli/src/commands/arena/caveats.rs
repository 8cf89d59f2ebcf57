//! Caveats about the results of a tournament: when they say less than they seem to, or nothing at
//! all.

use noughts_arena::statistics::Results;
use noughts_arena::tournament::{TournamentEnd, TournamentSummary};
use noughts_arena::{BotSource, BotSpec, EndReason, Plan, PlayedGame};
use noughts_rules::Side;

/// With fewer games, several may be equal by chance.
const MIN_GAMES: u64 = 20;

/// Why bots didn't start, by their index in the plan.
pub(super) struct StartFailures {
    reasons: Vec<Option<String>>,
}

impl StartFailures {
    pub(super) fn new(plan: &Plan, previous: &[PlayedGame]) -> StartFailures {
        let mut failures = StartFailures {
            reasons: vec![None; plan.bots.len()],
        };
        for game in previous {
            failures.record(game);
        }
        failures
    }

    pub(super) fn record(&mut self, game: &PlayedGame) {
        if game.reason != EndReason::StartFailure {
            return;
        }
        for side in Side::BOTH {
            let reason = self.reasons.get_mut(game.key.bot(side) as usize);
            if let Some(reason) = reason.filter(|_| game.outcome.winner() != Some(side)) {
                reason.clone_from(&game.note);
            }
        }
    }

    /// Why the command fails although the tournament was played: a bot never started, or the test
    /// can't be decided.
    pub(super) fn failure(
        &self,
        plan: &Plan,
        summary: &TournamentSummary,
        results: &Results,
    ) -> Option<String> {
        let mut failures = Vec::new();
        for (bot, (spec, reason)) in plan.bots.iter().zip(&self.reasons).enumerate() {
            if results.never_started(bot) {
                let reason = reason.as_deref().unwrap_or("it is not known why");
                failures.push(format!(
                    "{} did not start in any of its {} games, so these results say nothing about how it plays: {reason}",
                    spec.name,
                    results.games_played(bot)
                ));
            }
        }
        failures.extend(summary.why_undecidable());
        (!failures.is_empty()).then(|| failures.join("; "))
    }
}

/// The caveats, most important first.
pub(super) fn sentences(
    plan: &Plan,
    summary: &TournamentSummary,
    results: &Results,
    number: Option<i64>,
) -> Vec<String> {
    let mut notes = Vec::new();
    let (games, distinct) = (results.game_count(), results.distinct_games());
    if games >= MIN_GAMES && distinct * 2 <= games && summary.end != TournamentEnd::Repeating {
        notes.push(format!(
            "only {distinct} of {games} games differ, and pairs that repeat earlier ones don't count in Elo and its interval: \
             bots that leave nothing to chance play the same game again from the same opening; more openings help \
             (--openings random:4)"
        ));
    }
    notes.extend(lateness(plan, summary, results, number));
    if plan.sprt.is_some() && summary.end == TournamentEnd::Complete {
        let more = u64::from(plan.rounds) * 4;
        let resume_hint = number.map_or(String::new(), |number| {
            format!("; noughts arena resume {number} --games {more} goes on")
        });
        notes.push(format!(
            "the test is not decided after {} games{resume_hint}",
            summary.done
        ));
    }
    notes
}

/// Which bots lost on time, and whether the bots or the machine were too slow.
fn lateness(
    plan: &Plan,
    summary: &TournamentSummary,
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
    // Built-in bots keep their time limits if the machine lets them.
    let is_builtin_late = late_bots
        .iter()
        .any(|(spec, _)| matches!(spec.who, BotSource::Ours(_)));
    let late_text: Vec<String> = late_bots
        .iter()
        .map(|(spec, late)| format!("{} {late}", spec.name))
        .collect();
    let late_text = format!(
        "{late} of {} games were lost on time ({})",
        results.game_count(),
        late_text.join(", ")
    );
    let delay = summary.scheduling_delay;
    let worst = delay.worst.as_millis();
    if !delay.is_overloaded() && !is_builtin_late {
        return Some(format!(
            "{late_text}; the machine had time for them (this program itself was at most {worst} ms late), so the bots are too slow: noughts arena check shows how long they take"
        ));
    }
    let evidence = match delay.delayed {
        0 => String::new(),
        late => format!(
            " (this program itself was late in {late} of {} measurements, by up to {worst} ms)",
            delay.samples
        ),
    };
    let replay = number.map_or(String::new(), |number| {
        format!("; noughts arena resume {number} --replay-late plays these games again")
    });
    Some(format!(
        "{late_text}, and the machine has too much to do{evidence}, so they say little about the bots: play fewer games at once (--concurrency), pin bots to cores (--affinity) or allow a larger --margin{replay}"
    ))
}
